//! The error log: lines like MySQL's, `2026-11-21T10:00:00.000000Z 0 [System] [MY-010931] [Server] text`, and objects
//! of JSON.
//!
//! An event goes through what `log_error_services` names, in that order: a filter ends its way (`log_error_verbosity`
//! and
//! `log_error_suppression_list`, which are about warnings and notes), a sink writes it. The first sink's form is kept
//! for
//! performance_schema.error_log. These variables and `log_timestamps` are asked at each event. The sink of lines writes
//! to
//! stderr, or to the file that `log_error` names; that of JSON beside it to `FILE.00.json` (opened once, appended to,
//! reopened
//! by SIGHUP, SIGUSR1 and FLUSH LOGS). One `write` per event.
//!
//! Every message has a number of MySQL's; its symbol stands in [`symbols`]. A text that begins with `InnoDB: ` is of
//! that
//! subsystem. Tested: `tests/clients/test_logs_format.py`, `tests/clients/test_monitor.py`.

mod json;
mod symbols;

use catalog::sysvar::{GlobalVars, LogService, Var, log_services};
use parking_lot::Mutex;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use value::TimeZone;

/// A sink's file and its name.
type Target = Mutex<Option<(PathBuf, File)>>;

static FILE: Target = Mutex::new(None);
/// Where JSON goes, once something has gone there.
static JSON: Target = Mutex::new(None);
/// Where the variables are.
static GLOBALS: OnceLock<Arc<GlobalVars>> = OnceLock::new();

/// What is logged.
struct Event<'e> {
    wall_us: u64,
    label: &'static str,
    subsystem: &'static str,
    thread: u64,
    code: u32,
    text: &'e str,
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(0o640).open(path)
}

/// Sends further lines to a file.
pub fn to_file(path: &Path) -> io::Result<()> {
    *FILE.lock() = Some((path.to_owned(), open(path)?));
    Ok(())
}

/// Opens the files again (after they were renamed by log rotation); if that fails, with the file's name, lines go on to
/// the old one.
pub fn reopen() -> Result<(), String> {
    for target in [&FILE, &JSON] {
        if let Some((path, file)) = &mut *target.lock() {
            *file = open(path).map_err(|_| path.display().to_string())?;
        }
    }
    Ok(())
}

/// The variables that the log follows; also who writes for the crates below.
pub fn follow(globals: &Arc<GlobalVars>) {
    let _ = GLOBALS.set(globals.clone());
    probe::errorlog::set_writer(say);
    probe::errorlog::set_reopener(reopen);
}

fn say(label: &'static str, subsystem: &'static str, thread: u64, code: u32, text: &str) {
    write(label, subsystem, thread, code, text, false);
}

/// Whether an event of this kind is written: log_error_verbosity (1 errors, 2 warnings too, 3 notes too),
/// log_error_suppression_list
/// (warnings and notes only).
fn wanted(label: &str, code: u32) -> bool {
    let needs = match label {
        "Warning" => 2,
        "Note" => 3,
        _ => return true,
    };
    let Some(g) = GLOBALS.get() else { return needs <= 2 };
    let same = |n: &str| {
        let n = n.trim();
        n.trim_start_matches("MY-").parse::<u32>() == Ok(code) || !n.is_empty() && n == symbols::of(code)
    };
    g.num(Var::log_error_verbosity) >= needs
        && !g.text(Var::log_error_suppression_list).is_some_and(|list| list.split(',').any(same))
}

/// A time as `log_timestamps` wants it.
fn stamp(micros: u64) -> String {
    let system = GLOBALS.get().is_some_and(|g| g.num(Var::log_timestamps) == 1);
    let zone = if system { TimeZone::by_name("SYSTEM").unwrap_or(TimeZone::UTC) } else { TimeZone::UTC };
    value::temporal::format::log_stamp(micros, &zone)
}

fn services() -> Vec<LogService> {
    let default = || vec![LogService::Filter, LogService::Internal];
    let Some(g) = GLOBALS.get() else { return default() };
    log_services(&g.string(Var::log_error_services)).unwrap_or_else(|_| default())
}

/// `told`: whatever the filter says.
fn write(label: &'static str, subsystem: &'static str, thread: u64, code: u32, text: &str, told: bool) {
    let label = if label.eq_ignore_ascii_case("error") { "Error" } else { label };
    let (subsystem, text) = match text.strip_prefix("InnoDB: ") {
        Some(text) => ("InnoDB", text),
        None => (subsystem, text),
    };
    let e = Event { wall_us: sys::clock::wall_micros(), label, subsystem, thread, code, text };
    let mut kept = false;
    for service in services() {
        let data = match service {
            LogService::Filter if told || wanted(label, code) => continue,
            LogService::Filter => return,
            LogService::Internal => {
                line(&e);
                e.text.to_owned()
            }
            LogService::Json => {
                let object = json::object(&e, &stamp(e.wall_us));
                put_json(&object);
                object
            }
        };
        if !std::mem::replace(&mut kept, true) {
            let Event { wall_us, label, subsystem, thread, code, .. } = e;
            probe::errorlog::keep(probe::errorlog::Line { wall_us, thread, label, subsystem, code, text: data });
        }
    }
}

/// The sink of lines.
fn line(e: &Event<'_>) {
    // the priority is written in capitals in the file only
    let shown = if e.label == "Error" { "ERROR" } else { e.label };
    let Event { thread, code, subsystem, text, .. } = e;
    put(&FILE, &format!("{} {thread} [{shown}] [MY-{code:06}] [{subsystem}] {text}\n", stamp(e.wall_us)));
}

fn put(target: &Target, line: &str) {
    match &mut *target.lock() {
        Some((_, f)) => {
            let _ = f.write_all(line.as_bytes());
        }
        None => {
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }
}

/// The sink of JSON: beside the file of lines, or to stderr as they.
fn put_json(object: &str) {
    let beside = FILE.lock().as_ref().map(|(path, _)| path.clone());
    if let Some(mut path) = beside {
        path.as_mut_os_string().push(".00.json");
        let mut target = JSON.lock();
        if target.as_ref().is_none_or(|(p, _)| *p != path) {
            *target = open(&path).ok().map(|f| (path, f));
        }
    }
    put(&JSON, &format!("{object}\n"));
}

/// A line about the server's life; always written.
pub fn system(code: u32, text: &str) {
    write("System", "Server", 0, code, text, false);
}
/// An error; always written.
pub fn error(code: u32, text: &str) {
    write("Error", "Server", 0, code, text, false);
}
/// A warning.
pub fn warning(code: u32, text: &str) {
    write("Warning", "Server", 0, code, text, false);
}
/// A note.
pub fn note(thread: u64, code: u32, text: &str) {
    write("Note", "Server", thread, code, text, false);
}

/// A note that must be seen whatever `log_error_verbosity` says.
pub fn told(code: u32, text: &str) {
    write("Note", "Server", 0, code, text, true);
}

/// Panics become lines of the log with place and message; the thread's name says whose it was.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let name = std::thread::current().name().unwrap_or("?").to_owned();
        let trace = std::backtrace::Backtrace::force_capture();
        error(13_183, &format!("Panic in thread '{name}': {info}\n{trace}"));
    }));
}
