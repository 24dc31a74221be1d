//! Rows as events: TABLE_MAPs before a statement's first row, rows of one table and one kind in one event.

use super::around::Around;
use super::settings::{self, Kind};
use super::{Binlog, CHECKSUM_ROOM, Limits, LoggedTable, Open, tables};
use crate::rows::env::Env;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::EventType;
use binlog::event::Stamp;
use binlog::rows::{self, Columns};
use catalog::sysvar::Var;
use smallvec::SmallVec;

/// What all rows events of a statement have in common.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    stamp: Stamp,
    flags: u16,
}

impl Rows {
    /// Of the running statement.
    #[inline]
    pub fn of(env: &Env) -> Rows {
        let flag = |on: bool, f: u16| if on { 0 } else { f };
        let keys = flag(env.vars.bool(Var::foreign_key_checks), rows::NO_FOREIGN_KEY_CHECKS);
        let flags = keys | flag(env.vars.bool(Var::unique_checks), rows::RELAXED_UNIQUE_CHECKS);
        Rows { stamp: settings::stamp_of(&env.clock, env.binlog.origin(), &env.shared), flags }
    }
}

/// Columns of the images of a change: of the one before (INSERT: of the only one), and for UPDATE of the one after.
#[derive(Clone, Copy, Debug)]
pub struct Images<'c> {
    /// Before.
    pub before: &'c Columns,
    /// After.
    pub after: Option<&'c Columns>,
}

