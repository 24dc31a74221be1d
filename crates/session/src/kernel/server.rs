//! [`Server`]: what all sessions share.

use crate::kernel::plans::{SharedPlans, SharedPrepared};
use crate::kernel::unplanned::Unplanned;
use catalog::accounts::Accounts;
use catalog::connections::Connections;
use catalog::sysvar::{GlobalVars, Var};
use executor::env::Shared;
use mdl::MdlManager;
use probe::phases::Phase;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;
use storage::engine::Engine;

/// Shared by all sessions; one per process.
pub struct Server {
    /// The storage engine.
    pub engine: Arc<Engine>,
    /// Metadata locks.
    pub mdl: Arc<MdlManager>,
    /// Global variables.
    pub globals: Arc<GlobalVars>,
    /// Connections.
    pub connections: Arc<Connections>,
    /// Accounts.
    pub accounts: Arc<Accounts>,
    /// Plans of text statements.
    pub(crate) plans: SharedPlans,
    /// Plans of prepared statements.
    pub(crate) prepared_plans: SharedPrepared,
    /// Prepared statements of all sessions (`max_prepared_stmt_count`).
    pub(crate) prepared: AtomicU64,
    /// When the server started.
    pub started: Instant,
    /// The same in seconds since 1970.
    pub started_at: u64,
    /// Branches of XA transactions: those of sessions, and the prepared ones.
    pub(crate) xa: crate::kernel::xa::Branches,
    /// For VIRTUAL columns of rows from before they were added.
    pub(crate) computing: crate::kernel::virtual_columns::Pool,
    /// General and slow log.
    pub(crate) log: Arc<crate::logs::general::QueryLog>,
    /// The list of the buffer pool's pages.
    pub(crate) pool_list: crate::kernel::pool_list::PoolList,
    /// Files of the binary log, and who reads them.
    pub(crate) source: crate::kernel::binary_log::BinaryLogs,
    /// What the event scheduler is told.
    pub(crate) events: crate::kernel::event_switch::EventSwitch,
    /// The binary log, if there is one; set before the first session.
    pub(crate) binary_log: std::sync::OnceLock<(Arc<dyn binlog::service::BinaryLog>, Arc<executor::binlog::Filters>)>,
    /// What receives and applies another server's changes; set before the first session.
    pub(crate) replica: std::sync::OnceLock<Arc<dyn crate::kernel::replica::Replication>>,
    /// The last CLONE of which this server was the recipient.
    pub(crate) clones: Arc<crate::kernel::clones::Clones>,
    /// Shutting down: no new sessions, no new statements.
    pub(crate) stopping: AtomicBool,
    /// Statements that have no plan.
    pub(crate) unplanned: &'static dyn Unplanned,
    /// The process is to end so that its supervisor starts it again.
    pub(crate) restarts: AtomicBool,
    /// Called by SHUTDOWN.
    pub(crate) on_shutdown: Box<dyn Fn(&str) + Send + Sync>,
}

/// The table of metadata locks with `max_write_lock_count`.
fn metadata_locks(globals: &GlobalVars) -> Arc<MdlManager> {
    let mdl = MdlManager::new();
    mdl.set_write_limit(globals.num(Var::max_write_lock_count));
    mdl
}

