-- READS SQL DATA
-- Lists what is disabled in the Performance Schema: users, objects, consumers,
-- and as the arguments say threads and instruments.
-- Example: CALL sys.ps_setup_show_disabled(FALSE, TRUE);
    IN in_show_instruments BOOLEAN,
    IN in_show_threads BOOLEAN
BEGIN
    SELECT @@performance_schema AS performance_schema_enabled;
    SELECT CONCAT('''', user, '''@''', host, '''') AS disabled_users FROM performance_schema.setup_actors
     WHERE enabled = 'NO' ORDER BY disabled_users;
    SELECT object_type, CONCAT(object_schema, '.', object_name) AS objects, enabled, timed
      FROM performance_schema.setup_objects WHERE enabled = 'NO' ORDER BY object_type, objects;
    SELECT name AS disabled_consumers FROM performance_schema.setup_consumers WHERE enabled = 'NO'
     ORDER BY disabled_consumers;
    IF in_show_threads THEN
        SELECT IF(name = 'thread/sql/one_connection', CONCAT(processlist_user, '@', processlist_host),
                  REPLACE(name, 'thread/', '')) AS disabled_threads, type AS thread_type
          FROM performance_schema.threads WHERE instrumented = 'NO' ORDER BY disabled_threads;
    END IF;
    IF in_show_instruments THEN
        SELECT name AS disabled_instruments, timed FROM performance_schema.setup_instruments WHERE enabled = 'NO'
         ORDER BY disabled_instruments;
    END IF;
END
