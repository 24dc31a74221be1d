//! The two threads and the statements about them.
//!
//! Statements are done one after the other, under the mutex `turn`, which is held while threads begin and end. What
//! threads and SHOW REPLICA STATUS share has mutexes of its own, held for moments. Tested:
//! `tests/binlog/test_replica.py`.

use crate::filters::Filters;
use crate::relay::{Position, Relay};
use crate::settings::Settings;
use crate::thread::Thread;
use crate::{applier, reader, receiver, state, status, tables};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::GtidSet;
use catalog::sysvar::{GlobalVars, Raw, Var};
use parking_lot::{Condvar, Mutex};
use session::replica::{Donor, EachBlock, EachEvent, Given, Replication, Setting, Shown, SourceWait, Threads};
use session::{ApplierSession, Server};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// How long SOURCE_POS_WAIT waits before it looks around.
const LOOK: Duration = Duration::from_millis(100);

/// START REPLICA UNTIL.
#[derive(Clone, Default, PartialEq, Debug)]
pub enum Until {
    #[default]
    None,
    /// Before the first transaction of these.
    Before(GtidSet),
    /// When all of these are executed.
    After(GtidSet),
    /// When the source's log is applied up to there.
    Source(Position),
    /// When all of the relay log is applied: a restore ([`crate::replay`]).
    Received,
    /// When nothing is missing before the last transaction that is applied.
    NoGaps,
}

/// What threads and statements share.
pub struct Shared {
    server: Weak<Server>,
    pub globals: Arc<GlobalVars>,
    pub relay: Relay,
    pub receiver: Arc<Thread>,
    pub applier: Arc<Thread>,
    /// The applier's workers, also when they have ended.
    pub workers: Mutex<Vec<Arc<Thread>>>,
    pub settings: Mutex<Option<Settings>>,
    /// Up to where the source's log is applied.
    pub applied: Mutex<Position>,
    /// `server_id` and `server_uuid` of the source.
    pub source: Mutex<(u64, String)>,
    pub until: Mutex<Until>,
    pub filters: Mutex<Arc<Filters>>,
    /// `applied` has changed.
    moved: Condvar,
}

impl Shared {
    pub fn source_is(&self, id: u64, uuid: String) {
        *self.source.lock() = (id, uuid);
    }

    /// The source's log is applied up to there.
    pub fn applied_to(&self, at: Position) {
        *self.applied.lock() = at;
        self.moved.notify_all();
    }

    /// `gtid_executed`
    pub fn executed(&self) -> GtidSet {
        let log = self.server.upgrade().and_then(|s| s.binary_log());
        log.map(|l| l.gtid_executed()).unwrap_or_default()
    }

    /// Where the source's log is read on without GTIDs.
    pub fn receive_from(&self, s: &Settings) -> Position {
        let whole = self.relay.whole_to();
        if !whole.file.is_empty() {
            return whole;
        }
        let applied = self.applied.lock().clone();
        match applied.file.is_empty() {
            true => Position { file: s.log_file.clone(), offset: s.log_pos },
            false => applied,
        }
    }

    pub fn server(&self) -> SqlResult<Arc<Server>> {
        self.server.upgrade().ok_or_else(|| SqlError::new(ErrorCode::SERVER_SHUTDOWN, &[]))
    }
}

/// See the module.
pub struct Replica {
    pub(crate) x: Arc<Shared>,
    pub(crate) turn: Mutex<()>,
}

fn channel(code: ErrorCode) -> SqlError {
    SqlError::new(code, &[&""])
}

