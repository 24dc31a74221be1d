//! Weights of the collations of the East Asian sets (`charset/multibyte.rs` has the tables).

use crate::charset::{Charset, multibyte};

/// The weights of a string.
#[derive(Clone)]
pub(super) struct Weights<'a> {
    charset: Charset,
    rest: &'a [u8],
    /// Second weight of a character of three bytes; 0: none.
    second: u16,
}

impl<'a> Weights<'a> {
    pub(super) fn new(charset: Charset, s: &'a [u8]) -> Weights<'a> {
        Weights { charset, rest: s, second: 0 }
    }
}

impl Iterator for Weights<'_> {
    type Item = u16;
    fn next(&mut self) -> Option<u16> {
        if self.second != 0 {
            return Some(std::mem::take(&mut self.second));
        }
        let (w, second, rest) = multibyte::weigh(self.charset, self.rest)?;
        self.rest = rest;
        self.second = second;
        Some(w)
    }
}

/// Appends what WEIGHT_STRING shows: one byte for a character of one byte.
pub(super) fn weight_string(charset: Charset, s: &[u8], out: &mut Vec<u8>) {
    let mut rest = s;
    while let Some((w, second, tail)) = multibyte::weigh(charset, rest) {
        let [high, low] = w.to_be_bytes();
        match rest.len() - tail.len() {
            1 if high == 0 => out.push(low),
            1 if low == 0 => out.push(high),
            _ => out.extend_from_slice(&[high, low]),
        }
        if second != 0 {
            out.push(second as u8);
        }
        rest = tail;
    }
}
