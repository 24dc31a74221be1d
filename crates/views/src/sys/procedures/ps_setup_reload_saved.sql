-- MODIFIES SQL DATA
-- Brings back the Performance Schema's settings that this session kept with
-- ps_setup_save().
-- Example: CALL sys.ps_setup_reload_saved();
BEGIN
    DECLARE holder BIGINT UNSIGNED DEFAULT IS_USED_LOCK('sys.ps_setup_save');

    IF holder IS NULL THEN
        SIGNAL SQLSTATE VALUE '90000'
            SET MESSAGE_TEXT = 'An active lock for ''sys.ps_setup_save'' is not held, no configuration has been saved';
    ELSEIF holder <> CONNECTION_ID() THEN
        SIGNAL SQLSTATE VALUE '90000'
            SET MESSAGE_TEXT = 'An active lock for ''sys.ps_setup_save'' is held by another thread';
    END IF;

    DELETE FROM performance_schema.setup_actors;
    INSERT INTO performance_schema.setup_actors SELECT * FROM sys.tmp_setup_actors;
    UPDATE performance_schema.setup_consumers SET enabled = 'YES'
     WHERE name IN (SELECT name FROM sys.tmp_setup_consumers WHERE enabled = 'YES');
    UPDATE performance_schema.setup_consumers SET enabled = 'NO'
     WHERE name IN (SELECT name FROM sys.tmp_setup_consumers WHERE enabled = 'NO');
    UPDATE performance_schema.setup_instruments SET enabled = 'YES'
     WHERE name IN (SELECT name FROM sys.tmp_setup_instruments WHERE enabled = 'YES');
    UPDATE performance_schema.setup_instruments SET enabled = 'NO'
     WHERE name IN (SELECT name FROM sys.tmp_setup_instruments WHERE enabled = 'NO');
    UPDATE performance_schema.setup_instruments SET timed = 'YES'
     WHERE name IN (SELECT name FROM sys.tmp_setup_instruments WHERE timed = 'YES');
    UPDATE performance_schema.setup_instruments SET timed = 'NO'
     WHERE name IN (SELECT name FROM sys.tmp_setup_instruments WHERE timed = 'NO');
    UPDATE performance_schema.threads SET instrumented = 'YES'
     WHERE thread_id IN (SELECT thread_id FROM sys.tmp_threads WHERE instrumented = 'YES');
    UPDATE performance_schema.threads SET instrumented = 'NO'
     WHERE thread_id IN (SELECT thread_id FROM sys.tmp_threads WHERE instrumented = 'NO');

    DROP TEMPORARY TABLE sys.tmp_setup_actors;
    DROP TEMPORARY TABLE sys.tmp_setup_consumers;
    DROP TEMPORARY TABLE sys.tmp_setup_instruments;
    DROP TEMPORARY TABLE sys.tmp_threads;
    DO RELEASE_LOCK('sys.ps_setup_save');
END
