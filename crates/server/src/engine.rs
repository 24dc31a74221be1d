//! The seam to the SQL engine: [`open`] is the one place that knows which crates make sessions.
//!
//! Order at shutdown: no session is left when [`Engine::shutdown`] is called; it then writes everything out.

use base::ErrorCode;
use binlog::GtidSet;
use binlog::service::BinaryLog;
use catalog::accounts::Accounts;
use catalog::client::SessionFactory;
use catalog::connections::Connections;
use catalog::sysvar::{GlobalVars, Var};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use storage::engine::EngineConfig as StorageConfig;
use storage::table::AutoincMode;
use storage::txn::Durability;

/// How often InnoDB's monitor is printed while it is on.
const MONITOR: Duration = Duration::from_secs(15);

/// What the engine is opened with.
pub struct EngineConfig<'a> {
    /// Data directory, locked by this process.
    pub datadir: &'a Path,
    /// Whether the data directory was just created.
    pub is_new: bool,
    /// Global variables.
    pub globals: Arc<GlobalVars>,
    /// Accounts.
    pub accounts: Arc<Accounts>,
    /// Registry of connections.
    pub connections: Arc<Connections>,
    /// Options of the binary log.
    pub binary_log: &'a crate::options::BinaryLog,
}

/// An opened engine.
pub trait Engine: Send + Sync {
    /// Opens sessions.
    fn sessions(&self) -> Arc<dyn SessionFactory>;
    /// The event scheduler, where it is on, and the replica's threads: once clients may come.
    fn start_events(&self);
    /// No new sessions from now on.
    fn stop(&self);
    /// The logs are opened anew; with `all` what else SIGHUP does.
    fn flush(&self, all: bool);
    /// Whether the process is to end so that its supervisor starts it again.
    fn restarts(&self) -> bool;
    /// What is known of a clone that took the data's place; see `session::Server::resume_clone`.
    fn resume_clone(&self, kept: &serde_json::Value, restarted: Option<u64>) -> serde_json::Value;
    /// The replica's threads.
    fn replica(&self) -> &replica::Replica;
    /// `gtid_executed`; empty without a binary log.
    fn gtid_executed(&self) -> GtidSet;
    /// Clean shutdown; no session is left when it is called.
    fn shutdown(&self) -> Result<(), String>;
}

