//! Weights of `utf8mb3_general_ci` and `utf8mb4_general_ci`: one 16-bit number per character; characters above U+FFFF
//! all weigh the same. Table: 256 page numbers (255 = the weight is the code point), then pages of 256 weights.
//!
//! In the same way `utf8mb3_tolower_ci`, where a character weighs what its lower case is (`gen/measure_tolower.py`), and
//! `utf8mb3_general_mysql500_ci`.

use super::uca::next_char;

static TABLE: &[u8] = include_bytes!("general_ci.bin");
static LOWER: &[u8] = include_bytes!("tolower_ci.bin");

/// Weight of a code point.
#[inline]
pub(super) fn weight(cp: u32) -> u16 {
    if cp < 0x80 {
        return u16::from((cp as u8).to_ascii_uppercase());
    }
    look_up(TABLE, cp)
}

fn look_up(table: &[u8], cp: u32) -> u16 {
    if cp > 0xFFFF {
        return 0xFFFD;
    }
    let page = table.get((cp >> 8) as usize).copied().unwrap_or(255);
    if page == 255 {
        return cp as u16;
    }
    let at = 256 + (page as usize * 256 + (cp & 255) as usize) * 2;
    match table.get(at..at + 2) {
        Some(&[lo, hi]) => u16::from_le_bytes([lo, hi]),
        _ => cp as u16,
    }
}

/// Weight of a code point in `utf8mb3_tolower_ci`: its lower case as MySQL's old table has it.
pub(super) fn lower(cp: u32) -> u16 {
    if cp < 0x80 { u16::from((cp as u8).to_ascii_lowercase()) } else { look_up(LOWER, cp) }
}

/// Weight of a code point in `utf8mb3_general_mysql500_ci`: as before MySQL 5.1.24 the sharp s is a letter of its own.
pub(super) fn weight500(cp: u32) -> u16 {
    if cp == 0xDF { 0xDF } else { weight(cp) }
}

/// The weights of a string by one of the functions above.
pub(super) fn by<'a>(weight: fn(u32) -> u16, s: &'a [u8]) -> impl Iterator<Item = u16> + Clone + 'a {
    let mut rest = s;
    std::iter::from_fn(move || {
        let (c, after) = next_char(rest)?;
        rest = after;
        Some(match c {
            Ok(c) => weight(c),
            Err(b) => 0xFF00 | u16::from(b),
        })
    })
}

/// The weights of a string.
#[derive(Clone)]
pub(super) struct Weights<'a>(pub(super) &'a [u8]);

impl Iterator for Weights<'_> {
    type Item = u16;
    #[inline]
    fn next(&mut self) -> Option<u16> {
        if let Some((&b, rest)) = self.0.split_first()
            && b < 0x80
        {
            self.0 = rest;
            return Some(u16::from(b.to_ascii_uppercase()));
        }
        let (c, rest) = next_char(self.0)?;
        self.0 = rest;
        Some(match c {
            Ok(c) => weight(c),
            Err(b) => 0xFF00 | u16::from(b),
        })
    }
}
