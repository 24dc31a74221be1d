//! Replay of the scanned log: batches gathered by page, applied by several threads.
//!
//! The thread that recovers reads and decodes the log into a [`Batch`]: the bytes, and for each change its place, sorted by page (one
//! counting sort; nothing is allocated per change). Meanwhile workers apply the batch before: they take runs of neighbouring pages,
//! read what is missing with few reads, latch one page after the other and apply its changes in log order. A page
//! belongs to one worker within a batch, and a batch begins when the one before is done, so every page sees its changes in order. Small
//! batches are applied by the one thread (the simulated disk then sees the same operations every time).

use super::progress::{self, Step};
use super::{Scan, at_lsn};
use crate::buffer::BufferPool;
use crate::error::{Result, StorageError};
use crate::file::Files;
use crate::page::{LogRec, PageOp, PageType, apply, decode};
use crate::redo::frames::Reader;
use crate::redo::{Checkpoint, LogFile};
use base::{Lsn, PageId};
use hashbrown::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Log bytes gathered before they are applied: at most, and at least (the aim is a quarter of the pool).
const BATCH_BYTES: (u64, u64) = (4 << 20, 64 << 20);
/// Pages that a worker takes, and reads together, at a time.
const RUN: usize = 64;
/// Batches of fewer changes are not worth a second thread.
const ALONE: usize = 4096;
const MAX_WORKERS: usize = 8;

/// A change: where its record begins, and the end of its mini-transaction relative to the batch's first LSN.
#[derive(Clone, Copy, Default)]
struct Place {
    at: u32,
    end: u32,
}

/// Some of the log, gathered by page.
#[derive(Default)]
struct Batch {
    base: u64,
    bytes: Vec<u8>,
    /// Changes in log order with the number of their page.
    changes: Vec<(u32, Place)>,
    /// Pages by number, and their numbers.
    pages: Vec<PageId>,
    numbers: HashMap<PageId, u32, foldhash::fast::FixedState>,
    /// Sorted: changes by page, each page's part of them, and the pages in file order.
    places: Vec<Place>,
    parts: Vec<(u32, u32)>,
    order: Vec<u32>,
}

/// Changes applied, and changes that the pages had already.
#[derive(Clone, Copy, Default)]
struct Counts {
    applied: u64,
    skipped: u64,
}

/// Applies the log from the checkpoint to the scan's end.
pub(super) fn replay(
    file: &LogFile,
    ckpt: Checkpoint,
    scan: &Scan,
    files: &Files,
    pool: &BufferPool,
    report: &mut super::RecoveryReport,
) -> Result<()> {
    progress::begin(Step::Replay, scan.end.0 - ckpt.lsn.0);
    for space in scan.created.difference(&scan.deleted) {
        if !files.exists(*space) {
            files.create(*space)?;
        }
    }
    let bytes =
        (pool.frame_count() as u64 * crate::page::PAGE_SIZE as u64 / 4).clamp(BATCH_BYTES.0, BATCH_BYTES.1) as usize;
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    // Each worker holds a run of frames for a moment.
    let workers = cpus.min(MAX_WORKERS).min(pool.frame_count() / (4 * RUN)).max(1);
    let mut reader = Reader::new(file, ckpt.lsn);
    let (mut now, mut next) = (Batch::default(), Batch::default());
    now.gather(&mut reader, scan, bytes)?;
    while !now.order.is_empty() || reader.lsn() < scan.end {
        let task = Task {
            batch: &now,
            pool,
            bound: ckpt.lsn,
            run: RUN.min(pool.frame_count() / 2),
            next: AtomicUsize::new(0),
        };
        if now.changes.len() < ALONE || workers == 1 {
            report.add(task.work()?);
            next.gather(&mut reader, scan, bytes)?;
        } else {
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..workers).map(|_| scope.spawn(|| task.work())).collect();
                let gathered = next.gather(&mut reader, scan, bytes);
                for t in threads {
                    let died = StorageError::CorruptLog { lsn: Lsn(now.base), why: "a replay thread died" };
                    report.add(t.join().map_err(|_| died)??);
                }
                gathered
            })?;
        }
        std::mem::swap(&mut now, &mut next);
        progress::done(now.base.saturating_sub(ckpt.lsn.0));
    }
    progress::begin(Step::Write, 0);
    Ok(())
}

impl super::RecoveryReport {
    fn add(&mut self, c: Counts) {
        self.applied += c.applied;
        self.skipped += c.skipped;
    }
}

impl Batch {
    /// Replaces the contents by the next mini-transactions, of about `limit` bytes.
    fn gather(&mut self, reader: &mut Reader<'_>, scan: &Scan, limit: usize) -> Result<()> {
        self.base = reader.lsn().0;
        self.bytes.clear();
        self.changes.clear();
        self.pages.clear();
        self.numbers.clear();
        let mut recent: Option<(PageId, Option<u32>)> = None;
        while reader.lsn() < scan.end && self.bytes.len() < limit {
            let Some(frame) = reader.next_again()? else {
                return Err(StorageError::CorruptLog { lsn: reader.lsn(), why: "the log changed while it was read" });
            };
            let start = self.bytes.len();
            self.bytes.extend_from_slice(frame.body);
            let end = (frame.end.0 - self.base) as u32;
            let (mut body, mut last) = (frame.body, None);
            loop {
                let at = (start + frame.body.len() - body.len()) as u32;
                match decode(&mut body, &mut last).map_err(|e| at_lsn(e, frame.end))? {
                    None => break,
                    Some(LogRec::File(_) | LogRec::Mark(_) | LogRec::Attached(..)) => {}
                    Some(LogRec::Page(id, _)) => {
                        let number = match recent {
                            Some((same, number)) if same == id => number,
                            _ => {
                                let pages = &mut self.pages;
                                let new = || {
                                    pages.push(id);
                                    (pages.len() - 1) as u32
                                };
                                let wanted = !scan.deleted.contains(&id.space);
                                let number = wanted.then(|| *self.numbers.entry(id).or_insert_with(new));
                                recent = Some((id, number));
                                number
                            }
                        };
                        if let Some(n) = number {
                            self.changes.push((n, Place { at, end }));
                        }
                    }
                }
            }
        }
        self.sort();
        Ok(())
    }

