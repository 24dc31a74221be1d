//! What must outlive the server: the settings of each channel, and up to where its source's log has been applied. Rows
//! of the table `mysql.evenkeel_replica`, which is made by the first CHANGE REPLICATION SOURCE TO and which no log has.
//!
//! The transaction that is applied changes its channel's row, of rows or of the dictionary
//! (`executor::binlog::SourcePosition`): after a crash both are there or neither is. With SOURCE_AUTO_POSITION the
//! position is `gtid_executed`, which the engine keeps with each commit, and the row has none.

use crate::events::hex;
use crate::relay::Position;
use crate::settings::Settings;
use base::SqlResult;
use session::ApplierSession;

const CREATE: &str = "CREATE TABLE IF NOT EXISTS mysql.evenkeel_replica (channel varchar(64) COLLATE utf8mb4_bin NOT NULL, \
     settings longtext NOT NULL, log_file varchar(512) NOT NULL, log_pos bigint unsigned NOT NULL, \
     PRIMARY KEY (channel)) DEFAULT CHARSET=utf8mb4 COMMENT='Sources of this replica, and what was applied of them'";

/// Where there was one channel only, any collation was good enough for its empty name; others are told apart by bytes.
const BY_BYTES: &str = "ALTER TABLE mysql.evenkeel_replica MODIFY channel varchar(64) COLLATE utf8mb4_bin NOT NULL";
const COLLATION: &str = "SELECT 1 FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'mysql' \
     AND TABLE_NAME = 'evenkeel_replica' AND COLUMN_NAME = 'channel' AND COLLATION_NAME <> 'utf8mb4_bin'";

/// A channel: its name, its settings, and up to where the log of its source has been applied.
pub type Kept = (String, Settings, Position);

fn quoted(s: &str) -> String {
    format!("_utf8mb4 {}", hex(s.as_bytes()))
}

/// Reads the rows.
pub fn load(s: &mut ApplierSession) -> Vec<Kept> {
    let rows = s.rows_of(b"SELECT channel, settings, log_file, log_pos FROM mysql.evenkeel_replica ORDER BY channel");
    let one = |row: Vec<Option<String>>| {
        let mut row = row.into_iter();
        let name = row.next()??;
        let settings = Settings::decode(&row.next()??);
        let file = row.next()??;
        let offset = row.next()??.parse().ok()?;
        Some((name, settings, Position { file, offset }))
    };
    // before the first CHANGE REPLICATION SOURCE TO there is no table
    rows.unwrap_or_default().into_iter().filter_map(one).collect()
}

/// Writes a channel's row; without a position that which it has stays, which the applier may be changing.
///
/// # Errors
/// Of the engine.
pub fn store(s: &mut ApplierSession, channel: &str, settings: &Settings, at: Option<&Position>) -> SqlResult<()> {
    s.statement(b"SET sql_log_bin = 0, sql_mode = ''")?;
    let (name, settings) = (quoted(channel), quoted(&settings.encode()));
    let Some(at) = at else {
        let set = format!("UPDATE mysql.evenkeel_replica SET settings = {settings} WHERE channel = {name}");
        return s.statement(set.as_bytes());
    };
    s.statement(CREATE.as_bytes())?;
    if !channel.is_empty() && !s.rows_of(COLLATION.as_bytes())?.is_empty() {
        s.statement(BY_BYTES.as_bytes())?;
    }
    let values = format!("{name}, {settings}, {}, {}", quoted(&at.file), at.offset);
    s.statement(format!("REPLACE INTO mysql.evenkeel_replica VALUES ({values})").as_bytes())
}

/// RESET REPLICA ALL: the channel's row goes, with the last one the table.
///
/// # Errors
/// Of the engine.
pub fn forget(s: &mut ApplierSession, channel: &str) -> SqlResult<()> {
    let mut kept = load(s);
    kept.retain(|(name, _, _)| name != channel);
    s.statement(b"SET sql_log_bin = 0")?;
    match kept.is_empty() {
        true => s.statement(b"DROP TABLE IF EXISTS mysql.evenkeel_replica"),
        false => {
            let delete = format!("DELETE FROM mysql.evenkeel_replica WHERE channel = {}", quoted(channel));
            s.statement(delete.as_bytes())
        }
    }
}
