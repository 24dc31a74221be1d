-- _rowid is the integer column that is the primary key, or the first UNIQUE key that cannot be NULL
CREATE TABLE r1 (k INT PRIMARY KEY, v INT);
CREATE TABLE r2 (v INT, k INT NOT NULL, UNIQUE KEY (k));
CREATE TABLE r3 (a INT, b INT, PRIMARY KEY (a, b), UNIQUE KEY (b));
CREATE TABLE r4 (a VARCHAR(5) PRIMARY KEY);
CREATE TABLE r5 (_rowid INT, k INT PRIMARY KEY);
INSERT INTO r1 VALUES (7,1);
INSERT INTO r2 VALUES (1,8);
INSERT INTO r5 VALUES (1,2);
SELECT _rowid, r1._rowid, v FROM r1;
SELECT x._ROWID FROM r2 x WHERE _rowid > 3 ORDER BY _rowid;
SELECT _rowid FROM r3;
SELECT _rowid FROM r4;
SELECT _rowid FROM r5;
SELECT _rowid FROM r1, r2;
SELECT r1._rowid, r2._rowid FROM r1, r2;
SELECT _rowid FROM r1, r3;
UPDATE r1 SET v = 5 WHERE _rowid = 7;
SELECT * FROM r1;
SELECT d._rowid FROM (SELECT * FROM r1) d;
CREATE TEMPORARY TABLE tmp (a INT);
--! differs MariaDB reads it twice
SELECT * FROM tmp, tmp t2;
--! differs MariaDB takes it
SET @`a ` = 1;
