//! Where in the binary log the event of a statement on accounts is to come: at this place or behind it. The store keeps
//! it with the change, which is durable before the event is. So a start after a crash can look whether the log has the
//! last statement ([`super::Accounts::unsure`]), and takes it back where it has not: it was not acknowledged, and no
//! replica will ever see it.
//!
//! What a routine brings along (`automatic_sp_privileges`: CREATE gives rights on it, DROP takes all of them) is of a
//! statement whose event the dictionary's transaction has, so there the dictionary is asked: is the routine there, or
//! gone ([`Proof::Routine`])? With or without a binary log, and on a replica, where the statement comes again.
//!
//! The thread that runs the statement says it around the change ([`within`]); statements on accounts exclude each other
//! until they are logged, and such on routines until they are committed. Tested: `store.rs`,
//! `tests/binlog/test_replica_accounts.py`, `tests/binlog/kill_random.py`.

use super::{AccountTable, Accounts, around};
use base::SqlResult;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A place in a server's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPlace {
    /// `server_uuid`: files of another server, from which a backup comes, have the same names.
    pub server: String,
    /// The file, as SHOW BINARY LOGS shows it.
    pub file: String,
    /// Byte in it at which an event begins, or will.
    pub at: u64,
}

impl LogPlace {
    fn from_list(list: &Value) -> Option<LogPlace> {
        Some(LogPlace { server: text(list, 0)?, file: text(list, 1)?, at: list.get(2)?.as_u64()? })
    }
}

fn text(list: &Value, n: usize) -> Option<String> {
    list.get(n)?.as_str().map(str::to_owned)
}

/// A routine that a statement makes or drops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfRoutine {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// It is a function, no procedure.
    pub function: bool,
    /// It is dropped.
    pub drops: bool,
    /// Its number in the dictionary: another routine may get its name. 0: an older version has not written it.
    pub id: u64,
}

/// What says, after a crash, whether a change of the accounts has been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// An event on accounts there or behind it.
    Event(LogPlace),
    /// The routine is there, or gone.
    Routine(OfRoutine),
}

impl Proof {
    pub(super) fn to_json(&self) -> Value {
        match self {
            Proof::Event(p) => json!({ "log": [p.server, p.file, p.at] }),
            Proof::Routine(r) => json!({ "routine": [r.schema, r.name, r.function, r.drops, r.id] }),
        }
    }

    /// `None`: it is something else.
    pub(super) fn from_json(v: &Value) -> Option<Proof> {
        if let Some(list) = v.get("log") {
            return LogPlace::from_list(list).map(Proof::Event);
        }
        let list = v.get("routine")?;
        let flag = |n: usize| list.get(n)?.as_bool();
        let id = list.get(4).and_then(Value::as_u64).unwrap_or(0);
        let (schema, name) = (text(list, 0)?, text(list, 1)?);
        Some(Proof::Routine(OfRoutine { schema, name, function: flag(2)?, drops: flag(3)?, id }))
    }
}

thread_local! {
    static PROOF: RefCell<Option<Proof>> = const { RefCell::new(None) };
}

/// What `f` changes is of a statement whose event will stand there or behind it. `None`: it has none.
pub fn within<R>(place: Option<LogPlace>, f: impl FnOnce() -> R) -> R {
    around::within(&PROOF, place.map(Proof::Event), f)
}

/// What `f` changes goes with a routine.
pub fn with_routine<R>(routine: OfRoutine, f: impl FnOnce() -> R) -> R {
    around::within(&PROOF, Some(Proof::Routine(routine)), f)
}

/// The proof of what the thread changes now.
pub(super) fn now() -> Option<Proof> {
    PROOF.with_borrow(Clone::clone)
}

impl Accounts {
    /// At the start: what says whether the last change has been; `None`: it has.
    pub fn unsure(&self) -> Option<Proof> {
        self.store.lock().unsure()
    }

    /// At the start: that event is not there. The change has not been.
    ///
    /// # Errors
    /// Of the store.
    pub fn take_back(&self) -> SqlResult<()> {
        let left = self.store.lock().take_back()?;
        self.table.store(Arc::new(AccountTable::new(left.into_iter().map(Arc::new).collect())));
        self.version.fetch_add(1, Ordering::Release);
        Ok(())
    }

    /// A routine is to be dropped without a change of the accounts: it is no proof any more. Under its exclusive
    /// metadata lock: so whoever made it is done with it. That of another routine stays, whose statement may be in the
    /// middle. `name` is folded.
    ///
    /// # Errors
    /// Of the store.
    pub fn settle_routine(&self, schema: &str, name: &str, function: bool) -> SqlResult<()> {
        let mut store = self.store.lock();
        match store.unsure() {
            Some(Proof::Routine(r)) if (&*r.schema, &*r.name, r.function) == (schema, name, function) => {
                store.settle(&self.table.load().accounts)
            }
            _ => Ok(()),
        }
    }

    /// The log begins anew; every change is in what was before.
    ///
    /// # Errors
    /// Of the store.
    pub fn settle(&self) -> SqlResult<()> {
        let mut store = self.store.lock();
        store.settle(&self.table.load().accounts)
    }
}
