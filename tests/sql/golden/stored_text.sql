-- How expressions of tables are kept and shown: MySQL's canonical text, the same in every session.
--! ours MariaDB keeps and shows other text: no introducers, fewer parentheses
create table st (a int, b varchar(20), d date, j json,
  g1 int as (a+1), g2 varchar(50) generated always as (concat(b, 'it''s', "q\\")) stored, g3 varchar(30) as (j->>'$.a') virtual,
  g4 int as (if(a > 1 and not b = 'x', st.a, test.st.a * 2)), g5 bool as (a in (1,2) or b like 'x%' or b is not null),
  g6 varchar(10) as (cast(a as char(10))), g7 date as (d + interval 1 day), g8 int as (case a when 1 then year(d) else -a end),
  e1 varchar(20) default ('abc'), e2 date default (current_date), e3 int default (1+2*3), e4 json default (json_array(1, 'x')), e5 datetime default (now()),
  e6 datetime default current_timestamp, e7 int default 5,
  check (a > 0), constraint c2 check (b <> 'y' and length(b) < 5 or a <=> null) not enforced, check (json_valid(j)),
  key f1 ((a + 1)), key f2 ((lower(b)) desc, a), key f3 ((cast(j->>'$.a' as char(20)))));
show create table st;
select column_name, column_default, extra, generation_expression from information_schema.columns where table_name = 'st' and (extra <> '' or column_default is not null) order by ordinal_position;
select constraint_name, check_clause from information_schema.check_constraints where constraint_schema = 'test' order by 1;
select index_name, column_name, expression from information_schema.statistics where table_name = 'st' order by 1, seq_in_index;
show columns from st like 'e_';
show index from st;
-- the text does not depend on the session
set names latin1;
show create table st;
set names utf8mb4;
set sql_mode = concat(@@sql_mode, ',ANSI_QUOTES,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,NO_BACKSLASH_ESCAPES');
create table "st2" (a varchar(9), b varchar(30) as ("a" || 'x\' || a), c bool as (not a = 'b'), check (not a between 'x' and 'y'));
set sql_mode = default;
show create table st2;
insert into st2 (a) values ('k');
select b, c from st2;
-- the same again from its own text
create table st3 like st;
insert into st (a, b, d, j) values (1, 'x', '2024-02-28', '{"a": "u"}'), (2, 'z', null, null);
select g1, g2, g3, g4, g5, g6, g7, g8, e1, e2 = curdate(), e3, e4, e5 <= now() from st;
insert into st (a, g1) values (1, 2);
insert into st (a) values (0);
alter table st modify g1 int as (`a` + 1), add check (`a` < '9'), alter e3 set default (2), alter e1 set default ('\\''é');
select column_default from information_schema.columns where table_name = 'st' and column_name in ('e1', 'e3');
select check_clause from information_schema.check_constraints where constraint_schema = 'test' and check_clause like '%9%';
--! mysql no index on an expression is found here for a + 1; note 1003
explain select a from st where a + 1 = 2;
--! mysql note 1003, and the index alone here
explain select a from st where lower(b) = 'x';
-- a literal of another character set
set names latin1;
create table st4 (a varchar(9) default (concat('é', _utf8mb4'x', N'y')));
set names utf8mb4;
--! mysql an introducer in an expression of a default
show create table st4;
drop table st, st2, st3, st4;
--! end
