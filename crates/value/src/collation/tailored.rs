//! Collations of a language: a version of the UCA with other weights for some characters and for some sequences of
//! characters (contractions: Czech `ch`; Japanese length marks), and for 0900 collations scripts in another order.
//!
//! The tailorings are part of the program (`tailored.bin`, made by `gen/gen_tailored.py`, which says the format); the tables for
//! looking them up are built when a collation is used first. Like every weight table they are frozen: `tests.rs` holds
//! checksums. A sequence counts as a contraction only where its characters follow each other (as in MySQL).
//!
//! Offsets come from a table that is part of the program; that is why indexing is used.
#![allow(clippy::indexing_slicing)]

use std::sync::OnceLock;

use super::kana;
use super::pinyin::rank30;
use super::uca::{Lower, Primaries, UcaTable, next_char};

static DATA: &[u8] = include_bytes!("tailored.bin");
/// Of the same form: zh (`gen/gen_chinese.py`), ja (`gen/gen_japanese.py`).
static EASTERN: &[u8] = include_bytes!("eastern.bin");
static JAPANESE: &[u8] = include_bytes!("japanese.bin");

/// A language's changes to a version of the UCA.
pub struct Tailored {
    base: &'static UcaTable,
    /// The file and the number of its section there.
    file: &'static [u8],
    section: usize,
    /// There are contractions.
    pub(super) contracts: bool,
    built: OnceLock<Tables>,
}

impl std::fmt::Debug for Tailored {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tailored({})", self.section)
    }
}

impl Tailored {
    /// Whether the language changes the weights of Unicode 4.0.
    pub(super) fn is_of_unicode_4(&self) -> bool {
        std::ptr::eq(self.base, &super::uca::UCA400)
    }
}

/// Pages of 256 code points.
const PAGES: usize = 0x1100;
/// Entry bit: the character begins contractions.
const HEAD: u16 = 0x8000;

/// What is looked up.
struct Tables {
    /// Number of the page of entries + 1, by page of code points; 0: nothing is tailored there.
    directory: Box<[u8; PAGES]>,
    /// 0: not tailored. Otherwise the number of the weights + 1 in the low bits, and [`HEAD`].
    pages: Vec<[u16; 256]>,
    /// Where the weights of each number begin in `weights`: counts of the three levels, then the weights.
    starts: Vec<u32>,
    weights: Vec<u16>,
    /// Characters and number of the weights, sorted by first character, longer ones first.
    contractions: Vec<(Vec<u32>, u16)>,
    /// Primary weights of scripts that stand elsewhere: first, last, what is added (wrapping).
    moves: Vec<(u16, u16, u16)>,
    /// Upper case before lower case on the third level.
    upper_first: bool,
    han: Han,
}

/// Weight in front of that of the first Han character by pinyin.
const BEFORE_HAN: u16 = 0x1C46;

/// Han characters that have one weight each.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Han {
    None,
    /// By pinyin, in front of Latin.
    Pinyin,
    /// By JIS X 0208, behind kana.
    Jis,
}

impl Han {
    /// Primary weight of a character; 0: it has none of its own.
    #[inline]
    fn weight(self, cp: u32) -> u16 {
        let (rank, before) = match self {
            Han::None => return 0,
            _ if cp < 0x2E80 => return 0,
            Han::Pinyin => (rank30(cp), BEFORE_HAN),
            Han::Jis => (kana::rank(cp), kana::BEFORE_HAN),
        };
        if rank == 0 { 0 } else { before + rank }
    }
}

