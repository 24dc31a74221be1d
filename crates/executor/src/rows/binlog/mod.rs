//! The binary log's part of a session: the events of the transaction that is open, and what a commit takes along.
//!
//! Changes of rows are appended where they are made (`dml/logged.rs`): one event for rows of one table that change in
//! one way, behind TABLE_MAPs of all tables that the statement changes, cut at `binlog_row_event_max_size`. The last
//! event of a statement says so ([`binlog::rows::STMT_END`]); a reader forgets the TABLE_MAPs there. So a table that
//! nobody has foreseen (a function's) ends the statement as readers see it, and a new one begins.
//!
//! Who may do what: all of this belongs to one session, used by its thread. Nothing is written anywhere before the
//! commit, apart from a large transaction's spill ([`cache`]). Where the engine undoes changes, their events are cut
//! off: [`Binlog::statement_failed`], [`Binlog::end_nested`], [`Binlog::cut`]. Without a log nothing is kept, and each
//! call is one branch.
//!
//! Crash: what is here is gone, with the transaction. Spills are removed at the next start.
//!
//! Tested: here with a model, `crates/session/src/kernel/binlog_tests.rs`, `tests/binlog` beside MySQL.

mod around;
mod as_text;
mod cache;
mod commit;
mod events;
mod gtids;
mod position;
mod settings;
mod tables;
#[cfg(test)]
pub(crate) mod tests;

pub use as_text::AsText;
pub use cache::Piece;
pub use commit::{Ending, UNSET_TIMESTAMP, UNSET_VERSION, wants};
pub use events::{Images, Rows};
pub use gtids::{GivenGtid, NextGtid};
pub use position::SourcePosition;
pub use settings::Kind;
pub use tables::LoggedTable;

use binlog::EventType;
use binlog::dependency::Keys;
use binlog::rows;
use binlog::service::BinaryLog;
use cache::Cache;
use smallvec::SmallVec;
use std::sync::Arc;
use storage::table::Table;
use value::Value;

/// Larger transactions are written into a file of their own before they commit. Below
/// `storage::attached::MAX_ATTACHED`.
const MAX_PIECE: usize = 256 << 10;

/// A rows event at the cache's end that takes more rows.
#[derive(Clone, Copy, Debug)]
struct Open {
    kind: EventType,
    table: u64,
    /// Its first byte.
    at: u64,
    /// Hash of which columns its images have.
    images: u64,
    rows: u32,
}

/// The running statement's events.
#[derive(Debug, Default)]
struct Statement {
    /// How often readers have been told that it ends.
    groups: u32,
    /// Where it began.
    start: u64,
    /// Tables whose TABLE_MAPs stand before.
    mapped: SmallVec<[u64; 4]>,
    open: Option<Open>,
    /// First byte of its last rows event.
    last: Option<u64>,
    /// Tables that it may change through functions and triggers: schema, name.
    foreseen: Vec<(String, String)>,
}

/// The place that events are cut back to when a nested statement fails.
#[derive(Debug)]
pub struct Mark {
    at: u64,
    open: Option<Open>,
    last: Option<u64>,
    mapped: usize,
    groups: u32,
}

/// Limits of the open transaction's events.
#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    /// `binlog_row_event_max_size`
    event: usize,
    /// `binlog_cache_size`
    memory: u64,
    /// `max_binlog_cache_size`
    all: u64,
    /// `binlog_transaction_dependency_history_size`
    keys: usize,
}

/// Schemas of which changes are logged: `binlog-do-db`, else all but those of `binlog-ignore-db`.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    only: Vec<String>,
    not: Vec<String>,
}

impl Filters {
    /// Of the two options, each a list with commas.
    pub fn new(only: &str, not: &str) -> Filters {
        let list = |s: &str| s.split(',').filter(|s| !s.is_empty()).map(str::to_owned).collect();
        Filters { only: list(only), not: list(not) }
    }

    /// Whether changes of the schema are logged: of rows the table's, of a statement that is logged as text the default
    /// one.
    pub fn log(&self, schema: &str) -> bool {
        let has = |list: &[String]| list.iter().any(|s| s == schema);
        if self.only.is_empty() { !has(&self.not) } else { has(&self.only) }
    }
}

