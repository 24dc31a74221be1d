//! Crash recovery, the redo pass: brings every page to the end of the log.
//!
//! 1. Repair torn pages from the doublewrite file.
//! 2. Scan the log from the last checkpoint to the first invalid frame: its end; which files were created and deleted. If the header, or a
//!    mark further on in the stream (`redo::mark`), says that the log was durable beyond it, it is damage, and the start is refused
//!    (`innodb_force_recovery` >= 1: the log is cut there, and the engine only reads).
//! 3. Replay, in batches gathered by page, several threads ([`replay`]): a change is applied when the page's LSN is below the change's.
//! 4. Remove files that the log says are deleted, write all pages, and continue the log at a new LSN beyond anything that an interrupted
//!    write can have left behind: frames of the torn tail are valid at their old LSNs only, which are never used again.
//!
//! Between 2 and 3 it is looked whether files are newer than the log ([`newer`]); after that, each page is when it is read (`buffer::past`).
//!
//! A crash during recovery repeats it: nothing is written to the log before step 4's checkpoint. What transactions were not
//! committed is rolled back afterwards by the transaction layer. Tests: `crash_tests.rs`.
//!
//! Steps 1 to 3 are [`look`], the fourth is [`go_on`]. In between the engine reads what it cannot do without, the
//! dictionary and the undo records, with the log's changes in the pool and not in the files: a start that is refused
//! there has changed no file (but for torn pages that were repaired, and what did not fit into the pool), so the good
//! file can be put back. Tested by `tests/crash/test_damaged_files.py`.

mod newer;
pub mod progress;
mod replay;

use crate::attached::CommitSink;
use crate::buffer::BufferPool;
use crate::doublewrite;
use crate::error::{Result, StorageError};
use crate::file::{FileSystem, Files, SPACES_DIR};
use crate::page::op::is_file_record;
use crate::page::{FileRec, LogRec, decode};
use crate::redo::frames::Reader;
use crate::redo::logfile::{self, FIRST_LSN};
use crate::redo::{Checkpoint, Log, LogFile, mark};
use crate::store::{Store, StoreConfig};
use base::{Lsn, PageId, SpaceId};
use progress::Step;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How far behind its end the log goes on: 64 GiB, so that a page of another time lies in between (`buffer::past`). There is room for 2^28 starts.
const GAP: u64 = 1 << 36;
const _: () = assert!(GAP > mark::JUMP);

/// What recovery found and did.
#[derive(Clone, Debug, Default)]
pub struct RecoveryReport {
    /// The data directory was empty and has been created.
    pub created: bool,
    /// Redo started here.
    pub checkpoint: Lsn,
    /// End of the last valid frame.
    pub end: Lsn,
    /// The log goes on here.
    pub start: Lsn,
    /// Where the log of the start before began; 0: not known.
    pub run: Lsn,
    /// Mini-transactions read.
    pub frames: u64,
    /// Page changes applied.
    pub applied: u64,
    /// Page changes that the pages had already.
    pub skipped: u64,
    /// Torn pages repaired from the doublewrite file.
    pub repaired: Vec<PageId>,
    /// Spaces whose deletion the log asked for.
    pub deleted: Vec<SpaceId>,
    /// With `innodb_force_recovery`: the log was damaged, and what lay behind the damage is lost.
    pub cut: Option<StorageError>,
    /// With `innodb_force_recovery`: pages that are newer than the log, as far as they were found before it was replayed.
    pub beyond: Vec<StorageError>,
    /// Time of scanning, replaying and writing the pages, in milliseconds.
    pub ms: [u64; 3],
}

/// Opens a data directory: see [`Store::open`].
pub(crate) fn open(fs: Arc<dyn FileSystem>, config: &StoreConfig) -> Result<(Store, RecoveryReport)> {
    let (store, mut report) = look(fs, config)?;
    Ok((go_on(store, config, &mut report)?, report))
}

/// Reads the log and brings the pages to its end, in the pool. Nothing may be logged before [`go_on`].
pub(crate) fn look(fs: Arc<dyn FileSystem>, config: &StoreConfig) -> Result<(Store, RecoveryReport)> {
    let files = Arc::new(Files::new(fs));
    let fs = files.fs().clone();
    fs.create_dir(SPACES_DIR)?;
    files.set_limit(config.open_files);
    let Some((file, ckpt)) = LogFile::open(fs.as_ref())? else {
        if !files.spaces()?.is_empty() {
            return Err(StorageError::WrongFormat {
                file: logfile::REDO_FILE.into(),
                why: "the redo log is missing, but there are tablespaces",
            });
        }
        let start = Lsn(FIRST_LSN);
        let file = LogFile::create(fs.as_ref(), config.log.capacity, start)?;
        let log = Arc::new(Log::new(&config.log, file, start, config.sink.clone()));
        let pool = BufferPool::new(&config.pool, files.clone(), log.clone())?;
        let report = RecoveryReport { created: true, checkpoint: start, end: start, start, ..Default::default() };
        return Ok((Store::from_parts(files, log, pool), report));
    };

    let mut report = RecoveryReport { checkpoint: ckpt.lsn, run: ckpt.run, ..Default::default() };
    let clock = sys::clock::now_ns;
    let begun = clock();
    let scan = scan(&file, ckpt, config.force_recovery, config.sink.as_ref(), &mut report)?;
    let newest = newer::look(&files, &scan, config.force_recovery > 0, &mut report)?;
    report.repaired = doublewrite::repair(&files, ckpt.lsn)?;
    let scanned = clock();
    report.end = scan.end;
    report.frames = scan.frames;
    // Beyond all that a torn tail, or what is cut off, can have left, and beyond all pages that came from elsewhere.
    let start = Lsn((scan.end.max(scan.marked).max(newest).0 + GAP).next_multiple_of(logfile::BLOCK));
    let forced = config.force_recovery > 0;
    report.start = start;

    let reader_file = LogFile::open(fs.as_ref())?.ok_or(StorageError::NotFound)?.0;
    let log = Arc::new(Log::new(&config.log, file, start, config.sink.clone()));
    let pool = BufferPool::new(&config.pool, files.clone(), log.clone())?;
    pool.past.set(scan.end, start, forced);
    replay::replay(&reader_file, ckpt, &scan, &files, &pool, &mut report)?;
    report.deleted = scan.deleted.iter().copied().collect();
    report.ms = [scanned - begun, clock() - scanned, 0].map(|ns| ns / 1_000_000);
    Ok((Store::from_parts(files, log, pool), report))
}

