-- columns of ucs2, utf16, utf16le, utf32: storage, indexes, comparison, conversion, functions, LIKE
create table t (id int primary key, u varchar(20) character set ucs2, v varchar(20) character set utf16, w varchar(20) character set utf32, l varchar(20) character set utf16le, key(u), unique key(v), key(w), key(l), key p (u(2)));
insert into t values (1,'abc','abc','abc','abc'),(2,'Abd','ABD','abd','Abd'),(3,'é','😀','😀','é'),(4,'','','',''),(5,null,null,null,null),(6,'b  ','b  ','b  ','b  '),(7,'%_\\','%_\\','%_\\','%_\\'),(8,12.5,13,-7,20);
select * from t order by id;
select id, hex(u), hex(v), hex(w), hex(l), length(u), char_length(v) from t order by id;
select id from t where u = 'ABC';
select id from t where u = 'abc' and v = 'abc' and w = 'abc' and l = 'abc';
select id from t force index(u) where u > 'abc' order by u, id;
select id from t order by u, id;
select id from t order by v, id;
select id from t order by w desc, id;
select id from t order by l, id;
select id, u from t where u like 'ab%' order by id;
select id, v from t where v like '%b%' order by id;
select id, w from t where w like 'a_c' order by id;
select id, l from t where l like '\\%%' order by id;
select id from t where u like 'a|%' escape '|' or u like '%|_%' escape '|' order by id;
select id from t where v not like 'a%' order by id;
select id from t where v = 'b' or w = 'b';
--! mysql a message there shows a wide string up to its first zero byte
--! differs MariaDB warns of the empty text
select id from t where u = 12.5;
--! mysql a message there shows a wide string up to its first zero byte
--! differs MariaDB warns of the empty text
select id from t where u + 1 > 13;
select id from t where w between 'abc' and 'b' order by id;
select id from t where u in ('abc', 'b', 'é') order by id;
--! mysql a message there shows a wide string up to its first zero byte
--! differs MariaDB warns of the empty text
select id from t where u in (12.5, 3) order by id;
select t1.id, t2.id from t t1 join t t2 on t1.u = t2.v order by 1, 2;
--! differs MariaDB mixes utf8mb4, utf32 and the smaller sets of Unicode as errors
select id from t where u in (select w from t) order by id;
--! names off
--! differs MariaDB mixes utf8mb4, utf32 and the smaller sets of Unicode as errors
select id, upper(u), lower(v), concat(u, '-', w), concat(u, 1), replace(u, 'b', 'XX'), trim(w), substring_index(u, 'b', 1) from t where id in (1,6) order by id;
select id, left(u,2), right(v,2), substring(w,2,1), reverse(l), lpad(u,5,'*'), rpad(v,4,'é'), repeat(w,2), insert(u,1,1,'Z'), locate('c',v), instr(w,'b') from t where id < 3 order by id;
select charset(concat(u,'x')), collation(upper(v)), charset(replace(w,'a','b')), charset(trim(l)) from t where id=1;
--! differs MariaDB mixes utf8mb4, utf32 and the smaller sets of Unicode as errors
select ifnull(u, 5), coalesce(v, w, 'x'), if(id=5, u, 7), nullif(w, 'abc'), case when id=1 then u else 'z' end, case u when 'abc' then 1 else 2 end from t where id in (1,5) order by id;
select abs(w), u*2, cast(v as signed), cast(u as decimal(5,2)) from t where id=8;
select ascii(u), ord(v), hex(weight_string(u)) from t where id=1;
select u regexp '^a', v rlike 'B', regexp_replace(w, 'b', 'q'), find_in_set('b', 'a,b'), find_in_set(u, 'x,abc'), field(u, 'q', 'abc'), elt(1, u), strcmp(u, v), greatest(u, 'b'), least(v, 'a') from t where id=1;
--! mysql a message there shows a wide string up to its first zero byte
select count(distinct u), min(v), max(w), group_concat(l order by id), sum(w) from t where id in (1,2,8);
select quote(u), to_base64(v), md5(w), sha1(u), crc32(l), hex(u) from t where id=1;
--! differs MariaDB mixes the argument with its own literal
--! mysql MySQL takes the bytes of ucs2 and utf16 for text in JSON
select json_object('k', u), json_quote(v), json_array(w, l) from t where id=3;
select date_add(v, interval 1 day), date_format(w, '%Y') from (select cast('2024-01-31' as char character set utf16) as v, cast('2024-01-31' as char character set utf32) as w) d;
--! names on
select u, count(*) from t group by u order by u;
select distinct v from t where id < 4 order by v;
--! differs MariaDB mixes utf8mb4, utf32 and the smaller sets of Unicode as errors
select u from t where id=1 union select w from t where id=2 union select 'x' order by 1;
update t set u = concat(u, 'é'), v = 'zz', w = 99 where id = 1;
select u, v, w, hex(w) from t where id = 1;
insert into t (id, v) values (9, 'ZZ');
insert into t (id, u) values (10, '😀');
insert ignore into t (id, u) values (10, 'a😀b');
select id, hex(u) from t where id = 10;
insert into t (id, u) values (11, repeat('x', 21));
--! differs MariaDB writes other types, collations and defaults
show create table t;
--! differs MySQL 8 heads columns of information_schema by their own names
select column_name, character_set_name, collation_name, character_maximum_length, character_octet_length from information_schema.columns where table_name='t' and table_schema='test' order by ordinal_position;
drop table t;
-- CHAR, TEXT, defaults, collations
create table c (a char(5) character set ucs2 default 'd', b text character set utf32, c char(3) character set utf16le collate utf16le_bin not null default '', d longtext character set utf16, e enum('x') character set latin1, primary key (c), key (b(3))) ;
insert into c (b, c) values ('one  ', 'a'), ('two', 'B'), (repeat('long text ', 500), 'b ');
insert into c (b, c) values ('dup', 'b');
select a, hex(a), hex(left(b, 4)), hex(c), char_length(b) from c order by c;
select c from c where c = 'B';
select c from c where b like 'long%';
--! differs MariaDB writes other types, collations and defaults
show create table c;
alter table c modify a char(5) character set latin1 default 'q', modify b text character set utf8mb4, add f varchar(3) character set utf32 default 'é' after a;
select a, left(b, 5), f, hex(f) from c order by c;
--! mysql another row is the first that is there twice
alter table c convert to character set ucs2;
alter table c drop column e;
--! mysql another row is the first that is there twice
alter table c convert to character set ucs2;
--! differs MariaDB writes other types, collations and defaults
show create table c;
select a, left(b, 5), f, hex(f), hex(c) from c order by c;
drop table c;
create table u (a varchar(10) collate ucs2_unicode_ci, b varchar(10) collate utf16_german2_ci, c varchar(10) collate utf32_unicode_520_ci, d varchar(10) collate ucs2_czech_ci, key(a), key(b), key(c), key(d));
insert into u values ('straße','Ä','é','ch'),('strasse','ae','E','d'),('STRASSF','az','f','c'),('z','b','ß','h');
select a from u force index(a) order by a;
select b from u force index(b) order by b;
select c from u force index(c) order by c;
select d from u force index(d) order by d;
select count(*) from u where a = 'STRASSE';
select b from u where b = 'ae' order by hex(b);
drop table u;
create table m (s varchar(10) collate utf8mb3_general_mysql500_ci, key(s)) ;
insert into m values ('ß'),('s'),('S'),('z'),('é'),('E');
select s, count(*) from m group by s order by s;
select s from m where s = 's';
select collation_name, id from information_schema.collations where collation_name in ('utf8mb3_general_mysql500_ci', 'ucs2_general_mysql500_ci', 'ucs2_unicode_ci', 'utf16_unicode_ci', 'utf32_vietnamese_ci', 'utf16_unicode_520_ci') order by 1;
drop table m;
create database w character set utf32;
create table w.t (a varchar(3), b char(2) collate utf32_bin);
insert into w.t values ('x','y');
--! differs MariaDB writes other types, collations and defaults
show create table w.t;
select hex(a), hex(b), a = 'X', b = 'Y' from w.t;
drop database w;
create table e (a enum('a') character set ucs2);
-- East Asian sets: what looks into bytes works in utf8mb4
create table d1 (a varchar(5) character set latin1 default 'é', b varchar(5) character set gbk default '中', c varchar(5) character set cp1251 default 'ж');
show create table d1;
--! differs MySQL 8 heads columns of information_schema by their own names
select column_name, column_default from information_schema.columns where table_name='d1' and false;
drop table d1;
create table g (a varchar(20) character set gbk, b varchar(20) character set sjis, key(a));
insert into g values ('中文a,b', 'ソーテa'), ('  乗x ', '表b');
select trim(a), replace(a, '文', 'X'), substring_index(a, ',', 1), a regexp '文', trim(both 'a' from b), replace(b, 'ー', '-') from g order by a;
select charset(replace(a, 'x', 'y')), charset(trim(b)) from g limit 1;
select a from g where a like '中%';
select hex(char(74 using utf16)), char(74 using utf16), hex(char(128512, 65 using utf32));
drop table g;
