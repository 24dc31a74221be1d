-- XA transactions (manual, "XA Transactions"): states, errors, what outlives its session.
--! ours MariaDB keeps a prepared transaction in its session until that ends, refuses '' and CONVERT XID, and looks at states in another order
set innodb_lock_wait_timeout = 1, lock_wait_timeout = 1;
create table t (id int primary key, v int);
insert into t values (1, 1), (2, 2);

-- one session, all steps
xa start 'a';
insert into t values (3, 3);
xa end 'a';
xa prepare 'a';
--! sorted
select * from t;
xa recover;
xa commit 'a';
--! sorted
select * from t;
xa recover;

-- one phase
xa begin 'b', 'branch', 7;
update t set v = 30 where id = 3;
xa end 'b', 'branch', 7;
xa commit 'b', 'branch', 7 one phase;
select * from t where id = 3;

-- rollback of each state
xa start 'c';
delete from t where id = 3;
xa rollback 'c';
xa end 'c';
xa rollback 'c';
select count(*) from t;
xa start x'6400';
delete from t where id = 3;
xa end x'6400';
xa prepare x'6400';
xa recover convert xid;
xa recover;
xa rollback x'6400';
select count(*) from t;

-- identifiers: what is not written is '' and 1
xa start 'e', '', 1;
xa end 'e';
xa rollback 'e', '';
xa start 0x61, 0x62, 0xb;
xa end 'a', 'b', 11;
xa prepare 'a', b'01100010', 11;
xa recover;
xa commit 'a', 'b', 11;
xa start '12345678901234567890123456789012345678901234567890123456789012345';
xa start '';
xa end '';
xa rollback '';
xa start 'f' join;
xa start 'f' resume;
xa start 'f', 'g', -1;
xa end 'f' suspend;

-- states and what they refuse
xa end 'g';
xa prepare 'g';
xa commit 'g';
xa rollback 'g';
xa commit 'g' one phase;
xa start 'g';
xa start 'g';
xa start 'h';
xa end 'h';
xa prepare 'g';
xa commit 'g';
xa commit 'g' one phase;
xa rollback 'g';
xa commit 'h';
xa rollback 'h';
begin;
start transaction;
commit;
rollback;
create table u (a int);
drop table t;
truncate table t;
set autocommit = 1;
lock tables t read;
unlock tables;
savepoint s;
insert into t values (10, 10);
rollback to savepoint s;
release savepoint s;
select count(*) from t;
set @x = 1;
analyze table t;
flush tables;
xa recover;
set transaction isolation level serializable;
xa end 'g';
select 1;
select count(*) from t;
insert into t values (11, 1);
set @x = 2;
show tables;
begin;
commit;
rollback;
create table u (a int);
xa start 'g';
xa start 'h';
xa end 'g';
xa end 'h';
xa prepare 'h';
xa commit 'g';
savepoint s;
xa recover;
xa prepare 'g';
select count(*) from t;
xa start 'g';
xa commit 'g' one phase;
xa prepare 'g';
xa end 'g';
xa commit 'g';
xa commit 'g';
xa start 'g';
set autocommit = 0;
set autocommit = 1;
xa end 'g';
set autocommit = 1;
xa rollback 'g';
set autocommit = 1;

-- work outside
begin;
insert into t values (20, 20);
xa start 'i';
xa recover;
rollback;
set autocommit = 0;
select count(*) from t;
xa start 'i';
commit;
xa start 'i';
insert into t values (21, 21);
xa end 'i';
xa prepare 'i';
select count(*) from t;
xa commit 'i';
commit;
xa commit 'i';
set autocommit = 1;
delete from t where id > 20;
begin;
xa commit 'nobody';
xa rollback 'nobody';
insert into t values (22, 22);
xa commit 'nobody';
xa rollback 'nobody';
rollback;
lock tables t write;
xa start 'j';
unlock tables;

-- a statement that fails undoes itself alone
xa start 'k';
insert into t values (30, 30);
insert into t values (1, 1);
insert into t values (31, 31);
xa end 'k';
xa prepare 'k';
xa commit 'k';
select count(*) from t;
delete from t where id >= 30;

-- reading alone can be prepared too
xa start 'l';
select count(*) from t;
xa end 'l';
xa prepare 'l';
xa recover;
xa commit 'l';
xa start 'm';
xa end 'm';
xa prepare 'm';
xa rollback 'm';

-- other sessions
xa start 'n';
update t set v = 100 where id = 1;
insert into t values (40, 40);
--! on b
use test;
xa start 'n';
xa commit 'n';
xa rollback 'n';
xa recover;
--! on a
xa end 'n';
--! on b
xa rollback 'n';
--! on a
xa prepare 'n';
--! on b
select v from t where id = 1;
set innodb_lock_wait_timeout = 1, lock_wait_timeout = 1;
update t set v = 5 where id = 1;
alter table t add column w int;
drop table t;
xa start 'n';
xa recover;
xa commit 'n';
select v from t where id = 1;
xa recover;
--! on c
use test;
xa start 'o';
update t set v = 200 where id = 2;
xa end 'o';
xa prepare 'o';
--! close
--! on d
use test;
xa start 'p';
update t set v = 500 where id = 40;
xa end 'p';
--! close
--! on a
--! gone d
xa recover;
select id, v from t where id in (2, 40);
select * from t where id = 40 for update;
xa rollback 'o';
select v from t where id = 2;
xa recover;

-- deadlock: the branch can only be rolled back
xa start 'q';
update t set v = 1 where id = 1;
--! on b
begin;
update t set v = 2 where id = 2;
insert into t values (50, 1), (51, 1), (52, 1);
--! async
update t set v = 2 where id = 1;
--! sleep 0.3
--! on a
update t set v = 1 where id = 2;
--! on b
--! reap
rollback;
--! on a
select count(*) from t;
xa end 'q';
xa prepare 'q';
xa commit 'q' one phase;
xa rollback 'q';

-- temporary tables, prepared statements
create temporary table tt (a int);
xa start 'r';
insert into tt values (1);
select * from tt;
create temporary table t3 (a int);
xa end 'r';
xa rollback 'r';
drop temporary table if exists tt, t3;
prepare s from 'xa start ''s''';
prepare s from 'xa recover';
select @@xa_detach_on_prepare;
drop table t;
--! end