/// Writes what the log says to the files, and continues the log behind all that it has held.
pub(crate) fn go_on(store: Store, config: &StoreConfig, report: &mut RecoveryReport) -> Result<Store> {
    if report.created {
        return Ok(store);
    }
    let begun = sys::clock::now_ns();
    let (files, start) = (store.files().clone(), report.start);
    if !config.pool.doublewrite {
        // a copy that gets older than the checkpoint must never be put back
        doublewrite::forget(files.fs().as_ref())?;
    }
    if let Some(sink) = &config.sink {
        sink.recovered()?;
    }
    for space in &report.deleted {
        if files.exists(*space) {
            store.pool().discard_space(*space);
            files.remove(*space)?;
        }
    }
    store.pool().flush_all()?;
    report.ms[2] = (sys::clock::now_ns() - begun) / 1_000_000;
    let wanted = config.log.capacity.max(1 << 20).next_multiple_of(logfile::BLOCK);
    if store.log().file().data_size() != wanted {
        drop(store);
        let file = LogFile::create(files.fs().as_ref(), wanted, start)?;
        file.set_run(report.run);
        config.sink.iter().for_each(|sink| sink.after_checkpoint(start));
        let log = Arc::new(Log::new(&config.log, file, start, config.sink.clone()));
        let pool = BufferPool::new(&config.pool, files.clone(), log.clone())?;
        pool.past.set(report.end, start, config.force_recovery > 0);
        return Ok(Store::from_parts(files, log, pool));
    }
    // Both places: if the last one is damaged, the one before it is of this side of the gap too.
    store.log().file().write_checkpoint(start, start)?;
    store.log().file().write_checkpoint(start, start)?;
    config.sink.iter().for_each(|sink| sink.after_checkpoint(start));
    Ok(store)
}

struct Scan {
    end: Lsn,
    /// End of the last mark behind the end.
    marked: Lsn,
    frames: u64,
    created: BTreeSet<SpaceId>,
    deleted: BTreeSet<SpaceId>,
}

fn at_lsn(e: StorageError, lsn: Lsn) -> StorageError {
    match e {
        StorageError::CorruptLog { why, .. } | StorageError::CorruptPage { why, .. } => {
            StorageError::CorruptLog { lsn, why }
        }
        StorageError::PageFull => StorageError::CorruptLog { lsn, why: "a logged record does not fit its page" },
        e => e,
    }
}

fn scan(
    file: &LogFile,
    ckpt: Checkpoint,
    force: u8,
    sink: Option<&Arc<dyn CommitSink>>,
    report: &mut RecoveryReport,
) -> Result<Scan> {
    if sink.is_some() {
        // what is read from here on is durable: the sink may let others see it
        file.sync()?;
    }
    progress::begin(Step::Scan, 0);
    let mut s = Scan { end: ckpt.lsn, marked: ckpt.lsn, frames: 0, created: BTreeSet::new(), deleted: BTreeSet::new() };
    let mut reader = Reader::new(file, ckpt.lsn);
    while let Some(frame) = reader.next()? {
        // File changes come first in a mini-transaction (`Mtr::file_rec`); nothing else is of interest yet.
        let (mut body, mut last) = (frame.body, None);
        while body.first().is_some_and(|kind| is_file_record(*kind)) {
            match decode(&mut body, &mut last).map_err(|e| at_lsn(e, frame.end))? {
                Some(LogRec::File(FileRec::Create { space })) => {
                    s.created.insert(space);
                }
                Some(LogRec::File(FileRec::Delete { space })) => {
                    s.deleted.insert(space);
                }
                Some(LogRec::Attached(place, bytes)) => {
                    if let Some(sink) = sink {
                        sink.found(place, bytes, frame.end)?;
                    }
                }
                _ => break,
            }
        }
        s.end = frame.end;
        s.frames += 1;
        progress::done(s.end.0 - ckpt.lsn.0);
    }
    let found = mark::look_ahead(file, ckpt.lsn, s.end, force > 0)?;
    s.marked = found.end;
    let durable = found.durable.max(ckpt.flushed);
    if s.end < durable {
        let damage = StorageError::LogDamaged { lsn: s.end, offset: file.offset_of(s.end), durable };
        if force == 0 {
            return Err(damage);
        }
        s.marked = s.marked.max(durable);
        report.cut = Some(damage);
    }
    Ok(s)
}
