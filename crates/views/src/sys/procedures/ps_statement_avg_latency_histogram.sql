-- READS SQL DATA
-- Draws how many statements (by digest) have which mean time, as bars of text.
-- Example: CALL sys.ps_statement_avg_latency_histogram();
BEGIN
    DECLARE buckets INT UNSIGNED DEFAULT 16;
    DECLARE shortest, longest, width, found, statements BIGINT UNSIGNED DEFAULT 0;
    DECLARE n INT UNSIGNED DEFAULT 0;
    DECLARE per_unit BIGINT UNSIGNED DEFAULT 1;
    DECLARE unit VARCHAR(2) DEFAULT 'us';
    DECLARE bar TEXT;
    DECLARE drawing LONGTEXT DEFAULT '';

    SELECT COALESCE(MIN(avg_us), 0), COALESCE(MAX(avg_us), 0), COALESCE(SUM(cnt), 0)
      INTO shortest, longest, statements FROM sys.x$ps_digest_avg_latency_distribution;
    SET width = GREATEST(CEIL((longest - shortest) / (buckets - 1)), 1);
    IF width >= 1000000 THEN
        SET per_unit = 1000000, unit = 's';
    ELSEIF width >= 1000 THEN
        SET per_unit = 1000, unit = 'ms';
    END IF;
    WHILE n < buckets DO
        SELECT COALESCE(SUM(cnt), 0) INTO found FROM sys.x$ps_digest_avg_latency_distribution
         WHERE avg_us >= width * n AND (avg_us < width * (n + 1) OR n + 1 = buckets);
        SET bar = CASE
            WHEN found < 40 THEN REPEAT('.', found)
            WHEN found < 80 THEN REPEAT('*', found DIV 2)
            ELSE REPEAT('#', found DIV 3) END;
        SET drawing = CONCAT(drawing,
            RPAD(CONCAT('(', ROUND(width * n / per_unit), ' - ', ROUND(width * (n + 1) / per_unit), unit, ')'), 15, ' '),
            RPAD(found, 5, ' '), '| ', bar, '\n');
        SET n = n + 1;
    END WHILE;
    SELECT CONCAT('\n  . = 1 unit\n  * = 2 units\n  # = 3 units\n\n', drawing, '\n  Total Statements: ', statements,
                  '; Buckets: ', buckets, '; Bucket Size: ', ROUND(width / per_unit), ' ', unit, ';\n')
        AS `Performance Schema Statement Digest Average Latency Histogram`;
END
