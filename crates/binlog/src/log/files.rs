//! The files on disk: where events are written, which files there are, what of them is synced.
//!
//! One caller at a time ([`super::Log`] keeps this behind a mutex that is held during I/O). A record names its place,
//! so all of it can be done again after a crash: a record at byte 0 makes its file, a record for [`RESET`] removes
//! them all ([`super::set`]).

use super::names::{Names, Note};
use super::read::gtids_of;
use super::spills::split_spill;
use crate::MAGIC;
use crate::event::{self, Header};
use crate::gtid::GtidSet;
use base::Lsn;
use std::collections::BTreeMap;
use std::sync::Arc;
use storage::attached::Place;
use storage::error::{Result, StorageError};
use storage::file::{DataFile, FileKind, FileSystem, OpenMode};

/// The number that a record has at which all files are removed.
pub(super) const RESET: u32 = u32::MAX;
/// Where the low byte of the flags of a file's first event is.
const FLAGS_AT: u64 = MAGIC.len() as u64 + 17;
/// Where that event's type is.
const KIND_AT: usize = MAGIC.len() + 4;

#[derive(Default)]
pub(super) struct OneFile {
    handle: Option<Arc<dyn DataFile>>,
    pub(super) size: u64,
    /// Whether its events have checksums, once somebody has looked.
    checksum: Option<bool>,
    dirty: bool,
}

impl OneFile {
    pub(super) fn of(size: u64) -> OneFile {
        OneFile { size, ..OneFile::default() }
    }
}

/// See the module.
pub(super) struct Files {
    pub(super) fs: Arc<dyn FileSystem>,
    pub(super) note: Note,
    pub(super) list: BTreeMap<u32, OneFile>,
    /// Spills that are copied, with the end of their records. Each stays until a checkpoint has passed its record:
    /// recovery may meet a RESET before it, which removes the file that has the copy.
    pub(super) copied: Vec<(u64, Lsn)>,
    /// Recovery has met all records: once its checkpoint is durable no spill is needed.
    pub(super) only_leftovers: bool,
    /// Recovery: where a file ended before bytes that belong further behind; a spill that is not there.
    pub(super) gaps: Vec<String>,
    /// Why the index cannot be read. Who needs it gets this error: not a start that has no log, after a stop in order.
    pub(super) broken: Option<StorageError>,
}

impl Files {
    /// Of the log that the note names.
    pub(super) fn open(fs: Arc<dyn FileSystem>, note: Note) -> Files {
        let (copied, gaps) = (Vec::new(), Vec::new());
        let mut files = Files { fs, note, list: BTreeMap::new(), copied, only_leftovers: false, gaps, broken: None };
        files.broken = files.load().err();
        files
    }

    /// The log has other names from now on.
    pub(super) fn rename(&mut self, names: Names, only_here: GtidSet) -> Result<()> {
        self.note = Note { names, only_here, reset: self.note.reset, ..Note::default() };
        self.note.write(&*self.fs)?;
        self.broken = None;
        self.load()
    }

    pub(super) fn names(&self) -> &Names {
        &self.note.names
    }

    /// Numbers and sizes, in order.
    pub(super) fn sizes(&self) -> Vec<(u32, u64)> {
        self.list.iter().map(|(n, f)| (*n, f.size)).collect()
    }

    pub(super) fn last(&self) -> Option<u32> {
        self.list.keys().next_back().copied()
    }

    pub(super) fn first(&self) -> Option<u32> {
        self.list.keys().next().copied()
    }

    pub(super) fn size(&self, number: u32) -> Option<u64> {
        self.list.get(&number).map(|f| f.size)
    }

    /// The file, open for writing; made if it is not in the index.
    fn handle(&mut self, number: u32) -> Result<Arc<dyn DataFile>> {
        if let Some(h) = self.list.get(&number).and_then(|f| f.handle.as_ref()) {
            return Ok(h.clone());
        }
        let known = self.list.contains_key(&number);
        let handle = match known {
            true => self.fs.open(&self.note.names.file(number), OpenMode::OpenOrCreate, FileKind::Log)?,
            false => self.make(number)?,
        };
        self.list.entry(number).or_default().handle = Some(handle.clone());
        if !known {
            // the one before is complete
            if let Some(before) = self.list.range(..number).next_back().map(|(n, _)| *n) {
                self.close(before)?;
            }
        }
        Ok(handle)
    }

