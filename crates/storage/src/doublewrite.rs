//! The doublewrite file: whole copies of the pages of the batch being written in place, so that a torn page can be repaired.
//!
//! `#ib_16384_0.dblwr` is an array of page slots. A batch is written from slot 0 on and synced before its first page is written
//! in place; the next batch begins only after those are synced. A slot names its page by the page's own header and checks itself
//! by the page's checksum, so there is no directory that could be torn. At start [`repair`] looks at every valid slot:
//! where the page in its file does not verify, the copy is written back.
//!
//! An older copy can never win. Only a page that fails its checksum is replaced, and of several copies the one with the
//! highest LSN is taken. And slots behind a short batch keep pages of batches long past, so a copy counts only if the
//! checkpoint is older: whatever changed the page since is then in the log that is replayed. A page that was being
//! written when the power failed always has such a copy, as it was changed after the checkpoint. What damaged any other
//! page was no torn write, and it is told of as damaged instead of being put back to what it once was.

use crate::buffer::flush::BATCH;
use crate::error::{Result, StorageError};
use crate::file::{DataFile, FileKind, FileSystem, Files, OpenMode};
use crate::page::{PAGE_SIZE, PageBuf};
use crate::reserved::UNDO_SPACE;
use base::{Lsn, PageId};
use probe::Counter;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The file's name.
pub const DBLWR_FILE: &str = "#ib_16384_0.dblwr";

/// The writing side; owned by the flusher.
pub(crate) struct Doublewrite {
    file: Option<Arc<dyn DataFile>>,
}

impl Doublewrite {
    pub(crate) fn new() -> Doublewrite {
        Doublewrite { file: None }
    }

    /// Writes and syncs sealed pages, at most [`BATCH`], whose bytes lie one after the other (aligned for direct I/O).
    pub(crate) fn write(&mut self, fs: &dyn FileSystem, pages: &[u8]) -> Result<()> {
        let file = match &self.file {
            Some(f) => f,
            None => {
                let f = fs.open(DBLWR_FILE, OpenMode::OpenOrCreate, FileKind::Data)?;
                f.preallocate((BATCH * PAGE_SIZE) as u64)?;
                self.file.insert(f)
            }
        };
        file.write_at(0, pages)?;
        file.sync_data()?;
        probe::inc(Counter::InnodbDblwrWrites);
        probe::add(Counter::InnodbDblwrPagesWritten, (pages.len() / PAGE_SIZE) as u64);
        Ok(())
    }
}

/// The pages that have a copy, with the copies' LSNs.
pub(crate) fn copies(files: &Files) -> Result<Vec<(PageId, Lsn)>> {
    Ok(best_copies(files)?.into_iter().map(|(id, copy)| (id, copy.lsn())).collect())
}

/// The newest copy of each page.
fn best_copies(files: &Files) -> Result<BTreeMap<PageId, Box<PageBuf>>> {
    let fs = files.fs();
    let mut best: BTreeMap<PageId, Box<PageBuf>> = BTreeMap::new();
    if !fs.exists(DBLWR_FILE) {
        return Ok(best);
    }
    let file = fs.open(DBLWR_FILE, OpenMode::ReadWrite, FileKind::Data)?;
    for slot in 0..file.len()? / PAGE_SIZE as u64 {
        let mut page = PageBuf::zeroed();
        file.read_at(slot * PAGE_SIZE as u64, page.bytes_mut())?;
        let id = page.id();
        if page.is_zero() || page.check(id).is_err() {
            continue;
        }
        if best.get(&id).is_none_or(|old| old.lsn() < page.lsn()) {
            best.insert(id, page);
        }
    }
    Ok(best)
}

/// Repairs torn pages at start, before anything else is read; `checkpoint`: from where the log is replayed. Returns the
/// pages that were written back.
pub fn repair(files: &Files, checkpoint: Lsn) -> Result<Vec<PageId>> {
    let best = best_copies(files)?;
    let mut repaired = Vec::new();
    for (id, copy) in best.into_iter().filter(|(_, copy)| copy.lsn() > checkpoint) {
        let data = match files.get(id.space) {
            Ok(f) => f,
            Err(StorageError::NoSuchSpace { .. }) => continue,
            Err(e) => return Err(e),
        };
        let at = id.page.0 as u64 * PAGE_SIZE as u64;
        let mut now = PageBuf::zeroed();
        let n = data.read_up_to(at, now.bytes_mut())?;
        if n == PAGE_SIZE && now.check(id).is_ok() {
            continue;
        }
        if n == 0 && id.space == UNDO_SPACE {
            // Cut off, not torn: a page that was never in the file is made by the log. The copy would bring back what was in use before the cut.
            continue;
        }
        data.write_at(at, copy.bytes())?;
        data.sync_data()?;
        repaired.push(id);
    }
    Ok(repaired)
}

/// Removes the copies: while nothing is written here, what is in the file is no longer the newest of its pages.
pub(crate) fn forget(fs: &dyn FileSystem) -> Result<()> {
    if fs.exists(DBLWR_FILE) { fs.remove(DBLWR_FILE) } else { Ok(()) }
}
