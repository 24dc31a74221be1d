//! Errors of disk and files in the error log: a line each, with what to do.
//!
//! [`diagnose`] looks at every kind of [`StorageError`], so that who adds one has to say whether the log hears of it. I/O is told where it fails
//! ([`crate::file::told`]), damage where it leaves the engine (the mapping to `SqlError`), and the background's errors by the background ([`tell`]).
//! Repeats are left out: of one kind about one file [`MOST`] different lines in [`WINDOW`], and how many were left out is told with the
//! next one after that. The mutex of a [`Reporter`] is a leaf; the line is written without it. Tested here, in `damage_tests.rs` and by `tests/crash/test_disk_errors.py`.

use crate::error::{Result, StorageError, os};
use crate::file::Files;
use base::SpaceId;
use hashbrown::HashMap;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::OnceLock;
use std::time::Duration;

/// In which the same is told once.
const WINDOW: Duration = Duration::from_secs(60);
/// Different lines of one kind about one file in a window.
const MOST: usize = 8;
/// Kinds and files that are remembered.
const KEYS: usize = 256;

/// Numbers of MySQL's error log: a file operation failed, a file is not there, a write failed, a damaged page.
const OPERATION: u32 = 12_592;
const MISSING: u32 = 12_593;
const WRITE: u32 = 12_639;
const PAGE: u32 = 11_906;

const ENOENT: i32 = 2;
const EIO: i32 = 5;
const EACCES: i32 = 13;
const ENFILE: i32 = 23;
const EMFILE: i32 = 24;
const EROFS: i32 = 30;

/// What the log says of an error.
#[derive(Debug, PartialEq, Eq)]
struct Diagnosis {
    code: u32,
    /// Which file.
    file: String,
    text: String,
}

/// Says which table has a tablespace.
type Namer = Box<dyn Fn(SpaceId) -> Option<String> + Send + Sync>;

static NAMER: OnceLock<Namer> = OnceLock::new();

/// Who knows the tables' names; once. It may take no latch and no lock.
pub fn set_namer(n: impl Fn(SpaceId) -> Option<String> + Send + Sync + 'static) {
    let _ = NAMER.set(Box::new(n));
}

/// A file with whose it is, as far as that is known.
fn named(file: &str) -> String {
    let whose = match Files::space_of(file) {
        Some(SpaceId(1)) => Some("the data dictionary".to_owned()),
        Some(SpaceId(2)) => Some("the undo log".to_owned()),
        Some(space) => NAMER.get().and_then(|n| n(space)).map(|t| format!("table {t}")),
        None => None,
    };
    whose.map_or_else(|| format!("'{file}'"), |w| format!("'{file}' ({w})"))
}

/// What helps against a failed operation.
fn advice(op: &str, errno: i32) -> &'static str {
    match (op, errno) {
        (_, ENFILE | EMFILE) => {
            "The process has no file descriptor left: raise open_files_limit (ulimit -n, LimitNOFILE=), or lower innodb_open_files or max_connections."
        }
        (_, EACCES | EROFS | 1) => {
            "Give the server's account the right to read and write the data directory and everything in it, and see that it is not mounted read-only."
        }
        (_, ENOENT) => "Somebody has taken the file away: stop the server and put it back, from a backup if need be.",
        (_, 0) => {
            "The file is shorter than it must be: it was cut from outside. Stop the server and restore it from a backup."
        }
        ("sync", _) => {
            "What was written since the last good sync may be lost on the device: look at the kernel's log (dmesg), replace the device if it fails, and restart the server, whose recovery brings back everything that was acknowledged."
        }
        (_, EIO) => {
            "The device or the file system fails: look at the kernel's log (dmesg), and have a backup at hand before you do anything else."
        }
        _ => "Look at the kernel's log (dmesg) and at the file system.",
    }
}

