//! The header that all events have, and finished events: where they lie in a file, and their checksum.
//!
//! ```text
//! header = timestamp u32, type u8, server id u32, size u32, end position u32, flags u16       19 bytes
//! event  = header, body, CRC-32 of both u32 (where the file has checksums)
//! ```
//! A transaction's events are made before anybody knows where they will stand. [`begin`] and [`end`] leave room for the
//! position and the checksum; [`place`] fills both in when the place is known.

use crate::{Malformed, Result};

/// Bytes of the header.
pub const HEADER_LEN: usize = 19;
/// Bytes of the checksum.
pub const CHECKSUM_LEN: usize = 4;

/// The file is open: its format description has this flag until the file is closed in order.
pub const FLAG_IN_USE: u16 = 0x1;
/// The statement needs the thread's id (temporary tables).
pub const FLAG_THREAD_SPECIFIC: u16 = 0x4;
/// The statement does not depend on its default schema: `USE` is not needed before it.
pub const FLAG_SUPPRESS_USE: u16 = 0x8;
/// Made for the receiver only; it stands in no file.
pub const FLAG_ARTIFICIAL: u16 = 0x20;
/// Who does not know the type may pass over the event.
pub const FLAG_IGNORABLE: u16 = 0x80;

macro_rules! event_types {
    ($($(#[$doc:meta])* $name:ident = $n:literal),* $(,)?) => {
        /// Types of events that this server writes or reads.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum EventType { $($(#[$doc])* $name = $n),* }

        impl EventType {
            /// The type with this number.
            pub const fn from_u8(n: u8) -> Option<EventType> {
                match n { $($n => Some(EventType::$name),)* _ => None }
            }
        }
    };
}

event_types! {
    /// A statement as text.
    Query = 2,
    /// The server stopped in order.
    Stop = 3,
    /// The log goes on in another file.
    Rotate = 4,
    /// LAST_INSERT_ID or the next AUTO_INCREMENT value of the statement that follows.
    Intvar = 5,
    /// The next block of a file that LOAD DATA read.
    AppendBlock = 9,
    /// LOAD DATA failed: its file is not needed.
    DeleteFile = 11,
    /// Seeds of RAND() of the statement that follows.
    Rand = 13,
    /// A user variable that the statement that follows reads.
    UserVar = 14,
    /// The first event of a file.
    FormatDescription = 15,
    /// COMMIT of a transaction of the engine.
    Xid = 16,
    /// The first block of a file that LOAD DATA read.
    BeginLoadQuery = 17,
    /// LOAD DATA with the file from blocks.
    ExecuteLoadQuery = 18,
    /// A number for a table, and its columns.
    TableMap = 19,
    /// Nothing has happened for a while (never in a file).
    Heartbeat = 27,
    /// The statement whose rows follow.
    RowsQuery = 29,
    /// Rows that were inserted.
    WriteRows = 30,
    /// Rows before and after.
    UpdateRows = 31,
    /// Rows that were deleted.
    DeleteRows = 32,
    /// The GTID of the transaction that follows.
    Gtid = 33,
    /// The same without a GTID.
    AnonymousGtid = 34,
    /// The GTIDs of all files before.
    PreviousGtids = 35,
    /// XA PREPARE, or XA COMMIT ... ONE PHASE.
    XaPrepare = 38,
    /// Rows before and after, JSON columns as differences.
    PartialUpdateRows = 39,
    /// Events, compressed.
    TransactionPayload = 40,
    /// A heartbeat for positions beyond 4 GiB.
    HeartbeatV2 = 41,
    /// A GTID with a tag.
    GtidTagged = 42,
}

/// What all events of a statement have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Seconds since 1970: when the statement began.
    pub timestamp: u32,
    /// `server_id` of the server on which it ran first.
    pub server_id: u32,
}

/// An event's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// When and where.
    pub stamp: Stamp,
    /// Number of the type; one that [`EventType`] does not know may be passed over if [`FLAG_IGNORABLE`] is set.
    pub kind: u8,
    /// Bytes of the event with header and checksum.
    pub size: u32,
    /// Where the next event begins in the file, modulo 4 GiB; 0 for events that stand in no file.
    pub end: u32,
    /// `FLAG_...`.
    pub flags: u16,
}

