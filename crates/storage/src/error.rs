//! The storage crate's one error type, cut by what the caller can do about it, and its only mapping to [`SqlError`].
//!
//! A [`StorageError`] is small (a `Result<(), StorageError>` fits in four words) because every page access returns one.

use base::{ErrorCode, Lsn, PageId, SqlError};
use std::fmt;

/// What can go wrong below SQL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StorageError {
    /// The operating system refused; retrying the statement may or may not help. `errno` as the system gave it.
    Io {
        /// What was tried: "read", "write", "sync", "open" ...
        op: &'static str,
        /// File name inside the data directory.
        file: Box<str>,
        /// System error number; 0 when there is none (for example a short read).
        errno: i32,
    },
    /// No space left on the device; nothing was changed.
    DiskFull {
        /// File that could not grow.
        file: Box<str>,
    },
    /// Writing was switched off, with the reason (a failed redo write, `innodb_read_only`).
    ReadOnly {
        /// Why, for the error log and the client.
        reason: Box<str>,
    },
    /// `innodb_force_recovery`: nothing is written.
    ForcedRecovery,
    /// A page whose checksum, identity or structure is wrong. Never guessed at.
    CorruptPage {
        /// Which page.
        page: PageId,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A page with changes that the redo log does not have: it is from another time than the log. Never taken as it is, because what
    /// is logged for it later would be passed over by recovery.
    PageBeyondLog {
        /// Which page.
        page: PageId,
        /// The LSN it carries.
        lsn: Lsn,
        /// Where the log ended.
        end: Lsn,
    },
    /// A redo record or log file that cannot be right.
    CorruptLog {
        /// Where in the redo stream.
        lsn: Lsn,
        /// What is wrong there.
        why: &'static str,
    },
    /// The redo log is invalid at a place up to which it was durable: committed transactions lie behind the damage.
    LogDamaged {
        /// The first invalid place.
        lsn: Lsn,
        /// The same in the redo file.
        offset: u64,
        /// The log was durable at least up to here.
        durable: Lsn,
    },
    /// The redo log has overwritten what a backup had not read yet.
    LogOverwritten {
        /// What is lost to the backup.
        lsn: Lsn,
    },
    /// A file of another format or of a later version.
    WrongFormat {
        /// Which file.
        file: Box<str>,
        /// What was found.
        why: &'static str,
    },
    /// A file that something else of the data directory contradicts, and that is left as it is: the reason says what
    /// the administrator can do.
    NotOurs {
        /// Which file.
        file: Box<str>,
        /// What is the matter, and what to do.
        why: &'static str,
    },
    /// A part of the data directory is gone that nothing works without.
    Missing {
        /// Which file.
        file: Box<str>,
        /// What it is.
        what: &'static str,
    },
    /// A file that is older than the log says it must be: an older copy of it.
    Stale {
        /// Which file.
        file: Box<str>,
        /// What it is.
        what: &'static str,
        /// LSN of the page that every start changes.
        lsn: Lsn,
        /// Where the log of the last start begins.
        run: Lsn,
    },
    /// The tablespace has no file.
    NoSuchSpace {
        /// Its id.
        space: base::SpaceId,
    },
    /// The record does not fit on the page (the B+tree splits or compacts and tries again); the page is unchanged.
    PageFull,
    /// Every frame of the buffer pool is latched or cannot be written out.
    PoolExhausted,
    /// 1205: the row lock was not granted within `innodb_lock_wait_timeout`.
    LockWaitTimeout,
    /// 1213: this transaction was chosen as the deadlock victim.
    Deadlock,
    /// 3572: NOWAIT and the lock is held by another.
    LockNowait,
    /// 1206: no memory for more locks.
    LockTableFull,
    /// 1317: KILL QUERY or KILL CONNECTION.
    Interrupted,
    /// 3024: max_execution_time.
    QueryTimeout,
    /// 1062: unique index number `index` of the table already has this entry.
    DuplicateKey {
        /// Position of the index in the table's definition.
        index: usize,
        /// Row bytes of the entry, for the message.
        key: Vec<u8>,
    },
    /// The record is longer than a page can hold even with its long columns moved out.
    RecordTooLong,
    /// The table was dropped or replaced while the statement held an old definition.
    TableDropped,
    /// 1412: the table was rebuilt, or got an index, after the transaction's snapshot was taken.
    TableDefChanged,
    /// The expression of a VIRTUAL column fails for a row ([`crate::table::computed`]).
    Expression(SqlError),
    /// 1814: the table's rows were discarded (ALTER TABLE ... DISCARD TABLESPACE).
    Discarded {
        /// Name of the table.
        table: Box<str>,
    },
    /// A file that ALTER TABLE ... IMPORT TABLESPACE was given cannot be what FOR EXPORT made.
    Foreign {
        /// The file, in the data directory.
        file: Box<str>,
        /// Page, if it is one's.
        page: Option<base::PageNo>,
        /// What is wrong.
        why: &'static str,
    },
    /// 1637: no undo slot is free.
    TooManyTrx,
    /// The thing asked for does not exist.
    NotFound,
    /// What is not built yet; answered as 1235.
    Unsupported {
        /// The feature.
        what: &'static str,
    },
}

