-- Statements by digest that read a table without a (good) index.
SELECT
  as_statement(digest_text) AS query,
  schema_name AS db,
  count_star AS exec_count,
  as_time(sum_timer_wait) AS total_latency,
  sum_no_index_used AS no_index_used_count,
  sum_no_good_index_used AS no_good_index_used_count,
  ROUND(IFNULL(sum_no_index_used / NULLIF(count_star, 0), 0) * 100) AS no_index_used_pct,
  sum_rows_sent AS rows_sent,
  sum_rows_examined AS rows_examined,
  ROUND(sum_rows_sent / count_star) AS rows_sent_avg,
  ROUND(sum_rows_examined / count_star) AS rows_examined_avg,
  first_seen AS first_seen,
  last_seen AS last_seen,
  digest AS digest
FROM performance_schema.events_statements_summary_by_digest
WHERE (sum_no_index_used > 0 OR sum_no_good_index_used > 0) AND digest_text NOT LIKE 'SHOW%'
ORDER BY ROUND(IFNULL(sum_no_index_used / NULLIF(count_star, 0), 0) * 100) DESC, sum_timer_wait DESC
