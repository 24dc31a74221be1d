//! CREATE and DROP ROLE, GRANT and REVOKE of roles, SET ROLE, SET DEFAULT ROLE; which roles a session has active.
//!
//! `env.security.account` is the account with the privileges of the active roles. It is made anew when the accounts have changed since (one number
//! is compared before each statement). Global privileges of the account itself are those it had at login, as the manual says.
//! Tested by `tests/clients/test_roles.py`.

use crate::accounts::rules::Act;

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::roles::{self, RoleName, quoted};
use catalog::accounts::{Account, Edit};
use parser::ast::{self, SetRole};

use crate::kernel::session::Session;

fn unknown(name: &RoleName) -> SqlError {
    SqlError::new(ErrorCode::UNKNOWN_AUTHID, &[&quoted(name)])
}

fn name_of(a: &Account) -> RoleName {
    (a.user.clone(), a.host.clone())
}

fn not_granted(role: &RoleName, to: &RoleName) -> SqlError {
    SqlError::new(ErrorCode::ROLE_NOT_GRANTED, &[&quoted(role), &quoted(to)])
}

/// Roles that an account loses when they or it are dropped.
pub(crate) fn forget(all: &mut Edit, gone: &[RoleName]) {
    let has =
        |a: &Account| gone.iter().any(|g| a.privileges.roles.contains_key(g) || a.privileges.default_roles.contains(g));
    all.each(has, |a| {
        a.privileges.roles.retain(|r, _| !gone.contains(r));
        a.privileges.default_roles.retain(|r| !gone.contains(r));
    });
}

/// An account has another name now: so have its grants to others.
pub(crate) fn rename(all: &mut Edit, old: &RoleName, new: &RoleName) {
    let has = |a: &Account| a.privileges.roles.contains_key(old) || a.privileges.default_roles.contains(old);
    all.each(has, |a| {
        let p = &mut a.privileges;
        if let Some(admin) = p.roles.remove(old) {
            p.roles.insert(new.clone(), admin);
        }
        if p.default_roles.remove(old) {
            p.default_roles.insert(new.clone());
        }
    });
}

impl Session {
    pub(crate) fn names(&self, list: &[ast::Account<'_>]) -> Vec<RoleName> {
        list.iter().map(|a| self.account_name(a)).collect()
    }

    /// SET ROLE. 3530 for a role that is not granted.
    pub(crate) fn set_role(&mut self, set: &SetRole<'_>) -> SqlResult<()> {
        let table = self.server.accounts.table();
        let own = self.own_name();
        let Some(a) = table.get(&own.0, &own.1) else { return Err(unknown(&own)) };
        let granted = roles::granted(&table, a, &self.mandatory_roles());
        self.env.security.active_roles = match set {
            SetRole::None => Vec::new(),
            SetRole::All => granted.into_iter().collect(),
            SetRole::Default => granted.into_iter().filter(|r| a.privileges.default_roles.contains(r)).collect(),
            SetRole::AllExcept(list) => {
                let without = self.names(list);
                granted.into_iter().filter(|r| !without.contains(r)).collect()
            }
            SetRole::Roles(list) => {
                let mut wanted = self.names(list);
                if let Some(r) = wanted.iter().find(|r| !granted.contains(*r)) {
                    return Err(not_granted(r, &own));
                }
                wanted.sort();
                wanted.dedup();
                wanted
            }
        };
        self.renew_account(&table);
        Ok(())
    }

    /// SET DEFAULT ROLE, ALTER USER ... DEFAULT ROLE. Others' need CREATE USER; 3523, 3530.
    pub(crate) fn set_default_role(&mut self, set: &SetRole<'_>, users: &[ast::Account<'_>]) -> SqlResult<()> {
        let users = self.names(users);
        self.may(&Act::DefaultRoles(&users))?;
        let listed = if let SetRole::Roles(list) = set { self.names(list) } else { Vec::new() };
        let (table, mandatory) = (self.server.accounts.table(), self.mandatory_roles());
        self.server.accounts.change(|all| {
            for u in &users {
                let a = all.get_mut(&u.0, &u.1).ok_or_else(|| unknown(u))?;
                let granted = roles::granted(&table, a, &mandatory);
                if let Some(r) = listed.iter().find(|r| !granted.contains(*r)) {
                    return Err(not_granted(r, u));
                }
                a.privileges.default_roles = match set {
                    SetRole::All => granted,
                    _ => listed.iter().cloned().collect(),
                };
            }
            Ok(())
        })
    }

    // ---- making and granting

