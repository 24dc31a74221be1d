//! What a commit takes along: the GTID event, the transaction's events and the one that ends it, or a statement that is
//! a transaction of its own.

use super::around::Around;
use super::cache::Cache;
use super::settings::{self, Kind};
use super::{Binlog, CHECKSUM_ROOM, GivenGtid, MAX_PIECE, NextGtid, Piece};
use crate::rows::env::{Env, wall_clock_us};
use base::SqlResult;
use binlog::transaction::{self, GtidEvent, XaId};
use binlog::{Gtid, Sid, dependency, event};
use catalog::sysvar::Var;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A statement that is logged as text once it has done what it does.
#[derive(Debug)]
pub(super) struct Waiting {
    kind: Kind,
    text: Vec<u8>,
    schemas: Vec<String>,
}

impl Binlog {
    /// A statement begins that is logged as this text.
    pub fn begin_text(&mut self, kind: Kind, text: &[u8], schemas: Vec<String>) {
        self.waiting = self.on.then(|| Waiting { kind, text: text.to_vec(), schemas });
    }

    /// The text is another one than was written: without what the default schema or a secret would add, for example.
    pub fn rewrite_text(&mut self, text: impl FnOnce() -> Vec<u8>) {
        if let Some(w) = &mut self.waiting {
            w.text = text();
        }
    }

    /// The statement turns out to change something in this schema: its event says so, and is the dictionary's.
    pub fn defines_in(&mut self, schema: &str) {
        if let Some(w) = &mut self.waiting {
            w.kind = Kind::Definition;
            w.schemas.push(schema.to_owned());
        }
    }

    /// That text, which the statement then logs itself; `None`: it is not logged.
    pub fn take_text(&mut self) -> Option<Vec<u8>> {
        self.waiting.take().map(|w| w.text)
    }

    /// Nothing of the running statement is logged as text.
    pub fn forget_text(&mut self) {
        self.waiting = None;
    }

    /// Whether the running statement changes this schema.
    pub fn text_is_of(&self, schema: &str) -> bool {
        self.waiting.as_ref().is_some_and(|w| w.schemas.iter().any(|s| s == schema))
    }

    /// Whether the running statement's text has not been logged yet.
    pub fn is_text_waiting(&self) -> bool {
        self.waiting.is_some()
    }
}

/// What ends a transaction.
#[derive(Clone, Copy, Debug)]
pub enum Ending<'x> {
    /// COMMIT.
    Commit,
    /// COMMIT of a transaction that has changed nothing, in which statements stand as text all the same.
    Unchanged,
    /// XA PREPARE, or XA COMMIT ... ONE PHASE (`true`).
    Xa(XaId<'x>, bool),
}

/// Number in the next XID event.
static NEXT_XID: AtomicU64 = AtomicU64::new(1);

pub(super) fn next_xid() -> u64 {
    NEXT_XID.fetch_add(1, Ordering::Relaxed)
}

/// `version` as events have it: 80407 for 8.4.7.
fn server_version(around: &Around<'_>) -> u32 {
    static VERSION: OnceLock<u32> = OnceLock::new();
    *VERSION.get_or_init(|| {
        let text = around.shared.globals.string(Var::version);
        let number = |s: &str| s.chars().take_while(char::is_ascii_digit).fold(0, |n, c| n * 10 + (c as u32 - 48));
        text.split('.').take(3).map(number).fold(0, |n, part| n * 100 + part)
    })
}

impl Env {
    /// The piece of the open transaction, if it has events; they are in it and nowhere else.
    ///
    /// # Errors
    /// Of the spill, 1837; the transaction cannot commit.
    pub fn take_piece(&mut self, ending: Ending<'_>) -> SqlResult<Option<Piece>> {
        if self.binlog.is_empty() {
            return Ok(None);
        }
        let (b, around) = self.binlog_and_around();
        b.take_transaction(&around, ending).map(Some)
    }

    /// The piece of the running statement, which is a transaction of its own and commits now; `None`: nothing of it is
    /// logged, or it has been. `changes`: something commits with it.
    ///
    /// # Errors
    /// Of the spill that a long text needs, 1837.
    pub fn take_statement_piece(&mut self, changes: bool) -> SqlResult<Option<Piece>> {
        let Some(Waiting { kind, text, schemas }) = self.binlog.waiting.take() else { return Ok(None) };
        let database = matches!(kind, Kind::Database | Kind::CreateDatabase);
        let of = if database { schemas.first().map(String::as_str) } else { self.schema.as_deref() };
        let log = self.binlog.log.clone().filter(|_| self.binlog.on && wants(self, of));
        let Some(log) = log else { return Ok(None) };
        self.binlog.check_gtid()?;
        let mut events = Vec::with_capacity(256 + text.len());
        let xid = if changes && kind != Kind::Plain { next_xid() } else { 0 };
        let (b, around) = self.binlog_and_around();
        settings::query(&around, &settings::Statement { kind, text: &text, schemas: &schemas, xid }, &mut events);
        let (next, checksum) = (b.next_gtid, log.checksum());
        dependency::offer(None);
        let gtid = |rest| gtid_event(&around, next, true, rest, checksum);
        let piece = Cache::of(events).take(gtid, (MAX_PIECE, checksum), log.as_ref());
        if b.gtid == GivenGtid::Owned {
            b.gtid = GivenGtid::Logged;
        }
        piece.map(Some)
    }

