-- MODIFIES SQL DATA
-- Empties all summaries and histories of the Performance Schema.
-- Example: CALL sys.ps_truncate_all_tables(FALSE);
    IN in_verbose BOOLEAN
BEGIN
    DECLARE done BOOLEAN DEFAULT FALSE;
    DECLARE emptied INT DEFAULT 0;
    DECLARE one VARCHAR(64);
    DECLARE names CURSOR FOR
        SELECT table_name FROM information_schema.tables
         WHERE table_schema = 'performance_schema'
           AND (table_name LIKE '%summary%' OR table_name LIKE '%history%') ORDER BY table_name;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;

    OPEN names;
    FETCH names INTO one;
    WHILE NOT done DO
        SET @sys.ps_truncate_all_tables.sql = CONCAT('TRUNCATE TABLE performance_schema.', one);
        IF in_verbose THEN
            SELECT CONCAT('Running: ', @sys.ps_truncate_all_tables.sql) AS status;
        END IF;
        PREPARE stmt FROM @sys.ps_truncate_all_tables.sql;
        EXECUTE stmt;
        SET emptied = emptied + 1;
        FETCH names INTO one;
    END WHILE;
    CLOSE names;
    DEALLOCATE PREPARE stmt;
    SET @sys.ps_truncate_all_tables.sql = NULL;
    SELECT CONCAT('Truncated ', emptied, ' table', IF(emptied = 1, '', 's')) AS summary;
END
