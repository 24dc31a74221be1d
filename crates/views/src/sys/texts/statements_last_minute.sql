-- Evenkeel's own: where the CPU and the time of the last minute went, by digest. Knows the statements that
-- events_statements_history_long (if its consumer is on) and the threads' histories keep; CPU is counted if the
-- consumer events_statements_cpu is on.
SELECT
  as_statement(MAX(h.digest_text)) AS query,
  h.current_schema AS db,
  COUNT(*) AS executions,
  as_time(SUM(h.cpu_time)) AS cpu_latency,
  ROUND(100 * SUM(h.cpu_time) / NULLIF(SUM(SUM(h.cpu_time)) OVER (), 0), 2) AS cpu_pct,
  as_time(SUM(h.timer_wait)) AS total_latency,
  as_time(SUM(h.lock_time)) AS lock_latency,
  SUM(h.rows_examined) AS rows_examined,
  SUM(h.rows_sent) AS rows_sent,
  h.digest AS digest
FROM (
  SELECT thread_id, event_id, digest, digest_text, current_schema, cpu_time, timer_wait, timer_end, lock_time,
    rows_examined, rows_sent
  FROM performance_schema.events_statements_history
  UNION
  SELECT thread_id, event_id, digest, digest_text, current_schema, cpu_time, timer_wait, timer_end, lock_time,
    rows_examined, rows_sent
  FROM performance_schema.events_statements_history_long
) h
WHERE h.timer_end > (SELECT MAX(timer_start) FROM performance_schema.events_statements_current) - 60000000000000
GROUP BY h.digest, h.current_schema
ORDER BY SUM(h.cpu_time) DESC, SUM(h.timer_wait) DESC
