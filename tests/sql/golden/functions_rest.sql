-- Functions that came last: the stream modes of AES_ENCRYPT, CAST ... AT TIME ZONE, ROLES_GRAPHML, functions that only MySQL itself may call.

--! ours MariaDB has none of these functions
SET block_encryption_mode='aes-128-cfb1';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-192-cfb1';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-256-cfb1';
SELECT HEX(AES_ENCRYPT(REPEAT('ab', 30), 'key', '0123456789abcdefgh'));
SET block_encryption_mode='aes-128-cfb8';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-192-cfb8';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SET block_encryption_mode='aes-256-cfb8';
SELECT HEX(AES_ENCRYPT(REPEAT('ab', 30), 'key', '0123456789abcdef'));
SET block_encryption_mode='aes-128-cfb128';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-192-cfb128';
SELECT HEX(AES_ENCRYPT('sixteen bytes...', 'key', '0123456789abcdef'));
SET block_encryption_mode='aes-256-cfb128';
SELECT HEX(AES_ENCRYPT(REPEAT('ab', 30), 'key', '0123456789abcdef'));
SELECT HEX(AES_ENCRYPT('some text', 'key', '0123456789abcdef', 'hkdf', 'salt', 'info'));
SELECT HEX(AES_ENCRYPT('some text', 'key', '0123456789abcdef', 'pbkdf2_hmac', 'salt', '2000'));
SET block_encryption_mode='AES-128-OFB';
SELECT @@block_encryption_mode;
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-192-ofb';
SELECT HEX(AES_ENCRYPT('sixteen bytes...', 'key', '0123456789abcdef'));
SET block_encryption_mode='aes-256-ofb';
SELECT HEX(AES_ENCRYPT(REPEAT('ab', 30), 'a key that is longer than the thirty-two bytes there are', '0123456789abcdef'));
-- nothing is padded: any bytes can be decrypted, of any length
SELECT HEX(AES_DECRYPT('x', 'key', '0123456789abcdef')), HEX(AES_ENCRYPT('', 'key', '0123456789abcdef')), HEX(AES_DECRYPT('', 'key', '0123456789abcdef'));
SELECT AES_ENCRYPT(NULL, 'key', '0123456789abcdef'), AES_ENCRYPT('a', NULL, '0123456789abcdef');
SELECT AES_ENCRYPT('a', 'key', 'short');
SELECT AES_DECRYPT('a', 'key', NULL);
SELECT AES_ENCRYPT('a', 'key');
SELECT AES_DECRYPT('a', 'key');
SET block_encryption_mode='aes-128-cfb64';
SET block_encryption_mode=15;
SELECT @@block_encryption_mode;
SET block_encryption_mode=18;
SET block_encryption_mode=DEFAULT;

