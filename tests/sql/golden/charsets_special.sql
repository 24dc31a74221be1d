-- swe7, tis620, and the Czech collations of latin2 and cp1250 that look at words and at `ch`.
create table t (s varchar(20) character set swe7, b varchar(20) character set swe7 collate swe7_bin, th varchar(20) character set tis620, tb varchar(20) character set tis620 collate tis620_bin, l varchar(30) character set latin2 collate latin2_czech_cs, w varchar(30) character set cp1250 collate cp1250_czech_cs, key (s), key (th), key (l), key (w), key (l(3)));
insert into t values ('Åse','Åse','เก่า','เก่า','chata','chata'),('åse','åse','กา','กา','cihla','cihla'),('ÖL','ÖL','แก้ว','แก้ว','hora','hora'),('Zorn','Zorn','ขา','ขา','Chata','Chata'),('Élan','Élan','ไข่','ไข่','a b','a b'),('elan','elan','Thai','Thai','ab','ab'),('üb','üb','thai','thai','a  b','a  b'),('','','ก','ก','č','č'),(null,null,null,null,null,null),('x ','x ','ก ','ก ','žába','žába'),('y','y','ก่ ','ก่ ','Zeď','Zeď');
select s, hex(s) from t order by s, b;
select b from t order by b;
select th, hex(th) from t order by th, hex(tb);
select tb from t order by tb, hex(tb);
select l from t order by l;
select w from t order by w;
select hex(weight_string(th)), hex(weight_string(l)), hex(weight_string(w)), hex(weight_string(s)) from t order by l;
select s from t where s = 'åSE' order by b;
select s from t where s like 'Å%' order by b;
select th from t where th = 'ก' order by tb;
select th from t where th like 'เก%';
select th, tb from t where th > 'กา' order by th, tb;
select l from t where l = 'CHATA';
select l from t where l between 'c' and 'i' order by l;
select w from t where w between 'c' and 'i' order by w;
select l from t where l like 'ch%' order by l;
select l, w from t where w like '_ata';
select l from t where l = 'a b   ' order by l;
select upper(s), lower(s), upper(th), upper(l), lower(w), length(th), char_length(th), reverse(s) from t order by l;
select min(th), max(th), min(l), max(l), min(w), max(w) from t;
select s, count(*) from t group by s order by s;
select count(distinct s), count(distinct th), count(distinct l) from t;
select concat(s, '[', l) from t where l = 'hora';
select replace(s, 'Ö', 'o'), trim('x' from s), instr(s, 'ö'), locate('é', s), substring_index(s, 'a', 1) from t order by l;
--! differs the text of the warnings
select hex(convert('[Ä]\\@' using swe7)), convert(_swe7 x'405B5C5D5E607B7C7D7E' using utf8mb4), hex(convert('กข€' using tis620)), convert(_tis620 x'A1DFFB' using utf8mb4);
select _swe7 x'5B' = 'Ä', _tis620 x'A1' = 'ก', _latin2 'a' collate latin2_czech_cs < _latin2 'B' collate latin2_czech_cs, _cp1250 'A' collate cp1250_czech_cs < _cp1250 'a' collate cp1250_czech_cs;
select concat(convert('12' using swe7), '') + 1, convert('1' using swe7) = 1, cast(convert('2020-01-02' using swe7) as date);
insert into t (s) values ('[');
insert into t (th) values ('é');
create table u (l varchar(10) character set latin2 collate latin2_czech_cs unique, w varchar(10) character set cp1250 collate cp1250_czech_cs unique, th varchar(10) character set tis620 unique);
insert into u values ('a', 'a', 'ก');
insert into u values ('a ', 'b', 'ข');
insert into u values ('b', 'a ', 'ค');
insert into u values ('c', 'c', 'ก ');
insert into u values ('A', 'A', 'A');
insert into u values ('d', 'd', 'a');
select hex(l), hex(w), hex(th) from u order by th;
create table e (e enum('Ä','ö','[') character set tis620);
create table e (e enum('Ä','ö') character set swe7 default 'ö', s set('å','é') character set swe7, t enum('ก','ข') character set tis620);
insert into e values ('Ä', 'é,å', 'ข'), (default, '', 'ก');
select e, hex(e), s, hex(s), t, hex(t) from e order by e + 0;
alter table t modify s varchar(20) character set utf8mb4, modify l varchar(30) character set utf8mb4 collate utf8mb4_bin;
select s, l from t order by l;
select collation_name, id, is_default, sortlen from information_schema.collations where collation_name in ('swe7_swedish_ci', 'swe7_bin', 'tis620_thai_ci', 'tis620_bin', 'latin2_czech_cs', 'cp1250_czech_cs') order by id;
--! differs MySQL 8 heads columns of information_schema by their own names
select character_set_name, default_collate_name, description, maxlen from information_schema.character_sets where character_set_name in ('swe7','tis620') order by 1;
show create table e;
set names tis620;
set names utf8mb4;
drop table t, u, e;
-- latin1_german2_ci (telephone books): an umlaut is its vowel and E, sharp s is SS; for LIKE and LOCATE they are letters of their own
SELECT _latin1 x'C4' COLLATE latin1_german2_ci = _latin1'ae', _latin1 x'D6' COLLATE latin1_german2_ci = _latin1'oe', _latin1 x'FC' COLLATE latin1_german2_ci = _latin1'ue', _latin1 x'DF' COLLATE latin1_german2_ci = _latin1'ss', _latin1 x'E4' COLLATE latin1_german2_ci = _latin1'a';
SELECT HEX(WEIGHT_STRING(_latin1 x'61E4C6DFFFD0' COLLATE latin1_german2_ci));
SELECT _latin1 x'61E4' COLLATE latin1_german2_ci LIKE _latin1'aae', _latin1 x'61E4' COLLATE latin1_german2_ci LIKE _latin1 x'41C4', _latin1 x'E0' COLLATE latin1_german2_ci LIKE _latin1'A', LOCATE(_latin1'e' COLLATE latin1_german2_ci, _latin1 x'E4');
CREATE TABLE german2 (a VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_german2_ci, KEY (a));
INSERT INTO german2 VALUES (_latin1 x'4DFC6C6C6572'), ('Mueller'), ('Muller'), ('Muffe'), (_latin1 x'4D61DF'), ('Mass'), ('Mast '), (_latin1 x'C4676964'), ('Aegidius'), ('Adam'), ('Afra'), ('');
--! sorted
SELECT a, COUNT(*) FROM german2 GROUP BY a;
SELECT HEX(a) FROM german2 ORDER BY a, HEX(a);
SELECT COUNT(*) FROM german2 WHERE a = 'mueller';
SELECT COUNT(*) FROM german2 WHERE a LIKE 'mue%';
SELECT COUNT(*) FROM german2 WHERE a LIKE _latin1 x'4DFC25';
SELECT COUNT(*) FROM german2 WHERE a BETWEEN 'ad' AND 'af';
CREATE TABLE german2u (a VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_german2_ci PRIMARY KEY);
INSERT INTO german2u VALUES (_latin1 x'4DFC6C6C6572');
INSERT INTO german2u VALUES ('Mueller');
DROP TABLE german2, german2u;
-- what is no text of the introducer's set (1300); ascii only warns
SELECT _utf8mb4 x'41FF4243444546';
--! differs surrogates are no characters of utf8mb4; MariaDB takes them
SELECT _utf8mb4 x'EDA0BD';
SELECT _utf8mb3 x'F09F9880';
SELECT _utf8mb4 b'11111111', _gbk 'a';
SELECT _gbk x'81';
SELECT _sjis 0x4181;
SELECT _ujis x'8FA1';
SELECT _euckr x'A1FF';
--! differs MariaDB refuses it
SELECT HEX(_ascii x'FF'), HEX(_latin1 x'FF'), HEX(_tis620 x'FF'), HEX(_binary x'FF');
SELECT HEX(_utf8mb4 x''), HEX(_utf8mb4 x'C3A4'), HEX(_gbk x'8140');
-- between quotes it is only a warning
--! differs MariaDB does not warn
SELECT HEX(_gbk'a中'), CHAR_LENGTH(_gbk'a中'), HEX(_ascii'ä'), HEX(_utf8mb3'😀'), HEX(_sjis'ab中');
