//! Changing records: [`BTree::write`] and the simple operations made of it.

use smallvec::SmallVec;

use super::descend::{Notes, Target};
use super::merge::marks_below;
use super::{BTree, MAX_KEY, MAX_RECORD};
use crate::buffer::{ExclPage, SharedPage};
use crate::error::{Result, StorageError};
use crate::mtr::{Mtr, XRef};
use crate::page::{PageBuf, PageOp, record_len, write_record};
use crate::store::Store;

/// A position on a leaf that the caller's mtr holds exclusively: the record with the key, or the place where it belongs.
///
/// The methods that change something may be called once each, and only as far as the room that was asked for reaches.
pub struct LeafPos<'l, 'm, 'p> {
    tree: BTree,
    mtr: &'m mut Mtr<'p>,
    page: XRef,
    slot: usize,
    found: bool,
    key: &'l [u8],
    /// The record's removal left so little that a merge is worth a look.
    sparse: bool,
    /// Pages to the right, latched shared since [`LeafPos::successor`] looked at them.
    right: SmallVec<[SharedPage<'p>; 1]>,
}

impl BTree {
    /// Positions on the leaf of `key` exclusively, in `mtr`, with room for a payload of `room` bytes under the key (0: the
    /// record will not grow), and calls `f` exactly once. The leaf stays latched until the mtr commits.
    ///
    /// The caller may hold undo pages in the mtr, but no page of a tree. When there is no room, the leaf is split first,
    /// in mtrs of the tree's own, while the caller's pages stay latched. `RecordTooLong` when the record could not fit.
    /// On an error of this function itself nothing has been applied.
    pub fn write<'p, R>(
        &self,
        mtr: &mut Mtr<'p>,
        key: &[u8],
        room: usize,
        f: impl FnOnce(&mut LeafPos<'_, '_, 'p>) -> Result<R>,
    ) -> Result<R> {
        let need = if room == 0 { 0 } else { record_len(key.len(), room) };
        if key.len() > MAX_KEY || need > MAX_RECORD {
            return Err(StorageError::RecordTooLong);
        }
        let (store, pool) = (mtr.store(), mtr.pool());
        let mut completed = false;
        loop {
            let mut lag = None;
            let leaf: ExclPage<'p> = self.leaf(pool, Target::At(key), &mut Notes { low: None, lag: Some(&mut lag) })?;
            if let Some(lag) = lag.filter(|_| !completed) {
                // Somebody's split is not finished: add the separator, so that the next one finds the way.
                drop(leaf);
                self.add_separator(store, &lag)?;
                completed = true;
                continue;
            }
            let (slot, found) = leaf.lower_bound(key);
            if need > 0 && !has_room(&leaf, slot, found, need) {
                drop(leaf);
                self.split(store, 0, key, need)?;
                continue;
            }
            let page = mtr.adopt(leaf);
            return f(&mut LeafPos { tree: *self, mtr, page, slot, found, key, sparse: false, right: SmallVec::new() });
        }
    }

    /// Inserts a record in an mtr of its own; `false` when the key is there already.
    pub fn insert(&self, store: &Store, key: &[u8], payload: &[u8]) -> Result<bool> {
        let mut mtr = Mtr::start(store)?;
        let done = self.write(&mut mtr, key, payload.len().max(1), |pos| {
            if pos.found() {
                return Ok(false);
            }
            pos.insert(payload).map(|()| true)
        })?;
        if done {
            mtr.commit();
        }
        Ok(done)
    }

    /// Inserts or replaces a record in an mtr of its own; whether it was new.
    pub fn put(&self, store: &Store, key: &[u8], payload: &[u8]) -> Result<bool> {
        let mut mtr = Mtr::start(store)?;
        let new = self.write(&mut mtr, key, payload.len().max(1), |pos| {
            if pos.found() { pos.replace(payload).map(|()| false) } else { pos.insert(payload).map(|()| true) }
        })?;
        mtr.commit();
        Ok(new)
    }

    /// Removes a record in an mtr of its own, and then merges where that is worth it; `false` when it is not there.
    pub fn remove(&self, store: &Store, key: &[u8]) -> Result<bool> {
        let mut mtr = Mtr::start(store)?;
        let (mut found, mut sparse) = (false, false);
        self.write(&mut mtr, key, 0, |pos| {
            if pos.found() {
                found = pos.delete()?;
                sparse = pos.worth_a_merge();
            }
            Ok(())
        })?;
        mtr.commit();
        if sparse {
            self.merge(store, key)?;
        }
        Ok(found)
    }
}

