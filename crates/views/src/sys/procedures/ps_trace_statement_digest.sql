-- MODIFIES SQL DATA
-- Watches the statements of one digest for so many seconds and reports: their sums, their stages, the one that took
-- longest with its stages, and its plan.
-- Example: CALL sys.ps_trace_statement_digest('891ec6860f98ba46d89dd20b0c03652c...', 10, 0.1, TRUE, TRUE);
    IN in_digest VARCHAR(64),
    IN in_runtime INT,
    IN in_interval DECIMAL(2,2),
    IN in_start_fresh BOOLEAN,
    IN in_auto_enable BOOLEAN
BEGIN
    DECLARE began DATETIME(6) DEFAULT SYSDATE(6);
    DECLARE explained LONGTEXT;
    DECLARE longest_thread, longest_event BIGINT UNSIGNED;

    IF in_auto_enable THEN
        CALL sys.ps_setup_save(0);
        UPDATE performance_schema.threads SET instrumented = IF(processlist_id = CONNECTION_ID(), 'NO', 'YES');
        UPDATE performance_schema.setup_consumers SET enabled = 'YES'
         WHERE name IN ('global_instrumentation', 'thread_instrumentation', 'statements_digest', 'events_statements_current',
                        'events_statements_history', 'events_statements_history_long', 'events_stages_current',
                        'events_stages_history', 'events_stages_history_long');
        UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'YES'
         WHERE name LIKE 'statement/%' OR name LIKE 'stage/%';
    END IF;
    IF in_start_fresh THEN
        TRUNCATE TABLE performance_schema.events_statements_history_long;
        TRUNCATE TABLE performance_schema.events_stages_history_long;
    END IF;

    DROP TEMPORARY TABLE IF EXISTS sys.tmp_trace_statements;
    DROP TEMPORARY TABLE IF EXISTS sys.tmp_trace_stages;
    CREATE TEMPORARY TABLE sys.tmp_trace_statements (
        thread_id BIGINT UNSIGNED, event_id BIGINT UNSIGNED, current_schema VARCHAR(64), sql_text LONGTEXT,
        timer_wait BIGINT UNSIGNED, lock_time BIGINT UNSIGNED, rows_sent BIGINT UNSIGNED, rows_affected BIGINT UNSIGNED,
        rows_examined BIGINT UNSIGNED, created_tmp_tables BIGINT UNSIGNED, no_index_used BIGINT UNSIGNED,
        PRIMARY KEY (thread_id, event_id));
    CREATE TEMPORARY TABLE sys.tmp_trace_stages (
        thread_id BIGINT UNSIGNED, event_id BIGINT UNSIGNED, statement_id BIGINT UNSIGNED, event_name VARCHAR(128),
        timer_wait BIGINT UNSIGNED, PRIMARY KEY (thread_id, event_id));

    watch: LOOP
        INSERT IGNORE INTO sys.tmp_trace_statements
            SELECT thread_id, event_id, current_schema, sql_text, timer_wait, lock_time, rows_sent, rows_affected,
                   rows_examined, created_tmp_tables, no_index_used
              FROM performance_schema.events_statements_history_long WHERE digest = in_digest;
        INSERT IGNORE INTO sys.tmp_trace_stages
            SELECT g.thread_id, g.event_id, g.nesting_event_id, g.event_name, g.timer_wait
              FROM performance_schema.events_stages_history_long g
              JOIN performance_schema.events_statements_history_long s
                ON s.thread_id = g.thread_id AND s.event_id = g.nesting_event_id AND s.digest = in_digest;
        IF TIMESTAMPDIFF(MICROSECOND, began, SYSDATE(6)) >= in_runtime * 1000000 THEN
            LEAVE watch;
        END IF;
        DO SLEEP(in_interval);
    END LOOP;

    SELECT 'SUMMARY STATISTICS';
    SELECT COUNT(*) AS executions, format_pico_time(SUM(timer_wait)) AS exec_time,
           format_pico_time(SUM(lock_time)) AS lock_time, SUM(rows_sent) AS rows_sent,
           SUM(rows_affected) AS rows_affected, SUM(rows_examined) AS rows_examined,
           SUM(created_tmp_tables) AS tmp_tables, SUM(no_index_used) AS full_scans
      FROM sys.tmp_trace_statements;
    SELECT event_name, COUNT(*) AS count, format_pico_time(SUM(timer_wait)) AS latency
      FROM sys.tmp_trace_stages GROUP BY event_name ORDER BY SUM(timer_wait) DESC;

    SELECT 'LONGEST RUNNING STATEMENT';
    SELECT thread_id, format_pico_time(timer_wait) AS exec_time, format_pico_time(lock_time) AS lock_time, rows_sent,
           rows_affected, rows_examined, created_tmp_tables AS tmp_tables, no_index_used AS full_scan
      FROM sys.tmp_trace_statements ORDER BY timer_wait DESC LIMIT 1;
    SELECT sql_text FROM sys.tmp_trace_statements ORDER BY timer_wait DESC LIMIT 1;
    SELECT MAX(thread_id), MAX(event_id), MAX(sql_text) INTO longest_thread, longest_event, explained
      FROM (SELECT * FROM sys.tmp_trace_statements ORDER BY timer_wait DESC LIMIT 1) AS longest;
    SELECT event_name, format_pico_time(timer_wait) AS latency FROM sys.tmp_trace_stages
     WHERE thread_id = longest_thread AND statement_id = longest_event ORDER BY event_id;

    -- a text that was cut, or of a statement that has no plan, is not explained
    BEGIN
        DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET explained = NULL;
        SET @sys.ps_trace_statement_digest.sql = CONCAT('EXPLAIN FORMAT=JSON ', explained);
        IF @sys.ps_trace_statement_digest.sql IS NOT NULL THEN
            PREPARE stmt FROM @sys.ps_trace_statement_digest.sql;
            IF explained IS NOT NULL THEN
                EXECUTE stmt;
                DEALLOCATE PREPARE stmt;
            END IF;
        END IF;
        SET @sys.ps_trace_statement_digest.sql = NULL;
    END;

    DROP TEMPORARY TABLE sys.tmp_trace_statements;
    DROP TEMPORARY TABLE sys.tmp_trace_stages;
    IF in_auto_enable THEN
        CALL sys.ps_setup_reload_saved();
    END IF;
END