impl Tables {
    fn read(file: &[u8], section: usize) -> Tables {
        let at = 2 + section * 4;
        let mut at = u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]) as usize;
        let at = &mut at;
        let word = |at: &mut usize| {
            *at += 2;
            u16::from_le_bytes([file[*at - 2], file[*at - 1]])
        };
        let flags = word(at);
        let mut t = Tables {
            directory: Box::new([0; PAGES]),
            pages: Vec::new(),
            starts: Vec::new(),
            weights: Vec::new(),
            contractions: Vec::new(),
            moves: Vec::new(),
            upper_first: flags & 1 != 0,
            han: match flags {
                _ if flags & 2 != 0 => Han::Pinyin,
                _ if flags & 4 != 0 => Han::Jis,
                _ => Han::None,
            },
        };
        for _ in 0..word(at) {
            t.moves.push((word(at), word(at), word(at)));
        }
        for _ in 0..word(at) {
            let chars: Vec<u32> = (0..word(at)).map(|_| u32::from(word(at)) | u32::from(word(at)) << 16).collect();
            t.starts.push(t.weights.len() as u32);
            let counts = [word(at), word(at), word(at)];
            t.weights.extend(counts);
            t.weights.extend((0..counts.iter().sum()).map(|_| word(at)));
            let number = t.starts.len() as u16;
            let entry = t.entry(chars[0]);
            match chars.len() {
                1 => *entry = *entry & HEAD | number,
                _ => {
                    *entry |= HEAD;
                    t.contractions.push((chars, number - 1));
                }
            }
        }
        t.contractions.sort_by(|a, b| (a.0[0], b.0.len(), &a.0).cmp(&(b.0[0], a.0.len(), &b.0)));
        t
    }

    fn entry(&mut self, cp: u32) -> &mut u16 {
        let page = &mut self.directory[(cp >> 8) as usize];
        if *page == 0 {
            self.pages.push([0; 256]);
            *page = self.pages.len() as u8;
        }
        &mut self.pages[usize::from(*page) - 1][(cp & 255) as usize]
    }

    #[inline]
    fn lookup(&self, cp: u32) -> u16 {
        match self.directory[(cp >> 8) as usize] {
            0 => 0,
            n => self.pages[usize::from(n) - 1][(cp & 255) as usize],
        }
    }

    /// The weights for the start of `s`, whose first character has this entry, and what is left; `None`: the base's weights.
    fn find<'a>(&self, entry: u16, s: &'a [u8]) -> Option<(u16, &'a [u8])> {
        let (first, rest) = next_char(s)?;
        let first = first.ok()?;
        if entry & HEAD != 0 {
            let from = self.contractions.partition_point(|c| c.0[0] < first);
            for (chars, number) in self.contractions[from..].iter().take_while(|c| c.0[0] == first) {
                let mut after = rest;
                let all = chars[1..].iter().all(|wanted| match next_char(after) {
                    Some((Ok(c), r)) if c == *wanted => {
                        after = r;
                        true
                    }
                    _ => false,
                });
                if all {
                    return Some((*number, after));
                }
            }
        }
        (entry & !HEAD != 0).then_some(((entry & !HEAD).wrapping_sub(1), rest))
    }

    /// The primary weight with its script in its place, and what follows it (0: nothing).
    fn moved(&self, w: u16) -> (u16, u16) {
        match self.moves.iter().find(|m| (m.0..=m.1).contains(&w)) {
            Some((_, _, kana::BEHIND)) if self.han == Han::Jis => (kana::LEAD, w),
            m => (m.map_or(w, |m| w.wrapping_add(m.2)), 0),
        }
    }

    /// The tertiary weight with upper case first.
    fn case_first(&self, w: u16) -> u16 {
        match w {
            _ if !self.upper_first => w,
            0x08..=0x0C | 0x0E | 0x11 | 0x12 | 0x1D => w | 0x100,
            _ => w | 0x300,
        }
    }
}

impl Tailored {
    pub(super) const fn new(base: &'static UcaTable, section: usize, contracts: bool) -> Tailored {
        Tailored { base, file: DATA, section, contracts, built: OnceLock::new() }
    }

    /// One of `eastern.bin`.
    pub(super) const fn eastern(base: &'static UcaTable, section: usize) -> Tailored {
        Tailored { base, file: EASTERN, section, contracts: true, built: OnceLock::new() }
    }

