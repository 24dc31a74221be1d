-- Statements by digest that made temporary tables.
SELECT
  as_statement(digest_text) AS query,
  schema_name AS db,
  count_star AS exec_count,
  as_time(sum_timer_wait) AS total_latency,
  sum_created_tmp_tables AS memory_tmp_tables,
  sum_created_tmp_disk_tables AS disk_tmp_tables,
  ROUND(IFNULL(sum_created_tmp_tables / NULLIF(count_star, 0), 0)) AS avg_tmp_tables_per_query,
  ROUND(IFNULL(sum_created_tmp_disk_tables / NULLIF(sum_created_tmp_tables, 0), 0) * 100) AS tmp_tables_to_disk_pct,
  first_seen AS first_seen,
  last_seen AS last_seen,
  digest AS digest
FROM performance_schema.events_statements_summary_by_digest
WHERE sum_created_tmp_tables > 0
ORDER BY sum_created_tmp_disk_tables DESC, sum_created_tmp_tables DESC
