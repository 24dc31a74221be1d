//! Files behind a trait, so that the crash tests can run on a simulated disk.
//!
//! * [`FileSystem`]/[`DataFile`]: what the engine needs of an operating system. Names are relative to the data directory
//!   and use `/`.
//! * [`real`]: the data directory on disk. Data files use O_DIRECT where the file system can, the log is buffered and
//!   synced with fdatasync.
//! * [`sim`]: in memory, seeded: at a crash every write that was not synced is kept, dropped or torn; faults on demand.
//! * [`Files`]: tablespace id -> open file (`#spaces/<id as 8 hex>.ibd`).
//!
//! Locks: `Files` has one read-write lock around its map; nothing else is taken under it. Crash: creating, renaming and
//! removing are durable when the call returns (directory synced).

pub mod real;
pub mod sim;

use crate::error::{Result, StorageError};
use base::SpaceId;
use hashbrown::HashMap;
use parking_lot::RwLock;
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
}

/// The open tablespace files.
pub struct Files {
    fs: Arc<dyn FileSystem>,
    open: RwLock<HashMap<u32, Arc<dyn DataFile>, foldhash::fast::FixedState>>,
    /// How far each file is known to have disk space.
    grown: RwLock<HashMap<u32, u64, foldhash::fast::FixedState>>,
}

impl Files {
    /// On the given file system.
    pub fn new(fs: Arc<dyn FileSystem>) -> Files {
        Files { fs, open: RwLock::new(HashMap::default()), grown: RwLock::new(HashMap::default()) }
    }

    /// The file system below.
    pub fn fs(&self) -> &Arc<dyn FileSystem> {
        &self.fs
    }

    /// File name of a tablespace.
    pub fn name_of(space: SpaceId) -> String {
        format!("{SPACES_DIR}/{:08x}.ibd", space.0)
    }

    /// The space's file, opened at first use.
    pub fn get(&self, space: SpaceId) -> Result<Arc<dyn DataFile>> {
        if let Some(f) = self.open.read().get(&space.0) {
            return Ok(f.clone());
        }
        let mut open = self.open.write();
        if let Some(f) = open.get(&space.0) {
            return Ok(f.clone());
        }
        let f = self
            .fs
            .open(&Files::name_of(space), OpenMode::ReadWrite, FileKind::Data)
            .map_err(|e| if e.is_file_missing() { StorageError::NoSuchSpace { space } } else { e })?;
        open.insert(space.0, f.clone());
        Ok(f)
    }

    /// How many files are open.
    pub fn open_count(&self) -> usize {
        self.open.read().len()
    }

    /// Creates the space's file, empty; an error when there is one.
    pub fn create(&self, space: SpaceId) -> Result<()> {
        self.fs.create_dir(SPACES_DIR)?;
        let f = self.fs.open(&Files::name_of(space), OpenMode::CreateNew, FileKind::Data)?;
        self.open.write().insert(space.0, f);
        Ok(())
    }

    /// Makes sure that the space's file has disk space up to `end`, growing it in steps (128 KiB, from 1 MiB on 1 MiB, from 32 MiB
    /// on 4 MiB) so that page writes seldom change the file's size. `DiskFull` only when not even `end` fits.
    pub fn grow(&self, space: SpaceId, file: &dyn DataFile, end: u64) -> Result<()> {
        if self.grown.read().get(&space.0).is_some_and(|g| *g >= end) {
            return Ok(());
        }
        let mut have = file.len()?;
        if have < end {
            let step = if end < 1 << 20 {
                128 << 10
            } else if end < 32 << 20 {
                1 << 20
            } else {
                4 << 20
            };
            have = end.next_multiple_of(step);
            if let Err(StorageError::DiskFull { .. }) = file.preallocate(have) {
                have = end;
                file.preallocate(have)?;
            }
        }
        self.grown.write().insert(space.0, have);
        Ok(())
    }

    /// Removes the space's file durably. The pool's pages of it must have been discarded.
    pub fn remove(&self, space: SpaceId) -> Result<()> {
        self.open.write().remove(&space.0);
        self.grown.write().remove(&space.0);
        self.fs.remove(&Files::name_of(space))
    }

    /// Whether the space has a file.
    pub fn exists(&self, space: SpaceId) -> bool {
        self.open.read().contains_key(&space.0) || self.fs.exists(&Files::name_of(space))
    }

    /// Size of the space's file in bytes.
    pub fn size(&self, space: SpaceId) -> Result<u64> {
        self.get(space)?.len()
    }

    /// All spaces that have a file.
    pub fn spaces(&self) -> Result<Vec<SpaceId>> {
        let names = self.fs.list(SPACES_DIR)?;
        let ids = names.iter().filter_map(|n| u32::from_str_radix(n.strip_suffix(".ibd")?, 16).ok());
        Ok(ids.map(SpaceId).collect())
    }
}