    /// Weight of space.
    pub(super) fn space(&self) -> u16 {
        self.base.space()
    }

    pub(super) const fn japanese(base: &'static UcaTable) -> Tailored {
        Tailored { base, file: JAPANESE, section: 0, contracts: true, built: OnceLock::new() }
    }

    /// The weights of a string on a level (0, 1, 2), ignorables left out.
    pub(super) fn weights<'a>(&'static self, s: &'a [u8], level: usize) -> Weights<'a> {
        let t = self.built.get_or_init(|| Tables::read(self.file, self.section));
        let run = Run::of(self.base, b"", level);
        Weights { t, base: self.base, level, rest: s, list: &[], next: 0, lead: false, run }
    }
}

/// Text without tailored characters.
#[derive(Clone)]
enum Run<'a> {
    First(Primaries<'a>),
    Lower(Lower<'a>),
}

impl<'a> Run<'a> {
    fn of(base: &'static UcaTable, s: &'a [u8], level: usize) -> Run<'a> {
        match level {
            0 => Run::First(Primaries::new(base, s)),
            n => Run::Lower(Lower::new(base, s, n == 2)),
        }
    }
}

/// Weights of one level.
#[derive(Clone)]
pub(super) struct Weights<'a> {
    t: &'static Tables,
    base: &'static UcaTable,
    level: usize,
    rest: &'a [u8],
    /// Tailored weights still to come.
    list: &'static [u16],
    /// A weight still to come: of a Han character, or (on the first level) one that another stands in front of; 0: none.
    next: u16,
    /// The weight before began one computed from a code point, of which the second part follows.
    lead: bool,
    run: Run<'a>,
}

impl<'a> Weights<'a> {
    /// Takes what comes next from the text.
    fn advance(&mut self) {
        let mut s = self.rest;
        while let Some((c, after)) = next_char(s) {
            let entry = c.map_or(0, |c| self.t.lookup(c));
            let han = c.map_or(0, |c| self.t.han.weight(c));
            if entry == 0 && han == 0 {
                s = after;
                continue;
            }
            let begun = self.rest.len() - s.len();
            if begun > 0 {
                break;
            }
            match self.t.find(entry, s) {
                Some((number, after)) => {
                    self.rest = after;
                    self.list = self.tailored(number);
                    return;
                }
                None if han != 0 => {
                    self.rest = after;
                    self.next = match self.level {
                        0 => han,
                        1 => 0x20,
                        _ => 0x02,
                    };
                    return;
                }
                // it only begins contractions, and none is here
                None => s = after,
            }
        }
        let (run, rest) = self.rest.split_at(self.rest.len() - s.len());
        self.run = Run::of(self.base, run, self.level);
        self.rest = rest;
    }

    fn tailored(&self, number: u16) -> &'static [u16] {
        let w = &self.t.weights[self.t.starts[usize::from(number)] as usize..];
        let count = |n: usize| usize::from(w[n]);
        let from = 3 + (0..self.level).map(count).sum::<usize>();
        &w[from..from + count(self.level)]
    }
}

impl Iterator for Weights<'_> {
    type Item = u16;
    fn next(&mut self) -> Option<u16> {
        loop {
            if let Some((w, rest)) = self.list.split_first() {
                self.list = rest;
                return Some(*w);
            }
            if self.next != 0 {
                return Some(std::mem::take(&mut self.next));
            }
            let w = match &mut self.run {
                Run::First(p) => p.next().map(|w| {
                    let second = self.lead;
                    self.lead = !second && (0xFB00..=0xFBE1).contains(&w);
                    let (w, next) = if second { (w, 0) } else { self.t.moved(w) };
                    self.next = next;
                    w
                }),
                Run::Lower(l) => l.next().map(|w| if self.level == 2 { self.t.case_first(w) } else { w }),
            };
            if w.is_some() {
                return w;
            }
            if self.rest.is_empty() {
                return None;
            }
            self.advance();
        }
    }
}
