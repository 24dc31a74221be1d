-- Tables of the schema mysql that are not the accounts': MySQL's columns (but the default of its timestamps), rows, and what cannot be changed
--! ours MariaDB has other tables
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'component' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'engine_cost' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'func' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'gtid_executed' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'help_category' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'help_keyword' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'help_relation' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'help_topic' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'innodb_index_stats' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'innodb_table_stats' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'ndb_binlog_index' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'password_history' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'plugin' ORDER BY ordinal_position;
--! mysql 9.2 added LIBRARY
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'procs_priv' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'replication_asynchronous_connection_failover' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'replication_asynchronous_connection_failover_managed' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'replication_group_configuration_version' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'replication_group_member_actions' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'server_cost' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'servers' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'slave_master_info' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'slave_relay_log_info' ORDER BY ordinal_position;
SELECT column_name, IF(data_type = 'timestamp', '-', column_default) AS d, is_nullable, character_maximum_length, numeric_precision, collation_name, column_type FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'slave_worker_info' ORDER BY ordinal_position;
SELECT * FROM mysql.func;
SELECT * FROM mysql.plugin;
SELECT * FROM mysql.servers;
SELECT * FROM mysql.procs_priv;
SELECT * FROM mysql.gtid_executed;
SELECT * FROM mysql.slave_master_info;
SELECT * FROM mysql.slave_relay_log_info;
SELECT * FROM mysql.slave_worker_info;
SELECT * FROM mysql.replication_asynchronous_connection_failover;
SELECT * FROM mysql.replication_asynchronous_connection_failover_managed;
SELECT * FROM mysql.ndb_binlog_index;
SELECT cost_name, cost_value, comment, default_value, last_update IS NULL FROM mysql.server_cost ORDER BY cost_name;
SELECT cost_name, engine_name, device_type, cost_value, comment, default_value FROM mysql.engine_cost ORDER BY cost_name;
SELECT COUNT(*) FROM mysql.server_cost WHERE default_value > 0.1 LOCK IN SHARE MODE;
SELECT COUNT(*) > 50, COUNT(DISTINCT t.help_topic_id) = COUNT(*), MIN(t.name = k.name) FROM mysql.help_topic t JOIN mysql.help_relation r USING (help_topic_id) JOIN mysql.help_keyword k USING (help_keyword_id) JOIN mysql.help_category c USING (help_category_id) WHERE k.name = t.name;
SELECT help_category_id, name, parent_category_id FROM mysql.help_category WHERE name = 'contents';
-- statistics
CREATE TABLE st (a INT, b INT, c VARCHAR(10), d INT, PRIMARY KEY (a, b), UNIQUE KEY u (d), KEY k (c), KEY kk (c, d)) STATS_PERSISTENT=1;
INSERT INTO st VALUES (1, 1, 'x', 1), (1, 2, 'x', 2), (2, 1, 'y', 3), (2, 2, 'y', 4), (3, 1, 'y', 5);
CREATE TABLE hidden (a INT, KEY (a)) STATS_PERSISTENT=1;
INSERT INTO hidden VALUES (1), (1), (2);
CREATE TABLE one (id INT PRIMARY KEY, a INT, KEY (a)) STATS_PERSISTENT=1;
INSERT INTO one VALUES (1, 7), (2, 7), (3, NULL);
CREATE TABLE not_kept (a INT PRIMARY KEY) STATS_PERSISTENT=0;
ANALYZE TABLE st, hidden, one, not_kept;
SELECT table_name, n_rows, clustered_index_size, sum_of_other_index_sizes, ABS(TIMESTAMPDIFF(SECOND, last_update, NOW())) < 60 AS now FROM mysql.innodb_table_stats WHERE database_name = DATABASE() ORDER BY table_name;
SELECT table_name, index_name, stat_name, stat_value, sample_size, stat_description FROM mysql.innodb_index_stats WHERE database_name = DATABASE() AND table_name IN ('hidden', 'one') ORDER BY table_name, index_name, stat_name;
SELECT index_name, stat_name, stat_value, sample_size, stat_description FROM mysql.innodb_index_stats WHERE database_name = DATABASE() AND table_name = 'st' AND NOT (index_name = 'k' AND stat_name = 'n_diff_pfx02') AND NOT (index_name = 'kk' AND stat_name = 'n_diff_pfx03') ORDER BY index_name, stat_name;
--! mysql prefixes that end within the primary key are known there
SELECT index_name, stat_name, stat_value, stat_description FROM mysql.innodb_index_stats WHERE database_name = DATABASE() AND table_name = 'st' AND index_name LIKE 'k%' AND stat_name LIKE 'n_diff%' ORDER BY index_name, stat_name;
SELECT COUNT(*) FROM mysql.innodb_table_stats WHERE database_name = DATABASE() AND table_name = 'not_kept';
DROP TABLE st, hidden, one, not_kept;
SELECT COUNT(*) FROM mysql.innodb_table_stats WHERE database_name = DATABASE();
-- what MySQL lets one change and we refuse
--! mysql skip: it is changed there
UPDATE mysql.server_cost SET cost_value = 2 WHERE cost_name = 'row_evaluate_cost';
--! mysql skip: it is changed there
UPDATE mysql.engine_cost SET cost_value = 2;
--! mysql skip: it is changed there
INSERT INTO mysql.engine_cost VALUES ('InnoDB', 0, 'io_block_read_cost', 3.0, NOW(), NULL, DEFAULT);
--! mysql skip: it is changed there
UPDATE mysql.innodb_table_stats SET n_rows = 10;
--! mysql skip: it is changed there
DELETE FROM mysql.innodb_index_stats;
--! mysql skip: it is changed there
DELETE FROM mysql.help_topic;
--! mysql skip: it is changed there
INSERT INTO mysql.servers (Server_name) VALUES ('s');
--! mysql skip: it is changed there
UPDATE mysql.password_history SET Password = '';
FLUSH OPTIMIZER_COSTS;
--! end
