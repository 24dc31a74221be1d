-- What of each schema is in the buffer pool. Looks at every page of the pool.
SELECT
  IF(LOCATE('.', table_name) = 0, 'InnoDB System', REPLACE(SUBSTRING_INDEX(table_name, '.', 1), '`', '')) AS
    object_schema,
  as_bytes(CAST(SUM(IF(compressed_size = 0, 16384, compressed_size)) AS DECIMAL(44,0))) AS allocated,
  as_bytes(CAST(SUM(data_size) AS DECIMAL(44,0))) AS data,
  COUNT(*) AS pages,
  COUNT(IF(is_hashed = 'YES', 1, NULL)) AS pages_hashed,
  COUNT(IF(is_old = 'YES', 1, NULL)) AS pages_old,
  [x$IFNULL(]]CAST(ROUND(SUM(number_records) / COUNT(DISTINCT index_name)) AS DECIMAL(45,0))[x$, 0)]] AS rows_cached
FROM information_schema.INNODB_BUFFER_PAGE
WHERE table_name IS NOT NULL
GROUP BY IF(LOCATE('.', table_name) = 0, 'InnoDB System', REPLACE(SUBSTRING_INDEX(table_name, '.', 1), '`', ''))
ORDER BY SUM(IF(compressed_size = 0, 16384, compressed_size)) DESC
