//! Files behind a trait, so that the crash tests can run on a simulated disk.
//!
//! * [`FileSystem`]/[`DataFile`]: what the engine needs of an operating system. Names are relative to the data directory
//!   and use `/`.
//! * [`real`]: the data directory on disk. Data files and the redo log use O_DIRECT where the file system can; synced
//!   is with fdatasync.
//! * [`sim`]: in memory, seeded: at a crash every write that was not synced is kept, dropped or torn; faults on demand.
//! * [`told`]: around either of them: what fails is told in the error log.
//! * [`Files`]: tablespace id -> open file (`#spaces/<id as 8 hex>.ibd`).
//!
//! Crash: creating, renaming and removing are durable when the call returns (directory synced).

mod open;
pub mod real;
pub mod sim;
pub mod told;

pub use open::{Files, step};

use crate::error::{Result, StorageError};
use std::sync::Arc;
pub use sys::file::OpenMode;

/// Folder of the tablespace files inside the data directory.
pub const SPACES_DIR: &str = "#spaces";

/// How a file is used; decides caching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// Whole pages only, aligned buffers: may bypass the page cache.
    Data,
    /// Bytes at any position: goes through the page cache.
    Log,
}

/// A file used by position. Writes are complete or an error.
pub trait DataFile: Send + Sync {
    /// Reads until `buf` is full or the file ends; the number of bytes.
    fn read_up_to(&self, offset: u64, buf: &mut [u8]) -> Result<usize>;
    /// Writes all bytes; extends the file when needed. Not durable before [`DataFile::sync_data`].
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()>;
    /// Makes everything written so far durable. After an error nothing may be assumed about any write since the last
    /// success.
    fn sync_data(&self) -> Result<()>;
    /// Extends the file to `len` bytes of zeros with disk space behind them.
    fn preallocate(&self, len: u64) -> Result<()>;
    /// The first range in `[from, from + len)` whose disk space was never written, if the file system can tell: writing
    /// there changes metadata, too. `[begin, end)`.
    fn unwritten(&self, _from: u64, _len: u64) -> Result<Option<(u64, u64)>> {
        Ok(None)
    }
    /// Size in bytes.
    fn len(&self) -> Result<u64>;
    /// Whether the file has no bytes.
    fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }
    /// Cuts or extends (sparse).
    fn set_len(&self, len: u64) -> Result<()>;
    /// Name inside the data directory, for messages.
    fn name(&self) -> &str;

    /// Reads exactly `buf.len()` bytes; the file ending before is an I/O error without errno.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        if self.read_up_to(offset, buf)? == buf.len() {
            Ok(())
        } else {
            Err(StorageError::Io { op: "read", file: self.name().into(), errno: 0 })
        }
    }
}

/// Removes the files in a folder, which may be missing.
pub fn empty_dir(fs: &dyn FileSystem, dir: &str) -> Result<()> {
    fs.list(dir)?.iter().try_for_each(|n| fs.remove(&format!("{dir}/{n}")))
}

/// A directory tree of files.
pub trait FileSystem: Send + Sync {
    /// Opens; a created file is in its directory durably when this returns.
    fn open(&self, name: &str, mode: OpenMode, kind: FileKind) -> Result<Arc<dyn DataFile>>;
    /// Whether the name exists.
    fn exists(&self, name: &str) -> bool;
    /// Removes durably; a missing file is no error.
    fn remove(&self, name: &str) -> Result<()>;
    /// Renames durably, replacing `to`.
    fn rename(&self, from: &str, to: &str) -> Result<()>;
    /// Names in a folder, sorted, without the folder; a missing folder is empty.
    fn list(&self, dir: &str) -> Result<Vec<String>>;
    /// Creates a folder durably; an existing one is no error.
    fn create_dir(&self, dir: &str) -> Result<()>;
    /// Gives the file a second name. An I/O error if that is taken, or the file system has no such thing.
    fn link(&self, from: &str, to: &str) -> Result<()>;
    /// The number of a regular file, which all its names have: `None` for what is none.
    fn number(&self, name: &str) -> Option<(u64, u64)>;
    /// The name as the operating system has it, for listings.
    fn whole_name(&self, name: &str) -> String {
        name.to_owned()
    }
}
