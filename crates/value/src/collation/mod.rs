//! Collations: comparison, sort keys, hashing, LIKE and searching.
//!
//! **Sort keys are an on-disk format** (index keys hold them): the weight tables and [`Collation::sort_key`] are frozen
//! once released; a changed rule needs a new collation id. `tests.rs` holds their checksums. The tables are made by
//! `gen/gen_collations.py`.
//!
//! * `uca`: utf8mb4_0900_*, unicode_ci, unicode_520_ci; `tailored`: those of languages; `general`: general_ci; `key`: sort keys and hashes;
//!   `like`: LIKE and LOCATE; `pinyin`: Chinese; `kana`: Japanese; `special`: 8-bit collations of more than one weight a byte; `registry`: the list.

mod general;
mod kana;
mod key;
mod languages;
mod like;
mod multibyte;
mod pinyin;
mod registry;
mod special;
mod tailored;
mod uca;
mod wide;

#[cfg(test)]
mod tests;

pub use registry::{COLLATIONS, by_name};
pub use special::Special;
pub use tailored::Tailored;
pub use uca::UcaTable;
pub use wide::WideOrder;

use std::cmp::Ordering;
use std::hash::Hasher;

use crate::charset::Charset;
use general::{by, lower, weight500};
use key::Width;
use uca::{Lower, Primaries};

/// MySQL's numeric collation id (what the protocol and the dictionary carry).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct CollationId(pub u16);

#[allow(missing_docs)]
impl CollationId {
    pub const LATIN1_SWEDISH_CI: CollationId = CollationId(8);
    pub const ASCII_GENERAL_CI: CollationId = CollationId(11);
    pub const UTF8MB3_GENERAL_CI: CollationId = CollationId(33);
    pub const UTF8MB4_GENERAL_CI: CollationId = CollationId(45);
    pub const UTF8MB4_BIN: CollationId = CollationId(46);
    pub const LATIN1_BIN: CollationId = CollationId(47);
    pub const LATIN1_GENERAL_CI: CollationId = CollationId(48);
    pub const LATIN1_GENERAL_CS: CollationId = CollationId(49);
    pub const BINARY: CollationId = CollationId(63);
    pub const ASCII_BIN: CollationId = CollationId(65);
    pub const UTF8MB3_TOLOWER_CI: CollationId = CollationId(76);
    pub const UTF8MB3_BIN: CollationId = CollationId(83);
    pub const UTF8MB3_UNICODE_CI: CollationId = CollationId(192);
    pub const UTF8MB4_UNICODE_CI: CollationId = CollationId(224);
    pub const UTF8MB4_UNICODE_520_CI: CollationId = CollationId(246);
    pub const UTF8MB4_0900_AI_CI: CollationId = CollationId(255);
    pub const UTF8MB4_0900_AS_CS: CollationId = CollationId(278);
    pub const UTF8MB4_0900_AS_CI: CollationId = CollationId(305);
    pub const UTF8MB4_0900_BIN: CollationId = CollationId(309);

    /// The collation; unknown ids (never stored by this server) read as `binary`.
    #[inline]
    pub fn get(self) -> &'static Collation {
        registry::get(self)
    }
    /// Whether this server knows the id.
    pub fn is_known(self) -> bool {
        registry::get(self).id == self
    }
    /// Character set.
    #[inline]
    pub fn charset(self) -> Charset {
        self.get().charset
    }
    /// Name.
    pub fn name(self) -> &'static str {
        self.get().name
    }
    /// One of the `_bin` collations, of which utf8mb4 has two.
    pub fn is_bin(self) -> bool {
        self == self.charset().bin_collation() || self == CollationId::UTF8MB4_0900_BIN
    }
    /// The collation of two texts of one character set whose collations count equally: that which is a `_bin`. `Err`: both are (no collation
    /// serves), or neither is.
    pub fn of_two(self, other: CollationId) -> Result<CollationId, Unlike> {
        match (self.is_bin(), other.is_bin()) {
            (true, true) => Err(Unlike::BothBin),
            (true, false) => Ok(self),
            (false, true) => Ok(other),
            (false, false) => Err(Unlike::NeitherBin),
        }
    }
}

