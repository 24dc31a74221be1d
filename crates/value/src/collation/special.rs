//! Collations of 8-bit sets that look at more than one byte at a time: `tis620_thai_ci`, `latin2_czech_cs`, `cp1250_czech_cs`; or
//! give one byte two weights: `latin1_german2_ci`.
//!
//! The weights of single bytes are in `special.bin` (`gen/gen_eightbit.py`); how they are put together was measured against a MariaDB
//! 10.11, whose WEIGHT_STRING is ours byte by byte (golden `charsets_special`, 80,000 random strings). Sort keys are on disk: frozen,
//! `tests.rs` holds checksums.
//!
//! Indices are bytes into tables of 256; that is why indexing is used.
#![allow(clippy::indexing_slicing)]

static DATA: &[u8; 2304] = include_bytes!("special.bin");

/// Which one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// Four levels; of the first two word by word; `ch` is a letter.
    Latin2,
    /// Two levels; `ch` is a letter.
    Cp1250,
    /// A vowel written in front of its consonant counts behind it; tone marks count last.
    Tis620,
    /// Telephone books: an umlaut is its vowel and an E, a sharp s two S; for LIKE and LOCATE they are letters of their own.
    German2,
}

/// Weight of a byte in a table of the file.
fn weight(table: usize, b: u8) -> u8 {
    DATA[table * 256 + usize::from(b)]
}

impl Special {
    /// Appends the weights as MySQL's WEIGHT_STRING gives them.
    pub(super) fn weights(self, s: &[u8], out: &mut Vec<u8>) {
        match self {
            Special::Latin2 => latin2(s, out),
            Special::Cp1250 => {
                out.extend(letters(s).map(|l| l.map_or_else(|c| c[0], |b| weight(4, b))));
                out.extend(letters(s).map(|l| l.map_or_else(|c| c[1], |b| weight(5, b))));
            }
            Special::Tis620 => thai(s, out),
            Special::German2 => german(s, out),
        }
    }

    /// Appends the key in which strings that differ in spaces at the end only are one; Thai's and German's are still to be padded.
    pub(super) fn key(self, s: &[u8], out: &mut Vec<u8>) {
        let end = s.iter().rposition(|b| *b != b' ').map_or(0, |i| i + 1);
        match self {
            Special::Latin2 => latin2(&s[..end], out),
            Special::Cp1250 => {
                let from = out.len();
                self.weights(&s[..end], out);
                // the shorter string comes first before the second level counts
                let half = from + (out.len() - from) / 2;
                out.insert(half, 0);
            }
            Special::Tis620 => thai(s, out),
            Special::German2 => german(s, out),
        }
    }

    /// Whether two characters are the same one for LIKE and LOCATE, which look at bytes one by one.
    pub(super) fn same(self, a: u8, b: u8) -> bool {
        match self {
            Special::Latin2 | Special::Cp1250 => a == b,
            Special::Tis620 => weight(7, a) == weight(7, b),
            Special::German2 => weight(8, a) == weight(8, b),
        }
    }
}

/// Weights of `ch`, `Ch`, `CH`: the levels of latin2, then those of cp1250.
const CH: [(&[u8], [u8; 4], [u8; 2]); 3] = [
    (b"ch", [0x0C, 0x19, 0x2F, 0x2F], [0xAD, 3]),
    (b"Ch", [0x0C, 0x19, 0x30, 0x30], [0xAD, 2]),
    (b"CH", [0x0C, 0x19, 0x31, 0x31], [0xAD, 1]),
];

/// The letters of a string: `Err` for one of two bytes, with its weights in cp1250.
fn letters(s: &[u8]) -> impl Iterator<Item = Result<u8, [u8; 2]>> {
    let mut rest = s;
    std::iter::from_fn(move || {
        let (&b, after) = rest.split_first()?;
        if let Some(c) = CH.iter().find(|c| rest.starts_with(c.0)) {
            rest = &rest[2..];
            return Some(Err(c.2));
        }
        rest = after;
        Some(Ok(b))
    })
}

const BLANKS: [u8; 2] = *b" \t";
/// Ends a word; ends a level.
const WORD: u8 = 2;
const LEVEL: u8 = 1;

/// The weights of one level; bytes without one are ignored.
fn level(s: &[u8], level: usize, out: &mut Vec<u8>) {
    let mut rest = s;
    while let Some((&b, after)) = rest.split_first() {
        if let Some(c) = CH.iter().find(|c| rest.starts_with(c.0)) {
            out.push(c.1[level]);
            rest = &rest[2..];
            continue;
        }
        rest = after;
        let w = if BLANKS.contains(&b) { WORD } else { weight(level, b) };
        if w != 0 {
            out.push(w);
        }
    }
}

