-- GREATEST and LEAST of texts of which one is a date compare dates and give the date's text; what is no date is the zero date
SELECT GREATEST(DATE'2020-01-01', '2020-1-2') a, LEAST(DATE'2020-01-01', '20190102') b, GREATEST(DATE'2020-01-01', 20200102) c, GREATEST('95-05-05', DATE'10-10-10') d;
SELECT LEAST(TIMESTAMP'2020-01-01 00:00:01', '2020-01-01') a, GREATEST(TIMESTAMP'2020-01-01 00:00:01', '2020-01-01 00:00:02.5') b, GREATEST(TIMESTAMP'2020-01-01 00:00:00.123', '2019-1-1') c, GREATEST(TIMESTAMP'2020-01-01 00:00:00', 20200301101112.5) d;
CREATE TABLE t (d DATE, dt DATETIME, v VARCHAR(20));
INSERT INTO t VALUES ('2020-01-01', '2020-01-01', '2020-1-1'), ('2020-01-01', '2020-01-01 10:00:00', '2020-1-2'), ('2020-01-01', NULL, NULL);
SELECT GREATEST(d, v) a, LEAST(v, d) b, GREATEST(dt, v) c, LEAST(dt, v) e, GREATEST(DATE'2019-01-01', v) f, GREATEST(d, CONCAT('2021-', '1-1')) g FROM t;
SELECT d FROM t WHERE GREATEST(d, v) = '2020-01-01';
SELECT MAX(GREATEST(d, v)) a, COUNT(DISTINCT LEAST(d, v)) b FROM t;
SELECT GREATEST(dt, TIME'10:00:00', '2099-1-1') a FROM t LIMIT 1;
--! differs MariaDB's is a date
--! mysql takes what is no date for the greatest, 16383-15-31, beside a DATE
SELECT GREATEST(DATE'2020-01-01', 'abc') a, LEAST(DATE'2020-01-01', 'abc') b;
CREATE TABLE w SELECT GREATEST(d, v) a, GREATEST(dt, v) b FROM t;
--! differs MariaDB's is a date
SHOW COLUMNS FROM w;
DROP TABLE w;
-- CASE compares a text with dates as texts
--! differs MariaDB compares dates
SELECT CASE v WHEN d THEN 1 ELSE 0 END a, CASE d WHEN v THEN 1 ELSE 0 END b, CASE '2020-1-1' WHEN d THEN 1 ELSE 0 END c, CASE '2020-01-01' WHEN d THEN 1 ELSE 0 END e, CASE v WHEN 'x' THEN 2 WHEN d THEN 1 ELSE 0 END f FROM t;
--! differs MariaDB compares times
SELECT CASE '10:00' WHEN TIME'10:00:00' THEN 1 ELSE 0 END a, CASE TIME'10:00:00' WHEN '10:00' THEN 1 ELSE 0 END b;
-- FIELD compares texts unless a number is among them
SELECT FIELD(DATE'2020-01-01', '2020-01-01') a, FIELD(TIME'10:00', '10:00', '10:00:00') b, FIELD(DATE'2020-01-01', 20200101) c, FIELD(TIMESTAMP'2020-01-01 00:00:00', DATE'2020-01-01') e;
-- a constant that is no date is none of a list, no error
SELECT 'abc' IN (DATE'2020-01-01', '2020-01-01') a;
-- IF and CASE are the number of the result that they choose
--! differs MariaDB's is that of the text
SELECT IF(1, DATE'2020-01-01', 'abc') + 0 a, CASE WHEN 1 THEN TIME'10:00:00' ELSE 'abc' END + 0 b, IF(0, DATE'2020-01-01', '12') + 0 c, CAST(IF(1, DATE'2020-01-01', 'abc') AS SIGNED) e, IF(1, DATE'2020-01-01', 'abc') = 20200101 f;
DROP TABLE t;
-- texts that are known when the statement is planned have the digits that are written
SELECT TIMEDIFF(CONCAT('10:00:00'), '09:00:00') a, TIMEDIFF(IFNULL('10:00:00.5', 'x'), '09:00:00') b, TIMEDIFF(IF(1, '10:00:00', 'x'), '09:00:00') c, TIMESTAMP(CONCAT('2020-01-01', ' 10:00:00.25')) d, TIME(UPPER('10:00:00.12')) e, UNIX_TIMESTAMP(CONCAT('2020-01-01 10:00:00')) f, CONVERT_TZ(COALESCE(NULL, '2020-01-01 10:00:00'), '+00:00', '+01:00') g;
--! differs MariaDB's is NULL
SELECT UNIX_TIMESTAMP('10:04:58') + 1 a, UNIX_TIMESTAMP('abc') b;
