-- Clients of other character sets: names, aliases, headings and comments are decoded from character_set_client and encoded for
-- character_set_results. The runner sends UTF-8, so that each letter below is two characters to the server while the set is latin1 or koi8r.

SET NAMES latin1;
SELECT 'ä', CONCAT('ä', 'b'), LENGTH('ä'), CHAR_LENGTH('ä');
SELECT 1 AS 'ä', 2 AS `öö`;
CREATE TABLE `tä` (`cä` INT COMMENT 'kä', INDEX `iä` (`cä`) COMMENT 'xä') COMMENT 'zä';
INSERT INTO `tä` (`cä`) VALUES (5);
SELECT `cä`, `cä` + 1, MAX(`x`.`cä`) AS `mä` FROM `tä` AS x GROUP BY `cä`;
SELECT `ä`.`cä` FROM `tä` AS `ä`;
SELECT COLUMN_NAME, COLUMN_COMMENT, CHAR_LENGTH(COLUMN_NAME) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'test' AND TABLE_NAME = 'tä';
SELECT INDEX_NAME, INDEX_COMMENT FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'test';
SELECT TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_NAME = 'tä';
SHOW TABLES;
--! differs MySQL: no display width
SHOW COLUMNS FROM `tä`;
SELECT @`vä` := 7, @`vä`, @'vä';
WITH `wä` AS (SELECT 1 AS `aä`) SELECT * FROM `wä`;
CREATE VIEW `vä` AS SELECT `cä` AS `eä` FROM `tä`;
SELECT * FROM `vä`;
SET NAMES utf8mb4;
-- the letters as the server read them
SHOW TABLES;
SELECT * FROM `vÃ¤`;
SELECT COLUMN_COMMENT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'test' AND TABLE_NAME = 'tÃ¤';
DROP VIEW `vÃ¤`;
DROP TABLE `tÃ¤`;

-- literals come in character_set_client and are kept in collation_connection's set
SET character_set_client = latin1;
SELECT HEX('ä'), LENGTH('ä'), HEX(_latin1'ä'), HEX(N'ä');
SET NAMES utf8mb4;
SET NAMES koi8r;
SELECT 'aйc' LIKE 'aй_' AS x;
SELECT HEX(CONVERT('й' USING utf8mb4)) AS x;
SET NAMES utf8mb4;

-- LIKE's escape character in another set
SELECT 'a%b' LIKE 'aé%b' ESCAPE 'é' AS x, 'axb' LIKE 'aé%b' ESCAPE 'é' AS y;
SELECT 'a%b' LIKE 'aé%b' ESCAPE _latin1'é' AS x;

-- the session's character_set_server counts for new databases
SET character_set_server = latin2;
CREATE DATABASE ek_latin2;
SELECT DEFAULT_CHARACTER_SET_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'ek_latin2';
SET collation_server = latin1_german1_ci;
CREATE DATABASE ek_german;
SELECT DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'ek_german';
DROP DATABASE ek_latin2;
DROP DATABASE ek_german;
SET character_set_server = DEFAULT;
CREATE TABLE two (a INT) CHARACTER SET latin1 CHARACTER SET latin2;
CREATE DATABASE two CHARACTER SET latin1 CHARACTER SET utf8mb4;
