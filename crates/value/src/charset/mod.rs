//! Character sets: validation, decoding, conversion, counting.
//!
//! A [`Charset`] is a small enum; everything about it is table-driven so that another 8-bit set is one table more:
//! [`Charset::decode`] and [`Charset::encode`] are the only places that know a set's code points.
//!
//! Strings inside the server may hold bytes that are not well-formed in their character set only if a client sent them
//! past validation; the functions here treat each such byte as a character of its own.

mod case;
pub mod client;
mod convert;
mod eightbit;
pub(crate) mod gb18030;
pub(crate) mod multibyte;
pub mod utf8;
mod wide;

#[cfg(test)]
mod tests;

pub use case::{lower_char, upper_char};
pub use convert::{ConvertOutcome, convert, convert_in, converted_len};
pub use wide::aligned;

/// A character set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Charset {
    Binary = 0,
    Ascii = 1,
    Latin1 = 2,
    Utf8mb3 = 3,
    Utf8mb4 = 4,
    Dec8 = 5,
    Cp850 = 6,
    Hp8 = 7,
    Koi8r = 8,
    Latin2 = 9,
    Hebrew = 10,
    Koi8u = 11,
    Greek = 12,
    Cp1250 = 13,
    Latin5 = 14,
    Armscii8 = 15,
    Cp866 = 16,
    Keybcs2 = 17,
    Macce = 18,
    Macroman = 19,
    Cp852 = 20,
    Latin7 = 21,
    Cp1251 = 22,
    Cp1256 = 23,
    Cp1257 = 24,
    Geostd8 = 25,
    Ucs2 = 26,
    Utf16 = 27,
    Utf16le = 28,
    Utf32 = 29,
    Big5 = 30,
    Ujis = 31,
    Sjis = 32,
    Euckr = 33,
    Gb2312 = 34,
    Gbk = 35,
    Cp932 = 36,
    Eucjpms = 37,
    Tis620 = 38,
    Swe7 = 39,
    Gb18030 = 40,
}

impl Charset {
    /// All sets.
    pub const ALL: [Charset; 41] = [
        Charset::Binary,
        Charset::Ascii,
        Charset::Latin1,
        Charset::Utf8mb3,
        Charset::Utf8mb4,
        Charset::Dec8,
        Charset::Cp850,
        Charset::Hp8,
        Charset::Koi8r,
        Charset::Latin2,
        Charset::Hebrew,
        Charset::Koi8u,
        Charset::Greek,
        Charset::Cp1250,
        Charset::Latin5,
        Charset::Armscii8,
        Charset::Cp866,
        Charset::Keybcs2,
        Charset::Macce,
        Charset::Macroman,
        Charset::Cp852,
        Charset::Latin7,
        Charset::Cp1251,
        Charset::Cp1256,
        Charset::Cp1257,
        Charset::Geostd8,
        Charset::Ucs2,
        Charset::Utf16,
        Charset::Utf16le,
        Charset::Utf32,
        Charset::Big5,
        Charset::Ujis,
        Charset::Sjis,
        Charset::Euckr,
        Charset::Gb2312,
        Charset::Gbk,
        Charset::Cp932,
        Charset::Eucjpms,
        Charset::Tis620,
        Charset::Swe7,
        Charset::Gb18030,
    ];

