-- FOREIGN KEY between sessions: rows and definitions of the other table.

create table lp (id int primary key, k int, unique key (k));
create table lc (id int primary key, pid int, foreign key (pid) references lp (id) on delete cascade);
create table lk (id int primary key, pk int, foreign key (pk) references lp (k));
insert into lp values (1, 10), (2, 20), (3, 30);
-- a child's parent stays until the child is committed
begin;
insert into lc values (100, 1);
--! on b
set innodb_lock_wait_timeout = 1;
update lp set k = 11 where id = 1;
delete from lp where id = 2;
insert into lc values (101, 3);
--! async
delete from lp where id = 1;
--! on a
--! sleep 0.3
commit;
--! on b
--! reap
select * from lc order by id;
-- a parent that goes takes no new children
insert into lp values (1, 10);
begin;
delete from lp where id = 1;
--! on a
set innodb_lock_wait_timeout = 1;
insert into lc values (102, 1);
insert into lk values (102, 10);
--! async
insert into lc values (103, 1);
--! on b
--! sleep 0.3
rollback;
--! on a
--! reap
select * from lc order by id;
-- through a secondary key
begin;
insert into lk values (1, 30);
--! on b
delete from lp where id = 3;
update lp set k = 31 where id = 3;
--! on a
rollback;
--! on b
update lp set k = 31 where id = 3;
-- a parent nobody has cannot come before the child's transaction ends
--! on a
begin;
insert into lc values (110, 50);
--! on b
insert into lp values (50, 500);
--! on a
rollback;
--! on b
insert into lp values (50, 500);
-- definitions: a change of the child keeps the parent's definition
--! on a
begin;
insert into lc values (120, 50);
--! on b
set lock_wait_timeout = 1;
alter table lp add column x int;
alter table lc drop foreign key lc_ibfk_1;
--! on a
commit;
--! on b
alter table lc drop foreign key lc_ibfk_1;
--! on a
-- the plans of both know it
delete from lp where id = 50;
select * from lc where id = 120;
insert into lc values (121, 77);
--! on b
delete from lc where id in (120, 121);
alter table lc add constraint back foreign key (pid) references lp (id) on delete set null;
--! on a
insert into lc values (121, 77);
insert into lp values (7, 70);
insert into lc values (7, 7);
delete from lp where id = 7;
select * from lc where id = 7;
drop table lk, lc, lp;
