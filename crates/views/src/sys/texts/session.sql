-- processlist without the threads of the server itself.
SELECT `thd_id`, `conn_id`, `user`, `db`, `command`, `state`, `time`, `current_statement`, `execution_engine`,
  `statement_latency`, `progress`, `lock_latency`, `cpu_latency`, `rows_examined`, `rows_sent`, `rows_affected`,
    `tmp_tables`, `tmp_disk_tables`, `full_scan`, `last_statement`, `last_statement_latency`, `current_memory`,
      `last_wait`, `last_wait_latency`, `source`, `trx_latency`, `trx_state`, `trx_autocommit`, `pid`, `program_name`
FROM [[sys.processlist]][x$sys.x$processlist]]
WHERE conn_id IS NOT NULL AND command <> 'Daemon'
