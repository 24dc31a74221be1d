//! Who a session is: its account, the roles that are active, whether its password has expired, what its account has
//! used of its hour (manual, "Using Roles", "Server Handling of Expired Passwords", "Setting Account Resource Limits").
//!
//! `env.security.account` is the account with the privileges of the active roles. It is made anew when the accounts
//! have changed since (one number is compared before each statement). Global privileges of the account itself are those
//! it had at login, as the manual says. Tested: `tests/clients/test_roles.py`, `tests/clients/test_password_policy.py`.

use crate::kernel::server::Server;
use crate::kernel::session::{Session, own_context};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::roles::{self, RoleName};
use catalog::accounts::{Account, AccountTable, ClientAddr, HourlyLimits, Privs, Resource};
use catalog::sysvar::Var;
use parser::ast::{self, SetItem, Statement};
use parser::secrets::Hidden;
use std::sync::Arc;

/// Who has it is changed only by who has it.
pub(crate) const SYSTEM_USER: &str = "SYSTEM_USER";

/// A password that was made for an account.
#[derive(Debug)]
pub(crate) struct Generated {
    pub(crate) user: String,
    pub(crate) host: String,
    pub(crate) password: Hidden<String>,
}

/// Seconds since 1970.
pub(crate) fn now_seconds() -> i64 {
    executor::env::wall_clock_us().div_euclid(1_000_000)
}

/// Who the session was at login, and what has become of it. Written at login and by [`Session::refresh_account`].
pub(crate) struct Identity {
    /// The account as it was at login, whose global privileges the session keeps.
    pub(crate) login: Arc<Account>,
    /// Version of the accounts that `env.security.account` comes from.
    pub(crate) accounts_seen: u64,
    /// The same of the account that a program of the session runs as.
    pub(crate) definer_seen: u64,
    /// The account's password has expired: nothing but changing it is allowed.
    pub(crate) sandbox: bool,
    /// It is counted among the logins: not a session of the server's own.
    pub(crate) listed: bool,
    /// All of the account's privileges are those that it has now, and none when it is gone: an applier's.
    pub(crate) live: bool,
}

impl Identity {
    /// Of a session that logs in.
    pub(crate) fn new(login: Arc<Account>, listed: bool) -> Identity {
        Identity { login, accounts_seen: 0, definer_seen: 0, sandbox: false, listed, live: false }
    }
}

/// Whose session it is while it has the server's rights.
pub(crate) struct Lent {
    account: Arc<Account>,
    accounts_seen: u64,
}

impl Session {
    /// A session of the server's own that looks at it and may do nothing else.
    pub(crate) fn watching(server: &Arc<Server>) -> SqlResult<Session> {
        let mut account = Account::new("mysql.session", "localhost");
        account.privileges.global = Privs::PROCESS;
        let schema = "performance_schema".to_owned();
        account.privileges.databases.insert(schema, Privs::SELECT);
        let mut s = Session::with_account(server, own_context(server, "mysql.session"), Arc::new(account), true)?;
        s.leave_binary_log();
        Ok(s)
    }

    pub(crate) fn mandatory_roles(&self) -> Vec<RoleName> {
        roles::parse_list(&self.env.shared.globals.string(Var::mandatory_roles)).unwrap_or_default()
    }

    pub(crate) fn own_name(&self) -> RoleName {
        (self.env.security.account.user.clone(), self.env.security.account.host.clone())
    }

    /// At login and when the session is reset.
    pub(crate) fn activate_login_roles(&mut self) {
        let table = self.server.accounts.table();
        let own = self.own_name();
        if let Some(a) = table.get(&own.0, &own.1) {
            let granted = roles::granted(&table, a, &self.mandatory_roles());
            let all = self.env.shared.globals.bool(Var::activate_all_roles_on_login);
            let wanted = |r: &RoleName| all || a.privileges.default_roles.contains(r);
            self.env.security.active_roles = granted.into_iter().filter(wanted).collect();
        }
        self.renew_account(&table);
    }

    /// Takes over what was granted and revoked meanwhile.
    #[inline]
    pub(crate) fn refresh_account(&mut self) {
        let seen = if self.env.security.as_definer { self.identity.definer_seen } else { self.identity.accounts_seen };
        if self.server.accounts.version() != seen {
            let table = self.server.accounts.table();
            self.renew_account(&table);
        }
    }

    /// The account that a program runs as has what it has now, and nothing of who calls; that one's is seen again when
    /// the program has ended.
    fn renew_definer(&mut self, table: &AccountTable) {
        self.identity.definer_seen = self.server.accounts.version();
        let own = self.own_name();
        // one that was dropped keeps what it had until its program ends
        let Some(now) = table.get(&own.0, &own.1) else { return };
        if !self.env.security.active_roles.is_empty() {
            let granted = roles::granted(table, now, &self.mandatory_roles());
            self.env.security.active_roles.retain(|r| granted.contains(r));
        }
        self.env.security.account = Arc::new(roles::effective(table, now, &self.env.security.active_roles));
    }

