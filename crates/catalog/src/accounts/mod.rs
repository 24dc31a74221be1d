//! Accounts: who may log in from where, and what they may do.
//!
//! All accounts are in memory as one immutable table behind an `ArcSwap`: logging in and checking a privilege read it without a lock;
//! CREATE USER, GRANT and the like replace it ([`Accounts::change`]) one at a time, after the store has made the change durable. A crash
//! in between leaves the change in the store, where the next start finds it, or takes it back ([`place`]): it was not
//! acknowledged.
//!
//! * `around`: what is said around a change.
//! * [`attribute`]: COMMENT and ATTRIBUTE.
//! * [`graphml`]: the accounts as a document.
//! * [`host`]: host patterns and the order in which accounts are matched.
//! * [`mark`]: of which statement of a replica's source a change is.
//! * [`place`]: where in the binary log a change's event is to come.
//! * [`policy`]: rules for passwords, and limits.
//! * [`privileges`]: bit sets per level and how they combine.
//! * [`roles`]: which roles an account has and what they add up to.
//! * [`password`]: the hashes of both authentication plugins.
//! * [`rows`]: accounts out of the rows of a dump's grant tables.
//! * [`store`] keeps them between starts.
//! * [`tls`]: what REQUIRE asks of a connection.

mod around;
pub mod attribute;
mod edit;
pub mod graphml;
pub mod host;
mod journal;
pub mod mark;
pub mod password;
pub mod place;
pub mod policy;
pub mod privileges;
pub mod roles;
pub mod rows;
pub mod store;
pub mod tls;

pub use edit::{Change, Edit};
pub use password::{AuthPlugin, enable_native, hash_password};
pub use policy::{HourlyLimits, PasswordPolicy, Resource, Usage};
pub use privileges::{DYNAMIC, Privileges, Privs, Proxy, TablePrivileges, set_exact_names};
pub use store::{AccountStore, FileStore, MemoryStore};
pub use tls::{TlsPeer, TlsRequirement};

use arc_swap::{ArcSwap, ArcSwapOption};
use base::{ErrorCode, SqlError, SqlResult};
use parking_lot::Mutex;
use parser::secrets::Hidden;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One row of `mysql.user` with everything granted to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Account {
    /// User name; empty = anonymous.
    pub user: String,
    /// Host pattern, lower case.
    pub host: String,
    /// Authentication plugin.
    pub plugin: AuthPlugin,
    /// `authentication_string`; empty = no password.
    pub auth_string: Hidden<String>,
    /// ACCOUNT LOCK. Roles are locked accounts.
    pub locked: bool,
    /// PASSWORD EXPIRE.
    pub expired: bool,
    /// REQUIRE.
    pub require: TlsRequirement,
    /// MAX_USER_CONNECTIONS; 0 = the global limit.
    pub max_user_connections: u32,
    /// Hourly limits.
    pub limits: HourlyLimits,
    /// Rules and history of the password.
    pub password: PasswordPolicy,
    /// COMMENT / ATTRIBUTE as JSON text.
    pub attribute: Option<String>,
    /// What has been granted.
    pub privileges: Privileges,
}

impl Account {
    /// An account that may do nothing (USAGE).
    pub fn new(user: impl Into<String>, host: impl Into<String>) -> Account {
        Account {
            user: user.into(),
            host: host.into().to_ascii_lowercase(),
            plugin: AuthPlugin::CachingSha2,
            auth_string: Hidden::default(),
            locked: false,
            expired: false,
            require: TlsRequirement::None,
            max_user_connections: 0,
            limits: HourlyLimits::default(),
            password: PasswordPolicy::default(),
            attribute: None,
            privileges: Privileges::default(),
        }
    }

    /// Whether the account can be used without a password.
    pub fn has_no_password(&self) -> bool {
        self.auth_string.is_empty() && !self.locked
    }

    /// Whether the account is named so.
    pub fn is_named(&self, user: &str, host: &str) -> bool {
        self.user == user && self.host.eq_ignore_ascii_case(host)
    }

    /// `'user'@'host'`, quoted for messages.
    pub fn quoted(&self) -> String {
        format!("'{}'@'{}'", self.user, self.host)
    }
}

/// All accounts, most specific host first.
#[derive(Default)]
pub struct AccountTable {
    accounts: Vec<Arc<Account>>,
    /// Their places, by user and host.
    by_name: Vec<u32>,
}

