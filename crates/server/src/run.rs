//! Start and stop of the server. [`run`] does all of it, in this order:
//!
//! Start: change to the account that `--user` names; block signals; check and lock the data directory; keys;
//! accounts; bind the sockets; open the engine, which recovers after a crash; accept connections; write `ready for
//! connections`.
//!
//! Stop: accept no more clients; kill the sessions and wait until they are gone; close the engine; remove pid file
//! and socket.

use crate::engine::{self, Engine, EngineConfig};
use crate::listen::{self, Listeners};
use crate::options::{Action, Options, in_datadir, listen_addresses};
use crate::services::{self, Services};
use crate::{VERSION, VERSION_COMMENT, datadir, keys, log, notify};
use catalog::accounts::{Accounts, FileStore};
use catalog::connections::{Connections, Kill};
use catalog::sysvar::{GlobalVars, Origin, Raw, Var};
use dashboard::Service;
use parking_lot::RwLock;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use sys::process::PidFile;
use sys::signal::{Signal, Signals};
use wire::{PasswordCache, WireServer};

/// How long shutdown waits for killed sessions to end.
const SESSION_GRACE: Duration = Duration::from_secs(10);

/// Why the server could not start, with MySQL's number for it where it has one.
#[derive(Debug)]
pub struct Failure {
    /// MySQL's number of the message, as in `[MY-010457]` of the error log.
    pub code: u32,
    /// What happened, and what to do about it.
    pub text: String,
}

impl Failure {
    pub(crate) fn new(code: u32, text: impl Into<String>) -> Failure {
        Failure { code, text: text.into() }
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure { code: 10_000, text }
    }
}

