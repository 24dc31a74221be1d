-- ucs2, utf16, utf16le, utf32 in expressions: introducers, CONVERT, CAST.
select hex(convert('aé€' using ucs2)), hex(convert('aé€' using utf16)), hex(convert('aé€' using utf16le)), hex(convert('aé€' using utf32));
--! names off
select hex(convert('😀' using utf16)), hex(convert('😀' using utf16le)), hex(convert('😀' using utf32));
select length(convert('a😀' using utf16)), char_length(convert('a😀' using utf16)), bit_length(convert('ab' using utf32)), char_length(convert('' using utf32));
--! names on
select _ucs2 x'00410042', _utf16 x'D83DDE00', _utf16le x'3DD800DE', _utf32 x'0001F600';
select hex(_ucs2'a'), hex(_utf16'ab'), hex(_utf32'a'), hex(_ucs2 x'41');
--! differs the number of the warning
select convert(_utf16 x'00E9' using utf8mb4), convert(_utf32 x'000000E9' using latin1), hex(convert(_utf16 x'D83DDE00' using latin1));
select charset(_utf16'ab'), collation(_utf16'ab'), charset(convert('a' using utf32)), collation(_utf16le'ab' collate utf16le_bin);
select _utf16 x'00410062' = _utf16 x'00610042', _utf16 x'0041' = _utf16 x'0061' collate utf16_bin, _utf32 x'00000041' < _utf32 x'0001F600' collate utf32_bin, _ucs2 x'00410020' = _ucs2 x'0041';
select hex(cast(12.5 as char character set utf16)), hex(cast('x' as char(3) character set ucs2)), hex(cast(_utf16 x'0041' as binary));
select cast(_utf16 x'00310032' as signed), cast(_ucs2 x'0031002E0035' as decimal(5,2)), cast(_utf16 x'0032003000320034002D00300031002D00300031' as date);
select md5(convert('a' using ucs2)), md5(_ucs2 x'0061'), to_base64(_utf16 x'0061');
create table t (s varchar(20) character set utf8mb4, l varchar(20) character set latin1, n int, d date);
insert into t values (_utf16 x'0041', _utf32 x'000000E9', _ucs2 x'00370037', _utf16 x'0032003000320034002D00300031002D00300031'), ('é', 'ü', 1, null);
select * from t;
select s from t where s = _utf16 x'0041';
select s from t order by convert(s using utf16);
select convert(s using utf16), count(*) from t group by convert(s using utf16) order by 1;
select count(convert(s using utf16)), max(convert(s using utf32)) from t;
set @u = _utf16 x'00410042';
select hex(@u), charset(@u);
select _utf16 x'0041' collate utf8mb4_bin;
create table bad (a varchar(5) collate utf16_nope);
set names ucs2;
set character_set_client = utf16;
--! differs MySQL 8 heads columns of information_schema by their own names
select character_set_name, default_collate_name, maxlen from information_schema.character_sets where character_set_name like 'utf16%' or character_set_name in ('ucs2', 'utf32') order by 1;
--! ours what is refused here, or was; MySQL tells malformed text where MariaDB reads it
select _utf16 x'D83D';
select upper(_utf16 x'0061');
select concat(_utf16 x'0061', _utf16 x'0062');
select _utf16 x'0061' like 'a';
select if(1, _utf16 x'0061', _utf16 x'0062');
select group_concat(convert(s using utf16)) from t;
set character_set_results = utf16;
set collation_connection = utf32_general_ci;
--! end
drop table t;
