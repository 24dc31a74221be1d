-- MODIFIES SQL DATA
-- Reports on the server for a diagnosis: who it is and how it is set up, then what it does, looked at again and again,
-- at last what was counted meanwhile. The defaults for NULL are 60 seconds and 30 between two looks. The settings of
-- the Performance Schema stay as they are ('current') or are switched on to a medium or full extent until the end.
-- Settings in sys_config: diagnostics.allow_i_s_tables, diagnostics.include_raw, statement_performance_analyzer.limit.
-- Example: CALL sys.diagnostics(120, 30, 'current');
    IN in_max_runtime INT UNSIGNED,
    IN in_interval INT UNSIGNED,
    IN in_auto_config ENUM('current','medium','full')
BEGIN
    DECLARE began DATETIME(6) DEFAULT SYSDATE(6);
    DECLARE turn INT UNSIGNED DEFAULT 0;
    DECLARE raw, tables_too VARCHAR(3);

    SET in_max_runtime = COALESCE(in_max_runtime, 60), in_interval = COALESCE(in_interval, 30);
    IF in_max_runtime = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'in_max_runtime must be greater than 0';
    ELSEIF in_interval = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'in_interval must be greater than 0';
    ELSEIF in_max_runtime < in_interval THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'in_max_runtime must be greater than or equal to in_interval';
    END IF;
    SET raw = COALESCE(@sys.diagnostics.include_raw, sys.sys_get_config('diagnostics.include_raw', 'OFF'));
    SET tables_too = COALESCE(@sys.diagnostics.allow_i_s_tables, sys.sys_get_config('diagnostics.allow_i_s_tables', 'OFF'));

    IF in_auto_config <> 'current' THEN
        CALL sys.ps_setup_save(0);
        UPDATE performance_schema.setup_consumers SET enabled = 'YES'
         WHERE in_auto_config = 'full' OR name NOT LIKE '%\_history%';
        UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'YES'
         WHERE in_auto_config = 'full' OR name NOT LIKE 'wait/synch/%';
    END IF;

    SELECT CONCAT('sys.diagnostics() of ', @@hostname, ', port ', @@port) AS 'Report', began AS 'Time', @@version AS 'MySQL Version',
           @@version_comment AS 'Version Comment', @@server_uuid AS 'Server UUID', CURRENT_USER() AS 'Account';
    SELECT 'Configuration' AS 'The following output is:';
    SELECT variable_name AS 'Variable_name', variable_value AS 'Value' FROM performance_schema.global_variables ORDER BY variable_name;
    CALL sys.ps_setup_show_enabled(in_auto_config = 'full', TRUE);
    SELECT 'Engines and plugins' AS 'The following output is:';
    SHOW ENGINES;
    SELECT plugin_name, plugin_version, plugin_status, plugin_type FROM information_schema.plugins ORDER BY plugin_name;
    IF tables_too = 'ON' THEN
        SELECT 'Tables by schema' AS 'The following output is:';
        SELECT table_schema, COUNT(*) AS tables, SUM(data_length) AS data_length, SUM(index_length) AS index_length
          FROM information_schema.tables WHERE table_type = 'BASE TABLE' GROUP BY table_schema ORDER BY table_schema;
        SELECT * FROM sys.schema_unused_indexes;
    END IF;

    DROP TEMPORARY TABLE IF EXISTS sys.tmp_metrics;
    CREATE TEMPORARY TABLE sys.tmp_metrics (variable_name VARCHAR(193) PRIMARY KEY, value_before DECIMAL(60,6), value_after DECIMAL(60,6));
    INSERT IGNORE INTO sys.tmp_metrics SELECT variable_name, variable_value, NULL FROM sys.metrics
     WHERE variable_value REGEXP '^-?[0-9]+([.][0-9]+)?$';
    CALL sys.statement_performance_analyzer('create_tmp', 'sys.tmp_digests_start', NULL);
    CALL sys.statement_performance_analyzer('snapshot', NULL, NULL);
    CALL sys.statement_performance_analyzer('save', 'sys.tmp_digests_start', NULL);

    look: LOOP
        SET turn = turn + 1;
        SELECT CONCAT('Iteration ', turn, ', ', NOW(6)) AS 'The following output is:';
        SHOW ENGINE INNODB STATUS;
        SELECT * FROM sys.processlist WHERE conn_id <> CONNECTION_ID() OR conn_id IS NULL;
        SELECT * FROM information_schema.INNODB_TRX;
        SELECT * FROM sys.innodb_lock_waits;
        SELECT * FROM sys.schema_table_lock_waits;
        IF raw = 'ON' THEN
            SELECT * FROM sys.metrics;
        END IF;
        IF TIMESTAMPDIFF(MICROSECOND, began, SYSDATE(6)) + in_interval * 1000000 > in_max_runtime * 1000000 THEN
            LEAVE look;
        END IF;
        DO SLEEP(in_interval);
    END LOOP;

    SELECT 'Overall' AS 'The following output is:';
    SELECT * FROM sys.host_summary;
    SELECT * FROM sys.user_summary;
    SELECT * FROM sys.io_global_by_file_by_bytes LIMIT 100;
    SELECT * FROM sys.io_global_by_wait_by_latency;
    SELECT * FROM sys.waits_global_by_latency LIMIT 100;
    SELECT * FROM sys.schema_table_statistics LIMIT 100;
    SELECT * FROM sys.memory_global_by_current_bytes LIMIT 100;
    CALL sys.statement_performance_analyzer('overall', NOW(), 'with_runtimes_in_95th_percentile,analysis,with_errors_or_warnings,with_full_table_scans,with_sorting,with_temp_tables');

    SELECT 'Delta' AS 'The following output is:';
    CALL sys.statement_performance_analyzer('delta', 'sys.tmp_digests_start', 'with_runtimes_in_95th_percentile,analysis,with_errors_or_warnings,with_full_table_scans,with_sorting,with_temp_tables');
    INSERT INTO sys.tmp_metrics SELECT * FROM (SELECT variable_name, NULL AS value_before, variable_value FROM sys.metrics
     WHERE variable_value REGEXP '^-?[0-9]+([.][0-9]+)?$') AS m ON DUPLICATE KEY UPDATE value_after = m.variable_value;
    SELECT variable_name, value_before, value_after, value_after - value_before AS delta,
           ROUND((value_after - value_before) / (TIMESTAMPDIFF(MICROSECOND, began, SYSDATE(6)) / 1000000), 4) AS delta_per_second
      FROM sys.tmp_metrics WHERE value_after <> value_before ORDER BY variable_name;

    CALL sys.statement_performance_analyzer('cleanup', NULL, NULL);
    DROP TEMPORARY TABLE sys.tmp_digests_start;
    DROP TEMPORARY TABLE sys.tmp_metrics;
    IF in_auto_config <> 'current' THEN
        CALL sys.ps_setup_reload_saved();
    END IF;
    SELECT 'End' AS 'The following output is:';
END
