-- A constant is converted to the character set of the column beside it; what that lacks is no question mark. MySQL 8.4 answers 1267 there (1270
-- and 1271 for more operands), the newer one and this one 3854.
SET NAMES utf8mb4;
CREATE TABLE l (a VARCHAR(10) CHARACTER SET latin1, u VARCHAR(10) CHARACTER SET utf8mb3, c VARCHAR(10) CHARACTER SET ucs2, w VARCHAR(10) CHARACTER SET utf16, KEY (a), KEY (u));
INSERT INTO l VALUES ('a', 'a', 'a', 'a'), ('ä', 'ä', 'ä', 'ä'), ('?', '?', '?', '?');
--! differs MariaDB answers 1267
SELECT a FROM l WHERE a = '日本';
SELECT a FROM l WHERE a = 'ä';
--! differs MariaDB answers 1267
SELECT '日' <= a FROM l;
--! differs MariaDB answers 1270 and its kin
SELECT a FROM l WHERE a IN ('日', 'a');
SELECT a FROM l WHERE a IN ('ä', 'a') ORDER BY a;
--! differs MariaDB answers 1270
SELECT a FROM l WHERE a BETWEEN 'a' AND '日';
--! differs MariaDB answers 1267
SELECT a FROM l WHERE a LIKE '日%';
SELECT a FROM l WHERE a LIKE 'ä%';
--! differs MariaDB answers 1267
SELECT CONCAT(a, '日') FROM l;
--! differs MariaDB answers 1267
SELECT GREATEST(a, '日') FROM l;
--! differs MariaDB answers 1267
SELECT IF(a = 'a', '日', a) FROM l;
--! differs MariaDB answers 1267
SELECT NULLIF(a, '日') FROM l;
--! differs MariaDB answers 1267
SELECT a <=> '日' FROM l;
--! differs MariaDB answers 1267
SELECT a FROM l UNION SELECT '日';
--! differs MariaDB answers 1267
DELETE FROM l WHERE a = '日';
--! differs MariaDB answers 1267
SELECT u FROM l WHERE u = '😀';
--! differs MariaDB answers 1267
SELECT CONCAT(u, '😀') FROM l;
--! differs MariaDB answers 1267
SELECT c = '😀' FROM l;
SELECT w = '😀', HEX(CONCAT(w, '😀')) FROM l;
SELECT u FROM l WHERE u = 'ä';
DROP TABLE l;
