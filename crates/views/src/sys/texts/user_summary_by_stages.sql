-- Stages by user.
SELECT
  IF(user IS NULL, 'background', user) AS user,
  event_name,
  count_star AS total,
  as_time(sum_timer_wait) AS total_latency,
  as_time(avg_timer_wait) AS avg_latency
FROM performance_schema.events_stages_summary_by_user_by_event_name
WHERE sum_timer_wait > 0
ORDER BY IF(user IS NULL, 'background', user), sum_timer_wait DESC
