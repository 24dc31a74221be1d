//! The error log: lines like MySQL's, `2026-11-21T10:00:00.000000Z 0 [System] [MY-010931] [Server] text`.
//!
//! Each line is kept for performance_schema.error_log too. Lines go to stderr, or to the file that `log_error` names (opened once, appended to, reopened by SIGHUP). One `write` per line.

use parking_lot::Mutex;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

static FILE: Mutex<Option<(PathBuf, File)>> = Mutex::new(None);
/// log_error_verbosity: 1 errors, 2 warnings too, 3 notes too.
static VERBOSITY: AtomicU8 = AtomicU8::new(2);

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Sends further lines to a file.
pub fn to_file(path: &Path) -> io::Result<()> {
    *FILE.lock() = Some((path.to_owned(), open(path)?));
    Ok(())
}

/// Opens the file again (after it was renamed by log rotation).
pub fn reopen() {
    if let Some((path, file)) = &mut *FILE.lock()
        && let Ok(f) = open(path)
    {
        *file = f;
    }
}

/// Sets log_error_verbosity.
pub fn set_verbosity(v: u8) {
    VERBOSITY.store(v, Ordering::Relaxed);
}

/// `YYYY-MM-DDThh:mm:ss.ffffffZ` for microseconds since 1970.
pub fn timestamp(micros: u64) -> String {
    let (secs, us) = (micros / 1_000_000, micros % 1_000_000);
    let (days, s) = ((secs / 86_400) as i64, secs % 86_400);
    // Civil date from days since 1970 (Hinnant).
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (d, m) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    let y = yoe + era * 400 + i64::from(m <= 2);
    format!("{y:04}-{m:02}-{d:02}T{:02}:{:02}:{:02}.{us:06}Z", s / 3600, s / 60 % 60, s % 60)
}

fn write(label: &'static str, thread: u64, code: u32, text: &str) {
    let wall_us = sys::clock::wall_micros();
    let now = timestamp(wall_us);
    let line = format!("{now} {thread} [{label}] [MY-{code:06}] [Server] {text}\n");
    let label = if label == "ERROR" { "Error" } else { label };
    probe::errorlog::keep(probe::errorlog::Line { wall_us, thread, label, code, text: text.to_owned() });
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
    write("System", 0, code, text);
}
/// An error; always written.
pub fn error(code: u32, text: &str) {
    write("ERROR", 0, code, text);
}
/// A warning.
pub fn warning(code: u32, text: &str) {
    if VERBOSITY.load(Ordering::Relaxed) >= 2 {
        write("Warning", 0, code, text);
    }
}
/// A note.
pub fn note(thread: u64, code: u32, text: &str) {
    if VERBOSITY.load(Ordering::Relaxed) >= 3 {
        write("Note", thread, code, text);
    }
}

/// Panics become lines of the log with place and message; the thread's name says whose it was.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let name = std::thread::current().name().unwrap_or("?").to_owned();
        let trace = std::backtrace::Backtrace::force_capture();
        error(13_183, &format!("Panic in thread '{name}': {info}\n{trace}"));
    }));
}

#[cfg(test)]
mod tests {
    #[test]
    fn timestamps() {
        assert_eq!(super::timestamp(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(super::timestamp(951_782_400_000_001), "2000-02-29T00:00:00.000001Z");
        assert_eq!(super::timestamp(1_795_255_199_999_999), "2026-11-21T09:59:59.999999Z");
    }
}