/// What is said of an error; `None`: it is no error of disk or files, or is told elsewhere.
fn diagnose(e: &StorageError) -> Option<Diagnosis> {
    let about = |code: u32, file: &str, text: String| Some(Diagnosis { code, file: file.to_owned(), text });
    match e {
        StorageError::Io { op, file, errno } => {
            let code = match (*op, *errno) {
                (_, ENOENT) => MISSING,
                ("write" | "extend", _) => WRITE,
                _ => OPERATION,
            };
            let why = if *errno == 0 { "it ends too early".to_owned() } else { os(*errno) };
            let text = format!("Operation '{op}' on {}: {why} (OS error {errno}). {}", named(file), advice(op, *errno));
            about(code, file, text)
        }
        StorageError::DiskFull { file } => {
            let text = format!(
                "No space left on the device for {}: statements that need some fail. Free space on its file system, or raise the quota.",
                named(file)
            );
            about(WRITE, file, text)
        }
        StorageError::CorruptPage { page, why } => {
            let file = Files::name_of(page.space);
            let text = format!(
                "Page {} of {} is damaged: {why}. Nothing is read from it. CHECK TABLE says how much is hit; look at the kernel's log (dmesg) and test memory and disk, then restore the table from a backup, or dump what can be read and make it anew.",
                page.page,
                named(&file)
            );
            about(PAGE, &file, text)
        }
        StorageError::NoSuchSpace { space } => {
            let file = Files::name_of(*space);
            let text = format!("{} is missing. {}", named(&file), advice("open", ENOENT));
            about(MISSING, &file, text)
        }
        StorageError::CorruptLog { .. } | StorageError::WrongFormat { .. } => {
            about(OPERATION, "", format!("{e}. Restore the data directory from a backup or a replica."))
        }
        StorageError::PageBeyondLog { page, .. } => about(PAGE, &Files::name_of(page.space), e.to_string()),
        // the start is refused with it, and says all of it
        StorageError::NotOurs { .. }
        | StorageError::LogDamaged { .. }
        | StorageError::Missing { .. }
        | StorageError::Stale { .. } => None,
        // nothing is wrong with the server's own files
        StorageError::LogOverwritten { .. } => None,
        // the administrator has asked for it
        StorageError::ForcedRecovery => None,
        // told when it becomes so, not at each statement that meets it ([`read_only`])
        StorageError::ReadOnly { .. } => None,
        // what statements meet and are told
        StorageError::PageFull
        | StorageError::PoolExhausted
        | StorageError::LockWaitTimeout
        | StorageError::Deadlock
        | StorageError::LockNowait
        | StorageError::LockTableFull
        | StorageError::Interrupted
        | StorageError::QueryTimeout
        | StorageError::DuplicateKey { .. }
        | StorageError::RecordTooLong
        | StorageError::TableDropped
        | StorageError::TableDefChanged
        | StorageError::Expression(_)
        | StorageError::TooManyTrx
        | StorageError::NotFound
        | StorageError::Discarded { .. }
        | StorageError::Foreign { .. }
        | StorageError::Unsupported { .. } => None,
    }
}

/// What has been told of one kind about one file.
#[derive(Default)]
struct Window {
    begun_ns: u64,
    texts: Vec<String>,
    left_out: u64,
}

impl Window {
    fn is_over(&self, now_ns: u64) -> bool {
        now_ns.saturating_sub(self.begun_ns) >= WINDOW.as_nanos() as u64
    }

    /// The line to be written now, if any.
    fn admit(&mut self, now_ns: u64, text: String) -> Option<String> {
        let left_out = self.left_out;
        if self.is_over(now_ns) {
            *self = Window { begun_ns: now_ns, ..Window::default() };
        } else if self.texts.len() >= MOST || self.texts.contains(&text) {
            self.left_out += 1;
            return None;
        } else {
            self.left_out = 0;
        }
        self.texts.push(text.clone());
        Some(if left_out > 0 {
            format!("{text} ({left_out} more errors of this kind since the last line.)")
        } else {
            text
        })
    }
}

/// Tells the error log, within bounds.
#[derive(Default)]
pub struct Reporter {
    windows: Mutex<HashMap<(u32, String), Window>>,
    /// The newest lines, for tests.
    last: Mutex<VecDeque<(u32, String)>>,
}

impl Reporter {
    /// A line for an error of disk or files; of others nothing.
    pub fn tell(&self, e: &StorageError) {
        if let Some(d) = diagnose(e) {
            self.line(d);
        }
    }

    /// Tells of it and hands it on.
    pub fn see<T>(&self, r: Result<T>) -> Result<T> {
        if let Err(e) = &r {
            self.tell(e);
        }
        r
    }