impl Header {
    /// Of the event at the front of `b`.
    pub fn read(b: &[u8]) -> Result<Header> {
        // looked at once for its length: each commit reads headers under the order of commits
        let Some(h) = b.first_chunk::<HEADER_LEN>() else { return Err(Malformed("no room for its header")) };
        let [t0, t1, t2, t3, kind, i0, i1, i2, i3, s0, s1, s2, s3, e0, e1, e2, e3, f0, f1] = *h;
        let (timestamp, server_id) = (u32::from_le_bytes([t0, t1, t2, t3]), u32::from_le_bytes([i0, i1, i2, i3]));
        let (size, end) = (u32::from_le_bytes([s0, s1, s2, s3]), u32::from_le_bytes([e0, e1, e2, e3]));
        let flags = u16::from_le_bytes([f0, f1]);
        if (size as usize) < HEADER_LEN {
            return Err(Malformed("a size smaller than the header"));
        }
        Ok(Header { stamp: Stamp { timestamp, server_id }, kind, size, end, flags })
    }
}

/// An event that is being written: where it begins.
#[derive(Debug)]
#[must_use]
pub struct Begun(usize);

/// Begins an event behind whatever is in `out`.
pub fn begin(out: &mut Vec<u8>, kind: EventType, stamp: Stamp, flags: u16) -> Begun {
    let at = out.len();
    out.extend_from_slice(&stamp.timestamp.to_le_bytes());
    out.push(kind as u8);
    out.extend_from_slice(&stamp.server_id.to_le_bytes());
    out.extend_from_slice(&[0; 8]);
    out.extend_from_slice(&flags.to_le_bytes());
    Begun(at)
}

/// Ends the event whose first byte is byte `at` of `out`, as [`end`] does. It may be taken up again later: cut off the
/// room for the checksum.
pub fn close(out: &mut Vec<u8>, at: usize, checksum: bool) {
    end(out, Begun(at), checksum);
}

/// Gives the event at byte `at` another stamp.
pub fn restamp(out: &mut [u8], at: usize, stamp: Stamp) {
    if let Some(b) = out.get_mut(at..at + 4) {
        b.copy_from_slice(&stamp.timestamp.to_le_bytes());
    }
    if let Some(b) = out.get_mut(at + 5..at + 9) {
        b.copy_from_slice(&stamp.server_id.to_le_bytes());
    }
}

/// The same events without checksums.
pub fn without_checksums(events: &[u8]) -> Vec<u8> {
    let (mut rest, mut out) = (events, Vec::with_capacity(events.len()));
    while let Ok(h) = Header::read(rest) {
        let Some((event, next)) = rest.split_at_checked(h.size as usize) else { break };
        let at = out.len();
        out.extend_from_slice(event.get(..event.len().saturating_sub(CHECKSUM_LEN)).unwrap_or_default());
        end(&mut out, Begun(at), false);
        rest = next;
    }
    out
}

/// Ends it; with `checksum` there is room for one. An event is shorter than 4 GiB: rows are cut into several.
pub fn end(out: &mut Vec<u8>, begun: Begun, checksum: bool) {
    if checksum {
        out.extend_from_slice(&[0; CHECKSUM_LEN]);
    }
    let size = (out.len() - begun.0) as u32;
    if let Some(b) = out.get_mut(begun.0 + 9..begun.0 + 13) {
        b.copy_from_slice(&size.to_le_bytes());
    }
}

