-- A parameter has the type of what it stands beside (manual, "PREPARE Statement"): a text is converted to it, a number makes a date or time, integers become
-- DECIMAL and DOUBLE; other values keep their types. The newer MySQL does the same.
CREATE TABLE t (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, d DECIMAL(10,2), f DOUBLE, dt DATETIME, ts TIMESTAMP(3) NULL, da DATE, tm TIME(3), y YEAR, v VARCHAR(20));
INSERT INTO t VALUES (1,1,1,1.5,1.5,'2020-01-01','2020-01-01 10:00:00.5','2020-01-01','12:34:56',2020,'1'),
  (2,-2,18446744073709551615,-1.5,0.25,'2021-06-15 01:02:03','2021-06-15 01:02:03.25','2021-06-15','-00:00:01',1999,'abc'),(3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
--! ours in MariaDB a parameter has the type of its value
-- times and dates, in comparisons and among the results of a function
--! binary ["-00:00:01", "01:02:03.5"]
--! binary ["1:0:0", "1:00:00.0"]
SELECT id FROM t WHERE COALESCE(tm, ?) <= ? ORDER BY id;
--! types
--! binary ["10:00:00"]
--! binary [1.5]
--! binary [null]
--! binary ["abc"]
SELECT id, COALESCE(tm, ?) x FROM t ORDER BY id;
--! types
--! binary ["2020-01-01 10:00:00+05:00"]
--! binary ["2020-00-00"]
--! binary [20200101]
SELECT id, IFNULL(ts, ?) x FROM t ORDER BY id;
--! types
--! binary ["2020-02-02"]
--! binary ["2020-02-02 12:00:00"]
SELECT id, COALESCE(da, ?) x FROM t ORDER BY id;
--! binary ["2020-1-1", "2020-01-01 0:0:0"]
SELECT id, dt = ?, da = ? FROM t ORDER BY id;
--! binary ["abc"]
--! binary ["0000-00-00"]
SELECT id, da = ?, dt > '2020-01-01' x FROM t ORDER BY id;
--! binary ["2020-01-01", "2020-12-31"]
SELECT id FROM t WHERE COALESCE(dt, ts) BETWEEN ? AND ? ORDER BY id;
--! binary ["2021-6-15", "2020-1-1"]
SELECT id FROM t WHERE IF(id = 2, da, NULL) IN (?, ?) ORDER BY id;
--! binary ["2020-1-1"]
SELECT id, CASE da WHEN ? THEN 'yes' ELSE 'no' END x, NULLIF(da, '2021-06-15') n FROM t ORDER BY id;
-- numbers
--! types
--! binary ["1"]
--! binary ["1abc"]
--! binary ["1.5"]
--! binary ["99999999999999999999"]
SELECT id, COALESCE(i, ?) x FROM t ORDER BY id;
--! types
--! binary ["2", "2"]
--! binary ["2.5", "2.5"]
SELECT id, i + ? a, i * ? b FROM t ORDER BY id;
--! mysql its message names the parameter, this one its value
--! binary ["1"]
SELECT u + ? FROM t WHERE id = 2;
--! types
--! binary ["1.25"]
--! binary [2]
SELECT id, d * ? x FROM t ORDER BY id;
--! types
--! binary ["1e1x"]
SELECT id, GREATEST(f, ?) x FROM t ORDER BY id;
--! types
--! binary [1, 2, 3]
--! binary ["1", "2", "3"]
SELECT ? + ? a, -? b FROM t WHERE id = 1;
--! binary ["1x", "b"]
SELECT id FROM t WHERE COALESCE(?, ?) = id;
--! binary ["1", 2]
SELECT id, (id, i) = (?, ?) x FROM t ORDER BY id;
-- a YEAR is compared with the number that was sent, with a literal of two digits as a year
--! binary [3, "3"]
SELECT id, y >= ?, y >= ?, y >= 3 FROM t ORDER BY id;
-- text is left alone
--! binary ["1", 2]
SELECT id, COALESCE(v, ?), v = ? FROM t ORDER BY id;
PREPARE p FROM 'SELECT id, COALESCE(tm, ?) x, i + ? y FROM t ORDER BY id';
SET @a = '1:2:3', @b = '7', @c = NULL, @d = 100, @e = 1.5;
EXECUTE p USING @a, @b;
EXECUTE p USING @c, @c;
EXECUTE p USING @d, @e;
-- the types are derived again when the table has changed
PREPARE q FROM 'SELECT id, COALESCE(i, ?) x FROM t ORDER BY id';
SET @a = 'abc';
EXECUTE q USING @a;
ALTER TABLE t MODIFY i VARCHAR(10);
EXECUTE q USING @a;
-- a number for a parameter about which nothing decides: the statement is prepared again with the types of all values
--! types
--! binary [1, 2, 1, 2, 3]
SELECT ?, ?, ? + ?, ?;
--! types
--! binary [1, 2]
SELECT ? + ?;
--! end
DROP TABLE t;
