//! gb18030: ASCII in one byte, what gbk has and private characters in two, all other code points in four.
//!
//! Where codes of two bytes differ from gbk's is in `gb18030.bin` (`gen/gen_chinese.py`); codes of four bytes count through what is left of
//! the first plane, and through the other planes from 90308130. Frozen: code points decide index keys.
//!
//! Indices are computed from ranges that are checked before; that is why indexing is used.
#![allow(clippy::indexing_slicing)]

use std::sync::OnceLock;

use super::Charset;

static DIFFERENCES: &[u8] = include_bytes!("gb18030.bin");
/// Valid codes of two bytes; code points of the first plane in four bytes; where codes of the other planes begin.
const DOUBLE: usize = 126 * 190;
const FOUR: usize = 39_420;
const PLANES: u32 = 189_000;

struct Tables {
    /// Code points by number of the code.
    double: Box<[u16]>,
    /// Codes of two bytes by code point; 0: it has four.
    code: Box<[u16]>,
    /// Code points by number of the code of four bytes, ascending.
    four: Box<[u16]>,
}

fn tables() -> &'static Tables {
    static BUILT: OnceLock<Tables> = OnceLock::new();
    BUILT.get_or_init(|| {
        let mut double = vec![0u16; DOUBLE].into_boxed_slice();
        for (n, p) in double.iter_mut().enumerate() {
            let code = pair(n);
            *p = super::multibyte::decode(Charset::Gbk, &code.to_be_bytes()).map_or(0, |(p, _)| p as u16);
        }
        let numbers = DIFFERENCES.as_chunks::<6>().0;
        for d in numbers {
            let [first, n, point] = [0, 2, 4].map(|i| u16::from_le_bytes([d[i], d[i + 1]]));
            for i in 0..n {
                double[usize::from(first + i)] = point + i;
            }
        }
        let mut code = vec![0u16; 65_536].into_boxed_slice();
        for (n, p) in double.iter().enumerate() {
            code[usize::from(*p)] = pair(n);
        }
        let in_four = |p: &u16| code[usize::from(*p)] == 0 && !(0xD800..0xE000).contains(p);
        let four = (0x80..=0xFFFF).filter(in_four).collect();
        Tables { double, code, four }
    })
}

/// The code of two bytes with a number.
fn pair(n: usize) -> u16 {
    let (lead, trail) = (0x81 + n / 190, 0x40 + n % 190);
    (lead << 8 | if trail >= 0x7F { trail + 1 } else { trail }) as u16
}

/// Bytes of the character at the start by its form; `None`: malformed.
pub(super) fn form(s: &[u8]) -> Option<usize> {
    match *s {
        [0..=0x7F, ..] => Some(1),
        [0x81..=0xFE, 0x40..=0x7E | 0x80..=0xFE, ..] => Some(2),
        [0x81..=0xFE, 0x30..=0x39, 0x81..=0xFE, 0x30..=0x39, ..] => Some(4),
        _ => None,
    }
}

/// Number of a code of four bytes.
fn number(s: &[u8]) -> u32 {
    let at = |i: usize, base: u8| u32::from(s.get(i).copied().unwrap_or(base).wrapping_sub(base));
    ((at(0, 0x81) * 10 + at(1, 0x30)) * 126 + at(2, 0x81)) * 10 + at(3, 0x30)
}

/// Code point and bytes of the character at the start; `None`: malformed or not assigned.
pub(super) fn decode(s: &[u8]) -> Option<(u32, usize)> {
    let n = form(s)?;
    let p = match n {
        1 => u32::from(s[0]),
        2 => {
            let trail = usize::from(s[1]) - 0x40 - usize::from(s[1] > 0x7F);
            u32::from(tables().double[usize::from(s[0] - 0x81) * 190 + trail])
        }
        _ => match number(s) {
            k if (k as usize) < FOUR => u32::from(tables().four[k as usize]),
            k => k.checked_sub(PLANES).map(|k| k + 0x1_0000).filter(|p| *p < 0x11_0000)?,
        },
    };
    Some((of_2005(p), n))
}

/// Of the tables, which are those of the year 2000, the standard of 2005 exchanged these two.
fn of_2005(p: u32) -> u32 {
    match p {
        0x1E3F => 0xE7C7,
        0xE7C7 => 0x1E3F,
        p => p,
    }
}

