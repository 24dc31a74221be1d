//! Bodies of the commands that ask for the binary log, as bytes. What is too short is 1835. Tested with `dump`.

use base::{ErrorCode, SqlError, SqlResult};
use binlog::GtidSet;

fn malformed() -> SqlError {
    SqlError::new(ErrorCode::MALFORMED_PACKET, &[])
}

/// The front of a command's body.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    /// The next `n` bytes.
    fn bytes(&mut self, n: usize) -> SqlResult<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(n).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(front)
    }
    /// An integer of `n` bytes, little endian.
    pub(super) fn uint(&mut self, n: usize) -> SqlResult<u64> {
        Ok(self.bytes(n)?.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
    }
    /// A text with its length in one byte before it.
    pub(super) fn short(&mut self) -> SqlResult<String> {
        let n = self.uint(1)? as usize;
        Ok(String::from_utf8_lossy(self.bytes(n)?).into_owned())
    }
}

/// What a client asks for.
pub(super) struct Request {
    pub(super) flags: u16,
    pub(super) server_id: u32,
    pub(super) file: String,
    pub(super) position: u64,
    /// With GTIDs: what it has.
    pub(super) has: Option<GtidSet>,
}

impl Request {
    /// The body of COM_BINLOG_DUMP or, `with_gtids`, COM_BINLOG_DUMP_GTID. 1835 if it is too short.
    pub(super) fn read(with_gtids: bool, body: &[u8]) -> SqlResult<Request> {
        let mut f = Fields(body);
        if !with_gtids {
            let position = f.uint(4)?;
            let (flags, server_id) = (f.uint(2)? as u16, f.uint(4)? as u32);
            let file = String::from_utf8_lossy(f.0).into_owned();
            return Ok(Request { flags, server_id, file, position, has: None });
        }
        let (flags, server_id) = (f.uint(2)? as u16, f.uint(4)? as u32);
        let n = f.uint(4)? as usize;
        // it ends at a zero byte: some readers send nothing else
        let name = f.bytes(n)?.split(|b| *b == 0).next().unwrap_or_default();
        let file = String::from_utf8_lossy(name).into_owned();
        let position = f.uint(8)?;
        let n = f.uint(4)? as usize;
        let set = GtidSet::decode(f.bytes(n)?).map_err(|_| malformed())?;
        Ok(Request { flags, server_id, file, position, has: Some(set) })
    }
}
