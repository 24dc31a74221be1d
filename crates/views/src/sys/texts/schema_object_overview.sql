-- How many objects of each kind a schema has. Looks at all tables: it may take long where there are many.
SELECT routine_schema AS db, routine_type AS object_type, COUNT(*) AS count
FROM information_schema.ROUTINES GROUP BY routine_schema, routine_type
UNION
SELECT table_schema, table_type, COUNT(*) FROM information_schema.TABLES GROUP BY table_schema, table_type
UNION
SELECT table_schema, CONCAT('INDEX (', index_type, ')'), COUNT(*)
FROM information_schema.STATISTICS GROUP BY table_schema, index_type
UNION
SELECT trigger_schema, 'TRIGGER', COUNT(*) FROM information_schema.TRIGGERS GROUP BY trigger_schema
UNION
SELECT event_schema, 'EVENT', COUNT(*) FROM information_schema.EVENTS GROUP BY event_schema
ORDER BY db, object_type
