-- SHOW CREATE and information_schema of stored programs
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
create table t (a int, b varchar(20));
create procedure P1(  in a int,/* c */ out b varchar(10) charset latin1  ) /* before */ comment 'x''y' reads sql data  sql security invoker /* body */ begin /* in */ set b=a; end /* after */;
show create procedure p1;
create procedure p2() /*x*/ select /*y*/ 1 /*z*/;
show create procedure p2;
create procedure pc() comment 'x' comment 'y' no sql reads sql data deterministic not deterministic sql security invoker sql security definer language sql begin end;
show create procedure pc;
alter procedure pc comment 'z' modifies sql data;
show create procedure pc;
create function f1( a int unsigned, b char(3)) returns varchar(10) charset utf8mb4 deterministic return 'é';
show create function F1;
create function f2() returns enum('a','b') character set latin1 collate latin1_bin deterministic return 'a';
show create function f2;
create function f3() returns bool deterministic return 1;
show create function f3;
create function f4() returns text charset latin1 reads sql data return 1;
show create function f4;
create function f5() returns char(10) charset binary no sql return 1;
show create function f5;
create function f6() returns decimal(5,2) unsigned deterministic /*x*/ return /*y*/ 1 /*z*/;
show create function f6;
show create procedure nosuch;
show create function p1;
show procedure code p1;
show function code f1;
set sql_mode = 'ansi_quotes';
create procedure "q""q" () begin end;
show create procedure "q""q";
set sql_mode = default;
show create procedure `q"q`;
set sql_quote_show_create = 0;
show create procedure pc;
show create procedure `q"q`;
set sql_quote_show_create = 1;
create function ff(a varchar(10) charset utf8mb4, b int unsigned, c decimal(5,2), e year, f timestamp(3), g json, h text charset latin1, i set('a','b') charset latin1, j bool, n varbinary(5), o char byte) returns bigint deterministic return 1;
select ordinal_position, parameter_mode, parameter_name, data_type, character_maximum_length, character_octet_length, numeric_precision, numeric_scale, datetime_precision, character_set_name, collation_name, dtd_identifier, routine_type from information_schema.parameters where specific_name = 'ff' order by 1;
select ordinal_position, parameter_mode, parameter_name, dtd_identifier, routine_type from information_schema.parameters where specific_name = 'p1' order by 1;
--! sorted
select specific_name, routine_name, routine_type, data_type, character_maximum_length, dtd_identifier, routine_body, routine_definition, external_name, external_language, parameter_style, is_deterministic, sql_data_access, sql_path, security_type, routine_comment, definer, character_set_client from information_schema.routines where routine_schema = 'test';
select count(*) from information_schema.routines where routine_schema = 'test' and created <= last_altered and sql_mode like '%STRICT_TRANS_TABLES%';
--! mysql MySQL 9 has a column Language
show procedure status like 'nosuch';
-- triggers
create trigger  `tr1`  before   insert /* c */ on t  for each row /*x*/ set /*y*/ new.b = 'é' /*z*/ ;
create trigger tr2 before insert on t for each row precedes tr1 /*x*/ begin end /*z*/;
create trigger tr0 after delete on t for each row set @a = old.a;
create trigger tr3 after insert on t for each row set @a = new.a;
select trigger_name, event_manipulation, event_object_table, action_order, action_condition, action_statement, action_orientation, action_timing, action_reference_old_row, action_reference_new_row, definer, character_set_client from information_schema.triggers where trigger_schema = 'test' order by 2, 8, 4;
drop table t;
show triggers;
-- events
create event E1 on schedule every '1:30' hour_minute starts '2030-01-01 00:00:00' ends '2031-01-01' on completion preserve disable comment 'cc' do /*x*/ select 1 /*y*/;
show create event e1;
create event e2 on schedule at '2035-01-01 00:00:00' do begin /*x*/ select 1; end /*y*/;
show create event e2;
select event_name, definer, time_zone, event_body, event_definition, event_type, execute_at, interval_value, interval_field, starts, ends, status, on_completion, last_executed, event_comment, originator, character_set_client from information_schema.events where event_schema = 'test' order by 1;
show create event nosuch;
set sql_quote_show_create = 0;
show create event e2;
set sql_quote_show_create = 1;
show events like 'nosuch';
--! end
