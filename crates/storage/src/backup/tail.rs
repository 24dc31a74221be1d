//! Keeps what the redo log gets while a backup runs, in a file of its own.
//!
//! The log is a circle, but it does not overwrite what this has not read ([`crate::redo::reader`]): where the writers
//! are a whole turn ahead, they wait. They wait for nothing else of a backup: at the first error, and at the backup's
//! end, the log is let go. After a read it is looked all the same how far the log has been reserved, and a backup that
//! the log has overtaken fails. Tested: `engine/tests/backup.rs`.

use crate::error::{Result, StorageError};
use crate::file::{DataFile, FileKind, FileSystem, OpenMode};
use crate::redo::logfile::BLOCK;
use crate::redo::reader::Reader;
use crate::reserved::BACKUP_DIR as DIR;
use crate::store::Store;
use base::Lsn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that are read at once.
const CHUNK: u64 = 4 << 20;

static NUMBER: AtomicU64 = AtomicU64::new(0);

pub(super) struct Tail {
    name: String,
    file: Arc<dyn DataFile>,
    from: Lsn,
    at: Lsn,
    buf: Vec<u8>,
    failed: Option<StorageError>,
    /// Keeps the log from overwriting what comes at `at`.
    reader: Option<Reader>,
}

impl Tail {
    pub(super) fn new(store: &Store, from: Lsn) -> Result<Tail> {
        let fs = store.files().fs();
        fs.create_dir(DIR)?;
        let name = format!("{DIR}/redo_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let file = fs.open(&name, OpenMode::Truncate, FileKind::Log)?;
        let reader = Some(store.log().reader(from));
        Ok(Tail { name, file, from, at: from, buf: Vec::new(), failed: None, reader })
    }

    /// Up to where the redo is kept.
    pub(super) fn at(&self) -> Lsn {
        self.at
    }

    pub(super) fn fail(&mut self, e: StorageError) {
        self.failed = Some(e);
        self.reader = None;
    }

    /// Why nothing is kept any more.
    pub(super) fn check(&mut self) -> Result<()> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// Keeps some of what is durable; `false`: there was nothing.
    pub(super) fn step(&mut self, store: &Store) -> Result<bool> {
        self.check()?;
        let log = store.log();
        let n = CHUNK.min(log.flushed_lsn().0.saturating_sub(self.at.0));
        if n == 0 {
            log.check_alive()?;
            return Ok(false);
        }
        self.buf.resize(n as usize, 0);
        log.file().read(self.at, &mut self.buf)?;
        // what is reserved may be written, with zeros up to a block's end
        if log.current_lsn().0 + 2 * BLOCK > self.at.0 + log.file().data_size() {
            return Err(StorageError::LogOverwritten { lsn: self.at });
        }
        self.file.write_at(self.at.0 - self.from.0, &self.buf)?;
        self.at = Lsn(self.at.0 + n);
        if let Some(reader) = &self.reader {
            reader.move_to(self.at);
        }
        Ok(true)
    }

    /// What lies behind `end` is not wanted.
    pub(super) fn cut(&mut self, end: Lsn) {
        self.at = self.at.min(end);
        self.reader = None;
    }

    /// Gives back what is kept.
    pub(super) fn read(&mut self, piece: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>) -> Result<()> {
        let mut at = self.from;
        while at < self.at {
            let n = (self.at.0 - at.0).min(CHUNK >> 2);
            self.buf.resize(n as usize, 0);
            self.file.read_at(at.0 - self.from.0, &mut self.buf)?;
            piece(at, &self.buf)?;
            at = Lsn(at.0 + n);
        }
        Ok(())
    }

    pub(super) fn remove(&self, fs: &dyn FileSystem) {
        let _ = fs.remove(&self.name);
    }
}
