//! Accounts out of the rows of MySQL's grant tables, as a dump of the schema `mysql` has them (manual, "Grant
//! Tables").
//!
//! A table that is there decides its part of every account: whom `user` does not have is gone, what `db` does not
//! have is not granted on databases. Of a table that is not there each account keeps what it had. Columns go by
//! their names, so that those of an older version will do; what is not there has its default.
//!
//! Left out, and told of: accounts with a plugin or an authentication string that cannot be used here, since nobody
//! could log in to them. Left out silently: MySQL's own accounts (`mysql.sys`, `mysql.session`,
//! `mysql.infoschema`), dynamic privileges that there are none of here, and rows of accounts and roles that do not
//! exist.
//!
//! Tested below and by `tests/clients/test_dump_of_accounts.py`.

use super::policy::{HourlyLimits, PasswordPolicy};
use super::privileges::{DYNAMIC, Privs, Proxy};
use super::{Account, AuthPlugin, TlsRequirement};
use parser::secrets::Hidden;
use serde_json::Value;
use std::collections::BTreeMap;

/// A row: its columns by their names in small letters; `None`: NULL.
#[derive(Clone, Debug, Default)]
pub struct Row(BTreeMap<String, Option<String>>);

impl Row {
    /// A row of these columns.
    pub fn new(columns: impl IntoIterator<Item = (String, Option<String>)>) -> Row {
        Row(columns.into_iter().map(|(n, v)| (n.to_ascii_lowercase(), v)).collect())
    }
    fn given(&self, column: &str) -> Option<&str> {
        self.0.get(column)?.as_deref()
    }
    fn text(&self, column: &str) -> String {
        self.given(column).unwrap_or_default().to_owned()
    }
    fn number<N: std::str::FromStr>(&self, column: &str) -> Option<N> {
        self.given(column)?.parse().ok()
    }
    fn yes(&self, column: &str) -> bool {
        self.given(column) == Some("Y")
    }
    fn host(&self, column: &str) -> String {
        self.text(column).to_ascii_lowercase()
    }
    /// The privileges whose columns say Y.
    fn privileges(&self) -> Privs {
        let granted = Privs::LIST.iter().filter(|(.., column)| self.yes(&column.to_ascii_lowercase()));
        granted.fold(Privs::NONE, |all, (p, ..)| all.with(*p))
    }
    /// The privileges of a SET column: `Select,Insert,Create View,Grant`.
    fn listed(&self, column: &str) -> Privs {
        let named = |word: &str| match word {
            w if w.eq_ignore_ascii_case("grant") => Some(Privs::GRANT_OPTION),
            w => Privs::by_name(w),
        };
        self.text(column).split(',').filter_map(named).fold(Privs::NONE, Privs::with)
    }
}

/// The rows of the grant tables that are there, by the tables' names.
pub type Tables = BTreeMap<String, Vec<Row>>;

/// The accounts that `tables` make of those that there were, and whom they leave out, with the reason.
pub fn accounts(tables: &Tables, old: Vec<Account>) -> (Vec<Account>, Vec<String>) {
    let mut left_out = Vec::new();
    let mut all = match tables.get("user") {
        Some(rows) => of_users(rows, old, &mut left_out),
        None => old,
    };
    for (name, rows) in tables {
        if let Some((forget, add)) = part(name) {
            all.iter_mut().for_each(forget);
            rows.iter().for_each(|row| add(row, &mut all));
        }
    }
    for a in &mut all {
        a.privileges.tables.retain(|_, t| !t.table.is_none() || !t.columns.is_empty());
    }
    (all, left_out)
}

/// Those of `user`; what other tables say of them is as it was.
fn of_users(rows: &[Row], old: Vec<Account>, left_out: &mut Vec<String>) -> Vec<Account> {
    let mut all: Vec<Account> = Vec::new();
    for row in rows {
        let (user, host) = (row.text("user"), row.host("host"));
        if ["mysql.sys", "mysql.session", "mysql.infoschema"].contains(&user.as_str()) {
            continue;
        }
        let mut a = Account::new(user, host);
        if let Some(before) = old.iter().find(|o| o.is_named(&a.user, &a.host)) {
            a.privileges = before.privileges.clone();
            a.password.former = before.password.former.clone();
        }
        match fill(&mut a, row) {
            Ok(()) => all.push(a),
            Err(why) => left_out.push(format!("{}: {why}", a.quoted())),
        }
    }
    all
}

