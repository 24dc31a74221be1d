-- Indexes that nobody has used since the counters began: neither the primary key, nor what keeps values unique.
SELECT
  u.object_schema AS object_schema,
  u.object_name AS object_name,
  u.index_name AS index_name
FROM performance_schema.table_io_waits_summary_by_index_usage u
JOIN information_schema.STATISTICS s
  ON s.table_schema = u.object_schema AND s.table_name = u.object_name AND s.index_name = u.index_name
WHERE u.index_name IS NOT NULL AND u.index_name <> 'PRIMARY' AND u.count_star = 0 AND u.object_schema <> 'mysql'
  AND s.non_unique = 1 AND s.seq_in_index = 1
ORDER BY u.object_schema, u.object_name
