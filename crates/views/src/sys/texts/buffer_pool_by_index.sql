-- Evenkeel's own: which part of the buffer pool each index holds, old and young. Looks at every page of the pool.
SELECT
  IF(LOCATE('.', table_name) = 0, 'InnoDB System', REPLACE(SUBSTRING_INDEX(table_name, '.', 1), '`', '')) AS
    object_schema,
  REPLACE(SUBSTRING_INDEX(table_name, '.', -1), '`', '') AS object_name,
  index_name AS index_name,
  COUNT(*) AS pages,
  as_bytes(COUNT(*) * 16384) AS allocated,
  ROUND(100 * COUNT(*) / (SELECT SUM(pool_size) FROM information_schema.INNODB_BUFFER_POOL_STATS), 2) AS pool_pct,
  SUM(is_old = 'NO') AS young_pages,
  SUM(is_old = 'YES') AS old_pages,
  SUM(oldest_modification > 0) AS dirty_pages
FROM information_schema.INNODB_BUFFER_PAGE
WHERE table_name IS NOT NULL
GROUP BY IF(LOCATE('.', table_name) = 0, 'InnoDB System', REPLACE(SUBSTRING_INDEX(table_name, '.', 1), '`', '')),
  REPLACE(SUBSTRING_INDEX(table_name, '.', -1), '`', ''), index_name
ORDER BY COUNT(*) DESC
