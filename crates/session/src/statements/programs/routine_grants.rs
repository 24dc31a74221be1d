//! What comes and goes with a routine (`automatic_sp_privileges`): CREATE gives whoever makes it EXECUTE and ALTER
//! ROUTINE on it, DROP takes from everybody what he has on it.
//!
//! The accounts are changed first, durably, with the routine as their proof ([`catalog::accounts::place`]); then the
//! dictionary's transaction commits, and with it the statement's event. Between the two nobody else changes accounts.
//! A crash there, or a commit that fails, takes the change back: the routine is not there, or still is. So no account
//! has, or lacks, what no log says. On a replica the statement then comes again.
//!
//! A proof is the routine's id, not its name: that may be another routine's by then. It lasts until the accounts change
//! again, or until the routine is dropped without such a change (by DROP DATABASE, which leaves what is granted, as in
//! MySQL): under the routine's exclusive metadata lock, so that no statement in the middle loses its proof.
//!
//! Tested: `tests/binlog/test_replica_accounts.py`, golden `automatic_sp_privileges`.

use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::place::{OfRoutine, with_routine};
use catalog::accounts::roles::RoleName;
use catalog::accounts::{Account, Privs};
use catalog::sysvar::Var;
use storage::dict::programs::folded;
use storage::dict::{Ddl, ProgramDefinition};

/// Schema, name, whether it is a function.
type Routine<'a> = (&'a str, &'a str, bool);

/// Accounts, and what each has on a routine.
type Grants = Vec<(RoleName, Option<Privs>)>;

fn key((schema, name, function): Routine<'_>) -> (String, String, bool) {
    (schema.to_owned(), folded(name), function)
}

impl Session {
    /// Who makes a routine, where that account is to be given rights on it. On a replica its definer stands for whoever
    /// made it on the source, as in MySQL: the log says no more.
    pub(super) fn creator_without(
        &self,
        (schema, name, function): Routine<'_>,
        definer: &(String, String),
    ) -> Option<RoleName> {
        let own = match self.env.binlog.origin().is_some() {
            true => self.server.accounts.get(&definer.0, &definer.1)?,
            false => self.env.security.account.clone(),
        };
        let automatic = self.env.shared.globals.bool(Var::automatic_sp_privileges);
        let has = own.privileges.on_routine(schema, name, function).has(Privs::ROUTINE_ALL);
        let gives = automatic && !has && !self.server.accounts.grants_skipped();
        gives.then(|| (own.user.clone(), own.host.clone()))
    }

    /// Commits a CREATE and gives its creator rights on the routine. Where they cannot be given that is a warning.
    pub(super) fn commit_with_grant(
        &mut self,
        (ddl, id): (Ddl, u64),
        routine: Routine<'_>,
        creator: RoleName,
    ) -> SqlResult<()> {
        self.lock_accounts()?;
        let now = |a: &Account| Some(a.privileges.routines.get(&key(routine)).copied().unwrap_or_default());
        let with = self.server.accounts.get(&creator.0, &creator.1).and_then(|a| now(&a));
        let with = with.map(|p| p.with(Privs::ROUTINE_ALL));
        let before = match self.change_routine_grants(routine, (id, false), vec![(creator, with)]) {
            Ok(before) => before,
            Err(_) => {
                let e = SqlError::new(ErrorCode::PROC_AUTO_GRANT_FAIL, &[]);
                self.env.conv.push(value::Level::Warning, e);
                Grants::new()
            }
        };
        self.commit_or_undo(ddl, routine, before)
    }

    /// Commits a DROP, and with it goes what anybody has on the routine.
    pub(super) fn commit_without_grants(&mut self, ddl: Ddl, p: &ProgramDefinition, function: bool) -> SqlResult<()> {
        let routine = (p.schema.as_str(), p.name.as_str(), function);
        let automatic = self.env.shared.globals.bool(Var::automatic_sp_privileges);
        let named = key(routine);
        let has = |a: &&std::sync::Arc<Account>| a.privileges.routines.contains_key(&named);
        let whose = |s: &Session| -> Grants {
            let table = s.server.accounts.table();
            table.iter().filter(has).map(|a| ((a.user.clone(), a.host.clone()), None)).collect()
        };
        if !automatic || whose(self).is_empty() {
            self.server.accounts.settle_routine(&named.0, &named.1, function)?;
            return self.commit_logged(ddl);
        }
        self.lock_accounts()?;
        let before = self.change_routine_grants(routine, (p.id, true), whose(self))?;
        self.commit_or_undo(ddl, routine, before)
    }

    fn commit_or_undo(&mut self, ddl: Ddl, routine: Routine<'_>, before: Grants) -> SqlResult<()> {
        let done = self.commit_logged(ddl);
        if done.is_err() && !before.is_empty() {
            self.server.accounts.change(|all| {
                before.into_iter().for_each(|(who, p)| set(all, routine, &who, p));
                Ok(())
            })?;
        }
        self.refresh_account();
        done
    }

    /// Gives the accounts this on a routine; what they had.
    fn change_routine_grants(
        &mut self,
        routine: Routine<'_>,
        (id, drops): (u64, bool),
        to: Grants,
    ) -> SqlResult<Grants> {
        let (schema, name, function) = key(routine);
        let named = (schema.clone(), name.clone(), function);
        with_routine(OfRoutine { schema, name, function, drops, id }, || {
            self.server.accounts.change(|all| {
                let mut before = Grants::new();
                for (who, p) in to {
                    let old = all.get(&who.0, &who.1).map(|a| a.privileges.routines.get(&named).copied());
                    before.extend(old.map(|old| (who.clone(), old)));
                    set(all, routine, &who, p);
                }
                Ok(before)
            })
        })
    }
}

fn set(all: &mut catalog::accounts::Edit, routine: Routine<'_>, who: &RoleName, p: Option<Privs>) {
    let Some(a) = all.get_mut(&who.0, &who.1) else { return };
    match p {
        Some(p) => a.privileges.routines.insert(key(routine), p),
        None => a.privileges.routines.remove(&key(routine)),
    };
}
