-- What the lexical sql_modes change, and REAL_AS_FLOAT
set @text = 'a';
-- ANSI_QUOTES
set sql_mode = '';
select "text", 'it''s', "it""s", "it's";
set sql_mode = 'ANSI_QUOTES';
create table q ("a b" int, "select" int, `c"d` int, "e""f" int);
insert into q values (1, 2, 3, 4);
select "a b", "select", `c"d`, "e""f" from q;
select q."a b", 'a b' from "q";
--! differs MariaDB names it by both strings
select "a b" as "x y", 'z' 'zz' from q;
select "no such column" from q;
select concat('"', "a b", '"') from q;
--! differs no display widths in MySQL 8.4
show create table q;
set sql_mode = 'ANSI';
--! differs ANSI has ONLY_FULL_GROUP_BY (manual, Server SQL Modes)
select @@sql_mode;
select 'a' || 'b' || "a b" from q;
set sql_mode = '';
--! differs no display widths in MySQL 8.4
show create table q;
drop table q;
-- PIPES_AS_CONCAT
select 'a' || 'b', 1 || 0, null || 1;
set sql_mode = 'PIPES_AS_CONCAT';
select 'a' || 'b', 1 || 0, null || 1;
select 'a' || 'b' = 'ab', 1 + 2 || 3, 2 * 3 || 4, -1 || 2, 'x' || 'y' like 'x%';
select 'a' || 'B' collate utf8mb4_bin = 'ab', not 'a' || 'b', 1 or 0;
select 1 where 'a' || '' = 'a' or 0;
-- NO_BACKSLASH_ESCAPES
set sql_mode = '';
select 'a\nb', 'a\\b', 'it\'s', length('\0'), 'a\%b', '\z';
set sql_mode = 'NO_BACKSLASH_ESCAPES';
select 'a\nb', 'a\\b', 'it''s', length('\0'), 'a\%b', '\';
--! differs without an ESCAPE there is no escape character in this mode (manual, String Comparison Functions)
select 'a\b' like 'a\b', 'a%b' like 'a\%b', 'a|%b' like 'a|%b' escape '|', 'a\%b' like 'a\%b';
select 'it\'s';
-- IGNORE_SPACE
set sql_mode = '';
select count (*) from dual;
select now ();
select abs (-1), length ('abc'), if (1, 2, 3), left ('abc', 1);
create table count (a int);
drop table count;
set sql_mode = 'IGNORE_SPACE';
select count (*), max (1), substring ('abc', 2), trim (' x ');
select abs (-1), length ('abc'), if (1, 2, 3);
create table count (a int);
create table `count` (a int);
select * from test.count;
drop table test.count;
-- HIGH_NOT_PRECEDENCE
set sql_mode = '';
select not 1 between -5 and 5, not 0 = 1, not 2 in (0, 1), not 'a' like 'b', !0 + 1;
set sql_mode = 'HIGH_NOT_PRECEDENCE';
select not 1 between -5 and 5, not 0 = 1, not 2 in (0, 1), not 'a' like 'b', !0 + 1;
-- REAL_AS_FLOAT
set sql_mode = 'REAL_AS_FLOAT';
create table r (a real, b double, c float, d real(7,3));
set sql_mode = '';
create table s (a real, b double precision);
--! differs MySQL 8 heads columns of information_schema by their own names
select table_name, column_name, column_type from information_schema.columns where table_schema = database() and table_name in ('r', 's') order by 1, 2;
drop table r, s;
-- a statement read in one mode and run in another
set sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT';
prepare p from 'select ''a'' || ''b'', "x" from (select 1 as x) t';
set sql_mode = '';
execute p;
deallocate prepare p;
select 'a' || 'b', "x" from (select 1 as x) t;
-- text that looks the same has its own plan in each mode
select "x" from (select 1 as x) t;
set sql_mode = 'ANSI_QUOTES';
select "x" from (select 1 as x) t;
set sql_mode = default;
