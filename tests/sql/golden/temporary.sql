-- Temporary tables.
create table t (id int primary key, v varchar(10));
insert into t values (1,'perm'),(2,'perm');
--! on a
select * from t order by id;
create temporary table t (id int primary key, v varchar(10), w int default 5);
select * from t order by id;
insert into t (id, v) values (10,'temp');
select * from t order by id;
--! on b
select * from t order by id;
--! on a
--! ours MariaDB prints SHOW CREATE TABLE in its own way
show create table t;
--! end
select count(*) from information_schema.columns where table_schema=database() and table_name='t';
--! ours MariaDB shows display widths
show columns from t;
--! end
create temporary table t (x int);
create temporary table if not exists t (x int);
update t set w = w + 1 where id = 10;
delete from t where id = 11;
select * from t;
-- the prepared statement follows the name
prepare s from 'select count(*), max(id) from t';
execute s;
drop temporary table t;
execute s;
select * from t order by id;
deallocate prepare s;
drop temporary table t;
drop temporary table if exists t;
select count(*) from t;
-- no implicit commit; rollback takes the rows, not the table
create table p (a int);
start transaction;
insert into p values (1);
create temporary table tt (a int primary key, b text) engine=InnoDB;
insert into tt values (1,'one'),(2,'two');
--! mysql no warning for temporary tables that stay
rollback;
select * from p;
select count(*) from tt;
insert into tt values (1,'one'),(2,'two'),(3,repeat('x',20));
start transaction;
update tt set b='changed' where a<3;
savepoint s1;
delete from tt where a=1;
select * from tt order by a;
rollback to s1;
select * from tt order by a;
commit;
insert into tt values (1,'dup');
select * from tt where a=1;
-- ALTER, TRUNCATE, indexes, rename
alter table tt add column c int default 3, add key (c);
select * from tt order by a;
--! differs MySQL copies it
alter table tt rename to tr;
select count(*) from tr;
select count(*) from tt;
create index ib on tr (b(5));
--! ours MariaDB's last columns differ
--! mysql no estimates for temporary tables
show index from tr where key_name='ib';
--! end
drop index ib on tr;
alter table tr modify a bigint, drop column c;
select * from tr order by a;
truncate table tr;
select * from tr;
-- LIKE and SELECT
create temporary table tl like t;
insert into tl select * from t;
select * from tl order by id;
create temporary table ts (k int auto_increment primary key) select id, v from t order by id;
select * from ts order by k;
create temporary table tz select * from nowhere;
create temporary table tz (x tinyint) select 1000 as x;
select * from tz;
-- 1137 only for two uses in one statement
--! differs MariaDB can reopen a temporary table; MySQL's manual: error 1137
select * from ts a join ts b;
--! differs as above
insert into ts select * from ts;
--! mysql MySQL names the first use, and reads a CTE's temporary table once
with c as (select id from ts) select count(*) from c x join c y;
select (select count(*) from tl) + (select count(*) from ts) as n;
-- READ ONLY transactions: rows yes, definitions no
start transaction read only;
insert into tl values (7,'ro');
insert into t values (7,'ro');
create temporary table tq (a int);
commit;
select * from tl where id=7;
-- DROP TABLE takes the temporary table first
create temporary table t select 'shadow' as v;
drop table t;
select v from t order by id;
-- LOCK TABLES
lock tables t read;
select count(*) from tl;
insert into tl values (8,'lock');
unlock tables;
--! on b
select * from tl;
--! on a
--! differs MySQL 8 heads columns of information_schema by their own names
select table_name from information_schema.tables where table_schema=database() order by table_name;
--! close
--! on a
select * from ts;

-- what SHOW COLUMNS says of a temporary table's columns
--! ours MariaDB has no such columns, and other words
create temporary table said (b int default (1+1), c int as (b+1) virtual, e int as (b+1) stored, f int invisible, d timestamp(3) default current_timestamp(3), a int primary key auto_increment, h int not null default (3) invisible);
show columns from said;
drop temporary table said;
--! end
-- checks that come later; foreign keys never
create table ptt (id int primary key);
create temporary table tt (a int, constraint c1 check (a > 0));
insert into tt values (1), (50);
alter table tt add constraint c2 check (a < 100);
--! differs MariaDB's number
alter table tt add constraint c3 check (a <> 50);
select * from tt;
--! differs MariaDB's number
insert into tt values (200);
alter table tt drop constraint c2, add column b int, add constraint c4 check (b is null or b > a);
--! differs MariaDB's number
update tt set b = 0;
insert into tt values (200, 300);
--! differs MariaDB answers 1005
alter table tt add foreign key (a) references ptt (id);
drop table ptt, tt;
