-- Transactions that wait for a row or table lock of InnoDB, and who holds it.
SELECT
  r.trx_wait_started AS wait_started,
  TIMEDIFF(NOW(), r.trx_wait_started) AS wait_age,
  TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) AS wait_age_secs,
  CONCAT(sys.quote_identifier(rl.object_schema), '.', sys.quote_identifier(rl.object_name)) AS locked_table,
  rl.object_schema AS locked_table_schema,
  rl.object_name AS locked_table_name,
  rl.partition_name AS locked_table_partition,
  rl.subpartition_name AS locked_table_subpartition,
  rl.index_name AS locked_index,
  rl.lock_type AS locked_type,
  r.trx_id AS waiting_trx_id,
  r.trx_started AS waiting_trx_started,
  TIMEDIFF(NOW(), r.trx_started) AS waiting_trx_age,
  r.trx_rows_locked AS waiting_trx_rows_locked,
  r.trx_rows_modified AS waiting_trx_rows_modified,
  r.trx_mysql_thread_id AS waiting_pid,
  as_statement(r.trx_query) AS waiting_query,
  rl.engine_lock_id AS waiting_lock_id,
  rl.lock_mode AS waiting_lock_mode,
  b.trx_id AS blocking_trx_id,
  b.trx_mysql_thread_id AS blocking_pid,
  as_statement(b.trx_query) AS blocking_query,
  bl.engine_lock_id AS blocking_lock_id,
  bl.lock_mode AS blocking_lock_mode,
  b.trx_started AS blocking_trx_started,
  TIMEDIFF(NOW(), b.trx_started) AS blocking_trx_age,
  b.trx_rows_locked AS blocking_trx_rows_locked,
  b.trx_rows_modified AS blocking_trx_rows_modified,
  IFNULL(CAST(CONCAT('KILL QUERY ', b.trx_mysql_thread_id) AS CHAR(33)), '') AS sql_kill_blocking_query,
  IFNULL(CAST(CONCAT('KILL ', b.trx_mysql_thread_id) AS CHAR(27)), '') AS sql_kill_blocking_connection
FROM performance_schema.data_lock_waits w
JOIN performance_schema.data_locks rl ON rl.engine_lock_id = w.requesting_engine_lock_id
JOIN performance_schema.data_locks bl ON bl.engine_lock_id = w.blocking_engine_lock_id
JOIN information_schema.INNODB_TRX r ON r.trx_id = w.requesting_engine_transaction_id
JOIN information_schema.INNODB_TRX b ON b.trx_id = w.blocking_engine_transaction_id
ORDER BY r.trx_wait_started
