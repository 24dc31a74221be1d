//! Events about the log itself: what begins a file, what ends it, and what a replica is sent that stands in no file.

use crate::event::{self, EventType, FLAG_ARTIFICIAL, FLAG_IGNORABLE, FLAG_IN_USE, HEADER_LEN, Stamp};
use crate::gtid::GtidSet;
use crate::le::{Reader, put, put_lenenc, put_lenenc_bytes};
use crate::{Malformed, Result};

/// Bytes between header and body of the types from 1 on, as MySQL 8.4 writes them.
const POST_HEADER: [u8; 42] = [
    0, 13, 0, 8, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0, 99, 0, 4, 26, 8, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 10, 10, 10, 42, 42, 0,
    18, 52, 0, 10, 40, 0, 0,
];

/// The first event of a file: who wrote it, and whether events have checksums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatDescription {
    /// The server's version, at most 49 bytes count.
    pub server_version: String,
    /// Seconds since 1970; not 0 only in a server's first file after its start: readers drop their temporary tables
    /// then.
    pub created: u32,
    /// Whether events end in a CRC-32. This event always does.
    pub checksum: bool,
    /// The file has not been closed.
    pub in_use: bool,
}

impl FormatDescription {
    /// Appends the event, for byte 4 of a file: its position is set and it is sealed.
    pub fn write(&self, stamp: Stamp, out: &mut Vec<u8>) {
        let at = out.len();
        let flags = if self.in_use { FLAG_IN_USE } else { 0 };
        let begun = event::begin(out, EventType::FormatDescription, stamp, flags);
        put(out, 4, 2);
        let mut version = [0u8; 50];
        for (to, from) in version.iter_mut().take(49).zip(self.server_version.bytes()) {
            *to = from;
        }
        out.extend_from_slice(&version);
        put(out, u64::from(self.created), 4);
        out.push(HEADER_LEN as u8);
        out.extend_from_slice(&POST_HEADER);
        out.push(u8::from(self.checksum));
        event::end(out, begun, true);
        if let Some(e) = out.get_mut(at..) {
            event::place(e, crate::MAGIC.len() as u64, false);
            Self::seal(e);
        }
    }

    /// Computes its checksum, for which the file counts as closed: a server clears the flag without computing it anew.
    pub fn seal(e: &mut [u8]) {
        let flags = e.get(17).copied().unwrap_or(0);
        Self::set_low_flags(e, flags & !(FLAG_IN_USE as u8));
        event::seal(e);
        Self::set_low_flags(e, flags);
    }

    /// Makes the event of a file fit for a reader: it is closed for it. `inside`: the reader does not begin at the
    /// file's beginning; the event then stands in no file for it, and temporary tables stay.
    pub fn for_client(e: &mut [u8], inside: bool) {
        let flags = e.get(17).copied().unwrap_or(0);
        Self::set_low_flags(e, flags & !(FLAG_IN_USE as u8));
        if inside {
            for range in [13..17, HEADER_LEN + 52..HEADER_LEN + 56] {
                if let Some(b) = e.get_mut(range) {
                    b.fill(0);
                }
            }
            event::seal(e);
        }
    }

    fn set_low_flags(e: &mut [u8], to: u8) {
        if let Some(f) = e.get_mut(17) {
            *f = to;
        }
    }

    /// Reads the event, whole.
    pub fn read(bytes: &[u8]) -> Result<FormatDescription> {
        let header = event::Header::read(bytes)?;
        if header.kind != EventType::FormatDescription as u8 {
            return Err(Malformed("a file that does not begin with a format description"));
        }
        let mut closed = bytes.to_vec();
        Self::set_low_flags(&mut closed, header.flags as u8 & !(FLAG_IN_USE as u8));
        let e = event::Event::read(&closed, true)?;
        let mut r = Reader(e.body);
        if r.u16()? != 4 {
            return Err(Malformed("a format of the log other than 4"));
        }
        let version = r.bytes(50)?;
        let version = version.split(|b| *b == 0).next().unwrap_or(&[]);
        let created = r.u32()?;
        if usize::from(r.u8()?) != HEADER_LEN {
            return Err(Malformed("headers of another length"));
        }
        let (algorithm, lengths) = r.rest().split_last().ok_or(Malformed("it ends too early"))?;
        // types up to TRANSACTION_PAYLOAD, as far as the writer knows them, must have the lengths that are read here
        let known = POST_HEADER.iter().zip(lengths).enumerate();
        let read = |i: usize| EventType::from_u8(i as u8 + 1).is_some() && i != 14;
        if known.into_iter().any(|(i, (ours, theirs))| read(i) && ours != theirs) {
            return Err(Malformed("post-headers of another length"));
        }
        if *algorithm > 1 {
            return Err(Malformed("an unknown algorithm of checksums"));
        }
        Ok(FormatDescription {
            server_version: String::from_utf8_lossy(version).into_owned(),
            created,
            checksum: *algorithm == 1,
            in_use: header.flags & FLAG_IN_USE != 0,
        })
    }
}

/// Appends PREVIOUS_GTIDS: everything that the files before hold.
pub fn previous_gtids(set: &GtidSet, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let begun = event::begin(out, EventType::PreviousGtids, stamp, FLAG_IGNORABLE);
    set.encode(out);
    event::end(out, begun, checksum);
}

/// Appends ROTATE: the log goes on at byte `position` of `file`. An artificial one tells a replica where the dump
/// begins.
pub fn rotate(file: &[u8], position: u64, artificial: bool, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let flags = if artificial { FLAG_ARTIFICIAL } else { 0 };
    let begun = event::begin(out, EventType::Rotate, stamp, flags);
    put(out, position, 8);
    out.extend_from_slice(file);
    event::end(out, begun, checksum);
}

/// The file and the position that the body of a ROTATE names.
pub fn read_rotate(body: &[u8]) -> Result<(&[u8], u64)> {
    let mut r = Reader(body);
    let position = r.u64()?;
    Ok((r.rest(), position))
}

/// Appends STOP.
pub fn stop(stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let begun = event::begin(out, EventType::Stop, stamp, 0);
    event::end(out, begun, checksum);
}

/// Appends a heartbeat that can name a position beyond 4 GiB: fields of type, length and value, ended by a 0.
pub fn heartbeat_v2(file: &[u8], position: u64, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let at = out.len();
    let begun = event::begin(out, EventType::HeartbeatV2, stamp, 0);
    out.push(1);
    put_lenenc_bytes(out, file);
    let mut number = Vec::new();
    put_lenenc(&mut number, position);
    out.push(2);
    put_lenenc_bytes(out, &number);
    out.push(0);
    event::end(out, begun, checksum);
    if let Some(e) = out.get_mut(at..).filter(|_| checksum) {
        event::seal(e);
    }
}

/// Appends a heartbeat, for a replica only: nothing is behind byte `position` of `file` yet. Sealed and placed.
pub fn heartbeat(file: &[u8], position: u64, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let at = out.len();
    let begun = event::begin(out, EventType::Heartbeat, stamp, 0);
    out.extend_from_slice(file);
    event::end(out, begun, checksum);
    if let Some(e) = out.get_mut(at..) {
        let size = e.len() as u64;
        event::place(e, position.wrapping_sub(size), checksum);
    }
}
