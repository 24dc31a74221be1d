-- WITH CHECK OPTION of views over joins: the condition reads the rows that were joined, whichever table is read first
CREATE TABLE c (id INT PRIMARY KEY, name VARCHAR(10));
CREATE TABLE o (oid INT PRIMARY KEY, cid INT, amt INT, KEY (cid));
CREATE TABLE l (lid INT PRIMARY KEY, oid INT, n INT);
INSERT INTO c VALUES (1, 'ann'), (2, 'bob'), (3, 'cyd');
INSERT INTO o VALUES (10, 1, 5), (11, 1, 50), (12, 2, 7), (13, 3, 90);
INSERT INTO l VALUES (100, 10, 1), (101, 10, 2), (102, 11, 3), (103, 12, 4);
CREATE VIEW v AS SELECT o.oid, o.amt, o.cid, c.name, c.id FROM o JOIN c ON o.cid = c.id WHERE o.amt < 100 WITH CHECK OPTION;
UPDATE v SET amt = amt + 1 WHERE name = 'ann';
UPDATE v SET amt = amt + 1 WHERE id = 1;
UPDATE v SET amt = amt + 1 WHERE name LIKE '%b%';
UPDATE v SET amt = amt + 1;
--! differs MariaDB has another SQLSTATE, or checks fewer rows
UPDATE v SET amt = 500 WHERE name = 'ann';
--! differs MariaDB has another SQLSTATE, or checks fewer rows
UPDATE v SET amt = amt + 20 WHERE name > 'a';
UPDATE v SET name = 'abe' WHERE amt < 10;
--! differs MariaDB has another SQLSTATE, or checks fewer rows
UPDATE v SET cid = 2 WHERE name = 'abe';
--! differs MariaDB has another SQLSTATE, or checks fewer rows
UPDATE v SET id = 5 WHERE oid = 10;
SELECT * FROM o ORDER BY oid;
SELECT * FROM c ORDER BY id;
-- nested, with conditions of their own
CREATE VIEW inner_v AS SELECT o.oid, o.amt, c.name FROM o JOIN c ON o.cid = c.id WHERE c.name <> 'zoe';
CREATE VIEW local_v AS SELECT * FROM inner_v WHERE amt < 60 WITH LOCAL CHECK OPTION;
CREATE VIEW cascaded_v AS SELECT * FROM inner_v WHERE amt < 60 WITH CASCADED CHECK OPTION;
UPDATE local_v SET name = 'zoe' WHERE amt = 52;
UPDATE c SET name = 'ann' WHERE name = 'zoe';
--! differs MariaDB has another SQLSTATE, or checks fewer rows
UPDATE cascaded_v SET name = 'zoe' WHERE amt > 50;
UPDATE cascaded_v SET name = 'amy' WHERE amt > 50;
UPDATE cascaded_v SET amt = amt * 2 WHERE name = 'bob';
--! differs MariaDB has another SQLSTATE, or checks fewer rows
UPDATE local_v SET amt = 61 WHERE name = 'amy';
CREATE VIEW three AS SELECT l.lid, l.n, o.amt, c.name FROM c JOIN o ON o.cid = c.id JOIN l ON l.oid = o.oid WHERE l.n < o.amt AND c.name < 'x' WITH CHECK OPTION;
UPDATE three SET n = n + 1 WHERE name = 'amy';
UPDATE three SET n = n + 1;
UPDATE three SET n = 1000 WHERE name = 'bob';
UPDATE three SET amt = 4 WHERE name = 'bob';
UPDATE three SET amt = 6 WHERE name = 'bob';
SELECT * FROM l ORDER BY lid;
SELECT * FROM o ORDER BY oid;
SELECT * FROM c ORDER BY id;
-- the table that is changed beside a join of another kind
--! differs MariaDB has another SQLSTATE, or checks fewer rows
UPDATE v JOIN l ON l.oid = v.oid SET v.amt = v.amt + l.n WHERE l.n > 2;
--! differs MariaDB has another SQLSTATE, or checks fewer rows
UPDATE v JOIN l ON l.oid = v.oid SET v.amt = 100 WHERE l.n > 2;
--! differs MariaDB has another SQLSTATE, or checks fewer rows
UPDATE IGNORE v SET amt = IF(oid = 10, 1, 200);
--! differs MariaDB has another SQLSTATE, or checks fewer rows
SELECT * FROM o ORDER BY oid;
DROP VIEW v, inner_v, local_v, cascaded_v, three;
