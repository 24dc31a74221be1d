//! From blocks to a data directory.
//!
//! [`Restore`] takes the blocks of one backup, or of a chain one after the other, oldest first. [`Restore::finish`]
//! writes what stands beside the engine, makes the redo log, and lets the engine recover. What it answers,
//! [`Made`], may still be worked on; [`Made::complete`] makes a data directory of it.
//!
//! The file [`MARKER`] is there from the first moment to the last: no server starts on a folder that has it. So a crash
//! anywhere leaves nothing that looks like a server's data. Tested: `tests/backup`.

use crate::block::{Block, Kind};
use crate::error::{Error, Result};
use crate::manifest::{Begin, End};
use binlog::GtidSet;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use storage::backup::pages::Piece;
use storage::backup::target::{Target, prepare};
use storage::engine::EngineConfig;
use storage::file::FileSystem;
use storage::file::real::RealFs;

/// Is in the folder until the restore is complete.
pub const MARKER: &str = "evenkeel.restore";
/// Files that may come with a backup.
pub const FILES: [&str; 2] = ["accounts.json", "mysqld-auto.cnf"];
/// Buffer pool of the recovery.
const POOL: u64 = 128 << 20;
/// Redo log that the directory gets: any start may change it.
const REDO: u64 = 100 << 20;

/// A data directory that is being made.
pub struct Restore {
    path: PathBuf,
    fs: Arc<dyn FileSystem>,
    target: Target,
    chain: Chain,
    files: BTreeMap<String, Vec<u8>>,
}

impl Restore {
    /// In a folder that is not there yet, or is empty.
    ///
    /// # Errors
    /// `Refused`: it has something; I/O errors.
    pub fn create(path: &Path) -> Result<Restore> {
        let fail = |e| Error::io(path.display(), e);
        crate::keep::unused(path, MARKER, "a restore")?;
        sys::file::Dir::create(path).map_err(fail)?;
        let text = b"This folder is no data directory: the restore that makes it is not complete.\n";
        sys::file::Dir::write_atomic(&path.join(MARKER), text).map_err(fail)?;
        let fs: Arc<dyn FileSystem> = Arc::new(RealFs::new(path, true)?);
        let target = Target::new(fs.clone())?;
        Ok(Restore { path: path.to_owned(), fs, target, chain: Chain::default(), files: BTreeMap::new() })
    }

    /// Takes the next block.
    ///
    /// # Errors
    /// `Damaged`: blocks that do not belong together; of the engine; I/O errors.
    pub fn block(&mut self, block: &Block) -> Result<()> {
        let name = crate::keep::file_of(block);
        match block.kind {
            Kind::Begin => {
                if self.chain.begins(Begin::parse(&block.bytes, &name)?)? {
                    self.target.begin_layer()?;
                    self.files.clear();
                }
            }
            Kind::Length => self.target.piece(block.space().0, Piece::Length(block.space().1.0))?,
            Kind::Pages => self.target.piece(block.space().0, Piece::Pages(block.space().1, &block.bytes))?,
            Kind::Redo => self.target.redo(base::Lsn(block.key), &block.bytes)?,
            Kind::File => {
                let cut = block.bytes.iter().position(|b| *b == 0).unwrap_or(0);
                let (file, contents) = block.bytes.split_at(cut);
                let known = FILES.iter().find(|n| n.as_bytes() == file);
                let known = known.ok_or_else(|| Error::damaged(&name, "a file that no backup has"))?;
                self.files.insert((*known).to_owned(), contents.get(1..).unwrap_or_default().to_vec());
            }
            Kind::End => self.chain.end = Some(End::parse(&block.bytes, &name)?),
        }
        Ok(())
    }

    /// What the last block said, once it has come.
    pub fn end(&self) -> Option<&End> {
        self.chain.end.as_ref()
    }

