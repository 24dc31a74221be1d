-- What a merged derived table, view or common table expression has in its WHERE counts where the planner reads only some rows of the table: at an
-- index's ends (MIN, MAX), one of each group (DISTINCT, GROUP BY), or none at all.
create table t (a int primary key, b int, c int, key bc (b, c), key c (c));
insert into t values (1, 1, 30), (2, 1, 20), (3, 2, 10), (4, 2, 40), (5, 7, 5), (6, null, 50), (7, 3, null);
create table o (a int primary key, b int);
insert into o values (1, 1), (2, 2), (3, 9);
create view v as select a z, b y, c x from t where b = 1;
select max(z) from (select a z from t where b = 1) d;
select max(z), min(z) from (select a z from t where b < 3) d;
select max(z) from (select a z, c from t where b = 2) d where c < 40;
select min(x), max(x) from v;
select max(z) from v;
select count(*), max(z) from v;
with q as (select a z, c x from t where b = 2) select min(z), min(x) from q;
select max(z) from (select z from (select a z, b y from t where c > 10) e where y = 1) d;
select max(z) from (select a z from t where false) d;
select max(z) from (select a z from t where b = 100) d;
select min(x) from (select c x from t where a > 2) d;
select min(x) from (select c x from t where a > 2) d where x > 10;
--! ours MariaDB knows no outer references in derived tables
-- correlated
select a, (select max(z) from (select t.a z from t where t.b = o.b) d) m from o order by a;
select a, (select min(z) from (select t.c z from t where t.b = o.b) d) m from o order by a;
select a, (select max(z) from v where y = o.b) m from o order by a;
select a from o where a = (select min(z) from (select t.a z from t where t.b = o.b) d) order by a;
--! end
-- groups of which one row is read
select y, min(x) from (select b y, c x from t where c > 10) d group by y order by y;
select y, max(x) from (select b y, c x from t where a < 4) d group by y order by y;
select distinct y from (select b y from t where c > 10) d order by y;
select distinct y from (select b y, c x from t where a > 3) d order by y;
select count(distinct y) from (select b y from t where c > 10) d;
select y, min(x), max(x) from v group by y;
select distinct y from v;
-- the first rows in an index's order
select z from (select a z from t where c > 10) d order by z desc limit 1;
select x from (select c x from t where b = 2) d order by x limit 1;
-- beside an outer join
select o.a, d.z from o left join (select a z, b y from t where c > 10) d on d.y = o.b order by o.a, d.z;
select max(d.z) from o left join (select a z, b y from t where c > 10) d on d.y = o.b;
