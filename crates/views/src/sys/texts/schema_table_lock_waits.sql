-- Sessions that wait for the metadata lock of a table, each with those that hold one on it.
SELECT
  w.object_schema AS object_schema,
  w.object_name AS object_name,
  wt.thread_id AS waiting_thread_id,
  wt.processlist_id AS waiting_pid,
  sys.ps_thread_account(w.owner_thread_id) AS waiting_account,
  w.lock_type AS waiting_lock_type,
  w.lock_duration AS waiting_lock_duration,
  as_statement(wt.processlist_info) AS waiting_query,
  wt.processlist_time AS waiting_query_secs,
  ws.rows_affected AS waiting_query_rows_affected,
  ws.rows_examined AS waiting_query_rows_examined,
  bt.thread_id AS blocking_thread_id,
  bt.processlist_id AS blocking_pid,
  sys.ps_thread_account(b.owner_thread_id) AS blocking_account,
  b.lock_type AS blocking_lock_type,
  b.lock_duration AS blocking_lock_duration,
  CONCAT('KILL QUERY ', bt.processlist_id) AS sql_kill_blocking_query,
  CONCAT('KILL ', bt.processlist_id) AS sql_kill_blocking_connection
FROM performance_schema.metadata_locks w
JOIN performance_schema.metadata_locks b
  ON b.object_type = w.object_type AND b.object_schema = w.object_schema AND b.object_name = w.object_name
JOIN performance_schema.threads wt ON wt.thread_id = w.owner_thread_id
JOIN performance_schema.threads bt ON bt.thread_id = b.owner_thread_id
LEFT JOIN performance_schema.events_statements_current ws ON ws.thread_id = w.owner_thread_id
WHERE w.object_type = 'TABLE' AND w.lock_status = 'PENDING' AND b.lock_status = 'GRANTED'
