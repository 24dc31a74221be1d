-- What statements refuse, and in which order: names in DELETE, aliases of INSERT's new row, defaults of JSON_TABLE, words for switches, lengths and
-- collations in definitions. Tables start with sk_.

create table sk_t (i int primary key, j int);
create table sk_u (i int primary key, j int);
create database sk_other;
create table sk_other.sk_t (i int);
insert into sk_t values (1, 1), (2, 2), (3, 3);
insert into sk_other.sk_t values (1), (2);
-- targets of DELETE are names of FROM, as written there, before any table is looked for
delete SK_T from sk_t where i = 1;
delete sk_u from sk_t where i = 1;
delete sk_a from sk_missing;
delete sk_missing from sk_missing;
delete sk_t, sk_t from sk_t;
delete sk_t, test.sk_t from sk_t;
delete x from sk_t as X;
delete sk_t from sk_t as x;
delete test.x from sk_t as x;
delete sk_t from sk_other.sk_t;
delete sk_other.sk_t from sk_other.sk_t as sk_t;
delete from x, x using sk_t as x;
delete sk_t from sk_other.sk_t join test.sk_t on sk_other.sk_t.i = test.sk_t.i where test.sk_t.i = 2;
select (select count(*) from sk_t), (select count(*) from sk_other.sk_t);
delete sk_other.sk_t, sk_t from sk_other.sk_t join test.sk_t on sk_other.sk_t.i = test.sk_t.i;
select (select count(*) from sk_t), (select count(*) from sk_other.sk_t);
drop database sk_other;

-- the new row's columns are as many as there are values
--! ours MariaDB has no alias of the new row
insert into sk_t values (4, 4) as new (a, b, c) on duplicate key update j = a;
insert into sk_t values (4, 4) as new (a) on duplicate key update j = a;
insert into sk_t (i) values (4) as new (a, a) on duplicate key update j = 1;
insert into sk_t set i = 4 as new (a, b) on duplicate key update j = a;
insert into sk_t values (4, 4) as new (a, b, c);
insert into sk_t values (3, 4) as new (a, b) on duplicate key update j = b * 10;
--! end
-- ON DUPLICATE KEY UPDATE may name columns of a common table expression
create table sk_d (i int primary key, v int);
insert into sk_d values (1, 1);
insert into sk_u values (1, 10), (2, 20);
insert into sk_d with c as (select * from sk_u) select i, 0 from c on duplicate key update v = c.j + 100;
select * from sk_d order by i;
--! sorted
insert into sk_d (i) with c as (select i, sum(j) as total from sk_u group by i) select i from c on duplicate key update v = total + 1000;
select * from sk_d order by i;
--! mysql skip: its answer depends on the plan
insert into sk_d with c as (select * from sk_u) select i, 0 from c on duplicate key update v = nosuch;

-- JSON_TABLE: no subquery in the document; the default is the text of a scalar
--! ours MariaDB allows subqueries and any default
select * from json_table((select '[1]'), '$[*]' columns (a int path '$')) as jt;
select * from json_table(concat((select '[1]'), ''), '$[*]' columns (a int path '$')) as jt;
select * from json_table('{"a": "x"}', '$' columns (a int path '$.a' default 'one' on error)) as jt;
select * from json_table('{}', '$' columns (a int path '$.a' default '' on empty)) as jt;
select * from json_table('{}', '$' columns (a int path '$.a' default '1 2' on empty)) as jt;
select * from json_table('{}', '$' columns (a int path '$.a' default '[1]' on empty)) as jt;
select * from json_table('{}', '$' columns (a json path '$.a' default '[1]' on empty)) as jt;
select * from json_table('{}', '$' columns (a int path '$.a' default 5 on empty)) as jt;
select * from json_table('{}', '$' columns (a int path '$.a' default -5 on empty)) as jt;
select * from json_table('{}', '$' columns (a int path '$.a' default x'35' on empty)) as jt;
select * from json_table('{}', '$' columns (a int path '$.a' default '5' on empty)) as jt;
--! end

-- switches are ON, OFF, 1 and 0; TRUE and FALSE only without quotes
set autocommit = 'true';
set autocommit = '1';
set unique_checks = 'FALSE';
set autocommit = true, unique_checks = 'Off', foreign_key_checks = "oN";
select @@autocommit, @@unique_checks, @@foreign_key_checks;
set unique_checks = 1;
--! differs MySQL: 1193
set session sk_cache.sort_buffer_size = 100000;
--! differs MySQL: 1193
set global sk_cache.nosuch = 1;

