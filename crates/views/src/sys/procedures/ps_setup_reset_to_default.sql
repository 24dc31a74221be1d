-- MODIFIES SQL DATA
-- Brings the Performance Schema's settings back to what they are by default.
-- If asked to it says what it is at, and shows each statement before it runs.
-- Example: CALL sys.ps_setup_reset_to_default(TRUE);
    IN in_verbose BOOLEAN
BEGIN
    DECLARE step INT DEFAULT 0;
    DECLARE statement LONGTEXT;

    WHILE step < 7 DO
        SET step = step + 1;
        SET statement = ELT(step,
'DELETE FROM performance_schema.setup_actors
 WHERE NOT (host = ''%'' AND user = ''%'' AND role = ''%'' AND enabled = ''YES'' AND history = ''YES'')',
'INSERT IGNORE INTO performance_schema.setup_actors
VALUES (''%'', ''%'', ''%'', ''YES'', ''YES'')',
'UPDATE performance_schema.setup_instruments
   SET enabled = IF(name LIKE ''statement/sp/%'' AND name <> ''statement/sp/stmt'', ''NO'', sys.ps_is_instrument_default_enabled(name)),
       timed = IF(enabled = ''NO'', ''NO'', sys.ps_is_instrument_default_timed(name))',
'UPDATE performance_schema.setup_consumers
   SET enabled = IF(name IN (''events_statements_current'', ''events_statements_history'', ''events_transactions_current'',
                             ''events_transactions_history'', ''global_instrumentation'', ''thread_instrumentation'',
                             ''statements_digest''), ''YES'', ''NO'')',
'DELETE FROM performance_schema.setup_objects
 WHERE NOT (object_type IN (''EVENT'', ''FUNCTION'', ''PROCEDURE'', ''TABLE'', ''TRIGGER'') AND object_name = ''%''
            AND (object_schema = ''%'' AND enabled = ''YES'' AND timed = ''YES''
                 OR object_schema IN (''mysql'', ''performance_schema'', ''information_schema'') AND enabled = ''NO'' AND timed = ''NO''))',
'INSERT IGNORE INTO performance_schema.setup_objects
SELECT k.object_type, s.object_schema, ''%'', s.is_on, s.is_on
  FROM (VALUES ROW(''EVENT''), ROW(''FUNCTION''), ROW(''PROCEDURE''), ROW(''TABLE''), ROW(''TRIGGER'')) AS k (object_type),
       (VALUES ROW(''mysql'', ''NO''), ROW(''performance_schema'', ''NO''), ROW(''information_schema'', ''NO''), ROW(''%'', ''YES''))
       AS s (object_schema, is_on)',
'UPDATE performance_schema.threads
   SET instrumented = ''YES''');
        IF in_verbose THEN
            SELECT CONCAT('Resetting: ', ELT(step, 'setup_actors', 'setup_actors', 'setup_instruments', 'setup_consumers',
                                             'setup_objects', 'setup_objects', 'threads'), '\n', statement) AS status;
        END IF;
        CALL sys.execute_prepared_stmt(statement);
    END WHILE;
END
