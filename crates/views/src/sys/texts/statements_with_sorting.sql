-- Statements by digest that sorted.
SELECT
  as_statement(digest_text) AS query,
  schema_name AS db,
  count_star AS exec_count,
  as_time(sum_timer_wait) AS total_latency,
  sum_sort_merge_passes AS sort_merge_passes,
  ROUND(IFNULL(sum_sort_merge_passes / NULLIF(count_star, 0), 0)) AS avg_sort_merges,
  sum_sort_scan AS sorts_using_scans,
  sum_sort_range AS sort_using_range,
  sum_sort_rows AS rows_sorted,
  ROUND(IFNULL(sum_sort_rows / NULLIF(count_star, 0), 0)) AS avg_rows_sorted,
  first_seen AS first_seen,
  last_seen AS last_seen,
  digest AS digest
FROM performance_schema.events_statements_summary_by_digest
WHERE sum_sort_rows > 0
ORDER BY sum_timer_wait DESC
