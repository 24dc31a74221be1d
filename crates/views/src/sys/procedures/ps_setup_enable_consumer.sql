-- MODIFIES SQL DATA
-- Enables the consumers whose names contain the text; % and _ are those of LIKE.
-- Example: CALL sys.ps_setup_enable_consumer('events_statements_history');
    IN consumer VARCHAR(128)
BEGIN
    DECLARE changed BIGINT DEFAULT 0;

    UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name LIKE CONCAT('%', consumer, '%');
    SET changed = ROW_COUNT();
    SELECT CONCAT('Enabled ', changed, ' consumer', IF(changed = 1, '', 's')) AS summary;
END
