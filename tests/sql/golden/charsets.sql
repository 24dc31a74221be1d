-- The table-driven 8-bit character sets.
create table c (k char(10) character set koi8r, l varchar(10) character set latin2 collate latin2_general_ci, w varchar(10) character set cp1251 collate cp1251_bin, g text character set greek);
insert into c values ('Привет','Žluťoučký','Мир','Ελλάς'),('привет','žlutoucky','мир','ΕΛΛΑΣ');
select * from c order by l;
select hex(k), hex(l), hex(w), hex(g) from c order by l;
select k, count(*) from c group by k;
select w from c order by w;
select upper(k), lower(k), upper(w), length(w), char_length(w) from c order by w;
select k like 'ПРИ%', w like 'м%' from c order by w;
select hex(convert('Ŕ' using cp1250)), hex(convert('ß' using latin5)), hex(convert('Я' using cp866));
select convert(_koi8r x'C1C2C7' using utf8mb4), _cp1251 x'E0E1' = _koi8r x'C1C2';
insert into c (k) values ('中');
alter table c modify k char(10) character set utf8mb4;
select k from c order by w;
create table c2 (a varchar(5) character set latin7 collate latin2_bin);
select collation_name, id, is_default from information_schema.collations where character_set_name='cp1250' and id < 1000 and collation_name not like '%czech%' order by id;
--! differs MySQL 8 heads columns of information_schema by their own names
select character_set_name, default_collate_name, description, maxlen from information_schema.character_sets where character_set_name in ('koi8r','hebrew','macce','cp866') order by 1;
create table i (s varchar(20) character set cp1250 collate cp1250_polish_ci, primary key (s));
insert into i values ('lato'),('łapa'),('mama'),('ląd');
select s from i order by s;
select s from i where s = 'LATO';
set names latin2;
set names utf8mb4;
-- members of ENUM and SET are in their column's character set
CREATE TABLE em (e ENUM('ä','ö ','x') CHARACTER SET latin1 DEFAULT 'ö', s SET('ü','é','a') CHARACTER SET latin2 DEFAULT 'é,ü', k ENUM('да','нет') CHARACTER SET koi8r, g ENUM('中','文') CHARACTER SET gbk);
INSERT INTO em VALUES ('ö','ü,é','нет','文'),('x','a','да','中');
INSERT INTO em (k) VALUES ('ДА');
INSERT INTO em (e) VALUES ('ß');
SELECT e, HEX(e), s, HEX(s), k, HEX(k), g, HEX(g), CHAR_LENGTH(s), LENGTH(s) FROM em ORDER BY e + 0, s + 0;
SELECT e FROM em WHERE e = 'ö' AND s = 'ü,é';
SELECT e FROM em WHERE k = 'да';
--! differs MariaDB quotes defaults in information_schema; MySQL shows the value
SELECT column_name, column_type, column_default, character_maximum_length FROM information_schema.columns WHERE table_name = 'em' ORDER BY ordinal_position;
CREATE TABLE em2 (s SET('ü','é') CHARACTER SET cp1251);
ALTER TABLE em DROP COLUMN k, DROP COLUMN g;
--! differs MariaDB does not convert the default of an ENUM and refuses (1067); the manual converts every character column
--! mysql MySQL refuses to convert an ENUM whose default is no ASCII
ALTER TABLE em CONVERT TO CHARACTER SET utf8mb4;
--! differs as the statement before
--! mysql MySQL refuses to convert an ENUM whose default is no ASCII
SELECT e, HEX(e), s, HEX(s) FROM em ORDER BY e + 0, s + 0;
--! differs MariaDB quotes defaults in information_schema; MySQL shows the value
SELECT column_name, column_type, column_default FROM information_schema.columns WHERE table_name = 'em' ORDER BY ordinal_position;
ALTER TABLE em MODIFY e ENUM('x','ö','ä','ø') CHARACTER SET latin1;
SELECT e, HEX(e) FROM em ORDER BY e + 0;
DROP TABLE em;
