//! Roles: accounts whose privileges others take on (manual, "Using Roles").
//!
//! What is granted stands in [`Privileges::roles`] of the account that got it; an account also has the mandatory roles. A session has *active*
//! roles; what it may do is the union of its account's privileges and those of the active roles and of the roles granted to these. That
//! union is made when it changes ([`effective`]), never while a privilege is checked. Tested by `tests/clients/test_roles.py`.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use super::{Account, AccountTable, ClientAddr, Privileges, Privs};

/// User and host.
pub type RoleName = (String, String);

/// `` `user`@`host` ``, as messages and CURRENT_ROLE() name it.
pub fn quoted(r: &RoleName) -> String {
    format!("`{}`@`{}`", r.0.replace('`', "``"), r.1.replace('`', "``"))
}

/// The list of `mandatory_roles`: names with or without host, quoted or not. `None`: not such a list.
pub fn parse_list(text: &str) -> Option<Vec<RoleName>> {
    let mut out = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (user, after) = word(rest)?;
        let mut host = "%".to_owned();
        rest = after.trim_start();
        if let Some(r) = rest.strip_prefix('@') {
            let (h, after) = word(r.trim_start())?;
            host = h.to_ascii_lowercase();
            rest = after.trim_start();
        }
        out.push((user, host));
        if rest.is_empty() {
            break;
        }
        rest = rest.strip_prefix(',')?.trim_start();
    }
    Some(out)
}

fn word(s: &str) -> Option<(String, &str)> {
    let quote = s.chars().next()?;
    if matches!(quote, '`' | '\'' | '"') {
        let inside = s.get(1..)?;
        let end = inside.find(quote)?;
        return Some((inside.get(..end)?.to_owned(), inside.get(end + 1..)?));
    }
    let end = s.find(['@', ',', ' ']).unwrap_or(s.len());
    (end > 0).then_some(())?;
    Some((s.get(..end)?.to_owned(), s.get(end..)?))
}

/// Roles an account may activate: those granted to it, and the mandatory ones that exist.
pub fn granted(table: &AccountTable, a: &Account, mandatory: &[RoleName]) -> BTreeSet<RoleName> {
    let there = mandatory.iter().filter(|r| table.get(&r.0, &r.1).is_some() && (&r.0, &r.1) != (&a.user, &a.host));
    a.privileges.roles.keys().chain(there).cloned().collect()
}

/// These roles and all that are granted to them, each once.
pub fn closure(table: &AccountTable, roles: &[RoleName]) -> Vec<Arc<Account>> {
    let mut out: Vec<Arc<Account>> = Vec::new();
    let mut known: HashSet<*const Account> = HashSet::new();
    let mut todo: Vec<&Arc<Account>> = roles.iter().filter_map(|r| table.get(&r.0, &r.1)).collect();
    while let Some(a) = todo.pop() {
        if known.insert(Arc::as_ptr(a)) {
            todo.extend(a.privileges.roles.keys().filter_map(|r| table.get(&r.0, &r.1)));
            out.push(a.clone());
        }
    }
    out
}

/// Whether `role` is granted to `to`, directly or through others (or they are the same): granting `to` to `role` would make a loop.
pub fn reaches(table: &AccountTable, to: &RoleName, role: &RoleName) -> bool {
    closure(table, std::slice::from_ref(to)).iter().any(|a| (&a.user, &a.host) == (&role.0, &role.1))
}

/// The account with the privileges of active roles.
pub fn effective(table: &AccountTable, own: &Account, active: &[RoleName]) -> Account {
    let mut all = own.clone();
    for r in closure(table, active) {
        all.privileges.merge(&r.privileges);
    }
    all
}

