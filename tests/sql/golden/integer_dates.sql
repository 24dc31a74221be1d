-- Integers beside dates are compared as numbers, constants beside columns as the dates that they stand for where they stand for one.
CREATE TABLE b (id INT PRIMARY KEY, i BIGINT, n INT UNSIGNED, dt DATETIME, d DATE, ts TIMESTAMP(3) NULL, KEY (d), UNIQUE KEY (dt), KEY (i));
INSERT INTO b VALUES (1, 20010101000001, 20010101, '2001-01-01 00:00:01', '2001-01-01', '2001-01-01 00:00:01.5'), (2, 99999999999999, 5, '2002-01-01 00:00:01', '2002-01-01', '2001-01-01 00:00:01'), (3, 10101, 10101, '2001-01-01', '2003-01-01', '2001-01-01');
--! ours MariaDB makes dates of integers, and NULL where they are none
SELECT i = dt, i > dt, i < dt, n = d, n > d, n < d, i > ts, i = ts, i < ts, i + 0 > dt, i + 0 = dt FROM b;
SELECT NOW() > 5, NOW() > 99999999999999, TIMESTAMP'2001-01-01 00:00:01' = 20010101000001, DATE'2001-01-01' = 10101, DATE'2001-01-01' > 5, CAST('2001-01-01' AS DATE) = 10101, CAST('2001-01-01' AS DATE) > n FROM b;
SELECT i > TIMESTAMP'2001-01-01 00:00:00', n = DATE'2001-01-01', n > DATE'2000-01-01' FROM b;
SELECT id FROM b WHERE i > TIMESTAMP'2001-01-01 00:00:00' ORDER BY id;
SELECT id FROM b WHERE n = DATE'2001-01-01' OR n < DATE'2001-01-01' ORDER BY id;
SELECT x.id, z.id FROM b x JOIN b z ON x.i = z.ts + INTERVAL 0 DAY ORDER BY 1, 2;
--! mysql the lookup by a number that is no date warns there
SELECT x.id, z.id FROM b x JOIN b z ON x.n = z.d ORDER BY 1, 2;
SELECT CASE dt WHEN 10101 THEN 'a' WHEN 20010101000001 THEN 'b' END, CASE i WHEN dt THEN 'c' ELSE 'd' END, NULLIF(i, dt), i <=> dt, dt <=> 10101 FROM b;
SELECT (SELECT MAX(dt) FROM b) > i, (SELECT MAX(dt) FROM b) > 5, COALESCE(dt, NULL) = 10101, IF(1, dt, NULL) > 5 FROM b;
-- constants that are dates, and those that are none
SELECT dt > 10101, dt = 10101, d = 20010101, d > 20011231, ts > 10101 FROM b;
SELECT dt > 99999999999999, d > 5, dt < 5 FROM b;
SELECT dt IN (10101, 20020101000001), d IN (10101, 20020101), d NOT IN (20010101, 20020101) FROM b;
SELECT dt BETWEEN 10101 AND 20020101, d BETWEEN 10101 AND 20020101, d BETWEEN 5 AND 20020101, d BETWEEN 20010101000000 AND 20020101000000 FROM b;
SELECT id FROM b WHERE dt IN (10101, 20010101000001) ORDER BY id;
SELECT id FROM b WHERE d BETWEEN 10101 AND 20020101 ORDER BY id;
SELECT id FROM b WHERE dt = 10101;
SELECT id FROM b WHERE dt > 20010101 ORDER BY dt;
SELECT id FROM b WHERE d >= 20010101 AND d < 20020101;
--! mysql the index reads the constant once more there, and warns twice
SELECT id FROM b WHERE d > 5 AND d < 99999999 ORDER BY id;
SELECT d = 20010101.0, d = 2.0010101e7 FROM b;
UPDATE b SET i = 1 WHERE d = 5;
DELETE FROM b WHERE d < 5;
UPDATE b SET i = 1 WHERE d > 20020101;
PREPARE s FROM 'SELECT id FROM b WHERE dt = ?';
SET @x = 10101;
EXECUTE s USING @x;
--! end
SELECT * FROM b;
-- a number is stored into the column: a DATE has no time, a DATETIME rounds
--! ours MariaDB compares a DATE with the time
SELECT d = 20010101000001, d < 20010101000001, d <> 20010101000001, d = 20010101000000.0, 20010101235959 = d FROM b WHERE id = 1;
--! mysql a note for IN of one member too
SELECT d BETWEEN 20010101000000 AND 20010101000001, d IN (20010101000001), d IN (20010101000001, 5), dt = 20010101000000.6, d <=> 20010101000001.0 FROM b WHERE id = 1;
SELECT d > 5.5, d < 1e1, dt > 5.5 FROM b WHERE id = 1;
SELECT id FROM b IGNORE INDEX (d) WHERE d <= 20010101000001;
SELECT id FROM b FORCE INDEX (d) WHERE d = 20010101000001;
--! end
