-- Evenkeel's own: who waits for a lock of any kind (a row or table of InnoDB, a metadata lock, FLUSH TABLES WITH
-- READ LOCK, the backup lock, GET_LOCK) and who stands in the way: holds what cannot be had together with it, or
-- waits for such a lock before it (blocking_lock_status PENDING). One row for each pair; a session waits for one
-- lock at a time. The KILL that helps: of the statement, if the lock goes with it; else of the connection.
SELECT
  l.kind AS wait_kind,
  l.object AS object,
  l.lock_data AS lock_data,
  IFNULL(l.since, NOW() - INTERVAL wt.processlist_time SECOND) AS waiting_since,
  wt.processlist_id AS waiting_pid,
  CONCAT(wt.processlist_user, '@', wt.processlist_host) AS waiting_account,
  wt.processlist_state AS waiting_state,
  as_statement(wt.processlist_info) AS waiting_query,
  l.waiting_mode AS waiting_lock_mode,
  bt.processlist_id AS blocking_pid,
  CONCAT(bt.processlist_user, '@', bt.processlist_host) AS blocking_account,
  IF(bt.processlist_command = 'Sleep', 'Sleep', bt.processlist_state) AS blocking_state,
  as_statement(bt.processlist_info) AS blocking_query,
  as_statement(IF(bs.end_event_id IS NULL, NULL, bs.sql_text)) AS blocking_last_query,
  l.blocking_mode AS blocking_lock_mode,
  l.blocking_status AS blocking_lock_status,
  x.trx_started AS blocking_trx_started,
  IFNULL(TIMESTAMPDIFF(SECOND, x.trx_started, NOW()), FLOOR(IF(bx.state = 'ACTIVE', bx.timer_wait, NULL) /
    1000000000000))
    AS blocking_trx_age_secs,
  CONCAT(IF(bt.processlist_command <> 'Sleep'
    AND (l.blocking_status = 'PENDING' OR l.blocking_duration = 'STATEMENT' OR bx.autocommit = 'YES'),
      'KILL QUERY ', 'KILL '),
    bt.processlist_id) AS sql_kill
FROM (
  SELECT
    CONCAT(LOWER(rl.lock_type), ' lock') AS kind,
    CONCAT('`', rl.object_schema, '`.`', rl.object_name, '`', IFNULL(CONCAT(' index `', rl.index_name, '`'), ''))
      AS object,
    rl.lock_data AS lock_data,
    rx.trx_wait_started AS since,
    rl.thread_id AS waiting_thread,
    rl.lock_mode AS waiting_mode,
    w.blocking_thread_id AS blocking_thread,
    bl.lock_mode AS blocking_mode,
    bl.lock_status AS blocking_status,
    'TRANSACTION' AS blocking_duration
  FROM performance_schema.data_lock_waits w
  JOIN performance_schema.data_locks rl ON rl.engine_lock_id = w.requesting_engine_lock_id
  JOIN performance_schema.data_locks bl ON bl.engine_lock_id = w.blocking_engine_lock_id
  LEFT JOIN information_schema.INNODB_TRX rx ON rx.trx_id = w.requesting_engine_transaction_id
  UNION ALL
  SELECT
    CASE w.object_type
      WHEN 'GLOBAL' THEN 'global read lock'
      WHEN 'COMMIT' THEN 'global read lock'
      WHEN 'BACKUP LOCK' THEN 'backup lock'
      WHEN 'USER LEVEL LOCK' THEN 'user lock'
      ELSE 'metadata lock'
    END,
    CASE
      WHEN w.object_name IS NULL THEN IFNULL(CONCAT('`', w.object_schema, '`'), w.object_type)
      WHEN w.object_type = 'USER LEVEL LOCK' THEN w.object_name
      ELSE CONCAT('`', w.object_schema, '`.`', w.object_name, '`')
    END,
    NULL,
    NULL,
    w.owner_thread_id,
    w.lock_type,
    b.owner_thread_id,
    b.lock_type,
    b.lock_status,
    b.lock_duration
  FROM performance_schema.metadata_locks w
  JOIN performance_schema.metadata_locks b ON b.object_type = w.object_type
    AND b.object_schema <=> w.object_schema AND b.object_name <=> w.object_name
    AND b.owner_thread_id <> w.owner_thread_id
  WHERE w.lock_status = 'PENDING'
    AND FIND_IN_SET(b.lock_type, IF(b.lock_status = 'GRANTED', CASE w.lock_type
      WHEN 'INTENTION_EXCLUSIVE' THEN 'SHARED,EXCLUSIVE'
      WHEN 'SHARED' THEN IF(w.object_type IN ('GLOBAL', 'SCHEMA', 'COMMIT', 'TABLESPACE', 'BACKUP LOCK'),
        'INTENTION_EXCLUSIVE,EXCLUSIVE', 'EXCLUSIVE')
      WHEN 'SHARED_HIGH_PRIO' THEN 'EXCLUSIVE'
      WHEN 'SHARED_READ' THEN 'SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_WRITE' THEN 'SHARED_READ_ONLY,SHARED_NO_WRITE,SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_WRITE_LOW_PRIO' THEN 'SHARED_READ_ONLY,SHARED_NO_WRITE,SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_UPGRADABLE' THEN 'SHARED_UPGRADABLE,SHARED_NO_WRITE,SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_READ_ONLY' THEN 'SHARED_WRITE,SHARED_WRITE_LOW_PRIO,SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_NO_WRITE' THEN
        'SHARED_WRITE,SHARED_WRITE_LOW_PRIO,SHARED_UPGRADABLE,SHARED_NO_WRITE,SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_NO_READ_WRITE' THEN
        'SHARED_READ,SHARED_WRITE,SHARED_WRITE_LOW_PRIO,SHARED_UPGRADABLE,SHARED_READ_ONLY,SHARED_NO_WRITE,SHARED_NO_READ_WRITE,EXCLUSIVE'
      ELSE
        'INTENTION_EXCLUSIVE,SHARED,SHARED_HIGH_PRIO,SHARED_READ,SHARED_WRITE,SHARED_WRITE_LOW_PRIO,SHARED_UPGRADABLE,SHARED_READ_ONLY,SHARED_NO_WRITE,SHARED_NO_READ_WRITE,EXCLUSIVE'
    END,
    CASE w.lock_type
      WHEN 'INTENTION_EXCLUSIVE' THEN 'SHARED,EXCLUSIVE'
      WHEN 'SHARED_READ' THEN 'SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_WRITE' THEN 'SHARED_NO_WRITE,SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_WRITE_LOW_PRIO' THEN 'SHARED_READ_ONLY,SHARED_NO_WRITE,SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_READ_ONLY' THEN 'SHARED_WRITE,SHARED_NO_READ_WRITE,EXCLUSIVE'
      WHEN 'SHARED_HIGH_PRIO' THEN ''
      WHEN 'EXCLUSIVE' THEN ''
      ELSE 'EXCLUSIVE'
    END)) > 0
) l
JOIN performance_schema.threads wt ON wt.thread_id = l.waiting_thread
JOIN performance_schema.threads bt ON bt.thread_id = l.blocking_thread
LEFT JOIN performance_schema.events_statements_current bs ON bs.thread_id = bt.thread_id
LEFT JOIN performance_schema.events_transactions_current bx ON bx.thread_id = bt.thread_id
LEFT JOIN information_schema.INNODB_TRX x ON x.trx_mysql_thread_id = bt.processlist_id
ORDER BY waiting_since, waiting_pid, blocking_pid
