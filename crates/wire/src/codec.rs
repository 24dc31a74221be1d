//! Reading the protocol's integers and strings out of a packet, never beyond its end.

use base::{ErrorCode, SqlError, SqlResult};

/// A cursor over a packet's payload. Every method answers error 1835 when the packet is too short.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

/// Error 1835.
pub fn malformed() -> SqlError {
    SqlError::new(ErrorCode::MALFORMED_PACKET, &[])
}

impl<'a> Reader<'a> {
    /// At the payload's start.
    pub fn new(payload: &'a [u8]) -> Reader<'a> {
        Reader { rest: payload }
    }
    /// What has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
    /// Whether all has been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
    /// The next `n` bytes.
    pub fn bytes(&mut self, n: usize) -> SqlResult<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(n).ok_or_else(malformed)?;
        self.rest = rest;
        Ok(head)
    }
    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> SqlResult<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk::<N>().ok_or_else(malformed)?;
        self.rest = rest;
        Ok(*head)
    }
    /// One byte.
    pub fn u8(&mut self) -> SqlResult<u8> {
        self.array::<1>().map(|[b]| b)
    }
    /// Two bytes.
    pub fn u16(&mut self) -> SqlResult<u16> {
        self.array().map(u16::from_le_bytes)
    }
    /// Three bytes.
    pub fn u24(&mut self) -> SqlResult<u32> {
        self.array::<3>().map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]))
    }
    /// Four bytes.
    pub fn u32(&mut self) -> SqlResult<u32> {
        self.array().map(u32::from_le_bytes)
    }
    /// Eight bytes.
    pub fn u64(&mut self) -> SqlResult<u64> {
        self.array().map(u64::from_le_bytes)
    }
    /// Length-encoded integer; the NULL marker 0xfb and 0xff are malformed here.
    pub fn lenenc(&mut self) -> SqlResult<u64> {
        match self.u8()? {
            n @ 0..=0xfa => Ok(u64::from(n)),
            0xfc => self.u16().map(u64::from),
            0xfd => self.u24().map(u64::from),
            0xfe => self.u64(),
            _ => Err(malformed()),
        }
    }
    /// Length-encoded string.
    pub fn lenenc_str(&mut self) -> SqlResult<&'a [u8]> {
        let n = self.lenenc()?;
        self.bytes(usize::try_from(n).map_err(|_| malformed())?)
    }
    /// String up to a NUL, which is consumed.
    pub fn nul_str(&mut self) -> SqlResult<&'a [u8]> {
        let at = self.rest.iter().position(|b| *b == 0).ok_or_else(malformed)?;
        let s = self.bytes(at)?;
        self.bytes(1)?;
        Ok(s)
    }
    /// String up to a NUL or the end of the packet.
    pub fn nul_str_or_rest(&mut self) -> &'a [u8] {
        match self.nul_str() {
            Ok(s) => s,
            Err(_) => std::mem::take(&mut self.rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::client::row::{put_lenenc_int, put_lenenc_str};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lenenc_round_trip(n: u64, s in proptest::collection::vec(any::<u8>(), 0..70_000)) {
            let mut b = Vec::new();
            put_lenenc_int(&mut b, n);
            put_lenenc_str(&mut b, &s);
            let mut r = Reader::new(&b);
            prop_assert_eq!(r.lenenc().unwrap(), n);
            prop_assert_eq!(r.lenenc_str().unwrap(), &s[..]);
            prop_assert!(r.is_empty());
            for cut in [0, b.len() / 2, b.len().saturating_sub(1)] {
                let mut r = Reader::new(&b[..cut]);
                prop_assert!(r.lenenc().and_then(|_| r.lenenc_str()).is_err());
            }
        }
    }
}