/// The binary log's part of a session.
#[derive(Default)]
pub struct Binlog {
    log: Option<Arc<dyn BinaryLog>>,
    filters: Arc<Filters>,
    /// There is a log, and `sql_log_bin` is on.
    on: bool,
    cache: Cache,
    statement: Statement,
    limits: Limits,
    /// Where nested statements that run now would be cut back to: the oldest first.
    floors: SmallVec<[u64; 2]>,
    /// The running statement's text, where `binlog_rows_query_log_events` wants it.
    text: Option<Box<[u8]>>,
    /// The text of the statement that begins, where `binlog_format` may want it instead of rows.
    own_text: Option<Box<[u8]>>,
    /// The statement that runs now and is logged as its text: its rows are not.
    as_text: Option<Box<AsText>>,
    /// What the running statement is logged as, if it is by its text.
    waiting: Option<commit::Waiting>,
    /// What opens the transaction instead of BEGIN (XA START).
    opening: Option<Box<[u8]>>,
    /// What stands before XA PREPARE (XA END).
    closing: Option<Box<[u8]>>,
    /// A statement stands as text in the transaction.
    has_text: bool,
    /// QUERY with BEGIN as it was written last, and for which settings.
    begin: settings::Begin,
    /// `gtid_next`
    next_gtid: NextGtid,
    gtid: GivenGtid,
    /// What the open transaction has changed, for those who apply it beside others.
    keys: Keys,
    /// Memory for one key before and after.
    key_bytes: [Vec<u8>; 2],
    /// `server_id` of the server whose changes the session applies (a replica's applier).
    origin: Option<u32>,
    /// What the session applies ends there in the source's log; whatever commits takes it along.
    position: Option<SourcePosition>,
}

impl std::fmt::Debug for Binlog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Binlog({}, {} bytes)", self.on, self.cache.len())
    }
}

impl Binlog {
    /// Of a session of a server with this log.
    pub fn new(of: Option<(Arc<dyn BinaryLog>, Arc<Filters>)>) -> Binlog {
        let (log, filters) = of.unzip();
        Binlog { on: log.is_some(), log, filters: filters.unwrap_or_default(), ..Binlog::default() }
    }

    /// Whether what the session changes is logged.
    #[inline]
    pub fn on(&self) -> bool {
        self.on && self.as_text.is_none()
    }

    /// The server's log.
    pub fn log(&self) -> Option<&Arc<dyn BinaryLog>> {
        self.log.as_ref()
    }

    /// The server whose changes the session applies, if it does: events keep its `server_id`.
    pub fn origin(&self) -> Option<u32> {
        self.origin
    }

    /// See [`Binlog::origin`].
    pub fn set_origin(&mut self, server_id: Option<u32>) {
        self.origin = server_id;
    }

    /// What commits next ends there in the source's log.
    pub fn set_position(&mut self, at: SourcePosition) {
        self.position = Some(at);
    }

    /// Nothing has taken the position along: it is taken back. Whether there was one.
    pub fn forget_position(&mut self) -> bool {
        self.position.take().is_some()
    }

    /// Whether a position waits for what commits.
    pub fn has_position(&self) -> bool {
        self.position.is_some()
    }

    /// `SET sql_log_bin`.
    pub fn switch(&mut self, on: bool) {
        self.on = on && self.log.is_some();
    }

