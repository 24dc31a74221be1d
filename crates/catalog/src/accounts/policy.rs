//! What an account says about its passwords and resources (manual, "Password Management", "Setting Account Resource Limits").
//!
//! The rules are part of the account and stored with it; what has been used of the limits and how many logins failed is in memory only
//! ([`Usage`]) and begins anew with the server, as in MySQL. Tested: here and by `tests/clients/test_password_policy.py`.

use super::{Account, AuthPlugin, password};
use parser::secrets::Hidden;

use parking_lot::Mutex;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Rules and history of an account's password.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct PasswordPolicy {
    /// When the password was last set, in seconds since 1970; `None`: by an older version.
    pub changed: Option<i64>,
    /// PASSWORD EXPIRE INTERVAL in days, 0: NEVER, `None`: DEFAULT.
    pub lifetime: Option<u16>,
    /// The authentication string of RETAIN CURRENT PASSWORD; empty = none.
    pub retained: Hidden<String>,
    /// PASSWORD HISTORY; `None`: DEFAULT.
    pub history: Option<u32>,
    /// PASSWORD REUSE INTERVAL in days; `None`: DEFAULT.
    pub reuse_days: Option<u32>,
    /// PASSWORD REQUIRE CURRENT (true) or OPTIONAL; `None`: DEFAULT.
    pub require_current: Option<bool>,
    /// When earlier passwords and the present one were set, with their authentication strings, the newest first.
    pub former: Vec<(i64, Hidden<String>)>,
    /// FAILED_LOGIN_ATTEMPTS; 0: not counted.
    pub failed_attempts: u16,
    /// PASSWORD_LOCK_TIME in days; -1: UNBOUNDED, 0: never locked. `None`: never said.
    pub lock_days: Option<i32>,
}

impl PasswordPolicy {
    /// Notes a new password. `history` and `days`: what counts for this account now; nothing is kept without either.
    pub fn set(&mut self, now: i64, auth_string: &str, history: u32, days: u32) {
        self.changed = Some(now);
        if history > 0 || days > 0 {
            self.former.insert(0, (now, Hidden(auth_string.to_owned())));
        }
        let mut n = 0;
        self.former.retain(|(at, _)| {
            n += 1;
            n <= history || within(*at, now, days)
        });
    }

    /// Whether a password has been used too lately.
    pub fn used_lately(&self, plugin: AuthPlugin, plain: &[u8], now: i64, history: u32, days: u32) -> bool {
        let counts = |(n, (at, _)): &(usize, &(i64, Hidden<String>))| *n < history as usize || within(*at, now, days);
        self.former.iter().enumerate().filter(counts).any(|(_, (_, hash))| password::matches(plugin, plain, hash))
    }
}

fn within(at: i64, now: i64, days: u32) -> bool {
    days > 0 && now < at.saturating_add(i64::from(days) * DAY)
}

impl Account {
    /// Whether the password has to be changed: PASSWORD EXPIRE, or older than its lifetime. `default`: default_password_lifetime.
    pub fn password_expired(&self, now: i64, default: u64) -> bool {
        let days = self.password.lifetime.map_or(default, u64::from) as i64;
        let old = self.password.changed.is_some_and(|c| now > c.saturating_add(days * DAY));
        self.expired || (days > 0 && old)
    }
}

/// Hourly limits; 0: none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct HourlyLimits {
    /// MAX_QUERIES_PER_HOUR
    pub queries: u32,
    /// MAX_UPDATES_PER_HOUR
    pub updates: u32,
    /// MAX_CONNECTIONS_PER_HOUR
    pub connections: u32,
}

/// What an hourly limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Statements.
    Queries,
    /// Statements that change data.
    Updates,
    /// Logins.
    Connections,
}

impl Resource {
    /// The limit's name in error 1226.
    pub const fn name(self) -> &'static str {
        match self {
            Resource::Queries => "max_questions",
            Resource::Updates => "max_updates",
            Resource::Connections => "max_connections_per_hour",
        }
    }

    const fn limit(self, l: &HourlyLimits) -> u32 {
        match self {
            Resource::Queries => l.queries,
            Resource::Updates => l.updates,
            Resource::Connections => l.connections,
        }
    }
}

/// What accounts have used since their hour began, and logins that failed in a row.
#[derive(Default)]
pub struct Usage(Mutex<HashMap<(String, String), Used>>);

#[derive(Default)]
struct Used {
    hour: Option<Instant>,
    counts: [u32; 3],
    failed: u16,
    /// Since when too many failed logins lock the account.
    locked: Option<Instant>,
}

/// An account is locked after too many failed logins: for how many days, and how many are left; `None`: without end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blocked(pub Option<(u32, u32)>);

impl Usage {
    fn of<T>(&self, a: &Account, f: impl FnOnce(&mut Used) -> T) -> T {
        let mut map = self.0.lock();
        f(map.entry((a.user.clone(), a.host.clone())).or_default())
    }

