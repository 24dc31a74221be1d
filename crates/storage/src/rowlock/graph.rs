//! The wait-for graph: each waiter points at one blocker. Its mutex comes after shard mutexes and before owner mutexes.

use super::owner::{LockOwner, OwnerId, WaitState};
use hashbrown::HashMap;
use parking_lot::Mutex;
use std::sync::Arc;

#[derive(Debug, Default)]
pub(super) struct WaitGraph {
    edges: Mutex<HashMap<OwnerId, Edge>>,
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
        // follow the function; a path longer than the number of edges has met a cycle that `waiter` is not part of
        let mut victim = waiter.clone();
        let mut at = blocker.id();
        for _ in 0..=edges.len() {
            if at == waiter.id() {
                edges.remove(&victim.id());
                drop(edges);
                victim.end_wait(WaitState::Deadlock);
                return true;
            }
            let Some(e) = edges.get(&at) else { return false };
            if e.waiter.weight() < victim.weight() {
                victim = e.waiter.clone();
            }
            at = e.blocker;
        }
        false
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
