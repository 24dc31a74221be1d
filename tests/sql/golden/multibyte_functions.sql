-- Functions over strings of the East Asian sets, swe7 and the wide ones: character set, bytes and numbers of the results.
create table f (id int primary key, g varchar(20) character set gbk, s varchar(20) character set sjis, u varchar(20) character set ujis, w varchar(20) character set ucs2, x varchar(20) character set utf16, e varchar(20) character set swe7);
insert into f values (1,'中文a','表ソa','日本丂','中文a','a😀b','Åsa'),(2,'誠a','ｱｲ','ｱ丂','ß','😀','ö'),(3,'','','','','',''),(4,null,null,null,null,null,null),(5,' 中 ',' 表 ',' 日 ',' 中 ',' 😀 ',' Ö ');
select id, hex(ord(g)), hex(ord(s)), hex(ord(u)), hex(ord(w)), hex(ord(x)), hex(ord(e)) from f order by id;
select id, ascii(g), ascii(s), ascii(u), ascii(w), ascii(x), ascii(e) from f order by id;
select charset(group_concat(g)), charset(group_concat(w)), charset(group_concat(s separator '中')), hex(group_concat(g order by id)), hex(group_concat(s order by id separator ';')), hex(group_concat(w order by id)), hex(group_concat(x order by id)), hex(group_concat(e order by id)) from f;
select group_concat(g, s order by id) from f;
select id, hex(substring(g, 2, 1)), hex(substring(s, -1)), hex(substr(u, 2)), hex(substring(w, 2)), hex(substring(x, 2, 1)), hex(left(s, 1)), hex(right(s, 1)), hex(left(x, 2)), hex(right(w, 1)), hex(mid(e, 1, 1)) from f order by id;
select id, hex(trim(g)), hex(ltrim(s)), hex(rtrim(u)), hex(trim(w)), hex(trim(x)), hex(trim(both 'a' from g)), hex(trim(leading '表' from s)), hex(trim(e)) from f order by id;
select id, hex(replace(g, '文', 'b')), hex(replace(s, 'ソ', '表')), hex(replace(w, 'a', '中')), hex(replace(x, '😀', 'é')), charset(replace(g, 'a', 'b')), charset(replace(w, 'a', 'b')) from f order by id;
select id, hex(lpad(g, 5, '文')), hex(rpad(s, 4, '表')), hex(lpad(w, 4, 'é')), hex(rpad(x, 4, '😀')), hex(insert(g, 1, 1, 'x')), hex(insert(s, 2, 1, '表')), hex(insert(x, 2, 1, 'é')), hex(repeat(g, 2)), hex(reverse(s)), hex(reverse(x)) from f order by id;
select id, length(g), char_length(g), bit_length(g), octet_length(s), char_length(s), length(u), char_length(u), length(w), char_length(w), length(x), char_length(x), length(e) from f order by id;
select id, locate('文', g), instr(s, 'ソ'), position('丂' in u), locate('文', w), locate('b', x, 2), find_in_set('a', g), field(g, 'x', '中文a'), elt(2, 'x', s) from f order by id;
select id, hex(upper(g)), hex(lower(s)), hex(ucase(u)), hex(lcase(w)), hex(upper(x)), hex(upper(e)), hex(lower(e)) from f order by id;
select id, hex(concat(g, 'x')), charset(concat(g, 'x')), hex(concat_ws('-', s, '表')), charset(concat(g, w)), hex(concat(w, 'a')), charset(concat(w, 1)), charset(concat(g, 1)) from f order by id;
select id, quote(g), quote(s), to_base64(g), md5(s), sha1(w), crc32(g), hex(soundex(g)), hex(weight_string(g)), hex(weight_string(s)) from f order by id;
select id, g like '%文%', s like '表_a', s like '%ソ%', w like '%文_', x like '_😀_', s regexp '^.ソ', g regexp '文', w regexp '^中', strcmp(g, '中文A'), g in ('中文A', '誠'), nullif(g, '中文A'), ifnull(s, 'x'), coalesce(u, w) from f order by id;
--! differs MariaDB has a warning of its own (1977) for what the set lacks
--! mysql the length in the warning is in bytes
select id, substring_index(g, '文', 1), substring_index(s, 'ソ', -1), hex(substring_index(w, '文', 1)), left(g, 0), right(s, 9), cast(g as char(1)), hex(cast(s as binary)), hex(convert(u using gbk)), hex(convert(w using sjis)), hex(cast(x as char character set ucs2)) from f order by id;
select char(0xD6D0 using gbk), char(0x41), char(0x4E2D using ucs2), hex(char(54992, 65 using gbk)), hex(char(0x955C using sjis)), charset(char(65 using ujis)), char(53456, 0x41), hex(char(0x1F600 using utf32)), hex(char(65, 66 using utf16));
--! differs MariaDB does not warn of text that is none
select hex(_gbk'中'), hex(_sjis x'955C'), _sjis x'955C' = '表', hex(_ucs2 'ab'), hex(_utf16 x'41'), hex(_utf32 'a'), length(_gbk x'D6D0'), char_length(_big5 x'A4A4'), hex(n'é'), charset(_cp932 'a'), hex(_swe7 'a');
select 1 + convert('12' using ucs2), convert('1.5' using utf16) * 2, cast(convert('2020-01-02' using utf32) as date), date_add(convert('2020-01-02' using gbk), interval 1 day), hex(convert(12 using ucs2)), json_extract(convert('{"a":1}' using gbk), '$.a'), convert('abc' using ucs2) + 0;
select max(g), min(s), hex(max(w)), count(distinct g), group_concat(distinct e order by e) from f;
select hex(upper(_utf8mb4'iı' collate utf8mb4_turkish_ci)), hex(lower(_utf8mb4'Iİ' collate utf8mb4_turkish_ci)), hex(upper(_utf8mb4'iı')), hex(lower(_utf8mb4'Iİ')), hex(lower(_utf8mb3'Iİ' collate utf8mb3_turkish_ci)), hex(upper(_latin5 x'69FD')), hex(lower(_latin5 x'49DD')), hex(upper(_utf16 x'00690131' collate utf16_turkish_ci));
drop table f;
-- what is shown of a statement that cannot be read is at most 80 bytes long
select `中` from `中文中文中文中文中文中文中文中文中文中文` wherever `中文中文中文中文中文中文中文中文中文中文`;
