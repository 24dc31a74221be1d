-- READS SQL DATA
-- Tells in its OUT parameter what a name means: BASE TABLE, VIEW, TEMPORARY, or
-- nothing for a table that does not exist. A temporary table comes first, as in
-- statements.
-- Example: CALL sys.table_exists('db1', 't1', @exists);
    IN in_db VARCHAR(64),
    IN in_table VARCHAR(64),
    OUT out_exists ENUM('', 'BASE TABLE', 'VIEW', 'TEMPORARY')
BEGIN
    DECLARE is_temporary BOOLEAN DEFAULT FALSE;
    DECLARE probe TEXT DEFAULT CONCAT(sys.quote_identifier(in_db), '.', sys.quote_identifier(in_table));

    SET out_exists = '';
    SET out_exists = COALESCE((SELECT IF(table_type = 'VIEW', 'VIEW', IF(table_type = 'SYSTEM VIEW', 'VIEW', 'BASE TABLE'))
                                 FROM information_schema.tables
                                WHERE table_schema = in_db AND table_name = in_table), '');
    -- a temporary table shows itself only by being in the way of another one
    BEGIN
        DECLARE EXIT HANDLER FOR 1050 SET is_temporary = TRUE;
        DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN END;
        SET @sys.table_exists.sql = CONCAT('CREATE TEMPORARY TABLE ', probe, ' (id INT PRIMARY KEY)');
        PREPARE stmt FROM @sys.table_exists.sql;
        EXECUTE stmt;
        SET @sys.table_exists.sql = CONCAT('DROP TEMPORARY TABLE ', probe);
        PREPARE stmt FROM @sys.table_exists.sql;
        EXECUTE stmt;
        DEALLOCATE PREPARE stmt;
    END;
    SET @sys.table_exists.sql = NULL;
    IF is_temporary THEN
        SET out_exists = 'TEMPORARY';
    END IF;
END
