//! `SET GLOBAL innodb_buffer_pool_size`: the pool's size changes while it is used.
//!
//! Growing makes frames and puts them on the free list. Shrinking lowers the limit (nothing at or above it becomes free again), writes the
//! dirty pages above it, and takes the frames there out of the rings one by one as their latches are free; what is being used is waited
//! for. When all are empty their memory is given back; their headers stay, so that late readers find a frame that is not the
//! page's any more. One resize at a time, with no latch held. It fails, and everything is as before, when pages above the limit
//! cannot be written or stay latched for [`PATIENCE`].

use super::flush::BATCH;
use super::replace::RETIRED;
use super::{BufferPool, frames_in};
use crate::error::{Result, StorageError};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long a shrink waits without getting any further.
const PATIENCE: Duration = Duration::from_secs(30);

impl BufferPool {
    /// Changes the size to `bytes` (at least 64 frames). Returns when it is done.
    ///
    /// # Errors
    /// `Unsupported` beyond `PoolConfig::max_bytes`; out of memory; a failed write; `PoolExhausted` when pages stayed in use.
    pub fn resize(&self, bytes: u64) -> Result<()> {
        let _one = self.resizing.lock();
        let (have, want) = (self.rings.limit(), frames_in(bytes));
        if want > self.frames.max() {
            return Err(StorageError::Unsupported {
                what: "innodb_buffer_pool_size beyond the machine's memory without a restart",
            });
        }
        if want >= have {
            self.frames.make(want)?;
            self.rings.raise_limit(&self.frames, want);
            probe::Gauge::PoolPagesTotal.set(i64::from(want));
            return Ok(());
        }
        self.rings.lower_limit(&self.frames, want);
        match self.empty(want, have) {
            Ok(()) => {
                self.frames.give_back(want, have);
                probe::Gauge::PoolPagesTotal.set(i64::from(want));
                Ok(())
            }
            Err(e) => {
                self.rings.restore_limit(&self.frames, have);
                Err(e)
            }
        }
    }

    /// Retires all frames of `from..to`.
    fn empty(&self, from: u32, to: u32) -> Result<()> {
        let retired = |f: &u32| self.frame(*f).ring.load(Ordering::Relaxed) == RETIRED;
        let mut moved = Instant::now();
        loop {
            let dirty: Vec<u32> = (from..to).filter(|f| self.frame(*f).has_new_changes()).collect();
            for part in dirty.chunks(BATCH) {
                self.flush_these(part)?;
            }
            let mut progress = false;
            for f in self.rings.above_limit() {
                if !self.try_evict(f) {
                    continue;
                }
                self.put_free(f);
                progress = true;
            }
            if (from..to).all(|f| retired(&f)) {
                return Ok(());
            }
            if progress {
                moved = Instant::now();
            } else if moved.elapsed() > PATIENCE {
                return Err(StorageError::PoolExhausted);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
