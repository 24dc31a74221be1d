//! [`Trx`]: one session's transactions, one after the other.
//!
//! Life of a statement, as the session drives it:
//!
//! ```text
//! trx.begin_statement()          -> savepoint for statement rollback; READ COMMITTED forgets its snapshot here
//!   cursors, insert, update, delete
//! trx.end_statement()            or, after an error, trx.rollback_to(savepoint)
//! trx.commit() / trx.rollback()  at the end of the transaction (autocommit: after each statement)
//! ```
//!
//! A deadlock victim is rolled back completely before the error is returned; `rollback_to` with a savepoint of a
//! transaction that is over does nothing.

use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::handle::EngineHandle;
use crate::rowlock::LockOwner;
use crate::undo::{Pos, UndoLog};
use base::{Lsn, TableId, TrxId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use super::sys::{Snapshot, SnapshotSlot};

/// `transaction_isolation`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Default)]
pub enum Isolation {
    /// Plain SELECT reads the newest version, committed or not.
    ReadUncommitted,
    /// A snapshot per statement; no gap locks except for duplicate and foreign key checks.
    ReadCommitted,
    /// A snapshot at the first consistent read; next-key locks.
    #[default]
    RepeatableRead,
    /// As REPEATABLE READ, and a plain SELECT inside a transaction locks shared.
    Serializable,
}

/// `innodb_flush_log_at_trx_commit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// 0: written and synced once per second.
    Lazy,
    /// 1: written and synced before the commit returns.
    #[default]
    Synced,
    /// 2: written before the commit returns, synced once per second.
    Written,
}

/// START TRANSACTION, or autocommit is off.
pub(super) const EXPLICIT: u8 = 1;
/// START TRANSACTION READ ONLY.
pub(super) const READ_ONLY: u8 = 2;

/// A point inside a transaction to which it can be rolled back. Stale ones (of an earlier transaction) are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Savepoint {
    /// Which of the session's transactions.
    pub(crate) serial: u64,
    /// Undo records written before it.
    pub(crate) undo_no: u64,
}

/// What other threads see of a session's transaction.
#[derive(Debug)]
pub struct TrxShared {
    id: AtomicU64,
    killed: AtomicBool,
    /// Connection id, for views and for finding it by id.
    session: AtomicU64,
    /// When the transaction first read, locked or wrote, microseconds since 1970; 0 before, and while none is open.
    started: AtomicU64,
    /// Bits: [`EXPLICIT`], [`READ_ONLY`].
    nature: AtomicU8,
    isolation: AtomicU64,
    undo_records: AtomicU64,
    pub(super) rolling_back: AtomicBool,
    owner: Arc<LockOwner>,
}

impl TrxShared {
    pub(crate) fn new(session: u64, owner: Arc<LockOwner>) -> TrxShared {
        TrxShared {
            id: AtomicU64::new(0),
            killed: AtomicBool::new(false),
            session: AtomicU64::new(session),
            started: AtomicU64::new(0),
            nature: AtomicU8::new(0),
            isolation: AtomicU64::new(0),
            undo_records: AtomicU64::new(0),
            rolling_back: AtomicBool::new(false),
            owner,
        }
    }

    /// Transaction id; 0 while it has written nothing.
    pub fn id(&self) -> TrxId {
        TrxId(self.id.load(Ordering::Relaxed))
    }

    pub(crate) fn set_id(&self, id: u64) {
        self.id.store(id, Ordering::Relaxed);
    }

    /// Whether KILL arrived.
    #[inline]
    pub fn killed(&self) -> bool {
        self.killed.load(Ordering::Relaxed)
    }

    /// The lock side of it.
    pub fn owner(&self) -> &Arc<LockOwner> {
        &self.owner
    }

    /// Connection id; 0: none.
    pub fn session(&self) -> u64 {
        self.session.load(Ordering::Relaxed)
    }

    pub(super) fn detach(&self) {
        self.session.store(0, Ordering::Relaxed);
    }

    pub(super) fn begun(&self, isolation: Isolation, nature: u8, now_us: u64) {
        self.isolation.store(isolation as u64, Ordering::Relaxed);
        self.nature.store(nature, Ordering::Relaxed);
        self.started.store(now_us.max(1), Ordering::Relaxed);
    }

    pub(super) fn ended(&self) {
        self.id.store(0, Ordering::Relaxed);
        self.started.store(0, Ordering::Relaxed);
        self.undo_records.store(0, Ordering::Relaxed);
        self.rolling_back.store(false, Ordering::Relaxed);
    }

