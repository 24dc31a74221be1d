//! What must outlive the server: the settings, and up to where the source's log has been applied. A row of the table
//! `mysql.evenkeel_replica`, which is made by the first CHANGE REPLICATION SOURCE TO and which no log has.
//!
//! The transaction that is applied changes the row, of rows or of the dictionary
//! (`executor::binlog::SourcePosition`): after a crash both are there or neither is. With SOURCE_AUTO_POSITION the
//! position is `gtid_executed`, which the engine keeps with each commit, and the row has none.

use crate::events::hex;
use crate::relay::Position;
use crate::settings::Settings;
use base::SqlResult;
use session::ApplierSession;

const CREATE: &str = "CREATE TABLE IF NOT EXISTS mysql.evenkeel_replica (channel varchar(64) NOT NULL, \
     settings longtext NOT NULL, log_file varchar(512) NOT NULL, log_pos bigint unsigned NOT NULL, \
     PRIMARY KEY (channel)) DEFAULT CHARSET=utf8mb4 COMMENT='Source of this replica, and what was applied of it'";

fn quoted(s: &str) -> String {
    format!("_utf8mb4 {}", hex(s.as_bytes()))
}

/// Reads the row.
pub fn load(s: &mut ApplierSession) -> Option<(Settings, Position)> {
    let rows = s.rows_of(b"SELECT settings, log_file, log_pos FROM mysql.evenkeel_replica WHERE channel = ''").ok()?;
    let mut row = rows.into_iter().next()?.into_iter();
    let settings = Settings::decode(&row.next()??);
    let file = row.next()??;
    let offset = row.next()??.parse().ok()?;
    Some((settings, Position { file, offset }))
}

/// Writes the row.
///
/// # Errors
/// Of the engine.
pub fn store(s: &mut ApplierSession, settings: &Settings, at: &Position) -> SqlResult<()> {
    s.statement(b"SET sql_log_bin = 0, sql_mode = ''")?;
    s.statement(CREATE.as_bytes())?;
    let values = format!("'', {}, {}, {}", quoted(&settings.encode()), quoted(&at.file), at.offset);
    s.statement(format!("REPLACE INTO mysql.evenkeel_replica VALUES ({values})").as_bytes())
}

/// RESET REPLICA ALL.
///
/// # Errors
/// Of the engine.
pub fn forget(s: &mut ApplierSession) -> SqlResult<()> {
    s.statement(b"SET sql_log_bin = 0")?;
    s.statement(b"DROP TABLE IF EXISTS mysql.evenkeel_replica")
}
