-- What MySQL's grammar takes and this server refuses with 1235, one statement a line.
create function f() returns int language javascript as $code$ return "$$"; $code$
create function f returns string soname 'f.so'
create aggregate function if not exists f returns integer soname 'f.so'
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
alter instance disable innodb redo_log
explain format=json for schema d select 1
