//! Where in the binary log the event of a statement on accounts is to come: at this place or behind it. The store keeps
//! it with the change, which is durable before the event is. So a start after a crash can look whether the log has the
//! last statement ([`super::Accounts::unsure`]), and takes it back where it has not: it was not acknowledged, and no
//! replica will ever see it.
//!
//! The thread that runs the statement says the place around it ([`within`]); statements on accounts exclude each other
//! until they are logged. Tested: `store.rs`, `tests/binlog/test_replica_accounts.py`, `tests/binlog/kill_random.py`.

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
    pub(super) fn to_json(&self) -> Value {
        json!({ "log": [self.server, self.file, self.at] })
    }

    /// `None`: it is something else.
    pub(super) fn from_json(v: &Value) -> Option<LogPlace> {
        let list = v.get("log")?;
        let text = |n: usize| list.get(n)?.as_str().map(str::to_owned);
        Some(LogPlace { server: text(0)?, file: text(1)?, at: list.get(2)?.as_u64()? })
    }
}

thread_local! {
    static PLACE: RefCell<Option<LogPlace>> = const { RefCell::new(None) };
}

/// What `f` changes is of a statement whose event will stand there or behind it. `None`: it has none.
pub fn within<R>(place: Option<LogPlace>, f: impl FnOnce() -> R) -> R {
    around::within(&PLACE, place, f)
}

/// The place of what the thread changes now.
pub(super) fn now() -> Option<LogPlace> {
    PLACE.with_borrow(Clone::clone)
}

impl Accounts {
    /// At the start: behind which place the event of the last change must be; `None`: it has none.
    pub fn unsure(&self) -> Option<LogPlace> {
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

    /// The log begins anew; every change is in what was before.
    ///
    /// # Errors
    /// Of the store.
    pub fn settle(&self) -> SqlResult<()> {
        let mut store = self.store.lock();
        store.settle(&self.table.load().accounts)
    }
}
