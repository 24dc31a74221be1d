//! The 128-bit plan key: a keyed hash of the statement's text without its literals.
//!
//! Two 64-bit lanes of folded 64x64 multiplications over 16 bytes at a time. The secrets are drawn once per process, so
//! a client cannot construct two statements that share a plan. Tested below.

use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

/// Running hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    a: u64,
    b: u64,
    secret: [u64; 4],
}

impl Default for Key {
    fn default() -> Key {
        static SECRET: OnceLock<[u64; 4]> = OnceLock::new();
        let secret = *SECRET.get_or_init(|| {
            let mut out = [0u64; 4];
            for (i, s) in out.iter_mut().enumerate() {
                let mut h = std::hash::RandomState::new().build_hasher();
                h.write_usize(i);
                *s = h.finish() | 1;
            }
            out
        });
        Key { a: 0, b: 0, secret }
    }
}

#[inline(always)]
fn fold(x: u64, y: u64) -> u64 {
    let p = x as u128 * y as u128;
    p as u64 ^ (p >> 64) as u64
}

impl Key {
    /// Starts again with `seed` (the lexical mode).
    #[inline]
    pub(super) fn reset(&mut self, seed: u64) {
        self.a = seed ^ 0x9e37_79b9_7f4a_7c15;
        self.b = seed ^ 0xd1b5_4a32_d192_ed03;
    }

    #[inline(always)]
    pub(super) fn word(&mut self, x: u64, y: u64) {
        let [s0, s1, s2, s3] = self.secret;
        self.a = fold(x ^ self.a ^ s0, y ^ s1 ^ self.a.rotate_left(32));
        self.b = fold(x ^ s2 ^ self.b.rotate_left(24), y ^ self.b ^ s3);
    }

    /// Adds bytes; their number is part of the hash.
    #[inline]
    pub(super) fn bytes(&mut self, text: &[u8]) {
        let mut rest = text;
        while let Some((chunk, tail)) = rest.split_first_chunk::<16>() {
            let v = u128::from_le_bytes(*chunk);
            self.word(v as u64, (v >> 64) as u64);
            rest = tail;
        }
        let mut last = [0u8; 16];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        let v = u128::from_le_bytes(last);
        self.word(v as u64, (v >> 64) as u64 ^ (text.len() as u64) << 56 ^ text.len() as u64);
    }

    #[inline]
    pub(super) fn finish(&self) -> u128 {
        let mut k = *self;
        k.word(self.b, self.a);
        (k.a as u128) << 64 | k.b as u128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differs_by_content_length_and_seed() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..2 {
            for text in ["", "\0", "a", "ab", "a\0", "0123456789abcdef", "0123456789abcdefg", "0123456789abcdef\0"] {
                let mut k = Key::default();
                k.reset(seed);
                k.bytes(text.as_bytes());
                assert!(seen.insert(k.finish()), "{text:?}");
            }
        }
    }
}
