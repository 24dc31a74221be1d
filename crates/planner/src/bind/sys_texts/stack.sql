SELECT JSON_OBJECTAGG(d.thread_id, d.list) FROM (
  SELECT e.thread_id AS thread_id, JSON_ARRAYAGG(JSON_OBJECT(
    'nesting_event_id', CAST(IFNULL(e.nesting_event_id, 0) AS CHAR), 'event_id', CAST(e.event_id AS CHAR),
    'timer_wait', ROUND(e.timer_wait / 1000000, 2), 'event_info', SUBSTRING_INDEX(e.event_name, '/', -2),
    'wait_info', e.info, 'source', IFNULL(e.source, ''), 'event_type', e.kind)) AS list
  FROM (
    SELECT thread_id, event_id, nesting_event_id, event_name, timer_wait, source, 'stmt' AS kind,
      CONCAT(IFNULL(sql_text, ''), '\nerrors: ', errors, '\nwarnings: ', warnings,
        '\nlock time: ', ROUND(lock_time / 1000000, 2), 'us',
        '\nrows affected: ', rows_affected, '\nrows sent: ', rows_sent, '\nrows examined: ', rows_examined,
        '\ntmp tables: ', created_tmp_tables, '\ntmp disk tables: ', created_tmp_disk_tables,
        '\nselect scan: ', select_scan, '\nselect full join: ', select_full_join,
        '\nselect full range join: ', select_full_range_join, '\nselect range: ', select_range,
        '\nselect range check: ', select_range_check, '\nsort merge passes: ', sort_merge_passes,
        '\nsort rows: ', sort_rows, '\nsort range: ', sort_range, '\nsort scan: ', sort_scan,
        '\nno index used: ', IF(no_index_used, 'TRUE', 'FALSE'),
        '\nno good index used: ', IF(no_good_index_used, 'TRUE', 'FALSE'), '\n') AS info
    FROM performance_schema.events_statements_history_long
    UNION ALL
    SELECT thread_id, event_id, nesting_event_id, event_name, timer_wait, source, 'stage', ''
    FROM performance_schema.events_stages_history_long
    UNION ALL
    SELECT thread_id, event_id, nesting_event_id, event_name, timer_wait, source, 'wait',
      CONCAT_WS('', object_schema, IF(object_schema IS NULL, NULL, '.'), object_name, '\n', operation,
        IF(number_of_bytes IS NULL, NULL, CONCAT(' ', number_of_bytes, ' bytes')))
    FROM performance_schema.events_waits_history_long
    ORDER BY event_id
  ) e
  GROUP BY e.thread_id
) d
