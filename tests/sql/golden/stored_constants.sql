-- Constants beside columns: MySQL stores them into the column first, and compares otherwise where they are no such value.
--! ours MariaDB reads text as a time or a year wherever it can, and 0, 1 to 99 as numbers beside a YEAR
create table m (id int primary key, t time, t3 time(3), d date, dt datetime(6), v varchar(20), u varchar(20) character set utf16, b varbinary(20), e enum('10:00', 'x'), key (t));
insert into m values (1, '10:00:00', '10:00:00', '2020-01-01', '2020-01-01 10:00:00', '10:00', '10:00:00', '10:00:00', 1), (2, '-10:00:00', '10:00:00.5', '2024-01-01', '2024-01-01 10:00:00.5', '-10:00:00', 'x', 'x', 2), (3, '00:00:00', 0, null, null, '0', '0', '0', null);
-- a TIME column and a constant
select id, t3 = '10:00', t = concat('10', ':00'), '10:00' = t, (t, 1) = ('10:00', 1), t in ('10:00', '9:00'), t = '10:00:00.1', t < '10:00:00.9', t3 = '10:00:00.5000', t = '1 10:00', t = '100000' from m order by id;
select id, t < 'abc', t <> 'abc', t = '10:00:00abc', t > '25:61:00', t < '900:00:00', t < '838:59:59.1', t = '2020-01-01', t between 'a' and 'z', t <=> 'x', nullif(t, 'x'), t = 0x64 from m order by id;
--! mysql another number of warnings
select id from m where t < 'abc' order by id;
--! mysql another number of warnings
select id from m force index (t) where t > '9:00:00x' order by id;
select id from m where t = '10:00:00.1';
select id from m where t between '9:00' and '10:00';
update m set id = id where t = 'abc';
-- other times and texts are texts
set @a = '10:00';
select id, t = @a, time(dt) = '10:00', t = v, t <=> v, t > v, t = u, t = b, t3 = b, t = e, nullif(t, v), nullif(time(dt), '10:00'), ifnull(t, 'x') = '10:00', coalesce(t, null) = '10:00' from m order by id;
select id, t not between v and v, v between t and '11:00', '10:00' between t and t3, time(dt) between '9:00' and '11:00' from m order by id;
select time'10:00' = '10:00', time'10:00' = '10:00:00', time'10:00:00.00' = '10:00:00', case time'10:00' when '10:00' then 1 end, time'10:00' in ('9:00', '10:00'), time'10:00' between '9:00' and '11:00', 'x' < time'10:00:00';
select count(*) from m a join m b on a.t = b.v;
--! mysql another number of warnings
select count(*) from m a join m b on a.t = b.u;
select id from m where t in (select v from m) order by id;
select id from m where (t, 1) in (select v, 1 from m) order by id;
-- a date beside text that is no date: the zero date
--! mysql another text of the warning
select id, d > v, d < v, d <=> v, dt = v, dt > v, v > d, d between v and '2030-01-01', v between '0000-00-00' and d from m where id < 3 order by id;
--! mysql another text of the warning
select id from m where d > v order by id;
--! mysql another text of the warning
select count(*) from m a join m b on a.d > b.u;
drop table m;
-- a YEAR column and a constant
create table y (y year, key (y));
insert into y values (0), (1970), (1999), (2000), (2001), (2002), (2069), (2155);
select y, y = 1.0, y = '0.0', y = 1.1, y = '01.0', y = '2001', y < '1.5', y < 1.5, y < '', y = 0, y = '0', y = '00', y = '0000', y = 1e0, y = 2001.4, y = 1.9e0, y = '1x', y = 70, y = 100, y < 2156, y > '99x', y > -1, y = '-1' from y order by y;
select y, y = cast(1 as decimal(3,1)), y = date'2001-01-01', y = '2001-01-01', y = 20010101, y = true, y <=> 1, y = concat(1), y = 20.01e2, y = _utf16'1' from y order by y;
select y, y in (1, '70'), y in ('1', '70'), y in (1), y in (1.0, 2), y between 1.0 and 2, y between '1' and 2, y between '0' and '69', case y when 1 then 'a' when '70' then 'b' when 2001 then 'c' end, 1 = y, 1 in (y, 5) from y order by y;
select group_concat(y order by y) from y where y < 1.5;
select group_concat(y order by y) from y where y >= 1.5;
select group_concat(y order by y) from y where y = '0';
select group_concat(y order by y) from y where y between 1 and 3.5;
--! mysql another number of warnings
select group_concat(y order by y) from y where y > 'abc';
select group_concat(y order by y) from y where y = 2001.4;
drop table y;
-- an integer column and text: rounded where that is the same DOUBLE
create table n (b bigint primary key, bu bigint unsigned, i int);
insert into n values (0, 0, 0), (1, 1, 1), (2, 2, 2), (9007199254740993, 9007199254740993, 9), (9007199254740992, 9007199254740992, 8), (9223372036854775807, 18446744073709551615, 7), (-9223372036854775808, 18446744073709551614, -5);
select i, i = '1.5', i < '1.5', i < '1.4', i = '1E-308', i = '15e-1', i = '0.1e1', i < '-5.5', i = ' 1' from n order by i;
select b from n where b = '9007199254740992.6';
select b from n where b = '9007199254740992.4';
select b from n where b = '9007199254740993.0';
select b from n where b in ('9007199254740992.6', '5');
select b from n where b > '9007199254740992.4' order by b;
select b from n where b = '1E-308';
select bu from n where bu = '18446744073709551614.99999';
select bu from n where bu = '18446744073709551615.00001';
select bu from n where bu = '18446744073709551615x';
select bu from n where bu < '18446744073709551616' and bu > '-1.5' order by bu;
drop table n;
-- equal texts: GREATEST is the last, LEAST the first
select greatest('a', 'A'), least('a', 'A'), greatest('A', 'a'), least('A', 'a'), greatest('a', 'A', 'a'), greatest('e', 'é' collate utf8mb4_0900_ai_ci, 'E');
-- what UNIX_TIMESTAMP has no number for is 0
select unix_timestamp('9999-12-31'), unix_timestamp('3001-01-18 23:59:59'), unix_timestamp('3001-01-19 03:14:08'), unix_timestamp(date'9999-12-31'), unix_timestamp('3001-01-18 23:59:59.999999'), unix_timestamp('0000-00-00'), unix_timestamp('x'), unix_timestamp(null), unix_timestamp('2020-02-30');
--! end
-- dates with zero parts where sql_mode forbids them
--! ours MariaDB keeps them, and the end of TIME for a number beyond it
--! mysql another text of the warnings
select cast('2010-00-00' as date), date('2010-10-00'), cast('2010-00-00' as datetime), timestamp('2010-00-00'), cast(20100000 as date), cast('10:00:00' as date), cast('0000-01-01' as date), year('2010-00-00');
create table z (d date, dt datetime, v varchar(20));
set sql_mode = '';
insert into z values ('2010-00-00', '2010-00-00', '2010-00-00'), ('0000-00-00', '0000-00-00', '0000-00-00');
set sql_mode = default;
--! mysql another text of the warnings
select cast(d as date), cast(dt as date), cast(v as date), cast(d as datetime), cast(v as datetime(2)), date(d), date(v), timestamp(d), d from z;
set sql_mode = 'NO_ZERO_IN_DATE';
--! mysql another number of warnings
select cast(d as date), cast('2000-00-01' as datetime) from z;
set sql_mode = '';
select cast(d as date), cast(v as datetime(2)), date(v), timestamp(d) from z;
set sql_mode = default;
drop table z;
-- a number beyond TIME's end is none, text is the end
select cast(8395959 as time), hour(8395959), timediff(8395959, 1), cast(12345678.5e0 as time), time(-8395959), addtime(8385960, 1), cast('839:00:00' as time), addtime(20200101101010, 1);
-- a year of text, and of a number as JSON
select cast('x' as year), cast('22extra' as year), cast('-1' as year), cast(' 12 ' as year), cast('' as year), cast('0' as year), cast(0 as year);
--! types
select addtime(date'2020-01-01', '25:0:0.5'), subtime(date'2020-01-01', '1:0:0'), date_add(time'10:00:00', interval '1:2' hour_minute);
--! types
select time(date_add(time'10:00:00', interval '1 2' day_hour)), date_add(time'10:00:00', interval '1 2' day_hour) > '2020-01-01';
-- a CHECK whose condition warns lets nothing in under a strict mode
create table ck (a varchar(12), check (a + 1 > 0), check (a > date'2020-01-01' or a < 5));
insert into ck values ('k');
insert into ck values ('2021-01-01x');
--! mysql another text of the warning
insert ignore into ck values ('4x');
drop table ck;
-- an escape character that is a wildcard
select 'a%' like 'a%%' escape '%', 'ab' like 'a%%' escape '%', 'a%b' like 'a%%%b' escape '%', 'aXb' like 'a%Xb' escape '%', 'a%' like '%%%' escape '%', '%' like '%%' escape '%', '' like '%' escape '%', 'x_' like 'x__' escape '_', 'xy' like 'x__' escape '_', 'a|' like 'a|' escape '|';
set @`` = 1;
--! end