    /// Counts an undo record.
    pub(crate) fn count_record(&self) {
        self.undo_records.store(self.undo_records.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.owner.add_weight(1);
    }

    /// For INNODB_TRX; `None` when there is no transaction, or none that has read, locked or written.
    pub fn info(&self) -> Option<TrxInfo> {
        let started = self.started.load(Ordering::Relaxed);
        let nature = self.nature.load(Ordering::Relaxed);
        let (lock_structs, lock_bytes) = self.owner.lock_structs();
        let (weight, rows_modified) = (self.owner.weight(), self.undo_records.load(Ordering::Relaxed));
        let non_locking = nature & EXPLICIT == 0 && self.id().0 == 0 && !self.owner.has_locks();
        (started != 0).then(|| TrxInfo {
            id: TrxId(self.owner.shown_id()),
            read_only: non_locking || nature & READ_ONLY != 0,
            non_locking,
            session: self.session(),
            started_us: started,
            isolation: match self.isolation.load(Ordering::Relaxed) {
                0 => Isolation::ReadUncommitted,
                1 => Isolation::ReadCommitted,
                2 => Isolation::RepeatableRead,
                _ => Isolation::Serializable,
            },
            rows_modified,
            weight,
            lock_structs,
            lock_bytes,
            rows_locked: weight.saturating_sub(rows_modified),
            tables_locked: self.owner.tables().len() as u64,
            rolling_back: self.rolling_back.load(Ordering::Relaxed),
            lock_owner: self.owner.id(),
        })
    }
}

/// One row of INNODB_TRX, as far as the engine knows it. Lock waits: join `lock_owner` with
/// [`LockSys::waits`](crate::rowlock::LockSys::waits).
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct TrxInfo {
    /// [`LockOwner::shown_id`].
    pub id: TrxId,
    pub read_only: bool,
    /// A plain SELECT of its own.
    pub non_locking: bool,
    pub session: u64,
    pub started_us: u64,
    pub isolation: Isolation,
    pub rows_modified: u64,
    pub weight: u64,
    /// Places and tables that are locked.
    pub lock_structs: u64,
    /// Bytes that its locks take, about.
    pub lock_bytes: u64,
    /// Rows locked by an explicit lock.
    pub rows_locked: u64,
    /// Tables locked.
    pub tables_locked: u64,
    pub rolling_back: bool,
    pub lock_owner: u64,
}

/// Kills a session's statement from another thread.
#[derive(Clone, Debug)]
pub struct KillHandle(pub(crate) Arc<TrxShared>);

impl KillHandle {
    /// The running statement fails with `Interrupted` at its next row or lock wait.
    pub fn kill(&self) {
        self.0.killed.store(true, Ordering::Relaxed);
        self.0.owner.interrupt();
    }
}

/// A session's transactions. See the module's head for the order of calls.
pub struct Trx {
    pub(crate) engine: EngineHandle,
    pub(crate) shared: Arc<TrxShared>,
    pub(crate) slot: SnapshotSlot,
    pub(crate) isolation: Isolation,
    pub(crate) lock_wait_timeout: Duration,
    /// 0: none yet.
    pub(crate) id: TrxId,
    pub(crate) snapshot: Option<Snapshot>,
    /// It is counted among those who read what was never committed, until the snapshot is closed.
    pub(crate) uncommitted: bool,
    pub(crate) undo: Option<UndoLog>,
    /// Counts this session's transactions.
    pub(crate) serial: u64,
    /// START TRANSACTION was given or autocommit is off: SERIALIZABLE then locks plain reads.
    pub(crate) explicit: bool,
    /// It was begun as READ ONLY: the session sees to that; here it is for views.
    pub(crate) read_only: bool,
    pub(crate) open: bool,
    /// It has read, locked or written: views show it.
    pub(crate) begun: bool,
    /// It has undone changes of its own and goes on: entries may bear its id that stand as they did before.
    pub(crate) took_back: bool,
    /// Bytes that the commit takes along.
    pub(super) attached: Option<Vec<u8>>,
    /// Memory of bytes that were attached, for the next ones.
    pub(super) spare: Vec<u8>,
    /// The lock owner was told that a transaction has begun.
    pub(crate) owner_begun: bool,
    /// XA PREPARE: where it stands in the undo slot. Dropped like this, the transaction is left to the next start.
    pub(crate) prepared: Option<Pos>,
    /// End of the newest mtr.
    pub(crate) last_lsn: Lsn,
    /// Buffers of row operations.
    pub(crate) scratch: crate::table::write::Scratch,
    /// AUTO-INC locks that it holds, each with the count that it stands in: to the end of the statement.
    pub(crate) autoinc_locks: Vec<(TableId, Arc<AtomicU32>)>,
    /// What the transaction did to tables' numbers of rows.
    pub(crate) row_sums: Vec<crate::table::stats::RowSums>,
}

impl std::fmt::Debug for Trx {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Trx({}, open {})", self.id, self.open)
    }
}

