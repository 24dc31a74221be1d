//! The East Asian character sets: ASCII in one byte, other characters in two or three (gb18030, with four: `gb18030.rs`). Table by `gen/dump_multibyte.py` (which
//! says its format); frozen (it decides index keys). What is looked up is built when a set is used first.
//!
//! Indices come from 16-bit numbers into tables of 65,536; that is why indexing is used.
#![allow(clippy::indexing_slicing)]

use std::sync::OnceLock;

use super::Charset;

static DATA: &[u8] = include_bytes!("multibyte.bin");
/// The order of the file.
const ORDER: [Charset; 8] = [
    Charset::Big5,
    Charset::Ujis,
    Charset::Sjis,
    Charset::Euckr,
    Charset::Gb2312,
    Charset::Gbk,
    Charset::Cp932,
    Charset::Eucjpms,
];

/// Name, description, default collation, `_bin` collation, bytes of the longest character.
pub(super) const fn facts(c: Charset) -> Option<(&'static str, &'static str, u16, u16, u8)> {
    Some(match c {
        Charset::Big5 => ("big5", "Big5 Traditional Chinese", 1, 84, 2),
        Charset::Ujis => ("ujis", "EUC-JP Japanese", 12, 91, 3),
        Charset::Sjis => ("sjis", "Shift-JIS Japanese", 13, 88, 2),
        Charset::Euckr => ("euckr", "EUC-KR Korean", 19, 85, 2),
        Charset::Gb2312 => ("gb2312", "GB2312 Simplified Chinese", 24, 86, 2),
        Charset::Gbk => ("gbk", "GBK Simplified Chinese", 28, 87, 2),
        Charset::Cp932 => ("cp932", "SJIS for Windows Japanese", 95, 96, 2),
        Charset::Eucjpms => ("eucjpms", "UJIS for Windows Japanese", 97, 98, 3),
        Charset::Gb18030 => ("gb18030", "China National Standard GB18030", 248, 249, 4),
        _ => return None,
    })
}

/// Length of a code, and its low 16 bits.
type Code = (u16, u16);

/// A table of 65,536 numbers.
type Table = Box<[u16]>;

/// What is looked up of a set.
struct Tables {
    /// Code points by code of two bytes, of three bytes (its last two).
    double: Table,
    triple: Table,
    /// Code points of single bytes.
    single: [u16; 256],
    /// Codes by code point, and their lengths.
    code: Table,
    length: Box<[u8]>,
    /// Weights of single bytes and, where they are not the codes, of codes of two bytes.
    weights: [u16; 256],
    own: Option<Table>,
    /// (length and code, other case), ascending.
    upper: Vec<(Code, Code)>,
    lower: Vec<(Code, Code)>,
}

struct Words {
    at: usize,
}

impl Words {
    fn next(&mut self) -> u16 {
        let w = u16::from_le_bytes([DATA[self.at], DATA[self.at + 1]]);
        self.at += 2;
        w
    }
    fn runs(&mut self) -> Table {
        let mut t = vec![0; 65_536].into_boxed_slice();
        for _ in 0..self.next() {
            let (first, n) = (usize::from(self.next()), usize::from(self.next()));
            t[first..first + n].iter_mut().for_each(|x| *x = self.next());
        }
        t
    }
    fn cases(&mut self) -> Vec<(Code, Code)> {
        (0..self.next()).map(|_| ((self.next(), self.next()), (self.next(), self.next()))).collect()
    }
    fn pairs(&mut self) -> Vec<(u16, u16)> {
        (0..self.next()).map(|_| (self.next(), self.next())).collect()
    }
}

