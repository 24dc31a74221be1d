-- File I/O by table, as the names of files tell it.
SELECT
  sys.extract_schema_from_file_name(file_name) AS table_schema,
  sys.extract_table_from_file_name(file_name) AS table_name,
  SUM(count_read) AS count_read,
  SUM(sum_number_of_bytes_read) AS sum_number_of_bytes_read,
  SUM(sum_timer_read) AS sum_timer_read,
  SUM(count_write) AS count_write,
  SUM(sum_number_of_bytes_write) AS sum_number_of_bytes_write,
  SUM(sum_timer_write) AS sum_timer_write,
  SUM(count_misc) AS count_misc,
  SUM(sum_timer_misc) AS sum_timer_misc
FROM performance_schema.file_summary_by_instance
GROUP BY sys.extract_schema_from_file_name(file_name), sys.extract_table_from_file_name(file_name)
