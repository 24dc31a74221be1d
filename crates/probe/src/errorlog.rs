//! The last lines of the error log, for performance_schema.error_log and the Error_log_* status variables.
//!
//! Written with each line of the log, so seldom: one std lock, under which nothing is taken. Bounded in bytes; the oldest lines go.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Bytes of text that are kept, as many as MySQL's buffer has.
const MOST: usize = 5 << 20;

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Microseconds since 1970.
    pub wall_us: u64,
    /// The connection it is about, 0: none.
    pub thread: u64,
    /// `System`, `Error`, `Warning` or `Note`.
    pub label: &'static str,
    /// `Server` or `InnoDB`.
    pub subsystem: &'static str,
    /// The number behind `MY-`.
    pub code: u32,
    /// What it says.
    pub text: String,
}

/// What the status variables show.
#[derive(Clone, Copy, Default, Debug)]
pub struct Summary {
    /// Lines kept.
    pub lines: u64,
    /// Bytes of their texts.
    pub bytes: u64,
    /// Lines that had to go.
    pub expired: u64,
    /// Microseconds since 1970 of the newest.
    pub latest_us: u64,
}

#[derive(Default)]
struct Log {
    lines: VecDeque<Line>,
    bytes: usize,
    expired: u64,
}

fn log() -> MutexGuard<'static, Log> {
    static LOG: Mutex<Log> = Mutex::new(Log { lines: VecDeque::new(), bytes: 0, expired: 0 });
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    fn keep(&mut self, line: Line) {
        self.bytes += line.text.len();
        self.lines.push_back(line);
        while self.bytes > MOST
            && let Some(old) = self.lines.pop_front()
        {
            self.bytes -= old.text.len();
            self.expired += 1;
        }
    }
}

/// Writes a line into the error log: label, subsystem, connection (0: none), number, text.
pub type Writer = fn(&'static str, &'static str, u64, u32, &str);

static WRITER: OnceLock<Writer> = OnceLock::new();

/// Opens the log's file anew; the error is the name of the file that could not be opened, and the log goes on in the old one.
pub type Reopener = fn() -> Result<(), String>;

static REOPENER: OnceLock<Reopener> = OnceLock::new();

/// Who opens the log's file anew; once.
pub fn set_reopener(r: Reopener) {
    let _ = REOPENER.set(r);
}

/// FLUSH ERROR LOGS: what was renamed stays as it is, lines go to a new file of the name.
///
/// # Errors
/// The file's name.
pub fn reopen() -> Result<(), String> {
    REOPENER.get().map_or(Ok(()), |r| r())
}

/// Who writes the log; once.
pub fn set_writer(w: Writer) {
    let _ = WRITER.set(w);
}

/// Writes a line into the server's error log, for those below the server; without one (tests) it is only kept. What `label` says decides whether it is
/// written, as [`Line::label`] has it; `System` always is.
pub fn say(label: &'static str, subsystem: &'static str, code: u32, text: &str) {
    say_of(0, label, subsystem, code, text);
}

/// The same, about a connection.
pub fn say_of(thread: u64, label: &'static str, subsystem: &'static str, code: u32, text: &str) {
    match WRITER.get() {
        Some(w) => w(label, subsystem, thread, code, text),
        None => keep(Line { wall_us: 0, thread, label, subsystem, code, text: text.to_owned() }),
    }
}

/// Keeps a line.
pub fn keep(line: Line) {
    log().keep(line);
}

/// All that are kept, oldest first.
pub fn lines() -> Vec<Line> {
    log().lines.iter().cloned().collect()
}

/// Sums.
pub fn summary() -> Summary {
    let log = log();
    Summary {
        lines: log.lines.len() as u64,
        bytes: log.bytes as u64,
        expired: log.expired,
        latest_us: log.lines.back().map_or(0, |l| l.wall_us),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go() {
        let mut log = Log::default();
        for code in 0..12 {
            log.keep(Line {
                wall_us: 1,
                thread: 0,
                label: "Note",
                subsystem: "Server",
                code,
                text: "x".repeat(1 << 20),
            });
        }
        assert_eq!((log.lines.len(), log.bytes, log.expired), (5, 5 << 20, 7));
        assert_eq!(log.lines.front().map(|l| l.code), Some(7));
    }
}
