//! Roles: information_schema's APPLICABLE_ROLES, ADMINISTRABLE_ROLE_AUTHORIZATIONS, ENABLED_ROLES and ROLE_*_GRANTS, and what `mysql.role_edges`
//! and `mysql.default_roles` show. Read from the accounts in memory. Tested by `tests/clients/test_roles.py`.

use std::sync::Arc;

use base::SqlResult;
use catalog::accounts::roles::{RoleName, closure, granted, parse_list};
use catalog::accounts::{Account, Privs};
use catalog::sysvar::Var;

use super::column_types::{ASCII, COLUMN_PRIVILEGES, GENERAL, TABLE_PRIVILEGES};
use super::grants::yn;
use super::{Column, Columns, Hints, Row, SessionView, Spec, T, joined, s};

const IS: &str = "information_schema";

const APPLICABLE: Columns = &[
    ("USER", T::S(97), true),
    ("HOST", T::S(256), true),
    ("GRANTEE", T::Wide(97), true),
    ("GRANTEE_HOST", T::Wide(256), true),
    ("ROLE_NAME", T::Wide(255), true),
    ("ROLE_HOST", T::Wide(256), true),
    ("IS_GRANTABLE", T::Word(3), false),
    ("IS_DEFAULT", T::S(3), true),
    ("IS_MANDATORY", T::Word(3), false),
];

/// Who granted, and to whom.
const BY_AND_TO: [Column; 4] = [
    ("GRANTOR", T::S(97), true),
    ("GRANTOR_HOST", T::S(256), true),
    ("GRANTEE", T::Or(&T::Char(32), ""), false),
    ("GRANTEE_HOST", T::Or(&T::In(&T::Char(255), ASCII), ""), false),
];
const ON_TABLE: [Column; 3] = [
    ("TABLE_CATALOG", T::Word(3), false),
    ("TABLE_SCHEMA", T::Or(&T::Char(64), ""), false),
    ("TABLE_NAME", T::Or(&T::Char(64), ""), false),
];
const GRANTABLE: Column = ("IS_GRANTABLE", T::Word(3), false);

pub(super) const TABLES: &[Spec] = &[
    Spec { schema: IS, name: "APPLICABLE_ROLES", columns: APPLICABLE, rows: applicable },
    Spec { schema: IS, name: "ADMINISTRABLE_ROLE_AUTHORIZATIONS", columns: APPLICABLE, rows: administrable },
    Spec {
        schema: IS,
        name: "ENABLED_ROLES",
        columns: &[
            ("ROLE_NAME", T::Wide(255), true),
            ("ROLE_HOST", T::Wide(255), true),
            ("IS_DEFAULT", T::S(3), true),
            ("IS_MANDATORY", T::Word(3), false),
        ],
        rows: enabled,
    },
    Spec {
        schema: IS,
        name: "ROLE_TABLE_GRANTS",
        columns: &joined::<9>(&[
            &BY_AND_TO,
            &ON_TABLE,
            &[("PRIVILEGE_TYPE", T::Or(&T::In(&TABLE_PRIVILEGES, GENERAL), ""), false), GRANTABLE],
        ]),
        rows: table_grants,
    },
    Spec {
        schema: IS,
        name: "ROLE_COLUMN_GRANTS",
        columns: &joined::<10>(&[
            &BY_AND_TO,
            &ON_TABLE,
            &[("COLUMN_NAME", T::Or(&T::Char(64), ""), false)],
            &[("PRIVILEGE_TYPE", T::Or(&T::In(&COLUMN_PRIVILEGES, GENERAL), ""), false), GRANTABLE],
        ]),
        rows: column_grants,
    },
    Spec {
        schema: IS,
        name: "ROLE_ROUTINE_GRANTS",
        columns: &joined::<12>(&[
            &BY_AND_TO,
            &[
                ("SPECIFIC_CATALOG", T::Word(3), false),
                ("SPECIFIC_SCHEMA", T::Or(&T::Char(64), ""), false),
                ("SPECIFIC_NAME", T::Or(&T::In(&T::Char(64), GENERAL), ""), false),
                ("ROUTINE_CATALOG", T::Word(3), false),
                ("ROUTINE_SCHEMA", T::Or(&T::Char(64), ""), false),
                ("ROUTINE_NAME", T::Or(&T::In(&T::Char(64), GENERAL), ""), false),
            ],
            &[
                ("PRIVILEGE_TYPE", T::Or(&T::In(&T::Set(&["Execute", "Alter Routine", "Grant"]), GENERAL), ""), false),
                GRANTABLE,
            ],
        ]),
        rows: routine_grants,
    },
];

