//! UTF-8 by hand: one character at a time on bytes that may be malformed.

/// Code point and length of the well-formed character at the start of `s`.
#[inline]
pub fn decode(s: &[u8]) -> Option<(u32, usize)> {
    let &b0 = s.first()?;
    if b0 < 0x80 {
        return Some((u32::from(b0), 1));
    }
    let cont = |i: usize| s.get(i).filter(|b| **b & 0xC0 == 0x80).map(|b| u32::from(b & 0x3F));
    let b0 = u32::from(b0);
    match b0 {
        0xC2..=0xDF => Some(((b0 & 0x1F) << 6 | cont(1)?, 2)),
        0xE0..=0xEF => {
            let c = (b0 & 0x0F) << 12 | cont(1)? << 6 | cont(2)?;
            (c >= 0x800 && !(0xD800..0xE000).contains(&c)).then_some((c, 3))
        }
        0xF0..=0xF4 => {
            let c = (b0 & 0x07) << 18 | cont(1)? << 12 | cont(2)? << 6 | cont(3)?;
            (0x10000..0x11_0000).contains(&c).then_some((c, 4))
        }
        _ => None,
    }
}

/// Appends a code point; `false` for surrogates and values above U+10FFFF.
#[inline]
pub fn encode(c: u32, out: &mut Vec<u8>) -> bool {
    match char::from_u32(c) {
        Some(c) => {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            true
        }
        None => false,
    }
}

/// Number of characters: bytes that do not continue one.
#[inline]
pub fn char_count(s: &[u8]) -> usize {
    s.iter().filter(|b| **b & 0xC0 != 0x80).count()
}

/// Byte offset of the character number `chars`, or the length.
#[inline]
pub fn char_offset(s: &[u8], chars: usize) -> usize {
    // every character has at least one byte, so an all-ASCII head needs no scan
    if let Some(head) = s.get(..chars)
        && head.is_ascii()
        && s.get(chars).is_none_or(|b| *b & 0xC0 != 0x80)
    {
        return chars;
    }
    s.iter().enumerate().filter(|(_, b)| **b & 0xC0 != 0x80).nth(chars).map_or(s.len(), |(i, _)| i)
}
