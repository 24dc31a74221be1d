-- Columns of CREATE TABLE ... SELECT by where their values come from: MIN and MAX take a column's type but no default, and NULL is no default of a
-- column that had none; values that went through groups, windows or a sort are still the functions that made them.
--! ours MariaDB has other widths and defaults
CREATE TABLE t (id INT PRIMARY KEY, i INT NOT NULL, d INT NOT NULL DEFAULT 5 COMMENT 'five', z INT(5) UNSIGNED ZEROFILL NOT NULL, f FLOAT(7,2), du DECIMAL(8,3) UNSIGNED NOT NULL, b BIT(3) NOT NULL, c CHAR(5) NOT NULL, e ENUM('a','b') NOT NULL, tx TEXT, tt TINYTEXT, y YEAR, ti TINYINT, tu TINYINT UNSIGNED);
INSERT INTO t VALUES (1, 1, 1, 1, 1.5, 1.5, 1, 'c', 'a', 'tx', 'tt', 2020, 1, 1);
CREATE TABLE a SELECT MIN(i) i, MAX(d) d, MIN(z) z, MAX(f) f, MIN(du) du, MAX(c) c, MIN(e) e, MAX(tt) tt, MIN(i + 1) x, MAX(1) y FROM t;
SHOW CREATE TABLE a;
INSERT INTO a (d) VALUES (1);
CREATE TABLE b SELECT t.i, t.d, t.c, t.e, t.b FROM (SELECT 1) q LEFT JOIN t ON TRUE;
SHOW CREATE TABLE b;
CREATE TABLE c SELECT i, d, b, c, e, z FROM (SELECT * FROM t) x;
SHOW CREATE TABLE c;
CREATE TABLE d SELECT i, b, c, z, COUNT(*) n FROM t GROUP BY id;
SHOW CREATE TABLE d;
CREATE TABLE e SELECT i DIV 2 a, ABS(i) b, i = 1 c, COUNT(*) d FROM t GROUP BY i DIV 2, ABS(i), i = 1;
SHOW CREATE TABLE e;
CREATE TABLE f SELECT ABS(i) a, ROW_NUMBER() OVER () b, -i c FROM t ORDER BY RAND();
SHOW CREATE TABLE f;
CREATE TABLE g SELECT a, b FROM (SELECT ABS(i) a, -i b FROM t) x;
SHOW CREATE TABLE g;
CREATE TABLE h SELECT ti, c, tt, COUNT(*) n FROM t GROUP BY ti, c, tt WITH ROLLUP;
SHOW CREATE TABLE h;
--! mysql the order of the warnings: those of the query come first there
CREATE TABLE j SELECT COALESCE(f, f) a, COALESCE(du, du) b, IFNULL(ti, tu) c, SUM(i + 1) d, SUM(1) e, AVG(CEIL(du)) f FROM t GROUP BY f, du, ti, tu;
SHOW CREATE TABLE j;
CREATE TABLE k SELECT f, du, tx, ti FROM t UNION ALL SELECT f, du, tx, tu FROM t;
SHOW CREATE TABLE k;
CREATE TABLE l SELECT NULLIF(tx, 'a') a, (SELECT tx FROM t LIMIT 1) c, (SELECT tt FROM t LIMIT 1) d, FIRST_VALUE(tx) OVER () e FROM t;
SHOW CREATE TABLE l;
CREATE TABLE m SELECT 99999999 a, 999999999 b, CONCAT(1) c, 1 UNION SELECT 1, 1, 'a', 'a';
SHOW CREATE TABLE m;
CREATE TABLE n (KEY (a)) SELECT MAX(d) a FROM t GROUP BY e;
SHOW CREATE TABLE n;
-- digits that integers of functions need beside a DECIMAL
SELECT COALESCE(TO_DAYS('9999-12-31'), 1.5) a, COALESCE(HOUR('838:59:59'), 1.5) b, COALESCE(ASCII('z'), 1.5) c, COALESCE(-(-9999), 1.5) d, COALESCE(DAYOFYEAR('2020-12-31'), 1.5) e, COALESCE(QUARTER('2020-12-31'), 1.5) f, COALESCE(~0, 1.5) g, COALESCE(YEARWEEK('9999-12-31'), 1.5) h;
CREATE TABLE o SELECT COALESCE(TO_DAYS('9999-12-31'), 1.5) a, COALESCE(HOUR('838:59:59'), 1.5) b, COALESCE(LENGTH('z'), 1.5) c, COALESCE(i + 1, 1.5) d, COALESCE(i, 1) e, SUM(~i) f, COALESCE(99, 1.5) g FROM t GROUP BY i;
SHOW CREATE TABLE o;
-- YEAR() is a YEAR, and an integer where it is computed with or stored on the way
--! types
--! binary []
SELECT YEAR('2020-01-01') a, YEAR(NULL) b, YEAR('0005-01-01') c;
--! types
SELECT YEAR('2020-01-01') a, YEAR(NULL) b, YEAR('0005-01-01') c FROM t;
-- a total of ROLLUP is of no group: nothing is determined by the groups' columns
SELECT id, i FROM t GROUP BY id WITH ROLLUP;
SELECT id, id + 1 FROM t GROUP BY id WITH ROLLUP;
SELECT id FROM t GROUP BY id WITH ROLLUP ORDER BY i;
--! end
