//! Undo records as bytes; pure code. `docs/format.md` has the layout.
//!
//! ```text
//! [len u16][prev u16][kind u8][trx_id 6][undo_no 6] then by kind
//! INSERT       table id, key
//! UPDATE       table id, key, old trx_id 6, old roll_ptr 7, old flags and row as (prefix, suffix, middle) of the new ones,
//!              index entries (index id, old key?, new key?), long columns that only the old version refers to
//! COMMIT       nothing
//! ROLLED_BACK  nothing
//! PREPARED     XA identifier: format id, global part, branch part
//! ```
//! Integers without a width are LEB128. `len` counts the whole record, `prev` is the offset of the record before on the
//! same page (0: none). Bit 7 of `kind` is set when the record has been undone by a rollback. A written record never moves
//! and, apart from that bit (and bit 6, "its long columns have been freed"), never changes until purge gives its page back.

use super::Xid;
use crate::row::BlobRef;
use base::{IndexId, PageNo, TableId, TrxId};
use std::ops::Range;

/// Bytes before the part that depends on the kind.
pub const HEADER: usize = 17;
/// Offset of the kind byte.
pub const KIND_AT: usize = 4;
/// Set in the kind byte when a rollback has undone the record.
pub const UNDONE: u8 = 0x80;
/// Set in the kind byte when purge has freed the long columns.
pub const FREED: u8 = 0x40;

/// What a record tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A clustered record was inserted where none was.
    Insert = 1,
    /// A clustered record was changed, delete-marked, or inserted over a delete-marked one.
    Update = 2,
    /// The transaction committed.
    Commit = 3,
    /// The transaction was rolled back completely.
    RolledBack = 4,
    /// XA PREPARE: recovery keeps the transaction instead of rolling it back, unless the record is marked as undone.
    Prepared = 5,
}

/// Where the older version of a record is: in the record's 7 system bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RollPtr {
    /// The record was inserted: there is no older version.
    pub insert: bool,
    /// Page in the undo tablespace.
    pub page: PageNo,
    /// Offset of the undo record.
    pub offset: u16,
}

impl RollPtr {
    /// Stored form.
    pub fn to_bytes(self) -> [u8; 7] {
        let p = self.page.0.to_be_bytes();
        let o = self.offset.to_be_bytes();
        [if self.insert { 0x80 } else { 0 }, p[0], p[1], p[2], p[3], o[0], o[1]]
    }

    /// From the stored form.
    pub fn from_bytes(b: [u8; 7]) -> RollPtr {
        RollPtr {
            insert: b[0] & 0x80 != 0,
            page: PageNo(u32::from_be_bytes([b[1], b[2], b[3], b[4]])),
            offset: u16::from_be_bytes([b[5], b[6]]),
        }
    }
}

/// Change of one secondary index entry that went with an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryChange<'a> {
    /// Which index.
    pub index: IndexId,
    /// Whole key (with the clustered key) of the entry that was delete-marked.
    pub old: Option<&'a [u8]>,
    /// Whole key of the entry that was inserted or un-delete-marked.
    pub new: Option<&'a [u8]>,
}

/// What an UPDATE record says besides table and key.
#[derive(Clone, Copy, Debug)]
pub struct UpdateUndo<'a> {
    /// trx_id of the older version.
    pub old_trx: TrxId,
    /// Its roll_ptr.
    pub old_roll: RollPtr,
    /// Bytes at the start that both versions share (counted from the flags byte).
    pub prefix: usize,
    /// Bytes at the end that both share.
    pub suffix: usize,
    /// The old bytes between.
    pub middle: &'a [u8],
    entries: &'a [u8],
    n_entries: usize,
    n_blobs: usize,
}

/// A decoded record.
#[derive(Clone, Copy, Debug)]
pub struct UndoRecord<'a> {
    /// Kind without flags.
    pub kind: Kind,
    /// A rollback has undone it.
    pub undone: bool,
    /// Purge has freed its long columns.
    pub freed: bool,
    /// Writer.
    pub trx: TrxId,
    /// Number within the writer's transaction.
    pub undo_no: u64,
    /// Table (0 for COMMIT, ROLLED_BACK and PREPARED).
    pub table: TableId,
    /// Clustered key.
    pub key: &'a [u8],
    /// For [`Kind::Update`].
    pub update: Option<UpdateUndo<'a>>,
    /// For [`Kind::Prepared`]: format id, global part, branch part.
    pub xid: Option<(u64, &'a [u8], &'a [u8])>,
}

