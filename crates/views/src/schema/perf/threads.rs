//! threads, accounts, users, hosts, and status by thread, account, user and host.

use super::super::column_types::{ASCII, BIN4, EXECUTION, YES_NO};
use super::super::{Columns, Hints, NULL, Row, SessionView, Spec, T, i, s, u};
use super::{PS, host_of};
use base::SqlResult;
use catalog::connections::{Connection, Login};
use probe::events::{INSTRUMENTED, KEEPS_HISTORY};
use probe::threads::ThreadClass;
use probe::{Counter, Scope};
use std::collections::BTreeMap;
use std::sync::Arc;

const STATUS: [(&str, T, bool); 2] = [("VARIABLE_NAME", T::S(64), false), ("VARIABLE_VALUE", T::S(1024), true)];
const TOTALS: [(&str, T, bool); 4] = [
    ("CURRENT_CONNECTIONS", T::I, false),
    ("TOTAL_CONNECTIONS", T::I, false),
    ("MAX_SESSION_CONTROLLED_MEMORY", T::U, false),
    ("MAX_SESSION_TOTAL_MEMORY", T::U, false),
];
pub(super) const USER: (&str, T, bool) = ("USER", T::In(&T::Char(32), BIN4), true);
pub(super) const HOST: (&str, T, bool) = ("HOST", T::In(&T::Char(255), ASCII), true);

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "threads", columns: THREADS, rows: threads },
    Spec {
        schema: PS,
        name: "accounts",
        columns: &[USER, HOST, TOTALS[0], TOTALS[1], TOTALS[2], TOTALS[3]],
        rows: accounts,
    },
    Spec { schema: PS, name: "users", columns: &[USER, TOTALS[0], TOTALS[1], TOTALS[2], TOTALS[3]], rows: users },
    Spec { schema: PS, name: "hosts", columns: &[HOST, TOTALS[0], TOTALS[1], TOTALS[2], TOTALS[3]], rows: hosts },
    Spec {
        schema: PS,
        name: "status_by_thread",
        columns: &[("THREAD_ID", T::U, false), STATUS[0], STATUS[1]],
        rows: status_by_thread,
    },
    Spec {
        schema: PS,
        name: "status_by_account",
        columns: &[USER, HOST, STATUS[0], STATUS[1]],
        rows: status_by_account,
    },
    Spec { schema: PS, name: "status_by_user", columns: &[USER, STATUS[0], STATUS[1]], rows: status_by_user },
    Spec { schema: PS, name: "status_by_host", columns: &[HOST, STATUS[0], STATUS[1]], rows: status_by_host },
];

const THREADS: Columns = &[
    ("THREAD_ID", T::U, false),
    ("NAME", T::S(128), false),
    ("TYPE", T::S(10), false),
    ("PROCESSLIST_ID", T::U, true),
    ("PROCESSLIST_USER", T::S(32), true),
    ("PROCESSLIST_HOST", T::In(&T::S(255), ASCII), true),
    ("PROCESSLIST_DB", T::S(64), true),
    ("PROCESSLIST_COMMAND", T::S(16), true),
    ("PROCESSLIST_TIME", T::I, true),
    ("PROCESSLIST_STATE", T::S(64), true),
    ("PROCESSLIST_INFO", T::Text, true),
    ("PARENT_THREAD_ID", T::U, true),
    ("ROLE", T::S(64), true),
    ("INSTRUMENTED", YES_NO, false),
    ("HISTORY", YES_NO, false),
    ("CONNECTION_TYPE", T::S(16), true),
    ("THREAD_OS_ID", T::U, true),
    ("RESOURCE_GROUP", T::S(64), true),
    ("EXECUTION_ENGINE", EXECUTION, true),
    ("CONTROLLED_MEMORY", T::U, false),
    ("MAX_CONTROLLED_MEMORY", T::U, false),
    ("TOTAL_MEMORY", T::U, false),
    ("MAX_TOTAL_MEMORY", T::U, false),
    ("TELEMETRY_ACTIVE", YES_NO, false),
];

/// The process's threads that serve no connection: kernel's id and name.
pub(super) fn background() -> Vec<(u64, String)> {
    let serves =
        |name: &str| name.starts_with("conn-") || ["worker", "event_scheduler", "event_worker"].contains(&name);
    // the main thread has the name of the program's file
    let main = u64::from(std::process::id());
    let named = |(tid, name): (u64, String)| (tid, if tid == main { "evenkeel".to_owned() } else { name });
    sys::thread::all().into_iter().filter(|(_, name)| !serves(name)).map(named).collect()
}

