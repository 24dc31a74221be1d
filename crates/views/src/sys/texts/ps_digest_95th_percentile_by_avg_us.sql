-- The smallest mean time that 95 % of the digests do not exceed.
SELECT
  d.avg_us AS avg_us,
  IFNULL(SUM(b.cnt) / NULLIF((SELECT COUNT(*) FROM performance_schema.events_statements_summary_by_digest), 0), 0)
    AS percentile
FROM sys.x$ps_digest_avg_latency_distribution d
JOIN sys.x$ps_digest_avg_latency_distribution b ON b.avg_us <= d.avg_us
GROUP BY d.avg_us
HAVING percentile > 0.95
ORDER BY percentile
LIMIT 1
