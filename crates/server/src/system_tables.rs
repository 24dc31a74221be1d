//! Tables of the schema `mysql`: `general_log` and `slow_log`, always empty, and `time_zone*`, which
//! `mysql_tzinfo_to_sql` fills (`time_zones.rs`); and `sys.sys_config`, which functions and views of `sys` read
//! (MySQL's manual, "The sys_config Table").
//!
//! mysqldump and mariadb-dump name the first two when they dump all databases. They are ordinary tables, made by SQL at the first start, or by a later one
//! that misses them (a crash, a directory of an older version).

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
) DEFAULT CHARSET=utf8mb3 COMMENT='Slow log';
CREATE TABLE IF NOT EXISTS mysql.time_zone (
  Time_zone_id int unsigned NOT NULL AUTO_INCREMENT,
  Use_leap_seconds enum('Y','N') CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci NOT NULL DEFAULT 'N',
  PRIMARY KEY (Time_zone_id)
) DEFAULT CHARSET=utf8mb3 STATS_PERSISTENT=0 ROW_FORMAT=DYNAMIC COMMENT='Time zones';
CREATE TABLE IF NOT EXISTS mysql.time_zone_leap_second (
  Transition_time bigint NOT NULL,
  Correction int NOT NULL,
  PRIMARY KEY (Transition_time)
) DEFAULT CHARSET=utf8mb3 STATS_PERSISTENT=0 ROW_FORMAT=DYNAMIC COMMENT='Leap seconds information for time zones';
CREATE TABLE IF NOT EXISTS mysql.time_zone_name (
  Name char(64) NOT NULL,
  Time_zone_id int unsigned NOT NULL,
  PRIMARY KEY (Name)
) DEFAULT CHARSET=utf8mb3 STATS_PERSISTENT=0 ROW_FORMAT=DYNAMIC COMMENT='Time zone names';
CREATE TABLE IF NOT EXISTS mysql.time_zone_transition (
  Time_zone_id int unsigned NOT NULL,
  Transition_time bigint NOT NULL,
  Transition_type_id int unsigned NOT NULL,
  PRIMARY KEY (Time_zone_id, Transition_time)
) DEFAULT CHARSET=utf8mb3 STATS_PERSISTENT=0 ROW_FORMAT=DYNAMIC COMMENT='Time zone transitions';
CREATE TABLE IF NOT EXISTS mysql.time_zone_transition_type (
  Time_zone_id int unsigned NOT NULL,
  Transition_type_id int unsigned NOT NULL,
  `Offset` int NOT NULL DEFAULT '0',
  Is_DST tinyint unsigned NOT NULL DEFAULT '0',
  Abbreviation char(8) NOT NULL DEFAULT '',
  PRIMARY KEY (Time_zone_id, Transition_type_id)
) DEFAULT CHARSET=utf8mb3 STATS_PERSISTENT=0 ROW_FORMAT=DYNAMIC COMMENT='Time zone transition types'";

const CONFIG: &str = "SET sql_mode = '';
CREATE TABLE sys.sys_config (
  variable varchar(128) NOT NULL,
  value varchar(128) DEFAULT NULL,
  set_time timestamp NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  set_by varchar(128) DEFAULT NULL,
  PRIMARY KEY (variable)
);
INSERT INTO sys.sys_config (variable, value) VALUES
  ('diagnostics.allow_i_s_tables', 'OFF'),
  ('diagnostics.include_raw', 'OFF'),
  ('ps_thread_trx_info.max_length', '65535'),
  ('statement_performance_analyzer.limit', '100'),
  ('statement_performance_analyzer.view', NULL),
  ('statement_truncate_len', '64')";

fn run(globals: &GlobalVars, connections: &Connections, sessions: &dyn SessionFactory, text: &str) -> SqlResult<()> {
    let conn = connections.register("localhost");
    // every server makes its own
    let text = format!("SET sql_log_bin = 0;\n{text}");
    let done = crate::init_file::statements(globals, &conn, sessions, text.as_bytes());
    connections.unregister(conn.id());
    done
}

/// Makes the tables of `mysql`.
pub fn create(globals: &GlobalVars, connections: &Connections, sessions: &dyn SessionFactory) -> SqlResult<()> {
    run(globals, connections, sessions, TEXT)
}

/// Makes `sys.sys_config` where it is missing, with its rows.
pub fn create_sys_config(
    globals: &GlobalVars,
    connections: &Connections,
    sessions: &dyn SessionFactory,
) -> SqlResult<()> {
    match run(globals, connections, sessions, "DO (SELECT 1 FROM sys.sys_config LIMIT 0)") {
        Err(e) if e.is(base::ErrorCode::NO_SUCH_TABLE) => run(globals, connections, sessions, CONFIG),
        _ => Ok(()),
    }
}
