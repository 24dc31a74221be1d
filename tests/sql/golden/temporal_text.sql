-- Text that DATE_ADD, DATE_SUB, TIMESTAMPADD, ADDTIME and SUBTIME make of text is a date or time as a number too
SELECT ('2020-01-01' + INTERVAL 1 DAY) + 0 a, DATE_ADD('2020-01-01', INTERVAL 1 SECOND) + 0 b, DATE_SUB('2020-01-01', INTERVAL 1 MONTH) * 1 c, TIMESTAMPADD(DAY, 1, '2020-01-01') + 0 d;
SELECT ADDTIME('2020-01-01 01:01:01', '1:0:0') + 0 a, ADDTIME('01:01:01', '1:0:0') + 0 b, SUBTIME('01:01:01', '0:0:1') * 1 c, SUBTIME('01:01:01', '2:0:1') + 0 d, ADDTIME('01:01:01.5', '1:0:0') + 0 e;
SELECT -('2020-01-01' + INTERVAL 1 DAY) a, ROUND('2020-01-01' + INTERVAL 1 DAY) b, ABS(ADDTIME('01:01:01', '1:0:0')) c, ('2020-01-01' + INTERVAL 1 DAY) | 0 d, ('2020-01-01' + INTERVAL 1 DAY) DIV 1 e, ('2020-01-01' + INTERVAL 1 DAY) % 7 f, SQRT('2020-01-01' + INTERVAL 1 DAY) g;
SELECT ('2020-01-01' + INTERVAL 1 DAY) = 20200102 a, ('2020-01-01' + INTERVAL 1 DAY) > 2021 b, ('2020-01-01' + INTERVAL 1 DAY) BETWEEN 20200101 AND 20200103 c, ('2020-01-01' + INTERVAL 1 DAY) IN (1, 20200102) d, 20200102 IN ('2020-01-01' + INTERVAL 1 DAY, 5) e, ('2020-01-01' + INTERVAL 1 DAY, 1) = (20200102, 1) f;
SELECT CAST('2020-01-01' + INTERVAL 1 DAY AS DECIMAL(20,6)) a, CAST('2020-01-01' + INTERVAL 1 DAY AS DOUBLE) b, FORMAT('2020-01-01' + INTERVAL 1 DAY, 0) c;
-- a time below an hour is 0 as text and not as a time
SELECT ADDTIME('00:00:10', '0:0:1') IS TRUE a, NOT ADDTIME('00:00:10', '0:0:1') b, IF(ADDTIME('00:00:10', '0:0:1'), 1, 0) c, ADDTIME('00:00:10', '0:0:1') AND 1 d, ADDTIME('00:00:10', '0:0:1') XOR 1 e, CASE WHEN ADDTIME('00:00:10', '0:0:1') THEN 1 ELSE 0 END f;
SELECT SUM('2020-01-01' + INTERVAL 1 DAY) a, AVG(ADDTIME('01:01:01', '1:0:0')) b;
-- read as text: CAST AS SIGNED, and what is not the function's own result
--! mysql another number of warnings
--! differs IFNULL of text is a number without a warning
SELECT CAST('2020-01-01' + INTERVAL 1 DAY AS SIGNED) a, MAX('2020-01-01' + INTERVAL 1 DAY) + 0 b, CONCAT('2020-01-01' + INTERVAL 1 DAY) + 0 c, IFNULL('2020-01-01' + INTERVAL 1 DAY, 1) + 0 d;
SELECT ('no date' + INTERVAL 1 DAY) + 0 a, (NULL + INTERVAL 1 DAY) + 0 b;
CREATE TABLE t (id INT, v VARCHAR(30));
INSERT INTO t VALUES (1, '2020-01-31'), (2, '2020-02-28 23:59:59'), (3, NULL), (4, '00:00:05');
--! mysql the newer one reads a date as a date and not as a time
SELECT id, ADDTIME(v, '0:0:1') + 0 a FROM t ORDER BY id;
--! differs a DOUBLE of text has no fixed number of digits
SELECT id, (v + INTERVAL 1 DAY) + 0 a FROM t WHERE id < 4 ORDER BY id;
--! mysql another number of warnings
SELECT id FROM t WHERE ADDTIME(v, '0:0:1') ORDER BY id;
--! differs the text is compared as the date's number, without a warning
--! mysql another number of warnings
SELECT id FROM t WHERE v + INTERVAL 1 DAY > 20200201 AND id < 4 ORDER BY id;
--! differs a DOUBLE of text has no fixed number of digits
SELECT SUM(v + INTERVAL 1 DAY) s FROM t WHERE id < 4;
DROP TABLE t;
-- CONVERT_TZ leaves alone what is outside the range of TIMESTAMP, which ends in the year 3001
SELECT CONVERT_TZ('1000-01-01 00:00:00', '+00:00', '+05:30') a, CONVERT_TZ(DATE'9999-12-31', '+00:00', '+05:30') b, CONVERT_TZ(TIMESTAMP'1970-01-01 00:00:00', '+00:00', '+05:30') c, CONVERT_TZ(TIMESTAMP'1970-01-01 00:00:01', '+00:00', '+05:30') d, CONVERT_TZ(TIMESTAMP'2020-01-01 00:00:00', '+01:00', '-05:30') e;
--! differs MariaDB's range ends in 2038
SELECT CONVERT_TZ(TIMESTAMP'3001-01-18 23:59:59', '+00:00', '+01:00') a, CONVERT_TZ(TIMESTAMP'3001-01-19 00:00:00', '+00:00', '+01:00') b;
-- text of DATE_ADD is a date where a TIME is needed, with a time or without one
SELECT MINUTE('2020-01-01' + INTERVAL 1 DAY) a, HOUR('2020-01-01' + INTERVAL 1 HOUR) b, SECOND(TIMESTAMPADD(DAY, 1, '2020-01-01')) c, TIME_TO_SEC(DATE_ADD('2020-01-01', INTERVAL 1 MONTH)) d, MICROSECOND('2020-01-01' + INTERVAL 1 MICROSECOND) e;
SELECT TIME_FORMAT('2020-01-01' + INTERVAL 1 DAY, '%H:%i:%s') a, CAST('2020-01-01' + INTERVAL 1 DAY AS TIME) b, CAST('2020-01-01' - INTERVAL 1 SECOND AS TIME(3)) c, MINUTE('2020-01-01') d;
--! differs TIME() of text has six digits
--! mysql the decimals of TIME
SELECT TIME('2020-01-01' + INTERVAL 1 DAY) a, TIME('2020-01-01' + INTERVAL 61 SECOND) b;
SELECT ADDTIME('2020-01-01' + INTERVAL 1 DAY, '1:0:0') a, SUBTIME('2020-01-01' + INTERVAL 1 DAY, '1:0:0') b;
--! ours MariaDB warns that what stands for the time is none
--! mysql the newer one reads a date as a date and not as a time
SELECT ADDTIME('10:00:00', '2020-01-01' + INTERVAL 1 DAY) a, TIMESTAMP('2020-01-01', '2020-01-01' + INTERVAL 1 DAY) b;
--! end
--! ours TIMEDIFF of text has six digits
--! mysql the decimals of TIMEDIFF
SELECT TIMEDIFF('2020-01-01' + INTERVAL 1 DAY, '2020-01-01' + INTERVAL 2 DAY) a, TIMEDIFF('2020-01-01' + INTERVAL 1 DAY, '01:00:00') b;
--! end
SELECT EXTRACT(MINUTE FROM '2020-01-01' + INTERVAL 1 DAY) a, EXTRACT(HOUR_SECOND FROM '2020-01-01' + INTERVAL 1 MINUTE) b, EXTRACT(DAY_HOUR FROM '2020-01-01' + INTERVAL 1 DAY) c, EXTRACT(DAY FROM '2020-01-01' + INTERVAL 1 DAY) d;
--! differs a TIME is compared with text as text
SELECT TIME'00:00:00' = '2020-01-01' + INTERVAL 1 DAY a, TIME'00:20:20' = '2020-01-01' + INTERVAL 1 DAY b, TIME'00:20:20' IN ('2020-01-01' + INTERVAL 1 DAY) c, '2020-01-01' + INTERVAL 1 DAY BETWEEN TIME'00:00:00' AND TIME'00:20:21' d;
-- GREATEST and LEAST of a date and text are the date as a number
SELECT GREATEST('1999-12-31', TIMESTAMP'2010-10-10 10:10:10') + 0 a, GREATEST('1999-12-31', DATE'2010-10-10') + 0 b, GREATEST('2019-12-31', DATE'2010-10-10') * 1 c, GREATEST('2019-12-31 01:01:01', DATE'2010-10-10') + 0 d, LEAST('2019-12-31 01:01:01', DATE'2010-10-10') + 0 e;
--! differs the number of the text is a DOUBLE, which has no fixed number of digits
SELECT LEAST('2019-12-31 01:01:01.5', TIMESTAMP'2020-10-10 01:01:01.123') + 0 a;
--! ours MariaDB warns that 2020 is no date
SELECT GREATEST('1999-12-31', DATE'2010-10-10') > 2020 a;
--! end
SELECT GREATEST('1999-12-31', DATE'2010-10-10') = 20101010 b, SUM(GREATEST('1999-12-31', DATE'2010-10-10')) c, CAST(GREATEST('1999-12-31', DATE'2010-10-10') AS SIGNED) d, CAST(LEAST('1999-12-31', DATE'2010-10-10') AS DECIMAL(30,2)) e, GREATEST(NULL, '1999-12-31', DATE'2010-10-10') + 0 f;
--! differs text that is no date is NULL; MariaDB takes the zero date
--! mysql text that is no date beside one in GREATEST
SELECT GREATEST('x', TIMESTAMP'2010-10-10 10:10:10') + 0 a;
-- two texts, and a TIME with text, are text
--! differs MariaDB's TIME with text is a TIME
--! mysql GREATEST of texts with a time, as a number
SELECT GREATEST('1999-12-31', '2010-10-10') + 0 a, GREATEST('11:11:11', TIME'10:10:10') + 0 b;
CREATE TABLE t (d DATE, x DATETIME, v VARCHAR(30));
INSERT INTO t VALUES ('2020-01-01', '2020-01-01 10:11:12', '2021-02-03'), ('2022-01-01', '2022-01-01 10:11:12', '2021-02-03 04:05:06'), (NULL, NULL, '2020-01-01'), ('2020-01-01', '2020-01-01', NULL);
SELECT GREATEST(d, v) + 0 a, LEAST(v, d) + 0 b, ROUND(GREATEST(d, v)) c FROM t;
--! differs the number of the text is a DOUBLE, which has no fixed number of digits
SELECT GREATEST(x, v) + 0 a, LEAST(x, v, d) + 0 b FROM t;
SELECT MINUTE(v + INTERVAL 1 DAY) a, SECOND(v + INTERVAL 1 DAY) b FROM t;
DROP TABLE t;
-- units from DAY on read what is a time alone as a time: its days are hours
--! differs MariaDB makes days of 24 hours
SELECT EXTRACT(DAY_HOUR FROM '2 10:11:12'), EXTRACT(DAY_MINUTE FROM '10:11:12.7'), EXTRACT(DAY_MICROSECOND FROM '2 10:11:12.5'), EXTRACT(DAY_HOUR FROM '-2 10');
SELECT EXTRACT(DAY_MINUTE FROM '2019-07-02 01:02:03'), EXTRACT(DAY_SECOND FROM 20190702010203);
--! differs MariaDB gives days, and NULL
SELECT EXTRACT(DAY_SECOND FROM '999:00:00'), EXTRACT(DAY_MINUTE FROM 1.5);