    #[cold]
    fn line(&self, d: Diagnosis) {
        let now = sys::clock::now_ns();
        let admitted = {
            let mut windows = self.windows.lock();
            if windows.len() >= KEYS {
                windows.retain(|_, w| !w.is_over(now));
            }
            if windows.len() >= KEYS {
                return;
            }
            let fresh = || Window { begun_ns: now, ..Window::default() };
            windows.entry((d.code, d.file)).or_insert_with(fresh).admit(now, d.text)
        };
        if let Some(text) = admitted {
            probe::errorlog::say("Error", "InnoDB", d.code, &text);
            let mut last = self.last.lock();
            last.truncate(31);
            last.push_front((d.code, text));
        }
    }

    /// The newest lines, newest first.
    pub fn last(&self) -> Vec<(u32, String)> {
        self.last.lock().iter().cloned().collect()
    }
}

/// For those who have no file system at hand.
fn general() -> &'static Reporter {
    static GENERAL: OnceLock<Reporter> = OnceLock::new();
    GENERAL.get_or_init(Reporter::default)
}

/// A line for an error of disk or files that somebody has met.
pub fn tell(e: &StorageError) {
    general().tell(e);
}

/// A statement's temporary file in this folder could not be made, written or read (`op`).
pub fn temporary(op: &'static str, folder: &str, errno: i32) {
    const ENOSPC: i32 = 28;
    const EDQUOT: i32 = 122;
    let file = format!("{folder} (temporary files, tmpdir)").into();
    tell(&match errno {
        ENOSPC | EDQUOT => StorageError::DiskFull { file },
        _ => StorageError::Io { op, file, errno },
    });
}

/// An error leaves the engine for a client. I/O has been told of where it failed.
pub(crate) fn leaves(e: &StorageError) {
    if !matches!(e, StorageError::Io { .. } | StorageError::DiskFull { .. }) {
        tell(e);
    }
}

/// The engine stops writing.
pub(crate) fn read_only(e: &StorageError) {
    let text = format!(
        "The redo log cannot be written any more: {e}. The engine is read-only from now on and commits nothing; what was acknowledged is safe. Mend the cause (a full or failing disk: see the line before and the kernel's log), then restart the server."
    );
    general().line(Diagnosis { code: OPERATION, file: String::new(), text });
}

/// Damage that CHECK TABLE has found.
pub(crate) fn found(table: &str, problem: &str) {
    let text = format!(
        "CHECK TABLE {table}: {problem}. Restore the table from a backup, or dump what can be read and make it anew."
    );
    general().line(Diagnosis { code: PAGE, file: table.to_owned(), text });
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{PageId, PageNo};

    fn page(n: u32) -> StorageError {
        StorageError::CorruptPage { page: PageId::new(SpaceId(100), PageNo(n)), why: "checksum mismatch" }
    }

    #[test]
    fn repeats_are_left_out_and_counted() {
        let second = 1_000_000_000;
        let mut w = Window { begun_ns: 0, ..Window::default() };
        assert_eq!(w.admit(0, "a".into()).as_deref(), Some("a"));
        assert_eq!(w.admit(second, "a".into()), None);
        assert_eq!(w.admit(second, "b".into()).as_deref(), Some("b (1 more errors of this kind since the last line.)"));
        for n in 2..MOST {
            assert!(w.admit(second, n.to_string()).is_some());
        }
        assert_eq!((w.admit(second, "x".into()), w.admit(second, "y".into())), (None, None));
        assert_eq!(
            w.admit(61 * second, "a".into()).as_deref(),
            Some("a (2 more errors of this kind since the last line.)")
        );
        assert_eq!(w.admit(62 * second, "a".into()), None);
    }

    #[test]
    fn each_file_has_its_lines_and_memory_is_bounded() {
        let r = Reporter::default();
        for n in 0..100 {
            r.tell(&page(n));
            r.tell(&page(n));
            r.tell(&StorageError::Deadlock);
        }
        r.tell(&StorageError::NoSuchSpace { space: SpaceId(101) });
        r.tell(&StorageError::Io { op: "read", file: Files::name_of(SpaceId(102)).into(), errno: 5 });
        let last = r.last();
        assert_eq!(last.len(), MOST + 2);
        let (code, text) = last.first().unwrap();
        assert_eq!(*code, OPERATION);
        assert!(
            text.starts_with("Operation 'read' on '#spaces/00000066.ibd': Input/output error (OS error 5). "),
            "{text}"
        );
        for n in 0..2000 {
            r.tell(&StorageError::DiskFull { file: format!("f{n}").into() });
        }
        assert!(r.windows.lock().len() <= KEYS);
    }
}
