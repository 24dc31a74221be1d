-- Statements by host and kind of statement.
SELECT
  IF(host IS NULL, 'background', host) AS host,
  SUBSTRING_INDEX(event_name, '/', -1) AS statement,
  count_star AS total,
  as_time(sum_timer_wait) AS total_latency,
  as_time(max_timer_wait) AS max_latency,
  as_time(sum_lock_time) AS lock_latency,
  as_time(sum_cpu_time) AS cpu_latency,
  sum_rows_sent AS rows_sent,
  sum_rows_examined AS rows_examined,
  sum_rows_affected AS rows_affected,
  sum_no_index_used + sum_no_good_index_used AS full_scans
FROM performance_schema.events_statements_summary_by_host_by_event_name
WHERE sum_timer_wait > 0
ORDER BY IF(host IS NULL, 'background', host), sum_timer_wait DESC
