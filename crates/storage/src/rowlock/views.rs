//! What views show of the locks: [`LockSys::list`], the members of a deadlock, who waits for whom.
//!
//! Shard after shard is looked at, so a list is not one moment's picture. Nothing here changes a lock. Order of mutexes: that of a shard, then an
//! owner's, as everywhere ([`super`]). Tested in `engine/tests/locks.rs`, `tests/clients/test_performance_schema.py`.

use super::graph::Deadlock;
use super::owner::{LockOwner, OwnerId};
use super::queue::{Entry, LockKind, LockMode, Queue};
use super::sys::LockSys;
use hashbrown::HashSet;
use std::sync::{Arc, Weak};

/// One lock for views (`performance_schema.data_locks`).
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct LockInfo {
    pub owner: u64,
    /// [`LockOwner::shown_id`].
    pub trx_id: u64,
    pub object: u64,
    pub table: bool,
    /// `None`: supremum (or a table lock).
    pub key: Option<Vec<u8>>,
    pub mode: LockMode,
    pub kind: LockKind,
    pub waiting: bool,
    /// A run: next-key locks on all records from `key` to this one ([`crate::engine::Engine::row_locks`] names them).
    pub to: Option<Vec<u8>>,
    /// How many locks this is.
    pub count: u64,
}

/// An entry of a queue, for views.
fn info(q: &Queue, e: &Entry) -> LockInfo {
    LockInfo {
        owner: e.owner.id(),
        trx_id: e.owner.shown_id(),
        object: q.id.object,
        table: q.id.table(),
        key: q.id.key().map(<[u8]>::to_vec),
        mode: e.mode,
        kind: e.kind,
        waiting: e.waiting,
        to: None,
        count: 1,
    }
}

impl LockSys {
    /// All locks, for views. Takes shard after shard: not one moment's picture.
    pub fn list(&self) -> Vec<LockInfo> {
        let mut all = Vec::new();
        for shard in &self.shards {
            for q in shard.lock().iter() {
                all.extend(q.entries.iter().map(|e| info(q, e)));
            }
        }
        self.note_weak(&mut all);
        self.runs.for_each(|r| {
            all.push(LockInfo {
                owner: r.owner.id(),
                trx_id: r.owner.shown_id(),
                object: r.index,
                table: false,
                key: Some(r.lo.clone()),
                mode: r.mode,
                kind: LockKind::NextKey,
                waiting: false,
                to: Some(r.hi.clone()),
                count: r.rows,
            });
        });
        all
    }

    /// Adds the IS and IX locks that stand with their owners only, as long as nobody wants a stronger lock on the table.
    fn note_weak(&self, all: &mut Vec<LockInfo>) {
        let queued = |l: &&LockInfo| l.table && matches!(l.mode, LockMode::IS | LockMode::IX);
        let queued: HashSet<(OwnerId, u64)> = all.iter().filter(queued).map(|l| (l.owner, l.object)).collect();
        for owner in self.owners.read().iter().filter_map(Weak::upgrade) {
            for (table, ix) in owner.tables() {
                if queued.contains(&(owner.id(), table.0)) {
                    continue;
                }
                all.push(LockInfo {
                    owner: owner.id(),
                    trx_id: owner.shown_id(),
                    object: table.0,
                    table: true,
                    key: None,
                    mode: if ix { LockMode::IX } else { LockMode::IS },
                    kind: LockKind::Table,
                    waiting: false,
                    to: None,
                    count: 1,
                });
            }
        }
    }

    /// What the members of a deadlock wait for and hold against each other: for each the lock it waits for, and those of its own in the queue of the
    /// one that waits for it. Looks at the members' queues only, as others may hold millions of locks.
    pub fn in_deadlock(&self, d: &Deadlock) -> Vec<(Option<LockInfo>, Vec<LockInfo>)> {
        let waits: Vec<Option<u64>> = d.members.iter().map(|m| self.waits_in(m)).collect();
        let before = waits.last().copied().into_iter().chain(waits.iter().copied());
        let pairs = d.members.iter().zip(&waits).zip(before);
        pairs
            .map(|((m, own), before)| {
                let waiting = own.and_then(|h| self.of_owner(h, m, true).into_iter().next());
                let held = before.map_or_else(Vec::new, |h| self.of_owner(h, m, false));
                (waiting, held)
            })
            .collect()
    }

    /// The queue that an owner waits in. Its entry is among the last.
    fn waits_in(&self, owner: &Arc<LockOwner>) -> Option<u64> {
        let held = owner.state.lock().held.clone();
        held.into_iter().rev().find(|h| !self.of_owner(*h, owner, true).is_empty())
    }

    /// An owner's entries in the queues of a hash: those that wait, or those that are granted.
    fn of_owner(&self, hash: u64, owner: &Arc<LockOwner>, waiting: bool) -> Vec<LockInfo> {
        let shard = self.shard(hash).lock();
        let queues = shard.iter_hash(hash).filter(|q| q.hash == hash);
        queues
            .flat_map(|q| q.entries.iter().map(move |e| (q, e)))
            .filter(|(_, e)| e.waiting == waiting && Arc::ptr_eq(&e.owner, owner))
            .map(|(q, e)| info(q, e))
            .collect()
    }

    /// (waiter, blocker) pairs of owner ids, for views.
    pub fn waits(&self) -> Vec<(u64, u64)> {
        self.graph.list()
    }
}
