-- FLOAT and DOUBLE.
CREATE TABLE f (f FLOAT, d DOUBLE, u DOUBLE UNSIGNED, p FLOAT(7,3), q DOUBLE(10,2));
INSERT INTO f VALUES (1.5, 1.5, 1.5, 1.5, 1.5), (3.4028234e38, 1.7976931348623157e308, 1e300, 9999.9994, 99999999.99), (1e-45, 2.2250738585072014e-308, 0, 0.0005, 0.005);
INSERT INTO f (f) VALUES (1e39);
INSERT INTO f (d) VALUES (1e309);
INSERT INTO f (u) VALUES (-1);
INSERT INTO f (p) VALUES (10000);
--! differs MySQL reports 1265 for text that is no number
--! mysql 8.4 says 1265; changed since
INSERT INTO f (d) VALUES ('abc');
--! mysql 8.4 says 1265; changed since
INSERT INTO f (d) VALUES ('1.5abc');
INSERT INTO f (d) VALUES ('1e400');
INSERT INTO f (f) VALUES (0.1), (16777217), (123456789), (1e10), (1e20), (-0.0);
INSERT INTO f (d) VALUES (0.1), (1e15), (1e16), (123456789012345678), (1e-5), (0.00001234), (-0.0), (1e22), (100000000000000000000);
SELECT f FROM f;
SELECT d FROM f;
SELECT u, p, q FROM f WHERE u IS NOT NULL;
SELECT f = 0.1, f+0, f*1 FROM f WHERE f BETWEEN 0.09 AND 0.11;
SELECT d FROM f WHERE d = 0.1;
SET sql_mode='';
--! differs MySQL reports 1265 for text that is no number
--! mysql 8.4 says 1265; changed since
INSERT INTO f (f,d,u,p) VALUES (1e39, '1e400', -1, 99999), ('abc', 'x', 'y', 'z');
SELECT * FROM f WHERE p IS NOT NULL;
SET sql_mode=DEFAULT;
--! types
SELECT 1e0, 1.5e3, 1e-10, 1e15, 1e16, 1e17, 123456789.123e0, 0.1e0, -1e0, 1e100;
SELECT 1e308*10;
SELECT -1e308*10;
SELECT 0.1e0+0.2e0, 1e0/3, 10e0/4, 5e0 DIV 2, 5.5e0 MOD 2, 1e0/0;
SELECT CAST(1.5e0 AS SIGNED), CAST(2.5e0 AS SIGNED), CAST(-1.5e0 AS SIGNED), CAST(1e0 AS CHAR), CAST(1.5e0 AS DECIMAL(5,1)), CAST('1.5' AS DOUBLE), CAST('1.5' AS FLOAT);
SELECT CONCAT(1e0, 1.5e0, 1e20, 1e-7), CONCAT(1e15), CONCAT(1e14+0.5);
SELECT PI(), DEGREES(PI()), RADIANS(180), SIN(0), COS(0), TAN(0), ATAN(1), ATAN2(1,1), ACOS(2), ASIN(1), COT(1);
SELECT ROUND(1.15e0,1), ROUND(-1.5e0), TRUNCATE(1.999e0,2), CEILING(1.5e0), FLOOR(1.5e0), SIGN(-0.5e0), ABS(-1.5e0);
CREATE TABLE fk (a DOUBLE, b FLOAT, KEY (a), KEY (b));
INSERT INTO fk VALUES (1.5,1.5),(-1.5,-1.5),(0,0),(NULL,NULL),(1e100,1e10),(-1e100,-1e10),(0.1,0.1);
SELECT a FROM fk FORCE INDEX (a) ORDER BY a;
SELECT b FROM fk FORCE INDEX (b) ORDER BY b DESC;
SELECT a FROM fk WHERE a = 0.1;
SELECT b FROM fk WHERE b = 0.1;
SELECT b FROM fk WHERE b > 0 ORDER BY b;
SELECT a FROM fk WHERE a >= '1.5' ORDER BY a;
SELECT SUM(a), AVG(b) FROM fk FORCE INDEX (a) WHERE a BETWEEN -2 AND 2;

SELECT VARIANCE(b), STD(b), STDDEV_SAMP(b), VAR_SAMP(b) FROM fk WHERE a BETWEEN -2 AND 2;
-- sixteen digits before the point and one behind it: no exponent, and of two texts as near the one with an even last digit
SELECT 1e15+0.25 a, 1e15+0.375 b, 1e15+0.75 c, -1e15-0.5 d, 1e15 e, 1234567890123456e0 f, CONCAT(1e15+0.25) g, BIN(1e15+0.25) h, OCT(1e15+0.5) i;
-- ROUND, TRUNCATE, FLOOR and CEILING of a DOUBLE fix no digits
CREATE TABLE fx (a DOUBLE, b FLOAT, c VARCHAR(10));
INSERT INTO fx VALUES (1.5,2.5,'3.25'),(1e20,0.1,'x');
--! types
--! differs MariaDB shows as many digits as were asked for
SELECT ROUND(a,2) r, TRUNCATE(b,3) t, FLOOR(a) f, CEIL(a) c, ROUND(c,1) s, ROUND(a) o, CONCAT(ROUND(a,2)) x, ROUND(1.5e0,3) l FROM fx;
--! differs MariaDB's column is DOUBLE(19,2)
CREATE TABLE fy SELECT ROUND(a,2) r, FLOOR(b) f FROM fx;
--! differs MariaDB's column is DOUBLE(19,2)
SHOW CREATE TABLE fy;
--! differs MariaDB has made no such table
DROP TABLE fx, fy;
-- FLOAT and BIGINT: FLOAT where the FLOAT comes first
CREATE TABLE fb (f FLOAT, i INT, b BIGINT);
INSERT INTO fb VALUES (0.1, 1, 123456789), (NULL, 123456789, 123456789);
--! types
--! differs MariaDB's are DOUBLE
SELECT COALESCE(f, b) a, COALESCE(f, i) b, IFNULL(b, f) c, COALESCE(f, 1) d, GREATEST(f, b) e FROM fb;
--! types
--! differs MariaDB's is DOUBLE
SELECT f FROM fb UNION SELECT b FROM fb;
DROP TABLE fb;