impl Trx {
    /// What a statement that reads touches besides the value itself, which has been added, and what of that it leaves alone.
    pub fn lines(&self, to: &mut sys::prefetch::Lines) {
        to.leave_out(&self.scratch);
        to.add(&*self.shared);
    }

    pub(crate) fn new(
        engine: Arc<Engine>,
        shared: Arc<TrxShared>,
        slot: SnapshotSlot,
        lock_wait_timeout: Duration,
    ) -> Trx {
        Trx {
            engine: engine.into(),
            shared,
            slot,
            isolation: Isolation::default(),
            lock_wait_timeout,
            id: TrxId(0),
            snapshot: None,
            uncommitted: false,
            undo: None,
            serial: 0,
            explicit: false,
            read_only: false,
            open: false,
            begun: false,
            took_back: false,
            attached: None,
            spare: Vec::new(),
            owner_begun: false,
            prepared: None,
            last_lsn: Lsn(0),
            scratch: Default::default(),
            autoinc_locks: Vec::new(),
            row_sums: Vec::new(),
        }
    }

    /// Isolation level of the transactions to come (or of the open one, before its first read).
    pub fn set_isolation(&mut self, level: Isolation) {
        self.isolation = level;
    }
    /// Isolation level.
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }
    /// `innodb_lock_wait_timeout`.
    pub fn set_lock_wait_timeout(&mut self, t: Duration) {
        self.lock_wait_timeout = t;
    }
    /// For KILL.
    pub fn kill_handle(&self) -> KillHandle {
        KillHandle(self.shared.clone())
    }
    /// Forgets a KILL QUERY that has been answered.
    pub fn clear_kill(&mut self) {
        self.shared.killed.store(false, Ordering::Relaxed);
    }
    /// `Err(Interrupted)` if KILL arrived. Cheap: once per row is fine.
    #[inline]
    pub fn check_killed(&self) -> Result<()> {
        if self.shared.killed() { Err(StorageError::Interrupted) } else { Ok(()) }
    }
    /// Whether a transaction is open (something was read, locked or written since the last end).
    pub fn is_open(&self) -> bool {
        self.open
    }
    /// Whether it is open and more than a mark to go back to: it was started, or has read, locked or written.
    pub fn is_under_way(&self) -> bool {
        self.open && (self.explicit || self.begun)
    }
    /// Whether the open transaction has written.
    pub fn has_written(&self) -> bool {
        self.id.0 != 0
    }
    /// Whether it may hold locks that others wait for, in this statement or between statements.
    pub fn may_hold_locks(&self) -> bool {
        self.owner_begun
    }
    /// Whether what bears this id is its own: it then needs no lock. Id 0 is nobody's: what a rebuild wrote bears it, and a transaction has it before
    /// its first change.
    pub(crate) fn wrote(&self, writer: TrxId) -> bool {
        writer == self.id && writer.0 != 0
    }
    /// Whether it has read by a snapshot that it keeps, locked or written anything so far.
    pub fn is_touched(&self) -> bool {
        self.id.0 != 0 || self.owner_begun || self.snapshot.is_some()
    }
    /// Whether it holds locks on rows or tables, explicit or by what it has written.
    pub fn holds_locks(&self) -> bool {
        self.owner_begun && (self.id.0 != 0 || self.shared.owner().has_locks())
    }
    /// Id; 0 before the first write.
    pub fn id(&self) -> TrxId {
        self.id
    }
    /// The engine.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Whether the transaction that begins is READ ONLY, as views show it.
    pub fn set_read_only(&mut self, on: bool) {
        self.read_only = on;
    }
    /// Whether changes are refused: it is READ ONLY, or it is the statement's own and those are so `by_default`.
    pub fn refuses_changes(&self, by_default: bool) -> bool {
        self.read_only || (by_default && !self.explicit)
    }

    /// START TRANSACTION, or the first statement with autocommit off.
    pub fn start(&mut self) {
        self.ensure_open();
        self.explicit = true;
    }

    /// START TRANSACTION WITH CONSISTENT SNAPSHOT (which InnoDB honours under REPEATABLE READ only).
    pub fn start_with_snapshot(&mut self) {
        self.start();
        if self.isolation == Isolation::RepeatableRead {
            self.snapshot();
        }
    }
}
