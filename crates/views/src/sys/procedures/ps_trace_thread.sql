-- MODIFIES SQL DATA
-- Collects what a thread does and writes it as a graph for Graphviz: its transactions, statements, stages and waits,
-- each joined to what it is nested in. Needs FILE. The defaults for NULL are 60 seconds and a look each second.
-- Example: CALL sys.ps_trace_thread(25, '/tmp/stack.dot', NULL, NULL, TRUE, TRUE, TRUE);
    IN in_thread_id BIGINT UNSIGNED,
    IN in_outfile VARCHAR(255),
    IN in_max_runtime DECIMAL(20,2),
    IN in_interval DECIMAL(20,2),
    IN in_start_fresh BOOLEAN,
    IN in_auto_setup BOOLEAN,
    IN in_debug BOOLEAN
BEGIN
    DECLARE began DATETIME(6) DEFAULT SYSDATE(6);
    DECLARE last_seen, seen BIGINT UNSIGNED DEFAULT 0;

    SET in_max_runtime = COALESCE(in_max_runtime, 60.00);
    SET in_interval = COALESCE(in_interval, 1.00);
    IF in_auto_setup THEN
        CALL sys.ps_setup_save(0);
        DELETE FROM performance_schema.setup_actors;
        UPDATE performance_schema.threads SET instrumented = IF(thread_id = in_thread_id, 'YES', 'NO');
        UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name NOT LIKE '%\_history' AND name <> 'events_statements_cpu';
        UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'YES';
    END IF;
    CALL sys.ps_setup_disable_thread(CONNECTION_ID());
    IF in_start_fresh THEN
        TRUNCATE TABLE performance_schema.events_transactions_history_long;
        TRUNCATE TABLE performance_schema.events_statements_history_long;
        TRUNCATE TABLE performance_schema.events_stages_history_long;
        TRUNCATE TABLE performance_schema.events_waits_history_long;
    END IF;

    DROP TEMPORARY TABLE IF EXISTS sys.tmp_events;
    CREATE TEMPORARY TABLE sys.tmp_events (
        event_id BIGINT UNSIGNED NOT NULL, kind VARCHAR(11) NOT NULL, nesting_event_id BIGINT UNSIGNED,
        event_name VARCHAR(128), latency BIGINT UNSIGNED, began BIGINT UNSIGNED, what LONGTEXT, source VARCHAR(64),
        PRIMARY KEY (event_id, kind));
    SELECT CONCAT('Data collection starting for THREAD_ID = ', in_thread_id) AS 'Info';
    watch: LOOP
        INSERT IGNORE INTO sys.tmp_events
            SELECT event_id, 'transaction', nesting_event_id, event_name, timer_wait, timer_start,
                   CONCAT('mode: ', LOWER(access_mode), '\\nstate: ', LOWER(state), '\\nautocommit: ', LOWER(autocommit)), source
              FROM performance_schema.events_transactions_history_long WHERE thread_id = in_thread_id;
        INSERT IGNORE INTO sys.tmp_events
            SELECT event_id, 'statement', nesting_event_id, event_name, timer_wait, timer_start,
                   CONCAT(COALESCE(CONCAT('statement: ', sys.format_statement(REPLACE(REPLACE(sql_text, '\\', '\\\\'), '"', '\\"')), '\\n'), ''),
                          'errors: ', errors, '\\nwarnings: ', warnings, '\\nlock time: ', format_pico_time(lock_time),
                          '\\nrows affected: ', rows_affected, '\\nrows sent: ', rows_sent, '\\nrows examined: ', rows_examined,
                          '\\ntmp tables: ', created_tmp_tables), source
              FROM performance_schema.events_statements_history_long WHERE thread_id = in_thread_id;
        INSERT IGNORE INTO sys.tmp_events
            SELECT event_id, 'stage', nesting_event_id, event_name, timer_wait, timer_start, '', source
              FROM performance_schema.events_stages_history_long WHERE thread_id = in_thread_id;
        INSERT IGNORE INTO sys.tmp_events
            SELECT event_id, 'wait', nesting_event_id, event_name, timer_wait, timer_start,
                   CONCAT(COALESCE(operation, ''), COALESCE(CONCAT(' ', number_of_bytes, ' bytes'), ''),
                          COALESCE(CONCAT('\\n', object_schema, '.', object_name), '')), source
              FROM performance_schema.events_waits_history_long WHERE thread_id = in_thread_id;
        SELECT COALESCE(MAX(event_id), 0) INTO seen FROM sys.tmp_events;
        -- also when the thread has gone
        IF TIMESTAMPDIFF(MICROSECOND, began, SYSDATE(6)) >= in_max_runtime * 1000000
           OR NOT EXISTS (SELECT 1 FROM performance_schema.threads WHERE thread_id = in_thread_id) THEN
            LEAVE watch;
        END IF;
        DO SLEEP(in_interval);
    END LOOP;

    SET @sys.ps_trace_thread.first = (SELECT MIN(began) FROM sys.tmp_events);
    SET @sys.ps_trace_thread.debug = in_debug;
    SET @sys.ps_trace_thread.sql = CONCAT(
        'SELECT line FROM (',
        'SELECT 0 AS part, 0 AS n, ''digraph events {\\nrankdir=LR;\\nnode [fontname=Arial, fontsize=10];\\n'' AS line ',
        'UNION ALL SELECT 1, event_id, CONCAT(''"'', kind, '' '', event_id, ''" [label="'', ',
        'COALESCE(CONCAT(''('', format_pico_time(began - @sys.ps_trace_thread.first), '') ''), ''''), event_name, ''\\\\n'', ',
        'COALESCE(format_pico_time(latency), ''''), ''\\\\n'', COALESCE(what, ''''), ',
        'IF(@sys.ps_trace_thread.debug, CONCAT(''\\\\n'', COALESCE(source, '''')), ''''), ''", style=filled, shape=box, color='', ',
        'CASE kind WHEN ''transaction'' THEN ''lightsteelblue'' WHEN ''statement'' THEN ''palegreen'' ',
        'WHEN ''stage'' THEN ''khaki'' ELSE ''mistyrose'' END, ''];\\n'') FROM sys.tmp_events ',
        'UNION ALL SELECT 2, event_id, CONCAT(''"'', parent, ''" -> "'', kind, '' '', event_id, ''";\\n'') FROM sys.tmp_edges ',
        'UNION ALL SELECT 3, 0, ''}\\n'') AS dot ORDER BY part, n INTO OUTFILE ', QUOTE(in_outfile),
        ' FIELDS ESCAPED BY '''' LINES TERMINATED BY ''''');
    DROP TEMPORARY TABLE IF EXISTS sys.tmp_edges;
    DROP TEMPORARY TABLE IF EXISTS sys.tmp_parents;
    CREATE TEMPORARY TABLE sys.tmp_parents SELECT event_id, kind FROM sys.tmp_events;
    CREATE TEMPORARY TABLE sys.tmp_edges
        SELECT e.event_id, e.kind, CONCAT(p.kind, ' ', p.event_id) AS parent
          FROM sys.tmp_events e JOIN sys.tmp_parents p ON p.event_id = e.nesting_event_id;
    PREPARE stmt FROM @sys.ps_trace_thread.sql;
    EXECUTE stmt;
    DEALLOCATE PREPARE stmt;
    SET @sys.ps_trace_thread.sql = NULL, @sys.ps_trace_thread.first = NULL, @sys.ps_trace_thread.debug = NULL;
    DROP TEMPORARY TABLE sys.tmp_events;
    DROP TEMPORARY TABLE sys.tmp_edges;
    DROP TEMPORARY TABLE sys.tmp_parents;

    SELECT CONCAT('Stack trace written to ', in_outfile) AS 'Info';
    SELECT CONCAT('dot -Tpdf -o /tmp/stack_', in_thread_id, '.pdf ', in_outfile) AS 'Convert to PDF';
    SELECT CONCAT('dot -Tpng -o /tmp/stack_', in_thread_id, '.png ', in_outfile) AS 'Convert to PNG';
    CALL sys.ps_setup_enable_thread(CONNECTION_ID());
    IF in_auto_setup THEN
        CALL sys.ps_setup_reload_saved();
    END IF;
END
