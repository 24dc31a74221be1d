-- CHAR, VARCHAR, TEXT, BINARY, VARBINARY, BLOB: length limits, padding, comparison by collation, functions.
CREATE TABLE s (c CHAR(5), v VARCHAR(5), t TEXT, tt TINYTEXT, b BINARY(4), vb VARBINARY(4), bl BLOB);
INSERT INTO s VALUES ('abc','abc','abc','abc','ab','ab','ab');
INSERT INTO s VALUES ('abc  ','abc  ','abc  ','abc  ','ab  ','ab  ','ab  ');
SELECT CONCAT('[',c,']'), CONCAT('[',v,']'), CONCAT('[',t,']'), HEX(b), HEX(vb), HEX(bl) FROM s;
SELECT LENGTH(c), CHAR_LENGTH(v), LENGTH(t), LENGTH(b), LENGTH(vb) FROM s;
INSERT INTO s (c) VALUES ('abcdef');
INSERT INTO s (v) VALUES ('abcdef');
INSERT INTO s (v) VALUES ('abcde   ');
INSERT INTO s (c) VALUES ('abcde   ');
INSERT INTO s (b) VALUES ('abcde');
INSERT INTO s (vb) VALUES ('abcde');
INSERT INTO s (tt) VALUES (REPEAT('x',256));
INSERT INTO s (tt) VALUES (REPEAT('€',86));
INSERT INTO s (v) VALUES ('ééééé');
INSERT INTO s (v) VALUES ('😀😀😀😀😀');
INSERT INTO s (v) VALUES (12345), (1.5), (1e3), (NULL), (TRUE);
INSERT INTO s (v) VALUES (123456);
INSERT INTO s (v) VALUES (x'FF');
SELECT v, LENGTH(v), CHAR_LENGTH(v) FROM s WHERE v IS NOT NULL;
SET sql_mode='';
INSERT INTO s (c,v,b,vb,tt) VALUES ('abcdef','abcdef','abcdef','abcdef',REPEAT('y',300));
SELECT c,v,b,vb,LENGTH(tt) FROM s WHERE c='abcde' AND tt LIKE 'y%';
SET sql_mode=DEFAULT;
CREATE TABLE bad (v VARCHAR(20000));
CREATE TABLE bad (c CHAR(256));
CREATE TABLE bad (v VARCHAR);
--! differs no literal defaults for TEXT and BLOB in MySQL
CREATE TABLE bad (t TEXT DEFAULT 'x', b BLOB, KEY (b));
--! differs the table exists there since the statement above
CREATE TABLE bad (v VARCHAR(10) DEFAULT 'toolongvalue');
-- comparison
SELECT 'a' = 'A', 'a' = 'a ', 'a' = BINARY 'A', 'é' = 'e', 'ß' = 's', 'ß' = 'ss', 'a' < 'B', 'a' < 'b', '' = ' ', 'a\0' = 'a';
SELECT 'a' COLLATE utf8mb4_bin = 'A', 'a' COLLATE utf8mb4_bin = 'a ', 'a' COLLATE utf8mb4_unicode_ci = 'á', 'ß' COLLATE utf8mb4_unicode_ci = 'ss', 'a' COLLATE utf8mb4_bin < 'B';
SELECT 'abc' LIKE 'A%', 'abc' LIKE 'a_c', 'abc' LIKE 'a_', 'a%c' LIKE 'a\%c', 'abc' LIKE 'a\%c', 'a_c' LIKE 'a|_c' ESCAPE '|', 'abc' LIKE '%', '' LIKE '%', '' LIKE '_', NULL LIKE '%', 'abc' NOT LIKE 'b%', 'a ' LIKE 'a';
SELECT 'abc' REGEXP 'B', 'abc' REGEXP '^a.c$', BINARY 'abc' RLIKE BINARY 'B', 'abc' NOT REGEXP 'x';
SELECT '10' < '9', 10 < '9', '10' + '9', '1a' + 1, 'abc' + 0, '5' * '6', '3' = 3, '3.0' = 3, 'x' = 0;
SELECT STRCMP('a','b'), STRCMP('b','a'), STRCMP('a','A'), STRCMP('a','a ');
-- functions
SELECT CONCAT('a','b',NULL), CONCAT('a',1,2.5), CONCAT_WS(',','a',NULL,'b'), CONCAT_WS(NULL,'a','b'), UPPER('abcé'), LOWER('ABCÉ');
SELECT SUBSTRING('abcdef',2), SUBSTRING('abcdef',2,3), SUBSTRING('abcdef',-3,2), SUBSTRING('abcdef',0), SUBSTRING('abcdef' FROM 2 FOR 2), SUBSTRING('abc',2,-1), SUBSTRING('abc',10), LEFT('abc',2), RIGHT('abc',2), LEFT('abc',-1), MID('abc',2,1);
SELECT TRIM('  a  '), LTRIM('  a'), RTRIM('a  '), TRIM(LEADING 'x' FROM 'xxaxx'), TRIM(TRAILING 'x' FROM 'xxaxx'), TRIM(BOTH 'xy' FROM 'xyaxy'), TRIM('' FROM 'a');
SELECT LPAD('a',3,'xy'), RPAD('a',4,'xy'), LPAD('abc',2,'x'), REPEAT('ab',3), REPEAT('a',0), REPEAT('a',-1), SPACE(3), REVERSE('aé1');
--! differs the collation of what is looked for decides in MariaDB
SELECT INSTR('abcabc','c'), LOCATE('c','abcabc'), LOCATE('c','abcabc',4), LOCATE('','abc'), LOCATE('C','abc'), LOCATE(BINARY 'C','abc'), POSITION('b' IN 'abc'), FIELD('b','a','b'), FIELD(NULL,'a'), FIND_IN_SET('b','a,b,c'), FIND_IN_SET('','a,,c'), ELT(2,'a','b'), ELT(3,'a');
SELECT REPLACE('abcabc','b','XX'), REPLACE('abc','','X'), INSERT('abcdef',2,3,'ZZ'), INSERT('abc',10,1,'Z'), INSERT('abc',1,10,'Z'), SUBSTRING_INDEX('a.b.c','.',2), SUBSTRING_INDEX('a.b.c','.',-1), SUBSTRING_INDEX('a.b.c','.',0), QUOTE('a\'b'), QUOTE(NULL);
SELECT ASCII('a'), ASCII(''), ORD('é'), CHAR(65,66), CHAR(256), HEX('aé'), LENGTH('aé'), CHAR_LENGTH('aé'), BIT_LENGTH('a'), OCTET_LENGTH('é'), MD5('a'), SHA1('a'), SHA2('a',256), CRC32('a');
--! differs MariaDB has no warning
SELECT TO_BASE64('abc'), FROM_BASE64('YWJj'), SOUNDEX('Robert'), MAKE_SET(5,'a','b','c'), EXPORT_SET(5,'Y','N',',',4), FORMAT(12332.1,4), INET_ATON('10.0.5.9'), INET_NTOA(167773449), HEX(UNHEX('zz'));
--! differs MariaDB names the first by both strings, and knows no warning 3720
SELECT 'a' 'b', "x", 'it''s', "d""q", '\n', 'a\\b', 'a\qb', N'x', _utf8mb4'é', _latin1 x'E9', x'4142', 0x4142, b'01000001';
--! types
SELECT CAST(123 AS CHAR), CAST('abc' AS CHAR(2)), CAST('abc' AS BINARY(5)), CONVERT('abc' USING latin1), CONVERT('abc', CHAR), BINARY 'a';
SELECT CHARSET('a'), COLLATION('a'), CHARSET(_latin1'a'), COLLATION('a' COLLATE utf8mb4_bin), CHARSET(CAST('a' AS BINARY)), CHARSET(1), COERCIBILITY('a'), COERCIBILITY('a' COLLATE utf8mb4_bin), COERCIBILITY(NULL);
SELECT 'a' COLLATE utf8mb4_bin = 'a' COLLATE utf8mb4_general_ci;
SELECT 'a' COLLATE latin1_bin;
SELECT 'a' COLLATE nosuch;
CREATE TABLE k (a VARCHAR(20) COLLATE utf8mb4_general_ci, b VARCHAR(20) COLLATE utf8mb4_bin, c CHAR(10) COLLATE utf8mb4_unicode_ci, d VARBINARY(20), KEY (a), KEY (b), KEY (c), KEY (d), KEY p (a(2)));
INSERT INTO k VALUES ('a','a','a','a'),('A','A','A','A'),('b','b','b','b'),('B ','B ','B ','B '),('á','á','á','á'),('','','',''),(NULL,NULL,NULL,NULL),('aa','aa','aa','aa'),('ab ','ab ','ab ','ab '),('ß','ß','ß','ß'),('ss','ss','ss','ss'),('z','z','z','z'),('a\0','a\0','a\0','a\0');
--! sorted
SELECT a FROM k WHERE a = 'a';
--! sorted
SELECT a FROM k IGNORE INDEX (a,p) WHERE a = 'a';
--! sorted
SELECT b FROM k WHERE b = 'B';
--! sorted
SELECT c FROM k WHERE c = 'ss';
--! sorted
SELECT HEX(d) FROM k WHERE d = 'B';
--! sorted
SELECT a FROM k WHERE a LIKE 'a%';
--! sorted
--! differs MariaDB loses the row with the 0 byte by its index range
--! mysql MySQL too loses the row with the 0 byte by its index range
SELECT b FROM k FORCE INDEX (b) WHERE b LIKE 'a%';
--! sorted
SELECT a FROM k FORCE INDEX (p) WHERE a >= 'ab' AND a < 'b';
SELECT b FROM k FORCE INDEX (b) WHERE b IS NOT NULL ORDER BY b;
SELECT HEX(d) FROM k ORDER BY d DESC;
--! sorted
SELECT MIN(a), COUNT(*) FROM k GROUP BY a;
SELECT COUNT(DISTINCT a), COUNT(DISTINCT b), COUNT(DISTINCT c), COUNT(DISTINCT d) FROM k;
CREATE TABLE u (a VARCHAR(10) UNIQUE, b VARCHAR(10) COLLATE utf8mb4_bin UNIQUE);
INSERT INTO u VALUES ('a','a');
INSERT INTO u VALUES ('A','b');
INSERT INTO u VALUES ('a ','c');
INSERT INTO u VALUES ('á','c');
INSERT INTO u VALUES ('b','A');
INSERT INTO u VALUES ('c','a ');
INSERT INTO u VALUES (NULL,NULL),(NULL,NULL);
SELECT * FROM u ORDER BY a, b;
SELECT GROUP_CONCAT(a ORDER BY a), GROUP_CONCAT(DISTINCT a ORDER BY a DESC SEPARATOR '|') FROM u;
-- results longer than max_allowed_packet are NULL, with 1301, and are not made
SELECT REPLACE(REPEAT('a', 1000000), 'a', REPEAT('b', 1000000)) IS NULL a;
SELECT LPAD('é', 9223372036854775807, 'ab') a;
SELECT RPAD('', 9223372036854775807, 'a') a;
SELECT INSERT(REPEAT('a', 15000000), 1, 0, REPEAT(REPEAT('b', 15000000), 4)) IS NULL a;
--! ours MariaDB's EXPORT_SET and CONCAT_WS have a limit of their own
SELECT EXPORT_SET(5, REPEAT('a', 9000000), REPEAT('b', 9000000)) IS NULL a;
--! mysql the newer one limits the result of MAKE_SET only where it is sent
SELECT MAKE_SET(31, REPEAT('a', 15000000), REPEAT('a', 15000000), REPEAT('a', 15000000), REPEAT('a', 15000000), REPEAT('a', 15000000)) IS NULL a;
SELECT CONCAT_WS('', REPEAT('a', 15000000), REPEAT('a', 15000000), REPEAT('a', 15000000), REPEAT('a', 15000000), REPEAT('a', 15000000)) IS NULL a;
SELECT REGEXP_REPLACE(REPEAT('a', 10000), 'a', REPEAT('b', 10000)) IS NULL a;
SELECT LENGTH(REGEXP_REPLACE(REPEAT('a', 2000), 'a', REPEAT('b', 2000))) a;
--! end
SELECT REPLACE(REPEAT('a', 1000), 'a', REPEAT('b', 1000)) = REPEAT('b', 1000000) a, LENGTH(INSERT(REPEAT('a', 1000), 2, 3, REPEAT('b', 1000))) b;
--! ours MariaDB has no such limit for these
SELECT LENGTH(QUOTE(REPEAT('''', 50000000))) a;
SELECT LENGTH(WEIGHT_STRING(REPEAT('a', 60000000))) a;
--! mysql the newer one limits the result of DATE_FORMAT only where it is sent
SELECT LENGTH(DATE_FORMAT('2020-01-01', REPEAT('%W', 20000000))) a;
--! end
-- delimiters that overlap are counted from the front in a character set of several bytes
SELECT SUBSTRING_INDEX('aaa', 'aa', 1) a, SUBSTRING_INDEX('aaa', 'aa', -1) b, SUBSTRING_INDEX('aaaa', 'aa', -1) c;
--! differs MariaDB counts in 32 bits
SELECT SUBSTRING_INDEX('a.b.c', '.', -9223372036854775808) d, SUBSTRING_INDEX('a.b.c', '.', 9223372036854775807) e;
SELECT REPLACE('aaaaa', 'aa', 'b') a, REPLACE('äöä', 'ä', 'x') b, REPLACE('abc', 'abc', '') c, REPLACE('', 'a', 'b') d, REVERSE('aäb€c😀') e, REVERSE(_latin1'abc') f, REVERSE('') g;
SELECT LOCATE('b', BINARY 'äb', 2) a, INSTR(BINARY 'aab', 'ab') c, LOCATE('B', 'aäb', 2) d;
SELECT 'aaab' LIKE '%a%b' a, 'ab' LIKE '%' b, '' LIKE '%' c, '' LIKE '%%' d, 'a%' LIKE 'a|%' ESCAPE '|' e, 'abc' LIKE '%|%' ESCAPE '|' f, 'abc' LIKE '%c%_' g;
-- the longest pattern
--! ours MariaDB's limit is another one
SELECT 'a' REGEXP REPEAT('a|', 10000000) a;
--! mysql the newer library takes a longer pattern
SELECT 'a' REGEXP REPEAT('(?=a)', 100000) a;
--! end
SELECT 'a' REGEXP REPEAT('a|', 1000) a;
-- numbers at the edge
--! ours MariaDB computes with 32 bits
--! mysql PERIOD_ADD in 64 bits
SELECT PERIOD_ADD(200001, 9223372036854775807) a, PERIOD_ADD(200001, -9223372036854775808) b;
--! end
SELECT PERIOD_ADD(200001, -24) a, PERIOD_ADD(200001, 24) b;
-- FIND_IN_SET does not pad
SELECT FIND_IN_SET('a', 'a ,A') a, FIND_IN_SET('a ', 'a,a ') b, FIND_IN_SET('Ä', 'b,a') c, FIND_IN_SET('', 'a,,b') d, FIND_IN_SET(BINARY 'a', 'A,a') e;
