-- Constants that MySQL reads before any row: what it says of them, of empty tables too, and the errors of changes.
--! ours MariaDB converts constants otherwise, and says other things of them
CREATE TABLE t (id INT PRIMARY KEY, d DATE, dt DATETIME(3), ts TIMESTAMP NULL, tm TIME, t2 TIME(2), n DECIMAL(10,2), x DOUBLE, f FLOAT, i INT, v VARCHAR(20));
INSERT INTO t VALUES (1, '2020-01-01', '2020-01-01 10:11:12.123', '2020-01-01 10:11:12', '10:11:12', '10:11:12.34', 1.5, 1.5, 1.5, 1, 'abc'), (2, '2024-02-29', '2024-02-29', '2024-02-29', '-1:02:03', '-1:02:03.5', -2, 1e10, 2, 2, '2020-01-01'), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (4, '1000-01-01', '1000-01-01', '2000-01-01', 0, 0, 0, 0, 0, 0, '12');
CREATE TABLE e (id INT, d DATE, dt DATETIME(3), ts TIMESTAMP NULL, tm TIME, t2 TIME(2), n DECIMAL(10,2), x DOUBLE, f FLOAT, i INT);
-- text that is no date: an error of an empty table too, wherever it stands
SELECT id FROM e WHERE d = 'x';
SELECT id FROM e WHERE 'x' < dt;
SELECT id FROM e WHERE ts <=> '2020-13-01';
SELECT id FROM e WHERE d <> CONCAT('a', 'bc');
SELECT d = 'x' FROM e;
SELECT id FROM e WHERE (d, id) = ('x', 1);
SELECT id FROM e WHERE 0 AND d = 'x';
SELECT id FROM t WHERE id IN (SELECT id FROM e WHERE d = 'x');
SELECT NULLIF(d, 'x') FROM e;
SELECT id FROM t WHERE d = 'x' LIMIT 0;
SELECT id FROM e WHERE DATE(dt) = 'x';
SELECT id FROM e WHERE dt + INTERVAL 1 DAY >= 'x';
SELECT COUNT(*) FROM (SELECT d FROM e LIMIT 3) q WHERE d > 'x';
SELECT id, d FROM e GROUP BY id, d HAVING d < '1.5';
SELECT id FROM e WHERE dt = '2020-00-00';
EXPLAIN SELECT id FROM e WHERE d = 'x';
PREPARE s FROM 'SELECT id FROM e WHERE d = ''x''';
PREPARE s FROM 'SELECT id FROM e WHERE d = ''x'' AND id = ?';
-- what begins with a date is one
SELECT id FROM e WHERE d = '2020-01-01x';
SELECT id FROM t WHERE d = '2020-01-01x';
SELECT id FROM t WHERE dt <= '2020-01-01x';
SELECT id FROM t WHERE ts > '2020-01-01 10:00:00x';
SELECT id FROM t WHERE DATE(dt) = '2020-01-01x';
SELECT id FROM t WHERE d = '10:11:12';
SELECT id FROM t WHERE ts > '1969-01-01';
SELECT id, d = '2020-01-01x', d < '2020-01-01x' FROM t;
-- numbers
SELECT id FROM e WHERE d = 1.5;
SELECT id FROM t WHERE d = 20201301;
SELECT id FROM t WHERE d = 20200101.5;
SELECT id FROM t WHERE d < 20200101101112;
SELECT id FROM t WHERE dt = 20200101.5 OR ts = 1e300 OR ts = 19690101;
SELECT id FROM t WHERE d BETWEEN 20201301 AND 20201401;
SELECT id FROM t WHERE d = 0;
-- a TIME column
SELECT tm = 'x' FROM e;
SELECT id FROM t WHERE tm <> 'x' AND tm < '10:11:99';
SELECT id FROM t WHERE tm = 109999 OR tm = 1.5;
SELECT id FROM t WHERE tm BETWEEN 'x' AND 'y';
SELECT id FROM t WHERE tm = '' OR tm = '1e400';
SELECT id FROM t WHERE tm = '2020-01-01 10:11:12';
-- ... and a constant date: its time of day
SELECT id FROM t WHERE tm = TIMESTAMP'2020-01-01 10:11:12';
SELECT id, tm = DATE'2020-01-01', t2 > TIMESTAMP'2020-01-01 10:11:12.3', TIMESTAMP'2020-01-01 10:11:12.6' > tm FROM t;
SELECT id FROM t WHERE tm = CAST('2020-01-01 10:11:12' AS DATETIME);
SELECT id FROM t WHERE tm = dt;
-- lists of IN
SELECT id FROM e WHERE d IN ('x', '2020-01-01y');
SELECT id FROM t WHERE d IN ('x', '2020-01-01y');
SELECT id FROM t WHERE dt IN ('x', '2020-01-01y');
SELECT id FROM t WHERE ts NOT IN ('x', '2020-01-01y', NULL);
SELECT id FROM t WHERE tm IN ('x', '2y');
SELECT id FROM e WHERE i IN ('1x', '2x') OR x IN ('1x', '2x') OR n IN ('1x', '2x');
SELECT id FROM t WHERE i IN ('1x', '2x');
SELECT id FROM t WHERE d IN (20201301, 20201302);
SELECT id FROM t WHERE d NOT IN ('2020-01-01', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k');
-- BETWEEN and CASE read them for the rows
SELECT id FROM e WHERE d BETWEEN 'x' AND '2020-01-01';
SELECT d BETWEEN 'x' AND '2020-01-01' FROM t WHERE id = 1;
SELECT CASE dt WHEN 'x' THEN 1 END FROM t WHERE id = 1;
-- text and a DECIMAL are compared exactly
SELECT id, n = '1.50000000000000000000001', n > '1.49999999999999999999999', n + 0 = '1.50000000000000000000001' FROM t WHERE id = 1;
SELECT id FROM t WHERE n = '1.50000000000000000000001';
SELECT id FROM t WHERE n < '1x';
SELECT id FROM e WHERE n = 'x' OR x = 'x' OR f <> '1x' OR i = '2x';
SELECT id FROM t WHERE (n, id) = ('x', 4);
SELECT id, n <=> 'x', (x, id) = ('x', 4) FROM t;
SELECT n = 'x' FROM e;
SELECT id FROM t WHERE n > CONCAT('a', 'bc');
-- the condition of an outer join is not looked at before
SELECT COUNT(*) FROM e LEFT JOIN t ON t.i > 'abc';
SELECT COUNT(*) FROM t LEFT JOIN t b ON b.i > 'abc';
SELECT COUNT(*) FROM t JOIN e ON e.i > 'abc';
-- errors of changes
DELETE FROM e WHERE d = 'x';
DELETE FROM e WHERE d = '2020-01-01x';
UPDATE e SET id = 1 WHERE tm = 'x';
INSERT INTO e (id) SELECT id FROM e WHERE ts > '2020-01-01x';
DELETE FROM e WHERE n = '1x';
DELETE FROM e WHERE x = '1x';
UPDATE e SET id = 2 WHERE i > '1x';
DELETE FROM t WHERE d IN ('x', 'y');
DELETE FROM t WHERE d < 20200101.5;
DELETE FROM e WHERE d < 20200101101112;
UPDATE t SET n = 2 WHERE id = IF(d = '2020-01-01x', 9, 9);
UPDATE IGNORE t SET n = 3 WHERE d = '2020-01-01x' AND id = 9;
UPDATE IGNORE t SET n = 3 WHERE d = 'x';
SET sql_mode = '';
DELETE FROM e WHERE d = '2020-01-01x';
DELETE FROM e WHERE d = 'x';
DELETE FROM e WHERE d < 20200101101112;
UPDATE t SET dt = 101112.55, ts = 20200101.5e0 WHERE id = 4;
SET sql_mode = DEFAULT;
UPDATE t SET dt = 101112.55 WHERE id = 4;
INSERT INTO e (id, ts) VALUES (1, 20200101.5);
SELECT id, dt, ts FROM t WHERE id = 4;
-- each column without a default is named
CREATE TABLE g (id INT, a INT NOT NULL, b INT NOT NULL, c CHAR(3) NOT NULL);
INSERT INTO g (id, b) VALUES (1, 2);
SHOW WARNINGS;
INSERT INTO g (id) SELECT 1;
SHOW WARNINGS;
DELETE FROM e WHERE d = 'x';
SHOW WARNINGS;
DROP TABLE t, e, g;
--! end

--! ours MariaDB reads constants with the rows, and cuts the fraction of a date with a note
-- CREATE TABLE ... SELECT is no change yet when constants are read
create table ec_src (dt datetime(3), ts timestamp(3) null, d date, t time, i int);
create table ec_1 as select nullif(dt, 1) x from ec_src;
create table ec_2 as select nullif(ts, 1) x, d = 1 y from ec_src;
insert into ec_src values ('2001-01-01', '2001-01-01', '2001-01-01', '10:10:10', 1);
create table ec_3 as select nullif(dt, 1) x from ec_src;
select * from ec_3;
create table ec_4 as select nullif(dt, 'x') x from ec_src;
insert into ec_2 select nullif(ts, 1), d = 1 from ec_src;
create table ec_5 as select d = '2001-01-01x' y from ec_src;
-- a number below 1 has a time of day, other dates have no fraction
set sql_mode = '';
create table ec_n (id int primary key auto_increment, dt datetime(1));
insert into ec_n (dt) values (0.2), (1.5), (100.5), (101.5), (20200101.5), (200101.5), (101000000.5), (0.2e0), (20200101.5e0), (20000000.5);
select * from ec_n;
update ec_n set dt = dt + 0.1 where dt;
select * from ec_n;
set sql_mode = default;
insert into ec_n (dt) values (20200101.5);
update ec_n set dt = '2014-01-01 10:00:00.1' where id = 7;
update ec_n set dt = dt + 0.1 where id = 7;
select * from ec_n where id = 7;
--! end
