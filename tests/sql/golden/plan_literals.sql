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
--! differs MySQL 8 heads columns of information_schema by their own names
select table_name from information_schema.tables where table_schema = 'test' and table_name = 'c';
--! differs MySQL 8 heads columns of information_schema by their own names
select table_name from information_schema.tables where table_schema = 'test' and table_name = 'pl';
drop table pl;
-- an integer literal with more digits than the one the plan was made with
create table w (id int primary key, d decimal(10,2));
insert into w values (1, null), (2, 1.5);
--! differs MariaDB shows values of IF and CASE with the digits of the common type
select id, coalesce(d, 1), if(d is null, 1, d), case when d is null then 1 else d end from w order by id;
--! differs MariaDB shows values of IF and CASE with the digits of the common type
select id, coalesce(d, 9223372036854775807), if(d is null, 9223372036854775807, d), case when d is null then 9223372036854775807 else d end from w order by id;
select id from w where coalesce(d, 1) <> 1 order by id;
select id from w where coalesce(d, 9223372036854775807) <> 9223372036854775807 order by id;
select d from w union all select 1;
select d from w union all select 9223372036854775807;
-- integer literals of three types (BIGINT, BIGINT UNSIGNED, DECIMAL) in one text: a plan made for one is none for the others
CREATE TABLE wide (id INT PRIMARY KEY, d DECIMAL(30,0), b BIGINT, KEY (b));
INSERT INTO wide (id, d) VALUES (1, -1);
INSERT INTO wide (id, d) VALUES (2, -99999999999999999999);
INSERT INTO wide (id, d) VALUES (3, -18446744073709551615);
INSERT INTO wide (id, d) VALUES (4, -9223372036854775808);
INSERT INTO wide (id, d) VALUES (5, 99999999999999999999);
INSERT INTO wide (id, d) VALUES (6, -18446744073709551616);
UPDATE wide SET b = id;
SELECT id, d FROM wide ORDER BY id;
SELECT id FROM wide WHERE d = -1 ORDER BY id;
SELECT id FROM wide WHERE d = -99999999999999999999 ORDER BY id;
SELECT id FROM wide WHERE d > -18446744073709551615 ORDER BY id;
SELECT id FROM wide WHERE d > -99999999999999999998 ORDER BY id;
SELECT id FROM wide WHERE b < 3 ORDER BY id;
SELECT id FROM wide WHERE b < 99999999999999999999 ORDER BY id;
SELECT id FROM wide WHERE b < 18446744073709551615 ORDER BY id;
SELECT id FROM wide WHERE b > 3 ORDER BY id;
SELECT id FROM wide WHERE b > -99999999999999999999 ORDER BY id;
SELECT id FROM wide WHERE b + 1 > 3 ORDER BY id;
SELECT id FROM wide WHERE b + 1 > 99999999999999999999 ORDER BY id;
DROP TABLE wide;
-- what all branches of a disjunction share is seen in statements whose literals are parameters too
CREATE TABLE big (a INT PRIMARY KEY, b INT);
CREATE TABLE few (a INT, b INT);
INSERT INTO few VALUES (1,1),(2,2),(3,3);
INSERT INTO big WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i, i MOD 7 FROM n;
ANALYZE TABLE big, few;
FLUSH STATUS;
SELECT few.a, big.b FROM few, big WHERE (big.a = few.a + 10 AND few.b < 2) OR (big.a = few.a + 10 AND big.b > 5) ORDER BY few.a;
--! ours the numbers are this planner's: no row of the larger table is scanned
SHOW SESSION STATUS LIKE 'Handler_read_rnd_next';
--! end
SELECT few.a, big.b FROM few, big WHERE (big.a = few.a + 11 AND few.b < 2) OR (big.a = few.a + 11 AND big.b > 5) ORDER BY few.a;
SELECT few.a, big.b FROM few, big WHERE (big.a = few.a + 11 AND few.b < 2) OR (big.a = few.a + 10 AND big.b > 2) ORDER BY few.a, big.b;
SELECT few.a, big.b FROM few, big WHERE (big.a = few.a + 10 AND few.b < 3) OR (big.a = few.a + 10 AND big.b > 5) ORDER BY few.a;
SELECT few.a FROM few WHERE (a = 1 AND b = 1) OR (a = 1 AND b = 2);
SELECT few.a FROM few WHERE (a = 2 AND b = 1) OR (a = 2 AND b = 2);
SELECT few.a FROM few WHERE (a = 3 AND b = 3) OR (a = 3 AND b = 3) OR (a = 3 AND b = 3);
SELECT few.a FROM few WHERE (a = 3 AND b = 2) OR (a = 2 AND b = 2) OR (a = 3 AND b = 3) ORDER BY a;
SELECT few.a FROM few WHERE (a = '1' AND (b = 1 OR b = 2)) OR (a = '1' AND b = 3);
SELECT few.a FROM few WHERE (a = '3' AND (b = 1 OR b = 2)) OR (a = '3' AND b = 3);
SELECT SUM(a), AVG(a), MIN(a), SUM(a + b), COUNT(a + b), SUM(DISTINCT a), COUNT(*), MAX(a + b) FROM few;
SELECT b MOD 2, SUM(a), AVG(a), MIN(a), SUM(a + b), COUNT(a + b), SUM(DISTINCT a), COUNT(*), MAX(a + b) FROM big GROUP BY b MOD 2 ORDER BY 1;
SELECT b MOD 2, SUM(a * 1.5), AVG(a * 1.5), MIN(-a), SUM(a - b * 0.25), COUNT(a - b * 0.25) FROM big GROUP BY b MOD 2 WITH ROLLUP;
DROP TABLE big, few;
