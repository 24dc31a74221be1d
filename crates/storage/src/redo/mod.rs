//! The redo log: an endless stream of bytes, cut into frames, one frame per mini-transaction.
//!
//! ```text
//! frame = [len u32][crc u32][body, padded with zeros to a multiple of 8]     len counts all of it
//! crc   = crc32c over body, then len, then the frame's LSN: a frame is valid at one place of the stream only
//! ```
//! * [`ring`]: the log buffer. An LSN range is reserved by `fetch_add`, the body is copied by whoever reserved it, concurrently, and the
//!   frame's first word is stored last: a zero word is a hole. The writer zeroes behind itself, so no other link buffer is needed.
//! * [`flusher`]: flushing is a role, not a thread.
//! * [`logfile`]: the file (`#innodb_redo/#ib_redo0`), its header and checkpoint blocks.
//! * [`frames`]: reading it at recovery.
//! * [`mark`]: frames by which the log says how far it is durable, and the search for them: damage told from a torn tail.
//! * [`ahead`]: the file's space is written once before the log comes there.
//! * [`admit`]: how many mini-transactions may run, so that the log can never overwrite what unflushed pages need.
//! * [`reader`]: nor what a backup has not read yet.
//!
//! LSNs are multiples of 8. Rules: a mini-transaction holds page latches while it appends; it may wait there only for the log
//! *writer* to empty the ring (which takes no latch), never for a sync or for a page. Waiting for durability happens with no latch
//! held. After a failed write or sync of the log nothing is ever acknowledged again: `failed` is set, every waiter gets the
//! error, new mini-transactions are refused ([`StorageError::ReadOnly`]). Tests: `redo/tests.rs`, `crash_tests.rs`.

mod admit;
mod ahead;
mod flusher;
pub mod frames;
pub mod logfile;
pub(crate) mod mark;
pub(crate) mod reader;
mod ring;
#[cfg(test)]
mod tests;

pub use admit::Ticket;
pub use flusher::ForcedBy;
pub(crate) use flusher::MAX_UNSYNCED;
pub use logfile::{Checkpoint, LogFile};

use crate::attached::{CommitOrder, CommitSink};
use crate::error::{Result, StorageError};
use admit::Admission;
use ahead::Ahead;
use base::Lsn;
use flusher::Role;
use reader::Readers;
use ring::Ring;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Longest frame of one mini-transaction, bytes.
pub const MAX_MTR_BYTES: u64 = 512 << 10;

/// Sizes and policy.
#[derive(Clone, Copy, Debug)]
pub struct LogConfig {
    /// `innodb_redo_log_capacity` in bytes; at least 1 MiB.
    pub capacity: u64,
    /// `innodb_log_buffer_size` in bytes, rounded up to a power of two, at least 1 MiB.
    pub buffer: u64,
    /// `innodb_flush_log_at_trx_commit`: 0, 1 or 2.
    pub flush_at_commit: u8,
}

impl Default for LogConfig {
    fn default() -> LogConfig {
        LogConfig { capacity: 1 << 30, buffer: 16 << 20, flush_at_commit: 1 }
    }
}

/// The log of a running engine.
pub struct Log {
    ring: Ring,
    role: Role,
    file: LogFile,
    admission: Admission,
    /// Everything below is durable.
    flushed: AtomicU64,
    /// Recovery would start here.
    checkpoint: AtomicU64,
    flush_at_commit: AtomicU8,
    failed: OnceLock<StorageError>,
    /// What the last mark in the stream says.
    marked: AtomicU64,
    /// What the file's header says is durable.
    noted: AtomicU64,
    order: CommitOrder,
    ahead: Ahead,
    readers: Readers,
}

impl Log {
    /// On an opened file, continuing at `start` (a multiple of 8, at which the file has a checkpoint).
    pub fn new(config: &LogConfig, file: LogFile, start: Lsn, sink: Option<Arc<dyn CommitSink>>) -> Log {
        let buffer = config.buffer.clamp(1 << 20, 1 << 30).next_power_of_two();
        Log {
            ring: Ring::new(buffer as usize, start.0),
            role: Role::new(start.0),
            admission: Admission::new(file.data_size()),
            ahead: Ahead::new(start.0, file.data_size()),
            file,
            flushed: AtomicU64::new(start.0),
            checkpoint: AtomicU64::new(start.0),
            flush_at_commit: AtomicU8::new(config.flush_at_commit),
            failed: OnceLock::new(),
            marked: AtomicU64::new(start.0),
            noted: AtomicU64::new(start.0),
            order: CommitOrder::new(sink),
            readers: Readers::default(),
        }
    }

    /// End of everything reserved so far.
    #[inline]
    pub fn current_lsn(&self) -> Lsn {
        Lsn(self.ring.reserved())
    }

    /// Everything below is durable.
    #[inline]
    pub fn flushed_lsn(&self) -> Lsn {
        Lsn(self.flushed.load(Ordering::Acquire))
    }

