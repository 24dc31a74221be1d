//! What the server says of itself: error_log, log_status and tls_channel_status.
//!
//! Tested: `tests/clients/test_performance_schema.py`.

use super::super::column_types::BIN4;
use super::super::{Hints, Row, SessionView, Spec, T, json, s, u};
use super::replication::{Told, ToldRow};
use super::{PS, stamp};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;

pub(in super::super) const TABLES: &[Spec] = &[
    Spec {
        schema: PS,
        name: "error_log",
        columns: &[
            ("LOGGED", T::Stamp(6), false),
            ("THREAD_ID", T::U, true),
            ("PRIO", T::Enum(&["System", "Error", "Warning", "Note"]), false),
            ("ERROR_CODE", T::S(10), true),
            ("SUBSYSTEM", T::S(7), true),
            ("DATA", T::Short, false),
        ],
        rows: error_log,
    },
    Spec {
        schema: PS,
        name: "log_status",
        columns: &[
            ("SERVER_UUID", T::In(&T::Char(36), BIN4), false),
            ("LOCAL", T::Json, false),
            ("REPLICATION", T::Json, false),
            ("STORAGE_ENGINES", T::Json, false),
        ],
        rows: log_status,
    },
    Spec {
        schema: PS,
        name: "tls_channel_status",
        columns: &[("CHANNEL", T::S(128), false), ("PROPERTY", T::S(128), false), ("VALUE", T::S(2048), false)],
        rows: tls_channels,
    },
];

fn error_log(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |l: probe::errorlog::Line| {
        let code = format!("MY-{:06}", l.code);
        vec![stamp(v, l.wall_us), u(l.thread), s(l.label), s(code), s(l.subsystem), s(&l.text)]
    };
    Ok(probe::errorlog::lines().into_iter().map(row).collect())
}

/// Backups read the row while BACKUP LOCK or the like holds the logs still.
fn log_status(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let p = &v.account.privileges;
    if !p.has_dynamic("BACKUP_ADMIN") && !p.has_global(Privs::SUPER) {
        return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"BACKUP_ADMIN"]));
    }
    let e = v.engine.status();
    let engines = format!("{{\"InnoDB\": {{\"LSN\": {}, \"LSN_checkpoint\": {}}}}}", e.lsn.0, e.checkpoint_lsn.0);
    let uuid = v.globals.string(Var::server_uuid);
    let order = v.engine.store().log().order();
    let log = order.sink().map(|sink| sink.status()).transpose()?.flatten();
    let local = match log {
        None => "{\"gtid_executed\": \"\"}".to_owned(),
        Some((file, at, gtids)) => format!(
            "{{\"gtid_executed\": \"{}\", \"binary_log_file\": \"{file}\", \"binary_log_position\": {at}}}",
            gtids.replace('\n', "\\n")
        ),
    };
    Ok(vec![vec![s(uuid), json(&local), json(&channels(v)), json(&engines)]])
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Of a replica, up to where each channel has applied its relay log.
fn channels(v: &SessionView) -> String {
    let told = v.replication.as_ref().map(|r| r.rows("log_status")).unwrap_or_default();
    let value = |row: &ToldRow, name| match row.iter().find(|(n, _)| *n == name) {
        Some((_, Told::Number(n))) => n.to_string(),
        Some((_, Told::Text(t))) => quoted(t),
        _ => "null".to_owned(),
    };
    let one = |row: &ToldRow| {
        let named =
            ["channel_name", "relay_log_file", "relay_log_position"].map(|n| format!("\"{n}\": {}", value(row, n)));
        format!("{{{}}}", named.join(", "))
    };
    format!("{{\"channels\": [{}]}}", told.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// The one channel's status variables under their names.
fn tls_channels(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    const LEFT_OUT: [&str; 9] = [
        "Ssl_cipher",
        "Ssl_cipher_list",
        "Ssl_sessions_reused",
        "Ssl_verify_depth",
        "Ssl_verify_mode",
        "Ssl_default_timeout",
        "Ssl_version",
        "Ssl_server_not_after",
        "Ssl_server_not_before",
    ];
    let row = |name: &str, value: &str| vec![s("mysql_main"), s(name), s(value)];
    let mut rows = vec![row("Enabled", if v.globals.string(Var::ssl_cert).is_empty() { "No" } else { "Yes" })];
    let mut all = crate::status::global(v);
    all.retain(|(n, _)| (n.starts_with("Ssl_") || n.starts_with("Current_tls_")) && !LEFT_OUT.contains(&n.as_str()));
    all.sort();
    rows.extend(all.iter().map(|(n, value)| row(n, value)));
    Ok(rows)
}
