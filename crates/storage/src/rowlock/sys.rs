//! [`LockSys`]: the sharded lock table and the operations on it.

use super::graph::{Deadlock, WaitGraph};
use super::owner::{LockOwner, WaitState};
use super::queue::{Entries, Entry, LockKind, LockMode, Queue, QueueKey, RecKey, conflicts};
use super::run::Runs;
use base::{IndexId, TableId};
use crossbeam_utils::CachePadded;
use hashbrown::hash_table::{Entry as TableEntry, HashTable};
use parking_lot::{Mutex, RwLock};
use smallvec::SmallVec;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

const SHARDS: usize = 256;
/// Locks of a transaction after whose end the tables are looked at, whether they are too large for what is left.
const MANY: usize = 4096;
/// Queues for which a table keeps its room.
const SMALL: usize = 64;
/// Counters of table locks stronger than IX, by hash of the table id.
const STRONG_GROUPS: usize = 256;

/// What to do when a lock is not free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitPolicy {
    /// Queue up and wait.
    Wait,
    /// `NOWAIT` and `SKIP LOCKED`: report [`Acquired::Busy`] at once.
    NoWait,
}

/// Outcome of a request.
#[derive(Debug)]
pub enum Acquired {
    /// The lock is held.
    Granted,
    /// Queued: drop all latches, then call [`LockSys::wait`].
    Wait(WaitTicket),
    /// Not free, and the policy said not to wait.
    Busy,
}

/// A queued request of one owner.
#[derive(Debug)]
#[must_use = "a queued request blocks others until it is waited for"]
pub struct WaitTicket {
    hash: u64,
    /// Whether it is for a table, and the number of that or of the index.
    what: (bool, u64),
}

/// Why a wait ended without the lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitError {
    /// `innodb_lock_wait_timeout` (1205).
    Timeout,
    /// Chosen as victim of a deadlock (1213); the caller rolls the transaction back.
    Deadlock,
    /// `KILL` (1317).
    Interrupted,
}

/// Makes the text about a deadlock; called by the victim, while all of the cycle still wait and hold their locks.
pub type DeadlockTeller = Box<dyn Fn(&Deadlock) -> String + Send + Sync>;

pub(super) type Shard = HashTable<Queue>;

/// All locks of an engine.
pub struct LockSys {
    pub(super) shards: Box<[CachePadded<Mutex<Shard>>]>,
    strong: Box<[CachePadded<AtomicUsize>]>,
    pub(super) runs: Runs,
    pub(super) owners: RwLock<Vec<Weak<LockOwner>>>,
    pub(super) graph: WaitGraph,
    next_owner: AtomicU64,
    deadlocks: AtomicU64,
    teller: OnceLock<DeadlockTeller>,
    latest_deadlock: Mutex<Option<Arc<str>>>,
    hasher: foldhash::fast::RandomState,
}

impl std::fmt::Debug for LockSys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LockSys({} waiting)", self.graph.len())
    }
}

impl Default for LockSys {
    fn default() -> LockSys {
        LockSys::new()
    }
}

impl LockSys {
    /// An empty lock table.
    pub fn new() -> LockSys {
        LockSys {
            shards: (0..SHARDS).map(|_| CachePadded::new(Mutex::new(Shard::new()))).collect(),
            strong: (0..STRONG_GROUPS).map(|_| CachePadded::new(AtomicUsize::new(0))).collect(),
            runs: Runs::default(),
            owners: RwLock::new(Vec::new()),
            graph: WaitGraph::default(),
            next_owner: AtomicU64::new(1),
            deadlocks: AtomicU64::new(0),
            teller: OnceLock::new(),
            latest_deadlock: Mutex::new(None),
            hasher: foldhash::fast::RandomState::default(),
        }
    }

    /// Registers a holder; one per session.
    pub fn new_owner(&self) -> Arc<LockOwner> {
        let owner = Arc::new(LockOwner::new(self.next_owner.fetch_add(1, Ordering::Relaxed)));
        let mut all = self.owners.write();
        if all.len() == all.capacity() {
            all.retain(|w| w.strong_count() > 0);
        }
        all.push(Arc::downgrade(&owner));
        owner
    }

    /// Places that are locked, and the bytes of the tables that know them.
    pub fn memory(&self) -> (u64, u64) {
        self.shards.iter().fold((0, 0), |(n, bytes), shard| {
            let shard = shard.lock();
            (n + shard.len() as u64, bytes + (shard.capacity() * size_of::<Queue>()) as u64)
        })
    }