    #[cold]
    pub(crate) fn renew_account(&mut self, table: &AccountTable) {
        // the server's own are nobody's, whatever account has its name
        if self.env.security.account.privileges.of_server {
            return;
        }
        if self.env.security.as_definer {
            return self.renew_definer(table);
        }
        // a change between the two lines is seen next time
        self.identity.accounts_seen = self.server.accounts.version();
        let own = self.own_name();
        // an account that was dropped keeps what it had until its client leaves
        let Some(now) = table.get(&own.0, &own.1) else {
            if self.identity.live {
                self.env.security.active_roles.clear();
                self.env.security.account = Arc::new(Account::new(&own.0, &own.1));
            }
            return;
        };
        let mut account = Account::clone(now);
        if !self.identity.live {
            // static privileges on everything are those of the login, dynamic ones count at once, as in MySQL
            account.privileges.global = self.identity.login.privileges.global;
            account.privileges.restrictions = self.identity.login.privileges.restrictions.clone();
        }
        if !self.env.security.active_roles.is_empty() {
            let granted = roles::granted(table, now, &self.mandatory_roles());
            self.env.security.active_roles.retain(|r| granted.contains(r));
            account = roles::effective(table, &account, &self.env.security.active_roles);
        }
        roles::open_to_all(table, &ClientAddr::of_host(&self.env.security.user.1), &mut account.privileges);
        self.env.client.connection.set_system_user(account.privileges.holds_dynamic(SYSTEM_USER));
        self.env.security.account = Arc::new(account);
    }

    /// An applier's session is the server's own for a while; what it was is to be given back.
    pub(crate) fn lend_rights(&mut self) -> Option<Lent> {
        let server = self.applier.server.clone()?;
        let account = std::mem::replace(&mut self.env.security.account, server);
        Some(Lent { account, accounts_seen: self.identity.accounts_seen })
    }

    /// What the accounts are meanwhile is seen with the next statement.
    pub(crate) fn return_rights(&mut self, lent: Option<Lent>) {
        let Some(lent) = lent else { return };
        (self.env.security.account, self.identity.accounts_seen) = (lent.account, lent.accounts_seen);
    }

    /// User and host of an account as written.
    pub(crate) fn account_name(&self, a: &ast::Account<'_>) -> (String, String) {
        match a {
            ast::Account::Name { user, host } => ((*user).to_owned(), host.unwrap_or("%").to_ascii_lowercase()),
            ast::Account::CurrentUser => {
                (self.env.security.account.user.clone(), self.env.security.account.host.clone())
            }
        }
    }

    /// Whether this session may do nothing but give its account another password.
    pub(crate) fn enter_sandbox(&mut self) {
        let default = self.env.shared.globals.num(Var::default_password_lifetime);
        self.identity.sandbox = self.identity.login.password_expired(now_seconds(), default);
    }

    /// 1820 in a session whose password has expired, but for the statements that change it.
    pub(crate) fn check_sandbox(&self, s: &Statement<'_>) -> SqlResult<()> {
        let own = |a: &ast::Account<'_>| {
            self.account_name(a) == (self.env.security.account.user.clone(), self.env.security.account.host.clone())
        };
        let allowed = match s {
            Statement::AlterUser(a) => a.users.iter().any(|u| u.auth.is_some() && own(&u.account)),
            Statement::Set([SetItem::Password { user, .. }]) => user.as_ref().is_none_or(own),
            _ => false,
        };
        if !self.identity.sandbox || allowed { Ok(()) } else { Err(must_change()) }
    }

    /// The same for commands that are no statements.
    pub(crate) fn check_sandbox_command(&self) -> SqlResult<()> {
        if self.identity.sandbox { Err(must_change()) } else { Ok(()) }
    }

    /// Counts a statement of the text protocol against the account's hourly limits: 1226.
    pub(crate) fn count_use(&self, changes: impl FnOnce() -> bool) -> SqlResult<()> {
        let a = &self.env.security.account;
        if a.limits == HourlyLimits::default() || self.applier.server.is_some() {
            return Ok(());
        }
        let exceeded = |what: Resource| {
            move |limit: u32| SqlError::new(ErrorCode::USER_LIMIT_REACHED, &[&a.user, &what.name(), &limit])
        };
        let usage = self.server.accounts.usage();
        usage.count(a, Resource::Queries).map_err(exceeded(Resource::Queries))?;
        if changes() {
            usage.count(a, Resource::Updates).map_err(exceeded(Resource::Updates))?;
        }
        Ok(())
    }

    /// Counts the session among the logins; whether performance_schema records it, as `setup_actors` says now.
    pub(crate) fn log_in(&self) {
        let (user, host) = &self.env.security.user;
        self.server.connections.logged_in(user, host);
        // after COM_CHANGE_USER the connection is another account's
        self.env.client.connection.activity.recorder.forget_profiles();
        self.record_as_actor();
    }

    /// What it has counted goes to its account.
    pub(crate) fn log_out(&self) {
        if !self.identity.listed {
            self.env.client.connection.activity.recorder.count();
            return;
        }
        let (user, host) = &self.env.security.user;
        self.server.connections.logged_out(user, host, &self.sched.counters().values());
        let account = (Some(user.clone()), Some(host.clone()));
        crate::logs::leave_sums(&account, &self.env.client.connection.activity.recorder);
    }
}

fn must_change() -> SqlError {
    SqlError::new(ErrorCode::MUST_CHANGE_PASSWORD, &[])
}

impl Session {
    /// Whether performance_schema records the session, as `setup_actors` says at its login.
    pub(crate) fn record_as_actor(&self) {
        let on = self.env.shared.globals.bool(catalog::sysvar::Var::performance_schema);
        let (user, host) = &self.env.security.user;
        let flags = if on { probe::events::flags_of(user, host) } else { 0 };
        let recorder = &self.env.client.connection.activity.recorder;
        recorder.set_flags(flags);
        self.sched.counters().set_recorder(recorder.clone());
    }
}
