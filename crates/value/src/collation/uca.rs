//! Weights of the Unicode Collation Algorithm from the generated tables (format: `gen/gen_collations.py`).
//!
//! As in MySQL every code point has its weights by itself: there are no contractions. Hangul syllables of 9.0.0 are
//! taken apart into their jamo; Han, Tangut and unassigned code points have computed weights (UTS #10, 10.1.3).
//!
//! Offsets come from a table that is part of the program and checked by a checksum test; that is why indexing is used.
#![allow(clippy::indexing_slicing)]

use crate::charset::utf8;

/// First of the values that stand for a rule instead of a weight.
const SPECIAL: u16 = 0xFFFA;
const SINGLE_FFFD: u16 = 0xFFFA;
const HANGUL: u16 = 0xFFFB;
const TANGUT: u16 = 0xFFFC;
const RARE_HAN: u16 = 0xFFFD;
const HAN: u16 = 0xFFFE;

/// One version of the UCA.
pub struct UcaTable {
    data: &'static [u8],
    /// Byte offsets in `data`.
    pages: usize,
    multi_offsets: usize,
    multi: usize,
    st_pages: usize,
    st_offsets: usize,
    st: usize,
    /// Collation elements that count of one character (of 9.0.0 MySQL keeps eight; U+FDFA has more).
    elements: usize,
    /// Primary weights of ASCII, each a single one (0 = ignorable).
    pub(super) ascii: [u16; 128],
}

impl std::fmt::Debug for UcaTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "UcaTable({} bytes)", self.data.len())
    }
}

pub(super) static UCA900: UcaTable = UcaTable::new(include_bytes!("uca900.bin"), 8);
pub(super) static UCA520: UcaTable = UcaTable::new(include_bytes!("uca520.bin"), usize::MAX);
pub(super) static UCA400: UcaTable = UcaTable::new(include_bytes!("uca400.bin"), usize::MAX);

const fn u16_at(data: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([data[at], data[at + 1]])
}

const fn u32_at(data: &[u8], at: usize) -> usize {
    u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]) as usize
}

impl UcaTable {
    const fn new(data: &'static [u8], elements: usize) -> UcaTable {
        let pages = u32_at(data, 0);
        let mut ascii = [0; 128];
        let mut i = 0;
        while i < 128 {
            // page 0 is always the first stored page
            ascii[i] = u16_at(data, pages + i * 2);
            assert!(ascii[i] < 0x8000);
            i += 1;
        }
        UcaTable {
            data,
            pages,
            multi_offsets: u32_at(data, 4),
            multi: u32_at(data, 8),
            st_pages: u32_at(data, 12),
            st_offsets: u32_at(data, 16),
            st: u32_at(data, 20),
            elements,
            ascii,
        }
    }

    #[inline]
    fn u16(&self, at: usize) -> u16 {
        u16_at(self.data, at)
    }

    /// The page entry of a code point (below 0x110000).
    #[inline]
    fn lookup(&self, cp: u32) -> u16 {
        let dir = self.u16(24 + (cp >> 8) as usize * 2);
        if dir >= SPECIAL { dir } else { self.u16(self.pages + (dir as usize * 256 + (cp & 255) as usize) * 2) }
    }

    /// Whether MySQL takes the code point apart as a Hangul syllable: it does with all up to U+D7AF, where Unicode has none behind U+D7A3.
    fn is_syllable(&self, cp: u32) -> bool {
        self.elements == 8 && (0xAC00..=0xD7AF).contains(&cp)
    }

    /// Index of the secondary and tertiary weights of a code point.
    fn st_index(&self, cp: u32) -> usize {
        let dir = self.u16(24 + (cp >> 8) as usize * 2);
        if dir >= SPECIAL {
            return 0;
        }
        self.u16(self.st_pages + (dir as usize * 256 + (cp & 255) as usize) * 2) as usize
    }

    /// Weight of space.
    pub(super) fn space(&self) -> u16 {
        self.ascii[0x20]
    }
}

/// Leading, vowel, trailing jamo of a syllable (trailing 0: none).
fn jamo(cp: u32) -> [u32; 3] {
    let s = cp - 0xAC00;
    let t = s % 28;
    [0x1100 + s / 588, 0x1161 + s % 588 / 28, if t == 0 { 0 } else { 0x11A7 + t }]
}

/// Decodes; a malformed byte gives `Err(byte)`.
#[inline]
pub(super) fn next_char(s: &[u8]) -> Option<(Result<u32, u8>, &[u8])> {
    let &b = s.first()?;
    match utf8::decode(s) {
        Some((c, n)) => Some((Ok(c), &s[n..])),
        None => Some((Err(b), &s[1..])),
    }
}

/// The primary weights of a string, ignorables left out.
#[derive(Clone)]
pub(super) struct Primaries<'a> {
    table: &'static UcaTable,
    rest: &'a [u8],
    /// Byte range of weights still to come from a list.
    list: (usize, usize),
    /// Weights still to come from a rule, last first; 0 = none.
    queue: [u16; 2],
}

