//! A file outside of the engine that performance_schema is told of ([`probe::files`]): the query logs, what LOAD DATA
//! reads and what INTO OUTFILE writes.
//!
//! Tested: `tests/clients/test_file_events.py`.

use probe::files::{FileUse, Op, OpenFile};
use std::fs::{File, OpenOptions};
use std::io::{Read, Result, Write};
use std::path::Path;

/// An open file. What is done with it costs two clock readings while its instrument is on.
pub(crate) struct ToldFile {
    file: File,
    told: OpenFile,
}

impl ToldFile {
    /// Opens it.
    pub(crate) fn open(path: &Path, used: FileUse, options: &OpenOptions) -> Result<ToldFile> {
        let began = sys::clock::now_ns();
        let file = options.open(path)?;
        let took = sys::clock::now_ns().saturating_sub(began);
        let name = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Ok(ToldFile { file, told: probe::files::opened(&name.to_string_lossy(), used, took) })
    }

    /// Its bytes are on the disk.
    pub(crate) fn sync_data(&self) -> Result<()> {
        self.told.run(Op::Misc, "sync", |_| 0, || self.file.sync_data())
    }
}

fn moved(done: &Result<usize>) -> u64 {
    done.as_ref().map_or(0, |n| *n as u64)
}

impl Read for ToldFile {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        self.told.run(Op::Read, "read", moved, || self.file.read(buf))
    }
}

impl Write for ToldFile {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        self.told.run(Op::Write, "write", moved, || self.file.write(buf))
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A file is gone.
pub(crate) fn removed(path: &Path) {
    let name = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    probe::files::removed(&name.to_string_lossy());
}
