-- Texts of the connection's collation: GROUP_CONCAT of numbers, parameters of prepared statements; bytes taken for text (CONVERT ... USING).
CREATE DATABASE cc;
USE cc;
CREATE TABLE t (a INT, b VARCHAR(10), d DECIMAL(5,2), f DOUBLE, dt DATE, v VARBINARY(10));
INSERT INTO t VALUES (1, 'x', 1.5, 2.5, '2020-01-01', x'ff41'), (2, 'y', 2.5, 3.5, '2021-01-01', x'00e4');
-- the type counts the characters that group_concat_max_len bytes could hold; of NULL alone the result is binary
--! ours MariaDB divides by the longest character
CREATE TABLE g AS SELECT group_concat(a) a, group_concat(b) b, group_concat('x') x, group_concat(1) y, group_concat(NULL) z FROM t;
SHOW CREATE TABLE g;
DROP TABLE g;
SET group_concat_max_len = 512;
CREATE TABLE g AS SELECT group_concat(a) a, group_concat(b) b, group_concat(NULL) z FROM t;
SHOW CREATE TABLE g;
DROP TABLE g;
SET group_concat_max_len = 1024;
SELECT charset(group_concat(NULL)), charset(group_concat(NULL, a)) FROM t;
SET collation_connection = ucs2_general_ci;
SELECT charset(group_concat(a)), collation(group_concat(a)), charset(group_concat(d, dt)), charset(group_concat(a, b)), charset(group_concat(v)) FROM t;
SELECT hex(group_concat(b)), hex(group_concat('x')), hex(group_concat(1)), hex(group_concat(a, b)) FROM t;
--! mysql its bytes are those of ASCII, and no text of the set that CHARSET() names
SELECT hex(group_concat(a)), group_concat(a ORDER BY 1 DESC SEPARATOR ' é '), hex(group_concat(DISTINCT d)) FROM t;
SET collation_connection = utf16_general_ci;
SELECT charset(group_concat(a)), collation(group_concat(a)), charset(group_concat(d, dt)), charset(group_concat(a, b)), charset(group_concat(v)) FROM t;
SELECT hex(group_concat(b)), hex(group_concat('x')), hex(group_concat(1)), hex(group_concat(a, b)) FROM t;
--! mysql its bytes are those of ASCII, and no text of the set that CHARSET() names
SELECT hex(group_concat(a)), group_concat(a ORDER BY 1 DESC SEPARATOR ' é '), hex(group_concat(DISTINCT d)) FROM t;
SET collation_connection = utf16le_general_ci;
SELECT charset(group_concat(a)), collation(group_concat(a)), charset(group_concat(d, dt)), charset(group_concat(a, b)), charset(group_concat(v)) FROM t;
SELECT hex(group_concat(b)), hex(group_concat('x')), hex(group_concat(1)), hex(group_concat(a, b)) FROM t;
--! mysql its bytes are those of ASCII, and no text of the set that CHARSET() names
SELECT hex(group_concat(a)), group_concat(a ORDER BY 1 DESC SEPARATOR ' é '), hex(group_concat(DISTINCT d)) FROM t;
SET collation_connection = utf32_general_ci;
SELECT charset(group_concat(a)), collation(group_concat(a)), charset(group_concat(d, dt)), charset(group_concat(a, b)), charset(group_concat(v)) FROM t;
SELECT hex(group_concat(b)), hex(group_concat('x')), hex(group_concat(1)), hex(group_concat(a, b)) FROM t;
--! mysql its bytes are those of ASCII, and no text of the set that CHARSET() names
SELECT hex(group_concat(a)), group_concat(a ORDER BY 1 DESC SEPARATOR ' é '), hex(group_concat(DISTINCT d)) FROM t;
SET collation_connection = ucs2_general_ci;
CREATE TABLE g AS SELECT group_concat(a) x, group_concat(b) z FROM t;
SHOW CREATE TABLE g;
--! mysql its bytes are those of ASCII, and no text of the set that CHARSET() names
SELECT x, z FROM g;
DROP TABLE g;
INSERT INTO t (a) VALUES (10), (9);
--! mysql its bytes are those of ASCII, and no text of the set that CHARSET() names
SELECT group_concat(a ORDER BY 1), group_concat(a ORDER BY a) FROM t;
DELETE FROM t WHERE b IS NULL;
SET group_concat_max_len = 6;
--! mysql its bytes are those of ASCII, and no text of the set that CHARSET() names
SELECT hex(group_concat(a)) FROM t;
SET group_concat_max_len = 1024;
--! end
-- parameters are texts of collation_connection as it was at PREPARE
--! ours in MariaDB a parameter has the collation of the variable
SET collation_connection = utf8mb4_0900_ai_ci;
SET @a = 'A' COLLATE utf8mb4_bin, @l = _latin1 x'c3a9', @u = _utf16'x', @s = 'ß', @w = _utf8mb4'日', @i = 3;
PREPARE s FROM 'SELECT ? = ''a'', collation(?), charset(?), hex(?)';
EXECUTE s USING @a, @a, @a, @a;
EXECUTE s USING @l, @l, @l, @l;
EXECUTE s USING @u, @u, @u, @u;
EXECUTE s USING @s, @s, @s, @s;
EXECUTE s USING @w, @w, @w, @w;
SET collation_connection = latin1_german1_ci;
EXECUTE s USING @a, @a, @a, @a;
EXECUTE s USING @l, @l, @l, @l;
EXECUTE s USING @u, @u, @u, @u;
EXECUTE s USING @s, @s, @s, @s;
EXECUTE s USING @w, @w, @w, @w;
SET collation_connection = utf16_general_ci;
EXECUTE s USING @a, @a, @a, @a;
EXECUTE s USING @l, @l, @l, @l;
EXECUTE s USING @u, @u, @u, @u;
EXECUTE s USING @s, @s, @s, @s;
EXECUTE s USING @w, @w, @w, @w;
SET collation_connection = utf8mb4_bin;
EXECUTE s USING @a, @a, @a, @a;
EXECUTE s USING @l, @l, @l, @l;
EXECUTE s USING @u, @u, @u, @u;
EXECUTE s USING @s, @s, @s, @s;
EXECUTE s USING @w, @w, @w, @w;
SELECT collation(@a), collation(@l);
SET collation_connection = latin1_german1_ci;
PREPARE s FROM 'SELECT collation(?), hex(?), hex(concat(?, 1)), hex(upper(?))';
EXECUTE s USING @a, @a, @a, @a;
EXECUTE s USING @s, @s, @s, @s;
--! mysql 3988 where nothing stands beside a parameter whose characters the connection's set lacks; here it keeps its own set
EXECUTE s USING @w, @w, @w, @w;
SET collation_connection = utf16_general_ci;
PREPARE s FROM 'SELECT collation(?), hex(?), hex(concat(?, 1)), hex(upper(?))';
EXECUTE s USING @a, @a, @a, @a;
EXECUTE s USING @s, @s, @s, @s;
EXECUTE s USING @w, @w, @w, @w;
SET collation_connection = ucs2_bin;
PREPARE s FROM 'SELECT collation(?), hex(?), hex(concat(?, 1)), hex(upper(?))';
EXECUTE s USING @a, @a, @a, @a;
EXECUTE s USING @s, @s, @s, @s;
EXECUTE s USING @w, @w, @w, @w;
SET collation_connection = utf32_general_ci;
PREPARE s FROM 'SELECT collation(?), hex(?), hex(concat(?, 1)), hex(upper(?))';
EXECUTE s USING @a, @a, @a, @a;
EXECUTE s USING @s, @s, @s, @s;
EXECUTE s USING @w, @w, @w, @w;
SET collation_connection = binary;
PREPARE s FROM 'SELECT collation(?), hex(?), hex(concat(?, 1)), hex(upper(?))';
EXECUTE s USING @a, @a, @a, @a;
EXECUTE s USING @s, @s, @s, @s;
EXECUTE s USING @w, @w, @w, @w;
SET collation_connection = latin1_swedish_ci;
CREATE TABLE p (a VARCHAR(10) COLLATE utf8mb4_german2_ci, b VARBINARY(10), c VARCHAR(5) CHARACTER SET latin1, d INT);
PREPARE s FROM 'INSERT INTO p VALUES (?, ?, ?, 1)';
EXECUTE s USING @w, @a, @a;
EXECUTE s USING @s, @s, @s;
SET collation_connection = utf16_general_ci;
PREPARE s FROM 'INSERT INTO p VALUES (?, ?, ?, 2)';
EXECUTE s USING @w, @w, @s;
SELECT hex(a), hex(b), hex(c), d FROM p;
PREPARE s FROM 'SELECT a, a = ?, a LIKE ?, d + ?, c = ?, concat(d, ?), collation(concat(a, ?)) FROM p ORDER BY d';
EXECUTE s USING @s, @s, @i, @s, @s, @s;
DEALLOCATE PREPARE s;
SET collation_connection = utf8mb4_0900_ai_ci;
--! end
-- parameters of the binary protocol
--! ours in MariaDB collations of the client's set stay
SET collation_connection = latin1_german1_ci;
--! binary ["aß", "aß", "aß", "aß"]
SELECT hex(?) AS h, collation(?) AS c, ? = 'aß' AS e, length(?) AS l;
SET collation_connection = utf16_general_ci;
--! binary ["aß", "aß", "aß", "aß"]
SELECT hex(?) AS h, collation(?) AS c, ? = 'aß' AS e, length(?) AS l;
SET collation_connection = utf32_general_ci;
--! binary ["aß", "aß", "aß", "aß"]
SELECT hex(?) AS h, collation(?) AS c, ? = 'aß' AS e, length(?) AS l;
SET collation_connection = latin1_german1_ci;
--! binary ["日"]
--! mysql 3988 where nothing stands beside a parameter whose characters the connection's set lacks; here it keeps its own set
SELECT hex(?) AS h;
SET collation_connection = utf8mb4_0900_ai_ci;
--! end
-- bytes taken for text: NULL where a character is broken, taken as they are where each byte is one
--! ours MariaDB takes question marks
--! names off
SELECT hex(convert(x'ff41' USING ascii)), hex(convert(x'61e9' USING ascii)), hex(convert(x'c3a4' USING ascii)), hex(convert(x'f09f9882' USING ascii)), hex(convert(x'd800' USING ascii)), hex(convert(x'eda080' USING ascii)), hex(convert(x'8140' USING ascii));
SELECT hex(convert(x'ff41' USING latin1)), hex(convert(x'61e9' USING latin1)), hex(convert(x'c3a4' USING latin1)), hex(convert(x'f09f9882' USING latin1)), hex(convert(x'd800' USING latin1)), hex(convert(x'eda080' USING latin1)), hex(convert(x'8140' USING latin1));
SELECT hex(convert(x'ff41' USING cp1250)), hex(convert(x'61e9' USING cp1250)), hex(convert(x'c3a4' USING cp1250)), hex(convert(x'f09f9882' USING cp1250)), hex(convert(x'd800' USING cp1250)), hex(convert(x'eda080' USING cp1250)), hex(convert(x'8140' USING cp1250));
SELECT hex(convert(x'ff41' USING cp1251)), hex(convert(x'61e9' USING cp1251)), hex(convert(x'c3a4' USING cp1251)), hex(convert(x'f09f9882' USING cp1251)), hex(convert(x'd800' USING cp1251)), hex(convert(x'eda080' USING cp1251)), hex(convert(x'8140' USING cp1251));
SELECT hex(convert(x'ff41' USING greek)), hex(convert(x'61e9' USING greek)), hex(convert(x'c3a4' USING greek)), hex(convert(x'f09f9882' USING greek)), hex(convert(x'd800' USING greek)), hex(convert(x'eda080' USING greek)), hex(convert(x'8140' USING greek));
SELECT hex(convert(x'ff41' USING hebrew)), hex(convert(x'61e9' USING hebrew)), hex(convert(x'c3a4' USING hebrew)), hex(convert(x'f09f9882' USING hebrew)), hex(convert(x'd800' USING hebrew)), hex(convert(x'eda080' USING hebrew)), hex(convert(x'8140' USING hebrew));
SELECT hex(convert(x'ff41' USING tis620)), hex(convert(x'61e9' USING tis620)), hex(convert(x'c3a4' USING tis620)), hex(convert(x'f09f9882' USING tis620)), hex(convert(x'd800' USING tis620)), hex(convert(x'eda080' USING tis620)), hex(convert(x'8140' USING tis620));
SELECT hex(convert(x'ff41' USING swe7)), hex(convert(x'61e9' USING swe7)), hex(convert(x'c3a4' USING swe7)), hex(convert(x'f09f9882' USING swe7)), hex(convert(x'd800' USING swe7)), hex(convert(x'eda080' USING swe7)), hex(convert(x'8140' USING swe7));
SELECT hex(convert(x'ff41' USING geostd8)), hex(convert(x'61e9' USING geostd8)), hex(convert(x'c3a4' USING geostd8)), hex(convert(x'f09f9882' USING geostd8)), hex(convert(x'd800' USING geostd8)), hex(convert(x'eda080' USING geostd8)), hex(convert(x'8140' USING geostd8));
SELECT hex(convert(x'ff41' USING dec8)), hex(convert(x'61e9' USING dec8)), hex(convert(x'c3a4' USING dec8)), hex(convert(x'f09f9882' USING dec8)), hex(convert(x'd800' USING dec8)), hex(convert(x'eda080' USING dec8)), hex(convert(x'8140' USING dec8));
SELECT hex(convert(x'ff41' USING cp1257)), hex(convert(x'61e9' USING cp1257)), hex(convert(x'c3a4' USING cp1257)), hex(convert(x'f09f9882' USING cp1257)), hex(convert(x'd800' USING cp1257)), hex(convert(x'eda080' USING cp1257)), hex(convert(x'8140' USING cp1257));
SELECT hex(convert(x'ff41' USING utf8mb3)), hex(convert(x'61e9' USING utf8mb3)), hex(convert(x'c3a4' USING utf8mb3)), hex(convert(x'f09f9882' USING utf8mb3)), hex(convert(x'd800' USING utf8mb3)), hex(convert(x'eda080' USING utf8mb3)), hex(convert(x'8140' USING utf8mb3));
SELECT hex(convert(x'ff41' USING utf8mb4)), hex(convert(x'61e9' USING utf8mb4)), hex(convert(x'c3a4' USING utf8mb4)), hex(convert(x'f09f9882' USING utf8mb4)), hex(convert(x'd800' USING utf8mb4)), hex(convert(x'eda080' USING utf8mb4)), hex(convert(x'8140' USING utf8mb4));
SELECT hex(convert(x'ff41' USING ucs2)), hex(convert(x'61e9' USING ucs2)), hex(convert(x'c3a4' USING ucs2)), hex(convert(x'f09f9882' USING ucs2)), hex(convert(x'd800' USING ucs2)), hex(convert(x'eda080' USING ucs2)), hex(convert(x'8140' USING ucs2));
SELECT hex(convert(x'ff41' USING utf16)), hex(convert(x'61e9' USING utf16)), hex(convert(x'c3a4' USING utf16)), hex(convert(x'f09f9882' USING utf16)), hex(convert(x'd800' USING utf16)), hex(convert(x'eda080' USING utf16)), hex(convert(x'8140' USING utf16));
SELECT hex(convert(x'ff41' USING utf32)), hex(convert(x'61e9' USING utf32)), hex(convert(x'c3a4' USING utf32)), hex(convert(x'f09f9882' USING utf32)), hex(convert(x'd800' USING utf32)), hex(convert(x'eda080' USING utf32)), hex(convert(x'8140' USING utf32));
SELECT hex(convert(x'ff41' USING gbk)), hex(convert(x'61e9' USING gbk)), hex(convert(x'c3a4' USING gbk)), hex(convert(x'f09f9882' USING gbk)), hex(convert(x'd800' USING gbk)), hex(convert(x'eda080' USING gbk)), hex(convert(x'8140' USING gbk));
SELECT hex(convert(x'ff41' USING gb2312)), hex(convert(x'61e9' USING gb2312)), hex(convert(x'c3a4' USING gb2312)), hex(convert(x'f09f9882' USING gb2312)), hex(convert(x'd800' USING gb2312)), hex(convert(x'eda080' USING gb2312)), hex(convert(x'8140' USING gb2312));
SELECT hex(convert(x'ff41' USING gb18030)), hex(convert(x'61e9' USING gb18030)), hex(convert(x'c3a4' USING gb18030)), hex(convert(x'f09f9882' USING gb18030)), hex(convert(x'd800' USING gb18030)), hex(convert(x'eda080' USING gb18030)), hex(convert(x'8140' USING gb18030));
SELECT hex(convert(x'ff41' USING big5)), hex(convert(x'61e9' USING big5)), hex(convert(x'c3a4' USING big5)), hex(convert(x'f09f9882' USING big5)), hex(convert(x'd800' USING big5)), hex(convert(x'eda080' USING big5)), hex(convert(x'8140' USING big5));
SELECT hex(convert(x'ff41' USING sjis)), hex(convert(x'61e9' USING sjis)), hex(convert(x'c3a4' USING sjis)), hex(convert(x'f09f9882' USING sjis)), hex(convert(x'd800' USING sjis)), hex(convert(x'eda080' USING sjis)), hex(convert(x'8140' USING sjis));
SELECT hex(convert(x'ff41' USING cp932)), hex(convert(x'61e9' USING cp932)), hex(convert(x'c3a4' USING cp932)), hex(convert(x'f09f9882' USING cp932)), hex(convert(x'd800' USING cp932)), hex(convert(x'eda080' USING cp932)), hex(convert(x'8140' USING cp932));
SELECT hex(convert(x'ff41' USING ujis)), hex(convert(x'61e9' USING ujis)), hex(convert(x'c3a4' USING ujis)), hex(convert(x'f09f9882' USING ujis)), hex(convert(x'd800' USING ujis)), hex(convert(x'eda080' USING ujis)), hex(convert(x'8140' USING ujis));
SELECT hex(convert(x'ff41' USING eucjpms)), hex(convert(x'61e9' USING eucjpms)), hex(convert(x'c3a4' USING eucjpms)), hex(convert(x'f09f9882' USING eucjpms)), hex(convert(x'd800' USING eucjpms)), hex(convert(x'eda080' USING eucjpms)), hex(convert(x'8140' USING eucjpms));
SELECT hex(convert(x'ff41' USING euckr)), hex(convert(x'61e9' USING euckr)), hex(convert(x'c3a4' USING euckr)), hex(convert(x'f09f9882' USING euckr)), hex(convert(x'd800' USING euckr)), hex(convert(x'eda080' USING euckr)), hex(convert(x'8140' USING euckr));
--! names on
SELECT a, hex(convert(v USING ascii)), hex(convert(v USING greek)), hex(convert(v USING utf8mb4)), hex(cast(v AS CHAR CHARACTER SET ascii)), hex(cast(v AS CHAR(1) CHARACTER SET utf8mb4)) FROM t;
SELECT convert(x'61e9' USING ascii) = 'a';
SET sql_mode = '';
SELECT hex(convert(x'61e9' USING ascii)), hex(convert(x'61e9' USING utf8mb4)), hex(convert(x'41eda0' USING gbk));
SET sql_mode = DEFAULT;
--! end
DROP DATABASE cc;
