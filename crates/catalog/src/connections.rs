//! The registry of connections: SHOW PROCESSLIST, KILL, max_connections.
//!
//! One [`Connection`] per client, shared by its own thread (which writes what the process list shows) and by others (which read it
//! or kill it). Nothing here is written by two connections on the statement path: state is in the connection's own line, its short
//! mutexes are taken by the owner without contention. Lock order: registry shard, then a connection's mutexes; no lock is held
//! while a waker runs except the waker's own.
//!
//! Killing: [`Connection::kill`] sets the flag, then calls the waker that a waiting session has installed (row lock, metadata lock, SLEEP())
//! and, for KILL CONNECTION, the socket closer. Sessions poll [`Connection::killed`] at safe points: error 1317 for a query, and after
//! it `wire` ends the connection if the kill was for the connection.

use crate::client::Command;
use base::{ErrorCode, SqlError, SqlResult};
use parking_lot::{Mutex, RwLock};
use parser::secrets::{Kept, Shown};
use probe::statements::{Activity, Stats};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use sys::clock::now_ns;

/// Bytes of a statement's text that the process list keeps.
const INFO_LIMIT: usize = 64 * 1024;

/// What a connection has been told by KILL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kill {
    /// Go on.
    No = 0,
    /// End the running statement (1317).
    Query = 1,
    /// End the connection.
    Connection = 2,
}

/// Called from another thread when the connection is killed; must not block.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// What performance_schema shows of a session's variables. Called by other threads.
pub trait SessionValues: Send + Sync {
    /// User variables and their values as text; `None`: NULL.
    fn user_variables(&self) -> Vec<(String, Option<Vec<u8>>)>;
    /// System variables.
    fn variables(&self) -> crate::sysvar::SessionVars;
}

/// One client's entry.
pub struct Connection {
    id: u64,
    kill: AtomicU8,
    command: AtomicU8,
    /// Milliseconds since `epoch` at which the current command (or sleep) began.
    since_ms: AtomicU64,
    /// Of `sys::clock::now_ns`.
    epoch_ns: u64,
    /// `wait_timeout`-like settings may be changed by the session only; the transaction's id is for views.
    trx_id: AtomicU64,
    info: Mutex<Vec<u8>>,
    who: Mutex<Who>,
    waker: Mutex<Option<Waker>>,
    closer: Mutex<Option<Waker>>,
    /// Whether this connection used the slot reserved for administrators.
    privileged: AtomicBool,
    /// It came in by the administrative interface (`admin_address`).
    administrative: AtomicBool,
    /// Its account has SYSTEM_USER, by itself or by its active roles.
    system_user: AtomicBool,
    /// Bytes from and to the client so far; written by the connection's own thread after every command.
    bytes: [AtomicU64; 2],
    /// What the client says of itself (name, value), in the order of the handshake.
    attributes: Mutex<Vec<(String, String)>>,
    /// What the session does, for performance_schema; written by the session.
    pub activity: Activity,
    /// The session as `sched` sees it (status counters, waits), once it is open.
    pub sched: Mutex<Option<Arc<sched::Session>>>,
    /// Who tells the values of its variables, once it is open.
    pub values: Mutex<Option<Arc<dyn SessionValues>>>,
    /// TCP/IP, SSL/TLS or Socket.
    pub transport: Mutex<&'static str>,
    /// Protocol and cipher of TLS.
    pub tls: Mutex<Option<(String, String)>>,
    /// What serves it: the name in table threads.
    pub thread: Mutex<&'static str>,
    /// Its prepared statements.
    pub prepared: Mutex<BTreeMap<u32, Arc<PreparedInstance>>>,
}

/// A prepared statement as performance_schema shows it.
pub struct PreparedInstance {
    /// Name, for one of SQL's PREPARE.
    pub name: Mutex<Option<String>>,
    /// Text.
    pub text: Kept,
    /// [`Activity::event`] of the statement that made it.
    pub event: u64,
    /// How long making it took, ns.
    pub prepare_ns: u64,
    /// Plans made anew.
    pub reprepared: AtomicU64,
    /// Its executions; written by the session.
    pub stats: Stats,
}

/// Names shown in the process list.
#[derive(Clone, Default, Debug)]
pub struct Who {
    /// User name; `unauthenticated user` during the handshake.
    pub user: String,
    /// `host:port`, or `localhost`.
    pub host: String,
    /// Default database.
    pub db: Option<String>,
}

