-- Columns added, dropped, moved and widened without rewriting rows (ALGORITHM=INSTANT): rows of several layouts side by side.
create table t (id int primary key, a int not null, v varchar(10), d date, key (a));
insert into t values (1,10,'one','2020-01-01'),(2,20,null,null),(3,30,'three  ','2020-03-03');
alter table t add column n int, add column s varchar(20) not null default 'dflt', algorithm=instant;
select * from t order by id;
insert into t values (4,40,'four',null,4,'given');
update t set a = a + 1 where id = 2;
select * from t order by id;
alter table t add column f char(5) not null default 'ab  ' first, add column g decimal(8,3) not null default 1.5 after a;
select *, length(f) from t order by id;
insert into t (id, a) values (5, 50);
select * from t order by id;
-- the index on an old column, covering and not
select a from t force index (a) where a > 15 order by a;
select a, s, g from t force index (a) where a between 10 and 45 order by a;
-- an index on added columns
create index sn on t (s, n);
select id from t force index (sn) where s = 'dflt' order by id;
select count(*) from t force index (sn) where s = 'dflt' and n is null;
-- a fixed-width column goes
alter table t drop column n;
alter table t drop column d, algorithm=instant;
select * from t order by id;
update t set v = 'upd' where id in (1, 4);
select * from t order by id;
-- the name comes again with another type
alter table t add column d varchar(3) default 'new';
select * from t order by id;
-- NOT NULL to NULL, a longer VARCHAR, more members
alter table t modify g decimal(8,3) null;
alter table t modify v varchar(30);
update t set g = null, v = 'a text longer than before' where id = 3;
select * from t order by id;
check table t;
-- order
alter table t modify s varchar(20) not null default 'dflt' first;
select * from t order by id;
alter table t modify v varchar(30) after id, modify id int not null first;
select * from t order by id;
check table t;
-- transactions that change old rows and take it back
begin;
update t set a = a * 2;
delete from t where id = 1;
insert into t (id, a) values (9, 9);
savepoint x;
update t set d = null;
rollback to x;
select * from t order by id;
rollback;
select * from t order by id;
-- another session's snapshot reads rows of an older layout
--! on b
begin;
select count(*) from t;
--! on a
update t set v = 'newer';
--! on b
select * from t order by id;
commit;
select * from t order by id;
--! on a
-- a rebuild ends it
alter table t engine=innodb;
select * from t order by id;
alter table t add column z1 int default 1;
alter table t force;
select * from t order by id;
truncate table t;
insert into t (id, a) values (1, 1);
select * from t;
drop table t;
-- defaults of every kind of type
create table k (id int primary key);
insert into k values (1);
alter table k add column c1 tinyint not null default -5, add column c2 bigint unsigned default 18446744073709551615, add column c3 float default 1.5, add column c4 double not null default 2.25,
  add column c5 binary(4) default 'ab', add column c6 varbinary(4) default 'cd', add column c7 datetime(3) default '2020-02-03 04:05:06.789', add column c8 time default '-01:02:03', add column c9 year default 2020,
  add column c10 enum('x','y') not null, add column c11 set('p','q') default 'p,q', add column c12 bit(9) default b'101', add column c13 int not null, add column c14 char(3) not null, add column c15 date default '2001-02-03';
insert into k (id) values (2);
select c1,c2,c3,c4,hex(c5),hex(c6),c7,c8,c9 from k order by id;
select c10,c11,hex(c12),c13,c14,c15 from k order by id;
select count(*) from k a join k b on a.c2 = b.c2 and a.c7 = b.c7 and a.c5 = b.c5 and a.c9 = b.c9 where a.id = 1 and b.id = 2;
-- text columns, long rows
alter table k add column t1 text, add column b1 blob;
update k set t1 = repeat('x', 30000) where id = 1;
alter table k add column after_text int default 7;
select id, length(t1), b1, after_text from k order by id;
update k set after_text = 8;
select id, length(t1), left(t1, 3), after_text from k order by id;
alter table k drop column t1;
select id, after_text, c1 from k order by id;
-- an expression default, an AUTO_INCREMENT and a generated column are computed for each row
--! differs MySQL copies for a new column with an expression default, and counts the rows
alter table k add column e1 int default (1 + 1);
alter table k add column g1 int as (c1 * 2) virtual;
alter table k add column g2 int as (c1 * 3) stored;
select id, e1, g1, g2 from k order by id;
-- without a primary key
create table h (a int, key (a));
insert into h values (1),(2),(2);
alter table h add column b int default 3;
delete from h where a = 2 limit 1;
update h set b = 4 where a = 2;
select * from h order by a;
alter table h drop column a;
select * from h order by b;
alter table h drop column b;
-- more changes than a table takes without being rebuilt
create table m (id int primary key);
insert into m values (1);
alter table m add column x int default 1, algorithm=instant;
alter table m drop column x, algorithm=instant;
alter table m add column x int default 2, algorithm=instant;
select * from m;
-- requests
alter table m add column y int, algorithm=inplace;
alter table m add column z int, algorithm=copy;
--! differs MySQL 8.4 takes no LOCK clause with ALGORITHM=INSTANT
alter table m add column w int, algorithm=instant, lock=none;
select x, y, z from m;
-- keys that go are those of before, wherever that is said
create table o (a int, b int, key k (a));
alter table o add key n (b), drop key n;
alter table o add key k (b), drop key k;
--! differs MySQL 8 heads columns of information_schema by their own names
select index_name, column_name from information_schema.statistics where table_name = 'o' and table_schema = database();
alter table o add primary key (a);
alter table o add primary key (b), drop primary key;
--! differs MySQL 8 heads columns of information_schema by their own names
select index_name, column_name from information_schema.statistics where table_name = 'o' and table_schema = database() order by 1;
-- columns exchange their names; places are by new names
create table x (a int, b varchar(5), c int);
insert into x values (1, 'two', 3);
alter table x rename column a to b, rename column b to a;
select * from x;
alter table x rename column c to d, add column e int after d;
alter table x rename column d to c, add column f int after d;
alter table x rename column d to a;
alter table x rename column d to c, rename column e to c;
select * from x;
-- columns of variable length go too, with what lies in pages of their own
create table v (id int primary key, a varchar(20), b text, c longblob, d int not null default 4);
insert into v values (1, 'one', repeat('b', 20000), repeat('c', 40000), 1), (2, null, null, 'short', 2), (3, 'three', 'b', repeat('x', 100000), 3);
alter table v drop column c, algorithm=instant;
select id, a, length(b), d from v order by id;
alter table v drop column a, add column e varchar(10) default 'new' after id, algorithm=instant;
select id, e, length(b), d from v order by id;
begin;
update v set d = d + 10 where id <> 2;
delete from v where id = 3;
select id, e, length(b), d from v order by id;
rollback;
select id, e, length(b), d from v order by id;
update v set b = 'short' where id = 1;
delete from v where id = 3;
insert into v (id, b) values (4, repeat('y', 50000));
alter table v drop column b, add column c text, algorithm=instant;
update v set c = repeat('z', 30000) where id in (1, 2);
select id, e, d, length(c) from v order by id;
check table v;
alter table v engine=innodb;
select id, e, d, length(c) from v order by id;
drop table v;
