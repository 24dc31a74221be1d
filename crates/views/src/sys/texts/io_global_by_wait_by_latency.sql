-- Time of file I/O, by kind of file.
SELECT
  SUBSTRING_INDEX(event_name, '/', -2) AS event_name,
  count_star AS total,
  as_time(sum_timer_wait) AS total_latency,
  as_time(avg_timer_wait) AS avg_latency,
  as_time(max_timer_wait) AS max_latency,
  as_time(sum_timer_read) AS read_latency,
  as_time(sum_timer_write) AS write_latency,
  as_time(sum_timer_misc) AS misc_latency,
  count_read AS count_read,
  as_bytes(sum_number_of_bytes_read) AS total_read,
  as_bytes(IFNULL(sum_number_of_bytes_read / NULLIF(count_read, 0), 0)) AS avg_read,
  count_write AS count_write,
  as_bytes(sum_number_of_bytes_write) AS total_written,
  as_bytes(IFNULL(sum_number_of_bytes_write / NULLIF(count_write, 0), 0)) AS avg_written
FROM performance_schema.file_summary_by_event_name
WHERE event_name LIKE 'wait/io/file/%' AND count_star > 0
ORDER BY sum_timer_wait DESC
