//! Long columns of versions that were rolled back, while somebody may still read them.
//!
//! A reader copies a row and fetches its long columns later, without a latch. Versions that were committed stay for as long as a snapshot is
//! open that may see them; a version that was never committed is nobody's after its rollback, which gives its overflow pages back. Two
//! see such versions all the same: statements under READ UNCOMMITTED, and purge, when it asks whether an entry is wanted. They are
//! counted here while they read ([`Uncommitted::enter`]), READ UNCOMMITTED under a snapshot besides, and a rollback that finds one counted
//! leaves its pages to purge ([`Engine::free_undone`]).
//!
//! # Rules of access
//! A reader is counted before it looks for its row; the pages are given up after the row's record has been replaced or removed. Both latch the
//! record's page, so a rollback that finds nobody counted has nobody behind it who read the record before. What is kept is freed by purge's
//! thread only, which therefore never frees what it reads itself: when nobody is counted, or when the cut has passed what had been
//! published when it was kept, because the snapshot of a reader from before then is at or below that.
//!
//! # Crash
//! What is kept is in memory only, and given back when the server stops: a crash leaves the pages taken until the table is rebuilt, as one in the middle of a rollback does.
//!
//! Tests: `engine/tests/uncommitted.rs`, `tests/isolation/test_uncommitted.py`.

use crate::engine::Engine;
use crate::error::Result;
use crate::row::BlobRef;
use crate::table::Table;
use crate::table::insert::free_all;
use base::{TableId, TrxNo};
use crossbeam_utils::CachePadded;
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One version's chains.
#[derive(Debug)]
struct Kept {
    /// What was published when the version was gone.
    published: TrxNo,
    table: TableId,
    blobs: SmallVec<[BlobRef; 2]>,
}

/// Who reads versions that may be rolled back meanwhile, and what was kept for them.
#[derive(Debug, Default)]
pub(crate) struct Uncommitted {
    readers: CachePadded<AtomicUsize>,
    kept: Mutex<Vec<Kept>>,
}

impl Uncommitted {
    /// A reader begins: before it looks for its first row.
    pub(crate) fn enter(&self) {
        self.readers.fetch_add(1, Ordering::SeqCst);
    }

    /// It has ended, and its snapshot is closed.
    pub(crate) fn leave(&self) {
        self.readers.fetch_sub(1, Ordering::SeqCst);
    }

    fn nobody_reads(&self) -> bool {
        self.readers.load(Ordering::SeqCst) == 0
    }
}

impl Engine {
    /// Rollback, after the record has been replaced or removed: gives the chains of the version back, now or when those who read it are done.
    ///
    /// # Errors
    /// I/O, corruption.
    pub(crate) fn free_undone(&self, table: &Table, blobs: SmallVec<[BlobRef; 2]>) -> Result<()> {
        if blobs.is_empty() || self.uncommitted.nobody_reads() {
            return free_all(self, table, &blobs);
        }
        let published = self.trx_sys.published();
        self.uncommitted.kept.lock().push(Kept { published, table: table.id(), blobs });
        Ok(())
    }

    /// Purge's thread, between its batches, and the end of the server: frees what nobody reads any more. All is tried; the first error is returned.
    ///
    /// # Errors
    /// I/O, corruption.
    pub(crate) fn free_kept(&self, cut: TrxNo) -> Result<()> {
        let mut kept = self.uncommitted.kept.lock();
        if kept.is_empty() {
            return Ok(());
        }
        let nobody = self.uncommitted.nobody_reads();
        let (free, wait) = kept.drain(..).partition(|k| nobody || k.published < cut);
        *kept = wait;
        drop(kept);
        let free: Vec<Kept> = free;
        let mut failed = None;
        for k in free {
            failed = failed.or(self.free_of(&k).err());
        }
        failed.map_or(Ok(()), Err)
    }

    /// A table that was dropped took its pages with it.
    fn free_of(&self, kept: &Kept) -> Result<()> {
        let mut table = self.table_by_id(kept.table)?;
        self.with_table(kept.table, &mut table, |table| free_all(self, table, &kept.blobs)).map(drop)
    }

    /// Versions whose chains wait for their readers.
    #[cfg(test)]
    pub(crate) fn kept_versions(&self) -> usize {
        self.uncommitted.kept.lock().len()
    }
}
