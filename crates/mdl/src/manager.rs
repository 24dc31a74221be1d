//! The lock table of a server: shards, strong-lock counters, the list of sessions.

use crate::fast::{self, Slots};
use crate::key::{Name, name_of};
use crate::lock::Lock;
use crate::session::MdlSession;
use crate::sync::AtomicU32;
use crate::types::{Duration, MdlType};
use latch::{Mutex, MutexGuard, RwLock, classes};
use probe::instances::Instance;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Slots per session.
pub(crate) const SLOTS: usize = 16;
const SHARDS: usize = 16;
const GROUPS: usize = 1024;

/// The part of a session's locks that others look at.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) slots: Slots<SLOTS>,
    /// Number within this manager, never reused.
    pub(crate) id: u64,
    /// Connection id, for listings.
    pub(crate) connection: u64,
    /// Hash of the lock it waits for, 0 = none. Changed under that lock's shard latch.
    waiting: AtomicU64,
}

impl Shared {
    pub(crate) fn set_waiting(&self, hash: u64) {
        self.waiting.store(hash, Ordering::Release);
    }
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Acquire)
    }
}

/// One shard: name hash to lock.
pub(crate) type Shard = HashMap<u64, Lock>;

/// All metadata locks of a server.
#[derive(Debug)]
pub struct MdlManager {
    shards: Vec<Mutex<Shard>>,
    strong: Vec<AtomicU32>,
    sessions: RwLock<Vec<Arc<Shared>>>,
    next_id: AtomicU64,
    /// Where an index beyond the tables would go; never used, because indexes are masked.
    spare_shard: Mutex<Shard>,
    /// The shards as performance_schema's instances.
    instances: Vec<Arc<Instance>>,
    spare_group: AtomicU32,
    write_limit: AtomicU64,
}

impl std::fmt::Debug for MdlSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MdlSession({})", self.shared().connection)
    }
}

/// Whether a listed lock is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockStatus {
    /// Held.
    Granted,
    /// Waited for.
    Pending,
}

/// A row of `performance_schema.metadata_locks`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockInfo {
    /// OBJECT_TYPE.
    pub namespace: crate::Namespace,
    /// OBJECT_SCHEMA; empty if none.
    pub db: String,
    /// OBJECT_NAME; empty if none.
    pub object: String,
    /// LOCK_TYPE.
    pub kind: MdlType,
    /// LOCK_DURATION.
    pub duration: Duration,
    /// LOCK_STATUS.
    pub status: LockStatus,
    /// Connection id of the owner.
    pub connection: u64,
}

impl Drop for MdlManager {
    fn drop(&mut self) {
        self.instances.iter().for_each(|i| probe::instances::gone(i));
    }
}

impl MdlManager {
    /// Without locks.
    pub fn new() -> Arc<MdlManager> {
        let shards: Vec<Mutex<Shard>> = (0..SHARDS).map(|_| Mutex::new(&classes::MDL, Shard::new())).collect();
        let address = |s: &Mutex<Shard>| std::ptr::from_ref(s).addr();
        Arc::new(MdlManager {
            instances: shards
                .iter()
                .map(|s| probe::instances::register(classes::MDL.instrument(), address(s)))
                .collect(),
            shards,
            strong: (0..GROUPS).map(|_| AtomicU32::new(0)).collect(),
            sessions: RwLock::new(&classes::MDL_SESSIONS, Vec::new()),
            next_id: AtomicU64::new(1),
            spare_shard: Mutex::new(&classes::MDL, Shard::new()),
            spare_group: AtomicU32::new(0),
            write_limit: AtomicU64::new(u64::MAX),
        })
    }

    /// The locks of one session with this connection id; dropping it releases all.
    pub fn session(self: &Arc<Self>, connection: u64) -> MdlSession {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let shared = Arc::new(Shared { slots: Slots::new(), id, connection, waiting: AtomicU64::new(0) });
        self.sessions.write().push(shared.clone());
        MdlSession::new(self.clone(), shared)
    }