impl Tables {
    fn read(set: usize) -> Tables {
        let mut at = 0;
        for _ in 0..set {
            at += 4 + 2 * u32::from_le_bytes([DATA[at], DATA[at + 1], DATA[at + 2], DATA[at + 3]]) as usize;
        }
        let mut w = Words { at: at + 4 };
        let (double, triple) = (w.runs(), w.runs());
        let others: Vec<[u16; 3]> = (0..w.next()).map(|_| [w.next(), w.next(), w.next()]).collect();
        let mut weights = [0; 256];
        weights.iter_mut().for_each(|x| *x = w.next());
        let own = (w.next() != 0).then(|| w.runs());
        let (upper, lower, kana) = (w.cases(), w.cases(), w.pairs());
        let mut single = [0; 256];
        single.iter_mut().zip(0..128).for_each(|(p, b)| *p = b);
        for (b, p) in kana {
            single[usize::from(b)] = p;
        }
        let mut code: Table = vec![0; 65_536].into_boxed_slice();
        let mut length = vec![0u8; 65_536].into_boxed_slice();
        let mut put = |p: u16, len: u8, c: usize| {
            if p != 0 && length[usize::from(p)] == 0 {
                (code[usize::from(p)], length[usize::from(p)]) = (c as u16, len);
            }
        };
        single.iter().enumerate().for_each(|(c, p)| put(*p, 1, c));
        double.iter().enumerate().for_each(|(c, p)| put(*p, 2, c));
        triple.iter().enumerate().for_each(|(c, p)| put(*p, 3, c));
        for [p, len, c] in others {
            (code[usize::from(p)], length[usize::from(p)]) = (c, len as u8);
        }
        Tables { double, triple, single, code, length, weights, own, upper, lower }
    }

    fn of(c: Charset) -> &'static Tables {
        static BUILT: [OnceLock<Tables>; 8] = [const { OnceLock::new() }; 8];
        let n = ORDER.iter().position(|o| *o == c).unwrap_or(0);
        BUILT[n].get_or_init(|| Tables::read(n))
    }
}

/// Bytes of the character at the start by its form, defined or not; `None`: malformed.
pub(super) fn form(c: Charset, s: &[u8]) -> Option<usize> {
    let &a = s.first()?;
    if a < 0x80 {
        return Some(1);
    }
    if c == Charset::Gb18030 {
        return super::gb18030::form(s);
    }
    let b = s.get(1).copied();
    let pair = |lead: bool, trail: fn(u8) -> bool| (lead && b.is_some_and(trail)).then_some(2);
    match c {
        Charset::Big5 => pair((0xA1..=0xF9).contains(&a), |b| matches!(b, 0x40..=0x7E | 0xA1..=0xFE)),
        Charset::Gbk => pair((0x81..=0xFE).contains(&a), |b| matches!(b, 0x40..=0x7E | 0x80..=0xFE)),
        Charset::Gb2312 => pair((0xA1..=0xF7).contains(&a), |b| matches!(b, 0xA1..=0xFE)),
        Charset::Euckr => pair((0x81..=0xFE).contains(&a), |b| matches!(b, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE)),
        Charset::Sjis | Charset::Cp932 => match a {
            0xA1..=0xDF => Some(1),
            0x81..=0x9F | 0xE0..=0xFC => pair(true, |b| matches!(b, 0x40..=0x7E | 0x80..=0xFC)),
            _ => None,
        },
        _ => match a {
            0x8E => pair(true, |b| matches!(b, 0xA1..=0xDF)),
            0x8F => {
                let trail = |i: usize| s.get(i).is_some_and(|b| (0xA1..=0xFE).contains(b));
                (trail(1) && trail(2)).then_some(3)
            }
            0xA1..=0xFE => pair(true, |b| matches!(b, 0xA1..=0xFE)),
            _ => None,
        },
    }
}

fn number(s: &[u8], n: usize) -> usize {
    match s.get(n - 2..n) {
        Some(&[a, b]) => usize::from(u16::from_be_bytes([a, b])),
        _ => 0,
    }
}

/// Code point and bytes of the character at the start; `None`: malformed or not defined.
pub(super) fn decode(c: Charset, s: &[u8]) -> Option<(u32, usize)> {
    if c == Charset::Gb18030 {
        return super::gb18030::decode(s);
    }
    let n = form(c, s)?;
    let t = Tables::of(c);
    let p = match n {
        1 => t.single[usize::from(s[0])],
        2 => t.double[number(s, 2)],
        _ => t.triple[number(s, 3)],
    };
    (p != 0 || s[0] == 0).then_some((u32::from(p), n))
}

/// Appends a code point; `false`: the set does not have it.
pub(super) fn encode(c: Charset, p: u32, out: &mut Vec<u8>) -> bool {
    if p < 0x80 {
        out.push(p as u8);
        return true;
    }
    if c == Charset::Gb18030 {
        return super::gb18030::encode(p, out);
    }
    let t = Tables::of(c);
    let Ok(p) = u16::try_from(p) else { return false };
    let (length, code) = (t.length[usize::from(p)], t.code[usize::from(p)]);
    put((u16::from(length), code), out);
    length > 0
}

