-- FLUSH TABLES WITH READ LOCK, LOCK TABLES with DDL under it, CHECKSUM and OPTIMIZE TABLE.
create table t (a int primary key, b varchar(10));
create table u (a int);
insert into t values (1,'one'),(2,'two');
flush tables with read lock;
select count(*) from t;
insert into t values (3,'three');
create table v (a int);
--! on b
select count(*) from t;
--! async
insert into t values (4,'four');
--! on a
--! sleep 0.3
select count(*) from t;
unlock tables;
--! on b
--! reap
--! on a
select count(*) from t;
start transaction;
insert into t values (5,'five');
--! on b
flush tables with read lock;
--! on a
--! async
commit;
--! on b
--! sleep 0.3
select count(*) from t;
unlock tables;
--! on a
--! reap
select count(*) from t;
flush tables t with read lock;
select count(*) from t;
insert into t values (6,'six');
select * from u;
unlock tables;
lock tables t write, u read;
alter table t add column c int default 7;
select * from t where a=1;
create index ib on t (b);
insert into t (a,b) values (7,'seven');
truncate table u;
drop table u;
create table w (a int);
create database d2;
alter table t rename to t2;
--! ours MySQL 8.0.13 and later: the lock follows the name
select count(*) from t2;
select count(*) from t;
--! end
flush tables with read lock;
unlock tables;
select count(*) from t2;
lock tables t2 write;
drop table t2;
unlock tables;
show tables;
-- CHECKSUM, OPTIMIZE
create table c1 (a int primary key, b varchar(10));
create table c2 like c1;
insert into c1 values (1,'x'),(2,null),(3,'z');
insert into c2 select * from c1 order by a desc;
--! ours the values are ours
checksum table c1;
checksum table c2, nowhere;
checksum table c1 quick;
update c2 set b='y' where a=2;
checksum table c2;
--! end
optimize table c1;
select * from c1 order by a;
optimize table nowhere;
-- WITH before UPDATE and DELETE
--! ours MariaDB 10.11 has no WITH before UPDATE and DELETE
with x as (select distinct a from c1 where a > 1) update c1 join x using (a) set b = concat(ifnull(b,''),'!');
select * from c1 order by a;
with x as (select max(a) as m from c1) delete c1 from c1 join x on c1.a = x.m;
select * from c1 order by a;
with x as (select a from c1) delete from x;
--! end
-- max_write_lock_count: a reader is passed by so many writers and no more
--! on w1
SET GLOBAL max_write_lock_count = 1;
CREATE TABLE hogged (i INT);
LOCK TABLES hogged WRITE;
--! on w2
--! async
LOCK TABLES hogged WRITE;
--! sleep 0.3
--! on r1
--! async
SELECT COUNT(*) FROM hogged;
--! sleep 0.3
--! on w3
--! async
LOCK TABLES hogged WRITE;
--! sleep 0.3
--! on w1
UNLOCK TABLES;
--! on w2
--! reap
INSERT INTO hogged VALUES (1);
UNLOCK TABLES;
--! on r1
--! reap
--! on w3
--! reap
INSERT INTO hogged VALUES (2);
UNLOCK TABLES;
--! on w1
SET GLOBAL max_write_lock_count = DEFAULT;
DROP TABLE hogged;
-- who locks a table for writing is a writer all that time: the global read lock waits for UNLOCK TABLES, and the holder's DDL does not wait for it
CREATE TABLE held (i INT);
LOCK TABLES held WRITE;
--! on r1
--! async
FLUSH TABLES WITH READ LOCK;
--! on w1
CREATE TRIGGER held_insert BEFORE INSERT ON held FOR EACH ROW SET NEW.i = NEW.i + 1;
INSERT INTO held VALUES (1);
UNLOCK TABLES;
--! on r1
--! reap
SELECT * FROM held;
UNLOCK TABLES;
DROP TABLE held;
