-- READS SQL DATA
-- Lists what is enabled in the Performance Schema: users, objects, consumers,
-- and as the arguments say threads and instruments.
-- Example: CALL sys.ps_setup_show_enabled(FALSE, TRUE);
    IN in_show_instruments BOOLEAN,
    IN in_show_threads BOOLEAN
BEGIN
    SELECT @@performance_schema AS performance_schema_enabled;
    SELECT CONCAT('''', user, '''@''', host, '''') AS enabled_users FROM performance_schema.setup_actors
     WHERE enabled = 'YES' ORDER BY enabled_users;
    SELECT object_type, CONCAT(object_schema, '.', object_name) AS objects, enabled, timed
      FROM performance_schema.setup_objects WHERE enabled = 'YES' ORDER BY object_type, objects;
    SELECT name AS enabled_consumers FROM performance_schema.setup_consumers WHERE enabled = 'YES'
     ORDER BY enabled_consumers;
    IF in_show_threads THEN
        SELECT IF(name = 'thread/sql/one_connection', CONCAT(processlist_user, '@', processlist_host),
                  REPLACE(name, 'thread/', '')) AS enabled_threads, type AS thread_type
          FROM performance_schema.threads WHERE instrumented = 'YES' ORDER BY enabled_threads;
    END IF;
    IF in_show_instruments THEN
        SELECT name AS enabled_instruments, timed FROM performance_schema.setup_instruments WHERE enabled = 'YES'
         ORDER BY enabled_instruments;
    END IF;
END
