-- jdbc getTables
SELECT TABLE_SCHEMA AS TABLE_CAT, NULL AS TABLE_SCHEM, TABLE_NAME, CASE WHEN TABLE_TYPE='BASE TABLE' THEN CASE WHEN TABLE_SCHEMA = 'mysql' OR TABLE_SCHEMA = 'performance_schema' THEN 'SYSTEM TABLE' ELSE 'TABLE' END WHEN TABLE_TYPE='TEMPORARY' THEN 'LOCAL_TEMPORARY' ELSE TABLE_TYPE END AS TABLE_TYPE, TABLE_COMMENT AS REMARKS, NULL AS TYPE_CAT, NULL AS TYPE_SCHEM, NULL AS TYPE_NAME, NULL AS SELF_REFERENCING_COL_NAME, NULL AS REF_GENERATION FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'many' HAVING TABLE_TYPE IN ('TABLE','VIEW',NULL) ORDER BY TABLE_TYPE, TABLE_SCHEMA, TABLE_NAME
-- jdbc getTables by pattern
SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA LIKE 'many' AND TABLE_NAME LIKE 't12%' ORDER BY TABLE_NAME
-- jdbc getColumns of one table
SELECT TABLE_SCHEMA AS TABLE_CAT, NULL AS TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, CASE UPPER(DATA_TYPE) WHEN 'INT' THEN 4 WHEN 'VARCHAR' THEN 12 WHEN 'DECIMAL' THEN 3 ELSE 1111 END AS DATA_TYPE, UPPER(DATA_TYPE) AS TYPE_NAME, CASE WHEN LCASE(DATA_TYPE)='date' THEN 10 WHEN CHARACTER_MAXIMUM_LENGTH IS NULL OR LOCATE('(', COLUMN_TYPE)=0 THEN NUMERIC_PRECISION WHEN CHARACTER_MAXIMUM_LENGTH > 2147483647 THEN 2147483647 ELSE CHARACTER_MAXIMUM_LENGTH END AS COLUMN_SIZE, NUMERIC_SCALE AS DECIMAL_DIGITS, COLUMN_COMMENT AS REMARKS, COLUMN_DEFAULT AS COLUMN_DEF, ORDINAL_POSITION, IS_NULLABLE, IF (EXTRA LIKE '%auto_increment%','YES','NO') AS IS_AUTOINCREMENT, IF (EXTRA LIKE '%GENERATED%','YES','NO') AS IS_GENERATEDCOLUMN FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = 'many' AND TABLE_NAME = 't1200' ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
-- jdbc getColumns of the schema
SELECT TABLE_SCHEMA AS TABLE_CAT, NULL AS TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, UPPER(DATA_TYPE) AS TYPE_NAME, NUMERIC_SCALE AS DECIMAL_DIGITS, COLUMN_COMMENT AS REMARKS, COLUMN_DEFAULT AS COLUMN_DEF, ORDINAL_POSITION, IS_NULLABLE, IF (EXTRA LIKE '%auto_increment%','YES','NO') AS IS_AUTOINCREMENT FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = 'many' ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
-- jdbc getColumns by pattern
SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, ORDINAL_POSITION FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = 'many' AND TABLE_NAME LIKE 't1%' AND COLUMN_NAME LIKE 'c%' ORDER BY TABLE_NAME, ORDINAL_POSITION
-- jdbc getPrimaryKeys
SELECT TABLE_SCHEMA AS TABLE_CAT, NULL AS TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, SEQ_IN_INDEX AS KEY_SEQ, 'PRIMARY' AS PK_NAME FROM INFORMATION_SCHEMA.STATISTICS WHERE TABLE_SCHEMA = 'many' AND TABLE_NAME = 't1200' AND INDEX_NAME='PRIMARY' ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
-- jdbc getIndexInfo
SELECT TABLE_SCHEMA AS TABLE_CAT, NULL AS TABLE_SCHEM, TABLE_NAME, NON_UNIQUE, NULL AS INDEX_QUALIFIER, INDEX_NAME, 3 AS TYPE, SEQ_IN_INDEX AS ORDINAL_POSITION, COLUMN_NAME, COLLATION AS ASC_OR_DESC, 0 AS PAGES, NULL AS FILTER_CONDITION FROM INFORMATION_SCHEMA.STATISTICS WHERE TABLE_SCHEMA = 'many' AND TABLE_NAME = 't1200' ORDER BY NON_UNIQUE, INDEX_NAME, SEQ_IN_INDEX
-- jdbc getIndexInfo of the schema
SELECT TABLE_NAME, NON_UNIQUE, INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME, COLLATION FROM INFORMATION_SCHEMA.STATISTICS WHERE TABLE_SCHEMA = 'many' ORDER BY NON_UNIQUE, INDEX_NAME, SEQ_IN_INDEX
-- jdbc getImportedKeys
SELECT DISTINCT A.REFERENCED_TABLE_SCHEMA AS PKTABLE_CAT, NULL AS PKTABLE_SCHEM, A.REFERENCED_TABLE_NAME AS PKTABLE_NAME, A.REFERENCED_COLUMN_NAME AS PKCOLUMN_NAME, A.TABLE_SCHEMA AS FKTABLE_CAT, NULL AS FKTABLE_SCHEM, A.TABLE_NAME AS FKTABLE_NAME, A.COLUMN_NAME AS FKCOLUMN_NAME, A.ORDINAL_POSITION AS KEY_SEQ, R.UPDATE_RULE, R.DELETE_RULE, A.CONSTRAINT_NAME AS FK_NAME FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE A JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS B USING (CONSTRAINT_NAME, TABLE_NAME) JOIN INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS R ON (R.CONSTRAINT_NAME = B.CONSTRAINT_NAME AND R.TABLE_NAME = B.TABLE_NAME AND R.CONSTRAINT_SCHEMA = B.TABLE_SCHEMA) WHERE B.CONSTRAINT_TYPE = 'FOREIGN KEY' AND A.TABLE_SCHEMA = 'many' AND A.TABLE_NAME = 't1200' AND A.REFERENCED_TABLE_SCHEMA IS NOT NULL ORDER BY A.REFERENCED_TABLE_SCHEMA, A.REFERENCED_TABLE_NAME, A.ORDINAL_POSITION
-- jdbc getImportedKeys of the schema
SELECT DISTINCT A.REFERENCED_TABLE_SCHEMA AS PKTABLE_CAT, NULL AS PKTABLE_SCHEM, A.REFERENCED_TABLE_NAME AS PKTABLE_NAME, A.REFERENCED_COLUMN_NAME AS PKCOLUMN_NAME, A.TABLE_SCHEMA AS FKTABLE_CAT, NULL AS FKTABLE_SCHEM, A.TABLE_NAME AS FKTABLE_NAME, A.COLUMN_NAME AS FKCOLUMN_NAME, A.ORDINAL_POSITION AS KEY_SEQ, R.UPDATE_RULE, R.DELETE_RULE, A.CONSTRAINT_NAME AS FK_NAME FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE A JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS B USING (CONSTRAINT_NAME, TABLE_NAME) JOIN INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS R ON (R.CONSTRAINT_NAME = B.CONSTRAINT_NAME AND R.TABLE_NAME = B.TABLE_NAME AND R.CONSTRAINT_SCHEMA = B.TABLE_SCHEMA) WHERE B.CONSTRAINT_TYPE = 'FOREIGN KEY' AND A.TABLE_SCHEMA = 'many' AND A.REFERENCED_TABLE_SCHEMA IS NOT NULL ORDER BY A.REFERENCED_TABLE_SCHEMA, A.REFERENCED_TABLE_NAME, A.ORDINAL_POSITION
-- jdbc getExportedKeys
SELECT DISTINCT A.REFERENCED_TABLE_SCHEMA AS PKTABLE_CAT, A.REFERENCED_TABLE_NAME AS PKTABLE_NAME, A.REFERENCED_COLUMN_NAME AS PKCOLUMN_NAME, A.TABLE_SCHEMA AS FKTABLE_CAT, A.TABLE_NAME AS FKTABLE_NAME, A.COLUMN_NAME AS FKCOLUMN_NAME, A.ORDINAL_POSITION AS KEY_SEQ, A.CONSTRAINT_NAME AS FK_NAME, TC.CONSTRAINT_NAME AS PK_NAME FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE A JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS B USING (TABLE_SCHEMA, CONSTRAINT_NAME, TABLE_NAME) JOIN INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS RC ON RC.CONSTRAINT_SCHEMA=A.TABLE_SCHEMA AND RC.CONSTRAINT_NAME=A.CONSTRAINT_NAME LEFT JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS TC ON (A.REFERENCED_TABLE_SCHEMA=TC.TABLE_SCHEMA AND A.REFERENCED_TABLE_NAME=TC.TABLE_NAME AND TC.CONSTRAINT_TYPE IN ('UNIQUE','PRIMARY KEY') AND TC.CONSTRAINT_NAME=RC.UNIQUE_CONSTRAINT_NAME) WHERE B.CONSTRAINT_TYPE = 'FOREIGN KEY' AND A.REFERENCED_TABLE_SCHEMA = 'many' AND A.REFERENCED_TABLE_NAME='t0005' ORDER BY A.TABLE_SCHEMA, A.TABLE_NAME, A.ORDINAL_POSITION
-- jdbc getProcedures
SELECT ROUTINE_SCHEMA AS PROCEDURE_CAT, NULL AS PROCEDURE_SCHEM, ROUTINE_NAME AS PROCEDURE_NAME, ROUTINE_COMMENT AS REMARKS, ROUTINE_TYPE, SPECIFIC_NAME FROM INFORMATION_SCHEMA.ROUTINES WHERE ROUTINE_SCHEMA = 'many' ORDER BY ROUTINE_SCHEMA, ROUTINE_NAME, ROUTINE_TYPE
-- jdbc getTablePrivileges
SELECT * FROM INFORMATION_SCHEMA.TABLE_PRIVILEGES WHERE TABLE_SCHEMA='many' AND TABLE_NAME='t0001'
-- jdbc old getTables
SHOW FULL TABLES FROM `many` LIKE '%'
-- jdbc old getColumns
SHOW FULL COLUMNS FROM `t0500` FROM `many` LIKE '%'
-- jdbc old getIndexInfo : count
SHOW INDEX FROM `t0500` FROM `many`
-- jdbc old getImportedKeys : db=many
SHOW CREATE TABLE `many`.`t0500`
-- dbeaver tables
SHOW FULL TABLES FROM `many`
-- dbeaver table status : count
SHOW TABLE STATUS FROM `many`
-- dbeaver columns of one table
SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA='many' AND TABLE_NAME='t0700' ORDER BY ORDINAL_POSITION
-- dbeaver columns of the schema : count
SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA='many' ORDER BY ORDINAL_POSITION
-- dbeaver tables of the schema : count
SELECT * FROM information_schema.TABLES WHERE TABLE_SCHEMA='many'
-- dbeaver indexes : count
SELECT * FROM information_schema.STATISTICS WHERE TABLE_SCHEMA='many' AND TABLE_NAME='t0700' ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
-- dbeaver constraints
SELECT kc.CONSTRAINT_NAME, kc.TABLE_NAME, kc.COLUMN_NAME, kc.ORDINAL_POSITION, tc.CONSTRAINT_TYPE FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE kc LEFT OUTER JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS tc ON tc.CONSTRAINT_SCHEMA=kc.CONSTRAINT_SCHEMA AND tc.TABLE_NAME=kc.TABLE_NAME AND tc.CONSTRAINT_NAME=kc.CONSTRAINT_NAME WHERE kc.TABLE_SCHEMA='many' AND kc.TABLE_NAME='t0700' ORDER BY kc.CONSTRAINT_NAME, kc.ORDINAL_POSITION
-- dbeaver constraints of the schema
SELECT kc.CONSTRAINT_NAME, kc.TABLE_NAME, kc.COLUMN_NAME, kc.ORDINAL_POSITION FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE kc WHERE kc.TABLE_SCHEMA='many' AND kc.REFERENCED_TABLE_NAME IS NULL ORDER BY kc.CONSTRAINT_NAME, kc.ORDINAL_POSITION
-- dbeaver constraints with checks
SELECT cc.CONSTRAINT_NAME, cc.CHECK_CLAUSE, tc.TABLE_NAME FROM (SELECT CONSTRAINT_NAME, CHECK_CLAUSE FROM INFORMATION_SCHEMA.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA='many') cc, (SELECT TABLE_NAME, CONSTRAINT_NAME FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA='many') tc WHERE cc.CONSTRAINT_NAME=tc.CONSTRAINT_NAME
-- dbeaver references to a table
SELECT DISTINCT fk.CONSTRAINT_NAME, fk.TABLE_SCHEMA, fk.TABLE_NAME FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE fk WHERE fk.REFERENCED_TABLE_SCHEMA='many' AND fk.REFERENCED_TABLE_NAME='t0003'
-- dbeaver sizes : none
SELECT table_schema, SUM(data_length + index_length) s FROM information_schema.tables GROUP BY table_schema
-- dbeaver triggers, routines, events : each
SELECT * FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA='many'
SELECT * FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA='many' ORDER BY ROUTINE_NAME
SELECT * FROM information_schema.EVENTS WHERE EVENT_SCHEMA='many'
-- dbeaver views
SELECT TABLE_NAME, IS_UPDATABLE, SECURITY_TYPE FROM information_schema.VIEWS WHERE TABLE_SCHEMA='many'
-- dbeaver one view : db=many
SHOW CREATE VIEW v0509
-- dbeaver charsets : each none
SHOW CHARSET
SHOW COLLATION
SHOW ENGINES
SHOW PLUGINS
SHOW PRIVILEGES
-- workbench tables
SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA='many' AND TABLE_TYPE='BASE TABLE' ORDER BY TABLE_NAME
-- workbench names of columns : each db=many
SHOW FULL TABLES FROM `many`
SHOW COLUMNS FROM `many`.`t0042`
SHOW INDEXES FROM `many`.`t0042` WHERE Key_name='none'
SHOW TRIGGERS FROM `many` LIKE 't0042'
-- workbench schema sizes : none
SELECT TABLE_SCHEMA, COUNT(*), SUM(TABLE_ROWS), SUM(DATA_LENGTH), SUM(INDEX_LENGTH) FROM INFORMATION_SCHEMA.TABLES GROUP BY TABLE_SCHEMA
-- workbench status of one table : count
SHOW TABLE STATUS FROM `many` LIKE 't0042'
-- workbench foreign keys of a schema
SELECT tb1.CONSTRAINT_NAME, tb1.TABLE_NAME, tb1.COLUMN_NAME, tb1.REFERENCED_TABLE_NAME, tb1.REFERENCED_COLUMN_NAME, tb2.MATCH_OPTION, tb2.UPDATE_RULE, tb2.DELETE_RULE FROM information_schema.KEY_COLUMN_USAGE tb1 INNER JOIN information_schema.REFERENTIAL_CONSTRAINTS tb2 ON tb1.CONSTRAINT_NAME=tb2.CONSTRAINT_NAME AND tb1.CONSTRAINT_SCHEMA=tb2.CONSTRAINT_SCHEMA WHERE tb1.TABLE_SCHEMA='many' AND tb1.REFERENCED_COLUMN_NAME IS NOT NULL
-- rails tables : db=many
SELECT table_name FROM (SELECT * FROM information_schema.tables WHERE table_schema = DATABASE()) _subquery WHERE _subquery.table_type = 'BASE TABLE'
-- rails data sources : db=many
SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()
-- rails table exists : db=many
SELECT table_name FROM (SELECT * FROM information_schema.tables WHERE table_schema = DATABASE()) _subquery WHERE _subquery.table_name='t0100' AND _subquery.table_type = 'BASE TABLE'
-- rails columns : db=many
SHOW FULL FIELDS FROM `t0100`
-- rails primary keys : db=many
SELECT column_name FROM information_schema.statistics WHERE index_name = 'PRIMARY' AND table_schema = DATABASE() AND table_name = 't0100' ORDER BY seq_in_index
-- rails foreign keys : db=many
SELECT fk.referenced_table_name AS 'to_table', fk.referenced_column_name AS 'primary_key', fk.column_name AS 'column', fk.constraint_name AS 'name', fk.ordinal_position AS 'position', rc.update_rule AS 'on_update', rc.delete_rule AS 'on_delete' FROM information_schema.referential_constraints rc JOIN information_schema.key_column_usage fk USING (constraint_schema, constraint_name) WHERE fk.referenced_column_name IS NOT NULL AND fk.table_schema = DATABASE() AND fk.table_name = 't0100' AND rc.constraint_schema = DATABASE() AND rc.table_name = 't0100'
-- rails check constraints : db=many
SELECT cc.constraint_name AS 'name', cc.check_clause AS 'expression' FROM information_schema.check_constraints cc JOIN information_schema.table_constraints tc USING (constraint_schema, constraint_name) WHERE tc.table_schema = DATABASE() AND tc.table_name = 't0100' AND cc.constraint_schema = DATABASE()
-- rails table comment : db=many
SELECT table_comment FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 't0100'
-- rails indexes : db=many count
SHOW KEYS FROM `t0100`
-- django table list : db=many
SELECT table_name, table_type, table_comment FROM information_schema.tables WHERE table_schema = DATABASE()
-- django columns : db=many
SELECT column_name, data_type, character_maximum_length, numeric_precision, numeric_scale, extra, column_default, CASE WHEN collation_name = 'utf8mb4_0900_ai_ci' THEN NULL ELSE collation_name END AS collation_name, CASE WHEN column_type LIKE '% unsigned' THEN 1 ELSE 0 END AS is_unsigned, column_comment FROM information_schema.columns WHERE table_name = 't0100' AND table_schema = DATABASE()
-- django relations : db=many
SELECT kcu.column_name, kcu.referenced_column_name, kcu.referenced_table_name FROM information_schema.key_column_usage kcu WHERE kcu.table_name = 't0100' AND kcu.table_schema = DATABASE() AND kcu.referenced_table_schema = DATABASE() AND kcu.referenced_table_name IS NOT NULL AND kcu.referenced_column_name IS NOT NULL
-- django constraints : db=many
SELECT kc.constraint_name, kc.column_name, kc.referenced_table_name, kc.referenced_column_name, c.constraint_type FROM information_schema.key_column_usage AS kc, information_schema.table_constraints AS c WHERE kc.table_schema = DATABASE() AND (kc.referenced_table_schema = DATABASE() OR kc.referenced_table_schema IS NULL) AND c.table_schema = kc.table_schema AND c.constraint_name = kc.constraint_name AND c.constraint_type != 'CHECK' AND kc.table_name = 't0100' ORDER BY kc.ordinal_position
-- django sequences : db=many
SELECT column_name FROM information_schema.columns WHERE table_schema=DATABASE() AND table_name='t0100' AND extra LIKE '%auto_increment%'
-- prisma tables : db=many
SELECT DISTINCT BINARY table_info.table_name AS table_name, table_info.create_options AS create_options, table_info.table_comment AS table_comment FROM information_schema.tables AS table_info JOIN information_schema.columns AS column_info ON BINARY column_info.table_name = BINARY table_info.table_name WHERE table_info.table_schema = 'many' AND column_info.table_schema = 'many' AND table_info.table_type = 'BASE TABLE' ORDER BY BINARY table_info.table_name
-- prisma columns : db=many
SELECT column_name column_name, data_type data_type, column_type full_data_type, character_maximum_length character_maximum_length, numeric_precision numeric_precision, numeric_scale numeric_scale, datetime_precision datetime_precision, column_default column_default, is_nullable is_nullable, extra extra, table_name table_name, IF(column_comment = '', NULL, column_comment) AS column_comment FROM information_schema.columns WHERE table_schema = 'many' ORDER BY ordinal_position
-- prisma indexes : db=many count
SELECT table_name AS table_name, index_name AS index_name, column_name AS column_name, sub_part AS partial, seq_in_index AS seq_in_index, collation AS column_order, non_unique AS non_unique, index_type AS index_type FROM information_schema.statistics WHERE table_schema = 'many' ORDER BY BINARY table_name, BINARY index_name, seq_in_index
-- prisma foreign keys : db=many
SELECT kcu.constraint_name constraint_name, kcu.column_name column_name, kcu.referenced_table_schema referenced_schema_name, kcu.referenced_table_name referenced_table_name, kcu.referenced_column_name referenced_column_name, kcu.ordinal_position ordinal_position, kcu.table_name table_name, rc.delete_rule delete_rule, rc.update_rule update_rule FROM information_schema.key_column_usage AS kcu INNER JOIN information_schema.referential_constraints AS rc ON BINARY kcu.constraint_name = BINARY rc.constraint_name WHERE BINARY kcu.table_schema = 'many' AND BINARY rc.constraint_schema = 'many' AND kcu.referenced_column_name IS NOT NULL ORDER BY BINARY kcu.table_schema, BINARY kcu.table_name, BINARY kcu.constraint_name, kcu.ordinal_position
-- prisma views
SELECT TABLE_NAME AS view_name, VIEW_DEFINITION AS view_sql FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = 'many' AND TABLE_NAME='v0009'
-- prisma checks
SELECT tc.constraint_name, tc.table_name FROM information_schema.table_constraints tc WHERE tc.constraint_type='CHECK' AND tc.table_schema='many'
-- sqlalchemy tables : db=many
SHOW FULL TABLES FROM `many`
-- sqlalchemy has table : db=many
DESCRIBE `many`.`t0321`
-- sqlalchemy reflection : db=many
SHOW CREATE TABLE `t0321`
-- sqlalchemy casing of references : db=many
SELECT table_schema, table_name, column_name FROM information_schema.columns WHERE (table_schema, table_name, LOWER(column_name)) IN (('many','t0107','id'),('many','t0001','id'),('many','t0035','id'))
-- hibernate schema update : each db=many
SELECT TABLE_SCHEMA AS TABLE_CAT, NULL AS TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT AS REMARKS FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA='many' AND TABLE_NAME='t0007'
SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA='many' AND TABLE_NAME='t0007' AND COLUMN_NAME LIKE '%' ORDER BY ORDINAL_POSITION
SELECT TABLE_NAME, NON_UNIQUE, INDEX_NAME, COLUMN_NAME FROM INFORMATION_SCHEMA.STATISTICS WHERE TABLE_SCHEMA='many' AND TABLE_NAME='t0007' ORDER BY NON_UNIQUE, INDEX_NAME, SEQ_IN_INDEX
-- laravel tables : count
select table_name as `name`, (data_length + index_length) as `size`, table_comment as `comment`, engine as `engine`, table_collation as `collation` from information_schema.tables where table_schema = 'many' and table_type in ('BASE TABLE', 'SYSTEM VERSIONED') order by table_name
-- laravel columns
select column_name as `name`, data_type as `type_name`, column_type as `type`, collation_name as `collation`, is_nullable as `nullable`, column_default as `default`, column_comment as `comment`, generation_expression as `expression`, extra as `extra` from information_schema.columns where table_schema = 'many' and table_name = 't0400' order by ordinal_position asc
-- laravel indexes
select index_name as `name`, group_concat(column_name order by seq_in_index) as `columns`, index_type as `type`, not non_unique as `unique` from information_schema.statistics where table_schema = 'many' and table_name = 't0400' group by index_name, index_type, non_unique
-- laravel foreign keys
select kc.constraint_name as `name`, group_concat(kc.column_name order by kc.ordinal_position) as `columns`, kc.referenced_table_schema as `foreign_schema`, kc.referenced_table_name as `foreign_table`, group_concat(kc.referenced_column_name order by kc.ordinal_position) as `foreign_columns`, rc.update_rule as `on_update`, rc.delete_rule as `on_delete` from information_schema.key_column_usage kc join information_schema.referential_constraints rc on kc.constraint_schema = rc.constraint_schema and kc.constraint_name = rc.constraint_name where kc.table_schema = 'many' and kc.table_name = 't0400' and kc.referenced_table_name is not null group by kc.constraint_name, kc.referenced_table_schema, kc.referenced_table_name, rc.update_rule, rc.delete_rule
-- doctrine columns of the schema : db=many
SELECT c.TABLE_NAME, c.COLUMN_NAME AS field, c.COLUMN_TYPE AS type, c.IS_NULLABLE AS `null`, c.COLUMN_KEY AS `key`, c.COLUMN_DEFAULT AS `default`, c.EXTRA, c.COLUMN_COMMENT AS comment, c.CHARACTER_SET_NAME AS characterset, c.COLLATION_NAME AS collation FROM information_schema.COLUMNS c INNER JOIN information_schema.TABLES t ON t.TABLE_NAME = c.TABLE_NAME WHERE c.TABLE_SCHEMA = 'many' AND t.TABLE_SCHEMA = 'many' AND t.TABLE_TYPE = 'BASE TABLE' ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION
-- doctrine foreign keys of the schema : db=many
SELECT k.TABLE_NAME, k.CONSTRAINT_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_NAME, k.REFERENCED_COLUMN_NAME, k.ORDINAL_POSITION, c.UPDATE_RULE, c.DELETE_RULE FROM information_schema.key_column_usage k INNER JOIN information_schema.referential_constraints c ON c.CONSTRAINT_NAME = k.CONSTRAINT_NAME AND c.TABLE_NAME = k.TABLE_NAME WHERE k.TABLE_SCHEMA = 'many' AND c.CONSTRAINT_SCHEMA = 'many' AND k.REFERENCED_COLUMN_NAME IS NOT NULL ORDER BY k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION
-- typeorm columns : db=many
SELECT * FROM `INFORMATION_SCHEMA`.`COLUMNS` WHERE `TABLE_SCHEMA` = 'many' AND `TABLE_NAME` = 't0600' UNION SELECT * FROM `INFORMATION_SCHEMA`.`COLUMNS` WHERE `TABLE_SCHEMA` = 'many' AND `TABLE_NAME` = 't0601'
-- typeorm indices : db=many
SELECT `s`.`TABLE_NAME`, `s`.`INDEX_NAME`, `s`.`COLUMN_NAME` FROM (SELECT * FROM `INFORMATION_SCHEMA`.`STATISTICS` WHERE `TABLE_SCHEMA` = 'many' AND `TABLE_NAME` = 't0600') `s` LEFT JOIN (SELECT * FROM `INFORMATION_SCHEMA`.`REFERENTIAL_CONSTRAINTS` WHERE `CONSTRAINT_SCHEMA` = 'many' AND `TABLE_NAME` = 't0600') `rc` ON `s`.`INDEX_NAME` = `rc`.`CONSTRAINT_NAME` AND `s`.`TABLE_SCHEMA` = `rc`.`CONSTRAINT_SCHEMA` WHERE `s`.`INDEX_NAME` != 'PRIMARY' AND `rc`.`CONSTRAINT_NAME` IS NULL
-- sequelize foreign keys : db=many
SELECT tc.constraint_name, tc.constraint_type, kcu.column_name, kcu.referenced_table_name, kcu.referenced_column_name FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS tc JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE kcu USING (table_name, table_schema, constraint_name) WHERE tc.table_schema = 'many' AND tc.table_name = 't0600'
-- mysqldump's questions : each none db=many
SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA='many' AND TABLE_TYPE='BASE TABLE'
SHOW TRIGGERS LIKE 't0001'
SHOW TABLE STATUS LIKE 't0001'
SHOW FIELDS FROM `t0001`
SHOW CREATE TABLE `t0001`
-- phpmyadmin databases : none
SELECT `SCHEMA_NAME` FROM `INFORMATION_SCHEMA`.`SCHEMATA`, (SELECT DB_first_level FROM (SELECT DISTINCT SUBSTRING_INDEX(SCHEMA_NAME, '_', 1) DB_first_level FROM INFORMATION_SCHEMA.SCHEMATA WHERE TRUE) t ORDER BY DB_first_level ASC LIMIT 0, 100) t2 WHERE TRUE AND 1 = LOCATE(CONCAT(DB_first_level, '_'), CONCAT(SCHEMA_NAME, '_')) ORDER BY SCHEMA_NAME ASC
-- phpmyadmin tables : count
SELECT *, `TABLE_SCHEMA` AS `Db`, `TABLE_NAME` AS `Name`, `ENGINE` AS `Engine`, `TABLE_ROWS` AS `Rows`, `DATA_LENGTH` AS `Data_length`, `UPDATE_TIME` AS `Update_time` FROM `information_schema`.`TABLES` t WHERE `TABLE_SCHEMA` IN ('many') ORDER BY Name ASC
-- datagrip columns : count
select ordinal_position, column_name, column_type, column_default, generation_expression, table_name, column_comment, is_nullable, extra, collation_name from information_schema.columns where table_schema = 'many' order by table_name, ordinal_position
-- datagrip indexes : count
select table_name, index_name, index_comment, index_type, non_unique, column_name, sub_part, collation from information_schema.statistics where table_schema = 'many' and index_schema = 'many' order by index_schema, table_name, index_name, index_type, seq_in_index
-- datagrip constraints
select c.constraint_name, c.constraint_schema, c.table_name, c.constraint_type, false extra from information_schema.table_constraints c where c.table_schema = 'many'
-- datagrip key columns
select constraint_name, table_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name from information_schema.key_column_usage where table_schema = 'many' and referenced_column_name is not null order by table_name, constraint_name, ordinal_position
-- foreign keys without an index
SELECT k.TABLE_NAME, k.COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE k LEFT JOIN information_schema.STATISTICS s ON s.TABLE_SCHEMA=k.TABLE_SCHEMA AND s.TABLE_NAME=k.TABLE_NAME AND s.COLUMN_NAME=k.COLUMN_NAME AND s.SEQ_IN_INDEX=1 WHERE k.TABLE_SCHEMA='many' AND k.REFERENCED_TABLE_NAME IS NOT NULL AND s.INDEX_NAME IS NULL
-- tables without a primary key
SELECT t.TABLE_SCHEMA, t.TABLE_NAME FROM information_schema.TABLES t LEFT JOIN information_schema.TABLE_CONSTRAINTS c ON c.TABLE_SCHEMA=t.TABLE_SCHEMA AND c.TABLE_NAME=t.TABLE_NAME AND c.CONSTRAINT_TYPE='PRIMARY KEY' WHERE t.TABLE_SCHEMA='many' AND t.TABLE_TYPE='BASE TABLE' AND c.CONSTRAINT_NAME IS NULL
-- tables without a primary key by not exists
SELECT t.TABLE_NAME FROM information_schema.TABLES t WHERE t.TABLE_SCHEMA='many' AND t.TABLE_TYPE='BASE TABLE' AND NOT EXISTS (SELECT 1 FROM information_schema.STATISTICS s WHERE s.TABLE_SCHEMA=t.TABLE_SCHEMA AND s.TABLE_NAME=t.TABLE_NAME AND s.INDEX_NAME='PRIMARY')
-- columns of a name
SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.COLUMNS WHERE COLUMN_NAME='amount' AND TABLE_SCHEMA NOT IN ('mysql','sys','information_schema','performance_schema')
-- unused columns by count
SELECT TABLE_NAME, COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA='many' GROUP BY TABLE_NAME HAVING COUNT(*) > 6
-- columns with tables and keys
SELECT c.TABLE_NAME, c.COLUMN_NAME, k.CONSTRAINT_NAME, k.REFERENCED_TABLE_NAME FROM information_schema.COLUMNS c JOIN information_schema.TABLES t ON t.TABLE_SCHEMA=c.TABLE_SCHEMA AND t.TABLE_NAME=c.TABLE_NAME LEFT JOIN information_schema.KEY_COLUMN_USAGE k ON k.TABLE_SCHEMA=c.TABLE_SCHEMA AND k.TABLE_NAME=c.TABLE_NAME AND k.COLUMN_NAME=c.COLUMN_NAME WHERE c.TABLE_SCHEMA='many' AND t.TABLE_TYPE='BASE TABLE'
-- columns with tables and keys of one table
SELECT c.TABLE_NAME, c.COLUMN_NAME, k.CONSTRAINT_NAME, k.REFERENCED_TABLE_NAME FROM information_schema.COLUMNS c JOIN information_schema.TABLES t ON t.TABLE_SCHEMA=c.TABLE_SCHEMA AND t.TABLE_NAME=c.TABLE_NAME LEFT JOIN information_schema.KEY_COLUMN_USAGE k ON k.TABLE_SCHEMA=c.TABLE_SCHEMA AND k.TABLE_NAME=c.TABLE_NAME AND k.COLUMN_NAME=c.COLUMN_NAME WHERE c.TABLE_SCHEMA='many' AND c.TABLE_NAME='t0900'
-- monitoring, largest tables : count
SELECT CONCAT(table_schema,'.',table_name), ROUND(data_length/1048576,2) mb FROM information_schema.TABLES WHERE table_schema NOT IN ('mysql','sys') ORDER BY data_length DESC LIMIT 10
-- monitoring, auto increment : none
SELECT table_name, column_name, auto_increment FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name) WHERE c.extra LIKE '%auto_increment%' AND t.auto_increment IS NOT NULL AND table_schema='many'
-- monitoring, status : each none
SHOW GLOBAL STATUS
SHOW GLOBAL VARIABLES
SHOW FULL PROCESSLIST
SHOW ENGINE INNODB STATUS
-- schemas : each none
SHOW DATABASES
SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME='many'
SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME='many'