impl<'a> Primaries<'a> {
    #[inline]
    pub(super) fn new(table: &'static UcaTable, s: &'a [u8]) -> Primaries<'a> {
        Primaries { table, rest: s, list: (0, 0), queue: [0; 2] }
    }

    /// Sets up what follows from a page entry and returns its first weight; 0 = ignorable.
    fn expand(&mut self, cp: u32, v: u16) -> u16 {
        let v = if v == 0xFFFF && self.table.is_syllable(cp) { HANGUL } else { v };
        let base = match v {
            SINGLE_FFFD => return 0xFFFD,
            HANGUL => {
                let [l, vowel, t] = jamo(cp);
                let t = if t == 0 { 0 } else { self.table.lookup(t) };
                self.queue = [t, self.table.lookup(vowel)];
                return self.table.lookup(l);
            }
            TANGUT => {
                self.queue = [0, ((cp - 0x17000) as u16) | 0x8000];
                return 0xFB00;
            }
            RARE_HAN => 0xFB80,
            HAN => 0xFB40,
            0xFFFF => 0xFBC0,
            _ => {
                let i = (v & 0x7FFF) as usize;
                let from = self.table.u16(self.table.multi_offsets + i * 2) as usize;
                let to = self.table.u16(self.table.multi_offsets + i * 2 + 2) as usize;
                let to = to.min(from.saturating_add(self.table.elements));
                self.list = (self.table.multi + from * 2, self.table.multi + to * 2);
                return self.pop_list();
            }
        };
        self.queue = [0, (cp & 0x7FFF) as u16 | 0x8000];
        base + (cp >> 15) as u16
    }

    fn pop_list(&mut self) -> u16 {
        let w = self.table.u16(self.list.0);
        self.list.0 += 2;
        w
    }

    #[inline(never)]
    fn next_slow(&mut self) -> Option<u16> {
        loop {
            if self.list.0 < self.list.1 {
                return Some(self.pop_list());
            }
            let [second, first] = self.queue;
            if first != 0 {
                self.queue = [0, second];
                return Some(first);
            }
            let (c, rest) = next_char(self.rest)?;
            self.rest = rest;
            let w = match c {
                Ok(cp) => {
                    let v = self.table.lookup(cp);
                    if v < 0x8000 { v } else { self.expand(cp, v) }
                }
                Err(b) => 0xFF00 | u16::from(b),
            };
            if w != 0 {
                return Some(w);
            }
        }
    }
}

impl Iterator for Primaries<'_> {
    type Item = u16;
    #[inline]
    fn next(&mut self) -> Option<u16> {
        if self.list.0 == self.list.1
            && self.queue[1] == 0
            && let Some((&b, rest)) = self.rest.split_first()
            && b < 0x80
        {
            let w = self.table.ascii[b as usize];
            if w != 0 {
                self.rest = rest;
                return Some(w);
            }
        }
        self.next_slow()
    }
}

/// The secondary or tertiary weights of a string.
#[derive(Clone)]
pub(super) struct Lower<'a> {
    table: &'static UcaTable,
    rest: &'a [u8],
    tertiary: bool,
    /// Byte range of weights still to come.
    list: (usize, usize),
    /// How often the common weight is still to come, and what it is.
    common: u8,
    weight: u16,
}

impl<'a> Lower<'a> {
    pub(super) fn new(table: &'static UcaTable, s: &'a [u8], tertiary: bool) -> Lower<'a> {
        Lower { table, rest: s, tertiary, list: (0, 0), common: 0, weight: 0 }
    }
}

impl Iterator for Lower<'_> {
    type Item = u16;
    fn next(&mut self) -> Option<u16> {
        loop {
            if self.list.0 < self.list.1 {
                let w = self.table.u16(self.list.0);
                self.list.0 += 2;
                return Some(w);
            }
            if self.common > 0 {
                self.common -= 1;
                return Some(self.weight);
            }
            let (c, rest) = next_char(self.rest)?;
            self.rest = rest;
            self.weight = if self.tertiary { 0x02 } else { 0x20 };
            let Ok(cp) = c else {
                self.common = 1;
                continue;
            };
            if self.table.is_syllable(cp) {
                // MySQL gives those of the page that has other characters too another tertiary weight
                if self.tertiary && cp >= 0xD700 {
                    self.weight = 0x03;
                }
                self.common = if jamo(cp)[2] == 0 { 2 } else { 3 };
                continue;
            }
            let t = self.table;
            let at = t.st + t.u16(t.st_offsets + t.st_index(cp) * 2) as usize * 2;
            let (n2, n3) = (t.u16(at) as usize, t.u16(at + 2) as usize);
            let (from, most) = (at + 4, t.elements);
            self.list = if self.tertiary {
                (from + n2 * 2, from + (n2 + n3.min(most)) * 2)
            } else {
                (from, from + n2.min(most) * 2)
            };
        }
    }
}
