//! The redo file: header, two checkpoint blocks, then the stream in a circle.
//!
//! ```text
//! 0      header      magic "EVKREDO1", format u32, 0 u32, data size u64, created u64, crc32c u32
//! 4096   checkpoint A: magic "EVKCKPT1", number u64, checkpoint LSN u64, flushed LSN u64, crc32c u32; at 64: run u64, crc32c u32 of it
//! 8192   checkpoint B
//! 12288  second copy of A (+0), of B (+512); durable marks (+1024, +1536): "EVKDURA1", number u64, flushed LSN u64, 0 u64, crc32c u32
//! 16384  data: the byte with LSN l is at 16384 + l % data size
//! ```
//! A checkpoint is written to the block that does not hold the last one and to its copy, then synced: one damaged copy costs nothing. The
//! flushed LSN in it is a promise: up to there the log was durable, so a reader that finds an invalid frame before it has found damage,
//! not a torn tail. The durable mark renews that promise between checkpoints ([`LogFile::write_durable_mark`]); further promises are in
//! the stream itself (`mark`).
//!
//! The run is where the log of the last complete start begins: each start changes the system page and the undo directory first of all, so a file in
//! which they are older is an older copy. 0, or not valid: not known (files of earlier versions).
//!
//! The file is written to `#ib_redo0_tmp` first and renamed when complete.

use crate::error::{Result, StorageError};
use crate::file::{DataFile, FileKind, FileSystem, OpenMode};
use base::Lsn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use sys::mem::AlignedBuf;

/// Folder of the redo log.
pub const REDO_DIR: &str = "#innodb_redo";
/// The redo file.
pub const REDO_FILE: &str = "#innodb_redo/#ib_redo0";
const REDO_TMP: &str = "#innodb_redo/#ib_redo0_tmp";
/// Unit of padding.
pub const BLOCK: u64 = 4096;
/// Where the stream begins in the file.
pub(crate) const DATA_AT: u64 = 16384;
const MAGIC: &[u8; 8] = b"EVKREDO1";
const CKPT_MAGIC: &[u8; 8] = b"EVKCKPT1";
const MARK_MAGIC: &[u8; 8] = b"EVKDURA1";
/// Where the second copies of the checkpoints are.
const COPIES_AT: u64 = 3 * BLOCK;
/// Where the durable marks are.
const MARKS_AT: u64 = COPIES_AT + 1024;
/// Where in a checkpoint's sector the run is.
const RUN_AT: usize = 64;
const FORMAT: u32 = 1;
/// LSN of the first byte of a new log.
pub const FIRST_LSN: u64 = 16384;
const MIN_DATA: u64 = 1 << 20;
/// Bytes that are read at once.
const PIECE: u64 = 1 << 20;

/// A checkpoint as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// Counts up; the larger valid one counts.
    pub number: u64,
    /// Redo starts here.
    pub lsn: Lsn,
    /// The log was durable up to here when this, or a later durable mark, was written.
    pub flushed: Lsn,
    /// Where the log of the last complete start begins; 0: not known.
    pub run: Lsn,
}

/// The open redo file.
pub struct LogFile {
    /// For the header and the checkpoints.
    file: Arc<dyn DataFile>,
    /// The same file for the stream: passes by the page cache, where data files do.
    stream: Arc<dyn DataFile>,
    data_size: u64,
    number: AtomicU64,
    marks: AtomicU64,
    run: AtomicU64,
    /// A copy of a checkpoint did not verify when the file was opened.
    damaged_copy: bool,
}

/// Checksum of a frame whose body has checksum `body_crc`.
#[inline]
pub fn frame_crc(body_crc: u32, len: u32, lsn: u64) -> u32 {
    let mut tail = [0u8; 12];
    let (a, b) = tail.split_at_mut(4);
    a.copy_from_slice(&len.to_le_bytes());
    b.copy_from_slice(&lsn.to_le_bytes());
    crc32c::crc32c_append(body_crc, &tail)
}

fn u64_from(b: &[u8], at: usize) -> u64 {
    b.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b))
}

pub(super) fn u32_from(b: &[u8], at: usize) -> u32 {
    b.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
}

/// A sector of 36 bytes that verifies, with the three numbers in it; `None`: it does not verify. The bool: was it ever written?
fn verified(b: &[u8; 512], magic: &[u8; 8]) -> (Option<[u64; 3]>, bool) {
    let ok = b.first_chunk() == Some(magic) && crc32c::crc32c(b.get(..32).unwrap_or(&[])) == u32_from(b, 32);
    (ok.then(|| [u64_from(b, 8), u64_from(b, 16), u64_from(b, 24)]), b.iter().any(|b| *b != 0))
}

fn run_crc(run: u64) -> u32 {
    crc32c::crc32c(&run.to_le_bytes())
}

fn numbers(magic: &[u8; 8], n: [u64; 3]) -> Vec<u8> {
    let mut b = magic.to_vec();
    n.iter().for_each(|n| b.extend_from_slice(&n.to_le_bytes()));
    sealed(b)
}

