-- Multi-valued indexes. Expectations: MySQL 8.4's manual, "Multi-Valued Indexes" (CREATE INDEX), and a real MySQL.
--! ours MariaDB has none
CREATE TABLE t (id INT PRIMARY KEY, j JSON, KEY i1 ((CAST(j->'$.a' AS UNSIGNED ARRAY))));
SHOW CREATE TABLE t;
SHOW INDEX FROM t;
SELECT INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME, COLLATION, NULLABLE, EXPRESSION FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND INDEX_NAME = 'i1';
SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 't';
-- what may be in it
INSERT INTO t VALUES (1, '{"a": [1, 2, "3", 4.4, 4.5, true]}');
INSERT INTO t VALUES (2, '{"a": [1.5]}'), (3, '{"a": [2.5e0, 3.5e0]}'), (5, '{"a": [1e-30]}'), (6, '{"a": ["12"]}'), (7, '{"a": [" 12"]}');
INSERT INTO t VALUES (8, '{"a": []}'), (9, '{}'), (10, NULL), (11, '{"a": 7}');
INSERT INTO t VALUES (20, '{"a": ["x"]}');
INSERT INTO t VALUES (20, '{"a": [null]}');
INSERT INTO t VALUES (20, '{"a": null}');
INSERT INTO t VALUES (20, '{"a": [[1]]}');
INSERT INTO t VALUES (20, '{"a": [{"x": 1}]}');
INSERT INTO t VALUES (20, '{"a": {"x": 1}}');
INSERT INTO t VALUES (20, '{"a": true}');
INSERT INTO t VALUES (20, '{"a": [-1]}');
INSERT INTO t VALUES (20, '{"a": [1e30]}');
INSERT INTO t VALUES (20, '{"a": ["12abc"]}');
INSERT INTO t VALUES (20, '{"a": ["2.7"]}');
INSERT INTO t VALUES (21, '{"a": [1]}'), (22, '{"a": ["x"]}');
UPDATE t SET j = '{"a": [-5]}' WHERE id = 1;
-- errors all the same where a column would make do
INSERT IGNORE INTO t VALUES (20, '{"a": ["zz", 3]}');
SET sql_mode = '';
INSERT INTO t VALUES (20, '{"a": [-3, 3]}');
SET sql_mode = DEFAULT;
SELECT * FROM t ORDER BY id;
-- lookups: the index finds what the condition itself finds
--! mysql compares with the converted elements where there is an index
SELECT id FROM t WHERE 3 MEMBER OF (j->'$.a');
--! mysql compares with the converted elements where there is an index
SELECT id FROM t WHERE 12 MEMBER OF (j->'$.a');
SELECT id FROM t WHERE '12' MEMBER OF (j->'$.a');
SELECT id FROM t WHERE 1 MEMBER OF (j->'$.a');
SELECT id FROM t WHERE 7 MEMBER OF (j->'$.a');
SELECT id FROM t WHERE 4.4 MEMBER OF (j->'$.a');
SELECT id FROM t WHERE NULL MEMBER OF (j->'$.a');
SELECT id FROM t WHERE 'x' MEMBER OF (j->'$.a');
SELECT id FROM t WHERE -1 MEMBER OF (j->'$.a');
SELECT id FROM t WHERE CAST('[1]' AS JSON) MEMBER OF (j->'$.a');
--! sorted
SELECT id FROM t WHERE JSON_CONTAINS(j->'$.a', '[1, 2]');
--! sorted
--! mysql compares with the converted elements where there is an index
SELECT id FROM t WHERE JSON_CONTAINS(j->'$.a', '2');
--! sorted
--! mysql compares with the converted elements where there is an index
SELECT id FROM t WHERE JSON_CONTAINS(j->'$.a', '[]');
--! sorted
--! mysql compares with the converted elements where there is an index
SELECT id FROM t WHERE JSON_OVERLAPS(j->'$.a', '[1, 2, 7, 100]');
--! sorted
SELECT id FROM t WHERE JSON_OVERLAPS('[7, 1]', j->'$.a');
SELECT id FROM t WHERE JSON_OVERLAPS(j->'$.a', '[]');
SELECT id FROM t WHERE JSON_CONTAINS(j->'$.a', '[1');
SELECT COUNT(*) FROM t;
SELECT COUNT(*) FROM t FORCE INDEX (i1);
SELECT COUNT(*) FROM t FORCE INDEX (i1) WHERE id > 0;
SELECT COUNT(*) FROM t WHERE NOT (1 MEMBER OF (j->'$.a'));
SELECT COUNT(*) FROM t WHERE j->'$.a' = 7;
--! mysql compares with the converted elements where there is an index
SELECT id FROM t WHERE 2 MEMBER OF (j->'$.a') OR id = 6 ORDER BY id;
CHECK TABLE t;
-- one of many
CREATE TABLE n (id INT PRIMARY KEY AUTO_INCREMENT, x INT, j JSON, KEY k ((CAST(j AS UNSIGNED ARRAY))), KEY xk (x, (CAST(j AS UNSIGNED ARRAY))), KEY x (x));
INSERT INTO n (x, j) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 400) SELECT i % 5, JSON_ARRAY(i, i + 1, i % 3) FROM s;
ANALYZE TABLE n;
--! mysql shows costs of its own
EXPLAIN SELECT * FROM n WHERE 200 MEMBER OF (j);
--! mysql shows its own estimates and order of hints
EXPLAIN SELECT * FROM n IGNORE INDEX (k, xk) WHERE 200 MEMBER OF (j);
--! mysql counts ranges otherwise
EXPLAIN SELECT * FROM n WHERE JSON_OVERLAPS(j, '[200, 300]');
--! mysql counts ranges otherwise
EXPLAIN SELECT * FROM n WHERE JSON_CONTAINS(j, '[200, 201]');
--! mysql shows costs of its own
EXPLAIN SELECT * FROM n WHERE x = 3 AND 2 MEMBER OF (j);
SELECT id, j FROM n WHERE 200 MEMBER OF (j) ORDER BY id;
SELECT id, j FROM n WHERE JSON_OVERLAPS(j, '[200, 201, 300]') ORDER BY id;
SELECT id, j FROM n WHERE JSON_CONTAINS(j, '[200, 201]') ORDER BY id;
SELECT id, j FROM n WHERE x = 3 AND 100 MEMBER OF (j) ORDER BY id;
SELECT COUNT(*), SUM(id) FROM n WHERE 2 MEMBER OF (j);
SELECT COUNT(*), SUM(id) FROM n IGNORE INDEX (k, xk) WHERE 2 MEMBER OF (j);
SELECT id FROM n WHERE 200 MEMBER OF (j) OR JSON_OVERLAPS(j, '[10, 11]') OR id = 399 ORDER BY id;
SELECT id FROM n WHERE (x = 3 OR x = 4) AND 100 MEMBER OF (j) ORDER BY id;
SELECT id FROM n WHERE 200 MEMBER OF (j) ORDER BY id DESC LIMIT 1;
SELECT a.id, b.id FROM n a JOIN n b ON a.id + 10 MEMBER OF (b.j) WHERE a.id IN (100, 101) ORDER BY a.id, b.id;
SELECT id FROM n WHERE 200 MEMBER OF (j) FOR UPDATE;
UPDATE n SET j = JSON_ARRAY_APPEND(j, '$', 5000) WHERE 200 MEMBER OF (j);
SELECT id, j FROM n WHERE 5000 MEMBER OF (j) ORDER BY id;
UPDATE n SET j = JSON_ARRAY(6000) WHERE JSON_OVERLAPS(j, '[200, 5000, 201]');
SELECT id, j FROM n WHERE 6000 MEMBER OF (j) ORDER BY id;
DELETE FROM n WHERE JSON_OVERLAPS(j, '[300, 301]');
SELECT COUNT(*) FROM n;
CHECK TABLE n;
--! mysql a string as parameter is an integer there
--! binary [20]
--! binary ["20"]
--! binary [null]
--! binary [7.5]
SELECT id FROM n WHERE ? MEMBER OF (j) ORDER BY id;
--! binary ["[20, 30]"]
--! binary ["[]"]
--! binary ["[9999]"]
SELECT id FROM n WHERE JSON_OVERLAPS(j, ?) ORDER BY id;
--! binary ["[20, 21]"]
--! binary ["22"]
SELECT id FROM n WHERE JSON_CONTAINS(j, ?) ORDER BY id;
--! binary ["[]"]
SELECT COUNT(*) FROM n WHERE JSON_CONTAINS(j, ?);
-- unique
CREATE TABLE u (id INT PRIMARY KEY, j JSON, UNIQUE KEY i1 ((CAST(j->'$.a' AS UNSIGNED ARRAY))));
INSERT INTO u VALUES (1, '{"a": [99, 77]}');
INSERT INTO u VALUES (2, '{"a": [5, 77]}');
INSERT INTO u VALUES (2, '{"a": 77}');
INSERT INTO u VALUES (3, '{"a": [3, 3]}'), (4, '{"b": 1}'), (5, '{"b": 1}'), (6, '{"a": []}'), (7, '{"a": []}');
INSERT IGNORE INTO u VALUES (8, '{"a": [1, 2, 3]}');
--! mysql 9.7 does not find the row in the way
INSERT INTO u VALUES (8, '{"a": [99, 100]}') ON DUPLICATE KEY UPDATE j = '{"a": [1000]}';
--! mysql 9.7 does not find the row in the way
SELECT * FROM u ORDER BY id;
UPDATE u SET j = '{"a": [3, 2000]}' WHERE id = 1;
UPDATE u SET j = '{"a": [1000, 2000]}' WHERE id = 1;
--! mysql gives 1062 where more than one row is in the way
REPLACE INTO u VALUES (9, '{"a": [2000, 3]}');
--! mysql 9.7 does not find the row in the way
SELECT * FROM u ORDER BY id;
--! mysql 9.7 does not find the row in the way
SELECT id FROM u WHERE 2000 MEMBER OF (j->'$.a');
CHECK TABLE u;
CREATE TABLE u2 (a INT, j JSON, UNIQUE KEY k (a, (CAST(j AS UNSIGNED ARRAY))));
INSERT INTO u2 VALUES (1, '[1, 2]'), (2, '[1]'), (NULL, '[1]'), (NULL, '[1]');
INSERT INTO u2 VALUES (1, '[2, 3]');
ALTER TABLE u2 ADD UNIQUE KEY l ((CAST(j AS SIGNED ARRAY)));
-- types
CREATE TABLE c (id INT PRIMARY KEY, j JSON, UNIQUE KEY i1 ((CAST(j AS CHAR(5) ARRAY))));
INSERT INTO c VALUES (1, '["abc", "abcdef"]');
INSERT INTO c VALUES (2, '["abc", 12, 1.0, 1.50, 1e0, true]');
INSERT INTO c VALUES (3, '["\u00e9", "e", "E", "e "]');
INSERT INTO c VALUES (4, '["ABC"]');
INSERT INTO c VALUES (5, '["abc"]');
SELECT id FROM c WHERE 'abc' MEMBER OF (j);
SELECT id FROM c WHERE 'ABC' MEMBER OF (j);
SELECT id FROM c WHERE 'e' MEMBER OF (j);
SELECT id FROM c WHERE 12 MEMBER OF (j);
SELECT id FROM c WHERE 1 MEMBER OF (j);
SELECT id FROM c WHERE JSON_OVERLAPS(j, '["x", "E"]');
SELECT id FROM c WHERE JSON_OVERLAPS(j, '["x", 1.5]');
SELECT id FROM c WHERE JSON_CONTAINS(j, '["abc", 12]');
--! mysql shows costs of its own
EXPLAIN SELECT id FROM c WHERE 'abc' MEMBER OF (j);
CREATE TABLE b (id INT PRIMARY KEY, j JSON, UNIQUE KEY i1 ((CAST(j AS BINARY(5) ARRAY))));
INSERT INTO b VALUES (1, '["abc", "abcdef"]');
INSERT INTO b VALUES (2, '["abc"]');
INSERT INTO b VALUES (4, '["abc"]');
SELECT id FROM b WHERE 'abc' MEMBER OF (j);
CREATE TABLE d (id INT PRIMARY KEY, j JSON, UNIQUE KEY i1 ((CAST(j AS DATE ARRAY))));
INSERT INTO d VALUES (1, '["2020-01-01", "2020-02-30"]');
INSERT INTO d VALUES (1, '["2020-01-01"]');
INSERT INTO d VALUES (2, '["20200101"]');
INSERT INTO d VALUES (3, '[20200103]');
INSERT INTO d VALUES (4, '["0000-00-00"]');
INSERT INTO d VALUES (4, '["abc"]');
INSERT INTO d SELECT 4, JSON_ARRAY(DATE'2020-01-05');
INSERT INTO d SELECT 5, JSON_ARRAY(TIMESTAMP'2020-01-06 10:10:10');
SELECT id FROM d WHERE '2020-01-01' MEMBER OF (j);
SELECT id FROM d WHERE DATE'2020-01-05' MEMBER OF (j);
--! mysql compares with the converted elements where there is an index
SELECT id FROM d WHERE DATE'2020-01-01' MEMBER OF (j);
CREATE TABLE de (id INT PRIMARY KEY, j JSON, UNIQUE KEY i1 ((CAST(j AS DECIMAL(4, 1) ARRAY))));
INSERT INTO de VALUES (1, '[1, 2.25, 2.34]');
INSERT INTO de VALUES (2, '["3.33", 4e0]');
INSERT INTO de VALUES (3, '[12345]');
INSERT INTO de VALUES (3, '["x"]');
INSERT INTO de VALUES (4, '[2.3]');
--! mysql compares with the converted elements where there is an index
SELECT id FROM de WHERE 2.25 MEMBER OF (j);
CREATE TABLE ti (id INT PRIMARY KEY, j JSON, UNIQUE KEY i1 ((CAST(j AS TIME ARRAY))), KEY i2 ((CAST(j AS DATETIME(2) ARRAY))));
INSERT INTO ti VALUES (1, '["10:11:12", "10:11:12.6"]');
DROP INDEX i2 ON ti;
INSERT INTO ti VALUES (2, '["10:11:13"]');
INSERT INTO ti VALUES (3, '["900:00:00"]');
CREATE TABLE dt (id INT PRIMARY KEY, j JSON, UNIQUE KEY i1 ((CAST(j AS DATETIME(2) ARRAY))));
INSERT INTO dt VALUES (1, '["2020-01-01", "2020-01-01 10:11:12.556"]');
INSERT INTO dt VALUES (2, '["2020-01-01 10:11:12.56"]');
INSERT INTO dt VALUES (3, '["2020-13-01 10:11:12.56"]');
SELECT id FROM dt WHERE '2020-01-01 10:11:12.556' MEMBER OF (j);
-- expressions that are no JSON
CREATE TABLE v (v VARCHAR(20), x INT, KEY k ((CAST(CONCAT(v, v) AS UNSIGNED ARRAY))), KEY l ((CAST(JSON_ARRAY(x) AS UNSIGNED ARRAY))));
INSERT INTO v VALUES ('1', 5), (NULL, 6);
INSERT INTO v VALUES ('', 1);
INSERT INTO v VALUES ('[1', 1);
SELECT x FROM v WHERE 11 MEMBER OF (CONCAT(v, v));
SELECT v FROM v WHERE 6 MEMBER OF (JSON_ARRAY(x));
CREATE TABLE v2 (n INT, KEY ((CAST(n AS UNSIGNED ARRAY))));
INSERT INTO v2 VALUES (5);
-- definitions
SELECT CAST('[1, 2, 3]' AS UNSIGNED ARRAY);
CREATE TABLE e (j JSON, g JSON AS (CAST(j AS UNSIGNED ARRAY)));
CREATE TABLE e (j JSON DEFAULT (CAST(JSON_OBJECT() AS UNSIGNED ARRAY)));
CREATE TABLE e (x INT, KEY k ((1 AND CAST(JSON_ARRAY(x) AS UNSIGNED ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(CAST(j AS UNSIGNED ARRAY) AS UNSIGNED ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS JSON ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS CHAR ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS BINARY ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS FLOAT ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS DOUBLE ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS YEAR ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS CHAR(513) ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS CHAR(0) ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS CHAR(10) CHARSET latin1 ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS CHAR(10) BINARY ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS TIME(9) ARRAY))));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS UNSIGNED ARRAY)) ASC));
CREATE TABLE e (j JSON, KEY k ((CAST(j AS UNSIGNED ARRAY)) DESC));
CREATE TABLE e (j JSON, KEY k ((CAST(j->'$.x' AS UNSIGNED ARRAY)), (CAST(j->'$.y' AS UNSIGNED ARRAY))));
CREATE TABLE e (j JSON, PRIMARY KEY ((CAST(j AS UNSIGNED ARRAY))));
CREATE TABLE w (j JSON, n INT, d DATE, KEY i1 ((CAST(j AS CHAR(10) ARRAY))), KEY i2 ((CAST(j AS BINARY(10) ARRAY))), KEY i3 ((CAST(j AS DECIMAL ARRAY))), KEY i4 ((CAST(j AS DECIMAL(5, 2) ARRAY))),
  KEY i5 ((CAST(j AS TIME(2) ARRAY))), KEY i6 ((CAST(j AS DATETIME ARRAY))), KEY i7 ((CAST(j AS DATE ARRAY))), KEY i8 ((CAST(j AS SIGNED ARRAY))), UNIQUE KEY i9 (n, (CAST(j->'$.x' AS UNSIGNED ARRAY)), d), KEY ((CAST(j->'$.u' AS UNSIGNED ARRAY))));