impl AccountTable {
    fn new(mut accounts: Vec<Arc<Account>>) -> AccountTable {
        accounts.sort_by_cached_key(|a| host::rank(&a.host, &a.user));
        let mut by_name: Vec<u32> = (0..accounts.len() as u32).collect();
        let name = |i: &u32| accounts.get(*i as usize).map(|a| (a.user.as_str(), a.host.as_str()));
        by_name.sort_unstable_by(|a, b| name(a).cmp(&name(b)));
        AccountTable { accounts, by_name }
    }
    /// All accounts in matching order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Account>> {
        self.accounts.iter()
    }
    /// Whether some account has partial revokes.
    pub fn any_restricted(&self) -> bool {
        self.accounts.iter().any(|a| !a.privileges.restrictions.is_empty())
    }
    /// The account named exactly so.
    pub fn get(&self, user: &str, host: &str) -> Option<&Arc<Account>> {
        let host = host.to_ascii_lowercase();
        let at = self.by_name.binary_search_by(|i| {
            let name = self.accounts.get(*i as usize).map(|a| (a.user.as_str(), a.host.as_str()));
            name.cmp(&Some((user, host.as_str())))
        });
        self.accounts.get(*self.by_name.get(at.ok()?)? as usize)
    }
    /// The account a client logs in to: MySQL's rule, most specific host first, then a named user before the anonymous one.
    pub fn login(&self, user: &str, client: &ClientAddr) -> Option<&Arc<Account>> {
        self.accounts.iter().find(|a| (a.user.is_empty() || a.user == user) && client.matches(&a.host))
    }
}

/// Where a client comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientAddr {
    /// Unix socket: `localhost`.
    Local,
    /// TCP. Loopback addresses count as `localhost` too, because names are not looked up.
    Ip(IpAddr),
}

impl ClientAddr {
    /// From the host of USER().
    pub fn of_host(host: &str) -> ClientAddr {
        host.parse().map_or(ClientAddr::Local, ClientAddr::Ip)
    }
    /// Whether an account's host pattern admits this client.
    pub fn matches(&self, pattern: &str) -> bool {
        match self {
            ClientAddr::Local => host::matches_name(pattern, "localhost"),
            ClientAddr::Ip(ip) => {
                let ip = ip.to_canonical();
                host::matches_ip(pattern, ip) || (host::is_localhost(ip) && host::matches_name(pattern, "localhost"))
            }
        }
    }
    /// Host part of USER().
    pub fn host_name(&self) -> String {
        match self {
            ClientAddr::Local => "localhost".to_owned(),
            ClientAddr::Ip(ip) if host::is_localhost(ip.to_canonical()) => "localhost".to_owned(),
            ClientAddr::Ip(ip) => ip.to_canonical().to_string(),
        }
    }
}

/// All accounts with their store.
pub struct Accounts {
    table: ArcSwap<AccountTable>,
    /// Serialises changes; held while the store writes.
    store: Mutex<Box<dyn AccountStore>>,
    /// Rises with every change: sessions look at it to see whether what they know is old.
    version: AtomicU64,
    /// What has been used of limits, and failed logins.
    usage: Usage,
    /// `--skip-grant-tables`: nobody is asked who they are.
    everything: ArcSwapOption<Account>,
    /// [`mark`]s of the last changes before the start, while their channels have no later ones.
    found: Mutex<mark::Marks>,
}

/// Whom a client may be.
pub struct Candidate {
    /// The account; `None`: there is none.
    pub account: Option<Arc<Account>>,
    /// Whether the client must prove it.
    pub proof: bool,
}

impl Accounts {
    /// Loads the accounts; a store that has never had any gets `root`@`localhost` without password and with all privileges. (Where all accounts
    /// have been dropped there is nobody: the next start must not let everybody in.)
    pub fn open(mut store: Box<dyn AccountStore>) -> SqlResult<Accounts> {
        let accounts = match store.load()? {
            Some(accounts) => accounts.into_iter().map(Arc::new).collect(),
            None => {
                let mut root = Account::new("root", "localhost");
                root.privileges = Privileges::all();
                let root = vec![Arc::new(root)];
                store.save(&root)?;
                root
            }
        };
        let table = AccountTable::new(accounts);
        let found = store.marks();
        Ok(Accounts {
            found: Mutex::new(found),
            table: ArcSwap::from_pointee(table),
            store: Mutex::new(store),
            version: AtomicU64::new(1),
            usage: Usage::default(),
            everything: ArcSwapOption::empty(),
        })
    }

    /// `--skip-grant-tables`: from now on everybody has one account, with all privileges and no password.
    pub fn skip_grants(&self) {
        let mut all = Account::new("skip-grants user", "skip-grants host");
        all.privileges = Privileges::all();
        self.everything.store(Some(Arc::new(all)));
    }

    /// FLUSH PRIVILEGES ends that for those who come later.
    pub fn heed_grants(&self) {
        self.everything.store(None);
    }

    /// Whether grants do not count.
    pub fn grants_skipped(&self) -> bool {
        self.everything.load().is_some()
    }

    /// The account a client logs in to ([`AccountTable::login`]).
    pub fn candidate(&self, user: &str, client: &ClientAddr) -> Candidate {
        match self.everything.load_full() {
            Some(all) => Candidate { account: Some(all), proof: false },
            None => Candidate { account: self.table.load().login(user, client).cloned(), proof: true },
        }
    }

    /// The accounts now. Keep it for the length of a statement, not longer.
    pub fn table(&self) -> Arc<AccountTable> {
        self.table.load_full()
    }

