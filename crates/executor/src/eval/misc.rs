//! UUIDs, user-level locks, network addresses; MD5.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration as StdDuration;

use base::{ErrorCode, SqlError, SqlResult};
use mdl::{Duration, MdlError, MdlKey, MdlType};
use planner::func::FuncId;
use planner::func::family::{Ipv4, Locks, Uuid};
use sched::Deadline;
use value::{Charset, Level, Value};

use super::Args;
use super::string2::lower_hex;
use crate::eval::Cx;

/// Counter behind UUID_SHORT and the clock sequence of UUID.
static COUNTER: AtomicU64 = AtomicU64::new(1);

/// UUIDs.
pub(super) fn uuids<'a>(f: Uuid, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f {
        Uuid::Uuid => Ok(a.str(&uuid())),
        Uuid::UuidShort => {
            let start = crate::rows::env::wall_clock_us() as u64 / 1_000_000;
            let n = COUNTER.fetch_add(1, Ordering::Relaxed);
            Ok(Value::UInt((start & 0xffff_ffff) << 24 | n & 0xff_ffff))
        }
        Uuid::RandomBytes => super::crypto::random_bytes(a, cx),
        Uuid::IsUuid => Ok(a.text(0, cx)?.map_or(Value::Null, |s| Value::from_bool(parse_uuid(s).is_some()))),
        Uuid::UuidToBin => {
            let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
            let swap = a.len() > 1 && a.int(1, cx)?.unwrap_or(0) != 0;
            match parse_uuid(s) {
                Some(b) => Ok(a.str(&if swap { swapped(&b) } else { b })),
                None => Err(SqlError::with_message(
                    ErrorCode::WRONG_VALUE_FOR_TYPE,
                    format!("Incorrect string value: '{}' for function uuid_to_bin", String::from_utf8_lossy(s)),
                )),
            }
        }
        Uuid::BinToUuid => {
            let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
            let Ok(b) = <[u8; 16]>::try_from(s) else {
                return Err(SqlError::with_message(
                    ErrorCode::WRONG_VALUE_FOR_TYPE,
                    format!("Incorrect string value: '{}' for function bin_to_uuid", bytes_shown(s)),
                ));
            };
            let b = if a.len() > 1 && a.int(1, cx)?.unwrap_or(0) != 0 { unswapped(&b) } else { b };
            Ok(a.str(&dashed(&b)))
        }
    }
}

/// Network addresses. What is none gives NULL and warning 1411 for conversions, 0 for tests.
pub(super) fn ipv4<'a>(f: Ipv4, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    if f == Ipv4::InetNtoa {
        let Some(n) = a.uint(0, cx)? else { return Ok(Value::Null) };
        return Ok(match u32::try_from(n) {
            Ok(n) => a.str(std::net::Ipv4Addr::from(n).to_string().as_bytes()),
            Err(_) => wrong_value("integer", a, f, cx),
        });
    }
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    let text = String::from_utf8_lossy(s);
    Ok(match f {
        Ipv4::IsIpv4 => Value::from_bool(super::inet6::v4(&text).is_some()),
        Ipv4::IsIpv6 => Value::from_bool(super::inet6::v6(&text).is_some()),
        Ipv4::InetAton | Ipv4::InetNtoa => match inet_aton(&text) {
            Some(n) => Value::UInt(n),
            None => wrong_value("string", a, f, cx),
        },
    })
}

/// Bytes as messages show them.
fn bytes_shown(s: &[u8]) -> String {
    let one = |b: &u8| if (0x20..0x7f).contains(b) { char::from(*b).to_string() } else { format!("\\x{b:02X}") };
    s.iter().map(one).collect()
}

/// NULL with warning 1411, which shows the first argument as it is written.
#[cold]
pub(super) fn wrong_value<'a>(kind: &str, a: &Args<'a>, f: impl Into<FuncId>, cx: &mut Cx<'_>) -> Value<'a> {
    let shown = a.list.first().map(|e| planner::message::expression(e, cx.plan, cx.params)).unwrap_or_default();
    cx.env.conv.warn(ErrorCode::WRONG_VALUE_FOR_TYPE, &[&kind, &shown, &f.into().name()]);
    Value::Null
}

