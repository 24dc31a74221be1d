-- Derived tables and common table expressions inside subqueries that read columns of enclosing blocks (manual, "Derived Tables": a derived table
-- may refer to the blocks around its query, not to its neighbours; "WITH": so may a common table expression). Their rows are computed anew
-- whenever the subquery is.
create table o (id int primary key, a int, b int, s varchar(10));
insert into o values (1, 1, 10, 'x'), (2, 2, 20, 'y'), (3, 2, 30, 'z'), (4, null, 40, 'x');
create table i (id int primary key, k int, v int, key (k));
insert into i values (1, 1, 100), (2, 2, 200), (3, 2, 201), (4, 4, 400), (5, null, 500);
--! ours MariaDB knows no outer references in derived tables and common table expressions, and no LATERAL
-- kept rows: LIMIT, GROUP BY, DISTINCT, UNION, no FROM
select id, (select max(z) from (select v z from i where i.k = o.a limit 5) d) m from o order by id;
select id, (select z from (select max(v) z from i where i.k = o.a) d) m from o order by id;
select id, (select count(*) from (select distinct v from i where i.k = o.a) d) m from o order by id;
select id, (select count(*) from (select k, count(*) from i where i.k = o.a group by k) d) m from o order by id;
select id, (select sum(z) from (select o.a z union all select o.b union select o.a + 1) d) m from o order by id;
select id, (select two from (select a * 2, a * 3) d(one, two)) m from o order by id;
select id, (select two from (values row(o.a, o.b), row(0, 0)) d(one, two) order by two desc limit 1) m from o order by id;
select id, (select y from (select v y, row_number() over (order by v desc) r from i where k <= o.a) d where r = 1) m from o order by id;
-- merged
select id, (select max(z) from (select v z from i where i.k = o.a) d) m from o order by id;
select id, (select max(z) from (select v + o.b z from i where i.k = o.a) d where z > 110) m from o order by id;
-- several levels
select id, (select max(y) from (select z + 1 y from (select v z from i where i.k = o.a limit 9) d limit 9) e) m from o order by id;
select id, (select max((select count(*) from (select 1 from i j where j.k = o.a and j.v <= i.v limit 9) d)) from i) m from o order by id;
select id, (select (select z from (select max(v) z from i where i.k = x.a) d) from (select o.a) x) m from o order by id;
-- beside other tables of the subquery
select id, (select sum(i.v) from i join (select o.a z union select o.b) d on d.z = i.k) m from o order by id;
select id, (select group_concat(i.id order by i.id) from i, (select o.a z limit 1) d where i.k >= d.z) m from o order by id;
select id, (select count(*) from i left join (select o.a z limit 1) d on d.z = i.k where d.z is null) m from o order by id;
select id, (select count(*) from i where v in (select z from (select j.v z from i j where j.k = o.a limit 5) d)) m from o order by id;
-- in conditions
select id from o where exists (select 1 from (select v from i where i.k = o.a limit 1) d) order by id;
select id from o where not exists (select 1 from (select v from i where i.k = o.a limit 1) d) order by id;
select id from o where a in (select z from (select k z from i where i.v > o.b * 10 limit 9) d) order by id;
select id from o where a not in (select z from (select k z from i where i.v > o.b * 10 and k is not null limit 9) d) order by id;
select id from o where b < all (select z from (select v z from i where i.k = o.a limit 9) d) order by id;
select id from o where 200 <= any (select z from (select v z from i where i.k = o.a limit 9) d) order by id;
select id from o where (a, 200) in (select y, z from (select k y, v z from i where i.id >= o.id limit 9) d) order by id;
select a, count(*) c from o group by a having c < (select count(*) + 1 from (select 1 from i where i.k = o.a limit 9) d) order by a;
select a, (select max(z) from (select v z from i where i.k = o.a limit 9) d) m from o group by a order by a;
select a, (select z from (select max(o.b) z limit 1) d) m from o group by a order by a;
select id from o order by (select z from (select -max(v) z from i where i.k = o.a) d), id;
select id, sum(b) over (order by id) + (select y from (select o.a y limit 1) d) m from o order by id;
-- common table expressions
select id, (with c as (select o.a * 3 z) select z from c) m from o order by id;
select id, (with c as (select v z from i where i.k = o.a) select count(*) from c) m from o order by id;
select id, (with c as (select max(v) z from i where i.k = o.a) select x.z - y.z from c x join c y) m from o order by id;
select id, (with c(z) as (select v from i where i.k = o.a limit 5), e as (select max(z) y from c) select y from e) m from o order by id;
select id, (with recursive c(n) as (select o.id union all select n + 1 from c where n < 4) select group_concat(n order by n) from c) m from o order by id;
select id, (with recursive c(n) as (select 1 union all select n + 1 from c where n < o.id) select sum(n) from c) m from o order by id;
select id from o where exists (with c as (select 1 from i where i.k = o.a limit 1) select * from c) order by id;
with q as (select id, a from o) select id, (with c as (select max(v) z from i where i.k = q.a) select z from c) m from q order by id;
-- the block of the WITH clause and the blocks between it and the name are not in sight
select (with c as (select i.v z) select z from i, c limit 1) m;
select id, (select (select z from c) from (select 1 w) t) m from o join (with c as (select t.w z) select 1) d;
-- LATERAL around them
select o.id, l.m from o, lateral (select max(z) m from (select v z from i where i.k = o.a limit 5) d) l order by o.id;
select o.id, l.m from o left join lateral (with c as (select v z from i where i.k = o.a limit 5) select max(z) m from c) l on true order by o.id;
select * from o right join lateral (select v from i where i.k = o.a) l on true;
select count(*) from o right join lateral (select v from i) l on l.v = o.b;
-- changes
update o set b = (select z from (select coalesce(max(v), -1) z from i where i.k = o.a) d);
select id, b from o order by id;
update o join i on i.id = o.id set o.b = i.v + (select y from (select o.a y limit 1) d) where o.a is not null;
select id, b from o order by id;
delete from o where b > (select z from (select avg(v) z from i where i.k = o.a) d);
select id from o order by id;
-- prepared
prepare p from 'select id, (select z from (select max(v) + ? z from i where i.k = o.a) d) m from o order by id';
set @x = 1000;
execute p using @x;
execute p using @x;
-- neighbours are not in sight
select * from o, (select v from i where i.k = o.a) d;
select id, (select z from i, (select i.v z) d limit 1) m from o;
--! end
-- names of common table expressions mind the case
with recursive C(n) as (select 1 union all select c.id + 1 from C join i c on c.id = C.n) select * from C order by n;
-- the columns that USING names stand in the order of the first table
create table u1 (x int, y int, z int);
create table u2 (z int, y int, x int, w int);
insert into u1 values (1, 2, 3), (4, 5, 6);
insert into u2 values (3, 2, 1, 9), (7, 8, 9, 10);
select * from u1 join u2 using (z, x);
select * from u1 join u2 using (y, x, z);
select * from u1 left join u2 using (z, x) order by u1.x;
select * from u1 right join u2 using (x, y) order by w;
select * from u1 natural right join u2 order by w;
select * from u1 natural join u2;
-- a column behind a plus keeps its name
select +x, + (y), -z, +x + 1 from u1 order by 1 limit 1;
select * from (select +x from u1) d order by x;
--! ours MariaDB lacks the collations of the 0900 family
-- of two collations of a character set that count equally a _bin wins, and two of them have none in common
create table c (a varchar(10) collate utf8mb4_bin, b varchar(10) collate utf8mb4_0900_bin, d varchar(10) collate utf8mb4_0900_as_cs, e varchar(10) collate utf8mb4_0900_ai_ci);
insert into c values ('a', 'a', 'A', 'A');
select b = d, a = d, b = e, a = e, d < b from c;
select collation(concat(a, d)), collation(concat(b, e)), collation(coalesce(b, d)), coercibility(concat(e, b)) from c;
select a = b from c;
select concat(a, b) from c;
select a from c union select b from c;
select collation(x) from (select b x from c union select e from c) q;
select a = b collate utf8mb4_0900_as_cs from c;
--! end
