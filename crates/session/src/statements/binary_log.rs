//! Statements about the binary log's files: SHOW BINARY LOGS, SHOW BINARY LOG STATUS, SHOW BINLOG EVENTS, SHOW
//! REPLICAS, FLUSH BINARY LOGS, PURGE BINARY LOGS, RESET BINARY LOGS AND GTIDS.
//!
//! What is shown is durable: these statements wait until what has a place in the log is in its file. Tested:
//! `tests/clients/test_binary_log.py`, and without a log golden `show_forms`.

use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::table::{Cell, Table};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::log::Log;
use binlog::log::change::Purged;
use binlog::log::follow::End;
use binlog::service::BinaryLog;
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::{FirstLog, Limit, PurgeBinaryLogs};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use value::{Level, OwnedValue};

/// `binlog_checksum` CRC32.
const CRC32: u64 = 1;
/// Largest number that RESET ... TO takes.
const MAX_FIRST: u64 = 2_000_000_000;

/// Error 1220 of SHOW BINLOG EVENTS.
fn not_shown(why: &str) -> SqlError {
    SqlError::new(ErrorCode::ERROR_WHEN_EXECUTING_COMMAND, &[&"SHOW BINLOG EVENTS", &why])
}

impl Session {
    /// The log, or 1381; for who may ask where it is.
    fn shown_log(&mut self) -> SqlResult<Arc<Log>> {
        if !self.env.security.account.privileges.has_global(Privs::REPLICATION_CLIENT) {
            self.require(Privs::SUPER, "SUPER, REPLICATION CLIENT")?;
        }
        self.server
            .source
            .log()
            .cloned()
            .ok_or_else(|| SqlError::with_message(ErrorCode::NO_BINARY_LOGGING, "You are not using binary logging"))
    }

    /// SHOW BINARY LOGS.
    pub(in crate::statements) fn show_binary_logs(&mut self) -> SqlResult<Table> {
        let log = self.shown_log()?;
        let mut t = Table::new(columns::BINARY_LOGS);
        for (name, size) in log.list()? {
            t.push(vec![name.into(), size.into(), "No".into()]);
        }
        Ok(t)
    }

    /// SHOW BINARY LOG STATUS.
    pub(in crate::statements) fn show_binary_log_status(&mut self) -> SqlResult<Table> {
        let log = self.shown_log()?;
        let mut t = Table::new(columns::BINARY_LOG_STATUS);
        let at = log.durable_end()?;
        let executed = log.gtid_executed().to_string();
        let (do_db, ignore_db) = self.server.source.filters();
        let name = log.names().shown(at.file);
        t.push(vec![name.into(), at.offset.into(), do_db.into(), ignore_db.into(), executed.into()]);
        Ok(t)
    }

    /// SHOW REPLICAS.
    pub(in crate::statements) fn show_replicas(&mut self) -> SqlResult<Table> {
        self.require(Privs::REPLICATION_SLAVE, "REPLICATION SLAVE")?;
        let mut t = Table::new(columns::REPLICAS);
        let source = self.env.shared.globals.num(Var::server_id);
        for r in self.server.source.replicas(&self.server.connections) {
            let numbers = [u64::from(r.server_id), u64::from(r.port)].map(Cell::UInt);
            let [id, port] = numbers;
            t.push(vec![id, r.host.into(), port, source.into(), r.uuid.into()]);
        }
        Ok(t)
    }

    /// SHOW BINLOG EVENTS [IN name] [FROM position] [LIMIT].
    pub(in crate::statements) fn show_binlog_events(
        &mut self,
        name: Option<&[u8]>,
        from: Option<u64>,
        limit: Option<&Limit<'_>>,
    ) -> SqlResult<Table> {
        self.require(Privs::REPLICATION_SLAVE, "REPLICATION SLAVE")?;
        let (skip, take) = limit.map_or(Ok((0, usize::MAX)), crate::statements::show::literal_limit)?;
        let mut t = Table::new(columns::BINLOG_EVENTS);
        let Some(log) = self.server.source.log() else { return Ok(t) };
        let name = name.map(String::from_utf8_lossy).unwrap_or_default();
        let Some(mut follower) = log.follow(&name)? else { return Err(not_shown("Could not find target log")) };
        let file = follower.file();
        // from the first event on that begins there or later
        let from = from.unwrap_or(0);
        // as MySQL: no row at all is not asked for
        let take = if take == 0 { usize::MAX } else { take };
        let mut shown = binlog::show::Shown::default();
        let head = follower.walk().format().1.to_vec();
        let mut n = 0;
        let mut row = |at: u64, e: binlog::show::Line, t: &mut Table| {
            if at < from {
                return true;
            }
            n += 1;
            if n > skip {
                let (id, end) = (u64::from(e.server_id), e.end);
                t.push(vec![file.as_str().into(), at.into(), e.kind.into(), id.into(), end.into(), e.info.into()]);
            }
            n - skip.min(n) < take
        };
        let mut go_on = true;
        for line in shown.read(&head, true).map_err(|_| not_shown("Wrong offset or I/O error"))? {
            go_on = go_on && row(4, line, &mut t);
        }
        let checksum = follower.walk().format().0.checksum;
        while go_on {
            sched::check_interrupt()?;
            let at = follower.position();
            let damaged = || not_shown("Wrong offset or I/O error");
            let size = follower.readable()?;
            let event = match follower.read() {
                Ok(Ok(event)) => event,
                Ok(Err(End::OfFile | End::OfLog)) if at == size => break,
                _ => return Err(damaged()),
            };
            for line in shown.read(event, checksum).map_err(|_| damaged())? {
                go_on = go_on && row(at, line, &mut t);
            }
            base::memory::check()?;
        }
        Ok(t)
    }

