-- A cached plan runs with literals longer than those it was made with, in another character set than the column's.

create table pl (id int primary key, n varchar(64) character set latin1, u varchar(64) character set utf8mb3);
insert into pl values (1, 'c', 'c'), (2, 'zp', 'zp'), (3, 'longer text', 'longer text');
select id from pl where n = 'c';
select id from pl where n = 'zp';
select id from pl where n = 'longer text';
select id from pl where u = 'c';
select id from pl where u = 'longer text';
select id from pl where n like 'c';
select id from pl where n like 'long%';
select id from pl where u like 'c';
select id from pl where u like '%text';
select id from pl where n in ('c', 'c');
select id from pl where n in ('zp', 'longer text') order by id;
select id from pl where n between 'c' and 'c';
select id from pl where n between 'la' and 'lz' order by id;
select n <> 'c' from pl where id = 3;
select n <> 'longer text' from pl where id = 3;
update pl set id = id + 10 where u = 'c';
update pl set id = id + 10 where u = 'zp';
select id from pl order by id;
delete from pl where n = 'x';
delete from pl where n = 'longer text';
select id from pl order by id;
select table_name from information_schema.tables where table_schema = 'test' and table_name = 'c';
select table_name from information_schema.tables where table_schema = 'test' and table_name = 'pl';
drop table pl;
-- an integer literal with more digits than the one the plan was made with
create table w (id int primary key, d decimal(10,2));
insert into w values (1, null), (2, 1.5);
select id, coalesce(d, 1), if(d is null, 1, d), case when d is null then 1 else d end from w order by id;
select id, coalesce(d, 9223372036854775807), if(d is null, 9223372036854775807, d), case when d is null then 9223372036854775807 else d end from w order by id;
select id from w where coalesce(d, 1) <> 1 order by id;
select id from w where coalesce(d, 9223372036854775807) <> 9223372036854775807 order by id;
select d from w union all select 1;
select d from w union all select 9223372036854775807;
