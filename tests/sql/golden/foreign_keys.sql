-- FOREIGN KEY: checks, actions, NULLs, names, DDL among relatives. Tables start with fk_.

create table fk_p (id int primary key, v varchar(10));
create table fk_c (id int primary key, pid int, foreign key (pid) references fk_p (id));
insert into fk_p values (1, 'a'), (2, 'b'), (3, 'c');
insert into fk_c values (10, 1), (11, 2), (12, null);
insert into fk_c values (13, 9);
update fk_c set pid = 9 where id = 10;
update fk_c set pid = 3 where id = 10;
update fk_c set pid = null where id = 11;
delete from fk_p where id = 3;
delete from fk_p where id = 2;
update fk_p set id = 30 where id = 3;
update fk_p set id = 10 where id = 1;
update fk_p set v = 'z' where id = 3;
select * from fk_p order by id;
select * from fk_c order by id;
insert ignore into fk_c values (20, 3), (21, 99), (22, null);
show warnings;
select * from fk_c order by id;
delete ignore from fk_p;
select * from fk_p order by id;
replace into fk_p values (3, 'new');
insert into fk_p values (3, 'x') on duplicate key update id = 4;
insert into fk_c values (10, 3) on duplicate key update pid = 77;
select count(*) from fk_c where pid = 77;
-- the index that the child needed
--! differs MySQL 8 heads columns of information_schema by their own names
select index_name, seq_in_index, column_name from information_schema.statistics where table_name = 'fk_c' order by index_name;
--! differs MySQL 8 heads columns of information_schema by their own names
select constraint_name, column_name, ordinal_position, position_in_unique_constraint, referenced_table_name, referenced_column_name from information_schema.key_column_usage where table_schema = 'test' and table_name = 'fk_c' order by constraint_name;
--! differs MySQL 8 heads columns of information_schema by their own names
select constraint_name, constraint_type from information_schema.table_constraints where table_schema = 'test' and table_name = 'fk_c' order by constraint_name;
--! differs MariaDB shows RESTRICT where MySQL shows NO ACTION
select constraint_name, unique_constraint_name, match_option, update_rule, delete_rule, table_name, referenced_table_name from information_schema.referential_constraints where constraint_schema = 'test';
--! ours MySQL 8.4 prints types, collations and actions its own way
show create table fk_c;
--! end
--! differs MySQL: 3730
drop table fk_p;
truncate table fk_p;
truncate table fk_c;
set foreign_key_checks = 0;
insert into fk_c values (1, 1000);
delete from fk_p;
truncate table fk_p;
set foreign_key_checks = 1;
select * from fk_c;
update fk_c set id = 2;
update fk_c set pid = 1001;
drop table fk_c, fk_p;

-- actions
create table fk_p (id int primary key, k int, unique key (k));
create table fk_c (id int primary key, pid int, constraint c1 foreign key (pid) references fk_p (id) on delete cascade on update cascade);
create table fk_n (id int primary key, pk int, constraint n1 foreign key (pk) references fk_p (k) on delete set null on update set null);
create table fk_g (id int primary key, cid int, constraint g1 foreign key (cid) references fk_c (id) on delete cascade);
insert into fk_p values (1, 100), (2, 200), (3, 300);
insert into fk_c values (11, 1), (12, 1), (13, 2), (14, null);
insert into fk_n values (21, 100), (22, 200), (23, 300);
insert into fk_g values (31, 11), (32, 12), (33, 13);
delete from fk_p where id = 1;
select * from fk_c order by id;
select * from fk_n order by id;
select * from fk_g order by id;
update fk_p set id = 20, k = 201 where id = 2;
select * from fk_c order by id;
select * from fk_n order by id;
update fk_p set k = 301 where k = 300;
select * from fk_n order by id;
-- as one: the cascade is undone with the statement
begin;
delete from fk_p where id = 20;
select count(*) from fk_c;
rollback;
select * from fk_c order by id;
select * from fk_g order by id;
insert into fk_p values (5, 500);
insert into fk_c values (51, 5);
create table fk_r (id int primary key, cid int, foreign key (cid) references fk_c (id));
insert into fk_r values (1, 51);
delete from fk_p where id = 5;
delete from fk_p;
select count(*) from fk_p;
select count(*) from fk_c;
drop table fk_r;
-- REPLACE is a delete and an insert
replace into fk_p values (5, 500);
select * from fk_c where id = 51;
drop table fk_g, fk_n, fk_c, fk_p;

