-- Bytes read and written, by file.
SELECT
  as_path(file_name) AS file,
  count_read AS count_read,
  as_bytes(sum_number_of_bytes_read) AS total_read,
  as_bytes(IFNULL(sum_number_of_bytes_read / NULLIF(count_read, 0), 0)) AS avg_read,
  count_write AS count_write,
  as_bytes(sum_number_of_bytes_write) AS total_written,
  as_bytes(IFNULL(sum_number_of_bytes_write / NULLIF(count_write, 0), 0)) AS avg_write,
  as_bytes(sum_number_of_bytes_read + sum_number_of_bytes_write) AS total,
  IFNULL(ROUND(100 - sum_number_of_bytes_read / NULLIF(sum_number_of_bytes_read + sum_number_of_bytes_write, 0) *
    100, 2), 0) AS write_pct
FROM performance_schema.file_summary_by_instance
ORDER BY sum_number_of_bytes_read + sum_number_of_bytes_write DESC