    /// Clears the flag that says that the file is open.
    pub(super) fn close(&mut self, number: u32) -> Result<()> {
        if self.size(number).is_none_or(|size| size <= FLAGS_AT) {
            return Ok(());
        }
        let handle = self.handle(number)?;
        let mut head = [0; FLAGS_AT as usize + 1];
        handle.read_at(0, &mut head)?;
        // not in what is no file of a log any more
        if !head.starts_with(&MAGIC) || head.get(KIND_AT) != Some(&(event::EventType::FormatDescription as u8)) {
            return Ok(());
        }
        let [.., low] = head;
        let closed = low & !(event::FLAG_IN_USE as u8);
        if closed != low {
            handle.write_at(FLAGS_AT, &[closed])?;
            self.list.entry(number).or_default().dirty = true;
        }
        Ok(())
    }

    /// Writes a record, which ends at `lsn` in the redo log, to its place; how far the file then reaches. What belongs
    /// to files that were purged is gone.
    pub(super) fn write(&mut self, place: Place, bytes: &[u8], lsn: Lsn) -> Result<u64> {
        if let Some(e) = &self.broken {
            return Err(e.clone());
        }
        if place.file == RESET {
            self.reset(lsn)?;
            return Ok(0);
        }
        if self.first().is_some_and(|first| place.file < first) {
            return Ok(0);
        }
        let handle = self.handle(place.file)?;
        let size = self.size(place.file).unwrap_or(0);
        if place.offset > size {
            let name = self.names().shown(place.file);
            self.gaps.push(format!("file {name} ends at {size}, and events belong to position {}", place.offset));
        }
        let end = match split_spill(bytes) {
            None => {
                handle.write_at(place.offset, bytes)?;
                place.offset + bytes.len() as u64
            }
            Some((front, number, length)) => {
                handle.write_at(place.offset, front)?;
                let at = place.offset + front.len() as u64;
                if self.copy_spill(&handle, place.file, at, number, length)? {
                    self.copied.push((number, lsn));
                }
                at + length
            }
        };
        let file = self.list.entry(place.file).or_default();
        file.dirty = true;
        file.size = file.size.max(end);
        Ok(end)
    }

    /// Whether a file's events have checksums.
    pub(super) fn checksum(&mut self, number: u32) -> Result<bool> {
        if let Some(known) = self.list.get(&number).and_then(|f| f.checksum) {
            return Ok(known);
        }
        let walk = super::read::Walk::open(&*self.fs, &self.note.names.file(number), u64::MAX)?;
        let checksum = walk.format().0.checksum;
        self.list.entry(number).or_default().checksum = Some(checksum);
        Ok(checksum)
    }

    /// Everything that was written is durable after this.
    pub(super) fn sync(&mut self) -> Result<()> {
        let last = self.last();
        for (n, f) in &mut self.list {
            if f.dirty
                && let Some(h) = &f.handle
            {
                h.sync_data()?;
                f.dirty = false;
            }
            if Some(*n) != last {
                f.handle = None;
            }
        }
        Ok(())
    }

    /// Recovery has given everything; `ends`: how far its records reach. Cuts the last file, syncs, tidies up.
    pub(super) fn recovered(&mut self, ends: &BTreeMap<u32, u64>) -> Result<()> {
        for gap in std::mem::take(&mut self.gaps) {
            say(&format!("{gap}. The log is damaged there: who reads it gets an error"));
        }
        if let Some(last) = self.last() {
            if let Some(end) = ends.get(&last).filter(|end| self.size(last).is_some_and(|size| size > **end)) {
                self.handle(last)?.set_len(*end)?;
                let file = self.list.entry(last).or_default();
                file.size = *end;
                file.dirty = true;
            }
            self.close(last)?;
        }
        self.sync()?;
        self.only_leftovers = true;
        if self.broken.is_some() { Ok(()) } else { self.finish_purge() }
    }