/// Gives the events of `events` their position, the first one at byte `at` of its file, and their checksums. Bytes that
/// are no whole event stay as they are (there are none in what [`begin`] and [`end`] made).
pub fn place(events: &mut [u8], at: u64, checksum: bool) {
    let (mut rest, mut at) = (events, at);
    while let Ok(h) = Header::read(rest) {
        let Some((event, next)) = rest.split_at_mut_checked(h.size as usize) else { return };
        at += u64::from(h.size);
        if let Some(b) = event.get_mut(13..17) {
            b.copy_from_slice(&(at as u32).to_le_bytes());
        }
        if checksum {
            seal(event);
        }
        rest = next;
    }
}

/// How many bytes at the front of `b` are whole events.
pub fn whole(b: &[u8]) -> usize {
    let (mut at, mut rest) = (0, b);
    while let Ok(h) = Header::read(rest)
        && let Some(next) = rest.get(h.size as usize..)
    {
        at += h.size as usize;
        rest = next;
    }
    at
}

/// Takes the room for checksums out of events: for a file without them.
pub fn strip(events: &mut Vec<u8>) {
    let mut out = Vec::with_capacity(events.len());
    let mut rest = events.as_slice();
    while let Ok(h) = Header::read(rest)
        && let Some((event, next)) = rest.split_at_checked(h.size as usize)
    {
        let at = out.len();
        out.extend_from_slice(event.get(..event.len().saturating_sub(CHECKSUM_LEN)).unwrap_or_default());
        let size = (out.len() - at) as u32;
        if let Some(b) = out.get_mut(at + 9..at + 13) {
            b.copy_from_slice(&size.to_le_bytes());
        }
        rest = next;
    }
    *events = out;
}

/// Computes the checksum of a whole event, which ends in room for it.
pub fn seal(event: &mut [u8]) {
    if let Some((body, sum)) = event.split_last_chunk_mut::<CHECKSUM_LEN>() {
        *sum = crc32fast::hash(body).to_le_bytes();
    }
}

/// A whole event: header, and body without checksum.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// The header.
    pub header: Header,
    /// What stands between header and checksum.
    pub body: &'a [u8],
    /// All of it.
    pub bytes: &'a [u8],
}

impl<'a> Event<'a> {
    /// The event that `bytes` are, all of them. With `checksum` it ends in one, which must be right.
    pub fn read(bytes: &'a [u8], checksum: bool) -> Result<Event<'a>> {
        let header = Header::read(bytes)?;
        if bytes.len() != header.size as usize {
            return Err(Malformed("another size than its header says"));
        }
        let mut whole = bytes;
        if checksum {
            let (front, sum) = bytes.split_last_chunk::<CHECKSUM_LEN>().ok_or(Malformed("no room for its checksum"))?;
            if crc32fast::hash(front) != u32::from_le_bytes(*sum) {
                return Err(Malformed("its checksum is wrong"));
            }
            whole = front;
        }
        let body = whole.get(HEADER_LEN..).ok_or(Malformed("no room for its header"))?;
        Ok(Event { header, body, bytes })
    }

    /// Its type, if it is one that this server knows.
    pub fn kind(&self) -> Option<EventType> {
        EventType::from_u8(self.header.kind)
    }
}

/// The events of a buffer, in order. Ends after the first that is malformed.
#[derive(Clone, Debug)]
pub struct Events<'a> {
    rest: &'a [u8],
    checksum: bool,
}

impl<'a> Events<'a> {
    /// Of bytes that begin with an event (a file without its [`crate::MAGIC`]).
    pub fn new(bytes: &'a [u8], checksum: bool) -> Events<'a> {
        Events { rest: bytes, checksum }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Event<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let event = Header::read(self.rest).and_then(|h| {
            let (front, rest) = self.rest.split_at_checked(h.size as usize).ok_or(Malformed("it ends too early"))?;
            Ok((Event::read(front, self.checksum)?, rest))
        });
        self.rest = event.as_ref().map_or(&[], |e| e.1);
        Some(event.map(|e| e.0))
    }
}
