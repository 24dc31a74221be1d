//! The general query log, and how it and the slow query log (`slowlog`) are written: as files and as the tables `mysql.general_log` and `mysql.slow_log` (`log_output`).
//!
//! Statements pay one load per log while it is off. Files are opened when they are first written, when the variable names another one, and by FLUSH LOGS
//! and signals (which leave what was renamed alone and make the file anew, so that log rotation loses nothing); a line that cannot be written is lost, as in
//! MySQL, and the statement goes on. Rows of the tables are inserted by a session and a thread of their own, because
//! the running statement may be inside a transaction or hold locks; the statement waits for its row up to a second. Of passwords they see
//! `<secret>` ([`parser::secrets`]); what is no statement is not in the general log. With `log_raw` that log has what clients sent. Locks: the mutex
//! of the files is a leaf. Tested: `tests/clients/test_settings.py`, `tests/clients/test_secrets.py`.

use crate::logs::SessionLog;
use crate::logs::told_file::ToldFile;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::{GlobalVars, Var};
use executor::Env;
use parking_lot::Mutex;
use parser::secrets::Shown;
use probe::files::FileUse;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use value::TimeZone;

/// Bits of `log_output`.
pub(crate) const NONE: u64 = 1;
pub(crate) const FILE: u64 = 2;
pub(crate) const TABLE: u64 = 4;
/// How long a statement waits for its row in a log table.
const PATIENCE: Duration = Duration::from_secs(1);

/// A statement for the thread, and where to say that it ran.
type Row = (String, SyncSender<()>);

/// Inserts rows into the log tables: a session of the server's own.
pub(crate) trait LogTables {
    /// Runs an INSERT. False: the server stops, there is nothing more to write.
    fn insert(&mut self, sql: &str) -> bool;
}

/// Opens one in the thread that calls it; `None`: the server is gone.
pub(crate) type OpenTables = Arc<dyn Fn() -> Option<Box<dyn LogTables>> + Send + Sync>;

/// An open file and its name.
type Open = Option<(PathBuf, ToldFile)>;

/// A log's file, and the database that its last entry says (slow log).
#[derive(Default)]
struct Target {
    open: Open,
    db: String,
}

/// The server's logs.
#[derive(Default)]
pub(crate) struct QueryLog {
    general: Mutex<Target>,
    slow: Mutex<Target>,
    writer: Mutex<Option<SyncSender<Row>>>,
    /// Opens who inserts the rows of the tables.
    tables: OnceLock<OpenTables>,
    pub(crate) throttle: Mutex<crate::logs::slow::Throttle>,
}

/// Where a log goes.
fn path(slow: bool, globals: &GlobalVars) -> PathBuf {
    let var = if slow { Var::slow_query_log_file } else { Var::general_log_file };
    Path::new(&globals.string(Var::datadir)).join(globals.string(var))
}

fn open(path: &Path, slow: bool, globals: &GlobalVars) -> std::io::Result<ToldFile> {
    let used = if slow { FileUse::SlowLog } else { FileUse::QueryLog };
    let mut f = ToldFile::open(path, used, OpenOptions::new().create(true).append(true).mode(0o640))?;
    let head = format!(
        "evenkeel, Version: {} ({}). started with:\nTcp port: {}  Unix socket: {}\nTime                 Id Command    Argument\n",
        globals.string(Var::version),
        globals.string(Var::version_comment),
        globals.num(Var::port),
        globals.string(Var::socket)
    );
    let _ = f.write_all(head.as_bytes());
    Ok(f)
}

impl Target {
    /// The file with this name is open, if it can be.
    fn settle(&mut self, slow: bool, globals: &GlobalVars) {
        let path = path(slow, globals);
        if self.open.as_ref().is_none_or(|(p, _)| *p != path) {
            *self = Target { open: open(&path, slow, globals).ok().map(|f| (path, f)), db: String::new() };
        }
    }

    fn write(&mut self, text: &[u8]) {
        if let Some((_, f)) = self.open.as_mut() {
            let _ = f.write_all(text);
        }
    }
}

impl QueryLog {
    /// FLUSH LOGS: the files are opened anew, those of logs that are on at once. One that cannot be opened is the error, and the log goes on in
    /// the file it has.
    pub(crate) fn reopen(&self, globals: &GlobalVars, general: bool, slow: bool) -> SqlResult<()> {
        let logs = [(general, false, Var::general_log, &self.general), (slow, true, Var::slow_query_log, &self.slow)];
        let mut done = Ok(());
        for (_, is_slow, switch, log) in logs.into_iter().filter(|l| l.0) {
            let mut target = log.lock();
            if !globals.bool(switch) || globals.num(Var::log_output) & FILE == 0 {
                *target = Target::default();
                continue;
            }
            let path = path(is_slow, globals);
            match open(&path, is_slow, globals) {
                Ok(f) => *target = Target { open: Some((path, f)), db: String::new() },
                Err(e) => done = done.and(Err(not_opened(&path, &e))),
            }
        }
        done
    }

