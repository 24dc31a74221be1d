//! The general query log and the slow query log, as files and as the tables `mysql.general_log` and `mysql.slow_log` (`log_output`).
//!
//! Statements pay one load per log while it is off. Files are opened when they are first written and after FLUSH LOGS; a line that cannot be
//! written is lost, as in MySQL, and the statement goes on. Rows of the tables are inserted by a session and a thread of their own, because
//! the running statement may be inside a transaction or hold locks; the statement waits for its row up to a second. Passwords in account
//! statements are written as `<secret>`. Locks: the mutex of the files is a leaf. Tested: `tests/clients/test_settings.py`.

use crate::prepared::Collector;
use crate::server::Server;
use crate::session::{Session, own_context};
use catalog::client::SessionHandler;
use catalog::sysvar::{GlobalVars, Var};
use parking_lot::Mutex;
use probe::Counter;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use value::TimeZone;

/// Bits of `log_output`.
const NONE: u64 = 1;
const FILE: u64 = 2;
const TABLE: u64 = 4;
/// How long a statement waits for its row in a log table.
const PATIENCE: Duration = Duration::from_secs(1);

/// A statement for the thread, and where to say that it ran.
type Row = (String, SyncSender<()>);

/// The server's logs.
#[derive(Default)]
pub(crate) struct QueryLog {
    general: Mutex<Option<std::fs::File>>,
    slow: Mutex<Option<std::fs::File>>,
    writer: Mutex<Option<SyncSender<Row>>>,
}

/// A statement that began while the slow log was on.
pub(crate) struct Began {
    at: Instant,
    examined: u64,
    locked: u64,
}

impl QueryLog {
    /// FLUSH LOGS: the next line opens its file anew.
    pub(crate) fn reopen(&self) {
        *self.general.lock() = None;
        *self.slow.lock() = None;
    }

    fn line(&self, slow: bool, globals: &GlobalVars, text: &[u8]) {
        let var = if slow { Var::slow_query_log_file } else { Var::general_log_file };
        let mut file = if slow { self.slow.lock() } else { self.general.lock() };
        if file.is_none() {
            let path = Path::new(&globals.string(Var::datadir)).join(globals.string(var));
            *file = std::fs::OpenOptions::new().create(true).append(true).open(path).ok();
            if let Some(f) = file.as_mut() {
                let head = format!(
                    "evenkeel, Version: {} ({}). started with:\nTcp port: {}  Unix socket: {}\nTime                 Id Command    Argument\n",
                    globals.string(Var::version),
                    globals.string(Var::version_comment),
                    globals.num(Var::port),
                    globals.string(Var::socket)
                );
                let _ = f.write_all(head.as_bytes());
            }
        }
        if let Some(f) = file.as_mut() {
            let _ = f.write_all(text);
        }
    }

    fn insert(&self, server: &Arc<Server>, sql: String) {
        let (done, wait) = sync_channel(1);
        let sender = {
            let mut writer = self.writer.lock();
            if writer.is_none() {
                let (to, from) = sync_channel(1024);
                let server = Arc::downgrade(server);
                let thread = std::thread::Builder::new().name("query-log".into()).spawn(move || write(&server, &from));
                if thread.is_ok() {
                    *writer = Some(to);
                }
            }
            writer.clone()
        };
        if let Some(s) = sender
            && s.try_send((sql, done)).is_ok()
        {
            let _ = sched::blocking_wait(probe::WaitClass::PageWrite, || wait.recv_timeout(PATIENCE));
        }
    }
}

/// The thread: one session for all rows. It ends with the server.
fn write(server: &Weak<Server>, rows: &Receiver<Row>) {
    let Some(s) = server.upgrade() else { return };
    let opened = Session::open(&s, own_context(&s, "root"));
    drop(s);
    let Ok(mut session) = opened else { return };
    session.unlogged = true;
    let start =
        "SET time_zone = '+00:00', autocommit = 1, sql_mode = '', lock_wait_timeout = 1, innodb_lock_wait_timeout = 1";
    let _ = session.query(start.as_bytes(), &[], &mut Collector::default());
    while let Ok((sql, done)) = rows.recv() {
        let _ = session.query(sql.as_bytes(), &[], &mut Collector::default());
        let _ = done.send(());
        if session.server.is_stopping() {
            return;
        }
    }
}

