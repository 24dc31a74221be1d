//! ENGINES, PLUGINS, PROCESSLIST, variables and status.

use super::column_types::{ASCII, EXECUTION, YES_NO};
use super::{Hints, NULL, Row, SessionView, Spec, T, hint, i, none, s, u};
use base::SqlResult;
use catalog::accounts::Privs;
use catalog::connections::Connection;
use catalog::sysvar::{Flags, Var};
use std::sync::Arc;

const IS: &str = "information_schema";
const PS: &str = "performance_schema";
const NAME_VALUE: &[(&str, T, bool)] = &[("VARIABLE_NAME", T::S(64), false), ("VARIABLE_VALUE", T::S(1024), true)];

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "ENGINES",
        columns: &[
            ("ENGINE", T::S(64), false),
            ("SUPPORT", T::S(8), false),
            ("COMMENT", T::S(80), false),
            ("TRANSACTIONS", T::S(3), true),
            ("XA", T::S(3), true),
            ("SAVEPOINTS", T::S(3), true),
        ],
        rows: engines,
    },
    Spec {
        schema: IS,
        name: "PLUGINS",
        columns: &[
            ("PLUGIN_NAME", T::S(64), false),
            ("PLUGIN_VERSION", T::S(20), false),
            ("PLUGIN_STATUS", T::S(10), false),
            ("PLUGIN_TYPE", T::S(80), false),
            ("PLUGIN_TYPE_VERSION", T::S(20), false),
            ("PLUGIN_LIBRARY", T::S(64), true),
            ("PLUGIN_LIBRARY_VERSION", T::S(20), true),
            ("PLUGIN_AUTHOR", T::S(64), true),
            ("PLUGIN_DESCRIPTION", T::S(65535), true),
            ("PLUGIN_LICENSE", T::S(80), true),
            ("LOAD_OPTION", T::S(64), false),
        ],
        rows: plugins,
    },
    Spec { schema: IS, name: "PROCESSLIST", columns: PROCESS_COLUMNS, rows: processlist },
    Spec { schema: PS, name: "processlist", columns: PERF_PROCESSLIST, rows: perf_processlist },
    Spec { schema: PS, name: "global_variables", columns: NAME_VALUE, rows: global_variables },
    Spec { schema: PS, name: "session_variables", columns: NAME_VALUE, rows: session_variables },
    Spec {
        schema: PS,
        name: "persisted_variables",
        columns: &[("VARIABLE_NAME", T::S(64), false), ("VARIABLE_VALUE", T::S(1024), true)],
        rows: persisted,
    },
    Spec { schema: PS, name: "global_status", columns: NAME_VALUE, rows: global_status },
    Spec { schema: PS, name: "session_status", columns: NAME_VALUE, rows: session_status },
    Spec { schema: PS, name: "host_cache", columns: HOST_CACHE, rows: none },
    Spec { schema: PS, name: "session_connect_attrs", columns: ATTRIBUTES, rows: connect_attributes },
    Spec { schema: PS, name: "session_account_connect_attrs", columns: ATTRIBUTES, rows: account_attributes },
];

const HOST_CACHE: &[(&str, T, bool)] = &[
    ("IP", T::S(64), false),
    ("HOST", T::In(&T::S(255), ASCII), true),
    ("HOST_VALIDATED", YES_NO, false),
    ("SUM_CONNECT_ERRORS", T::I, false),
    ("COUNT_HOST_BLOCKED_ERRORS", T::I, false),
    ("COUNT_NAMEINFO_TRANSIENT_ERRORS", T::I, false),
    ("COUNT_NAMEINFO_PERMANENT_ERRORS", T::I, false),
    ("COUNT_FORMAT_ERRORS", T::I, false),
    ("COUNT_ADDRINFO_TRANSIENT_ERRORS", T::I, false),
    ("COUNT_ADDRINFO_PERMANENT_ERRORS", T::I, false),
    ("COUNT_FCRDNS_ERRORS", T::I, false),
    ("COUNT_HOST_ACL_ERRORS", T::I, false),
    ("COUNT_NO_AUTH_PLUGIN_ERRORS", T::I, false),
    ("COUNT_AUTH_PLUGIN_ERRORS", T::I, false),
    ("COUNT_HANDSHAKE_ERRORS", T::I, false),
    ("COUNT_PROXY_USER_ERRORS", T::I, false),
    ("COUNT_PROXY_USER_ACL_ERRORS", T::I, false),
    ("COUNT_AUTHENTICATION_ERRORS", T::I, false),
    ("COUNT_SSL_ERRORS", T::I, false),
    ("COUNT_MAX_USER_CONNECTIONS_ERRORS", T::I, false),
    ("COUNT_MAX_USER_CONNECTIONS_PER_HOUR_ERRORS", T::I, false),
    ("COUNT_DEFAULT_DATABASE_ERRORS", T::I, false),
    ("COUNT_INIT_CONNECT_ERRORS", T::I, false),
    ("COUNT_LOCAL_ERRORS", T::I, false),
    ("COUNT_UNKNOWN_ERRORS", T::I, false),
    ("FIRST_SEEN", T::Stamp(0), false),
    ("LAST_SEEN", T::Stamp(0), false),
    ("FIRST_ERROR_SEEN", T::Stamp(0), true),
    ("LAST_ERROR_SEEN", T::Stamp(0), true),
];

