-- The last waits for files, oldest first: as long as events_waits_history_long is kept.
SELECT
  CAST(IF(t.processlist_id IS NULL, CONCAT(SUBSTRING_INDEX(t.name, '/', -1), ':', e.thread_id),
    CONCAT(t.processlist_user, '@', t.processlist_host, ':', t.processlist_id)) AS CHAR(317)) AS thread,
  as_path(e.object_name) AS file,
  as_time(e.timer_wait) AS latency,
  e.operation AS operation,
  as_bytes(e.number_of_bytes) AS requested
FROM performance_schema.events_waits_history_long e
JOIN performance_schema.threads t ON t.thread_id = e.thread_id
WHERE e.event_name LIKE 'wait/io/file/%' AND e.object_name IS NOT NULL
ORDER BY e.timer_start