/// What a row of `user` says. The error: why nobody could use the account.
fn fill(a: &mut Account, row: &Row) -> Result<(), String> {
    let plugin = row.text("plugin");
    a.auth_string = Hidden(row.text("authentication_string"));
    a.plugin = match plugin.as_str() {
        // before 5.7: the hash is in a column of its own, and where there is none any plugin will do
        "" => {
            a.auth_string = Hidden(row.text("password"));
            if a.auth_string.is_empty() { AuthPlugin::CachingSha2 } else { AuthPlugin::Native }
        }
        name => AuthPlugin::by_name(name).ok_or_else(|| format!("Plugin '{plugin}' is not loaded"))?,
    };
    if !a.plugin.accepts(&a.auth_string) {
        return Err("The password hash doesn't have the expected format.".to_owned());
    }
    let attributes = ["x509_subject", "x509_issuer", "ssl_cipher"].map(|c| row.text(c));
    a.require = TlsRequirement::from_parts(&row.text("ssl_type"), attributes).ok_or("its ssl_type is unknown")?;
    a.limits = HourlyLimits {
        queries: row.number("max_questions").unwrap_or(0),
        updates: row.number("max_updates").unwrap_or(0),
        connections: row.number("max_connections").unwrap_or(0),
    };
    a.max_user_connections = row.number("max_user_connections").unwrap_or(0);
    (a.locked, a.expired) = (row.yes("account_locked"), row.yes("password_expired"));
    a.password = PasswordPolicy {
        changed: row.number("password_last_changed"),
        lifetime: row.number("password_lifetime"),
        history: row.number("password_reuse_history"),
        reuse_days: row.number("password_reuse_time"),
        require_current: row.given("password_require_current").map(|c| c == "Y"),
        former: std::mem::take(&mut a.password.former),
        ..PasswordPolicy::default()
    };
    a.privileges.global = row.privileges();
    a.privileges.restrictions.clear();
    let said = row.given("user_attributes").and_then(|t| serde_json::from_str::<Value>(t).ok());
    said.iter().for_each(|v| attributes_of(a, v));
    Ok(())
}

/// User_attributes: COMMENT and ATTRIBUTE, partial revokes, the rule for failed logins, the retained password.
fn attributes_of(a: &mut Account, v: &Value) {
    if let Some(metadata) = v.get("metadata") {
        a.attribute = super::attribute::merged(None, metadata.to_string().as_bytes());
    }
    for r in v.get("Restrictions").and_then(Value::as_array).into_iter().flatten() {
        let names = r.get("Privileges").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let p = names.filter_map(Privs::by_name).fold(Privs::NONE, Privs::with);
        r.get("Database").and_then(Value::as_str).into_iter().for_each(|db| a.privileges.restrict(db, p));
    }
    if let Some(l) = v.get("Password_locking") {
        let number = |n: &str| l.get(n).and_then(Value::as_i64);
        a.password.failed_attempts = number("failed_login_attempts").and_then(|n| n.try_into().ok()).unwrap_or(0);
        a.password.lock_days = number("password_lock_time_days").and_then(|n| n.try_into().ok());
    }
    if let Some(old) = v.get("additional_password").and_then(Value::as_str) {
        a.password.retained = Hidden(old.to_owned());
    }
}

type Forget = fn(&mut Account);
type Add = fn(&Row, &mut Vec<Account>);

/// What a table says of accounts: how it is forgotten, and how a row adds to it.
fn part(table: &str) -> Option<(Forget, Add)> {
    Some(match table {
        "db" => (
            |a| a.privileges.databases.clear(),
            |r, all| {
                to(r, all, |a| {
                    a.privileges.databases.insert(r.text("db"), r.privileges());
                });
            },
        ),
        "tables_priv" => (
            |a| a.privileges.tables.values_mut().for_each(|t| t.table = Privs::NONE),
            |r, all| {
                to(r, all, |a| on_table(a, r).table = r.listed("table_priv"));
            },
        ),
        "columns_priv" => (
            |a| a.privileges.tables.values_mut().for_each(|t| t.columns.clear()),
            |r, all| {
                let (column, p) = (r.text("column_name"), r.listed("column_priv"));
                to(r, all, |a| {
                    on_table(a, r).columns.insert(column, p);
                });
            },
        ),
        "procs_priv" => (
            |a| a.privileges.routines.clear(),
            |r, all| {
                let function = r.text("routine_type").eq_ignore_ascii_case("FUNCTION");
                let key = (r.text("db"), r.text("routine_name").to_lowercase(), function);
                to(r, all, |a| {
                    a.privileges.routines.insert(key, r.listed("proc_priv"));
                });
            },
        ),
        _ => return of_the_whole(table),
    })
}

