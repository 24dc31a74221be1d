//! [`Queue`]: pieces of the log that have their place and are not in their file yet, in the order of commits.
//!
//! Their bytes stand one behind another in chunks, so that a commit copies its piece behind the one before it without
//! asking for memory, and pieces that follow one another in a file are written with one call and no further copy. The
//! writer takes a chunk's front at a time ([`Queue::take`]), so what it moves under the lock is bounded however much
//! waits (a disk without room lets the queue grow to the size of the redo log).
//!
//! Used under the log's `order`. Gone with a crash: recovery finds the pieces in the redo log.

use base::Lsn;
use std::collections::VecDeque;
use storage::attached::Place;

/// A chunk takes pieces until it has so many bytes.
const CHUNK: usize = 256 << 10;

/// A piece: where it belongs, where it ends in the redo log, how many bytes it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) place: Place,
    pub(super) end: Lsn,
    pub(super) len: usize,
}

/// Pieces that were placed one after another.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pieces: Vec<Waiting>,
    bytes: Vec<u8>,
}

impl Chunk {
    /// Bytes of all pieces.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Pieces with their bytes, and what stands from the first byte of each on.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Waiting, &[u8])> {
        let mut rest = self.bytes.as_slice();
        self.pieces.iter().map_while(move |w| {
            let from_here = rest;
            rest = rest.get(w.len..)?;
            Some((*w, from_here))
        })
    }

    /// The first `n` pieces are done with.
    pub(super) fn drop_front(&mut self, n: usize) {
        let bytes: usize = self.pieces.drain(..n.min(self.pieces.len())).map(|w| w.len).sum();
        self.bytes.drain(..bytes.min(self.bytes.len()));
    }

    /// Empty, with its memory.
    pub(super) fn cleared(mut self) -> Chunk {
        self.pieces.clear();
        self.bytes.clear();
        self
    }

    /// Cuts off the pieces from number `n` on, into `rest`, which is empty.
    fn split(&mut self, n: usize, rest: &mut Chunk) {
        rest.pieces.extend(self.pieces.drain(n..));
        let bytes = self.bytes.len().saturating_sub(rest.pieces.iter().map(|w| w.len).sum());
        rest.bytes.extend(self.bytes.drain(bytes..));
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// None is empty.
    chunks: VecDeque<Chunk>,
    /// Memory for the next one.
    spare: Chunk,
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Appends a piece.
    pub(super) fn push(&mut self, place: Place, bytes: &[u8], end: Lsn) {
        if self.chunks.back().is_none_or(|c| c.len() + bytes.len() > CHUNK) {
            self.chunks.push_back(std::mem::take(&mut self.spare));
        }
        if let Some(c) = self.chunks.back_mut() {
            c.pieces.push(Waiting { place, end, len: bytes.len() });
            c.bytes.extend_from_slice(bytes);
        }
    }

    /// Takes pieces from the front that end at or before `durable`; `None`: there is none. `memory` is an empty chunk
    /// that is no longer needed.
    pub(super) fn take(&mut self, durable: Lsn, mut memory: Chunk) -> Option<Chunk> {
        let front = self.chunks.front_mut();
        let n = front.as_ref().map_or(0, |c| c.pieces.partition_point(|w| w.end <= durable));
        let taken = match front {
            Some(front) if n > 0 && n < front.pieces.len() => {
                front.split(n, &mut memory);
                Some(std::mem::replace(front, std::mem::take(&mut memory)))
            }
            Some(_) if n > 0 => self.chunks.pop_front(),
            _ => None,
        };
        if memory.bytes.capacity() > self.spare.bytes.capacity() {
            self.spare = memory;
        }
        taken
    }

    /// Leaves out what stands before the last piece for this file that ends at or before `durable`, if there is one:
    /// how many bytes that was.
    pub(super) fn skip_to(&mut self, file: u32, durable: Lsn) -> Option<usize> {
        let is_there = |w: &Waiting| w.place.file == file && w.end <= durable;
        let (n, at) = self.chunks.iter().enumerate().rev().find_map(|(n, c)| {
            Some((n, c.pieces.iter().rposition(is_there)?)) //
        })?;
        let mut bytes: usize = self.chunks.drain(..n).map(|c| c.len()).sum();
        if let Some(front) = self.chunks.front_mut() {
            let before = front.len();
            front.drop_front(at);
            bytes += before - front.len();
        }
        Some(bytes)
    }

    /// Pieces could not be written: they come first again.
    pub(super) fn put_back(&mut self, chunk: Chunk) {
        if !chunk.pieces.is_empty() {
            self.chunks.push_front(chunk);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Pieces of random sizes, taken up to random points and put back half of the time, come out once and in order.
    #[test]
    fn pieces_come_out_once_and_in_order() {
        let mut seed = 0x1234_5678_9abc_def1u64;
        let mut random = |n: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % n
        };
        let (mut queue, mut memory) = (Queue::default(), Chunk::default());
        let (mut made, mut seen) = (0u64, 0u64);
        while seen < 3_000 {
            for _ in 0..random(30) {
                made += 1;
                // the number, over and over; now and then longer than a chunk
                let times = if random(200) == 0 { CHUNK / 8 + 1 } else { 1 + random(3_000) as usize };
                queue.push(Place { file: 1, offset: made }, &made.to_le_bytes().repeat(times), Lsn(made));
            }
            let durable = Lsn(seen + random(made - seen + 1));
            while let Some(mut chunk) = queue.take(durable, std::mem::take(&mut memory)) {
                let upto = random(chunk.pieces.len() as u64 + 1) as usize;
                let back = random(2) == 0;
                for (w, bytes) in chunk.pieces().take(if back { upto } else { usize::MAX }) {
                    seen += 1;
                    assert_eq!((w.place.offset, w.end), (seen, Lsn(seen)));
                    assert!(bytes[..w.len].chunks(8).all(|b| b == seen.to_le_bytes()));
                    assert!(w.end <= durable);
                }
                if back {
                    chunk.drop_front(upto);
                    queue.put_back(chunk);
                    break;
                }
                memory = chunk.cleared();
            }
        }
        assert!(made >= seen);
    }
}
