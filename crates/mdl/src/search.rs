//! Deadlock search: from a session that has just begun to wait, over who blocks whom, for a way back to it.
//!
//! All shards are latched meanwhile, so the graph is exact. Only sessions in the table can block anybody (locks in slots are moved
//! before somebody waits for them), and a session waits for one lock at a time, so the graph is small: a breadth-first search visits each
//! session once and finds a shortest cycle.

use crate::key::Namespace;
use crate::lock::VICTIM;
use crate::manager::{MdlManager, Shard, Shared};
use crate::types::MdlType;
use latch::MutexGuard;
use probe::Counter;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// How dear a waiter is; the lightest of a cycle gives up. FLUSH TABLES WITH READ LOCK, which waits for GLOBAL, is as
/// dear as a definition's change (MySQL's `MDL_ticket::get_deadlock_weight`).
fn weight(ns: Namespace, kind: MdlType) -> u32 {
    if ns == Namespace::UserLevelLock {
        50
    } else if ns == Namespace::Global || kind >= MdlType::Su {
        100
    } else {
        0
    }
}

struct Graph<'a> {
    shards: Vec<MutexGuard<'a, Shard>>,
}

impl Graph<'_> {
    fn waiter(&self, s: &Shared) -> Option<(&crate::lock::Lock, &crate::lock::Waiter)> {
        let hash = s.waiting();
        let lock = self.shards.get(MdlManager::index(hash))?.get(&hash)?;
        let w = lock.waiting.iter().find(|w| w.owner.id == s.id && w.cell.is_waiting())?;
        Some((lock, w))
    }
    fn blockers(&self, s: &Shared) -> Vec<Arc<Shared>> {
        self.waiter(s).map_or(Vec::new(), |(lock, w)| lock.blockers(s.id, w.kind))
    }

    /// Sessions of a cycle through `start`, `start` last.
    fn cycle(&self, start: &Arc<Shared>) -> Option<Vec<Arc<Shared>>> {
        let mut came_from: HashMap<u64, Arc<Shared>> = HashMap::new();
        let mut next = VecDeque::from([start.clone()]);
        while let Some(s) = next.pop_front() {
            for b in self.blockers(&s) {
                if b.id == start.id {
                    let mut path = vec![s.clone()];
                    let mut at = s.id;
                    while let Some(p) = came_from.get(&at) {
                        path.push(p.clone());
                        at = p.id;
                    }
                    return Some(path);
                }
                if let std::collections::hash_map::Entry::Vacant(e) = came_from.entry(b.id) {
                    e.insert(s.clone());
                    next.push_back(b);
                }
            }
        }
        None
    }
}

/// Breaks all cycles through `start`, which waits; the victims are woken with [`VICTIM`].
pub(crate) fn break_cycles(m: &MdlManager, start: &Arc<Shared>) {
    let g = Graph { shards: m.all_shards() };
    while let Some(path) = g.cycle(start) {
        let weigh = |s: &Arc<Shared>| g.waiter(s).map(|(l, w)| weight(l.name.namespace, w.kind));
        // The last of equals, which is `start` if it is among them.
        let victim = path.iter().rev().filter_map(|s| Some((weigh(s)?, s))).min_by_key(|(w, _)| *w);
        let Some((_, victim)) = victim else { return };
        let Some((_, w)) = g.waiter(victim) else { return };
        if w.cell.wake(VICTIM) {
            probe::inc(Counter::MdlDeadlocks);
        }
    }
}