/// Why two collations of a character set have none in common ([`CollationId::of_two`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlike {
    /// Two `_bin` collations.
    BothBin,
    /// None.
    NeitherBin,
}

/// How a collation compares.
#[derive(Clone, Copy, Debug)]
pub enum Algorithm {
    /// By bytes.
    Bytes,
    /// One weight byte per byte.
    SimpleTable(&'static [u8; 256]),
    /// `utf8mb?_general_ci`: one 16-bit weight per character.
    GeneralCi,
    /// `utf8mb3_general_mysql500_ci`: the same with another sharp s.
    General500,
    /// `utf8mb3_tolower_ci`: a character weighs what its lower case is.
    ToLower,
    /// UCA weights with this many levels (1 = ai_ci, 2 = as_ci, 3 = as_cs).
    Uca(&'static UcaTable, u8),
    /// ucs2, utf16, utf16le, utf32: by the weights of `general_ci`, or by code points.
    Wide(Charset, WideOrder),
    /// The East Asian sets: by their own tables.
    Multibyte(Charset),
    /// gb18030: Chinese by pinyin, other characters by code.
    Gb18030,
    /// 8-bit sets, but not byte by byte.
    Special(Special),
    /// [`Algorithm::Uca`] with a language's changes; four levels: the last one is that of `kana`.
    Tailored(&'static Tailored, u8),
}

/// A collation.
#[derive(Debug)]
pub struct Collation {
    /// MySQL's id.
    pub id: CollationId,
    /// Name, for example `utf8mb4_0900_ai_ci`.
    pub name: &'static str,
    /// Character set.
    pub charset: Charset,
    /// PAD SPACE (trailing spaces do not count); false = NO PAD.
    pub pad_space: bool,
    /// Default of its character set.
    pub is_default: bool,
    /// Comparison.
    pub algorithm: Algorithm,
    /// Sortlen column of SHOW COLLATION.
    pub sortlen: u8,
}

impl Collation {
    /// Compares bytes: `binary` and the `_bin` collations.
    #[inline]
    pub const fn is_binary(&self) -> bool {
        matches!(self.algorithm, Algorithm::Bytes)
    }

    /// Whether key bytes decode back to the string (`binary` and `_bin` NO PAD collations).
    pub const fn is_reversible(&self) -> bool {
        self.is_binary() && !self.pad_space
    }

    /// Order of two strings in the collation's character set.
    #[inline]
    pub fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        match self.algorithm {
            Algorithm::Bytes if !self.pad_space => a.cmp(b),
            _ => self.compare_weights(a, b),
        }
    }

    fn compare_weights(&self, a: &[u8], b: &[u8]) -> Ordering {
        if let Algorithm::Tailored(t, levels) = self.algorithm {
            return self.compare_tailored(t, levels, a, b);
        }
        if let Algorithm::Special(_) = self.algorithm {
            let (mut x, mut y) = (Vec::with_capacity(64), Vec::with_capacity(64));
            self.sort_key(a, &mut x);
            self.sort_key(b, &mut y);
            return x.cmp(&y);
        }
        if let Algorithm::Gb18030 = self.algorithm {
            return order(pinyin::Weights::new(a), pinyin::Weights::new(b), Some(0x20));
        }
        if let Algorithm::Multibyte(cs) = self.algorithm {
            return order(multibyte::Weights::new(cs, a), multibyte::Weights::new(cs, b), Some(0x20));
        }
        if let Algorithm::Wide(cs, WideOrder::As(id)) = self.algorithm {
            return CollationId(id).get().compare(&wide::narrow(cs, a), &wide::narrow(cs, b));
        }
        if let Algorithm::Wide(cs, by) = self.algorithm {
            return order(wide::Weights::new(cs, by, a), wide::Weights::new(cs, by, b), Some(0x20));
        }
        let n = common_prefix(a, b, self.charset.is_utf8());
        let (a, b) = (a.get(n..).unwrap_or(b""), b.get(n..).unwrap_or(b""));
        if a.is_empty() && b.is_empty() {
            return Ordering::Equal;
        }
        let pad = |space| if self.pad_space { Some(space) } else { None };
        match self.algorithm {
            Algorithm::Bytes => order(bytes(a), bytes(b), pad(0x20)),
            Algorithm::SimpleTable(t) => order(mapped(t, a), mapped(t, b), pad(space_of(t))),
            Algorithm::General500 => order(by(weight500, a), by(weight500, b), pad(0x20)),
            Algorithm::ToLower => order(by(lower, a), by(lower, b), pad(0x20)),
            Algorithm::GeneralCi => order(general::Weights(a), general::Weights(b), pad(0x20)),
            Algorithm::Uca(t, levels) => {
                let mut r = order(Primaries::new(t, a), Primaries::new(t, b), pad(t.space()));
                if levels > 1 {
                    r = r.then_with(|| order(Lower::new(t, a, false), Lower::new(t, b, false), None));
                }
                if levels > 2 {
                    r = r.then_with(|| order(Lower::new(t, a, true), Lower::new(t, b, true), None));
                }
                r
            }
            Algorithm::Tailored(..)
            | Algorithm::Wide(..)
            | Algorithm::Multibyte(..)
            | Algorithm::Gb18030
            | Algorithm::Special(_) => {
                Ordering::Equal // above
            }
        }
    }

    /// A common start cannot be skipped: it may end inside a contraction.
    fn compare_tailored(&self, t: &'static Tailored, levels: u8, a: &[u8], b: &[u8]) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let pad = if self.pad_space { Some(t.space()) } else { None };
        let lower = |level| order(t.weights(a, level), t.weights(b, level), None);
        let first = order(t.weights(a, 0), t.weights(b, 0), pad);
        let r = (1..usize::from(levels.min(3))).fold(first, |r, level| r.then_with(|| lower(level)));
        if levels > 3 { r.then_with(|| order(kana::Fourth::new(a), kana::Fourth::new(b), None)) } else { r }
    }

    /// Appends bytes whose memcmp order is the collation's order (see `key.rs` for the format, which is frozen).
    pub fn sort_key(&self, s: &[u8], out: &mut Vec<u8>) {
        match self.algorithm {
            Algorithm::Bytes if !self.pad_space => out.extend_from_slice(s),
            Algorithm::Bytes => {
                out.reserve(s.len() + 2);
                key::padded(bytes(s), 0x20, Width::One, out);
            }
            Algorithm::SimpleTable(t) => {
                out.reserve(s.len() + 2);
                key::padded(mapped(t, s), space_of(t), Width::One, out);
            }
            Algorithm::GeneralCi => {
                out.reserve(s.len() * 2 + 3);
                key::padded(general::Weights(s), 0x20, Width::Two, out);
            }
            Algorithm::Multibyte(cs) => key::padded(multibyte::Weights::new(cs, s), 0x20, Width::Two, out),
            Algorithm::General500 => key::padded(by(weight500, s), 0x20, Width::Two, out),
            Algorithm::ToLower => key::padded(by(lower, s), 0x20, Width::Two, out),
            Algorithm::Special(kind @ (Special::Tis620 | Special::German2)) => {
                let mut w = Vec::with_capacity(s.len());
                kind.key(s, &mut w);
                key::padded(bytes(&w), 0x20, Width::One, out);
            }
            Algorithm::Special(kind) => kind.key(s, out),
            Algorithm::Gb18030 => key::padded(pinyin::Weights::new(s), 0x20, Width::One, out),
            Algorithm::Wide(cs, WideOrder::As(id)) => CollationId(id).get().sort_key(&wide::narrow(cs, s), out),
            Algorithm::Wide(cs, by) => key::padded(wide::Weights::new(cs, by, s), 0x20, Width::Two, out),
            Algorithm::Uca(t, _) if self.pad_space => {
                out.reserve(s.len() * 2 + 3);
                key::padded(Primaries::new(t, s), t.space(), Width::Two, out);
            }
            Algorithm::Uca(t, levels) => {
                out.reserve(s.len() * 2 * levels as usize + 4);
                let rest = ascii_key(t, s, out);
                key::plain(Primaries::new(t, rest), out);
                for tertiary in [false, true].into_iter().take(levels as usize - 1) {
                    out.extend_from_slice(&[0, 0]);
                    key::plain(Lower::new(t, s, tertiary), out);
                }
            }
            Algorithm::Tailored(t, _) if self.pad_space => {
                key::padded(t.weights(s, 0), t.space(), Width::Two, out);
            }
            Algorithm::Tailored(t, levels) => {
                key::plain(t.weights(s, 0), out);
                for level in 1..usize::from(levels.min(3)) {
                    out.extend_from_slice(&[0, 0]);
                    key::plain(t.weights(s, level), out);
                }
                let mut fourth = kana::Fourth::new(s).peekable();
                if levels > 3 && fourth.peek().is_some() {
                    out.extend_from_slice(&[0, 0]);
                    key::plain(fourth, out);
                }
            }
        }
    }

    /// Appends the bare primary weights, [`Collation::weight_width`] bytes each: what [`Collation::sort_key`] has without
    /// the marks of PAD SPACE, and without the lower levels.
    pub fn weights(&self, s: &[u8], out: &mut Vec<u8>) {
        match self.algorithm {
            Algorithm::Bytes => out.extend_from_slice(s),
            Algorithm::SimpleTable(t) => key::bare(mapped(t, s), Width::One, out),
            Algorithm::Special(kind) => kind.weights(s, out),
            Algorithm::Gb18030 => key::bare(pinyin::Weights::new(s), Width::One, out),
            Algorithm::GeneralCi => key::bare(general::Weights(s), Width::Two, out),
            Algorithm::Uca(t, _) => {
                out.reserve(s.len() * 2);
                let rest = ascii_key(t, s, out);
                key::bare(Primaries::new(t, rest), Width::Two, out);
            }
            Algorithm::Tailored(t, _) => key::bare(t.weights(s, 0), Width::Two, out),
            Algorithm::Multibyte(cs) => key::bare(multibyte::Weights::new(cs, s), Width::Two, out),
            Algorithm::General500 => key::bare(by(weight500, s), Width::Two, out),
            Algorithm::ToLower => key::bare(by(lower, s), Width::Two, out),
            Algorithm::Wide(cs, WideOrder::As(id)) => CollationId(id).get().weights(&wide::narrow(cs, s), out),
            Algorithm::Wide(cs, by) => key::bare(wide::Weights::new(cs, by, s), Width::Two, out),
        }
    }

    /// Bytes of a weight: 1 or 2.
    pub const fn weight_width(&self) -> usize {
        match self.algorithm {
            Algorithm::Bytes | Algorithm::SimpleTable(_) | Algorithm::Special(_) | Algorithm::Gb18030 => 1,
            Algorithm::GeneralCi
            | Algorithm::General500
            | Algorithm::ToLower
            | Algorithm::Uca(..)
            | Algorithm::Tailored(..)
            | Algorithm::Wide(..)
            | Algorithm::Multibyte(..) => 2,
        }
    }

    /// Whether upper and lower case follow Turkish rules.
    pub fn is_turkish(&self) -> bool {
        self.charset.is_unicode() && self.name.ends_with("_turkish_ci")
    }

    /// Appends what WEIGHT_STRING answers.
    pub fn weight_string(&self, s: &[u8], out: &mut Vec<u8>) {
        match self.algorithm {
            // characters of one byte have weights of one byte
            Algorithm::Multibyte(cs) => multibyte::weight_string(cs, s, out),
            // code points of three bytes
            Algorithm::Bytes | Algorithm::Wide(_, WideOrder::Code)
                if self.pad_space && self.charset.is_unicode() && self.charset != Charset::Ucs2 =>
            {
                let mut rest = s;
                while let Some((c, n)) = self.charset.decode(rest) {
                    out.extend_from_slice(c.to_be_bytes().get(1..).unwrap_or_default());
                    rest = rest.get(n..).unwrap_or_default();
                }
            }
            // the marks of PAD SPACE are our keys' own
            _ if self.pad_space => self.weights(s, out),
            _ => self.sort_key(s, out),
        }
    }

    /// The most bytes that the type of WEIGHT_STRING of so many bytes has room for.
    pub fn most_weights(&self, bytes: u64) -> u64 {
        let n = bytes.saturating_mul(self.charset.max_len().max(1) as u64);
        match self.algorithm {
            Algorithm::Special(Special::Latin2) => n.saturating_add(1).saturating_mul(4),
            Algorithm::Bytes if self.charset.is_unicode() && self.pad_space => bytes.saturating_mul(3),
            Algorithm::Wide(_, WideOrder::Code) => bytes.saturating_mul(3),
            Algorithm::GeneralCi
            | Algorithm::General500
            | Algorithm::ToLower
            | Algorithm::Wide(_, WideOrder::General | WideOrder::General500) => bytes.saturating_mul(2),
            // eight weights of two bytes on each level, and something between the levels
            Algorithm::Uca(_, levels) | Algorithm::Tailored(_, levels) if !self.pad_space => {
                let levels = u64::from(levels);
                bytes.saturating_mul(16 * levels).saturating_add(2 * levels.saturating_sub(1))
            }
            _ => n.saturating_mul(u64::from(self.sortlen.max(1))),
        }
    }

    /// Whether [`Collation::sort_key`] alone knows how trailing spaces count: [`Collation::weights`] of the string without them is something
    /// else.
    pub const fn pads_itself(&self) -> bool {
        matches!(self.algorithm, Algorithm::Special(_))
    }

    /// The key of a prefix is no prefix of the key: weights on more than one level (`_as_ci`, `_as_cs`), or contractions.
    pub fn has_levels(&self) -> bool {
        match self.algorithm {
            Algorithm::Wide(_, WideOrder::As(id)) => CollationId(id).get().has_levels(),
            Algorithm::Uca(_, levels) => levels > 1,
            Algorithm::Tailored(t, levels) => levels > 1 || t.contracts,
            Algorithm::Special(_) => true,
            _ => false,
        }
    }

    /// Feeds a hasher so that equal strings hash equal.
    #[inline]
    pub fn hash<H: Hasher>(&self, s: &[u8], h: &mut H) {
        let pad = |space| if self.pad_space { Some(space) } else { None };
        match self.algorithm {
            Algorithm::Bytes if !self.pad_space => h.write(s),
            Algorithm::Bytes => {
                let n = s.iter().rev().take_while(|b| **b == b' ').count();
                h.write(s.get(..s.len() - n).unwrap_or(s));
            }
            Algorithm::Special(_) => {
                let mut key = Vec::with_capacity(64);
                self.sort_key(s, &mut key);
                h.write(&key);
            }
            Algorithm::Gb18030 => key::hash(pinyin::Weights::new(s), pad(0x20), h),
            Algorithm::SimpleTable(t) => key::hash(mapped(t, s), pad(space_of(t)), h),
            Algorithm::GeneralCi => key::hash(general::Weights(s), pad(0x20), h),
            // lower levels only refine: leaving them out keeps equal strings equal
            Algorithm::Uca(t, _) => key::hash(Primaries::new(t, s), pad(t.space()), h),
            Algorithm::Tailored(t, _) => key::hash(t.weights(s, 0), pad(t.space()), h),
            Algorithm::Multibyte(cs) => key::hash(multibyte::Weights::new(cs, s), pad(0x20), h),
            Algorithm::General500 => key::hash(by(weight500, s), pad(0x20), h),
            Algorithm::ToLower => key::hash(by(lower, s), pad(0x20), h),
            Algorithm::Wide(cs, WideOrder::As(id)) => CollationId(id).get().hash(&wide::narrow(cs, s), h),
            Algorithm::Wide(cs, by) => key::hash(wide::Weights::new(cs, by, s), pad(0x20), h),
        }
    }
}

fn bytes(s: &[u8]) -> impl Iterator<Item = u16> {
    s.iter().map(|b| u16::from(*b))
}

fn mapped<'a>(t: &'static [u8; 256], s: &'a [u8]) -> impl Iterator<Item = u16> + 'a {
    s.iter().map(|b| u16::from(t.get(*b as usize).copied().unwrap_or(*b)))
}

fn space_of(t: &'static [u8; 256]) -> u16 {
    u16::from(t.get(0x20).copied().unwrap_or(0x20))
}

/// Order of two weight sequences; with a pad weight the shorter one goes on with that.
#[inline]
fn order(mut a: impl Iterator<Item = u16>, mut b: impl Iterator<Item = u16>, pad: Option<u16>) -> Ordering {
    loop {
        let (x, y) = match (a.next(), b.next()) {
            (Some(x), Some(y)) => (x, y),
            (None, None) => return Ordering::Equal,
            (Some(x), None) => match pad {
                None => return Ordering::Greater,
                Some(p) => {
                    return std::iter::once(x)
                        .chain(a)
                        .map(|w| w.cmp(&p))
                        .find(|o| o.is_ne())
                        .unwrap_or(Ordering::Equal);
                }
            },
            (None, Some(y)) => match pad {
                None => return Ordering::Less,
                Some(p) => {
                    return std::iter::once(y)
                        .chain(b)
                        .map(|w| p.cmp(&w))
                        .find(|o| o.is_ne())
                        .unwrap_or(Ordering::Equal);
                }
            },
        };
        if x != y {
            return x.cmp(&y);
        }
    }
}

/// Bytes at the start that are the same in both, not ending inside a UTF-8 character.
#[inline]
fn common_prefix(a: &[u8], b: &[u8], utf8: bool) -> usize {
    let mut n = 0;
    for (x, y) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        if x != y {
            break;
        }
        n += 8;
    }
    n += a.iter().zip(b).skip(n).take_while(|(x, y)| x == y).count();
    if utf8 {
        // a character may go on differently: back to its first byte
        while n > 0 && (a.get(n).is_some_and(|c| c & 0xC0 == 0x80) || b.get(n).is_some_and(|c| c & 0xC0 == 0x80)) {
            n -= 1;
        }
    }
    n
}

/// Appends the primary weights of the leading ASCII text, eight bytes at a time; returns what is left.
#[allow(clippy::indexing_slicing)] // arrays of fixed size, indices masked
fn ascii_key<'a>(t: &'static UcaTable, s: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let mut s = s;
    while let Some((chunk, rest)) = s.split_first_chunk::<8>() {
        if u64::from_ne_bytes(*chunk) & 0x8080_8080_8080_8080 != 0 {
            break;
        }
        let mut key = [0u8; 16];
        let mut ignorable = false;
        for i in 0..8 {
            let w = t.ascii[chunk[i] as usize & 127];
            ignorable |= w == 0;
            [key[2 * i], key[2 * i + 1]] = w.to_be_bytes();
        }
        if ignorable {
            break;
        }
        out.extend_from_slice(&key);
        s = rest;
    }
    s
}
