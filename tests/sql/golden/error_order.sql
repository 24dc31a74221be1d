-- Which error comes first: what MySQL's parser says of a definition (names, widths, engines) before the table is looked at, and CHECK
-- constraints' names last.
CREATE TABLE a (id INT PRIMARY KEY);
--! ours MariaDB looks at tables, names and checks in another order
CREATE TABLE a (x INT, x INT);
CREATE TABLE a (x BIT(70));
CREATE TABLE a (x DECIMAL(70,2));
CREATE TABLE a (x INT) ENGINE=nope;
CREATE TABLE a (x INT) CHARSET=nope;
CREATE TABLE a (abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa INT);
CREATE TABLE IF NOT EXISTS a (abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa INT);
CREATE TABLE a (x INT, KEY abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa (x));
CREATE TABLE a (x INT, CONSTRAINT abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa CHECK (x > 1));
CREATE TABLE a (x INT, CONSTRAINT abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa FOREIGN KEY (x) REFERENCES p (x));
CREATE TABLE n (x INT, x INT, abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa INT);
CREATE TABLE nodb.n (abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa INT);
ALTER TABLE nope ADD abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa INT;
ALTER TABLE nope CHANGE x abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa INT;
ALTER TABLE nope RENAME TO abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa;
ALTER TABLE a RENAME KEY x TO abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa;
CREATE TABLE a (x INT) SELECT nope;
CREATE TABLE a (x INT) SELECT 1 FROM nope;
CREATE TABLE t5 (c1 INT, CONSTRAINT a1 CHECK (c1 > 3));
CREATE TABLE t4 (c1 INT, c2 INT CONSTRAINT a1 CHECK (c2 > 0), CHECK (c1 > c3), CONSTRAINT a1 CHECK (c1 > 1));
CREATE TABLE t4 (c1 INT, CONSTRAINT a1 CHECK (c1 > 3), KEY (c4));
CREATE TABLE t4 (c1 INT, CONSTRAINT a1 CHECK (c1 > 3), FOREIGN KEY (c1) REFERENCES nope (x));
CREATE TABLE t4 (c1 INT, CONSTRAINT a1 CHECK (c1 > 3));
CREATE TABLE t4 (c1 INT, CONSTRAINT b1 CHECK (c1 > 3), CONSTRAINT B1 CHECK (c1 > 4));
ALTER TABLE a ADD CONSTRAINT A1 CHECK (id > 3);
ALTER TABLE t5 RENAME TO t6, ADD CONSTRAINT a2 CHECK (c1 > 4);
ALTER TABLE t6 ADD CONSTRAINT a2 CHECK (c1 > 4);
SHOW CREATE TABLE t6;
CREATE VIEW v1 AS SELECT 1 AS abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa;
CREATE VIEW v1 AS SELECT 1 AS `a `;
CREATE VIEW v1 AS SELECT 1 AS ``;
CREATE VIEW v1 (`a `) AS SELECT 1;
CREATE VIEW v1 (abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmaa) AS SELECT 1;
CREATE DATABASE mysql;
CREATE DATABASE IF NOT EXISTS mysql;
-- derived tables read no items of enclosing select lists
SELECT 'foo' AS foo, (SELECT dt.b FROM (SELECT 1 AS a, foo AS b) dt);
SELECT 'foo' AS foo, (SELECT foo);
SELECT 'foo' AS foo, EXISTS (SELECT 1 FROM (SELECT foo AS b) dt);
--! mysql MySQL 9.7 names the derived table's column
SELECT id AS foo FROM a HAVING (SELECT dt.b FROM (SELECT foo AS b) dt);
SELECT id AS foo FROM a ORDER BY (SELECT foo);
-- JSON_TABLE's document
SELECT * FROM JSON_TABLE(nope.j, '$[*]' COLUMNS (a VARCHAR(10) PATH '$')) AS jt;
SELECT * FROM a, JSON_TABLE(nope.j, '$[*]' COLUMNS (a VARCHAR(10) PATH '$')) AS jt;
SELECT * FROM a, JSON_TABLE(j, '$[*]' COLUMNS (a VARCHAR(10) PATH '$')) AS jt;
SELECT * FROM JSON_TABLE(a.id, '$[*]' COLUMNS (a VARCHAR(10) PATH '$')) AS jt, a;
--! end
