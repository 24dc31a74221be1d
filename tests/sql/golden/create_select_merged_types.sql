-- What COALESCE, IF, CASE, NULLIF, GREATEST, UNION and derived tables make of TEXT, CHAR, BINARY, BIT, YEAR, ENUM and numbers with zeros in front:
-- the types of CREATE TABLE ... SELECT, and the values that follow from them.
--! ours MariaDB has other rules of merging types
CREATE TABLE t (id INT PRIMARY KEY, i INT, ti TINYINT, iz INT(5) ZEROFILL, y YEAR, f FLOAT(7,4), du DECIMAL(6,1) UNSIGNED, ts TIMESTAMP NULL, bt BIT(10), bt2 BIT(64), c CHAR(5), bn BINARY(3), bn5 BINARY(5), tt TINYTEXT, tl TINYTEXT CHARACTER SET latin1, tx TEXT, tb TINYBLOB, bl BLOB, e ENUM('b','a'), st SET('x','y'), j JSON, k JSON, vl VARCHAR(7) CHARACTER SET latin1);
INSERT INTO t VALUES (1, -1, 5, 42, 0, 1.5, 2.5, '2024-01-02 03:04:05', 5, 6, 'cc', 'ab', 'abcd', 'tiny', 'latin', 'text', 'tb', 'blob', 'a', 'y', '9', '10', 'vl');
-- functions
CREATE TABLE a AS SELECT COALESCE(tt, tt) c1, IFNULL(tl, 'a') c2, IF(id, bl, bl) c3, COALESCE(c, c) c4, COALESCE(bn, c) c5, NULLIF(c, 'a') c6, COALESCE(bt, bt) c7, IF(id, bt, bt2) c8, NULLIF(bt, 1) c9, NULLIF(y, 1) c10, NULLIF(iz, 1) c11, COALESCE(iz, 1) c12, NULLIF(ts, '2000-01-01') c13, GREATEST(j, k) c14, CASE id WHEN 1 THEN tx END c15 FROM t;
SHOW CREATE TABLE a;
SELECT c7, c8, c9, c10, c11, c12, c13, c14 FROM a;
-- of a derived table
CREATE TABLE b AS SELECT * FROM (SELECT COALESCE(tt, tt) c1, IFNULL(tl, 'a') c2, IF(id, bl, bl) c3, COALESCE(c, c) c4, COALESCE(bn, c) c5, NULLIF(c, 'a') c6, NULLIF(y, 1) c10, NULLIF(iz, 1) c11, COALESCE(iz, 1) c12, NULLIF(ts, '2000-01-01') c13, NULLIF(i, 1) c14, NULLIF(ti, 1) c15, LAG(y) OVER (ORDER BY id) c16, MIN(i) OVER () c17 FROM t LIMIT 1) d;
SHOW CREATE TABLE b;
CREATE TABLE b2 AS SELECT * FROM (SELECT NULLIF(y, 1) c10, NULLIF(iz, 1) c11, COALESCE(tt, tt) c12, vl FROM t) d;
SHOW CREATE TABLE b2;
CREATE TABLE b3 AS SELECT MIN(x) m FROM (SELECT 1 x FROM t LIMIT 1) d GROUP BY x;
SHOW CREATE TABLE b3;
-- of UNION
CREATE TABLE u AS SELECT tt c1, tl c2, tb c3, COALESCE(tt, 'a') c4, c c5, c c6, bn c7, e c8, st c9, NULLIF(ts, '2000-01-01') c10, y c11 FROM t UNION ALL SELECT tt, NULL, tb, 'b', NULL, 1, bn5, NULL, NULL, NULL, NULL FROM t;
SHOW CREATE TABLE u;
SELECT c6, HEX(c7), c8, c8 + 0, c9 + 0 FROM u;
-- values
SELECT COALESCE(y, y), CONCAT(COALESCE(y, y)), NULLIF(iz, 1), COALESCE(iz, iz), CONCAT(COALESCE(iz, iz)) FROM t;
SELECT y1, CONCAT(y1), z1, CONCAT(z1) FROM (SELECT COALESCE(y, y) y1, NULLIF(iz, 1) z1 FROM t LIMIT 1) d;
SELECT y, CONCAT(y), iz, CONCAT(iz) FROM (SELECT y, iz FROM t LIMIT 1) d;
SELECT HEX(x) FROM (SELECT bn x FROM t UNION SELECT bn5 FROM t UNION SELECT c FROM t) d;
SELECT e + 0, st + 0 FROM (SELECT e, st FROM t UNION SELECT NULL, NULL) d;
SELECT GREATEST(j, k), LEAST(j, k) FROM t;
-- digits that a quotient has beyond its type are not missed
CREATE TABLE q (x DECIMAL(14,4));
INSERT INTO q VALUES (1/3), (2/3 + 0), (0.33333);
INSERT INTO q SELECT 1/3;
CREATE TABLE q2 AS SELECT i/3 x FROM t;
SELECT * FROM q2;
-- system variables, deprecated types, dates without a default
CREATE TABLE v AS SELECT @@sql_mode x;
SHOW CREATE TABLE v;
CREATE TABLE w AS SELECT f, du, iz FROM t;
CREATE TABLE w2 AS SELECT SUM(f) s, AVG(f) a FROM t;
SHOW CREATE TABLE w2;
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE z AS SELECT TIMESTAMP'2024-01-01 00:00:00' x;
SHOW CREATE TABLE z;
SET sql_mode = 'NO_ZERO_DATE';
CREATE TABLE z2 AS SELECT TIMESTAMP'2024-01-01 00:00:00' x;
SHOW CREATE TABLE z2;
-- columns of views
SET sql_mode = DEFAULT;
CREATE VIEW vw AS SELECT IFNULL(y, y) a, NULLIF(y, 1) b, 1 f, i + 1 g, tt h, COALESCE(tt, tt) j, NULLIF(i, 1) k, COALESCE(c, c) l, COALESCE(ti, ti) m FROM t;
DESCRIBE vw;
CREATE VIEW vw2 AS SELECT MAX(y) a, MIN(c) b, MAX(i) c, MAX(NULLIF(i, 1)) d, MAX(COALESCE(y, y)) e FROM t;
DESCRIBE vw2;
CREATE TABLE y AS SELECT IFNULL(y, y) a, (SELECT COALESCE(y, y) FROM t LIMIT 1) b FROM t;
SHOW CREATE TABLE y;