/// A row of the process list.
#[derive(Clone, Debug)]
pub struct ProcessRow {
    /// Connection id.
    pub id: u64,
    /// Names.
    pub who: Who,
    /// Command.
    pub command: &'static str,
    /// Seconds in this state.
    pub time_s: u64,
    /// State text; empty = none.
    pub state: &'static str,
    /// Statement text, if one runs.
    pub info: Option<Vec<u8>>,
    /// Transaction id or 0.
    pub trx_id: u64,
}

impl Connection {
    /// What a command touches: the entry, and where the text of a short statement is kept.
    pub fn lines(&self, to: &mut sys::prefetch::Lines) {
        to.add(self);
        let info = self.info.lock();
        to.add_range(info.as_ptr().addr(), info.capacity().min(64));
        self.activity.recorder.lines(to);
    }

    /// Bytes received from the client and sent to it (status Bytes_received, Bytes_sent).
    pub fn bytes(&self) -> [u64; 2] {
        [0, 1].map(|i: usize| self.bytes.get(i).map_or(0, |b| b.load(Ordering::Relaxed)))
    }

    /// Sets both counts.
    pub fn set_bytes(&self, received: u64, sent: u64) {
        self.bytes.iter().zip([received, sent]).for_each(|(slot, n)| slot.store(n, Ordering::Relaxed));
    }

    /// Connection attributes of the handshake.
    pub fn attributes(&self) -> Vec<(String, String)> {
        self.attributes.lock().clone()
    }

    /// Takes them over from the handshake or from COM_CHANGE_USER: as many as fit into `limit` bytes
    /// (`performance_schema_session_connect_attrs_size`, -1: 512), and `_truncated` with the number of bytes that do not.
    pub fn set_attributes(&self, attributes: &[(String, String)], limit: i64) {
        let limit = usize::try_from(limit).unwrap_or(512);
        let (kept, all, lost) = fit_attributes(attributes, limit);
        probe::Gauge::ConnectAttrsLongest.raise(all as i64);
        if lost > 0 {
            probe::inc(probe::Counter::ConnectAttrsLost);
        }
        *self.attributes.lock() = kept;
    }

    /// CONNECTION_ID().
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What has been asked by KILL. One relaxed load: cheap enough for every few rows.
    #[inline]
    pub fn killed(&self) -> Kill {
        match self.kill.load(Ordering::Relaxed) {
            0 => Kill::No,
            1 => Kill::Query,
            _ => Kill::Connection,
        }
    }

