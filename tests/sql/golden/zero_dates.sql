-- IS NULL and zero dates (manual, "Comparison Functions and Operators").
SET sql_mode='';
CREATE TABLE d (a INT, d DATE NOT NULL, dt DATETIME NOT NULL, ts TIMESTAMP NOT NULL DEFAULT '2000-01-01', dn DATE, KEY (d));
SELECT a FROM d WHERE d IS NULL;
INSERT INTO d VALUES (1, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', NULL), (2, '2020-01-01', '2020-01-01', '2020-01-01', '0000-00-00');
SELECT a FROM d WHERE d IS NULL;
--! mysql MySQL takes IS NULL for the zero date only where it is a condition by itself
SELECT a, d IS NULL FROM d WHERE dt IS NULL OR a = 2 ORDER BY a;
SELECT a FROM d WHERE dt IS NULL AND a = 2;
SELECT a FROM d WHERE ts IS NULL;
SELECT a FROM d WHERE dn IS NULL;
SELECT a FROM d WHERE NOT (d IS NULL) ORDER BY a;
SELECT a FROM d WHERE d IS NOT NULL ORDER BY a;
SELECT x.a, y.a FROM d x LEFT JOIN d y ON y.a = x.a AND y.a = 2 WHERE y.d IS NULL;
SELECT x.a, y.a FROM d x LEFT JOIN d y ON y.a = x.a WHERE y.d IS NULL;
--! mysql MySQL takes IS NULL for the zero date only of a column itself
SELECT a FROM (SELECT a, d FROM d) x WHERE d IS NULL;
CREATE VIEW v AS SELECT a FROM d WHERE d IS NULL;
SELECT a FROM v;
UPDATE d SET a = 10 WHERE d IS NULL;
SELECT a FROM d WHERE a IN (SELECT a FROM d WHERE dt IS NULL);
DELETE FROM d WHERE dt IS NULL;
SELECT COUNT(*) FROM d;
