//! Who may change which account: the one place that every account statement asks ([`Session::may`]).
//!
//! Three questions, in the order in which MySQL asks them. Has the session the privilege for such a statement? CREATE USER stands for all of
//! them but SET PASSWORD for another; so does the matching privilege on the schema `mysql`, as the manual says of each statement. Roles are
//! handed out by ROLE_ADMIN, SUPER or WITH ADMIN OPTION, also as DEFAULT ROLE of a new account. Is one of the accounts, or of the roles that
//! are handed out, a *system user*? Then the session must be one (manual, "Account Categories"). And may it give what it gives (`granting`)?
//!
//! A session is a system user by its account or its active roles. An account is one here by SYSTEM_USER of its own or of any role that it
//! could activate, however deep. MySQL counts only its own, so that who may create users can take over an account whose *role* is SYSTEM_USER
//! and then activate that role; we grant less. One's own account is exempt from that. KILL asks for SYSTEM_USER in [`crate::statements::admin`].
//!
//! Reads the table of accounts without a lock; the change that follows is made under the store's lock, and a statement that comes between
//! has been allowed by the same rules. Tested: `tests/clients/test_account_rules.py`, `tests/clients/test_dynamic_privileges.py`.

use crate::kernel::identity::SYSTEM_USER;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::roles::{self, RoleName};
use catalog::accounts::{AccountTable, Privileges, Privs};