    /// MySQL's name.
    pub const fn name(self) -> &'static str {
        match self {
            Charset::Binary => "binary",
            Charset::Ascii => "ascii",
            Charset::Latin1 => "latin1",
            Charset::Utf8mb3 => "utf8mb3",
            Charset::Utf8mb4 => "utf8mb4",
            c => match (eightbit::facts(c), wide::facts(c), multibyte::facts(c)) {
                (Some(f), _, _) => f.0,
                (_, Some(f), _) => f.0,
                (_, _, Some(f)) => f.0,
                _ => "",
            },
        }
    }
    /// By name, any case; `utf8` is utf8mb3.
    pub fn by_name(name: &str) -> Option<Charset> {
        if name.eq_ignore_ascii_case("utf8") {
            return Some(Charset::Utf8mb3);
        }
        Charset::ALL.into_iter().find(|c| c.name().eq_ignore_ascii_case(name))
    }
    /// Description column of SHOW CHARACTER SET.
    pub const fn description(self) -> &'static str {
        match self {
            Charset::Binary => "Binary pseudo charset",
            Charset::Ascii => "US ASCII",
            Charset::Latin1 => "cp1252 West European",
            Charset::Utf8mb3 => "UTF-8 Unicode",
            Charset::Utf8mb4 => "UTF-8 Unicode",
            c => match (eightbit::facts(c), wide::facts(c), multibyte::facts(c)) {
                (Some(f), _, _) => f.1,
                (_, Some(f), _) => f.1,
                (_, _, Some(f)) => f.1,
                _ => "",
            },
        }
    }
    /// Bytes of the longest character.
    pub const fn max_len(self) -> u8 {
        match self {
            Charset::Utf8mb3 => 3,
            Charset::Utf8mb4 => 4,
            c => match (wide::facts(c), multibyte::facts(c)) {
                (Some(f), _) => f.5,
                (_, Some(f)) => f.4,
                _ => 1,
            },
        }
    }
    /// Bytes of the shortest character.
    pub const fn min_len(self) -> u8 {
        match wide::facts(self) {
            Some(f) => f.4,
            None => 1,
        }
    }
    /// ucs2, utf16, utf16le, utf32: they do not contain ASCII.
    pub const fn is_wide(self) -> bool {
        self.min_len() > 1
    }
    /// Bytes below 0x80 are ASCII: not in ucs2, utf16, utf16le, utf32, and not in swe7, which has letters in place of brackets.
    pub const fn has_ascii(self) -> bool {
        !self.is_wide() && !matches!(self, Charset::Swe7)
    }
    /// One byte per character.
    pub const fn is_single_byte(self) -> bool {
        self.max_len() == 1
    }
    /// utf8mb3 or utf8mb4.
    pub const fn is_utf8(self) -> bool {
        matches!(self, Charset::Utf8mb3 | Charset::Utf8mb4)
    }
    /// Text in UTF-8 is not converted for it: utf8mb3, utf8mb4, and binary, which takes bytes as they come.
    pub const fn takes_utf8(self) -> bool {
        self.is_utf8() || matches!(self, Charset::Binary)
    }
    /// The East Asian sets: a byte of ASCII may be part of a longer character.
    pub const fn is_multibyte(self) -> bool {
        multibyte::facts(self).is_some()
    }
    /// A byte below 0x80 is not always a character of its own: text of the set cannot be read as ASCII with other bytes in it.
    pub const fn hides_ascii(self) -> bool {
        use Charset::*;
        matches!(self, Big5 | Sjis | Gbk | Cp932 | Gb18030 | Swe7)
    }
    /// utf8mb3, utf8mb4, ucs2, utf16, utf16le, utf32.
    pub const fn is_unicode(self) -> bool {
        self.is_utf8() || self.is_wide()
    }
    /// Default collation.
    pub const fn default_collation(self) -> crate::CollationId {
        use crate::CollationId as C;
        match self {
            Charset::Binary => C::BINARY,
            Charset::Ascii => C::ASCII_GENERAL_CI,
            Charset::Latin1 => C::LATIN1_SWEDISH_CI,
            Charset::Utf8mb3 => C::UTF8MB3_GENERAL_CI,
            Charset::Utf8mb4 => C::UTF8MB4_0900_AI_CI,
            c => match (eightbit::facts(c), wide::facts(c), multibyte::facts(c)) {
                (Some(f), _, _) => C(f.2),
                (_, Some(f), _) => C(f.2),
                (_, _, Some(f)) => C(f.2),
                _ => C::BINARY,
            },
        }
    }
    /// The `_bin` collation.
    pub const fn bin_collation(self) -> crate::CollationId {
        use crate::CollationId as C;
        match self {
            Charset::Binary => C::BINARY,
            Charset::Ascii => C::ASCII_BIN,
            Charset::Latin1 => C::LATIN1_BIN,
            Charset::Utf8mb3 => C::UTF8MB3_BIN,
            Charset::Utf8mb4 => C::UTF8MB4_BIN,
            c => match (eightbit::facts(c), wide::facts(c), multibyte::facts(c)) {
                (Some(f), _, _) => C(f.3),
                (_, Some(f), _) => C(f.3),
                (_, _, Some(f)) => C(f.3),
                _ => C::BINARY,
            },
        }
    }
}

/// Latin1 bytes 0x80-0x9F: MySQL's latin1 is cp1252 with its five undefined bytes passed through.
static LATIN1_HIGH: [u16; 32] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
    0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0x009D, 0x017E, 0x0178,
];