    pub(crate) fn forget(&self, id: u64) {
        let mut s = self.sessions.write();
        if let Some(i) = s.iter().position(|s| s.id == id) {
            s.swap_remove(i);
        }
    }

    /// `max_write_lock_count`: how many strong requests may pass by weaker ones that wait (at least one).
    pub fn set_write_limit(&self, n: u64) {
        self.write_limit.store(n.max(1), Ordering::Relaxed);
    }

    pub(crate) fn write_limit(&self) -> u64 {
        self.write_limit.load(Ordering::Relaxed)
    }

    /// The shard of a lock. Each use counts, with the time of the wait if there was one.
    pub(crate) fn shard(&self, hash: u64) -> MutexGuard<'_, Shard> {
        let at = MdlManager::index(hash);
        let shard = self.shards.get(at).unwrap_or(&self.spare_shard);
        let Some(instance) = self.instances.get(at).filter(|i| i.is_wanted()) else { return shard.lock() };
        if let Some(guard) = shard.try_lock() {
            instance.used(0);
            return guard;
        }
        let began = sys::clock::now_ns();
        let guard = shard.lock();
        instance.used(sys::clock::now_ns().saturating_sub(began).max(1));
        guard
    }
    pub(crate) fn strong(&self, hash: u64) -> &AtomicU32 {
        self.strong.get((hash >> 16) as usize % GROUPS).unwrap_or(&self.spare_group)
    }

    /// All shards, in the order of their numbers.
    pub(crate) fn all_shards(&self) -> Vec<MutexGuard<'_, Shard>> {
        self.shards.iter().map(|s| s.lock()).collect()
    }
    pub(crate) fn index(hash: u64) -> usize {
        (hash >> 8) as usize % SHARDS
    }

    /// Moves what sessions hold of this name in their slots into the lock. The strong counter must have been raised.
    pub(crate) fn sweep(&self, hash: u64, lock: &mut Lock) {
        // Moving does not change this: weak types exclude none of each other.
        let excluded = lock.excluded_by_granted();
        for s in self.sessions.read().iter() {
            s.slots.sweep(
                hash,
                |kind| excluded & 1 << kind != 0,
                |slot, kind, duration| {
                    if let Some(kind) = MdlType::from_u8(kind) {
                        lock.add(s, moved_ticket(slot), kind, Duration::from_u8(duration));
                    }
                },
            );
        }
    }

    /// All locks, held and waited for: `performance_schema.metadata_locks`. Sessions go on meanwhile: each row was true at some moment.
    pub fn list(&self) -> Vec<LockInfo> {
        let info = |n: &Name, kind, duration, status, connection| LockInfo {
            namespace: n.namespace,
            db: n.db.to_string(),
            object: n.object.to_string(),
            kind,
            duration,
            status,
            connection,
        };
        let mut rows = Vec::new();
        for s in self.sessions.read().iter() {
            for w in s.slots.words() {
                if let Some((kind, d)) = fast::parts(w)
                    && let (Some(kind), Some(name)) = (MdlType::from_u8(kind), name_of(w))
                {
                    rows.push(info(&name, kind, Duration::from_u8(d), LockStatus::Granted, s.connection));
                }
            }
        }
        for shard in &self.shards {
            for l in shard.lock().values() {
                let held = l.granted.values();
                rows.extend(held.map(|g| info(&l.name, g.kind, g.duration, LockStatus::Granted, g.owner.connection)));
                let waits = l.waiting.iter();
                rows.extend(waits.map(|w| info(&l.name, w.kind, w.duration, LockStatus::Pending, w.owner.connection)));
            }
        }
        rows
    }

    /// Connection that holds a user-level lock (`IS_USED_LOCK`).
    pub fn holder(&self, key: &crate::MdlKey) -> Option<u64> {
        let shard = self.shard(key.hash());
        shard.get(&key.hash())?.granted.values().next().map(|g| g.owner.connection)
    }
}

/// Ticket number in the table of a lock that was moved from this slot: from the top, where counted numbers never come.
pub(crate) fn moved_ticket(slot: usize) -> u64 {
    u64::MAX - slot as u64
}