-- self references
create table fk_s (id int primary key, up int, foreign key (up) references fk_s (id) on delete cascade);
insert into fk_s values (1, null), (2, 1), (3, 2), (4, 4);
insert into fk_s values (5, 6);
insert into fk_s values (6, 6), (5, 6);
delete from fk_s where id = 4;
delete from fk_s where id = 1;
select * from fk_s order by id;
delete from fk_s;
select count(*) from fk_s;
drop table fk_s;
create table fk_s (id int primary key, up int, foreign key (up) references fk_s (id));
insert into fk_s values (1, 1), (2, 1);
delete from fk_s where id = 1;
update fk_s set id = 5 where id = 1;
delete from fk_s where id = 2;
-- a row that refers to itself is its own child
delete from fk_s where id = 1;
select count(*) from fk_s;
update fk_s set up = null;
delete from fk_s where id = 1;
drop table fk_s;
create table fk_s (id int primary key, up int, foreign key (up) references fk_s (id) on update cascade on delete set null);
insert into fk_s values (1, null), (2, 1), (3, 1);
update fk_s set id = 9 where id = 1;
delete from fk_s where id = 1;
select * from fk_s order by id;
drop table fk_s;

-- composite keys: one NULL is enough
create table fk_p (a int, b varchar(20), c int, primary key (a, b));
create table fk_c (x int, y varchar(30), foreign key (x, y) references fk_p (a, b) on update cascade on delete set null);
insert into fk_p values (1, 'one', 1), (2, 'two', 2);
insert into fk_c values (1, 'one'), (1, null), (null, 'zzz'), (2, 'TWO');
insert into fk_c values (1, 'two');
update fk_p set b = 'uno' where a = 1;
select * from fk_c order by x, y;
delete from fk_p where a = 2;
select * from fk_c order by x, y;
drop table fk_c, fk_p;

-- chains
create table fk_1 (id int primary key);
create table fk_2 (id int primary key, foreign key (id) references fk_1 (id) on delete cascade on update cascade);
create table fk_3 (id int primary key, foreign key (id) references fk_2 (id) on delete cascade on update cascade);
insert into fk_1 values (1), (2);
insert into fk_2 values (1), (2);
insert into fk_3 values (1), (2);
update fk_1 set id = 7 where id = 1;
select * from fk_3 order by id;
delete from fk_1 where id = 2;
select * from fk_3 order by id;
delete fk_1, fk_3 from fk_1 join fk_3 using (id);
select count(*) from fk_3;
drop table fk_3, fk_2, fk_1;

-- a chain of 20 rows is deeper than 15
create table fk_s (id int primary key, up int, foreign key (up) references fk_s (id) on delete cascade);
insert into fk_s values (0, null);
insert into fk_s values (1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6), (8, 7), (9, 8), (10, 9), (11, 10), (12, 11), (13, 12), (14, 13);
delete from fk_s where id = 0;
select count(*) from fk_s;
insert into fk_s values (0, null), (1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6), (8, 7), (9, 8), (10, 9), (11, 10), (12, 11), (13, 12), (14, 13), (15, 14), (16, 15), (17, 16);
--! differs MySQL: 3008
delete from fk_s where id = 0;
select count(*) from fk_s;
drop table fk_s;

