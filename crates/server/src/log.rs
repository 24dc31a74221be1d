//! The error log: lines like MySQL's, `2026-11-21T10:00:00.000000Z 0 [System] [MY-010931] [Server] text`.
//!
//! What `log_error_verbosity`, `log_error_suppression_list` and `log_timestamps` say is asked for at each line. Each line is kept for performance_schema.error_log too. Lines go to stderr, or to the file that `log_error` names (opened once, appended to, reopened by SIGHUP, SIGUSR1 and FLUSH LOGS). One `write` per line.

use catalog::sysvar::{GlobalVars, Var};
use parking_lot::Mutex;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use value::TimeZone;

static FILE: Mutex<Option<(PathBuf, File)>> = Mutex::new(None);
/// Where the variables are.
static GLOBALS: OnceLock<Arc<GlobalVars>> = OnceLock::new();

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Sends further lines to a file.
pub fn to_file(path: &Path) -> io::Result<()> {
    *FILE.lock() = Some((path.to_owned(), open(path)?));
    Ok(())
}

/// Opens the file again (after it was renamed by log rotation); if that fails, with the file's name, lines go on to the old one.
pub fn reopen() -> Result<(), String> {
    if let Some((path, file)) = &mut *FILE.lock() {
        *file = open(path).map_err(|_| path.display().to_string())?;
    }
    Ok(())
}

/// The variables that the log follows; also who writes for the crates below.
pub fn follow(globals: &Arc<GlobalVars>) {
    let _ = GLOBALS.set(globals.clone());
    probe::errorlog::set_writer(say);
    probe::errorlog::set_reopener(reopen);
}

fn say(label: &'static str, subsystem: &'static str, code: u32, text: &str) {
    if wanted(label, code) {
        write(label, subsystem, 0, code, text);
    }
}

/// Whether a line of this kind is written: log_error_verbosity (1 errors, 2 warnings too, 3 notes too), log_error_suppression_list (warnings and notes only).
fn wanted(label: &str, code: u32) -> bool {
    let needs = match label {
        "Warning" => 2,
        "Note" => 3,
        _ => return true,
    };
    let Some(g) = GLOBALS.get() else { return needs <= 2 };
    let same = |n: &str| n.trim().trim_start_matches("MY-").parse::<u32>() == Ok(code);
    g.num(Var::log_error_verbosity) >= needs
        && !g.text(Var::log_error_suppression_list).is_some_and(|list| list.split(',').any(same))
}

/// A time as `log_timestamps` wants it.
fn stamp(micros: u64) -> String {
    let system = GLOBALS.get().is_some_and(|g| g.num(Var::log_timestamps) == 1);
    let zone = if system { TimeZone::by_name("SYSTEM").unwrap_or(TimeZone::UTC) } else { TimeZone::UTC };
    value::temporal::format::log_stamp(micros, &zone)
}

fn write(label: &'static str, subsystem: &'static str, thread: u64, code: u32, text: &str) {
    let wall_us = sys::clock::wall_micros();
    let now = stamp(wall_us);
    // the priority is written in capitals in the file only
    let (shown, label) = if label.eq_ignore_ascii_case("error") { ("ERROR", "Error") } else { (label, label) };
    let line = format!("{now} {thread} [{shown}] [MY-{code:06}] [{subsystem}] {text}\n");
    probe::errorlog::keep(probe::errorlog::Line { wall_us, thread, label, subsystem, code, text: text.to_owned() });
    match &mut *FILE.lock() {
        Some((_, f)) => {
            let _ = f.write_all(line.as_bytes());
        }
        None => {
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }
}

/// A line about the server's life; always written.
pub fn system(code: u32, text: &str) {
    write("System", "Server", 0, code, text);
}
/// An error; always written.
pub fn error(code: u32, text: &str) {
    write("ERROR", "Server", 0, code, text);
}
/// A warning.
pub fn warning(code: u32, text: &str) {
    if wanted("Warning", code) {
        write("Warning", "Server", 0, code, text);
    }
}
/// A note.
pub fn note(thread: u64, code: u32, text: &str) {
    if wanted("Note", code) {
        write("Note", "Server", thread, code, text);
    }
}

/// A note that must be seen whatever `log_error_verbosity` says.
pub fn told(code: u32, text: &str) {
    write("Note", "Server", 0, code, text);
}

/// Panics become lines of the log with place and message; the thread's name says whose it was.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let name = std::thread::current().name().unwrap_or("?").to_owned();
        let trace = std::backtrace::Backtrace::force_capture();
        error(13_183, &format!("Panic in thread '{name}': {info}\n{trace}"));
    }));
}