    /// The piece of a transaction that has changed nothing, where `gtid_next` wants one.
    pub fn empty_piece(&mut self) -> Option<Piece> {
        let log = self.binlog.log.clone().filter(|_| self.binlog.gtid == GivenGtid::Owned)?;
        let ((b, around), mut events) = (self.binlog_and_around(), Vec::new());
        b.begin.write(&around, &mut events);
        settings::inside(&around, b"COMMIT", &mut events);
        if !log.checksum() {
            events = event::without_checksums(&events);
        }
        dependency::offer(None);
        let mut bytes = gtid_event(&around, b.next_gtid, true, events.len() as u64, log.checksum());
        bytes.extend_from_slice(&events);
        b.gtid = GivenGtid::Logged;
        Some(Piece { bytes, spill: None })
    }

    /// The memory of the piece that was committed is for the next one.
    #[inline]
    pub fn reuse_piece(&mut self) {
        self.binlog.cache.reuse(self.trx.take_spare());
    }
}

/// `binlog-do-db` and `binlog-ignore-db`, for a statement with this default schema or rows of a table in it.
pub fn wants(env: &Env, schema: Option<&str>) -> bool {
    schema.is_none_or(|s| env.binlog.filters.log(s))
}

impl Binlog {
    fn take_transaction(&mut self, around: &Around<'_>, ending: Ending<'_>) -> SqlResult<Piece> {
        let Some(log) = self.log.clone() else { return Ok(Piece::default()) };
        self.check_gtid()?;
        self.end_statement();
        let stamp = settings::stamp(around);
        match ending {
            Ending::Commit => transaction::xid(next_xid(), stamp, CHECKSUM_ROOM, self.cache.end()),
            Ending::Unchanged => settings::inside(around, b"COMMIT", self.cache.end()),
            Ending::Xa(id, one_phase) => {
                if let Some(text) = &self.closing {
                    settings::inside(around, text, self.cache.end());
                }
                transaction::xa_prepare(id, one_phase, stamp, CHECKSUM_ROOM, self.cache.end());
            }
        }
        probe::inc(probe::Counter::BinlogCacheUse);
        if self.cache.spilled {
            probe::inc(probe::Counter::BinlogCacheDiskUse);
        }
        // as in MySQL, not what stands as text
        if around.vars.bool(Var::binlog_transaction_compression) && !self.has_text {
            let level = around.vars.num(Var::binlog_transaction_compression_level_zstd) as i32;
            self.cache.compress(level, stamp, log.as_ref())?;
        }
        let (next, checksum) = (self.next_gtid, log.checksum());
        if self.gtid == GivenGtid::Owned {
            self.gtid = GivenGtid::Logged;
        }
        let text = std::mem::take(&mut self.has_text);
        dependency::offer(Some(std::mem::replace(&mut self.keys, dependency::spare())));
        let gtid = |rest| gtid_event(around, next, text, rest, checksum);
        self.cache.take(gtid, (MAX_PIECE, checksum), log.as_ref())
    }
}

/// The event that begins a transaction whose other events take `rest` bytes.
fn gtid_event(around: &Around<'_>, next: NextGtid, may_have_statements: bool, rest: u64, checksum: bool) -> Vec<u8> {
    let mode = around.shared.globals.num(Var::gtid_mode);
    let gtid = match next {
        // the log gives the number
        NextGtid::Automatic if mode >= GTID_MODE_ON_PERMISSIVE => Some(Gtid { sid: Sid::default(), gno: 0 }),
        NextGtid::Automatic | NextGtid::Anonymous => None,
        NextGtid::Given(g) => Some(g),
    };
    let now = wall_clock_us() as u64;
    let version = server_version(around);
    // what mysqlbinlog says of the transaction that it repeats
    let said = |v: Var, unset: u64| Some(around.vars.num(v)).filter(|n| *n != unset);
    let original = said(Var::original_commit_timestamp, UNSET_TIMESTAMP).unwrap_or(now);
    let original_version = said(Var::original_server_version, UNSET_VERSION).map_or(version, |v| v as u32);
    let mut e = GtidEvent {
        gtid,
        may_have_statements,
        last_committed: 0,
        sequence_number: 0,
        immediate_commit: now,
        original_commit: original,
        transaction_length: 0,
        immediate_version: version,
        original_version,
    };
    let mut out = Vec::with_capacity(128);
    // its length is part of what it names; the first guess is nearly always right
    e.transaction_length = rest + USUAL_GTID_EVENT;
    for _ in 0..4 {
        out.clear();
        e.write(settings::stamp(around), checksum, &mut out);
        let length = rest + out.len() as u64;
        if std::mem::replace(&mut e.transaction_length, length) == length {
            break;
        }
    }
    out
}

/// Bytes of a GTID event with a checksum, a length of three bytes, and one server's time and version.
const USUAL_GTID_EVENT: u64 = 79;
const GTID_MODE_ON_PERMISSIVE: u64 = 2;
/// `original_commit_timestamp` that nobody has set; [`UNSET_VERSION`] the same for `original_server_version`.
pub const UNSET_TIMESTAMP: u64 = 1 << 55;
/// See [`UNSET_TIMESTAMP`].
pub const UNSET_VERSION: u64 = 999_999;