impl Charset {
    /// The character at the start of `s` as (code point, bytes); `None` when empty or malformed.
    #[inline]
    pub fn decode(self, s: &[u8]) -> Option<(u32, usize)> {
        let &b = s.first()?;
        match self {
            Charset::Utf8mb4 => utf8::decode(s),
            Charset::Utf8mb3 => utf8::decode(s).filter(|&(_, n)| n <= 3),
            Charset::Binary => Some((u32::from(b), 1)),
            Charset::Ascii => (b < 0x80).then_some((u32::from(b), 1)),
            Charset::Latin1 => {
                let c = if (0x80..0xA0).contains(&b) {
                    u32::from(LATIN1_HIGH.get(b as usize - 0x80).copied().unwrap_or(0))
                } else {
                    u32::from(b)
                };
                Some((c, 1))
            }
            c if c.is_wide() => wide::decode(c, s),
            c if c.is_multibyte() => multibyte::decode(c, s),
            c => eightbit::decode(c, b).map(|p| (p, 1)),
        }
    }

    /// Appends a character; `false` (nothing appended) when the set has no such character.
    pub fn encode(self, c: u32, out: &mut Vec<u8>) -> bool {
        match self {
            Charset::Utf8mb4 => utf8::encode(c, out),
            Charset::Utf8mb3 => c < 0x10000 && utf8::encode(c, out),
            Charset::Ascii => {
                if c < 0x80 {
                    out.push(c as u8);
                }
                c < 0x80
            }
            Charset::Binary => {
                if c < 0x100 {
                    out.push(c as u8);
                }
                c < 0x100
            }
            Charset::Latin1 => {
                let b = if c < 0x80 || (0xA0..0x100).contains(&c) {
                    Some(c as u8)
                } else {
                    LATIN1_HIGH.iter().position(|&x| u32::from(x) == c).map(|p| p as u8 + 0x80)
                };
                match b {
                    Some(b) => {
                        out.push(b);
                        true
                    }
                    None => false,
                }
            }
            set if set.is_wide() => wide::encode(set, c, out),
            set if set.is_multibyte() => multibyte::encode(set, c, out),
            set => match eightbit::encode(set, c) {
                Some(b) => {
                    out.push(b);
                    true
                }
                None => false,
            },
        }
    }

    /// Number of leading bytes that are well-formed; `s.len()` when all are.
    #[inline]
    pub fn valid_prefix(self, s: &[u8]) -> usize {
        match self {
            Charset::Ascii => s.iter().position(|b| *b >= 0x80).unwrap_or(s.len()),
            Charset::Utf8mb4 => match std::str::from_utf8(s) {
                Ok(_) => s.len(),
                Err(e) => e.valid_up_to(),
            },
            Charset::Utf8mb3 => {
                let n = Charset::Utf8mb4.valid_prefix(s);
                s.get(..n).and_then(|v| v.iter().position(|b| *b >= 0xF0)).unwrap_or(n)
            }
            c if c.is_wide() || c.is_multibyte() => {
                let mut at = 0;
                while let Some(n) = s.get(at..).and_then(|rest| c.form(rest)) {
                    at += n;
                }
                at
            }
            // every byte of an 8-bit set may be stored, defined or not
            _ => s.len(),
        }
    }

    /// Where bytes cease to be text of the set, and at most three of them from there in hexadecimal, as MySQL's 1300 shows them.
    pub fn ill_formed(self, s: &[u8]) -> Option<(usize, String)> {
        self.shown_from(s, self.valid_prefix(s))
    }

    /// The first byte of a text of single bytes that is no character of the set, shown like that. MySQL has a character for every byte of tis620.
    pub fn undefined_byte(self, s: &[u8]) -> Option<(usize, String)> {
        if self == Charset::Tis620 {
            return None;
        }
        let at = s.iter().position(|b| self.decode(std::slice::from_ref(b)).is_none())?;
        self.shown_from(s, at)
    }

    fn shown_from(self, s: &[u8], at: usize) -> Option<(usize, String)> {
        let bad = s.get(at..).filter(|bad| !bad.is_empty())?;
        Some((at, bad.iter().take(3).map(|b| format!("{b:02X}")).collect()))
    }

    /// Whether all bytes are well-formed.
    #[inline]
    pub fn is_valid(self, s: &[u8]) -> bool {
        self.valid_prefix(s) == s.len()
    }

