-- What a functional index cuts off of a value: 3751 and 3752, errors in strict mode.

--! ours MariaDB has no functional indexes
CREATE TABLE u (a VARCHAR(30), KEY k ((CAST(a AS SIGNED))));
INSERT INTO u VALUES ('x');
INSERT INTO u VALUES ('1'), ('2y');
INSERT IGNORE INTO u VALUES ('x'), ('3'), ('4z');
INSERT INTO u VALUES ('99999999999999999999');
UPDATE u SET a = 'y';
--! mysql it computes the index's value of the rows that it only reads, too, and warns of them
UPDATE IGNORE u SET a = 'y' WHERE a = '3';
INSERT INTO u VALUES ('7') ON DUPLICATE KEY UPDATE a = 'q';
REPLACE INTO u VALUES ('8r');
SELECT * FROM u;
CREATE TABLE v (a VARCHAR(30), KEY `k!1` ((CAST(a AS CHAR(3)))));
INSERT INTO v VALUES ('abcdef');
INSERT INTO v VALUES ('abc');
CREATE TABLE w (a VARCHAR(30), KEY k ((CAST(a AS DECIMAL(3,1)))));
INSERT INTO w VALUES ('12345');
INSERT INTO w VALUES ('1'), ('12345');
CREATE TABLE z (j JSON, KEY k ((CAST(j->>'$.a' AS UNSIGNED))), KEY l ((CAST(j->>'$.b' AS CHAR(2)))));
INSERT INTO z VALUES ('{"a": "x"}');
INSERT INTO z VALUES ('{"b": "xxx"}');
INSERT INTO z VALUES ('{"a": -1}');
CREATE TABLE d (d VARCHAR(20), KEY k ((CAST(d AS DATE))));
INSERT INTO d VALUES ('2020-13-01');
INSERT INTO d VALUES ('x');
INSERT INTO d VALUES ('2020-12-01');
-- several indexes: the first one tells
CREATE TABLE t (a VARCHAR(30), UNIQUE KEY k ((CAST(a AS SIGNED))), KEY n ((CAST(a AS CHAR(3)))));
INSERT INTO t VALUES ('x');
INSERT INTO t VALUES ('12345');
INSERT IGNORE INTO t VALUES ('xyza');
SET sql_mode = '';
INSERT INTO z VALUES ('{"a": "x"}');
INSERT INTO z VALUES ('{"b": "xxx"}');
INSERT INTO w VALUES ('12345');
INSERT INTO u VALUES ('x'), ('y');
INSERT INTO v VALUES ('abcdef');
SET sql_mode = DEFAULT;
-- however many warnings are kept
SET max_error_count = 1;
INSERT INTO v VALUES ('abcdef');
SET max_error_count = DEFAULT;
SELECT COUNT(*) FROM v;
CREATE TABLE p (a VARCHAR(30));
INSERT INTO p VALUES ('x'), ('12345');
CREATE INDEX i ON p ((CAST(a AS SIGNED)));
--! mysql it says row 1 of every row but the first that an index is made for
CREATE INDEX i3 ON p ((CAST(a AS CHAR(3))));
SHOW CREATE TABLE p;
DROP TABLE u, v, w, z, d, t, p;
--! end
