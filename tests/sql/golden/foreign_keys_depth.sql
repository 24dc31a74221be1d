-- Foreign keys: how deep actions go (3008), parents that come after their children (6125), numbers in names. Tables start with fd_.

-- a row of fifteen levels is one too many, and nothing of it stays done
create table fd_1 (id int primary key);
create table fd_2 (id int primary key, foreign key (id) references fd_1 (id) on delete cascade on update cascade);
create table fd_3 (id int primary key, foreign key (id) references fd_2 (id) on delete cascade on update cascade);
create table fd_4 (id int primary key, foreign key (id) references fd_3 (id) on delete cascade on update cascade);
create table fd_5 (id int primary key, foreign key (id) references fd_4 (id) on delete cascade on update cascade);
create table fd_6 (id int primary key, foreign key (id) references fd_5 (id) on delete cascade on update cascade);
create table fd_7 (id int primary key, foreign key (id) references fd_6 (id) on delete cascade on update cascade);
create table fd_8 (id int primary key, foreign key (id) references fd_7 (id) on delete cascade on update cascade);
create table fd_9 (id int primary key, foreign key (id) references fd_8 (id) on delete cascade on update cascade);
create table fd_10 (id int primary key, foreign key (id) references fd_9 (id) on delete cascade on update cascade);
create table fd_11 (id int primary key, foreign key (id) references fd_10 (id) on delete cascade on update cascade);
create table fd_12 (id int primary key, foreign key (id) references fd_11 (id) on delete cascade on update cascade);
create table fd_13 (id int primary key, foreign key (id) references fd_12 (id) on delete cascade on update cascade);
create table fd_14 (id int primary key, foreign key (id) references fd_13 (id) on delete cascade on update cascade);
create table fd_15 (id int primary key, foreign key (id) references fd_14 (id) on delete cascade on update cascade);
create table fd_16 (id int primary key, foreign key (id) references fd_15 (id) on delete cascade on update cascade);
insert into fd_1 values (1), (2);
insert into fd_2 values (1), (2);
insert into fd_3 values (1), (2);
insert into fd_4 values (1), (2);
insert into fd_5 values (1), (2);
insert into fd_6 values (1), (2);
insert into fd_7 values (1), (2);
insert into fd_8 values (1), (2);
insert into fd_9 values (1), (2);
insert into fd_10 values (1), (2);
insert into fd_11 values (1), (2);
insert into fd_12 values (1), (2);
insert into fd_13 values (1), (2);
insert into fd_14 values (1), (2);
insert into fd_15 values (1), (2);
insert into fd_16 values (1);
--! differs MariaDB: 1296 for DELETE, 152 for UPDATE
delete from fd_1 where id = 1;
--! differs MariaDB: 1296 for DELETE, 152 for UPDATE
update fd_1 set id = 10 where id = 1;
--! differs MariaDB: 1296 for DELETE, 152 for UPDATE
delete from fd_1;
select (select count(*) from fd_1), (select count(*) from fd_8), (select count(*) from fd_15), (select count(*) from fd_16);
delete from fd_1 where id = 2;
delete from fd_16;
update fd_1 set id = 10 where id = 1;
select id from fd_15;
delete from fd_1;
select count(*) from fd_15;
-- SET NULL at the end is a level too
insert into fd_1 values (1);
insert into fd_2 values (1);
insert into fd_3 values (1);
insert into fd_4 values (1);
insert into fd_5 values (1);
insert into fd_6 values (1);
insert into fd_7 values (1);
insert into fd_8 values (1);
insert into fd_9 values (1);
insert into fd_10 values (1);
insert into fd_11 values (1);
insert into fd_12 values (1);
insert into fd_13 values (1);
insert into fd_14 values (1);
insert into fd_15 values (1);
create table fd_n (id int primary key, p int, foreign key (p) references fd_15 (id) on delete set null on update set null);
insert into fd_n values (1, null);
delete from fd_1 where id = 7;
update fd_n set p = 1;
--! differs MariaDB: 1296 for DELETE, 152 for UPDATE
delete from fd_1;
--! differs MariaDB: 1296 for DELETE, 152 for UPDATE
update fd_1 set id = 3;
select * from fd_n;
delete from fd_2;
select * from fd_n;
drop table fd_n;
drop table fd_16, fd_15, fd_14, fd_13, fd_12, fd_11, fd_10, fd_9, fd_8, fd_7, fd_6, fd_5, fd_4, fd_3, fd_2, fd_1;

-- rows in a circle: coming back to the first one counts, where its index is a secondary one
create table fd_a (id int primary key, next int, key (next));
insert into fd_a values (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9), (9, 10), (10, 11), (11, 12), (12, 13), (13, 14), (14, 1);
alter table fd_a add foreign key (next) references fd_a (id) on delete cascade on update cascade;
create table fd_b (id int primary key, next int, key (next));
insert into fd_b values (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9), (9, 10), (10, 11), (11, 12), (12, 13), (13, 14), (14, 15), (15, 1);
alter table fd_b add foreign key (next) references fd_b (id) on delete cascade on update cascade;
delete from fd_a where id = 3;
select count(*) from fd_a;
--! differs MariaDB: 1296 for DELETE, 152 for UPDATE
delete from fd_b where id = 3;
select count(*) from fd_b;
--! differs MariaDB: 1296 for DELETE, 152 for UPDATE
delete from fd_b;
select count(*) from fd_b;
update fd_b set next = null where id = 9;
delete from fd_b where id = 9;
select count(*) from fd_b;
delete from fd_b where id = 5;
select count(*) from fd_b;
create table fd_x (id int primary key, o int unique);
create table fd_y (id int primary key, o int unique);
insert into fd_x values (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8);
insert into fd_y values (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 1);
alter table fd_x add foreign key (o) references fd_y (id) on delete cascade;
alter table fd_y add foreign key (o) references fd_x (id) on delete cascade;
--! differs MariaDB: 1296 for DELETE, 152 for UPDATE
delete from fd_x where id = 1;
select (select count(*) from fd_x), (select count(*) from fd_y);
update fd_y set o = null where id = 4;
delete from fd_x where id = 5;
select (select count(*) from fd_x), (select count(*) from fd_y);
drop table fd_a, fd_b;
set foreign_key_checks = 0;
drop table fd_x, fd_y;

