//! [`LockOwner`]: the lock side of a session's transactions, made once per session and reused.
//!
//! Its mutex is a leaf: nothing else is taken while it is held. `held` lists the hashes of the queues in which the owner has
//! entries (duplicates allowed); release goes through them.

use super::graph::Deadlock;
use base::TableId;
use parking_lot::{Condvar, Mutex};
use smallvec::SmallVec;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Identifies an owner among all that ever lived in this process.
pub type OwnerId = u64;

/// Ids of transactions have 48 bits.
const NO_ID: u64 = 1 << 48;

/// Where a wait stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WaitState {
    /// Not waiting.
    Idle,
    /// Queued.
    Waiting,
    /// Granted by a releaser.
    Granted,
    /// Chosen as deadlock victim.
    Deadlock,
    /// `KILL` arrived.
    Interrupted,
}

#[derive(Debug)]
pub(super) struct OwnerState {
    /// Hashes of queues with entries of this owner.
    pub(super) held: Vec<u64>,
    /// Tables on which the owner holds IS (false) or IX (true) without a queue entry.
    pub(super) tables: Vec<(TableId, bool)>,
    /// Indexes on which it has runs (once for each run).
    pub(super) runs: Vec<u64>,
    pub(super) wait: WaitState,
    /// The cycle that ended the last wait, until it is told of.
    pub(super) deadlock: Option<Box<Deadlock>>,
    /// Set between the end of a transaction and the start of the next: no implicit lock may be converted then.
    pub(super) idle: bool,
}

/// The holder of locks.
#[derive(Debug)]
pub struct LockOwner {
    id: OwnerId,
    /// Transaction id as shown in views; 0 while it has none.
    trx_id: AtomicU64,
    /// Rows changed and rows in runs of locks; the cheaper transaction of a cycle is the victim.
    weight: AtomicU64,
    pub(super) state: Mutex<OwnerState>,
    wake: Condvar,
}

impl LockOwner {
    pub(super) fn new(id: OwnerId) -> LockOwner {
        let state = OwnerState {
            held: Vec::new(),
            tables: Vec::new(),
            runs: Vec::new(),
            wait: WaitState::Idle,
            deadlock: None,
            idle: true,
        };
        LockOwner {
            id,
            trx_id: AtomicU64::new(0),
            weight: AtomicU64::new(0),
            state: Mutex::new(state),
            wake: Condvar::new(),
        }
    }

    /// Process-wide id.
    pub fn id(&self) -> OwnerId {
        self.id
    }

    /// The transaction's id for views. One that has written nothing has none yet: it is shown with a number of its session beyond all ids, as MySQL
    /// does, so that its locks can be told from another's.
    pub fn shown_id(&self) -> u64 {
        match self.trx_id.load(Ordering::Relaxed) {
            0 => NO_ID | self.id,
            id => id,
        }
    }

    /// Tables with an intention lock, each with whether it is IX.
    pub fn tables(&self) -> SmallVec<[(TableId, bool); 4]> {
        let s = self.state.lock();
        let mut all = SmallVec::<[(TableId, bool); 4]>::new();
        for &(table, ix) in &s.tables {
            match all.iter_mut().find(|(t, _)| *t == table) {
                Some((_, x)) => *x |= ix,
                None => all.push((table, ix)),
            }
        }
        all
    }

    /// A transaction starts: implicit locks may be converted for this owner from now on.
    pub fn begin(&self, trx_id: u64) {
        self.trx_id.store(trx_id, Ordering::Relaxed);
        self.state.lock().idle = false;
    }

    /// Counts changed rows, or rows that a run of locks covers.
    pub fn add_weight(&self, rows: u64) {
        self.weight.store(self.weight.load(Ordering::Relaxed) + rows, Ordering::Relaxed);
    }

    /// Rows changed plus locks held.
    pub fn weight(&self) -> u64 {
        self.weight.load(Ordering::Relaxed) + self.state.lock().held.len() as u64
    }

    /// How many locks it has, one for each place and table, and the bytes they take, about.
    pub fn lock_structs(&self) -> (u64, u64) {
        let s = self.state.lock();
        let n = s.held.len() + s.tables.len() + s.runs.len();
        let lists = s.held.capacity() * size_of::<u64>() + s.tables.capacity() * size_of::<(TableId, bool)>();
        (n as u64, (size_of::<LockOwner>() + lists + s.held.len() * size_of::<super::queue::Queue>()) as u64)
    }

    /// Whether it holds any explicit lock.
    pub fn has_locks(&self) -> bool {
        let s = self.state.lock();
        !s.held.is_empty() || !s.tables.is_empty() || !s.runs.is_empty()
    }

    pub(super) fn reset(&self) {
        self.trx_id.store(0, Ordering::Relaxed);
        self.weight.store(0, Ordering::Relaxed);
    }

    pub(super) fn start_wait(&self) {
        self.state.lock().wait = WaitState::Waiting;
    }

    /// Moves Waiting -> Granted and wakes; false if the wait has already ended otherwise.
    pub(super) fn grant(&self) -> bool {
        self.end_wait(WaitState::Granted)
    }

    pub(super) fn end_wait(&self, to: WaitState) -> bool {
        let mut s = self.state.lock();
        if s.wait != WaitState::Waiting {
            return false;
        }
        s.wait = to;
        drop(s);
        self.wake.notify_one();
        true
    }

    /// Chosen as the victim of a deadlock.
    pub(super) fn end_by_deadlock(&self, cycle: Deadlock) {
        let mut s = self.state.lock();
        if s.wait == WaitState::Waiting {
            s.wait = WaitState::Deadlock;
            s.deadlock = Some(Box::new(cycle));
            drop(s);
            self.wake.notify_one();
        }
    }

    /// The cycle that made it a victim.
    pub(super) fn take_deadlock(&self) -> Option<Box<Deadlock>> {
        self.state.lock().deadlock.take()
    }

    /// `KILL`: ends a wait under way.
    pub fn interrupt(&self) {
        self.end_wait(WaitState::Interrupted);
    }

    /// Blocks until the wait ends or the deadline passes; a wait that timed out is left `Waiting`.
    /// The run token is given back meanwhile, so that the holder of the lock can go on.
    pub(super) fn block(&self, timeout: Duration, interrupted: &dyn Fn() -> bool) -> WaitState {
        sched::blocking_wait(probe::WaitClass::RowLock, || self.block_inner(timeout, interrupted))
    }

    fn block_inner(&self, timeout: Duration, interrupted: &dyn Fn() -> bool) -> WaitState {
        let deadline = Instant::now() + timeout;
        let mut s = self.state.lock();
        while s.wait == WaitState::Waiting {
            if interrupted() {
                s.wait = WaitState::Interrupted;
                break;
            }
            let now = Instant::now();
            if now >= deadline {
                break;
            }
            // a kill flag set without a call to `interrupt` is seen within a tenth of a second
            self.wake.wait_for(&mut s, (deadline - now).min(Duration::from_millis(100)));
        }
        s.wait
    }

    /// Ends a wait for good; returns what it was.
    pub(super) fn finish_wait(&self) -> WaitState {
        std::mem::replace(&mut self.state.lock().wait, WaitState::Idle)
    }
}
