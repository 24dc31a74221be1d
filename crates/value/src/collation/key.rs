//! Sort keys and hashes.
//!
//! NO PAD collations: the weights, big-endian, level after level with 0x0000 between.
//!
//! PAD SPACE collations compare as if both strings were followed by spaces without end. memcmp sees the same order when
//! every space's weight is followed by a mark: [`BELOW`] when the next weight that is not a space's is less than it,
//! [`ABOVE`] when it is greater; trailing spaces are dropped and every key ends with a space's weight and [`END`].

use std::hash::Hasher;

/// Bytes per weight.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    One,
    Two,
}

impl Width {
    #[inline]
    fn put(self, w: u16, out: &mut Vec<u8>) {
        match self {
            Width::One => out.push(w as u8),
            Width::Two => out.extend_from_slice(&w.to_be_bytes()),
        }
    }
}

const BELOW: u8 = 0;
const END: u8 = 1;
const ABOVE: u8 = 2;

/// Appends the key of a PAD SPACE collation.
#[inline]
pub(super) fn padded(weights: impl Iterator<Item = u16>, space: u16, width: Width, out: &mut Vec<u8>) {
    let mut run = 0usize;
    for w in weights {
        if w == space {
            run += 1;
            continue;
        }
        for _ in 0..run {
            width.put(space, out);
            out.push(if w < space { BELOW } else { ABOVE });
        }
        run = 0;
        width.put(w, out);
    }
    width.put(space, out);
    out.push(END);
}

/// Appends the bare weights.
pub(super) fn bare(weights: impl Iterator<Item = u16>, width: Width, out: &mut Vec<u8>) {
    for w in weights {
        width.put(w, out);
    }
}

/// Appends the key of a NO PAD collation's level.
#[inline]
pub(super) fn plain(weights: impl Iterator<Item = u16>, out: &mut Vec<u8>) {
    for w in weights {
        out.extend_from_slice(&w.to_be_bytes());
    }
}

/// Hashes weights; with `space` trailing spaces do not count.
#[inline]
pub(super) fn hash<H: Hasher>(weights: impl Iterator<Item = u16>, space: Option<u16>, h: &mut H) {
    let mut buf = Buffer { bytes: [0; 64], used: 0 };
    let mut run = 0usize;
    for w in weights {
        if Some(w) == space {
            run += 1;
            continue;
        }
        for _ in 0..run {
            buf.put(space.unwrap_or(0), h);
        }
        run = 0;
        buf.put(w, h);
    }
    h.write(buf.bytes.get(..buf.used).unwrap_or(&[]));
}

/// Gathers weights so that the hasher is not called for each.
struct Buffer {
    bytes: [u8; 64],
    used: usize,
}

impl Buffer {
    #[inline]
    fn put<H: Hasher>(&mut self, w: u16, h: &mut H) {
        if let Some(to) = self.bytes.get_mut(self.used..self.used + 2) {
            to.copy_from_slice(&w.to_ne_bytes());
        }
        self.used += 2;
        if self.used == 64 {
            h.write(&self.bytes);
            self.used = 0;
        }
    }
}
