//! USER_PRIVILEGES, SCHEMA_PRIVILEGES, TABLE_PRIVILEGES, COLUMN_PRIVILEGES.

use super::{Hints, Row, SessionView, Spec, T, s};
use base::SqlResult;
use catalog::accounts::{Account, Privs};
use std::sync::Arc;

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "USER_PRIVILEGES",
        columns: &[
            ("GRANTEE", T::S(292), false),
            ("TABLE_CATALOG", T::S(512), false),
            ("PRIVILEGE_TYPE", T::S(64), false),
            ("IS_GRANTABLE", T::S(3), false),
        ],
        rows: user_privileges,
    },
    Spec {
        schema: IS,
        name: "SCHEMA_PRIVILEGES",
        columns: &[
            ("GRANTEE", T::S(292), false),
            ("TABLE_CATALOG", T::S(512), false),
            ("TABLE_SCHEMA", T::S(64), false),
            ("PRIVILEGE_TYPE", T::S(64), false),
            ("IS_GRANTABLE", T::S(3), false),
        ],
        rows: schema_privileges,
    },
    Spec {
        schema: IS,
        name: "TABLE_PRIVILEGES",
        columns: &[
            ("GRANTEE", T::S(292), false),
            ("TABLE_CATALOG", T::S(512), false),
            ("TABLE_SCHEMA", T::S(64), false),
            ("TABLE_NAME", T::S(64), false),
            ("PRIVILEGE_TYPE", T::S(64), false),
            ("IS_GRANTABLE", T::S(3), false),
        ],
        rows: table_privileges,
    },
    Spec {
        schema: IS,
        name: "COLUMN_PRIVILEGES",
        columns: &[
            ("GRANTEE", T::S(292), false),
            ("TABLE_CATALOG", T::S(512), false),
            ("TABLE_SCHEMA", T::S(64), false),
            ("TABLE_NAME", T::S(64), false),
            ("COLUMN_NAME", T::S(64), false),
            ("PRIVILEGE_TYPE", T::S(64), false),
            ("IS_GRANTABLE", T::S(3), false),
        ],
        rows: column_privileges,
    },
];

/// Accounts whose privileges the asking one may see: all with SELECT on mysql.*, otherwise its own.
fn visible(v: &SessionView) -> Vec<Arc<Account>> {
    if v.account.privileges.on_database("mysql").has(Privs::SELECT) {
        return v.accounts.table().iter().cloned().collect();
    }
    v.accounts.get(&v.account.user, &v.account.host).into_iter().collect()
}

/// One row per privilege; USAGE where there is none.
fn expand(a: &Account, privs: Privs, middle: &[&str], out: &mut Vec<Row>) {
    let grantable = if privs.has(Privs::GRANT_OPTION) { "YES" } else { "NO" };
    let mut names: Vec<&str> = privs.without(Privs::GRANT_OPTION).names().collect();
    if names.is_empty() && middle.is_empty() {
        names.push("USAGE");
    }
    for n in names {
        let mut row = vec![s(a.quoted()), s("def")];
        row.extend(middle.iter().map(s));
        row.extend([s(n), s(grantable)]);
        out.push(row);
    }
}

fn user_privileges(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in visible(v) {
        expand(&a, a.privileges.global, &[], &mut out);
        for (name, grantable) in &a.privileges.dynamic {
            out.push(vec![s(a.quoted()), s("def"), s(name), s(if *grantable { "YES" } else { "NO" })]);
        }
    }
    Ok(out)
}

fn schema_privileges(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in visible(v) {
        for (db, p) in &a.privileges.databases {
            expand(&a, *p, &[db], &mut out);
        }
    }
    Ok(out)
}

fn table_privileges(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in visible(v) {
        for ((db, t), p) in &a.privileges.tables {
            expand(&a, p.table, &[db, t], &mut out);
        }
    }
    Ok(out)
}

fn column_privileges(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in visible(v) {
        for ((db, t), on) in &a.privileges.tables {
            for (c, p) in &on.columns {
                let grantable = on.table.has(Privs::GRANT_OPTION);
                let p = if grantable { p.with(Privs::GRANT_OPTION) } else { *p };
                expand(&a, p, &[db, t, c], &mut out);
            }
        }
    }
    Ok(out)
}
