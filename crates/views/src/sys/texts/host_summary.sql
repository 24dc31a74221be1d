-- Statements, file I/O, connections and memory by host. Each part is summed once, however many accounts a host
-- has.
SELECT
  a.host AS host,
  SUM(s.total) AS statements,
  as_time(SUM(s.total_latency)) AS statement_latency,
  as_time(SUM(s.total_latency) / NULLIF(SUM(s.total), 0)) AS statement_avg_latency,
  SUM(s.full_scans) AS table_scans,
  SUM(f.ios) AS file_ios,
  as_time(SUM(f.io_latency)) AS file_io_latency,
  a.current_connections AS current_connections,
  a.total_connections AS total_connections,
  a.others AS unique_users,
  as_bytes(SUM(m.current_allocated)) AS current_memory,
  as_bytes(SUM(m.total_allocated)) AS total_memory_allocated
FROM (
  SELECT
    IF(host IS NULL, 'background', host) AS host,
    SUM(current_connections) AS current_connections,
    SUM(total_connections) AS total_connections,
    COUNT(DISTINCT user) AS others
  FROM performance_schema.accounts
  GROUP BY IF(host IS NULL, 'background', host)
) a
LEFT JOIN sys.x$host_summary_by_statement_latency s ON s.host = a.host
LEFT JOIN sys.x$host_summary_by_file_io f ON f.host = a.host
LEFT JOIN sys.x$memory_by_host_by_current_bytes m ON m.host = a.host
GROUP BY a.host, a.current_connections, a.total_connections, a.others
ORDER BY SUM(s.total_latency) DESC