    /// CREATE ROLE: a locked account without password. 1396.
    pub(crate) fn create_roles(&mut self, if_not_exists: bool, list: &[ast::Account<'_>]) -> SqlResult<()> {
        let names = self.names(list);
        self.may(&Act::CreateRoles(&names))?;
        let table = self.server.accounts.table();
        let shown = |(u, h): &RoleName| format!("'{u}'@'{h}'");
        let (old, new): (Vec<_>, Vec<_>) = names.into_iter().partition(|n| table.get(&n.0, &n.1).is_some());
        if !old.is_empty() && !if_not_exists {
            let old: Vec<String> = old.iter().map(shown).collect();
            return Err(SqlError::new(ErrorCode::CANNOT_USER, &[&"CREATE ROLE", &old.join(",")]));
        }
        for n in &old {
            self.env.conv.push(value::Level::Note, SqlError::new(ErrorCode::USER_ALREADY_EXISTS, &[&shown(n)]));
        }
        self.server.accounts.change(|all| {
            for (user, host) in &new {
                let mut a = Account::new(user, host);
                (a.locked, a.expired) = (true, true);
                a.password.changed = Some(crate::kernel::identity::now_seconds());
                all.push(a);
            }
            Ok(())
        })
    }

    /// DROP ROLE. 1396, 3628.
    pub(crate) fn drop_roles(&mut self, if_exists: bool, list: &[ast::Account<'_>]) -> SqlResult<()> {
        let names = self.names(list);
        self.may(&Act::DropRoles(&names))?;
        self.drop_accounts("DROP ROLE", if_exists, &names)
    }

    /// Drops accounts with everything that refers to them.
    pub(crate) fn drop_accounts(&mut self, what: &str, if_exists: bool, names: &[RoleName]) -> SqlResult<()> {
        let shown = |(u, h): &RoleName| format!("'{u}'@'{h}'");
        let mandatory = self.mandatory_roles();
        if let Some(r) = names.iter().find(|n| mandatory.contains(n)) {
            return Err(SqlError::new(ErrorCode::MANDATORY_ROLE, &[&quoted(r)]));
        }
        let table = self.server.accounts.table();
        let missing: Vec<&RoleName> = names.iter().filter(|n| table.get(&n.0, &n.1).is_none()).collect();
        if !missing.is_empty() && !if_exists {
            let missing: Vec<String> = missing.into_iter().map(shown).collect();
            return Err(SqlError::new(ErrorCode::CANNOT_USER, &[&what, &missing.join(",")]));
        }
        for n in missing {
            self.env.conv.push(value::Level::Note, SqlError::new(ErrorCode::USER_DOES_NOT_EXIST, &[&shown(n)]));
        }
        self.check_definers(what, names)?;
        names.iter().for_each(|(u, h)| self.server.accounts.usage().reset(u, h));
        self.server.accounts.change(|all| {
            all.retain(|a| !names.contains(&name_of(a)));
            forget(all, names);
            Ok(())
        })
    }

    /// GRANT role TO account. 3523, 4027.
    pub(crate) fn grant_roles(
        &mut self,
        list: &[ast::Account<'_>],
        to: &[ast::Account<'_>],
        admin: bool,
    ) -> SqlResult<()> {
        let (list, to) = (self.names(list), self.names(to));
        self.may(&Act::HandOut { roles: &list, to: &to })?;
        if list.iter().any(|r| self.is_system_user(r)) {
            self.keep_mandatory(&to)?;
        }
        let table = self.server.accounts.table();
        if let Some(n) = to.iter().chain(&list).find(|n| table.get(&n.0, &n.1).is_none()) {
            return Err(unknown(n));
        }
        for t in &to {
            if let Some(r) = list.iter().find(|r| roles::reaches(&table, r, t)) {
                return Err(SqlError::new(ErrorCode::ROLE_GRANTED_TO_ITSELF, &[&quoted(t), &quoted(r)]));
            }
        }
        self.server.accounts.change(|all| {
            for t in &to {
                let Some(a) = all.get_mut(&t.0, &t.1) else { continue };
                for r in &list {
                    a.privileges.roles.insert(r.clone(), admin);
                }
            }
            Ok(())
        })
    }

    /// REVOKE role FROM account. 3523 (a warning where the statement says so), 3628.
    pub(crate) fn revoke_roles(&mut self, list: &[ast::Account<'_>], r: &ast::Revoke<'_>) -> SqlResult<()> {
        let (list, from) = (self.names(list), self.names(r.from));
        self.may(&Act::HandOut { roles: &list, to: &from })?;
        let mandatory = self.mandatory_roles();
        if let Some(m) = list.iter().find(|n| mandatory.contains(n)) {
            let e = SqlError::new(ErrorCode::MANDATORY_ROLE, &[&quoted(m)]);
            if !r.if_exists {
                return Err(e);
            }
            self.env.conv.push(value::Level::Warning, e);
            return Ok(());
        }
        let table = self.server.accounts.table();
        let absent = |n: &&RoleName| table.get(&n.0, &n.1).is_none();
        for n in from.iter().filter(absent) {
            if !r.ignore_unknown_user {
                return Err(unknown(n));
            }
            self.env.conv.push(value::Level::Warning, SqlError::new(ErrorCode::USER_DOES_NOT_EXIST, &[&n.0]));
        }
        // once for each account that would lose it
        for n in from.iter().filter(|n| !absent(n)).flat_map(|_| list.iter().filter(absent)) {
            if !r.if_exists {
                return Err(unknown(n));
            }
            self.env.conv.push(value::Level::Warning, unknown(n));
        }
        self.server.accounts.change(|all| {
            for f in &from {
                let Some(a) = all.get_mut(&f.0, &f.1) else { continue };
                a.privileges.roles.retain(|r, _| !list.contains(r));
                a.privileges.default_roles.retain(|r| !list.contains(r));
            }
            Ok(())
        })
    }

    /// The account of SHOW GRANTS, with what the roles of USING (or, for the session's own account, the active ones) add.
    pub(crate) fn account_with_roles(
        &self,
        who: Option<RoleName>,
        current: bool,
        using: &[ast::Account<'_>],
    ) -> SqlResult<Account> {
        let table = self.server.accounts.table();
        let own = self.own_name();
        let name = who.unwrap_or_else(|| own.clone());
        let missing = || SqlError::new(ErrorCode::NONEXISTING_GRANT, &[&name.0, &name.1]);
        let a = table.get(&name.0, &name.1).ok_or_else(missing)?;
        let mut with = self.names(using);
        let granted = roles::granted(&table, a, &self.mandatory_roles());
        if let Some(r) = with.iter().find(|r| !granted.contains(*r)) {
            return Err(not_granted(r, &name));
        }
        if with.is_empty() && current {
            with = self.env.security.active_roles.clone();
        }
        Ok(roles::effective(&table, a, &with))
    }
}
