-- Functions of the schema sys (MySQL's manual, "sys Schema Stored Functions").
--! ours MariaDB's sys has other functions
--! mysql a note (1585) tells there that a native function has the same name
SELECT sys.format_bytes(0), sys.format_bytes(1), sys.format_bytes(512), sys.format_bytes(1023), sys.format_bytes(1024);
SELECT sys.format_bytes(-1), sys.format_bytes(NULL), sys.format_bytes('18446644073709551615'), sys.format_bytes(1048576);
SELECT sys.format_bytes(1073741824), sys.format_bytes(1099511627776), sys.format_bytes(1125899906842624), sys.format_bytes(1152921504606846976);
SELECT sys.format_bytes('abc'), sys.format_bytes(2047.5), sys.format_bytes('-5000'), sys.format_bytes(1e30);
SELECT sys.format_time(0), sys.format_time(1), sys.format_time(999), sys.format_time(1000), sys.format_time(NULL);
SELECT sys.format_time(342342342342345), sys.format_time(342342342), sys.format_time(34234), sys.format_time(1000000000000);
SELECT sys.format_time(59999999999999), sys.format_time(60000000000000), sys.format_time(3600000000000000), sys.format_time(86400000000000000), sys.format_time(604800000000000000);
SELECT sys.format_time('x'), sys.format_time(-1000), sys.format_time('1e15');
SELECT sys.format_path('/nowhere/else/t.ibd'), sys.format_path(NULL), sys.format_path('');
SELECT sys.format_path(CONCAT(@@datadir, 'test/t.ibd'));
SELECT REPLACE(sys.format_path(CONCAT(@@datadir, '/test')), '/', '|');
SELECT sys.format_statement('SELECT 1'), sys.format_statement(NULL), sys.format_statement(''), sys.format_statement('a\nb');
SELECT sys.format_statement(REPEAT('0123456789', 6)), sys.format_statement(REPEAT('0123456789', 7));
SELECT sys.format_statement(CONCAT(REPEAT('x', 30), '\n', REPEAT('y', 40)));
SELECT sys.format_statement('1234567890123456789012345678901234567890123456789012345678901234');
SELECT sys.format_statement('12345678901234567890123456789012345678901234567890123456789012345');
SELECT sys.format_statement(REPEAT('ä', 70));
SET @sys.statement_truncate_len = 20;
SELECT sys.format_statement('SELECT variable, value FROM sys.sys_config');
SET @sys.statement_truncate_len = 21;
SELECT sys.format_statement('SELECT variable, value FROM sys.sys_config');
SET @sys.statement_truncate_len = '30';
SELECT sys.format_statement('SELECT variable, value FROM sys.sys_config WHERE 1 = 1');
SET @sys.statement_truncate_len = 5;
SELECT sys.format_statement('SELECT variable'), sys.format_statement('SELECT');
SET @sys.statement_truncate_len = NULL;
UPDATE sys.sys_config SET value = '32' WHERE variable = 'statement_truncate_len';
SELECT sys.format_statement('SELECT variable, value FROM sys.sys_config WHERE 1 = 1');
UPDATE sys.sys_config SET value = '64', set_by = NULL WHERE variable = 'statement_truncate_len';
SET @sys.statement_truncate_len = NULL;
SELECT sys.extract_schema_from_file_name('/usr/local/mysql/data/world/City.ibd'), sys.extract_schema_from_file_name('./a/b.ibd'), sys.extract_schema_from_file_name('x'), sys.extract_schema_from_file_name(NULL), sys.extract_schema_from_file_name('\\data\\w\\c.ibd');
SELECT sys.extract_table_from_file_name('/usr/local/mysql/data/world/City.ibd'), sys.extract_table_from_file_name('./a/b#p#p0.ibd'), sys.extract_table_from_file_name('x'), sys.extract_table_from_file_name(NULL), sys.extract_table_from_file_name('/d/w/c.d.ibd'), sys.extract_table_from_file_name('/d/w/c@0024x.ibd'), sys.extract_table_from_file_name('/a/b/undo_001'), sys.extract_table_from_file_name('/a/'), sys.extract_table_from_file_name('/d/w/c.frm');
SELECT sys.extract_schema_from_file_name('/d/my@002ddb/c.ibd'), sys.extract_schema_from_file_name('/d/a/'), sys.extract_schema_from_file_name('/a');
SELECT sys.extract_table_from_file_name('/d/w/t@002d1.ibd'), sys.extract_table_from_file_name('c.ibd'), sys.extract_table_from_file_name('/d/w/t#P#x#SP#y.ibd');
SELECT sys.list_add('a,b,c', 'd'), sys.list_add('a', 'a'), sys.list_add('', 'x'), sys.list_add(NULL, 'x'), sys.list_add('a,b', 'B'), sys.list_add('a, b', 'c');
SELECT sys.list_add('a', NULL);
SELECT sys.list_add('  a  ', '  b '), sys.list_add('a', ''), sys.list_add('a,', 'b');
SELECT sys.list_drop('a,b,c', 'b'), sys.list_drop('a,b,c', 'a'), sys.list_drop('a,b,c', 'c'), sys.list_drop('a', 'a'), sys.list_drop('a,b', 'x'), sys.list_drop(NULL, 'a'), sys.list_drop('a, b, c', 'b'), sys.list_drop('ab,b', 'b'), sys.list_drop('b,b,b', 'b'), sys.list_drop('A,b', 'a');
SELECT sys.list_drop('a', NULL);
SELECT sys.list_drop(@@sql_mode, 'ONLY_FULL_GROUP_BY');
SELECT sys.list_add(sys.list_drop('x,y', 'x'), 'z');
SELECT sys.quote_identifier('a'), sys.quote_identifier('a`b'), sys.quote_identifier(''), sys.quote_identifier(NULL), sys.quote_identifier('``');
SET sql_mode = 'ANSI_QUOTES';
SELECT sys.quote_identifier('a"b`');
SET sql_mode = DEFAULT;
SELECT sys.version_major() = SUBSTRING_INDEX(VERSION(), '.', 1), sys.version_minor() = SUBSTRING_INDEX(SUBSTRING_INDEX(VERSION(), '.', 2), '.', -1), sys.version_patch() >= 0;
SELECT sys.sys_get_config('statement_truncate_len', 5), sys.sys_get_config('no such', 'mine'), sys.sys_get_config('no such', NULL), sys.sys_get_config(NULL, 'd'), sys.sys_get_config('STATEMENT_TRUNCATE_LEN', 1), sys.sys_get_config('statement_performance_analyzer.view', 'none');
SELECT sys.sys_get_config(variable, 'x') = value FROM sys.sys_config WHERE value IS NOT NULL ORDER BY variable;
--! mysql the same note; of a connection that there is none of, MySQL 9.7 answers the asking thread's
SELECT sys.ps_thread_id(CONNECTION_ID()) = PS_CURRENT_THREAD_ID(), sys.ps_thread_id(NULL) = PS_CURRENT_THREAD_ID(), sys.ps_thread_id(999999999);
SELECT sys.ps_thread_account(sys.ps_thread_id(CONNECTION_ID())), sys.ps_thread_account(999999999), sys.ps_thread_account(NULL);
SELECT sys.ps_is_thread_instrumented(CONNECTION_ID()), sys.ps_is_thread_instrumented(999999999), sys.ps_is_thread_instrumented(NULL);
SELECT sys.ps_is_account_enabled('localhost', 'root'), sys.ps_is_account_enabled('x.example.com', 'who'), sys.ps_is_account_enabled(NULL, 'root'), sys.ps_is_account_enabled('localhost', NULL);
SELECT sys.ps_is_consumer_enabled('events_statements_history'), sys.ps_is_consumer_enabled('events_stages_current'), sys.ps_is_consumer_enabled('global_instrumentation'), sys.ps_is_consumer_enabled('statements_digest'), sys.ps_is_consumer_enabled(NULL), sys.ps_is_consumer_enabled('EVENTS_STATEMENTS_CURRENT');
SELECT sys.ps_is_consumer_enabled('no such');
SELECT sys.ps_is_instrument_default_enabled('statement/sql/select'), sys.ps_is_instrument_default_timed('statement/sql/select'), sys.ps_is_instrument_default_enabled('wait/synch/mutex/sql/LOCK_open'), sys.ps_is_instrument_default_enabled(NULL), sys.ps_is_instrument_default_enabled('no such'), sys.ps_is_instrument_default_timed('memory/sql/THD::main_mem_root'), sys.ps_is_instrument_default_enabled('memory/sql/THD::main_mem_root'), sys.ps_is_instrument_default_enabled('stage/sql/executing'), sys.ps_is_instrument_default_enabled('stage/innodb/alter table (end)');
--! types
SELECT sys.format_bytes(1), sys.format_time(1), sys.format_path('a'), sys.quote_identifier('a'), sys.list_add('a', 'b'), sys.list_drop('a', 'b');
--! types
SELECT sys.extract_schema_from_file_name('a'), sys.extract_table_from_file_name('a'), sys.version_major() * 0, sys.version_minor() * 0, sys.version_patch() * 0, sys.sys_get_config('a', 'b');
--! types
SELECT sys.ps_is_account_enabled('a', 'b'), sys.ps_is_consumer_enabled('thread_instrumentation'), sys.ps_is_instrument_default_enabled('a'), sys.ps_is_instrument_default_timed('a'), sys.ps_is_thread_instrumented(999999999), sys.ps_thread_account(999999999);
SELECT sys.format_bytes();
SELECT sys.format_bytes(1, 2);
SELECT sys.list_add('a');
SELECT sys.no_such_function(1);
SELECT nosuch.format_bytes(1);
USE sys;
SELECT quote_identifier('a'), list_add('a', 'b'), format_bytes(512), version_major() > 5;
SELECT no_such_function(1);
USE test;
SELECT quote_identifier('a');
CREATE TABLE t (a VARCHAR(64), b TEXT AS (sys.quote_identifier(a)));
CREATE TABLE t (a VARCHAR(64), CHECK (sys.quote_identifier(a) <> ''));
CREATE TABLE t (a VARCHAR(64) DEFAULT (sys.quote_identifier('x')));
CREATE TABLE t (a VARCHAR(64));
CREATE INDEX i ON t ((sys.quote_identifier(a)));
INSERT INTO t VALUES ('b'), ('a'), ('c');
--! mysql a literal has the connection's collation there (1267)
SELECT sys.quote_identifier(a) FROM t WHERE sys.quote_identifier(a) > '`a`' ORDER BY sys.quote_identifier(a) DESC;
SELECT sys.quote_identifier(a) q, COUNT(*) FROM t GROUP BY q ORDER BY q;
SELECT sys.quote_identifier(a) q, COUNT(*) FROM t GROUP BY sys.quote_identifier(a) ORDER BY 1;
SELECT sys.quote_identifier(MAX(a)) FROM t;
UPDATE t SET a = sys.list_add(a, 'z') WHERE a = 'a';
SELECT a FROM t ORDER BY a;
CREATE VIEW v AS SELECT sys.quote_identifier(a) AS q, sys.format_statement(a) AS s FROM t;
SELECT q, s FROM v ORDER BY q;
SHOW CREATE VIEW v;
--! binary ["a`b"]
SELECT sys.quote_identifier(?);
DROP VIEW v;
DROP TABLE t;
SELECT ROUTINE_NAME, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, CHARACTER_SET_NAME, DTD_IDENTIFIER, IS_DETERMINISTIC, SQL_DATA_ACCESS, SECURITY_TYPE, DEFINER FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'sys' AND ROUTINE_TYPE = 'FUNCTION' ORDER BY ROUTINE_NAME;
SELECT SPECIFIC_NAME, ORDINAL_POSITION, PARAMETER_MODE, PARAMETER_NAME, DTD_IDENTIFIER, COLLATION_NAME FROM information_schema.PARAMETERS WHERE SPECIFIC_SCHEMA = 'sys' AND ROUTINE_TYPE = 'FUNCTION' ORDER BY 1, 2;
CREATE USER sys_one;
GRANT EXECUTE ON FUNCTION sys.quote_identifier TO sys_one;
SHOW GRANTS FOR sys_one;
GRANT EXECUTE ON FUNCTION sys.nothing TO sys_one;
DROP USER sys_one;
--! end
