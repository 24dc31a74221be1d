-- collation_connection of ucs2, utf16, utf16le, utf32: literals and texts made in the connection's collation are of it
set names utf8mb4;
set character_set_client = utf16;
set names utf16;
set names utf8mb4 collate utf16_general_ci;
set collation_connection = 'utf16_general_ci';
select @@character_set_client, @@character_set_connection, @@collation_connection, @@character_set_results;
select 'aé😀', hex('aé😀'), charset('a'), collation('a'), length('aé'), char_length('aé😀');
select hex(concat(1, 2)), charset(concat(1, 2)), hex(12.5 + 1), charset(1), concat(1, 'x');
select charset(hex('a')), hex('a');
--! mysql MySQL takes the bytes of utf16 for text in DATE_FORMAT
select charset(date_format('2024-02-03', '%Y %M')), date_format('2024-02-03', '%Y %M'), hex(date_format('2024-02-03', '%d'));
select cast(12 as char), charset(cast(12 as char)), hex(cast(12 as char)), charset(convert('a' using latin1));
select upper('aé'), lower('AÉ'), left('aé😀', 2), reverse('aé😀'), substring('aé😀x', 3), lpad('a', 4, 'é'), replace('aXbX', 'X', 'é'), trim('  a '), repeat('é', 2), instr('aéx', 'x'), locate('é', 'aé'), field('b', 'a', 'b'), elt(2, 'a', 'b');
select 'a' = 'A', 'a' < 'b', 'abc' like 'A%', 'a' in ('x', 'A'), 'b' between 'A' and 'C', case 'a' when 'A' then 'yes' else 'no' end, if(1, 'a', 'b'), nullif('a', 'A'), coalesce(null, 'é'), greatest('a', 'B');
--! mysql 8.4 says Incorrect datetime value; changed since
select '12' + 1, '1.5' * 2, 'abc' + 0, -'3', '10' > 9, '2024-01-01' + interval 1 day, date('2024-02-30'), year('2024-02-03'), cast('12' as unsigned), cast('1.25' as decimal(5,1)), cast('2024-02-03' as date);
--! differs MariaDB's JSON_EXTRACT looks into the bytes of a path of utf16, its JSON_ARRAY takes numbers for text
--! mysql MySQL takes the bytes of utf16 for text in JSON
select json_extract('{"a": [1, "é"]}', '$.a[1]'), json_unquote('"é"'), json_object('k', 'é'), json_valid('{}'), json_array('a', 1);
--! mysql MySQL takes the bytes of utf16 for text in CONV, BIN and STR_TO_DATE
select 'abc' regexp 'B', md5('abc'), sha1('abc'), crc32('abc'), format(1234.5, 1), conv('ff', 16, 10), str_to_date('03/02/2024', '%d/%m/%Y'), substring_index('a.b.c', '.', 2), find_in_set('b', 'a,b'), strcmp('a', 'A'), soundex('hello'), insert('abcd', 2, 2, 'é'), make_set(3, 'a', 'b'), export_set(5, 'Y', 'N', ',', 4), quote('a''b'), space(2), char(65), bin(5), oct(8), inet_aton('1.2.3.4'), inet_ntoa(16909060);
create table t (id int primary key auto_increment, s varchar(20) character set utf8mb4 collate utf8mb4_general_ci, l varchar(20) character set latin1, w varchar(20) character set utf16, b varbinary(20), d date, n int, key (s), key (w), key (l));
insert into t (s, l, w, b, d, n) values ('aé', 'aé', 'aé', 'ab', '2024-02-03', '7'), ('b😀', 'bc', 'b😀', x'00ff', '2024-02-04', 8), ('X', 'X', 'X', '', null, null);
select id, s, l, w, hex(s), hex(l), hex(w), hex(b), d, n from t order by id;
select id from t where s = 'AÉ';
select id from t where l = 'aé';
select id from t where w = 'b😀';
select id from t where s like 'a%' or l like '%c' or w like '_😀';
select id from t where s like 'b|%' escape '|' or s like _utf16 x'0058' escape _utf16 x'007C';
select id from t where d = '2024-02-03' and n = '7';
select id from t where s in ('x', 'b😀') order by id;
select id from t where s between 'a' and 'b' order by id;
--! differs MariaDB mixes utf8mb4 and utf16 as an error
select id, concat(s, '-', w) from t order by id;
select group_concat(s order by id separator '/'), max(w), min(s), count(distinct l) from t;
select s from t union select 'ü' order by 1;
update t set s = concat(s, 'ß'), w = 'ß', n = n + '1' where id = 1;
select s, w, n from t where id = 1;
create table c as select 'aé' x, concat(1, 2) y, date_format('2024-02-03', '%Y') z, s from t limit 0;
--! differs MySQL 8 heads columns of information_schema by their own names
select column_name, character_set_name, collation_name from information_schema.columns where table_schema = 'test' and table_name = 'c' order by ordinal_position;
set @v = 'é';
select charset(@v), hex(@v), @v;
--! mysql MySQL takes the bytes of utf16 for text in SET
set sql_mode = 'ANSI_QUOTES';
--! mysql MySQL takes the bytes of utf16 for text in SET
select @@sql_mode;
set sql_mode = default;
prepare p from 'select ? as a, hex(?) b, s from t where s = ? or id = 2';
set @x = 'é', @y = 'X';
execute p using @x, @x, @y;
deallocate prepare p;
set @q = 'select 1 as one';
--! mysql MySQL takes the bytes of utf16 for a statement
prepare p from @q;
--! mysql MySQL takes the bytes of utf16 for a statement
execute p;
create view v as select id, 'é' lit, concat(n, '!') made from t;
create table g (a int, b varchar(20) character set utf8mb4 generated always as (concat(a, '-é')), c varchar(9) character set utf8mb4 default 'dé', check (b <> 'x'));
insert into g (a) values (1);
select a, b, c, hex(b) from g;
--! differs the table was made with utf8mb4's default collation, expressions are kept in MySQL's canonical text
--! mysql MySQL keeps the bytes of utf16 in expressions
show create table g;
set names utf8mb4;
select a, b, c from g;
insert into g (a) values (2);
select id, lit, charset(lit), made, charset(made) from v order by id;
set character_set_connection = ucs2;
select @@collation_connection, hex('aé'), concat(1, 'b');
--! mysql MySQL warns of what ucs2 lacks
select hex('😀');
set collation_connection = utf32_unicode_ci;
select @@character_set_connection, hex('a'), 'a' = 'Á', collation(concat(1, 2)), collation('a');
set collation_connection = utf16le_bin;
select hex('a'), 'a' = 'A', collation('a'), collation(concat(1, 2));
select s, count(*) from t group by s having s > 'a' order by s;
select * from (select 'q' k, 1 n) a join (select 'q' k, 2 n) b using (k);
--! differs MySQL 8 heads columns of information_schema by their own names
select column_name from information_schema.columns where table_schema = 'test' and table_name = 't' and column_name like 's%';
--! mysql MySQL takes the bytes of utf16 for a pattern
show tables like 'g%';
--! mysql MySQL takes the bytes of utf16 for a pattern
show variables like 'collation\_con%';
set names utf8mb4;
drop view v;
drop table t, c, g;
create database dw character set utf16;
use dw;
set character set default;
select @@collation_connection, hex('a');
set names utf8mb4;
drop database dw;
-- a text of a wide set is as long as its bytes there: beyond max_allowed_packet it is NULL with 1301, and is not made (HEX and TO_BASE64 look before they are made wide)
set @max = @@global.max_allowed_packet;
set global max_allowed_packet = 1048576;
--! on b
set names utf8mb4;
set collation_connection = 'utf32_bin';
select length(repeat('a', 262144)), repeat('a', 262145) is null;
select length(to_base64(repeat('a', 1000000))) a;
select space(262145) is null, lpad('a', 262145, 'b') is null, rpad('a', 262145, 'b') is null, upper(repeat('a', 262145)) is null;
select concat(repeat('a', 200000), repeat('a', 200000)) is null a;
select concat_ws('', repeat('a', 200000), repeat('a', 200000)) is null a;
select concat(repeat(_latin1'a', 262144), _utf32 0x61) is null a, length(concat(repeat(_latin1'a', 262143), _utf32 0x61)) b;
select replace(concat(repeat('a', 200000), 'x'), 'x', repeat('b', 200000)) is null a, length(replace(repeat('a', 1000), 'a', 'bb')) b;
select insert(repeat('a', 200000), 1, 0, repeat('a', 200000)) is null a;
select export_set(-1, repeat('Y', 5000), 'N', ',', 64) is null a;
select length(hex(repeat('a', 100000))), length(convert(repeat(_latin1'a', 300000) using utf32));
set collation_connection = 'utf16_bin';
select length(repeat('a', 524288)), repeat('a', 524289) is null;
--! close
--! on a
set global max_allowed_packet = @max;
