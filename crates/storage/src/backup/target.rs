//! A new data directory out of the pieces of a backup.
//!
//! Pages go to their files as they come; later backups of a chain are laid over earlier ones
//! ([`Target::begin_layer`]). The redo goes into a file beside, and becomes the redo log as the last thing of all: a
//! directory without a redo log is refused by every start, so one that was not completed is never used. [`prepare`]
//! opens the engine there once, which recovers as after a power cut, and closes it.
//!
//! Not synced piece by piece: everything is synced before the redo log's file gets its name.
//! Tested: `engine/tests/backup.rs`.

use super::Start;
use super::pages::{Piece, check_run};
use crate::engine::{Engine, EngineConfig};
use crate::error::{Result, StorageError};
use crate::file::{DataFile, FileKind, FileSystem, Files, OpenMode, SPACES_DIR};
use crate::page::{PAGE_SIZE, PageBuf};
use crate::redo::LogFile;
use crate::redo::logfile::{REDO_DIR, REDO_FILE};
use base::{Lsn, SpaceId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The redo before it is the redo log.
const REDO_PART: &str = "#innodb_redo/#backup_redo";
/// Bytes that are copied at once.
const CHUNK: usize = 1 << 20;

/// A data directory that is being made.
pub struct Target {
    fs: Arc<dyn FileSystem>,
    /// Files that the layer has named.
    named: BTreeSet<SpaceId>,
    open: Option<(SpaceId, Arc<dyn DataFile>)>,
    redo: Option<(Arc<dyn DataFile>, Lsn, Lsn)>,
    page: Box<PageBuf>,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Target({} spaces)", self.named.len())
    }
}

impl Target {
    /// In a folder that has neither tablespaces nor a redo log.
    ///
    /// # Errors
    /// `WrongFormat`: it has; I/O errors.
    pub fn new(fs: Arc<dyn FileSystem>) -> Result<Target> {
        if fs.exists(REDO_FILE) || !fs.list(SPACES_DIR)?.is_empty() {
            let why = "there is a data directory already";
            return Err(StorageError::WrongFormat { file: SPACES_DIR.into(), why });
        }
        fs.create_dir(SPACES_DIR)?;
        fs.create_dir(REDO_DIR)?;
        Ok(Target { fs, named: BTreeSet::new(), open: None, redo: None, page: PageBuf::zeroed() })
    }

    /// Another backup of the chain begins; the redo of the one before is not needed.
    ///
    /// # Errors
    /// I/O errors.
    pub fn begin_layer(&mut self) -> Result<()> {
        self.named.clear();
        self.redo = None;
        self.fs.remove(REDO_PART)
    }

    fn file(&mut self, space: SpaceId) -> Result<Arc<dyn DataFile>> {
        if let Some((s, f)) = &self.open
            && *s == space
        {
            return Ok(f.clone());
        }
        if let Some((_, f)) = self.open.take() {
            f.sync_data()?;
        }
        let f = self.fs.open(&Files::name_of(space), OpenMode::OpenOrCreate, FileKind::Data)?;
        self.open = Some((space, f.clone()));
        Ok(f)
    }

    /// A piece of a tablespace. Pages are verified.
    ///
    /// # Errors
    /// `CorruptPage`; I/O errors.
    pub fn piece(&mut self, space: SpaceId, piece: Piece<'_>) -> Result<()> {
        match piece {
            Piece::Length(pages) => {
                self.named.insert(space);
                // what an earlier layer had behind it is gone, and what is missing are zeros
                self.file(space)?.set_len(u64::from(pages) * PAGE_SIZE as u64)
            }
            Piece::Pages(first, bytes) => {
                check_run(space, first, bytes)?;
                let file = self.file(space)?;
                // one page at a time out of an aligned buffer, as direct I/O wants it
                for (i, one) in (u64::from(first.0)..).zip(bytes.chunks_exact(PAGE_SIZE)) {
                    self.page.bytes_mut().copy_from_slice(one);
                    file.write_at(i * PAGE_SIZE as u64, self.page.bytes())?;
                }
                Ok(())
            }
        }
    }

    /// A piece of the redo; they come in order, without gaps.
    ///
    /// # Errors
    /// `CorruptLog`: one is missing; I/O errors.
    pub fn redo(&mut self, lsn: Lsn, bytes: &[u8]) -> Result<()> {
        if self.redo.is_none() {
            let file = self.fs.open(REDO_PART, OpenMode::Truncate, FileKind::Log)?;
            self.redo = Some((file, lsn, lsn));
        }
        let Some((file, from, at)) = &mut self.redo else { return Err(StorageError::NotFound) };
        if *at != lsn {
            return Err(StorageError::CorruptLog { lsn: *at, why: "a piece of the redo is missing in the backup" });
        }
        file.write_at(at.0 - from.0, bytes)?;
        *at = Lsn(at.0 + bytes.len() as u64);
        Ok(())
    }

    /// Everything has come: the redo log gets its file, with its checkpoint at the start, durable up to `end`.
    ///
    /// # Errors
    /// `CorruptLog`: the redo does not reach from start to end; I/O errors.
    pub fn finish(mut self, start: Start, end: Lsn) -> Result<()> {
        if let Some((_, f)) = self.open.take() {
            f.sync_data()?;
        }
        for name in self.fs.list(SPACES_DIR)? {
            let name = format!("{SPACES_DIR}/{name}");
            if Files::space_of(&name).is_none_or(|s| !self.named.contains(&s)) {
                // it was dropped before this layer
                self.fs.remove(&name)?;
            }
        }
        let have = self.redo.as_ref().map_or((start.checkpoint, start.checkpoint), |(_, from, at)| (*from, *at));
        if have != (start.checkpoint, end) {
            return Err(StorageError::CorruptLog { lsn: have.1, why: "the backup's redo is not complete" });
        }
        let length = end.0 - start.checkpoint.0;
        let log = LogFile::create_without_name(self.fs.as_ref(), length + (1 << 20), start.checkpoint)?;
        let mut buf = vec![0; CHUNK];
        let mut at = start.checkpoint;
        while let Some((file, ..)) = &self.redo
            && at < end
        {
            let n = CHUNK.min((end.0 - at.0) as usize);
            let part = buf.get_mut(..n).unwrap_or_default();
            file.read_at(at.0 - start.checkpoint.0, part)?;
            log.write(at, part)?;
            at = Lsn(at.0 + n as u64);
        }
        log.set_run(start.run);
        log.write_checkpoint(start.checkpoint, end)?;
        log.write_checkpoint(start.checkpoint, end)?;
        self.redo = None;
        self.fs.remove(REDO_PART)?;
        log.give_name(self.fs.as_ref())
    }
}

/// Recovers a directory that a [`Target`] has made, and closes it: what was not committed at the end is rolled back.
///
/// # Errors
/// Of recovery; I/O errors.
pub fn prepare(config: EngineConfig) -> Result<()> {
    Engine::open(config)?.shutdown(true)
}