/// The code of a code point: one or two bytes, or [`FOUR_BYTES`] and the number of the code of four; `None`: it has none.
pub(crate) fn code(p: u32) -> Option<u32> {
    let p = of_2005(p);
    match p {
        0..=0x7F => Some(p),
        0xD800..=0xDFFF => None,
        0x80..=0xFFFF => match tables().code[p as usize] {
            0 => tables().four.binary_search(&(p as u16)).ok().map(|n| FOUR_BYTES + n as u32),
            c => Some(u32::from(c)),
        },
        0x1_0000..=0x10_FFFF => Some(FOUR_BYTES + PLANES + p - 0x1_0000),
        _ => None,
    }
}

/// Where [`code`] counts codes of four bytes from: above all others, as they are ordered (MySQL's weights begin there too).
pub(crate) const FOUR_BYTES: u32 = 0xFF00_0000;

/// What [`code`] says of the character at the start, assigned or not, and its bytes.
pub(crate) fn code_at(s: &[u8]) -> Option<(u32, usize)> {
    let n = form(s)?;
    Some(match n {
        1 => (u32::from(s[0]), 1),
        2 => (u32::from(u16::from_be_bytes([s[0], s[1]])), 2),
        _ => (FOUR_BYTES + number(s), 4),
    })
}

/// Appends a code point; `false`: the set does not have it.
pub(super) fn encode(p: u32, out: &mut Vec<u8>) -> bool {
    match code(p) {
        None => return false,
        Some(c @ 0..=0x7F) => out.push(c as u8),
        Some(c @ 0x80..=0xFFFF) => out.extend_from_slice(&(c as u16).to_be_bytes()),
        Some(c) => {
            let n = c - FOUR_BYTES;
            let bytes = [0x81 + n / 12_600, 0x30 + n / 1_260 % 10, 0x81 + n / 10 % 126, 0x30 + n % 10];
            out.extend(bytes.map(|b| b as u8));
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_frozen() {
        let fnv = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3);
        assert_eq!(DIFFERENCES.iter().fold(0xcbf2_9ce4_8422_2325, fnv), 0xf211_6fdd_e289_a30d);
        assert_eq!(tables().four.len(), FOUR);
        // code points of all codes of two bytes: as the generator's codec has them
        let all = tables().double.iter().flat_map(|p| p.to_le_bytes()).collect::<Vec<u8>>();
        assert_eq!(all.iter().fold(0xcbf2_9ce4_8422_2325, fnv), 0x0999_1d7e_27ba_3f5b);
    }

    #[test]
    fn every_code_point_comes_back() {
        let mut out = Vec::new();
        for p in (0..0x11_0000).filter(|p| !(0xD800..0xE000).contains(p)) {
            out.clear();
            assert!(encode(p, &mut out), "{p:x}");
            assert_eq!(decode(&out), Some((p, out.len())), "{p:x}");
            assert_eq!(code_at(&out), code(p).map(|c| (c, out.len())));
        }
        for (p, bytes) in [
            (0x80, [0x81, 0x30, 0x81, 0x30]),
            (0xFFFF, [0x84, 0x31, 0xA4, 0x39]),
            (0x1_0000, [0x90, 0x30, 0x81, 0x30]),
            (0x10_FFFF, [0xE3, 0x32, 0x9A, 0x35]),
        ] {
            assert_eq!(decode(&bytes), Some((p, 4)));
        }
        assert_eq!(decode(b"\xA1\xA4"), Some((0xB7, 2)));
        assert_eq!(decode(b"\xA8\xBC"), Some((0x1E3F, 2)));
        assert_eq!(decode(b"\x81\x35\xF4\x37"), Some((0xE7C7, 4)));
        // not assigned, malformed
        assert_eq!((form(b"\x84\x32\x81\x30"), decode(b"\x84\x32\x81\x30")), (Some(4), None));
        assert_eq!((form(b"\xE3\x32\x9A\x36"), decode(b"\xE3\x32\x9A\x36")), (Some(4), None));
        assert_eq!((form(b"\x80"), form(b"\xFF"), form(b"\x81\x30\x81"), form(b"\x81\x7F")), (None, None, None, None));
        assert!(!encode(0xD800, &mut out) && !encode(0x11_0000, &mut out));
    }
}