impl Replica {
    /// Made at the start of the server, before its first session. `filters`: options such as `replicate-do-db`, and
    /// their values.
    ///
    /// # Errors
    /// Of the relay log's files.
    pub fn open(
        server: &Arc<Server>,
        datadir: &Path,
        globals: &Arc<GlobalVars>,
        filters: &[(String, String)],
    ) -> std::io::Result<Arc<Replica>> {
        let given = globals.string(Var::relay_log).to_string();
        let name = if given.is_empty() { format!("{}-relay-bin", globals.string(Var::hostname)) } else { given };
        let version = globals.string(Var::version).to_string();
        let anew = globals.bool(Var::relay_log_recovery);
        let text = |t: String| Raw::Text(Some(t.into()));
        globals.store(Var::relay_log_basename, text(datadir.join(&name).to_string_lossy().into_owned()));
        let index = datadir.join(format!("{name}.index"));
        globals.store(Var::relay_log_index, text(index.to_string_lossy().into_owned()));
        let relay = Relay::open(datadir.to_owned(), name, version, anew)?;
        let x = Shared {
            server: Arc::downgrade(server),
            globals: globals.clone(),
            relay,
            receiver: Arc::default(),
            applier: Arc::default(),
            workers: Mutex::default(),
            settings: Mutex::default(),
            applied: Mutex::default(),
            source: Mutex::default(),
            until: Mutex::default(),
            filters: Mutex::new(Arc::new(Filters::of_options(filters))),
            moved: Condvar::new(),
        };
        Ok(Arc::new(Replica { x: Arc::new(x), turn: Mutex::default() }))
    }

    /// Reads what there was before the server's start, and starts the threads (unless `skip_replica_start`).
    pub fn begin(&self) {
        let found = self.session(state::load).ok().flatten();
        let Some((settings, at)) = found else { return };
        *self.x.settings.lock() = Some(settings);
        *self.x.applied.lock() = at;
        if !self.x.globals.bool(Var::skip_replica_start) {
            let both = Threads { receiver: true, applier: true };
            if let Err(e) = self.start(both, &[], &[]) {
                probe::errorlog::say("Error", "Repl", u32::from(e.code()), e.message());
            }
        }
    }

    /// Ends the threads: the server stops.
    pub fn shut_down(&self) {
        let _turn = self.turn.lock();
        self.x.receiver.end(&self.x.relay);
        self.x.applier.end(&self.x.relay);
    }

    pub(crate) fn session<R>(&self, f: impl FnOnce(&mut ApplierSession) -> R) -> SqlResult<R> {
        self.x.server()?.with_applier("replica_state", f)
    }

    fn configured(&self) -> SqlResult<Settings> {
        let s = self.x.settings.lock().clone();
        s.filter(|s| !s.host.is_empty()).ok_or_else(|| SqlError::new(ErrorCode::BAD_REPLICA, &[]))
    }

    fn start_receiver(&self, s: Settings) -> SqlResult<()> {
        let x = self.x.clone();
        self.x.receiver.clear_error();
        let started = self.x.receiver.start("replica_io", move || receiver::run(&x, &s));
        started.map_err(|e| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("replica_io: {e}")))
    }

    fn start_applier(&self, s: Settings) -> SqlResult<()> {
        let (x, server) = (self.x.clone(), self.x.server()?);
        self.x.applier.clear_error();
        let started = self.x.applier.start("replica_sql", move || applier::run(&x, &server, &s));
        started.map_err(|e| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("replica_sql: {e}")))
    }
}

/// START REPLICA UNTIL.
fn until(given: &[Given]) -> SqlResult<Until> {
    let (mut file, mut offset, mut out) = (None, None, Until::None);
    for (name, v) in given {
        match (*name, v) {
            ("SQL_BEFORE_GTIDS" | "SQL_AFTER_GTIDS", Setting::Text(t)) => {
                let set = GtidSet::parse(t)
                    .ok_or_else(|| SqlError::new(ErrorCode::MALFORMED_GTID_SET_SPECIFICATION, &[t]))?;
                out = if *name == "SQL_BEFORE_GTIDS" { Until::Before(set) } else { Until::After(set) };
            }
            ("SQL_AFTER_MTS_GAPS", _) => out = Until::NoGaps,
            ("SOURCE_LOG_FILE", Setting::Text(t)) => file = Some(t.clone()),
            ("SOURCE_LOG_POS", Setting::Number(n)) => offset = n.parse().ok(),
            _ => return Err(SqlError::unsupported(format!("START REPLICA UNTIL {name}"))),
        }
    }
    if let (Some(file), Some(offset)) = (file, offset) {
        out = Until::Source(Position { file, offset });
    }
    Ok(out)
}

