//! [`Writer`]: writes the log and syncs it, in one thread at a time.

use super::super::Log;
use super::super::ring::Ring;
use super::tail::Tail;
use super::{MAX_UNSYNCED, MAX_WRITE};
use crate::error::{Result, StorageError};
use base::Lsn;
use probe::{Counter, Gauge};
use std::sync::atomic::Ordering;

pub(super) struct Writer {
    /// Handed to the operating system up to here.
    pub(super) written: u64,
    /// The file is zero or ours up to here: the end of a block.
    pub(super) padded: u64,
    tail: Tail,
    /// What writing has taken since the last sync, ns.
    write_ns: u64,
}

impl Writer {
    pub(super) fn new(start: u64) -> Writer {
        Writer { written: start, padded: start, tail: Tail::new(), write_ns: 0 }
    }

    /// After a failure: what is complete in the ring goes nowhere.
    pub(super) fn discard(&mut self, ring: &Ring) {
        let to = ring.complete(self.written, u64::MAX);
        while self.written < to {
            let end = (self.written + MAX_WRITE).min(to);
            self.tail.take(ring, self.written, end);
            self.tail.written(self.written, end);
            self.written = end;
        }
    }
}

impl Log {
    /// Writes all complete frames (and syncs). Returns the written LSN.
    pub(in super::super) fn write_out(&self, sync: bool) -> Result<u64> {
        let mut w = self.role.writer.lock();
        self.check_alive()?;
        loop {
            let from = w.written;
            let to = self.ring.complete(from, MAX_WRITE);
            if to > from {
                let Writer { written, padded, tail, write_ns } = &mut *w;
                let begins = Tail::block_of(from);
                let blocks = tail.take(&self.ring, from, to);
                *padded = begins + blocks.len() as u64;
                // Admission makes this impossible (see `admit`); were it ever wrong, stopping is better than overwriting.
                if *padded > self.checkpoint.load(Ordering::Acquire) + self.file.data_size() {
                    return Err(
                        self.fail(StorageError::CorruptLog { lsn: Lsn(to), why: "the log would overwrite itself" })
                    );
                }
                self.ahead.keep_off(*padded);
                Gauge::LogPendingWrites.add(1);
                let began = sys::clock::now_ns();
                let done = self.file.write_blocks(Lsn(begins), blocks, self.flush_at_commit() == 2);
                Gauge::LogPendingWrites.add(-1);
                done.map_err(|e| self.fail(e))?;
                *write_ns += sys::clock::now_ns() - began;
                probe::inc(Counter::InnodbLogWrites);
                probe::add(Counter::InnodbOsLogWritten, to - from);
                tail.written(from, to);
                *written = to;
                self.role.written.store(to, Ordering::Release);
                self.ahead.written(to);
                if to - self.flushed.load(Ordering::Relaxed) > MAX_UNSYNCED {
                    self.sync_written(&mut w)?;
                }
            }
            if to - from < MAX_WRITE {
                break;
            }
        }
        if sync && self.flushed.load(Ordering::Relaxed) < w.written {
            self.sync_written(&mut w)?;
        }
        Ok(w.written)
    }

    /// With the writer's lock held.
    fn sync_written(&self, w: &mut Writer) -> Result<()> {
        let began = sys::clock::now_ns();
        Gauge::LogPendingFsyncs.add(1);
        let done = self.file.sync();
        Gauge::LogPendingFsyncs.add(-1);
        done.map_err(|e| self.fail(e))?;
        let took = std::mem::take(&mut w.write_ns) + (sys::clock::now_ns() - began);
        let mean = self.role.sync_ns.load(Ordering::Relaxed);
        self.role.sync_ns.store(mean - mean / 16 + took / 16, Ordering::Relaxed);
        probe::inc(Counter::InnodbOsLogFsyncs);
        self.role.syncs.fetch_add(1, Ordering::Relaxed);
        sched::pool::note_sync();
        self.flushed.store(w.written, Ordering::Release);
        if let Some(sink) = self.order.sink() {
            sink.durable(Lsn(w.written));
        }
        Ok(())
    }
}
