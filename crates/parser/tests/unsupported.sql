-- What MySQL's grammar takes and this server refuses with 1235, one statement a line.
create procedure p() select 1
create definer = u@h procedure if not exists d.p(in a int, out b varchar(10) charset latin1 collate latin1_bin, inout c decimal(5,2)) comment 'x' not deterministic reads sql data sql security invoker begin end
create procedure p() l: begin declare a, b int default 1; declare c condition for sqlstate value '45000'; declare cur cursor for select 1 union select 2; declare continue handler for not found, sqlwarning, 1234, c set a = 1; open cur; repeat fetch next from cur into a, b; until a > 1 end repeat; close cur; leave l; end l
create procedure p(n int) begin x: while n > 0 do if n = 1 then iterate x; elseif n = 2 then leave x; else select 1; end if; end while x; loop select 1; end loop; case n when 1 then select 1; else begin end; end case; case when n then select 1; end case; end
create procedure p() begin start transaction; insert into t values (1); commit; prepare s from 'select 1'; execute s; end
create procedure p(n int) select a from t limit n
create procedure p(n int) select lead(a, n) over () from t
create function f(a int) returns varchar(10) deterministic return concat(a, '!')
create function f() returns int language javascript as $code$ return "$$"; $code$
create function f returns string soname 'f.so'
create aggregate function if not exists f returns integer soname 'f.so'
alter procedure p comment 'x' contains sql language sql
alter function d.f sql security definer
create trigger d.t before update on t for each row follows u set new.a = old.a + 1
create trigger t after delete on t for each row begin if old.a then insert into u values (old.a); end if; end
create event e on schedule every '1:30' hour_minute starts now() ends now() + interval 1 day on completion not preserve disable on replica comment 'x' do delete from t
create event if not exists e on schedule at now() + interval 1 hour do begin select 1; end
alter definer = u event e on schedule at now() on completion preserve rename to f enable comment 'x' do select 1
alter event e disable
create tablespace s add datafile 's.ibd' engine = innodb, encryption = 'n' autoextend_size = 4m wait
create undo tablespace u add datafile 'u.ibu'
alter undo tablespace u set inactive engine innodb
alter tablespace s rename to t
drop tablespace s engine innodb
create logfile group g add undofile 'x' initial_size 1g
create spatial reference system if not exists 4711 name 'x' organization 'y' identified by 4711 definition 'z'
drop spatial reference system if exists 4711
create resource group g type = user vcpu = 0-3, 5 thread_priority = -5 enable
install component 'a', 'b' set global a.b = 1, persist c = on
uninstall plugin p
stop replica sql_thread, io_thread for channel 'c'
purge binary logs before now() - interval 1 day
alter instance disable innodb redo_log
explain format=json for schema d select 1
