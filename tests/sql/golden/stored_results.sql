-- Types of results that went through a table: derived tables, set operations, table functions. Tables start with sr_.

--! ours MariaDB stores and shows other types
create table sr_t (i int not null primary key, s smallint, c char(3), n binary(2), b blob, v varchar(5) collate utf8mb4_0900_bin, e enum('x', 'y'), u int unsigned);
insert into sr_t values (1, 2, 'ab', 'xy', 'blob', 'v', 'x', 7);
-- short integer expressions are INT there, longer ones BIGINT
--! types
select * from (select distinct 1 as a, s + 1 as b, i + 1 as c, 12345678 as d, 1234567890 as f, i > 0 as g, 'x' as h, upper(c) as k, u + 1 as l from sr_t) x;
--! types
with w as (select 5 as a) select a, a + 1 from w, sr_t;
--! types
select max(a), ifnull(a, 0), -a from (select distinct 1 as a) x group by a;
create view sr_v as select distinct 1 as a, i + 1 as b from sr_t;
--! types
select * from sr_v;
describe sr_v;
-- set operations: CHAR stays CHAR, BINARY of one length BINARY, BLOB BLOB; integers keep the type of the branches
--! types
select c, n, b, s, 1 as one, c as d from sr_t union all select c, n, b, s, 2, 'text' from sr_t;
--! types
select n from sr_t union all select cast('abc' as binary(3));
create table sr_u select c, n, b from sr_t union all select c, n, b from sr_t;
show create table sr_u;
--! types
values row(1, 'a'), row(2, 'b');
--! types
select * from (values row(1, 'a'), row(2, 'b')) x;
-- JSON_TABLE
--! mysql FOR ORDINALITY is a BIGINT in the newer one
--! types
select * from json_table('[1]', '$[*]' columns (o for ordinality, i int path '$', x int exists path '$', c char(3) path '$', v varchar(3) path '$')) as jt;
-- expressions
--! types
select degrees(i), radians(i), user(), charset(c), str_to_date('x', 'y'), max(e), max(v) from sr_t group by i;
create table sr_w select degrees(i) as d, radians(s) as r, charset('a') as h, user() as w from sr_t;
show create table sr_w;
drop view sr_v;
drop table sr_t, sr_u, sr_w;
--! end
