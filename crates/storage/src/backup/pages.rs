//! Reading a tablespace's file page by page while it is written.
//!
//! The file is read as the pool reads it (O_DIRECT where it may), so that nothing is washed out of the system's cache,
//! and not through the pool, so that nothing is washed out of that. A page whose checksum is wrong is being written: it
//! is read again, for [`PATIENCE`], before it counts as damaged. Zeros are pages that were never written.
//! Tested: `engine/tests/backup.rs`.

use crate::buffer::bytes_of_mut;
use crate::error::{Result, StorageError};
use crate::file::DataFile;
use crate::page::{PAGE_SIZE, PageBuf};
use crate::store::Store;
use base::{Lsn, PageId, PageNo, SpaceId};
use std::time::{Duration, Instant};

/// Pages that are read at once.
const RUN: usize = 64;
/// How long a page may be half written.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });

/// What is given of a tablespace.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// The file's length in pages: comes first.
    Length(u32),
    /// Pages that lie side by side, as they are in the file.
    Pages(PageNo, &'a [u8]),
}

/// Reads the file of `space`. Pages whose LSN is not beyond `since` are left out; so are zeros, unless `since` says
/// that there may be something else in the copy that this is to be laid over.
///
/// # Errors
/// `CorruptPage` of a page that stays damaged; I/O errors; what `piece` says.
pub fn copy(store: &Store, space: SpaceId, since: Lsn, piece: &mut dyn FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
    let file = match store.files().get(space) {
        Err(e) if e.is_file_missing() => return Ok(()),
        other => other?,
    };
    let pages = u32::try_from(file.len()? / PAGE_SIZE as u64).unwrap_or(u32::MAX);
    piece(Piece::Length(pages))?;
    let mut buf: Vec<PageBuf> = (0..RUN).map(|_| *PageBuf::zeroed()).collect();
    let mut at = 0u32;
    while at < pages {
        sched::pace();
        let n = RUN.min((pages - at) as usize);
        let some = buf.get_mut(..n).unwrap_or_default();
        file.read_at(u64::from(at) * PAGE_SIZE as u64, bytes_of_mut(some))?;
        let mut wanted = Vec::with_capacity(n);
        for (i, page) in (0u32..).zip(some.iter_mut()) {
            let id = PageId::new(space, PageNo(at + i));
            verify(file.as_ref(), page, id)?;
            wanted.push(if page.is_zero() { since > Lsn(0) } else { page.lsn() > since });
        }
        for run in runs(&wanted) {
            let (from, len) = (run.start as u32, run.len());
            let bytes = bytes_of_mut(some.get_mut(run).unwrap_or_default());
            debug_assert_eq!(bytes.len(), len * PAGE_SIZE);
            piece(Piece::Pages(PageNo(at + from), bytes))?;
        }
        at += n as u32;
    }
    Ok(())
}

/// The places that are wanted, as ranges.
fn runs(wanted: &[bool]) -> Vec<std::ops::Range<usize>> {
    let mut out: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, _) in wanted.iter().enumerate().filter(|(_, w)| **w) {
        match out.last_mut() {
            Some(r) if r.end == i => r.end += 1,
            _ => out.push(i..i + 1),
        }
    }
    out
}

/// Reads a page again until it verifies or is zeros.
fn verify(file: &dyn DataFile, page: &mut PageBuf, id: PageId) -> Result<()> {
    let mut since: Option<Instant> = None;
    loop {
        let wrong = match page.check(id) {
            Err(e) if !page.is_zero() => e,
            _ => return Ok(()),
        };
        if since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            return Err(wrong);
        }
        std::thread::sleep(Duration::from_millis(1));
        file.read_at(u64::from(id.page.0) * PAGE_SIZE as u64, page.bytes_mut())?;
    }
}

/// Whether bytes are whole pages of this space from `first` on: asked of what comes from elsewhere.
///
/// # Errors
/// `CorruptPage` names the first that is not.
pub fn check_run(space: SpaceId, first: PageNo, bytes: &[u8]) -> Result<()> {
    let mut page = PageBuf::zeroed();
    if bytes.is_empty() || !bytes.len().is_multiple_of(PAGE_SIZE) {
        return Err(StorageError::CorruptPage { page: PageId::new(space, first), why: "not whole pages" });
    }
    for (i, one) in (first.0..).zip(bytes.chunks_exact(PAGE_SIZE)) {
        page.bytes_mut().copy_from_slice(one);
        let checked = page.check(PageId::new(space, PageNo(i)));
        if checked.is_err() && !page.is_zero() {
            return checked;
        }
    }
    Ok(())
}
