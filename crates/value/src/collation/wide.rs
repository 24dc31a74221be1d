//! Weights of the collations of ucs2, utf16, utf16le and utf32: those of `general_ci` and code points here; the others compare as
//! utf8mb4 does (`narrow`).

use super::general;
use crate::charset::Charset;

/// What decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WideOrder {
    /// The weights of `general_ci`.
    General,
    /// Code points (`_bin`).
    Code,
    /// As the utf8mb4 collation with this id compares the same text.
    As(u16),
    /// The weights of `general_mysql500_ci`.
    General500,
}

/// The weights of a string.
#[derive(Clone)]
pub(super) struct Weights<'a> {
    charset: Charset,
    by: WideOrder,
    rest: &'a [u8],
    /// The rest of a code point above U+FFFF, last first; 0 = none.
    queue: [u16; 2],
}

impl<'a> Weights<'a> {
    pub(super) fn new(charset: Charset, by: WideOrder, s: &'a [u8]) -> Weights<'a> {
        Weights { charset, by, rest: s, queue: [0; 2] }
    }
}

impl Iterator for Weights<'_> {
    type Item = u16;
    fn next(&mut self) -> Option<u16> {
        let [last, first] = self.queue;
        if first != 0 {
            self.queue = [0, last];
            return Some(first);
        }
        let n = self.charset.char_len(self.rest);
        let (head, rest) = self.rest.split_at_checked(n).filter(|_| n > 0)?;
        self.rest = rest;
        Some(match self.charset.decode(head) {
            None => 0xFF00 | u16::from(*head.first()?),
            Some((c, _)) if self.by == WideOrder::General => general::weight(c),
            Some((c, _)) if self.by == WideOrder::General500 => general::weight500(c),
            Some((c, _)) => u16::try_from(c).unwrap_or_else(|_| {
                // behind every shorter one, in order; no part is 0
                self.queue = [(c & 0x3FFF) as u16 + 1, (c >> 14) as u16];
                0xFFFF
            }),
        })
    }
}

/// The text in utf8mb4.
pub(super) fn narrow(charset: Charset, s: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len());
    crate::charset::convert(s, charset, Charset::Utf8mb4, &mut out);
    out
}
