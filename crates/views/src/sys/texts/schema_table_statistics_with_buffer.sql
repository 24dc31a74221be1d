-- schema_table_statistics, with what of the table is in the buffer pool.
SELECT
  t.object_schema AS table_schema,
  t.object_name AS table_name,
  t.count_fetch AS rows_fetched,
  as_time(t.sum_timer_fetch) AS fetch_latency,
  t.count_insert AS rows_inserted,
  as_time(t.sum_timer_insert) AS insert_latency,
  t.count_update AS rows_updated,
  as_time(t.sum_timer_update) AS update_latency,
  t.count_delete AS rows_deleted,
  as_time(t.sum_timer_delete) AS delete_latency,
  i.count_read AS io_read_requests,
  as_bytes(i.sum_number_of_bytes_read) AS io_read,
  as_time(i.sum_timer_read) AS io_read_latency,
  i.count_write AS io_write_requests,
  as_bytes(i.sum_number_of_bytes_write) AS io_write,
  as_time(i.sum_timer_write) AS io_write_latency,
  i.count_misc AS io_misc_requests,
  as_time(i.sum_timer_misc) AS io_misc_latency,
  as_bytes(p.allocated) AS innodb_buffer_allocated,
  as_bytes(p.data) AS innodb_buffer_data,
  as_bytes(p.allocated - p.data) AS innodb_buffer_free,
  p.pages AS innodb_buffer_pages,
  p.pages_hashed AS innodb_buffer_pages_hashed,
  p.pages_old AS innodb_buffer_pages_old,
  p.rows_cached AS innodb_buffer_rows_cached
FROM performance_schema.table_io_waits_summary_by_table t
LEFT JOIN sys.x$ps_schema_table_statistics_io i
  ON i.table_schema = t.object_schema AND i.table_name = t.object_name
LEFT JOIN sys.x$innodb_buffer_stats_by_table p
  ON p.object_schema = t.object_schema AND p.object_name = t.object_name
ORDER BY t.sum_timer_wait DESC
