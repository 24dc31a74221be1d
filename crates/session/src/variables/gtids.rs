//! Rules of the variables about GTIDs (manual, "Global Transaction ID System Variables"): which values they take now.
//! What they show comes from the log ([`provider`]). What else SET of them does: `kernel/gtids.rs`. Tested: golden
//! `gtids`, `tests/binlog`.

use base::{ErrorCode, SqlError, SqlResult};
use binlog::gtid::{Gtid, GtidSet};
use binlog::service::BinaryLog;
use catalog::sysvar::{Raw, Var};
use executor::Env;
use executor::binlog::NextGtid;
use std::sync::Arc;

/// Of `gtid_mode`.
const OFF: u64 = 0;
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
pub(crate) fn next_of(env: &Env, text: &str) -> SqlResult<NextGtid> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("AUTOMATIC") {
        return Ok(NextGtid::Automatic);
    }
    if text.eq_ignore_ascii_case("ANONYMOUS") {
        return allowed(env, NextGtid::Anonymous);
    }
    let Some(g) = Gtid::parse(text) else {
        let tag = |p: &str| p.trim_start().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if text.split(':').nth(1).is_some_and(tag) {
            return Err(SqlError::unsupported("GTIDs with tags"));
        }
        return Err(SqlError::new(ErrorCode::MALFORMED_GTID_SPECIFICATION, &[&text]));
    };
    allowed(env, NextGtid::Given(g))
}

/// The same if `gtid_mode` allows it: 1782 and 1781.
pub(crate) fn allowed(env: &Env, next: NextGtid) -> SqlResult<NextGtid> {
    match (next, env.shared.globals.num(Var::gtid_mode)) {
        (NextGtid::Anonymous, ON) => {
            Err(SqlError::new(ErrorCode::CANT_SET_GTID_NEXT_TO_ANONYMOUS_WHEN_GTID_MODE_IS_ON, &[]))
        }
        (NextGtid::Given(_), OFF) => {
            Err(SqlError::new(ErrorCode::CANT_SET_GTID_NEXT_TO_GTID_WHEN_GTID_MODE_IS_OFF, &[]))
        }
        _ => Ok(next),
    }
}

/// The GTIDs that `gtid_purged` gains: `+set` adds, `set` replaces and may take none away.
pub(crate) fn purged_of(env: &Env, text: &str) -> SqlResult<GtidSet> {
    let Some(log) = env.binlog.log() else { return Ok(GtidSet::default()) };
    let wanted = set_of(text.trim().trim_start_matches('+'))?;
    let refused = |why: &str| Err(SqlError::new(ErrorCode::CANT_SET_GTID_PURGED_DUE_SETS_CONSTRAINTS, &[&why]));
    let (executed, purged) = (log.gtid_executed(), log.gtid_purged());
    let mut added = match text.trim().strip_prefix('+') {
        Some(_) => wanted,
        None => {
            let mut all = wanted;
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
