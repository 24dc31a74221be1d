-- Waits by kind.
SELECT
  event_name AS events,
  count_star AS total,
  as_time(sum_timer_wait) AS total_latency,
  as_time(avg_timer_wait) AS avg_latency,
  as_time(max_timer_wait) AS max_latency
FROM performance_schema.events_waits_summary_global_by_event_name
WHERE event_name <> 'idle' AND sum_timer_wait > 0
ORDER BY sum_timer_wait DESC