fn put_varint(to: &mut Vec<u8>, mut v: u64) {
    while v >= 0x80 {
        to.push(v as u8 | 0x80);
        v >>= 7;
    }
    to.push(v as u8);
}

fn put_bytes(to: &mut Vec<u8>, b: &[u8]) {
    put_varint(to, b.len() as u64);
    to.extend_from_slice(b);
}

/// 48 bits, little-endian.
pub fn put_u48(to: &mut Vec<u8>, v: u64) {
    to.extend_from_slice(v.to_le_bytes().get(..6).unwrap_or(&[]));
}

fn take<'a>(b: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (head, rest) = b.split_at_checked(n)?;
    *b = rest;
    Some(head)
}

fn take_u48(b: &mut &[u8]) -> Option<u64> {
    let s: [u8; 6] = take(b, 6)?.try_into().ok()?;
    Some(u64::from_le_bytes([s[0], s[1], s[2], s[3], s[4], s[5], 0, 0]))
}

fn take_varint(b: &mut &[u8]) -> Option<u64> {
    let (mut v, mut shift) = (0u64, 0u32);
    loop {
        let (&x, rest) = b.split_first()?;
        *b = rest;
        v |= u64::from(x & 0x7f).checked_shl(shift)?;
        if x & 0x80 == 0 {
            return Some(v);
        }
        shift += 7;
    }
}

fn take_bytes<'a>(b: &mut &'a [u8]) -> Option<&'a [u8]> {
    let n = usize::try_from(take_varint(b)?).ok()?;
    take(b, n)
}

/// Builds records in a buffer that is used again and again. `prev` and the length are filled in when the place is known.
pub fn begin(out: &mut Vec<u8>, kind: Kind, trx: TrxId, undo_no: u64) {
    out.clear();
    out.extend_from_slice(&[0, 0, 0, 0, kind as u8]);
    put_u48(out, trx.0);
    put_u48(out, undo_no);
}

/// INSERT record.
pub fn insert(out: &mut Vec<u8>, trx: TrxId, undo_no: u64, table: TableId, key: &[u8]) {
    begin(out, Kind::Insert, trx, undo_no);
    put_varint(out, table.0);
    put_bytes(out, key);
}

/// PREPARED record.
pub fn prepared(out: &mut Vec<u8>, trx: TrxId, undo_no: u64, xid: &Xid) {
    begin(out, Kind::Prepared, trx, undo_no);
    put_varint(out, xid.format_id);
    put_bytes(out, &xid.gtrid);
    put_bytes(out, &xid.bqual);
}

/// Common start and end of two byte strings, which do not overlap: eight bytes at a time, because each change of a row
/// asks twice, and most of a row stays.
pub fn diff(old: &[u8], new: &[u8]) -> (usize, usize) {
    let n = old.len().min(new.len());
    let (words, left) = old.get(..n).unwrap_or_default().as_chunks::<8>();
    let (others, right) = new.get(..n).unwrap_or_default().as_chunks::<8>();
    let differs = words.iter().zip(others).position(|(a, b)| a != b);
    let prefix = match differs.and_then(|i| Some((i, word(words.get(i)?) ^ word(others.get(i)?)))) {
        Some((i, bits)) => i * 8 + bits.trailing_zeros() as usize / 8,
        None => words.len() * 8 + left.iter().zip(right).take_while(|(a, b)| a == b).count(),
    };
    let (o, n) = (old.get(prefix..).unwrap_or_default(), new.get(prefix..).unwrap_or_default());
    let ((left, words), (right, others)) = (o.as_rchunks::<8>(), n.as_rchunks::<8>());
    let both = || words.iter().rev().zip(others.iter().rev());
    let suffix = match both().position(|(a, b)| a != b).and_then(|i| both().nth(i).map(|w| (i, w))) {
        Some((i, (a, b))) => i * 8 + (word(a) ^ word(b)).leading_zeros() as usize / 8,
        None => {
            let whole = words.len().min(others.len()) * 8;
            let rest = |s: &[u8]| s.len() - whole;
            let (o, n) = (o.get(..rest(o)).unwrap_or(left), n.get(..rest(n)).unwrap_or(right));
            whole + o.iter().rev().zip(n.iter().rev()).take_while(|(a, b)| a == b).count()
        }
    };
    (prefix, suffix)
}

