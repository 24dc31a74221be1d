-- READS SQL DATA
-- Runs a statement that is given as text, as a prepared statement.
-- With @sys.debug = 'ON' the statement is shown before.
-- Example: CALL sys.execute_prepared_stmt('SELECT COUNT(*) FROM mysql.user');
    IN in_query LONGTEXT CHARACTER SET utf8mb4
BEGIN
    IF in_query IS NULL OR CHAR_LENGTH(in_query) < 4 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'The @sys.execute_prepared_stmt.sql must contain a query';
    END IF;
    SET @sys.execute_prepared_stmt.sql = in_query;
    IF COALESCE(@sys.debug, sys.sys_get_config('debug', 'OFF')) = 'ON' THEN
        SELECT @sys.execute_prepared_stmt.sql AS 'Debug';
    END IF;
    PREPARE stmt FROM @sys.execute_prepared_stmt.sql;
    EXECUTE stmt;
    DEALLOCATE PREPARE stmt;
    SET @sys.execute_prepared_stmt.sql = NULL;
END
