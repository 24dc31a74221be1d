#!/usr/bin/env python3
"""About a hundred shapes of queries that applications send, on 500,000 rows, here and on real peers: where are we much slower?

    EVENKEEL=target/release/evenkeel scripts/shapes.py [--peers mariadb,mysql] [--thousands N]

Prints milliseconds, the best of three (one for changes), worst ratio to the fastest peer first. MySQL is the one of scripts/mysql-peer.sh. Each server runs
alone, one after the other, with a buffer pool of 1 GB and otherwise its defaults; one connection, so that a slow plan shows and nothing else.
It is no test: figures are in docs/performance.md.
"""
import argparse
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from lib.servers import MariaDB, MySQL, Server  # noqa: E402


def setup(n):
    """Users, orders, tags and their relation: n thousand orders."""
    return [
        "CREATE DATABASE IF NOT EXISTS shapes", "USE shapes", "CREATE TABLE n (i INT PRIMARY KEY)",
        "INSERT INTO n VALUES " + ",".join(f"({i})" for i in range(1000)),
        """CREATE TABLE u (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40) NOT NULL, email VARCHAR(60), country CHAR(2), created DATETIME NOT NULL,
            score DECIMAL(10,2), active TINYINT(1) NOT NULL DEFAULT 1, KEY (country), KEY (created), UNIQUE KEY (email))""",
        f"""INSERT INTO u SELECT x.i*1000+y.i+1, CONCAT('user',x.i*1000+y.i), CONCAT('u',x.i*1000+y.i,'@example.com'),
            ELT(1+(x.i*7+y.i)%20,'de','us','fr','it','es','nl','be','pl','se','no','dk','fi','at','ch','uk','ie','pt','gr','cz','hu'),
            DATE_ADD('2020-01-01', INTERVAL (x.i*1000+y.i)*5 MINUTE), ((x.i*13+y.i*7)%10000)/10, (x.i+y.i)%3<>0 FROM n x, n y WHERE x.i<{n // 5}""",
        """CREATE TABLE o (id INT PRIMARY KEY AUTO_INCREMENT, user_id INT NOT NULL, status VARCHAR(10) NOT NULL, total DECIMAL(12,2) NOT NULL, at DATETIME NOT NULL,
            note TEXT, KEY (user_id), KEY (status, at), KEY (at))""",
        f"""INSERT INTO o SELECT x.i*1000+y.i+1, 1+(x.i*1000+y.i*31)%{n * 200}, ELT(1+(x.i+y.i*3)%5,'new','paid','sent','done','void'),
            ((x.i*17+y.i*11)%100000)/100, DATE_ADD('2021-01-01', INTERVAL (x.i*1000+y.i) MINUTE), REPEAT('n',(x.i+y.i)%100) FROM n x, n y WHERE x.i<{n}""",
        "CREATE TABLE tag (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL, UNIQUE KEY (name))", "INSERT INTO tag SELECT i+1, CONCAT('tag',i) FROM n",
        "CREATE TABLE ot (order_id INT, tag_id INT, PRIMARY KEY (order_id,tag_id), KEY (tag_id))",
        "INSERT INTO ot SELECT o.id, 1+(o.id*7)%1000 FROM o WHERE o.id%2=0", "INSERT IGNORE INTO ot SELECT o.id, 1+(o.id*13)%1000 FROM o WHERE o.id%3=0",
        "ANALYZE TABLE u, o, ot, tag"]


