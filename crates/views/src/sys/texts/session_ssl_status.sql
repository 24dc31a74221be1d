-- TLS of each connection.
SELECT
  v.thread_id AS thread_id,
  v.variable_value AS ssl_version,
  c.variable_value AS ssl_cipher,
  r.variable_value AS ssl_sessions_reused
FROM performance_schema.status_by_thread v
LEFT JOIN performance_schema.status_by_thread c ON c.thread_id = v.thread_id AND c.variable_name = 'Ssl_cipher'
LEFT JOIN performance_schema.status_by_thread r ON r.thread_id = v.thread_id AND r.variable_name =
  'Ssl_sessions_reused'
WHERE v.variable_name = 'Ssl_version'
