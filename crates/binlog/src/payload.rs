//! TRANSACTION_PAYLOAD: a transaction's events, except its GTID, compressed into one.
//!
//! ```text
//! body   = fields, payload
//! fields = (2, length, method)  (3, length, bytes before compression)  (1, length, bytes of the payload)  0
//! ```
//! Numbers are length-encoded. Method 0 is zstd, 255 none. The events inside have no checksums and, as end position,
//! that of the event that holds them.

use crate::event::{self, EventType, Stamp};
use crate::le::{Reader, put_lenenc, put_lenenc_bytes};
use crate::{Malformed, Result};

const ZSTD: u64 = 0;
const NONE: u64 = 255;

/// Appends the event for `events` (without checksums). `level`: zstd's, 1 to 22. `false`: nothing was appended, because
/// compressing does not make it shorter.
pub fn write(events: &[u8], level: i32, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) -> bool {
    let Ok(packed) = zstd::bulk::compress(events, level) else { return false };
    if packed.len() >= events.len() {
        return false;
    }
    let begun = event::begin(out, EventType::TransactionPayload, stamp, 0);
    for (number, n) in [(2, ZSTD), (3, events.len() as u64), (1, packed.len() as u64)] {
        let mut b = Vec::new();
        put_lenenc(&mut b, n);
        out.push(number);
        put_lenenc_bytes(out, &b);
    }
    out.push(0);
    out.extend_from_slice(&packed);
    event::end(out, begun, checksum);
    true
}

/// What the fields say, and the payload.
struct Fields<'a> {
    method: u64,
    /// Bytes before compression.
    before: u64,
    packed: &'a [u8],
}

fn fields(body: &[u8]) -> Result<Fields<'_>> {
    let mut r = Reader(body);
    let (mut method, mut before, mut size) = (NONE, None, None);
    loop {
        let number = r.lenenc()?;
        if number == 0 {
            break;
        }
        let mut value = Reader(r.lenenc_bytes()?);
        match number {
            1 => size = Some(value.lenenc()?),
            2 => method = value.lenenc()?,
            3 => before = Some(value.lenenc()?),
            _ => (),
        }
    }
    let packed = r.rest();
    if size != Some(packed.len() as u64) {
        return Err(Malformed("a payload of another size than it says"));
    }
    Ok(Fields { method, before: before.unwrap_or(packed.len() as u64), packed })
}

/// Bytes of the payload, and of the events inside.
pub fn sizes(body: &[u8]) -> Result<(u64, u64)> {
    let f = fields(body)?;
    Ok((f.packed.len() as u64, f.before))
}

/// The events inside, at most `limit` bytes of them.
pub fn read(body: &[u8], limit: usize) -> Result<Vec<u8>> {
    let Fields { method, before, packed } = fields(body)?;
    let before = usize::try_from(before).unwrap_or(usize::MAX);
    if before > limit {
        return Err(Malformed("a payload larger than is allowed"));
    }
    let events = match method {
        NONE => packed.to_vec(),
        ZSTD => {
            zstd::bulk::decompress(packed, before).map_err(|_| Malformed("a payload that zstd does not understand"))?
        }
        _ => return Err(Malformed("a payload compressed by an unknown method")),
    };
    if events.len() != before {
        return Err(Malformed("a payload of another size than it says"));
    }
    Ok(events)
}
