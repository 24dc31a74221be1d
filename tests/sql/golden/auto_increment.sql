-- AUTO_INCREMENT in statements of many rows: values given and generated mixed, rows that are not stored, steps, changed values.
-- Tables start with ai_.

-- a value given moves the rest of the statement behind it
create table ai_m (id int primary key auto_increment, v int, unique key (v));
insert into ai_m values (null, 1), (20, 2), (0, 3), (null, 4);
select last_insert_id(), id, v from ai_m order by v;
insert into ai_m (v) values (5);
select id from ai_m where v = 5;
-- one that is smaller than the next does not; one before the first generated value counts too
insert into ai_m values (null, 11), (7, 12), (null, 13), (90, 14), (null, 15), (91, 16);
insert into ai_m values (100, 21), (null, 22), (99, 23), (default, 24), (150, 25), (0, 26);
select last_insert_id();
select id, v from ai_m order by v;
--! differs MariaDB prints display widths
show create table ai_m;
-- of a query: runs of one, two, four ... values
create table ai_s (n int primary key, i int);
insert into ai_s values (1, null), (2, 500), (3, 0), (4, null), (5, 400), (6, null), (7, 700), (8, null), (9, null);
create table ai_q (id int primary key auto_increment, n int);
insert into ai_q select i, n from ai_s order by n;
select last_insert_id();
select id, n from ai_q order by n;
--! differs MariaDB prints display widths
show create table ai_q;
insert into ai_q select null, n + 10 from ai_s order by n;
--! differs MariaDB prints display widths
show create table ai_q;
insert into ai_q (n) select n + 20 from ai_s where n < 0;
select last_insert_id();
--! differs MariaDB prints display widths
show create table ai_q;

-- rows that are not stored: their value goes to the next row
create table ai_d (id int primary key auto_increment, v int, unique key (v));
insert into ai_d values (null, 1), (null, 2), (null, 3);
insert ignore into ai_d values (null, 1), (50, 2), (null, 4), (null, 3), (null, 5);
select last_insert_id(), id, v from ai_d order by v;
--! differs MariaDB prints display widths
show create table ai_d;
insert into ai_d values (null, 1), (60, 2), (null, 6), (null, 7) on duplicate key update v = v + 100;
select last_insert_id(), id, v from ai_d order by v;
--! differs MariaDB prints display widths
show create table ai_d;
insert into ai_d values (null, 101), (null, 8) on duplicate key update id = id + 1000;
--! differs MariaDB's LAST_INSERT_ID() is the value before it was changed
select last_insert_id(), id, v from ai_d order by v;
insert into ai_d values (null, 101), (null, 101) on duplicate key update id = last_insert_id(id);
select last_insert_id();
replace into ai_d values (null, 101), (2000, 102), (null, 3), (null, 9), (3000, 4), (null, 10);
--! differs follows from the above
select last_insert_id(), id, v from ai_d order by v;
--! differs MariaDB prints display widths
show create table ai_d;
-- a statement that fails keeps what it took, and a value given and refused moves nothing
insert into ai_d values (null, 20), (9000, 101), (null, 21);
insert into ai_d values (null, 22);
select id from ai_d where v = 22;
-- but in INSERT ... SELECT and REPLACE
insert ignore into ai_d select 9500, 22;
--! differs MariaDB prints display widths
show create table ai_d;

-- steps
set auto_increment_increment = 10, auto_increment_offset = 3;
create table ai_t (id int primary key auto_increment, v int);
insert into ai_t values (null, 1), (null, 2), (44, 3), (null, 4), (null, 5), (83, 6), (null, 7);
select last_insert_id(), id, v from ai_t order by v;
--! differs MariaDB prints display widths
show create table ai_t;
insert into ai_t values (300, 8);
--! differs MariaDB prints display widths
show create table ai_t;
insert into ai_t select i, n + 100 from ai_s order by n;
select id, v from ai_t where v > 100 order by v;
--! differs MariaDB prints display widths
show create table ai_t;
set auto_increment_increment = default, auto_increment_offset = default;
insert into ai_t (v) values (9);
select last_insert_id();

-- the largest value
create table ai_e (id tinyint primary key auto_increment, v int);
insert into ai_e values (null, 1), (120, 2), (null, 3);
--! differs MariaDB prints display widths
show create table ai_e;
--! differs MariaDB: 167
insert into ai_e values (null, 4), (127, 5), (null, 6);
select * from ai_e order by id;
insert into ai_e values (127, 5);
--! differs MariaDB prints display widths
show create table ai_e;
--! differs MariaDB: 167
insert into ai_e values (null, 7);
create table ai_b (id bigint unsigned primary key auto_increment, v int);
insert into ai_b values (null, 1), (18446744073709551614, 2), (null, 3);
select count(*) from ai_b;

