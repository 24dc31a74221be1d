//! [`PageOp`]: the only way a page changes, running or in redo, and the log encoding of ops.
//!
//! [`apply`] is a deterministic function of (page bytes, op). A page that refuses an op is left as it was. The encoding is
//! one byte of kind (bit 7: same page as the record before), the page as two varints where it changes, then the fields as
//! LEB128 varints and length-prefixed bytes; `ReplaceAt` is logged as the difference to the record it replaces.
//! Layout to the byte: `docs/format.md`. Neither [`decode`] nor [`apply`] trusts its input.

use super::header::PageType;
use super::{PAGE_SIZE, PageBuf, field};
use crate::attached::Place;
use crate::error::{Result, StorageError};
use crate::redo::mark;
use base::{Lsn, PageId, PageNo, SpaceId};
use smallvec::SmallVec;

/// A change of one page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageOp<'a> {
    /// Empties the page and gives it a type; prev and next become "none", high key none.
    Init {
        /// New type.
        ty: PageType,
        /// Height above the leaves.
        level: u8,
        /// Owning index, 0 where that means nothing.
        index_id: u64,
    },
    /// Inserts a record (see [`write_record`]) before slot `slot`.
    InsertAt {
        /// 0..=slot_count.
        slot: u16,
        /// `[key_len u16][key][payload]`.
        rec: &'a [u8],
    },
    /// Removes a record.
    DeleteAt {
        /// 0..slot_count.
        slot: u16,
    },
    /// Replaces a record as a whole; logged as a diff.
    ReplaceAt {
        /// 0..slot_count.
        slot: u16,
        /// `[key_len u16][key][payload]`.
        rec: &'a [u8],
    },
    /// What `ReplaceAt` becomes in the log: keep `prefix` bytes at the start and `suffix` at the end of the old record.
    ReplaceDiff {
        /// 0..slot_count.
        slot: u16,
        /// Bytes kept at the start.
        prefix: u16,
        /// Bytes kept at the end.
        suffix: u16,
        /// New bytes between them.
        middle: &'a [u8],
    },
    /// Overwrites bytes in place. Not the first 24 bytes (checksum, identity, type, LSN); on index pages neither the slot
    /// bookkeeping (40..52) nor slots or free space. On an index page it must not change key bytes.
    Patch {
        /// Offset on the page.
        offset: u16,
        /// New bytes.
        bytes: &'a [u8],
    },
    /// Inserts several records before slot `slot`: `recs` = `[len u16][record]` one after the other, in key order.
    InsertMany {
        /// 0..=slot_count.
        slot: u16,
        /// Records with their lengths.
        recs: &'a [u8],
    },
    /// Removes all records from `slot` on and compacts the heap.
    TruncateFrom {
        /// 0..=slot_count.
        slot: u16,
    },
    /// Sets (or with `None` removes) the high key.
    SetHighKey {
        /// Keys >= this live to the right.
        key: Option<&'a [u8]>,
    },
}

/// A change of the file system, logged without a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileRec {
    /// The tablespace's file exists from here on.
    Create {
        /// Tablespace.
        space: SpaceId,
    },
    /// The tablespace is gone from here on; its pages in the log no longer matter.
    Delete {
        /// Tablespace.
        space: SpaceId,
    },
}

