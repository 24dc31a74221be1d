-- FLOAT(M,D) and DOUBLE(M,D) together: room for the digits of each before and behind the point, so that the columns made of them take their values.
--! ours 1681 is not given here for columns that a query makes; MariaDB shows other lengths
CREATE TABLE s (a DOUBLE(10,9), b DOUBLE(10,1), f FLOAT(7,4), g FLOAT(8,1), u DOUBLE(5,2) UNSIGNED);
INSERT INTO s VALUES (1.23, 100000000, 123.4567, 1234567.8, 123.45);
CREATE TABLE t1 SELECT COALESCE(a, b) x1, IF(0, a, b) x2, IFNULL(b, a) x3, CASE WHEN 0 THEN a ELSE b END x4, GREATEST(a, b) x5, COALESCE(f, g) x6, IFNULL(g, f) x7, COALESCE(u, b) x8, COALESCE(f, b) x9, LEAST(f, g) x10 FROM s;
SHOW CREATE TABLE t1;
SELECT * FROM t1;
CREATE TABLE t2 SELECT a FROM s UNION SELECT b FROM s;
SHOW CREATE TABLE t2;
SELECT * FROM t2;
CREATE TABLE t3 SELECT f FROM s UNION ALL SELECT g FROM s;
SHOW CREATE TABLE t3;
SELECT * FROM t3;
CREATE TABLE t4 SELECT u FROM s UNION ALL SELECT b FROM s;
SHOW CREATE TABLE t4;
SELECT * FROM t4;
CREATE TABLE t5 SELECT LAG(a, 1, b) OVER () x, FIRST_VALUE(b) OVER () y FROM s;
SHOW CREATE TABLE t5;
SELECT * FROM t5;
--! end