-- INSERT_ID
create table ai_i (id int primary key auto_increment, v int);
set insert_id = 40;
insert into ai_i values (100, 1), (null, 2), (null, 3);
select * from ai_i order by v;
set insert_id = 200;
insert into ai_i values (null, 4), (250, 5), (null, 6);
select last_insert_id(), id, v from ai_i where v > 3 order by v;

-- an UPDATE to a larger value
create table ai_u (id int primary key auto_increment, v int);
insert into ai_u values (null, 1), (null, 2);
update ai_u set id = 77 where v = 1;
--! differs MariaDB prints display widths
show create table ai_u;
insert into ai_u (v) values (3);
update ai_u set id = 5 where v = 2;
insert into ai_u (v) values (4);
select * from ai_u order by v;
create table ai_k (k int primary key, id int not null auto_increment, key (id));
insert into ai_k (k) values (1), (2);
update ai_k set id = id + 500 where k = 1;
insert into ai_k (k) values (3);
select * from ai_k order by k;

-- negative values, and 0 where it is a value
insert into ai_u values (-4, 5), (null, 6), (-3, 7), (null, 8);
set sql_mode = concat(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO');
insert into ai_u values (0, 9), (null, 10);
select * from ai_u where v > 4 order by v;
set sql_mode = default;

-- not for FLOAT and DOUBLE
--! differs MySQL 8.4 has removed it
create table ai_f (id float primary key auto_increment);
--! differs MySQL 8.4 has removed it
create table ai_f (id double unsigned auto_increment, key (id));
--! differs MySQL 8.4 has removed it
alter table ai_u modify id double auto_increment;

drop table ai_m, ai_s, ai_q, ai_d, ai_t, ai_e, ai_b, ai_i, ai_u, ai_k;

-- values used up: REPLACE replaces nothing by a generated value; a later row of a statement has none (1467); beyond the last value in larger steps, and
-- with SET INSERT_ID, the last one that the column takes
CREATE TABLE last1 (id TINYINT AUTO_INCREMENT PRIMARY KEY, a INT, UNIQUE (a));
INSERT INTO last1 (id, a) VALUES (126, 1);
INSERT INTO last1 (a) VALUES (2);
--! differs MariaDB refuses values beyond the last one (167)
INSERT INTO last1 (a) VALUES (3);
--! differs MariaDB refuses values beyond the last one (167)
REPLACE INTO last1 (a) VALUES (4);
--! differs MariaDB refuses values beyond the last one (167)
REPLACE INTO last1 (a) VALUES (5), (6);
--! differs MariaDB refuses values beyond the last one (167)
REPLACE INTO last1 (a) SELECT 31 UNION SELECT 32;
--! differs MariaDB refuses values beyond the last one (167)
INSERT INTO last1 (a) VALUES (7) ON DUPLICATE KEY UPDATE a = 8;
SELECT LAST_INSERT_ID();
--! differs MariaDB refuses values beyond the last one (167)
SELECT * FROM last1;
--! differs MariaDB refuses values beyond the last one (167)
INSERT IGNORE INTO last1 (a) VALUES (20), (21);
REPLACE INTO last1 VALUES (127, 9);
SELECT * FROM last1;
SET INSERT_ID = 127;
REPLACE INTO last1 (a) VALUES (70);
SET INSERT_ID = 128;
--! differs MariaDB refuses values beyond the last one (167)
REPLACE INTO last1 (a) VALUES (71);
CREATE TABLE last2 (id TINYINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, a INT);
INSERT INTO last2 VALUES (253, 1);
--! differs MariaDB refuses values beyond the last one (167)
INSERT INTO last2 (a) VALUES (2), (3), (4);
--! differs MariaDB refuses values beyond the last one (167)
INSERT IGNORE INTO last2 (a) SELECT 2 UNION SELECT 3 UNION SELECT 4;
SELECT * FROM last2;
TRUNCATE last2;
INSERT INTO last2 VALUES (230, 1);
SET auto_increment_increment = 10, auto_increment_offset = 4;
INSERT INTO last2 (a) VALUES (2), (3), (4);
--! differs MariaDB refuses values beyond the last one (167)
INSERT INTO last2 (a) VALUES (2);
--! differs MariaDB refuses values beyond the last one (167)
INSERT IGNORE INTO last2 (a) VALUES (2), (3);
SET sql_mode = '';
--! differs MariaDB refuses values beyond the last one (167)
INSERT INTO last2 (a) VALUES (2);
--! differs MariaDB refuses values beyond the last one (167)
INSERT INTO last2 (a) VALUES (2) ON DUPLICATE KEY UPDATE a = a + 100;
--! differs MariaDB refuses values beyond the last one (167)
SELECT * FROM last2;
SET auto_increment_increment = DEFAULT, auto_increment_offset = DEFAULT, sql_mode = DEFAULT;
DROP TABLE last1, last2;
-- a table that is built anew goes on counting; AUTO_INCREMENT = n goes back as far as there are no rows
--! ours MariaDB goes on from the rows when it copies
SET sql_mode = DEFAULT;
create table ra (id int auto_increment primary key, c int);
insert into ra (c) values (1),(2),(3);
delete from ra where id > 1;
optimize table ra;
show create table ra;
insert into ra (c) values (9);
select * from ra;
delete from ra;
alter table ra force;
show create table ra;
insert into ra (c) values (9);
delete from ra;
alter table ra force, algorithm=copy;
show create table ra;
insert into ra (c) values (9);
delete from ra;
alter table ra add d int first, algorithm=inplace;
show create table ra;
insert into ra (c) values (9);
delete from ra;
alter table ra modify c bigint;
show create table ra;
insert into ra (c) values (9);
delete from ra;
alter table ra modify id bigint auto_increment;
show create table ra;
insert into ra (c) values (9);
delete from ra;
select sleep(2);
alter table ra auto_increment = 3;
show create table ra;
insert into ra (c) values (9);
alter table ra auto_increment = 1, force;
show create table ra;
insert into ra (c) values (9);
delete from ra;
create table ra2 like ra;
show create table ra2;
alter table ra rename to ra3;
show create table ra3;
insert into ra3 (c) values (9);
delete from ra3;
alter table ra3 convert to character set latin1;
show create table ra3;
alter table ra3 engine=innodb;
show create table ra3;
delete from ra3;
truncate table ra3;
show create table ra3;
create temporary table rtt (id int auto_increment primary key, c int);
insert into rtt (c) values (1),(2);
delete from rtt;
alter table rtt add d int;
insert into rtt (c) values (3);
select * from rtt;
create table rf (id int auto_increment primary key, c int) auto_increment = 10;
insert into rf (id) select 0 from (select 1 union select 2) q where 1=0;
insert into rf (id, c) values (null, 1);
delete from rf;
alter table rf drop primary key, add key (id);
insert into rf (c) values (2);
select * from rf;
--! end

-- ALTER TABLE ... AUTO_INCREMENT goes back to behind the last row, whether deleted rows have been purged or not
create table rs (id bigint unsigned not null auto_increment primary key, a int);
insert into rs (a) values (1), (2), (3), (4), (5);
delete from rs;
insert into rs values (1, 1), (2, 2);
alter table rs auto_increment = 3;
--! differs MariaDB prints display widths and numbers without quotes
show create table rs;
insert into rs (a) values (9);
select * from rs;
begin;
delete from rs;
insert into rs values (1, 1), (2, 2);
alter table rs auto_increment = 3;
insert into rs (a) values (9);
select * from rs;
delete from rs where id > 1;
alter table rs auto_increment = 1;
--! differs MariaDB prints display widths and numbers without quotes
show create table rs;
insert into rs (a) values (7), (8);
delete from rs where a = 8;
alter table rs auto_increment = 100;
--! differs MariaDB prints display widths and numbers without quotes
show create table rs;
delete from rs;
alter table rs auto_increment = 1, add b int default 4;
insert into rs (a) values (1), (2), (3);
select * from rs;
-- what comes afterwards goes on from there
delete from rs where id > 1;
alter table rs auto_increment = 2;
alter table rs add c int;
--! differs MariaDB prints display widths and numbers without quotes
show create table rs;
alter table rs alter c set default 5, rename to rs2;
--! differs MariaDB prints display widths and numbers without quotes
show create table rs2;
rename table rs2 to rs;
create index k on rs (a);
drop index k on rs;
--! differs MariaDB's histograms are made otherwise
analyze table rs update histogram on a;
alter table rs comment = 'x';
insert into rs (a) values (2);
select * from rs;
delete from rs where id > 1;
alter table rs auto_increment = 2, add index k (a);
insert into rs (a) values (12), (13);
delete from rs where a = 13;
alter table rs auto_increment = 2, drop index k;
insert into rs (a) values (14);
delete from rs where a = 14;
alter table rs auto_increment = 2, force;
insert into rs (a) values (15);
select id, a from rs;
-- a second index, a temporary table
create table rd (a int, id int not null auto_increment, key (id), key (a));
insert into rd (a) values (1), (2), (3), (4);
delete from rd where id > 2;
alter table rd auto_increment = 1;
insert into rd (a) values (5), (6);
update rd set id = 90 where a = 6;
update rd set id = 7 where a = 6;
alter table rd auto_increment = 1;
insert into rd (a) values (8);
select * from rd order by a;
create temporary table rt (id int auto_increment primary key, c int);
insert into rt (c) values (1), (2), (3);
delete from rt where id > 1;
--! differs it copies a temporary table's rows for this
--! mysql it copies a temporary table's rows for this
alter table rt auto_increment = 1;
insert into rt (c) values (4);
select * from rt;
-- one that fails sets nothing back
delete from rs where id > 1;
--! differs MariaDB's number is 4025
alter table rs auto_increment = 2, add constraint check (a > 100);
insert into rs (a) values (200);
select id, a from rs;
