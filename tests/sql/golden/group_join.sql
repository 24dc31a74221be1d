-- functional dependencies through joins under ONLY_FULL_GROUP_BY
create table a (id int primary key, b_id int, n int, w int);
create table b (id int primary key, name varchar(10), c_id int not null);
create table c (id int primary key, name varchar(10));
insert into a values (1,1,10,0),(2,2,20,1),(3,1,30,0),(4,null,40,1);
insert into b values (1,'b1',1),(2,'b2',2),(3,'b3',1);
insert into c values (1,'c1'),(2,'c2');
--! ours MariaDB does not follow functional dependencies
select concat(b.name, c.name), sum(a.n) from a join b on a.b_id=b.id join c on b.c_id=c.id group by a.id order by c.name, b.name, a.id;
select b.name, sum(a.n) from a join b on a.b_id=b.id group by a.b_id order by a.b_id;
select b.name, sum(a.n) from a join b on a.b_id=b.id group by b.id order by a.b_id;
select b.name, sum(a.n) from a left join b on a.b_id=b.id group by a.b_id order by a.b_id;
select a.b_id, sum(a.n) from a left join b on a.b_id=b.id group by b.id;
select b.name, sum(a.n) from a left join b on a.b_id=b.id and a.w=0 group by a.b_id;
select b.name, a.w, sum(a.n) from a left join b on a.b_id=b.id and a.w=0 group by a.b_id, a.w order by a.b_id, a.w;
select c.name, sum(a.n) from a left join (b join c on b.c_id=c.id) on a.b_id=b.id group by a.b_id order by a.b_id;
select c.name, sum(a.n) from a join b on a.b_id>b.id join c on b.c_id=c.id group by a.id;
create view v as select concat(b.name, c.name) as n, sum(a.n) as s from ((a join b on((a.b_id=b.id))) join c on ((b.c_id=c.id))) group by a.id order by c.name, b.name;
select * from v order by n, s;
--! end
-- an aggregate of a subquery belongs to the block whose columns the subquery reads
create table o (a int, b int primary key, c int);
create table p (x int, y int);
insert into o values (1, 2, 3), (3, 4, 5), (null, 1, 1), (5, 6, 7);
insert into p values (1, 1), (5, 5);
select (select sum((select o.a))) from o;
select (select sum((select o.a)) from o x limit 1) from o;
--! sorted
select (select sum((select o.a + x.a)) from o x) from o;
--! sorted
select (select sum((select o.a))) from o group by b;
select (select sum((select o.a))) from o group by c > 3 order by 1;
select (select sum((select p.y from p where p.x = o.a))), (select count((select (select o.a)))) from o;
select (select sum((select max(p.y) from p where p.x <= o.a))) from o;
--! sorted
select (select sum((select max(p.y + o.a) from p))) from o;
select (select sum((select max(o.a)))) from o;
select (select sum((select max(o.a) from p))) from o;
--! sorted
select (select sum((select 1))), (select sum((select max(x) from p))) from o;
select a from o where (select sum((select o.a))) > 2 order by a;
select c > 3, sum(a) from o group by c > 3 having (select sum((select o.a))) > 2;
--! differs 1140 there
select a from o order by (select sum((select o.a)));
select (select group_concat((select o.a) order by (select o.b) desc)) from o;
--! sorted
select (select group_concat((select o.a) order by p.x) from p where x = 1) from o;
--! differs a derived table may read the blocks around it
select (select sum((select d.y from (select y from p where x = o.a) d))) from o;
select sum((select sum(o.a))) from o;
drop table o, p;