    /// Number of characters (a malformed byte counts as one).
    #[inline]
    pub fn char_count(self, s: &[u8]) -> usize {
        match self {
            _ if self.is_single_byte() => s.len(),
            _ if self.is_utf8() => utf8::char_count(s),
            _ => self.chars(s).count(),
        }
    }

    /// Byte offset of the character number `chars` (0-based), or `s.len()` if there are fewer.
    #[inline]
    pub fn char_offset(self, s: &[u8], chars: usize) -> usize {
        match self {
            _ if self.is_single_byte() => chars.min(s.len()),
            _ if self.is_utf8() => utf8::char_offset(s, chars),
            _ => self.chars(s).take(chars).sum(),
        }
    }

    /// The space character's bytes.
    pub const fn space(self) -> &'static [u8] {
        wide::space(self)
    }

    /// Without trailing spaces.
    #[inline]
    pub fn without_spaces(self, mut s: &[u8]) -> &[u8] {
        if self.is_wide() {
            while let Some(rest) = s.strip_suffix(self.space()) {
                s = rest;
            }
            return s;
        }
        while let [rest @ .., b' '] = s {
            s = rest;
        }
        s
    }

    /// The ASCII character at the start of `s`, which is one of this set where it is one (0 otherwise): for the marks of patterns.
    #[inline]
    pub fn mark(self, s: &[u8]) -> u8 {
        match s.first() {
            Some(b) if !self.is_wide() => *b,
            Some(_) => self.decode(s).map_or(0, |(c, _)| if c < 0x80 { c as u8 } else { 0 }),
            None => 0,
        }
    }

    /// Bytes of each character.
    fn chars(self, s: &[u8]) -> impl Iterator<Item = usize> {
        let mut rest = s;
        std::iter::from_fn(move || {
            let n = self.char_len(rest);
            rest = rest.get(n..)?;
            (n > 0).then_some(n)
        })
    }

    /// The text in pieces of whole characters, of about [`base::interrupt::SHARE`] bytes each: work on a long text
    /// asks between them whether it is to stop. Of a malformed text a piece may end anywhere.
    pub fn pieces(self, s: &[u8]) -> impl Iterator<Item = &[u8]> {
        let mut rest = s;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (piece, after) = rest.split_at_checked(self.piece_end(rest)).unwrap_or((rest, b""));
            rest = after;
            Some(piece)
        })
    }

    fn piece_end(self, s: &[u8]) -> usize {
        let size = base::interrupt::SHARE;
        if s.len() <= size || self.is_single_byte() {
            return size.min(s.len());
        }
        if self.is_utf8() {
            let starts = |at: &usize| s.get(*at).is_some_and(|b| *b & 0xC0 != 0x80);
            return (size - 3..=size).rev().find(starts).unwrap_or(size);
        }
        let mut at = 0;
        while at < size {
            at += self.char_len(s.get(at..).unwrap_or(b"")).max(1);
        }
        at.min(s.len())
    }

    /// `len` characters from the character number `start` (0-based).
    pub fn substring(self, s: &[u8], start: usize, len: usize) -> &[u8] {
        let from = self.char_offset(s, start);
        let rest = s.get(from..).unwrap_or(b"");
        rest.get(..self.char_offset(rest, len)).unwrap_or(rest)
    }

    /// Bytes of the well-formed character at the start; `None` when empty or malformed.
    #[inline]
    fn form(self, s: &[u8]) -> Option<usize> {
        if self.is_multibyte() { multibyte::form(self, s) } else { self.decode(s).map(|(_, n)| n) }
    }

    /// Bytes of the character at the start of `s` (1 for a malformed byte, 0 for empty).
    #[inline]
    pub fn char_len(self, s: &[u8]) -> usize {
        if s.is_empty() { 0 } else { self.form(s).unwrap_or(1) }
    }

    /// Appends `s` in the other case by Turkish rules: dotted and dotless i are two letters.
    pub fn turkish_case(self, s: &[u8], up: bool, out: &mut Vec<u8>) {
        case::turkish(self, s, up, out);
    }

    /// Appends `s` in upper case.
    pub fn upper(self, s: &[u8], out: &mut Vec<u8>) {
        case::map(self, s, out, true);
    }

    /// Appends `s` in lower case.
    pub fn lower(self, s: &[u8], out: &mut Vec<u8>) {
        case::map(self, s, out, false);
    }
}
