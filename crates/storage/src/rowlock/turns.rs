//! [`Turns`]: transactions that commit in an order that is given when they begin (a replica's appliers, which work side
//! by side and commit as the source did).
//!
//! Who is done before its turn waits, with its locks. That wait is an edge of the wait-for graph, to the transaction
//! before it: where an earlier one needs a lock of a later one, the two are a cycle, and always the later one is its
//! victim. Rolled back it comes again and takes its turn first ([`Turns::wait`] without locks), so that it cannot be in
//! the way a second time. What is no row lock (metadata locks, waits while `innodb_deadlock_detect` is off) the caller
//! looks at itself, see [`Turns::wait`].
//!
//! Locks: the mutex here comes before that of the graph; nothing else is taken under it. Each number is used by one
//! thread. Crash: nothing is kept; what has committed is a beginning of the order.
//!
//! Tested: `turns_tests.rs`, `tests/binlog/test_replica_workers.py`.

use super::owner::{LockOwner, WaitState};
use super::sys::{LockSys, WaitError};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// As long as it takes: who waits is told to stop otherwise.
const LONG: Duration = Duration::from_secs(365 * 24 * 3600);

#[derive(Debug)]
struct Begun {
    owner: Arc<LockOwner>,
    waits: bool,
}

#[derive(Debug, Default)]
struct State {
    /// Whose turn it is.
    next: u64,
    begun: BTreeMap<u64, Begun>,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Turns(Mutex<State>);

impl Turns {
    /// The transaction with this number begins. Numbers begin at 0, and none is left out.
    pub fn begin(&self, n: u64, owner: &Arc<LockOwner>) {
        self.0.lock().begun.insert(n, Begun { owner: owner.clone(), waits: false });
    }

    /// Whose turn it is.
    pub fn now(&self) -> u64 {
        self.0.lock().next
    }

    /// Waits until all before it are over. `ends` is asked now and then: whether the wait has to end without it, with
    /// [`WaitError::Interrupted`].
    ///
    /// # Errors
    /// [`WaitError::Deadlock`]: an earlier one waits for a lock of this one, which must be rolled back.
    pub fn wait(&self, locks: &LockSys, n: u64, ends: &dyn Fn() -> bool) -> Result<(), WaitError> {
        let owner = {
            let mut s = self.0.lock();
            if s.next == n {
                return Ok(());
            }
            let before = n.checked_sub(1).and_then(|b| s.begun.get(&b)).map(|b| b.owner.clone());
            let (Some(me), Some(before)) = (s.begun.get_mut(&n), before) else { return Err(WaitError::Interrupted) };
            me.waits = true;
            let owner = me.owner.clone();
            owner.start_wait();
            locks.graph.set_turn(&owner, &before);
            owner
        };
        owner.block(LONG, ends);
        let mut s = self.0.lock();
        if let Some(me) = s.begun.get_mut(&n) {
            me.waits = false;
        }
        let end = owner.finish_wait();
        locks.graph.clear(owner.id());
        match end {
            WaitState::Granted => Ok(()),
            // the turn has come meanwhile: nobody is before it any more
            WaitState::Deadlock if s.next == n => Ok(()),
            WaitState::Deadlock => Err(WaitError::Deadlock),
            _ => Err(WaitError::Interrupted),
        }
    }

    /// It is over, committed or passed over, and it was its turn: the next one's comes.
    pub fn end(&self, locks: &LockSys, n: u64) {
        let mut s = self.0.lock();
        s.begun.remove(&n);
        s.next = n + 1;
        if let Some(next) = s.begun.get(&(n + 1)).filter(|b| b.waits) {
            locks.graph.clear(next.owner.id());
            next.owner.grant();
        }
    }
}
