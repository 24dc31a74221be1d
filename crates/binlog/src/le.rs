//! Little-endian numbers and length-encoded integers: how they are written, and [`Reader`], which takes them off the
//! front of a slice.

use crate::{Malformed, Result};

/// Appends the low `bytes` bytes of a number.
pub(crate) fn put(out: &mut Vec<u8>, n: u64, bytes: usize) {
    out.extend(n.to_le_bytes().iter().take(bytes));
}

/// Appends the low `bytes` bytes, big-endian.
pub(crate) fn put_be(out: &mut Vec<u8>, n: u64, bytes: usize) {
    out.extend(n.to_be_bytes().iter().skip(8usize.saturating_sub(bytes)));
}

/// Appends a length-encoded integer: one byte up to 250, else 0xfc, 0xfd, 0xfe and two, three, eight bytes.
pub(crate) fn put_lenenc(out: &mut Vec<u8>, n: u64) {
    match n {
        0..=250 => out.push(n as u8),
        251..=0xffff => {
            out.push(0xfc);
            put(out, n, 2);
        }
        0x1_0000..=0xff_ffff => {
            out.push(0xfd);
            put(out, n, 3);
        }
        _ => {
            out.push(0xfe);
            put(out, n, 8);
        }
    }
}

/// Appends a length-encoded integer and so many bytes.
pub(crate) fn put_lenenc_bytes(out: &mut Vec<u8>, b: &[u8]) {
    put_lenenc(out, b.len() as u64);
    out.extend_from_slice(b);
}

/// The rest of an event that is still to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn bytes(&mut self, n: usize) -> Result<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(n).ok_or(Malformed("it ends too early"))?;
        self.0 = rest;
        Ok(front)
    }

    /// A number of at most eight bytes.
    pub(crate) fn uint(&mut self, bytes: usize) -> Result<u64> {
        Ok(self.bytes(bytes)?.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
    }

    /// A big-endian number of at most eight bytes.
    pub(crate) fn be(&mut self, bytes: usize) -> Result<u64> {
        Ok(self.bytes(bytes)?.iter().fold(0, |n, b| n << 8 | u64::from(*b)))
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        Ok(self.uint(1)? as u8)
    }

    pub(crate) fn u16(&mut self) -> Result<u16> {
        Ok(self.uint(2)? as u16)
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        Ok(self.uint(4)? as u32)
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        self.uint(8)
    }

    pub(crate) fn lenenc(&mut self) -> Result<u64> {
        match self.u8()? {
            n @ 0..=250 => Ok(u64::from(n)),
            0xfc => self.uint(2),
            0xfd => self.uint(3),
            0xfe => self.uint(8),
            _ => Err(Malformed("a length-encoded integer begins with 0xfb or 0xff")),
        }
    }

    /// A length-encoded integer that counts bytes or items which follow: never more than there are bytes.
    pub(crate) fn length(&mut self) -> Result<usize> {
        let n = self.lenenc()?;
        usize::try_from(n).ok().filter(|n| *n <= self.0.len()).ok_or(Malformed("a length beyond its end"))
    }

    pub(crate) fn lenenc_bytes(&mut self) -> Result<&'a [u8]> {
        let n = self.length()?;
        self.bytes(n)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Everything that is left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    /// A byte that counts what follows, so many bytes, and a zero byte.
    pub(crate) fn short_name(&mut self) -> Result<&'a [u8]> {
        let n = self.u8()? as usize;
        let name = self.bytes(n)?;
        match self.u8()? {
            0 => Ok(name),
            _ => Err(Malformed("a name without its zero byte")),
        }
    }
}