    /// What has been used of limits, and failed logins.
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Number of the present table.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// The account named exactly so, or error 1396 / 1141 as the caller likes.
    pub fn get(&self, user: &str, host: &str) -> Option<Arc<Account>> {
        if let Some(all) = self.everything.load_full().filter(|a| a.user == user && a.host == host) {
            return Some(all);
        }
        self.table.load().get(user, host).cloned()
    }

    /// Lends the accounts to `f`, stores what it changed, then publishes it. All or nothing: an error of `f` or of the store leaves
    /// everything as it was.
    pub fn change<T>(&self, f: impl FnOnce(&mut Edit) -> SqlResult<T>) -> SqlResult<T> {
        let mut store = self.store.lock();
        let old = self.table.load_full();
        let mut edit = Edit::of(&old);
        let out = f(&mut edit)?;
        let changes = edit.changes(&old);
        if changes.is_empty() {
            return Ok(out);
        }
        let new = AccountTable::new(edit.into_accounts());
        let mark = mark::now();
        match place::now().filter(|_| mark.is_none()) {
            Some(proof) => store.apply_logged(&changes, (&old.accounts, &new.accounts), &proof)?,
            None => store.apply(&changes, &new.accounts, mark.as_ref())?,
        }
        if let Some(mark) = mark {
            self.found.lock().remove(&mark.channel);
        }
        self.table.store(Arc::new(new));
        self.version.fetch_add(1, Ordering::Release);
        Ok(out)
    }

    /// CREATE USER. 1396 if it exists.
    pub fn create(&self, account: Account) -> SqlResult<()> {
        self.change(|all| {
            if all.get(&account.user, &account.host).is_some() {
                return Err(SqlError::new(ErrorCode::CANNOT_USER, &[&"CREATE USER", &account.quoted()]));
            }
            all.push(account);
            Ok(())
        })
    }

    /// DROP USER. 1396 if there is none.
    pub fn drop_account(&self, user: &str, host: &str) -> SqlResult<()> {
        self.change(|all| {
            let before = all.len();
            all.retain(|a| !a.is_named(user, host));
            if all.len() == before {
                let name = format!("'{user}'@'{host}'");
                return Err(SqlError::new(ErrorCode::CANNOT_USER, &[&"DROP USER", &name]));
            }
            Ok(())
        })
    }

    /// Changes one account (GRANT, ALTER USER, SET PASSWORD). 1396 naming `what` if there is none.
    pub fn update(
        &self,
        what: &str,
        user: &str,
        host: &str,
        f: impl FnOnce(&mut Account) -> SqlResult<()>,
    ) -> SqlResult<()> {
        self.change(|all| match all.get_mut(user, host) {
            Some(a) => f(a),
            None => Err(SqlError::new(ErrorCode::CANNOT_USER, &[&what, &format_args!("'{user}'@'{host}'")])),
        })
    }

    /// An account that a client from beyond loopback could use without a password: a reason not to listen there.
    pub fn open_to_the_world(&self) -> Option<Arc<Account>> {
        self.table.load().iter().find(|a| a.has_no_password() && !host::is_local_only(&a.host)).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(s: &str) -> ClientAddr {
        ClientAddr::Ip(s.parse().unwrap())
    }

    #[test]
    fn first_start_has_root_without_password() {
        let a = Accounts::open(Box::new(MemoryStore::default())).unwrap();
        let root = a.table().login("root", &ClientAddr::Local).cloned().unwrap();
        assert!(root.has_no_password() && root.privileges.has_global(Privs::SUPER));
        assert!(a.table().login("root", &ip("10.0.0.1")).is_none());
        assert!(a.open_to_the_world().is_none());
        a.create(Account::new("x", "%")).unwrap();
        assert_eq!(a.open_to_the_world().unwrap().user, "x");
        assert_eq!(a.create(Account::new("x", "%")).unwrap_err().code(), 1396);
        a.drop_account("x", "%").unwrap();
        assert_eq!(a.drop_account("x", "%").unwrap_err().code(), 1396);
    }

    #[test]
    fn most_specific_host_wins() {
        let a = Accounts::open(Box::new(MemoryStore::default())).unwrap();
        for h in ["%", "10.1.%", "10.1.2.3", "10.1.0.0/255.255.0.0", "localhost"] {
            a.create(Account::new("u", h)).unwrap();
        }
        a.create(Account::new("", "10.1.2.3")).unwrap();
        let host = |c: &ClientAddr, u: &str| a.table().login(u, c).map(|x| (x.user.clone(), x.host.clone())).unwrap();
        assert_eq!(host(&ip("10.1.2.3"), "u"), ("u".into(), "10.1.2.3".into()));
        assert_eq!(host(&ip("10.1.2.3"), "v"), ("".into(), "10.1.2.3".into()));
        assert_eq!(host(&ip("10.1.9.9"), "u").1, "10.1.0.0/255.255.0.0");
        assert_eq!(host(&ip("11.1.9.9"), "u").1, "%");
        assert_eq!(host(&ip("127.0.0.1"), "u").1, "localhost");
        assert_eq!(host(&ClientAddr::Local, "u").1, "localhost");
    }
}
