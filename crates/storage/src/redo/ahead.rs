//! Zeros ahead of the log: the redo file's space is written once before the log comes there.
//!
//! A new redo file has disk space behind it that was never written (`fallocate`). The first write into each block of it
//! changes the file system's metadata, so every sync pays for a commit of the file system's journal too: 90 us of CPU
//! where a block that was written before costs 45 (ext4), and in proportion to the bytes of log. So the thread
//! `ib_log_files_g` (InnoDB's name for the thread that makes redo files ready) writes zeros some megabytes ahead of the
//! log, through the log's handle that passes by the page cache, until the log has gone around once.
//!
//! Rules. Only what the file system calls unwritten is written ([`DataFile::unwritten`]), and only in the first lap
//! since this start: whatever lies there, should the file system be wrong, is of an earlier run, whose log ended in the
//! checkpoint with which this one began. The range is set down in [`Ahead::busy`] under the writer's lock, at least
//! [`MARGIN`] ahead of it; the writer never enters that range (it waits, which takes a log that fills 8 MiB in the time
//! of one write of 4). A server that writes little log never begins.
//!
//! A crash in the middle leaves zeros where zeros were. An error is told in the error log, and ends it: the log goes on
//! without. Tests: below, with a log that is written at the same time.

use super::logfile::BLOCK;
use super::{Log, flusher::MAX_WRITE};
use crate::error::Result;
use crate::file::DataFile;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Thread;

/// Distance that is kept from the log's end, bytes.
const MARGIN: u64 = 2 * MAX_WRITE;
/// Bytes beyond the margin that should be ready.
const WINDOW: u64 = 16 << 20;
/// Bytes for each sync.
const CHUNK: u64 = 4 << 20;
/// Bytes of each write.
const PIECE: usize = 1 << 20;
/// So much log since the start before anything is done.
const FIRST: u64 = 1 << 20;
/// A smaller file goes around soon.
const LEAST: u64 = 2 * (MARGIN + WINDOW);

pub(super) struct Ahead {
    /// End of the first lap of this start: LSN.
    last: u64,
    /// All is written up to here, LSN.
    done: AtomicU64,
    /// The writer wakes the thread when it gets here, LSN.
    wake_at: AtomicU64,
    /// Beginning of what is being written, LSN; `u64::MAX`: nothing.
    busy: AtomicU64,
    thread: OnceLock<Thread>,
}

impl Ahead {
    /// Of a log that begins at LSN `start` in a file of `size` bytes of stream.
    pub(super) fn new(start: u64, size: u64) -> Ahead {
        let small = size < LEAST;
        let last = if small { start } else { (start + size) / BLOCK * BLOCK };
        let [done, wake_at, busy] = [start, if small { u64::MAX } else { start + FIRST }, u64::MAX].map(AtomicU64::new);
        Ahead { last, done, wake_at, busy, thread: OnceLock::new() }
    }

    /// The writer's, before it writes up to LSN `to`: waits while zeros are written there.
    pub(super) fn keep_off(&self, to: u64) {
        while to > self.busy.load(Ordering::Acquire) {
            std::thread::sleep(std::time::Duration::from_micros(100));
        }
    }

    /// The writer's, when it has written up to LSN `to`.
    pub(super) fn written(&self, to: u64) {
        if to >= self.wake_at.load(Ordering::Relaxed) {
            self.wake_at.store(u64::MAX, Ordering::Relaxed);
            self.thread.get().inspect(|t| t.unpark());
        }
    }
}

impl Log {
    /// What the thread `ib_log_files_g` does with a handle of the redo file. Ends when `stop` is set and the thread
    /// unparked, and after an error.
    pub fn write_zeros_ahead(&self, file: &dyn DataFile, stop: &AtomicBool) {
        let _ = self.ahead.thread.set(std::thread::current());
        while !stop.load(Ordering::Acquire) {
            match self.next_zeros(file) {
                Ok(true) => {}
                Ok(false) => std::thread::park(),
                Err(_) => return,
            }
        }
    }

