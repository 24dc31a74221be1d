//! [`EngineConfig`] and [`EngineStatus`].

use crate::attached::CommitSink;
use crate::buffer::{PoolConfig, PoolStatus};
use crate::file::FileSystem;
use crate::redo::LogConfig;
use crate::table::AutoincMode;
use crate::txn::Durability;
use base::Lsn;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How to open an engine.
#[derive(Clone)]
pub struct EngineConfig {
    /// Data directory; created if missing.
    pub data_dir: PathBuf,
    /// Instead of the data directory: another file system (tests).
    pub file_system: Option<Arc<dyn FileSystem>>,
    /// `innodb_buffer_pool_size` in bytes.
    pub buffer_pool_size: u64,
    /// `innodb_doublewrite`.
    pub doublewrite: bool,
    /// `innodb_flush_method` O_DIRECT: data files bypass the page cache.
    pub direct_io: bool,
    /// `innodb_redo_log_capacity` in bytes.
    pub redo_capacity: u64,
    /// `innodb_log_buffer_size` in bytes.
    pub log_buffer: u64,
    /// `innodb_flush_log_at_trx_commit` at the start.
    pub durability: Durability,
    /// `innodb_lock_wait_timeout` for new sessions.
    pub lock_wait_timeout: Duration,
    /// `innodb_autoinc_lock_mode`.
    pub autoinc_mode: AutoincMode,
    /// `innodb_read_only`.
    pub read_only: bool,
    /// `innodb_force_recovery`: see [`Engine::open`](crate::engine::Engine::open)'s module `bootstrap`.
    pub force_recovery: u8,
    /// `innodb_open_files`; 0: no limit.
    pub open_files: usize,
    /// Who takes the bytes that travel with commits ([`crate::attached`]).
    pub sink: Option<Arc<dyn CommitSink>>,
    /// `innodb_purge_threads`; 0 stops purge (tests).
    pub purge_threads: usize,
    /// Whether page cleaner, log flusher and purge threads run; tests on the simulated disk drive the work themselves.
    pub background: bool,
}

impl std::fmt::Debug for EngineConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EngineConfig({}, pool {})", self.data_dir.display(), self.buffer_pool_size)
    }
}

impl EngineConfig {
    /// MySQL's defaults.
    pub fn new(data_dir: impl Into<PathBuf>) -> EngineConfig {
        EngineConfig {
            data_dir: data_dir.into(),
            file_system: None,
            buffer_pool_size: PoolConfig::default().bytes,
            doublewrite: true,
            direct_io: true,
            redo_capacity: 100 << 20,
            log_buffer: LogConfig::default().buffer,
            durability: Durability::Synced,
            lock_wait_timeout: Duration::from_secs(50),
            autoinc_mode: AutoincMode::default(),
            read_only: false,
            force_recovery: 0,
            open_files: 0,
            sink: None,
            purge_threads: 1,
            background: true,
        }
    }

    /// A small engine on another file system without background threads: for tests.
    pub fn on(fs: Arc<dyn FileSystem>) -> EngineConfig {
        EngineConfig {
            file_system: Some(fs),
            buffer_pool_size: 16 << 20,
            redo_capacity: 16 << 20,
            log_buffer: 1 << 20,
            background: false,
            ..EngineConfig::new("")
        }
    }
}

/// Numbers for SHOW ENGINE INNODB STATUS and INNODB_METRICS.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct EngineStatus {
    pub next_trx_id: u64,
    pub history_list_length: u64,
    pub purged_transactions: u64,
    /// Last number whose undo may have been purged, and the last number given.
    pub purge_cut: u64,
    pub last_trx_no: u64,
    pub active_transactions: u64,
    pub read_views: u64,
    pub deadlocks: u64,
    pub lock_waiting: u64,
    pub lsn: Lsn,
    pub flushed_lsn: Lsn,
    /// Written to the file.
    pub written_lsn: Lsn,
    pub checkpoint_lsn: Lsn,
    pub checkpoint_age: u64,
    pub max_checkpoint_age: u64,
    /// Bytes of log the file holds.
    pub log_capacity: u64,
    pub pool: PoolStatus,
    /// Tablespace files that are open.
    pub open_files: u64,
}