fn threads(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    let main = u64::from(std::process::id());
    let tail = |os: Option<u64>| [os.map_or(NULL, u), NULL, s("PRIMARY"), u(0), u(0), u(0), u(0), s("NO")];
    for (tid, name) in background() {
        let class = ThreadClass::of(&name).map_or("thread/evenkeel/other", |c| c.name);
        let mut row = vec![u(1 << 32 | tid), s(class), s("BACKGROUND")];
        row.extend(std::iter::repeat_n(NULL, 8));
        // threads of the engine have none, as in MySQL
        row.extend([if tid == main || class.starts_with("thread/innodb/") { NULL } else { u(1 << 32 | main) }, NULL]);
        let flags = probe::threads::flags(tid, &name);
        row.extend([INSTRUMENTED, KEEPS_HISTORY].map(|bit| s(if flags & bit != 0 { "YES" } else { "NO" })));
        row.push(NULL);
        row.extend(tail(Some(tid)));
        out.push(row);
    }
    let flag = |c: &Connection, bit| s(if c.activity.recorder.flags() & bit != 0 { "YES" } else { "NO" });
    for c in v.connections.all() {
        let r = c.row();
        let text = |t: &str| if t.is_empty() { NULL } else { s(t) };
        let mut row = vec![
            u(r.id),
            s(*c.thread.lock()),
            s("FOREGROUND"),
            u(r.id),
            text(&r.who.user),
            text(host_of(&r.who.host)),
            r.who.db.as_ref().map_or(NULL, s),
            s(r.command),
            i(r.time_s as i64),
            text(r.state),
            r.info.map_or(NULL, |t| s(String::from_utf8_lossy(&t))),
            u(1 << 32 | main),
            NULL,
            flag(&c, INSTRUMENTED),
            flag(&c, KEEPS_HISTORY),
            text(*c.transport.lock()),
        ];
        row.extend(tail(None));
        out.push(row);
    }
    Ok(out)
}

/// Connections now and ever, by what `key` makes of an account.
fn totals<K: Ord>(v: &SessionView, key: impl Fn(&str, &str) -> K) -> BTreeMap<K, (i64, i64)> {
    let mut out: BTreeMap<K, (i64, i64)> = BTreeMap::new();
    for ((user, host), login) in v.connections.logins() {
        let e = out.entry(key(&user, &host)).or_default();
        e.0 += login.current;
        e.1 += login.total;
    }
    out
}

fn numbers((now, ever): (i64, i64)) -> [value::OwnedValue; 4] {
    [i(now), i(ever), u(0), u(0)]
}

/// Background threads belong to nobody: a row whose names are NULL.
fn nobody(names: usize) -> Row {
    let n = background().len() as i64;
    let mut row: Row = vec![NULL; names];
    row.extend(numbers((n, n)));
    row
}

fn accounts(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let rows = totals(v, |a, b| (a.to_owned(), b.to_owned())).into_iter().map(|((user, host), n)| {
        let mut row = vec![s(user), s(host)];
        row.extend(numbers(n));
        row
    });
    Ok(rows.chain([nobody(2)]).collect())
}

fn by_name(v: &SessionView, of: fn(&str, &str) -> String) -> Vec<Row> {
    let rows = totals(v, of).into_iter().map(|(name, n)| {
        let mut row = vec![s(name)];
        row.extend(numbers(n));
        row
    });
    rows.chain([nobody(1)]).collect()
}

fn user(user: &str, _: &str) -> String {
    user.to_owned()
}
fn host(_: &str, host: &str) -> String {
    host.to_owned()
}

fn users(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(by_name(v, user))
}
fn hosts(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(by_name(v, host))
}

/// Counters of which a session has its own.
fn own() -> impl Iterator<Item = Counter> {
    Counter::ALL.iter().copied().filter(|c| c.scope() == Scope::Both)
}

fn status_by_thread(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for c in v.connections.all() {
        let Some(sched) = c.sched.lock().clone() else { continue };
        let all = probe::session_status(sched.counters());
        out.extend(all.into_iter().map(|(name, n)| vec![u(c.id()), s(name), s(n.to_string())]));
        // what is no counter: its TLS, whose sessions are never taken up again
        let (version, cipher) = c.tls.lock().clone().unwrap_or_default();
        let texts = [("Ssl_cipher", cipher), ("Ssl_sessions_reused", "0".to_owned()), ("Ssl_version", version)];
        out.extend(texts.map(|(name, text)| vec![u(c.id()), s(name), s(text)]));
    }
    Ok(out)
}

/// What ended and open sessions counted, by what `key` makes of an account.
fn counted<K: Ord>(v: &SessionView, key: impl Fn(&str, &str) -> K) -> BTreeMap<K, Vec<u64>> {
    let mut out: BTreeMap<K, Vec<u64>> = BTreeMap::new();
    let mut add = |k: K, counts: &[u64]| {
        let sums = out.entry(k).or_default();
        sums.resize(Counter::COUNT, 0);
        sums.iter_mut().zip(counts).for_each(|(to, n)| *to = to.wrapping_add(*n));
    };
    for ((user, host), Login { counts, .. }) in v.connections.logins() {
        add(key(&user, &host), &counts);
    }
    let open = |c: &Arc<Connection>| c.sched.lock().as_ref().map(|s| s.counters().values());
    for c in v.connections.all() {
        let (who, counts) = (c.who(), open(&c));
        add(key(&who.user, host_of(&who.host)), &counts.unwrap_or_default());
    }
    out
}

fn status_rows<K: Ord>(v: &SessionView, key: impl Fn(&str, &str) -> K, names: impl Fn(&K) -> Row) -> Vec<Row> {
    let mut out = Vec::new();
    for (k, counts) in counted(v, key) {
        for c in own() {
            let mut row = names(&k);
            let n = probe::shown_of(c, &counts);
            row.extend([s(c.name()), s(n.to_string())]);
            out.push(row);
        }
    }
    out
}

fn status_by_account(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(status_rows(v, |a, b| (a.to_owned(), b.to_owned()), |(user, host)| vec![s(user), s(host)]))
}
fn status_by_user(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(status_rows(v, user, |name| vec![s(name)]))
}
fn status_by_host(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(status_rows(v, host, |name| vec![s(name)]))
}
