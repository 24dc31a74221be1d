//! [`Tail`]: the log is written by whole blocks, so that it can pass by the page cache.
//!
//! A write begins where the block begins in which the log ends, with the bytes of that block that are in the file
//! already, and has zeros behind the log's end. Nothing is read back for it, and what an earlier lap of the log left
//! behind the end is gone.
//!
//! Crash: a torn write leaves of each sector what was there or what is new. Where the log was durable both have the
//! same bytes. Tested: below, `redo/tests.rs`, `crash_tests.rs`.

use super::super::logfile::BLOCK;
use super::super::ring::Ring;
use sys::mem::AlignedBuf;

/// Bytes of the buffer at the beginning; it grows.
const FIRST: usize = 64 << 10;

pub(super) struct Tail {
    /// From the beginning of the block in which the log ends.
    buf: AlignedBuf,
}

impl Tail {
    /// Of a log that begins at the beginning of a block.
    pub(super) fn new() -> Tail {
        Tail { buf: AlignedBuf::new(FIRST) }
    }

    /// Where the block begins in which `lsn` is.
    pub(super) fn block_of(lsn: u64) -> u64 {
        lsn - lsn % BLOCK
    }

    /// Takes the log's bytes of `from..to` out of the ring, and gives the blocks in which they are. `from`: where the
    /// call before ended.
    pub(super) fn take(&mut self, ring: &Ring, from: u64, to: u64) -> &[u8] {
        let begins = Tail::block_of(from);
        let (held, used) = ((from - begins) as usize, (to - begins) as usize);
        let whole = used.next_multiple_of(BLOCK as usize);
        if self.buf.len() < whole {
            let mut grown = AlignedBuf::new(whole.next_power_of_two());
            grown.iter_mut().zip(self.buf.iter()).take(held).for_each(|(to, from)| *to = *from);
            self.buf = grown;
        }
        let (log, rest) = self.buf.split_at_mut(used);
        ring.take(from, to, log.get_mut(held..).unwrap_or_default());
        rest.get_mut(..whole - used).unwrap_or_default().fill(0);
        self.buf.get(..whole).unwrap_or_default()
    }

    /// What was taken is written: the block in which it ends is kept.
    pub(super) fn written(&mut self, from: u64, to: u64) {
        let begins = Tail::block_of(from);
        let (last, used) = ((Tail::block_of(to) - begins) as usize, (to - begins) as usize);
        if last > 0 {
            self.buf.copy_within(last..used, 0);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    /// Frames of all sizes, written piece by piece into a file: it holds the log, and zeros to the end of the last block.
    #[test]
    fn blocks_make_up_the_log() {
        let start = 5 * BLOCK;
        let (ring, mut tail) = (Ring::new(1 << 20, start), Tail::new());
        let (mut file, mut log, mut from, mut seed) = (vec![7u8; 4 << 20], Vec::new(), start, 1u64);
        for _ in 0..300 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let most = [40, 900, 9_000, 130_000][(seed >> 40) as usize % 4];
            let len = 16 + (seed >> 20) % most / 8 * 8;
            let body: Vec<u8> = (8..len).map(|i| (seed >> (i % 57)) as u8).collect();
            ring.copy_in(ring.reserve(len), &body, seed as u32);
            log.extend_from_slice(&(len | (seed & 0xffff_ffff) << 32).to_le_bytes());
            log.extend_from_slice(&body);
            if log.len() > (3 << 20) {
                break;
            }
            if seed >> 63 == 0 {
                continue;
            }
            let to = ring.complete(from, u64::MAX);
            let at = (Tail::block_of(from) - start) as usize;
            let blocks = tail.take(&ring, from, to);
            assert!(blocks.len().is_multiple_of(BLOCK as usize) && blocks.as_ptr().addr().is_multiple_of(4096));
            file[at..at + blocks.len()].copy_from_slice(blocks);
            tail.written(from, to);
            from = to;
            let (here, behind) = file.split_at((to - start) as usize);
            assert!(here == &log[..here.len()]);
            let rest = (to.next_multiple_of(BLOCK) - to) as usize;
            assert!(behind[..rest].iter().all(|b| *b == 0) && behind[rest..].iter().all(|b| *b == 7));
        }
        assert!(from > start + (1 << 20));
    }
}
