-- gb18030 (MariaDB has none): the answers are the manual's rules, the conversions those of Python's codec.
--! ours MariaDB has no gb18030
create table t (a varchar(20) character set gb18030, b varchar(20) character set gb18030 collate gb18030_bin, u char(10) character set gb18030 collate gb18030_unicode_520_ci, x text character set gb18030, key (a), key (b), key (u), unique (a(2), b), key (x(3)));
insert into t values ('中文a','中文a','中文','😀'),('阿b','阿b','阿','é'),('波','波','波','ḿ'),('Abc','Abc','Straße','abc'),('abd','abd','strasse2','x '),('é','é','É','𠀀'),('É','É','e','㐀'),('一','一','二','三'),('','',null,''),(null,null,'z',null),('𠼞','𠼞','ﬀ','か');
select a, hex(a), length(a), char_length(a) from t order by a, b;
select b from t order by b;
select u from t order by u;
select x, hex(x), length(x), char_length(x) from t order by x;
select a from t where a = 'ABC';
select a from t where a = 'É' order by b;
select b from t where b = 'É';
select u from t where u = 'STRASSE';
select a from t where a like '中_a';
select a from t where a like 'é%' order by b;
select a from t where a > '阿' order by a;
select a, count(*) from t group by a order by a;
select upper(a), lower(a), left(a, 1), right(a, 1), reverse(a), substring(a, 2), lpad(a, 4, '文'), insert(a, 1, 1, 'é'), locate('文', a), concat(a, x) from t order by t.a, b;
select replace(a, '文', '字'), trim('a' from a), instr(a, '文'), substring_index(a, '文', 1) from t order by t.a, b;
select hex(weight_string(a)) from t order by a, b;
select convert(_gb18030 x'D6D0' using utf8mb4), convert(_gb18030 x'81308130' using utf8mb4) = _utf8mb4 x'C280', hex(convert(_gb18030 x'A8BC8135F437' using utf16)), convert(_gb18030 x'9439FC36' using utf8mb4);
select hex(convert('€中é😀�' using gb18030)), hex(convert(_utf16 x'E000F8FFE766' using gb18030)), convert(_gb18030 x'84328130' using utf8mb4);
select hex(convert(convert(_gbk x'80A2A1' using gb18030) using utf8mb4)), _gb18030 x'D6D0' = _gbk x'D6D0', _gb18030 x'D6D0' = '中', hex(_gb18030'中');
select convert(x'81' using gb18030);
select char(0xD6D0 using gb18030), ord(convert('中' using gb18030)), ord(convert('😀' using gb18030)), ascii(convert('中' using gb18030)), bit_length(convert('é😀' using gb18030));
insert into t (a, b) values ('中文b', '中文a');
insert into t (a, b) values ('中文', '中文a');
insert into t (b) values (x'81');
insert into t (b) values (x'8130');
alter table t modify x varchar(10) character set utf8mb4, modify b varchar(20) character set gb18030;
select a, b, x from t order by a, b, x;
create table e (e enum('中','é','x') character set gb18030 default 'é', s set('中','😀') character set gb18030);
insert into e values ('中', '😀,中'), (default, ''), (3, 1);
select e, hex(e), s, hex(s), length(s) from e order by e + 0;
--! mysql members that a client's set lacks are question marks in MySQL's dictionary
show create table e;
--! mysql members that a client's set lacks are question marks in MySQL's dictionary
select column_name, column_type, character_set_name, collation_name, character_octet_length from information_schema.columns where table_schema = database() and table_name in ('e', 't') order by table_name, ordinal_position;
select collation_name, id, is_default, sortlen, pad_attribute from information_schema.collations where character_set_name = 'gb18030' order by id;
select character_set_name, default_collate_name, description, maxlen from information_schema.character_sets where character_set_name = 'gb18030';
create table big (a varchar(16384) character set gb18030);
create table big (a varchar(16383) character set gb18030);
create table k (a varchar(800) character set gb18030 primary key);
drop table t, e;
