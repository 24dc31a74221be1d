//! Upper and lower case: Unicode's simple (one character to one) mappings.

use super::Charset;

/// Simple upper case of a code point (itself when there is none or it would be several characters).
pub fn upper_char(c: u32) -> u32 {
    if c < 0x80 {
        return u32::from((c as u8).to_ascii_uppercase());
    }
    single(c, char::from_u32(c).map(char::to_uppercase))
}

/// Simple lower case of a code point.
pub fn lower_char(c: u32) -> u32 {
    if c < 0x80 {
        return u32::from((c as u8).to_ascii_lowercase());
    }
    if c == 0x130 {
        return 0x69;
    }
    single(c, char::from_u32(c).map(char::to_lowercase))
}

fn single(c: u32, mapped: Option<impl Iterator<Item = char>>) -> u32 {
    let Some(mut it) = mapped else { return c };
    match (it.next(), it.next()) {
        (Some(m), None) => m as u32,
        _ => c,
    }
}

pub(super) fn map(cs: Charset, s: &[u8], out: &mut Vec<u8>, up: bool) {
    if cs == Charset::Binary {
        out.extend_from_slice(s);
        return;
    }
    if s.is_ascii() && cs.has_ascii() {
        let from = out.len();
        out.extend_from_slice(s);
        let Some(part) = out.get_mut(from..) else { return };
        if up {
            part.make_ascii_uppercase()
        } else {
            part.make_ascii_lowercase()
        }
        return;
    }
    if cs == Charset::Latin1 {
        out.extend(s.iter().map(|&b| if up { latin1_upper(b) } else { latin1_lower(b) }));
        return;
    }
    if cs.is_multibyte() && cs != Charset::Gb18030 {
        super::multibyte::case(cs, s, up, out);
        return;
    }
    if cs.is_single_byte() && cs != Charset::Ascii {
        out.extend(s.iter().map(|&b| super::eightbit::case(cs, b, up)));
        return;
    }
    let mut rest = s;
    while let Some(&b) = rest.first() {
        let n = match cs.decode(rest) {
            Some((c, n)) => {
                let m = if up { upper_char(c) } else { lower_char(c) };
                if !cs.encode(m, out) {
                    out.extend_from_slice(rest.get(..n).unwrap_or(b""));
                }
                n
            }
            None => {
                out.push(b);
                1
            }
        };
        rest = rest.get(n..).unwrap_or(b"");
    }
}

/// The Unicode sets with `_turkish_ci`.
pub(super) fn turkish(cs: Charset, s: &[u8], up: bool, out: &mut Vec<u8>) {
    let mut rest = s;
    while !rest.is_empty() {
        let n = cs.char_len(rest).max(1);
        let (head, tail) = rest.split_at_checked(n).unwrap_or((rest, b""));
        let letter = match (cs.decode(head), up) {
            (Some((0x69, _)), true) => Some(0x130),
            (Some((0x49, _)), false) => Some(0x131),
            (Some((0x131, _)), true) => Some(0x49),
            (Some((0x130, _)), false) => Some(0x69),
            _ => None,
        };
        match letter {
            Some(c) => {
                cs.encode(c, out);
            }
            None => map(cs, head, out, up),
        }
        rest = tail;
    }
}

/// MySQL's latin1 tables know no case for 0x80-0x9F and for 0xFF.
fn latin1_upper(b: u8) -> u8 {
    match b {
        b'a'..=b'z' => b - 32,
        0xE0..=0xF6 | 0xF8..=0xFE => b - 32,
        _ => b,
    }
}

fn latin1_lower(b: u8) -> u8 {
    match b {
        b'A'..=b'Z' => b + 32,
        0xC0..=0xD6 | 0xD8..=0xDE => b + 32,
        _ => b,
    }
}
