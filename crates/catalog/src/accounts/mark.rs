//! Of which statement of a replica's source a change of the accounts is: the store keeps the last such mark with the
//! change, so that a start after a crash knows whether the statement, whose place in the source's log the engine lost
//! with its commit, has been done.
//!
//! The thread that applies the statement says the mark around it ([`within`]). Tested: `store.rs`,
//! `tests/binlog/test_replica_accounts.py`.

use std::cell::RefCell;

thread_local! {
    static MARK: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What `f` changes is of the statement with this mark.
pub fn within<R>(mark: String, f: impl FnOnce() -> R) -> R {
    /// Takes it back, also when `f` panics.
    struct Over;
    impl Drop for Over {
        fn drop(&mut self) {
            MARK.set(None);
        }
    }
    let _over = Over;
    MARK.set(Some(mark));
    f()
}

/// The mark of what the thread changes now.
pub(super) fn now() -> Option<String> {
    MARK.with_borrow(Clone::clone)
}