    /// Counts one more use; the limit when it is exceeded.
    pub fn count(&self, a: &Account, what: Resource) -> Result<(), u32> {
        let limit = what.limit(&a.limits);
        if limit == 0 {
            return Ok(());
        }
        self.of(a, |u| {
            if u.hour.is_none_or(|h| h.elapsed() >= Duration::from_secs(3600)) {
                (u.hour, u.counts) = (Some(Instant::now()), [0; 3]);
            }
            let Some(n) = u.counts.get_mut(what as usize) else { return Ok(()) };
            *n = n.saturating_add(1);
            if *n > limit { Err(limit) } else { Ok(()) }
        })
    }

    /// Whether the account is locked now; an attempt on a locked account does not prolong it.
    pub fn blocked(&self, a: &Account) -> Option<Blocked> {
        let days = lock_days(a)?;
        self.of(a, |u| {
            let since = u.locked?;
            let Some(days) = days else { return Some(Blocked(None)) };
            let passed = since.elapsed().as_secs() / DAY as u64;
            let left = u64::from(days).saturating_sub(passed) as u32;
            if left == 0 {
                (u.locked, u.failed) = (None, 0);
                return None;
            }
            Some(Blocked(Some((days, left))))
        })
    }

    /// A login with a wrong password; what it leads to.
    pub fn login_failed(&self, a: &Account) -> Option<Blocked> {
        lock_days(a)?;
        self.of(a, |u| {
            u.failed = u.failed.saturating_add(1);
            if u.failed >= a.password.failed_attempts {
                u.locked = Some(Instant::now());
            }
        });
        self.blocked(a)
    }

    /// A login with the right password.
    pub fn login_succeeded(&self, a: &Account) {
        if lock_days(a).is_some() {
            self.of(a, |u| (u.failed, u.locked) = (0, None));
        }
    }

    /// Forgets what was counted for an account.
    pub fn reset(&self, user: &str, host: &str) {
        self.0.lock().remove(&(user.to_owned(), host.to_owned()));
    }

    /// FLUSH USER_RESOURCES.
    pub fn reset_counts(&self) {
        self.0.lock().values_mut().for_each(|u| u.counts = [0; 3]);
    }

    /// FLUSH PRIVILEGES: unlocks what failed logins locked.
    pub fn unlock_all(&self) {
        self.0.lock().values_mut().for_each(|u| (u.failed, u.locked) = (0, None));
    }
}

/// `None`: failed logins do not count. Else the days of the lock, `Some(None)` without end.
fn lock_days(a: &Account) -> Option<Option<u32>> {
    match a.password.lock_days.unwrap_or(0) {
        _ if a.password.failed_attempts == 0 => None,
        0 => None,
        n => Some(u32::try_from(n).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_locks() {
        let mut a = Account::new("u", "%");
        let used = Usage::default();
        assert!((0..100).all(|_| used.count(&a, Resource::Queries).is_ok()));
        a.limits.queries = 2;
        assert_eq!([1, 2, 3].map(|_| used.count(&a, Resource::Queries)), [Ok(()), Ok(()), Err(2)]);
        used.reset_counts();
        assert_eq!(used.count(&a, Resource::Queries), Ok(()));
        (a.password.failed_attempts, a.password.lock_days) = (2, Some(3));
        assert_eq!(used.login_failed(&a), None);
        used.login_succeeded(&a);
        assert_eq!(used.login_failed(&a), None);
        assert_eq!(used.login_failed(&a), Some(Blocked(Some((3, 3)))));
        assert_eq!(used.blocked(&a), Some(Blocked(Some((3, 3)))));
        used.unlock_all();
        assert_eq!(used.blocked(&a), None);
        a.password.lock_days = Some(-1);
        used.login_failed(&a);
        assert_eq!(used.login_failed(&a), Some(Blocked(None)));
        used.reset("u", "%");
        assert_eq!(used.blocked(&a), None);
    }

    #[test]
    fn passwords_age() {
        let mut a = Account::new("u", "%");
        *a.auth_string = password::hash_password(AuthPlugin::Native, b"one", 5000).unwrap();
        a.password.set(1000, &a.auth_string, 2, 0);
        assert!(!a.password_expired(1000 + 10 * DAY, 0) && a.password_expired(1000 + 10 * DAY, 9));
        a.password.lifetime = Some(0);
        assert!(!a.password_expired(1000 + 10 * DAY, 9));
        a.password.lifetime = Some(10);
        assert!(!a.password_expired(1000 + 10 * DAY, 0) && a.password_expired(1001 + 10 * DAY, 0));
        let native = AuthPlugin::Native;
        assert!(a.password.used_lately(native, b"one", 2000, 2, 0));
        for (n, p) in [b"two", b"thr"].iter().enumerate() {
            let hash = password::hash_password(native, *p, 5000).unwrap();
            a.password.set(2000 + n as i64, &hash, 2, 0);
        }
        assert!(
            !a.password.used_lately(native, b"one", 3000, 2, 0) && a.password.used_lately(native, b"two", 3000, 2, 0)
        );
        assert_eq!(a.password.former.len(), 2);
        assert!(
            a.password.used_lately(native, b"two", 3000, 0, 1)
                && !a.password.used_lately(native, b"two", 3000 + DAY, 0, 1)
        );
    }
}
