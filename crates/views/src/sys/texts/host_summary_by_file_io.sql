-- File I/O by host; what the server's own threads do is 'background'.
SELECT
  IF(host IS NULL, 'background', host) AS host,
  SUM(count_star) AS ios,
  as_time(SUM(sum_timer_wait)) AS io_latency
FROM performance_schema.events_waits_summary_by_host_by_event_name
WHERE event_name LIKE 'wait/io/file/%'
GROUP BY IF(host IS NULL, 'background', host)
ORDER BY SUM(sum_timer_wait) DESC