/// Whether a record of `need` bytes fits in the place of slot `slot` (found) or before it.
pub(super) fn has_room(page: &PageBuf, slot: usize, found: bool, need: usize) -> bool {
    if found { page.fits_replace(slot, need) } else { page.fits(need) }
}

impl<'p> LeafPos<'_, '_, 'p> {
    /// Whether a record with the key is there.
    pub fn found(&self) -> bool {
        self.found
    }

    /// The key looked for.
    pub fn key(&self) -> &[u8] {
        self.key
    }

    /// Payload of the record; empty when there is none.
    pub fn payload(&self) -> &[u8] {
        if self.found { self.mtr.page(self.page).payload(self.slot) } else { &[] }
    }

    /// The caller's mtr, to change pages it latched before (undo).
    pub fn mtr(&mut self) -> &mut Mtr<'p> {
        self.mtr
    }

    /// Key and payload of the first record behind the key (behind the found record); `None`: the key is the last of the
    /// index, the supremum follows. A right page that had to be looked at stays latched shared as long as the position
    /// lives, so the answer stays true while the caller decides.
    pub fn successor(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let next = self.slot + self.found as usize;
        if next < self.mtr.page(self.page).slot_count() {
            let page = self.mtr.page(self.page);
            return Ok(Some((page.key(next), page.payload(next))));
        }
        let mut right = self.mtr.page(self.page).next();
        if self.right.is_empty() {
            while right.is_some() {
                let page = self.mtr.pool().read(self.tree.id(right))?;
                if !self.tree.owns(&page, 0) {
                    return Err(self.tree.corrupt(right, "right link leads out of the tree"));
                }
                let more = page.slot_count() == 0;
                right = page.next();
                self.right.push(page);
                if !more {
                    break;
                }
            }
        }
        Ok(self.right.last().filter(|p| p.slot_count() > 0).map(|p| (p.key(0), p.payload(0))))
    }

    /// Key of the record before the position, if it is on the same page.
    pub fn predecessor_on_page(&self) -> Option<&[u8]> {
        self.slot.checked_sub(1).map(|s| self.mtr.page(self.page).key(s))
    }

    /// Inserts the record; the key must not be there.
    pub fn insert(&mut self, payload: &[u8]) -> Result<()> {
        let mut rec: SmallVec<[u8; 512]> = SmallVec::new();
        self.record(payload, &mut rec);
        self.mtr.apply(self.page, PageOp::InsertAt { slot: self.slot as u16, rec: &rec })?;
        self.found = true;
        Ok(())
    }

    /// Replaces the record's payload.
    pub fn replace(&mut self, payload: &[u8]) -> Result<()> {
        let mut rec: SmallVec<[u8; 512]> = SmallVec::new();
        self.record(payload, &mut rec);
        self.mtr.apply(self.page, PageOp::ReplaceAt { slot: self.slot as u16, rec: &rec })
    }

    fn record(&self, payload: &[u8], to: &mut SmallVec<[u8; 512]>) {
        to.extend_from_slice(&(self.key.len() as u16).to_le_bytes());
        to.extend_from_slice(self.key);
        to.extend_from_slice(payload);
    }

    /// Overwrites bytes of the record's payload in place, from `offset` in the payload.
    pub fn patch(&mut self, offset: usize, bytes: &[u8]) -> Result<()> {
        let page = self.mtr.page(self.page);
        let start =
            page.payload_offset(self.slot).filter(|_| self.found && offset + bytes.len() <= self.payload().len());
        let start = start.ok_or_else(|| self.tree.corrupt(page.id().page, "patch outside the record"))?;
        self.mtr.apply(self.page, PageOp::Patch { offset: (start + offset) as u16, bytes })
    }

    /// Removes the record; always `true`.
    pub fn delete(&mut self) -> Result<bool> {
        let before = self.mtr.page(self.page).used();
        self.mtr.apply(self.page, PageOp::DeleteAt { slot: self.slot as u16 })?;
        self.found = false;
        let page = self.mtr.page(self.page);
        self.sparse = page.slot_count() == 0 || marks_below(page.used()) > marks_below(before);
        Ok(true)
    }

    /// Whether the removal has left the leaf so empty that [`BTree::merge`] is worth a look after the mtr's commit.
    pub fn worth_a_merge(&self) -> bool {
        self.sparse
    }
}

/// A record's bytes.
pub(super) fn record(key: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut rec = Vec::with_capacity(record_len(key.len(), payload.len()));
    write_record(&mut rec, key, payload);
    rec
}
