//! What transactions take in the log, compressed and not: performance_schema's table
//! `binary_log_transaction_compression_stats`.
//!
//! One set of sums for the process, under a short mutex of its own that nothing else is taken under. They begin anew at
//! a start and with TRUNCATE TABLE. Bytes are those of events without GTID and checksums; of a compressed transaction,
//! of its payload. Tested here and by `tests/binlog/test_compression.py`.

use crate::event::{CHECKSUM_LEN, EventType, HEADER_LEN, Header};
use crate::gtid::Gtid;
use crate::payload;
use crate::transaction::GtidEvent;
use parking_lot::Mutex;

/// A transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct One {
    /// `None`: it has none.
    pub gtid: Option<Gtid>,
    /// Bytes that it takes.
    pub packed: u64,
    /// Bytes that its events are.
    pub unpacked: u64,
    /// Microseconds since 1970.
    pub at_us: u64,
}

/// All of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// How many.
    pub count: u64,
    /// Their bytes.
    pub packed: u64,
    /// Bytes that their events are.
    pub unpacked: u64,
    /// The first.
    pub first: One,
    /// The last.
    pub last: One,
}

impl Sums {
    fn add(this: &mut Option<Sums>, one: One) {
        match this {
            Some(s) => {
                s.count += 1;
                s.packed += one.packed;
                s.unpacked += one.unpacked;
                s.last = one;
            }
            None => {
                let (packed, unpacked) = (one.packed, one.unpacked);
                *this = Some(Sums { count: 1, packed, unpacked, first: one, last: one });
            }
        }
    }

    /// How much less they take, in percent, rounded to the nearest as MySQL does.
    pub fn percentage(&self) -> i64 {
        match self.unpacked {
            0 => 0,
            n => (100.0 - self.packed as f64 * 100.0 / n as f64).round() as i64,
        }
    }
}

/// Those that are compressed, those that are not.
static ALL: Mutex<[Option<Sums>; 2]> = Mutex::new([None, None]);

/// A transaction was given its place: whole events, the first of which is its GTID's, and `more` bytes of others.
pub(crate) fn note(events: &[u8], more: u64, checksum: bool) {
    let Some((compressed, one)) = measured(events, more, checksum) else { return };
    let [packed, plain] = &mut *ALL.lock();
    Sums::add(if compressed { packed } else { plain }, one);
}

/// Whether it is compressed, and what it takes; `None`: no transaction.
fn measured(events: &[u8], more: u64, checksum: bool) -> Option<(bool, One)> {
    let sum = if checksum { CHECKSUM_LEN } else { 0 };
    let header = Header::read(events).ok()?;
    let kind = EventType::from_u8(header.kind)?;
    if !matches!(kind, EventType::Gtid | EventType::AnonymousGtid) {
        return None;
    }
    let (first, mut rest) = events.split_at_checked(header.size as usize)?;
    let gtid = GtidEvent::read(kind, first.get(HEADER_LEN..first.len().checked_sub(sum)?)?).ok()?;
    let one = |packed, unpacked| One { gtid: gtid.gtid, packed, unpacked, at_us: gtid.immediate_commit };
    let next = Header::read(rest).ok();
    if next.is_some_and(|h| h.kind == EventType::TransactionPayload as u8) {
        let body = rest.get(HEADER_LEN..rest.len().checked_sub(sum)?)?;
        let (packed, unpacked) = payload::sizes(body).ok()?;
        return Some((true, one(packed, unpacked)));
    }
    let mut bytes = more;
    while let Ok(h) = Header::read(rest) {
        bytes += (h.size as usize).checked_sub(sum)? as u64;
        rest = rest.get(h.size as usize..)?;
    }
    Some((false, one(bytes, bytes)))
}

/// The sums: of compressed ones, of others.
pub fn all() -> [Option<Sums>; 2] {
    *ALL.lock()
}

/// Begins anew.
pub fn reset() {
    *ALL.lock() = [None, None];
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::event::Stamp;
    use crate::query::Query;

    fn transaction(compressed: bool, checksum: bool) -> Vec<u8> {
        let mut inside = Vec::new();
        for text in [&b"BEGIN"[..], &[b'x'; 500], b"COMMIT"] {
            Query { text, ..Query::default() }.write(Stamp::default(), checksum && !compressed, &mut inside);
        }
        let gtid = GtidEvent {
            gtid: None,
            may_have_statements: false,
            last_committed: 0,
            sequence_number: 1,
            immediate_commit: 77,
            original_commit: 77,
            transaction_length: 0,
            immediate_version: 80_400,
            original_version: 80_400,
        };
        let mut out = Vec::new();
        gtid.write(Stamp::default(), checksum, &mut out);
        match compressed {
            true => assert!(payload::write(&inside, 3, Stamp::default(), checksum, &mut out)),
            false => out.extend(inside),
        }
        out
    }

    #[test]
    fn sizes() {
        for checksum in [false, true] {
            let (compressed, plain) = measured(&transaction(false, checksum), 0, checksum).unwrap();
            assert!(!compressed && plain.packed == plain.unpacked && plain.at_us == 77, "{plain:?}");
            let (compressed, packed) = measured(&transaction(true, checksum), 0, checksum).unwrap();
            assert!(compressed && packed.unpacked == plain.unpacked && packed.packed < 200, "{packed:?}");
            let mut sums = None;
            Sums::add(&mut sums, packed);
            Sums::add(&mut sums, packed);
            let sums = sums.unwrap();
            assert_eq!((sums.count, sums.unpacked), (2, 2 * plain.unpacked));
            assert!(sums.percentage() > 70);
        }
        assert_eq!(measured(b"no event", 0, true), None);
    }
}