/// Sets what performance_schema keeps; before the first session.
fn configure_recording(globals: &GlobalVars) {
    latch::name_instruments();
    if !globals.bool(Var::performance_schema) {
        probe::instruments::stop();
    }
    // -1: as many as the default
    let digests = globals.num(Var::performance_schema_digests_size) as i64;
    probe::statements::configure(usize::try_from(digests).unwrap_or(10_000));
    let size = |v, default| usize::try_from(globals.num(v) as i64).unwrap_or(default);
    probe::events::configure(
        size(Var::performance_schema_events_statements_history_size, 10),
        size(Var::performance_schema_events_statements_history_long_size, 10_000),
    );
    Phase::Stage.configure(
        size(Var::performance_schema_events_stages_history_size, 10),
        size(Var::performance_schema_events_stages_history_long_size, 10_000),
    );
    Phase::Wait.configure(
        size(Var::performance_schema_events_waits_history_size, 10),
        size(Var::performance_schema_events_waits_history_long_size, 10_000),
    );
    probe::files::configure(size(Var::performance_schema_max_file_instances, 10_000));
    probe::instances::configure(
        size(Var::performance_schema_max_mutex_instances, 10_000),
        size(Var::performance_schema_max_rwlock_instances, 10_000),
    );
    probe::transactions::configure(
        size(Var::performance_schema_events_transactions_history_size, 10),
        size(Var::performance_schema_events_transactions_history_long_size, 10_000),
    );
}

impl Server {
    /// Puts the parts together. `on_shutdown` is called by the SHUTDOWN statement, with its user.
    pub(crate) fn assemble(
        engine: Arc<Engine>,
        globals: Arc<GlobalVars>,
        connections: Arc<Connections>,
        accounts: Arc<Accounts>,
        on_shutdown: Box<dyn Fn(&str) + Send + Sync>,
        unplanned: &'static dyn Unplanned,
    ) -> Arc<Server> {
        crate::variables::engine::apply_all(&engine, &globals);
        configure_recording(&globals);
        engine.dict().set_builtin(views::sys::BUILTIN);
        for name in ["mysql", views::sys::SYS] {
            if engine.dict().schema(name).is_none() {
                // clients expect the schema; a read-only engine goes without it
                let _ = create_system_schema(&engine, name);
            }
        }
        let server = Arc::new(Server {
            engine,
            mdl: metadata_locks(&globals),
            globals,
            connections,
            accounts,
            plans: SharedPlans::default(),
            prepared_plans: SharedPrepared::default(),
            prepared: AtomicU64::new(0),
            started: Instant::now(),
            started_at: (executor::env::wall_clock_us() / 1_000_000) as u64,
            xa: Default::default(),
            computing: Default::default(),
            log: Default::default(),
            pool_list: Default::default(),
            source: Default::default(),
            events: Default::default(),
            binary_log: Default::default(),
            replica: Default::default(),
            clones: Default::default(),
            stopping: AtomicBool::new(false),
            restarts: AtomicBool::new(false),
            unplanned,
            on_shutdown,
        });
        server.pool_list_at_start();
        let weak = Arc::downgrade(&server);
        server
            .engine
            .locks()
            .set_deadlock_teller(Box::new(move |d| weak.upgrade().map(|s| s.tell_deadlock(d)).unwrap_or_default()));
        let weak = Arc::downgrade(&server);
        server.engine.latest_foreign_key_error().set_teller(Box::new(move |e| {
            let told = weak.upgrade().map(|s| views::monitor::foreign_key(&s.engine, &s.connections, e));
            told.unwrap_or_default()
        }));
        let weak = Arc::downgrade(&server);
        server.log.set_tables(Arc::new(move || crate::kernel::log_tables::open(&weak)));
        server.engine.set_column_computer(Box::new(crate::kernel::virtual_columns::Computer(Arc::downgrade(&server))));
        server
    }

    /// The binary log is on; before the first session. With `binlog-do-db` and `binlog-ignore-db`, joined with commas.
    pub fn set_binlog_files(&self, log: Arc<binlog::log::Log>, do_db: String, ignore_db: String) {
        self.set_binary_log(log.clone(), (&do_db, &ignore_db));
        self.source.set(log, do_db, ignore_db);
    }

    /// What receives and applies another server's changes. Before the first session.
    pub fn set_replication(&self, replication: Arc<dyn crate::kernel::replica::Replication>) {
        let _ = self.replica.set(replication);
    }