/// The same of tables that speak of no database.
fn of_the_whole(table: &str) -> Option<(Forget, Add)> {
    Some(match table {
        "global_grants" => (
            |a| a.privileges.dynamic.clear(),
            |r, all| {
                let name = r.text("priv").to_ascii_uppercase();
                if DYNAMIC.contains(&name.as_str()) {
                    to(r, all, |a| {
                        a.privileges.dynamic.insert(name, r.yes("with_grant_option"));
                    });
                }
            },
        ),
        "proxies_priv" => (
            |a| a.privileges.proxies.clear(),
            |r, all| {
                let whom = (r.text("proxied_user"), r.host("proxied_host"));
                let proxy = Proxy { grantable: r.text("with_grant") == "1", grantor: r.text("grantor") };
                to(r, all, |a| {
                    a.privileges.proxies.insert(whom, proxy);
                });
            },
        ),
        "role_edges" => (
            |a| a.privileges.roles.clear(),
            |r, all| {
                let role = (r.text("from_user"), r.host("from_host"));
                if all.iter().any(|a| a.is_named(&role.0, &role.1)) {
                    let admin = r.yes("with_admin_option");
                    named(("to_user", "to_host"), r, all, |a| {
                        a.privileges.roles.insert(role, admin);
                    });
                }
            },
        ),
        "default_roles" => (
            |a| a.privileges.default_roles.clear(),
            |r, all| {
                let role = (r.text("default_role_user"), r.host("default_role_host"));
                to(r, all, |a| {
                    a.privileges.default_roles.insert(role);
                });
            },
        ),
        "password_history" => (
            |a| a.password.former.clear(),
            |r, all| {
                let at = r.number("password_timestamp").unwrap_or(0);
                to(r, all, |a| {
                    a.password.former.push((at, Hidden(r.text("password"))));
                    a.password.former.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
                });
            },
        ),
        _ => return None,
    })
}

/// The account of a row.
fn to(row: &Row, all: &mut [Account], f: impl FnOnce(&mut Account)) {
    named(("user", "host"), row, all, f);
}

fn named((user, host): (&str, &str), row: &Row, all: &mut [Account], f: impl FnOnce(&mut Account)) {
    let (user, host) = (row.text(user), row.text(host));
    if let Some(a) = all.iter_mut().find(|a| a.is_named(&user, &host)) {
        f(a);
    }
}

