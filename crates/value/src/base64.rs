//! Base64: TO_BASE64, FROM_BASE64, and the opaque values in the text of JSON (manual, "String Functions").
//!
//! Pure functions. Tested below.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends the digits of `bytes`, on one line.
pub fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    for c in bytes.chunks(3) {
        let n = c.iter().enumerate().fold(0u32, |n, (i, b)| n | u32::from(*b) << (16 - 8 * i));
        for i in 0..4 {
            let digit = ALPHABET.get((n >> (18 - 6 * i) & 63) as usize).copied().unwrap_or(b'=');
            out.push(if i <= c.len() { digit } else { b'=' });
        }
    }
}

/// The bytes that digits stand for; white space between them does not count. `None`: it is no base64, or the
/// statement is to stop ([`base::interrupt`]).
pub fn decode(s: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(s.len() * 3 / 4);
    let (mut n, mut bits, mut pad, mut seen) = (0u32, 0, 0, 0usize);
    for b in s.iter().filter(|b| !b.is_ascii_whitespace()) {
        seen += 1;
        base::interrupt::worked(4).ok()?;
        if *b == b'=' {
            pad += 1;
            continue;
        }
        if pad > 0 {
            return None;
        }
        let d = ALPHABET.iter().position(|a| a == b)? as u32;
        n = n << 6 | d;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((n >> bits) as u8);
            n &= (1 << bits) - 1;
        }
    }
    (seen % 4 == 0 && pad <= 2).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        for (bytes, text) in [(&b"abc"[..], &b"YWJj"[..]), (b"a", b"YQ=="), (b"ab", b"YWI="), (b"", b"")] {
            let mut out = Vec::new();
            encode(bytes, &mut out);
            assert_eq!(out, text);
            assert_eq!(decode(text).unwrap(), bytes);
        }
        assert!(decode(b"YQ=").is_none());
    }
}