    /// Everything below has been handed to the operating system.
    pub fn written_lsn(&self) -> Lsn {
        Lsn(self.role.written())
    }

    /// Where recovery would start.
    pub fn checkpoint_lsn(&self) -> Lsn {
        Lsn(self.checkpoint.load(Ordering::Acquire))
    }

    /// Bytes of log that recovery would read.
    #[inline]
    pub fn checkpoint_age(&self) -> u64 {
        self.ring.reserved().saturating_sub(self.checkpoint.load(Ordering::Acquire))
    }

    /// Bytes of log the file holds.
    pub fn capacity(&self) -> u64 {
        self.file.data_size()
    }

    /// `innodb_flush_log_at_trx_commit` now.
    pub fn flush_at_commit(&self) -> u8 {
        self.flush_at_commit.load(Ordering::Relaxed)
    }

    /// `SET GLOBAL innodb_flush_log_at_trx_commit`.
    pub fn set_flush_at_commit(&self, v: u8) {
        self.flush_at_commit.store(v.min(2), Ordering::Relaxed);
    }

    /// The order of commits whose bytes travel in the log.
    pub fn order(&self) -> &CommitOrder {
        &self.order
    }

    /// The log file.
    pub fn file(&self) -> &LogFile {
        &self.file
    }

    /// Why the log no longer takes writes, if so.
    pub fn failure(&self) -> Option<&StorageError> {
        self.failed.get()
    }

    fn fail(&self, e: StorageError) -> StorageError {
        let reason = format!("redo log write failed: {e}");
        let first = || {
            crate::told::read_only(&e);
            StorageError::ReadOnly { reason: reason.into() }
        };
        self.failed.get_or_init(first).clone()
    }

    /// Refuses when the log has failed.
    #[inline]
    pub(crate) fn check_alive(&self) -> Result<()> {
        match self.failed.get() {
            Some(e) => Err(e.clone()),
            None => Ok(()),
        }
    }

    /// Reserves, copies and publishes one frame. `body` is padded to a multiple of 8. Returns the frame's end LSN. Called with page
    /// latches held; infallible (when the log has failed the bytes go nowhere and are never acknowledged).
    pub(crate) fn append(&self, body: &[u8]) -> Lsn {
        debug_assert!(body.len().is_multiple_of(8) && !body.is_empty());
        let len = body.len() as u64 + 8;
        let body_crc = crc32c::crc32c(body);
        let start = self.ring.reserve(len);
        let crc = logfile::frame_crc(body_crc, len as u32, start);
        while !self.ring.has_room(start, len) {
            // The ring is full: be the writer (without sync). The bytes before ours are being copied by threads that do not
            // wait for us, so this ends.
            if self.write_out(false).is_err() {
                // Nothing will be durable any more; the ring only has to be passable.
                self.ring.discard_complete(&self.role);
            }
            std::thread::yield_now();
        }
        self.ring.copy_in(start, body, crc);
        probe::inc(probe::Counter::InnodbLogWriteRequests);
        Lsn(start + len)
    }

    /// Makes the checkpoint at `lsn` durable, or at what a reader has not read yet: all pages changed below `lsn` are
    /// in their files.
    pub(crate) fn write_checkpoint(&self, lsn: Lsn) -> Result<()> {
        let lsn = Lsn(lsn.0.min(self.readers.lowest()));
        if lsn.0 <= self.checkpoint.load(Ordering::Acquire) {
            return Ok(());
        }
        self.flush_to(lsn, ForcedBy::Checkpoint)?;
        if let Some(sink) = self.order.sink() {
            self.order.settle();
            sink.before_checkpoint(lsn)?;
        }
        let flushed = self.flushed_lsn();
        self.file.write_checkpoint(lsn, flushed)?;
        self.checkpoint.store(lsn.0, Ordering::Release);
        self.noted.fetch_max(flushed.0, Ordering::Relaxed);
        self.order.sink().inspect(|sink| sink.after_checkpoint(lsn));
        probe::inc(probe::Counter::InnodbRedoLogCheckpoints);
        Ok(())
    }

    /// Notes in the file's header how far the log is durable, if that has moved: so that damage to the last flush's frames, behind which
    /// the stream has no mark, is known as damage too. One caller at a time; costs a write and a sync.
    pub(crate) fn note_durable(&self) -> Result<()> {
        let flushed = self.flushed_lsn();
        if flushed.0 > self.noted.load(Ordering::Relaxed) {
            self.file.write_durable_mark(flushed).map_err(|e| self.fail(e))?;
            self.noted.fetch_max(flushed.0, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Appends a mark (see [`mark`]) if there is news.
    fn append_mark(&self) {
        let flushed = self.flushed.load(Ordering::Acquire);
        if flushed > self.marked.load(Ordering::Relaxed) {
            self.marked.store(flushed, Ordering::Relaxed);
            self.append(&mark::body(Lsn(flushed)));
        }
    }
}