-- without checks a parent may come later, but its key must be unique all the same
--! ours MySQL 8.4: 6125, restrict_fk_on_non_standard_key
create table fd_p (a int primary key, b int, key (b));
create table fd_c (x int, constraint fd_k1 foreign key (x) references fd_p (b));
create table fd_c (x int, constraint fd_k1 foreign key (x) references fd_q (b));
create table fd_q (a int primary key, b int);
create table fd_q (a int primary key, b int, key (b));
create table fd_q (b int, a int, primary key (b, a));
create table fd_q like fd_p;
rename table fd_p to fd_q;
alter table fd_p rename to fd_q;
alter table fd_p drop key b, add unique key (b), rename to fd_q;
alter table fd_q drop key b, add key (b);
alter table fd_q drop key b;
alter table fd_q add key (b, a);
alter table fd_q drop key b;
set restrict_fk_on_non_standard_key = off;
create table fd_c2 (x int, constraint fd_k2 foreign key (x) references fd_r (b));
create table fd_r (a int primary key, b int);
create table fd_r (a int primary key, b int, key (b));
create table fd_c3 (x int, constraint fd_k3 foreign key (x) references fd_r (b));
set restrict_fk_on_non_standard_key = default;
show create table fd_c3;
drop table fd_c, fd_c2, fd_c3, fd_q, fd_r;
set foreign_key_checks = default;
--! end

-- names: one above the highest number, read as InnoDB reads it
--! ours InnoDB's way of reading numbers in names is MySQL's
create table fd_p (i int primary key);
create table fd_t1 (j int primary key);
alter table fd_t1 add constraint `fd_t1_ibfk_-2` foreign key (j) references fd_p (i);
alter table fd_t1 add foreign key (j) references fd_p (i);
alter table fd_t1 add foreign key (j) references fd_p (i);
select constraint_name from information_schema.referential_constraints where constraint_schema = 'test' and table_name = 'fd_t1' order by 1;
create table fd_t2 (j int primary key);
alter table fd_t2 add constraint `fd_t2_ibfk_007` foreign key (j) references fd_p (i);
alter table fd_t2 add foreign key (j) references fd_p (i);
select constraint_name from information_schema.referential_constraints where constraint_schema = 'test' and table_name = 'fd_t2' order by 1;
create table fd_t3 (j int primary key);
alter table fd_t3 add constraint `fd_t3_ibfk_x` foreign key (j) references fd_p (i);
alter table fd_t3 add constraint `fd_t3_ibfk_12x` foreign key (j) references fd_p (i);
alter table fd_t3 add constraint `fd_t3_ibfk_` foreign key (j) references fd_p (i);
alter table fd_t3 add foreign key (j) references fd_p (i);
select constraint_name from information_schema.referential_constraints where constraint_schema = 'test' and table_name = 'fd_t3' order by 1;
create table fd_t4 (j int primary key);
alter table fd_t4 add constraint `fd_t4_ibfk_4294967295` foreign key (j) references fd_p (i);
alter table fd_t4 add foreign key (j) references fd_p (i);
select constraint_name from information_schema.referential_constraints where constraint_schema = 'test' and table_name = 'fd_t4' order by 1;
create table fd_t5 (j int primary key);
alter table fd_t5 add constraint `fd_t5_ibfk_99999999999` foreign key (j) references fd_p (i);
alter table fd_t5 add foreign key (j) references fd_p (i);
select constraint_name from information_schema.referential_constraints where constraint_schema = 'test' and table_name = 'fd_t5' order by 1;
create table fd_t6 (j int primary key);
alter table fd_t6 add constraint `fd_t6_ibfk_+5` foreign key (j) references fd_p (i);
alter table fd_t6 add constraint `fd_t6_ibfk_ 6` foreign key (j) references fd_p (i);
alter table fd_t6 add foreign key (j) references fd_p (i);
select constraint_name from information_schema.referential_constraints where constraint_schema = 'test' and table_name = 'fd_t6' order by 1;
-- a name may be empty or end with a space, but not that of an index
create table fd_e (j int primary key, k int, constraint `` foreign key (j) references fd_p (i), constraint `x ` foreign key (j) references fd_p (i));
create table fd_e2 (j int, constraint `` foreign key (j) references fd_p (i));
create table fd_e2 (j int primary key, constraint `` foreign key (j) references fd_p (i));
alter table fd_e drop foreign key ``;
show create table fd_e;
create table fd_e3 (j int, constraint `` check (j > 0));
show create table fd_e3;
drop table fd_t1, fd_t2, fd_t3, fd_t4, fd_t5, fd_t6, fd_e, fd_e3, fd_p;
--! end
