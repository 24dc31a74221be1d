//! Rules of the variables about GTIDs (manual, "Global Transaction ID System Variables"): which values they take now,
//! and what taking one does. What they show comes from the log ([`provider`]).
//!
//! `gtid_mode` changes in steps, and while nobody is between reading it and the place of a commit in the log: SET takes
//! the metadata lock COMMIT. Tested: golden `gtids`, `tests/binlog`.

use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::gtid::{Gtid, GtidSet};
use binlog::service::{BinaryLog, Own};
use catalog::sysvar::{Raw, Var};
use executor::Env;
use executor::binlog::NextGtid;
use std::sync::Arc;

/// Of `gtid_mode`.
const OFF: u64 = 0;
const ON_PERMISSIVE: u64 = 2;
const ON: u64 = 3;

/// What the variables that only the log knows show.
pub(crate) fn provider(log: Arc<dyn BinaryLog>) -> impl Fn(Var) -> Option<String> + Send + Sync {
    move |v| match v {
        Var::gtid_executed => Some(log.gtid_executed().to_string()),
        Var::gtid_purged => Some(log.gtid_purged().to_string()),
        Var::gtid_owned => {
            let all: Vec<String> = log.gtid_owned().iter().map(|(g, c)| format!("{g}#{c}")).collect();
            Some(all.join(","))
        }
        _ => None,
    }
}

/// A set as SET and functions take it: 1772 for what is none, 1235 for one with tags.
pub(crate) fn set_of(text: &str) -> SqlResult<GtidSet> {
    match GtidSet::parse(text) {
        Some(s) => Ok(s),
        None if catalog::sysvar::gtid::is_set(text) => Err(SqlError::unsupported("GTIDs with tags")),
        None => Err(SqlError::new(ErrorCode::MALFORMED_GTID_SET_SPECIFICATION, &[&text])),
    }
}

/// Whether the variable takes the value now.
pub(crate) fn check(env: &Env, var: Var, raw: &Raw) -> SqlResult<()> {
    let text = if let Raw::Text(Some(t)) = raw { &**t } else { "" };
    match (var, raw) {
        (Var::gtid_mode, Raw::Num(to)) => check_mode(env, *to),
        (Var::enforce_gtid_consistency, Raw::Num(to)) => {
            // OFF, ON, WARN
            if env.shared.globals.num(Var::gtid_mode) == ON && *to != 1 {
                return Err(SqlError::new(ErrorCode::GTID_MODE_ON_REQUIRES_ENFORCE_GTID_CONSISTENCY_ON, &[]));
            }
            Ok(())
        }
        (Var::gtid_next, _) => next_of(env, text).map(drop),
        (Var::gtid_purged, _) => purged_of(env, text).map(drop),
        _ => Ok(()),
    }
}

fn check_mode(env: &Env, to: u64) -> SqlResult<()> {
    let now = env.shared.globals.num(Var::gtid_mode);
    if to == now {
        return Ok(());
    }
    if env.binlog.log().is_none() {
        return Err(SqlError::unsupported("gtid_mode without a binary log"));
    }
    if now.abs_diff(to) > 1 {
        return Err(SqlError::new(ErrorCode::GTID_MODE_CAN_ONLY_CHANGE_ONE_STEP_AT_A_TIME, &[]));
    }
    if to == ON && env.shared.globals.num(Var::enforce_gtid_consistency) != 1 {
        let args: [&dyn std::fmt::Display; 2] = [&"ON", &"ENFORCE_GTID_CONSISTENCY is not ON"];
        return Err(SqlError::new(ErrorCode::CANT_SET_GTID_MODE, &args));
    }
    Ok(())
}

/// What `gtid_next` is to be.
fn next_of(env: &Env, text: &str) -> SqlResult<NextGtid> {
    let mode = env.shared.globals.num(Var::gtid_mode);
    let text = text.trim();
    if text.eq_ignore_ascii_case("AUTOMATIC") {
        return Ok(NextGtid::Automatic);
    }
    if text.eq_ignore_ascii_case("ANONYMOUS") {
        if mode == ON {
            return Err(SqlError::new(ErrorCode::CANT_SET_GTID_NEXT_TO_ANONYMOUS_WHEN_GTID_MODE_IS_ON, &[]));
        }
        return Ok(NextGtid::Anonymous);
    }
    let Some(g) = Gtid::parse(text) else {
        let tagged = text.to_ascii_uppercase().starts_with("AUTOMATIC:") || catalog::sysvar::gtid::is_set(text);
        if tagged && text.split(':').count() > 1 && !text.contains('-') | (text.matches(':').count() > 1) {
            return Err(SqlError::unsupported("GTIDs with tags"));
        }
        return Err(SqlError::new(ErrorCode::MALFORMED_GTID_SPECIFICATION, &[&text]));
    };
    if mode == OFF {
        return Err(SqlError::new(ErrorCode::CANT_SET_GTID_NEXT_TO_GTID_WHEN_GTID_MODE_IS_OFF, &[]));
    }
    Ok(NextGtid::Given(g))
}

/// The GTIDs that `gtid_purged` gains: `+set` adds, `set` replaces and may take none away.
fn purged_of(env: &Env, text: &str) -> SqlResult<GtidSet> {
    let Some(log) = env.binlog.log() else {
        return Err(SqlError::unsupported("gtid_purged without a binary log"));
    };
    let refused = |why: &str| Err(SqlError::new(ErrorCode::CANT_SET_GTID_PURGED_DUE_SETS_CONSTRAINTS, &[&why]));
    let (executed, purged) = (log.gtid_executed(), log.gtid_purged());
    let mut added = match text.trim().strip_prefix('+') {
        Some(more) => set_of(more)?,
        None => {
            let mut all = set_of(text)?;
            if !purged.is_subset(&all) {
                return refused("the new value must be a superset of the old value");
            }
            all.remove_all(&purged);
            all
        }
    };
    let before = added.count();
    added.remove_all(&executed);
    if added.count() != before {
        return refused("the added gtid set must not overlap with @@GLOBAL.GTID_EXECUTED");
    }
    Ok(added)
}

impl Session {
    /// SET of one of them that has been checked.
    pub(crate) fn apply_gtids(&mut self, var: Var) -> SqlResult<()> {
        match var {
            Var::gtid_next => {
                let text = self.env.vars.text(Var::gtid_next).cloned().unwrap_or_default();
                let next = next_of(&self.env, &text)?;
                self.own_gtid(next)
            }
            _ => Ok(()),
        }
    }

    /// `SET GLOBAL gtid_purged`.
    pub(crate) fn add_purged(&mut self, text: &str) -> SqlResult<()> {
        let added = purged_of(&self.env, text)?;
        let Some(log) = self.env.binlog.log().cloned() else { return Ok(()) };
        log.add_purged(&added).map_err(|e| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, e.to_string()))
    }

    /// `gtid_next` of this session becomes this; it waits for another that has the GTID.
    fn own_gtid(&mut self, next: NextGtid) -> SqlResult<()> {
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

    /// Refused while a transaction runs or a GTID is owned: 1766, 1790.
    pub(crate) fn may_set_gtids(&self, var: Var) -> SqlResult<()> {
        let within = matches!(var, Var::gtid_next | Var::gtid_purged | Var::gtid_mode | Var::enforce_gtid_consistency);
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
}

/// Whether automatic GTIDs are given.
pub(crate) fn gives_gtids(env: &Env) -> bool {
    env.shared.globals.num(Var::gtid_mode) >= ON_PERMISSIVE
}
