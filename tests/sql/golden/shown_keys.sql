-- What a table shows of its keys and defaults: the UNIQUE key that stands for a primary one, binary defaults in hexadecimal, old collations.
--! ours MariaDB shows other keys of FULLTEXT, defaults as text and no warnings of old sets; MySQL answers all of it the same
create table s1 (p int not null, q int, unique (p));
show columns from s1;
create table s2 (p int not null, q int not null, r int not null, unique (p, q), unique (r));
show columns from s2;
create table s3 (p int not null, q int, t text, unique (p), fulltext (t));
show columns from s3;
create table s4 (p varchar(30) not null, q int not null, unique (p(5)), unique (q));
show columns from s4;
create table s5 (p int, q int not null, unique (p), unique (q));
show columns from s5;
create table s6 (p int not null, key (p), unique kk ((p+1)));
show columns from s6;
create table v (a varbinary(10) default 'abc', b binary(5) default '', c varbinary(3) default x'00ff', d blob, e varchar(5) charset latin1 default 'é', f bit(3) default b'101', g binary(4) default 0x61);
select column_name, column_default from information_schema.columns where table_name = 'v' order by ordinal_position;
show columns from v;
show create table v;
create table si (p int unsigned not null, t varchar(255) not null default '', x mediumtext not null);
create unique index si_p on si (p);
show columns from si;
alter table si alter column x set default null;
alter table si alter column x set default 'a';
alter table si alter column t set default null;
create database d1 default character set utf8 collate utf8_bin;
create database d2 default character set utf8;
create database d3 collate utf8_bin;
create table a1 (x varchar(10) collate utf8_bin) ;
create table a2 (x varchar(10)) default character set utf8 collate utf8_bin;
create table a3 (x varchar(10)) collate utf8_bin;
create table a4 (x varchar(10)) character set utf8;
create table a5 (x varchar(10) character set utf8 collate utf8_general_ci) default charset=latin1;
create table a6 (x varchar(10)) character set utf8mb3 collate utf8mb3_bin;
alter table a1 convert to character set utf8 collate utf8_bin;
alter table a1 default character set utf8 collate utf8_bin;
alter table a1 collate utf8mb3_bin;
alter database d1 collate utf8mb3_bin;
alter table a1 modify x varchar(20) collate utf8_bin;
select 'a' collate utf8mb3_bin;
select _utf8'a' collate utf8_bin;
set names utf8 collate utf8_bin;
set names utf8mb4;
--! types
select * from s1;
drop database d1;
drop database d2;
drop database d3;
--! end