    /// FLUSH BINARY LOGS.
    pub(super) fn flush_binary_logs(&mut self) -> SqlResult<()> {
        match self.server.source.log() {
            Some(log) => Ok(log.rotate()?),
            None => Ok(()),
        }
    }

    /// RESET BINARY LOGS AND GTIDS, RESET REPLICA.
    pub(super) fn reset_logs(&mut self, first: Option<FirstLog>) -> SqlResult<()> {
        self.require(Privs::RELOAD, "RELOAD")?;
        if first.is_some() && !self.tables.locked.is_empty() {
            return Err(SqlError::new(ErrorCode::LOCK_OR_ACTIVE_TRANSACTION, &[]));
        }
        self.commit_transaction()?;
        let Some(first) = first else { return Ok(()) };
        let first = match first {
            FirstLog::Free => None,
            FirstLog::Number(n) if (1..=MAX_FIRST).contains(&n) => u32::try_from(n).ok(),
            FirstLog::Number(n) => {
                return Err(SqlError::new(ErrorCode::RESET_SOURCE_TO_VALUE_OUT_OF_RANGE, &[&n, &MAX_FIRST]));
            }
        };
        // no statement on accounts is between its journal, which names its place in the log, and the log
        self.locked(MdlKey::accounts(), MdlType::X, |this| this.reset_binary_log(first))
    }

    /// Does something under a metadata lock, which goes at its end: SET and RESET end without releasing any.
    fn locked(&mut self, key: &MdlKey, ty: MdlType, f: impl FnOnce(&Session) -> SqlResult<()>) -> SqlResult<()> {
        let deadline = self.ddl_deadline();
        self.env.mdl.acquire(key, ty, Duration::Statement, deadline)?;
        let done = f(self);
        self.env.mdl.release_statement();
        done
    }

    fn reset_binary_log(&self, first: Option<u32>) -> SqlResult<()> {
        // transactions of a source may come again under GTIDs that they have had
        self.server.accounts.forget_marks(None)?;
        // the places of statements on accounts are in files that go
        self.server.accounts.settle()?;
        match self.server.source.log() {
            Some(log) => Ok(log.reset(first)?),
            None => Ok(()),
        }
    }

    /// PURGE BINARY LOGS.
    pub(super) fn purge_binary_logs(&mut self, sql: &[u8], what: &PurgeBinaryLogs<'_>) -> SqlResult<()> {
        let p = &self.env.security.account.privileges;
        if !p.has_global(Privs::SUPER) && !p.holds_dynamic("BINLOG_ADMIN") {
            let which = "SUPER or BINLOG_ADMIN";
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&which]));
        }
        let before = match what {
            PurgeBinaryLogs::To(_) => None,
            PurgeBinaryLogs::Before(e) => Some(self.purge_time(sql, e)?),
        };
        let Some(log) = self.server.source.log().cloned() else { return Ok(()) };
        let total = log.list()?.len();
        let purged = self.purging(|_| match (what, before) {
            (PurgeBinaryLogs::To(name), _) => log
                .purge_to(&String::from_utf8_lossy(name))?
                .ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_TARGET_BINLOG, &[])),
            (_, before) => Ok(log.purge_before(before.unwrap_or(0))?),
        })?;
        if let Purged::InUse(removed, file, readers) = purged {
            let e = SqlError::new(ErrorCode::WARN_PURGE_LOG_IN_USE, &[&file, &readers, &removed, &total]);
            self.env.conv.push(Level::Warning, e);
        }
        Ok(())
    }

    /// The moment of PURGE ... BEFORE, in seconds since 1970; of what is no moment, the first.
    fn purge_time(&mut self, sql: &[u8], e: &parser::ast::Expr<'_>) -> SqlResult<u64> {
        // the parser has put UNIX_TIMESTAMP() around it
        let value = self.scalars(sql, std::slice::from_ref(e))?.pop().map(|v| v.0);
        Ok(match value {
            Some(OwnedValue::Int(v)) => u64::try_from(v).unwrap_or(0),
            Some(OwnedValue::UInt(v)) => v,
            Some(OwnedValue::Decimal(d)) => d.to_string().split('.').next().and_then(|s| s.parse().ok()).unwrap_or(0),
            _ => 0,
        })
    }

    /// SET GLOBAL of what the log keeps a copy of.
    pub(in crate::statements) fn apply_to_binary_log(&mut self, var: Var, n: u64) -> SqlResult<()> {
        let Some(log) = self.server.source.log().cloned() else { return Ok(()) };
        let globals = &self.env.shared.globals;
        match var {
            Var::max_binlog_size => log.settings.max_size.store(n, Ordering::Relaxed),
            Var::server_id => log.settings.server_id.store(u32::try_from(n).unwrap_or(0), Ordering::Relaxed),
            Var::binlog_expire_logs_seconds => {
                let on = globals.bool(Var::binlog_expire_logs_auto_purge);
                log.settings.expire_seconds.store(if on { n } else { 0 }, Ordering::Relaxed);
            }
            Var::binlog_expire_logs_auto_purge => {
                let seconds = globals.num(Var::binlog_expire_logs_seconds);
                log.settings.expire_seconds.store(if n != 0 { seconds } else { 0 }, Ordering::Relaxed);
            }
            Var::binlog_transaction_dependency_history_size => {
                log.settings.history.store(n as usize, Ordering::Relaxed);
            }
            Var::sync_binlog => self.server.engine.set_always_synced(n == 1),
            Var::binlog_checksum => {
                // nobody is between making events and getting a place for them
                self.locked(MdlKey::commit(), MdlType::S, |_| Ok(log.set_checksum(n == CRC32)?))?;
            }
            _ => {}
        }
        Ok(())
    }
}