/// Result with [`StorageError`].
pub type Result<T> = std::result::Result<T, StorageError>;

impl StorageError {
    /// An I/O error of the standard library, told apart into [`StorageError::DiskFull`] and the rest.
    pub fn from_io(op: &'static str, file: &str, e: &std::io::Error) -> StorageError {
        const ENOSPC: i32 = 28;
        const EDQUOT: i32 = 122;
        match e.raw_os_error() {
            Some(ENOSPC | EDQUOT) => StorageError::DiskFull { file: file.into() },
            Some(errno) => StorageError::Io { op, file: file.into(), errno },
            None if e.kind() == std::io::ErrorKind::NotFound => StorageError::Io { op, file: file.into(), errno: 2 },
            None => StorageError::Io { op, file: file.into(), errno: 0 },
        }
    }

    /// The same of an operation on this table: a disk without room is told of with its name (1114), whichever file could not grow.
    pub fn of_table(self, table: &str) -> StorageError {
        match self {
            StorageError::DiskFull { .. } => StorageError::DiskFull { file: table.into() },
            e => e,
        }
    }

    /// What a system tablespace is, in words.
    fn role(space: base::SpaceId) -> &'static str {
        if space == crate::reserved::UNDO_SPACE { "the undo tablespace" } else { "the data dictionary" }
    }

    /// The file of a system tablespace is gone.
    pub(crate) fn missing(space: base::SpaceId) -> StorageError {
        StorageError::Missing { file: crate::file::Files::name_of(space).into(), what: StorageError::role(space) }
    }

    /// A system tablespace is an older copy: this page's LSN is below where the last start's log begins.
    pub(crate) fn stale(page: PageId, lsn: Lsn, run: Lsn) -> StorageError {
        let file = crate::file::Files::name_of(page.space).into();
        StorageError::Stale { file, what: StorageError::role(page.space), lsn, run }
    }

    /// Whether the process, or the system, has no file descriptor left.
    pub fn is_out_of_descriptors(&self) -> bool {
        const ENFILE: i32 = 23;
        const EMFILE: i32 = 24;
        matches!(self, StorageError::Io { op: "open", errno: ENFILE | EMFILE, .. })
    }

    /// Whether the file was not there.
    pub fn is_file_missing(&self) -> bool {
        matches!(self, StorageError::Io { errno: 2, .. } | StorageError::NoSuchSpace { .. })
    }
}

