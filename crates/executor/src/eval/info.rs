//! Functions about the session and the server, and system variables.

use probe::Stage;
use std::time::{Duration, Instant};

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::{Var, VarValue};
use planner::expr::VarScope;
use planner::func::family::Session;
use value::{SqlType, TypeKind, Value};

use super::{Args, eval};
use crate::eval::Cx;

/// The functions of this family.
pub(super) fn call<'a>(f: Session, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use Session as F;
    Ok(match f {
        F::Version => a.str(cx.env.shared.globals.string(Var::version).as_bytes()),
        F::Database => match &cx.env.schema {
            Some(s) => a.str(s.as_bytes()),
            None => Value::Null,
        },
        F::User => {
            let (u, h) = &cx.env.security.user;
            a.str(format!("{u}@{h}").as_bytes())
        }
        F::CurrentUser => {
            a.str(format!("{}@{}", cx.env.security.account.user, cx.env.security.account.host).as_bytes())
        }
        F::CurrentRole if cx.env.security.active_roles.is_empty() => Value::Str(b"NONE"),
        F::CurrentRole => {
            let list: Vec<String> = cx.env.security.active_roles.iter().map(catalog::accounts::roles::quoted).collect();
            a.str(list.join(",").as_bytes())
        }
        F::ConnectionId => Value::UInt(cx.env.thread_id()),
        F::LastInsertId => {
            if a.len() == 0 {
                cx.env.binlog.note_last_id(cx.env.insert_ids.at_start);
                return Ok(Value::UInt(cx.env.insert_ids.at_start));
            }
            let argument = a.uint(0, cx)?;
            cx.env.insert_ids.given = true;
            match argument {
                None => {
                    cx.env.insert_ids.next = 0;
                    Value::Null
                }
                Some(n) => {
                    cx.env.insert_ids.next = n;
                    cx.env.insert_ids.at_start = n;
                    Value::UInt(n)
                }
            }
        }
        F::RowCount => Value::Int(cx.env.counts.row_count),
        F::FoundRows => Value::Int(cx.env.counts.found_rows as i64),
        F::Sleep => return sleep(a, cx),
        F::Benchmark => {
            let Some(n) = a.int(0, cx)? else { return Ok(Value::Null) };
            if n < 0 {
                return Ok(Value::Null);
            }
            let e = a.expr(1)?;
            let mut arena = Bump::new();
            for i in 0..n {
                let asked = if i % 1024 == 0 { cx.check_killed() } else { Ok(()) };
                if let Err(e) = asked.and_then(|()| eval(e, cx, &arena).map(|_| ())) {
                    if sched::killed().is_none() || !cx.forgives() {
                        return Err(e);
                    }
                    cx.ticks.hurry();
                    break;
                }
                arena.reset();
            }
            Value::Int(0)
        }
    })
}

/// SLEEP(): 1 where it was interrupted in the select list of the result, which ends the statement before another row (manual, SLEEP()).
fn sleep<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(s) = a.double(0, cx)?.filter(|s| *s >= 0.0) else {
        return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"sleep."]));
    };
    let at = probe::stage::enter(Stage::UserSleep);
    let until = Instant::now() + Duration::from_secs_f64(s.min(31_536_000.0));
    let mut interrupted = cx.env.check_killed().is_err();
    while !interrupted {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        interrupted = sched::sleep(left.min(Duration::from_millis(200))).is_err() || cx.env.check_killed().is_err();
    }
    drop(at);
    if interrupted {
        if !cx.forgives() {
            cx.check_killed()?;
        }
        // the next row looks
        cx.ticks.hurry();
    }
    Ok(Value::Int(i64::from(interrupted)))
}

/// `@@name`.
pub(super) fn system_variable<'a>(
    scope: VarScope,
    name: &str,
    ty: &SqlType,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let var = Var::find(name)?;
    let computed = match name {
        "last_insert_id" | "identity" => Some(Value::UInt(cx.env.insert_ids.at_start)),
        "insert_id" => Some(Value::UInt(cx.env.insert_ids.wanted)),
        "timestamp" => Some(Value::Double(cx.env.clock.now_us as f64 / 1e6)),
        "warning_count" => Some(Value::Int(cx.env.counts.conditions.0 as i64)),
        "error_count" => Some(Value::Int(cx.env.counts.conditions.1 as i64)),
        "rand_seed1" | "rand_seed2" => Some(Value::UInt(0)),
        "gtid_owned" => {
            let owned = cx.env.binlog.owned_gtid().map(|g| g.to_string()).unwrap_or_default();
            Some(Value::Str(arena.alloc_slice_copy(owned.as_bytes())))
        }
        "pseudo_thread_id" => Some(Value::UInt(cx.env.thread_id())),
        _ => None,
    };
    if let Some(v) = computed
        && !super::is_global(scope)
    {
        return Ok(v);
    }
    let v = if super::is_global(scope) {
        cx.env.shared.globals.get(var)
    } else {
        cx.env.vars.get(var, &cx.env.shared.globals)
    };
    Ok(match v {
        VarValue::Null => Value::Null,
        VarValue::Bool(b) => Value::Int(i64::from(b)),
        VarValue::Int(n) => Value::Int(n),
        VarValue::UInt(n) if ty.unsigned => Value::UInt(n),
        VarValue::UInt(n) => Value::Int(n as i64),
        VarValue::Double(d) => Value::Double(d),
        VarValue::Str(s) if ty.kind.is_string() || ty.kind == TypeKind::Null => {
            Value::Str(arena.alloc_slice_copy(s.as_bytes()))
        }
        VarValue::Str(_) => Value::Null,
    })
}
