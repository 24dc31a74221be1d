-- B-tree indexes with their columns in one text.
SELECT
  table_schema AS table_schema,
  table_name AS table_name,
  index_name AS index_name,
  MAX(non_unique) AS non_unique,
  MAX(IF(sub_part IS NULL, 0, 1)) AS subpart_exists,
  GROUP_CONCAT(column_name ORDER BY seq_in_index SEPARATOR ',') AS index_columns
FROM information_schema.STATISTICS
WHERE index_type = 'BTREE' AND table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
GROUP BY table_schema, table_name, index_name
