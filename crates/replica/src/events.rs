//! What events say, as statements that set a session up, and what is said of those that fail.

use crate::applier::Trouble;
use crate::filters::Filters;
use crate::relay::{Position, bad};
use crate::values::PrimaryKeys;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::event::{Event, HEADER_LEN};
use binlog::query::{AUTO_IS_NULL, NO_FOREIGN_KEY_CHECKS, Query, RELAXED_UNIQUE_CHECKS};
use binlog::table_map::TableMap;
use binlog::transaction::XaId;
use binlog::{EventType, Malformed};
use session::SkippedErrors;
use std::collections::BTreeMap;
use std::io;

/// A literal of bytes.
pub fn hex(bytes: &[u8]) -> String {
    format!("X'{}'", base::hex::encode(bytes))
}

/// What becomes of the rows of a TABLE_MAP.
pub enum Named {
    /// They go to the table that it names.
    Here,
    /// To another one, which this event names.
    Otherwise(Vec<u8>),
    /// Filters do not let them through.
    PassedOver,
}

/// `replica_skip_errors`: `all`, numbers, `ddl_exist_errors`.
pub fn skipped_errors(text: &str) -> SkippedErrors {
    const EXIST: [u16; 10] = [1007, 1008, 1050, 1051, 1054, 1060, 1061, 1068, 1091, 1146];
    let mut list = Vec::new();
    for word in text.split([',', ' ']).map(|w| w.trim().to_ascii_lowercase()).filter(|w| !w.is_empty()) {
        match word.as_str() {
            "all" => return SkippedErrors::All,
            "ddl_exist_errors" => list.extend(EXIST),
            word => list.extend(word.parse::<u16>().ok()),
        }
    }
    if list.is_empty() { SkippedErrors::None } else { SkippedErrors::Some(list) }
}

/// What is kept between events.
#[derive(Default)]
pub struct Context {
    /// Tables, by the numbers that TABLE_MAPs gave them: their names, and whether their rows are applied.
    names: BTreeMap<u64, (String, bool)>,
    /// Settings of the last QUERY.
    last: String,
}

impl Context {
    /// A TABLE_MAP: what becomes of the table's rows.
    ///
    /// # Errors
    /// Of bytes that are no such event.
    pub fn map(&mut self, e: &Event<'_>, filters: &Filters) -> Result<Named, Malformed> {
        let mut map = TableMap::read(e.body)?;
        if self.names.len() > 10_000 {
            self.names.clear();
        }
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        let (schema, table) = (text(&map.schema), text(&map.table));
        let here = filters.rewritten(&schema);
        let takes = filters.is_empty() || filters.takes_schema(here) && filters.takes_tables([(here, table.as_str())]);
        self.names.insert(map.id, (format!("{here}.{table}"), takes));
        if !takes {
            return Ok(Named::PassedOver);
        }
        if here == schema {
            return Ok(Named::Here);
        }
        map.schema = here.as_bytes().into();
        let mut out = Vec::new();
        let checksum = e.bytes.len() > HEADER_LEN + e.body.len();
        map.write(false, e.header.stamp, checksum, &mut out);
        if checksum {
            binlog::event::seal(&mut out);
        }
        Ok(Named::Otherwise(out))
    }

    /// Whether a rows event is of a table that the filters do not let through.
    pub fn passes_over(&self, body: &[u8]) -> bool {
        binlog::rows::read_table_id(body).is_ok_and(|id| self.names.get(&id).is_some_and(|(_, takes)| !takes))
    }

    /// The statement that makes the session's settings those of the statement; those of the one before are left out.
    ///
    /// # Errors
    /// 1235 for another locale than en_US.
    pub fn settings(&mut self, q: &Query<'_>, timestamp: u32, keys: PrimaryKeys) -> SqlResult<String> {
        let v = &q.vars;
        let mut set = Vec::new();
        let flags = v.flags2.unwrap_or(0);
        set.push(format!("foreign_key_checks = {}", u8::from(flags & NO_FOREIGN_KEY_CHECKS == 0)));
        set.push(format!("unique_checks = {}", u8::from(flags & RELAXED_UNIQUE_CHECKS == 0)));
        // a key that the source generated is in the statement's text
        set.push(format!("sql_generate_invisible_primary_key = {}", u8::from(keys == PrimaryKeys::Generate)));
        let asks = flags & AUTO_IS_NULL != 0 && may_ask_for_last_id(q.text);
        set.push(format!("sql_auto_is_null = {}", u8::from(asks)));
        if let Some(mode) = v.sql_mode {
            set.push(format!("sql_mode = {mode}"));
        }
        let (increment, offset) = v.auto_increment.unwrap_or((1, 1));
        set.push(format!("auto_increment_increment = {increment}, auto_increment_offset = {offset}"));
        if let Some((client, (connection, server))) = v.charset {
            set.push(format!(
                "character_set_client = {client}, collation_connection = {connection}, collation_server = {server}"
            ));
        }
        set.push(match &v.time_zone {
            Some(zone) => format!("time_zone = {}", quoted(&zone.0)),
            None => "time_zone = DEFAULT".to_owned(),
        });
        set.push(format!("lc_time_names = {}", v.lc_time_names.unwrap_or(0)));
        if let Some(n) = v.explicit_defaults {
            set.push(format!("explicit_defaults_for_timestamp = {n}"));
        }
        let needed = match keys {
            PrimaryKeys::Stream => v.require_primary_key,
            PrimaryKeys::On => Some(1),
            PrimaryKeys::Off | PrimaryKeys::Generate => Some(0),
        };
        if let Some(n) = needed {
            set.push(format!("sql_require_primary_key = {n}"));
        }
        let all = set.join(", ");
        let micros = v.microseconds.map_or(0, |m| m.0);
        let time = format!("SET timestamp = {timestamp}.{micros:06}");
        if all == self.last {
            return Ok(time);
        }
        let text = format!("{time}, {all}");
        self.last = all;
        Ok(text)
    }

