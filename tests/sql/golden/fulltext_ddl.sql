-- FULLTEXT indexes as definitions.

CREATE TABLE a (id INT PRIMARY KEY, t TEXT, v VARCHAR(20), c CHAR(10), n INT, FULLTEXT KEY (t), FULLTEXT INDEX both_ (v, c) COMMENT 'two', KEY (n), FULLTEXT t (t, v)) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci;
CREATE TABLE a (id INT PRIMARY KEY, t TEXT, v VARCHAR(20), c CHAR(10), n INT, FULLTEXT KEY (t), FULLTEXT INDEX both_ (v, c) COMMENT 'two', KEY (n), FULLTEXT (t, v), UNIQUE (v)) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci;
--! ours MariaDB prints other defaults and INT(11), and shows no cardinality
SHOW CREATE TABLE a;
SHOW INDEX FROM a;
SELECT INDEX_NAME, NON_UNIQUE, SEQ_IN_INDEX, COLUMN_NAME, COLLATION, SUB_PART, INDEX_TYPE FROM information_schema.STATISTICS WHERE TABLE_NAME = 'a' ORDER BY 1, 3;
SHOW COLUMNS FROM a;
--! end
CREATE TABLE b LIKE a;
SELECT INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS WHERE TABLE_NAME = 'b' AND INDEX_TYPE = 'FULLTEXT' ORDER BY INDEX_NAME, SEQ_IN_INDEX;
DROP TABLE b;

-- ALTER TABLE
INSERT INTO a VALUES (1, 'apple banana', 'cherry', 'date', 1), (2, 'banana', 'apple', 'date', 2), (3, 'x', 'y', 'z', 3);
ALTER TABLE a RENAME INDEX both_ TO pair;
ALTER TABLE a RENAME INDEX pair TO n;
ALTER TABLE a RENAME INDEX nosuch TO m;
ALTER TABLE a DROP INDEX t_2;
ALTER TABLE a DROP INDEX t_2;
ALTER TABLE a ADD FULLTEXT pair (t);
CREATE FULLTEXT INDEX f ON a (c, t);
DROP INDEX f ON a;
ALTER TABLE a RENAME COLUMN t TO text_;
SELECT id FROM a WHERE MATCH (text_) AGAINST ('apple') ORDER BY id;
ALTER TABLE a MODIFY c CHAR(12) FIRST;
SELECT id FROM a WHERE MATCH (v, c) AGAINST ('cherry');
--! differs only the dictionary changes: no rows are copied
--! mysql MySQL copies a table with a FULLTEXT index
ALTER TABLE a ADD COLUMN z INT AFTER c;
SELECT id FROM a WHERE MATCH (v, c) AGAINST ('cherry');
SELECT id FROM a WHERE MATCH (text_) AGAINST ('banana') ORDER BY id;
--! differs only the dictionary changes: no rows are copied
--! mysql MySQL copies a table with a FULLTEXT index
ALTER TABLE a DROP COLUMN c;
SELECT id FROM a WHERE MATCH (v) AGAINST ('cherry');
--! mysql MySQL copies a table with a FULLTEXT index
ALTER TABLE a DROP COLUMN text_;
SELECT INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS WHERE TABLE_NAME = 'a' ORDER BY 1;
--! mysql MySQL copies a table with a FULLTEXT index
ALTER TABLE a FORCE;
SELECT id FROM a WHERE MATCH (v) AGAINST ('apple');
RENAME TABLE a TO aa;
SELECT id FROM aa WHERE MATCH (v) AGAINST ('apple');
CHECK TABLE aa;
ALTER TABLE aa MODIFY v INT;
ALTER TABLE aa CONVERT TO CHARACTER SET latin1;
SELECT id FROM aa WHERE MATCH (v) AGAINST ('apple');
SELECT id FROM aa USE INDEX (pair) WHERE MATCH (v) AGAINST ('apple');
SELECT id FROM aa USE INDEX (nosuch) WHERE MATCH (v) AGAINST ('apple');
--! ours MariaDB has IGNORED for it
ALTER TABLE aa ALTER INDEX pair INVISIBLE;
SHOW CREATE TABLE aa;
SELECT id FROM aa WHERE MATCH (v) AGAINST ('apple');
ALTER TABLE aa ALTER INDEX pair VISIBLE;
SELECT id FROM aa WHERE MATCH (v) AGAINST ('apple');
--! end
DROP TABLE aa;

-- ALGORITHM and LOCK
CREATE TABLE a (id INT PRIMARY KEY, t TEXT, v TEXT);
INSERT INTO a VALUES (1, 'one', 'two');
--! ours MySQL's rules
ALTER TABLE a ADD FULLTEXT f (t), ALGORITHM=INSTANT;
ALTER TABLE a ADD FULLTEXT f (t), LOCK=NONE;
--! mysql MySQL answers 1795 whatever the algorithm
ALTER TABLE a ADD FULLTEXT f (t), ADD FULLTEXT g (v), ALGORITHM=INPLACE;
--! mysql MySQL makes one FULLTEXT index at a time
ALTER TABLE a ADD FULLTEXT f (t), ADD FULLTEXT g (v);
--! mysql MySQL makes the column FTS_DOC_ID and warns; it is not needed here
ALTER TABLE a ADD FULLTEXT h (t), ALGORITHM=INPLACE, LOCK=SHARED;
--! mysql MySQL makes the column FTS_DOC_ID and warns; it is not needed here
SHOW WARNINGS;
--! end
DROP TABLE a;