    /// `Err(1317)` when the statement has to end.
    #[inline]
    pub fn check_killed(&self) -> SqlResult<()> {
        if self.kill.load(Ordering::Relaxed) == 0 {
            Ok(())
        } else {
            Err(SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[]))
        }
    }

    /// KILL QUERY / KILL CONNECTION.
    pub fn kill(&self, how: Kill) {
        self.kill.fetch_max(how as u8, Ordering::SeqCst);
        let waker = self.waker.lock().clone();
        if let Some(w) = waker {
            w();
        }
        if how == Kill::Connection
            && let Some(c) = self.closer.lock().clone()
        {
            c();
        }
    }

    /// The connection's own wish to end: once the running command has been answered (COMMIT RELEASE, SHUTDOWN). Unlike after
    /// [`Connection::kill`] the answer still reaches the client.
    pub fn end_after_answer(&self) {
        self.kill.fetch_max(Kill::Connection as u8, Ordering::SeqCst);
    }

    /// A session that is about to wait installs how to wake it, and removes it (`None`) afterwards. It must look at
    /// [`Connection::killed`] after installing, before waiting.
    pub fn set_waker(&self, waker: Option<Waker>) {
        *self.waker.lock() = waker;
    }

    /// How to interrupt a thread blocked in reading from the client. Set by `server`.
    pub fn set_closer(&self, closer: Option<Waker>) {
        *self.closer.lock() = closer;
    }

    /// A command starts: forgets a KILL QUERY that came too late, notes the command. What of its text may be seen the session knows
    /// ([`Connection::set_text`]).
    pub fn begin_command(&self, command: Command) {
        let _ = self.kill.compare_exchange(Kill::Query as u8, Kill::No as u8, Ordering::SeqCst, Ordering::Relaxed);
        let now = now_ns();
        self.activity.command_ns.store(now, Ordering::Relaxed);
        self.touch(command, now);
        self.info.lock().clear();
    }

    /// The command is finished: the connection sleeps. Its text is kept for events_statements_current.
    pub fn end_command(&self) {
        // the clock was read when the statement ended, if there was one
        let ended = self.activity.ended_ns.load(Ordering::Relaxed);
        self.activity.ended_ns.store(0, Ordering::Relaxed);
        let ended = if ended == 0 { now_ns() } else { ended };
        self.activity.idle_since.store(ended, Ordering::Relaxed);
        self.touch(Command::Sleep, ended);
    }

    /// The text of the running or last statement: of a prepared one instead of the empty text of its command.
    pub fn set_text(&self, text: &Shown<'_>) {
        let text = text.bytes();
        // without what ends it, as in MySQL
        let end = text.iter().rposition(|b| !b.is_ascii_whitespace() && *b != b';').map_or(0, |at| at + 1);
        let text = text.get(..end).unwrap_or(text);
        let mut info = self.info.lock();
        info.clear();
        info.extend_from_slice(text.get(..INFO_LIMIT).unwrap_or(text));
    }
    /// See [`Connection::set_text`].
    pub fn text(&self) -> Vec<u8> {
        self.info.lock().clone()
    }

    fn touch(&self, command: Command, now: u64) {
        self.command.store(command as u8, Ordering::Relaxed);
        self.since_ms.store(now.saturating_sub(self.epoch_ns) / 1_000_000, Ordering::Relaxed);
    }

    /// It is served by a thread of the server, of this name, and recorded as those are.
    pub fn served_by(&self, os: &str) {
        if let Some(class) = probe::threads::ThreadClass::of(os) {
            *self.thread.lock() = class.name;
            self.activity.recorder.set_flags(class.flags());
        }
    }

    /// It waits for a command, since when (`sys::clock::now_ns`).
    pub fn idle_since(&self) -> Option<u64> {
        let sleeps = self.command.load(Ordering::Relaxed) == Command::Sleep as u8;
        Some(self.activity.idle_since.load(Ordering::Relaxed)).filter(|since| sleeps && *since != 0)
    }

    /// A thread of the server begins to do something else.
    pub fn daemon_at(&self) {
        self.touch(Command::Daemon, now_ns());
    }

    /// A replica's thread applies something: the process list shows what.
    pub fn applies(&self) {
        if self.command.load(Ordering::Relaxed) != Command::Query as u8 {
            self.touch(Command::Query, now_ns());
        }
    }

    /// What its session is at.
    pub fn stage(&self) -> probe::Stage {
        self.sched.lock().as_ref().map_or(probe::Stage::Idle, |s| s.counters().stage())
    }

    /// The `State` column: what the session says that it is at, while a command runs.
    fn state(&self, command: Command) -> &'static str {
        match command {
            Command::Sleep => "",
            // a client that logs in is at nothing yet, the run of an event is
            Command::Connect => match self.stage() {
                probe::Stage::Idle => "login",
                stage => stage.state(),
            },
            _ => self.sched.lock().as_ref().map_or("", |s| s.counters().stage().state()),
        }
    }
    /// The `db` column.
    pub fn set_db(&self, db: Option<&str>) {
        self.who.lock().db = db.map(str::to_owned);
    }
    /// User and host, after the handshake or COM_CHANGE_USER.
    pub fn set_who(&self, user: &str, host: &str) {
        let mut w = self.who.lock();
        w.user = user.to_owned();
        w.host = host.to_owned();
    }
    /// Names shown in the process list.
    pub fn who(&self) -> Who {
        self.who.lock().clone()
    }
    /// The transaction the session is in, for views; 0 = none.
    pub fn set_trx_id(&self, id: u64) {
        self.trx_id.store(id, Ordering::Relaxed);
    }
    /// Whether the session has SYSTEM_USER: only another one with it may end it.
    pub fn set_system_user(&self, on: bool) {
        self.system_user.store(on, Ordering::Relaxed);
    }
    /// See [`Connection::set_system_user`].
    pub fn is_system_user(&self) -> bool {
        self.system_user.load(Ordering::Relaxed)
    }
    /// Whether this connection holds the slot beyond `max_connections`.
    pub fn set_privileged(&self, on: bool) {
        self.privileged.store(on, Ordering::Relaxed);
    }

    /// Whether it came in by the administrative interface.
    pub fn is_administrative(&self) -> bool {
        self.administrative.load(Ordering::Relaxed)
    }

    /// A snapshot for the process list.
    pub fn row(&self) -> ProcessRow {
        let now = now_ns().saturating_sub(self.epoch_ns) / 1_000_000;
        let info = self.info.lock();
        let command = self.command.load(Ordering::Relaxed);
        let command = Command::from_u8(command);
        ProcessRow {
            id: self.id,
            who: self.who(),
            command: command.name(),
            time_s: now.saturating_sub(self.since_ms.load(Ordering::Relaxed)) / 1000,
            state: self.state(command),
            info: (command != Command::Sleep && !info.is_empty()).then(|| match self.activity.recorder.inner_text() {
                Some(inner) => inner.to_vec(),
                None => info.clone(),
            }),
            trx_id: self.trx_id.load(Ordering::Relaxed),
        }
    }
}