/// Appends a code; length 0: nothing.
fn put((length, code): Code, out: &mut Vec<u8>) {
    match length {
        0 => {}
        1 => out.push(code as u8),
        2 => out.extend_from_slice(&code.to_be_bytes()),
        _ => {
            out.push(0x8F);
            out.extend_from_slice(&code.to_be_bytes());
        }
    }
}

/// Appends `s` in the other case.
pub(super) fn case(c: Charset, s: &[u8], up: bool, out: &mut Vec<u8>) {
    let t = Tables::of(c);
    let table = if up { &t.upper } else { &t.lower };
    let mut rest = s;
    while let Some(&b) = rest.first() {
        let n = form(c, rest).unwrap_or(1);
        let code = if n == 1 { u16::from(b) } else { number(rest, n) as u16 };
        match table.binary_search_by_key(&(n as u16, code), |x| x.0) {
            Ok(i) => put(table[i].1, out),
            _ if n == 1 => out.push(if up { b.to_ascii_uppercase() } else { b.to_ascii_lowercase() }),
            _ => out.extend_from_slice(&rest[..n]),
        }
        rest = &rest[n..];
    }
}

/// The weight of the character at the start, a second one or 0, and what is left. Three bytes: two weights.
pub(crate) fn weigh(c: Charset, s: &[u8]) -> Option<(u16, u16, &[u8])> {
    let &b = s.first()?;
    let n = form(c, s).unwrap_or(1);
    let t = Tables::of(c);
    let rest = &s[n..];
    Some(match n {
        1 => {
            // half-width kana stand among the first bytes of pairs
            let w = t.weights[usize::from(b)];
            (if b >= 0x80 && w < 0x100 { w << 8 } else { w }, 0, rest)
        }
        2 => {
            let code = number(s, 2);
            // in MySQL these, which Big5 leaves open, are as the ideographic space
            let open =
                matches!(code, 0xA3C0..=0xA3FE | 0xC7FD..=0xC7FE | 0xC840..=0xC87E | 0xC8A1..=0xC8FE | 0xF9DD..=0xF9FE);
            let other = if open && c == Charset::Big5 { 0xA140 } else { code as u16 };
            (t.own.as_ref().map(|o| o[code]).filter(|w| *w != 0).unwrap_or(other), 0, rest)
        }
        _ => (number(s, 2) as u16, u16::from(s[2]), rest),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a of the file.
    const CHECKSUM: u64 = 0x5311_0adf_5f5e_5369;

    #[test]
    fn tables_are_frozen() {
        let sum = DATA.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
        assert_eq!(sum, CHECKSUM);
    }

    #[test]
    fn half_width_kana_are_ordered_by_first_bytes() {
        let w = |s: &[u8]| weigh(Charset::Sjis, s).map(|w| w.0);
        assert!(w(b"z") < w(b"\x81\x40") && w(b"\x9F\xFC") < w(b"\xB1") && w(b"\xB1") < w(b"\xE0\x40"));
    }

    #[test]
    fn there_and_back() {
        for (c, text, bytes) in [
            (Charset::Gbk, "中文a€", b"\xD6\xD0\xCE\xC4a\x80".as_slice()),
            (Charset::Big5, "中文a", b"\xA4\xA4\xA4\xE5a"),
            (Charset::Sjis, "日本ｱ", b"\x93\xFA\x96\x7B\xB1"),
            (Charset::Cp932, "①日", b"\x87\x40\x93\xFA"),
            (Charset::Ujis, "日本ｱ丂", b"\xC6\xFC\xCB\xDC\x8E\xB1\x8F\xB0\xA1"),
            (Charset::Euckr, "한a", b"\xC7\xD1a"),
            (Charset::Gb2312, "中", b"\xD6\xD0"),
        ] {
            let mut out = Vec::new();
            super::super::convert(text.as_bytes(), Charset::Utf8mb4, c, &mut out);
            let lossy = text.contains('€');
            if !lossy {
                assert_eq!(out, bytes, "{c:?}");
                let mut back = Vec::new();
                super::super::convert(bytes, c, Charset::Utf8mb4, &mut back);
                assert_eq!(back, text.as_bytes(), "{c:?}");
                assert_eq!(c.char_count(bytes), text.chars().count());
            }
            assert!(c.is_valid(&out));
        }
        assert_eq!(form(Charset::Gbk, b"\xD6"), None);
        assert_eq!(Charset::Gbk.char_count(b"\xD6\xD0a\xD6"), 3);
        assert_eq!(Charset::Gbk.valid_prefix(b"\xD6\xD0a\xD6"), 3);
    }
}
