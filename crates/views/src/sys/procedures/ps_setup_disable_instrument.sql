-- MODIFIES SQL DATA
-- Disables the instruments whose names contain the text, and their timing.
-- Example: CALL sys.ps_setup_disable_instrument('wait/lock');
    IN in_pattern VARCHAR(128)
BEGIN
    DECLARE changed BIGINT DEFAULT 0;

    UPDATE performance_schema.setup_instruments SET enabled = 'NO', timed = 'NO'
     WHERE name LIKE CONCAT('%', in_pattern, '%');
    SET changed = ROW_COUNT();
    SELECT CONCAT('Disabled ', changed, ' instrument', IF(changed = 1, '', 's')) AS summary;
END
