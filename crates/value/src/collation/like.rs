//! LIKE and substring search, character by character under a collation.

use super::Collation;
use std::sync::OnceLock;

/// By collation: for each character of ASCII, which of them are equal to it, a bit each. To compare two characters by
/// their weights takes a hundred times as long, and LIKE '%word' does it at each place of a text.
static SAME: [OnceLock<Box<[u128; 128]>>; 512] = [const { OnceLock::new() }; 512];

impl Collation {
    /// Whether the characters at the start of both slices (each exactly one character) are equal.
    #[inline]
    pub fn same_char(&self, a: &[u8], b: &[u8]) -> bool {
        match (a, b) {
            ([x], [y]) if (x | y) < 0x80 => x == y || (!self.is_binary() && self.same_ascii(*x, *y)),
            _ => self.compare_chars(a, b),
        }
    }

    /// Of two characters of ASCII, what [`Collation::compare_chars`] said when the collation was used first.
    fn same_ascii(&self, a: u8, b: u8) -> bool {
        let Some(same) = self.ascii() else { return self.compare_chars(&[a], &[b]) };
        same.get(usize::from(a)).is_some_and(|row| row >> b & 1 != 0)
    }

    /// For each character of ASCII, which of them are equal to it, a bit each.
    pub fn ascii(&self) -> Option<&'static [u128; 128]> {
        let kept = SAME.get(usize::from(self.id.0))?;
        Some(kept.get_or_init(|| {
            let of = |x: u8| {
                let bit = |y: u8| u128::from(self.compare_chars(&[x], &[y])) << y;
                (0..128).map(bit).fold(0, |all, one| all | one)
            };
            Box::new(std::array::from_fn(|x| of(x as u8)))
        }))
    }

    fn compare_chars(&self, a: &[u8], b: &[u8]) -> bool {
        if let (super::Algorithm::Special(kind), [a], [b]) = (self.algorithm, a, b) {
            return kind.same(*a, *b);
        }
        if let super::Algorithm::Tailored(t, 4) = self.algorithm {
            // hiragana and katakana differ in the order alone. Not by `same_char`: the other collation has the same number,
            // and the table of that number may be what is being made here
            return Collation { algorithm: super::Algorithm::Tailored(t, 3), ..*self }.compare_chars(a, b);
        }
        if a != b && self.is_of_unicode_4() && [a, b].into_iter().any(|c| self.is_beyond_bmp(c)) {
            return false;
        }
        a == b || (!self.is_binary() && self.compare(a, b).is_eq() && !self.only_padded(a, b))
    }

    /// Whether the weights are those of Unicode 4.0. Characters beyond the BMP have none there: `=` takes all of them for equal, LIKE none that are not the same.
    fn is_of_unicode_4(&self) -> bool {
        match self.algorithm {
            super::Algorithm::Uca(table, _) => std::ptr::eq(table, &super::uca::UCA400),
            super::Algorithm::Tailored(t, _) => t.is_of_unicode_4(),
            super::Algorithm::Wide(_, super::WideOrder::As(id)) => super::CollationId(id).get().is_of_unicode_4(),
            _ => false,
        }
    }

    fn is_beyond_bmp(&self, c: &[u8]) -> bool {
        c.len() > 3 && self.charset.decode(c).is_some_and(|(cp, _)| cp > 0xFFFF)
    }

    /// Whether two characters are equal because the shorter text is filled up with spaces only: a space and a character without weight.
    fn only_padded(&self, a: &[u8], b: &[u8]) -> bool {
        let space = |c: &[u8]| self.charset.without_spaces(c).is_empty();
        if !self.pad_space || space(a) == space(b) {
            return false;
        }
        let before_a_digit = |c: &[u8]| {
            let mut text = c.to_vec();
            self.charset.encode(u32::from('1'), &mut text);
            text
        };
        self.compare(&before_a_digit(a), &before_a_digit(b)).is_ne()
    }

    #[inline]
    fn split_char<'a>(&self, s: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        s.split_at_checked(self.charset.char_len(s)).unwrap_or((s, b""))
    }

    /// `s LIKE pattern ESCAPE escape`. `escape` is one character's bytes, or empty for none. Spaces at the end count,
    /// also in PAD SPACE collations.
    pub fn like(&self, s: &[u8], pattern: &[u8], escape: &[u8]) -> bool {
        let (mut s, mut p) = (s, pattern);
        // where to go on after a mismatch: the pattern behind the last %, and the text one character further
        let mut retry: Option<(&[u8], &[u8])> = None;
        loop {
            if !p.is_empty() {
                let first = self.charset.mark(p);
                let (pc, p_rest) = self.split_char(p);
                let mut literal = pc;
                let mut after = p_rest;
                let escaped = !escape.is_empty() && pc == escape && !p_rest.is_empty();
                if escaped {
                    (literal, after) = self.split_char(p_rest);
                } else if first == b'%' {
                    // a % at the end matches everything
                    if p_rest.is_empty() {
                        return true;
                    }
                    retry = Some((p_rest, s));
                    p = p_rest;
                    continue;
                }
                if !s.is_empty() {
                    let (sc, s_rest) = self.split_char(s);
                    if (!escaped && first == b'_') || self.same_char(sc, literal) {
                        (s, p) = (s_rest, after);
                        continue;
                    }
                }
            } else if s.is_empty() {
                return true;
            }
            let Some((p_back, s_back)) = retry else { return false };
            if s_back.is_empty() {
                return false;
            }
            let (_, s_next) = self.split_char(s_back);
            retry = Some((p_back, s_next));
            (s, p) = (s_next, p_back);
        }
    }

    /// The literal text in front of the first wildcard of a LIKE pattern, unescaped, and whether the pattern has no
    /// wildcard at all (then LIKE is equality of characters). For index ranges.
    pub fn like_prefix(&self, pattern: &[u8], escape: &[u8]) -> (Vec<u8>, bool) {
        let mut out = Vec::with_capacity(pattern.len());
        let mut p = pattern;
        while !p.is_empty() {
            let first = self.charset.mark(p);
            let (pc, rest) = self.split_char(p);
            if !escape.is_empty() && pc == escape && !rest.is_empty() {
                let (literal, after) = self.split_char(rest);
                out.extend_from_slice(literal);
                p = after;
                continue;
            }
            if first == b'%' || first == b'_' {
                return (out, false);
            }
            out.extend_from_slice(pc);
            p = rest;
        }
        (out, true)
    }

    /// Byte range of the first place at or after byte `from` (a character's start) where `needle` occurs; an empty
    /// needle is found at once.
    pub fn find(&self, haystack: &[u8], needle: &[u8], from: usize) -> Option<std::ops::Range<usize>> {
        let mut at = from;
        loop {
            let rest = haystack.get(at..)?;
            if let Some(n) = self.match_len(rest, needle) {
                return Some(at..at + n);
            }
            if rest.is_empty() {
                return None;
            }
            at += self.charset.char_len(rest);
        }
    }

    /// Bytes of `s` that the characters of `needle` match, if they do.
    fn match_len(&self, s: &[u8], needle: &[u8]) -> Option<usize> {
        let (mut rest, mut n) = (s, needle);
        while !n.is_empty() {
            if rest.is_empty() {
                return None;
            }
            let (nc, n_rest) = self.split_char(n);
            let (sc, s_rest) = self.split_char(rest);
            if !self.same_char(sc, nc) {
                return None;
            }
            (rest, n) = (s_rest, n_rest);
        }
        Some(s.len() - rest.len())
    }
}