fn sealed(mut b: Vec<u8>) -> Vec<u8> {
    let crc = crc32c::crc32c(&b);
    b.extend_from_slice(&crc.to_le_bytes());
    b.resize(512, 0);
    b
}

impl LogFile {
    /// Creates a redo file of `capacity` bytes of stream with a checkpoint at `start`, replacing an older one.
    pub fn create(fs: &dyn FileSystem, capacity: u64, start: Lsn) -> Result<LogFile> {
        let log = LogFile::create_without_name(fs, capacity, start)?;
        log.give_name(fs)?;
        // Reopened so that messages carry the right name.
        let file = fs.open(REDO_FILE, OpenMode::ReadWrite, FileKind::Log)?;
        let stream = fs.open(REDO_FILE, OpenMode::ReadWrite, FileKind::Data)?;
        Ok(LogFile { file, stream, ..log })
    }

    /// The same, but no start takes it for a redo log before [`LogFile::give_name`].
    pub(crate) fn create_without_name(fs: &dyn FileSystem, capacity: u64, start: Lsn) -> Result<LogFile> {
        fs.create_dir(REDO_DIR)?;
        fs.remove(REDO_TMP)?;
        let data_size = capacity.max(MIN_DATA).next_multiple_of(BLOCK);
        let file = fs.open(REDO_TMP, OpenMode::CreateNew, FileKind::Log)?;
        file.preallocate(DATA_AT + data_size)?;
        let mut head = Vec::new();
        head.extend_from_slice(MAGIC);
        head.extend_from_slice(&FORMAT.to_le_bytes());
        head.extend_from_slice(&0u32.to_le_bytes());
        head.extend_from_slice(&data_size.to_le_bytes());
        head.extend_from_slice(&sys::clock::wall_micros().to_le_bytes());
        file.write_at(0, &sealed(head))?;
        let log = LogFile {
            file,
            stream: fs.open(REDO_TMP, OpenMode::ReadWrite, FileKind::Data)?,
            data_size,
            number: AtomicU64::new(0),
            marks: AtomicU64::new(0),
            run: AtomicU64::new(0),
            damaged_copy: false,
        };
        log.write_checkpoint(start, start)?;
        Ok(log)
    }

    /// It is the redo log from now on, durably.
    pub(crate) fn give_name(&self, fs: &dyn FileSystem) -> Result<()> {
        self.file.sync_data()?;
        fs.rename(REDO_TMP, REDO_FILE)
    }

    /// Opens the redo file; `None` when there is none.
    pub fn open(fs: &dyn FileSystem) -> Result<Option<(LogFile, Checkpoint)>> {
        if !fs.exists(REDO_FILE) {
            return Ok(None);
        }
        let wrong = |why| StorageError::WrongFormat { file: REDO_FILE.into(), why };
        let file = fs.open(REDO_FILE, OpenMode::ReadWrite, FileKind::Log)?;
        let mut head = [0u8; 512];
        file.read_at(0, &mut head)?;
        if head.first_chunk() != Some(MAGIC) {
            return Err(wrong("not a redo log of Evenkeel"));
        }
        if u32_from(&head, 8) != FORMAT {
            return Err(wrong("redo log of another format version"));
        }
        if crc32c::crc32c(head.get(..32).unwrap_or(&[])) != u32_from(&head, 32) {
            return Err(wrong("header checksum mismatch"));
        }
        let data_size = u64_from(&head, 16);
        if data_size < MIN_DATA || !data_size.is_multiple_of(BLOCK) || file.len()? < DATA_AT + data_size {
            return Err(wrong("file shorter than its header says"));
        }
        let mut best: Option<Checkpoint> = None;
        let mut damaged_copy = false;
        let mut sector = [0u8; 512];
        for at in [BLOCK, 2 * BLOCK, COPIES_AT, COPIES_AT + 512] {
            file.read_at(at, &mut sector)?;
            let (found, written) = verified(&sector, CKPT_MAGIC);
            damaged_copy |= written && found.is_none();
            if let Some([number, lsn, flushed]) = found
                && best.is_none_or(|o| o.number < number)
            {
                let run = u64_from(&sector, RUN_AT);
                let valid = run_crc(run) == u32_from(&sector, RUN_AT + 8);
                let run = Lsn(if valid { run } else { 0 });
                best = Some(Checkpoint { number, lsn: Lsn(lsn), flushed: Lsn(flushed), run });
            }
        }
        let mut ckpt = best.ok_or(wrong("no valid checkpoint"))?;
        let mut marks = 0;
        for at in [MARKS_AT, MARKS_AT + 512] {
            file.read_at(at, &mut sector)?;
            if let (Some([number, flushed, _]), _) = verified(&sector, MARK_MAGIC) {
                marks = number.max(marks);
                ckpt.flushed = ckpt.flushed.max(Lsn(flushed));
            }
        }
        let [number, marks, run] = [ckpt.number, marks, ckpt.run.0].map(AtomicU64::new);
        let stream = fs.open(REDO_FILE, OpenMode::ReadWrite, FileKind::Data)?;
        Ok(Some((LogFile { file, stream, data_size, number, marks, run, damaged_copy }, ckpt)))
    }

    /// Bytes of stream the file holds.
    pub fn data_size(&self) -> u64 {
        self.data_size
    }

