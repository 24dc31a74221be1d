-- READS SQL DATA
-- Lists the instruments that are enabled; there are many.
BEGIN
    SELECT name AS enabled_instruments, timed FROM performance_schema.setup_instruments WHERE enabled = 'YES'
     ORDER BY enabled_instruments;
END
