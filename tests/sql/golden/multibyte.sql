-- East Asian character sets.
create table m (g varchar(10) character set gbk, b varchar(10) character set big5, s char(10) character set sjis, u text character set ujis, k varchar(10) character set euckr collate euckr_bin, c varchar(10) character set gb2312, w varchar(10) character set cp932, e varchar(10) character set eucjpms collate eucjpms_bin, key (g), key (s), key (w));
insert into m values ('中文a','中文a','日本ｱ','日本丂','한국','中文','①日','日本①'), ('啊B','文','ａ','ab ','가A','啊','~','AB'), ('a','a','a','a','a','a','a','a'), ('A ','A','あ','あ','나','人','あ','ア');
select * from m order by g;
select hex(g), hex(b), hex(s), hex(u), hex(k), hex(c), hex(w), hex(e) from m order by g;
select length(g), char_length(g), length(u), char_length(u), char_length(s), length(e) from m order by g;
select g from m order by g;
select b from m order by b;
select s from m order by s;
select u from m order by u;
select k from m order by k;
select c from m order by c;
select w from m order by w;
select e from m order by e;
select upper(g), lower(s), hex(upper(s)), upper(w) from m order by g;
select left(g, 2), right(u, 1), substring(s, 2), reverse(k), insert(w, 1, 1, 'x'), lpad(g, 5, '文'), locate('文', g), concat(g, b) from m order by m.g;
select g from m where g = 'A';
select g from m where g like '中%';
select s from m where s like '日_ｱ';
select w from m where w >= '日' order by w;
select g, count(*) from m group by g order by g;
--! differs the numbers and the number of the warnings
select hex(convert('€中' using gbk)), hex(convert('é' using big5)), hex(convert('ａ' using sjis)), hex(convert('~' using cp932)), hex(convert('뷁' using euckr));
select convert(_gbk x'D6D0' using utf8mb4), _sjis x'93FA' = _cp932 x'93FA', convert(_ujis x'8FB0A1' using utf8mb4), hex(convert(_big5 x'A4A4' using gbk));
insert into m (g) values ('한😀');
select collation_name, id, is_default from information_schema.collations where character_set_name in ('gbk','big5','sjis','ujis','euckr','gb2312','cp932','eucjpms') and collation_name not like '%nopad%' and id < 1000 order by id;
select character_set_name, default_collate_name, maxlen from information_schema.character_sets where character_set_name in ('gbk','big5','sjis','ujis','euckr','gb2312','cp932','eucjpms') order by 1;
alter table m modify g varchar(20) character set utf8mb4, modify u varchar(10) character set cp932;
select g, u, hex(u) from m order by w, g;
create table p (a varchar(10) character set gbk, unique (a(2)));
insert into p values ('中文一');
insert into p values ('中文二');
insert into p values ('中a');
set names euckr;
set names utf8mb4;
--! ours what is refused here
set names gbk;
set names sjis;
select replace(_gbk x'D6D0', 'a', 'b');
select trim('a' from w) from m;
--! end
drop table m, p;
