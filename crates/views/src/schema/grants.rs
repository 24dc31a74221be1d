//! The grant tables of the schema `mysql` as they can be read: `user`, `db`, `tables_priv`, `columns_priv`, `global_grants`, `proxies_priv`,
//! `role_edges`, `default_roles` (manual, "Grant Tables").
//!
//! Accounts are kept elsewhere ([`catalog::accounts`]), so nothing can be written here; many tools only look. Whoever may not read the
//! schema gets 1142, as for a table. They are not listed among the schema's tables: a dump must not try to restore them.

use super::column_types::{ASCII, BIN, COLUMN_PRIVILEGES, TABLE_PRIVILEGES};
use super::{Columns, Hints, NULL, Row, SessionView, Spec, T, json, s, u};
use base::SqlResult;
use catalog::accounts::Privs;

const MYSQL: &str = "mysql";
const YN: T = T::Or(&T::Enum(&["N", "Y"]), "N");
const HOST: T = T::Or(&T::In(&T::Char(255), ASCII), "");
const USER_NAME: T = T::Or(&T::In(&T::Char(32), BIN), "");
const NAME: T = T::Or(&T::In(&T::Char(64), BIN), "");

pub(super) const TABLES: &[Spec] = &[
    Spec { schema: MYSQL, name: "user", columns: USER, rows: user },
    Spec { schema: MYSQL, name: "db", columns: DB, rows: db },
    Spec {
        schema: MYSQL,
        name: "tables_priv",
        columns: &[
            ("Host", HOST, false),
            ("Db", NAME, false),
            ("User", USER_NAME, false),
            ("Table_name", NAME, false),
            ("Grantor", T::Or(&T::Bin(288), ""), false),
            ("Timestamp", T::Stamp(0), true),
            ("Table_priv", T::Or(&TABLE_PRIVILEGES, ""), false),
            ("Column_priv", T::Or(&COLUMN_PRIVILEGES, ""), false),
        ],
        rows: tables_priv,
    },
    Spec {
        schema: MYSQL,
        name: "columns_priv",
        columns: &[
            ("Host", HOST, false),
            ("Db", NAME, false),
            ("User", USER_NAME, false),
            ("Table_name", NAME, false),
            ("Column_name", NAME, false),
            ("Timestamp", T::Stamp(0), true),
            ("Column_priv", T::Or(&COLUMN_PRIVILEGES, ""), false),
        ],
        rows: columns_priv,
    },
    Spec {
        schema: MYSQL,
        name: "global_grants",
        columns: &[
            ("USER", USER_NAME, false),
            ("HOST", HOST, false),
            ("PRIV", T::Or(&T::Char(32), ""), false),
            ("WITH_GRANT_OPTION", YN, false),
        ],
        rows: global_grants,
    },
    Spec {
        schema: MYSQL,
        name: "proxies_priv",
        columns: &[
            ("Host", HOST, false),
            ("User", USER_NAME, false),
            ("Proxied_host", HOST, false),
            ("Proxied_user", USER_NAME, false),
            ("With_grant", T::Or(&T::Bool, "0"), false),
            ("Grantor", T::Or(&T::Bin(288), ""), false),
            ("Timestamp", T::Stamp(0), true),
        ],
        rows: proxies_priv,
    },
    Spec {
        schema: MYSQL,
        name: "role_edges",
        columns: &[
            ("FROM_HOST", HOST, false),
            ("FROM_USER", USER_NAME, false),
            ("TO_HOST", HOST, false),
            ("TO_USER", USER_NAME, false),
            ("WITH_ADMIN_OPTION", YN, false),
        ],
        rows: super::roles::role_edges,
    },
    Spec {
        schema: MYSQL,
        name: "default_roles",
        columns: &[
            ("HOST", HOST, false),
            ("USER", USER_NAME, false),
            ("DEFAULT_ROLE_HOST", T::Or(&T::In(&T::Char(255), ASCII), "%"), false),
            ("DEFAULT_ROLE_USER", USER_NAME, false),
        ],
        rows: super::roles::default_roles,
    },
];

