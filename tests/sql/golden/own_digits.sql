-- The digits that values of IF and CASE are shown with: those of the branch that they come from, until they go through a table (a temporary one,
-- that of an aggregate or a column). COALESCE, IFNULL, GREATEST and LEAST have those of their type. Likewise YEAR 0 is 0 and not 0000 where it
-- is no column's.
--! ours MariaDB shows all values of IF and CASE with the digits of the common type, and YEAR 0 as 0000
CREATE TABLE t (i INT, d DECIMAL(6,2), b BIGINT UNSIGNED, d4 DECIMAL(8,4), f DOUBLE);
INSERT INTO t VALUES (1,1.50,7,2.5,1.5),(2,NULL,8,3,2.5),(10,9,9,NULL,NULL);
SELECT IF(1,1,1.50) a, IF(0,1,1.50) b, IF(1,1.5,1.25) c, CASE WHEN 1 THEN 1 ELSE 1.50 END d, CASE WHEN 1 THEN 1.5 ELSE 1.250 END e;
SELECT COALESCE(1,1.50) a, IFNULL(1,1.50) b, NULLIF(1,1.50) c, GREATEST(2,1.50) d, LEAST(1,1.50) e, GREATEST(1.5,1.250) f, COALESCE(1.5,1.250) g;
SELECT IF(i=1,i,d) a, CASE i WHEN 1 THEN i WHEN 2 THEN d ELSE d4 END b, COALESCE(d,i) c, IFNULL(d,d4) d, GREATEST(i,d,d4) e, LEAST(i,d4) f, NULLIF(i,d) g FROM t;
SELECT IF(i=1,d,d4) a, IF(i=2,d4,d) b FROM t;
CREATE TABLE t2 SELECT IF(i=1,i,d) a, CASE i WHEN 1 THEN i WHEN 2 THEN d ELSE d4 END b, GREATEST(i,d4) c FROM t;
SELECT * FROM t2;
SHOW CREATE TABLE t2;
SELECT CONCAT(IF(1,1,1.50)) a, CONCAT(IF(i,i,d)) b, CAST(IF(i,i,d) AS CHAR) c, HEX(IF(i,i,d)) d, LENGTH(IF(i,i,d)) e FROM t;
SELECT IF(i,i,d)+1 a, -IF(i,i,d) b, ABS(IF(i,i,d)) c, ROUND(IF(i,i,d)) d, ROUND(IF(i,i,d),1) e, IF(i,i,d)*1.0 f, IF(i,i,d)/3 g, FLOOR(IF(i,i,d)) h FROM t;
SELECT SUM(IF(i,i,d)) a, MAX(IF(i,i,d)) b, MIN(IF(i,i,d)) c, AVG(IF(i,i,d)) d, GROUP_CONCAT(IF(i,i,d)) e, COUNT(DISTINCT IF(i,i,d)) f FROM t;
SELECT IF(i,i,d) x FROM t GROUP BY x ORDER BY x;
SELECT DISTINCT IF(i,i,d) x FROM t;
SELECT IF(i,i,d) x FROM t ORDER BY x DESC;
SELECT IF(i,i,d) x FROM t UNION SELECT 1;
SELECT IF(i,i,d) x FROM t UNION ALL SELECT 1;
SELECT * FROM (SELECT IF(i,i,d) x FROM t) q;
SELECT * FROM (SELECT IF(i,i,d) x FROM t LIMIT 2) q;
SELECT IF(1,IF(1,1,1.5),1.250) a, IF(1,COALESCE(1,1.50),2) b, COALESCE(IF(1,1,1.50)) c, IFNULL(IF(1,1,1.50),1) d, GREATEST(IF(1,1,1.5),0) e;
SELECT (SELECT IF(i,i,d) FROM t LIMIT 1) a, (SELECT IF(1,1,1.50)) b, NULLIF(IF(1,1,1.5),2) c;
SELECT (SELECT IF(t.i,t.i,t.d)) a FROM t;
SELECT IF(i=1, i, d) x, COUNT(*) FROM t GROUP BY i, d;
SELECT IF(SUM(i)>1, COUNT(*), 1.50) a, IF(SUM(i)>1, SUM(i), 1.50) b, IF(1,AVG(d),1.25000000) c FROM t;
SELECT MAX(i) OVER () a, IF(i, i, d) b, LAST_VALUE(IF(i,i,d)) OVER (ORDER BY i) c FROM t;
SELECT IF(i, i, d) a, IF(ROW_NUMBER() OVER (ORDER BY i)=1, 1, 1.50) b FROM t;
SELECT SQL_BUFFER_RESULT IF(i,i,d) x FROM t;
SELECT IF(i,i,d) INTO @z FROM t LIMIT 1;
SELECT @z;
SET @a = IF(1,1,1.50);
SELECT @a;
CREATE VIEW v AS SELECT IF(i,i,d) x FROM t;
SELECT x, x+1, CONCAT(x) FROM v;
SELECT CAST(IF(i,i,d) AS DECIMAL(6,1)) a, CAST(IF(i,i,d) AS SIGNED) b, IF(i,i,d) LIKE '1' c, IF(i,i,d) IN ('1','2') d, IF(i,i,d)='1' e FROM t;
SELECT IF(i,CASE WHEN i=1 THEN i ELSE d END,d4) a, COALESCE(CASE WHEN i=1 THEN i ELSE d END,d4) b, IFNULL(IF(i,i,d),'x') c, CONCAT(COALESCE(i,d)) d FROM t;
SELECT IF(1,d,'a') a, IF(0,d,IF(1,i,d)) b, CASE WHEN 1 THEN COALESCE(i,d) ELSE 'x' END c, IF(1,IF(1,i,d),'x') d FROM t;
SELECT IF(1,b,d) a, IF(1,-1,1.5) b, IF(1,TRUE,1.5) c, IF(1,NULL,1.5) d, IF(1,YEAR('2020-01-01'),1.5) e, IF(1,18446744073709551615,1.5) f FROM t;
SELECT IF(1,ROUND(1.5),1.25) a, IF(1,ROUND(d,i),d4) b, IF(1,1+1,1.50) c, IF(1,1*1.1,1.500) d FROM t;
SELECT JSON_ARRAY(IF(1,1,1.50)) a, CAST(IF(1,1,1.50) AS JSON) b;
SELECT IF(i,i,d) x FROM t WHERE IF(i,i,d) = 1.0 HAVING x IN (1,2.00);
PREPARE s FROM 'SELECT IF(?,1,1.50) a, IF(1,?,1.50) b, CASE WHEN ? THEN ? ELSE 1.500 END c';
SET @a=1;
SET @b=1.2;
EXECUTE s USING @a,@a,@a,@a;
EXECUTE s USING @a,@b,@a,@b;
CREATE TABLE y (y YEAR, i INT, s VARCHAR(20), d DATE);
INSERT INTO y VALUES (0,0,'0','2020-01-01'),(2000,1,'00','1999-01-01');
SELECT CAST(0 AS YEAR) a, CAST('0' AS YEAR) b, CAST('0000' AS YEAR) c, CAST(0.0 AS YEAR) d, CAST(0e0 AS YEAR) e, CONVERT(0, YEAR) f;
-- hexadecimal and bit literals are numbers there
SELECT CAST(x'31393939' AS YEAR) a, CAST(x'07E4' AS YEAR) b, CAST(0x63 AS YEAR) c, CAST(b'11111010000' AS YEAR) d, CAST(x'' AS YEAR) e, CAST(_binary'1999' AS YEAR) f, CAST(0x30 AS YEAR) g, CAST(0x3030 AS YEAR) h;
SELECT y, CAST(y AS YEAR) a, CAST(i AS YEAR) b, CAST(s AS YEAR) c, CAST(d AS YEAR) d FROM y;
SELECT IF(1,CAST(0 AS YEAR),2) a, IF(1,y,y) b, COALESCE(y,y) c, IFNULL(y,y) d, NULLIF(y,1) e, CASE WHEN 1 THEN y END f, GREATEST(y,y) g, LEAST(y,0) h, IF(1,y,'a') i, COALESCE(y,'a') j FROM y;
SELECT CONCAT(CAST(0 AS YEAR)) a, CONCAT(y) b, CONCAT(IF(1,y,y)) c, CAST(0 AS YEAR)+0 d, CAST(CAST(0 AS YEAR) AS CHAR) e, LENGTH(CAST(0 AS YEAR)) f, CONCAT(COALESCE(y)) g FROM y;
SELECT MAX(y) a, MIN(y) b, ANY_VALUE(y) c, SUM(y) d, GROUP_CONCAT(y) e, GROUP_CONCAT(CAST(i AS YEAR)) f FROM y;
SELECT CAST(0 AS YEAR) x UNION SELECT CAST(1 AS YEAR);
SELECT i, MIN(y) a FROM y GROUP BY i;
CREATE TABLE y2 SELECT CAST(0 AS YEAR) a, COALESCE(y) b, IF(1,y,y) c, NULLIF(y,1) e FROM y LIMIT 1;
SELECT * FROM y2;
SELECT CAST(0 AS YEAR) = '0000' a, CAST(0 AS YEAR) = '0' b, CAST(0 AS YEAR) LIKE '0000' c, CAST(0 AS YEAR) LIKE '0' d;
SET @y = CAST(0 AS YEAR);
SELECT @y;
SELECT y, CAST(0 AS YEAR) x FROM y ORDER BY x, y;
--! end
