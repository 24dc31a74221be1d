//! Functions of the schema `sys`: format_path, format_statement, list_add, quote_identifier, ps_thread_account ...
//!
//! What one reads of tables comes as a JSON document behind its arguments (`planner::bind::sys_function`): it was
//! selected once for the statement, with the privileges of whoever asks. Source: manual, "sys Schema Stored
//! Functions"; texts of errors and corner cases as a real MySQL answers them. Tested:
//! `tests/sql/golden/sys_functions.sql`.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use planner::func::family::SysSchema;
use probe::instruments::Instrument;
use value::json::Ref;
use value::{SqlType, TypeKind, Value};

use super::Args;
use super::server::bytes;
use super::sys_parameters;
use crate::eval::Cx;

/// The functions of this family.
pub(super) fn call<'a>(f: SysSchema, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use SysSchema as F;
    if let F::SysVersion(part) = f {
        let version = cx.env.shared.globals.string(Var::version);
        let digits = |s: &str| s.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
        return Ok(Value::UInt(version.split('.').nth(usize::from(part)).map_or(0, digits)));
    }
    if f == F::SysThreadId {
        return thread_id(a, cx);
    }
    let Some(s) = sys_parameters::text(f, 0, a, cx)? else {
        return match f {
            F::SysListAdd => list_add(b"", a, cx),
            F::SysConfig => second(a, cx),
            // who is not named is anybody
            F::SysAccountEnabled => account_enabled(None, a, cx),
            F::SysInstrumentEnabled | F::SysInstrumentTimed => Ok(yes(true)),
            _ => Ok(Value::Null),
        };
    };
    let text = |s: String| a.str(s.as_bytes());
    Ok(match f {
        F::SysFileSchema => a.str(&cut(component(s, 1), 64)),
        F::SysFileTable => {
            let name = component(s, 0);
            let name = String::from_utf8_lossy(name.split(|b| *b == b'.').next().unwrap_or(&name)).into_owned();
            a.str(&cut(name.replace("@0024", "$").into_bytes(), 64))
        }
        F::SysFormatBytes => text(bytes(leading_number(s))),
        F::SysFormatTime => text(time(s)),
        F::SysFormatPath => a.str(&cut(path(s, cx), 512)),
        F::SysFormatStatement => {
            let own = a.uint(1, cx)?;
            let length = match own {
                Some(n) => n,
                None => configured(a, 2, b"statement_truncate_len", cx)?.and_then(number).unwrap_or(64),
            };
            a.str(&statement(s, length))
        }
        F::SysListAdd => return list_add(s, a, cx),
        F::SysListDrop => {
            let Some(out) = sys_parameters::text(f, 1, a, cx)? else {
                return Err(null_argument("list_drop", "in_drop_value"));
            };
            a.str(&list_drop(s, out))
        }
        F::SysAccountEnabled => return account_enabled(Some(s), a, cx),
        F::SysConsumerEnabled => consumer_enabled(s, a, cx)?,
        F::SysInstrumentEnabled => yes(instrument(s).0),
        F::SysInstrumentTimed => yes(instrument(s).1),
        F::SysThreadInstrumented => match found(a, 1, s, cx)? {
            Some(Some(v)) => a.str(v),
            _ => a.str(b"UNKNOWN"),
        },
        F::SysThreadAccount => found(a, 1, s, cx)?.flatten().map_or(Value::Null, |v| a.str(v)),
        F::SysThreadStack => text(stack(s, a, cx)?),
        F::SysThreadTransactions => return transactions(s, a, cx),
        F::SysQuoteIdentifier => text(format!("`{}`", String::from_utf8_lossy(s).replace('`', "``"))),
        F::SysConfig => match configured(a, 2, &s.to_ascii_lowercase(), cx)? {
            Some(v) => a.str(v),
            None => return second(a, cx),
        },
        F::SysThreadId | F::SysVersion(_) => Value::Null,
    })
}

fn yes<'a>(is: bool) -> Value<'a> {
    Value::Str(if is { b"YES" } else { b"NO" })
}