    /// Deadlocks found since start.
    pub fn deadlocks(&self) -> u64 {
        self.deadlocks.load(Ordering::Relaxed)
    }

    /// `innodb_deadlock_detect`; for waits that begin from now on.
    pub fn set_deadlock_detect(&self, on: bool) {
        self.graph.set_detect(on);
    }

    /// Who describes deadlocks; once.
    pub fn set_deadlock_teller(&self, teller: DeadlockTeller) {
        let _ = self.teller.set(teller);
    }

    /// What was told of the last one.
    pub fn latest_deadlock(&self) -> Option<Arc<str>> {
        self.latest_deadlock.lock().clone()
    }

    /// Waiters now.
    pub fn waiting(&self) -> usize {
        self.graph.len()
    }

    pub(super) fn hash(&self, object: u64, key: RecKey<'_>, table: bool) -> u64 {
        let mut h = self.hasher.build_hasher();
        h.write_u64(object);
        match key {
            RecKey::Key(k) => h.write(k),
            RecKey::Supremum => h.write_u8(if table { 2 } else { 1 }),
        }
        h.finish()
    }

    #[allow(clippy::indexing_slicing)] // masked to the length
    pub(super) fn shard(&self, hash: u64) -> &Mutex<Shard> {
        &self.shards[(hash >> 32) as usize & (SHARDS - 1)]
    }

    #[allow(clippy::indexing_slicing)] // masked to the length
    fn strong_group(&self, table: TableId) -> &AtomicUsize {
        &self.strong[table.0 as usize & (STRONG_GROUPS - 1)]
    }

    /// Requests a record, gap, next-key or insert-intention lock. Call with the leaf latched.
    pub fn lock_record(
        &self,
        owner: &Arc<LockOwner>,
        index: IndexId,
        key: RecKey<'_>,
        mode: LockMode,
        kind: LockKind,
        policy: WaitPolicy,
    ) -> Acquired {
        self.request(owner, index.0, key, false, mode, kind, policy)
    }

    /// Whether inserting before `successor` has to wait for a gap lock: the usual "no" costs one look and leaves no entry.
    pub fn lock_insert(&self, owner: &Arc<LockOwner>, index: IndexId, successor: RecKey<'_>) -> Acquired {
        self.request(owner, index.0, successor, false, LockMode::X, LockKind::InsertIntention, WaitPolicy::Wait)
    }

    #[allow(clippy::too_many_arguments)]
    fn request(
        &self,
        owner: &Arc<LockOwner>,
        object: u64,
        key: RecKey<'_>,
        table: bool,
        mode: LockMode,
        kind: LockKind,
        policy: WaitPolicy,
    ) -> Acquired {
        let hash = self.hash(object, key, table);
        let mut shard = self.shard(hash).lock();
        if let (RecKey::Key(k), false) = (key, table) {
            let over = self.runs.over(owner, object, k, mode, kind);
            if over.own {
                return Acquired::Granted;
            }
            if over.stops && policy == WaitPolicy::NoWait {
                return Acquired::Busy;
            }
            if over.stops || (over.any && kind != LockKind::InsertIntention) {
                self.surface(&mut shard, hash, IndexId(object), k);
            }
        }
        let slot = shard.entry(hash, |q| q.id.is(object, key, table), |q| q.hash);
        let mut slot = match slot {
            TableEntry::Occupied(o) => o,
            TableEntry::Vacant(_) if kind == LockKind::InsertIntention => return Acquired::Granted,
            TableEntry::Vacant(v) => {
                let entries = Entries::One(Entry { owner: owner.clone(), mode, kind, waiting: false });
                v.insert(Queue { id: QueueKey::new(object, key, table), hash, entries });
                drop(shard);
                owner.state.lock().held.push(hash);
                return Acquired::Granted;
            }
        };
        let queue = slot.get_mut();
        if queue.holds(owner, mode, kind) {
            return Acquired::Granted;
        }
        let Some(blocker) = queue.blocker(owner, mode, kind, usize::MAX) else {
            // an insert intention that need not wait leaves no trace: nobody ever waits for one
            if kind != LockKind::InsertIntention {
                queue.add_granted(owner, mode, kind);
                drop(shard);
                owner.state.lock().held.push(hash);
            }
            return Acquired::Granted;
        };
        if policy == WaitPolicy::NoWait {
            return Acquired::Busy;
        }
        owner.start_wait();
        queue.entries.push(Entry { owner: owner.clone(), mode, kind, waiting: true });
        owner.state.lock().held.push(hash);
        if self.graph.set(owner, &blocker) {
            self.count_deadlocks(1);
        }
        Acquired::Wait(WaitTicket { hash, what: (table, object) })
    }

