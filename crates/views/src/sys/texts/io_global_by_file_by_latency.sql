-- Time of file I/O, by file.
SELECT
  as_path(file_name) AS file,
  count_star AS total,
  as_time(sum_timer_wait) AS total_latency,
  count_read AS count_read,
  as_time(sum_timer_read) AS read_latency,
  count_write AS count_write,
  as_time(sum_timer_write) AS write_latency,
  count_misc AS count_misc,
  as_time(sum_timer_misc) AS misc_latency
FROM performance_schema.file_summary_by_instance
ORDER BY sum_timer_wait DESC
