-- Full-text search: MATCH ... AGAINST. Values are compared with MariaDB's InnoDB, whose index is built on the filled table.

CREATE TABLE a (id INT PRIMARY KEY, title VARCHAR(200), body TEXT, n INT) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci;
INSERT INTO a VALUES
 (1, 'MySQL Tutorial', 'DBMS stands for DataBase ...', 1),
 (2, 'How To Use MySQL Well', 'After you went through a ...', 2),
 (3, 'Optimizing MySQL', 'In this tutorial we show ...', 3),
 (4, '1001 MySQL Tricks', '1. Never run mysqld as root. 2. ...', 4),
 (5, 'MySQL vs. YourSQL', 'In the following database comparison ...', 5),
 (6, 'MySQL Security', 'When configured properly, MySQL ...', 6),
 (7, NULL, NULL, 7),
 (8, 'the quick brown fox', 'jumps over the lazy dog; foo_bar don''t cherry-pick', 8),
 (9, 'Ärger über Straße', 'naïve café 日本語 text', 9);
--! mysql MySQL makes the column FTS_DOC_ID and warns; it is not needed here
CREATE FULLTEXT INDEX ft ON a (title, body);

-- natural language: ordered by rank where nothing else orders the rows
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('mysql security');
SELECT id, MATCH (title, body) AGAINST ('database tutorial') AS score FROM a ORDER BY id;
SELECT id, MATCH (title, body) AGAINST ('database tutorial' IN NATURAL LANGUAGE MODE) AS score FROM a WHERE MATCH (title, body) AGAINST ('database tutorial');
SELECT id FROM a WHERE MATCH (body, title) AGAINST ('tutorial') ORDER BY id DESC;
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('mysql security') LIMIT 1;
--! sorted
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('"database comparison"');
SELECT COUNT(*) FROM a WHERE MATCH (title, body) AGAINST ('database');
SELECT COUNT(IF(MATCH (title, body) AGAINST ('database'), 1, NULL)) AS c FROM a;
--! types
SELECT MATCH (title, body) AGAINST ('database') AS score FROM a WHERE id = 1;
-- stopwords, words of fewer than three characters, underscores, apostrophes, other cases and accents
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('the over vs in 1');
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('foo');
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('FOO_BAR');
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('don''t');
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('arger');
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('CAFE');
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('日本語');
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('');
SELECT id FROM a WHERE MATCH (title, body) AGAINST (NULL);
SELECT MATCH (title, body) AGAINST (NULL) AS x FROM a WHERE id = 1;

-- query expansion
--! sorted
SELECT id, MATCH (title, body) AGAINST ('database' WITH QUERY EXPANSION) AS score FROM a WHERE MATCH (title, body) AGAINST ('database' WITH QUERY EXPANSION);
--! sorted
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('database' IN NATURAL LANGUAGE MODE WITH QUERY EXPANSION);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('nowhere' WITH QUERY EXPANSION);

