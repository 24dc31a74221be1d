-- File I/O by user and kind of file.
SELECT
  IF(user IS NULL, 'background', user) AS user,
  event_name,
  count_star AS total,
  as_time(sum_timer_wait) AS latency,
  as_time(max_timer_wait) AS max_latency
FROM performance_schema.events_waits_summary_by_user_by_event_name
WHERE event_name LIKE 'wait/io/file/%' AND count_star > 0
ORDER BY IF(user IS NULL, 'background', user), sum_timer_wait DESC
