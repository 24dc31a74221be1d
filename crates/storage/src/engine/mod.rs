//! [`Engine`]: opens and closes the storage, owns its parts and background threads.

use crate::error::{Result, StorageError};
use crate::rowlock::LockSys;
use crate::txn::{Durability, Trx, TrxInfo, TrxSys};
use base::Lsn;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How to open an engine.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// Data directory; created if missing.
    pub data_dir: PathBuf,
    /// `innodb_buffer_pool_size` in bytes.
    pub buffer_pool_size: u64,
    /// `innodb_redo_log_capacity` in bytes.
    pub redo_capacity: u64,
    /// `innodb_flush_log_at_trx_commit` for new sessions.
    pub durability: Durability,
    /// `innodb_lock_wait_timeout` for new sessions.
    pub lock_wait_timeout: Duration,
    /// `innodb_read_only`.
    pub read_only: bool,
    /// `innodb_purge_threads`; 0 stops purge (tests).
    pub purge_threads: usize,
}

impl EngineConfig {
    /// MySQL's defaults.
    pub fn new(data_dir: impl Into<PathBuf>) -> EngineConfig {
        EngineConfig {
            data_dir: data_dir.into(),
            buffer_pool_size: 128 << 20,
            redo_capacity: 100 << 20,
            durability: Durability::Synced,
            lock_wait_timeout: Duration::from_secs(50),
            read_only: false,
            purge_threads: 1,
        }
    }
}

/// Numbers for SHOW ENGINE INNODB STATUS and INNODB_METRICS.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct EngineStatus {
    pub next_trx_id: u64,
    pub history_list_length: u64,
    pub active_transactions: u64,
    pub read_views: u64,
    pub deadlocks: u64,
    pub lock_waiting: u64,
    pub lsn: Lsn,
    pub flushed_lsn: Lsn,
    pub checkpoint_lsn: Lsn,
}

/// The storage engine of one data directory.
pub struct Engine {
    /// Set once at the end of opening.
    pub(crate) dict: std::sync::OnceLock<crate::dict::Dict>,
    pub(crate) trx_sys: TrxSys,
    pub(crate) locks: LockSys,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Engine({:?})", self.trx_sys)
    }
}

impl Engine {
    /// The data dictionary. Only before the engine has finished opening is there none; nothing outside can see that.
    #[allow(clippy::expect_used)] // set before `open` returns the engine
    pub fn dict(&self) -> &crate::dict::Dict {
        self.dict.get().expect("the dictionary is loaded while the engine opens")
    }

    /// Opens the data directory, creating its contents on first start; recovers if it was not shut down cleanly.
    pub fn open(_config: EngineConfig) -> Result<Arc<Engine>> {
        Err(StorageError::Unsupported { what: "Engine::open" })
    }

    /// A session's transaction handle. `session` is the connection id.
    pub fn new_trx(self: &Arc<Self>, _session: u64) -> Result<Trx> {
        Err(StorageError::Unsupported { what: "Engine::new_trx" })
    }

    /// Stops background threads and writes everything out; without `fast` waits for purge to finish first.
    pub fn shutdown(&self, _fast: bool) -> Result<()> {
        Err(StorageError::Unsupported { what: "Engine::shutdown" })
    }

    /// Row locks, for views.
    pub fn locks(&self) -> &LockSys {
        &self.locks
    }

    /// Transactions, for views.
    pub fn trx_sys(&self) -> &TrxSys {
        &self.trx_sys
    }

    /// INNODB_TRX.
    pub fn transactions(&self) -> Vec<TrxInfo> {
        Vec::new()
    }

    /// Numbers for views.
    pub fn status(&self) -> EngineStatus {
        EngineStatus::default()
    }

    /// Blocks until the log is durable up to `lsn`.
    pub fn wait_durable(&self, _lsn: Lsn) -> Result<()> {
        Err(StorageError::Unsupported { what: "Engine::wait_durable" })
    }
}

/// Files and trees for DDL.
impl crate::dict::Physical for Engine {
    fn create_space(&self, _space: base::SpaceId) -> Result<()> {
        Err(StorageError::Unsupported { what: "create_space" })
    }
    fn drop_space(&self, _space: base::SpaceId) -> Result<()> {
        Err(StorageError::Unsupported { what: "drop_space" })
    }
    fn create_tree(&self, _space: base::SpaceId, _index: base::IndexId) -> Result<base::PageNo> {
        Err(StorageError::Unsupported { what: "create_tree" })
    }
    fn free_tree(&self, _space: base::SpaceId, _root: base::PageNo) -> Result<()> {
        Err(StorageError::Unsupported { what: "free_tree" })
    }
}

impl Engine {
    /// CHECK TABLE: what is wrong, one line each; empty = sound.
    pub fn check_table(&self, _table: &crate::table::Table) -> Result<Vec<String>> {
        Err(StorageError::Unsupported { what: "CHECK TABLE" })
    }

    /// ANALYZE TABLE: samples the indexes and publishes new statistics.
    pub fn analyze_table(&self, _table: &crate::table::Table) -> Result<()> {
        Err(StorageError::Unsupported { what: "ANALYZE TABLE" })
    }
}