fn word(bytes: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*bytes)
}

/// UPDATE record. `old` and `new` are the payloads from the flags byte on.
#[allow(clippy::too_many_arguments)]
pub fn update(
    out: &mut Vec<u8>,
    trx: TrxId,
    undo_no: u64,
    table: TableId,
    key: &[u8],
    (old_trx, old_roll): (TrxId, RollPtr),
    old: &[u8],
    new: &[u8],
    entries: &[EntryChange<'_>],
    blobs: &[BlobRef],
) {
    begin(out, Kind::Update, trx, undo_no);
    put_varint(out, table.0);
    put_bytes(out, key);
    put_u48(out, old_trx.0);
    out.extend_from_slice(&old_roll.to_bytes());
    let (prefix, suffix) = diff(old, new);
    put_varint(out, prefix as u64);
    put_varint(out, suffix as u64);
    put_bytes(out, old.get(prefix..old.len() - suffix).unwrap_or(&[]));
    put_varint(out, entries.len() as u64);
    put_varint(out, blobs.len() as u64);
    for e in entries {
        put_varint(out, e.index.0);
        out.push(u8::from(e.old.is_some()) | u8::from(e.new.is_some()) << 1);
        for key in [e.old, e.new].into_iter().flatten() {
            put_bytes(out, key);
        }
    }
    for b in blobs {
        out.extend_from_slice(&b.to_bytes());
    }
}

/// Decodes a record (all of its `len` bytes). `None`: not a record.
pub fn decode(bytes: &[u8]) -> Option<UndoRecord<'_>> {
    let mut b = bytes.get(KIND_AT..)?;
    let kind = *take(&mut b, 1)?.first()?;
    let trx = TrxId(take_u48(&mut b)?);
    let undo_no = take_u48(&mut b)?;
    let mut rec = UndoRecord {
        kind: match kind & 0x0f {
            1 => Kind::Insert,
            2 => Kind::Update,
            3 => Kind::Commit,
            4 => Kind::RolledBack,
            5 => Kind::Prepared,
            _ => return None,
        },
        undone: kind & UNDONE != 0,
        freed: kind & FREED != 0,
        trx,
        undo_no,
        table: TableId(0),
        key: &[],
        update: None,
        xid: None,
    };
    match rec.kind {
        Kind::Commit | Kind::RolledBack => return Some(rec),
        Kind::Prepared => {
            rec.xid = Some((take_varint(&mut b)?, take_bytes(&mut b)?, take_bytes(&mut b)?));
            return Some(rec);
        }
        Kind::Insert | Kind::Update => {}
    }
    rec.table = TableId(take_varint(&mut b)?);
    rec.key = take_bytes(&mut b)?;
    if rec.kind == Kind::Update {
        rec.update = Some(UpdateUndo {
            old_trx: TrxId(take_u48(&mut b)?),
            old_roll: RollPtr::from_bytes(take(&mut b, 7)?.try_into().ok()?),
            prefix: usize::try_from(take_varint(&mut b)?).ok()?,
            suffix: usize::try_from(take_varint(&mut b)?).ok()?,
            middle: take_bytes(&mut b)?,
            n_entries: usize::try_from(take_varint(&mut b)?).ok()?,
            n_blobs: usize::try_from(take_varint(&mut b)?).ok()?,
            entries: b,
        });
    }
    Some(rec)
}

impl<'a> UpdateUndo<'a> {
    /// The entries of secondary indexes.
    pub fn entries(&self) -> impl Iterator<Item = EntryChange<'a>> + use<'a> {
        let mut b = self.entries;
        (0..self.n_entries).map_while(move |_| take_entry(&mut b))
    }

