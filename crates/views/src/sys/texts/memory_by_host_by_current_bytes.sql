-- Memory by host.
SELECT
  IF(host IS NULL, 'background', host) AS host,
  SUM(current_count_used) AS current_count_used,
  as_bytes(SUM(current_number_of_bytes_used)) AS current_allocated,
  as_bytes(IFNULL(SUM(current_number_of_bytes_used) / NULLIF(SUM(current_count_used), 0), 0)) AS current_avg_alloc,
  as_bytes(MAX(current_number_of_bytes_used)) AS current_max_alloc,
  as_bytes(SUM(sum_number_of_bytes_alloc)) AS total_allocated
FROM performance_schema.memory_summary_by_host_by_event_name
GROUP BY IF(host IS NULL, 'background', host)
ORDER BY SUM(current_number_of_bytes_used) DESC