/// One record of a mini-transaction's log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogRec<'a> {
    /// A page change.
    Page(PageId, PageOp<'a>),
    /// A file change.
    File(FileRec),
    /// The log was durable up to here (`redo::mark`).
    Mark(Lsn),
    /// Bytes for another file ([`crate::attached`]).
    Attached(Place, &'a [u8]),
}

/// Appends a record `[key_len u16][key][payload]`. The key must be shorter than 64 KiB (it is: a page has 16).
pub fn write_record(to: &mut Vec<u8>, key: &[u8], payload: &[u8]) {
    to.extend_from_slice(&(key.len() as u16).to_le_bytes());
    to.extend_from_slice(key);
    to.extend_from_slice(payload);
}

/// Applies an op. `Err(PageFull)` when a record does not fit, `CorruptPage` when the op makes no sense on this page
/// (slot out of range, malformed record, patch outside the allowed ranges); in both cases the page is unchanged.
pub fn apply(page: &mut PageBuf, op: &PageOp<'_>) -> Result<()> {
    let id = page.id();
    let refuse = |why| StorageError::CorruptPage { page: id, why };
    match *op {
        PageOp::Init { ty, level, index_id } => {
            page.init(ty, level, index_id);
            Ok(())
        }
        PageOp::InsertAt { slot, rec } => {
            if page.page_type() != PageType::Index || slot as usize > page.slot_count() {
                return Err(refuse("insert at a slot that cannot be"));
            }
            super::slotted::valid_record(rec).ok_or_else(|| refuse("malformed record"))?;
            page.slot_insert(slot as usize, rec).ok_or(StorageError::PageFull)
        }
        PageOp::DeleteAt { slot } => {
            page.slot_delete(slot as usize).ok_or_else(|| refuse("delete of a slot that is not there"))
        }
        PageOp::ReplaceAt { slot, rec } => {
            if slot as usize >= page.slot_count() {
                return Err(refuse("replace of a slot that is not there"));
            }
            super::slotted::valid_record(rec).ok_or_else(|| refuse("malformed record"))?;
            page.slot_replace(slot as usize, rec).ok_or(StorageError::PageFull)
        }
        PageOp::ReplaceDiff { slot, prefix, suffix, middle } => {
            let old = page.record(slot as usize);
            let bad = || refuse("diff longer than the record");
            let keep = prefix as usize + suffix as usize;
            if keep > old.len() || keep + middle.len() > PAGE_SIZE {
                return Err(bad());
            }
            let mut rec = SmallVec::<[u8; 512]>::with_capacity(keep + middle.len());
            rec.extend_from_slice(old.get(..prefix as usize).ok_or_else(bad)?);
            rec.extend_from_slice(middle);
            rec.extend_from_slice(old.get(old.len() - suffix as usize..).ok_or_else(bad)?);
            apply(page, &PageOp::ReplaceAt { slot, rec: &rec })
        }
        PageOp::Patch { offset, bytes } => {
            let (from, to) = (offset as usize, offset as usize + bytes.len());
            let ok = if page.page_type() == PageType::Index {
                (from >= field::PREV && to <= field::N_SLOTS)
                    || (from >= field::USER && to <= super::HEADER_SIZE)
                    || (from >= page.u16_at(field::HEAP_TOP) as usize && from >= super::HEADER_SIZE)
            } else {
                from >= field::PREV
            };
            if !ok {
                return Err(refuse("patch outside the allowed range"));
            }
            page.put(from, bytes).ok_or_else(|| refuse("patch leaves the page"))
        }
        PageOp::InsertMany { slot, recs } => insert_many(page, slot as usize, recs),
        PageOp::TruncateFrom { slot } => {
            if page.page_type() != PageType::Index {
                return Err(refuse("truncate of a page without slots"));
            }
            page.slots_truncate(slot as usize).ok_or_else(|| refuse("truncate at a slot that is not there"))
        }
        PageOp::SetHighKey { key } => {
            if page.page_type() != PageType::Index {
                return Err(refuse("high key on a page without slots"));
            }
            page.set_high_key(key).ok_or(StorageError::PageFull)
        }
    }
}

fn insert_many(page: &mut PageBuf, slot: usize, recs: &[u8]) -> Result<()> {
    let refuse = |why| StorageError::CorruptPage { page: page.id(), why };
    if page.page_type() != PageType::Index || slot > page.slot_count() {
        return Err(refuse("insert at a slot that cannot be"));
    }
    // First look whether all fit, so that a refusal leaves the page unchanged.
    let mut need = 0;
    let mut rest = recs;
    while let Some((len, r)) = rest.split_first_chunk::<2>() {
        let (rec, r) =
            r.split_at_checked(u16::from_le_bytes(*len) as usize).ok_or_else(|| refuse("record list cut short"))?;
        super::slotted::valid_record(rec).ok_or_else(|| refuse("malformed record"))?;
        need += rec.len() + super::SLOT_SIZE;
        rest = r;
    }
    if !rest.is_empty() {
        return Err(refuse("record list cut short"));
    }
    if page.total_free() < need {
        return Err(StorageError::PageFull);
    }
    let (mut at, mut rest) = (slot, recs);
    while let Some((len, r)) = rest.split_first_chunk::<2>() {
        let Some((rec, r)) = r.split_at_checked(u16::from_le_bytes(*len) as usize) else { break };
        page.slot_insert(at, rec).ok_or(StorageError::PageFull)?;
        at += 1;
        rest = r;
    }
    Ok(())
}

// ---- log encoding ----

const SAME_PAGE: u8 = 0x80;
const END: u8 = 0;
const INIT: u8 = 1;
const INSERT: u8 = 2;
const DELETE: u8 = 3;
const REPLACE: u8 = 4;
const PATCH: u8 = 5;
const INSERT_MANY: u8 = 6;
const TRUNCATE: u8 = 7;
const HIGH_KEY: u8 = 8;
const NO_HIGH_KEY: u8 = 9;
const FILE_CREATE: u8 = 32;
const FILE_DELETE: u8 = 33;
const MARK: u8 = mark::MAGIC[0];
const ATTACHED: u8 = 35;
/// Kind, file u32, offset u64 of an attached record; the bytes' length as a varint and the bytes follow.
const PLACE_BYTES: usize = 13;

pub(crate) fn put_varint(to: &mut Vec<u8>, mut v: u64) {
    while v >= 0x80 {
        to.push(v as u8 | 0x80);
        v >>= 7;
    }
    to.push(v as u8);
}

fn put_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(to, bytes.len() as u64);
    to.extend_from_slice(bytes);
}

