SELECT JSON_OBJECTAGG(d.thread_id, d.list) FROM (
  SELECT x.thread_id AS thread_id, JSON_ARRAYAGG(JSON_OBJECT(
    'time', format_pico_time(x.timer_wait), 'state', x.state, 'mode', x.access_mode, 'autocommitted', x.autocommit,
    'gtid', x.gtid, 'isolation', x.isolation_level, 'statements_executed', s.list)) AS list
  FROM (
    SELECT * FROM performance_schema.events_transactions_history
    UNION SELECT * FROM performance_schema.events_transactions_current WHERE state = 'ACTIVE'
  ) x
  LEFT JOIN (
    SELECT thread_id, nesting_event_id, JSON_ARRAYAGG(JSON_OBJECT(
      'sql_text', sql_text, 'time', format_pico_time(timer_wait), 'schema', IFNULL(current_schema, ''),
      'rows_examined', rows_examined, 'rows_affected', rows_affected, 'rows_sent', rows_sent,
      'tmp_tables', created_tmp_tables, 'tmp_disk_tables', created_tmp_disk_tables, 'sort_rows', sort_rows,
      'sort_merge_passes', sort_merge_passes)) AS list
    FROM performance_schema.events_statements_history
    WHERE nesting_event_type = 'TRANSACTION'
    GROUP BY thread_id, nesting_event_id
  ) s ON s.thread_id = x.thread_id AND s.nesting_event_id = x.event_id
  GROUP BY x.thread_id
) d
