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
-- the explicit collation of a smaller set: functions convert to it, comparisons of two operands do not, but beside a constant
--! ours MariaDB converts to the larger set
CREATE TABLE l (u VARCHAR(10) CHARACTER SET utf8mb4, l VARCHAR(10) CHARACTER SET latin1, r VARCHAR(10) CHARACTER SET cp1251, a VARCHAR(5) CHARACTER SET ascii,
  m VARCHAR(5) CHARACTER SET utf8mb3, e ENUM('é','a') CHARACTER SET utf8mb4);
INSERT INTO l VALUES ('aé', 'aé', 'a', 'a', 'é', 'é');
SELECT CONCAT(u, l COLLATE latin1_bin), COLLATION(CONCAT(u, l COLLATE latin1_bin)), HEX(CONCAT(e, l COLLATE latin1_bin)) FROM l;
SELECT u LIKE l COLLATE latin1_bin, u IN ('a', l COLLATE latin1_bin), GREATEST(u, l COLLATE latin1_bin), CASE u WHEN l COLLATE latin1_bin THEN 1 END, u BETWEEN 'a' AND l COLLATE latin1_bin FROM l;
SELECT u = l COLLATE latin1_bin FROM l;
SELECT l COLLATE latin1_bin <=> u FROM l;
SELECT u IN (l COLLATE latin1_bin) FROM l;
SELECT u IN (SELECT l COLLATE latin1_bin FROM l) FROM l;
SELECT (u, 1) = (l COLLATE latin1_bin, 1) FROM l;
SELECT STRCMP(u, l COLLATE latin1_bin) FROM l;
SELECT l = r COLLATE cp1251_bin FROM l;
SELECT u = a COLLATE ascii_bin FROM l;
SELECT m = u COLLATE utf8mb4_bin, u = m COLLATE utf8mb3_bin, a = l COLLATE latin1_bin FROM l;
SELECT u = _latin1 x'41C9' COLLATE latin1_bin, u < _latin1'x' COLLATE latin1_bin, STRCMP(u, _latin1'x' COLLATE latin1_bin), u = CONVERT('AÉ' USING latin1) COLLATE latin1_bin FROM l;
CREATE TABLE c AS SELECT CONCAT(u, l COLLATE latin1_bin) x FROM l;
SHOW CREATE TABLE c;
INSERT INTO l VALUES ('😀', 'b', 'ж', 'b', 'é', 'a');
SELECT CONCAT(u, l COLLATE latin1_bin) FROM l;
SELECT IFNULL(u, a COLLATE ascii_bin) FROM l;
SELECT u LIKE l COLLATE latin1_bin FROM l;
SELECT u = m COLLATE utf8mb3_bin FROM l;
SELECT u FROM l UNION SELECT l COLLATE latin1_bin FROM l;
SELECT CONCAT(l, r COLLATE cp1251_bin) FROM l;
DROP TABLE l, c;
--! end
-- LIKE tells characters beyond the BMP apart where `=` does not: in the collations of Unicode 4.0
--! ours MariaDB takes them for equal in LIKE too
CREATE TABLE m (id INT PRIMARY KEY, g VARCHAR(10) COLLATE utf8mb4_general_ci, u VARCHAR(10) COLLATE utf8mb4_unicode_ci, c VARCHAR(10) COLLATE utf8mb4_czech_ci,
  f VARCHAR(10) COLLATE utf8mb4_unicode_520_ci, w VARCHAR(10) CHARACTER SET utf16 COLLATE utf16_unicode_ci, KEY (u));
INSERT INTO m SELECT n, x, x, x, x, x FROM (VALUES ROW(1, '😀'), ROW(2, '😁'), ROW(3, '𝔸'), ROW(4, '𠀀'), ROW(5, 'a'), ROW(6, '�')) v(n, x);
SELECT id, g LIKE '😀', u LIKE '😀', c LIKE '😀', f LIKE '😀', w LIKE '😀', u = '😀', c = '😀', w = '😀' FROM m ORDER BY id;
SELECT id, u LIKE '%😀%', u LIKE '_', u LIKE '𝔸%', u LIKE '�' FROM m ORDER BY id;
SELECT id FROM m WHERE u LIKE '😀%' ORDER BY id;
DROP TABLE m;
--! end
