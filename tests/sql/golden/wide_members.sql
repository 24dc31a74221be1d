-- ENUM and SET of ucs2, utf16, utf16le and utf32.
create table e (id int primary key, a enum('a','bé','c ','日本') character set ucs2, b set('x','yy','ü') character set utf16 not null default 'x,ü',
  c enum('A','b') character set utf32 collate utf32_bin default 'b', d set('1','2','10') character set utf16le);
--! differs widths of integers, collations
show create table e;
--! differs widths of integers
show columns from e;
--! differs widths of integers, quotes of defaults
select column_name, column_type, character_set_name, collation_name, character_maximum_length, character_octet_length, column_default from information_schema.columns where table_schema = 'test' and table_name = 'e' order by ordinal_position;
insert into e values (1,'a','x,yy','A','1,10'),(2,'BÉ','ü,x','b','2'),(3,'c','','b',''),(4,'日本','yy','A','10,2,1'),(5,2,3,1,7);
insert into e (id) values (6);
select * from e order by id;
select id, a+0, b+0, c+0, d+0 from e order by id;
select id, hex(a), hex(b), hex(c), hex(d), length(a), char_length(b) from e order by id;
insert into e (id, a) values (7, 'nothing');
insert into e (id, b) values (7, 'x,z');
insert into e (id, c) values (7, 'a');
-- a number as a string is a number where it is no member (manual, "The ENUM Type")
create table n (id int, a enum('a','bé','c') character set ucs2, d set('1','2','10') character set utf16le);
--! ours MariaDB reads the number from the bytes of the converted string and finds none
--! mysql MySQL does not read numbers in utf16 as members
insert into n (id, a) values (7, '3'), (8, 3);
--! mysql MySQL does not read numbers in utf16 as members
insert into n (id, d) values (9, '1'), (10, 1), (11, '5');
--! mysql MySQL does not read numbers in utf16 as members
select id, a, d from n order by id;
drop table n;
--! end
insert into e (id, a) values (12, _utf8mb4'日本'), (13, _latin1 x'62E9'), (14, _ucs2 x'0061'), (15, 0x0061);
select id, a from e where id > 11 order by id;
insert ignore into e (id, a, b) values (16, 'no', 'x,no,yy');
select id, a, b from e where id = 16;
-- comparisons
select id from e where a = 'bé' order by id;
select id from e where a = 'A' order by id;
select id from e where c = 'a' order by id;
select id from e where a = _ucs2 x'65E5672C' order by id;
select id from e where a in ('a', 'c') order by id;
select id from e where a > 'b' order by id;
select id from e where a = 2 order by id;
select id from e where b like '%y%' order by id;
select id from e where find_in_set('yy', b) order by id;
select id from e where b = 'x,ü' order by id;
select id, concat(a, '-', b), upper(a), left(b, 1), substring(b, 2), reverse(d) from e where id < 5 order by id;
select id, charset(a), collation(b), charset(concat(a, b)), a <=> c from e where id < 3 order by id;
select a, count(*) from e group by a order by a;
select distinct b from e order by b;
select min(a), max(a), min(b), max(d) from e where id < 5;
select group_concat(a order by a desc separator '|') from e where id < 5;
select id, if(a is null, 'none', a), ifnull(a, 'none'), coalesce(b, a), case c when 'A' then 'is A' else c end from e where id in (1, 3, 6) order by id;
--! differs MariaDB cannot put a SET of utf16 into JSON (1267)
--! mysql MySQL takes the bytes of utf16 for text in JSON
select cast(a as char), cast(d as unsigned), json_array(a, b), json_object('k', a) from e where id in (1, 4) order by id;
select field('日本', a), elt(a, 'one', 'two'), locate('本', a) from e where id in (1, 4) order by id;
select a from e where id = 1 union select 'other' union select b from e where id = 4;
create table s as select a, b, concat(a, b) as ab, ifnull(a, 'x') as i from e where id < 5;
show create table s;
select * from s;
drop table s;
-- indexes and keys
alter table e add key (a), add key (b, a);
select id from e force index (a) where a = 'a' order by id;
select id from e force index (a) where a >= 'c' order by id;
select id from e force index (b) where b = 'x,yy' order by id;
--! mysql the value that 1062 names
alter table e add unique key u (c);
-- from one character set to another
alter table e modify a enum('a','bé','c','日本') character set utf8mb4;
alter table e modify b set('x','yy','ü') character set latin1 not null default 'x,ü', modify c enum('A','b') character set utf16le;
select id, a, b, c, hex(a), hex(b), hex(c) from e where id < 6 order by id;
alter table e modify a enum('日本','a','bé','c','neu') character set utf32;
select id, a, a+0, hex(a) from e where id < 6 order by id;
--! ours MariaDB takes the default for invalid after the conversion (1067)
--! mysql MySQL refuses to convert a SET whose default is no ASCII
alter table e convert to character set utf16;
--! mysql MySQL refuses to convert a SET whose default is no ASCII
show create table e;
--! mysql MySQL refuses to convert a SET whose default is no ASCII
select id, a, b, c, d, hex(b) from e where id < 6 order by id;
--! mysql MySQL refuses to convert a SET whose default is no ASCII
alter table e convert to character set utf8mb4;
--! mysql MySQL refuses to convert a SET whose default is no ASCII
show create table e;
--! end
select id, a, b, c, d from e order by id;
alter table e modify a varchar(20) character set ucs2, modify d varchar(20);
select id, a, hex(a), d from e where id < 6 order by id;
alter table e modify a enum('a','bé','日本','c') character set ucs2, modify d set('10','2','1') character set utf32;
--! mysql a message there shows a wide string up to its first zero byte
--! differs MariaDB warns of the empty text
select id, a, a+0, d, d+0 from e where id < 6 order by id;
-- definitions that are refused
create table f (a set('x,y') character set ucs2);
create table f (a enum('a','A') character set utf16);
create table f (a enum('a','A') character set utf16 collate utf16_bin, b enum('x ','y') character set utf32 default 'y ');
insert into f values ('A', 'x');
select *, hex(a), hex(b) from f;
create table g (a enum('a') character set ucs2 default 'b');
create table g (a enum('a', 'b') character set ucs2 default 'b', primary key (a));
--! mysql the row that 1136 names
insert into g values (), ('a');
insert into g values ('b');
select * from g order by a;
select * from g order by concat(a) desc;
insert into g values ('a') on duplicate key update a = 'zz';
drop table e, f, g;
