//! QUERY events: a statement's text with the settings of the session that it was run with.

use binlog::event::{self, FLAG_SUPPRESS_USE, Stamp};
use binlog::query::{
    AUTO_IS_NULL, Micros, NO_FOREIGN_KEY_CHECKS, Query, RELAXED_UNIQUE_CHECKS, Schemas, StatusVars, Text,
};
use catalog::sysvar::Var;
use std::borrow::Cow;
use std::sync::Arc;
use value::charset::client::{arrive, depart};
use value::{CollationId, SqlMode};

use super::around::Around;
use crate::rows::env::{Clock, Shared};

/// What the text of a QUERY event is: which settings it needs beside those that all have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// BEGIN, XA START, SAVEPOINT and their like: inside a transaction.
    Inside,
    /// A transaction of its own that the dictionary has no part in (ANALYZE TABLE, FLUSH).
    Plain,
    /// Changes rows.
    Change,
    /// Defines or drops something, or changes accounts.
    Definition,
    /// The same in somebody's name (CREATE VIEW, CREATE PROCEDURE, GRANT).
    Defined,
    /// CREATE TABLE, ALTER TABLE.
    Table,
    /// CREATE TABLE ... START TRANSACTION: inside a transaction, where not all settings may be changed.
    FilledTable,
    /// CREATE DATABASE.
    CreateDatabase,
    /// ALTER DATABASE, DROP DATABASE.
    Database,
}

/// Number of `lc_time_names`.
fn locale(around: &Around<'_>) -> u16 {
    match around.vars.text(Var::lc_time_names).map_or("en_US", |t| t) {
        "en_US" => 0,
        name => value::temporal::locale::number_of(name).unwrap_or(0),
    }
}

/// When a statement began, and on which server: the one whose changes are applied (`origin`), or this one.
#[inline]
pub(crate) fn stamp_of(clock: &Clock, origin: Option<u32>, shared: &Shared) -> Stamp {
    let seconds = clock.now_us.div_euclid(1_000_000);
    let server_id = origin.unwrap_or_else(|| shared.globals.num(Var::server_id) as u32);
    Stamp { timestamp: seconds as u32, server_id }
}

/// The running statement's.
#[inline]
pub(crate) fn stamp(around: &Around<'_>) -> Stamp {
    stamp_of(around.clock, around.origin, around.shared)
}

fn flags2(around: &Around<'_>) -> u32 {
    let bit = |on: bool, b: u32| if on { b } else { 0 };
    bit(around.vars.bool(Var::sql_auto_is_null), AUTO_IS_NULL)
        | bit(!around.vars.bool(Var::foreign_key_checks), NO_FOREIGN_KEY_CHECKS)
        | bit(!around.vars.bool(Var::unique_checks), RELAXED_UNIQUE_CHECKS)
}

/// The settings that every QUERY event names.
fn common(around: &Around<'_>) -> StatusVars {
    let num = |v| around.vars.num(v) as u16;
    let steps = (num(Var::auto_increment_increment), num(Var::auto_increment_offset));
    let names = locale(around);
    StatusVars {
        flags2: Some(flags2(around)),
        sql_mode: Some(around.vars.sql_mode().0),
        catalog: Some(Text((*b"std").into())),
        auto_increment: (steps != (1, 1)).then_some(steps),
        charset: Some((num(Var::character_set_client), (num(Var::collation_connection), num(Var::collation_server)))),
        lc_time_names: (names != 0).then_some(names),
        default_collation: Some(num(Var::default_collation_for_utf8mb4)),
        ..StatusVars::default()
    }
}

/// A statement that is logged as text.
#[derive(Debug)]
pub(super) struct Statement<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t [u8],
    /// Schemas that it changes.
    pub(super) schemas: &'t [String],
    /// Number of the transaction that commits with it; 0: none does.
    pub(super) xid: u64,
}

/// A text in the character set that the event names: where clients' texts became utf8mb4 when they arrived it is what
/// the client sent. Read in another set it would be other names and values, and could leave its quotes. A text that
/// cannot be had back so (the server's own, with characters that the set lacks) is named as what it is.
fn as_sent<'t>(around: &Around<'_>, text: &'t [u8], vars: &mut StatusVars) -> Cow<'t, [u8]> {
    let client = around.vars.collation(Var::character_set_client).charset();
    if !client.hides_ascii() || (client.has_ascii() && text.is_ascii()) {
        return Cow::Borrowed(text);
    }
    let escapes = !around.vars.sql_mode().has(SqlMode::NO_BACKSLASH_ESCAPES);
    let sent = depart(client, text);
    if *arrive(client, &sent, escapes) == *text {
        return sent;
    }
    if let Some((id, _)) = &mut vars.charset {
        *id = CollationId::UTF8MB4_0900_AI_CI.0;
    }
    Cow::Borrowed(text)
}