-- definitions
create table sk_k (v varchar(10), key (v(0)));
create table sk_k (v text, key (v(0)));
--! differs MariaDB ignores the collation
create table sk_k (v varbinary(10) collate utf8mb4_bin);
--! differs MariaDB ignores the collation
create table sk_k (v blob collate latin1_bin);
create table sk_k (v char(3) character set binary collate utf8mb4_bin);
--! differs MySQL's JSON is a type
create table sk_k (v json collate utf8mb4_bin);
--! differs the table is there already in MariaDB
create table sk_k (v varbinary(10) collate binary);
alter table sk_k rename column v to abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklm;
alter table sk_k rename column nosuch to abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklm;
alter table sk_k rename column v to `w `;
create view sk_v as select 1 as a;
create view sk_v (u) as select 1, 2;
create view sk_v as select * from sk_missing;
create view sk_v as select 2;
drop view sk_v;

-- white space before an integer is blanks and tabs
create table sk_n (i int, d double);
--! differs MariaDB takes any white space
--! mysql control characters in messages are escaped here
insert into sk_n values ('\n5', 1);
--! differs MariaDB takes any white space
insert into sk_n values ('\t 5\n', '\n6');
--! differs MariaDB takes any white space
select * from sk_n;
--! names off
--! differs MariaDB takes any white space
--! mysql control characters in messages are escaped here
select cast('\n5' as signed), cast('\t5\n' as signed), cast('\r\n5' as unsigned), '\n5' + 0, cast('\n5.5' as decimal(3, 1));
--! names on
-- BIT: by the mode, whatever IGNORE makes of it
create table sk_b (b bit(3));
--! differs MySQL: 1406 in strict mode
insert ignore into sk_b values (9);
insert into sk_b values (9);
set sql_mode = '';
insert into sk_b values (9);
set sql_mode = default;

-- literals for NAME_CONST are no temporal ones
select name_const('n', 5), name_const('n', -5), name_const('n', 'x'), name_const('n', null);
--! differs MySQL: 1210
select name_const('n', date '2020-01-02');
--! differs MySQL: 1210
select name_const('n', time '10:00:00');

-- CREATE TABLE ... SELECT: no default from what a derived table or view hands on
create table sk_s (i int not null default 5 comment 'five', j int default 6, c char(3) not null default 'x', e enum('p', 'q') not null default 'q', d decimal(5, 2) not null default 1);
create view sk_w as select * from sk_s;
--! ours MySQL 8 prints types its own way
create table sk_s1 select * from (select * from sk_s) x;
show create table sk_s1;
create table sk_s2 select * from sk_w;
show create table sk_s2;
create table sk_s3 with x as (select i, j from sk_s) select x.i, y.j, y.i as k from x, sk_s as y;
show create table sk_s3;
create table sk_s4 select * from (select distinct i, j from sk_s) x;
show create table sk_s4;
create table sk_s5 select (select i from sk_s limit 1) as i, (select c from sk_s limit 1) as c, (select d from sk_s limit 1) as d;
show create table sk_s5;
--! end
drop view sk_w;
drop table sk_t, sk_u, sk_d, sk_k, sk_n, sk_b, sk_s, sk_s1, sk_s2, sk_s3, sk_s4, sk_s5;

-- functions that do not exist would be stored ones, which definitions may not call
--! ours MariaDB: 1901, 1305
create table sk_g (a int, b int default (nofunction(1)));
create table sk_g (a int, b int as (nofunction(a)));
create table sk_g (a int, check (nofunction(a)));
create table sk_g (a int, constraint sk_chk check (nofunction(a) > 0));
create table sk_g (a int, key sk_key ((nofunction(a))));
--! end

-- columns are spelled as the table spells them, in a CHECK as written there
--! ours MariaDB has no functional key parts
create table sk_p (Aa int, b int as (aA + 1), c varchar(9) as (concat('`aA`', AA, 'it''s aA')), d int default (aA + 2), key k ((AA * 2)), constraint sk_c check (aA > 0));
show create table sk_p;
alter table sk_p add e int as (AA + 3), add f int default (AA);
--! mysql MySQL spells the columns of a CHECK that was there as the table does
show create table sk_p;
drop table sk_p;
--! end

-- DEFAULT as a value is evaluated in its turn, a default that is not named at the end
create table sk_e (a int default 1, b int default (a + 1), c int default (b * 10));
insert into sk_e (b, a) values (default, 3);
insert into sk_e (a, b) values (3, default);
insert into sk_e (a) values (3);
insert into sk_e (c, b, a) values (default, default, 5), (default, 6, default), (7, default, 8);
insert into sk_e values (9, default, default);
select * from sk_e;
drop table sk_e;
