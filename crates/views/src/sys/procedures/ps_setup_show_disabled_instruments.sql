-- READS SQL DATA
-- Lists the instruments that are disabled; there are many.
BEGIN
    SELECT name AS disabled_instruments, timed FROM performance_schema.setup_instruments WHERE enabled = 'NO'
     ORDER BY disabled_instruments;
END
