//! GTIDs of a session: what SET of their variables does beyond storing a value (which they take: `variables/gtids.rs`),
//! the GTID that `gtid_next` names from there to the end of its transaction.
//!
//! `gtid_mode` changes while nobody is between reading it and the place of a commit in the log: SET takes the metadata
//! lock COMMIT, which commits take shared. Tested: golden `gtids`, `tests/binlog`.

use crate::kernel::logged::logged_as;
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use crate::variables::gtids::{next_of, purged_of};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::Sid;
use binlog::service::Own;
use bumpalo::Bump;
use catalog::sysvar::{Raw, Var};
use executor::binlog::{GivenGtid, NextGtid};
use mdl::{Duration, MdlKey, MdlType};
use parser::Lexed;
use parser::ast::Statement;
use value::Level;

impl Session {
    /// `SET gtid_next`, which has been checked.
    pub(crate) fn apply_gtid_next(&mut self) -> SqlResult<()> {
        let text = self.env.vars.text(Var::gtid_next).cloned().unwrap_or_default();
        let next = next_of(&self.env, &text)?;
        self.own_gtid(next)
    }

    /// `SET GLOBAL gtid_purged`.
    pub(crate) fn add_purged(&mut self, raw: &Raw) -> SqlResult<()> {
        let Raw::Text(Some(text)) = raw else { return Ok(()) };
        let Some(log) = self.env.binlog.log().cloned() else {
            // in plain dumps of a server with GTIDs: nothing here could follow from it
            if !text.trim().is_empty() {
                let text = "There is no binary log: gtid_purged stays empty (docs/compat.md)";
                self.env.conv.push(Level::Warning, SqlError::with_message(ErrorCode::NOT_SUPPORTED_YET, text));
            }
            return Ok(());
        };
        let added = purged_of(&self.env, text)?;
        if added.is_empty() {
            return Ok(());
        }
        log.add_purged(&added).map_err(|e| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, e.to_string()))
    }

    /// Nobody is between reading `gtid_mode` and the place of a commit in the log, to the end of the statement.
    pub(crate) fn lock_out_commits(&mut self) -> SqlResult<()> {
        let deadline = self.ddl_deadline();
        self.env.mdl.acquire(MdlKey::commit(), MdlType::S, Duration::Statement, deadline)?;
        Ok(())
    }

    /// No file has transactions of two values of `gtid_mode`: a replica that asks by GTIDs begins behind the anonymous
    /// ones.
    pub(crate) fn begin_next_log_file(&mut self) -> SqlResult<()> {
        self.server.source.log().map_or(Ok(()), |log| Ok(log.rotate()?))
    }

    /// `gtid_next` of this session becomes this; it waits for another that has the GTID.
    pub(crate) fn own_gtid(&mut self, next: NextGtid) -> SqlResult<()> {
        let NextGtid::Given(g) = next else {
            self.env.binlog.set_next_gtid(next, false);
            return Ok(());
        };
        let Some(log) = self.env.binlog.log().cloned() else { return Ok(()) };
        let id = self.env.client.connection.id();
        loop {
            match log.own(g, id) {
                Own::Owned => self.env.binlog.set_next_gtid(next, true),
                Own::Executed => self.env.binlog.set_next_gtid(next, false),
                Own::Busy => {
                    self.env.check_killed()?;
                    let _ = sched::sleep(std::time::Duration::from_millis(20));
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// The next GTID with this UUID; the one that is owned, where the same transaction is begun again.
    pub(crate) fn next_gtid_of(&self, sid: Sid) -> NextGtid {
        if let Some(g) = self.env.binlog.owned_gtid().filter(|g| g.sid == sid) {
            return NextGtid::Given(g);
        }
        let id = self.env.client.connection.id();
        self.env.binlog.log().map_or(NextGtid::Automatic, |log| NextGtid::Given(log.own_next(sid, id)))
    }

    /// The commit before LOCK TABLES and UNLOCK TABLES: where nothing was done under a GTID that was given, it stays
    /// for what follows.
    pub(crate) fn commit_before_locks(&mut self) -> SqlResult<()> {
        let done_nothing = self.env.binlog.is_empty() && !self.env.trx.has_written();
        let kept = self.env.binlog.owned_gtid().filter(|_| done_nothing);
        if kept.is_some() {
            self.env.binlog.set_next_gtid(NextGtid::Automatic, false);
        }
        let done = self.commit_transaction();
        if let Some(g) = kept {
            self.env.binlog.set_next_gtid(NextGtid::Given(g), true);
        }
        done
    }

    /// Refused while a transaction runs or a GTID is owned: 1766, 1790. `own`: the session's value is set.
    pub(crate) fn may_set_gtids(&self, var: Var, own: bool) -> SqlResult<()> {
        let within = match var {
            Var::gtid_next | Var::gtid_purged | Var::gtid_mode | Var::enforce_gtid_consistency => true,
            Var::binlog_row_value_options => true,
            Var::binlog_transaction_compression | Var::binlog_transaction_compression_level_zstd => own,
            _ => false,
        };
        if within && self.in_transaction() {
            return Err(SqlError::new(ErrorCode::VARIABLE_NOT_SETTABLE_IN_TRANSACTION, &[&var.name()]));
        }
        if var == Var::gtid_next
            && let Some(g) = self.env.binlog.owned_gtid()
        {
            return Err(SqlError::new(ErrorCode::CANT_SET_GTID_NEXT_WHEN_OWNING_GTID, &[&g]));
        }
        Ok(())
    }
    /// A statement has failed: if it was a transaction of its own, the GTID that it would have had goes back, and the
    /// next is not committed as that. A statement that cannot be read is none, nor is SET of an unknown variable.
    pub(crate) fn gtid_after_error(&mut self, e: &SqlError) {
        let given = self.env.binlog.given_gtid() != GivenGtid::None;
        let unread = e.is(ErrorCode::PARSE_ERROR) || e.is(ErrorCode::UNKNOWN_SYSTEM_VARIABLE);
        if given && !unread && !self.txn.lent && !self.in_transaction() {
            self.give_up_gtid();
        }
    }

    /// The transaction was rolled back by an error, and what follows is not committed under its GTID. An applier's is
    /// its caller's affair: what fails may be passed over (`replica_skip_errors`), and counts as executed then.
    pub(crate) fn give_up_gtid(&mut self) {
        if self.env.binlog.origin().is_none() {
            self.env.binlog.end_gtid();
        }
    }

    /// What `gtid_next` says of a statement before it runs: 1837 once its GTID is used up; nothing is done where that
    /// was executed elsewhere; a statement that would commit the open transaction first is refused (1778).
    pub(crate) fn instead_of_executed(&self, s: &Statement<'_>) -> Option<SqlResult<Outcome>> {
        use Statement as S;
        let given = self.env.binlog.given_gtid();
        if matches!(given, GivenGtid::Owned | GivenGtid::Executed) && self.in_transaction() && commits_first(s) {
            let code = ErrorCode::CANT_DO_IMPLICIT_COMMIT_IN_TRX_WHEN_GTID_NEXT_IS_SET;
            return Some(Err(SqlError::new(code, &[])));
        }
        let free = matches!(s, S::Set(_) | S::Query(_) | S::Show(_) | S::Begin(_) | S::Commit(_) | S::Rollback(_))
            || matches!(
                s,
                S::Empty | S::SetTransaction { .. } | S::Use(_) | S::Explain(_) | S::Describe { .. } | S::Do(_)
            );
        if free {
            return None;
        }
        match given {
            GivenGtid::Used => {
                let next = self.env.vars.text(Var::gtid_next).cloned().unwrap_or_default();
                Some(Err(SqlError::new(ErrorCode::GTID_NEXT_TYPE_UNDEFINED_GTID, &[&next])))
            }
            GivenGtid::Executed => Some(Ok(Outcome::ok())),
            GivenGtid::None | GivenGtid::Owned | GivenGtid::Logged => None,
        }
    }

    /// The same of a prepared statement.
    #[cold]
    pub(crate) fn instead_of_prepared(&self, sql: &[u8]) -> Option<SqlResult<Outcome>> {
        let (arena, mut lexed) = (Bump::new(), Lexed::new());
        crate::text::tokenize(&self.env, &mut lexed, sql, 0);
        let parsed = parser::parse(&arena, sql, &mut lexed).ok()?;
        self.instead_of_executed(&parsed.statement)
    }
}

/// Whether a statement would commit the open transaction before it does anything. LOCK TABLES may, as in MySQL; CREATE
/// TABLE ... START TRANSACTION is a part of it.
fn commits_first(s: &Statement<'_>) -> bool {
    use Statement as S;
    if matches!(s, S::CreateTable(c) if c.starts_transaction()) {
        return false;
    }
    matches!(s, S::Begin(_) | S::TableAdmin(_) | S::Flush(_)) || logged_as(s).is_some()
}
