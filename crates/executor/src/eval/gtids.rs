//! GTID_SUBSET, GTID_SUBTRACT, WAIT_FOR_EXECUTED_GTID_SET, SOURCE_POS_WAIT (manual, "Functions Used with Global
//! Transaction Identifiers", "Position-Based Synchronization Functions"). Tested: golden `gtids`,
//! `tests/binlog/test_replica_operators.py`.

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
        Gtids::SourcePosWait => source(a, cx, "SOURCE_POS_WAIT."),
        Gtids::MasterPosWait => source(a, cx, "MASTER_POS_WAIT."),
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

/// SOURCE_POS_WAIT(file, position [, seconds [, channel]]).
fn source<'a>(a: &Args<'a>, cx: &mut Cx<'_>, name: &str) -> SqlResult<Value<'a>> {
    let (file, position) = (a.text(0, cx)?, a.int(1, cx)?);
    let seconds = if a.len() > 2 { a.double(2, cx)? } else { Some(0.0) };
    let Some(seconds) = seconds else { return Ok(Value::Null) };
    if seconds < 0.0 {
        return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&name]));
    }
    let channel = match a.len() {
        4.. => match a.text(3, cx)? {
            Some(name) => Some(String::from_utf8_lossy(name)),
            None => return Ok(Value::Null),
        },
        _ => None,
    };
    let (Some(file), Some(position)) = (file, position) else { return Ok(Value::Null) };
    let Some(replica) = cx.env.kernel.replica.clone() else { return Ok(Value::Null) };
    let deadline = (seconds > 0.0).then(|| Instant::now() + Duration::from_secs_f64(seconds.min(31_536_000.0)));
    let conn = cx.env.client.connection.clone();
    let file = String::from_utf8_lossy(file);
    let stop = || conn.check_killed().is_err();
    let waited = replica.wait(channel.as_deref(), (&file, position), deadline, &stop)?;
    cx.check_killed()?;
    Ok(waited.map_or(Value::Null, Value::Int))
}
