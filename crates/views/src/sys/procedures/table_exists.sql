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
    DECLARE known VARCHAR(16);
    DECLARE probe TEXT DEFAULT CONCAT(sys.quote_identifier(in_db), '.', sys.quote_identifier(in_table));

    SET known = (SELECT IF(table_type LIKE '%VIEW', 'VIEW', 'BASE TABLE')
                   FROM information_schema.tables
                  WHERE table_schema = in_db AND table_name = in_table);
    -- what is not shown may not exist, may not be for this account (an error), or is a temporary table
    IF known IS NULL THEN
        BEGIN
            DECLARE EXIT HANDLER FOR 1146 SET known = '';
            SET @sys.table_exists.sql = CONCAT('DO (SELECT 1 FROM ', probe, ' LIMIT 0)');
            PREPARE stmt FROM @sys.table_exists.sql;
            EXECUTE stmt;
            DEALLOCATE PREPARE stmt;
            SET known = 'BASE TABLE';
        END;
    END IF;
    -- a temporary table shows itself only by being in the way of another one
    IF in_db NOT IN ('information_schema', 'performance_schema') THEN
        BEGIN
            DECLARE EXIT HANDLER FOR 1050 SET is_temporary = TRUE;
            SET @sys.table_exists.sql = CONCAT('CREATE TEMPORARY TABLE ', probe, ' (id INT PRIMARY KEY)');
            PREPARE stmt FROM @sys.table_exists.sql;
            EXECUTE stmt;
            SET @sys.table_exists.sql = CONCAT('DROP TEMPORARY TABLE ', probe);
            PREPARE stmt FROM @sys.table_exists.sql;
            EXECUTE stmt;
            DEALLOCATE PREPARE stmt;
        END;
    END IF;
    SET @sys.table_exists.sql = NULL;
    SET out_exists = IF(is_temporary, 'TEMPORARY', known);
END
