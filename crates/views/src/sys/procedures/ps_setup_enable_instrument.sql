-- MODIFIES SQL DATA
-- Enables the instruments whose names contain the text, and their timing.
-- Example: CALL sys.ps_setup_enable_instrument('wait/lock');
    IN in_pattern VARCHAR(128)
BEGIN
    DECLARE changed BIGINT DEFAULT 0;

    UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'YES'
     WHERE name LIKE CONCAT('%', in_pattern, '%');
    SET changed = ROW_COUNT();
    SELECT CONCAT('Enabled ', changed, ' instrument', IF(changed = 1, '', 's')) AS summary;
END
