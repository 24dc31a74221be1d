-- Use of each index.
SELECT
  object_schema AS table_schema,
  object_name AS table_name,
  index_name AS index_name,
  count_fetch AS rows_selected,
  as_time(sum_timer_fetch) AS select_latency,
  count_insert AS rows_inserted,
  as_time(sum_timer_insert) AS insert_latency,
  count_update AS rows_updated,
  as_time(sum_timer_update) AS update_latency,
  count_delete AS rows_deleted,
  as_time(sum_timer_delete) AS delete_latency
FROM performance_schema.table_io_waits_summary_by_index_usage
WHERE index_name IS NOT NULL
ORDER BY sum_timer_wait DESC
