-- MODIFIES SQL DATA
-- Disables instrumentation of all threads that serve no client.
-- Says how many were changed.
-- Example: CALL sys.ps_setup_disable_background_threads();
BEGIN
    DECLARE changed BIGINT DEFAULT 0;

    UPDATE performance_schema.threads SET instrumented = 'NO' WHERE type = 'BACKGROUND';
    SET changed = ROW_COUNT();
    SELECT CONCAT('Disabled ', changed, ' background thread', IF(changed = 1, '', 's')) AS summary;
END
