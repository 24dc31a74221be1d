-- Statements by user.
SELECT
  IF(user IS NULL, 'background', user) AS user,
  SUM(count_star) AS total,
  as_time(SUM(sum_timer_wait)) AS total_latency,
  as_time(CAST(MAX(max_timer_wait) AS DECIMAL(42,0))) AS max_latency,
  as_time(SUM(sum_lock_time)) AS lock_latency,
  as_time(SUM(sum_cpu_time)) AS cpu_latency,
  SUM(sum_rows_sent) AS rows_sent,
  SUM(sum_rows_examined) AS rows_examined,
  SUM(sum_rows_affected) AS rows_affected,
  SUM(sum_no_index_used) + SUM(sum_no_good_index_used) AS full_scans
FROM performance_schema.events_statements_summary_by_user_by_event_name
GROUP BY IF(user IS NULL, 'background', user)
ORDER BY SUM(sum_timer_wait) DESC
