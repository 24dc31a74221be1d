-- Tables that were read without an index.
SELECT
  object_schema AS object_schema,
  object_name AS object_name,
  count_read AS rows_full_scanned,
  as_time(sum_timer_wait) AS latency
FROM performance_schema.table_io_waits_summary_by_index_usage
WHERE index_name IS NULL AND count_read > 0
ORDER BY count_read DESC
