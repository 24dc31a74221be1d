//! GTID_SUBSET, GTID_SUBTRACT, WAIT_FOR_EXECUTED_GTID_SET (manual, "Functions Used with Global Transaction
//! Identifiers"). Tested: golden `gtids`.

use super::Args;
use crate::eval::Cx;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::gtid::GtidSet;
use catalog::sysvar::Var;
use planner::func::family::Gtids;
use std::time::{Duration, Instant};
use value::Value;

/// An argument that is a set; NULL: `None`. 1772 for what is none, 1235 for one with tags.
fn set<'a>(n: usize, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Option<GtidSet>> {
    let Some(b) = a.text(n, cx)? else { return Ok(None) };
    let text = String::from_utf8_lossy(b);
    match GtidSet::parse(&text) {
        Some(s) => Ok(Some(s)),
        None if catalog::sysvar::gtid::is_set(&text) => Err(SqlError::unsupported("GTIDs with tags")),
        None => Err(SqlError::new(ErrorCode::MALFORMED_GTID_SET_SPECIFICATION, &[&text])),
    }
}

/// The functions of this family.
pub(super) fn call<'a>(f: Gtids, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f {
        Gtids::GtidSubset | Gtids::GtidSubtract => {
            let (Some(mut first), Some(second)) = (set(0, a, cx)?, set(1, a, cx)?) else { return Ok(Value::Null) };
            if f == Gtids::GtidSubset {
                return Ok(Value::from_bool(first.is_subset(&second)));
            }
            first.remove_all(&second);
            Ok(a.str(first.to_string().as_bytes()))
        }
        Gtids::WaitForExecutedGtidSet => wait(a, cx),
    }
}

/// 0 once all are executed, 1 when the time is over. NULL and times below zero are wrong arguments.
fn wait<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let wrong = || SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"WAIT_FOR_EXECUTED_GTID_SET."]);
    if cx.env.shared.globals.num(Var::gtid_mode) == 0 {
        return Err(SqlError::new(ErrorCode::GTID_MODE_OFF, &[&"use WAIT_FOR_EXECUTED_GTID_SET"]));
    }
    let Some(wanted) = set(0, a, cx)? else { return Err(wrong()) };
    let deadline = match a.len() {
        1 => None,
        _ => match a.double(1, cx)? {
            Some(s) if s > 0.0 => Some(Instant::now() + Duration::from_secs_f64(s.min(31_536_000.0))),
            Some(0.0) => None,
            _ => return Err(wrong()),
        },
    };
    let Some(log) = cx.env.binlog.log().cloned() else {
        return Ok(Value::from_bool(!wanted.is_empty()));
    };
    let conn = cx.env.client.connection.clone();
    let done = log.wait_executed(&wanted, deadline, &|| conn.check_killed().is_err());
    cx.check_killed()?;
    Ok(Value::from_bool(!done))
}