    /// Whether a copy of a checkpoint did not verify: the checkpoint found may not be the last one.
    pub(crate) fn has_damaged_copy(&self) -> bool {
        self.damaged_copy
    }

    /// This start's log begins here, and the pages that say so are durable: the next checkpoints tell.
    pub(crate) fn set_run(&self, start: Lsn) {
        self.run.store(start.0, Ordering::Relaxed);
    }

    /// Where the log of this start, or of the last complete one, begins; 0: not known.
    pub(crate) fn run(&self) -> Lsn {
        Lsn(self.run.load(Ordering::Relaxed))
    }

    /// The file, for whole blocks from aligned addresses.
    pub(crate) fn stream(&self) -> &dyn DataFile {
        &*self.stream
    }

    /// Where in the file the byte with this LSN is.
    pub(crate) fn offset_of(&self, lsn: Lsn) -> u64 {
        DATA_AT + lsn.0 % self.data_size
    }

    /// Writes (both copies) and syncs a checkpoint. One caller at a time (the flusher).
    pub fn write_checkpoint(&self, lsn: Lsn, flushed: Lsn) -> Result<()> {
        let number = self.number.load(Ordering::Relaxed) + 1;
        let mut b = numbers(CKPT_MAGIC, [number, lsn.0, flushed.0]);
        let run = self.run.load(Ordering::Relaxed);
        let bytes = run.to_le_bytes().into_iter().chain(run_crc(run).to_le_bytes());
        b.iter_mut().skip(RUN_AT).zip(bytes).for_each(|(to, from)| *to = from);
        self.file.write_at(BLOCK * (1 + number % 2), &b)?;
        self.file.write_at(COPIES_AT + 512 * (number % 2), &b)?;
        self.file.sync_data()?;
        self.number.store(number, Ordering::Relaxed);
        Ok(())
    }

    /// Notes durably that the log is durable up to `flushed`. One caller at a time (the log flusher's thread).
    pub(super) fn write_durable_mark(&self, flushed: Lsn) -> Result<()> {
        let number = self.marks.load(Ordering::Relaxed) + 1;
        self.file.write_at(MARKS_AT + 512 * (number % 2), &numbers(MARK_MAGIC, [number, flushed.0, 0]))?;
        self.file.sync_data()?;
        self.marks.store(number, Ordering::Relaxed);
        Ok(())
    }

    /// Calls `piece(file offset, start, end)` for the parts of `[lsn, lsn+len)`, split where the circle closes.
    fn pieces(&self, lsn: u64, len: usize, mut piece: impl FnMut(u64, usize, usize) -> Result<()>) -> Result<()> {
        let mut done = 0;
        while done < len {
            let at = (lsn + done as u64) % self.data_size;
            let n = (len - done).min((self.data_size - at) as usize);
            piece(DATA_AT + at, done, done + n)?;
            done += n;
        }
        Ok(())
    }

    /// Writes whole blocks of the stream, from an aligned address. `cached`: into the page cache, because nobody syncs
    /// soon (`innodb_flush_log_at_trx_commit=2`).
    pub(super) fn write_blocks(&self, lsn: Lsn, blocks: &[u8], cached: bool) -> Result<()> {
        let file = if cached { &self.file } else { &self.stream };
        self.pieces(lsn.0, blocks.len(), |at, a, b| file.write_at(at, blocks.get(a..b).unwrap_or_default()))
    }

    /// Writes stream bytes, into the page cache.
    pub(crate) fn write(&self, lsn: Lsn, bytes: &[u8]) -> Result<()> {
        self.pieces(lsn.0, bytes.len(), |at, a, b| self.file.write_at(at, bytes.get(a..b).unwrap_or(&[])))
    }

    /// Makes written bytes durable.
    pub(crate) fn sync(&self) -> Result<()> {
        self.file.sync_data()
    }

    /// Reads stream bytes.
    pub fn read(&self, lsn: Lsn, to: &mut [u8]) -> Result<()> {
        let len = to.len();
        self.pieces(lsn.0, len, |at, a, b| read_blocks(&*self.stream, at, to.get_mut(a..b).unwrap_or_default()))
    }
}

/// Reads by whole blocks. Never through the page cache, where a page that was read while it was being written could
/// stay as it was.
fn read_blocks(file: &dyn DataFile, mut at: u64, mut to: &mut [u8]) -> Result<()> {
    let mut blocks = AlignedBuf::new((to.len() as u64 + 2 * BLOCK).next_multiple_of(BLOCK).min(PIECE) as usize);
    while !to.is_empty() {
        let skip = at % BLOCK;
        let n = (to.len() as u64).min(blocks.len() as u64 - skip);
        let whole = (skip + n).next_multiple_of(BLOCK) as usize;
        let (part, rest) = std::mem::take(&mut to).split_at_mut(n as usize);
        let read = blocks.get_mut(..whole).unwrap_or_default();
        file.read_at(at - skip, read)?;
        part.copy_from_slice(read.get(skip as usize..(skip + n) as usize).unwrap_or_default());
        (to, at) = (rest, at + n);
    }
    Ok(())
}