/// The first attributes that fit into `limit` bytes as the protocol sends them, the bytes of all, and how many are lost.
fn fit_attributes(attributes: &[(String, String)], limit: usize) -> (Vec<(String, String)>, usize, usize) {
    let text = |s: &str| s.len() + if s.len() < 251 { 1 } else { 3 };
    let (mut kept, mut all, mut used) = (Vec::with_capacity(attributes.len()), 0, 0);
    for (name, value) in attributes {
        let n = text(name) + text(value);
        all += n;
        if used == all - n && all <= limit {
            used = all;
            kept.push((name.clone(), value.clone()));
        }
    }
    if used < all {
        kept.push(("_truncated".to_owned(), (all - used).to_string()));
    }
    (kept, all, all - used)
}

/// Id of the first daemon.
const FIRST_DAEMON: u64 = 5;

/// All connections of the server.
pub struct Connections {
    next_id: AtomicU64,
    count: AtomicUsize,
    administrative: AtomicUsize,
    /// Daemons that have been.
    daemons: AtomicUsize,
    max_used: AtomicU32,
    /// When that was, in seconds since 1970.
    max_used_at: AtomicU64,
    /// Connections accepted since the start (status `Connections`).
    total: AtomicU64,
    epoch_ns: u64,
    map: RwLock<BTreeMap<u64, Arc<Connection>>>,
    logins: Mutex<Logins>,
    reload_tls: OnceLock<ReloadTls>,
    /// What may be seen of the server's keys.
    pub keys: crate::server_keys::ServerKeys,
}

/// Reads the TLS files anew. `keep`: what there was stays where they are no good; otherwise TLS ends for new connections then.
pub type ReloadTls = Box<dyn Fn(bool) -> Result<(), String> + Send + Sync>;

/// Logins by (user, host).
pub type Logins = BTreeMap<(String, String), Login>;
/// Accounts that are counted; more are not.
const LOGINS: usize = 10_000;

/// What the sessions of a user from a host have come to.
#[derive(Clone, Default, Debug)]
pub struct Login {
    /// Open now.
    pub current: i64,
    /// Ever.
    pub total: i64,
    /// Status counters of those that have ended.
    pub counts: Vec<u64>,
}

impl Default for Connections {
    fn default() -> Self {
        Connections {
            next_id: AtomicU64::new(8),
            count: AtomicUsize::new(0),
            administrative: AtomicUsize::new(0),
            daemons: AtomicUsize::new(0),
            max_used: AtomicU32::new(0),
            max_used_at: AtomicU64::new(0),
            total: AtomicU64::new(0),
            epoch_ns: now_ns(),
            map: RwLock::default(),
            logins: Mutex::default(),
            reload_tls: OnceLock::new(),
            keys: Default::default(),
        }
    }
}

impl Connections {
    /// What ALTER INSTANCE RELOAD TLS does; set once at the start.
    pub fn on_reload_tls(&self, reload: ReloadTls) {
        let _ = self.reload_tls.set(reload);
    }

    /// Reads the TLS files anew, where there is TLS.
    pub fn reload_tls(&self, keep: bool) -> Result<(), String> {
        self.reload_tls.get().map_or(Ok(()), |reload| reload(keep))
    }

    /// Enters a thread of the server itself, which the process list shows and no limit counts. The first one has the id
    /// that it has in MySQL.
    pub fn register_daemon(&self, user: &str) -> Arc<Connection> {
        let first = self.daemons.fetch_add(1, Ordering::Relaxed) == 0;
        let id = if first { FIRST_DAEMON } else { self.next_id.fetch_add(1, Ordering::Relaxed) };
        let conn = self.connection(id, Who { user: user.to_owned(), host: "localhost".to_owned(), db: None });
        conn.served_by(user);
        conn.daemon_at();
        self.map.write().insert(id, conn.clone());
        conn
    }

