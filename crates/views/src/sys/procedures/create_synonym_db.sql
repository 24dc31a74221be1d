-- MODIFIES SQL DATA
-- Makes a schema that stands for another one: a view for each table and view of it.
-- Example: CALL sys.create_synonym_db('performance_schema', 'ps');
    IN in_db_name VARCHAR(64),
    IN in_synonym VARCHAR(64)
BEGIN
    DECLARE done BOOLEAN DEFAULT FALSE;
    DECLARE made BIGINT UNSIGNED DEFAULT 0;
    DECLARE one VARCHAR(64);
    DECLARE said TEXT;
    DECLARE names CURSOR FOR
        SELECT table_name FROM information_schema.tables WHERE table_schema = in_db_name ORDER BY table_name;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;

    IF NOT EXISTS (SELECT 1 FROM information_schema.schemata WHERE schema_name = in_db_name) THEN
        SET said = CONCAT('Unknown database ', in_db_name);
        SIGNAL SQLSTATE 'HY000' SET MESSAGE_TEXT = said;
    END IF;
    IF EXISTS (SELECT 1 FROM information_schema.schemata WHERE schema_name = in_synonym) THEN
        SET said = CONCAT('Can\'t create database ', in_synonym, '; database exists');
        SIGNAL SQLSTATE 'HY000' SET MESSAGE_TEXT = said;
    END IF;
    SET @sys.create_synonym_db.sql = CONCAT('CREATE DATABASE ', sys.quote_identifier(in_synonym));
    PREPARE stmt FROM @sys.create_synonym_db.sql;
    EXECUTE stmt;
    OPEN names;
    FETCH names INTO one;
    WHILE NOT done DO
        SET @sys.create_synonym_db.sql = CONCAT('CREATE SQL SECURITY INVOKER VIEW ',
            sys.quote_identifier(in_synonym), '.', sys.quote_identifier(one), ' AS SELECT * FROM ',
            sys.quote_identifier(in_db_name), '.', sys.quote_identifier(one));
        PREPARE stmt FROM @sys.create_synonym_db.sql;
        EXECUTE stmt;
        SET made = made + 1;
        FETCH names INTO one;
    END WHILE;
    CLOSE names;
    DEALLOCATE PREPARE stmt;
    SET @sys.create_synonym_db.sql = NULL;
    SELECT CONCAT('Created ', made, ' view', IF(made = 1, '', 's'), ' in the ', sys.quote_identifier(in_synonym),
                  ' database') AS summary;
END
