SELECT c FROM sbtest1 WHERE id=123
SELECT DISTINCT SQL_CALC_FOUND_ROWS HIGH_PRIORITY a.*, db.t.*, 1 AS x, 'y' z, count(*) cnt FROM t
select * from t1, t2 left join t3 on t2.a = t3.a right outer join t4 using (a, b), (t5 cross join t6)
select * from a join b join c on b.x = c.x on a.x = b.x
select * from a left join b left join c on b.x = c.x on a.x = b.x
select * from a natural left join b straight_join c on 1
select * from t use index (a, primary) ignore key for order by (b) where a = 1 for update of t skip locked
select * from t partition (p0, p1) as x where a in (1, 2, 3) and b not in (select c from u) lock in share mode
select a, sum(b) over w, row_number() over (partition by a order by b rows between unbounded preceding and current row) from t window w as (order by a)
select a, count(distinct a, b), group_concat(distinct a order by b desc separator ';') from t group by a, b with rollup having count(*) > 1 order by 1 desc, a limit 5, 10
(select 1) union all (select 2 order by 1 limit 1) except select 3 intersect distinct select 4 order by 1 limit 3 offset 2
select * from (select 1 as a union select 2) as d (x), lateral (select d.x) as l
select * from ((select 1) union (select 2)) as t
select * from ((select 1) as a join t)
with recursive c (n) as (select 1 union all select n + 1 from c where n < 10) select * from c
values row(1, 2), row(3, 4) order by column_0
table t order by a limit 1
select ((select 1) + 1), (select 1) = any (select 2), (1, 2) in ((1, 2), (3, 4)), row(1, 2) = (select 1, 2), exists (select * from t)
select a between 1 and 2, a not between b and c, a like 'x%' escape '!', a not like b, a regexp 'x', a rlike 'y', a sounds like b, 1 member of ('[1]')
select case a when 1 then 2 else 3 end, case when a then b end, if(a, b, c), interval(1, 2, 3), cast(a as char(10) character set utf8mb4), convert(a using latin1), convert(a, unsigned integer)
select extract(year_month from a), trim(both 'x' from a), trim(leading from a), trim(a), substring(a from 2 for 3), substring(a, 2), position('a' in b), date_add(a, interval 1 day), a + interval '1:1' minute_second, interval 1 day + a, adddate(a, 3), timestampadd(sql_tsi_day, 1, a), timestampdiff(month, a, b)
select match (a, b) against ('x' in boolean mode), match a against ('x' with query expansion), char(1, 2 using utf8mb4), weight_string(a as char(3)), get_format(date, 'usa'), json_value(a, '$.b' returning decimal(4,2) null on empty error on error), a->'$.x', t.a->>'$.y'
select {d '2020-01-01'}, {ts '2020-01-01 00:00:00'}, date '2020-01-01', time'10:00:00', timestamp '2020-01-01 00:00:00', x'4a', 0x4a, b'01', 0b01, N'x', _latin1'y', _utf8mb4 x'41', 'a' 'b'
select @a, @a := 1, @`b c`, @'d', @@global.max_connections, @@session.sql_mode, @@x, @@hot.key_buffer_size
select current_timestamp, current_timestamp(), now(6), curdate(), utc_date, localtime, current_user, current_user(), database(), schema(), user(), left(a, 1), right(a, 1), mod(a, 2), a mod 2, a div 2, replace(a, b, c), insert(a, 1, 2, 'x'), repeat('a', 3), truncate(1.5, 1), year(a), date(a), default(a), values(a)
select json_arrayagg(a), json_objectagg(a, b), std(a), var_pop(a), bit_xor(a), avg(distinct a), min(all a), lead(a, 1, 0) over (order by b), nth_value(a, 2) from first respect nulls over w, ntile(4) over () from t window w as ()
select * from json_table('[1]', '$[*]' columns (id for ordinality, a int path '$.a' default '1' on empty null on error, nested path '$.b[*]' columns (c int exists path '$.c'))) as jt
select a into @x, @y from t
select * from t into outfile '/tmp/x' character set utf8mb4 fields terminated by ',' optionally enclosed by '"' lines terminated by '\n'
select * into dumpfile 'x' from t
select 1 from dual where 1
select count(*) count, sum(a) from t
select t1.select, `from`.`where` from t1
select status, action, data, value, name, type, user, date, time, timestamp, text, year, level, role, admin, local from t
select !a, ~a, - a, + a, not a, a && b || c xor d, a <=> b, a << 1 >> 2, a & b | c ^ d
select a is null, a is not true, (a = b) is unknown
select _utf8mb4'a' collate utf8mb4_bin, a collate utf8mb4_general_ci = b
select /*+ MAX_EXECUTION_TIME(1000) */ 1
select 1 /*!80000 + 1 */ /*!99999 + 1 */
insert into t values (1, 'a', default, default(a)), (2, null, now(), -1)
insert low_priority ignore into db.t partition (p0) (a, b) values (1, 2) as new (x, y) on duplicate key update a = new.x, b = values(b)
insert into t set a = 1, t.b = default on duplicate key update a = 2
insert into t () values ()
insert t select * from u on duplicate key update a = 1
insert into t (a) select a from u join v on duplicate key update a = 1
insert into t (select * from u)
insert into t (a, b) with c as (select 1, 2) select * from c
insert into t table u
insert into t values row(1, 2)
replace into t (a) value (1), (2)
replace delayed t set a = 1
update t set a = 1, b = default where c = 2 order by d limit 3
update low_priority ignore t1, t2 join t3 using (x) set t1.a = t2.a where t1.b = t2.b
with c as (select 1) update t set a = (select * from c)
delete from t where a = 1 order by b limit 1
delete quick ignore from t as x partition (p0) where x.a = 1
delete t1, db.t2.* from t1 join db.t2 on t1.a = t2.a where 1
delete from t1, t2.* using t1 join t2 where t1.a = t2.a
load data local infile 'x' replace into table t character set utf8mb4 fields terminated by ',' enclosed by '"' escaped by '\\' lines starting by 'x' terminated by '\n' ignore 1 lines (a, @b, c) set d = @b + 1
do 1, sleep(1)
call p(1, @a)
call db.p
handler t open as h
handler h read first where a = 1 limit 1
handler h read idx = (1, 2)
handler h read idx next
handler h close
create table t (id int unsigned not null auto_increment primary key, a varchar(10) character set latin1 collate latin1_bin default 'x' comment 'c', b decimal(10,2) unsigned zerofill null, c enum('a', 'b') not null default 'a', d set('x','y'), e timestamp(6) not null default current_timestamp(6) on update current_timestamp(6), f json default (json_array()), g int generated always as (id + 1) stored unique key, h int as (id) virtual invisible, i point srid 4326 not null, key k (a(5) desc, b), unique index u using btree (c) comment 'i', fulltext key ft (a) with parser ngram, spatial index (i), constraint fk foreign key fk_i (id) references p (id) on delete cascade on update set null, constraint ck check (id > 0) not enforced, check (a <> b), index fx ((lower(a)))) engine=InnoDB auto_increment = 5 default charset utf8mb4 collate utf8mb4_0900_ai_ci comment='t' row_format=dynamic key_block_size=8 stats_persistent=default
create temporary table if not exists t like u
create table t (like u)
create table t select 1 as a
create table t (a int) ignore as select 1 as a union select 2
create table t (a int) engine innodb partition by range (a) subpartition by hash (b) subpartitions 2 (partition p0 values less than (10) engine = innodb, partition p1 values less than maxvalue comment 'x')
create table t (a int) partition by linear key algorithm=2 (a) partitions 4
create table t (a int, b int) partition by list columns (a, b) (partition p0 values in ((1, 2), (3, null)))
create table t (a national varchar(10), b nchar(3), c char varying(5), d long varchar, e double precision, f bool, g serial, h bit(3), i year(4), j blob(10), k text(10) binary, l tinyint(1) signed, m real(5,2), n float(7), o dec, p fixed(5), q char(3) byte, r char ascii, s varchar(3) unicode, t mediumtext charset binary)
create table t1 (a int, b int key, c int unique, d int references x (y))
alter table t add column a int first, add b int after a, add (c int, d int, key (c)), add index i (a), add constraint primary key (a), add fulltext (b), drop column a, drop key i, drop primary key, drop foreign key f, drop check c, drop constraint d, change a b int, modify column a bigint not null after b, alter a set default 5, alter column a drop default, alter index i invisible, alter check c not enforced, rename to u, rename column a to b, rename index a to b, convert to character set utf8mb4 collate utf8mb4_bin, enable keys, force, engine=innodb, comment 'x', auto_increment 10, algorithm=inplace, lock=none, order by a, b
alter table t algorithm = inplace, lock = none, add partition (partition p3 values less than (40))
alter table t drop partition p0, p1
alter table t truncate partition all
alter table t coalesce partition 2
alter table t reorganize partition p0, p1 into (partition p values less than (5))
alter table t exchange partition p0 with table u without validation
alter table t partition by hash (a) partitions 3
alter table t remove partitioning
alter table t engine = innodb partition by key ()
alter table t discard tablespace
alter table t lock default, import tablespace
flush local tables a, d.t for export
alter table t
drop table if exists a, b.c cascade
drop temporary table t
truncate t
truncate table db.t
rename table a to b, c.d to e.f
create unique index i on t (a, b desc) using btree algorithm = inplace lock = none
create index i using hash on t (a)
drop index i on t algorithm default
drop index `PRIMARY` on t
create database if not exists d default character set = utf8mb4 collate utf8mb4_bin encryption 'n'
create schema d
alter database d read only = 1
alter schema charset latin1
drop database if exists d
create or replace algorithm = merge definer = root@localhost sql security invoker view v (a, b) as select 1, 2 with local check option
create view v as (select 1) union select 2
alter view v as select 1
drop view if exists v, w restrict
start transaction with consistent snapshot, read only
start transaction
begin work
commit and no chain no release
rollback work and chain
savepoint s
rollback to savepoint s
rollback work to s
release savepoint s
set transaction isolation level read committed, read only
set session transaction isolation level repeatable read
set global transaction read write
lock tables a read local, b as x write
unlock tables
lock instance for backup
xa start 'a', 'b', 1 join
xa end x'41' suspend for migrate
xa commit 'a' one phase
xa recover convert xid
set autocommit = 1, @a = 5, @b := 6, global max_connections = 10, @@session.sql_mode = default, @@x = 1, session a = on, persist b = 1, persist_only c = 2, local d = 3, names utf8mb4 collate utf8mb4_bin, sql_mode = ansi, hot.key_buffer_size = 1
set names 'utf8mb4'
set names default
set character set latin1
set charset default
set password = 'x'
set password for u@h = 'x' replace 'y' retain current password
set password to random
set role none
set role all except a, 'b'@'c'
set default role all to a, b
show databases like 'a%'
show extended full tables from d where a = 1
show full columns from t from d like 'x'
show fields in t
show index from t in d where key_name = 'x'
show keys from t
show table status from d like 't1'
show open tables
show triggers
show events in d
show procedure status like 'x'
show function status
show global variables like 'x%'
show session status where a = 1
show variables
show status
show character set
show charset like 'x'
show collation where charset = 'utf8mb4'
show create table d.t
show create database if not exists d
show create view v
show create procedure p
show create user u@h
show engines
show storage engines
show engine innodb status
show engine all logs
show plugins
show privileges
show full processlist
show grants for u@h using r
show grants
show warnings limit 1, 2
show errors
show count(*) warnings
show profile block io, cpu for query 1 limit 1
show profiles
show binary logs
show binary log status
show binlog events in 'x' from 4 limit 1
show replica status for channel 'x'
show replicas
use d
explain select 1
explain analyze format = tree select * from t
explain format = json into @x select 1
desc t a
describe t 'a%'
explain for connection 5
explain update t set a = 1
kill query 5
kill 5
flush no_write_to_binlog privileges, status
flush tables a, b with read lock
flush tables with read lock
flush binary logs
flush relay logs for channel 'x'
analyze local table a, b
analyze table t update histogram on a, b with 10 buckets
analyze table t update histogram on a, b with 10 buckets auto update
analyze table t update histogram on a manual update
analyze table t update histogram on a using data '{}'
analyze table t drop histogram on a
check table t for upgrade quick
optimize table t
repair table t use_frm
checksum table t extended
prepare s from 'select ?'
prepare s from @a
execute s using @a, @b
deallocate prepare s
drop prepare s
shutdown
restart
help 'select'
reset persist if exists x
create user if not exists 'a'@'%' identified by 'x', b identified with caching_sha2_password as 'h' default role r require subject 's' and issuer 'i' with max_queries_per_hour 5 password expire interval 5 day account lock comment 'c'
create user u@localhost identified with mysql_native_password by 'x' require none password history 5 password reuse interval default password require current optional failed_login_attempts 3 password_lock_time unbounded attribute '{}'
alter user u@h identified by 'x' replace 'y' retain current password, v discard old password
alter user user() identified by 'x'
alter user u default role all
drop user if exists a, b@c
rename user a to b@c
create role if not exists r, 's'@'t'
drop role r
grant select, insert (a, b), create temporary tables on d.* to u@h with grant option
grant all privileges on *.* to u
grant r, s to u with admin option
grant proxy on a to b with grant option
grant execute on procedure d.p to u
grant xa_recover_admin, backup_admin on *.* to u as v with role r
revoke if exists select on t from u ignore unknown user
revoke all privileges, grant option from u
revoke r from u
signal sqlstate '45000' set message_text = 'x', mysql_errno = 1234
resignal
resignal set class_origin = @a
get current diagnostics @a = number, @b = row_count
get diagnostics condition @n @a = returned_sqlstate, b = message_text
create table t
create table t engine=innodb comment 'x'
alter table t algorithm=copy, secondary_load partition (p0, p1)
alter table t engine=innodb comment='x' partition by hash (a)
select @, @=1, ! !a, !!a, 1<=>!a, 1>=!a, a>>!b
select @@global.default.key_buffer_size, @@`default`.key_buffer_size, @@global.'x'.y
select 1 from ((select 1) t join (select 2) u), (((v)))
select nth_value(a, -1) over w, nth_value(a, (1+1)) over w from t window w as ()
explain format=json for connection 0x10
create definer=u@ view v as select 1
create procedure p() select 1
create definer = u@h procedure if not exists d.p(in a int, out b varchar(10) charset latin1 collate latin1_bin, inout c decimal(5,2)) comment 'x' not deterministic reads sql data sql security invoker begin end
create procedure p() l: begin declare a, b int default 1; declare c condition for sqlstate value '45000'; declare cur cursor for select 1 union select 2; declare continue handler for not found, sqlwarning, 1234, c set a = 1; open cur; repeat fetch next from cur into a, b; until a > 1 end repeat; close cur; leave l; end l
create procedure p(n int) begin x: while n > 0 do if n = 1 then iterate x; elseif n = 2 then leave x; else select 1; end if; end while x; loop select 1; end loop; case n when 1 then select 1; else begin end; end case; case when n then select 1; end case; end
create procedure p() begin start transaction; insert into t values (1); commit; prepare s from 'select 1'; execute s; end
create procedure p(n int) select a from t limit n
create procedure p(n int) select lead(a, n) over () from t
create function f(a int) returns varchar(10) deterministic return concat(a, '!')
alter procedure p comment 'x' contains sql language sql
alter function d.f sql security definer
create trigger d.t before update on t for each row follows u set new.a = old.a + 1
create trigger t after delete on t for each row begin if old.a then insert into u values (old.a); end if; end
create event e on schedule every '1:30' hour_minute starts now() ends now() + interval 1 day on completion not preserve disable on replica comment 'x' do delete from t
create event if not exists e on schedule at now() + interval 1 hour do begin select 1; end
alter definer = u event e on schedule at now() on completion preserve rename to f enable comment 'x' do select 1
alter event e disable
purge binary logs before now() - interval 1 day
stop replica sql_thread, io_thread for channel 'c'
start replica sql_thread until sql_after_mts_gaps
start replica until sql_after_gtids = '3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5'
CLONE LOCAL DATA DIRECTORY = '/x/y'
CLONE LOCAL DATA DIRECTORY '/x/y'
CLONE INSTANCE FROM 'donor'@'10.0.0.1':3306 IDENTIFIED BY 'p'
CLONE INSTANCE FROM donor@localhost:3306 IDENTIFIED BY 'p' DATA DIRECTORY = '/x' REQUIRE NO SSL
CLONE INSTANCE FROM donor:3306 IDENTIFIED BY 'p' DATA DIRECTORY '/x' REQUIRE SSL
CHANGE REPLICATION SOURCE TO PRIVILEGE_CHECKS_USER = NULL, REQUIRE_TABLE_PRIMARY_KEY_CHECK = STREAM
CHANGE REPLICATION SOURCE TO PRIVILEGE_CHECKS_USER = p@'10.0.0.%', SOURCE_COMPRESSION_ALGORITHMS = 'zstd,zlib' FOR CHANNEL 'c'
CHANGE REPLICATION FILTER REPLICATE_DO_DB = (a, `b c`), REPLICATE_IGNORE_DB = ()
CHANGE REPLICATION FILTER REPLICATE_DO_TABLE = (a.t), REPLICATE_WILD_IGNORE_TABLE = ('a.t%', 'b\_.%'), REPLICATE_REWRITE_DB = ((a, b), (c, d)) FOR CHANNEL ''
uninstall plugin p
install plugin rpl_semi_sync_source soname 'semisync_source.so'
