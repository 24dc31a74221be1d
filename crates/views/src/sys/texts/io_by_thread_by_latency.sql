-- File I/O by thread.
SELECT
  IF(t.processlist_id IS NULL, SUBSTRING_INDEX(t.name, '/', -1), CONCAT(t.processlist_user, '@',
    t.processlist_host)) AS user,
  SUM(e.count_star) AS total,
  as_time(SUM(e.sum_timer_wait)) AS total_latency,
  as_time(MIN(e.min_timer_wait)) AS min_latency,
  as_time(AVG(e.avg_timer_wait)) AS avg_latency,
  as_time(MAX(e.max_timer_wait)) AS max_latency,
  t.thread_id AS thread_id,
  t.processlist_id AS processlist_id
FROM performance_schema.events_waits_summary_by_thread_by_event_name e
JOIN performance_schema.threads t ON t.thread_id = e.thread_id
WHERE e.event_name LIKE 'wait/io/file/%' AND e.sum_timer_wait > 0
GROUP BY t.thread_id, t.processlist_id, IF(t.processlist_id IS NULL, SUBSTRING_INDEX(t.name, '/', -1),
  CONCAT(t.processlist_user, '@', t.processlist_host))
ORDER BY SUM(e.sum_timer_wait) DESC
