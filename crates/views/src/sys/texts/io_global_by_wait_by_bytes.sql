-- Bytes read and written, by kind of file.
SELECT
  SUBSTRING_INDEX(event_name, '/', -2) AS event_name,
  count_star AS total,
  as_time(sum_timer_wait) AS total_latency,
  as_time(min_timer_wait) AS min_latency,
  as_time(avg_timer_wait) AS avg_latency,
  as_time(max_timer_wait) AS max_latency,
  count_read AS count_read,
  as_bytes(sum_number_of_bytes_read) AS total_read,
  as_bytes(IFNULL(sum_number_of_bytes_read / NULLIF(count_read, 0), 0)) AS avg_read,
  count_write AS count_write,
  as_bytes(sum_number_of_bytes_write) AS total_written,
  as_bytes(IFNULL(sum_number_of_bytes_write / NULLIF(count_write, 0), 0)) AS avg_written,
  as_bytes(sum_number_of_bytes_read + sum_number_of_bytes_write) AS total_requested
FROM performance_schema.file_summary_by_event_name
WHERE event_name LIKE 'wait/io/file/%' AND count_star > 0
ORDER BY sum_number_of_bytes_read + sum_number_of_bytes_write DESC
