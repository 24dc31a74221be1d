-- Statements by digest that gave errors or warnings.
SELECT
  as_statement(digest_text) AS query,
  schema_name AS db,
  count_star AS exec_count,
  sum_errors AS errors,
  IFNULL(sum_errors / NULLIF(count_star, 0), 0) * 100 AS error_pct,
  sum_warnings AS warnings,
  IFNULL(sum_warnings / NULLIF(count_star, 0), 0) * 100 AS warning_pct,
  first_seen AS first_seen,
  last_seen AS last_seen,
  digest AS digest
FROM performance_schema.events_statements_summary_by_digest
WHERE sum_errors > 0 OR sum_warnings > 0
ORDER BY sum_errors DESC, sum_warnings DESC
