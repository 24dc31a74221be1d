-- Entries of an index end with the columns of the primary key, and these count for foreign keys: as what a key refers to
-- (only with restrict_fk_on_non_standard_key = OFF), and for the index through which a child is looked for.
--! ours MariaDB lacks the variable and the warnings
SET restrict_fk_on_non_standard_key = 0;
CREATE TABLE p (id INT PRIMARY KEY, a INT, KEY ka (a));
CREATE TABLE c1 (x INT, y INT, FOREIGN KEY f1 (x, y) REFERENCES p (a, id));
INSERT INTO p VALUES (1, 10), (2, 20), (3, NULL);
INSERT INTO c1 VALUES (10, 1);
INSERT INTO c1 VALUES (10, 2);
INSERT INTO c1 VALUES (NULL, 2), (20, NULL);
DELETE FROM p WHERE id = 1;
UPDATE p SET a = 11 WHERE id = 1;
DELETE FROM p WHERE id = 2;
SELECT * FROM p ORDER BY id;
SELECT * FROM c1 ORDER BY x, y;
-- the child needs an index of its own
CREATE TABLE c2 (id INT PRIMARY KEY, a INT, KEY ka (a), FOREIGN KEY f2 (a, id) REFERENCES p (a, id));
SHOW CREATE TABLE c2;
CREATE TABLE c3 (id INT PRIMARY KEY, a INT, KEY ka (a), KEY kai (a, id), FOREIGN KEY f3 (a, id) REFERENCES p (a, id));
ALTER TABLE c3 DROP INDEX kai;
-- the parent need not keep the one it had
CREATE TABLE p4 (id INT PRIMARY KEY, a INT, KEY ka (a), KEY kai (a, id));
CREATE TABLE c4 (x INT, y INT, FOREIGN KEY f4 (x, y) REFERENCES p4 (a, id));
--! mysql warns of keys that are there already, too, twice, and names the index in place of the key
ALTER TABLE p4 DROP INDEX kai;
ALTER TABLE p4 DROP INDEX ka;
-- columns that are in both
CREATE TABLE p5 (i INT, j INT, a INT, PRIMARY KEY (i, j), KEY ka (a), UNIQUE KEY ua (a), KEY kaj (a, j), KEY kai (a, i));
CREATE TABLE c5 (x INT, y INT, z INT, FOREIGN KEY f5 (x, y, z) REFERENCES p5 (a, i, j) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE TABLE c6 (x INT, y INT, z INT, FOREIGN KEY f6 (x, y, z) REFERENCES p5 (a, j, i));
CREATE TABLE c7 (x INT, y INT, z INT, FOREIGN KEY f7 (x, y) REFERENCES p5 (a, i));
CREATE TABLE c8 (x INT, y INT, z INT, FOREIGN KEY f8 (x, y) REFERENCES p5 (a, j));
SELECT constraint_name, unique_constraint_name FROM information_schema.referential_constraints WHERE constraint_schema = 'test' ORDER BY 1;
INSERT INTO p5 VALUES (1, 2, 3), (4, 5, 6), (7, 8, 9);
INSERT INTO c5 VALUES (3, 1, 2), (6, 4, 5);
INSERT INTO c5 VALUES (3, 2, 1);
INSERT INTO c6 VALUES (9, 8, 7);
INSERT INTO c6 VALUES (9, 7, 8);
INSERT INTO c7 VALUES (9, 7, 1);
INSERT INTO c7 VALUES (9, 8, 1);
UPDATE p5 SET j = 20 WHERE i = 1;
UPDATE p5 SET a = 30 WHERE i = 1;
DELETE FROM p5 WHERE i = 4;
DELETE FROM p5 WHERE i = 7;
DELETE FROM c6;
DELETE FROM p5 WHERE i = 7;
SELECT * FROM c5;
ALTER TABLE c8 ADD CONSTRAINT f9 FOREIGN KEY (z, x, y) REFERENCES p5 (a, i, j);
INSERT INTO c8 VALUES (NULL, 20, 30);
UPDATE c8 SET x = 1;
ALTER TABLE c8 DROP FOREIGN KEY f9;
SET foreign_key_checks = 0;
UPDATE c8 SET z = 31;
SET foreign_key_checks = 1;
ALTER TABLE c8 ADD CONSTRAINT f9 FOREIGN KEY (z, x, y) REFERENCES p5 (a, i, j);
DROP TABLE c1, c2, c3, c4, c5, c6, c7, c8, p, p4, p5;
-- a child whose cascade comes back: the entry of k0, which has (s, id), is gone when the key to (s, a) is asked for
CREATE TABLE t0 (id INT PRIMARY KEY, s VARCHAR(5), KEY k2 (s));
CREATE TABLE t2 (id INT PRIMARY KEY, a INT, s VARCHAR(5) NOT NULL, KEY k0 (s), KEY k1 (s, a), KEY k2 (a), KEY k3 (s, id));
ALTER TABLE t0 ADD CONSTRAINT f01 FOREIGN KEY (s) REFERENCES t2 (s) ON DELETE CASCADE;
--! mysql warns of keys that are there already, too, twice, and names the index in place of the key
ALTER TABLE t2 ADD CONSTRAINT f20 FOREIGN KEY (a) REFERENCES t0 (id) ON DELETE CASCADE;
--! mysql warns of keys that are there already, too, twice, and names the index in place of the key
ALTER TABLE t2 ADD CONSTRAINT f21 FOREIGN KEY (s, id) REFERENCES t2 (s, a) ON DELETE RESTRICT ON UPDATE CASCADE;
SET foreign_key_checks = 0;
INSERT INTO t0 VALUES (1, 'a'), (3, NULL), (0, 'a');
INSERT INTO t2 VALUES (1, 3, 'A'), (2, 4, 'a'), (3, 1, 'A'), (4, 5, 'c'), (5, 0, 'c');
SET foreign_key_checks = 1;
DELETE FROM t0 WHERE id = 3;
SELECT * FROM t0;
SELECT * FROM t2 ORDER BY id;
SET restrict_fk_on_non_standard_key = 1;
CREATE TABLE c1 (x INT, y VARCHAR(5), FOREIGN KEY f1 (y, x) REFERENCES t2 (s, id));
--! end
