//! [`Engine`]: opens and closes the storage, owns its parts and background threads.
//!
//! # Opening
//!
//! 1. redo pass ([`crate::store::Store::open`]);
//! 2. first start, or a first start that a crash cut short: [`bootstrap`] makes the system and undo tablespaces;
//! 3. the undo directory says which transactions were unfinished; their ids become active again;
//! 4. what they did to the dictionary's own tables is rolled back, then the dictionary is loaded, then the rest is rolled
//!    back: nobody is admitted before that is done;
//! 5. the DDL log is replayed; background threads start.
//!
//! # Rules of access
//!
//! Everything here is shared; a session has a [`Trx`]. Threads of the engine hold it weakly, so dropping the last handle
//! stops them ([`Engine::shutdown`] does so in order and writes everything out first).
//!
//! Tested by everything in `engine/tests`.

mod attach;
mod bootstrap;
mod config;
mod locks;
mod records;
#[cfg(test)]
mod tests;
mod threads;

pub use config::{EngineConfig, EngineStatus};
pub use records::{Field, ForeignKeyError, LatestForeignKeyError, PhysicalRecord, Refused};

use crate::dict::{Dict, Physical};
use crate::error::{Result, StorageError};
use crate::recovery::RecoveryReport;
use crate::redo::ForcedBy;
use crate::rowlock::LockSys;
use crate::store::{Background, Store};
use crate::table::AutoincMode;
use crate::table::Table;
use crate::txn::prepared::Recovered;
use crate::txn::{Durability, Trx, TrxInfo, TrxShared, TrxSys};
use crate::undo::UndoPool;
use base::{IndexId, Lsn, SpaceId, TableId, TrxId};
use hashbrown::HashMap;
use parking_lot::{Mutex, RwLock};
use probe::Stage;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

/// Ids are reserved on disk in runs of this length; a crash wastes the rest of one.
const ID_RUN: u64 = 1 << 16;
const GUARDS: usize = 1024;

/// The storage engine of one data directory.
pub struct Engine {
    pub(crate) me: Weak<Engine>,
    pub(crate) store: Arc<Store>,
    pub(crate) undo: UndoPool,
    pub(crate) trx_sys: TrxSys,
    pub(crate) locks: LockSys,
    /// Set once at the end of opening.
    dict: OnceLock<Dict>,
    /// Opened tables by id, for purge and rollback.
    tables: RwLock<HashMap<TableId, Weak<Table>>>,
    sessions: Mutex<Vec<Weak<TrxShared>>>,
    unique_guards: Box<[Mutex<()>]>,
    id_raise: Mutex<()>,
    read_only: AtomicBool,
    /// `innodb_force_recovery`.
    forced: bool,
    /// `innodb_autoinc_lock_mode`.
    pub(crate) autoinc_mode: AutoincMode,
    durability: AtomicU8,
    /// Commits are synced whatever `durability` says.
    always_synced: AtomicBool,
    lock_wait_timeout: Duration,
    threads: Mutex<Option<Threads>>,
    pub(crate) purger: Mutex<crate::purge::Purger>,
    /// Tablespaces whose files are exported: no page of them may change ([`crate::transport`]). Who changes pages
    /// without a metadata lock holds it for reading meanwhile.
    pub(crate) exports: RwLock<Vec<SpaceId>>,
    foreign_key_error: LatestForeignKeyError,
    /// What opening found.
    report: RecoveryReport,
    /// Prepared transactions found, until the server takes them.
    pub(crate) recovered: Mutex<Vec<Recovered>>,
    /// `innodb_print_ddl_logs`.
    pub(crate) print_ddl_logs: AtomicBool,
    /// `innodb_max_purge_lag`.
    pub(crate) lag: crate::purge::Lag,
    /// Readers of what was never committed.
    pub(crate) uncommitted: crate::table::Uncommitted,
    /// Who computes VIRTUAL columns that rows lack.
    pub(crate) computer: crate::table::computed::Computer,
    /// How statistics are sampled.
    pub(crate) stats: crate::table::stats::StatsSettings,
}

/// Running threads of an engine.
struct Threads {
    _store: Background,
    _purge: threads::EngineThread,
    _statistics: threads::EngineThread,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Engine({:?})", self.trx_sys)
    }
}