SET time_zone='+03:00';
CREATE TABLE t (ts TIMESTAMP(2) NULL, dt DATETIME, d DATE, s VARCHAR(30), n INT);
INSERT INTO t VALUES ('2024-01-01 12:00:00.55', '2024-01-01 12:00:00', '2024-01-01', '2024-01-01', 20240101), (NULL, NULL, NULL, NULL, NULL);
--! types
SELECT CAST(ts AT TIME ZONE '+00:00' AS DATETIME) c FROM t;
--! types
SELECT CAST(ts AT TIME ZONE INTERVAL '+00:00' AS DATETIME(2)) c FROM t;
--! mysql that server has no tables of time zones, and so does not know UTC
SELECT CAST(ts AT TIME ZONE 'UTC' AS DATETIME(6)) c FROM t;
SELECT CAST(ts AT TIME ZONE INTERVAL 'UTC' AS DATETIME) c FROM t;
SELECT CAST(ts AT TIME ZONE '+01:00' AS DATETIME) c FROM t;
SELECT CAST(ts AT TIME ZONE '-00:00' AS DATETIME) c FROM t;
SELECT CAST(ts AT TIME ZONE 'SYSTEM' AS DATETIME) c FROM t;
SELECT CAST(ts AT TIME ZONE 'Europe/Berlin' AS DATETIME) c FROM t;
SELECT CAST(ts AT TIME ZONE 'utc' AS DATETIME) c FROM t;
SELECT CAST(dt AT TIME ZONE '+01:00' AS DATETIME) c FROM t;
SELECT CAST(d AT TIME ZONE '+00:00' AS DATETIME) c FROM t;
SELECT CAST(s AT TIME ZONE '+00:00' AS DATETIME) c FROM t;
SELECT CAST(n AT TIME ZONE '+00:00' AS DATETIME) c FROM t;
SELECT CAST(NOW() AT TIME ZONE '+00:00' AS DATETIME) c FROM t;
SELECT CAST('2024-01-01 12:00:00' AT TIME ZONE '+00:00' AS DATETIME) c;
SELECT CAST(NULL AT TIME ZONE '+00:00' AS DATETIME) c;
SELECT CAST(TIMESTAMP '2024-01-01 12:00:00' AT TIME ZONE '+00:00' AS DATETIME) c;
SELECT CAST(TIMESTAMP '2024-01-01 12:00:00.75+02:00' AT TIME ZONE '+00:00' AS DATETIME(3)) c;
-- a displacement from UTC in a literal, with the digits that stand there
--! types
SELECT TIMESTAMP '2024-01-01 12:00:00.75+02:00' AS c, TIMESTAMP '2024-01-01T12:00:00-02:00' AS d;
SELECT COUNT(*) FROM t WHERE ts > TIMESTAMP '2024-01-01 11:00:00+02:00';
SELECT COUNT(*) FROM t WHERE ts > TIMESTAMP '2024-01-01 13:00:00+02:00';
SELECT CAST(MAX(ts) AT TIME ZONE '+00:00' AS DATETIME) c, CAST(COALESCE(MIN(ts), MAX(ts)) AT TIME ZONE '+00:00' AS DATETIME) d FROM t;
SELECT CAST(ts AT TIME ZONE '+00:00' AS DATETIME(7)) c FROM t;
SELECT CAST(ts AT TIME ZONE '+00:00' AS DATE) c FROM t;
SELECT CAST(ts AT TIME ZONE '+00:00' AS CHAR) c FROM t;
SELECT CAST(ts AT LOCAL AS DATETIME) c FROM t;
CREATE VIEW v AS SELECT CAST(ts AT TIME ZONE '+00:00' AS DATETIME(1)) x, CAST(ts AT TIME ZONE INTERVAL '+00:00' AS DATETIME) y FROM t;
SELECT * FROM v;
SET time_zone='-05:30';
SELECT * FROM v;
SELECT VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA='test';
SELECT COUNT(*) FROM t WHERE CAST(ts AT TIME ZONE '+00:00' AS DATETIME) = '2024-01-01 09:00:00';
-- an hour that is there twice in the session's zone
SET time_zone='+00:00';
UPDATE t SET ts='2024-10-27 00:30:00' WHERE ts IS NOT NULL;
SET sql_mode='';
INSERT INTO t (ts) VALUES ('0000-00-00');
SELECT CAST(ts AT TIME ZONE '+00:00' AS DATETIME) c FROM t WHERE ts = 0;
DROP VIEW v;
CREATE TABLE g (a TIMESTAMP NULL, b DATETIME AS (CAST(a AT TIME ZONE '+00:00' AS DATETIME)));
SELECT GENERATION_EXPRESSION FROM information_schema.COLUMNS WHERE TABLE_NAME='g' AND COLUMN_NAME='b';
INSERT INTO g (a) VALUES ('2024-01-01 12:00:00');
SELECT * FROM g;
DROP TABLE t, g;
SET time_zone=DEFAULT, sql_mode=DEFAULT;

CREATE ROLE reader, `<"&'>`@`10.%`;
GRANT reader TO root@localhost WITH ADMIN OPTION;
GRANT reader TO `<"&'>`@`10.%`;
--! names off
--! mysql it lists the accounts of MySQL's own too, and in the order in which they were made
SELECT ROLES_GRAPHML();
SELECT CHARSET(ROLES_GRAPHML()), COLLATION(ROLES_GRAPHML()), COERCIBILITY(ROLES_GRAPHML());
SELECT ROLES_GRAPHML(1);
DROP ROLE reader, `<"&'>`@`10.%`;

SELECT CAN_ACCESS_DATABASE('x');
SELECT Can_Access_Table('x', 'y');
SELECT CAN_ACCESS_USER();
SELECT GET_DD_CREATE_OPTIONS('a', 1, 2);
SELECT INTERNAL_AUTO_INCREMENT();
SELECT IS_VISIBLE_DD_OBJECT('a');
SELECT INTERNALLY();
SELECT INTERNAL_NONSENSE();
--! end
-- GROUP_CONCAT(DISTINCT) without ORDER BY is sorted by its arguments
--! ours MariaDB keeps the order of the rows
CREATE TABLE gd (id INT PRIMARY KEY, a INT, c VARCHAR(10), e ENUM('z','b','a'), d DECIMAL(5,1));
INSERT INTO gd VALUES (1, 3, 'b', 'z', 1.5), (2, 1, 'B', 'a', -1.5), (3, -3, 'a', 'b', 0), (4, 3, 'C', 'a', 10), (5, NULL, NULL, NULL, NULL), (6, 20, 'd', 'b', 9);
SELECT GROUP_CONCAT(DISTINCT a), GROUP_CONCAT(DISTINCT c), GROUP_CONCAT(DISTINCT e), GROUP_CONCAT(DISTINCT d), GROUP_CONCAT(DISTINCT CONCAT(a)), GROUP_CONCAT(DISTINCT -a SEPARATOR '|') FROM gd;
SELECT GROUP_CONCAT(DISTINCT a, c), GROUP_CONCAT(DISTINCT c, a), GROUP_CONCAT(DISTINCT a ORDER BY id), GROUP_CONCAT(a ORDER BY id) FROM gd;
SELECT e, GROUP_CONCAT(DISTINCT c) FROM gd GROUP BY e WITH ROLLUP;
DROP TABLE gd;
--! end
