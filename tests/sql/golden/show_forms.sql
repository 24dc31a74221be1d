-- SHOW of what there is none of, HELP, SHOW ENGINE.
--! ours MariaDB's columns and errors are others
SHOW BINLOG EVENTS;
SHOW RELAYLOG EVENTS;
SHOW REPLICA STATUS;
SHOW REPLICAS;
--! mysql SHOW PROFILE is empty here, without its warning
SHOW PROFILE;
--! mysql SHOW PROFILE is empty here, without its warning
SHOW PROFILE ALL FOR QUERY 1;
SHOW CREATE PROCEDURE p;
SHOW CREATE FUNCTION f;
SHOW CREATE TRIGGER t;
SHOW CREATE EVENT e;
SHOW ENGINE nope STATUS;
SHOW ENGINE InnoDB LOGS;
SHOW ENGINE performance_schema MUTEX;
--! mysql no help tables
HELP 'contents';
HELP 'nothing of that name';
UNLOCK INSTANCE;
LOCK INSTANCE FOR BACKUP;
LOCK INSTANCE FOR BACKUP;
CREATE TABLE own (a INT);
DROP TABLE own;
UNLOCK INSTANCE;
SHOW BINARY LOGS;
SHOW COUNT(*) WARNINGS;
--! end
-- options in MySQL's order; CONNECTION is kept and shown, behind the comment
CREATE TABLE opt (a INT) COMMENT='c' CONNECTION='my''s con' MAX_ROWS=5 STATS_PERSISTENT=1 AVG_ROW_LENGTH=7 DELAY_KEY_WRITE=1 CHECKSUM=1 ROW_FORMAT=DYNAMIC;
--! differs MariaDB has another order
SHOW CREATE TABLE opt;
--! differs MariaDB has another order
SELECT CREATE_OPTIONS FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'opt';
ALTER TABLE opt CONNECTION='';
--! differs MariaDB has another order
SHOW CREATE TABLE opt;
DROP TABLE opt;
