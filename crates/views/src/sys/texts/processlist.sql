-- All threads with what they do and did last.
SELECT
  t.thread_id AS thd_id,
  t.processlist_id AS conn_id,
  IF(t.name = 'thread/sql/one_connection', CONCAT(t.processlist_user, '@', t.processlist_host), REPLACE(t.name,
    'thread/', '')) AS user,
  t.processlist_db AS db,
  t.processlist_command AS command,
  t.processlist_state AS state,
  t.processlist_time AS time,
  as_statement(t.processlist_info) AS current_statement,
  t.execution_engine AS execution_engine,
  as_time(IF(s.end_event_id IS NULL, s.timer_wait, NULL)) AS statement_latency,
  IF(s.end_event_id IS NULL, ROUND(100 * (g.work_completed / g.work_estimated), 2), NULL) AS progress,
  as_time(s.lock_time) AS lock_latency,
  as_time(s.cpu_time) AS cpu_latency,
  s.rows_examined AS rows_examined,
  s.rows_sent AS rows_sent,
  s.rows_affected AS rows_affected,
  s.created_tmp_tables AS tmp_tables,
  s.created_tmp_disk_tables AS tmp_disk_tables,
  IF(s.no_good_index_used > 0 OR s.no_index_used > 0, 'YES', 'NO') AS full_scan,
  as_statement(IF(s.end_event_id IS NOT NULL, s.sql_text, NULL)) AS last_statement,
  as_time(IF(s.end_event_id IS NOT NULL, s.timer_wait, NULL)) AS last_statement_latency,
  as_bytes(m.current_allocated) AS current_memory,
  w.event_name AS last_wait,
  IF(w.end_event_id IS NULL AND w.event_name IS NOT NULL, 'Still Waiting', as_time(w.timer_wait)) AS
    last_wait_latency,
  w.source AS source,
  as_time(x.timer_wait) AS trx_latency,
  x.state AS trx_state,
  x.autocommit AS trx_autocommit,
  p.attr_value AS pid,
  n.attr_value AS program_name
FROM performance_schema.threads t
LEFT JOIN performance_schema.events_waits_current w ON w.thread_id = t.thread_id
LEFT JOIN performance_schema.events_stages_current g ON g.thread_id = t.thread_id
LEFT JOIN performance_schema.events_statements_current s ON s.thread_id = t.thread_id
LEFT JOIN performance_schema.events_transactions_current x ON x.thread_id = t.thread_id
LEFT JOIN sys.x$memory_by_thread_by_current_bytes m ON m.thread_id = t.thread_id
LEFT JOIN performance_schema.session_connect_attrs p ON p.processlist_id = t.processlist_id AND p.attr_name = '_pid'
LEFT JOIN performance_schema.session_connect_attrs n ON n.processlist_id = t.processlist_id AND n.attr_name =
  'program_name'
ORDER BY t.processlist_time DESC, w.timer_wait DESC
