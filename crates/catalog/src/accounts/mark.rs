//! Of which statement of a replica's source a change of the accounts is: the store keeps the last such mark with the
//! change, so that a start after a crash knows whether the statement, whose place in the source's log the engine lost
//! with its commit, has been done. Each channel of a replica has a last one of its own.
//!
//! The thread that applies the statement says the mark around it ([`within`]). Tested: `store.rs`,
//! `tests/binlog/test_replica_accounts.py`.

use super::{Accounts, around};
use base::SqlResult;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A statement of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The replica's channel.
    pub channel: String,
    /// What the statement is called, each time that it comes; another statement of any channel is called otherwise.
    pub text: String,
}

/// The last mark of each channel.
pub type Marks = BTreeMap<String, String>;

thread_local! {
    static MARK: RefCell<Option<Mark>> = const { RefCell::new(None) };
}

/// What `f` changes is of the statement with this mark.
pub fn within<R>(mark: Mark, f: impl FnOnce() -> R) -> R {
    around::within(&MARK, Some(mark), f)
}

/// The mark of what the thread changes now.
pub(super) fn now() -> Option<Mark> {
    MARK.with_borrow(Clone::clone)
}

impl Accounts {
    /// Whether the statement with this mark was the last one of a channel that had changed accounts before this start.
    /// With its GTID it may come by another channel than then.
    pub fn has_done(&self, mark: &str) -> bool {
        self.found.lock().values().any(|m| m == mark)
    }

    /// A channel's source, or the place in its log, is another one: its mark means nothing. `None`: no channel's does.
    ///
    /// # Errors
    /// Of the store.
    pub fn forget_marks(&self, channel: Option<&str>) -> SqlResult<()> {
        let mut store = self.store.lock();
        self.found.lock().retain(|c, _| channel.is_some_and(|gone| gone != c));
        store.forget_marks(channel, &self.table.load().accounts)
    }
}