    /// The binary log, if it is on.
    pub fn binary_log(&self) -> Option<Arc<dyn binlog::service::BinaryLog>> {
        self.binary_log.get().map(|(log, _)| log.clone())
    }

    /// What the executor of each session needs of it.
    pub(crate) fn shared(&self) -> Shared {
        Shared {
            engine: self.engine.clone(),
            globals: self.globals.clone(),
            connections: self.connections.clone(),
            accounts: self.accounts.clone(),
        }
    }

    /// Changes are logged here from now on, of all schemas but what `binlog-do-db` and `binlog-ignore-db` leave out.
    /// Before the first session.
    pub fn set_binary_log(&self, log: Arc<dyn binlog::service::BinaryLog>, (only, not): (&str, &str)) {
        self.globals.set_provider(Box::new(crate::variables::gtids::provider(log.clone())));
        let _ = self.binary_log.set((log, Arc::new(executor::binlog::Filters::new(only, not))));
    }

    /// Whether the process is to end so that its supervisor starts it again.
    pub fn restarts(&self) -> bool {
        self.restarts.load(Ordering::Acquire)
    }

    /// What is known of the clone that has taken this server's data's place; see `kernel::clones`. Before the first
    /// session.
    pub fn resume_clone(&self, kept: &serde_json::Value, restarted: Option<u64>) -> serde_json::Value {
        self.clones.resume(kept, restarted)
    }

    /// Whether it is.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// The text about a deadlock; into the error log too with `innodb_print_all_deadlocks`.
    fn tell_deadlock(&self, d: &storage::rowlock::Deadlock) -> String {
        let text = views::monitor::deadlock(&self.engine, &self.connections, d);
        if self.globals.bool(Var::innodb_print_all_deadlocks) {
            let head = "Transactions deadlock detected, dumping detailed information.";
            probe::errorlog::say("System", "InnoDB", 12_468, &format!("{head}\n{text}"));
        }
        text
    }

    /// The text of InnoDB's monitor.
    pub(crate) fn monitor(&self) -> String {
        let locks = self.globals.bool(Var::innodb_status_output_locks);
        let uptime = self.started.elapsed().as_secs_f64();
        views::monitor::text(&self.engine, &self.connections, locks, uptime)
    }

    /// `innodb_status_output`: InnoDB's monitor into the error log, called every 15 seconds.
    pub fn print_monitor(&self) {
        if self.globals.bool(Var::innodb_status_output) {
            probe::errorlog::say("System", "InnoDB", 13_183, &self.monitor());
        } else {
            views::monitor::refresh();
        }
    }

    /// SIGUSR1: error, general and slow log are opened anew. SIGHUP (`all`): also what else of FLUSH has something to
    /// do here; accounts and tables are always read as they are. What goes wrong is told in the error log, there is
    /// nobody else to tell.
    pub fn flush_by_signal(&self, all: bool) {
        if let Err(file) = probe::errorlog::reopen() {
            let text =
                format!("Could not open file '{file}' for error logging: lines go on to the file that was open.");
            probe::errorlog::say("Error", "Server", 10_000, &text);
        }
        if let Err(e) = self.log.reopen(&self.globals, true, true) {
            let text = format!("{}: the log goes on in the file that was open.", e.message());
            probe::errorlog::say("Error", "Server", 10_000, &text);
        }
        if all {
            self.accounts.usage().unlock_all();
            probe::inc(probe::Counter::FlushCommands);
        }
    }

    /// No new sessions from now on.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        self.events.stop();
        self.computing.forget();
    }
}

/// The schema `mysql` or `sys`, empty: accounts are not kept in tables, and views of `sys` are not stored.
fn create_system_schema(engine: &Arc<Engine>, name: &str) -> Result<(), storage::StorageError> {
    let mut ddl = storage::dict::Ddl::begin(engine, 0)?;
    ddl.create_schema(name, value::CollationId::UTF8MB4_0900_AI_CI)?;
    ddl.commit()
}
