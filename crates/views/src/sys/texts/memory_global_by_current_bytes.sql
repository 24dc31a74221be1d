-- Memory by what it is used for.
SELECT
  event_name AS event_name,
  current_count_used AS current_count,
  as_bytes(current_number_of_bytes_used) AS current_alloc,
  as_bytes(IFNULL(current_number_of_bytes_used / NULLIF(current_count_used, 0), 0)) AS current_avg_alloc,
  high_count_used AS high_count,
  as_bytes(high_number_of_bytes_used) AS high_alloc,
  as_bytes(IFNULL(high_number_of_bytes_used / NULLIF(high_count_used, 0), 0)) AS high_avg_alloc
FROM performance_schema.memory_summary_global_by_event_name
WHERE current_number_of_bytes_used > 0
ORDER BY current_number_of_bytes_used DESC
