-- Indexes that another one makes superfluous: the same columns, or the first ones of a longer index; beside a
-- unique index all that begin with its columns.
SELECT
  r.table_schema AS table_schema,
  r.table_name AS table_name,
  r.index_name AS redundant_index_name,
  r.index_columns AS redundant_index_columns,
  r.non_unique AS redundant_index_non_unique,
  d.index_name AS dominant_index_name,
  d.index_columns AS dominant_index_columns,
  d.non_unique AS dominant_index_non_unique,
  IF(r.subpart_exists = 1 OR d.subpart_exists = 1, 1, 0) AS subpart_exists,
  CONCAT('ALTER TABLE `', r.table_schema, '`.`', r.table_name, '` DROP INDEX `', r.index_name, '`') COLLATE
    utf8mb3_tolower_ci
    AS sql_drop_index
FROM sys.x$schema_flattened_keys r
JOIN sys.x$schema_flattened_keys d ON d.table_schema = r.table_schema AND d.table_name = r.table_name
WHERE r.index_name <> d.index_name
  AND CASE
    WHEN r.index_columns = d.index_columns AND r.non_unique = d.non_unique
      THEN r.index_name <> 'PRIMARY' AND (d.index_name = 'PRIMARY' OR d.index_name < r.index_name)
    WHEN r.index_columns = d.index_columns THEN r.non_unique > d.non_unique
    WHEN LEFT(d.index_columns, CHAR_LENGTH(r.index_columns) + 1) = CONCAT(r.index_columns, ',') THEN r.non_unique = 1
    ELSE d.non_unique = 0 AND LEFT(r.index_columns, CHAR_LENGTH(d.index_columns) + 1) = CONCAT(d.index_columns, ',')
  END
