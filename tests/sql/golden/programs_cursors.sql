-- Cursors: copies of what their query gave at OPEN, in loops that change, in recursion, in handlers.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(50));
INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three');
-- the table changes in the loop
CREATE PROCEDURE grows() BEGIN DECLARE i INT; DECLARE n INT DEFAULT 0; DECLARE done INT DEFAULT 0; DECLARE c CURSOR FOR SELECT id FROM t; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; OPEN c; l: LOOP FETCH c INTO i; IF done THEN LEAVE l; END IF; SET n = n + 1; INSERT INTO t VALUES (i + 100, 'new'); DELETE FROM t WHERE id = i; UPDATE t SET id = id + 1000 WHERE id = i + 1; END LOOP; CLOSE c; SELECT n; END;
CALL grows();
SELECT * FROM t ORDER BY id;
DELETE FROM t;
INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three');
CREATE PROCEDURE gone() BEGIN DECLARE i INT; DECLARE s VARCHAR(100) DEFAULT ''; DECLARE done INT DEFAULT 0; DECLARE c CURSOR FOR SELECT id FROM t2; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; OPEN c; DROP TABLE t2; l: LOOP FETCH c INTO i; IF done THEN LEAVE l; END IF; SET s = CONCAT(s, i); END LOOP; SELECT s; END;
CREATE TABLE t2 (id INT PRIMARY KEY);
INSERT INTO t2 VALUES (4), (5);
CALL gone();
CALL gone();
CREATE PROCEDURE commits() BEGIN DECLARE i INT; DECLARE n INT DEFAULT 0; DECLARE done INT DEFAULT 0; DECLARE c CURSOR FOR SELECT id FROM t FOR UPDATE; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; OPEN c; l: LOOP FETCH c INTO i; IF done THEN LEAVE l; END IF; SET n = n + i; COMMIT; END LOOP; SELECT n; END;
CALL commits();
-- each run of a recursive procedure has its own
CREATE PROCEDURE down(n INT) BEGIN DECLARE a, b INT; DECLARE c CURSOR FOR SELECT id, n FROM t WHERE id >= n; OPEN c; FETCH c INTO a, b; IF n < 3 THEN CALL down(n + 1); END IF; SELECT n, a, b; CLOSE c; END;
SET max_sp_recursion_depth = 10;
CALL down(1);
SET max_sp_recursion_depth = 0;
-- a block that is entered again opens anew; a handler of a block around it closes what it leaves
CREATE PROCEDURE again() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 2 DO BEGIN DECLARE v INT; DECLARE c CURSOR FOR SELECT id FROM t WHERE id > i; OPEN c; FETCH c INTO v; SELECT i, v; SET i = i + 1; END; END WHILE; END;
CALL again();
CREATE PROCEDURE left_open() BEGIN DECLARE n INT DEFAULT 0; o: LOOP SET n = n + 1; IF n > 2 THEN LEAVE o; END IF; BEGIN DECLARE EXIT HANDLER FOR 1062 BEGIN END; BEGIN DECLARE v INT; DECLARE c CURSOR FOR SELECT id FROM t; OPEN c; FETCH c INTO v; INSERT INTO t VALUES (1, 'dup'); END; END; END LOOP; SELECT n; END;
--! mysql leaves the cursor open, although the manual says that it is closed at the end of its block
CALL left_open();
-- a handler's own cursor, and one of the block around it
CREATE PROCEDURE in_handler() BEGIN DECLARE v INT; DECLARE c CURSOR FOR SELECT id FROM t ORDER BY id; DECLARE EXIT HANDLER FOR 1062 BEGIN DECLARE w VARCHAR(50); DECLARE d CURSOR FOR SELECT v FROM t WHERE id = 2; OPEN d; FETCH d INTO w; FETCH c INTO v; SELECT v, w; END; OPEN c; FETCH c INTO v; INSERT INTO t VALUES (1, 'dup'); END;
CALL in_handler();
-- NOT FOUND of SELECT INTO in the loop is not the cursor's
CREATE PROCEDURE mixed() BEGIN DECLARE i, x INT; DECLARE n INT DEFAULT 0; DECLARE done INT DEFAULT 0; DECLARE c CURSOR FOR SELECT id FROM t; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = done + 1; OPEN c; WHILE done < 3 DO FETCH c INTO i; SELECT id INTO x FROM t WHERE id = i + 1; SET n = n + 1; END WHILE; SELECT n, i, x, done; END;
CALL mixed();
-- types, NULL and conversions
CREATE TABLE ty (i TINYINT, d DECIMAL(30,10), f DOUBLE, dt DATETIME(3), tm TIME, y YEAR, s VARCHAR(20), b VARBINARY(5), j JSON, e ENUM('a','b'), bi BIT(5), u BIGINT UNSIGNED);
INSERT INTO ty VALUES (-1, 12345678901234567890.0123456789, 1e100, '2024-02-29 01:02:03.456', '-100:00:01', 1999, 'text', x'00ff', '{"a": [1, null]}', 'b', b'10101', 18446744073709551615), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE PROCEDURE types() BEGIN DECLARE i TINYINT; DECLARE d DECIMAL(30,10); DECLARE f DOUBLE; DECLARE dt DATETIME(3); DECLARE tm TIME; DECLARE y YEAR; DECLARE s VARCHAR(20); DECLARE b VARBINARY(5); DECLARE j JSON; DECLARE e ENUM('a','b'); DECLARE bi BIT(5); DECLARE u BIGINT UNSIGNED; DECLARE c CURSOR FOR SELECT * FROM ty; OPEN c; FETCH c INTO i, d, f, dt, tm, y, s, b, j, e, bi, u; SELECT i, d, f, dt, tm, y, s, HEX(b), j, e, bi + 0, u; FETCH c INTO i, d, f, dt, tm, y, s, b, j, e, bi, u; SELECT i, d, f, dt, tm, y, s, HEX(b), j, e, bi + 0, u; FETCH c INTO i, d, f, dt, tm, y, s, b, j, e, bi, u; END;
CALL types();
CREATE PROCEDURE narrow() BEGIN DECLARE i TINYINT; DECLARE s VARCHAR(2); DECLARE c CURSOR FOR SELECT 1000, 'abc'; OPEN c; FETCH c INTO i, s; SELECT i, s; END;
CALL narrow();
SET sql_mode = '';
CREATE PROCEDURE narrow2() BEGIN DECLARE i TINYINT; DECLARE s VARCHAR(2); DECLARE c CURSOR FOR SELECT 1000, 'abc'; OPEN c; FETCH c INTO i, s; SELECT i, s; END;
CALL narrow2();
SHOW WARNINGS;
SET sql_mode = DEFAULT;
-- larger than memory allows: the same rows
CREATE PROCEDURE large() BEGIN DECLARE i, n INT DEFAULT 0; DECLARE s BIGINT DEFAULT 0; DECLARE l BIGINT DEFAULT 0; DECLARE x TEXT; DECLARE done INT DEFAULT 0; DECLARE c CURSOR FOR WITH RECURSIVE r AS (SELECT 1 AS k UNION ALL SELECT k + 1 FROM r WHERE k < 5000) SELECT k, REPEAT('x', k % 500) FROM r ORDER BY k; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; OPEN c; lp: LOOP FETCH c INTO i, x; IF done THEN LEAVE lp; END IF; SET n = n + 1, s = s + i, l = l + LENGTH(x); END LOOP; SELECT n, s, l; END;
SET cte_max_recursion_depth = 10000;
CALL large();
SET tmp_table_size = 1024, max_heap_table_size = 16384;
CALL large();
SET tmp_table_size = DEFAULT, max_heap_table_size = DEFAULT;
-- in functions and triggers
CREATE FUNCTION joined() RETURNS VARCHAR(100) READS SQL DATA BEGIN DECLARE s VARCHAR(50); DECLARE r VARCHAR(100) DEFAULT ''; DECLARE done INT DEFAULT 0; DECLARE c CURSOR FOR SELECT v FROM t ORDER BY id; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; OPEN c; l: LOOP FETCH c INTO s; IF done THEN LEAVE l; END IF; SET r = CONCAT(r, ',', s); END LOOP; RETURN r; END;
SELECT joined(), joined() FROM t LIMIT 1;
CREATE TABLE sums (id INT PRIMARY KEY, s INT);
CREATE TRIGGER st BEFORE INSERT ON sums FOR EACH ROW BEGIN DECLARE i INT; DECLARE done INT DEFAULT 0; DECLARE c CURSOR FOR SELECT id FROM t WHERE id <= NEW.id; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; SET NEW.s = 0; OPEN c; l: LOOP FETCH c INTO i; IF done THEN LEAVE l; END IF; SET NEW.s = NEW.s + i; END LOOP; END;
INSERT INTO sums (id) VALUES (1), (2), (3), (9);
SELECT * FROM sums;
--! end
