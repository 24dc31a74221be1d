-- GROUP BY and DISTINCT in the order of ORDER BY: an index gives groups in that order, and LIMIT ends the reading.
CREATE TABLE n (i INT PRIMARY KEY);
INSERT INTO n WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 99) SELECT i FROM r;
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT NOT NULL, amt DECIMAL(8,2), KEY (a, b), KEY (b));
INSERT INTO t SELECT x.i * 100 + y.i, NULLIF((x.i * 7 + y.i) % 50, 49), y.i % 10, x.i + y.i / 4 FROM n x, n y WHERE x.i < 50;
CREATE TABLE u (id INT PRIMARY KEY, t_id INT NOT NULL, KEY (t_id));
INSERT INTO u SELECT i, i * 3 FROM n;
ANALYZE TABLE t, u;
SELECT a, COUNT(*), MAX(amt) FROM t GROUP BY a ORDER BY a LIMIT 4;
SELECT a, COUNT(*), MAX(amt) FROM t GROUP BY a ORDER BY a DESC LIMIT 4;
SELECT a, b, COUNT(*) FROM t GROUP BY b, a ORDER BY a DESC, b DESC LIMIT 3, 3;
SELECT a, COUNT(*) FROM t WHERE b <> 3 GROUP BY a HAVING COUNT(*) > 80 ORDER BY a LIMIT 3;
SELECT a, COUNT(*) c FROM t GROUP BY a ORDER BY c DESC, a LIMIT 2;
SELECT t.id, COUNT(u.id) FROM t LEFT JOIN u ON u.t_id = t.id GROUP BY t.id ORDER BY t.id LIMIT 5;
--! differs MariaDB does not see that t.id determines t.a
SELECT t.id, t.a, COUNT(u.id) FROM t LEFT JOIN u ON u.t_id = t.id GROUP BY t.id ORDER BY t.id DESC LIMIT 2;
SELECT DISTINCT a FROM t WHERE amt > 20 ORDER BY a LIMIT 3;
SELECT DISTINCT a, b FROM t ORDER BY a, b LIMIT 3;
SELECT DISTINCT b, a FROM t ORDER BY a DESC, b DESC LIMIT 3;
SELECT SQL_CALC_FOUND_ROWS a, COUNT(*) FROM t GROUP BY a ORDER BY a LIMIT 1;
SELECT FOUND_ROWS();
--! ours MariaDB has other names for these counters and other plans
FLUSH STATUS;
SELECT a, COUNT(*), MAX(amt) FROM t GROUP BY a ORDER BY a LIMIT 1;
SELECT IF(VARIABLE_VALUE < 250, 'one group', VARIABLE_VALUE) few FROM performance_schema.session_status WHERE VARIABLE_NAME = 'Handler_read_next';
FLUSH STATUS;
SELECT t.id, COUNT(u.id) FROM t LEFT JOIN u ON u.t_id = t.id GROUP BY t.id ORDER BY t.id LIMIT 1;
SELECT IF(SUM(VARIABLE_VALUE) < 1000, 'one group', SUM(VARIABLE_VALUE)) few FROM performance_schema.session_status WHERE VARIABLE_NAME IN ('Handler_read_next', 'Handler_read_rnd_next');
--! end
