//! [`Shared`]: one channel, as its threads, the statements about it and the views see it. Channels have nothing in
//! common but the engine: each has a source, a relay log, threads, a position and filters of its own.
//!
//! Each part has a mutex that is held for moments; none is taken under another here, except that of `moved` with its
//! position. Crash: settings and position are in the engine ([`crate::state`]), the relay log is a cache, the rest is
//! gone. Tested: `tests/binlog/test_replica.py`, `tests/binlog/test_replica_channels.py`.

use crate::filters::Filters;
use crate::relay::{At, Position, Relay};
use crate::settings::Settings;
use crate::thread::Thread;
use crate::{applier, receiver};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::GtidSet;
use catalog::sysvar::{GlobalVars, Var};
use parking_lot::{Condvar, Mutex};
use session::Server;
use std::sync::atomic::AtomicU64;
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
    /// When the relay log is applied up to there: a file's name and number, and the place in it.
    Relay(String, At),
    /// When all of the relay log is applied: a restore ([`crate::replay`]).
    Received,
    /// When nothing is missing before the last transaction that is applied.
    NoGaps,
}

/// See the module.
pub struct Shared {
    /// Its name; that of the channel that needs none is empty.
    pub channel: Arc<str>,
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
    /// Up to where the relay log is applied.
    pub applied_relay: Mutex<At>,
    /// `server_id` and `server_uuid` of the source.
    pub source: Mutex<(u64, String)>,
    pub until: Mutex<Until>,
    pub filters: Mutex<Arc<Filters>>,
    /// Events that the applier still passes over (`sql_replica_skip_counter`).
    pub skip: AtomicU64,
    /// Temporary tables that the applier has (`Replica_open_temp_tables`).
    pub temp_tables: AtomicU64,
    /// `applied` has changed.
    moved: Condvar,
}

impl Shared {
    pub fn new(
        channel: &str,
        (server, globals): (Weak<Server>, Arc<GlobalVars>),
        relay: Relay,
        filters: Filters,
    ) -> Shared {
        let channel: Arc<str> = channel.into();
        Shared {
            server,
            globals,
            relay,
            receiver: Arc::new(Thread::of(&channel)),
            applier: Arc::new(Thread::of(&channel)),
            workers: Mutex::default(),
            settings: Mutex::default(),
            applied: Mutex::default(),
            applied_relay: Mutex::default(),
            source: Mutex::default(),
            until: Mutex::default(),
            filters: Mutex::new(Arc::new(filters)),
            skip: AtomicU64::new(0),
            temp_tables: AtomicU64::new(0),
            moved: Condvar::new(),
            channel,
        }
    }

    /// An error or a note that names the channel and nothing else.
    pub fn says(&self, code: ErrorCode) -> SqlError {
        SqlError::new(code, &[&self.channel])
    }

    pub fn source_is(&self, id: u64, uuid: String) {
        *self.source.lock() = (id, uuid);
    }

    /// Both logs are applied up to there.
    pub fn applied_to(&self, at: Position, relay: At) {
        *self.applied_relay.lock() = relay;
        *self.applied.lock() = at;
        self.moved.notify_all();
    }

    /// The file of the relay log up to which it is applied, and the place there.
    pub fn applied_in_relay(&self) -> (String, u64) {
        let at = (*self.applied_relay.lock()).max(self.relay.first());
        (self.relay.file_name(at.number), at.offset)
    }

    /// `gtid_executed`
    pub fn executed(&self) -> GtidSet {
        let log = self.server.upgrade().and_then(|s| s.binary_log());
        log.map(|l| l.gtid_executed()).unwrap_or_default()
    }

    /// `server_uuid`
    pub fn own_uuid(&self) -> String {
        self.globals.string(Var::server_uuid).to_string()
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

    /// The settings, with the file and the position that are read now: what CHANGE REPLICATION SOURCE TO means where it
    /// names one of them only.
    pub fn where_it_reads(&self, s: &Settings) -> Settings {
        let (read, applied) = (self.relay.read_to(), self.applied.lock().clone());
        match [read, applied].into_iter().find(|p| !p.file.is_empty()) {
            Some(p) if !s.auto_position => Settings { log_file: p.file, log_pos: p.offset, ..s.clone() },
            _ => s.clone(),
        }
    }

    pub fn server(&self) -> SqlResult<Arc<Server>> {
        self.server.upgrade().ok_or_else(|| SqlError::new(ErrorCode::SERVER_SHUTDOWN, &[]))
    }

    /// Its settings, if they name a source.
    pub fn configured(&self) -> Option<Settings> {
        self.settings.lock().clone().filter(|s| !s.host.is_empty())
    }

    /// Whether a thread runs.
    pub fn runs(&self) -> bool {
        self.receiver.runs() || self.applier.runs()
    }

    pub fn start_receiver(self: &Arc<Self>, s: Settings) -> SqlResult<()> {
        let x = self.clone();
        self.receiver.clear_error();
        let started = self.receiver.start("replica_io", move || receiver::run(&x, &s));
        started.map_err(|e| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("replica_io: {e}")))
    }

    pub fn start_applier(self: &Arc<Self>, s: Settings) -> SqlResult<()> {
        let (x, server) = (self.clone(), self.server()?);
        self.applier.clear_error();
        self.applier.progress.forget();
        let started = self.applier.start("replica_sql", move || applier::run(&x, &server, &s));
        started.map_err(|e| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("replica_sql: {e}")))
    }

    /// What was received is thrown away.
    pub fn forget_received(&self) -> SqlResult<()> {
        *self.applied_relay.lock() = At::default();
        self.receiver.progress.forget();
        let io = |e| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("relay log: {e}"));
        self.relay.reset().map_err(io)
    }

    /// SOURCE_POS_WAIT: the times that the position moved, -1 when the time is over; `None`: nothing is applied.
    pub fn wait_applied(&self, wanted: &Position, deadline: Option<Instant>, stop: &dyn Fn() -> bool) -> Option<i64> {
        let mut moves = 0;
        let mut applied = self.applied.lock();
        loop {
            if !self.applier.runs() || stop() {
                return None;
            }
            if !applied.file.is_empty() && !applied.is_before(wanted) {
                return Some(moves);
            }
            if deadline.is_some_and(|d| d <= Instant::now()) {
                return Some(-1);
            }
            let look = Instant::now() + LOOK;
            let moved = !self.moved.wait_until(&mut applied, deadline.map_or(look, |d| d.min(look))).timed_out();
            moves += i64::from(moved);
        }
    }
}
