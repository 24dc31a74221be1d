-- Waits by class, sorted by their mean time.
SELECT
  SUBSTRING_INDEX(event_name, '/', 3) AS event_class,
  SUM(count_star) AS total,
  as_time(SUM(sum_timer_wait)) AS total_latency,
  as_time(MIN(min_timer_wait)) AS min_latency,
  as_time(IFNULL(SUM(sum_timer_wait) / NULLIF(SUM(count_star), 0), 0)) AS avg_latency,
  as_time(MAX(max_timer_wait)) AS max_latency
FROM performance_schema.events_waits_summary_global_by_event_name
WHERE sum_timer_wait > 0 AND event_name <> 'idle'
GROUP BY SUBSTRING_INDEX(event_name, '/', 3)
ORDER BY IFNULL(SUM(sum_timer_wait) / NULLIF(SUM(count_star), 0), 0) DESC
