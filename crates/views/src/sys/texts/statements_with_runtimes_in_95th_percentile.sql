-- Statements by digest whose mean time is among the longest 5 %.
SELECT
  as_statement(s.digest_text) AS query,
  s.schema_name AS db,
  IF(s.sum_no_good_index_used > 0 OR s.sum_no_index_used > 0, '*', '') AS full_scan,
  s.count_star AS exec_count,
  s.sum_errors AS err_count,
  s.sum_warnings AS warn_count,
  as_time(s.sum_timer_wait) AS total_latency,
  as_time(s.max_timer_wait) AS max_latency,
  as_time(s.avg_timer_wait) AS avg_latency,
  s.sum_rows_sent AS rows_sent,
  ROUND(IFNULL(s.sum_rows_sent / NULLIF(s.count_star, 0), 0)) AS rows_sent_avg,
  s.sum_rows_examined AS rows_examined,
  ROUND(IFNULL(s.sum_rows_examined / NULLIF(s.count_star, 0), 0)) AS rows_examined_avg,
  s.first_seen AS first_seen,
  s.last_seen AS last_seen,
  s.digest AS digest
FROM performance_schema.events_statements_summary_by_digest s
JOIN sys.x$ps_digest_95th_percentile_by_avg_us p ON ROUND(s.avg_timer_wait / 1000000) >= p.avg_us
ORDER BY s.avg_timer_wait DESC
