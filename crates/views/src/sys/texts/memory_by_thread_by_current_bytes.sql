-- Memory by thread.
SELECT
  t.thread_id AS thread_id,
  IF(t.name = 'thread/sql/one_connection', CONCAT(t.processlist_user, '@', t.processlist_host), REPLACE(t.name,
    'thread/', '')) AS user,
  SUM(m.current_count_used) AS current_count_used,
  as_bytes(SUM(m.current_number_of_bytes_used)) AS current_allocated,
  as_bytes(IFNULL(SUM(m.current_number_of_bytes_used) / NULLIF(SUM(m.current_count_used), 0), 0)) AS
    current_avg_alloc,
  as_bytes(MAX(m.current_number_of_bytes_used)) AS current_max_alloc,
  as_bytes(SUM(m.sum_number_of_bytes_alloc)) AS total_allocated
FROM performance_schema.memory_summary_by_thread_by_event_name m
JOIN performance_schema.threads t ON t.thread_id = m.thread_id
GROUP BY t.thread_id, IF(t.name = 'thread/sql/one_connection', CONCAT(t.processlist_user, '@', t.processlist_host),
  REPLACE(t.name, 'thread/', ''))
ORDER BY SUM(m.current_number_of_bytes_used) DESC