const USER: Columns = &[
    ("Host", HOST, false),
    ("User", USER_NAME, false),
    ("Select_priv", YN, false),
    ("Insert_priv", YN, false),
    ("Update_priv", YN, false),
    ("Delete_priv", YN, false),
    ("Create_priv", YN, false),
    ("Drop_priv", YN, false),
    ("Reload_priv", YN, false),
    ("Shutdown_priv", YN, false),
    ("Process_priv", YN, false),
    ("File_priv", YN, false),
    ("Grant_priv", YN, false),
    ("References_priv", YN, false),
    ("Index_priv", YN, false),
    ("Alter_priv", YN, false),
    ("Show_db_priv", YN, false),
    ("Super_priv", YN, false),
    ("Create_tmp_table_priv", YN, false),
    ("Lock_tables_priv", YN, false),
    ("Execute_priv", YN, false),
    ("Repl_slave_priv", YN, false),
    ("Repl_client_priv", YN, false),
    ("Create_view_priv", YN, false),
    ("Show_view_priv", YN, false),
    ("Create_routine_priv", YN, false),
    ("Alter_routine_priv", YN, false),
    ("Create_user_priv", YN, false),
    ("Event_priv", YN, false),
    ("Trigger_priv", YN, false),
    ("Create_tablespace_priv", YN, false),
    ("ssl_type", T::Or(&T::Enum(&["", "ANY", "X509", "SPECIFIED"]), ""), false),
    ("ssl_cipher", T::Blob, false),
    ("x509_issuer", T::Blob, false),
    ("x509_subject", T::Blob, false),
    ("max_questions", T::Or(&T::UInt, "0"), false),
    ("max_updates", T::Or(&T::UInt, "0"), false),
    ("max_connections", T::Or(&T::UInt, "0"), false),
    ("max_user_connections", T::Or(&T::UInt, "0"), false),
    ("plugin", T::Or(&T::In(&T::Char(64), BIN), "caching_sha2_password"), false),
    ("authentication_string", T::In(&T::Short, BIN), true),
    ("password_expired", YN, false),
    ("password_last_changed", T::Stamp(0), true),
    ("password_lifetime", T::USmall, true),
    ("account_locked", YN, false),
    ("Create_role_priv", YN, false),
    ("Drop_role_priv", YN, false),
    ("Password_reuse_history", T::USmall, true),
    ("Password_reuse_time", T::USmall, true),
    ("Password_require_current", T::Enum(&["N", "Y"]), true),
    ("User_attributes", T::Json, true),
];

const DB: Columns = &[
    ("Host", HOST, false),
    ("Db", NAME, false),
    ("User", USER_NAME, false),
    ("Select_priv", YN, false),
    ("Insert_priv", YN, false),
    ("Update_priv", YN, false),
    ("Delete_priv", YN, false),
    ("Create_priv", YN, false),
    ("Drop_priv", YN, false),
    ("Grant_priv", YN, false),
    ("References_priv", YN, false),
    ("Index_priv", YN, false),
    ("Alter_priv", YN, false),
    ("Create_tmp_table_priv", YN, false),
    ("Lock_tables_priv", YN, false),
    ("Create_view_priv", YN, false),
    ("Show_view_priv", YN, false),
    ("Create_routine_priv", YN, false),
    ("Alter_routine_priv", YN, false),
    ("Execute_priv", YN, false),
    ("Event_priv", YN, false),
    ("Trigger_priv", YN, false),
];

pub(super) fn yn(yes: bool) -> value::OwnedValue {
    s(if yes { "Y" } else { "N" })
}

/// The columns of a grant table whose names are privileges'.
fn privileges(columns: Columns, granted: Privs, row: &mut Row) {
    for (name, ..) in columns.get(row.len()..).unwrap_or(&[]) {
        match Privs::LIST.iter().find(|(.., column)| column == name) {
            Some((p, ..)) => row.push(yn(granted.has(*p))),
            None => return,
        }
    }
}

fn user(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let one = |a: &catalog::accounts::Account| {
        let mut row = vec![s(&a.host), s(&a.user)];
        privileges(USER, a.privileges.global, &mut row);
        let [subject, issuer, cipher] = a.require.attributes();
        row.extend([a.require.kind(), cipher, issuer, subject].map(s));
        let limits = [a.limits.queries, a.limits.updates, a.limits.connections, a.max_user_connections];
        row.extend(limits.map(|n| u(u64::from(n))));
        let p = &a.password;
        let number = |n: Option<u32>| n.map_or(NULL, |n| u(u64::from(n)));
        row.extend([s(a.plugin.name()), s(a.auth_string.as_str()), yn(a.expired)]);
        row.extend([
            p.changed.map_or(NULL, |c| super::datetime(v, c.unsigned_abs())),
            number(p.lifetime.map(u32::from)),
            yn(a.locked),
        ]);
        privileges(USER, a.privileges.global, &mut row);
        row.extend([number(p.history), number(p.reuse_days), p.require_current.map_or(NULL, yn)]);
        row.push(attributes(a).map_or(NULL, |t| json(&t)));
        row
    };
    Ok(v.accounts.table().iter().map(|a| one(a)).collect())
}