    /// Everything has come: makes the redo log and recovers.
    ///
    /// # Errors
    /// `Damaged`: the end is missing; of recovery; I/O errors.
    pub fn finish(self, with_settings: bool) -> Result<Made> {
        let (Some(begin), Some(end)) = (self.chain.begin, self.chain.end) else {
            return Err(Error::damaged("ends.ekb", "the backup has no end"));
        };
        let write = |name: &str, contents: &[u8]| {
            let path = self.path.join(name);
            sys::file::Dir::write_atomic(&path, contents).map_err(|e| Error::io(path.display(), e))
        };
        if !self.files.contains_key("accounts.json") {
            return Err(Error::damaged("files.ekb", "it has no accounts"));
        }
        for (name, contents) in &self.files {
            if with_settings || name != "mysqld-auto.cnf" {
                write(name, contents)?;
            }
        }
        let uuid = sys::process::random_uuid().map_err(|e| Error::io("random bytes", e))?;
        let names = if begin.folded { "lower_case_table_names=1\n" } else { "" };
        write("auto.cnf", format!("[auto]\nserver-uuid={uuid}\n{names}").as_bytes())?;
        if !end.log_file.is_empty() {
            let executed = GtidSet::parse(&end.executed);
            let executed = executed.ok_or_else(|| Error::damaged("ends.ekb", "gtid_executed is no set of GTIDs"))?;
            let base = end.log_file.rsplit_once('.').map_or(end.log_file.as_str(), |(base, _)| base);
            binlog::log::names::note_of_copy(self.fs.as_ref(), base, &executed)?;
        }
        self.target.finish(begin.start, end.end)?;
        prepare(EngineConfig {
            buffer_pool_size: POOL,
            redo_capacity: REDO,
            background: false,
            ..EngineConfig::new(&self.path)
        })?;
        Ok(Made { path: self.path, begin, end })
    }
}

/// A data directory on which no server starts yet. Dropped, it stays one.
#[must_use]
#[derive(Debug)]
pub struct Made {
    path: PathBuf,
    /// What it is a copy of.
    pub begin: Begin,
    /// What state it holds.
    pub end: End,
}

impl Made {
    /// It is a data directory from now on.
    ///
    /// # Errors
    /// I/O errors.
    pub fn complete(self) -> Result<()> {
        let marker = self.path.join(MARKER);
        let gone = sys::file::Dir::remove_file(&marker).and_then(|()| sys::file::Dir::sync(&self.path));
        gone.map_err(|e| Error::io(marker.display(), e))
    }
}

/// What has come of the backups that are laid over one another: one that does not build on the one before it would give
/// pages of different histories.
#[derive(Debug, Default)]
pub struct Chain {
    begin: Option<Begin>,
    end: Option<End>,
}

impl Chain {
    /// A backup begins: the first is a whole one, the others build on the one before. Whether it is one of the others.
    ///
    /// # Errors
    /// `Refused`: it is not; `Damaged`: the one before has no end.
    pub fn begins(&mut self, begin: Begin) -> Result<bool> {
        match (&self.begin, &self.end) {
            (None, _) if begin.base.is_empty() => {}
            (None, _) => {
                let text = "this backup has only what has changed since another one: restore that one first, and then this one";
                return Err(Error::Refused(text.into()));
            }
            (Some(before), Some(_)) if before.id == begin.base && before.start.checkpoint == begin.since => {}
            (Some(_), Some(_)) => {
                return Err(Error::Refused(
                    "the backups are no chain: this one does not build on the one before".into(),
                ));
            }
            (Some(_), None) => return Err(Error::damaged("ends.ekb", "a backup begins before the last one has ended")),
        }
        self.end = None;
        Ok(self.begin.replace(begin).is_some())
    }

    /// Of folders it is known before anything is read: the folder that does not fit is named.
    ///
    /// # Errors
    /// As [`Chain::begins`]; of the folders' manifests.
    pub fn of_folders(folders: &[&Path]) -> Result<()> {
        let mut chain = Chain::default();
        for folder in folders {
            let m = crate::read::manifest(folder)?;
            chain.begins(m.begin).map_err(|e| Error::Refused(format!("'{}': {e}", folder.display())))?;
            chain.end = Some(m.end);
        }
        Ok(())
    }

    /// Looks at a block as a restore would, and makes nothing of it.
    ///
    /// # Errors
    /// As [`Chain::begins`]; `Damaged`, of the engine: a page that is not what it should be.
    pub fn look(&mut self, block: &Block, file: &str) -> Result<()> {
        match block.kind {
            Kind::Begin => self.begins(Begin::parse(&block.bytes, file)?).map(drop),
            Kind::End => {
                self.end = Some(End::parse(&block.bytes, file)?);
                Ok(())
            }
            Kind::Pages => Ok(storage::backup::pages::check_run(block.space().0, block.space().1, &block.bytes)?),
            Kind::Length | Kind::Redo | Kind::File => Ok(()),
        }
    }
}
