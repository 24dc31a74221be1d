//! What insert, update and delete share: scratch buffers, the values of a stored row, index entries of a row, and the one mtr that
//! changes a clustered record together with its undo record.

use crate::btree::LeafPos;
use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::row::{BlobRef, RowError};
use crate::table::info::{ENTRY_SYSTEM, FLAGS_AT, MAX_INLINE, SYSTEM_BYTES, VERSION_AT};
use crate::table::{Table, external};
use crate::txn::Trx;
use crate::undo::log::MAX_RECORD;
use crate::undo::{EntryChange, record};
use bumpalo::Bump;
use smallvec::SmallVec;
use value::Value;

/// Buffers of a transaction that row operations use again and again.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Clustered key.
    pub(crate) key: Vec<u8>,
    /// Payload as it is now.
    pub(crate) old: Vec<u8>,
    /// Payload to be written.
    pub(crate) new: Vec<u8>,
    /// Undo record.
    pub(crate) undo: Vec<u8>,
    /// Entries of secondary indexes.
    pub(crate) entries: Entries,
    /// Values of the row that is changed; empty between rows.
    pub(crate) arena: Bump,
}

impl Scratch {
    /// Takes the arena back for the next row, unless a long row has made it large.
    pub(crate) fn keep(&mut self, mut arena: Bump) {
        if arena.allocated_bytes() <= 64 << 10 {
            arena.reset();
            self.arena = arena;
        }
    }
}

/// Changes of secondary index entries of one row operation.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    bytes: Vec<u8>,
    list: SmallVec<[EntrySpan; 8]>,
}

type Span = (usize, usize);

#[derive(Debug, Clone, Copy)]
struct EntrySpan {
    index: usize,
    old: Option<Span>,
    new: Option<Span>,
    payload: Span,
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    /// Position of the index.
    pub(crate) index: usize,
    /// Key to delete-mark.
    pub(crate) old: Option<&'a [u8]>,
    /// Key to insert.
    pub(crate) new: Option<&'a [u8]>,
    /// Payload of the new entry.
    pub(crate) payload: &'a [u8],
}

/// A row as values, with references in place of long columns.
#[derive(Debug, Default)]
pub(crate) struct RowValues<'a> {
    pub(crate) values: SmallVec<[Value<'a>; 16]>,
    /// Empty, or one entry per column.
    pub(crate) external: SmallVec<[Option<BlobRef>; 16]>,
}