/// Adds the privileges on databases that the anonymous account of the client's host has: MySQL gives them to every user, so that
/// `GRANT ALL ON test.* TO ''@'%'` opens a database to all. What the user's own account has on the same database goes before.
pub fn open_to_all(table: &AccountTable, client: &ClientAddr, own: &mut Privileges) {
    for a in table.iter().filter(|a| a.user.is_empty() && client.matches(&a.host)) {
        for (db, p) in &a.privileges.databases {
            own.databases.entry(db.clone()).or_insert(*p);
        }
    }
}

impl Privileges {
    /// Adds what another account has, but for its roles.
    pub fn merge(&mut self, other: &Privileges) {
        // restricted is what neither has without a restriction
        let free = |p: &Privileges, d: &str| p.global.without(p.restrictions.get(d).copied().unwrap_or_default());
        let databases: BTreeSet<String> = self.restrictions.keys().chain(other.restrictions.keys()).cloned().collect();
        let all = self.global.with(other.global);
        let left = databases.into_iter().map(|d| {
            let restricted = all.without(free(self, &d)).without(free(other, &d));
            (d, restricted)
        });
        self.restrictions = left.filter(|(_, r)| !r.is_none()).collect();
        self.global = all;
        for (name, grantable) in &other.dynamic {
            *self.dynamic.entry(name.clone()).or_default() |= grantable;
        }
        let add = |to: &mut Privs, p: &Privs| *to = to.with(*p);
        for (db, p) in &other.databases {
            add(self.databases.entry(db.clone()).or_default(), p);
        }
        for (name, t) in &other.tables {
            let own = self.tables.entry(name.clone()).or_default();
            add(&mut own.table, &t.table);
            for (c, p) in &t.columns {
                add(own.columns.entry(c.clone()).or_default(), p);
            }
        }
        for (name, p) in &other.routines {
            add(self.routines.entry(name.clone()).or_default(), p);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::{Accounts, MemoryStore};

    fn name(s: &str) -> RoleName {
        (s.into(), "%".into())
    }

    #[test]
    fn lists_are_read() {
        assert_eq!(parse_list(""), Some(vec![]));
        let list = parse_list("`r1`@`%`, r2 , 'r 3'@LOCALHOST,r4@h").unwrap();
        let want = [("r1", "%"), ("r2", "%"), ("r 3", "localhost"), ("r4", "h")];
        assert_eq!(list, want.map(|(u, h)| (u.to_owned(), h.to_owned())));
        assert!(parse_list("a b").is_none() && parse_list("a,,b").is_none() && parse_list("`a").is_none());
    }

    #[test]
    fn privileges_come_through_roles_of_roles() {
        let a = Accounts::open(Box::new(MemoryStore::default())).unwrap();
        for (n, p) in [("u", Privs::NONE), ("r", Privs::SELECT), ("s", Privs::INSERT)] {
            let mut x = Account::new(n, "%");
            x.privileges.databases.insert("d".into(), p);
            if n != "s" {
                x.privileges.roles.insert(name(if n == "u" { "r" } else { "s" }), false);
            }
            a.create(x).unwrap();
        }
        let t = a.table();
        let own = t.get("u", "%").unwrap();
        assert!(effective(&t, own, &[]).privileges.on_database("d").is_none());
        let mut open = Privileges::default();
        open_to_all(&t, &ClientAddr::Local, &mut open);
        assert!(open.on_database("d").is_none());
        let mut anonymous = Account::new("", "%");
        anonymous.privileges.databases.insert("d".into(), Privs::SELECT);
        a.create(anonymous).unwrap();
        open_to_all(&a.table(), &ClientAddr::Local, &mut open);
        assert!(open.on_database("d").has(Privs::SELECT) && open.on_database("e").is_none());
        let all = effective(&t, own, &[name("r")]);
        assert!(all.privileges.on_database("d").has(Privs::SELECT.with(Privs::INSERT)));
        assert!(reaches(&t, &name("u"), &name("s")) && !reaches(&t, &name("s"), &name("u")));
        assert_eq!(granted(&t, own, &[name("s"), name("nosuch"), name("u")]), [name("r"), name("s")].into());
    }
}
