-- Columns that CREATE TABLE ... SELECT makes of strings: bytes where text goes into binary strings, TEXT, BIT, ENUM, digits of BIGINT and BIT.
--! ours MariaDB has other widths
CREATE TABLE t (t TEXT, tt TINYTEXT, mt MEDIUMTEXT, v VARCHAR(20), vb VARBINARY(10), b BINARY(4), bt BIT(10), e ENUM('a','bcd'), d DOUBLE, l BIGINT, lu BIGINT UNSIGNED, vw VARCHAR(16000));
CREATE TABLE a SELECT UPPER(t) a, CONCAT(tt, 'x') b, SUBSTRING(mt, 2) c, COALESCE(t, 'abc') d, IF(1, t, 2) e, HEX(tt) f, REPEAT(vw, 3) g, TO_BASE64(t) h, CAST(t AS BINARY) i, TRIM(tt) j, CAST(tt AS CHAR) k FROM t;
SHOW CREATE TABLE a;
CREATE TABLE b SELECT CONCAT(vb, 'x') a, CONCAT_WS(',', v, vb, v) b, IFNULL(v, vb) c, CASE WHEN 1 THEN b ELSE 'ab' END d, INSERT(vb, 1, 2, 'abc') e, COALESCE(vb, 'abc', 1) f FROM t;
SHOW CREATE TABLE b;
CREATE TABLE c SELECT UPPER(bt) a, CONCAT(bt, 'x') b, HEX(e) c, CAST(e AS BINARY) d, WEIGHT_STRING(e) e, CONCAT(d) f, TRIM(d) g, AES_DECRYPT(v, 'k') h, AES_DECRYPT(e, 'k') i FROM t;
SHOW CREATE TABLE c;
CREATE TABLE d SELECT SUM(l) a, AVG(l) b, SUM(lu) c, SUM(bt) d, AVG(bt) e, SUM(COUNT(*)) OVER () f FROM t GROUP BY v;
SHOW CREATE TABLE d;
CREATE TABLE f SELECT l/3 a, bt/3 b, IFNULL(l, 1.5) c, COALESCE(l, 1.25) d, LEAST(l, 1.5) e, lu/3 f FROM t;
SHOW CREATE TABLE f;
CREATE TABLE g SELECT CAST('a' AS CHAR(16383)) a, CAST('a' AS CHAR(16384)) b, CAST('a' AS CHAR(70000)) c, CAST('a' AS BINARY(70000)) d;
SHOW CREATE TABLE g;
--! end
