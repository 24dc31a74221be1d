//! Events that begin and end a transaction.
//!
//! ```text
//! transaction = GTID, QUERY "BEGIN", changes, XID            DDL = GTID, QUERY with its text
//! XA          = GTID, QUERY "XA START ...", changes, QUERY "XA END ...", XA_PREPARE; later GTID, QUERY "XA COMMIT ..."
//! ```

use crate::event::{self, EventType, FLAG_IGNORABLE, Stamp};
use crate::gtid::{Gtid, MAX_GNO, Sid};
use crate::le::{Reader, put, put_lenenc};
use crate::{Malformed, Result};

/// What GTID and ANONYMOUS_GTID say of the transaction behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GtidEvent {
    /// Its GTID; none: ANONYMOUS_GTID.
    pub gtid: Option<Gtid>,
    /// Whether statements may be logged as text in it: readers then keep their isolation level.
    pub may_have_statements: bool,
    /// The transaction with this sequence number, and those before, must have been committed before this one begins.
    pub last_committed: u64,
    /// Its number in its file, from 1 on.
    pub sequence_number: u64,
    /// Microseconds since 1970 of the commit on the server that wrote this log.
    pub immediate_commit: u64,
    /// The same on the server where it was committed first.
    pub original_commit: u64,
    /// Bytes of the transaction with this event.
    pub transaction_length: u64,
    /// Version of the server that wrote this log, such as 80400.
    pub immediate_version: u32,
    /// Of the server where it was committed first.
    pub original_version: u32,
}

const OTHER_TIME: u64 = 1 << 55;
const OTHER_VERSION: u32 = 1 << 31;

impl GtidEvent {
    /// Appends it. The transaction's length is what `transaction_length` says.
    pub fn write(&self, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
        let kind = if self.gtid.is_some() { EventType::Gtid } else { EventType::AnonymousGtid };
        let begun = event::begin(out, kind, stamp, 0);
        out.push(u8::from(self.may_have_statements));
        let (sid, gno) = self.gtid.map_or((Sid::default(), 0), |g| (g.sid, g.gno));
        out.extend_from_slice(&sid.0);
        put(out, gno, 8);
        out.push(2);
        put(out, self.last_committed, 8);
        put(out, self.sequence_number, 8);
        match self.immediate_commit == self.original_commit {
            true => put(out, self.immediate_commit, 7),
            false => {
                put(out, self.immediate_commit | OTHER_TIME, 7);
                put(out, self.original_commit, 7);
            }
        }
        put_lenenc(out, self.transaction_length);
        match self.immediate_version == self.original_version {
            true => put(out, u64::from(self.immediate_version), 4),
            false => {
                put(out, u64::from(self.immediate_version | OTHER_VERSION), 4);
                put(out, u64::from(self.original_version), 4);
            }
        }
        event::end(out, begun, checksum);
    }

    /// Reads the body of an event of that type.
    pub fn read(kind: EventType, body: &[u8]) -> Result<GtidEvent> {
        let mut r = Reader(body);
        let may_have_statements = r.u8()? & 1 != 0;
        let sid = Sid(*r.bytes(16)?.as_array().ok_or(Malformed("a UUID cut short"))?);
        let gno = r.u64()?;
        let gtid = (kind == EventType::Gtid).then_some(Gtid { sid, gno });
        if gtid.is_some_and(|g| g.gno == 0 || g.gno > MAX_GNO) {
            return Err(Malformed("a number of a GTID out of range"));
        }
        let (mut last_committed, mut sequence_number) = (0, 0);
        if r.u8()? == 2 {
            (last_committed, sequence_number) = (r.u64()?, r.u64()?);
        }
        let (mut immediate, mut original) = (0, 0);
        let (mut length, mut version, mut original_version) = (0, 0, 0);
        if !r.is_empty() {
            immediate = r.uint(7)?;
            original = if immediate & OTHER_TIME != 0 { r.uint(7)? } else { immediate };
            immediate &= !OTHER_TIME;
        }
        if !r.is_empty() {
            length = r.lenenc()?;
        }
        if !r.is_empty() {
            version = r.u32()?;
            original_version = if version & OTHER_VERSION != 0 { r.u32()? } else { version };
            version &= !OTHER_VERSION;
        }
        Ok(GtidEvent {
            gtid,
            may_have_statements,
            last_committed,
            sequence_number,
            immediate_commit: immediate,
            original_commit: original,
            transaction_length: length,
            immediate_version: version,
            original_version,
        })
    }
}

/// Appends XID.
pub fn xid(number: u64, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let begun = event::begin(out, EventType::Xid, stamp, 0);
    put(out, number, 8);
    event::end(out, begun, checksum);
}

/// The number in an XID event's body.
pub fn read_xid(body: &[u8]) -> Result<u64> {
    Reader(body).u64()
}

/// Type of the pseudo event that stands for the events of a spill ([`crate::service`]). It is in no file.
pub const SPILLED: u8 = 255;

/// Appends the pseudo event for the events of a spill: its number and how many bytes they are.
pub fn spilled(number: u64, length: u64, out: &mut Vec<u8>) {
    let at = out.len();
    let begun = event::begin(out, EventType::Stop, Stamp::default(), 0);
    if let Some(kind) = out.get_mut(at + 4) {
        *kind = SPILLED;
    }
    put(out, number, 8);
    put(out, length, 8);
    event::end(out, begun, false);
}

/// Number and length in its body.
pub fn read_spilled(body: &[u8]) -> Result<(u64, u64)> {
    let mut r = Reader(body);
    Ok((r.u64()?, r.u64()?))
}

/// Appends ROWS_QUERY: the statement whose rows follow.
pub fn rows_query(text: &[u8], stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let begun = event::begin(out, EventType::RowsQuery, stamp, FLAG_IGNORABLE);
    // room for a length that nobody reads: the text goes on to the event's end
    out.push(0);
    out.extend_from_slice(text);
    event::end(out, begun, checksum);
}

/// The text of a ROWS_QUERY event's body.
pub fn read_rows_query(body: &[u8]) -> Result<&[u8]> {
    body.get(1..).ok_or(Malformed("it ends too early"))
}

/// An XA identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XaId<'a> {
    /// formatID
    pub format: u32,
    /// gtrid
    pub global: &'a [u8],
    /// bqual
    pub branch: &'a [u8],
}

/// Appends XA_PREPARE: with `one_phase` the branch is committed with it.
pub fn xa_prepare(id: XaId<'_>, one_phase: bool, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let begun = event::begin(out, EventType::XaPrepare, stamp, 0);
    out.push(u8::from(one_phase));
    put(out, u64::from(id.format), 4);
    put(out, id.global.len() as u64, 4);
    put(out, id.branch.len() as u64, 4);
    out.extend_from_slice(id.global);
    out.extend_from_slice(id.branch);
    event::end(out, begun, checksum);
}

/// The identifier in an XA_PREPARE event's body, and whether it commits in one phase.
pub fn read_xa_prepare(body: &[u8]) -> Result<(XaId<'_>, bool)> {
    let mut r = Reader(body);
    let one_phase = r.u8()? != 0;
    let (format, global, branch) = (r.u32()?, r.u32()? as usize, r.u32()? as usize);
    if global > 64 || branch > 64 {
        return Err(Malformed("an XA identifier that is too long"));
    }
    Ok((XaId { format, global: r.bytes(global)?, branch: r.bytes(branch)? }, one_phase))
}
