-- What the random differential tester (tests/sql/differential) found.
select bit_count(-2.75), ~-3.14, -3.14 | 0, -1.5 & 7;
select time_format('-838:59:59', '%H:%i:%s'), time_format(time'-01:02:03', '%h %p');
select conv('', 10, 16), bin('');
select make_set(3, '', 'a'), make_set(7, '', '', 'b'), make_set(5, '', '', 'b'), make_set(6, 'x', null, '');
select str_to_date('10', '%H:%i:%s'), str_to_date('', '%H:%i:%s'), str_to_date('2020', '%Y-%m-%d');
--! mysql the newer one calls it a date
select str_to_date('2020-01-02 more', '%Y-%m-%d'), str_to_date('Monday 01 2020', '%W %u %Y');
--! mysql the newer one takes 18446744073709551614 for -2
select date_add('2020-01-01', interval 18446744073709551614 day);
select soundex('foo.bar.baz'), soundex('äöü'), soundex('Quadratically');
--! differs MariaDB reads DOUBLE as unsigned, rounds it away from zero, and has no warning
select hex(0.5e0), hex(2.5e0), hex(-0.5e0), hex(1e30), conv('-99999999999999999999', 10, 2);
--! differs MariaDB warns twice
--! mysql the newer one reads a date as a date and not as a time
select addtime('2020-02-29', '01:00:00'), addtime('2020-02-29 10:00:00', '01:00:00'), addtime(timestamp'2020-01-01 00:00:00', timestamp'2020-01-01 01:00:00');
--! mysql it warns twice of 1.5
select sec_to_time(26.5754247), sha1(cast(1.5 as char(0))), length(cast('abc' as char(0)));
--! mysql the newer one reads a date as a date and not as a time
select timediff('2020-01-02', '2020-01-01'), timediff('2020-01-02 00:00:00', '2020-01-01 00:00:00');
-- two collations of one character set: an error only where the result is compared
create table c (id int primary key, g varchar(10) collate utf8mb4_general_ci, u varchar(10) collate utf8mb4_unicode_ci, l varchar(10) character set latin1, s varchar(10) collate utf8mb4_bin, b bit(8), n varbinary(10));
insert into c values (1, 'a', 'A', 'abc', 'ABC', 66, 'x'), (2, 'b', 'B', 'ABC', 'abc', 65, 'y');
--! mysql coercibility NONE is 7 in the newer one
select concat(g, u), elt(1, g, u), coalesce(g, u), if(id, g, u), coercibility(concat(g, u)), collation(concat(g, u)) from c order by id;
--! mysql 8.4 mixes collations so; the newer one converts where it can when it runs, and calls NULL's coercibility so
select concat(g, u) = g from c;
select g = u from c;
select g between u and g from c;
select g in (u, 'a') from c;
select g in (u, 'a', 'b') from c;
--! mysql 8.4 mixes collations so; the newer one converts where it can when it runs, and calls NULL's coercibility so
select concat(g, u) in (g, 'a') from c;
--! differs GREATEST compares its arguments (manual 12.8.4)
--! mysql 8.4 mixes collations so; the newer one converts where it can when it runs, and calls NULL's coercibility so
select greatest(g, u) from c;
select g from c union select u from c;
--! differs what is looked for decides too in MariaDB
select replace(g, u, 'x') from c;
--! differs what is looked for decides too in MariaDB
select substring_index(g, u, 1) from c;
--! differs what is looked for decides too in MariaDB
select trim(both u from g) from c;
-- one collation for all operands
select id, l between 'aaa' and s, l in ('ABC', s), case l when 'ABC' then 1 when s then 2 end from c order by id;
--! types
select concat(b, g), if(1, b, g), ifnull(b, 'a'), concat(b, 1) from c order by id;
-- a TIME among dates
set timestamp = 1700000000;
set time_zone = '+00:00';
--! types
select if(1, time'10:11:12', timestamp'2020-01-01 00:00:00'), coalesce(null, time'10:11:12', date'2020-01-01'), case when 0 then timestamp'2020-01-01 00:00:00.5' else time'01:02:03' end;
-- FLOAT beside small integers
create table f (f float, ti tinyint, si smallint, mi mediumint, i int, y year);
insert into f (f) values (0.1);
--! types
select coalesce(f, ti), coalesce(f, si), coalesce(f, mi), coalesce(f, i), coalesce(f, y) from f;
select f from f union select ti from f;
-- columns without default are looked at before the first row
create table n (id int, b int not null, w int not null);
--! differs MariaDB looks before the first row
insert into n (id, b) select id, id from c where 0;
--! differs MariaDB looks before the values
insert into n (id, b) values (1, null);
-- years of two digits
create table y (y year, key (y));
insert into y values (0), (1901), (1970), (1999), (2000), (2001), (2002), (2005), (2069), (2155);
select group_concat(y order by y) from y where y between 1 and 3;
select group_concat(y order by y) from y where y between 70 and 2005;
select group_concat(y order by y) from y where y = 1;
select group_concat(y order by y) from y where y > 1;
--! differs MySQL compares the numbers of a list as they are
select group_concat(y order by y) from y where y in (1, 70, 2005);
--! differs every year is below 3000
select group_concat(y order by y) from y where y < 3000;
select group_concat(y order by y) from y where y = '1';
-- a column set to itself is left alone
create table z (id int primary key, w date not null, n int);
insert ignore into z values (1, null, 1);
update z set w = w where id = 1;
update z set w = w, n = 2 where id = 1;
insert into z values (1, '2020-01-01', 5) on duplicate key update w = z.w, n = 7;
select * from z;
-- a number's digits, and seconds of an interval
--! differs MariaDB reads DECIMAL as unsigned, without a warning
select hex(99999999999999999999), hex(-99999999999999999999), timestamp'2020-01-01 00:00:00' + interval 1.5e0 second, timestamp'2020-01-01 00:00:00.000000' - interval -3.1415926535 second;
select find_in_set('', ''), find_in_set('', 'a,,b'), find_in_set('a', '');
-- NULL among operands of two collations
--! names off
--! mysql 8.4 mixes collations so; the newer one converts where it can when it runs, and calls NULL's coercibility so
select null in (g, u) from c;
--! mysql 8.4 mixes collations so; the newer one converts where it can when it runs, and calls NULL's coercibility so
select null between g and u from c;
--! mysql 8.4 mixes collations so; the newer one converts where it can when it runs, and calls NULL's coercibility so
select g between null and u from c;
select g in (null, u, 'a') from c;
--! mysql 8.4 mixes collations so; the newer one converts where it can when it runs, and calls NULL's coercibility so
select case null when g then 1 when u then 2 end from c;
select null in (g, s), null between g and 'a' from c;
-- a date makes all operands of BETWEEN dates; text that is no time makes comparisons of texts
create table m (id int primary key, t time, d date, dt datetime(6), u tinyint unsigned, i smallint, key (t));
insert into m values (1, '10:00:00', '2020-01-01', '2020-01-01 10:00:00', 6, -1), (2, '-10:00:00', '2024-01-01', '2024-01-01 10:00:00.5', 3, 1), (3, '00:00:00', null, null, 7, 22);
select id, t between d and '2030-01-01', t between '2010-01-01' and d, t not between d and dt, time(dt) between d and date_add('2020-02-29', interval '1 3' day_hour) from m order by id;
select id, '2021-1-1' between '2010-01-01' and d, concat('2021-1-1') between concat('2010-1-1') and d from m order by id;
--! differs a constant that is no time is compared as text
--! mysql BETWEEN with one text that is no time compares integers, CASE finds none
select id, t = 'abc', t < 'abc', t between 'abc' and '11:00:00', case t when 'abc' then 1 when '10:00:00' then 2 end, coalesce(t, 'abc') = 'abc' from m order by id;
--! differs a constant that is no time is compared as text
select id, t = '10:00:00abc', t in ('10:00:00', 'x11') from m where t <> '00:00:00' order by id;
--! differs text that is no time is 00:00:00 in IN and in an index too (manual, "The TIME Type")
--! mysql another text of the warning
select id from m where t in ('abc', '10:00:00') order by id;
--! mysql another number of warnings
--! differs a constant that is no time is compared as text
select id from m force index (t) where t = 'abc';
--! differs a constant that is no time is compared as text
select id from m ignore index (t) where t < 'abc' order by id;
-- a quotient's seconds are rounded to the digits it shows
select id, i / u, sec_to_time(i / u) from m order by id;
-- a space is not a character without weight
select ' a' collate utf8mb4_unicode_ci like concat(char(1 using utf8mb4), 'A'), ' a' collate utf8mb4_unicode_ci like concat(' ', 'A'), replace(' a' collate utf8mb4_unicode_ci, char(1 using utf8mb4), 'x');
drop table m;
--! names on
-- a column without default is told of with the first row, after its values
--! names on
create table nd (id int primary key, b int not null, w int not null);
--! differs MariaDB looks before the first row
insert into nd (id, b) values ('x', 1);
insert into nd (id, b) values (1, default);
--! differs as above
insert into nd (id, b) values (1, null), (2, 2);
set sql_mode = '';
insert into nd (id, b) values (1, 1), (2, 2);
insert into nd (id, b) select 3, 3 union all select 4, 4;
select * from nd order by id;
set sql_mode = default;
-- numbers that are no integers in bit operators, HEX and CONV; what is no address or no hexadecimal text
--! ours MariaDB reads DECIMAL as unsigned, rounds DOUBLE away from zero, has no warnings here
select 99999999999999999999 ^ 0, -99999999999999999999 | 0, 1e19 | 0, ~1e30, bit_count(1e30), 18446744073709551615 | 0, hex(18446744073709551616.0), hex(2.5e0), hex(2.5);
select conv('99999999999999999999', 10, 16), conv('99999999999999999999', -10, 16), conv('-99999999999999999999', -10, 16), bin(1e30);
select unhex('zz'), unhex(concat('g', b)), inet_aton('x'), inet6_aton('1:2'), inet_ntoa(4294967296) from nd where id = 1;
insert into nd values (9, 1, inet_aton('300.1.1.1'));
select json_valid(b), json_valid(id + null), json_valid(null) from nd where id = 1;
--! end
--! differs MariaDB has no such collation
select hex(weight_string('ab' collate utf8mb4_0900_ai_ci as char(4))) as w;
