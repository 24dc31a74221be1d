-- Functions: encryption, compression, network addresses, formatting, locales.
select hex(aes_encrypt('text','key')), aes_decrypt(aes_encrypt('text','key'),'key'), aes_decrypt(aes_encrypt('text','key'),'other');
--! differs MariaDB does not say that a key is too long
select hex(aes_encrypt('','')), hex(aes_encrypt(repeat('x',16),'0123456789abcdef0123')), aes_encrypt(null,'k'), aes_encrypt('a',null), aes_decrypt('garbage','k');
--! ours MariaDB 10.11 has no block_encryption_mode and no KDF
set block_encryption_mode='aes-256-cbc';
select hex(aes_encrypt('text','key','0123456789abcdef')), aes_decrypt(aes_encrypt('text','key','0123456789abcdef'),'key','0123456789abcdef');
select aes_encrypt('text','key');
select aes_encrypt('text','key','short');
select aes_encrypt('text','key',null);
set block_encryption_mode='aes-128-ecb';
select hex(aes_encrypt('text','key','0123456789abcdef'));
select length(aes_encrypt('text','key','','hkdf')), aes_decrypt(aes_encrypt('text','key','','hkdf','salt','info'),'key','','hkdf','salt','info');
select aes_decrypt(aes_encrypt('text','key','','pbkdf2_hmac','salt','2000'),'key','','pbkdf2_hmac','salt','2000');
select aes_encrypt('text','key','','md5');
select aes_encrypt('text','key','','pbkdf2_hmac','salt','1');
--! end
select uncompress(compress('some text some text')), uncompressed_length(compress(repeat('a',1000))), hex(compress('')), length(compress(repeat('a',1000))) < 30;
select compress(null), uncompress(null), uncompressed_length(null), uncompress(''), uncompressed_length('');
--! differs MariaDB gives NULL for the length
select uncompress('not compressed at all'), uncompressed_length('ab');
select hex(inet6_aton('fdfe::5a55:caff:fefa:9089')), hex(inet6_aton('10.0.5.9')), inet6_ntoa(inet6_aton('fdfe::5a55:caff:fefa:9089')), inet6_ntoa(unhex('0A000509'));
select inet6_ntoa(inet6_aton('::1')), inet6_ntoa(inet6_aton('::ffff:1.2.3.4')), inet6_ntoa(inet6_aton('::1.2.3.4')), inet6_aton(null), inet6_ntoa(null);
--! differs MariaDB gives 0 for NULL
select is_ipv4_compat(inet6_aton('::10.0.5.9')), is_ipv4_compat(inet6_aton('::ffff:10.0.5.9')), is_ipv4_mapped(inet6_aton('::10.0.5.9')), is_ipv4_mapped(inet6_aton('::ffff:10.0.5.9')), is_ipv4_compat(inet6_aton('::1')), is_ipv4_mapped(null);
--! ours MySQL 8.4: a bad address is error 1411; MariaDB gives NULL
select inet6_aton('nonsense');
select inet6_ntoa('abc');
--! end
select inet_aton('127.1'), inet_ntoa(2130706433), is_ipv4('1.2.3.4'), is_ipv6('::1');
--! ours MySQL 8 only
select format_bytes(512), format_bytes(1024), format_bytes(18446644073709551615), format_bytes(null), format_bytes(-2048);
select format_pico_time(3501), format_pico_time(188732396662000), format_pico_time(12), format_pico_time(null), format_pico_time(86400000000000000);
select statement_digest_text('select 1 + a from t where b in (1,2,3)'), statement_digest('select 1') = statement_digest('SELECT   2');
select statement_digest('selec');
--! mysql threads have numbers of their own in Performance Schema
select ps_current_thread_id() = connection_id(), ps_thread_id(connection_id()) = connection_id(), ps_thread_id(null);
select icu_version() is not null, validate_password_strength('x'), validate_password_strength(null);
--! end
select name_const('x', 5) as x, name_const('y', -1.5) as y, name_const('z', 'abc') as z;
select name_const('n1', 5), name_const(10, 5), concat(name_const('n1', 5));
select name_const('x', 1+1);
select name_const(a, 1) from (select 1 as a) t;
select load_file('/nonexistent'), load_file(null);
select get_format(date,'USA'), get_format(time,'eur'), get_format(datetime,'ISO'), get_format(timestamp,'INTERNAL'), get_format(date,'XX'), get_format(date,null);
select date_format('2003-10-03', get_format(date,'EUR'));
-- locales
select format(1234567.891, 2, 'de_DE'), format(1234567.891, 2, 'fr_FR'), format(12345678.5, 1, 'en_IN'), format(-1234.5, 0, 'de_CH'), format(1234.5, 2, 'sv_SE');
select format(1234.5, 2, 'xx_YY');
select format(1234.5, 2, null);
set lc_time_names='de_DE';
select @@lc_time_names, monthname('2020-03-01'), dayname('2020-03-01'), date_format('2020-03-04','%W %a %M %b %d'), time_format('10:11:12','%H');
set lc_time_names='ja_JP';
select monthname('2020-03-01'), dayname('2020-03-01'), date_format('2020-12-04','%W %a %M %b');
select str_to_date('March 5 2020','%M %d %Y');
set lc_time_names='xx_YY';
set lc_time_names='fr_FR';
select date_format(null,'%M'), monthname('2020-00-01'), date_format('2020-02-03', '%e %b');
set lc_time_names=4;
select @@lc_time_names;
set lc_time_names=5000;
set lc_time_names=default;
select monthname('2020-03-01');
--! differs MySQL's DATE_FORMAT has two arguments; MariaDB's third is a locale
select date_format('2020-03-01', '%M', 'de_DE');
select field(9007199254740993, 9007199254740992.0, 9007199254740993.0), field(1.1, 1, 1.10), field(null, 1.5, null), field(2.0, 1, 2), field(0.1, 0.1e0);
