//! Character sets whose characters have two or four bytes each and do not contain ASCII: ucs2, utf16, utf16le, utf32.
//!
//! Columns and expressions have them, connections and files do not. Functions that look into bytes get their operands in utf8mb4: the
//! planner converts them there and back (`bind/expr/wide.rs`).

use super::Charset;

/// Name, description, default collation, `_bin` collation, bytes of the shortest and of the longest character.
pub(super) const fn facts(c: Charset) -> Option<(&'static str, &'static str, u16, u16, u8, u8)> {
    Some(match c {
        Charset::Ucs2 => ("ucs2", "UCS-2 Unicode", 35, 90, 2, 2),
        Charset::Utf16 => ("utf16", "UTF-16 Unicode", 54, 55, 2, 4),
        Charset::Utf16le => ("utf16le", "UTF-16LE Unicode", 56, 62, 2, 4),
        Charset::Utf32 => ("utf32", "UTF-32 Unicode", 60, 61, 4, 4),
        _ => return None,
    })
}

/// Code point and bytes of the character at the start.
pub(super) fn decode(c: Charset, s: &[u8]) -> Option<(u32, usize)> {
    let unit = |at: usize| {
        let &[a, b] = s.get(at..at + 2)?.first_chunk::<2>()?;
        Some(u32::from(if c == Charset::Utf16le { u16::from_le_bytes([a, b]) } else { u16::from_be_bytes([a, b]) }))
    };
    match c {
        Charset::Ucs2 => unit(0).map(|u| (u, 2)),
        Charset::Utf16 | Charset::Utf16le => match unit(0)? {
            high @ 0xD800..=0xDBFF => {
                let low = unit(2).filter(|l| (0xDC00..=0xDFFF).contains(l))?;
                Some((0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF), 4))
            }
            0xDC00..=0xDFFF => None,
            u => Some((u, 2)),
        },
        Charset::Utf32 => {
            let p = u32::from_be_bytes(*s.first_chunk::<4>()?);
            char::from_u32(p).is_some().then_some((p, 4))
        }
        _ => None,
    }
}

/// Appends a code point; `false`: the set does not have it.
pub(super) fn encode(c: Charset, p: u32, out: &mut Vec<u8>) -> bool {
    let mut unit = |u: u32| {
        let u = u as u16;
        out.extend_from_slice(&if c == Charset::Utf16le { u.to_le_bytes() } else { u.to_be_bytes() });
    };
    match c {
        Charset::Utf32 if char::from_u32(p).is_some() => out.extend_from_slice(&p.to_be_bytes()),
        Charset::Ucs2 | Charset::Utf16 | Charset::Utf16le if p < 0x10000 => {
            if c != Charset::Ucs2 && (0xD800..0xE000).contains(&p) {
                return false;
            }
            unit(p);
        }
        Charset::Utf16 | Charset::Utf16le if p < 0x11_0000 => {
            unit(0xD800 + ((p - 0x10000) >> 10));
            unit(0xDC00 + ((p - 0x10000) & 0x3FF));
        }
        _ => return false,
    }
    true
}

/// A space.
pub(super) const fn space(c: Charset) -> &'static [u8] {
    match c {
        Charset::Utf16le => b" \0",
        Charset::Utf32 => b"\0\0\0 ",
        Charset::Ucs2 | Charset::Utf16 => b"\0 ",
        _ => b" ",
    }
}

/// Bytes taken for characters of the set: zero bytes in front make them whole (as MySQL does with `_ucs2'a'`).
pub fn aligned(c: Charset, s: &[u8]) -> Vec<u8> {
    let unit = usize::from(c.min_len());
    let missing = (unit - s.len() % unit) % unit;
    let mut out = vec![0; missing];
    out.extend_from_slice(s);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let sets = [Charset::Ucs2, Charset::Utf16, Charset::Utf16le, Charset::Utf32];
        for c in sets {
            for p in [0, 0x41, 0xE4, 0x20AC, 0xFFFD, 0x1F600, 0x10FFFF] {
                let mut out = Vec::new();
                if encode(c, p, &mut out) {
                    assert_eq!(decode(c, &out), Some((p, out.len())), "{c:?}");
                } else {
                    assert!(c == Charset::Ucs2 && p > 0xFFFF, "{c:?} {p:x}");
                }
            }
            let mut out = Vec::new();
            let text = "aé€".as_bytes();
            super::super::convert(text, Charset::Utf8mb4, c, &mut out);
            assert_eq!(c.char_count(&out), 3);
            assert_eq!(c.char_offset(&out, 2), 2 * usize::from(c.min_len()));
            let mut back = Vec::new();
            super::super::convert(&out, c, Charset::Utf8mb4, &mut back);
            assert_eq!(back, text);
        }
        assert_eq!(decode(Charset::Utf16, b"\xD8\x3D"), None);
        assert_eq!(decode(Charset::Utf16, b"\xDC\x3D\xD8\x3D"), None);
        assert_eq!(decode(Charset::Utf16, b"\xD8\x3D\xDE\x00"), Some((0x1F600, 4)));
        assert_eq!(decode(Charset::Utf16le, b"\x3D\xD8\x00\xDE"), Some((0x1F600, 4)));
        assert_eq!(aligned(Charset::Utf32, b"a"), b"\0\0\0a");
        assert_eq!(aligned(Charset::Ucs2, b"ab"), b"ab");
        let mut out = Vec::new();
        let o = super::super::convert("a😀".as_bytes(), Charset::Utf8mb4, Charset::Ucs2, &mut out);
        assert_eq!((out.as_slice(), o.unmappable), (b"\0a\0?".as_slice(), 1));
    }
}