/// Appends it.
pub(super) fn query(around: &Around<'_>, s: &Statement<'_>, out: &mut Vec<u8>) {
    let (mut vars, kind) = (common(around), s.kind);
    let mut schema = around.schema.as_deref().unwrap_or("");
    let mut flags = 0;
    match kind {
        Kind::Inside => flags = FLAG_SUPPRESS_USE,
        Kind::CreateDatabase | Kind::Database => {
            (flags, schema) = (FLAG_SUPPRESS_USE, s.schemas.first().map_or("", String::as_str));
            let created = kind == Kind::CreateDatabase;
            vars.table_encryption = created.then(|| u8::from(around.vars.bool(Var::default_table_encryption)));
        }
        Kind::Defined => {
            let own = &around.security.account;
            vars.invoker = Some((Text(own.user.as_bytes().into()), Text(own.host.as_bytes().into())));
        }
        Kind::Table => {
            vars.explicit_defaults = Some(u8::from(around.vars.bool(Var::explicit_defaults_for_timestamp)));
            vars.require_primary_key = Some(u8::from(around.vars.bool(Var::sql_require_primary_key)));
        }
        Kind::FilledTable => {
            vars.require_primary_key = Some(u8::from(around.vars.bool(Var::sql_require_primary_key)));
        }
        Kind::Change => vars.microseconds = Some(Micros(around.clock.now_us.rem_euclid(1_000_000) as u32)),
        Kind::Plain | Kind::Definition => {}
    }
    if matches!(kind, Kind::Defined | Kind::Table | Kind::FilledTable | Kind::Change) {
        // what is constant in it may be a time
        let zone = around.vars.text(Var::time_zone).map_or("SYSTEM", |z| z);
        vars.time_zone = Some(Text(zone.as_bytes().into()));
    }
    if !s.schemas.is_empty() {
        vars.updated_schemas = Some(Schemas(Some(s.schemas.iter().map(|s| s.as_bytes().into()).collect())));
    }
    vars.ddl_xid = (s.xid > 0).then_some(s.xid);
    let text = as_sent(around, s.text, &mut vars);
    let query = Query {
        thread_id: crate::rows::env::thread_id(around.vars, around.client) as u32,
        schema: schema.as_bytes(),
        vars,
        text: &text,
        flags,
        ..Query::default()
    };
    query.write(stamp(around), super::CHECKSUM_ROOM, out);
}

/// Appends a statement of a transaction.
pub(super) fn inside(around: &Around<'_>, text: &[u8], out: &mut Vec<u8>) {
    query(around, &Statement { kind: Kind::Inside, text, schemas: &[], xid: 0 }, out);
}

/// What BEGIN depends on.
#[derive(PartialEq)]
struct Settings {
    flags: u32,
    mode: u64,
    numbers: [u16; 6],
    schema: Option<Arc<str>>,
}

/// QUERY with BEGIN, and what it was written for.
#[derive(Default)]
pub(super) struct Begin {
    of: Option<Settings>,
    bytes: Vec<u8>,
}

impl Begin {
    /// Appends BEGIN.
    pub(super) fn write(&mut self, around: &Around<'_>, out: &mut Vec<u8>) {
        let num = |v| around.vars.num(v) as u16;
        let of = Settings {
            flags: flags2(around),
            mode: around.vars.sql_mode().0,
            numbers: [
                num(Var::auto_increment_increment),
                num(Var::auto_increment_offset),
                num(Var::character_set_client),
                num(Var::collation_connection),
                num(Var::collation_server),
                locale(around),
            ],
            schema: around.schema.clone(),
        };
        if self.of.as_ref() != Some(&of) {
            self.bytes.clear();
            inside(around, b"BEGIN", &mut self.bytes);
            self.of = Some(of);
        }
        let at = out.len();
        out.extend_from_slice(&self.bytes);
        event::restamp(out, at, stamp(around));
    }
}