-- errors of definitions
--! ours MariaDB answers 1005 with errno 150 to most of these
create table fk_x (a int, foreign key (a) references nowhere (id));
create table fk_p (id int primary key, a int, u int unsigned, s varchar(10), unique key (s), key (a));
create table fk_x (a int, foreign key (b) references fk_p (id));
create table fk_x (a int, foreign key (a) references fk_p (zz));
create table fk_x (a int, b int, foreign key (a, b) references fk_p (id));
create table fk_x (a bigint, foreign key (a) references fk_p (id));
create table fk_x (a int unsigned, foreign key (a) references fk_p (id));
create table fk_x (a varchar(10) collate utf8mb4_bin, foreign key (a) references fk_p (s));
create table fk_x (a int, foreign key (a) references fk_p (a));
set restrict_fk_on_non_standard_key = off;
create table fk_x (a int, foreign key (a) references fk_p (a));
show warnings;
drop table fk_x;
create table fk_x (a int unsigned, foreign key (a) references fk_p (u));
set restrict_fk_on_non_standard_key = on;
create table fk_x (a int not null, foreign key (a) references fk_p (id) on delete set null);
--! mysql newer servers take SET DEFAULT; the manual of 8.4 says that InnoDB rejects it
create table fk_x (a int, foreign key (a) references fk_p (id) on delete set default);
--! mysql 9.7 has made the table above
drop table if exists fk_x;
create table fk_x (a int, constraint n foreign key (a) references fk_p (id), constraint n foreign key (a) references fk_p (id));
create table fk_x (a int, b int as (a) virtual, foreign key (b) references fk_p (id));
create table fk_x (a int, b int as (a) stored, foreign key (b) references fk_p (id) on update cascade);
create table fk_x (a int, constraint dup foreign key (a) references fk_p (id));
create table fk_y (a int, constraint DUP foreign key (a) references fk_p (id));
create table fk_y (a int, b int, key k (a, b), foreign key (a) references fk_p (id), foreign key idx (b) references fk_p (id));
show create table fk_y;
alter table fk_y drop key k;
alter table fk_y add key ab (a), drop key k;
show create table fk_y;
alter table fk_y drop key idx;
alter table fk_y drop column b;
alter table fk_p drop column id;
alter table fk_p drop primary key;
alter table fk_y modify a bigint;
alter table fk_p modify id bigint;
alter table fk_y drop foreign key nope;
alter table fk_y drop foreign key fk_y_ibfk_2;
alter table fk_y drop key idx, drop column b;
show create table fk_y;
alter table fk_y rename to fk_z;
alter table fk_p rename column id to ident;
rename table fk_p to fk_q;
show create table fk_z;
insert into fk_z values (5);
insert into fk_q values (5, 1, 1, 'x');
insert into fk_z values (5);
alter table fk_z drop constraint fk_z_ibfk_1;
insert into fk_z values (6);
--! mysql the name of MySQL's temporary table is in the text
alter table fk_z add constraint again foreign key (a) references fk_q (ident) on delete cascade;
delete from fk_z where a = 6;
alter table fk_z add constraint again foreign key (a) references fk_q (ident) on delete cascade;
alter table fk_z add constraint again foreign key (a) references fk_q (ident) on delete cascade;
show create table fk_z;
drop table fk_q;
drop table fk_x, fk_z, fk_q;
--! end

-- a parent that comes later
set foreign_key_checks = 0;
create table fk_c (id int primary key, pid int, foreign key (pid) references fk_p (id) on delete cascade);
insert into fk_c values (1, 5);
set foreign_key_checks = 1;
insert into fk_c values (2, 5);
insert into fk_c values (2, null);
--! differs MariaDB: 1005
--! mysql 9.7 looks at the columns of orphans later
create table fk_p (id bigint primary key);
create table fk_p (id int primary key);
insert into fk_p values (5), (6);
insert into fk_c values (3, 6);
delete from fk_p where id = 5;
select * from fk_c order by id;
set foreign_key_checks = 0;
drop table fk_p;
set foreign_key_checks = 1;
insert into fk_c values (4, 6);
drop table fk_c;
-- other schemas
create database fk_db;
create table fk_db.p (id int primary key);
create table fk_c (id int, foreign key (id) references fk_db.p (id));
insert into fk_c values (1);
insert into fk_db.p values (1);
insert into fk_c values (1);
--! differs MySQL: 3730
drop database fk_db;
drop table fk_c;
drop database fk_db;
