-- MODIFIES SQL DATA
-- Brings the Performance Schema's settings back to what they are by default.
-- Example: CALL sys.ps_setup_reset_to_default(TRUE);
    IN in_verbose BOOLEAN
BEGIN
    IF in_verbose THEN
        SELECT 'Resetting: setup_actors' AS status;
    END IF;
    DELETE FROM performance_schema.setup_actors WHERE NOT (host = '%' AND user = '%' AND role = '%');
    INSERT IGNORE INTO performance_schema.setup_actors VALUES ('%', '%', '%', 'YES', 'YES');
    UPDATE performance_schema.setup_actors SET enabled = 'YES', history = 'YES';
    IF in_verbose THEN
        SELECT 'Resetting: setup_instruments' AS status;
    END IF;
    UPDATE performance_schema.setup_instruments
       SET enabled = sys.ps_is_instrument_default_enabled(name), timed = sys.ps_is_instrument_default_timed(name);
    IF in_verbose THEN
        SELECT 'Resetting: setup_consumers' AS status;
    END IF;
    UPDATE performance_schema.setup_consumers
       SET enabled = IF(name IN ('events_statements_current', 'events_statements_history',
                                 'events_transactions_current', 'events_transactions_history',
                                 'global_instrumentation', 'thread_instrumentation', 'statements_digest'), 'YES', 'NO');
    IF in_verbose THEN
        SELECT 'Resetting: setup_objects' AS status;
    END IF;
    DELETE FROM performance_schema.setup_objects
     WHERE NOT (object_type IN ('EVENT', 'FUNCTION', 'PROCEDURE', 'TABLE', 'TRIGGER') AND object_name = '%'
                AND object_schema IN ('mysql', 'performance_schema', 'information_schema', '%'));
    INSERT IGNORE INTO performance_schema.setup_objects
        SELECT k.object_type, s.object_schema, '%', 'YES', 'YES'
          FROM (VALUES ROW('EVENT'), ROW('FUNCTION'), ROW('PROCEDURE'), ROW('TABLE'), ROW('TRIGGER')) AS k (object_type),
               (VALUES ROW('mysql'), ROW('performance_schema'), ROW('information_schema'), ROW('%')) AS s (object_schema);
    UPDATE performance_schema.setup_objects
       SET enabled = IF(object_schema = '%', 'YES', 'NO'), timed = IF(object_schema = '%', 'YES', 'NO');
    IF in_verbose THEN
        SELECT 'Resetting: threads' AS status;
    END IF;
    UPDATE performance_schema.threads SET instrumented = 'YES';
END