fn mandatory(v: &SessionView) -> Vec<RoleName> {
    parse_list(&v.globals.string(Var::mandatory_roles)).unwrap_or_default()
}

fn yes_no(yes: bool) -> value::OwnedValue {
    s(if yes { "YES" } else { "NO" })
}

/// The session's account as it was granted, without what its roles add.
fn own(v: &SessionView) -> Arc<Account> {
    v.accounts.get(&v.account.user, &v.account.host).unwrap_or_else(|| v.account.clone())
}

/// Every edge from the account over the roles it may activate.
fn edges(v: &SessionView, pass: impl Fn(bool) -> bool) -> Vec<Row> {
    let (table, mandatory, own) = (v.accounts.table(), mandatory(v), own(v));
    let mut out = Vec::new();
    let first: Vec<RoleName> = granted(&table, &own, &mandatory).into_iter().collect();
    let mut from: Vec<Arc<Account>> = closure(&table, &first);
    from.insert(0, own.clone());
    for a in from {
        let direct = (&a.user, &a.host) == (&own.user, &own.host);
        let roles: Vec<RoleName> = if direct { first.clone() } else { a.privileges.roles.keys().cloned().collect() };
        for r in roles {
            let admin = a.privileges.roles.get(&r) == Some(&true);
            if !pass(admin) {
                continue;
            }
            let names = [&own.user, &own.host, &a.user, &a.host, &r.0, &r.1];
            let mut row: Row = names.into_iter().map(s).collect();
            row.extend([
                yes_no(admin),
                yes_no(own.privileges.default_roles.contains(&r)),
                yes_no(mandatory.contains(&r)),
            ]);
            out.push(row);
        }
    }
    out
}

fn applicable(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(edges(v, |_| true))
}

fn administrable(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(edges(v, |admin| admin))
}

/// The active roles and those granted to them.
fn active(v: &SessionView) -> Vec<Arc<Account>> {
    let mut all = closure(&v.accounts.table(), &v.active_roles);
    all.sort_by(|a, b| (&a.user, &a.host).cmp(&(&b.user, &b.host)));
    all
}

fn enabled(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let (mandatory, own) = (mandatory(v), own(v));
    let row = |a: Arc<Account>| {
        let name = (a.user.clone(), a.host.clone());
        let default = own.privileges.default_roles.contains(&name);
        vec![s(&name.0), s(&name.1), yes_no(default), yes_no(mandatory.contains(&name))]
    };
    // those that were activated, not those granted to them
    let table = v.accounts.table();
    let mut active: Vec<Arc<Account>> = v.active_roles.iter().filter_map(|r| table.get(&r.0, &r.1).cloned()).collect();
    active.sort_by(|a, b| (&a.user, &a.host).cmp(&(&b.user, &b.host)));
    Ok(active.into_iter().map(row).collect())
}

/// Who granted is not kept: the columns are NULL.
fn head(a: &Account) -> Row {
    vec![super::NULL, super::NULL, s(&a.user), s(&a.host), s("def")]
}

fn set_of(p: Privs) -> String {
    p.without(Privs::GRANT_OPTION).names().collect::<Vec<_>>().join(",")
}

fn table_grants(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in active(v) {
        for ((db, table), t) in a.privileges.tables.iter().filter(|(_, t)| !t.table.is_none()) {
            let mut row = head(&a);
            row.extend([s(db), s(table), s(set_of(t.table)), yes_no(t.table.has(Privs::GRANT_OPTION))]);
            out.push(row);
        }
    }
    Ok(out)
}

fn column_grants(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in active(v) {
        for ((db, table), t) in &a.privileges.tables {
            for (c, p) in &t.columns {
                let mut row = head(&a);
                row.extend([s(db), s(table), s(c), s(set_of(*p)), yes_no(t.table.has(Privs::GRANT_OPTION))]);
                out.push(row);
            }
        }
    }
    Ok(out)
}

fn routine_grants(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in active(v) {
        for ((db, name, _), p) in &a.privileges.routines {
            let mut row = head(&a);
            row.extend([s(db), s(name), s("def"), s(db), s(name), s(set_of(*p)), yes_no(p.has(Privs::GRANT_OPTION))]);
            out.push(row);
        }
    }
    Ok(out)
}

pub(super) fn role_edges(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in v.accounts.table().iter() {
        for ((user, host), admin) in &a.privileges.roles {
            out.push(vec![s(host), s(user), s(&a.host), s(&a.user), yn(*admin)]);
        }
    }
    Ok(out)
}

pub(super) fn default_roles(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in v.accounts.table().iter() {
        for (user, host) in &a.privileges.default_roles {
            out.push(vec![s(&a.host), s(&a.user), s(host), s(user)]);
        }
    }
    Ok(out)
}
