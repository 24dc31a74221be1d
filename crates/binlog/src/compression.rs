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
    /// How much less they take, in percent, rounded to the nearest as MySQL does.
    pub fn percentage(&self) -> i64 {
        match self.unpacked {
            0 => 0,
            n => (100.0 - self.packed as f64 * 100.0 / n as f64).round() as i64,
        }
    }
}

/// A transaction as commits leave it: its GTID's event is read by who looks, since each commit comes by here.
#[derive(Default)]
struct Told {
    kind: u8,
    /// What the event says, without header and checksum.
    gtid: Vec<u8>,
    packed: u64,
    unpacked: u64,
}

impl Told {
    fn is(&mut self, one: &Measured<'_>) {
        (self.kind, self.packed, self.unpacked) = (one.kind, one.packed, one.unpacked);
        self.gtid.clear();
        self.gtid.extend_from_slice(one.gtid);
    }

    fn read(&self) -> Option<One> {
        let gtid = GtidEvent::read(EventType::from_u8(self.kind)?, &self.gtid).ok()?;
        let (packed, unpacked) = (self.packed, self.unpacked);
        Some(One { gtid: gtid.gtid, packed, unpacked, at_us: gtid.immediate_commit })
    }
}

/// The sums of one kind, as they are kept.
#[derive(Default)]
struct Kept {
    count: u64,
    packed: u64,
    unpacked: u64,
    first: Told,
    last: Told,
}

impl Kept {
    fn add(&mut self, one: &Measured<'_>) {
        if self.count == 0 {
            self.first.is(one);
        }
        self.count += 1;
        self.packed += one.packed;
        self.unpacked += one.unpacked;
        self.last.is(one);
    }

    /// `None`: there was none.
    fn sums(&self) -> Option<Sums> {
        let (first, last) = (self.first.read()?, self.last.read()?);
        Some(Sums { count: self.count, packed: self.packed, unpacked: self.unpacked, first, last })
    }
}

/// Those that are compressed, those that are not.
static ALL: Mutex<Option<[Kept; 2]>> = Mutex::new(None);

/// A transaction's sizes, and what its GTID's event says.
struct Measured<'e> {
    compressed: bool,
    kind: u8,
    gtid: &'e [u8],
    packed: u64,
    unpacked: u64,
}

/// A transaction was given its place: whole events, the first of which is its GTID's, and `more` bytes of others.
pub(crate) fn note(events: &[u8], more: u64, checksum: bool) {
    let Some(one) = measured(events, more, checksum) else { return };
    let all = &mut *ALL.lock();
    let [packed, plain] = all.get_or_insert_default();
    if one.compressed { packed } else { plain }.add(&one);
}

/// Whether it is compressed, and what it takes; `None`: no transaction.
fn measured(events: &[u8], more: u64, checksum: bool) -> Option<Measured<'_>> {
    let sum = if checksum { CHECKSUM_LEN } else { 0 };
    let header = Header::read(events).ok()?;
    let kind = header.kind;
    if kind != EventType::Gtid as u8 && kind != EventType::AnonymousGtid as u8 {
        return None;
    }
    let (first, mut rest) = events.split_at_checked(header.size as usize)?;
    let gtid = first.get(HEADER_LEN..first.len().checked_sub(sum)?)?;
    let one = |compressed, packed, unpacked| Some(Measured { compressed, kind, gtid, packed, unpacked });
    let mut bytes = more;
    let mut is_next = true;
    while let Ok(h) = Header::read(rest) {
        if std::mem::take(&mut is_next) && h.kind == EventType::TransactionPayload as u8 {
            let body = rest.get(HEADER_LEN..rest.len().checked_sub(sum)?)?;
            let (packed, unpacked) = payload::sizes(body).ok()?;
            return one(true, packed, unpacked);
        }
        bytes += (h.size as usize).checked_sub(sum)? as u64;
        rest = rest.get(h.size as usize..)?;
    }
    one(false, bytes, bytes)
}

/// The sums: of compressed ones, of others.
pub fn all() -> [Option<Sums>; 2] {
    let all = ALL.lock();
    all.as_ref().map_or([None, None], |[packed, plain]| [packed.sums(), plain.sums()])
}

/// Begins anew.
pub fn reset() {
    *ALL.lock() = None;
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
            let events = transaction(false, checksum);
            let plain = measured(&events, 0, checksum).unwrap();
            assert!(!plain.compressed && plain.packed == plain.unpacked);
            let compressed = transaction(true, checksum);
            let packed = measured(&compressed, 0, checksum).unwrap();
            assert!(packed.compressed && packed.unpacked == plain.unpacked && packed.packed < 200);
            let mut kept = Kept::default();
            assert_eq!(kept.sums(), None);
            kept.add(&plain);
            kept.add(&packed);
            let sums = kept.sums().unwrap();
            let of = |m: &Measured<'_>| One { gtid: None, packed: m.packed, unpacked: m.unpacked, at_us: 77 };
            assert_eq!((sums.first, sums.last), (of(&plain), of(&packed)));
            assert_eq!((sums.count, sums.unpacked), (2, 2 * plain.unpacked));
            assert_eq!(sums.packed, plain.packed + packed.packed);
            let mut twice = Kept::default();
            twice.add(&packed);
            twice.add(&packed);
            let twice = twice.sums().unwrap();
            assert_eq!((twice.count, twice.unpacked), (2, 2 * plain.unpacked));
            assert!(twice.percentage() > 70);
        }
        assert!(measured(b"no event", 0, true).is_none());
    }
}
