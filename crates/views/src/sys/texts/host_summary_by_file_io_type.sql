-- File I/O by host and kind of file.
SELECT
  IF(host IS NULL, 'background', host) AS host,
  event_name,
  count_star AS total,
  as_time(sum_timer_wait) AS total_latency,
  as_time(max_timer_wait) AS max_latency
FROM performance_schema.events_waits_summary_by_host_by_event_name
WHERE event_name LIKE 'wait/io/file/%' AND count_star > 0
ORDER BY IF(host IS NULL, 'background', host), sum_timer_wait DESC