/// What a statement wants to do with accounts.
pub(crate) enum Act<'a> {
    /// CREATE USER with its DEFAULT ROLE.
    Create {
        users: &'a [RoleName],
        defaults: &'a [RoleName],
    },
    /// ALTER USER of others, or of more than one's own password.
    Alter(&'a [RoleName]),
    DropUsers(&'a [RoleName]),
    Rename(&'a [RoleName]),
    CreateRoles(&'a [RoleName]),
    DropRoles(&'a [RoleName]),
    /// SET DEFAULT ROLE, ALTER USER ... DEFAULT ROLE.
    DefaultRoles(&'a [RoleName]),
    /// SET PASSWORD FOR another.
    SetPassword(&'a RoleName),
    /// GRANT and REVOKE of roles.
    HandOut {
        roles: &'a [RoleName],
        to: &'a [RoleName],
    },
    /// GRANT and REVOKE of privileges and PROXY: whether it has them to give was asked before.
    Grant(&'a [RoleName]),
    /// REVOKE ALL.
    RevokeAll(&'a [RoleName]),
    /// An account as the definer of something.
    Define(&'a [RoleName]),
}

fn denied(needed: &str) -> SqlError {
    SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&needed])
}

/// Whether an account has SYSTEM_USER, or could have it by a role; no if it does not exist.
fn is_system_user(table: &AccountTable, (user, host): &RoleName, by_roles: bool) -> bool {
    let Some(a) = table.get(user, host) else { return false };
    if a.privileges.holds_dynamic(SYSTEM_USER) {
        return true;
    }
    let granted: Vec<RoleName> = a.privileges.roles.keys().cloned().collect();
    by_roles && roles::closure(table, &granted).iter().any(|r| r.privileges.holds_dynamic(SYSTEM_USER))
}

impl Session {
    /// Whether the session may do this: 1227, for SET PASSWORD 1044.
    pub(crate) fn may(&self, act: &Act<'_>) -> SqlResult<()> {
        match act {
            Act::Create { users, defaults } => {
                self.may_manage(Privs::INSERT)?;
                self.may_touch(users)?;
                if defaults.is_empty() {
                    return Ok(());
                }
                self.may_administer(defaults)?;
                self.may_touch(defaults)
            }
            Act::Alter(names) | Act::Rename(names) | Act::RevokeAll(names) => {
                self.may_manage(Privs::UPDATE)?;
                self.may_touch(names)
            }
            Act::DropUsers(names) => {
                self.may_manage(Privs::DELETE)?;
                self.may_touch(names)
            }
            Act::CreateRoles(names) => {
                self.require_either(Privs::CREATE_ROLE, "CREATE USER, CREATE ROLE")?;
                self.may_touch(names)
            }
            Act::DropRoles(names) => {
                self.require_either(Privs::DROP_ROLE, "CREATE USER, DROP ROLE")?;
                self.may_touch(names)?;
                // who could log in is no role
                let user = |(u, h): &RoleName| self.server.accounts.get(u, h).is_some_and(|a| !a.locked);
                if names.iter().any(user) { self.require(Privs::CREATE_USER, "CREATE USER") } else { Ok(()) }
            }
            Act::DefaultRoles(names) => {
                self.may_touch(names)?;
                if names.iter().all(|n| self.is_own(n)) { Ok(()) } else { self.may_manage(Privs::UPDATE) }
            }
            Act::SetPassword(name) => {
                self.require_on_schema(Privs::UPDATE, "mysql")?;
                self.may_touch(std::slice::from_ref(*name))
            }
            Act::HandOut { roles, to } => {
                self.may_administer(roles)?;
                self.may_touch(to)?;
                self.may_touch(roles)
            }
            Act::Grant(names) | Act::Define(names) => self.may_touch(names),
        }
    }

    /// 1227 if one of the accounts is a system user and this session is none. Accounts that do not exist are no matter.
    fn may_touch(&self, names: &[RoleName]) -> SqlResult<()> {
        if self.env.security.account.privileges.holds_dynamic(SYSTEM_USER) {
            return Ok(());
        }
        let table = self.server.accounts.table();
        if names.iter().any(|n| is_system_user(&table, n, !self.is_own(n))) {
            return Err(denied(SYSTEM_USER));
        }
        Ok(())
    }

    /// Everybody has what is mandatory: who sets it hands out roles.
    pub(crate) fn may_set_mandatory(&self) -> SqlResult<()> {
        let shown = "SYSTEM_VARIABLES_ADMIN or SUPER privileges, as well as the ROLE_ADMIN";
        // SUPER does not stand for it
        if self.env.security.account.privileges.holds_dynamic("ROLE_ADMIN") { Ok(()) } else { Err(denied(shown)) }
    }

    /// Whether an account is, or can become, a system user.
    pub(crate) fn is_system_user(&self, name: &RoleName) -> bool {
        is_system_user(&self.server.accounts.table(), name, true)
    }

    /// What everybody has makes nobody a system user: 3880.
    pub(crate) fn may_be_mandatory(&self, list: &str) -> SqlResult<()> {
        let table = self.server.accounts.table();
        let named = roles::parse_list(list).unwrap_or_default();
        match named.iter().find(|r| is_system_user(&table, r, true)) {
            None => Ok(()),
            Some(r) => Err(SqlError::new(
                ErrorCode::AUTH_ID_WITH_SYSTEM_USER_PRIV_IN_MANDATORY_ROLES,
                &[&roles::quoted(r), &SYSTEM_USER],
            )),
        }
    }

    /// The same when one of the mandatory roles is given something: 3897.
    pub(crate) fn keep_mandatory(&self, to: &[RoleName]) -> SqlResult<()> {
        let mandatory = self.mandatory_roles();
        match to.iter().find(|r| mandatory.contains(r)) {
            None => Ok(()),
            Some(r) => Err(SqlError::new(
                ErrorCode::CANNOT_GRANT_SYSTEM_PRIV_TO_MANDATORY_ROLE,
                &[&roles::quoted(r), &SYSTEM_USER],
            )),
        }
    }

    /// Whether this is the session's own account.
    pub(crate) fn is_own(&self, (user, host): &RoleName) -> bool {
        self.env.security.account.is_named(user, host)
    }

    /// CREATE USER, or this on the tables that MySQL keeps accounts in.
    fn may_manage(&self, on_mysql: Privs) -> SqlResult<()> {
        let mine = &self.env.security.account.privileges;
        if mine.has_global(Privs::CREATE_USER) || mine.on_database("mysql").has(on_mysql) {
            return Ok(());
        }
        Err(denied("CREATE USER"))
    }

    /// CREATE USER or another static privilege on everything.
    fn require_either(&self, one: Privs, shown: &str) -> SqlResult<()> {
        let p = &self.env.security.account.privileges;
        if p.has_global(one) || p.has_global(Privs::CREATE_USER) { Ok(()) } else { Err(denied(shown)) }
    }

    /// What RETAIN CURRENT PASSWORD and DISCARD OLD PASSWORD ask of who changes their own password.
    pub(crate) fn may_keep_two_passwords(&self) -> SqlResult<()> {
        if self.env.security.account.privileges.holds_dynamic("APPLICATION_PASSWORD_ADMIN") {
            return Ok(());
        }
        self.may_manage(Privs::UPDATE).map_err(|_| denied("CREATE USER or APPLICATION_PASSWORD_ADMIN"))
    }

    /// ROLE_ADMIN (or SUPER), or WITH ADMIN OPTION on each of the roles.
    fn may_administer(&self, wanted: &[RoleName]) -> SqlResult<()> {
        if self.env.security.account.privileges.has_dynamic("ROLE_ADMIN") {
            return Ok(());
        }
        let table = self.server.accounts.table();
        let active = roles::closure(&table, &self.env.security.active_roles);
        let admin = |a: &catalog::accounts::Account, r: &RoleName| a.privileges.roles.get(r) == Some(&true);
        if wanted.iter().all(|r| admin(&self.env.security.account, r) || active.iter().any(|a| admin(a, r))) {
            return Ok(());
        }
        Err(denied("WITH ADMIN, ROLE_ADMIN, SUPER"))
    }

    /// A session takes from nobody on everything what is withheld from itself on some database (partial revokes): 3879.
    /// Nor nothing at all (USAGE), as in MySQL.
    pub(crate) fn may_take(&self, names: &[RoleName], w: Privs) -> SqlResult<()> {
        let own = &self.env.security.account;
        let table = self.server.accounts.table();
        for a in names.iter().filter_map(|(u, h)| table.get(u, h)) {
            for (db, withheld) in &own.privileges.restrictions {
                let theirs = a.privileges.restrictions.get(db).copied().unwrap_or_default();
                let taken = if w.is_none() { *withheld } else { w.and(*withheld) };
                if !taken.without(theirs).is_none() {
                    return Err(SqlError::new(ErrorCode::DB_ACCESS_DENIED, &[&own.user, &own.host, db]));
                }
            }
        }
        Ok(())
    }

    /// Whether GRANT ... AS gives no more than the session has: what is withheld from it on a database is withheld from the other, too.
    pub(crate) fn may_give_as(&self, other: &Privileges, w: Privs) -> bool {
        self.env.security.account.privileges.restrictions.iter().all(|(db, withheld)| {
            let theirs = other.restrictions.get(db).copied().unwrap_or_default();
            withheld.and(w).without(theirs).is_none()
        })
    }

    /// Dynamic privileges are handed on by who has each of them WITH GRANT OPTION: 1227.
    pub(crate) fn may_give_dynamic(&self, names: &[String]) -> SqlResult<()> {
        let mine = &self.env.security.account.privileges;
        match names.iter().all(|n| mine.dynamic.get(n) == Some(&true)) {
            true => Ok(()),
            false => Err(denied("GRANT OPTION")),
        }
    }
}
