//! Locks of scans, and what the other operations need to know of [`super::run`]s.

use super::owner::LockOwner;
use super::queue::{Entry, LockKind, LockMode, RecKey};
use super::run::Over;
use super::sys::{Acquired, LockSys, Shard, WaitPolicy};
use base::IndexId;
use smallvec::SmallVec;
use std::sync::Arc;

impl LockSys {
    /// Requests the next-key lock on the record that follows `last` in the index (precedes it, when the scan goes backwards), on which the owner
    /// has the same lock. Call with the leaf latched, `last` being what the look for this record started from.
    pub fn lock_next(
        &self,
        owner: &Arc<LockOwner>,
        index: IndexId,
        last: &[u8],
        key: &[u8],
        mode: LockMode,
        policy: WaitPolicy,
    ) -> Acquired {
        let hash = self.hash(index.0, RecKey::Key(key), false);
        {
            let shard = self.shard(hash).lock();
            let over = self.runs.over(owner, index.0, key, mode, LockKind::NextKey);
            if over.own {
                return Acquired::Granted;
            }
            let free = !over.stops && shard.find(hash, |q| q.id.is(index.0, RecKey::Key(key), false)).is_none();
            if free && self.runs.extend(owner, index.0, last, key, mode) {
                owner.add_weight(1);
                return Acquired::Granted;
            }
        }
        let got = self.lock_record(owner, index, RecKey::Key(key), mode, LockKind::NextKey, policy);
        if matches!(got, Acquired::Granted) {
            // the entry keeps the key while the run takes it in, so that the scan goes on with the same run
            self.runs.extend(owner, index.0, last, key, mode);
        }
        got
    }

    pub(super) fn over(
        &self,
        owner: &Arc<LockOwner>,
        index: IndexId,
        key: RecKey<'_>,
        mode: LockMode,
        kind: LockKind,
    ) -> Over {
        match key {
            RecKey::Key(k) => self.runs.over(owner, index.0, k, mode, kind),
            RecKey::Supremum => Over::default(),
        }
    }

    /// Gives the owners of the runs over this key an entry in its queue, each.
    pub(super) fn surface(&self, shard: &mut Shard, hash: u64, index: IndexId, key: &[u8]) {
        self.runs.surface(index.0, key, |owner, mode| {
            let queue = shard.find(hash, |q| q.id.is(index.0, RecKey::Key(key), false));
            if queue.is_some_and(|q| q.holds(owner, mode, LockKind::NextKey)) {
                return;
            }
            {
                let mut s = owner.state.lock();
                if s.idle {
                    return; // it ends at this moment
                }
                s.held.push(hash);
            }
            self.add_entry(shard, hash, index.0, RecKey::Key(key), owner, mode, LockKind::NextKey);
        });
    }

    /// The runs over `key`, as entries, but for those over the heir as well.
    pub(super) fn copy_runs(
        &self,
        index: IndexId,
        key: RecKey<'_>,
        heir: RecKey<'_>,
        donors: &mut SmallVec<[Entry; 4]>,
    ) {
        let RecKey::Key(key) = key else { return };
        self.runs.over_one(index.0, key, heir, |owner, mode| {
            donors.push(Entry { owner: owner.clone(), mode, kind: LockKind::NextKey, waiting: false });
        });
    }
}
