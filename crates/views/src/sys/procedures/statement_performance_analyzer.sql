-- MODIFIES SQL DATA
-- Reports on statements by digest: of all times, or of the time between two snapshots. Actions: snapshot, overall,
-- delta, create_table, create_tmp, save, cleanup. The snapshot is kept in a temporary table of this session. Settings
-- in sys_config: statement_performance_analyzer.limit and .view (for the view 'custom').
-- Example: CALL sys.statement_performance_analyzer('overall', NOW(), 'analysis,with_sorting');
    IN in_action ENUM('snapshot','overall','delta','create_table','create_tmp','save','cleanup'),
    IN in_table VARCHAR(129),
    IN in_views SET('with_runtimes_in_95th_percentile','analysis','with_errors_or_warnings','with_full_table_scans','with_sorting','with_temp_tables','custom')
BEGIN
    DECLARE source, named TEXT;
    DECLARE there VARCHAR(20);
    DECLARE fresh BOOLEAN DEFAULT FALSE;
    DECLARE db, tbl VARCHAR(64);
    DECLARE columns, template LONGTEXT;
    DECLARE most INT DEFAULT COALESCE(@sys.statement_performance_analyzer.limit, sys.sys_get_config('statement_performance_analyzer.limit', '100'));
    DECLARE custom TEXT DEFAULT COALESCE(@sys.statement_performance_analyzer.view, sys.sys_get_config('statement_performance_analyzer.view', NULL));
    DECLARE limit_us DECIMAL(30,0);
    DECLARE views TEXT DEFAULT in_views;
    DECLARE view_name, heading VARCHAR(128);
    DECLARE said TEXT;

    IF COALESCE(in_action, '') = '' THEN
        SET said = 'Unknown action. Supported actions are: cleanup, create_table, create_tmp, delta, overall, save, snapshot';
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = said;
    END IF;
    -- what the table is: NULL, a time (for "now"), or a name
    IF in_table IS NOT NULL AND (in_table = 'NOW()' OR in_table REGEXP '^[0-9]{4}-[0-9]{2}-[0-9]{2} ') THEN
        SET fresh = TRUE;
    ELSEIF in_table IS NOT NULL THEN
        SET db = IF(LOCATE('.', in_table) = 0, @sys.statement_performance_analyzer.schema, SUBSTRING_INDEX(in_table, '.', 1));
        SET tbl = SUBSTRING_INDEX(in_table, '.', -1);
        SET db = REPLACE(COALESCE(db, 'sys'), '`', ''), tbl = REPLACE(tbl, '`', '');
        SET named = CONCAT(sys.quote_identifier(db), '.', sys.quote_identifier(tbl));
        IF db = 'sys' AND tbl IN ('tmp_digests', 'tmp_digests_delta') THEN
            SET said = CONCAT('Invalid value for in_table: ', named, ' is reserved table name.');
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = said;
        END IF;
        CALL sys.table_exists(db, tbl, there);
        IF there IN ('BASE TABLE', 'TEMPORARY') AND in_action IN ('create_table', 'create_tmp') THEN
            SET said = CONCAT('Cannot create the table ', named, ' as it already exists',
                IF(there = 'TEMPORARY' AND in_action = 'create_table', ' as a temporary table.', '.'));
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = said;
        ELSEIF there NOT IN ('BASE TABLE', 'TEMPORARY') AND in_action IN ('snapshot', 'overall') THEN
            -- a text has 128 characters at most
            SET said = CONCAT('The ', in_action, ' action requires in_table to be NULL, NOW() or specify an existing table. The table ',
                IF(CHAR_LENGTH(named) > 16, CONCAT('...', RIGHT(named, 13)), named), ' does not exist.');
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = said;
        ELSEIF there NOT IN ('BASE TABLE', 'TEMPORARY') AND in_action IN ('delta', 'save') THEN
            SET said = CONCAT('The ', in_action, ' action requires in_table to be an existing table. The table ', named, ' does not exist.');
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = said;
        ELSEIF in_action IN ('snapshot', 'overall', 'delta', 'save') THEN
            -- it has the columns of the summary, and no others
            BEGIN
                DECLARE EXIT HANDLER FOR 1054, 1222 BEGIN
                    SET said = CONCAT('The table ', named, ' has the wrong definition.');
                    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = said;
                END;
                SET @sys.statement_performance_analyzer.sql = CONCAT('SELECT COUNT(*) INTO @sys.statement_performance_analyzer.us FROM (',
                    'SELECT * FROM performance_schema.events_statements_summary_by_digest WHERE FALSE UNION ALL SELECT * FROM ', named, ' WHERE FALSE) AS t');
                CALL sys.execute_prepared_stmt(@sys.statement_performance_analyzer.sql);
                SET @sys.statement_performance_analyzer.sql = CONCAT('SELECT COUNT(*) INTO @sys.statement_performance_analyzer.us FROM ',
                    named, ' WHERE SCHEMA_NAME = DIGEST AND DIGEST_TEXT = SUM_TIMER_WAIT AND FALSE');
                CALL sys.execute_prepared_stmt(@sys.statement_performance_analyzer.sql);
                SET @sys.statement_performance_analyzer.us = NULL;
            END;
        END IF;
    ELSEIF in_action IN ('create_table', 'create_tmp', 'save', 'delta') THEN
        SET said = CONCAT('The ', in_action, ' action requires in_table to be specified.');
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = said;
    END IF;

    IF in_action IN ('create_table', 'create_tmp') THEN
        SET @sys.statement_performance_analyzer.sql = CONCAT('CREATE ', IF(in_action = 'create_tmp', 'TEMPORARY ', ''), 'TABLE ', named,
            ' SELECT * FROM performance_schema.events_statements_summary_by_digest LIMIT 0');
        CALL sys.execute_prepared_stmt(@sys.statement_performance_analyzer.sql);
    END IF;

    CALL sys.table_exists('sys', 'tmp_digests', there);
    IF in_action = 'snapshot' OR in_action = 'overall' AND (fresh OR there <> 'TEMPORARY') AND named IS NULL
       OR in_action IN ('save') AND there <> 'TEMPORARY' THEN
        DROP TEMPORARY TABLE IF EXISTS sys.tmp_digests;
        SET @sys.statement_performance_analyzer.sql = CONCAT('CREATE TEMPORARY TABLE sys.tmp_digests SELECT * FROM ',
            IF(in_action = 'snapshot' AND named IS NOT NULL, named, 'performance_schema.events_statements_summary_by_digest'));
        CALL sys.execute_prepared_stmt(@sys.statement_performance_analyzer.sql);
        SET there = 'TEMPORARY';
    END IF;

    IF in_action = 'save' THEN
        SET @sys.statement_performance_analyzer.sql = CONCAT('DELETE FROM ', named);
        CALL sys.execute_prepared_stmt(@sys.statement_performance_analyzer.sql);
        SET @sys.statement_performance_analyzer.sql = CONCAT('INSERT INTO ', named, ' SELECT * FROM sys.tmp_digests');
        CALL sys.execute_prepared_stmt(@sys.statement_performance_analyzer.sql);
    ELSEIF in_action = 'cleanup' THEN
        DROP TEMPORARY TABLE IF EXISTS sys.tmp_digests;
        DROP TEMPORARY TABLE IF EXISTS sys.tmp_digests_delta;
    ELSEIF in_action = 'overall' THEN
        SET source = COALESCE(named, '`sys`.`tmp_digests`');
    ELSEIF in_action = 'delta' THEN
        IF there <> 'TEMPORARY' THEN
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'An existing snapshot generated with the statement_performance_analyzer() must exist.';
        END IF;
        -- what is counted is subtracted, whatever columns there are
        SELECT /*+ SET_VAR(group_concat_max_len = 100000) */ GROUP_CONCAT(CASE
                   WHEN column_name = 'AVG_TIMER_WAIT' THEN
                       'COALESCE((n.SUM_TIMER_WAIT - COALESCE(o.SUM_TIMER_WAIT, 0)) DIV NULLIF(n.COUNT_STAR - COALESCE(o.COUNT_STAR, 0), 0), 0) AS AVG_TIMER_WAIT'
                   WHEN column_name LIKE 'SUM\_%' OR column_name LIKE 'COUNT\_%' THEN
                       CONCAT('n.', column_name, ' - COALESCE(o.', column_name, ', 0) AS ', column_name)
                   ELSE CONCAT('n.', column_name) END ORDER BY ordinal_position SEPARATOR ', ')
          INTO columns FROM information_schema.columns
         WHERE table_schema = 'performance_schema' AND table_name = 'events_statements_summary_by_digest';
        DROP TEMPORARY TABLE IF EXISTS sys.tmp_digests_delta;
        SET @sys.statement_performance_analyzer.sql = CONCAT('CREATE TEMPORARY TABLE sys.tmp_digests_delta SELECT ', columns,
            ' FROM sys.tmp_digests n LEFT JOIN ', named, ' o ON o.digest <=> n.digest AND o.schema_name <=> n.schema_name',
            ' WHERE n.count_star > COALESCE(o.count_star, 0)');
        CALL sys.execute_prepared_stmt(@sys.statement_performance_analyzer.sql);
        SET source = '`sys`.`tmp_digests_delta`';
    END IF;

    IF source IS NOT NULL THEN
        WHILE views <> '' DO
            SET view_name = SUBSTRING_INDEX(views, ',', 1);
            SET views = SUBSTRING(views, CHAR_LENGTH(view_name) + 2);
            SET heading = CASE view_name
                WHEN 'with_runtimes_in_95th_percentile' THEN 'Queries with Runtime in 95th Percentile'
                WHEN 'analysis' THEN CONCAT('Top ', most, ' Queries Ordered by Total Latency')
                WHEN 'with_errors_or_warnings' THEN CONCAT('Top ', most, ' Queries with Errors')
                WHEN 'with_full_table_scans' THEN CONCAT('Top ', most, ' Queries with Full Table Scan')
                WHEN 'with_sorting' THEN CONCAT('Top ', most, ' Queries with Sorting')
                WHEN 'with_temp_tables' THEN CONCAT('Top ', most, ' Queries with Internal Temporary Tables')
                ELSE CONCAT('Top ', most, ' Queries Using Custom View') END;
            SET template = CASE
                WHEN view_name <> 'custom' THEN (SELECT view_definition FROM information_schema.views
                    WHERE table_schema = 'sys'
                      AND table_name = IF(view_name = 'analysis', 'statement_analysis', CONCAT('statements_', view_name)))
                WHEN custom IS NULL THEN NULL
                WHEN custom REGEXP '^[[:space:]]*SELECT[[:space:]]' THEN custom
                ELSE (SELECT view_definition FROM information_schema.views
                       WHERE table_schema = IF(LOCATE('.', custom) = 0, 'sys', REPLACE(SUBSTRING_INDEX(custom, '.', 1), '`', ''))
                         AND table_name = REPLACE(SUBSTRING_INDEX(custom, '.', -1), '`', '')) END;
            SELECT heading AS 'Next Output';
            IF template IS NULL THEN
                SET said = CONCAT('The @sys.statement_performance_analyzer.view user variable ', IF(custom IS NULL,
                    'must be set with the view or query to use.', 'is set but specified neither an existing view nor a query.'));
                SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = said;
            END IF;
            IF view_name = 'with_runtimes_in_95th_percentile' THEN
                -- the limit is computed first: a temporary table is read once in a statement
                SET @sys.statement_performance_analyzer.sql = CONCAT(
                    'SELECT MIN(us) INTO @sys.statement_performance_analyzer.us FROM (SELECT us, PERCENT_RANK() OVER (ORDER BY us) AS p ',
                    'FROM (SELECT ROUND(avg_timer_wait / 1000000) AS us FROM ', source, ') AS t) AS r WHERE p >= 0.95');
                CALL sys.execute_prepared_stmt(@sys.statement_performance_analyzer.sql);
                SET limit_us = COALESCE(@sys.statement_performance_analyzer.us, 0);
                SET @sys.statement_performance_analyzer.us = NULL;
                SET template = REPLACE(REPLACE(template, '`sys`.`x$ps_digest_95th_percentile_by_avg_us`', CONCAT('(SELECT ', limit_us, ' AS avg_us)')),
                                       'sys.x$ps_digest_95th_percentile_by_avg_us', CONCAT('(SELECT ', limit_us, ' AS avg_us)'));
            END IF;
            SET template = REPLACE(REPLACE(template, '`performance_schema`.`events_statements_summary_by_digest`', source),
                                   'performance_schema.events_statements_summary_by_digest', source);
            SET @sys.statement_performance_analyzer.sql = CONCAT(template,
                IF(view_name = 'with_runtimes_in_95th_percentile', '', CONCAT(' LIMIT ', most)));
            CALL sys.execute_prepared_stmt(@sys.statement_performance_analyzer.sql);
        END WHILE;
    END IF;
    SET @sys.statement_performance_analyzer.sql = NULL;
END