/// User_attributes: what COMMENT and ATTRIBUTE gave, the rule for failed logins, the retained password.
fn attributes(a: &catalog::accounts::Account) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(text) = &a.attribute {
        parts.push(format!("\"metadata\": {text}"));
    }
    let restricted = a.privileges.restrictions.iter().map(|(db, p)| {
        let names: Vec<String> = p.names().map(|n| format!("\"{n}\"")).collect();
        let db = db.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{{\"Database\": \"{db}\", \"Privileges\": [{}]}}", names.join(", "))
    });
    let restricted: Vec<String> = restricted.collect();
    if !restricted.is_empty() {
        parts.push(format!("\"Restrictions\": [{}]", restricted.join(", ")));
    }
    let p = &a.password;
    if p.failed_attempts > 0 || p.lock_days.is_some() {
        let (n, days) = (p.failed_attempts, p.lock_days.unwrap_or(0));
        parts.push(format!(
            "\"Password_locking\": {{\"failed_login_attempts\": {n}, \"password_lock_time_days\": {days}}}"
        ));
    }
    if !p.retained.is_empty() {
        let quoted = p.retained.replace('\\', "\\\\").replace('"', "\\\"");
        parts.push(format!("\"additional_password\": \"{quoted}\""));
    }
    (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(", ")))
}

fn proxies_priv(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in v.accounts.table().iter() {
        for ((user, host), p) in &a.privileges.proxies {
            let names = [&a.host, &a.user, host, user].map(s);
            out.push([&names[..], &[super::i(i64::from(p.grantable)), s(&p.grantor), NULL]].concat());
        }
    }
    Ok(out)
}

fn db(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in v.accounts.table().iter() {
        for (name, granted) in &a.privileges.databases {
            let mut row = vec![s(&a.host), s(name), s(&a.user)];
            privileges(DB, *granted, &mut row);
            out.push(row);
        }
    }
    Ok(out)
}

/// Privileges as the SET columns of `tables_priv` and `columns_priv` spell them.
fn set_of(p: Privs) -> String {
    let words: Vec<String> = p
        .names()
        .map(|n| {
            let mut word = n.to_ascii_lowercase();
            if let Some(first) = word.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            match word.as_str() {
                "Grant option" => "Grant".to_owned(),
                "Create view" => "Create View".to_owned(),
                "Alter routine" => "Alter Routine".to_owned(),
                "Show view" => "Show view".to_owned(),
                _ => word,
            }
        })
        .collect();
    words.join(",")
}

fn tables_priv(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in v.accounts.table().iter() {
        for ((db, table), p) in &a.privileges.tables {
            let columns = p.columns.values().fold(Privs::NONE, |all, c| all.with(*c));
            let row = [s(&a.host), s(db), s(&a.user), s(table), s(""), NULL, s(set_of(p.table)), s(set_of(columns))];
            out.push(row.to_vec());
        }
    }
    Ok(out)
}

pub(super) fn procs_priv(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in v.accounts.table().iter() {
        for ((db, name, function), p) in &a.privileges.routines {
            let kind = if *function { "FUNCTION" } else { "PROCEDURE" };
            let row = [s(&a.host), s(db), s(&a.user), s(name), s(kind), s(""), s(set_of(*p)), NULL];
            out.push(row.to_vec());
        }
    }
    Ok(out)
}

fn columns_priv(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in v.accounts.table().iter() {
        for ((db, table), p) in &a.privileges.tables {
            for (column, granted) in &p.columns {
                out.push(vec![s(&a.host), s(db), s(&a.user), s(table), s(column), NULL, s(set_of(*granted))]);
            }
        }
    }
    Ok(out)
}

fn global_grants(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in v.accounts.table().iter() {
        for (name, grantable) in &a.privileges.dynamic {
            out.push(vec![s(&a.user), s(&a.host), s(name), yn(*grantable)]);
        }
    }
    Ok(out)
}