    /// Writes one chunk; false: nothing is to be done until the writer is further.
    fn next_zeros(&self, file: &dyn DataFile) -> Result<bool> {
        let (ahead, size) = (&self.ahead, self.file.data_size());
        if ahead.wake_at.load(Ordering::Relaxed) != u64::MAX {
            return Ok(false);
        }
        let written = self.role.written();
        let from = ahead.done.load(Ordering::Relaxed).max((written + MARGIN).next_multiple_of(BLOCK));
        if from >= ahead.last {
            return Ok(false);
        }
        if from >= written + MARGIN + WINDOW {
            ahead.wake_at.store(from - MARGIN - WINDOW / 2, Ordering::Relaxed);
            return Ok(false);
        }
        let circle_ends = from - from % size + size;
        let to = (from + CHUNK).min(ahead.last).min(circle_ends);
        let at = self.file.offset_of(base::Lsn(from));
        let Some((hole, end)) = file.unwritten(at, to - from)? else {
            ahead.done.store(to, Ordering::Relaxed);
            return Ok(true);
        };
        let (hole, end) = (hole.next_multiple_of(BLOCK), end / BLOCK * BLOCK);
        let begins = from + hole.saturating_sub(at);
        let far = self.role.while_nobody_writes(|padded| {
            let far = begins >= padded + MARGIN;
            if far {
                ahead.busy.store(begins, Ordering::Release);
            }
            far
        });
        if !far {
            return Ok(true);
        }
        let result = zeros(file, hole, end);
        ahead.busy.store(u64::MAX, Ordering::Release);
        ahead.done.store(begins + end.saturating_sub(hole).max(BLOCK), Ordering::Relaxed);
        result.map(|()| true)
    }
}

/// Writes zeros over `[from, to)` of a file, durably.
fn zeros(file: &dyn DataFile, from: u64, to: u64) -> Result<()> {
    if from >= to {
        return Ok(());
    }
    let zeros = sys::mem::AlignedBuf::new(PIECE);
    let mut at = from;
    while at < to {
        let n = (to - at).min(PIECE as u64);
        file.write_at(at, zeros.get(..n as usize).unwrap_or_default())?;
        at += n;
    }
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::super::frames::Reader;
    use super::super::logfile::LogFile;
    use super::super::{ForcedBy, LogConfig, mark};
    use super::*;
    use crate::file::sim::SimFs;
    use crate::file::{FileKind, FileSystem, OpenMode};
    use base::Lsn;
    use std::sync::Arc;

    /// A file of which the file system says that nothing was ever written.
    struct Unwritten(Arc<dyn DataFile>, AtomicU64);

    impl DataFile for Unwritten {
        fn read_up_to(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
            self.0.read_up_to(offset, buf)
        }
        fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
            assert!(bytes.iter().all(|b| *b == 0));
            let mut old = vec![0; bytes.len()];
            self.0.read_at(offset, &mut old)?;
            assert!(old.iter().all(|b| *b == 0), "zeros over the log at {offset}");
            self.1.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            self.0.write_at(offset, bytes)
        }
        fn sync_data(&self) -> Result<()> {
            self.0.sync_data()
        }
        fn preallocate(&self, len: u64) -> Result<()> {
            self.0.preallocate(len)
        }
        fn len(&self) -> Result<u64> {
            self.0.len()
        }
        fn set_len(&self, len: u64) -> Result<()> {
            self.0.set_len(len)
        }
        fn name(&self) -> &str {
            self.0.name()
        }
        fn unwritten(&self, from: u64, len: u64) -> Result<Option<(u64, u64)>> {
            Ok(Some((from, from + len)))
        }
    }

    /// A log of 64 MiB goes around one and a half times while zeros are written ahead: all that the file holds of it is
    /// valid, and zeros went nowhere else than where nothing was.
    #[test]
    fn the_log_and_the_zeros_never_meet() {
        let (fs, capacity, start) = (SimFs::new(), 64 << 20, 3 << 30);
        let file = LogFile::create(&fs, capacity, Lsn(start)).unwrap();
        let config = LogConfig { capacity, buffer: 1 << 20, flush_at_commit: 1 };
        let log = Arc::new(Log::new(&config, file, Lsn(start), None));
        let handle = fs.open(super::super::logfile::REDO_FILE, OpenMode::ReadWrite, FileKind::Data).unwrap();
        let (handle, stop) = (Arc::new(Unwritten(handle, AtomicU64::new(0))), Arc::new(AtomicBool::new(false)));
        let (l, h, s) = (log.clone(), handle.clone(), stop.clone());
        let thread = std::thread::spawn(move || l.write_zeros_ahead(&*h, &s));
        while log.ahead.thread.get().is_none() {
            std::thread::yield_now();
        }
        let body = vec![9u8; 100_000];
        for n in 0..960 {
            let lsn = log.append(&body);
            log.flush_to(lsn, ForcedBy::Commit).unwrap();
            if n % 100 == 0 {
                log.write_checkpoint(lsn).unwrap();
            }
            if n == 20 {
                // it has begun: behind the first megabyte
                while handle.1.load(Ordering::Relaxed) == 0 {
                    std::thread::yield_now();
                }
            }
        }
        stop.store(true, Ordering::Release);
        thread.thread().unpark();
        thread.join().unwrap();
        let (file, checkpoint) = LogFile::open(&fs).unwrap().unwrap();
        let (mut reader, mut frames) = (Reader::new(&file, checkpoint.lsn), 0);
        while let Some(f) = reader.next().unwrap() {
            frames += usize::from(!f.body.starts_with(&mark::MAGIC));
        }
        assert_eq!(frames, 59);
    }
}