impl Engine {
    /// Opens the data directory, creating its contents on first start; recovers if it was not shut down cleanly.
    ///
    /// # Errors
    /// Whatever recovery meets; nothing is guessed at.
    pub fn open(config: EngineConfig) -> Result<Arc<Engine>> {
        bootstrap::open(config)
    }

    /// The data dictionary. Only before the engine has finished opening is there none; nothing outside can see that.
    #[allow(clippy::expect_used)] // set before `open` returns the engine
    pub fn dict(&self) -> &Dict {
        self.dict.get().expect("the dictionary is loaded while the engine opens")
    }

    /// What the redo pass found and did when the engine was opened.
    pub fn recovery(&self) -> &RecoveryReport {
        &self.report
    }

    /// Who binds and evaluates the expressions of VIRTUAL columns ([`crate::table::computed`]); said once, at the start.
    pub fn set_column_computer(&self, computer: Box<dyn crate::table::computed::ColumnComputer>) {
        let _ = self.computer.set(computer);
    }

    /// Files, pool and log.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// A session's transaction handle. `session` is the connection id.
    ///
    /// # Errors
    /// `TooManyTrx` when 65,536 sessions have one.
    pub fn new_trx(self: &Arc<Self>, session: u64) -> Result<Trx> {
        self.trx_of(Arc::new(TrxShared::new(session, self.locks.new_owner())))
    }

    pub(crate) fn trx_of(self: &Arc<Self>, shared: Arc<TrxShared>) -> Result<Trx> {
        let slot = self.trx_sys.new_slot().ok_or(StorageError::TooManyTrx)?;
        {
            let mut all = self.sessions.lock();
            if all.len() == all.capacity() {
                all.retain(|w| w.strong_count() > 0);
            }
            all.push(Arc::downgrade(&shared));
        }
        Ok(Trx::new(self.clone(), shared, slot, self.lock_wait_timeout))
    }

    /// Row locks, for views.
    pub fn locks(&self) -> &LockSys {
        &self.locks
    }

    /// Transactions, for views.
    pub fn trx_sys(&self) -> &TrxSys {
        &self.trx_sys
    }

    /// INNODB_TRX: transactions open now.
    pub fn transactions(&self) -> Vec<TrxInfo> {
        self.sessions.lock().iter().filter_map(|w| w.upgrade()?.info()).collect()
    }

    /// All sessions' transactions, those that have not begun too: without it, its connection and id as shown.
    pub fn idle_transactions(&self) -> Vec<(u64, u64)> {
        let all = self.sessions.lock();
        let idle = all.iter().filter_map(Weak::upgrade).filter(|t| t.session() != 0 && t.info().is_none());
        idle.map(|t| (t.session(), t.owner().shown_id())).collect()
    }

    /// Below this LSN all changes of pages are in their files. Looks at every frame.
    pub fn pages_flushed_lsn(&self) -> Lsn {
        let end = self.store.log().current_lsn();
        self.store.pool().oldest_dirty(end)
    }

    /// What is told of the last violated foreign key.
    pub fn latest_foreign_key_error(&self) -> &LatestForeignKeyError {
        &self.foreign_key_error
    }

    /// Numbers for views.
    pub fn status(&self) -> EngineStatus {
        let log = self.store.log();
        EngineStatus {
            next_trx_id: self.trx_sys.next_id().0,
            history_list_length: self.undo.history_len(),
            purged_transactions: self.undo.purged.load(Ordering::Relaxed),
            purge_cut: self.trx_sys.cut().0,
            last_trx_no: self.trx_sys.published().0,
            active_transactions: self.trx_sys.active_count() as u64,
            read_views: self.trx_sys.open_snapshots() as u64,
            deadlocks: self.locks.deadlocks(),
            lock_waiting: self.locks.waiting() as u64,
            lsn: log.current_lsn(),
            flushed_lsn: log.flushed_lsn(),
            written_lsn: log.written_lsn(),
            checkpoint_lsn: log.checkpoint_lsn(),
            checkpoint_age: log.checkpoint_age(),
            max_checkpoint_age: log.max_age(),
            log_capacity: log.capacity(),
            pool: self.store.pool().status(),
            open_files: self.store.files().open_count() as u64,
        }
    }

    /// Blocks until the log is durable up to `lsn`.
    ///
    /// # Errors
    /// The log's failure.
    pub fn wait_durable(&self, lsn: Lsn) -> Result<()> {
        self.store.log().flush_to(lsn, ForcedBy::Commit)
    }

