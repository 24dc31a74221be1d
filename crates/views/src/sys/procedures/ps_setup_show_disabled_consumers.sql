-- READS SQL DATA
-- Lists the consumers that are disabled.
BEGIN
    SELECT name AS disabled_consumers FROM performance_schema.setup_consumers WHERE enabled = 'NO'
     ORDER BY disabled_consumers;
END
