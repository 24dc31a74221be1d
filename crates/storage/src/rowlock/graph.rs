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
    /// It has what it needs and waits for its turn to commit ([`super::Turns`]).
    turn: bool,
}

/// Who is rolled back, of waiters of which each waits for the next and the last for the first, each with whether it
/// waits for its turn: the cheapest; with waits for a turn among them one of those whose lock is waited for. Any other
/// would come again and find the same.
fn victim(cycle: &[(Arc<LockOwner>, bool)]) -> Option<Arc<LockOwner>> {
    let before = cycle.iter().rev().take(1).chain(cycle);
    let mut asked = cycle.iter().zip(before).filter(|((_, turn), (_, other))| *turn && !other);
    if let Some(((owner, _), _)) = asked.next() {
        return Some(owner.clone());
    }
    // on a tie the newcomer, which is the last
    cycle.iter().rev().map(|(owner, _)| owner).min_by_key(|o| o.weight()).cloned()
}

impl WaitGraph {
    /// Records that `waiter` waits for `blocker`, and resolves the cycle this closes, if any, by ending the victim's wait.
    /// Returns whether a deadlock was found.
    pub(super) fn set(&self, waiter: &Arc<LockOwner>, blocker: &Arc<LockOwner>) -> bool {
        self.add(waiter, blocker, false)
    }

    /// The same for `waiter`'s turn to commit, which comes after `blocker`'s.
    pub(super) fn set_turn(&self, waiter: &Arc<LockOwner>, blocker: &Arc<LockOwner>) {
        self.add(waiter, blocker, true);
    }

    fn add(&self, waiter: &Arc<LockOwner>, blocker: &Arc<LockOwner>, turn: bool) -> bool {
        let mut edges = self.edges.lock();
        edges.insert(waiter.id(), Edge { waiter: waiter.clone(), blocker: blocker.id(), turn });
        if self.blind.load(Ordering::Relaxed) {
            return false;
        }
        probe::inc(probe::Counter::InnodbDeadlockRounds);
        // follow the function; a path longer than the number of edges has met a cycle that `waiter` is not part of
        let mut at = blocker.id();
        let mut cycle = Vec::new();
        for _ in 0..=edges.len() {
            if at == waiter.id() {
                cycle.push((waiter.clone(), turn));
                let Some(victim) = victim(&cycle) else { return false };
                edges.remove(&victim.id());
                drop(edges);
                let members = cycle.into_iter().map(|(owner, _)| owner).collect();
                victim.end_by_deadlock(Deadlock { members, victim: victim.id() });
                return true;
            }
            let Some(e) = edges.get(&at) else { return false };
            cycle.push((e.waiter.clone(), e.turn));
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