/// What the account has on the row's table.
fn on_table<'a>(a: &'a mut Account, row: &Row) -> &'a mut super::TablePrivileges {
    a.privileges.tables.entry((row.text("db"), row.text("table_name"))).or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(columns: &[(&str, &str)]) -> Row {
        Row::new(columns.iter().map(|(n, v)| ((*n).to_owned(), Some((*v).to_owned()))))
    }

    fn user(name: &str, more: &[(&str, &str)]) -> Row {
        row(&[&[("Host", "%"), ("User", name), ("plugin", "caching_sha2_password")], more].concat())
    }

    #[test]
    fn a_table_that_is_there_decides_its_part() {
        let mut old = Account::new("a", "%");
        old.privileges.global = Privs::SUPER;
        old.privileges.databases.insert("d".into(), Privs::SELECT);
        old.privileges.databases.insert("e".into(), Privs::SELECT);
        let gone = Account::new("gone", "%");
        let users =
            vec![user("a", &[("Insert_priv", "Y"), ("Select_priv", "N")]), user("b", &[]), user("mysql.sys", &[])];
        let mut tables = Tables::from([("user".to_owned(), users)]);
        let (all, left) = accounts(&tables, vec![old.clone(), gone.clone()]);
        assert_eq!(all.iter().map(|a| a.user.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert!(left.is_empty() && all[0].privileges.global == Privs::INSERT && all[0].privileges.databases.len() == 2);

        let db = row(&[("Host", "%"), ("User", "b"), ("Db", "d"), ("Update_priv", "Y"), ("Grant_priv", "Y")]);
        tables.insert("db".to_owned(), vec![db.clone(), row(&[("Host", "%"), ("User", "nobody"), ("Db", "d")])]);
        let (all, _) = accounts(&tables, vec![old.clone(), gone.clone()]);
        assert!(all[0].privileges.databases.is_empty());
        assert_eq!(all[1].privileges.databases["d"], Privs::UPDATE.with(Privs::GRANT_OPTION));

        // db alone: everybody stays
        tables.remove("user");
        let (all, _) = accounts(&tables, vec![old, gone]);
        assert!(all.len() == 2 && all[0].privileges.global == Privs::SUPER && all[0].privileges.databases.is_empty());
    }

    #[test]
    fn tables_columns_routines_and_roles() {
        let of = |more: &[(&str, &str)]| row(&[&[("host", "%"), ("user", "a"), ("db", "d")], more].concat());
        let table = [("table_name", "t"), ("table_priv", "Insert,Create View,Grant"), ("column_priv", "Select")];
        let column = [("table_name", "t"), ("column_name", "c"), ("column_priv", "Select,Update")];
        let routine = [("routine_name", "F"), ("routine_type", "FUNCTION"), ("proc_priv", "Execute,Alter Routine")];
        let edge = |from: &str| row(&[("from_host", "%"), ("from_user", from), ("to_host", "%"), ("to_user", "a")]);
        let tables = Tables::from([
            ("user".to_owned(), vec![user("a", &[]), user("r", &[])]),
            ("tables_priv".to_owned(), vec![of(&table)]),
            ("columns_priv".to_owned(), vec![of(&column)]),
            ("procs_priv".to_owned(), vec![of(&routine)]),
            ("role_edges".to_owned(), vec![edge("r"), edge("missing")]),
            ("global_grants".to_owned(), vec![of(&[("priv", "BACKUP_ADMIN")]), of(&[("priv", "FROM_THE_FUTURE")])]),
        ]);
        let (all, _) = accounts(&tables, Vec::new());
        let p = &all[0].privileges;
        let t = &p.tables[&("d".to_owned(), "t".to_owned())];
        assert_eq!(t.table, Privs::INSERT.with(Privs::CREATE_VIEW).with(Privs::GRANT_OPTION));
        assert_eq!(t.columns["c"], Privs::SELECT.with(Privs::UPDATE));
        assert_eq!(p.routines[&("d".to_owned(), "f".to_owned(), true)], Privs::EXECUTE.with(Privs::ALTER_ROUTINE));
        assert_eq!(p.roles.keys().map(|r| r.0.as_str()).collect::<Vec<_>>(), ["r"]);
        assert_eq!(p.dynamic.keys().collect::<Vec<_>>(), ["BACKUP_ADMIN"]);
    }

    #[test]
    fn what_nobody_could_use_is_left_out() {
        let rows =
            vec![user("x", &[("plugin", "auth_socket")]), user("y", &[("authentication_string", "$A$005$short")])];
        let (all, left) = accounts(&Tables::from([("user".to_owned(), rows)]), Vec::new());
        assert!(all.is_empty());
        assert_eq!(left.len(), 2);
        assert_eq!(left[0], "'x'@'%': Plugin 'auth_socket' is not loaded");
    }

    #[test]
    fn accounts_of_5_5() {
        let hash = "*6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9";
        let of = |user, password| row(&[("Host", "%"), ("User", user), ("plugin", ""), ("Password", password)]);
        let tables = Tables::from([("user".to_owned(), vec![of("a", hash), of("b", ""), of("c", "16 digits of 4.0")])]);
        let (all, left) = accounts(&tables, Vec::new());
        let seen: Vec<_> = all.iter().map(|a| (a.user.as_str(), a.plugin, a.auth_string.as_str())).collect();
        assert_eq!(seen, [("a", AuthPlugin::Native, hash), ("b", AuthPlugin::CachingSha2, "")]);
        assert!(left.len() == 1 && left[0].starts_with("'c'@'%'"));
    }

    #[test]
    fn attributes() {
        let text = r#"{"metadata": {"comment": "c"}, "Restrictions": [{"Database": "d", "Privileges": ["SELECT"]}],
            "Password_locking": {"failed_login_attempts": 3, "password_lock_time_days": -1}}"#;
        let given = [("User_attributes", text), ("Select_priv", "Y"), ("password_reuse_history", "4")];
        let (all, _) = accounts(&Tables::from([("user".to_owned(), vec![user("a", &given)])]), Vec::new());
        let a = &all[0];
        assert_eq!(a.attribute.as_deref(), Some(r#"{"comment": "c"}"#));
        assert_eq!(a.privileges.restrictions["d"], Privs::SELECT);
        assert_eq!((a.password.failed_attempts, a.password.lock_days, a.password.history), (3, Some(-1), Some(4)));
    }
}
