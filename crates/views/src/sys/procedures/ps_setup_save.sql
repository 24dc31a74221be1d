-- MODIFIES SQL DATA
-- Keeps the Performance Schema's settings for this session, so that
-- ps_setup_reload_saved() can bring them back. One session at a time: a user lock is
-- waited for so many seconds.
-- Example: CALL sys.ps_setup_save(10);
    IN in_timeout INT
BEGIN
    IF GET_LOCK('sys.ps_setup_save', in_timeout) = 1 THEN
        DROP TEMPORARY TABLE IF EXISTS sys.tmp_setup_actors;
        DROP TEMPORARY TABLE IF EXISTS sys.tmp_setup_consumers;
        DROP TEMPORARY TABLE IF EXISTS sys.tmp_setup_instruments;
        DROP TEMPORARY TABLE IF EXISTS sys.tmp_threads;
        CREATE TEMPORARY TABLE sys.tmp_setup_actors SELECT * FROM performance_schema.setup_actors;
        CREATE TEMPORARY TABLE sys.tmp_setup_consumers SELECT * FROM performance_schema.setup_consumers;
        CREATE TEMPORARY TABLE sys.tmp_setup_instruments SELECT * FROM performance_schema.setup_instruments;
        CREATE TEMPORARY TABLE sys.tmp_threads SELECT thread_id, instrumented FROM performance_schema.threads;
    ELSE
        SIGNAL SQLSTATE VALUE '90000'
            SET MESSAGE_TEXT = 'Could not lock the sys.ps_setup_save user lock, another thread has a saved configuration';
    END IF;
END
