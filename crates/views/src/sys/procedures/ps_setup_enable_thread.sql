-- MODIFIES SQL DATA
-- Enables instrumentation of the thread that serves a connection.
-- Example: CALL sys.ps_setup_enable_thread(CONNECTION_ID());
    IN in_connection_id BIGINT
BEGIN
    DECLARE changed BIGINT DEFAULT 0;

    UPDATE performance_schema.threads SET instrumented = 'YES' WHERE processlist_id = in_connection_id;
    SET changed = ROW_COUNT();
    SELECT CONCAT('Enabled ', changed, ' thread', IF(changed = 1, '', 's')) AS summary;
END