    /// What a commit that ends at `lsn` waits for.
    ///
    /// # Errors
    /// The log's failure.
    pub fn wait_for_commit(&self, lsn: Lsn, durability: Durability) -> Result<()> {
        let _at = (durability != Durability::Lazy).then(|| probe::stage::enter(Stage::WaitingForHandlerCommit));
        match durability {
            Durability::Lazy => Ok(()),
            Durability::Written => self.store.log().write_to(lsn),
            Durability::Synced => self.wait_durable(lsn),
        }
    }

    /// Who answers a connection when the log is durable, if its commit should wait without a thread: commits are synced, and the log has its thread.
    pub fn commit_completer(&self) -> Option<Arc<dyn sched::pool::Completer>> {
        let log = self.store.log();
        let later = self.durability() == Durability::Synced && log.has_task_flusher();
        later.then(|| log.clone() as _)
    }

    /// What a commit waits for: `innodb_flush_log_at_trx_commit`, unless [`Engine::set_always_synced`] says more.
    pub fn durability(&self) -> Durability {
        match self.durability.load(Ordering::Relaxed) {
            _ if self.always_synced.load(Ordering::Relaxed) => Durability::Synced,
            0 => Durability::Lazy,
            2 => Durability::Written,
            _ => Durability::Synced,
        }
    }

    /// `sync_binlog` 1 with a binary log: what is committed is in the log after a crash, whatever the engine's own
    /// setting.
    pub fn set_always_synced(&self, on: bool) {
        self.always_synced.store(on, Ordering::Relaxed);
    }

    /// `SET GLOBAL innodb_flush_log_at_trx_commit`: for every commit from now on.
    pub fn set_durability(&self, d: Durability) {
        let n = match d {
            Durability::Lazy => 0,
            Durability::Synced => 1,
            Durability::Written => 2,
        };
        self.durability.store(n, Ordering::Relaxed);
        self.store.log().set_flush_at_commit(n);
    }

    /// Stops background threads and writes everything out; without `fast` purge finishes first. Sessions must be gone.
    ///
    /// # Errors
    /// I/O errors; the data directory then recovers at the next start.
    pub fn shutdown(&self, fast: bool) -> Result<()> {
        let threads = self.threads.lock().take();
        drop(threads);
        if !fast {
            while self.purge_batch()? > 0 {}
        }
        // what was kept for readers is remembered in memory only
        let freed = self.free_kept(self.trx_sys.advance_cut());
        self.read_only.store(true, Ordering::SeqCst);
        // if that page cannot be read everything else is to be written all the same
        let _ = bootstrap::note_end(&self.store);
        self.store.flush_and_checkpoint()?;
        freed
    }

    /// One batch of purge; how many transactions it finished. The purge thread's step, callable by tests.
    ///
    /// # Errors
    /// I/O errors and corruption.
    pub fn purge_batch(&self) -> Result<usize> {
        let exported = self.exports.read();
        // undo goes in order, so what one table must wait for all wait for
        if exported.is_empty() { self.purger.lock().batch(self) } else { Ok(0) }
    }

    // ---- for the other modules ---------------------------------------------------------------------------------------

    pub(crate) fn check_writable(&self) -> Result<()> {
        if self.read_only.load(Ordering::Relaxed) {
            if self.forced {
                return Err(StorageError::ForcedRecovery);
            }
            return Err(StorageError::ReadOnly { reason: "innodb_read_only or shutdown".into() });
        }
        Ok(())
    }

    pub(crate) fn now_us(&self) -> u64 {
        sys::clock::wall_micros()
    }

    /// Reserves the next run of transaction ids.
    pub(crate) fn raise_id_limit(&self) -> Result<()> {
        let _one = self.id_raise.lock();
        let (next, limit) = (self.trx_sys.next_id(), self.trx_sys.limit());
        if next < limit {
            return Ok(()); // another session was faster
        }
        let limit = TrxId(next.0 + ID_RUN);
        self.undo.raise_id_limit(limit)?;
        self.trx_sys.raise_limit(limit);
        Ok(())
    }

    pub(crate) fn forget(&self, shared: &Arc<TrxShared>) {
        self.sessions.lock().retain(|w| !std::ptr::eq(w.as_ptr(), Arc::as_ptr(shared)));
    }