impl Entries {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.list.clear();
    }

    fn get(&self, s: Span) -> &[u8] {
        self.bytes.get(s.0..s.1).unwrap_or(&[])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.list.iter().map(|e| Entry {
            index: e.index,
            old: e.old.map(|s| self.get(s)),
            new: e.new.map(|s| self.get(s)),
            payload: self.get(e.payload),
        })
    }

    /// As the undo record wants them.
    pub(crate) fn for_undo<'a>(&'a self, table: &'a Table) -> SmallVec<[EntryChange<'a>; 8]> {
        self.iter()
            .filter_map(|e| Some(EntryChange { index: table.indexes.get(e.index)?.id, old: e.old, new: e.new }))
            .collect()
    }

    fn push_key(&mut self, table: &Table, n: usize, row: &[Value<'_>], key: &[u8]) -> Result<Span> {
        let start = self.bytes.len();
        table.encode_parts(n, row, &mut self.bytes)?;
        self.bytes.extend_from_slice(key);
        Ok((start, self.bytes.len()))
    }

    fn push_payload(&mut self, table: &Table, n: usize, row: &[Value<'_>]) -> Result<Span> {
        let start = self.bytes.len();
        table.encode_entry_payload(n, row, &mut self.bytes)?;
        Ok((start, self.bytes.len()))
    }

    /// The entries of multi-valued index `n`: those that only one of the two rows has.
    fn add_elements(
        &mut self,
        table: &Table,
        n: usize,
        old: Option<&[Value<'_>]>,
        new: Option<&[Value<'_>]>,
        key: &[u8],
    ) -> Result<()> {
        let keys = |row: Option<&[Value<'_>]>| row.map_or(Ok(Vec::new()), |row| table.element_keys(n, row, key));
        let (old, new) = (keys(old)?, keys(new)?);
        let start = self.bytes.len();
        self.bytes.resize(start + ENTRY_SYSTEM, 0);
        let payload = (start, self.bytes.len());
        let mut push = |entry: &[u8], is_new: bool| {
            let from = self.bytes.len();
            self.bytes.extend_from_slice(entry);
            let span = Some((from, self.bytes.len()));
            let (old, new) = if is_new { (None, span) } else { (span, None) };
            self.list.push(EntrySpan { index: n, old, new, payload });
        };
        old.iter().filter(|k| new.binary_search(k).is_err()).for_each(|k| push(k, false));
        new.iter().filter(|k| old.binary_search(k).is_err()).for_each(|k| push(k, true));
        Ok(())
    }

    /// The entry of index `n` for a row that goes (`old`), comes (`new`), or changes; none, one or several of a multi-valued index.
    pub(crate) fn add(
        &mut self,
        table: &Table,
        n: usize,
        old: Option<&[Value<'_>]>,
        new: Option<&[Value<'_>]>,
        key: &[u8],
    ) -> Result<()> {
        if table.index(n)?.array.is_some() {
            return self.add_elements(table, n, old, new, key);
        }
        let mut span = EntrySpan { index: n, old: None, new: None, payload: (0, 0) };
        if let Some(row) = old {
            span.old = Some(self.push_key(table, n, row, key)?);
        }
        if let Some(row) = new {
            span.new = Some(self.push_key(table, n, row, key)?);
            span.payload = self.push_payload(table, n, row)?;
        }
        if let (Some(a), Some(row), Some(b)) = (span.old, old, span.new)
            && self.get(a) == self.get(b)
        {
            let before = self.push_payload(table, n, row)?;
            if self.get(before) == self.get(span.payload) {
                return Ok(()); // nothing about this entry changes
            }
        }
        self.list.push(span);
        Ok(())
    }
}

impl Engine {
    /// Copies the payload of a clustered record; `false` if there is none (delete-marked ones are there).
    pub(crate) fn read_clustered(&self, table: &Table, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        out.clear();
        table.tree(0)?.copy(self.store.pool(), key, out)
    }

    /// All columns of a clustered payload. Long columns for which `fetch` says yes are read into the arena; the others are
    /// an empty string with their reference beside.
    pub(crate) fn row_values<'a>(
        &self,
        table: &'a Table,
        payload: &'a [u8],
        arena: &'a Bump,
        fetch: impl Fn(usize) -> bool,
    ) -> Result<RowValues<'a>> {
        let view = table.row_of(payload)?;
        let mut row = RowValues::default();
        for c in 0..table.def.columns.len() {
            match view.value(c, arena) {
                Ok(v) => row.values.push(v),
                Err(RowError::External) => {
                    let blob = view.external(c).ok_or_else(|| table.bad(RowError::Corrupt))?;
                    if fetch(c) {
                        row.values.push(external::read_value(&self.store, table, c, blob, arena)?);
                    } else {
                        row.values.push(Value::Str(b""));
                    }
                    row.external.resize(table.def.columns.len(), None);
                    if let Some(to) = row.external.get_mut(c) {
                        *to = Some(blob);
                    }
                }
                Err(e) => return Err(table.bad(e)),
            }
        }
        Ok(row)
    }

    /// Whether `entry` is the key that a clustered payload has in secondary index `n`.
    pub(crate) fn entry_matches(
        &self,
        table: &Table,
        n: usize,
        payload: &[u8],
        key: &[u8],
        entry: &[u8],
    ) -> Result<bool> {
        let Some(parts) = entry.len().checked_sub(key.len()).and_then(|l| entry.get(..l)) else { return Ok(false) };
        let arena = Bump::new();
        let info = table.index(n)?;
        let view = table.row_of(payload)?;
        let value = |c: u16| match view.value(c as usize, &arena) {
            Err(RowError::External) => {
                let blob = view.external(c as usize).ok_or_else(|| table.bad(RowError::Corrupt))?;
                match table.def.columns.get(c as usize).is_some_and(|c| c.elements.is_some()) {
                    // asked for each entry of the row: it is not checked as a whole each time
                    true => Ok(Value::Json(external::read(&self.store, table, blob, &arena)?)),
                    false => external::read_value(&self.store, table, c as usize, blob, &arena),
                }
            }
            other => other.map_err(|e| table.bad(e)),
        };
        if info.array.is_some() {
            return table.has_element(n, &value, parts);
        }
        let mut built: SmallVec<[u8; 256]> = SmallVec::new();
        let mut part = Vec::new();
        for (i, &c) in info.columns.iter().enumerate() {
            let v = value(c)?;
            part.clear();
            info.encoder.encode_part(i, v, &mut part).map_err(|e| table.bad(e))?;
            built.extend_from_slice(&part);
        }
        Ok(built.as_slice() == parts)
    }
}

/// Moves long columns out and encodes the clustered payload (system bytes zero). New references are added to `row.external`
/// and to `written`.
pub(crate) fn encode_payload(
    engine: &Engine,
    table: &Table,
    key_len: usize,
    row: &mut RowValues<'_>,
    out: &mut Vec<u8>,
    written: &mut SmallVec<[BlobRef; 2]>,
) -> Result<()> {
    let limit = MAX_INLINE.saturating_sub(key_len + SYSTEM_BYTES);
    let already = row.external.iter().flatten().count() * BlobRef::SIZE;
    if table.layout.encoded_len(&row.values) + already > limit {
        let chosen = table.layout.choose_external(&row.values, limit.saturating_sub(already));
        row.external.resize(row.values.len(), None);
        for c in chosen {
            let bytes = row.values.get(c as usize).and_then(|v| v.stored_bytes()).unwrap_or(b"");
            let blob = external::write(&engine.store, table, bytes)?;
            written.push(blob);
            if let Some(to) = row.external.get_mut(c as usize) {
                *to = Some(blob);
            }
        }
    }
    out.clear();
    out.resize(SYSTEM_BYTES, 0);
    if let Some(v) = out.get_mut(VERSION_AT) {
        *v = table.row_version();
    }
    table.layout.encode(&row.values, &row.external, out).map_err(|e| table.bad(e))?;
    if out.len() + key_len > MAX_INLINE + 400 {
        return Err(StorageError::RecordTooLong);
    }
    Ok(())
}

/// Outcome of [`Trx::replace_clustered`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Replaced {
    Done,
    /// The record is no longer the one that was read: look again.
    Changed,
}

/// Bytes that a change of an entry takes in an undo record at most.
fn undo_size(e: &EntryChange<'_>) -> usize {
    16 + [e.old, e.new].into_iter().flatten().map(|k| k.len() + 4).sum::<usize>()
}

impl Trx {
    /// Makes `s.new` of the clustered record `s.old`, whose lock the caller has, and notes the changes of its entries (`s.entries`, to be made
    /// afterwards) and the long columns that only `s.old` has.
    ///
    /// A record of undo has room for some hundred entries. Where a multi-valued index changes in more, those that do not fit go into records
    /// of their own before, each with a version of the row that is the same as `s.old`. Rollback, purge and old snapshots go through them as
    /// through any versions; the entries come after all of them.
    pub(crate) fn change_clustered(
        &mut self,
        engine: &Engine,
        table: &Table,
        s: &mut Scratch,
        blobs: &[BlobRef],
    ) -> Result<Replaced> {
        let entries = std::mem::take(&mut s.entries);
        let done = self.change_with(engine, table, s, &entries.for_undo(table), blobs);
        s.entries = entries;
        done
    }

    fn change_with(
        &mut self,
        engine: &Engine,
        table: &Table,
        s: &mut Scratch,
        changes: &[EntryChange<'_>],
        blobs: &[BlobRef],
    ) -> Result<Replaced> {
        let mut left = changes;
        self.note_update(table, s, left, blobs);
        while s.undo.len() > MAX_RECORD && !left.is_empty() {
            let (room, mut size) = (MAX_RECORD.saturating_sub(s.key.len() + 100), 0);
            let fit = left.iter().take_while(|e| {
                size += undo_size(e);
                size <= room
            });
            let (chunk, rest) = left.split_at(fit.count().max(1));
            let target = std::mem::replace(&mut s.new, s.old.clone());
            self.note_update(table, s, chunk, &[]);
            let done = self.replace_clustered(engine, table, s);
            let same = std::mem::replace(&mut s.new, target);
            if done? == Replaced::Changed {
                return Ok(Replaced::Changed);
            }
            s.old = same;
            left = rest;
            self.note_update(table, s, left, blobs);
        }
        self.replace_clustered(engine, table, s)
    }

    /// Puts the undo record for the change of `s.old` to `s.new` into `s.undo`.
    fn note_update(&self, table: &Table, s: &mut Scratch, entries: &[EntryChange<'_>], blobs: &[BlobRef]) {
        let undo_no = self.undo.as_ref().map_or(0, |u| u.undo_no());
        record::update(
            &mut s.undo,
            self.id,
            undo_no,
            table.id(),
            &s.key,
            (mvcc::trx_id(&s.old), mvcc::roll_ptr(&s.old)),
            s.old.get(FLAGS_AT..).unwrap_or(&[]),
            s.new.get(FLAGS_AT..).unwrap_or(&[]),
            entries,
            blobs,
        );
    }

    /// Replaces the payload of a clustered record whose system bytes are still those of `s.old` by `s.new`, writing the undo
    /// record `s.undo` in the same mtr. The caller has the row's lock.
    pub(crate) fn replace_clustered(&mut self, engine: &Engine, table: &Table, s: &mut Scratch) -> Result<Replaced> {
        let tree = table.tree(0)?;
        let Some(undo) = &mut self.undo else { return Err(StorageError::NotFound) };
        undo.prepare(&engine.undo, s.undo.len())?;
        let mut mtr = engine.store.mtr()?;
        let tail = undo.latch(&mut mtr)?;
        let room = if s.new.len() > s.old.len() { s.new.len() } else { 0 };
        mvcc::set_system(&mut s.new, self.id, undo.next_roll_ptr(false));
        let done = tree.write(&mut mtr, &s.key, room, |pos| {
            if !pos.found() || pos.payload().get(..FLAGS_AT) != s.old.get(..FLAGS_AT) {
                return Ok(Replaced::Changed);
            }
            if s.new.len() == s.old.len() {
                patch_payload(pos, &s.old, &s.new)?;
            } else {
                pos.replace(&s.new)?;
            }
            undo.append(pos.mtr(), tail, &mut s.undo)?;
            Ok(Replaced::Done)
        })?;
        if done == Replaced::Done {
            self.last_lsn = mtr.commit();
            self.shared.count_record();
            table.note_replaced(&s.key, &s.old, &s.new);
        }
        Ok(done)
    }
}

/// Overwrites what differs: the system and flag bytes, and the range of the row that changed.
fn patch_payload(pos: &mut LeafPos<'_, '_, '_>, old: &[u8], new: &[u8]) -> Result<()> {
    pos.patch(0, new.get(..SYSTEM_BYTES).unwrap_or(new))?;
    let (a, b) = (old.get(SYSTEM_BYTES..).unwrap_or(&[]), new.get(SYSTEM_BYTES..).unwrap_or(&[]));
    let (prefix, suffix) = record::diff(a, b);
    match b.get(prefix..b.len() - suffix) {
        Some(middle) if !middle.is_empty() => pos.patch(SYSTEM_BYTES + prefix, middle),
        _ => Ok(()),
    }
}