-- what it can be on
CREATE TABLE e (a INT, FULLTEXT (a));
CREATE TABLE e (a BLOB, FULLTEXT (a));
CREATE TABLE e (a VARBINARY(10), FULLTEXT (a));
CREATE TABLE e (a ENUM('a', 'b'), FULLTEXT (a));
CREATE TABLE e (a TEXT, b VARCHAR(10) COLLATE utf8mb4_bin, FULLTEXT (a, b));
CREATE TABLE e (a TEXT CHARACTER SET ucs2, FULLTEXT (a));
CREATE TABLE e (a TEXT, FULLTEXT (a, a));
CREATE TABLE e (a TEXT, FULLTEXT (b));
CREATE TABLE e (a TEXT, FULLTEXT k (a), FULLTEXT k (a));
CREATE TABLE e (a TEXT, FULLTEXT (a) WITH PARSER nosuch);
--! mysql another error for the reserved name
CREATE TABLE e (FTS_DOC_ID INT, a TEXT, FULLTEXT (a));
CREATE TABLE e (FTS_DOC_ID BIGINT UNSIGNED NOT NULL PRIMARY KEY, a TEXT, FULLTEXT (a));
DROP TABLE e;
CREATE TEMPORARY TABLE e (a TEXT, FULLTEXT (a));
CREATE TABLE e (a TEXT, FULLTEXT (a(10)));
SELECT SUB_PART FROM information_schema.STATISTICS WHERE TABLE_NAME = 'e';
DROP TABLE e;
--! ours MariaDB has other rules or numbers for JSON, DESC, generated columns and functional parts, and no ngram parser
CREATE TABLE e (a JSON, FULLTEXT (a));
CREATE TABLE e (a TEXT, FULLTEXT (a DESC));
CREATE TABLE e (a TEXT, b TEXT AS (a) VIRTUAL, FULLTEXT (b));
--! mysql another error
CREATE TABLE e (a TEXT, FULLTEXT ((lower(a))));
CREATE TABLE e (a TEXT, FULLTEXT k (a) WITH PARSER NGRAM) DEFAULT CHARSET utf8mb4;
SHOW CREATE TABLE e;
INSERT INTO e VALUES ('数据库管理'), ('信息系统'), ('数据 abc'), ('xyz');
SELECT a FROM e WHERE MATCH (a) AGAINST ('数据库');
SELECT a FROM e WHERE MATCH (a) AGAINST ('数据库' IN BOOLEAN MODE);
SELECT a FROM e WHERE MATCH (a) AGAINST ('数*' IN BOOLEAN MODE);
SELECT a FROM e WHERE MATCH (a) AGAINST ('+信息 -数据' IN BOOLEAN MODE);
SELECT a FROM e WHERE MATCH (a) AGAINST ('yz');
DROP TABLE e;
--! end
CREATE TABLE e (a TEXT, b TEXT AS (a) STORED, FULLTEXT (b));
INSERT INTO e (a) VALUES ('one'), ('two'), ('three');
SELECT a FROM e WHERE MATCH (b) AGAINST ('two');
DROP TABLE e;

-- stopwords are those of the session that made the index
SET innodb_ft_enable_stopword = OFF;
CREATE TABLE s (id INT PRIMARY KEY, t TEXT, u TEXT, FULLTEXT (t));
SET innodb_ft_enable_stopword = ON;
ALTER TABLE s ADD FULLTEXT (u);
INSERT INTO s VALUES (1, 'the end', 'the end'), (2, 'one', 'one'), (3, 'two', 'two');
SELECT id FROM s WHERE MATCH (t) AGAINST ('the');
--! differs in InnoDB the first index of a table decides for all of them
--! mysql in MySQL the first index of a table decides about the stopwords of all
SELECT id FROM s WHERE MATCH (u) AGAINST ('the');

-- a table of stopwords
CREATE TABLE stop (value VARCHAR(18));
INSERT INTO stop VALUES ('one'), ('zwei'), (NULL);
SET innodb_ft_user_stopword_table = 'test/nosuch';
SET innodb_ft_user_stopword_table = 'test/s';
SET innodb_ft_user_stopword_table = 'test/stop';
CREATE TABLE s2 (id INT PRIMARY KEY, t TEXT, FULLTEXT (t));
SET innodb_ft_user_stopword_table = DEFAULT;
INSERT INTO s2 VALUES (1, 'the one'), (2, 'ONE two'), (3, 'Zwei three');
SELECT id FROM s2 WHERE MATCH (t) AGAINST ('the');
SELECT id FROM s2 WHERE MATCH (t) AGAINST ('one zwei');
SELECT COUNT(*), MIN(value), MAX(value) FROM information_schema.INNODB_FT_DEFAULT_STOPWORD;

-- MATCH is for queries
--! ours other numbers than MySQL's
CREATE TABLE e (a TEXT, b INT AS (MATCH (a) AGAINST ('x')) STORED, FULLTEXT (a));
--! mysql another error
CREATE TABLE e (a TEXT, CHECK (MATCH (a) AGAINST ('x')), FULLTEXT (a));
CREATE TABLE e (a TEXT, b DOUBLE DEFAULT (MATCH (a) AGAINST ('x')), FULLTEXT (a));
--! end