    /// Long columns that only the older version refers to.
    pub fn blobs(&self) -> impl Iterator<Item = BlobRef> + use<'a> {
        let mut b = self.entries;
        for _ in 0..self.n_entries {
            take_entry(&mut b);
        }
        (0..self.n_blobs).map_while(move |_| BlobRef::from_bytes(take(&mut b, BlobRef::SIZE)?))
    }

    /// Which bytes of the new version (from its flags byte on, `len` long) the old ones replace.
    pub fn replaced(&self, len: usize) -> Option<Range<usize>> {
        let end = len.checked_sub(self.suffix)?;
        (self.prefix <= end).then_some(self.prefix..end)
    }
}

fn take_entry<'a>(b: &mut &'a [u8]) -> Option<EntryChange<'a>> {
    let index = IndexId(take_varint(b)?);
    let which = *take(b, 1)?.first()?;
    let old = if which & 1 != 0 { Some(take_bytes(b)?) } else { None };
    let new = if which & 2 != 0 { Some(take_bytes(b)?) } else { None };
    Some(EntryChange { index, old, new })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// As byte by byte.
        #[test]
        fn common_start_and_end(
            start in proptest::collection::vec(0u8..2, 0..40),
            old in proptest::collection::vec(0u8..2, 0..12),
            new in proptest::collection::vec(0u8..2, 0..12),
            end in proptest::collection::vec(0u8..2, 0..40),
        ) {
            let (a, b) = ([start.clone(), old, end.clone()].concat(), [start, new, end].concat());
            let prefix = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
            let suffix = a[prefix..].iter().rev().zip(b[prefix..].iter().rev()).take_while(|(x, y)| x == y).count();
            prop_assert_eq!(diff(&a, &b), (prefix, suffix));
        }

        #[test]
        fn update_round_trip(
            old in proptest::collection::vec(0u8..4, 0..60),
            new in proptest::collection::vec(0u8..4, 0..60),
            key in proptest::collection::vec(any::<u8>(), 0..20),
            e in proptest::collection::vec((1u64..1 << 40, proptest::option::of(any::<[u8; 5]>()), proptest::option::of(any::<[u8; 3]>())), 0..4),
            n_blobs in 0usize..3,
            trx in 1u64..1 << 48,
        ) {
            let entries: Vec<_> = e.iter().map(|(i, o, n)| EntryChange {
                index: IndexId(*i), old: o.as_ref().map(|o| o.as_slice()), new: n.as_ref().map(|n| n.as_slice()),
            }).collect();
            let blobs: Vec<_> = (0..n_blobs).map(|i| BlobRef { first: PageNo(i as u32 + 7), length: 1 << i, owner: 3 }).collect();
            let roll = RollPtr { insert: trx % 2 == 0, page: PageNo(trx as u32), offset: trx as u16 };
            let mut out = Vec::new();
            update(&mut out, TrxId(trx), 77, TableId(9), &key, (TrxId(trx - 1), roll), &old, &new, &entries, &blobs);
            let rec = decode(&out).unwrap();
            prop_assert_eq!((rec.kind, rec.trx, rec.undo_no, rec.table, rec.key), (Kind::Update, TrxId(trx), 77, TableId(9), key.as_slice()));
            let u = rec.update.unwrap();
            prop_assert_eq!((u.old_trx, u.old_roll), (TrxId(trx - 1), roll));
            prop_assert_eq!(u.entries().collect::<Vec<_>>(), entries);
            prop_assert_eq!(u.blobs().collect::<Vec<_>>(), blobs);
            let mut back = new.clone();
            let range = u.replaced(back.len()).unwrap();
            back.splice(range, u.middle.iter().copied());
            prop_assert_eq!(back, old);
        }

        #[test]
        fn garbage_is_refused_or_read_but_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            if let Some(u) = decode(&bytes).and_then(|r| r.update) {
                let _ = (u.entries().count(), u.blobs().count(), u.replaced(10));
            }
        }
    }
}
