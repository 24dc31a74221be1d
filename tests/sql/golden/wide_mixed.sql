-- Columns of ucs2, utf16 and utf32 as conditions, and mixed with numbers and dates
--! names off
CREATE TABLE w (id INT PRIMARY KEY, u VARCHAR(10) CHARACTER SET ucs2, x VARCHAR(10) CHARACTER SET utf16, y CHAR(10) CHARACTER SET utf32, t TEXT CHARACTER SET ucs2, n INT, d DATE, f DECIMAL(8,2));
INSERT INTO w VALUES (1,'1','1','1','1',5,'2020-01-01',1.5),(2,'0','0','0','0',6,'2020-01-02',2.5),(3,'abc','abc','abc','abc',NULL,NULL,NULL),(4,NULL,NULL,NULL,NULL,7,'2020-01-03',3.5),(5,'2020-01-02','2020-01-02','2020-01-02','2020-01-02',0,'2020-01-02',2020),(6,'1.5','1.5','1.5','1.5',0,'2020-01-02',0);
--! mysql a message there shows a wide string up to its first zero byte
SELECT id FROM w WHERE u ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT id FROM w WHERE x ORDER BY id;
SELECT id FROM w WHERE y ORDER BY id;
--! differs TEXT is a truth value without a warning
SELECT id FROM w WHERE t ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT id FROM w WHERE NOT u ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT id FROM w WHERE u AND x OR y ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT id, IF(u, 'a', 'b'), IF(x,'a','b'), IF(y,1,0), IF(t,1,0), u IS TRUE, u IS FALSE, u IS NOT TRUE, u XOR 1, u OR 0, NOT x, !y FROM w ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT id, CASE WHEN u THEN 'a' WHEN x THEN 'b' ELSE 'c' END, CASE u WHEN 1 THEN 'one' WHEN '0' THEN 'zero' ELSE 'x' END FROM w ORDER BY id;
--! mysql another text of the warnings
SELECT id, CASE n WHEN u THEN 1 ELSE 0 END, CASE d WHEN u THEN 1 ELSE 0 END FROM w ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT a.id, b.id FROM w a JOIN w b ON a.u ORDER BY 1,2;
--! mysql a message there shows a wide string up to its first zero byte
SELECT u, COUNT(*) FROM w GROUP BY u HAVING u ORDER BY 1;
SELECT u FROM w UNION SELECT n FROM w ORDER BY 1;
SELECT n FROM w UNION ALL SELECT u FROM w;
SELECT x FROM w UNION ALL SELECT f FROM w;
SELECT d FROM w UNION ALL SELECT y FROM w;
SELECT u FROM w UNION ALL SELECT 1.5e0 UNION ALL SELECT n FROM w;
SELECT id, COALESCE(u, n), COALESCE(n, u), IFNULL(u, n), IFNULL(n, u), COALESCE(x, f), COALESCE(f, x), COALESCE(y, d), COALESCE(d,y) FROM w ORDER BY id;
SELECT id, HEX(COALESCE(u, n)), CHARSET(COALESCE(n, u)), HEX(IF(id=1,u,n)), HEX(CASE WHEN id=1 THEN n ELSE x END), CHARSET(CASE WHEN id=1 THEN n ELSE x END) FROM w ORDER BY id;
--! differs MariaDB warns another number of times
--! mysql a message there shows a wide string up to its first zero byte
SELECT id, IF(id > 3, u, n), IF(id>3, n, u), CASE WHEN id = 1 THEN n WHEN id = 2 THEN u ELSE f END, NULLIF(u, n), NULLIF(n, u), NULLIF(u, 1), NULLIF(1,u) FROM w ORDER BY id;
SELECT id, FIRST_VALUE(u) OVER (ORDER BY id), NTH_VALUE(y,2) OVER (ORDER BY id), LAST_VALUE(t) OVER (ORDER BY id) FROM w ORDER BY id;
SELECT id, GREATEST(u, n), LEAST(u, n), GREATEST(u, x), GREATEST(u,'b'), LEAST(y, d), GREATEST(f,u) FROM w ORDER BY id;
--! differs MariaDB warns another number of times
--! mysql the texts of the warnings; a row with NULL in IN
SELECT id, u = n, u < n, u = 1, u = 1.5, x > 0, y IN (1, 0), u IN (n, 1), n IN (u, 3), u BETWEEN 0 AND 1, n BETWEEN u AND x, (u, n) = (n, u), (u,n) IN ((1,5),(0,6)) FROM w ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT SUM(u), AVG(x), MIN(u), MAX(y), STD(u), BIT_OR(u), GROUP_CONCAT(u ORDER BY id), COUNT(DISTINCT u), SUM(DISTINCT x) FROM w;
--! differs MariaDB warns another number of times
--! mysql a message there shows a wide string up to its first zero byte
SELECT id FROM w WHERE u IN (SELECT n FROM w) ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT id FROM w WHERE n IN (SELECT u FROM w) ORDER BY id;
SELECT id FROM w WHERE n > ALL (SELECT u FROM w WHERE u IN ('0','1')) ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT id FROM w WHERE u = (SELECT n FROM w WHERE id = 5) ORDER BY id;
--! mysql another number of warnings
SELECT id, (SELECT u FROM w b WHERE b.id = a.id) + 1, IF((SELECT u FROM w b WHERE b.id = a.id), 1, 0) FROM w a ORDER BY id;
--! mysql a message there shows a wide string up to its first zero byte
SELECT id, u + 0, u * n, u DIV 1, u % 2, ABS(u), ROUND(u), CAST(u AS SIGNED), CAST(x AS UNSIGNED), CAST(y AS DECIMAL(8,2)), CAST(u AS DOUBLE) FROM w ORDER BY id;
--! mysql 1270 beside a number; dates and texts of two sets
SELECT id, CAST(u AS DATE), CAST(x AS DATETIME), CAST(y AS TIME), DATE(u), YEAR(x), u + INTERVAL 1 DAY, DATEDIFF(u, d), u = d, u > d, d BETWEEN u AND x FROM w WHERE id > 3 AND id < 6 ORDER BY id;
--! differs MariaDB warns another number of times
--! mysql the decimals of TRUNCATE; the texts of the warnings
SELECT id, ELT(u, 'a', 'b'), LEFT('abc', u), MAKE_SET(u, 'a', 'b'), FIELD(u, n), FIELD(u, 0, 1), INTERVAL(u, 0, 1), SEC_TO_TIME(u), FORMAT(u, 2), BIN(u), CONV(u,10,16), TRUNCATE(u, 1), ROUND(f, u), HEX(u) FROM w ORDER BY id;
--! differs MariaDB's LAG takes no default
SELECT id, LAG(u, 1, 5) OVER (ORDER BY id), LEAD(u, 1, n) OVER (ORDER BY id), LAG(n, 1, u) OVER (ORDER BY id), LEAD(x, 2, 'é') OVER (ORDER BY id), LAG(d,1,u) OVER (ORDER BY id) FROM w ORDER BY id;
UPDATE w SET n = 100 WHERE u AND id < 3;
DELETE FROM w WHERE x AND id < 3;
SELECT id, n FROM w ORDER BY id;
DROP TABLE w;

