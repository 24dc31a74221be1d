-- How much of its type each AUTO_INCREMENT column has used.
SELECT
  c.table_schema AS table_schema,
  c.table_name AS table_name,
  c.column_name AS column_name,
  c.data_type AS data_type,
  c.column_type AS column_type,
  (LOCATE('unsigned', c.column_type) = 0) AS is_signed,
  (LOCATE('unsigned', c.column_type) > 0) AS is_unsigned,
  ((CASE c.data_type
    WHEN 'tinyint' THEN 255
    WHEN 'smallint' THEN 65535
    WHEN 'mediumint' THEN 16777215
    WHEN 'int' THEN 4294967295
    WHEN 'bigint' THEN 18446744073709551615
  END) >> IF(LOCATE('unsigned', c.column_type) > 0, 0, 1)) AS max_value,
  t.auto_increment AS auto_increment,
  (t.auto_increment + 0) / ((CASE c.data_type
    WHEN 'tinyint' THEN 255
    WHEN 'smallint' THEN 65535
    WHEN 'mediumint' THEN 16777215
    WHEN 'int' THEN 4294967295
    WHEN 'bigint' THEN 18446744073709551615
  END) >> IF(LOCATE('unsigned', c.column_type) > 0, 0, 1)) AS auto_increment_ratio
FROM information_schema.COLUMNS c
JOIN information_schema.TABLES t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
WHERE c.table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema') AND t.table_type =
  'BASE TABLE' AND c.extra = 'auto_increment'
ORDER BY auto_increment_ratio DESC, max_value
