-- CREATE TABLE ... SELECT and ... LIKE.
create table src (id int unsigned not null auto_increment, a varchar(20) not null default 'x' comment 'text', b decimal(6,2), c datetime(3) default null, d double not null, e enum('p','q') not null default 'q', primary key (id), key (a));
insert into src (a,b,c,d,e) values ('one',1.50,'2020-01-02 03:04:05.678',1.5,'p'),('two',null,null,2.5,'q'),('two',2.25,'2021-01-01',3,'q');
create table t1 select id, a, b, c, d, e from src;
select * from t1 order by id;
--! ours MariaDB prints integers, quotes and character sets in SHOW CREATE TABLE in its own way
show create table t1;
create table t2 select 1 as one, 12345678901 as big, 'abc' as txt, 1.5 as dcm, 1e0 as dbl, null as nothing, id+1 as plus, a=b as bool, concat(a,'!') as con, count(*) as cnt, sum(b) as sm, avg(id) as av, max(c) as mx, repeat('z',600) as rep from src group by id, a, b, c limit 0;
show create table t2;
create table t2b select now() as n, curdate() as d, curtime() as t, cast('2020-01-01' as date) as dd, cast(1 as unsigned) as u, cast('a' as binary(3)) as bin, '' as emp, upper(a) as up, if(id>1,a,b) as iff, coalesce(b,0) as co from src limit 0;
show create table t2b;
-- definitions before the query: those not selected come first, those selected too keep the definition
create table t3 (m int default 7, a char(30) not null, key (a), primary key (id)) engine=InnoDB comment='made' select a, id, b from src;
show create table t3;
--! end
select * from t3 order by id;
-- duplicates
create table t4 (a varchar(20), unique (a)) select a from src;
select count(*) from information_schema.tables where table_schema=database() and table_name='t4';

create table t5 (a varchar(20), unique (a)) ignore select a, id from src order by id;
select a, id from t5 order by a;
create table t6 (a varchar(20), unique (a)) replace select a, id from src order by id;
select a, id from t6 order by a;
-- names
create table t7 select 1 as a, 2 as A;
create table src select 1;
create table if not exists src select 1 as x;
create table nodb.t select 1;
create table t8 select * from nowhere;
create table t8 select * from t8;
-- errors while filling leave nothing
create table t9 (x tinyint) select 1000 as x;
select count(*) from information_schema.tables where table_schema=database() and table_name='t9';
-- generated columns, defaults and AUTO_INCREMENT of the definition
create table t10 (n int auto_increment primary key, twice int as (v*2) stored) select id as v from src order by id;
select n, twice, v from t10 order by n;
-- unions, expressions over derived tables, parentheses, AS
create table t11 as select 1 as a union all select 2;
select * from t11 order by a;
create table t12 (select a, count(*) as n from src group by a);
select * from t12 order by a;
-- an implicit commit, whatever the outcome of the query
start transaction;
insert into t11 values (9);
create table t13 select * from t11;
rollback;
select * from t11 order by a;
select * from t13 order by a;
-- empty source
create table t14 select * from src where 1=0;
select count(*) from t14;
-- LIKE
create table l1 like src;
select count(*) from l1;
insert into l1 (d) values (5);
select id, a, b, e from l1;
create table l1 like src;
create table if not exists l1 like src;
create table l2 like nowhere;

-- a user variable or a parameter alone gives a column that any value of its kind fits
--! ours MariaDB makes columns of the value's length
set @i=5, @d=1.5, @e=1e0, @s='abc', @n=null, @b=x'61', @l=cast('a' as char character set latin1), @u=18446744073709551615;
prepare held from 'create table held1 select ? as a, ? as b, ? as c, ? as d, ? as e, ? as f, ? as g, ? as h';
execute held using @i, @d, @e, @s, @n, @b, @l, @u;
show create table held1;
select * from held1;
create table held2 select @i as a, @d as b, @e as c, @s as d, @n as e, @b as f, @l as g, @u as h;
show create table held2;
select * from held2;
deallocate prepare held;
drop table held1, held2;
--! end
-- foreign keys: the rows must have their parents
create table fp (id int primary key);
insert into fp values (1), (2);
create table fc (a int, foreign key (a) references fp (id)) select 3 as a;
select * from fc;
create table fc (a int, constraint f foreign key (a) references fp (id) on delete cascade) select 1 as a union select 2;
delete from fp where id = 1;
select * from fc;
insert into fc values (7);
--! differs MariaDB's number
drop table fp;
set foreign_key_checks = 0;
create table fch (a int, key (a), foreign key (a) references fpar (id));
create table fc3 (a int, foreign key (a) references fp (id)) select 9 as a;
set foreign_key_checks = 1;
create table fpar (id int primary key) select 5 as id;
insert into fch values (6);
insert into fch values (5);
delete from fpar;
create table fself (id int primary key, up int, foreign key (up) references fself (id)) select 1 as id, null as up union all select 2, 1;
insert into fself values (3, 9);
create table fq (a int, foreign key (a) references fp (id)) ignore select 8 as a union all select 2;
select * from fq;
set foreign_key_checks = 0;
drop table if exists fc, fch, fc3, fself, fq, fp, fpar;
set foreign_key_checks = 1;