/// Runs the server until it is told to stop. Whether it is to be started again. The error is the reason it could not
/// start.
pub fn run(options: Options) -> Result<bool, Failure> {
    let began = sys::clock::wall_micros();
    let initialize = matches!(options.action, Action::Initialize | Action::InitializeInsecure);
    crate::user::settle(options.user.as_deref(), initialize)?;
    let signals = Signals::block().map_err(|e| format!("cannot block signals: {e}"))?;
    log::install_panic_hook();
    let globals = Arc::new(options.globals);
    log::follow(&globals);
    let place = globals.string(Var::datadir);
    if initialize {
        crate::initialize::check_empty(&place)?;
    }
    let dir = datadir::open(&place)?;
    // with --skip-grant-tables the account file may be missing
    dir.check_parts(!options.skip_grants)?;
    if options.skip_grants && !dir.is_new && !dir.path.join(datadir::ACCOUNTS).exists() {
        let text = "The account file is missing: it is made anew with root@localhost alone, which has no password until you give it one";
        log::warning(10_453, text);
    }
    apply_persisted(&dir.path, &globals)?;
    crate::sizes::settle(&globals);
    if globals.bool(Var::core_file) {
        sys::process::allow_core();
    }
    crate::computed::names(&dir, &globals);
    crate::writable::check(&dir.path, &globals)?;
    open_error_log(&dir.path, &globals)?;
    crate::sizes::settle_files(&globals);
    datadir::fill_facts(&dir, &globals)?;
    for w in &options.warnings {
        // MySQL's numbers for what was out of range
        let code = match w {
            w if w.contains("': unsigned value ") => 81,
            w if w.contains("': signed value ") => 80,
            _ => 10_000,
        };
        log::warning(code, w);
    }
    let pid = std::process::id();
    log::system(10_116, &format!("evenkeel {VERSION} starting as process {pid}"));
    if dir.is_new {
        log::system(13_169, &format!("Creating data directory '{}'", dir.path.display()));
    }
    let tls = if options.tls { keys::tls(&dir.path, &globals) } else { None };
    let rsa = keys::rsa(&dir.path, &globals);
    let store = FileStore::new(dir.path.join(datadir::ACCOUNTS));
    let accounts = Arc::new(Accounts::open(Box::new(store)).map_err(|e| e.message().to_owned())?);
    if accounts.table().any_restricted() && !globals.bool(Var::partial_revokes) {
        // partial revokes that exist take effect whatever the option says
        log::warning(
            13_368,
            "At least one partial revoke exists on a database. Turning ON the system variable '@@partial_revokes'.",
        );
        globals.store(Var::partial_revokes, Raw::Num(1));
    }
    catalog::accounts::set_exact_names(globals.bool(Var::partial_revokes));
    crate::plugins::settle(options.native_password, &accounts);
    options.recorded.apply();
    if options.skip_grants {
        log::warning(
            10_000,
            "--skip-grant-tables: everybody who reaches the socket can do everything, until FLUSH PRIVILEGES",
        );
        accounts.skip_grants();
    }
    let addresses = addresses(&globals, &accounts)?;
    let admin = admin_address(&globals, &accounts)?;
    let socket = globals.string(Var::socket);
    let socket = (!socket.is_empty()).then(|| in_datadir(&dir.path, &socket));
    let bound = if initialize { None } else { Some(listen::bind(&addresses, admin, socket.as_deref())?) };
    let mut sockets = Vec::new();
    for (what, wanted) in [(Service::Metrics, &options.metrics), (Service::Page, &options.dashboard)] {
        let port = wanted.port.filter(|_| !initialize);
        sockets.extend(services::bind(what, &wanted.bind, port, &globals, |list| check_open(list, &accounts))?);
    }
    if let Some(s) = &socket {
        globals.store(Var::socket, Raw::Text(Some(s.to_string_lossy().as_ref().into())));
    }
    let connections = Arc::new(Connections::default());
    // a data directory that is being made has nothing to log
    let mut binary_log = options.binary_log;
    binary_log.on &= !initialize;
    let opening = notify::working(|| {
        let step = storage::recovery::progress::text();
        step.map_or_else(|| "Opening the data directory".to_owned(), |s| format!("Recovery: {s}"))
    });
    let engine = engine::open(EngineConfig {
        datadir: &dir.path,
        is_new: dir.is_new,
        globals: globals.clone(),
        accounts: accounts.clone(),
        connections: connections.clone(),
        binary_log: &binary_log,
    })?;
    settle_clone(&dir, &*engine, began);
    settle_system_tables(&globals, &connections, &*engine.sessions());
    // start scripts (docker-library's, Debian's) take this folder for the sign that the data directory is
    // initialized
    let _ = std::fs::create_dir(dir.path.join("mysql"));
    if initialize {
        let rounds = globals.num(Var::caching_sha2_password_digest_rounds) as u32;
        crate::initialize::set_password(&accounts, options.action == Action::InitializeInsecure, rounds)?;
    } else if dir.is_new {
        crate::initialize::tell_of_open_root(socket.as_ref().map(|s| s.to_string_lossy()).as_deref());
    }
    dir.complete()?;
    let Some(bound) = bound else {
        engine.shutdown()?;
        log::system(13_170, "Initialization is complete");
        return Ok(false);
    };
    if let Err(e) = crate::init_file::run(&globals, &dir.path, &connections, &*engine.sessions()) {
        let _ = engine.shutdown();
        return Err(e.into());
    }
    engine.start_events();
    drop(opening);
    keys::show(&connections.keys, &dir.path, &globals, tls.is_some(), rsa.as_ref());
    let server = Arc::new(WireServer {
        version: VERSION.to_owned(),
        globals: globals.clone(),
        accounts,
        connections: connections.clone(),
        factory: engine.sessions(),
        tls: RwLock::new(tls),
        rsa,
        passwords: PasswordCache::default(),
    });
    if options.tls {
        let (weak, folder) = (Arc::downgrade(&server), dir.path.clone());
        connections.on_reload_tls(Box::new(move |keep| {
            let Some(server) = weak.upgrade() else { return Ok(()) };
            let read = keys::tls_files(&folder, &server.globals).load().map_err(|e| e.to_string());
            if read.is_ok() || !keep {
                *server.tls.write() = read.as_ref().ok().cloned();
                server.connections.keys.set_validity(keys::tls_files(&folder, &server.globals).validity());
            }
            read.map(|_| ())
        }));
    }
    let pid_path = in_datadir(&dir.path, &globals.string(Var::pid_file));
    let pid_file = PidFile::create(&pid_path).map_err(|e| format!("cannot write '{}': {e}", pid_path.display()))?;
    let mut listeners = listen::start(bound, &server)?;
    let mut services = Services::start(sockets, &server)?;
    globals.store(Var::port, Raw::Num(u64::from(listeners.port())));
    if let Some(port) = listeners.admin_port() {
        globals.store(Var::admin_port, Raw::Num(u64::from(port)));
        let address = globals.string(Var::admin_address);
        log::system(13_292, &format!("Admin interface ready for connections, address: '{address}'  port: {port}"));
    }
    log::system(
        10_931,
        &format!(
            "evenkeel: ready for connections. Version: '{VERSION}'  socket: '{}'  port: {}  {VERSION_COMMENT}.",
            globals.string(Var::socket),
            listeners.port()
        ),
    );
    sys::daemon::ready();
    notify::ready(&format!("Ready for connections, port {}", listeners.port()));
    wait_for_end(&signals, &*engine);
    notify::stopping();
    let closing = notify::working(|| "Shutting down: waiting for sessions, writing pages".to_owned());
    services.stop();
    shut_down(&mut listeners, &connections, &*engine)?;
    drop(closing);
    drop(pid_file);
    log::system(10_910, &format!("evenkeel: Shutdown complete (evenkeel {VERSION})"));
    Ok(engine.restarts())
}