/// Appends the log record of `op` on page `id`, whose bytes BEFORE the op are `before`. `last` carries the page of the
/// record before within the same mini-transaction (start with `None`).
pub fn encode(to: &mut Vec<u8>, last: &mut Option<PageId>, id: PageId, op: &PageOp<'_>, before: &PageBuf) {
    let same = *last == Some(id);
    *last = Some(id);
    let kind = |to: &mut Vec<u8>, k: u8| {
        to.push(if same { k | SAME_PAGE } else { k });
        if !same {
            put_varint(to, id.space.0 as u64);
            put_varint(to, id.page.0 as u64);
        }
    };
    match *op {
        PageOp::Init { ty, level, index_id } => {
            kind(to, INIT);
            to.extend_from_slice(&[ty as u8, level]);
            put_varint(to, index_id);
        }
        PageOp::InsertAt { slot, rec } => {
            kind(to, INSERT);
            put_varint(to, slot as u64);
            put_bytes(to, rec);
        }
        PageOp::DeleteAt { slot } => {
            kind(to, DELETE);
            put_varint(to, slot as u64);
        }
        PageOp::ReplaceAt { slot, rec } => {
            let old = before.record(slot as usize);
            let prefix = old.iter().zip(rec).take_while(|(a, b)| a == b).count();
            let (old_rest, rec_rest) = (old.get(prefix..).unwrap_or(&[]), rec.get(prefix..).unwrap_or(&[]));
            let suffix = old_rest.iter().rev().zip(rec_rest.iter().rev()).take_while(|(a, b)| a == b).count();
            let middle = rec_rest.get(..rec_rest.len() - suffix).unwrap_or(&[]);
            put_replace(to, kind, slot, prefix as u16, suffix as u16, middle);
        }
        PageOp::ReplaceDiff { slot, prefix, suffix, middle } => put_replace(to, kind, slot, prefix, suffix, middle),
        PageOp::Patch { offset, bytes } => {
            kind(to, PATCH);
            put_varint(to, offset as u64);
            put_bytes(to, bytes);
        }
        PageOp::InsertMany { slot, recs } => {
            kind(to, INSERT_MANY);
            put_varint(to, slot as u64);
            put_bytes(to, recs);
        }
        PageOp::TruncateFrom { slot } => {
            kind(to, TRUNCATE);
            put_varint(to, slot as u64);
        }
        PageOp::SetHighKey { key: Some(key) } => {
            kind(to, HIGH_KEY);
            put_bytes(to, key);
        }
        PageOp::SetHighKey { key: None } => kind(to, NO_HIGH_KEY),
    }
}

fn put_replace(to: &mut Vec<u8>, kind: impl Fn(&mut Vec<u8>, u8), slot: u16, prefix: u16, suffix: u16, middle: &[u8]) {
    kind(to, REPLACE);
    put_varint(to, slot as u64);
    put_varint(to, prefix as u64);
    put_varint(to, suffix as u64);
    put_bytes(to, middle);
}

/// Appends the log record of a file change.
pub fn encode_file(to: &mut Vec<u8>, rec: FileRec) {
    let (kind, space) = match rec {
        FileRec::Create { space } => (FILE_CREATE, space),
        FileRec::Delete { space } => (FILE_DELETE, space),
    };
    to.push(kind);
    put_varint(to, space.0 as u64);
}

/// Appends an attached record without its place.
pub fn encode_attached(to: &mut Vec<u8>, bytes: &[u8]) {
    to.push(ATTACHED);
    to.extend_from_slice(&[0; PLACE_BYTES - 1]);
    put_varint(to, bytes.len() as u64);
    to.extend_from_slice(bytes);
}

/// The bytes of the attached record that a body begins with.
pub fn attached(body: &mut [u8]) -> Option<&mut [u8]> {
    let all = body.len();
    let mut rest: &[u8] = body.get(PLACE_BYTES..)?;
    let len = usize::try_from(take_varint(&mut rest)?).ok()?;
    let at = all - rest.len();
    body.get_mut(at..at.checked_add(len)?)
}

