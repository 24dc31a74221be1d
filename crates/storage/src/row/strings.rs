//! String parts of normalized keys: escaping, PAD SPACE, and back. The format is at the module's root.

use smallvec::SmallVec;
use value::Collation;

use super::key::strip_spaces;

/// How a collation's strings become key bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct StringCodec {
    collation: &'static Collation,
    /// The string's own bytes are its weights.
    plain: bool,
    pad: Option<Pad>,
}

/// PAD SPACE: the weight unit of the space, 1 or 2 bytes.
#[derive(Clone, Copy, Debug)]
struct Pad {
    unit: usize,
    space: [u8; 2],
}

const BELOW: u8 = 0;
const END: u8 = 1;
const ABOVE: u8 = 2;

impl StringCodec {
    pub(super) fn of(collation: value::CollationId) -> StringCodec {
        let collation = collation.get();
        let plain = collation.is_binary();
        let pad = (collation.pad_space && !collation.pads_itself()).then(|| {
            let unit = collation.weight_width();
            let mut key = Vec::new();
            collation.weights(collation.charset.space(), &mut key);
            let space = match key.as_slice() {
                [a, b, ..] if unit == 2 => [*a, *b],
                [a, ..] => [*a, 0],
                [] => [0, 0],
            };
            Pad { unit, space }
        });
        StringCodec { collation, plain, pad }
    }

    /// Whether the string can be read back; `stripped`: the column never has trailing spaces (CHAR).
    pub(super) fn reversible(&self, stripped: bool) -> bool {
        self.plain && (self.pad.is_none() || stripped)
    }

    /// Appends the part of `s`.
    pub(super) fn encode(&self, s: &[u8], out: &mut Vec<u8>) {
        self.encode_open(s, out);
        match &self.pad {
            Some(pad) => {
                out.extend(pad.space.iter().take(pad.unit));
                out.push(END);
            }
            None => out.extend_from_slice(&[0, 0]),
        }
    }

    /// Appends the part of `s` without its end. `false`: the bytes are no prefix of the parts of all strings that begin
    /// with `s` (weights on several levels).
    pub(super) fn encode_open(&self, s: &[u8], out: &mut Vec<u8>) -> bool {
        let s = match self.pad {
            Some(_) if self.collation.charset.is_wide() => self.collation.charset.without_spaces(s),
            Some(_) => strip_spaces(s),
            None => s,
        };
        let start = out.len();
        if self.pad.is_some() {
            self.collation.weights(s, out);
        } else {
            self.collation.sort_key(s, out);
        }
        match &self.pad {
            Some(pad) => pad.rewrite(start, out),
            None => escape(start, out),
        }
        !self.collation.has_levels()
    }

    /// Length of the part that `b` begins with; every byte of `b` is XORed with `mask` first (0xFF for DESC).
    pub(super) fn skip(&self, b: &[u8], mask: u8) -> Option<usize> {
        match &self.pad {
            None => {
                let mut at = 0;
                loop {
                    at += memchr::memchr(mask, b.get(at..)?)?;
                    match *b.get(at + 1)? ^ mask {
                        0 => return Some(at + 2),
                        _ => at += 2,
                    }
                }
            }
            Some(pad) => {
                let mut at = 0;
                loop {
                    let unit = b.get(at..at + pad.unit)?;
                    at += pad.unit;
                    if unit.iter().zip(&pad.space).all(|(x, y)| x ^ mask == *y) {
                        at += 1;
                        if *b.get(at - 1)? ^ mask == END {
                            return Some(at);
                        }
                    }
                }
            }
        }
    }

    /// Appends the string of a reversible part (as found by [`StringCodec::skip`]).
    pub(super) fn decode(&self, part: &[u8], mask: u8, out: &mut Vec<u8>) {
        let mut bytes = part.iter().map(|b| b ^ mask);
        match &self.pad {
            None => {
                while let Some(b) = bytes.next() {
                    if b == 0 && bytes.next() != Some(0xff) {
                        return;
                    }
                    out.push(b);
                }
            }
            Some(_) => {
                while let Some(b) = bytes.next() {
                    if b == b' ' && bytes.next().is_none_or(|m| m == END) {
                        return;
                    }
                    out.push(b);
                }
            }
        }
    }

    /// The part's own bytes when they are the string as it stands.
    pub(super) fn verbatim<'k>(&self, part: &'k [u8], mask: u8) -> Option<&'k [u8]> {
        if mask != 0 || self.pad.is_some() {
            return None;
        }
        part.strip_suffix(&[0, 0]).filter(|s| memchr::memchr(0, s).is_none())
    }
}

impl Pad {
    /// Marks the spaces in `out[start..]`, which has the bare weights; drops trailing ones.
    fn rewrite(&self, start: usize, out: &mut Vec<u8>) {
        let Some(space) = self.space.get(..self.unit) else { return };
        while out.len() > start && out.get(start..).is_some_and(|w| w.ends_with(space) && w.len() % self.unit == 0) {
            out.truncate(out.len() - self.unit);
        }
        let Some(weights) = out.get(start..) else { return };
        if !weights.chunks(self.unit).any(|u| u == space) {
            return;
        }
        let weights: SmallVec<[u8; 256]> = SmallVec::from_slice(weights);
        out.truncate(start);
        let mut units = weights.chunks(self.unit);
        while let Some(u) = units.next() {
            out.extend_from_slice(u);
            if u == space {
                let next = units.clone().find(|n| *n != space);
                out.push(if next.is_some_and(|n| n < space) { BELOW } else { ABOVE });
            }
        }
    }
}

/// Escapes 0x00 in `out[start..]`.
fn escape(start: usize, out: &mut Vec<u8>) {
    let Some(first) = out.get(start..).and_then(|w| memchr::memchr(0, w)) else { return };
    let rest: SmallVec<[u8; 256]> = SmallVec::from_slice(out.get(start + first..).unwrap_or(&[]));
    out.truncate(start + first);
    for b in rest {
        out.push(b);
        if b == 0 {
            out.push(0xff);
        }
    }
}
