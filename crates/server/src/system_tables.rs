//! Tables of the schema `mysql` that a new data directory gets: `general_log` and `slow_log`, always empty.
//!
//! mysqldump and mariadb-dump name both when they dump all databases. They are ordinary tables, made by SQL once; a crash before
//! the end of the first start leaves a directory without them, which only such a dump notices.

use base::SqlResult;
use catalog::client::SessionFactory;
use catalog::connections::Connections;
use catalog::sysvar::GlobalVars;

const TEXT: &str = "SET sql_mode = '';
CREATE TABLE IF NOT EXISTS mysql.general_log (
  event_time timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  user_host mediumtext NOT NULL,
  thread_id bigint unsigned NOT NULL,
  server_id int unsigned NOT NULL,
  command_type varchar(64) NOT NULL,
  argument mediumblob NOT NULL
) DEFAULT CHARSET=utf8mb3 COMMENT='General log';
CREATE TABLE IF NOT EXISTS mysql.slow_log (
  start_time timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  user_host mediumtext NOT NULL,
  query_time time(6) NOT NULL,
  lock_time time(6) NOT NULL,
  rows_sent int NOT NULL,
  rows_examined int NOT NULL,
  db varchar(512) NOT NULL,
  last_insert_id int NOT NULL,
  insert_id int NOT NULL,
  server_id int unsigned NOT NULL,
  sql_text mediumblob NOT NULL,
  thread_id bigint unsigned NOT NULL
) DEFAULT CHARSET=utf8mb3 COMMENT='Slow log'";

/// Makes the tables.
pub fn create(globals: &GlobalVars, connections: &Connections, sessions: &dyn SessionFactory) -> SqlResult<()> {
    let conn = connections.register("localhost");
    let done = crate::init_file::statements(globals, &conn, sessions, TEXT.as_bytes());
    connections.unregister(conn.id());
    done
}
