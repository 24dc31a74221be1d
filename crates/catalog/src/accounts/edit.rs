//! A change of accounts in the making: the accounts as they were, each copied only when it is changed.
//!
//! [`super::Accounts::change`] lends it to one statement at a time; what differs at the end ([`Edit::changes`]) is what the store writes.
//! No locks. Tested below and by whatever changes accounts.

use super::{Account, AccountTable};
use std::collections::HashSet;
use std::sync::Arc;

/// What has become of an account.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// It is new or changed.
    Set(Arc<Account>),
    /// There is none of this user and host any more.
    Gone(String, String),
}

/// All accounts, to be changed.
pub struct Edit(Vec<Arc<Account>>);

impl Edit {
    pub(super) fn of(table: &AccountTable) -> Edit {
        Edit(table.iter().cloned().collect())
    }

    /// All accounts, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Account> {
        self.0.iter().map(|a| &**a)
    }

    /// The account named exactly so.
    pub fn get(&self, user: &str, host: &str) -> Option<&Account> {
        self.iter().find(|a| a.is_named(user, host))
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, user: &str, host: &str) -> Option<&mut Account> {
        self.0.iter_mut().find(|a| a.is_named(user, host)).map(Arc::make_mut)
    }

    /// Changes every account that `which` picks.
    pub fn each(&mut self, which: impl Fn(&Account) -> bool, mut f: impl FnMut(&mut Account)) {
        for a in self.0.iter_mut().filter(|a| which(a)) {
            f(Arc::make_mut(a));
        }
    }

    /// A new account.
    pub fn push(&mut self, a: Account) {
        self.0.push(Arc::new(a));
    }

    /// Keeps those that `keep` picks.
    pub fn retain(&mut self, keep: impl Fn(&Account) -> bool) {
        self.0.retain(|a| keep(a));
    }

    /// Number of accounts.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What differs from how it was: first what is gone, for a name may have got another account.
    pub(super) fn changes(&self, old: &AccountTable) -> Vec<Change> {
        let before: HashSet<*const Account> = old.iter().map(Arc::as_ptr).collect();
        let names: HashSet<(&str, &str)> = self.0.iter().map(|a| (a.user.as_str(), a.host.as_str())).collect();
        let gone = old.iter().filter(|a| !names.contains(&(a.user.as_str(), a.host.as_str())));
        let gone = gone.map(|a| Change::Gone(a.user.clone(), a.host.clone()));
        let set = self.0.iter().filter(|a| !before.contains(&Arc::as_ptr(a))).map(|a| Change::Set(a.clone()));
        gone.chain(set).collect()
    }

    pub(super) fn into_accounts(self) -> Vec<Arc<Account>> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_told() {
        let old = AccountTable::new(["a", "b", "c"].map(|u| Arc::new(Account::new(u, "%"))).into());
        let mut e = Edit::of(&old);
        assert!(e.changes(&old).is_empty());
        e.get_mut("a", "%").unwrap().locked = true;
        e.retain(|a| a.user != "b");
        e.push(Account::new("d", "%"));
        e.each(|a| a.user == "nobody", |a| a.locked = true);
        let told: Vec<String> = e
            .changes(&old)
            .iter()
            .map(|c| match c {
                Change::Set(a) => format!("+{}", a.user),
                Change::Gone(u, _) => format!("-{u}"),
            })
            .collect();
        assert_eq!(told, ["-b", "+a", "+d"]);
        assert!(!old.get("a", "%").unwrap().locked && e.get("a", "%").unwrap().locked && e.len() == 3);
    }
}
