-- Rows read and changed, and file I/O, by table.
SELECT
  t.object_schema AS table_schema,
  t.object_name AS table_name,
  as_time(t.sum_timer_wait) AS total_latency,
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
  as_time(i.sum_timer_misc) AS io_misc_latency
FROM performance_schema.table_io_waits_summary_by_table t
LEFT JOIN sys.x$ps_schema_table_statistics_io i
  ON i.table_schema = t.object_schema AND i.table_name = t.object_name
ORDER BY t.sum_timer_wait DESC
