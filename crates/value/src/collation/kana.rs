//! Japanese: the Han characters of JIS X 0208 in the order of that standard, and the fourth level, on which `_ks` tells Hiragana from Katakana.
//!
//! What else is Japanese is a tailoring (`japanese.bin`, made by `gen/gen_japanese.py` from CLDR 30). As in MySQL (WL#9751, WL#10480) a
//! character's weight on the fourth level is its script's: 2 for Hiragana, 8 for Katakana, none for all others, and without any kana there is
//! no such level. Frozen like every weight (`tests.rs`).

use std::sync::OnceLock;

use super::uca::next_char;
use crate::charset::Charset;

/// Weight in front of that of the first Han character: the last one of the DUCET.
pub(super) const BEFORE_HAN: u16 = 0x54A3;
/// Stands in front of the weights of scripts other than Latin and kana: they follow Han characters, computed weights (FB40 ... FB85) included.
pub(super) const LEAD: u16 = 0xFB86;
/// Mark of a move ([`super::tailored`]) that puts [`LEAD`] in front.
pub(super) const BEHIND: u16 = 0x8000;

/// Han characters of JIS X 0208 lie in U+4E00 and following.
const FIRST: u32 = 0x4E00;
const COUNT: usize = 0x5200;

/// Number of a Han character in JIS X 0208, from 1; 0: it is not in it.
#[inline]
pub(super) fn rank(cp: u32) -> u16 {
    static BUILT: OnceLock<Vec<u16>> = OnceLock::new();
    let Some(at) = cp.checked_sub(FIRST).map(|at| at as usize).filter(|at| *at < COUNT) else { return 0 };
    BUILT.get_or_init(build).get(at).copied().unwrap_or(0)
}

/// The rows of Han characters in the standard's order are those of ujis.
fn build() -> Vec<u16> {
    let (mut ranks, mut next) = (vec![0; COUNT], 1);
    for row in 0xB0..=0xF4u8 {
        for cell in 0xA1..=0xFEu8 {
            let cp = Charset::Ujis.decode(&[row, cell]).and_then(|(cp, _)| cp.checked_sub(FIRST));
            if let Some(place) = cp.and_then(|at| ranks.get_mut(at as usize)) {
                *place = next;
                next += 1;
            }
        }
    }
    ranks
}

const HIRAGANA: u16 = 2;
const KATAKANA: u16 = 8;

/// The weights of the fourth level.
#[derive(Clone)]
pub(super) struct Fourth<'a> {
    rest: &'a [u8],
    /// The character before is Hiragana that has a length mark of its own script.
    lengthens: bool,
}

impl<'a> Fourth<'a> {
    pub(super) fn new(s: &'a [u8]) -> Fourth<'a> {
        Fourth { rest: s, lengthens: false }
    }
}

impl Iterator for Fourth<'_> {
    type Item = u16;
    fn next(&mut self) -> Option<u16> {
        loop {
            let (c, rest) = next_char(self.rest)?;
            self.rest = rest;
            let before = std::mem::take(&mut self.lengthens);
            let Ok(c) = c else { continue };
            // N has no vowel that could be long
            self.lengthens = matches!(c, 0x3041..=0x3096 if c != 0x3093);
            return Some(match c {
                0x3041..=0x3096 | 0x309D | 0x309E => HIRAGANA,
                // the length mark
                0x30FC if before => HIRAGANA,
                0x30A1..=0x30FA | 0x30FC..=0x30FE | 0xFF66..=0xFF9D => KATAKANA,
                _ => continue,
            });
        }
    }
}