impl Replication for Replica {
    fn donate(&self, donor: &Donor, request: &[u8], each: &mut EachBlock<'_>) -> SqlResult<()> {
        crate::donor::donate(donor, request, each)
    }

    fn change(&self, options: &[Given]) -> SqlResult<Vec<SqlError>> {
        let _turn = self.turn.lock();
        let old = self.x.settings.lock().clone().unwrap_or_default();
        let new = old.changed(options)?;
        let runs = |t: &Thread| t.runs();
        match (runs(&self.x.receiver), runs(&self.x.applier)) {
            (false, false) => {}
            (true, false) => return Err(channel(ErrorCode::REPLICA_CHANNEL_IO_THREAD_MUST_STOP)),
            _ => return Err(channel(ErrorCode::REPLICA_CHANNEL_MUST_STOP)),
        }
        if new.auto_position && self.x.globals.num(Var::gtid_mode) == 0 {
            return Err(SqlError::new(ErrorCode::AUTO_POSITION_REQUIRES_GTID_MODE_NOT_OFF, &[]));
        }
        let says = |n: &str| options.iter().any(|(name, _)| *name == n);
        let mut at = self.x.applied.lock().clone();
        let moved = says("SOURCE_LOG_FILE") || says("SOURCE_LOG_POS") || (&new.host, new.port) != (&old.host, old.port);
        if moved {
            self.x.server()?.accounts.forget_mark()?;
        }
        if moved || new.auto_position {
            at = match new.log_file.is_empty() || new.auto_position {
                true => Position::default(),
                false => Position { file: new.log_file.clone(), offset: new.log_pos },
            };
        }
        self.session(|s| state::store(s, &new, &at))??;
        // what was received and not applied is received again
        let io = |e: std::io::Error| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("relay log: {e}"));
        self.x.relay.reset().map_err(io)?;
        *self.x.applied.lock() = at;
        let plain = !new.ssl && says("SOURCE_PASSWORD");
        *self.x.settings.lock() = Some(new);
        let mut notes = Vec::new();
        if plain {
            notes.push(SqlError::new(ErrorCode::INSECURE_PLAIN_TEXT, &[]));
        }
        if says("SOURCE_USER") || says("SOURCE_PASSWORD") {
            notes.push(SqlError::new(ErrorCode::INSECURE_CHANGE_SOURCE, &[]));
        }
        Ok(notes)
    }

    fn start(&self, threads: Threads, given: &[Given], login: &[Given]) -> SqlResult<Vec<SqlError>> {
        let _turn = self.turn.lock();
        if self.x.globals.num(Var::server_id) == 0 {
            return Err(SqlError::new(ErrorCode::REPLICA_CONFIGURATION, &[]));
        }
        let mut s = self.configured()?;
        if s.auto_position && self.x.server()?.binary_log().is_none() {
            return Err(SqlError::unsupported("SOURCE_AUTO_POSITION without log_bin"));
        }
        if !self.x.globals.bool(Var::log_replica_updates) {
            return Err(SqlError::unsupported("log_replica_updates = OFF"));
        }
        // one position cannot say which of those behind it are applied
        let workers = self.x.globals.num(Var::replica_parallel_workers);
        if !s.auto_position && workers > 1 && !self.x.globals.bool(Var::replica_preserve_commit_order) {
            let what = "replica_preserve_commit_order = OFF with several workers and without SOURCE_AUTO_POSITION";
            return Err(SqlError::unsupported(what));
        }
        for (name, v) in login {
            match (*name, v) {
                ("USER", Setting::Text(t)) => s.user = t.clone(),
                ("PASSWORD", Setting::Text(t)) => s.password = t.clone(),
                _ => return Err(SqlError::unsupported(format!("START REPLICA {name}"))),
            }
        }
        let end = until(given)?;
        let already = |wanted: bool, t: &Thread| !wanted || t.runs();
        if already(threads.receiver, &self.x.receiver) && already(threads.applier, &self.x.applier) {
            return Ok(vec![channel(ErrorCode::REPLICA_CHANNEL_WAS_RUNNING)]);
        }
        if threads.applier && !self.x.applier.runs() {
            *self.x.until.lock() = end;
            self.start_applier(s.clone())?;
        }
        if threads.receiver && !self.x.receiver.runs() {
            self.start_receiver(s)?;
        }
        Ok(Vec::new())
    }

    fn stop(&self, threads: Threads) -> SqlResult<Vec<SqlError>> {
        let _turn = self.turn.lock();
        // a server without a source has the same threads, and they do not run: MySQL answers with a note, too
        let stopped = |wanted: bool, t: &Thread| !wanted || !t.runs();
        if stopped(threads.receiver, &self.x.receiver) && stopped(threads.applier, &self.x.applier) {
            return Ok(vec![channel(ErrorCode::REPLICA_CHANNEL_WAS_NOT_RUNNING)]);
        }
        if threads.receiver {
            self.x.receiver.end(&self.x.relay);
        }
        if threads.applier {
            self.x.applier.end(&self.x.relay);
        }
        Ok(Vec::new())
    }

    fn reset(&self, all: bool) -> SqlResult<()> {
        let _turn = self.turn.lock();
        if self.x.receiver.runs() || self.x.applier.runs() {
            return Err(channel(ErrorCode::REPLICA_CHANNEL_MUST_STOP));
        }
        let Some(mut s) = self.x.settings.lock().clone() else { return Ok(()) };
        if !s.auto_position {
            self.x.server()?.accounts.forget_mark()?;
        }
        let io = |e: std::io::Error| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("relay log: {e}"));
        if all {
            self.session(state::forget)??;
            *self.x.settings.lock() = None;
        } else {
            (s.log_file, s.log_pos) = (String::new(), 4);
            self.session(|session| state::store(session, &s, &Position::default()))??;
            *self.x.settings.lock() = Some(s);
        }
        *self.x.applied.lock() = Position::default();
        self.x.receiver.clear_error();
        self.x.applier.clear_error();
        self.x.workers.lock().clear();
        self.x.relay.reset().map_err(io)
    }

    fn filter(&self, rules: &[(&'static str, Vec<String>)]) -> SqlResult<()> {
        let _turn = self.turn.lock();
        if self.x.applier.runs() {
            return Err(channel(ErrorCode::REPLICA_CHANNEL_SQL_THREAD_MUST_STOP));
        }
        let mut filters = self.x.filters.lock();
        *filters = Arc::new(filters.changed(rules)?);
        Ok(())
    }

    fn relay_events(&self, file: &str, each: &mut EachEvent<'_>) -> SqlResult<Option<String>> {
        reader::events(&self.x.relay, file, each)
    }

    fn status_variables(&self) -> Vec<(&'static str, String)> {
        let on = self.x.receiver.semi_sync.load(Ordering::Acquire);
        vec![("Rpl_semi_sync_replica_status", if on { "ON" } else { "OFF" }.to_owned())]
    }

    fn status(&self) -> Option<Vec<(&'static str, Shown)>> {
        let s = self.x.settings.lock().clone()?;
        Some(status::rows(&self.x, &s))
    }
}

impl views::ToldTables for Replica {
    fn rows(&self, table: &str) -> Vec<views::ToldRow> {
        let s = self.x.settings.lock().clone();
        tables::rows(&self.x, s.as_ref(), table)
    }
}

impl SourceWait for Replica {
    fn wait(&self, (file, offset): (&str, i64), deadline: Option<Instant>, stop: &dyn Fn() -> bool) -> Option<i64> {
        // a name without a number is no file of a log
        let number = file.rsplit_once('.')?.1;
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let wanted = Position { file: file.to_owned(), offset: offset.max(0) as u64 };
        let mut moves = 0;
        let mut applied = self.x.applied.lock();
        loop {
            if !self.x.applier.runs() || stop() {
                return None;
            }
            if !applied.file.is_empty() && !applied.is_before(&wanted) {
                return Some(moves);
            }
            if deadline.is_some_and(|d| d <= Instant::now()) {
                return Some(-1);
            }
            let look = Instant::now() + LOOK;
            let moved = !self.x.moved.wait_until(&mut applied, deadline.map_or(look, |d| d.min(look))).timed_out();
            moves += i64::from(moved);
        }
    }
}