    /// All GTIDs of the log, and those of files that are gone.
    pub(super) fn gtids(&mut self) -> Result<(GtidSet, GtidSet)> {
        let mut executed = self.note.only_here.clone();
        let with_bytes: Vec<(u32, u64)> = self.sizes().into_iter().rev().filter(|(_, size)| *size > 0).collect();
        for (n, size) in with_bytes {
            let (before, own, end) = match gtids_of(&*self.fs, &self.names().file(n), size, true) {
                Err(e @ StorageError::WrongFormat { .. }) => {
                    self.passes_over(n, &e)?;
                    continue;
                }
                read => read?,
            };
            executed.add_all(&before);
            executed.add_all(&own);
            if end < size {
                let name = self.names().shown(n);
                say(&format!("file {name} ends inside an event, and is cut at {end}"));
                self.handle(n)?.set_len(end)?;
                let file = self.list.entry(n).or_default();
                (file.size, file.dirty) = (end, true);
            }
            break;
        }
        Ok((executed, self.gtids_before()?))
    }

    /// A damaged file at the end stays as it is, if it is known from elsewhere what was executed: the server stopped in
    /// order. Otherwise GTIDs could be given twice.
    fn passes_over(&self, n: u32, e: &StorageError) -> Result<()> {
        say(&format!("{e}. Who reads that file gets an error"));
        if self.note.stopped.is_some() {
            return Ok(());
        }
        Err(StorageError::NotOurs {
            file: self.names().file(n).into(),
            why: "it is damaged, and as the server had not stopped in order nobody knows which GTIDs are in it. Put a \
                  whole copy in its place. Without one, move it away: then its transactions are lost to replicas, and \
                  their GTIDs may be given again",
        })
    }

    /// Whether the log is as it was when the server stopped, if it stopped in order. GTIDs that are missing now stay
    /// executed: they are added to both sets.
    pub(super) fn look_for_losses(&mut self, executed: &mut GtidSet, purged: &mut GtidSet) {
        let Some((file, at)) = self.note.stopped.take() else { return };
        let mut missing = std::mem::take(&mut self.note.executed);
        let found = self.last().map(|n| (n, self.size(n).unwrap_or(0)));
        if found < Some((file, at)) {
            let name = self.names().shown(file);
            say(&format!("it ended in file {name} at {at} when the server stopped. Events are missing now"));
        }
        missing.remove_all(executed);
        for set in [&mut self.note.only_here, executed, purged] {
            set.add_all(&missing);
        }
    }

    /// The server stops in order.
    pub(super) fn note_stop(&mut self, at: Place, executed: GtidSet) -> Result<()> {
        self.note.stopped = Some((at.file, at.offset));
        self.note.executed = executed;
        self.note.write(&*self.fs)
    }

    /// The GTIDs of files that are gone.
    pub(super) fn gtids_before(&self) -> Result<GtidSet> {
        let mut purged = GtidSet::default();
        for (n, size) in self.sizes().into_iter().filter(|(_, size)| *size > 0) {
            match gtids_of(&*self.fs, &self.names().file(n), size, false) {
                // as if it were gone: nobody can read it
                Err(e @ StorageError::WrongFormat { .. }) => say(&format!("{e}. Its transactions count as purged")),
                read => {
                    purged = read?.0;
                    break;
                }
            }
        }
        purged.add_all(&self.note.only_here);
        Ok(purged)
    }

    /// When a file was begun (seconds since 1970); `None`: it cannot be read.
    pub(super) fn begun(&self, number: u32) -> Option<u32> {
        let size = self.size(number)?;
        let walk = super::read::Walk::open(&*self.fs, &self.names().file(number), size).ok()?;
        Header::read(walk.format().1).ok().map(|h| h.stamp.timestamp)
    }
}

/// Tells of damage.
pub(super) fn say(what: &str) {
    probe::errorlog::say("ERROR", "Server", 10_000, &format!("Binary log: {what}"));
}