    /// Serialises check and insert of one unique value.
    #[allow(clippy::indexing_slicing)] // masked to the length
    pub(crate) fn unique_guard(&self, index: IndexId, parts: &[u8]) -> &Mutex<()> {
        let mut h = 0xcbf2_9ce4_8422_2325u64 ^ index.0;
        for b in parts {
            h = (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3);
        }
        &self.unique_guards[(h >> 20) as usize & (GUARDS - 1)]
    }

    /// `SET GLOBAL innodb_print_ddl_logs`.
    pub fn set_print_ddl_logs(&self, on: bool) {
        self.print_ddl_logs.store(on, Ordering::Relaxed);
    }

    /// Opened tables of users for which `wanted` says yes.
    pub(crate) fn opened_tables(&self, wanted: impl Fn(&Table) -> bool) -> Vec<Arc<Table>> {
        let all = self.tables.read();
        all.values()
            .filter_map(Weak::upgrade)
            .filter(|t| t.def.space != SYSTEM_SPACE && !t.is_obsolete() && wanted(t))
            .collect()
    }

    /// Definitions of all sessions' temporary tables.
    pub fn temporary_tables(&self) -> Vec<Arc<crate::dict::TableDef>> {
        self.opened_tables(|t| t.def.is_temporary()).iter().map(|t| t.def.clone()).collect()
    }

    pub(crate) fn register_table(&self, table: &Arc<Table>) {
        self.tables.write().insert(table.id(), Arc::downgrade(table));
    }

    /// The table with this id; `None`: dropped.
    pub(crate) fn table_by_id(&self, id: TableId) -> Result<Option<Arc<Table>>> {
        if let Some(t) = self.tables.read().get(&id).and_then(Weak::upgrade)
            && !t.is_obsolete()
        {
            return Ok(Some(t));
        }
        match (self.dict.get(), self.me.upgrade()) {
            (Some(dict), Some(me)) => loop {
                let version = dict.version();
                match dict.table_by_id(&me, id) {
                    // it is opened without a metadata lock: DDL took away what was being read
                    Err(_) if dict.version() != version => {}
                    found => return found,
                }
            },
            _ => Ok(None),
        }
    }

    /// Runs `f` on the table with this id while DDL cannot take it away; `known` is what was found for the id before, and is looked up anew
    /// where DDL has replaced it since. `None`: dropped.
    pub(crate) fn with_table<R>(
        &self,
        id: TableId,
        known: &mut Option<Arc<Table>>,
        f: impl Fn(&Table) -> Result<R>,
    ) -> Result<Option<R>> {
        while let Some(table) = known.clone() {
            let done = table.while_alive(|| f(&table))?;
            if done.is_some() {
                return Ok(done);
            }
            *known = self.table_by_id(id)?.filter(|t| !Arc::ptr_eq(t, &table));
        }
        Ok(None)
    }
}

/// Files and trees for DDL.
impl Physical for Engine {
    fn create_space(&self, space: SpaceId) -> Result<()> {
        self.store.create_space(space)?;
        let mut mtr = self.store.mtr()?;
        crate::space::create(&mut mtr, space)?;
        let lsn = mtr.commit();
        self.wait_durable(lsn)
    }

    fn drop_space(&self, space: SpaceId) -> Result<()> {
        self.store.drop_space(space)
    }

    fn create_tree(&self, space: SpaceId, index: IndexId) -> Result<base::PageNo> {
        let mut mtr = self.store.mtr()?;
        let tree = crate::btree::BTree::create(&mut mtr, space, index)?;
        mtr.commit();
        Ok(tree.root)
    }

    fn free_tree(&self, space: SpaceId, root: base::PageNo) -> Result<()> {
        crate::btree::free_tree(&self.store, space, root)
    }
}

/// Space of the dictionary.
pub(crate) use crate::reserved::SYSTEM_SPACE;

impl Engine {
    /// CHECK TABLE: what is wrong, one line each; empty = sound.
    ///
    /// # Errors
    /// I/O; corruption is a finding.
    pub fn check_table(&self, table: &Table) -> Result<Vec<String>> {
        let problems = table.check(self)?.problems;
        let name = format!("{}.{}", table.def.schema, table.def.name);
        problems.iter().for_each(|p| crate::told::found(&name, p));
        Ok(problems)
    }
}