    /// A line of the general log.
    pub(crate) fn line(&self, globals: &GlobalVars, text: &[u8]) {
        let mut target = self.general.lock();
        target.settle(false, globals);
        target.write(text);
    }

    /// An entry of the slow log: its head, `use` where the entry before was about another database, the rest.
    pub(crate) fn slow_entry(&self, globals: &GlobalVars, mut head: String, db: &str, rest: &[u8]) {
        let mut target = self.slow.lock();
        target.settle(true, globals);
        if !db.is_empty() && db != target.db {
            let _ = writeln!(head, "use {db};");
            db.clone_into(&mut target.db);
        }
        let mut text = head.into_bytes();
        text.extend_from_slice(rest);
        target.write(&text);
    }

    /// Who inserts rows into the tables: told once, when the server is put together.
    pub(crate) fn set_tables(&self, open: OpenTables) {
        let _ = self.tables.set(open);
    }

    /// A row for a table, as its INSERT; waits for it up to a second.
    pub(crate) fn insert(&self, sql: String) {
        let (done, wait) = sync_channel(1);
        let sender = {
            let mut writer = self.writer.lock();
            if writer.is_none()
                && let Some(open) = self.tables.get()
            {
                let (to, from) = sync_channel(1024);
                let open = open.clone();
                let thread = std::thread::Builder::new().name("query-log".into()).spawn(move || write(&open, &from));
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
fn write(open: &OpenTables, rows: &Receiver<Row>) {
    let Some(mut tables) = open() else { return };
    while let Ok((sql, done)) = rows.recv() {
        let goes_on = tables.insert(&sql);
        let _ = done.send(());
        if !goes_on {
            return;
        }
    }
}

fn not_opened(path: &Path, e: &std::io::Error) -> SqlError {
    let code = match e.kind() {
        std::io::ErrorKind::NotFound => ErrorCode::EE_FILENOTFOUND,
        _ => ErrorCode::EE_CANTCREATEFILE,
    };
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    SqlError::new(code, &[&path.display(), &e.raw_os_error().unwrap_or(0), &text])
}

/// A literal for any bytes.
pub(crate) fn hex(b: &[u8]) -> String {
    let mut out = String::with_capacity(b.len() * 2 + 3);
    out.push_str("x'");
    for x in b {
        let _ = write!(out, "{x:02X}");
    }
    out.push('\'');
    out
}

/// The time of a line as `log_timestamps` wants it. (The tables are in UTC.)
pub(crate) fn stamp(us: u64, globals: &GlobalVars) -> String {
    let system = globals.num(Var::log_timestamps) == 1;
    let zone = if system { TimeZone::by_name("SYSTEM").unwrap_or(TimeZone::UTC) } else { TimeZone::UTC };
    value::temporal::format::log_stamp(us, &zone)
}

impl SessionLog {
    /// A line of the general log.
    #[inline]
    pub(crate) fn general(&self, env: &Env, command: &str, text: &[u8]) {
        if env.shared.globals.bool(Var::general_log) && !self.unlogged && !env.vars.bool(Var::sql_log_off) {
            self.general_line(env, command, text);
        }
    }

    #[cold]
    fn general_line(&self, env: &Env, command: &str, text: &[u8]) {
        let g = &env.shared.globals;
        let to = g.num(Var::log_output);
        if to & NONE != 0 {
            return;
        }
        let (now, id) = (sys::clock::wall_micros(), env.client.connection.id());
        let text = text.trim_ascii();
        let raw = g.bool(Var::log_raw);
        if !raw && matches!(command, "Query" | "Prepare") && !is_readable(env, text) {
            return;
        }
        let text = if raw { Shown::raw(text) } else { crate::text::showable(env, text) };
        let text = text.bytes();
        if to & FILE != 0 {
            let mut line = format!("{}\t{id:5} {command}\t", stamp(now, g)).into_bytes();
            line.extend_from_slice(text);
            line.push(b'\n');
            self.files.line(g, &line);
        }
        if to & TABLE != 0 {
            let sql = format!(
                "INSERT INTO mysql.general_log VALUES (FROM_UNIXTIME({}.{:06}), {}, {id}, {}, '{command}', {})",
                now / 1_000_000,
                now % 1_000_000,
                hex(user_host(env).as_bytes()),
                g.num(Var::server_id),
                hex(text)
            );
            self.files.insert(sql);
        }
    }
}

/// Whether it is a statement at all: of what is none nobody knows what it hides (manual, "Passwords and Logging").
fn is_readable(env: &Env, sql: &[u8]) -> bool {
    let (arena, mut lexed) = (bumpalo::Bump::new(), parser::Lexed::new());
    crate::text::tokenize(env, &mut lexed, sql, 0);
    !parser::parse(&arena, sql, &mut lexed).is_err_and(|e| e.is(base::ErrorCode::PARSE_ERROR))
}

/// `user[login] @ host [address]`.
pub(crate) fn user_host(env: &Env) -> String {
    let (login, host) = &env.security.user;
    let address = if host == "localhost" { "" } else { host.as_str() };
    let name = if address.is_empty() { host.as_str() } else { "" };
    format!("{}[{login}] @ {name} [{address}]", env.security.account.user)
}
