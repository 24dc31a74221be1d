//! The order of Han characters by pinyin, strokes and radical: CLDR's, version 30 for utf8mb4_zh_0900_as_cs and 24 for gb18030_chinese_ci, as
//! MySQL has them. The file has the format that `gen/gen_chinese.py` says and what `gen/measure_eastern.py` saw in MySQL (decision 22); frozen (it
//! decides index keys).
//!
//! Offsets come from a table that is part of the program; that is why indexing is used.
#![allow(clippy::indexing_slicing)]

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::charset::gb18030;

static DATA: &[u8] = include_bytes!("pinyin.bin");

/// Ranks by code point: pages of 256.
struct Ranks {
    directory: [u16; 0x300],
    pages: Vec<[u16; 256]>,
}

impl Ranks {
    fn new() -> Ranks {
        Ranks { directory: [0; 0x300], pages: vec![[0; 256]] }
    }
    fn put(&mut self, cp: u32, rank: u16) {
        let page = &mut self.directory[(cp >> 8) as usize];
        if *page == 0 {
            *page = self.pages.len() as u16;
            self.pages.push([0; 256]);
        }
        self.pages[usize::from(*page)][(cp & 255) as usize] = rank;
    }
    #[inline]
    fn get(&self, cp: u32) -> u16 {
        let page = self.directory.get((cp >> 8) as usize).map_or(0, |p| usize::from(*p));
        self.pages[page][(cp & 255) as usize]
    }
}

struct Reader(usize);

impl Reader {
    fn u16(&mut self) -> u16 {
        self.0 += 2;
        u16::from_le_bytes([DATA[self.0 - 2], DATA[self.0 - 1]])
    }
    fn u32(&mut self) -> u32 {
        u32::from(self.u16()) | u32::from(self.u16()) << 16
    }
    fn list(&mut self, n: u32) -> Vec<u32> {
        (0..n).map(|_| self.u32()).collect()
    }
}

/// (code point, rank) of CLDR 30, and what follows in the file.
fn order30() -> (Vec<(u32, u16)>, Reader) {
    let (mut out, mut r) = (Vec::with_capacity(42_000), Reader(0));
    for _ in 0..r.u32() {
        let (first, n) = (r.u32(), u32::from(r.u16()));
        out.extend((first..first + n).map(|cp| (cp, r.u16())).filter(|x| x.1 != 0));
    }
    (out, r)
}

/// Rank in CLDR 30's order, from 1; 0: it is not in it.
#[inline]
pub(super) fn rank30(cp: u32) -> u16 {
    static BUILT: OnceLock<Ranks> = OnceLock::new();
    let ranks = BUILT.get_or_init(|| {
        let mut ranks = Ranks::new();
        order30().0.iter().for_each(|(cp, rank)| ranks.put(*cp, *rank));
        ranks
    });
    ranks.get(cp)
}

/// The same of CLDR 24.
fn rank24(cp: u32) -> u16 {
    static BUILT: OnceLock<Ranks> = OnceLock::new();
    BUILT.get_or_init(read24).get(cp)
}

fn read24() -> Ranks {
    let (mut all, mut r) = order30();
    all.sort_unstable_by_key(|x| x.1);
    let n = r.u32();
    let gone: HashSet<u32> = r.list(n).into_iter().collect();
    let mut behind: HashMap<u32, Vec<u32>> = HashMap::new();
    for _ in 0..r.u32() {
        let (anchor, n) = (r.u32(), r.u16());
        behind.insert(anchor, r.list(u32::from(n)));
    }
    let (mut ranks, mut next) = (Ranks::new(), 1);
    let kept = all.iter().map(|x| x.0).filter(|cp| !gone.contains(cp));
    for anchor in std::iter::once(0).chain(kept) {
        let itself = (anchor != 0).then_some(anchor);
        for cp in itself.into_iter().chain(behind.get(&anchor).into_iter().flatten().copied()) {
            ranks.put(cp, next);
            next += 1;
        }
    }
    ranks
}

/// Where MySQL's weights of Chinese characters begin.
const CHINESE: u32 = 0xFFA0_0000;

/// The weights of gb18030_chinese_ci as bytes: of a character one, two or four, so that bytes order as characters do. Chinese characters by pinyin
/// behind all others; those by the code of their upper case.
#[derive(Clone)]
pub(super) struct Weights<'a> {
    rest: &'a [u8],
    /// Bytes still to come, the last one lowest, and how many.
    queue: u32,
    left: u32,
}