/// The data is open. If a clone has just taken its place, the old data goes.
fn settle_clone(dir: &datadir::DataDir, engine: &dyn Engine, began: u64) {
    let Some((kept, now)) = &dir.cloned else { return };
    let status = engine.resume_clone(kept, now.then_some(began));
    if *now {
        log::system(10_000, "Opened the data that CLONE INSTANCE has brought");
        if let Err(e) = backup::replace::finish(&dir.path, &status) {
            log::warning(10_000, &format!("Cannot remove what CLONE INSTANCE has replaced: {e}"));
        }
    }
}

/// The tables of the schema mysql are there, and named time zones known. A read-only server goes without.
pub(crate) fn settle_system_tables(
    globals: &GlobalVars,
    connections: &Connections,
    sessions: &dyn catalog::client::SessionFactory,
) {
    let found = crate::time_zones::load(globals, connections, sessions).or_else(|_| {
        crate::system_tables::create(globals, connections, sessions)?;
        crate::time_zones::load(globals, connections, sessions)
    });
    match found {
        Ok(0) => {}
        Ok(n) => log::note(0, 10_000, &format!("{n} time zones come from mysql.time_zone")),
        Err(e) => log::warning(10_000, &format!("Cannot use the tables of the schema mysql: {}", e.message())),
    }
    if let Err(e) = crate::system_tables::create_sys_config(globals, connections, sessions) {
        log::warning(10_000, &format!("Cannot make the table sys.sys_config: {}", e.message()));
    }
}

/// What SET PERSIST kept comes behind all options. A file that cannot be read stops the start.
pub(crate) fn apply_persisted(dir: &Path, globals: &GlobalVars) -> Result<(), String> {
    if !globals.bool(Var::persisted_globals_load) {
        return Ok(());
    }
    globals.persisted.open(dir)?;
    for (name, e) in globals.persisted.all() {
        let Some(v) = Var::by_name(&name) else {
            log::warning(
                10_000,
                &format!("Currently unknown variable '{name}' was read from the persisted config file"),
            );
            continue;
        };
        let raw = match (v.def().kind, e.value.as_str()) {
            (catalog::sysvar::Kind::Str(true), "NULL") => Raw::Text(None),
            (_, text) => catalog::sysvar::from_option(v.def(), text)?,
        };
        globals.store(v, raw);
        let path = dir.join(catalog::sysvar::PERSIST_FILE).to_string_lossy().into_owned();
        globals.note(v, Origin { source: "PERSISTED", path, time_us: e.timestamp, user: e.user, host: e.host });
    }
    Ok(())
}