fn uuid() -> Vec<u8> {
    // version 1: 100 ns since 1582-10-15, clock sequence, a random node with the multicast bit
    let t = (crate::rows::env::wall_clock_us() as u64) * 10
        + 0x01B2_1DD2_1381_4000
        + COUNTER.fetch_add(1, Ordering::Relaxed) % 10;
    let mut rest = [0u8; 8];
    let _ = aws_lc_rs::rand::fill(&mut rest);
    let mut b = [0u8; 16];
    let hi = ((t >> 48) & 0x0fff) as u16 | 0x1000;
    let parts = (t as u32)
        .to_be_bytes()
        .into_iter()
        .chain((((t >> 32) & 0xffff) as u16).to_be_bytes())
        .chain(hi.to_be_bytes())
        .chain(rest);
    for (to, from) in b.iter_mut().zip(parts) {
        *to = from;
    }
    b[8] = b[8] & 0x3f | 0x80;
    b[10] |= 1;
    dashed(&b)
}

fn dashed(b: &[u8; 16]) -> Vec<u8> {
    let h = lower_hex(b);
    let mut out = Vec::with_capacity(36);
    for (i, c) in h.iter().enumerate() {
        if matches!(i, 8 | 12 | 16 | 20) {
            out.push(b'-');
        }
        out.push(*c);
    }
    out
}

fn parse_uuid(s: &[u8]) -> Option<[u8; 16]> {
    let s = s.strip_prefix(b"{").and_then(|s| s.strip_suffix(b"}")).unwrap_or(s);
    let dashes = s.iter().filter(|b| **b == b'-').count();
    let placed = [8usize, 13, 18, 23].iter().all(|i| s.get(*i) == Some(&b'-'));
    if !(dashes == 0 && s.len() == 32 || dashes == 4 && placed && s.len() == 36) {
        return None;
    }
    let digits: Vec<u8> =
        s.iter().filter(|b| **b != b'-').map(|b| (*b as char).to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let mut out = [0u8; 16];
    for (to, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
        *to = pair.iter().fold(0, |v, d| v << 4 | d);
    }
    Some(out)
}

/// time_hi, time_mid, time_low first (UUID_TO_BIN(x, 1)).
fn swapped(b: &[u8; 16]) -> [u8; 16] {
    let [a0, a1, a2, a3, b0, b1, c0, c1, rest @ ..] = *b;
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rest;
    [c0, c1, b0, b1, a0, a1, a2, a3, r0, r1, r2, r3, r4, r5, r6, r7]
}

fn unswapped(b: &[u8; 16]) -> [u8; 16] {
    let [c0, c1, b0, b1, a0, a1, a2, a3, rest @ ..] = *b;
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rest;
    [a0, a1, a2, a3, b0, b1, c0, c1, r0, r1, r2, r3, r4, r5, r6, r7]
}

/// `a.b.c.d`, also the short forms `a.d` and `a.b.d`.
fn inet_aton(s: &str) -> Option<u64> {
    let parts: Vec<u64> = s.split('.').map(|p| p.parse::<u8>().ok().map(u64::from)).collect::<Option<_>>()?;
    match parts.as_slice() {
        [a] => Some(*a),
        [a, d] => Some(a << 24 | d),
        [a, b, d] => Some(a << 24 | b << 16 | d),
        [a, b, c, d] => Some(a << 24 | b << 16 | c << 8 | d),
        _ => None,
    }
}

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

/// User-level locks.
pub(super) fn locks<'a>(f: Locks, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use Locks as F;
    if f == F::ReleaseAllLocks {
        let n = cx.env.mdl.release_explicit(|ns| ns == mdl::Namespace::UserLevelLock);
        return Ok(Value::UInt(n as u64));
    }
    let name = lock_name(a, cx)?;
    let key = MdlKey::user_lock(&name);
    let holder = cx.env.mdl.manager().holder(&key);
    let me = cx.env.connection.id();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_parse() {
        let b = parse_uuid(b"6ccd780c-baba-1026-9564-5b8c656024db").unwrap();
        assert_eq!(dashed(&b), b"6ccd780c-baba-1026-9564-5b8c656024db");
        assert_eq!(unswapped(&swapped(&b)), b);
        assert!(parse_uuid(b"6ccd780c-baba-1026-9564-5b8c656024d").is_none());
        assert!(parse_uuid(&uuid()).is_some());
    }

    #[test]
    fn inet_forms() {
        assert_eq!(inet_aton("127.0.0.1"), Some(2_130_706_433));
        assert_eq!(inet_aton("127.1"), Some(2_130_706_433));
        assert_eq!(inet_aton("256.1.1.1"), None);
    }
}
