//! What a thread says around a change of the accounts, so that the store keeps it with the change: the [`super::mark`]
//! of a source's statement, the [`super::place`] of an event. Tested by their tests.

use std::cell::RefCell;
use std::thread::LocalKey;

/// What is said by this thread now.
pub(super) type Around<T> = LocalKey<RefCell<Option<T>>>;

/// Runs `f` with it said; afterwards, also when `f` panics, nothing is.
pub(super) fn within<T, R>(around: &'static Around<T>, said: Option<T>, f: impl FnOnce() -> R) -> R {
    struct Over<T: 'static>(&'static Around<T>);
    impl<T> Drop for Over<T> {
        fn drop(&mut self) {
            self.0.set(None);
        }
    }
    let _over = Over(around);
    around.set(said);
    f()
}
