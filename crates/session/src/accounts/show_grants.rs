//! SHOW GRANTS: what an account has, as GRANT statements in MySQL's order and spelling.

use catalog::accounts::{Account, Privs, TablePrivileges, roles::quoted};

use crate::results::table::{Kind, Table};

fn list(p: Privs, all: Privs) -> String {
    let p = p.without(Privs::GRANT_OPTION);
    if p.is_none() {
        "USAGE".to_owned()
    } else if p.has(all.without(Privs::GRANT_OPTION)) {
        "ALL PRIVILEGES".to_owned()
    } else {
        p.names().collect::<Vec<_>>().join(", ")
    }
}

fn option(p: Privs) -> &'static str {
    if p.has(Privs::GRANT_OPTION) { " WITH GRANT OPTION" } else { "" }
}

/// Privileges on a table and on its columns, in the order of the privileges.
fn on_table(t: &TablePrivileges) -> String {
    let on_columns = !t.columns.is_empty();
    if !on_columns || t.table.has(Privs::TABLE_ALL) {
        return list(t.table, Privs::TABLE_ALL);
    }
    let mut out = Vec::new();
    for (p, name, _) in Privs::LIST.iter().filter(|(p, ..)| *p != Privs::GRANT_OPTION) {
        if t.table.has(*p) {
            out.push((*name).to_owned());
        }
        let columns: Vec<String> =
            t.columns.iter().filter(|(_, c)| c.has(*p)).map(|(c, _)| format!("`{}`", c.replace('`', "``"))).collect();
        if !columns.is_empty() {
            out.push(format!("{name} ({})", columns.join(", ")));
        }
    }
    out.join(", ")
}

/// The answer of SHOW GRANTS.
pub(crate) fn table(a: &Account) -> Table {
    let name = format!("Grants for {}@{}", a.user, a.host);
    let mut t = Table::new(&[(&name, Kind::Text(1024))]);
    let to = quoted(&(a.user.clone(), a.host.clone()));
    let p = &a.privileges;
    // global privileges one by one, even if they are all
    let global: Vec<&str> = p.global.without(Privs::GRANT_OPTION).names().collect();
    let global = if global.is_empty() { "USAGE".to_owned() } else { global.join(", ") };
    t.push(vec![format!("GRANT {global} ON *.* TO {to}{}", option(p.global)).into()]);
    for grantable in [false, true] {
        let names: Vec<&str> = p.dynamic.iter().filter(|(_, g)| **g == grantable).map(|(n, _)| n.as_str()).collect();
        if !names.is_empty() {
            let end = if grantable { " WITH GRANT OPTION" } else { "" };
            t.push(vec![format!("GRANT {} ON *.* TO {to}{end}", names.join(",")).into()]);
        }
    }
    for (db, privs) in &p.databases {
        let db = db.replace('`', "``");
        t.push(vec![format!("GRANT {} ON `{db}`.* TO {to}{}", list(*privs, Privs::DB_ALL), option(*privs)).into()]);
    }
    for (db, privs) in &p.restrictions {
        let names: Vec<&str> = privs.names().collect();
        t.push(vec![format!("REVOKE {} ON `{}`.* FROM {to}", names.join(", "), db.replace('`', "``")).into()]);
    }
    for ((db, table), privs) in &p.tables {
        let (db, table) = (db.replace('`', "``"), table.replace('`', "``"));
        t.push(vec![format!("GRANT {} ON `{db}`.`{table}` TO {to}{}", on_table(privs), option(privs.table)).into()]);
    }
    for function in [false, true] {
        for ((db, name, _), privs) in p.routines.iter().filter(|((.., f), _)| *f == function) {
            let kind = if function { "FUNCTION" } else { "PROCEDURE" };
            let (db, name) = (db.replace('`', "``"), name.replace('`', "``"));
            // never ALL, whatever it is
            let names: Vec<&str> = privs.without(Privs::GRANT_OPTION).names().collect();
            let what = if names.is_empty() { "USAGE".to_owned() } else { names.join(", ") };
            t.push(vec![format!("GRANT {what} ON {kind} `{db}`.`{name}` TO {to}{}", option(*privs)).into()]);
        }
    }
    // any account comes behind those that are named
    for any in [false, true] {
        for (name, proxy) in p.proxies.iter().filter(|(n, _)| (n.0.is_empty() && n.1.is_empty()) == any) {
            let end = if proxy.grantable { " WITH GRANT OPTION" } else { "" };
            t.push(vec![format!("GRANT PROXY ON {} TO {to}{end}", quoted(name)).into()]);
        }
    }
    for admin in [false, true] {
        let names: Vec<String> = p.roles.iter().filter(|(_, a)| **a == admin).map(|(r, _)| quoted(r)).collect();
        if !names.is_empty() {
            let end = if admin { " WITH ADMIN OPTION" } else { "" };
            t.push(vec![format!("GRANT {} TO {to}{end}", names.join(",")).into()]);
        }
    }
    t
}
