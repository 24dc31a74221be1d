-- Plans of the hunt, its second half: ANY and ALL, recursive tables that do nothing but count, expressions of indexed generated columns, lookups that mostly find nothing, DISTINCT that a LIMIT ends
--! ours MariaDB has not these collations, nor MySQL's warnings about them
CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b INT, c VARCHAR(10), d DATE, e DECIMAL(6,2), KEY a (a), KEY bc (b, c)) COLLATE utf8mb4_0900_ai_ci;
INSERT INTO t (a, b, c, d, e) WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT NULLIF(i % 40, 7), i % 9, CONCAT('c', i % 50), '2024-01-01' + INTERVAL i % 30 DAY, i / 8 FROM n;
CREATE TABLE s (v INT, w VARCHAR(10), d DATE, e DECIMAL(6,2), KEY v (v)) COLLATE utf8mb4_0900_ai_ci;
INSERT INTO s VALUES (5, 'C5', '2024-01-05', 3.5), (8, 'c8', '2024-01-08', 8), (5, 'c5', '2024-01-05', 7), (3, 'd', '2024-01-03', 3.5);
CREATE TABLE nulls (v INT);
INSERT INTO nulls VALUES (3), (NULL), (9), (3), (4), (NULL);
CREATE TABLE only_null (v INT);
INSERT INTO only_null VALUES (NULL), (NULL), (NULL), (NULL), (NULL);
CREATE TABLE none (v INT);
CREATE TABLE same (v INT);
INSERT INTO same VALUES (4), (4), (4), (4), (4);
ANALYZE TABLE t, s;
--! names off
SELECT SUM(a = ANY (SELECT v FROM s)), SUM(a = ANY (SELECT v FROM nulls)), SUM(a = ANY (SELECT v FROM only_null)), SUM(a = ANY (SELECT v FROM none)), SUM(a = ANY (SELECT v FROM same)), SUM((a = ANY (SELECT v FROM s)) IS NULL), SUM((a = ANY (SELECT v FROM nulls)) IS NULL), SUM((a = ANY (SELECT v FROM only_null)) IS NULL), SUM((a = ANY (SELECT v FROM none)) IS NULL), SUM((a = ANY (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a = ALL (SELECT v FROM s)), SUM(a = ALL (SELECT v FROM nulls)), SUM(a = ALL (SELECT v FROM only_null)), SUM(a = ALL (SELECT v FROM none)), SUM(a = ALL (SELECT v FROM same)), SUM((a = ALL (SELECT v FROM s)) IS NULL), SUM((a = ALL (SELECT v FROM nulls)) IS NULL), SUM((a = ALL (SELECT v FROM only_null)) IS NULL), SUM((a = ALL (SELECT v FROM none)) IS NULL), SUM((a = ALL (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a <> ANY (SELECT v FROM s)), SUM(a <> ANY (SELECT v FROM nulls)), SUM(a <> ANY (SELECT v FROM only_null)), SUM(a <> ANY (SELECT v FROM none)), SUM(a <> ANY (SELECT v FROM same)), SUM((a <> ANY (SELECT v FROM s)) IS NULL), SUM((a <> ANY (SELECT v FROM nulls)) IS NULL), SUM((a <> ANY (SELECT v FROM only_null)) IS NULL), SUM((a <> ANY (SELECT v FROM none)) IS NULL), SUM((a <> ANY (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a <> ALL (SELECT v FROM s)), SUM(a <> ALL (SELECT v FROM nulls)), SUM(a <> ALL (SELECT v FROM only_null)), SUM(a <> ALL (SELECT v FROM none)), SUM(a <> ALL (SELECT v FROM same)), SUM((a <> ALL (SELECT v FROM s)) IS NULL), SUM((a <> ALL (SELECT v FROM nulls)) IS NULL), SUM((a <> ALL (SELECT v FROM only_null)) IS NULL), SUM((a <> ALL (SELECT v FROM none)) IS NULL), SUM((a <> ALL (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a < ANY (SELECT v FROM s)), SUM(a < ANY (SELECT v FROM nulls)), SUM(a < ANY (SELECT v FROM only_null)), SUM(a < ANY (SELECT v FROM none)), SUM(a < ANY (SELECT v FROM same)), SUM((a < ANY (SELECT v FROM s)) IS NULL), SUM((a < ANY (SELECT v FROM nulls)) IS NULL), SUM((a < ANY (SELECT v FROM only_null)) IS NULL), SUM((a < ANY (SELECT v FROM none)) IS NULL), SUM((a < ANY (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a < ALL (SELECT v FROM s)), SUM(a < ALL (SELECT v FROM nulls)), SUM(a < ALL (SELECT v FROM only_null)), SUM(a < ALL (SELECT v FROM none)), SUM(a < ALL (SELECT v FROM same)), SUM((a < ALL (SELECT v FROM s)) IS NULL), SUM((a < ALL (SELECT v FROM nulls)) IS NULL), SUM((a < ALL (SELECT v FROM only_null)) IS NULL), SUM((a < ALL (SELECT v FROM none)) IS NULL), SUM((a < ALL (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a <= ANY (SELECT v FROM s)), SUM(a <= ANY (SELECT v FROM nulls)), SUM(a <= ANY (SELECT v FROM only_null)), SUM(a <= ANY (SELECT v FROM none)), SUM(a <= ANY (SELECT v FROM same)), SUM((a <= ANY (SELECT v FROM s)) IS NULL), SUM((a <= ANY (SELECT v FROM nulls)) IS NULL), SUM((a <= ANY (SELECT v FROM only_null)) IS NULL), SUM((a <= ANY (SELECT v FROM none)) IS NULL), SUM((a <= ANY (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a <= ALL (SELECT v FROM s)), SUM(a <= ALL (SELECT v FROM nulls)), SUM(a <= ALL (SELECT v FROM only_null)), SUM(a <= ALL (SELECT v FROM none)), SUM(a <= ALL (SELECT v FROM same)), SUM((a <= ALL (SELECT v FROM s)) IS NULL), SUM((a <= ALL (SELECT v FROM nulls)) IS NULL), SUM((a <= ALL (SELECT v FROM only_null)) IS NULL), SUM((a <= ALL (SELECT v FROM none)) IS NULL), SUM((a <= ALL (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a > ANY (SELECT v FROM s)), SUM(a > ANY (SELECT v FROM nulls)), SUM(a > ANY (SELECT v FROM only_null)), SUM(a > ANY (SELECT v FROM none)), SUM(a > ANY (SELECT v FROM same)), SUM((a > ANY (SELECT v FROM s)) IS NULL), SUM((a > ANY (SELECT v FROM nulls)) IS NULL), SUM((a > ANY (SELECT v FROM only_null)) IS NULL), SUM((a > ANY (SELECT v FROM none)) IS NULL), SUM((a > ANY (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a > ALL (SELECT v FROM s)), SUM(a > ALL (SELECT v FROM nulls)), SUM(a > ALL (SELECT v FROM only_null)), SUM(a > ALL (SELECT v FROM none)), SUM(a > ALL (SELECT v FROM same)), SUM((a > ALL (SELECT v FROM s)) IS NULL), SUM((a > ALL (SELECT v FROM nulls)) IS NULL), SUM((a > ALL (SELECT v FROM only_null)) IS NULL), SUM((a > ALL (SELECT v FROM none)) IS NULL), SUM((a > ALL (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a >= ANY (SELECT v FROM s)), SUM(a >= ANY (SELECT v FROM nulls)), SUM(a >= ANY (SELECT v FROM only_null)), SUM(a >= ANY (SELECT v FROM none)), SUM(a >= ANY (SELECT v FROM same)), SUM((a >= ANY (SELECT v FROM s)) IS NULL), SUM((a >= ANY (SELECT v FROM nulls)) IS NULL), SUM((a >= ANY (SELECT v FROM only_null)) IS NULL), SUM((a >= ANY (SELECT v FROM none)) IS NULL), SUM((a >= ANY (SELECT v FROM same)) IS NULL) FROM t;
SELECT SUM(a >= ALL (SELECT v FROM s)), SUM(a >= ALL (SELECT v FROM nulls)), SUM(a >= ALL (SELECT v FROM only_null)), SUM(a >= ALL (SELECT v FROM none)), SUM(a >= ALL (SELECT v FROM same)), SUM((a >= ALL (SELECT v FROM s)) IS NULL), SUM((a >= ALL (SELECT v FROM nulls)) IS NULL), SUM((a >= ALL (SELECT v FROM only_null)) IS NULL), SUM((a >= ALL (SELECT v FROM none)) IS NULL), SUM((a >= ALL (SELECT v FROM same)) IS NULL) FROM t;
SELECT COUNT(*) FROM t WHERE c = ANY (SELECT w FROM s);
SELECT COUNT(*), MIN(id) FROM t WHERE d = ANY (SELECT d FROM s) AND e = ANY (SELECT e FROM s);
SELECT COUNT(*) FROM t WHERE c = ALL (SELECT w FROM s);
SELECT COUNT(*), MIN(id) FROM t WHERE d = ALL (SELECT d FROM s) AND e = ALL (SELECT e FROM s);
SELECT COUNT(*) FROM t WHERE c <> ANY (SELECT w FROM s);
SELECT COUNT(*), MIN(id) FROM t WHERE d <> ANY (SELECT d FROM s) AND e <> ANY (SELECT e FROM s);
SELECT COUNT(*) FROM t WHERE c <> ALL (SELECT w FROM s);
SELECT COUNT(*), MIN(id) FROM t WHERE d <> ALL (SELECT d FROM s) AND e <> ALL (SELECT e FROM s);
SELECT COUNT(*) FROM t WHERE c < ANY (SELECT w FROM s);
SELECT COUNT(*), MIN(id) FROM t WHERE d < ANY (SELECT d FROM s) AND e < ANY (SELECT e FROM s);
SELECT COUNT(*) FROM t WHERE c < ALL (SELECT w FROM s);
SELECT COUNT(*), MIN(id) FROM t WHERE d < ALL (SELECT d FROM s) AND e < ALL (SELECT e FROM s);
SELECT COUNT(*) FROM t WHERE c >= ANY (SELECT w FROM s);
SELECT COUNT(*), MIN(id) FROM t WHERE d >= ANY (SELECT d FROM s) AND e >= ANY (SELECT e FROM s);
SELECT COUNT(*) FROM t WHERE c >= ALL (SELECT w FROM s);
SELECT COUNT(*), MIN(id) FROM t WHERE d >= ALL (SELECT d FROM s) AND e >= ALL (SELECT e FROM s);
SELECT COUNT(*) FROM t WHERE (a, c) = ANY (SELECT v, w FROM s);
SELECT COUNT(*) FROM t WHERE (a, c) <> ALL (SELECT v, w FROM s);
SELECT id FROM t o WHERE a > ALL (SELECT v FROM s WHERE s.v > o.b) AND id < 20 ORDER BY id;
SELECT COUNT(*) FROM t WHERE NOT a = ANY (SELECT v FROM nulls);
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT COUNT(*), SUM(i) FROM n;
SET SESSION cte_max_recursion_depth = 10;
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 11) SELECT COUNT(*), SUM(i) FROM n;
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT COUNT(*), SUM(i) FROM n;
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n LIMIT 7) SELECT COUNT(*), SUM(i) FROM n;
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*), SUM(i) FROM n;
WITH RECURSIVE n AS (SELECT 1 i UNION SELECT i % 5 + 1 FROM n) SELECT GROUP_CONCAT(i) FROM n;
WITH RECURSIVE n AS (SELECT 1 i, CAST("a" AS CHAR(20)) x UNION ALL SELECT 2, "b" UNION ALL SELECT i + 2, CONCAT(x, i) FROM n WHERE i < 5) SELECT i, x FROM n;
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + (SELECT COUNT(*) FROM s) FROM n WHERE i < 20) SELECT GROUP_CONCAT(i) FROM n;
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 4), m AS (SELECT 1 j UNION ALL SELECT j + (SELECT MAX(i) FROM n) FROM m WHERE j < 12) SELECT GROUP_CONCAT(j) FROM m;
SELECT id, (WITH RECURSIVE n AS (SELECT t.b i UNION ALL SELECT i + 1 FROM n WHERE i < t.b + 3) SELECT GROUP_CONCAT(i) FROM n) g FROM t WHERE id < 4;
SET SESSION cte_max_recursion_depth = DEFAULT;
create table e (id int primary key auto_increment, payload json, n int, city varchar(40) generated always as (payload->>'$.city') virtual, n2 int generated always as (n+1) virtual, key city(city), key n2(n2), a varchar(10) collate utf8mb4_bin, up varchar(20) collate utf8mb4_general_ci generated always as (concat(a,'x')), key up(up));
insert into e (payload,n,a) values ('{"city":"A"}',1,'A'),('{"city":"B"}',2,'a'),('{"city":"C"}',3,'b'),('{"city":"a"}',3,'B'),('{}',1,null);
--! sorted
select id from e where payload->>'$.city'='a';
--! sorted
select id from e where 'a'=payload->>'$.city';
--! sorted
select id from e where payload->>'$.city' in ('a','c');
--! sorted
select id from e where payload->>'$.city' not in ('a','c');
--! sorted
select id from e where payload->>'$.city' between 'a' and 'b';
--! sorted
select id from e where payload->>'$.city' not between 'a' and 'a';
--! sorted
select id from e where payload->>'$.city' <> 'a';
--! sorted
select id from e where not (payload->>'$.city' = 'a');
--! sorted
select id from e where payload->>'$.city' <=> 'a';
--! sorted
select id from e where payload->>'$.city' > 'a';
--! sorted
select id from e where payload->>'$.city' = a;
--! sorted
select id from e where payload->>'$.city' = concat('a','');
--! sorted
select id from e where concat(a,'x') = 'ax';
--! sorted
select id from e where concat(a,'x') = 'ax' collate utf8mb4_bin;
--! sorted
select id from e where concat(a,'x') collate utf8mb4_bin = 'ax';
--! sorted
select id from e where concat(a,'x') >= 'bx';
--! sorted
select id from e where concat(a,'x') in ('bx',null);
--! sorted
select id, payload->>'$.city'='a' from e;
--! sorted
select id from e having payload->>'$.city'='a';
--! sorted
select e1.id, e2.id from e e1 join e e2 on e2.payload->>'$.city'='a' and e1.id=e2.id;
select e1.id, e2.id from e e1 left join e e2 on e2.payload->>'$.city'='a' and e1.id=e2.id order by 1;
--! sorted
select id from e where payload->>'$.city'=1;
--! sorted
select id from e where payload->>'$.city' = _latin1'a';
--! sorted
select id from e where n=1 or payload->>'$.city'='b';
--! sorted
select id from e where n=3 and (payload->>'$.city'='a' or id=77);
select payload->>'$.city' from e order by payload->>'$.city', id;
--! sorted
select count(distinct payload->>'$.city') from e;
SELECT DISTINCT c, b FROM t WHERE b = 4 ORDER BY c LIMIT 5;
SELECT DISTINCT b, c FROM t WHERE b IN (4, 5) ORDER BY b, c LIMIT 3;
SELECT DISTINCT b FROM t ORDER BY b DESC LIMIT 2;
SELECT COUNT(*) FROM t WHERE c LIKE '%5' AND c LIKE 'C_%' AND NOT c LIKE '%1%';
SELECT COUNT(*) FROM t JOIN s ON t.c LIKE CONCAT('%', s.w);
SELECT 'aXb' LIKE 'A%B', 'aXb' LIKE 'a%b' COLLATE utf8mb4_bin, 'a%b' LIKE 'a|%b' ESCAPE '|', 'axb' LIKE 'a|%b' ESCAPE '|', 'abc' LIKE '%', '' LIKE '%', '' LIKE '_', 'abc' LIKE '_b_', 'aab' LIKE '%ab', 'abab' LIKE '%ab%ab', 'ab' LIKE '%ab%ab', 'é' LIKE 'e', 'xé' LIKE '_E', 'a\\' LIKE 'a\\', BINARY 'aB' LIKE 'ab';
SELECT MD5(''), MD5('abc'), MD5(REPEAT('x', 55)), MD5(REPEAT('x', 56)), MD5(REPEAT('x', 64)), MD5(REPEAT('x', 1000)), SHA1('abc');
--! end