/// The second argument as it is.
fn second<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    Ok(sys_parameters::text(SysSchema::SysConfig, 1, a, cx)?.map_or(Value::Null, |v| a.str(v)))
}

/// The thread of a connection; of this one where none is named.
fn thread_id<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    Ok(match given_id(a, cx)? {
        None => Value::UInt(cx.env.client.connection.id()),
        Some(id) if cx.env.shared.connections.get(id).is_some() => Value::UInt(id),
        Some(_) => Value::Null,
    })
}

fn given_id(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<Option<u64>> {
    Ok(match sys_parameters::given(SysSchema::SysThreadId, 0, a, cx)?.0 {
        Value::UInt(id) => Some(id),
        Value::Int(id) => u64::try_from(id).ok(),
        _ => None,
    })
}

/// What MySQL's functions signal for a NULL that they cannot use.
fn null_argument(function: &str, argument: &str) -> SqlError {
    let message = format!("Function sys.{function}: {argument} input variable should not be NULL");
    SqlError::signalled(ErrorCode::INVALID_USE_OF_NULL.number(), *b"02200", message)
}

/// The member `key` of the document in argument `i`: `None` if there is none, `Some(None)` for a null.
fn found<'a>(a: &Args<'a>, i: usize, key: &[u8], cx: &mut Cx<'_>) -> SqlResult<Option<Option<&'a [u8]>>> {
    let Value::Json(d) = a.value(i, cx)? else { return Ok(None) };
    Ok(Ref::open(d).ok().and_then(|r| r.member(key)).map(Ref::as_str))
}

/// A setting of sys_config, which is the document in argument `i`.
fn configured<'a>(a: &Args<'a>, i: usize, name: &[u8], cx: &mut Cx<'_>) -> SqlResult<Option<&'a [u8]>> {
    Ok(found(a, i, name, cx)?.flatten())
}

fn number(s: &[u8]) -> Option<u64> {
    std::str::from_utf8(s).ok()?.trim().parse().ok()
}

/// The number that a text begins with; 0 without a warning where it begins with none.
fn leading_number(s: &[u8]) -> f64 {
    let s = String::from_utf8_lossy(s);
    let s = s.trim_start();
    let end = s.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(s.len());
    (0..=end).rev().find_map(|n| s.get(..n)?.parse().ok()).unwrap_or(0.0)
}

/// `1.5 ms`: two digits at most, and none that are zeros.
fn time(s: &[u8]) -> String {
    const UNITS: [(f64, &str); 8] = [
        (604_800e12, "w"),
        (86_400e12, "d"),
        (3_600e12, "h"),
        (60e12, "m"),
        (1e12, "s"),
        (1e9, "ms"),
        (1e6, "us"),
        (1e3, "ns"),
    ];
    let n = leading_number(s);
    let Some((scale, unit)) = UNITS.iter().find(|(scale, _)| n >= *scale) else {
        return format!("{} ps", String::from_utf8_lossy(s));
    };
    let shown = format!("{:.2}", n / scale);
    format!("{} {unit}", shown.trim_end_matches('0').trim_end_matches('.'))
}

/// At most so many characters.
fn cut(s: Vec<u8>, chars: usize) -> Vec<u8> {
    if s.len() <= chars {
        return s;
    }
    String::from_utf8_lossy(&s).chars().take(chars).collect::<String>().into_bytes()
}

/// A part of a file's path, counted from its end; the first one where there are fewer.
fn component(path: &[u8], from_end: usize) -> Vec<u8> {
    let parts: Vec<&[u8]> = path.split(|b| matches!(b, b'/' | b'\\')).collect();
    parts.get(parts.len().saturating_sub(1 + from_end)).map_or_else(Vec::new, |p| p.to_vec())
}

/// A path with the first of the server's folders that it lies in by the variable's name.
fn path(s: &[u8], cx: &Cx<'_>) -> Vec<u8> {
    const FOLDERS: [(Var, &str); 7] = [
        (Var::datadir, "@@datadir"),
        (Var::tmpdir, "@@tmpdir"),
        (Var::replica_load_tmpdir, "@@replica_load_tmpdir"),
        (Var::innodb_data_home_dir, "@@innodb_data_home_dir"),
        (Var::innodb_log_group_home_dir, "@@innodb_log_group_home_dir"),
        (Var::innodb_undo_directory, "@@innodb_undo_directory"),
        (Var::basedir, "@@basedir"),
    ];
    let globals = &cx.env.shared.globals;
    for (var, shown) in FOLDERS {
        let folder = globals.string(var);
        let folder = folder.trim_end_matches('/').as_bytes();
        // what is "./" or nothing is no place
        if !folder.starts_with(b"/") {
            continue;
        }
        if let Some(rest) = s.strip_prefix(folder).filter(|r| r.starts_with(b"/")) {
            return [shown.as_bytes(), rest].concat();
        }
    }
    s.to_vec()
}

/// A statement on one line; the middle of a long one is left out.
fn statement(s: &[u8], length: u64) -> Vec<u8> {
    let text = String::from_utf8_lossy(s).replace('\n', " ");
    let chars = text.chars().count();
    if chars as u64 <= length {
        return text.into_bytes();
    }
    let part = usize::try_from(length / 2).unwrap_or(usize::MAX).saturating_sub(2);
    let head: String = text.chars().take(part).collect();
    let tail: String = text.chars().skip(chars.saturating_sub(part)).collect();
    format!("{head} ... {tail}").into_bytes()
}

/// A comma-separated list with one more element; NULL and nothing are empty lists.
fn list_add<'a>(list: &[u8], a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(add) = sys_parameters::text(SysSchema::SysListAdd, 1, a, cx)? else {
        return Err(null_argument("list_add", "in_add_value"));
    };
    let list = list.trim_ascii();
    let list = list.strip_suffix(b",").unwrap_or(list);
    let list = list.strip_prefix(b",").unwrap_or(list);
    if list.is_empty() { Ok(a.str(add)) } else { a.join(&[list, b",", add], list.len() + 1 + add.len()) }
}

