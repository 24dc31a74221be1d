-- Statements by digest, the most expensive first.
SELECT
  as_statement(digest_text) AS query,
  schema_name AS db,
  IF(sum_no_good_index_used > 0 OR sum_no_index_used > 0, '*', '') AS full_scan,
  count_star AS exec_count,
  [x$count_secondary AS exec_secondary_count,]]
  sum_errors AS err_count,
  sum_warnings AS warn_count,
  as_time(sum_timer_wait) AS total_latency,
  as_time(max_timer_wait) AS max_latency,
  as_time(avg_timer_wait) AS avg_latency,
  as_time(sum_lock_time) AS lock_latency,
  as_time(sum_cpu_time) AS cpu_latency,
  sum_rows_sent AS rows_sent,
  ROUND(IFNULL(sum_rows_sent / NULLIF(count_star, 0), 0)) AS rows_sent_avg,
  sum_rows_examined AS rows_examined,
  ROUND(IFNULL(sum_rows_examined / NULLIF(count_star, 0), 0)) AS rows_examined_avg,
  sum_rows_affected AS rows_affected,
  ROUND(IFNULL(sum_rows_affected / NULLIF(count_star, 0), 0)) AS rows_affected_avg,
  sum_created_tmp_tables AS tmp_tables,
  sum_created_tmp_disk_tables AS tmp_disk_tables,
  sum_sort_rows AS rows_sorted,
  sum_sort_merge_passes AS sort_merge_passes,
  as_bytes(max_controlled_memory) AS max_controlled_memory,
  as_bytes(max_total_memory) AS max_total_memory,
  digest AS digest,
  first_seen AS first_seen,
  last_seen AS last_seen
FROM performance_schema.events_statements_summary_by_digest
ORDER BY sum_timer_wait DESC