-- boolean mode
--! sorted
SELECT id, MATCH (title, body) AGAINST ('+MySQL -YourSQL' IN BOOLEAN MODE) AS score FROM a WHERE MATCH (title, body) AGAINST ('+MySQL -YourSQL' IN BOOLEAN MODE);
--! sorted
SELECT id, MATCH (title, body) AGAINST ('mysql ~tutorial' IN BOOLEAN MODE) AS score FROM a WHERE MATCH (title, body) AGAINST ('mysql ~tutorial' IN BOOLEAN MODE);
--! sorted
SELECT id, MATCH (title, body) AGAINST ('+mysql +(>security <tutorial)' IN BOOLEAN MODE) AS score FROM a WHERE MATCH (title, body) AGAINST ('+mysql +(>security <tutorial)' IN BOOLEAN MODE);
--! sorted
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('data*' IN BOOLEAN MODE);
--! sorted
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('+data* +comp*' IN BOOLEAN MODE);
--! sorted
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('"quick brown"' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('"brown quick"' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('"jumps dog" @5' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('"jumps dog" @4' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('-mysql' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('+the +fox' IN BOOLEAN MODE);
--! sorted
SELECT id FROM a WHERE NOT MATCH (title, body) AGAINST ('mysql' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('+-mysql' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('(mysql' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('mysql)' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('mysql @3' IN BOOLEAN MODE);
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('*' IN BOOLEAN MODE);

-- everywhere an expression can be
SELECT id FROM a HAVING MATCH (title, body) AGAINST ('database') > 0.1;
--! differs ROUND of a DOUBLE fixes no digits in MySQL
SELECT id, ROUND(MATCH (title, body) AGAINST ('tutorial'), 4) AS r FROM a WHERE n < 5 ORDER BY MATCH (title, body) AGAINST ('tutorial') DESC, id;
SELECT MATCH (title, body) AGAINST ('tutorial') > 0 AS m, COUNT(*), SUM(n) FROM a GROUP BY m ORDER BY m;
SELECT DISTINCT MATCH (title, body) AGAINST ('tutorial') > 0 AS m FROM a ORDER BY m;
CREATE TABLE b (id INT PRIMARY KEY, a INT);
INSERT INTO b VALUES (10, 1), (20, 3), (30, 5), (40, 99);
--! sorted
SELECT b.id, a.id FROM b JOIN a ON a.id = b.a WHERE MATCH (title, body) AGAINST ('tutorial');
SELECT b.id, MATCH (title, body) AGAINST ('tutorial') > 0 AS m FROM b LEFT JOIN a ON a.id = b.a ORDER BY b.id;
SELECT id FROM b WHERE a IN (SELECT id FROM a WHERE MATCH (title, body) AGAINST ('tutorial')) ORDER BY id;
SELECT id FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.a AND MATCH (title, body) AGAINST ('tutorial')) ORDER BY id;
CREATE VIEW v AS SELECT id, title, body FROM a;
CREATE VIEW w AS SELECT id, MATCH (title, body) AGAINST ('tutorial') AS score FROM a;
--! sorted
SELECT id FROM v WHERE MATCH (title, body) AGAINST ('tutorial');
SELECT id FROM w WHERE score > 0 ORDER BY id;
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('tutorial') UNION ALL SELECT id FROM a WHERE MATCH (title, body) AGAINST ('fox');
SET @q = 'fox';
SELECT id FROM a WHERE MATCH (title, body) AGAINST (@q);
SELECT id FROM a WHERE MATCH (title, body) AGAINST (CONCAT('quick', ' ', 'brown'));
PREPARE s FROM 'SELECT id FROM a WHERE MATCH (title, body) AGAINST (? IN BOOLEAN MODE) ORDER BY id';
SET @q = '+mysql +security';
EXECUTE s USING @q;
SET @q = 'fox';
EXECUTE s USING @q;
DEALLOCATE PREPARE s;
UPDATE a SET n = 100 WHERE MATCH (title, body) AGAINST ('tutorial');
SELECT id FROM a WHERE n = 100 ORDER BY id;
DELETE FROM a WHERE MATCH (title, body) AGAINST ('fox');
SELECT COUNT(*) FROM a;
CREATE TABLE x AS SELECT id, MATCH (title, body) AGAINST ('tutorial') AS score FROM a;
--! differs MariaDB prints INT(11)
SHOW COLUMNS FROM x;

-- the transaction's own changes are found (InnoDB finds only what is committed)
BEGIN;
INSERT INTO a VALUES (20, 'unicorn', 'x', 1);
--! differs InnoDB's full-text index has a row from its commit on
--! mysql InnoDB finds only what is committed
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('unicorn');
--! on b
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('unicorn');
--! on a
COMMIT;
--! on b
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('unicorn');
--! on a
DELETE FROM a WHERE id = 20;
SELECT id FROM a WHERE MATCH (title, body) AGAINST ('unicorn');

-- errors
SELECT id FROM a WHERE MATCH (title) AGAINST ('x');
SELECT id FROM a WHERE MATCH (title, body, n) AGAINST ('x');
SELECT id FROM a WHERE MATCH (title, body) AGAINST (title);
SELECT 1 FROM a, x WHERE MATCH (a.title, x.id) AGAINST ('x');
SELECT id FROM a WHERE MATCH (title, nosuch) AGAINST ('x');
SELECT id FROM b WHERE MATCH (id) AGAINST ('x');
--! differs MariaDB has no such index for the derived table either, but says 1191
SELECT * FROM (SELECT title, body FROM a LIMIT 5) d WHERE MATCH (title, body) AGAINST ('x');

-- collations: case counts where the collation says so
CREATE TABLE c (id INT PRIMARY KEY, t VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin);
INSERT INTO c VALUES (1, 'Apple pie'), (2, 'apple tart'), (3, 'APPLE'), (4, 'other');
--! mysql MySQL makes the column FTS_DOC_ID and warns; it is not needed here
ALTER TABLE c ADD FULLTEXT (t);
--! differs the manual: a binary collation makes the search case-sensitive
--! mysql MySQL finds words in another case under a binary collation too; the manual says it does not
SELECT id FROM c WHERE MATCH (t) AGAINST ('apple');
CREATE TABLE d (id INT PRIMARY KEY, t VARCHAR(50) CHARACTER SET latin1);
INSERT INTO d VALUES (1, 'Grüße aus München'), (2, 'gruss'), (3, 'x'), (4, 'y');
--! mysql MySQL makes the column FTS_DOC_ID and warns; it is not needed here
ALTER TABLE d ADD FULLTEXT (t);
SELECT id FROM d WHERE MATCH (t) AGAINST ('münchen');
SELECT id FROM d WHERE MATCH (t) AGAINST ('mün*' IN BOOLEAN MODE);

-- without a primary key; rows with NULL count as documents
CREATE TABLE e (t TEXT);
INSERT INTO e VALUES ('one two'), ('two three'), (NULL), ('');
--! mysql MySQL makes the column FTS_DOC_ID and warns; it is not needed here
ALTER TABLE e ADD FULLTEXT k (t);
SELECT t, MATCH (t) AGAINST ('two') AS s FROM e WHERE MATCH (t) AGAINST ('two');
TRUNCATE TABLE e;
SELECT t FROM e WHERE MATCH (t) AGAINST ('two');

-- EXPLAIN
CREATE TABLE f (id INT PRIMARY KEY, t TEXT, n INT, KEY (n), FULLTEXT k (t));
INSERT INTO f VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3);
CREATE VIEW fv AS SELECT id FROM f WHERE MATCH (t) AGAINST ('two three');
SELECT id FROM fv ORDER BY id;
--! ours other columns and statistics
--! mysql the estimate; MATCH as a condition in note 1003
EXPLAIN SELECT id FROM f WHERE MATCH (t) AGAINST ('two');
--! mysql the estimate and the hint no_ranking; MATCH as a condition in note 1003
EXPLAIN SELECT id FROM f WHERE MATCH (t) AGAINST ('two' IN BOOLEAN MODE);
--! mysql the estimate; a view is not merged in note 1003
EXPLAIN SELECT id FROM fv;
--! mysql possible keys; MATCH as a condition in note 1003
EXPLAIN SELECT id FROM f WHERE MATCH (t) AGAINST ('two') AND id = 2;
--! end