SHOW CREATE TABLE w;
CREATE TABLE w2 LIKE w;
SHOW INDEX FROM w2;
ALTER TABLE w RENAME INDEX i8 TO signed_ones;
INSERT INTO w (j) VALUES ('["10", 1]'), ('{"x": 1}');
ALTER TABLE w DROP COLUMN j;
ALTER TABLE w RENAME COLUMN j TO jj;
-- added to rows
CREATE TABLE a (id INT PRIMARY KEY, j JSON);
INSERT INTO a VALUES (1, '[1, 2]'), (2, '[2, 3]'), (3, 'null'), (4, '[]'), (5, NULL);
CREATE INDEX k ON a ((CAST(j AS UNSIGNED ARRAY)));
DELETE FROM a WHERE id = 3;
CREATE INDEX k ON a ((CAST(j AS UNSIGNED ARRAY)));
SELECT id FROM a WHERE 2 MEMBER OF (j) ORDER BY id;
ALTER TABLE a ADD UNIQUE INDEX uk ((CAST(j AS UNSIGNED ARRAY)));
--! mysql counts the rows it copies
ALTER TABLE a ADD COLUMN x INT, ADD INDEX xk (x, (CAST(j AS SIGNED ARRAY)));
SHOW CREATE TABLE a;
UPDATE a SET x = id;
CHECK TABLE a;
SELECT id FROM a WHERE x = 2 AND 2 MEMBER OF (j);
--! mysql counts the rows it copies
ALTER TABLE a DROP INDEX k, ALTER INDEX xk INVISIBLE;
SELECT id FROM a WHERE x = 2 AND 2 MEMBER OF (j);
DROP INDEX xk ON a;
SHOW CREATE TABLE a;
-- what goes through other indexes
SET SESSION restrict_fk_on_non_standard_key = OFF;
CREATE TABLE p (a INT, j JSON, KEY k (a, (CAST(j AS UNSIGNED ARRAY))));
--! mysql lets such a key be referenced
CREATE TABLE ch (a INT, FOREIGN KEY (a) REFERENCES p (a));
SET SESSION restrict_fk_on_non_standard_key = DEFAULT;
--! mysql lets the counter look into an index that lacks rows
CREATE TABLE ai (id INT AUTO_INCREMENT, j JSON, KEY k (id, (CAST(j AS UNSIGNED ARRAY))));
HANDLER a OPEN;
HANDLER a CLOSE;
HANDLER p OPEN;
--! mysql reads entries
HANDLER p READ k FIRST;
HANDLER p CLOSE;
-- transactions
START TRANSACTION;
UPDATE n SET j = '[777777]' WHERE id = 1;
SELECT id FROM n WHERE 777777 MEMBER OF (j);
--! on two
SELECT id FROM n WHERE 777777 MEMBER OF (j);
SELECT id FROM n WHERE 1 MEMBER OF (j) AND 2 MEMBER OF (j) ORDER BY id;
--! on a
ROLLBACK;
SELECT id FROM n WHERE 777777 MEMBER OF (j);
CHECK TABLE n, c, b, d, de, ti, dt, v, u2, a;
--! end
-- how many values a row may have, which is what fits into a page of MySQL's undo log
--! ours MariaDB has no such indexes
SET cte_max_recursion_depth = 100000;
CREATE TABLE lu (id INT PRIMARY KEY, j JSON, KEY k ((CAST(j AS UNSIGNED ARRAY))));
INSERT INTO lu WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1606) SELECT 1, JSON_ARRAYAGG(i) FROM s;
INSERT INTO lu WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1607) SELECT 2, JSON_ARRAYAGG(i) FROM s;
INSERT INTO lu WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 3000) SELECT 2, JSON_ARRAYAGG(i MOD 1000) FROM s;
INSERT IGNORE INTO lu WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1700) SELECT 2, JSON_ARRAYAGG(i) FROM s;
UPDATE lu SET j = JSON_ARRAY_APPEND(j, '$', 5000) WHERE id = 1;
SELECT id FROM lu WHERE 1606 MEMBER OF (j);
DELETE FROM lu WHERE 1606 MEMBER OF (j);
CHECK TABLE lu;
CREATE TABLE lc (id INT, n TINYINT, j JSON, PRIMARY KEY (id, n), KEY k ((CAST(j AS CHAR(10) ARRAY))));
INSERT INTO lc WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 6000) SELECT 1, 1, JSON_ARRAYAGG(RPAD(i MOD 7, 10, 'x')) FROM s;
INSERT INTO lc WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 6000) SELECT 1, 1, JSON_ARRAYAGG(CONCAT(i)) FROM s;
CREATE TABLE ln (j JSON);
INSERT INTO ln WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 3000) SELECT JSON_ARRAYAGG(i) FROM s;
ALTER TABLE ln ADD KEY k ((CAST(j AS UNSIGNED ARRAY)));
CREATE TABLE ld (id INT PRIMARY KEY, j JSON, KEY k ((CAST(j AS DATE ARRAY))));
INSERT INTO ld WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 5000) SELECT 1, JSON_ARRAYAGG(DATE'2000-01-01' + INTERVAL i DAY) FROM s;
CREATE TABLE le (id INT PRIMARY KEY, j JSON, KEY k ((CAST(j AS DECIMAL(30,2) ARRAY))));
INSERT INTO le WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 5000) SELECT 1, JSON_ARRAYAGG(i) FROM s;
CREATE TABLE lt (id INT PRIMARY KEY, j JSON, KEY k ((CAST(j AS TIME(6) ARRAY))));
INSERT INTO lt WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 5000) SELECT 1, JSON_ARRAYAGG(SEC_TO_TIME(i)) FROM s;
CREATE TABLE l2 (id INT PRIMARY KEY, j JSON, KEY k ((CAST(j AS UNSIGNED ARRAY))), KEY k3 ((CAST(j AS DATE ARRAY))));
INSERT INTO l2 WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 3000) SELECT 1, JSON_ARRAYAGG(20000101) FROM s;
DROP TABLE lu, lc, ln, ld, le, lt, l2;
--! end
