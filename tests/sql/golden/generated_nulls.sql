-- Generated columns and expression defaults that are NULL where the column cannot be: 1048 in strict mode; with IGNORE or without strict mode the type's implicit
-- default and a warning (INSERT: one for a column, UPDATE, LOAD DATA and ALTER TABLE: one for a row), but an error in an INSERT of one row.
--! ours MariaDB refuses NOT NULL in a generated column
create table t (a int, g int generated always as (a + 1) stored not null, k int primary key);
create table src (a int, k int);
insert into src values (null, 11), (3, 12), (null, 13);
insert into t (a, k) values (null, 1);
insert into t (a, k) values (2, 1), (null, 2);
replace into t (a, k) values (null, 1);
insert ignore into t (a, k) values (null, 1);
insert ignore into t (a, k) values (null, 2), (2, 3), (null, 4);
insert ignore into t (a, k) select a, k from src;
insert ignore into t set k = 41;
select * from t order by k;
update t set a = null where k = 3;
update ignore t set a = null where k in (3, 12);
insert ignore into t (a, k) values (5, 3), (7, 99) on duplicate key update a = null;
select * from t order by k;
set sql_mode = '';
insert into t (a, k) values (null, 101);
insert into t (a, k) values (null, 102), (2, 103), (null, 104);
insert into t (a, k) select a, k + 200 from src;
insert into t (a, k) select null, 301;
replace into t (a, k) values (null, 401);
replace into t (a, k) values (null, 402), (1, 403);
update t set a = 4;
insert into t (a, k) values (5, 103) on duplicate key update a = null;
insert ignore into t (a, k) values (5, 103) on duplicate key update a = null;
insert into t (a, k) values (5, 1), (5, 2) on duplicate key update a = null;
update t set a = null where k in (3, 103, 104);
select * from t order by k;
-- a row that stays as it is: UPDATE computes what is made of the columns it sets, ON DUPLICATE KEY UPDATE everything
create table r (a int, g int generated always as (a + 1) stored not null, k int primary key, z int, h int generated always as (g * 2) virtual not null);
insert ignore into r (a, k) values (null, 1), (null, 2), (3, 3);
update r set a = null;
update ignore r set a = null;
update r set z = z;
update r set z = 5, k = k + 20 where k < 3;
set sql_mode = 'strict_trans_tables';
update r set a = null where k = 21;
update r set z = 6, k = k - 20 where k > 3;
update ignore r set a = null where k = 1;
insert ignore into r (a, k) values (1, 2) on duplicate key update a = null;
update r set a = 3 where k = 3;
insert ignore into r (a, k) values (1, 2), (1, 3), (1, 77) on duplicate key update a = null;
insert ignore into r (a, k) values (1, 2), (1, 78) on duplicate key update a = null;
insert ignore into r (a, k) values (1, 2) on duplicate key update z = 6;
insert ignore into r (a, k) values (1, 2), (1, 1) on duplicate key update z = 9;
insert into r (a, k) values (1, 2) on duplicate key update z = 10;
set sql_mode = '';
insert into r (a, k) values (1, 2), (1, 3) on duplicate key update a = null;
select * from r order by k;
-- ALTER TABLE
create table n (a int, k int primary key);
insert into n values (null, 1), (2, 2), (null, 3);
alter table n add g int generated always as (a + 1) stored not null;
select * from n order by k;
set sql_mode = default;
alter table n add h int generated always as (a + 2) stored not null;
-- VIRTUAL, other types, and what a CHECK or a UNIQUE key makes of it
create table w (a int, k int primary key, v int generated always as (a + 1) virtual not null, d date generated always as (a) virtual not null, e enum('x','y') generated always as (if(a, 'x', null)) stored not null, s varchar(5) generated always as (nullif(a, 20240101)) stored not null);
insert ignore into w (a, k) values (null, 1);
insert ignore into w (a, k) values (20240101, 2), (null, 3), (20240102, 4);
select * from w order by k;
create table c (a int, k int primary key, g int generated always as (a + 1) stored not null, check (g > 5));
insert ignore into c (a, k) values (null, 1), (7, 2);
update ignore c set a = null;
set sql_mode = '';
update c set a = null;
set sql_mode = default;
select * from c;
create table u (a int, g int generated always as (a + 1) stored not null unique, k int primary key);
insert ignore into u (a, k) values (null, 1), (null, 2), (1, 3);
select * from u order by k;
-- expression defaults
create table d (k int primary key, x int not null default (nullif(k, 1)), y varchar(4) not null default (nullif('q', 'q')));
insert into d (k, y) values (1, '');
insert ignore into d (k, y) values (1, '');
insert ignore into d (k) values (2);
insert ignore into d (k) values (3), (4);
insert into d (k) values (5), (6);
set sql_mode = '';
insert into d (k) values (5);
insert into d (k) values (5), (6);
insert into d (k) select k + 20 from d;
select * from d order by k;
set sql_mode = default;
--! end