QUERIES = r"""select * from o limit 0
select * from o order by note limit 0
select count(*) from o
select count(*) from o where status='paid'
select count(id) from o where total>500
select max(id) from o
select min(at), max(at) from o
select max(total) from o
select * from o order by id desc limit 20
select * from o order by at desc limit 20
select * from o order by total desc limit 20
select * from o order by total desc limit 20 offset 1000
select * from o order by id limit 20 offset 200000
select id from o order by id limit 20 offset 200000
select * from o where status='paid' order by at desc limit 20
select * from o where status in ('paid','new') order by at desc limit 20
select * from o where status<>'paid' order by at desc limit 20
select * from o where user_id in (1,2,3,5,8,13,21,34,55,89) order by id
select * from o where user_id between 100 and 200
select status, count(*), sum(total) from o group by status
select user_id, count(*) c from o group by user_id order by c desc limit 10
select user_id, sum(total) s from o group by user_id having s > 5000 order by s desc limit 10
select date(at) d, count(*) from o group by d order by d limit 30
select year(at), month(at), sum(total) from o group by 1,2
select distinct status from o
select distinct user_id from o limit 100
select count(distinct user_id) from o
select count(distinct status, user_id) from o
select country, count(*), avg(score) from u group by country with rollup
select u.name, o.total from u join o on o.user_id=u.id where u.country='de' order by o.at desc limit 20
select u.country, sum(o.total) from u join o on o.user_id=u.id group by u.country
select u.* from u left join o on o.user_id=u.id where o.id is null
select u.id, count(o.id) from u left join o on o.user_id=u.id and o.status='void' group by u.id order by 2 desc, 1 limit 10
select * from u where id in (select user_id from o where total > 999)
select * from u where id not in (select user_id from o where status='new')
select * from u where exists (select 1 from o where o.user_id=u.id and o.total>999.5)
select u.id, (select max(at) from o where o.user_id=u.id) from u where u.country='de' limit 100
select u.id, (select count(*) from o where o.user_id=u.id) from u
select * from (select * from o order by total desc limit 100) q order by at limit 10
select * from (select user_id, sum(total) s from o group by user_id) q where user_id=77
select * from (select user_id, sum(total) s from o group by user_id) q join u on u.id=q.user_id where u.country='fr' order by s desc limit 5
select id from o where status='new' union select id from o where total>999
select id from o union all select id from u limit 10
(select id from o order by at desc limit 5) union all (select id from u order by created desc limit 5)
select * from u where email='u777@example.com'
select * from u where name like 'user12%'
select * from u where email like 'u12%'
select * from u where name like '%999%'
select * from u where lower(name)='user77'
select * from u where created >= '2020-03-01' and created < '2020-03-02'
select * from u where date(created)='2020-03-01'
select * from o where at > '2021-06-01' and total > 990 limit 50
select o.id, group_concat(t.name order by t.name) from o join ot on ot.order_id=o.id join tag t on t.id=ot.tag_id where o.user_id=600 group by o.id
select t.name, count(*) c from tag t join ot on ot.tag_id=t.id group by t.id order by c desc limit 10
select o.* from o join ot on ot.order_id=o.id join tag t on t.id=ot.tag_id where t.name='tag7' order by o.at desc limit 10
select o.* from o join ot a on a.order_id=o.id join ot b on b.order_id=o.id where a.tag_id=8 and b.tag_id=14
select * from o where id in (select order_id from ot where tag_id=8) order by id limit 20
select user_id, row_number() over (partition by user_id order by total desc) r from o where user_id<1000
select * from (select o.*, row_number() over (partition by user_id order by at desc) r from o) q where r=1 limit 20
select id, total, sum(total) over (order by id) from o limit 100
select id, lag(total) over (order by id) from o where user_id<100
select status, avg(total), stddev(total) from o group by status
select * from o where (status, at) > ('paid','2021-06-01') order by status, at limit 10
select * from o where status='paid' and at > '2021-06-01' order by status, at limit 10
select * from o where note like '%nnn' limit 10
select sum(case when status='paid' then total else 0 end), sum(if(status='new',1,0)) from o
select * from u where country='de' and active=1 and score>500 order by created desc limit 10
select * from u where country='de' or email='u5@example.com'
select * from u order by rand() limit 5
select * from u order by name limit 10
select * from u order by country, created desc limit 10
select concat(name,' ',email) x from u order by x limit 10
select avg(length(note)), max(note) from o
select json_object('id',id,'s',status) from o limit 1000
with q as (select user_id, count(*) c from o group by user_id) select a.c, count(*) from q a join q b using(user_id) group by a.c
select * from o o1 where total > (select avg(total) from o o2 where o2.user_id=o1.user_id) limit 100
select * from o o1 where total = (select max(total) from o o2 where o2.user_id=o1.user_id) and user_id < 500
select a.id from o a join o b on a.id=b.id+1 where a.status='void' and b.status='paid' limit 1000
select a.id,b.id from u a join u b on a.created=b.created and a.id<>b.id limit 5
select * from o where id=5 or id=700 or user_id=9
select * from o where id % 1000 = 7
select * from o where status='paid' and user_id=77
select hex(id), md5(note) from o limit 20000
select count(*) from o where date_format(at,'%Y-%m')='2021-03'
select count(*) from o where at between '2021-03-01' and '2021-04-01' and status='paid'
select * from information_schema.tables where table_schema='t1'
select count(*) from u, tag where u.country='de' and tag.id<10
select * from o where null
select * from o where 1=0
select u.country, o.status, count(*) from u join o on u.id=o.user_id group by 1,2 order by 3 desc
select straight_join count(*) from o join u on u.id=o.user_id
update o set total=total+1 where id=77
update o set total=total+0.01 where user_id=77
update o set total=total+0.01 where status='void' and at<'2021-02-01'
update o join u on u.id=o.user_id set o.total=o.total+1 where u.country='de' and o.status='new'
insert into o(user_id,status,total,at) select user_id,status,total,at from o where id<=20000
insert into tag select id+100000, concat('x',id) from o where id<=10000 on duplicate key update name=values(name)
delete from o where id>500000
delete from tag where id>1000
update u set score=score+1
update o set note=concat(note,'x') where total>900""".split("\n")


def measured(server, thousands):
    """Milliseconds by query."""
    server.start()
    try:
        c = server.connect().cursor()
        for q in setup(thousands):
            c.execute(q)
            c.fetchall()
        out = {}
        for q in QUERIES:
            change = q.split()[0] in ("insert", "delete", "update")
            for _ in range(1 if change else 3):
                began = time.time()
                c.execute(q)
                c.fetchall()
                took = (time.time() - began) * 1000
                out[q] = min(took, out.get(q, took))
                if took > 10_000:
                    break
        return out
    finally:
        server.stop()
        server.remove()


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--peers", default="mariadb")
    a.add_argument("--thousands", type=int, default=500, help="thousands of orders")
    a = a.parse_args()
    options = ["--innodb-buffer-pool-size=1G"]
    ours = measured(Server(options=options), a.thousands)
    kinds = {"mariadb": MariaDB, "mysql": MySQL}
    peers = {p: measured(kinds[p](options=options), a.thousands) for p in a.peers.split(",")}
    ratio = {q: ours[q] / max(min(p[q] for p in peers.values()), 0.05) for q in QUERIES}
    print("ratio      ours", *(f"{p:>9}" for p in peers), " query")
    for q in sorted(QUERIES, key=ratio.get, reverse=True):
        print(f"{ratio[q]:5.2f} {ours[q]:9.2f}", *(f"{p[q]:9.2f}" for p in peers.values()), "", q)


if __name__ == "__main__":
    main()
