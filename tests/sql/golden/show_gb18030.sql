-- SHOW and DESCRIBE of a client whose bytes are gb18030 (these are UTF-8, and read as other characters)
--! ours MariaDB has no gb18030
SET character_set_client = gb18030;
CREATE TABLE `表表` (`字字` INT COMMENT '文文');
SHOW COLUMNS FROM `表表`;
DESC `表表`;
SHOW CREATE TABLE `表表`;
--! mysql compares the pattern as the bytes it came in
SHOW FULL COLUMNS FROM `表表` LIKE '字字';
--! mysql compares the pattern as the bytes it came in
SHOW TABLES LIKE '表表';
DROP TABLE `表表`;
SET NAMES utf8mb4;
--! end
