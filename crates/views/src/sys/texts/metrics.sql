-- Counters of the server in one list: status variables, InnoDB's metrics but those that are status variables too,
-- memory, and the time.
SELECT
  IFNULL(LOWER(g.variable_name), '') AS Variable_name,
  g.variable_value AS Variable_value,
  'Global Status' AS Type,
  'YES' AS Enabled
FROM performance_schema.global_status g
UNION ALL
SELECT m.name, m.count, IFNULL(CONCAT('InnoDB Metrics - ', m.subsystem), ''), IF(m.status = 'enabled', 'YES', 'NO')
FROM information_schema.INNODB_METRICS m
WHERE m.name NOT IN (
  'buffer_data_reads', 'buffer_data_written', 'buffer_pages_created', 'buffer_pages_read',
  'buffer_pages_written', 'buffer_pool_bytes_data', 'buffer_pool_bytes_dirty', 'buffer_pool_pages_data',
  'buffer_pool_pages_dirty', 'buffer_pool_pages_free', 'buffer_pool_pages_misc', 'buffer_pool_pages_total',
  'buffer_pool_read_ahead', 'buffer_pool_read_ahead_evicted', 'buffer_pool_read_requests', 'buffer_pool_reads',
  'buffer_pool_wait_free', 'buffer_pool_write_requests', 'file_num_open_files', 'innodb_dblwr_pages_written',
  'innodb_dblwr_writes', 'innodb_page_size', 'lock_row_lock_time', 'lock_row_lock_time_avg',
  'lock_row_lock_time_max', 'lock_row_lock_waits', 'log_waits', 'log_write_requests',
  'log_writes', 'os_log_bytes_written', 'os_log_fsyncs', 'os_log_pending_fsyncs',
  'os_log_pending_writes')
UNION ALL
SELECT 'memory_current_allocated', (SELECT SUM(current_number_of_bytes_used) FROM
  performance_schema.memory_summary_global_by_event_name),
  'Performance Schema', s.switched
FROM (
  SELECT CASE SUM(enabled = 'YES') WHEN 0 THEN 'NO' WHEN COUNT(*) THEN 'YES' ELSE 'PARTIAL' END AS switched
  FROM performance_schema.setup_instruments WHERE name LIKE 'memory/%'
) s
UNION ALL
SELECT 'memory_total_allocated', (SELECT SUM(sum_number_of_bytes_alloc) FROM
  performance_schema.memory_summary_global_by_event_name),
  'Performance Schema', s.switched
FROM (
  SELECT CASE SUM(enabled = 'YES') WHEN 0 THEN 'NO' WHEN COUNT(*) THEN 'YES' ELSE 'PARTIAL' END AS switched
  FROM performance_schema.setup_instruments WHERE name LIKE 'memory/%'
) s
UNION ALL
SELECT 'NOW()', NOW(3), 'System Time', 'YES'
UNION ALL
SELECT 'UNIX_TIMESTAMP()', ROUND(UNIX_TIMESTAMP(NOW(3)), 3), 'System Time', 'YES'
ORDER BY Type, Variable_name
