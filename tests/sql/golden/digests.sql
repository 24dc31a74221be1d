-- DIGEST_TEXT: words that are one token to MySQL, functions without a parenthesis, names behind @, positions in ORDER BY, hints, NULL
--! ours MariaDB has no STATEMENT_DIGEST_TEXT
CREATE TABLE t (a INT, b INT);
--! names off
SELECT STATEMENT_DIGEST_TEXT('create table t(a char(1),b character(2),c int4,d int1,e int2,f int3,g bigint,h mediumint,i dec(1),j float,k double,l varchar(1),m bool)');
SELECT STATEMENT_DIGEST_TEXT('select 1 = any (select 1), now(), current_timestamp, localtime(), curdate(), current_date, current_time, utc_date');
SELECT STATEMENT_DIGEST_TEXT('select distinct a regexp 1, a rlike 1, a <> b, a != b, a <=> b from t');
SELECT STATEMENT_DIGEST_TEXT('select mid(a, 1), substr(a, 1), substring(a, 1), substr, std(a), stddev(a), variance(a), count from t');
SELECT STATEMENT_DIGEST_TEXT('select user(), session_user(), system_user(), current_user, user, database(), schema() from t');
SELECT STATEMENT_DIGEST_TEXT('select day(a), hour(a), week(a), a + interval 1 month, timestampadd(sql_tsi_day, 1, a) from t');
SELECT STATEMENT_DIGEST_TEXT('show columns from t');
SELECT STATEMENT_DIGEST_TEXT('show databases');
SELECT STATEMENT_DIGEST_TEXT('drop database x');
SELECT STATEMENT_DIGEST_TEXT('describe t');
SELECT STATEMENT_DIGEST_TEXT('set @a = 1, @`b` = 2, @''c'' = 3');
SELECT STATEMENT_DIGEST_TEXT('grant select on a.* to b@c, ''d''@''e''');
SELECT STATEMENT_DIGEST_TEXT('call p(@a, 1, 2)');
SELECT STATEMENT_DIGEST_TEXT('select _utf8mb4''a'', _binary x''41'', _latin1 0x41, _nosuch from t');
SELECT STATEMENT_DIGEST_TEXT('select a from t group by 1, 2 with rollup having a in (1, 2) order by 1 desc, 2, a + 1 limit 1, 2');
SELECT STATEMENT_DIGEST_TEXT('select group_concat(a order by 1, 2 separator ''x''), f(a, 1), rank() over (order by 1 rows 1 preceding) from t order by 2');
SELECT STATEMENT_DIGEST_TEXT('select /*+ semijoin(@s firstmatch, loosescan) bka(t@qb, u) set_var(sort_buffer_size = 10) max_execution_time(100) */ 1');
SELECT STATEMENT_DIGEST_TEXT('create table x (a int null default null, b varchar(5) null, c int not null)');
SELECT STATEMENT_DIGEST_TEXT('select if(a is null, null, 1), null is null, null from t');
SELECT STATEMENT_DIGEST_TEXT('alter table t add foreign key (a) references x (a) on delete set null');
SELECT STATEMENT_DIGEST_TEXT('signal sqlstate ''45000'' set message_text = ''x''');
SELECT STATEMENT_DIGEST_TEXT('select table_name, constraint_name from t');
SELECT STATEMENT_DIGEST_TEXT('explain format = tree select 1');
--! end
