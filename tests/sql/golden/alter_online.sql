-- ALGORITHM and LOCK where rows have no primary key, get another one, or have relatives.
create table t (a int, b int not null, c varchar(10));
insert into t values (3,1,'x'),(1,2,'y'),(2,3,null),(1,4,'x');
alter table t engine=innodb, algorithm=inplace, lock=none;
select * from t order by b;
alter table t add key (a), algorithm=inplace, lock=none;
alter table t add column d int not null default 5 first, algorithm=inplace, lock=none;
insert into t values (6, 9, 5, 'new');
select * from t order by b;
select a from t force index (a) order by a;
alter table t add primary key (a), algorithm=inplace, lock=none;
--! differs MySQL says 1138 where a column of a new key is NULL
alter table t add primary key (c), lock=none;
delete from t where c is null;
alter table t add primary key (c), lock=none;
alter table t add primary key (b), algorithm=inplace, lock=none;
select * from t;
alter table t drop primary key, add primary key (b desc, d), algorithm=inplace, lock=none;
select * from t;
alter table t drop primary key, algorithm=inplace;
alter table t drop primary key, lock=none;
alter table t drop primary key;
select * from t order by b;
check table t;
-- NULL becomes a value silently: not in place
--! ours MariaDB goes in place and fails or not by the rows; MySQL needs a copy without strict mode
set sql_mode = '';
alter table t modify a int not null, algorithm=inplace;
alter table t modify a int not null, lock=none;
alter table t add primary key (c), algorithm=inplace;
insert into t values (7, null, 10, 'last');
alter table t modify a int not null;
select * from t order by b;
set sql_mode = default;
--! end
-- relatives
create table p (id int primary key, n int, k int not null, unique key (k));
create table c (id int primary key, pid int, v int, foreign key (pid) references p (id) on delete cascade on update cascade);
insert into p values (1,1,1),(2,2,2),(3,3,3);
insert into c values (10,1,1),(20,2,2),(21,2,2),(30,3,3);
alter table p engine=innodb, algorithm=inplace, lock=none;
alter table c engine=innodb, algorithm=inplace, lock=none;
update p set id = id + 100 where id = 2;
delete from p where id = 1;
select * from c order by id;
alter table c add column w int not null default 1, add key (v), algorithm=inplace, lock=none;
alter table p modify n bigint;
insert into c values (40, 4, 4, 4);
insert into c values (40, 3, 4, 4);
select * from c order by id;
-- the parent's key becomes another one
alter table p drop primary key, add primary key (k), add unique key (id), lock=none;
update p set id = 5 where k = 3;
select * from c order by id;
insert into c values (50, 4, 4, 4);
--! differs widths of integers, quotes of defaults
show create table c;
-- a new key needs its rows looked at, or foreign_key_checks off
alter table c add constraint ck foreign key (v) references p (k), algorithm=inplace;
alter table c add constraint ck foreign key (v) references p (k), lock=none;
--! ours Adding and dropping a foreign key is in place in MySQL, not instant
set foreign_key_checks = 0;
alter table c add constraint ck foreign key (v) references p (k), algorithm=instant;
alter table c add constraint ck foreign key (v) references p (k), algorithm=inplace, lock=none;
set foreign_key_checks = 1;
alter table c drop foreign key ck, algorithm=instant;
alter table c drop foreign key ck, algorithm=inplace, lock=none;
--! end
alter table c engine=innodb, algorithm=copy, lock=none;
alter table c engine=innodb, algorithm=copy, lock=shared;
select count(*) from c;
drop table c, p, t;
