-- The grant tables' columns (8.4.8's record: suite/funcs_1/r/is_columns_mysql.result), and how names of accounts compare: users by bytes, hosts without case
--! ours MariaDB has other tables
SELECT column_name, column_default, is_nullable, character_maximum_length, character_octet_length, numeric_precision, collation_name, column_type, privileges FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'user' AND column_name <> 'Timestamp' ORDER BY ordinal_position;
SELECT column_name, column_default, is_nullable, character_maximum_length, character_octet_length, numeric_precision, collation_name, column_type, privileges FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'db' AND column_name <> 'Timestamp' ORDER BY ordinal_position;
SELECT column_name, column_default, is_nullable, character_maximum_length, character_octet_length, numeric_precision, collation_name, column_type, privileges FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'tables_priv' AND column_name <> 'Timestamp' ORDER BY ordinal_position;
SELECT column_name, column_default, is_nullable, character_maximum_length, character_octet_length, numeric_precision, collation_name, column_type, privileges FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'columns_priv' AND column_name <> 'Timestamp' ORDER BY ordinal_position;
SELECT column_name, column_default, is_nullable, character_maximum_length, character_octet_length, numeric_precision, collation_name, column_type, privileges FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'global_grants' AND column_name <> 'Timestamp' ORDER BY ordinal_position;
SELECT column_name, column_default, is_nullable, character_maximum_length, character_octet_length, numeric_precision, collation_name, column_type, privileges FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'proxies_priv' AND column_name <> 'Timestamp' ORDER BY ordinal_position;
SELECT column_name, column_default, is_nullable, character_maximum_length, character_octet_length, numeric_precision, collation_name, column_type, privileges FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'role_edges' AND column_name <> 'Timestamp' ORDER BY ordinal_position;
SELECT column_name, column_default, is_nullable, character_maximum_length, character_octet_length, numeric_precision, collation_name, column_type, privileges FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'default_roles' AND column_name <> 'Timestamp' ORDER BY ordinal_position;
CREATE USER Aa COMMENT 'x';
GRANT SELECT ON *.* TO Aa;
SELECT user, host FROM mysql.user WHERE user = 'aa';
SELECT user, host FROM mysql.user WHERE user = 'ROOT';
SELECT user, host FROM mysql.user WHERE user = 'root' AND host = 'LOCALHOST';
SELECT user, host FROM mysql.user WHERE select_priv = 'y' AND user = 'Aa';
SELECT user_attributes, user_attributes->>'$.metadata.comment', password_lifetime, plugin FROM mysql.user WHERE user = 'Aa';
SELECT COLLATION(user), COLLATION(host), COLLATION(CONCAT(user, host)), COLLATION(plugin), COLLATION(select_priv) FROM mysql.user WHERE user = 'Aa';
SELECT user FROM mysql.user WHERE user IN ('root', 'Aa') ORDER BY user;
SELECT with_grant, with_grant + 1 FROM mysql.proxies_priv WHERE user = 'root';
SELECT priv, with_grant_option FROM mysql.global_grants WHERE user = 'root' AND priv = 'optimize_local_table';
SELECT * FROM information_schema.user_attributes WHERE user = 'AA';
SELECT * FROM information_schema.user_attributes WHERE user = 'Aa';
SELECT * FROM information_schema.user_privileges WHERE grantee = "'aa'@'%'";
SELECT user, host FROM performance_schema.accounts WHERE host = 'LOCALHOST' AND user = 'root';
-- dynamic privileges are given on everything only
CREATE TABLE ti (a INT);
GRANT BACKUP_ADMIN ON test.ti TO Aa;
GRANT BACKUP_ADMIN, CLONE_ADMIN ON test.* TO Aa;
REVOKE BACKUP_ADMIN ON test.ti FROM Aa;
DROP TABLE ti;
DROP USER Aa;
--! end
