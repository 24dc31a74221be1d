-- INNODB_METRICS: MySQL's names, and the switches innodb_monitor_enable, _disable, _reset and _reset_all. MariaDB's names differ.
--! ours MariaDB has other metrics
SELECT COUNT(*), COUNT(DISTINCT NAME) FROM information_schema.INNODB_METRICS WHERE SUBSYSTEM <> 'latch';
SELECT SUBSYSTEM, COUNT(*) FROM information_schema.INNODB_METRICS WHERE SUBSYSTEM <> 'latch' GROUP BY SUBSYSTEM ORDER BY 1;
SELECT TYPE, COUNT(*) FROM information_schema.INNODB_METRICS WHERE SUBSYSTEM <> 'latch' GROUP BY TYPE ORDER BY 1;
SELECT NAME, SUBSYSTEM, STATUS, TYPE, COMMENT FROM information_schema.INNODB_METRICS WHERE NAME LIKE 'dml%' OR NAME LIKE 'log_lsn_c%' ORDER BY NAME;
-- what names nothing, and what has no default
SET GLOBAL innodb_monitor_enable = 'nonsense';
SET GLOBAL innodb_monitor_disable = '';
SET GLOBAL innodb_monitor_reset = NULL;
SET GLOBAL innodb_monitor_reset_all = ON;
SET GLOBAL innodb_monitor_enable = '%lock*';
SET GLOBAL innodb_monitor_enable = '_';
SET GLOBAL innodb_monitor_enable = 'buffer_page_read_blob';
SET GLOBAL innodb_monitor_enable = DEFAULT;
SET GLOBAL innodb_monitor_enable = 'module_start';
SET innodb_monitor_enable = 'module_dml';
-- the variable shows the name in MySQL's spelling; a pattern and what is on already leave it alone
SET GLOBAL innodb_monitor_enable = 'TRX_Rollbacks';
SELECT @@innodb_monitor_enable;
SET GLOBAL innodb_monitor_enable = 'log_lsn%';
SET GLOBAL innodb_monitor_enable = 'lock_timeouts';
SELECT @@innodb_monitor_enable;
SELECT NAME, STATUS FROM information_schema.INNODB_METRICS WHERE NAME IN ('log_lsn_current', 'log_lsn_last_flush', 'log_checkpoints', 'trx_rollbacks') ORDER BY 1;
-- what is counted from when it is switched on, resets, and what is kept when it is switched off
CREATE TABLE t (a INT PRIMARY KEY, b INT);
INSERT INTO t VALUES (1, 1), (2, 2), (3, 3);
SET GLOBAL innodb_monitor_disable = 'dml_inserts';
SET GLOBAL innodb_monitor_reset_all = 'dml_inserts';
SELECT NAME, COUNT, MAX_COUNT, MIN_COUNT, COUNT_RESET, MAX_COUNT_RESET, TIME_ENABLED IS NULL AS n1, TIME_DISABLED IS NULL AS n2, STATUS FROM information_schema.INNODB_METRICS WHERE NAME = 'dml_inserts';
SET GLOBAL innodb_monitor_enable = 'dml_inserts';
INSERT INTO t VALUES (4, 4), (5, 5);
SELECT NAME, COUNT, MAX_COUNT, MIN_COUNT, COUNT_RESET, MAX_COUNT_RESET, TIME_ENABLED IS NULL AS n1, TIME_DISABLED IS NULL AS n2, STATUS FROM information_schema.INNODB_METRICS WHERE NAME = 'dml_inserts';
SET GLOBAL innodb_monitor_reset = 'dml_inserts';
SELECT NAME, COUNT, MAX_COUNT, MIN_COUNT, COUNT_RESET, MAX_COUNT_RESET, TIME_ENABLED IS NULL AS n1, TIME_DISABLED IS NULL AS n2, STATUS FROM information_schema.INNODB_METRICS WHERE NAME = 'dml_inserts';
INSERT INTO t VALUES (6, 6);
SET GLOBAL innodb_monitor_reset_all = 'dml_inserts';
SELECT NAME, COUNT, MAX_COUNT, MIN_COUNT, COUNT_RESET, MAX_COUNT_RESET, TIME_ENABLED IS NULL AS n1, TIME_DISABLED IS NULL AS n2, STATUS FROM information_schema.INNODB_METRICS WHERE NAME = 'dml_inserts';
SET GLOBAL innodb_monitor_disable = 'dml_inserts';
INSERT INTO t VALUES (7, 7);
SELECT NAME, COUNT, MAX_COUNT, MIN_COUNT, COUNT_RESET, MAX_COUNT_RESET, TIME_ENABLED IS NULL AS n1, TIME_DISABLED IS NULL AS n2, STATUS FROM information_schema.INNODB_METRICS WHERE NAME = 'dml_inserts';
SET GLOBAL innodb_monitor_enable = 'dml_inserts';
INSERT INTO t VALUES (8, 8);
SELECT NAME, COUNT, MAX_COUNT, MIN_COUNT, COUNT_RESET, MAX_COUNT_RESET, TIME_ENABLED IS NULL AS n1, TIME_DISABLED IS NULL AS n2, STATUS FROM information_schema.INNODB_METRICS WHERE NAME = 'dml_inserts';
SET GLOBAL innodb_monitor_disable = 'dml_inserts';
SET GLOBAL innodb_monitor_reset = 'dml_inserts';
SET GLOBAL innodb_monitor_reset_all = 'dml_inserts';
SELECT NAME, COUNT, MAX_COUNT, MIN_COUNT, COUNT_RESET, MAX_COUNT_RESET, TIME_ENABLED IS NULL AS n1, TIME_DISABLED IS NULL AS n2, STATUS FROM information_schema.INNODB_METRICS WHERE NAME = 'dml_inserts';
-- a module, and what its transactions do
SET GLOBAL innodb_monitor_disable = 'module_trx';
SET GLOBAL innodb_monitor_reset_all = 'module_trx';
SET GLOBAL innodb_monitor_enable = 'module_trx';
BEGIN;
INSERT INTO t VALUES (20, 1);
SAVEPOINT s;
INSERT INTO t VALUES (21, 1);
ROLLBACK TO s;
COMMIT;
BEGIN;
INSERT INTO t VALUES (22, 1);
ROLLBACK;
SELECT NAME, COUNT, MAX_COUNT, STATUS FROM information_schema.INNODB_METRICS WHERE NAME IN ('trx_rollbacks', 'trx_rollbacks_savepoint', 'trx_rw_commits') ORDER BY 1;
SET GLOBAL innodb_monitor_disable = 'module_trx';
-- what happens here and nobody counts cannot be switched on
--! mysql knowingly missing: nothing counts these here (docs/compat.md)
SET GLOBAL innodb_monitor_enable = 'icp_match';
--! mysql knowingly missing: nothing counts these here (docs/compat.md)
SET GLOBAL innodb_monitor_enable = 'module_icp';
SELECT NAME, COUNT FROM information_schema.INNODB_METRICS WHERE NAME = 'icp_match';
SET GLOBAL innodb_monitor_disable = 'all';
SELECT COUNT(*) FROM information_schema.INNODB_METRICS WHERE STATUS <> 'disabled' AND SUBSYSTEM <> 'latch';
SET GLOBAL innodb_monitor_reset_all = '%';
SELECT COUNT(*) FROM information_schema.INNODB_METRICS WHERE COUNT <> 0 AND SUBSYSTEM <> 'latch';
SET GLOBAL innodb_monitor_enable = 'ibuf%';
SELECT NAME, STATUS, COUNT FROM information_schema.INNODB_METRICS WHERE NAME LIKE 'ibuf%' ORDER BY NAME;
--! end
-- variables that bound each other
--! ours the values' bounds are MySQL's
SET GLOBAL innodb_io_capacity_max = 200;
SET GLOBAL innodb_io_capacity = 30000;
SELECT @@innodb_io_capacity, @@innodb_io_capacity_max;
SET GLOBAL innodb_max_dirty_pages_pct_lwm = 95;
SET GLOBAL innodb_max_dirty_pages_pct = 5;
SELECT @@innodb_max_dirty_pages_pct, @@innodb_max_dirty_pages_pct_lwm;
SET GLOBAL innodb_max_dirty_pages_pct = DEFAULT;
SET GLOBAL innodb_max_dirty_pages_pct_lwm = DEFAULT;
SET GLOBAL innodb_io_capacity = DEFAULT;
-- an older name and its newer one are one variable
SET GLOBAL slave_net_timeout = 70;
SELECT @@replica_net_timeout;
SET GLOBAL replica_net_timeout = 60;
SELECT @@slave_net_timeout;
SET GLOBAL slave_net_timeout = -1;
SET GLOBAL slave_net_timeout = 'x';
SET GLOBAL slave_type_conversions = 'x';
SET GLOBAL slave_net_timeout = 60;
SET GLOBAL optimizer_trace_features = 'nonsense';
SET optimizer_trace_features = 'greedy_search=off';
SELECT @@optimizer_trace_features;
SET GLOBAL log_error_suppression_list = 'nonsense';
SET SESSION net_buffer_length = 'x';
SET SESSION net_buffer_length = 2048;
SET GLOBAL default_storage_engine = -1;
SET GLOBAL protocol_compression_algorithms = -1;
--! end
-- status variables that count
--! ours MariaDB counts other things
FLUSH TABLES;
FLUSH STATUS;
CREATE TABLE f (a INT);
FLUSH TABLES f;
SELECT VARIABLE_VALUE INTO @before FROM performance_schema.global_status WHERE VARIABLE_NAME = 'Flush_commands';
FLUSH TABLES;
FLUSH TABLES WITH READ LOCK;
UNLOCK TABLES;
SELECT VARIABLE_VALUE - @before FROM performance_schema.global_status WHERE VARIABLE_NAME = 'Flush_commands';
SELECT /*+ MAX_EXECUTION_TIME(60000) */ 1;
SET max_execution_time = 50;
SET cte_max_recursion_depth = 100000000;
WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < 50000000) SELECT COUNT(*) FROM r;
SET max_execution_time = 0;
SHOW SESSION STATUS LIKE 'Max_execution_time%';
SELECT VARIABLE_VALUE > 0 FROM performance_schema.global_status WHERE VARIABLE_NAME = 'Innodb_num_open_files';
--! end
