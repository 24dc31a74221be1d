//! Which files there are: the index, new files, PURGE and RESET.
//!
//! Never over a file that is there: a new file has a number above all that lie beside it, is made only where nothing
//! is, and a file that the index does not name is not touched. Its line in the index comes first, so what lies there
//! after a crash and has a line is the log's own.
//!
//! What is to be removed stands in the note first; then files go, the lowest first, then their lines, then the note. A
//! start goes on where that was cut off, and takes files that are missing at the front as purged. A RESET ends with the
//! note of its own place in the redo log: up to there nothing is done again, because it would undo what came after.
//! Cut off before, recovery meets it again and does it from the beginning.
//!
//! Where there is no room for the note, files go without it: that makes room. Called with the mutex of
//! [`super::files`]. Tested in `log/set_tests.rs` by a power cut after every single operation.

use super::files::{Files, OneFile, say};
use super::names::Names;
use crate::gtid::GtidSet;
use base::Lsn;
use std::collections::BTreeSet;
use std::sync::Arc;
use storage::error::{Result, StorageError};
use storage::file::{DataFile, FileKind, OpenMode};

/// The system's number for "exists".
const EEXIST: i32 = 17;

/// A file that is there and has no line in the index.
fn unlisted(name: &str) -> StorageError {
    StorageError::NotOurs {
        file: name.into(),
        why: "it exists, events of the binary log belong to it, and the log's index does not name it: nothing is \
              written into it. If it is a file of this log, put the index back, with a line for each file of the log \
              in the order of their numbers; if it is not, move it away. Then start again",
    }
}

impl Files {
    /// Reads the index. A file that it names and that is not there has no bytes; where that is the oldest, it is gone.
    pub(super) fn load(&mut self) -> Result<()> {
        self.list.clear();
        let mut missing = Vec::new();
        for n in self.names().read_index(&*self.fs)?.difference(&self.note.purging) {
            let name = self.note.names.file(*n);
            let mut size = 0;
            if self.fs.exists(&name) {
                size = self.fs.open(&name, OpenMode::ReadOnly, FileKind::Log)?.len()?;
            } else {
                missing.push(*n);
            }
            self.list.insert(*n, OneFile::of(size));
        }
        let there = self.list.keys().find(|n| !missing.contains(n)).copied();
        if let Some(first) = there {
            self.list = self.list.split_off(&first);
        }
        for n in missing {
            let name = self.names().shown(n);
            say(&format!("file {name}, which the index names, is missing"));
        }
        Ok(())
    }

    pub(super) fn write_index(&self) -> Result<()> {
        self.note.names.write_index(&*self.fs, self.list.keys().copied())
    }

    /// The highest number of a file that lies here under a name of the log's and is not the log's.
    pub(super) fn highest_beside(&self) -> Result<u32> {
        self.names().highest(&*self.fs, |n| !self.list.contains_key(&n) && !self.note.purging.contains(&n))
    }

    /// Whether a file of this number lies here and is not the log's.
    pub(super) fn is_beside(&self, n: u32) -> bool {
        !self.list.contains_key(&n) && !self.note.purging.contains(&n) && self.fs.exists(&self.names().file(n))
    }

    /// Whether a log of this name can be written: makes a file of the number 0, which none has, removes it, and writes
    /// the index as it is. Where that fails nothing has changed. A crash between leaves an empty file, which the next
    /// trial removes; one with bytes is somebody's.
    pub(super) fn prove(&self, names: &Names) -> Result<()> {
        if let Some(e) = self.broken.as_ref().filter(|_| names == self.names()) {
            return Err(e.clone());
        }
        let listed = names.read_index(&*self.fs)?;
        let next = names.highest(&*self.fs, |_| true)?.max(listed.last().copied().unwrap_or(0));
        let trial = names.file(0);
        if self.fs.open(&trial, OpenMode::OpenOrCreate, FileKind::Log)?.len()? == 0 {
            self.fs.remove(&trial)?;
        }
        if next > 0 && listed.is_empty() {
            let (index, last) = (&names.index, names.shown(next));
            say(&format!("index '{index}' names no file, but there are some: the log goes on behind {last}"));
        }
        names.write_index(&*self.fs, listed.into_iter())
    }

    /// Makes a file and its line in the index.
    pub(super) fn make(&mut self, number: u32) -> Result<Arc<dyn DataFile>> {
        let name = self.note.names.file(number);
        // what is left of the log before a RESET
        let own = self.note.purging.contains(&number);
        if !own && self.fs.exists(&name) {
            return Err(unlisted(&name));
        }
        self.list.insert(number, OneFile::default());
        if let Err(e) = self.write_index() {
            self.list.remove(&number);
            return Err(e);
        }
        let mode = if own { OpenMode::Truncate } else { OpenMode::CreateNew };
        match self.fs.open(&name, mode, FileKind::Log) {
            Err(StorageError::Io { errno: EEXIST, .. }) => {
                self.list.remove(&number);
                self.write_index()?;
                Err(unlisted(&name))
            }
            opened => opened,
        }
    }

    /// Removes all files: the RESET that ends at `lsn` in the redo log.
    pub(super) fn reset(&mut self, lsn: Lsn) -> Result<()> {
        self.note.purging.extend(self.list.keys());
        self.note_removal()?;
        self.list.clear();
        self.gaps.clear();
        self.remove_purged()?;
        self.note.only_here = GtidSet::default();
        self.note.reset = lsn;
        self.note.write(&*self.fs)
    }

    /// Removes the files before `keep`, which exists.
    pub(super) fn purge(&mut self, keep: u32) -> Result<usize> {
        let kept = self.list.split_off(&keep);
        let gone: BTreeSet<u32> = std::mem::replace(&mut self.list, kept).into_keys().collect();
        // what is written for them and not synced is not needed any more
        self.note.purging.extend(&gone);
        self.finish_purge()?;
        Ok(gone.len())
    }

    /// Removes what a purge has taken out of the list.
    pub(super) fn finish_purge(&mut self) -> Result<()> {
        if self.note.purging.is_empty() {
            return Ok(());
        }
        self.note_removal()?;
        self.remove_purged()?;
        self.note.write(&*self.fs)
    }

    /// Notes what is going to be removed.
    fn note_removal(&self) -> Result<()> {
        match self.note.write(&*self.fs) {
            Err(StorageError::DiskFull { .. }) => Ok(()),
            noted => noted,
        }
    }

    /// Removes the files, then their lines.
    fn remove_purged(&mut self) -> Result<()> {
        for n in self.note.purging.iter().filter(|n| !self.list.contains_key(n)) {
            self.fs.remove(&self.note.names.file(*n))?;
        }
        self.write_index()?;
        self.note.purging.clear();
        Ok(())
    }
}