/// Sets the place of the attached record that a body begins with.
pub fn set_place(body: &mut [u8], place: Place) {
    if let Some([_, file @ .., _, _, _, _, _, _, _, _]) = body.first_chunk_mut::<PLACE_BYTES>() {
        file.copy_from_slice(&place.file.to_le_bytes());
    }
    if let Some(offset) = body.get_mut(5..PLACE_BYTES) {
        offset.copy_from_slice(&place.offset.to_le_bytes());
    }
}

fn take_varint(from: &mut &[u8]) -> Option<u64> {
    let (mut v, mut shift) = (0u64, 0);
    loop {
        let (b, rest) = from.split_first()?;
        *from = rest;
        if shift >= 63 && *b > 1 {
            return None;
        }
        v |= ((b & 0x7f) as u64) << shift;
        if b & 0x80 == 0 {
            return Some(v);
        }
        shift += 7;
        if shift > 63 {
            return None;
        }
    }
}

fn take_u16(from: &mut &[u8]) -> Option<u16> {
    take_varint(from)?.try_into().ok()
}

fn take_u32(from: &mut &[u8]) -> Option<u32> {
    take_varint(from)?.try_into().ok()
}

fn take_u8(from: &mut &[u8]) -> Option<u8> {
    let (b, rest) = from.split_first()?;
    *from = rest;
    Some(*b)
}

fn take_bytes<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = usize::try_from(take_varint(from)?).ok()?;
    let (bytes, rest) = from.split_at_checked(len)?;
    *from = rest;
    Some(bytes)
}

/// Whether a record that begins with this byte is a change of a file other than a page: those stand first in a body.
pub fn is_file_record(kind: u8) -> bool {
    matches!(kind, FILE_CREATE | FILE_DELETE | ATTACHED)
}

/// Takes the next record off the front of a mini-transaction's log body; `Ok(None)` at its end. `last` as in [`encode`].
/// Anything that cannot be is `CorruptLog` (its LSN is 0 here; the caller knows better).
pub fn decode<'a>(from: &mut &'a [u8], last: &mut Option<PageId>) -> Result<Option<LogRec<'a>>> {
    decode_opt(from, last).ok_or(StorageError::CorruptLog { lsn: Lsn(0), why: "record makes no sense" })
}

fn decode_opt<'a>(from: &mut &'a [u8], last: &mut Option<PageId>) -> Option<Option<LogRec<'a>>> {
    let Some(kind) = take_u8(from) else { return Some(None) };
    match kind {
        END => return if from.iter().all(|b| *b == 0) { Some(None) } else { None },
        FILE_CREATE => {
            return Some(Some(LogRec::File(FileRec::Create { space: SpaceId(take_u32(from)?) })));
        }
        FILE_DELETE => {
            return Some(Some(LogRec::File(FileRec::Delete { space: SpaceId(take_u32(from)?) })));
        }
        ATTACHED => {
            let (file, rest) = from.split_first_chunk()?;
            let (offset, rest) = rest.split_first_chunk()?;
            *from = rest;
            let place = Place { file: u32::from_le_bytes(*file), offset: u64::from_le_bytes(*offset) };
            return Some(Some(LogRec::Attached(place, take_bytes(from)?)));
        }
        MARK => {
            let rest = from.strip_prefix(mark::MAGIC.get(1..)?)?;
            let (lsn, rest) = rest.split_first_chunk()?;
            *from = rest;
            return Some(Some(LogRec::Mark(Lsn(u64::from_le_bytes(*lsn)))));
        }
        _ => {}
    }
    let id =
        if kind & SAME_PAGE != 0 { (*last)? } else { PageId::new(SpaceId(take_u32(from)?), PageNo(take_u32(from)?)) };
    *last = Some(id);
    let op = match kind & !SAME_PAGE {
        INIT => {
            PageOp::Init { ty: PageType::from_u8(take_u8(from)?)?, level: take_u8(from)?, index_id: take_varint(from)? }
        }
        INSERT => PageOp::InsertAt { slot: take_u16(from)?, rec: take_bytes(from)? },
        DELETE => PageOp::DeleteAt { slot: take_u16(from)? },
        REPLACE => PageOp::ReplaceDiff {
            slot: take_u16(from)?,
            prefix: take_u16(from)?,
            suffix: take_u16(from)?,
            middle: take_bytes(from)?,
        },
        PATCH => PageOp::Patch { offset: take_u16(from)?, bytes: take_bytes(from)? },
        INSERT_MANY => PageOp::InsertMany { slot: take_u16(from)?, recs: take_bytes(from)? },
        TRUNCATE => PageOp::TruncateFrom { slot: take_u16(from)? },
        HIGH_KEY => PageOp::SetHighKey { key: Some(take_bytes(from)?) },
        NO_HIGH_KEY => PageOp::SetHighKey { key: None },
        _ => return None,
    };
    Some(Some(LogRec::Page(id, op)))
}