/// A list without an element, however often it is in it, with or without a space before it.
fn list_drop(list: &[u8], out: &[u8]) -> Vec<u8> {
    let keeps = |e: &&[u8]| e.strip_prefix(b" ").unwrap_or(e) != out && *e != out;
    let kept: Vec<&[u8]> = list.split(|b| *b == b',').filter(keeps).collect();
    kept.join(&b","[..])
}

/// Whether setup_actors (a document in argument 2) turns instruments on for an account.
fn account_enabled<'a>(host: Option<&[u8]>, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let user = sys_parameters::text(SysSchema::SysAccountEnabled, 1, a, cx)?;
    let Value::Json(d) = a.value(2, cx)? else { return Ok(yes(false)) };
    let fits = |rule: Option<&[u8]>, is: Option<&[u8]>| rule == Some(b"%") || is.is_some() && rule == is;
    let on = |row: Ref<'_>| {
        let at = |i: usize| row.element(i).and_then(Ref::as_str);
        fits(at(0), host) && fits(at(1), user) && at(2) == Some(b"YES")
    };
    Ok(yes(Ref::open(d).is_ok_and(|rows| rows.elements().any(on))))
}

/// Whether a consumer and those above it are on; setup_consumers is the document in argument 1. 3047 for none.
fn consumer_enabled<'a>(name: &[u8], a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let name = name.to_ascii_lowercase();
    let Some(mut on) = found(a, 1, &name, cx)?.flatten().map(|v| v == b"YES") else {
        let shown = String::from_utf8_lossy(a.text(0, cx)?.unwrap_or(b"")).into_owned();
        return Err(SqlError::new(ErrorCode::INVALID_ARGUMENT_ERROR, &[&shown, &"sys.ps_is_consumer_enabled"]));
    };
    let kind = ["events_stages_", "events_statements_", "events_transactions_", "events_waits_"];
    let above = kind.iter().find(|k| name.starts_with(k.as_bytes())).map(|k| format!("{k}current"));
    let threads = name != b"global_instrumentation" && name != b"statements_digest";
    let chain = [
        above.as_deref(),
        (above.is_some() && threads).then_some("thread_instrumentation"),
        (name != b"global_instrumentation").then_some("global_instrumentation"),
    ];
    for c in chain.into_iter().flatten() {
        on &= found(a, 1, c.as_bytes(), cx)?.flatten() == Some(b"YES");
    }
    Ok(yes(on))
}

