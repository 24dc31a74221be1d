-- Statements, file I/O, connections and memory by user. Each part is summed once, however many accounts a user
-- has.
SELECT
  a.user AS user,
  SUM(s.total) AS statements,
  as_time(SUM(s.total_latency)) AS statement_latency,
  as_time(IFNULL(SUM(s.total_latency) / NULLIF(SUM(s.total), 0), 0)) AS statement_avg_latency,
  SUM(s.full_scans) AS table_scans,
  SUM(f.ios) AS file_ios,
  as_time(SUM(f.io_latency)) AS file_io_latency,
  a.current_connections AS current_connections,
  a.total_connections AS total_connections,
  a.others AS unique_hosts,
  as_bytes(SUM(m.current_allocated)) AS current_memory,
  as_bytes(SUM(m.total_allocated)) AS total_memory_allocated
FROM (
  SELECT
    IF(user IS NULL, 'background', user) AS user,
    SUM(current_connections) AS current_connections,
    SUM(total_connections) AS total_connections,
    COUNT(DISTINCT host) AS others
  FROM performance_schema.accounts
  GROUP BY IF(user IS NULL, 'background', user)
) a
LEFT JOIN sys.x$user_summary_by_statement_latency s ON s.user = a.user
LEFT JOIN sys.x$user_summary_by_file_io f ON f.user = a.user
LEFT JOIN sys.x$memory_by_user_by_current_bytes m ON m.user = a.user
GROUP BY a.user, a.current_connections, a.total_connections, a.others
ORDER BY SUM(s.total_latency) DESC
