-- How many digests have which mean time, in microseconds.
SELECT COUNT(*) AS cnt, ROUND(avg_timer_wait / 1000000) AS avg_us
FROM performance_schema.events_statements_summary_by_digest
GROUP BY avg_us
