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
create table t
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