/// A literal for any bytes.
fn hex(b: &[u8]) -> String {
    let mut out = String::with_capacity(b.len() * 2 + 3);
    out.push_str("x'");
    for x in b {
        let _ = write!(out, "{x:02X}");
    }
    out.push('\'');
    out
}

/// The text as logs show it: without passwords.
pub(crate) fn shown(sql: &[u8]) -> Vec<u8> {
    let text = sql.trim_ascii();
    let lower = text.to_ascii_lowercase();
    let has = |w: &[u8]| lower.windows(w.len()).position(|x| x == w);
    let secret = match (has(b"identified"), has(b"password")) {
        (Some(a), Some(b)) => a.min(b),
        (Some(a), None) | (None, Some(a)) => a,
        (None, None) => return text.to_vec(),
    };
    let account = [b"create".as_slice(), b"alter", b"set", b"grant"].iter().any(|w| lower.starts_with(w));
    if !account {
        return text.to_vec();
    }
    let (head, tail) = text.split_at_checked(secret).unwrap_or((text, b""));
    let mut out = head.to_vec();
    let mut quote = None;
    for &b in tail {
        match quote {
            None => {
                out.push(b);
                if b == b'\'' || b == b'"' {
                    quote = Some(b);
                    out.extend_from_slice(b"<secret>");
                }
            }
            Some(q) if q == b => {
                out.push(b);
                quote = None;
            }
            Some(_) => {}
        }
    }
    out
}

/// `2026-11-22T03:04:05.123456Z`.
fn stamp(us: u64) -> String {
    let d = TimeZone::UTC.from_unix((us / 1_000_000) as i64, (us % 1_000_000) as u32);
    let mut out = Vec::new();
    value::temporal::format::format_datetime(d, 6, &mut out);
    String::from_utf8_lossy(&out).replace(' ', "T") + "Z"
}

/// Statements that `log_slow_admin_statements` is about.
fn is_admin(sql: &[u8]) -> bool {
    let mut words = sql.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty());
    let first = words.next().unwrap_or(b"").to_ascii_lowercase();
    let second = words.next().unwrap_or(b"").to_ascii_lowercase();
    match first.as_slice() {
        b"alter" | b"analyze" | b"check" | b"optimize" | b"repair" => second != b"user",
        b"create" | b"drop" => second == b"index" || second == b"unique",
        _ => false,
    }
}

impl Session {
    /// A line of the general log.
    #[inline]
    pub(crate) fn log_general(&self, command: &str, text: &[u8]) {
        if self.env.globals.bool(Var::general_log) && !self.unlogged && !self.env.vars.bool(Var::sql_log_off) {
            self.general_line(command, text);
        }
    }

    #[cold]
    fn general_line(&self, command: &str, text: &[u8]) {
        let g = &self.env.globals;
        let to = g.num(Var::log_output);
        if to & NONE != 0 {
            return;
        }
        let (now, id, text) = (sys::clock::wall_micros(), self.env.connection.id(), shown(text));
        if to & FILE != 0 {
            let mut line = format!("{}\t{id:5} {command}\t", stamp(now)).into_bytes();
            line.extend_from_slice(&text);
            line.push(b'\n');
            self.server.log.line(false, g, &line);
        }
        if to & TABLE != 0 {
            let sql = format!(
                "INSERT INTO mysql.general_log VALUES (FROM_UNIXTIME({}.{:06}), {}, {id}, {}, '{command}', {})",
                now / 1_000_000,
                now % 1_000_000,
                hex(self.user_host().as_bytes()),
                g.num(Var::server_id),
                hex(&text)
            );
            self.server.log.insert(&self.server, sql);
        }
    }

    /// `user[login] @ host [address]`.
    fn user_host(&self) -> String {
        let (login, host) = &self.env.user;
        let address = if host == "localhost" { "" } else { host.as_str() };
        let name = if address.is_empty() { host.as_str() } else { "" };
        format!("{}[{login}] @ {name} [{address}]", self.env.account.user)
    }