/// Opens (at first start: creates) the engine in the data directory, with recovery if need be.
pub fn open(config: EngineConfig<'_>) -> Result<Arc<dyn Engine>, String> {
    let g = &config.globals;
    let binary_log = crate::binary_log::open(config.datadir, g, config.binary_log)?;
    let storage = StorageConfig {
        buffer_pool_size: g.num(Var::innodb_buffer_pool_size),
        redo_capacity: g.num(Var::innodb_redo_log_capacity),
        // More than 16 MiB would bring nothing: the log is taken away as it comes, and that much stays in the processor's caches.
        log_buffer: g.num(Var::innodb_log_buffer_size).min(16 << 20),
        durability: match g.num(Var::innodb_flush_log_at_trx_commit) {
            0 => Durability::Lazy,
            2 => Durability::Written,
            _ => Durability::Synced,
        },
        lock_wait_timeout: Duration::from_secs(g.num(Var::innodb_lock_wait_timeout)),
        // DETECT_ONLY only saves writes in MySQL: pages are repaired all the same here
        doublewrite: g.num(Var::innodb_doublewrite) != 0,
        // O_DIRECT and O_DIRECT_NO_FSYNC (files are synced all the same); the others through the page cache
        direct_io: g.num(Var::innodb_flush_method) >= 4,
        autoinc_mode: match g.num(Var::innodb_autoinc_lock_mode) {
            0 => AutoincMode::Traditional,
            1 => AutoincMode::Consecutive,
            _ => AutoincMode::Interleaved,
        },
        read_only: g.bool(Var::innodb_read_only),
        force_recovery: g.num(Var::innodb_force_recovery) as u8,
        open_files: g.num(Var::innodb_open_files) as usize,
        purge_threads: g.num(Var::innodb_purge_threads) as usize,
        sink: binary_log.as_ref().map(|log| log.clone() as _),
        ..StorageConfig::new(config.datadir)
    };
    let engine = storage::engine::Engine::open(storage).map_err(|e| {
        let sql = base::SqlError::from(e);
        let hint = if sql.is(ErrorCode::NOT_SUPPORTED_YET) { " (this build has no storage engine)" } else { "" };
        format!("Cannot open the data directory: {}{hint}", sql.message())
    })?;
    if !g.bool(Var::innodb_read_only) && g.num(Var::innodb_force_recovery) == 0 {
        storage::transport::clean(&engine)
            .map_err(|e| format!("Cannot remove what FLUSH TABLES ... FOR EXPORT left: {e}"))?;
    }
    let named = Arc::downgrade(&engine);
    storage::told::set_namer(move |space| named.upgrade()?.dict().table_of_space(space));
    let redo = engine.recovery();
    if redo.frames > 0 {
        let text = format!(
            "InnoDB: redo applied from LSN {} to {}: {} mini-transactions, {} page changes, in {} ms",
            redo.checkpoint,
            redo.end,
            redo.frames,
            redo.applied,
            redo.ms.iter().sum::<u64>()
        );
        crate::log::system(12_551, &text);
    }
    for page in &redo.repaired {
        crate::log::warning(13_012, &format!("InnoDB: page {page} was torn and is repaired from the doublewrite file"));
    }
    if let Some(damage) = &redo.cut {
        let text = format!(
            "InnoDB: innodb_force_recovery: {damage}. The log was cut there: committed transactions are lost, tables may be \
             inconsistent, and the engine is read-only. Dump what can be read and rebuild the data directory"
        );
        crate::log::error(12_729, &text);
    }
    for wrong in &redo.beyond {
        crate::log::error(12_729, &format!("InnoDB: innodb_force_recovery: {wrong}"));
    }
    // effective CPUs are read every second from now on: run tokens and the latches' spin limit follow
    let tasks = sched::Tasks::default();
    sched::monitor::start(&tasks).map_err(|e| format!("cannot start the monitor thread: {e}"))?;
    let shutdown = Box::new(sys::signal::Signals::raise_terminate);
    let logs = crate::binary_log::may_be_on(g, config.binary_log);
    if let Some(log) = &binary_log {
        crate::binary_log::begin(log, &engine, g, logs, &tasks)?;
    }
    let binary_log = binary_log.filter(|_| logs);
    let server = session::Server::new(engine, config.globals.clone(), config.connections, config.accounts, shutdown);
    if let Some(log) = &binary_log {
        let joined = |list: &[String]| list.join(",");
        server.set_binlog_files(log.clone(), joined(&config.binary_log.do_db), joined(&config.binary_log.ignore_db));
    }
    if server.settle_accounts().map_err(|e| format!("The binary log and the accounts: {}", e.message()))? {
        let text = "The last statement on accounts was not in the binary log when the server ended; it is taken back";
        crate::log::warning(10_000, text);
    }
    let replica = replica::Replica::open(&server, config.datadir, g, &config.binary_log.replicate)
        .map_err(|e| format!("Cannot open the relay log: {e}"))?;
    server.set_replication(replica.clone());
    let prepared = server.recover_branches().map_err(|e| format!("prepared XA transactions: {}", e.message()))?;
    if prepared > 0 {
        crate::log::warning(10_225, &format!("Found {prepared} prepared XA transactions"));
    }
    let monitored = Arc::downgrade(&server);
    let printer = move |ctx: &sched::TaskContext| {
        while ctx.sleep(MONITOR) {
            let Some(server) = monitored.upgrade() else { return };
            server.print_monitor();
        }
    };
    tasks.spawn("srv_monitor", printer).map_err(|e| format!("cannot start the monitor's thread: {e}"))?;
    Ok(Arc::new(Sql { server, globals: config.globals, tasks, binary_log, replica }))
}

struct Sql {
    binary_log: Option<Arc<binlog::log::Log>>,
    replica: Arc<replica::Replica>,
    tasks: sched::Tasks,
    server: Arc<session::Server>,
    globals: Arc<GlobalVars>,
}

impl Engine for Sql {
    fn sessions(&self) -> Arc<dyn SessionFactory> {
        Arc::new(session::Sessions(self.server.clone()))
    }
    fn start_events(&self) {
        self.server.start_events();
        self.replica.begin();
    }
    fn stop(&self) {
        self.replica.shut_down();
        self.server.stop();
    }
    fn flush(&self, all: bool) {
        self.server.flush_by_signal(all);
    }
    fn restarts(&self) -> bool {
        self.server.restarts()
    }
    fn resume_clone(&self, kept: &serde_json::Value, restarted: Option<u64>) -> serde_json::Value {
        self.server.resume_clone(kept, restarted)
    }
    fn replica(&self) -> &replica::Replica {
        &self.replica
    }
    fn gtid_executed(&self) -> GtidSet {
        self.binary_log.as_ref().map(|log| log.gtid_executed()).unwrap_or_default()
    }
    fn shutdown(&self) -> Result<(), String> {
        let fast = self.globals.num(Var::innodb_fast_shutdown) > 0;
        // what it could not write is in the redo log
        if let Some(Err(e)) = self.binary_log.as_ref().map(|log| log.stop()) {
            crate::log::error(10_000, &format!("Binary log: {}", base::SqlError::from(e).message()));
        }
        self.tasks.shutdown();
        self.server.pool_list_at_end();
        self.server.engine.shutdown(fast).map_err(|e| format!("shutdown: {}", base::SqlError::from(e).message()))
    }
}