-- JSON_VALUE returns what RETURNING says, beside operands of these sets too
--! ours MariaDB's JSON_VALUE has no RETURNING
CREATE TABLE jw (d VARCHAR(40) CHARACTER SET utf16);
INSERT INTO jw VALUES ('{"a": 12}'), ('{"a": "abc"}'), ('{}');
SELECT JSON_VALUE(d, '$.a' RETURNING CHAR(10) CHARACTER SET utf16 DEFAULT 'abcd' ON EMPTY) AS a, HEX(JSON_VALUE(d, '$.a' RETURNING CHAR(2) CHARACTER SET utf16 DEFAULT 'x' ON EMPTY DEFAULT 'y' ON ERROR)) AS b FROM jw;
SELECT JSON_VALUE(d, '$.a' RETURNING SIGNED DEFAULT 7 ON ERROR) + 1 AS a, JSON_VALUE(d, '$.a' RETURNING DECIMAL(5,2)) AS b FROM jw;
SELECT JSON_VALUE('{}', '$.x' RETURNING CHAR(10) CHARACTER SET utf16 DEFAULT 'abc' ON EMPTY) AS a, JSON_VALUE('"abc"', '$' RETURNING CHAR(1) CHARACTER SET utf16 DEFAULT 'x' ON ERROR) AS b, JSON_VALUE('"abc"', '$' RETURNING CHAR(3) CHARACTER SET utf32 DEFAULT 'x' ON ERROR) AS c;
DROP TABLE jw;
--! end
