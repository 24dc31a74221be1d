-- READS SQL DATA
-- Lists the consumers that are enabled.
BEGIN
    SELECT name AS enabled_consumers FROM performance_schema.setup_consumers WHERE enabled = 'YES'
     ORDER BY enabled_consumers;
END