    /// It has ended.
    pub fn unregister_daemon(&self, id: u64) {
        self.map.write().remove(&id);
    }

    /// Enters a new connection.
    pub fn register(&self, host: &str) -> Arc<Connection> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let who = Who { user: "unauthenticated user".into(), host: host.to_owned(), db: None };
        let conn = self.connection(id, who);
        self.map.write().insert(id, conn.clone());
        let n = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        if self.max_used.fetch_max(n as u32, Ordering::Relaxed) < n as u32 {
            self.max_used_at.store(sys::clock::wall_seconds(), Ordering::Relaxed);
        }
        self.total.fetch_add(1, Ordering::Relaxed);
        conn
    }

    fn connection(&self, id: u64, who: Who) -> Arc<Connection> {
        Arc::new(Connection {
            id,
            kill: AtomicU8::new(0),
            command: AtomicU8::new(Command::Connect as u8),
            since_ms: AtomicU64::new(now_ns().saturating_sub(self.epoch_ns) / 1_000_000),
            epoch_ns: self.epoch_ns,
            trx_id: AtomicU64::new(0),
            info: Mutex::default(),
            who: Mutex::new(who),
            waker: Mutex::new(None),
            closer: Mutex::new(None),
            privileged: AtomicBool::new(false),
            administrative: AtomicBool::new(false),
            system_user: AtomicBool::new(false),
            bytes: Default::default(),
            attributes: Mutex::default(),
            activity: Activity::new(id),
            sched: Mutex::default(),
            values: Mutex::default(),
            transport: Mutex::new(""),
            tls: Mutex::default(),
            thread: Mutex::new("thread/sql/one_connection"),
            prepared: Mutex::default(),
        })
    }

    /// A connection that came in by the administrative interface: `max_connections` does not count it.
    pub fn set_administrative(&self, c: &Connection) {
        if !c.administrative.swap(true, Ordering::Relaxed) {
            self.administrative.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Connections that `max_connections` is about.
    pub fn ordinary(&self) -> usize {
        self.len().saturating_sub(self.administrative.load(Ordering::Relaxed))
    }

    /// Removes a connection that has ended.
    pub fn unregister(&self, id: u64) {
        let gone = self.map.write().remove(&id);
        if let Some(c) = gone {
            self.count.fetch_sub(1, Ordering::Relaxed);
            if c.is_administrative() {
                self.administrative.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    /// A session has begun.
    pub fn logged_in(&self, user: &str, host: &str) {
        let mut all = self.logins.lock();
        let key = (user.to_owned(), host.to_owned());
        if all.len() < LOGINS || all.contains_key(&key) {
            let l = all.entry(key).or_default();
            l.current += 1;
            l.total += 1;
        }
    }

    /// It has ended, having counted this.
    pub fn logged_out(&self, user: &str, host: &str, counts: &[u64]) {
        if let Some(l) = self.logins.lock().get_mut(&(user.to_owned(), host.to_owned())) {
            l.current -= 1;
            l.counts.resize(counts.len(), 0);
            l.counts.iter_mut().zip(counts).for_each(|(to, n)| *to = to.wrapping_add(*n));
        }
    }

    /// All users and hosts that have logged in since the start.
    pub fn logins(&self) -> Logins {
        self.logins.lock().clone()
    }

    /// The connection with this id.
    pub fn get(&self, id: u64) -> Option<Arc<Connection>> {
        self.map.read().get(&id).cloned()
    }
    /// Connections open now (status `Threads_connected`).
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Status `Max_used_connections`.
    pub fn max_used(&self) -> u32 {
        self.max_used.load(Ordering::Relaxed)
    }
    /// Status `Max_used_connections_time`, in seconds since 1970.
    pub fn max_used_at(&self) -> u64 {
        self.max_used_at.load(Ordering::Relaxed)
    }
    /// Status `Connections`: attempts since the start.
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }
    /// All connections in order of their ids.
    pub fn all(&self) -> Vec<Arc<Connection>> {
        self.map.read().values().cloned().collect()
    }

    /// KILL [CONNECTION | QUERY] id. Privileges are the caller's business. 1094 for an unknown id.
    pub fn kill(&self, id: u64, how: Kill) -> SqlResult<()> {
        self.get(id).map(|c| c.kill(how)).ok_or_else(|| SqlError::new(ErrorCode::NO_SUCH_THREAD, &[&id]))
    }
}