const ATTRIBUTES: &[(&str, T, bool)] = &[
    ("PROCESSLIST_ID", T::U, false),
    ("ATTR_NAME", T::Bin(32), false),
    ("ATTR_VALUE", T::Bin(1024), true),
    ("ORDINAL_POSITION", T::Int, true),
];

const PROCESS_COLUMNS: &[(&str, T, bool)] = &[
    ("ID", T::U, false),
    ("USER", T::S(32), false),
    ("HOST", T::S(261), false),
    ("DB", T::S(64), true),
    ("COMMAND", T::S(16), false),
    ("TIME", T::Int, false),
    ("STATE", T::S(64), true),
    ("INFO", T::S(65535), true),
];

const PERF_PROCESSLIST: &[(&str, T, bool)] = &[
    ("ID", T::U, false),
    ("USER", T::S(32), true),
    ("HOST", T::In(&T::S(261), ASCII), true),
    ("DB", T::S(64), true),
    ("COMMAND", T::S(16), true),
    ("TIME", T::I, true),
    ("STATE", T::S(64), true),
    ("INFO", T::Text, true),
    ("EXECUTION_ENGINE", EXECUTION, true),
];

fn engines(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(vec![vec![
        s("InnoDB"),
        s("DEFAULT"),
        s("Supports transactions, row-level locking, and foreign keys"),
        s("YES"),
        s("YES"),
        s("YES"),
    ]])
}

fn plugins(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |name: &str, kind: &str, what: &str, load: &str, on: bool| {
        vec![
            s(name),
            s("1.0"),
            s(if on { "ACTIVE" } else { "DISABLED" }),
            s(kind),
            s("80400.0"),
            NULL,
            NULL,
            s("Evenkeel"),
            s(what),
            s("MIT OR Apache-2.0"),
            s(if on { load } else { "OFF" }),
        ]
    };
    let native = catalog::accounts::AuthPlugin::Native.is_enabled();
    Ok(vec![
        row("mysql_native_password", "AUTHENTICATION", "Native MySQL authentication", "ON", native),
        row("caching_sha2_password", "AUTHENTICATION", "Caching sha2 authentication", "FORCE", true),
        row("InnoDB", "STORAGE ENGINE", "Supports transactions, row-level locking, and foreign keys", "FORCE", true),
    ])
}

/// Attributes of the connections that `shown` takes.
fn attributes_of(v: &SessionView, shown: impl Fn(&Connection) -> bool) -> Vec<Row> {
    let rows = |c: Arc<Connection>| {
        let of = |(at, (name, value)): (usize, (String, String))| vec![u(c.id()), s(name), s(value), i(at as i64)];
        c.attributes().into_iter().enumerate().map(of).collect::<Vec<_>>()
    };
    v.connections.all().into_iter().filter(|c| shown(c)).flat_map(rows).collect()
}

fn connect_attributes(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(attributes_of(v, |_| true))
}

/// Those of the session's own user only.
fn account_attributes(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let own = v.connection.who().user;
    Ok(attributes_of(v, |c| c.who().user == own))
}

fn processlist(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = v.account.privileges.has_global(Privs::PROCESS);
    let own = v.connection.who().user;
    let text = |b: Vec<u8>| s(String::from_utf8_lossy(&b));
    let rows = v.connections.all().into_iter().map(|c| c.row()).filter(|r| all || r.who.user == own);
    Ok(rows
        .map(|r| {
            vec![
                u(r.id),
                s(&r.who.user),
                s(&r.who.host),
                r.who.db.as_ref().map_or(NULL, s),
                s(r.command),
                i(r.time_s as i64),
                s(r.state),
                r.info.map_or(NULL, text),
            ]
        })
        .collect())
}

/// As [`processlist`], and every statement runs on the primary engine.
fn perf_processlist(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut rows = processlist(v, hints)?;
    rows.iter_mut().for_each(|r| r.push(s("PRIMARY")));
    Ok(rows)
}

fn persisted(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(v.globals.persisted.all().into_iter().map(|(n, e)| vec![s(n), s(e.value)]).collect())
}

fn variables(v: &SessionView, session: bool, hints: Hints<'_>) -> Vec<Row> {
    let wanted = hint(hints, 0);
    let mut out = Vec::new();
    for var in Var::all() {
        let d = var.def();
        let shown = if session { true } else { d.in_global() };
        if !shown || d.flags.has(Flags::HIDDEN) || wanted.is_some_and(|w| !w.eq_ignore_ascii_case(d.name)) {
            continue;
        }
        let computed = v.computed.iter().find(|(n, _)| session && *n == d.name).map(|(_, v)| v.clone());
        let value = match computed {
            Some(c) => c,
            None if session => v.vars.get(var, &v.globals).show(),
            None => v.globals.get(var).show(),
        };
        out.push(vec![s(d.name), s(value)]);
    }
    // in the order of the table, that is, of the names
    out
}

fn global_variables(v: &SessionView, h: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(variables(v, false, h))
}

fn session_variables(v: &SessionView, h: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(variables(v, true, h))
}

fn status(v: &SessionView, session: bool) -> Vec<Row> {
    let mut all: Vec<(String, String)> = crate::status::global(v);
    if session {
        crate::status::for_session(v, &mut all);
    }
    all.sort();
    all.into_iter().map(|(n, value)| vec![s(n), s(value)]).collect()
}

fn global_status(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(status(v, false))
}

fn session_status(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(status(v, true))
}