/// First the words, each on the first and then on the second level; then the whole on the third, where a run of blanks is one, and on the
/// fourth level, where every blank counts. Blanks at the end never do.
fn latin2(s: &[u8], out: &mut Vec<u8>) {
    let end = s.iter().rposition(|b| !BLANKS.contains(b)).map_or(0, |i| i + 1);
    let text = &s[..end];
    // a blank that follows a blank ends no word
    let ends = |at: usize| BLANKS.contains(&text[at]) && text.get(at + 1).is_some_and(|n| !BLANKS.contains(n));
    let mut third = Vec::with_capacity(text.len());
    let mut from = 0;
    for at in 0..=text.len() {
        if at < text.len() && !ends(at) {
            continue;
        }
        let word = &text[from..at];
        let word = &word[..word.iter().rposition(|b| !BLANKS.contains(b)).map_or(0, |i| i + 1)];
        let mark = if at < text.len() { WORD } else { LEVEL };
        for n in [0, 1] {
            level(word, n, out);
            out.push(mark);
        }
        level(word, 2, &mut third);
        third.push(mark);
        from = at + 1;
    }
    out.extend_from_slice(&third);
    level(text, 3, out);
    out.push(0);
}

/// One weight a byte, but two for umlauts and sharp s.
fn german(s: &[u8], out: &mut Vec<u8>) {
    for b in s {
        match weight(8, *b) {
            0xC4 => out.extend_from_slice(b"AE"),
            0xD6 => out.extend_from_slice(b"OE"),
            0xDC => out.extend_from_slice(b"UE"),
            0xDF => out.extend_from_slice(b"SS"),
            w => out.push(w),
        }
    }
}

/// The bytes in the order that counts. A mark goes to the end with a weight that says behind how many consonants it stood; where there are
/// several, what MySQL does to the bytes in front of them is done here too.
fn thai(s: &[u8], out: &mut Vec<u8>) {
    let consonant = |b: u8| (0xA1..=0xCE).contains(&b);
    let from = out.len();
    out.extend_from_slice(s);
    let t = &mut out[from..];
    let (mut at, mut left, mut bias) = (0, s.len(), 248u8);
    while left > 0 {
        let b = t[at];
        if b < 0x80 || consonant(b) {
            bias = bias.wrapping_sub(8);
        }
        if b < 0x80 {
            t[at] = weight(6, b);
        } else if (0xE0..=0xE4).contains(&b) && left > 1 && consonant(t[at + 1]) {
            t.swap(at, at + 1);
            at += 1;
            left -= 1;
        } else if (0xE7..=0xEC).contains(&b) {
            t.copy_within(at + 1..at + left, at);
            // alone it weighs 248 and its kind
            let last = t.len() - 1;
            t[last] = weight(6, b).wrapping_sub(248).wrapping_add(bias);
            left -= 1;
            continue;
        }
        at += 1;
        left -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_frozen() {
        let sum = DATA.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
        assert_eq!(sum, 0x0410_7d04_145e_a707);
    }

    /// Answers of a MariaDB 10.11.
    #[test]
    fn weights_are_mariadbs() {
        let hex = |w: Special, s: &[u8]| {
            let mut out = Vec::new();
            w.weights(s, &mut out);
            out.iter().map(|b| format!("{b:02x}")).collect::<String>()
        };
        assert_eq!(hex(Special::Latin2, b"a  b"), "030203020401090103020f010302020f00");
        assert_eq!(hex(Special::Latin2, b"b \x00 "), "0402090201010f02010f02b400");
        assert_eq!(hex(Special::Latin2, b" z"), "0202210142010282010282".to_owned() + "00");
        assert_eq!(hex(Special::Cp1250, b"chata"), "ada4bca403020202");
        assert_eq!(hex(Special::German2, b"a\xE4\xC6\xDF\xFF\xD0"), "4141455c53535944");
        assert!(
            !Special::German2.same(b'a', 0xE4)
                && Special::German2.same(0xC4, 0xE4)
                && Special::German2.same(b'a', 0xC0)
        );
        assert_eq!(hex(Special::Tis620, b"\xE8\xAA\xA5\xEB\xE2"), "aaa5e2e2ee");
        assert_eq!(hex(Special::Tis620, b"\xA1\xE8\xE8\xA1\xE0\xEC\xA0"), "a1a1e0a0a0a0e9");
    }
}
