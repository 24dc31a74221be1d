-- Stored functions in expressions.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE TABLE t (id INT PRIMARY KEY, v INT, s VARCHAR(20), KEY (v));
INSERT INTO t VALUES (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three'), (4, 40, 'four');
CREATE TABLE calls (n INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(50));
CREATE FUNCTION twice(x INT) RETURNS INT DETERMINISTIC RETURN x * 2;
SELECT twice(4), twice(NULL), test.twice(1) + 1, TWICE(3);
SELECT id, twice(v) FROM t WHERE twice(id) > 2 ORDER BY twice(-id);
SELECT twice(v) AS d, COUNT(*) FROM t GROUP BY twice(v) HAVING d > 30 ORDER BY d;
SELECT twice();
SELECT twice(1, 2);
SELECT nofun(1);
SELECT test.nofun(1);
SELECT nodb.f(1);
-- control flow, local SELECTs
CREATE FUNCTION fact(n INT) RETURNS BIGINT DETERMINISTIC BEGIN DECLARE r BIGINT DEFAULT 1; WHILE n > 1 DO SET r = r * n; SET n = n - 1; END WHILE; RETURN r; END;
SELECT fact(5), fact(10), fact(0);
CREATE FUNCTION vof(k INT) RETURNS INT READS SQL DATA BEGIN DECLARE r INT; SELECT v INTO r FROM t WHERE id = k; RETURN r; END;
SELECT vof(2), vof(99);
SELECT id, vof(id) FROM t ORDER BY id;
SELECT (SELECT vof(t.id)) FROM t ORDER BY id;
SELECT * FROM t WHERE v = vof(3);
UPDATE t SET s = CONCAT(s, twice(id)) WHERE id = vof(1) / 10;
SELECT s FROM t WHERE id = 1;
INSERT INTO t VALUES (twice(5), twice(6), twice(7));
SELECT * FROM t WHERE id = 10;
DELETE FROM t WHERE id = twice(5);
-- types of results
CREATE FUNCTION ftext(a VARCHAR(10)) RETURNS VARCHAR(5) CHARSET latin1 DETERMINISTIC RETURN CONCAT(a, '!');
--! types
SELECT ftext('abc'), twice(1), fact(1);
SELECT ftext('abcdef');
SELECT CHARSET(ftext('a')), COLLATION(ftext('a')), COERCIBILITY(ftext('a'));
CREATE FUNCTION fdec() RETURNS DECIMAL(5,2) DETERMINISTIC RETURN 1.005;
SELECT fdec();
CREATE FUNCTION ftiny() RETURNS TINYINT DETERMINISTIC RETURN 1000;
SELECT ftiny();
CREATE FUNCTION fdate() RETURNS DATE DETERMINISTIC RETURN '2024-02-30';
SELECT fdate();
CREATE FUNCTION fenum(x INT) RETURNS ENUM('a','b') DETERMINISTIC RETURN x;
SELECT fenum(1), fenum(2) + 0;
-- effects
CREATE FUNCTION note(x VARCHAR(50)) RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO calls (what) VALUES (x); RETURN LENGTH(x); END;
SELECT note('a'), note('bb');
SELECT what FROM calls ORDER BY n;
DELETE FROM calls;
SELECT id FROM t WHERE note(CONCAT('w', id)) > 2 ORDER BY id;
SELECT what FROM calls ORDER BY what;
-- a failing statement takes the function's changes with it
DELETE FROM calls;
UPDATE t SET v = v + IF(note(s) > 0, IF(id = 3, (SELECT id FROM t AS x), 1), 0);
SELECT COUNT(*) FROM calls;
-- an error in the function
CREATE FUNCTION ferr(x INT) RETURNS INT DETERMINISTIC BEGIN IF x > 2 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'too large'; END IF; RETURN x; END;
SELECT ferr(1);
SELECT ferr(5);
SELECT id, ferr(id) FROM t ORDER BY id;
UPDATE t SET v = 0 WHERE ferr(id) > 0;
SELECT v FROM t ORDER BY id;
-- handlers
CREATE FUNCTION fhand(k INT) RETURNS VARCHAR(30) MODIFIES SQL DATA BEGIN DECLARE EXIT HANDLER FOR 1062 RETURN 'duplicate'; INSERT INTO calls (n, what) VALUES (k, 'x'); RETURN 'new'; END;
SELECT fhand(1000), fhand(1000);
-- functions call functions, procedures
CREATE FUNCTION fouter(x INT) RETURNS INT DETERMINISTIC RETURN twice(x) + fact(3);
SELECT fouter(2);
CREATE PROCEDURE pset(IN a INT, OUT b INT) SET b = a + 100;
CREATE FUNCTION fcall(a INT) RETURNS INT DETERMINISTIC BEGIN DECLARE r INT; CALL pset(a, r); RETURN r; END;
SELECT fcall(5);
-- what ends the function without RETURN, recursion, changed tables
CREATE FUNCTION fend(x INT) RETURNS INT DETERMINISTIC BEGIN IF x > 0 THEN RETURN 1; END IF; END;
SELECT fend(1);
SELECT fend(0);
CREATE FUNCTION frec(x INT) RETURNS INT DETERMINISTIC BEGIN IF x <= 1 THEN RETURN 1; END IF; RETURN x * frec(x - 1); END;
SELECT frec(1);
SELECT frec(3);
CREATE FUNCTION fupd() RETURNS INT MODIFIES SQL DATA BEGIN UPDATE t SET v = 1; RETURN 1; END;
SELECT fupd();
SELECT fupd() FROM t;
UPDATE t SET v = fupd();
INSERT INTO t VALUES (100, fupd(), '');
-- a procedure that sends rows or commits, in a function
CREATE PROCEDURE prows() SELECT 1;
CREATE FUNCTION frows() RETURNS INT BEGIN CALL prows(); RETURN 1; END;
SELECT frows();
CREATE PROCEDURE pcommit() COMMIT;
CREATE FUNCTION fcommit() RETURNS INT BEGIN CALL pcommit(); RETURN 1; END;
SELECT fcommit();
CREATE PROCEDURE pdyn() BEGIN PREPARE s FROM 'SELECT 1'; END;
CREATE FUNCTION fdyn() RETURNS INT BEGIN CALL pdyn(); RETURN 1; END;
SELECT fdyn();
-- what is the caller's
CREATE FUNCTION fins() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO calls (what) VALUES ('i'), ('j'); RETURN ROW_COUNT(); END;
INSERT INTO calls (n, what) VALUES (5000, 'base');
SELECT LAST_INSERT_ID(7);
SELECT fins();
SELECT LAST_INSERT_ID();
SELECT ROW_COUNT(), FOUND_ROWS();
-- generated columns, checks, defaults, indexes refuse them
CREATE TABLE g (a INT, b INT AS (twice(a)));
CREATE TABLE g (a INT, CHECK (twice(a) > 1));
CREATE TABLE g (a INT DEFAULT (twice(1)));
CREATE TABLE g (a INT, KEY ((twice(a))));
-- views
CREATE VIEW vw AS SELECT id, twice(v) AS d FROM t;
SELECT * FROM vw ORDER BY id;
DROP FUNCTION twice;
SELECT * FROM vw;
SELECT twice(1);
CREATE FUNCTION twice(x INT) RETURNS VARCHAR(10) DETERMINISTIC RETURN CONCAT('<', x, '>');
SELECT twice(1);
SELECT d FROM vw ORDER BY id LIMIT 1;
-- in SET, DO, IF, LIMIT is none
SET @x = fact(4);
SELECT @x;
DO note('do');
SELECT COUNT(*) FROM calls WHERE what = 'do';
CREATE PROCEDURE pif() BEGIN IF fact(3) = 6 THEN SELECT 'six'; END IF; END;
CALL pif();
-- prepared
PREPARE s FROM 'SELECT fact(?)';
SET @a = 4;
EXECUTE s USING @a;
SET @a = 6;
EXECUTE s USING @a;
-- character sets of arguments
CREATE FUNCTION fupper(x VARCHAR(20) CHARSET latin1) RETURNS VARCHAR(20) CHARSET utf8mb4 DETERMINISTIC RETURN UPPER(x);
SELECT fupper('straße'), fupper('ä');
-- NOW() is the statement's
CREATE FUNCTION fnow() RETURNS INT BEGIN DECLARE a DATETIME(6) DEFAULT NOW(6); DECLARE b INT DEFAULT SLEEP(0.01); RETURN a = NOW(6); END;
SELECT fnow();
-- native names
CREATE FUNCTION concat(x INT) RETURNS INT DETERMINISTIC RETURN 5;
SELECT concat(1), test.concat(1);
--! end