impl<'a> Weights<'a> {
    pub(super) fn new(s: &'a [u8]) -> Weights<'a> {
        Weights { rest: s, queue: 0, left: 0 }
    }
}

/// Characters (first, last) whose upper case does not count in gb18030_chinese_ci: what MySQL's Unicode did not have yet, second lower cases.
const ALONE: [(u32, u32); 41] = [
    (0xb5, 0xb5),
    (0x19b, 0x19b),
    (0x1c5, 0x1c5),
    (0x1c8, 0x1c8),
    (0x1cb, 0x1cb),
    (0x1f2, 0x1f2),
    (0x25c, 0x25c),
    (0x261, 0x261),
    (0x264, 0x266),
    (0x26a, 0x26a),
    (0x26c, 0x26c),
    (0x282, 0x282),
    (0x287, 0x287),
    (0x29d, 0x29e),
    (0x3c2, 0x3c2),
    (0x3d0, 0x3d6),
    (0x3f0, 0x3f1),
    (0x3f3, 0x3f5),
    (0x527, 0x52f),
    (0x10d0, 0x10ff),
    (0x13f8, 0x13fd),
    (0x1c80, 0x1c8a),
    (0x1d79, 0x1d8e),
    (0x1e9b, 0x1e9b),
    (0x1f80, 0x1fa7),
    (0x1fb3, 0x1fc3),
    (0x1ff3, 0x1ff3),
    (0x2c5f, 0x2c5f),
    (0x2cf3, 0x2cf3),
    (0x2d27, 0x2d2d),
    (0xa661, 0xa661),
    (0xa699, 0xa69b),
    (0xa791, 0xa7f6),
    (0xab53, 0xabbf),
    (0x104d8, 0x104fb),
    (0x10597, 0x105bc),
    (0x10cc0, 0x10cf2),
    (0x10d70, 0x10d85),
    (0x118c0, 0x118df),
    (0x16e60, 0x16ed3),
    (0x1e922, 0x1e943),
];

/// The character whose code a letter is ordered by.
fn upper(p: u32) -> u32 {
    match p {
        // with iota: the capital with iota beside it
        0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7 => p + 8,
        0x1fb3 | 0x1fc3 | 0x1ff3 => p + 9,
        _ if ALONE.iter().any(|(a, b)| (*a..=*b).contains(&p)) => p,
        _ => crate::charset::upper_char(p),
    }
}

/// The weight of a character of gb18030 with this code.
fn weight(s: &[u8], code: u32) -> u32 {
    let Some((p, _)) = crate::Charset::Gb18030.decode(s) else {
        // FE39FE39, the largest code, is the only one that is above Chinese characters
        return if s.starts_with(b"\xFE\x39\xFE\x39") { u32::MAX } else { code };
    };
    match rank24(p) {
        0 => gb18030::code(upper(p)).unwrap_or(code),
        r => CHINESE + u32::from(r),
    }
}

impl Iterator for Weights<'_> {
    type Item = u16;
    fn next(&mut self) -> Option<u16> {
        if self.left == 0 {
            let &b = self.rest.first()?;
            let (w, n) = match gb18030::code_at(self.rest) {
                Some((_, 1)) => (u32::from(b.to_ascii_uppercase()), 1),
                Some((code, n)) => (weight(self.rest, code), n),
                None => (u32::from(b), 1),
            };
            self.rest = &self.rest[n..];
            self.left = match w {
                0..=0xFF => 1,
                0x100..=0xFFFF => 2,
                _ => 4,
            };
            self.queue = w;
        }
        self.left -= 1;
        Some((self.queue >> (8 * self.left) & 0xFF) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_frozen() {
        let sum = DATA.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
        assert_eq!(sum, 0xf3f6_9fb0_e6d4_d154);
    }

    #[test]
    fn ranks() {
        assert_eq!((rank30('阿' as u32), rank30('锕' as u32), rank30('a' as u32)), (1, 3, 0));
        assert!(rank24('阿' as u32) >= 1 && rank24('一' as u32) < rank24('中' as u32));
        assert_eq!((0..0x3_0000).filter(|cp| rank24(*cp) > 0).count(), 41_309);
        assert_eq!((0..0x3_0000).filter(|cp| rank30(*cp) > 0).count(), 41_336);
    }

    #[test]
    fn gb18030_weights() {
        let w = |s: &str| {
            let mut out = Vec::new();
            crate::charset::convert(s.as_bytes(), crate::Charset::Utf8mb4, crate::Charset::Gb18030, &mut out);
            Weights::new(&out).map(|b| b as u8).collect::<Vec<u8>>()
        };
        // É has four bytes: the 67th code of them
        assert_eq!(w("aé、阿"), [0x41, 0xFF, 0, 0, 0x43, 0xA1, 0xA2, 0xFF, 0xA0, 0, 1]);
    }
}