    /// Whether the transaction has events.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.cache.is_empty()
    }

    /// Bytes of events so far.
    pub fn len(&self) -> u64 {
        self.cache.len()
    }

    /// The text of the statement that begins, for ROWS_QUERY.
    pub fn set_text(&mut self, text: Option<&[u8]>) {
        self.text = text.map(Into::into);
    }

    /// The transaction begins with `start` instead of BEGIN and ends with `end` before XA PREPARE.
    pub fn open_branch(&mut self, start: Box<[u8]>, end: Box<[u8]>) {
        (self.opening, self.closing) = (Some(start), Some(end));
    }

    /// A statement of the session begins.
    #[inline]
    pub fn begin_statement(&mut self) {
        if self.on {
            if self.statement.last.is_some() || self.statement.open.is_some() {
                self.end_group();
            }
            self.statement.start = self.cache.len();
            self.statement.mapped.clear();
            (self.statement.open, self.statement.last) = (None, None);
            self.floors.clear();
        }
    }

    /// It has succeeded: its last rows event says that it is.
    #[inline]
    pub fn end_statement(&mut self) {
        if self.statement.last.is_some() || self.statement.open.is_some() {
            self.end_group();
        }
        if self.text.is_some() {
            self.text = None;
        }
        if !self.statement.foreseen.is_empty() {
            self.statement.foreseen.clear();
        }
    }

    /// Tables that the statement whose locks are taken may change through functions and triggers.
    pub fn foresee(&mut self, tables: Vec<(String, String)>) {
        self.statement.foreseen = tables;
    }

    /// Those.
    pub fn foreseen(&self) -> &[(String, String)] {
        &self.statement.foreseen
    }

    fn end_group(&mut self) {
        self.close();
        if let Some(at) = self.statement.last.take().and_then(|at| self.cache.in_memory(at)) {
            rows::add_flags(self.cache.end(), at, rows::STMT_END);
        }
        self.statement.mapped.clear();
        self.statement.groups += 1;
    }

    /// It has failed, and the engine has undone it.
    #[inline]
    pub fn statement_failed(&mut self) {
        if self.cache.len() > self.statement.start {
            self.cache.cut(self.statement.start);
        }
        self.statement.mapped.clear();
        (self.statement.open, self.statement.last, self.text) = (None, None, None);
        self.statement.foreseen.clear();
        self.floors.clear();
    }

    /// Everything from byte `to` on is undone (ROLLBACK TO SAVEPOINT).
    pub fn cut(&mut self, to: u64) {
        if to < self.cache.len() {
            self.cache.cut(to);
        }
        self.statement = Statement { start: self.cache.len(), ..Statement::default() };
    }

    /// The transaction is over without a commit.
    #[inline]
    pub fn clear(&mut self) {
        if self.log.is_none() {
            return;
        }
        if !self.cache.is_empty() || self.cache.spilled {
            self.cache.clear(self.log.as_deref());
        }
        self.statement = Statement::default();
        self.floors.clear();
        self.has_text = false;
        self.keys.clear();
        (self.opening, self.closing, self.text) = (None, None, None);
    }

    /// A nested statement begins; the place to cut back to if it fails.
    #[inline]
    pub fn begin_nested(&mut self) -> Mark {
        let (at, s) = (self.cache.len(), &self.statement);
        if self.on {
            self.floors.push(s.open.map_or(at, |o| o.at).min(s.last.unwrap_or(at)));
        }
        Mark { at, open: s.open, last: s.last, mapped: s.mapped.len(), groups: s.groups }
    }

    /// It is over; one that failed leaves nothing.
    #[inline]
    pub fn end_nested(&mut self, mark: Mark, done: bool) {
        self.floors.pop();
        if done || self.cache.len() == mark.at {
            return;
        }
        self.cache.cut(mark.at);
        if self.statement.groups == mark.groups {
            self.statement.mapped.truncate(mark.mapped);
            (self.statement.open, self.statement.last) = (mark.open, mark.last);
        } else {
            // readers were told of an end before the mark
            self.statement.mapped.clear();
            (self.statement.open, self.statement.last) = (None, None);
        }
    }

    /// A row was changed, of which `value` shows what it is, and `old`, if it was another one, what it was.
    #[inline]
    pub fn note_keys<'v>(
        &mut self,
        logged: &LoggedTable,
        table: &Table,
        value: impl Fn(usize) -> Value<'v>,
        old: Option<&dyn Fn(usize) -> Value<'v>>,
    ) {
        let to = (&mut self.keys, self.limits.keys, &mut self.key_bytes);
        logged.note_keys(table, (value, old), to);
    }

    /// Whether the table's TABLE_MAP stands before.
    #[inline]
    pub fn is_mapped(&self, table: &LoggedTable) -> bool {
        self.statement.mapped.contains(&table.map.id)
    }
}

/// Events in the cache have room for a checksum; where the log has none it is taken out at the commit.
const CHECKSUM_ROOM: bool = true;