    /// Waits for a queued request. No latch may be held. `interrupted` is polled for `KILL`.
    ///
    /// # Errors
    /// [`WaitError`]; the request is withdrawn then.
    pub fn wait(
        &self,
        owner: &Arc<LockOwner>,
        ticket: WaitTicket,
        timeout: Duration,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<(), WaitError> {
        let began = Instant::now();
        let about = probe::waits::About {
            operation: "lock",
            address: Arc::as_ptr(owner) as usize,
            part: match ticket.what {
                (true, table) => probe::waits::Part::Table(table),
                (false, index) => probe::waits::Part::Index(index),
            },
            ..probe::waits::About::default()
        };
        let about = probe::waits::about(about);
        let mut end = owner.block(timeout, interrupted);
        drop(about);
        probe::inc(probe::Counter::InnodbRowLockWaits);
        let waited = began.elapsed();
        probe::add(probe::Counter::InnodbRowLockTime, waited.as_micros() as u64);
        probe::Gauge::RowLockTimeMax.raise(waited.as_millis() as i64);
        if end == WaitState::Deadlock
            && let Some(teller) = self.teller.get()
            && let Some(cycle) = owner.take_deadlock()
        {
            let text = teller(&cycle);
            *self.latest_deadlock.lock() = Some(text.into());
        }
        if end != WaitState::Granted {
            // withdraw; a grant may have overtaken us, then the lock is ours after all unless we are a victim
            let mut shard = self.shard(ticket.hash).lock();
            end = owner.finish_wait();
            if end != WaitState::Granted {
                self.graph.clear(owner.id());
                self.withdraw(&mut shard, ticket.hash, owner);
            }
        } else {
            owner.finish_wait();
        }
        self.graph.clear(owner.id());
        match end {
            WaitState::Granted => Ok(()),
            WaitState::Deadlock => Err(WaitError::Deadlock),
            WaitState::Interrupted => Err(WaitError::Interrupted),
            WaitState::Waiting | WaitState::Idle => {
                probe::inc(probe::Counter::InnodbLockTimeouts);
                Err(WaitError::Timeout)
            }
        }
    }

    fn withdraw(&self, shard: &mut Shard, hash: u64, owner: &Arc<LockOwner>) {
        self.change_queues(shard, hash, |q| {
            if q.id.table() {
                let strong = |e: &&Entry| e.waiting && e.is_strong() && Arc::ptr_eq(&e.owner, owner);
                let n = q.entries.iter().filter(strong).count();
                self.strong_group(TableId(q.id.object)).fetch_sub(n, Ordering::SeqCst);
            }
            q.remove(owner, |e| e.waiting)
        });
    }

    /// Applies `change` to every queue with this hash; where it says that something left, waiters are looked at again and
    /// an empty queue is dropped.
    fn change_queues(&self, shard: &mut Shard, hash: u64, mut change: impl FnMut(&mut Queue) -> bool) {
        let mut empty = false;
        for q in shard.iter_hash_mut(hash).filter(|q| q.hash == hash) {
            if change(q) {
                probe::add(probe::Counter::InnodbRecGrantAttempts, u64::from(!q.id.table()));
                self.regrant(q);
            }
            empty |= q.entries.is_empty();
        }
        while empty {
            match shard.find_entry(hash, |q| q.hash == hash && q.entries.is_empty()) {
                Ok(found) => drop(found.remove()),
                Err(_) => empty = false,
            }
        }
    }

    fn regrant(&self, q: &mut Queue) {
        let mut found = 0;
        q.regrant(|waiter, blocker| match blocker {
            Some(by) => found += u64::from(self.graph.set(waiter, by)),
            // Before it is told, and before the former blocker, whose next transaction may queue behind it, goes on: an edge that stays
            // until the waiter wakes closes cycles that are none.
            None => self.graph.clear(waiter.id()),
        });
        if found > 0 {
            self.count_deadlocks(found);
        }
    }

    fn count_deadlocks(&self, n: u64) {
        self.deadlocks.fetch_add(n, Ordering::Relaxed);
        probe::add(probe::Counter::InnodbDeadlocks, n);
    }

    /// Turns the implicit lock that an active transaction has on a row it wrote (`trx_id` of the row) into an explicit one.
    /// `still_active` is asked under the owner's mutex, so that a transaction that ends at this moment gets none.
    pub fn make_explicit(
        &self,
        of: &Arc<LockOwner>,
        index: IndexId,
        key: RecKey<'_>,
        still_active: impl FnOnce() -> bool,
    ) {
        let hash = self.hash(index.0, key, false);
        let mut shard = self.shard(hash).lock();
        {
            let mut s = of.state.lock();
            if s.idle || !still_active() {
                return;
            }
            s.held.push(hash);
        }
        self.add_entry(&mut shard, hash, index.0, key, of, LockMode::X, LockKind::Record);
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn add_entry(
        &self,
        shard: &mut Shard,
        hash: u64,
        object: u64,
        key: RecKey<'_>,
        owner: &Arc<LockOwner>,
        mode: LockMode,
        kind: LockKind,
    ) {
        match shard.entry(hash, |q| q.id.is(object, key, false), |q| q.hash) {
            TableEntry::Occupied(mut o) => o.get_mut().add_granted(owner, mode, kind),
            TableEntry::Vacant(v) => {
                let entries = Entries::One(Entry { owner: owner.clone(), mode, kind, waiting: false });
                v.insert(Queue { id: QueueKey::new(object, key, false), hash, entries });
            }
        }
    }

    /// `new` was inserted before `successor`: those who lock the gap before `successor` lock the one before `new` too.
    /// Call with the leaf latched exclusively.
    pub fn inherit_on_insert(&self, index: IndexId, successor: RecKey<'_>, new: &[u8]) {
        let mut donors =
            self.copy_entries(index, successor, |e| !e.waiting && matches!(e.kind, LockKind::Gap | LockKind::NextKey));
        self.copy_runs(index, successor, RecKey::Key(new), &mut donors);
        self.bequeath(index, RecKey::Key(new), donors);
    }

    /// `key` was physically removed: its locks become gap locks on its successor and nobody has one on the key any more; its waiters look again.
    /// Call with the leaf latched exclusively.
    ///
    /// The key may come back, as another's row: who kept a lock on it, or was given the one he waited for, would then hold it beside the new
    /// row's writer and read and change what is not committed.
    pub fn inherit_on_remove(&self, index: IndexId, key: &[u8], successor: RecKey<'_>) {
        let mut donors =
            self.copy_entries(index, RecKey::Key(key), |e| !e.waiting && e.kind != LockKind::InsertIntention);
        self.copy_runs(index, RecKey::Key(key), successor, &mut donors);
        self.bequeath(index, successor, donors);
        let hash = self.hash(index.0, RecKey::Key(key), false);
        let mut shard = self.shard(hash).lock();
        if let Ok(found) = shard.find_entry(hash, |q| q.id.is(index.0, RecKey::Key(key), false)) {
            let (queue, _) = found.remove();
            for e in queue.entries.iter().filter(|e| e.waiting) {
                self.graph.clear(e.owner.id());
                e.owner.grant();
            }
        }
    }

    fn copy_entries(&self, index: IndexId, key: RecKey<'_>, which: impl Fn(&Entry) -> bool) -> SmallVec<[Entry; 4]> {
        let hash = self.hash(index.0, key, false);
        let shard = self.shard(hash).lock();
        match shard.find(hash, |q| q.id.is(index.0, key, false)) {
            Some(q) => q.entries.iter().filter(|e| which(e)).cloned().collect(),
            None => SmallVec::new(),
        }
    }

    fn bequeath(&self, index: IndexId, heir: RecKey<'_>, donors: SmallVec<[Entry; 4]>) {
        if donors.is_empty() {
            return;
        }
        let hash = self.hash(index.0, heir, false);
        let mut shard = self.shard(hash).lock();
        for e in donors {
            {
                let mut s = e.owner.state.lock();
                if s.idle {
                    continue; // it ended between the copy and now
                }
                s.held.push(hash);
            }
            self.add_entry(&mut shard, hash, index.0, heir, &e.owner, e.mode, LockKind::Gap);
        }
    }

    /// Gives up one record lock before the end of the transaction (READ COMMITTED, a row that did not match). `shared`: it had the record locked S
    /// before, and goes on having it.
    pub fn unlock_record(&self, owner: &Arc<LockOwner>, index: IndexId, key: RecKey<'_>, mode: LockMode, shared: bool) {
        let hash = self.hash(index.0, key, false);
        let mut shard = self.shard(hash).lock();
        self.change_queues(&mut shard, hash, |q| q.give_back(owner, mode, shared));
    }

    /// The stronger of the modes in which the owner has the record locked (itself, or with its gap).
    pub fn held_mode(&self, owner: &Arc<LockOwner>, index: IndexId, key: RecKey<'_>) -> Option<LockMode> {
        let hash = self.hash(index.0, key, false);
        let shard = self.shard(hash).lock();
        let queue = shard.find(hash, |q| q.id.is(index.0, key, false));
        let has = |mode| {
            self.over(owner, index, key, mode, LockKind::Record).own
                || queue.is_some_and(|q| q.holds(owner, mode, LockKind::Record))
        };
        [LockMode::X, LockMode::S].into_iter().find(|m| has(*m))
    }

    /// Whether the owner holds a lock that covers this one.
    pub fn holds(
        &self,
        owner: &Arc<LockOwner>,
        index: IndexId,
        key: RecKey<'_>,
        mode: LockMode,
        kind: LockKind,
    ) -> bool {
        let hash = self.hash(index.0, key, false);
        let shard = self.shard(hash).lock();
        self.over(owner, index, key, mode, kind).own
            || shard.find(hash, |q| q.id.is(index.0, key, false)).is_some_and(|q| q.holds(owner, mode, kind))
    }

    /// Whether any lock of another owner on this record conflicts with the wanted one (for semi-consistent reads).
    pub fn would_wait(
        &self,
        owner: &Arc<LockOwner>,
        index: IndexId,
        key: RecKey<'_>,
        mode: LockMode,
        kind: LockKind,
    ) -> bool {
        let hash = self.hash(index.0, key, false);
        let shard = self.shard(hash).lock();
        let supremum = key == RecKey::Supremum;
        if self.over(owner, index, key, mode, kind).stops {
            return true;
        }
        shard.find(hash, |q| q.id.is(index.0, key, false)).is_some_and(|q| {
            q.entries.iter().any(|e| !Arc::ptr_eq(&e.owner, owner) && conflicts(mode, kind, e, supremum))
        })
    }

    /// Requests a table lock. IS and IX normally only note themselves with the owner: they write no shared line unless
    /// somebody wants a stronger lock on a table of the same group.
    pub fn lock_table(&self, owner: &Arc<LockOwner>, table: TableId, mode: LockMode, policy: WaitPolicy) -> Acquired {
        let ix = mode == LockMode::IX;
        if ix || mode == LockMode::IS {
            let mut s = owner.state.lock();
            if s.tables.iter().any(|(t, x)| *t == table && (*x || !ix)) {
                return Acquired::Granted;
            }
            s.tables.push((table, ix));
            drop(s);
            // pairs with the fence between raising the counter and sweeping the owners
            std::sync::atomic::fence(Ordering::SeqCst);
            if self.strong_group(table).load(Ordering::SeqCst) == 0 {
                return Acquired::Granted;
            }
            return self.request(owner, table.0, RecKey::Supremum, true, mode, LockKind::Table, policy);
        }
        if !mode.is_strong() {
            // AUTO-INC conflicts only with what stands in the queue
            return self.request(owner, table.0, RecKey::Supremum, true, mode, LockKind::Table, policy);
        }
        let hash = self.hash(table.0, RecKey::Supremum, true);
        let same = |q: &Queue| q.id.is(table.0, RecKey::Supremum, true);
        if self.shard(hash).lock().find(hash, same).is_some_and(|q| q.holds(owner, mode, LockKind::Table)) {
            return Acquired::Granted;
        }
        self.strong_group(table).fetch_add(1, Ordering::SeqCst);
        std::sync::atomic::fence(Ordering::SeqCst);
        self.publish_weak_locks(owner, table);
        let got = self.request(owner, table.0, RecKey::Supremum, true, mode, LockKind::Table, policy);
        if matches!(got, Acquired::Busy) {
            self.strong_group(table).fetch_sub(1, Ordering::SeqCst);
        }
        got
    }

    /// Gives every other owner that holds IS or IX on the table an entry in its queue.
    fn publish_weak_locks(&self, except: &Arc<LockOwner>, table: TableId) {
        let hash = self.hash(table.0, RecKey::Supremum, true);
        let mut shard = self.shard(hash).lock();
        for other in self.owners.read().iter().filter_map(Weak::upgrade) {
            if Arc::ptr_eq(&other, except) {
                continue;
            }
            let mode = {
                let mut s = other.state.lock();
                let Some(ix) = s.tables.iter().filter(|(t, _)| *t == table).map(|(_, ix)| *ix).max() else { continue };
                s.held.push(hash);
                if ix { LockMode::IX } else { LockMode::IS }
            };
            match shard.entry(hash, |q| q.id.is(table.0, RecKey::Supremum, true), |q| q.hash) {
                TableEntry::Occupied(mut o) => o.get_mut().add_granted(&other, mode, LockKind::Table),
                TableEntry::Vacant(v) => {
                    let e = Entry { owner: other.clone(), mode, kind: LockKind::Table, waiting: false };
                    let id = QueueKey::new(table.0, RecKey::Supremum, true);
                    v.insert(Queue { id, hash, entries: Entries::One(e) });
                }
            }
        }
    }

    /// Gives up a table lock before the end of the transaction (AUTO-INC at the end of the statement).
    pub fn unlock_table(&self, owner: &Arc<LockOwner>, table: TableId, mode: LockMode) {
        let hash = self.hash(table.0, RecKey::Supremum, true);
        let mut shard = self.shard(hash).lock();
        let mut removed = false;
        self.change_queues(&mut shard, hash, |q| {
            let r = q.id.table() && q.remove(owner, |e| e.mode == mode && !e.waiting);
            removed |= r;
            r
        });
        drop(shard);
        if !removed {
            return;
        }
        if mode.is_strong() {
            self.strong_group(table).fetch_sub(1, Ordering::SeqCst);
        }
        // a transaction of many statements does not collect what is over
        let mut s = owner.state.lock();
        if s.held.last() == Some(&hash) {
            s.held.pop();
        }
    }

    /// The memory of tables that have become nearly empty: a transaction of a million locks would leave 100 MB for good.
    fn give_back_room(&self) {
        for shard in &self.shards {
            let mut shard = shard.lock();
            let len = shard.len();
            if shard.capacity() > SMALL && len < shard.capacity() / 4 {
                shard.shrink_to(len * 2, |q| q.hash);
            }
        }
    }

    /// Releases everything at the end of a transaction. No page latch may be held.
    pub fn release_all(&self, owner: &Arc<LockOwner>) {
        let (mut held, tables, runs) = {
            let mut s = owner.state.lock();
            s.idle = true;
            (std::mem::take(&mut s.held), std::mem::take(&mut s.tables), std::mem::take(&mut s.runs))
        };
        // before the queues: who is woken out of one does not meet a run that has ended
        self.runs.end(owner, &runs);
        let mut strong: SmallVec<[TableId; 2]> = SmallVec::new();
        // one that is noted twice is not found the second time
        probe::add(probe::Counter::InnodbRecReleaseAttempts, (held.len() + runs.len()) as u64);
        for &hash in &held {
            let mut shard = self.shard(hash).lock();
            let alone = |q: &Queue| {
                q.hash == hash
                    && matches!(&q.entries, Entries::One(e) if Arc::ptr_eq(&e.owner, owner) && !e.is_strong())
            };
            if let Ok(found) = shard.find_entry(hash, alone) {
                found.remove(); // nobody waits in it
                continue;
            }
            self.change_queues(&mut shard, hash, |q| {
                if q.id.table() {
                    let mine = q.entries.iter().filter(|e| Arc::ptr_eq(&e.owner, owner));
                    let n = mine.filter(|e| e.is_strong()).count();
                    strong.extend(std::iter::repeat_n(TableId(q.id.object), n));
                }
                q.remove(owner, |_| true)
            });
        }
        for t in strong {
            self.strong_group(t).fetch_sub(1, Ordering::SeqCst);
        }
        if held.len() >= MANY {
            self.give_back_room();
        }
        owner.reset();
        // keep the allocations for the next transaction
        held.clear();
        let mut tables = tables;
        tables.clear();
        let mut s = owner.state.lock();
        if s.held.is_empty() && s.held.capacity() < held.capacity() && held.capacity() <= 1024 {
            s.held = held;
        }
        if s.tables.is_empty() && tables.capacity() <= 64 {
            s.tables = tables;
        }
    }
}