fn open_error_log(dir: &Path, globals: &GlobalVars) -> Result<(), String> {
    let name = globals.string(Var::log_error);
    if name.is_empty() || name == "stderr" {
        return Ok(());
    }
    let path = dir.join(name);
    log::to_file(&path).map_err(|e| format!("cannot open error log '{}': {e}", path.display()))
}

/// Where to listen; refuses to be reachable from elsewhere while an account has no password.
fn addresses(globals: &GlobalVars, accounts: &Accounts) -> Result<Vec<SocketAddr>, String> {
    let port = globals.num(Var::port) as u16;
    if globals.bool(Var::skip_networking) {
        return Ok(Vec::new());
    }
    let list = listen_addresses(&globals.string(Var::bind_address), port)?;
    check_open(&list, accounts)?;
    Ok(list)
}

/// Where to listen for administrators: one address, no wildcard.
fn admin_address(globals: &GlobalVars, accounts: &Accounts) -> Result<Option<SocketAddr>, String> {
    let Some(text) = globals.text(Var::admin_address).filter(|_| !globals.bool(Var::skip_networking)) else {
        return Ok(None);
    };
    let list = listen_addresses(&text, globals.num(Var::admin_port) as u16)?;
    let [address] = list.as_slice() else {
        return Err(format!("admin-address: '{text}' is not one IP address"));
    };
    if address.ip().is_unspecified() {
        return Err(format!("admin-address: '{text}' stands for all addresses, which is not allowed"));
    }
    check_open(&list, accounts)?;
    Ok(Some(*address))
}

fn check_open(list: &[SocketAddr], accounts: &Accounts) -> Result<(), String> {
    let beyond = list.iter().find(|a| !a.ip().to_canonical().is_loopback());
    if let (Some(a), Some(open)) = (beyond, accounts.open_to_the_world()) {
        return Err(format!(
            "Refusing to listen on {}: account {} has no password and could be used from other machines. Give it a password \
             (ALTER USER ... IDENTIFIED BY), drop it, or use --bind-address=127.0.0.1",
            a.ip(),
            open.quoted()
        ));
    }
    Ok(())
}

/// Until SIGTERM, SIGQUIT (or SQL's SHUTDOWN, which raises SIGTERM), or Ctrl-C at a terminal: mysqld ignores SIGINT, and so does a server that runs
/// without one. SIGHUP and SIGUSR1 are FLUSH statements without a client (manual, "Unix Signal Handling in MySQL").
fn wait_for_end(signals: &Signals, engine: &dyn Engine) {
    loop {
        match signals.wait(None) {
            Some(Signal::Hangup) => engine.flush(true),
            Some(Signal::User1) => engine.flush(false),
            Some(Signal::Interrupt) if !sys::signal::is_at_terminal() => {}
            Some(Signal::Terminate | Signal::Quit | Signal::Interrupt) => {
                let by = sys::signal::asked_by().unwrap_or("<via user signal>");
                log::system(
                    13_172,
                    &format!("Received SHUTDOWN from user {by}. Shutting down evenkeel (Version: {VERSION})."),
                );
                return;
            }
            None => {}
        }
    }
}

fn shut_down(listeners: &mut Listeners, connections: &Connections, engine: &dyn Engine) -> Result<(), String> {
    engine.stop();
    listeners.stop();
    let until = Instant::now() + SESSION_GRACE;
    while !connections.is_empty() && Instant::now() < until {
        for c in connections.all() {
            c.kill(Kill::Connection);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    for c in connections.all() {
        log::warning(10_909, &format!("Forcing close of thread {}  user: '{}'.", c.id(), c.who().user));
    }
    engine.shutdown()
}