    fn examined(&self) -> u64 {
        let c = self.sched.counters();
        let all = [
            Counter::HandlerReadFirst,
            Counter::HandlerReadKey,
            Counter::HandlerReadLast,
            Counter::HandlerReadNext,
            Counter::HandlerReadPrev,
            Counter::HandlerReadRndNext,
        ];
        all.into_iter().map(|n| c.get(n)).sum()
    }

    /// Microseconds that the session has waited for locks: of rows and metadata.
    fn locked(&self) -> u64 {
        let c = self.sched.counters();
        c.get(Counter::InnodbRowLockTime) + c.get(Counter::MdlWaitTime)
    }

    /// A statement begins: the clock is read where the slow log is on.
    #[inline]
    pub(crate) fn slow_start(&self) -> Option<Began> {
        let on = self.env.globals.bool(Var::slow_query_log) && !self.unlogged;
        on.then(|| Began { at: Instant::now(), examined: self.examined(), locked: self.locked() })
    }

    /// It has ended: into the slow log if it was slow.
    #[inline]
    pub(crate) fn slow_end(&self, began: Option<Began>, sql: &[u8], rows: bool) {
        if let Some(b) = began {
            self.log_slow(&b, sql, rows);
        }
    }

    #[cold]
    fn log_slow(&self, began: &Began, sql: &[u8], rows: bool) {
        let took = began.at.elapsed();
        let g = &self.env.globals;
        let examined = self.examined().saturating_sub(began.examined);
        if took.as_secs_f64() < self.env.vars.double(Var::long_query_time)
            || examined < self.env.vars.num(Var::min_examined_row_limit)
            || (is_admin(sql) && !g.bool(Var::log_slow_admin_statements))
        {
            return;
        }
        probe::inc(Counter::SlowQueries);
        let to = g.num(Var::log_output);
        if to & NONE != 0 {
            return;
        }
        let sent = if rows { self.env.rows_sent } else { 0 };
        let locked = self.locked().saturating_sub(began.locked) as f64 / 1e6;
        let (now, id, text, user) = (sys::clock::wall_micros(), self.env.connection.id(), shown(sql), self.user_host());
        let db = self.env.schema.as_deref().unwrap_or("");
        if to & FILE != 0 {
            let mut line = format!(
                "# Time: {}\n# User@Host: {user}  Id: {id:5}\n# Query_time: {:.6}  Lock_time: {locked:.6} Rows_sent: {sent}  Rows_examined: {examined}\n",
                stamp(now),
                took.as_secs_f64()
            );
            if !db.is_empty() {
                let _ = writeln!(line, "use {db};");
            }
            let _ = writeln!(line, "SET timestamp={};", self.env.now_us / 1_000_000);
            let mut line = line.into_bytes();
            line.extend_from_slice(text.strip_suffix(b";").unwrap_or(&text));
            line.extend_from_slice(b";\n");
            self.server.log.line(true, g, &line);
        }
        if to & TABLE != 0 {
            let sql = format!(
                "INSERT INTO mysql.slow_log VALUES (FROM_UNIXTIME({}.{:06}), {}, SEC_TO_TIME({:.6}), SEC_TO_TIME({locked:.6}), {sent}, {examined}, {}, 0, 0, {}, {}, {id})",
                now / 1_000_000,
                now % 1_000_000,
                hex(user.as_bytes()),
                took.as_secs_f64(),
                hex(db.as_bytes()),
                g.num(Var::server_id),
                hex(&text)
            );
            self.server.log.insert(&self.server, sql);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        let t = |s: &str| String::from_utf8(shown(s.as_bytes())).unwrap();
        assert_eq!(
            t("CREATE USER 'a'@'b' IDENTIFIED BY 'x''y' "),
            "CREATE USER 'a'@'b' IDENTIFIED BY '<secret>''<secret>'"
        );
        assert_eq!(t("set password = 'q'"), "set password = '<secret>'");
        assert_eq!(t("select 'password'"), "select 'password'");
        assert_eq!(stamp(0), "1970-01-01T00:00:00.000000Z");
        assert!(is_admin(b"ALTER  TABLE t") && is_admin(b"create index i") && !is_admin(b"create table t"));
    }
}
