-- a prepared SELECT has the limit of its execution
CREATE TABLE t (id INT PRIMARY KEY);
INSERT INTO t VALUES (1),(2),(3);
SET sql_select_limit = 1;
PREPARE p FROM 'SELECT id FROM t WHERE id > ? ORDER BY id';
SET @v = 0;
EXECUTE p USING @v;
SET sql_select_limit = 2;
EXECUTE p USING @v;
SET sql_select_limit = DEFAULT;
EXECUTE p USING @v;
DEALLOCATE PREPARE p;
