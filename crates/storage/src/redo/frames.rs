//! [`Reader`]: the frames of the redo file, as recovery reads them. Tested: `redo/tests.rs`, `crash_tests.rs`.

use super::logfile::{BLOCK, LogFile, frame_crc, u32_from};
use crate::error::Result;
use base::Lsn;

/// Reads frames from a checkpoint on until the first invalid one.
pub struct Reader<'a> {
    file: &'a LogFile,
    /// LSN of `buf`'s first byte.
    base: u64,
    buf: Vec<u8>,
    at: usize,
    end: u64,
}

/// One valid frame.
pub struct FrameRef<'b> {
    /// LSN of its end: what the pages it changed carry.
    pub end: Lsn,
    /// Its records.
    pub body: &'b [u8],
}

/// Bytes that are read at once.
const CHUNK: usize = 4 << 20;

impl<'a> Reader<'a> {
    /// From `start` on; never more than the file holds.
    pub fn new(file: &'a LogFile, start: Lsn) -> Reader<'a> {
        Reader { file, base: start.0, buf: Vec::new(), at: 0, end: start.0 + file.data_size() }
    }

    /// LSN of the next frame.
    pub fn lsn(&self) -> Lsn {
        Lsn(self.base + self.at as u64)
    }

    /// Makes `need` bytes available at the current place; false at the end of the circle.
    fn fill(&mut self, need: usize) -> Result<bool> {
        if self.buf.len() - self.at >= need {
            return Ok(true);
        }
        self.buf.drain(..self.at);
        self.base += self.at as u64;
        self.at = 0;
        let have = self.buf.len();
        self.buf.reserve(CHUNK + (1 << 20));
        let want = need.max(CHUNK).min((self.end - self.base) as usize);
        if want < need {
            return Ok(false);
        }
        self.buf.resize(want, 0);
        let to = self.buf.get_mut(have..).unwrap_or(&mut []);
        self.file.read(Lsn(self.base + have as u64), to)?;
        Ok(true)
    }

    /// The next frame; `None` at the first place where there is no valid one.
    #[allow(clippy::should_implement_trait)] // lends from its buffer
    pub fn next(&mut self) -> Result<Option<FrameRef<'_>>> {
        self.step(true)
    }

    /// As [`Reader::next`] for what was read and verified before: only lengths are looked at.
    pub(crate) fn next_again(&mut self) -> Result<Option<FrameRef<'_>>> {
        self.step(false)
    }

    #[inline]
    fn step(&mut self, verify: bool) -> Result<Option<FrameRef<'_>>> {
        if !self.fill(16)? {
            return Ok(None);
        }
        let at = self.at;
        let (len, crc) =
            (u32_from(self.buf.get(at..).unwrap_or(&[]), 0), u32_from(self.buf.get(at..).unwrap_or(&[]), 4));
        if len < 16
            || !len.is_multiple_of(8)
            || len as u64 > super::MAX_MTR_BYTES + BLOCK
            || !self.fill(len as usize)?
        {
            return Ok(None);
        }
        let at = self.at;
        let lsn = self.base + at as u64;
        let body = self.buf.get(at + 8..at + len as usize).unwrap_or(&[]);
        if verify && frame_crc(crc32c::crc32c(body), len, lsn) != crc {
            return Ok(None);
        }
        self.at += len as usize;
        Ok(Some(FrameRef { end: Lsn(lsn + len as u64), body: self.buf.get(at + 8..at + len as usize).unwrap_or(&[]) }))
    }
}
