//! The wait-for graph: each waiter points at one blocker. Its mutex comes after shard mutexes and before owner mutexes.
//!
//! With `innodb_deadlock_detect` off the edges are kept for views, and no cycle is looked for: its waits end by their timeout.

use super::owner::{LockOwner, OwnerId};
use hashbrown::HashMap;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, Default)]
pub(super) struct WaitGraph {
    edges: Mutex<HashMap<OwnerId, Edge>>,
    /// `innodb_deadlock_detect` is off.
    blind: AtomicBool,
}

/// A cycle of waiters. Told by the victim before it gives anything up, so that all of them still wait as they did.
#[derive(Clone, Debug)]
pub struct Deadlock {
    /// Each waits for the next, and the last, who came last, for the first.
    pub members: Vec<Arc<LockOwner>>,
    /// Who is rolled back.
    pub victim: OwnerId,
}

#[derive(Debug)]
struct Edge {
    waiter: Arc<LockOwner>,
    blocker: OwnerId,
}

impl WaitGraph {
    /// Records that `waiter` waits for `blocker`, and resolves the cycle this closes, if any, by ending the victim's wait.
    /// Returns whether a deadlock was found.
    pub(super) fn set(&self, waiter: &Arc<LockOwner>, blocker: &Arc<LockOwner>) -> bool {
        let mut edges = self.edges.lock();
        edges.insert(waiter.id(), Edge { waiter: waiter.clone(), blocker: blocker.id() });
        if self.blind.load(Ordering::Relaxed) {
            return false;
        }
        probe::inc(probe::Counter::InnodbDeadlockRounds);
        // follow the function; a path longer than the number of edges has met a cycle that `waiter` is not part of
        let mut victim = waiter.clone();
        let mut at = blocker.id();
        let mut members = Vec::new();
        for _ in 0..=edges.len() {
            if at == waiter.id() {
                edges.remove(&victim.id());
                drop(edges);
                members.push(waiter.clone());
                victim.end_by_deadlock(Deadlock { members, victim: victim.id() });
                return true;
            }
            let Some(e) = edges.get(&at) else { return false };
            members.push(e.waiter.clone());
            if e.waiter.weight() < victim.weight() {
                victim = e.waiter.clone();
            }
            at = e.blocker;
        }
        false
    }

    /// `innodb_deadlock_detect`.
    pub(super) fn set_detect(&self, on: bool) {
        self.blind.store(!on, Ordering::Relaxed);
    }

    /// The wait is over.
    pub(super) fn clear(&self, waiter: OwnerId) {
        self.edges.lock().remove(&waiter);
    }

    /// Number of waiters now.
    pub(super) fn len(&self) -> usize {
        self.edges.lock().len()
    }

    /// Who waits for whom, for views.
    pub(super) fn list(&self) -> Vec<(OwnerId, OwnerId)> {
        self.edges.lock().values().map(|e| (e.waiter.id(), e.blocker)).collect()
    }
}
