-- SHOW GRANTS and SHOW CREATE USER under ANSI_QUOTES: names in double quotes.
--! ours skip: MariaDB quotes and shows accounts in its own way
CREATE USER `u"x`@`%` COMMENT 'a `b` c';
CREATE DATABASE `d"b`;
CREATE TABLE `d"b`.`t"` (`a"b` INT);
GRANT SELECT (`a"b`), UPDATE ON `d"b`.`t"` TO `u"x`@`%`;
GRANT SELECT ON *.* TO `u"x`@`%`;
GRANT INSERT ON `d"b`.* TO `u"x`@`%`;
SET sql_mode = 'ANSI_QUOTES';
SHOW GRANTS FOR "u""x"@"%";
SHOW CREATE USER "u""x"@"%";
SET sql_mode = '';
SHOW GRANTS FOR `u"x`@`%`;
SHOW CREATE USER `u"x`@`%`;
DROP USER `u"x`@`%`;
DROP DATABASE `d"b`;
--! end