/// Where a page is, in words.
fn place_of(page: PageId) -> String {
    format!("page {} of file '{}'", page.page.0, crate::file::Files::name_of(page.space))
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StorageError::Io { op, file, errno } => write!(f, "{op} of '{file}' failed (errno: {errno})"),
            StorageError::DiskFull { file } => write!(f, "no space left for '{file}'"),
            StorageError::ReadOnly { reason } => write!(f, "the storage engine is read-only: {reason}"),
            StorageError::ForcedRecovery => write!(f, "innodb_force_recovery is set: nothing is written"),
            StorageError::CorruptPage { page, why } => write!(f, "page {page} is corrupt: {why} ({})", place_of(*page)),
            StorageError::PageBeyondLog { page, lsn, end } => write!(
                f,
                "page {page} is newer than the redo log ({}): its LSN is {lsn}, and the log ended at {end}. The file and the log are not from \
                 the same moment: a copy taken while the server ran, or a file of one copy beside those of another. Restore the \
                 whole data directory from a backup; or start with --innodb-force-recovery=1 to read (only) what is there, dump it and rebuild",
                place_of(*page)
            ),
            StorageError::CorruptLog { lsn, why } => write!(f, "the redo log is corrupt at LSN {lsn}: {why}"),
            StorageError::LogDamaged { lsn, offset, durable } => write!(
                f,
                "the redo log '{}' is damaged: no valid record at byte {offset} (LSN {lsn}), although the log was durable up to \
                 LSN {durable}. Committed transactions lie behind the damage, so the server does not start as if the log ended \
                 there. Restore the file or the data directory from a backup or a replica; or start with \
                 --innodb-force-recovery=1 to read (only) what the data files and the log before the damage have, dump it \
                 and rebuild",
                crate::redo::logfile::REDO_FILE
            ),
            StorageError::LogOverwritten { lsn } => write!(
                f,
                "the redo log has overwritten LSN {lsn}, which the backup had not read yet: raise innodb_redo_log_capacity"
            ),
            StorageError::WrongFormat { file, why } | StorageError::NotOurs { file, why } => {
                write!(f, "file '{file}': {why}")
            }
            StorageError::Missing { file, what } => write!(
                f,
                "file '{file}' ({what}) is missing, but there are other tablespaces. The server does not start as if the directory were \
                 new. Restore the whole data directory from a backup"
            ),
            StorageError::Stale { file, what, lsn, run } => write!(
                f,
                "file '{file}' ({what}) is an older copy: its LSN is {lsn}, and the last start wrote it at {run} or later. Restore the whole data \
                 directory from a backup, not single files"
            ),
            StorageError::NoSuchSpace { space } => write!(f, "tablespace {space} has no file"),
            StorageError::PageFull => write!(f, "page full"),
            StorageError::PoolExhausted => write!(f, "no free frame in the buffer pool"),
            StorageError::LockWaitTimeout => write!(f, "lock wait timeout"),
            StorageError::Deadlock => write!(f, "deadlock"),
            StorageError::LockNowait => write!(f, "lock not available (NOWAIT)"),
            StorageError::LockTableFull => write!(f, "lock table full"),
            StorageError::Interrupted => write!(f, "interrupted"),
            StorageError::QueryTimeout => write!(f, "maximum statement execution time exceeded"),
            StorageError::DuplicateKey { index, .. } => write!(f, "duplicate key in index {index}"),
            StorageError::RecordTooLong => write!(f, "record too long"),
            StorageError::TableDropped => write!(f, "table dropped"),
            StorageError::TableDefChanged => write!(f, "table definition has changed"),
            StorageError::Expression(e) => f.write_str(e.message()),
            StorageError::Discarded { table } => write!(f, "the tablespace of '{table}' is discarded"),
            StorageError::Foreign { file, page: Some(page), why } => write!(f, "file '{file}', page {}: {why}", page.0),
            StorageError::Foreign { file, page: None, why } => write!(f, "file '{file}': {why}"),
            StorageError::TooManyTrx => write!(f, "too many active transactions"),
            StorageError::NotFound => write!(f, "not found"),
            StorageError::Unsupported { what } => write!(f, "unsupported: {what}"),
        }
    }
}

impl std::error::Error for StorageError {}