    /// What is shown where a row event fails.
    pub fn rows_failed(&self, kind: EventType, body: &[u8], error: SqlError, at: &Position) -> Trouble {
        let name = match kind {
            EventType::WriteRows => "Write_rows",
            EventType::DeleteRows => "Delete_rows",
            EventType::PartialUpdateRows => "Update_rows_partial",
            _ => "Update_rows",
        };
        let table = binlog::rows::read_table_id(body).ok().and_then(|id| self.names.get(&id)).cloned();
        let handler = if error.is(ErrorCode::DUP_ENTRY) {
            "HA_ERR_FOUND_DUPP_KEY"
        } else if error.is(ErrorCode::KEY_NOT_FOUND) {
            "HA_ERR_KEY_NOT_FOUND"
        } else if error.is(ErrorCode::NO_REFERENCED_ROW_2) {
            "HA_ERR_NO_REFERENCED_ROW"
        } else if error.is(ErrorCode::ROW_IS_REFERENCED_2) {
            "HA_ERR_ROW_IS_REFERENCED"
        } else {
            let text = error.message().to_owned();
            return Trouble { error, text };
        };
        let text = format!(
            "Could not execute {name} event on table {}; {}, Error_code: {}; handler error {handler}; the event's source log {}, end_log_pos {}",
            table.map(|(name, _)| name).unwrap_or_default(),
            error.message(),
            error.code(),
            at.file,
            at.offset
        );
        Trouble { error, text }
    }
}

/// Whether `sql_auto_is_null`, which makes `column IS NULL` find the last row inserted, may mean something for a
/// statement. MySQL's event scheduler drops its events with it.
fn may_ask_for_last_id(text: &[u8]) -> bool {
    const DEFINING: [&str; 8] = ["DROP", "ALTER", "TRUNCATE", "RENAME", "GRANT", "REVOKE", "BEGIN", "COMMIT"];
    let text = String::from_utf8_lossy(text).to_ascii_uppercase();
    let word = text.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    text.contains("NULL") && !DEFINING.contains(&word) && (word != "CREATE" || text.contains("SELECT"))
}

/// CREATE, ALTER or DROP DATABASE.
pub fn defines_schema(text: &[u8]) -> bool {
    let mut words = text.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty());
    let mut is = |any: &[&str]| words.next().is_some_and(|w| any.iter().any(|a| w.eq_ignore_ascii_case(a.as_bytes())));
    is(&["CREATE", "ALTER", "DROP"]) && is(&["DATABASE", "SCHEMA"])
}

/// A string literal that every sql_mode and character set understands.
fn quoted(bytes: &[u8]) -> String {
    format!("CONVERT({} USING utf8mb4)", hex(bytes))
}

/// XA PREPARE as a statement.
pub fn xa_prepare(id: &XaId<'_>, one_phase: bool) -> String {
    let xid = format!("{},{},{}", hex(id.global), hex(id.branch), id.format);
    if one_phase { format!("XA COMMIT {xid} ONE PHASE") } else { format!("XA PREPARE {xid}") }
}

/// What is shown where a statement fails.
pub fn query_failed(q: &Query<'_>, error: SqlError) -> Trouble {
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    let text = format!(
        "Error '{}' on query. Default database: '{}'. Query: '{}'",
        error.message(),
        text(q.schema),
        text(q.text)
    );
    Trouble { error, text }
}

/// The source saw an error where there is none here.
pub fn query_should_have_failed(q: &Query<'_>) -> Trouble {
    let shown = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    let text = format!(
        "Query caused different errors on source and replica. Error on source: message (format)='{}' error code={}; Error on replica: actual \
         message='no error', error code=0. Default database:'{}'. Query:'{}'",
        q.error,
        q.error,
        shown(q.schema),
        shown(q.text)
    );
    Trouble { error: SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text.clone()), text }
}

/// The same event with a checksum; `has`: it has one already, which must be right.
pub fn with_checksum(event: &[u8], has: bool) -> io::Result<Vec<u8>> {
    Event::read(event, has).map_err(bad)?;
    let mut out = event.to_vec();
    if !has {
        out.extend_from_slice(&[0; 4]);
        let size = out.len() as u32;
        if let Some(b) = out.get_mut(9..13) {
            b.copy_from_slice(&size.to_le_bytes());
        }
        binlog::event::seal(&mut out);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_defines_a_schema() {
        assert!(defines_schema(b"CREATE DATABASE a") && defines_schema(b" drop  schema if exists a"));
        assert!(
            !defines_schema(b"CREATE TABLE `database` (a INT)") && !defines_schema(b"CREATE") && !defines_schema(b"")
        );
    }

    #[test]
    fn what_finds_the_last_row_inserted() {
        for (text, asks) in [
            ("DROP EVENT IF EXISTS`d`.`e`", false),
            ("CREATE TABLE t (a INT NOT NULL)", false),
            ("  alter table t modify a int null", false),
            ("INSERT INTO t VALUES (1)", false),
            ("DELETE FROM t WHERE a is\nnull", true),
            ("CREATE TABLE t SELECT * FROM u WHERE a IS NULL", true),
            ("/* x */ UPDATE t SET b = 1 WHERE a IS NULL", true),
            ("WITH c AS (SELECT 1) DELETE FROM t WHERE a IS NULL", true),
        ] {
            assert_eq!(may_ask_for_last_id(text.as_bytes()), asks, "{text}");
        }
    }
}