impl Binlog {
    /// Appends a changed row, whose table is mapped: `put` appends its images. `images` is also known as a number that
    /// differs where they do.
    ///
    /// # Errors
    /// 1197 above `max_binlog_cache_size`; 3.
    #[inline]
    pub fn row(
        &mut self,
        kind: EventType,
        table: &LoggedTable,
        (images, hash): (Images<'_>, u64),
        of: Rows,
        put: impl FnOnce(&mut Vec<u8>),
    ) -> SqlResult<()> {
        let fits = |o: &Open| o.kind == kind && o.table == table.map.id && o.images == hash;
        if !self.statement.open.as_ref().is_some_and(fits) {
            self.new_event(kind, table, (images, hash), of)?;
        }
        let out = self.cache.end();
        let from = out.len();
        put(out);
        let to = out.len();
        let Some(open) = self.statement.open.as_mut() else { return Ok(()) };
        let begun = self.cache.in_memory(open.at).unwrap_or(from);
        if open.rows > 0 && to - begun > self.limits.event + binlog::event::HEADER_LEN {
            return self.split(from, kind, table, (images, hash), of);
        }
        open.rows += 1;
        Ok(())
    }

    /// The row from byte `from` of the memory on begins another event.
    #[cold]
    fn split(
        &mut self,
        from: usize,
        kind: EventType,
        table: &LoggedTable,
        images: (Images<'_>, u64),
        of: Rows,
    ) -> SqlResult<()> {
        let row = self.cache.end().split_off(from);
        self.new_event(kind, table, images, of)?;
        self.cache.end().extend_from_slice(&row);
        if let Some(open) = self.statement.open.as_mut() {
            open.rows = 1;
        }
        Ok(())
    }

    fn new_event(
        &mut self,
        kind: EventType,
        table: &LoggedTable,
        (images, hash): (Images<'_>, u64),
        of: Rows,
    ) -> SqlResult<()> {
        self.close();
        self.settle(self.limits.memory)?;
        let at = self.cache.len();
        if at > self.limits.all {
            return Err(SqlError::new(ErrorCode::TRANS_CACHE_FULL, &[]));
        }
        let (before, after) = (images.before, images.after);
        let _ = rows::begin(kind, table.map.id, of.flags, (before, after), of.stamp, self.cache.end());
        self.statement.open = Some(Open { kind, table: table.map.id, at, images: hash, rows: 0 });
        Ok(())
    }

    /// Closes the event that takes rows.
    pub(super) fn close(&mut self) {
        let Some(open) = self.statement.open.take() else { return };
        if let Some(at) = self.cache.in_memory(open.at) {
            binlog::event::close(self.cache.end(), at, CHECKSUM_ROOM);
        }
        self.statement.last = Some(open.at);
    }

    /// Moves what cannot be cut back into a file, if there is much.
    pub(super) fn settle(&mut self, limit: u64) -> SqlResult<()> {
        let below = self.statement.last.unwrap_or_else(|| self.cache.len());
        let below = self.floors.iter().fold(below, |n, f| n.min(*f));
        match self.log.as_deref() {
            Some(log) => self.cache.settle(below, limit, log),
            None => Ok(()),
        }
    }
}

impl Env {
    /// Before the first row of a table in a statement: BEGIN, the statement's text, TABLE_MAPs of the tables that it
    /// changes.
    ///
    /// # Errors
    /// 1197, 3.
    #[cold]
    pub fn map_tables<'t>(
        &mut self,
        table: &'t LoggedTable,
        all: impl Iterator<Item = &'t LoggedTable>,
    ) -> SqlResult<()> {
        let (b, around) = self.binlog_and_around();
        b.map_tables(&around, table, all)
    }
}

impl Env {
    /// A statement inside the transaction that changes no rows (SAVEPOINT).
    pub fn log_inside(&mut self, text: &[u8]) {
        let (b, around) = self.binlog_and_around();
        settings::inside(&around, text, b.cache.end());
    }

    /// A transaction begins that makes a table with this text and fills it.
    pub fn log_table(&mut self, text: &[u8]) {
        let (b, around) = self.binlog_and_around();
        b.begin_transaction(&around);
        let s = settings::Statement { kind: Kind::FilledTable, text, schemas: &[], xid: 0 };
        settings::query(&around, &s, b.cache.end());
        b.has_text = true;
        b.keys.add_unknown();
    }
}

impl Binlog {
    fn map_tables<'t>(
        &mut self,
        around: &Around<'_>,
        table: &'t LoggedTable,
        all: impl Iterator<Item = &'t LoggedTable>,
    ) -> SqlResult<()> {
        if self.cache.is_empty() {
            self.begin_transaction(around);
        } else if !self.statement.mapped.is_empty() {
            // nobody has foreseen this one
            self.end_group();
        } else {
            self.close();
            self.settle(self.limits.memory)?;
        }
        let stamp = settings::stamp(around);
        if let Some(text) = self.text.take() {
            binlog::transaction::rows_query(&text, stamp, CHECKSUM_ROOM, self.cache.end());
        }
        let full = around.shared.globals.num(Var::binlog_row_metadata) == 1;
        let all: SmallVec<[&LoggedTable; 4]> = all.chain(std::iter::once(table)).collect();
        let parent = all.iter().any(|t| t.parent);
        for t in all {
            if !self.statement.mapped.contains(&t.map.id) {
                let at = self.cache.end().len();
                t.write_map(full, stamp, self.cache.end());
                if parent {
                    rows::add_flags(self.cache.end(), at, tables::HAS_CHILDREN);
                }
                self.statement.mapped.push(t.map.id);
            }
        }
        Ok(())
    }

    /// The transaction's first event.
    pub(super) fn begin_transaction(&mut self, around: &Around<'_>) {
        let global = |v| around.shared.globals.num(v);
        self.limits = Limits {
            event: global(Var::binlog_row_event_max_size) as usize,
            memory: global(Var::binlog_cache_size),
            all: global(Var::max_binlog_cache_size),
            keys: global(Var::binlog_transaction_dependency_history_size) as usize,
        };
        match &self.opening {
            Some(text) => settings::inside(around, text, self.cache.end()),
            None => self.begin.write(around, self.cache.end()),
        }
        if self.opening.is_some() {
            self.keys.add_unknown();
        }
    }
}
