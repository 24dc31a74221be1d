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