/// The operating system's words for an error number.
pub(crate) fn os(errno: i32) -> String {
    let text = std::io::Error::from_raw_os_error(errno).to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// The mapping to what a client sees. Callers that know the table and key names map [`StorageError::DuplicateKey`] and
/// [`StorageError::TableDropped`] themselves; here they get the best text possible without names. Errors of disk and files are told in the error
/// log on their way out.
impl From<StorageError> for SqlError {
    fn from(e: StorageError) -> SqlError {
        crate::told::leaves(&e);
        let new = SqlError::new;
        match &e {
            StorageError::Io { op: "read", file, errno } => new(ErrorCode::ERROR_ON_READ, &[file, errno, &os(*errno)]),
            StorageError::Io { op: "open", file, errno } => new(ErrorCode::CANT_OPEN_FILE, &[file, errno, &os(*errno)]),
            StorageError::Io { file, errno, .. } => new(ErrorCode::ERROR_ON_WRITE, &[file, errno, &os(*errno)]),
            StorageError::DiskFull { file } => new(ErrorCode::RECORD_FILE_FULL, &[file]),
            StorageError::ReadOnly { .. } => SqlError::with_message(ErrorCode::INNODB_READ_ONLY, e.to_string()),
            StorageError::ForcedRecovery => new(ErrorCode::INNODB_FORCED_RECOVERY, &[]),
            StorageError::CorruptPage { .. } | StorageError::PageBeyondLog { .. } => {
                SqlError::with_message(ErrorCode::INDEX_CORRUPT, e.to_string())
            }
            StorageError::LogOverwritten { .. } => SqlError::with_message(ErrorCode::UNKNOWN_ERROR, e.to_string()),
            StorageError::CorruptLog { .. }
            | StorageError::LogDamaged { .. }
            | StorageError::WrongFormat { .. }
            | StorageError::NotOurs { .. }
            | StorageError::Missing { .. }
            | StorageError::Stale { .. } => SqlError::with_message(ErrorCode::NOT_FORM_FILE, e.to_string()),
            StorageError::NoSuchSpace { space } => {
                new(ErrorCode::CANT_OPEN_FILE, &[&crate::file::Files::name_of(*space), &2, &os(2)])
            }
            StorageError::PageFull => new(ErrorCode::GET_ERRNO, &[&139, &e]),
            StorageError::PoolExhausted => new(ErrorCode::OUTOFMEMORY, &[&crate::page::PAGE_SIZE]),
            StorageError::LockWaitTimeout => new(ErrorCode::LOCK_WAIT_TIMEOUT, &[]),
            StorageError::Deadlock => new(ErrorCode::LOCK_DEADLOCK, &[]),
            StorageError::LockNowait => new(ErrorCode::LOCK_NOWAIT, &[]),
            StorageError::LockTableFull => new(ErrorCode::LOCK_TABLE_FULL, &[]),
            StorageError::Interrupted => new(ErrorCode::QUERY_INTERRUPTED, &[]),
            StorageError::QueryTimeout => new(ErrorCode::QUERY_TIMEOUT, &[]),
            StorageError::DuplicateKey { index, key } => {
                new(ErrorCode::DUP_ENTRY, &[&String::from_utf8_lossy(key), index])
            }
            StorageError::RecordTooLong => new(ErrorCode::TOO_BIG_ROWSIZE, &[&8126]),
            StorageError::TableDropped => new(ErrorCode::NO_SUCH_TABLE, &[&"", &""]),
            StorageError::TableDefChanged => new(ErrorCode::TABLE_DEF_CHANGED, &[]),
            StorageError::Expression(e) => e.clone(),
            StorageError::Discarded { table } => new(ErrorCode::TABLESPACE_DISCARDED, &[table]),
            StorageError::Foreign { .. } => new(ErrorCode::INTERNAL_ERROR, &[&e]),
            StorageError::TooManyTrx => new(ErrorCode::TOO_MANY_CONCURRENT_TRXS, &[]),
            StorageError::NotFound => new(ErrorCode::KEY_NOT_FOUND, &[&""]),
            StorageError::Unsupported { what } => SqlError::unsupported(what),
        }
    }
}
