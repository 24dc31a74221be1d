-- LOCK TABLES ... WRITE also locks what changes reach through foreign keys: what is looked into for reading, what cascades change for writing.
create table p (id int primary key);
create table c (id int primary key, pid int, foreign key (pid) references p (id) on delete cascade);
create table g (id int primary key, cid int, foreign key (cid) references c (id));
create table o (id int primary key);
insert into p values (1),(2);
insert into c values (1,1),(2,2);
--! on b
set lock_wait_timeout = 1;
--! on a
lock tables p write;
delete from p where id = 1;
-- they are not locked by name
--! differs MySQL has metadata locks on them only, MariaDB opens them
select * from c;
select * from o;
--! on b
--! ours MariaDB opens related tables only when a statement runs
select * from c;
insert into c values (3, 2);
select * from g;
insert into g values (1, 2);
select * from o;
insert into o values (1);
--! end
--! on a
unlock tables;
--! on b
--! differs the INSERT above went through in MariaDB
select * from c;
--! differs the INSERT above went through in MariaDB
insert into g values (1, 2);
-- a child: its parents for reading
--! on a
lock tables c write;
insert into c values (5, 2);
insert into c values (6, 9);
--! on b
--! ours MariaDB opens related tables only when a statement runs
select * from p;
insert into p values (7);
--! end
--! on a
unlock tables;
-- locked for reading only nothing more is locked
lock tables c read;
--! on b
insert into p values (8);
insert into g values (2, 2);
--! on a
unlock tables;
drop table g, c, p, o;