    /// A counting sort by page; stable, so the changes of a page stay in log order.
    #[allow(clippy::indexing_slicing)] // page numbers are below pages.len(), and the parts add up to changes.len()
    fn sort(&mut self) {
        self.parts.clear();
        self.parts.resize(self.pages.len(), (0, 0));
        for (n, _) in &self.changes {
            self.parts[*n as usize].1 += 1;
        }
        let mut from = 0;
        for part in &mut self.parts {
            let len = part.1;
            *part = (from, from);
            from += len;
        }
        self.places.clear();
        self.places.resize(self.changes.len(), Place::default());
        for (n, place) in &self.changes {
            let part = &mut self.parts[*n as usize];
            self.places[part.1 as usize] = *place;
            part.1 += 1;
        }
        self.order.clear();
        self.order.extend(0..self.pages.len() as u32);
        let pages = &self.pages;
        self.order.sort_unstable_by_key(|n| pages[*n as usize]);
    }

    fn page(&self, n: u32) -> (PageId, &[Place]) {
        let id = self.pages.get(n as usize).copied().unwrap_or(PageId::from_u64(0));
        let part = self.parts.get(n as usize).copied().unwrap_or((0, 0));
        (id, self.places.get(part.0 as usize..part.1 as usize).unwrap_or(&[]))
    }

    fn lsn(&self, p: Place) -> Lsn {
        Lsn(self.base + p.end as u64)
    }

    /// The change of page `id` at `p`.
    fn op(&self, id: PageId, p: Place) -> Result<PageOp<'_>> {
        let mut bytes = self.bytes.get(p.at as usize..).unwrap_or(&[]);
        // "Same page as before" refers to this page: the changes were gathered by page.
        let mut last = Some(id);
        match decode(&mut bytes, &mut last).map_err(|e| at_lsn(e, self.lsn(p)))? {
            Some(LogRec::Page(_, op)) => Ok(op),
            _ => Err(StorageError::CorruptLog { lsn: self.lsn(p), why: "record makes no sense" }),
        }
    }
}

/// A batch being applied; shared by the workers.
struct Task<'a> {
    batch: &'a Batch,
    pool: &'a BufferPool,
    bound: Lsn,
    run: usize,
    /// Next position in the batch's order.
    next: AtomicUsize,
}

impl Task<'_> {
    fn work(&self) -> Result<Counts> {
        let mut counts = Counts::default();
        let mut ids = Vec::with_capacity(self.run);
        let mut buf = Vec::new();
        let run = self.run.max(1);
        loop {
            let from = self.next.fetch_add(run, Ordering::Relaxed);
            let Some(rest) = self.batch.order.get(from..).filter(|r| !r.is_empty()) else { return Ok(counts) };
            let pages = rest.get(..run).unwrap_or(rest);
            ids.clear();
            ids.extend(pages.iter().map(|n| self.batch.page(*n).0));
            self.pool.read_many(&ids, true, &mut buf);
            for n in pages {
                let (id, places) = self.batch.page(*n);
                if let Err(e) = self.page(id, places, &mut counts) {
                    // The others need not go on.
                    self.next.store(self.batch.order.len(), Ordering::Relaxed);
                    return Err(e);
                }
            }
        }
    }

    /// Applies a page's changes.
    fn page(&self, id: PageId, places: &[Place], counts: &mut Counts) -> Result<()> {
        let (batch, pool) = (self.batch, self.pool);
        let page = match pool.write_for_redo(id) {
            Ok(p) => p,
            // A page that does not verify is no loss when the log creates it anew.
            Err(e @ StorageError::CorruptPage { .. }) => {
                let mut anew = false;
                for p in places {
                    anew |= matches!(batch.op(id, *p)?, PageOp::Init { .. });
                }
                if !anew {
                    return Err(e);
                }
                pool.create(id)?
            }
            Err(e) => return Err(e),
        };
        let have = page.lsn();
        // Without contents (new or unreadable) everything before the page's creation in the log is moot.
        let mut known = page.page_type() != PageType::Free || have.0 != 0;
        // In log order: those that the page has come first.
        let old = places.partition_point(|p| batch.lsn(*p) <= have);
        counts.skipped += old as u64;
        let new = places.get(old..).unwrap_or(&[]);
        if new.is_empty() {
            return if known { Ok(()) } else { never_written(id) };
        }
        let frame = page.into_frame();
        let mut done = Ok(());
        pool.redo_frame(frame, self.bound, |page| {
            for p in new {
                let lsn = batch.lsn(*p);
                let step = batch.op(id, *p).and_then(|op| {
                    known |= matches!(op, PageOp::Init { .. });
                    if !known {
                        counts.skipped += 1;
                        return Ok(());
                    }
                    apply(page, &op).map_err(|e| at_lsn(e, lsn))?;
                    page.set_lsn(lsn);
                    counts.applied += 1;
                    Ok(())
                });
                if step.is_err() {
                    done = step;
                    return;
                }
            }
        });
        done?;
        if known { Ok(()) } else { never_written(id) }
    }
}

fn never_written(page: PageId) -> Result<()> {
    Err(StorageError::CorruptPage { page, why: "never written, but the log changes it" })
}
