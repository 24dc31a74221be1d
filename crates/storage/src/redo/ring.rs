//! The log buffer: a ring of words.
//!
//! `reserved` is the only line that all writers share. A copier owns the words of its range until it stores the frame's first
//! word (length and checksum) with release order; the writer walks first words from where it stopped, a zero word ends the
//! walk. The writer copies words out, zeroes them, and only then advances `freed`, which lets the range be reserved again.
//! Everything is atomic words: no unsafe code, and torn or early reads are impossible rather than unlikely.

use super::flusher::Role;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) struct Ring {
    words: Box<[AtomicU64]>,
    mask: u64,
    reserved: CachePadded<AtomicU64>,
    /// Everything below has been copied out and zeroed.
    freed: CachePadded<AtomicU64>,
}

#[allow(clippy::indexing_slicing)] // word indexes are masked by the power-of-two length
impl Ring {
    pub(super) fn new(bytes: usize, start: u64) -> Ring {
        let n = bytes / 8;
        Ring {
            words: (0..n).map(|_| AtomicU64::new(0)).collect(),
            mask: n as u64 - 1,
            reserved: CachePadded::new(AtomicU64::new(start)),
            freed: CachePadded::new(AtomicU64::new(start)),
        }
    }

    #[inline]
    fn word(&self, lsn: u64) -> &AtomicU64 {
        &self.words[((lsn >> 3) & self.mask) as usize]
    }

    fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// The words of `from..to`, in order: those up to the ring's end, and those from its beginning on. (A loop over a
    /// slice asks neither where a word is nor whether it is there.)
    #[inline]
    fn span(&self, from: u64, to: u64) -> [&[AtomicU64]; 2] {
        let n = ((to - from) >> 3) as usize;
        let first = ((from >> 3) & self.mask) as usize;
        let here = n.min(self.words.len() - first);
        [&self.words[first..first + here], &self.words[..n - here]]
    }

    #[inline]
    pub(super) fn reserved(&self) -> u64 {
        self.reserved.load(Ordering::Acquire)
    }

    /// AcqRel: what the caller wrote before (dirty bounds of its frames) is visible to whoever reads a later value.
    #[inline]
    pub(super) fn reserve(&self, len: u64) -> u64 {
        self.reserved.fetch_add(len, Ordering::AcqRel)
    }

    #[inline]
    pub(super) fn has_room(&self, start: u64, len: u64) -> bool {
        start + len <= self.freed.load(Ordering::Acquire) + self.bytes()
    }

    /// Bytes that wait to be written, and how many there may be.
    pub(super) fn used(&self) -> (u64, u64) {
        let used = self.reserved.load(Ordering::Relaxed).saturating_sub(self.freed.load(Ordering::Relaxed));
        (used, self.bytes())
    }

    pub(super) fn copy_in(&self, start: u64, body: &[u8], crc: u32) {
        let chunks = body.as_chunks::<8>().0;
        let len = chunks.len() as u64 * 8 + 8;
        let [here, wrapped] = self.span(start + 8, start + len);
        let (front, rest) = chunks.split_at(here.len());
        for (words, chunks) in [(here, front), (wrapped, rest)] {
            for (w, chunk) in words.iter().zip(chunks) {
                w.store(u64::from_le_bytes(*chunk), Ordering::Relaxed);
            }
        }
        self.word(start).store(len | (crc as u64) << 32, Ordering::Release);
    }

    /// End of the complete frames from `from` on, at most about `limit` bytes. One caller at a time.
    ///
    /// Where the frames fill the ring to its last word, the word behind them is the first one's again.
    pub(super) fn complete(&self, from: u64, limit: u64) -> u64 {
        let limit = limit.min(self.bytes());
        let mut at = from;
        while at - from < limit {
            let first = self.word(at).load(Ordering::Acquire);
            let len = first & 0xffff_ffff;
            if len == 0 {
                break;
            }
            at += len;
        }
        at
    }

    /// Copies complete bytes out into `out`, which is as long, and gives their room back. One caller at a time.
    pub(super) fn take(&self, from: u64, to: u64, out: &mut [u8]) {
        debug_assert_eq!(out.len() as u64, to - from);
        let [here, wrapped] = self.span(from, to);
        let chunks = out.as_chunks_mut::<8>().0;
        let (front, rest) = chunks.split_at_mut(here.len());
        for (words, chunks) in [(here, front), (wrapped, rest)] {
            for (w, chunk) in words.iter().zip(chunks) {
                *chunk = w.load(Ordering::Relaxed).to_le_bytes();
                w.store(0, Ordering::Relaxed);
            }
        }
        self.freed.store(to, Ordering::Release);
    }

    /// After a failure: lets the ring run empty, writing nothing.
    pub(super) fn discard_complete(&self, role: &Role) {
        role.discard(self);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Frames of random sizes through a small ring, which is filled to its last word each time before it is emptied:
    /// they come out once, whole and in order, and nothing behind them does.
    #[test]
    fn a_ring_that_is_full_to_its_last_word() {
        let ring = Ring::new(1 << 10, 8 * 37);
        let (mut written, mut seed) = (ring.reserved(), 7u64);
        let mut expected = Vec::new();
        for _ in 0..2_000 {
            let mut left = ring.bytes();
            while left > 0 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let len = match (16 + (seed >> 33) % 200 / 8 * 8).min(left) {
                    len if left - len < 16 => left,
                    len => len,
                };
                let body: Vec<u8> = (8..len).map(|i| (seed >> (i % 57)) as u8).collect();
                let start = ring.reserve(len);
                assert!(ring.has_room(start, len));
                ring.copy_in(start, &body, seed as u32);
                expected.extend_from_slice(&(len | (seed & 0xffff_ffff) << 32).to_le_bytes());
                expected.extend_from_slice(&body);
                left -= len;
            }
            let end = ring.complete(written, u64::MAX);
            assert_eq!(end, ring.reserved());
            let mut out = vec![0; (end - written) as usize];
            ring.take(written, end, &mut out);
            assert_eq!(out, std::mem::take(&mut expected));
            assert_eq!(ring.complete(end, u64::MAX), end);
            written = end;
        }
    }
}
