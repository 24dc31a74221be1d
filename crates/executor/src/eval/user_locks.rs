//! User-level locks: GET_LOCK, RELEASE_LOCK and their kin.
//!
//! They are metadata locks of a namespace of their own, held until they are released or the session ends. Source:
//! manual, "Locking Functions". Tested: `tests/sql/golden/user_lock_names.sql` and `tests/clients/test_states.py`.

use std::time::Duration as StdDuration;

use base::{ErrorCode, SqlError, SqlResult};
use mdl::{Duration, MdlError, MdlKey, MdlType};
use planner::func::family::Locks;
use sched::Deadline;
use value::{Charset, Level, Value};

use super::Args;
use crate::eval::Cx;

/// The name of a lock in lower case: what the argument is in utf8mb3, of at most 64 characters (3057, 4163).
fn lock_name(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<String> {
    let wrong = |shown: String| SqlError::new(ErrorCode::USER_LOCK_WRONG_NAME, &[&shown]);
    let Some(given) = a.text(0, cx)? else { return Err(wrong("NULL".to_owned())) };
    let source = a.ty(0)?.charset();
    let mut text = Vec::new();
    if source == Charset::Binary {
        text.extend_from_slice(given);
    } else {
        value::charset::convert(given, source, Charset::Utf8mb4, &mut text);
    }
    match std::str::from_utf8(&text) {
        Ok(name) if name.is_empty() || name.chars().any(|c| c as u32 > 0xffff) => Err(wrong(name.to_owned())),
        Ok(name) if name.chars().count() > 64 => Err(SqlError::new(ErrorCode::USER_LOCK_OVERLONG_NAME, &[&name, &64])),
        Ok(name) => Ok(name.to_lowercase()),
        Err(_) => Err(wrong(value::context::printable(&text))),
    }
}

/// The functions of this family.
pub(super) fn call<'a>(f: Locks, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use Locks as F;
    if f == F::ReleaseAllLocks {
        let n = cx.env.mdl.release_explicit(|ns| ns == mdl::Namespace::UserLevelLock);
        return Ok(Value::UInt(n as u64));
    }
    let name = lock_name(a, cx)?;
    let key = MdlKey::user_lock(&name);
    let holder = cx.env.mdl.manager().holder(&key);
    let me = cx.env.client.connection.id();
    Ok(match f {
        F::IsFreeLock => Value::from_bool(holder.is_none()),
        F::IsUsedLock => holder.map_or(Value::Null, Value::UInt),
        F::ReleaseLock => match holder {
            None => Value::Null,
            Some(h) if h != me => Value::Int(0),
            Some(_) => Value::from_bool(cx.env.mdl.release_named(&key)),
        },
        F::GetLock | F::ReleaseAllLocks => {
            let seconds = a.double(1, cx)?.unwrap_or(0.0);
            let limit = if seconds < 0.0 {
                StdDuration::from_secs(31_536_000)
            } else {
                StdDuration::from_secs_f64(seconds.min(31_536_000.0))
            };
            let r = cx.env.mdl.acquire(&key, MdlType::X, Duration::Explicit, Deadline::after(limit));
            match r {
                Ok(_) => Value::Int(1),
                Err(MdlError::Timeout) => Value::Int(0),
                Err(MdlError::UserLockDeadlock | MdlError::Deadlock) => {
                    return Err(SqlError::with_message(
                        ErrorCode::USER_LOCK_DEADLOCK,
                        "Deadlock found when trying to get user-level lock; try rolling back transaction/releasing locks and restarting lock acquisition.",
                    ));
                }
                Err(MdlError::Interrupted(_)) => {
                    sched::check_interrupt()?;
                    let e = SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[]);
                    cx.env.conv.push(Level::Warning, e);
                    Value::Null
                }
                Err(MdlError::WrongType) => return Err(SqlError::unsupported("user-level lock")),
            }
        }
    })
}
