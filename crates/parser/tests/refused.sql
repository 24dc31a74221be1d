SELECT * FROM t1 LEFT JOIN t2
SELECT 1 LIKE 1 LIKE 1
SELECT a = NOT b
SELECT a IS TRUE = 1
create table CAST(a int)
delete from (select * from t1)
set @@global.global.x=1
SELECT
SELECT 1 FROM
SELECT * * FROM t
SELECT a b c FROM t
SELECT (1
SELECT 1)
SELECT f(1,)
SELECT 1 LIMIT 1+1
SELECT select FROM t
SELECT a FROM t WHERE
SELECT a FROM t GROUP BY
SELECT a FROM t ORDER a
SELECT 'abc
SELECT `abc
SELECT /* abc
SELECT * FROM ``
insert into t (a values (1)
insert into t values 1
insert into t values (1),
update t set
update t a = 1
delete t where a = 1
create table t ()
create table t (a)
create table t (a varchar)
create table t (a int,)
create table t (a int default b)
alter table t add
drop table
create index on t (a)
set a
set @a
set names
show
show tables where
show create
grant select to u
grant select on t
commit and
start
xa
use
kill
prepare s
explain
select 1 2
select {d 1
select count(distinct) from t
select sum() from t
select row_number() from t
select interval 1 day
select @@persist.x
SELECT a FROM t UNION
SELECT a INTO @x UNION SELECT 1
SELECT 1 FOR
lock tables t
create user
\
-- functions of the grammar with another number of arguments, and keywords that are no functions
select ascii(1, 2)
select coalesce()
select format(1)
select contains(1)
select no_wait(1)
select ntile(-1) over ()
select lead(a, 'x') over () from t
-- INTO
select 1 into @a into @b
select 1 into @a union select 2
select * from (select a from t into @a) x
create view v as select 1 into @a
-- one collation, none by default
create table t (a varchar(10) collate utf8mb4_bin collate utf8mb4_bin)
create table t (a int) charset default
create table t (t.a int)
-- programs
create procedure p() begin select 1 end
create procedure p() begin if 1 then end if; end
create procedure p() begin select 1; declare x int; end
create procedure p() begin case when 1 then select 1; end; end
create procedure p() begin l: select 1; end
create function f() return 1
create function f(in a int) returns int return 1
create function f() returns int language javascript begin return 1; end
create trigger t before insert on t for each statement do 1
create event e on schedule every 1 do select 1
alter event e
alter procedure p deterministic
signal sqlstate '45000' set nonsense = 1
get diagnostics condition 1 @a = number
-- what is not offered
create tablespace s add datafile 's' encryption = 1
alter tablespace s
drop spatial reference system -1
install component 'x' set session a = 1
stop replica nonsense
alter instance rotate myisam master key
-- partitions
create table t (a int) partition by hash (a) partitions 2 (partition p)
create table t (a int) partition by range (a) (partition p)
create table t (a int) partition by hash (rand())
create table t (a int) partition by hash (unix_timestamp())
create table t (a int) partition by hash ((select 1))
create table t (
alter table t secondary_load, force
alter table t force, secondary_load
alter table t drop partition p, drop partition q
alter table t algorithm=inplace, partition by hash(a)
alter table t alter c set default current_timestamp
alter table t add spatial index i (a) using btree
create spatial index i using btree on t (a)
create fulltext index i on t (a) using hash
create index i on t (a) with parser ngram
create table t (a time(2147483648))
create table t (a char(x'10'))
alter user u password expire interval 66666888888888888888 day
create view v as select 1 from t into @w
create view v as (select 1 from t into @w)
insert into t select 1 from t into @w
create table t select 1 from t into @w
explain for connection 1+1
lock tables t low_priority write
select 1 limit t.a
handler t read primary = (1)
select * from ((select 1) t)
select * from (json_table('[1]', '$[*]' columns (a int path '$')) t)
select 1=!a
select 1<!a
select 1<>!a
select nth_value(a, a + 1) over () from t
select @@default.key_buffer_size
select @@select.x
select @@`global`.x
set @a=1, password for u='x'
set password='x', @a=1
select ?a
create user u@ 'x'
create table t (a int) autoextend_size=10t
alter table t modify a int references p (a)
alter table t change a b int references p (a) first
change replication filter replicate_do_table = (t)
flush tables for export
flush tables t for export with read lock
alter table t discard tablespace, comment 'x'
