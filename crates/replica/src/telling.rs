//! [`TellingFile`]: a file of the relay log, or the list of these, of whose operations performance_schema is told.
//!
//! Tested: `tests/clients/test_file_events.py`, `tests/binlog`.

use probe::files::{FileUse, Op, OpenFile};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// A file of the relay log, of whose operations performance_schema is told.
pub(crate) struct TellingFile {
    file: File,
    told: OpenFile,
}

impl TellingFile {
    /// Opens it.
    pub(crate) fn open(path: &Path, used: FileUse, options: &OpenOptions) -> io::Result<TellingFile> {
        let began = sys::clock::now_ns();
        let file = options.open(path)?;
        let took = sys::clock::now_ns().saturating_sub(began);
        Ok(TellingFile { file, told: probe::files::opened(&told_name(path), used, took) })
    }

    /// A new file, which is no affair of this machine's other users: rows stand in it.
    pub(crate) fn create(path: &Path, used: FileUse) -> io::Result<TellingFile> {
        let mut making = OpenOptions::new();
        making.create(true).truncate(true).read(true).write(true).mode(0o640);
        TellingFile::open(path, used, &making)
    }

    /// Reads all that the buffer has room for.
    pub(crate) fn read_exact_at(&self, buf: &mut [u8], at: u64) -> io::Result<()> {
        let length = buf.len() as u64;
        self.told.run(Op::Read, "read", |_| length, || self.file.read_exact_at(buf, at))
    }

    pub(crate) fn write_all_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        self.told.run(Op::Write, "write", |_| bytes.len() as u64, || self.file.write_all_at(bytes, at))
    }

    pub(crate) fn sync_data(&self) -> io::Result<()> {
        self.told.run(Op::Misc, "sync", |_| 0, || self.file.sync_data())
    }

    /// Cuts it.
    pub(crate) fn set_len(&self, length: u64) -> io::Result<()> {
        self.told.run(Op::Misc, "chsize", |_| 0, || self.file.set_len(length))
    }

    /// Its length.
    pub(crate) fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}

/// Removes a file, as far as it is there.
pub(crate) fn remove(path: &Path) {
    let _ = fs::remove_file(path);
    probe::files::removed(&told_name(path));
}

/// A file's name in performance_schema.
pub(crate) fn told_name(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}
