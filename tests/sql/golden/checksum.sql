-- CHECKSUM TABLE: the number is MySQL's, for every type (MariaDB's rows are others).
--! ours MariaDB hashes other bytes
create table i (a tinyint, b smallint not null, c mediumint, d int unsigned not null, e bigint, y year);
insert into i values (1, 2, 3, 4, 5, 2024), (-1, -2, -3, 4294967295, -5, 1901), (null, 0, null, 0, null, null);
checksum table i;
create table nn (a int not null, b int not null);
insert into nn values (1, 2), (3, 4);
checksum table nn;
create table packed (a int not null) row_format=dynamic;
insert into packed values (1), (2);
checksum table packed;
create table f (a float, b double not null, c decimal(10, 3), d decimal(30, 10) not null, e float not null);
insert into f values (1.5, 2.25, 12345.678, -1234567890.0123456789, -0.5), (null, 0, null, 0, 0);
checksum table f;
create table s (a char(5), b varchar(20) not null, c text, d blob, e binary(4), f varbinary(9), g char(3) character set latin1 not null);
insert into s values ('abc', 'de', 'text', x'00ff', 'x', 'yz', 'q'), (null, '', null, null, null, null, ''), ('äöü', 'ß', 'ü', '', 'abcd', '', 'é');
checksum table s;
create table onlychar (a char(3), b char(2) not null);
insert into onlychar values ('a', 'b'), (null, 'c');
checksum table onlychar;
create table t (a date, b time, c time(2), d time(4), e time(6), f datetime, g datetime(3) not null, h timestamp null, i timestamp(6) null);
set time_zone = '+05:30';
insert into t values ('2024-02-29', '12:34:56', '-01:02:03.45', '-00:00:00.1234', '-838:59:58.999999', '2024-02-29 23:59:59', '1999-12-31 00:00:00.125', '2024-02-29 12:00:00', '2024-02-29 12:00:00.123456');
insert into t values (null, null, null, null, null, null, '1000-01-01', null, null);
checksum table t;
set time_zone = default;
checksum table t;
create table m (a enum('x', 'y'), b set('p', 'q', 'r') not null, c bit(3), d bit(17) not null, j json);
insert into m values ('y', 'p,r', b'101', 65537, '{"a": [1, "x", null]}'), (null, '', null, 0, null);
checksum table m;
create table d (a int default 7, b varchar(5) default 'abc', c char(4) default 'zz', e date default '2020-01-01', f decimal(5,2) default 1.5, g datetime default current_timestamp);
insert into d values (null, null, null, null, null, null), (1, 'x', 'y', '2021-02-03', 2.5, '2021-02-03 04:05:06');
checksum table d;
create table g (a int, b int as (a + 1) virtual, c varchar(10) as (concat('n', a)) stored, d int, e int as (a * 2) virtual not null);
insert into g (a, d) values (1, 2), (3, null);
checksum table g;
create table eight (a int, b int, c int, d int, e int, f int, g int, h varchar(3));
insert into eight values (1, null, 3, null, 5, null, 7, 'x'), (null, null, null, null, null, null, null, null);
checksum table eight;
create table seven (a int, b int, c int, d int, e int, f int, g int);
insert into seven values (1, null, 3, null, 5, null, 7), (null, null, null, null, null, null, null);
checksum table seven;
create table w (a char(3) character set utf16, b varchar(3) character set ucs2, c char(2) character set utf32 not null);
insert into w values ('a', 'bc', 'd'), (null, null, '');
checksum table w;
create table empty (a int);
checksum table empty, i, nn;
--! end
-- what only functional key parts need
--! ours MariaDB has no functional key parts
CREATE TABLE hidden (a INT PRIMARY KEY, b INT, j JSON, KEY ((b + 1)), KEY ((b * 2), (a + b)));
CHECKSUM TABLE hidden;
INSERT INTO hidden VALUES (1, 2, '[1]'), (2, NULL, NULL);
CHECKSUM TABLE hidden;
CREATE TABLE multi (a INT PRIMARY KEY, j JSON, KEY ((CAST(j AS UNSIGNED ARRAY))));
INSERT INTO multi VALUES (1, '[1,2]');
--! mysql it takes the elements in
CHECKSUM TABLE multi;
--! end