/// Whether an instrument is enabled, and timed, where no option says otherwise. MySQL's functions go by the beginning
/// of the name, so they say something of what they do not know, too, and call steps of programs and the times of
/// sockets on, which are off.
fn instrument(name: &[u8]) -> (bool, bool) {
    let is = |beginnings: &[&str]| {
        let begins = |b: &str| name.get(..b.len()).is_some_and(|n| n.eq_ignore_ascii_case(b.as_bytes()));
        beginnings.iter().any(|b| begins(b))
    };
    let off = is(&["wait/synch/", "stage/"]) && {
        let known = Instrument::all().find(|(_, d)| d.name.as_bytes().eq_ignore_ascii_case(name));
        !known.is_some_and(|(_, d)| d.default_on)
    };
    (!off && !is(&["wait/io/socket/"]), !off && !is(&["memory/"]))
}

/// Appends a member of a JSON object as text.
fn member(out: &mut Vec<u8>, object: Ref<'_>, key: &str) {
    match object.member(key.as_bytes()) {
        Some(v) => value::json::print::compact(v, out),
        None => out.extend_from_slice(b"null"),
    }
}

/// The events of a thread (argument 2 is a document of all threads') as MySQL's graph of them.
fn stack(thread: &[u8], a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<String> {
    let debug = a.int(1, cx)?.is_some_and(|d| d != 0);
    let all = a.value(2, cx)?;
    let account = &cx.env.security.user;
    let clock = cx.env.time_zone().from_unix(cx.env.clock.now_us.div_euclid(1_000_000), 0);
    let type_of_now = SqlType::new(TypeKind::DateTime);
    let now = super::text_of(Value::DateTime(clock), &type_of_now, a.arena).map(String::from_utf8_lossy);
    let now = now.unwrap_or_default();
    let version = cx.env.shared.globals.string(Var::version);
    let mut out = format!(
        "{{\"rankdir\": \"LR\",\"nodesep\": \"0.10\",\"stack_created\": \"{now}\",\"mysql_version\": \"{version}\",\
         \"mysql_user\": \"{}@{}\",\"events\": [",
        account.0, account.1
    )
    .into_bytes();
    let events = match all {
        Value::Json(d) => Ref::open(d).ok().and_then(|r| r.member(thread)),
        _ => None,
    };
    for (i, event) in events.iter().flat_map(|e| e.elements()).enumerate() {
        let keys = ["nesting_event_id", "event_id", "timer_wait", "event_info", "wait_info", "source", "event_type"];
        for (k, key) in keys.into_iter().enumerate() {
            let open = match (i, k) {
                (0, 0) => "{",
                (_, 0) => ",{",
                _ => ", ",
            };
            out.extend_from_slice(format!("{open}\"{key}\": ").as_bytes());
            match key {
                "source" if !debug => out.extend_from_slice(b"\"\""),
                _ => member(&mut out, event, key),
            }
        }
        out.push(b'}');
    }
    out.extend_from_slice(b"]}");
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// The transactions of a thread (argument 1 is a document of all threads'), as long as the setting allows.
fn transactions<'a>(thread: &[u8], a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    const MAX: &[u8] = b"ps_thread_trx_info.max_length";
    let length = match a.uint(2, cx)? {
        Some(n) => n,
        None => configured(a, 3, MAX, cx)?.and_then(number).unwrap_or(65_535),
    };
    let Value::Json(d) = a.value(1, cx)? else { return Ok(Value::Null) };
    let Some(list) = Ref::open(d).ok().and_then(|r| r.member(thread)) else { return Ok(Value::Null) };
    let mut out = Vec::new();
    value::json::print::pretty(list, 0, &mut out);
    if out.len() as u64 > length {
        let what = format!("Trx info is truncated: {} bytes, of which {length} may be shown", out.len());
        return Ok(a.str(format!("{{ \"error\": \"{what}\" }}").as_bytes()));
    }
    Ok(a.str(&out))
}
