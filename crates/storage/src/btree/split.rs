//! Splits and separators.

use base::PageNo;

use super::descend::{Lag, Notes, Target};
use super::write::{has_room, record};
use super::{BTree, child_of};
use crate::buffer::{BufferPool, ExclPage};
use crate::error::Result;
use crate::mtr::{Mtr, XRef};
use crate::page::{HEADER_SIZE, PAGE_SIZE, PageBuf, PageOp, PageType, SLOT_SIZE, field};
use crate::space::{self, Want};
use crate::store::Store;

/// Bytes of a page for slots, records and the high key.
pub(super) const CAPACITY: usize = PAGE_SIZE - HEADER_SIZE;

/// Where to cut a page.
struct Cut {
    /// First slot that moves to the right page.
    slot: usize,
    /// High key of the left page.
    sep: Vec<u8>,
}

impl BTree {
    /// Makes room for a record of `need` bytes under `key` on its page at `level`, as far as one split can; the caller looks
    /// again. Nothing happens when there is room by now.
    pub(super) fn split(&self, store: &Store, level: u8, key: &[u8], need: usize) -> Result<()> {
        let pool = store.pool();
        // Indexes of some size get whole extents; a root of level 1 with few children is small. Asked before anything is latched:
        // it may wait for the root, whose holder (adding a separator) may wait for the very page that is to be split.
        let small = self.is_small(pool)?;
        let mut mtr = Mtr::nested(store);
        let page: ExclPage<'_> = match self.descend(pool, Target::At(key), level, &mut Notes::default())? {
            Some(p) => p,
            None => return Ok(()),
        };
        let (slot, found) = page.lower_bound(key);
        if has_room(&page, slot, found, need) {
            return Ok(());
        }
        let no = page.id().page;
        let x = mtr.adopt(page);
        if no == self.root {
            return self.raise_root(mtr, x);
        }
        let page = mtr.page(x);
        let Some(cut) = plan(page, level, key, slot, found, need) else {
            return Err(self.corrupt(no, "page cannot be split"));
        };
        let moved = records(page, cut.slot);
        let high = page.high_key().map(<[u8]>::to_vec);
        let next = page.next();
        let (right, y) = space::alloc_page(&mut mtr, self.space, Want { owner: self.index.0, near: no, small })?;
        mtr.apply(y, PageOp::Init { ty: PageType::Index, level, index_id: self.index.0 })?;
        mtr.apply(y, PageOp::InsertMany { slot: 0, recs: &moved })?;
        if high.is_some() {
            mtr.apply(y, PageOp::SetHighKey { key: high.as_deref() })?;
        }
        let links: Vec<u8> = no.0.to_le_bytes().into_iter().chain(next.0.to_le_bytes()).collect();
        mtr.apply(y, PageOp::Patch { offset: field::PREV as u16, bytes: &links })?;
        if !moved.is_empty() {
            mtr.apply(x, PageOp::TruncateFrom { slot: cut.slot as u16 })?;
        }
        mtr.apply(x, PageOp::SetHighKey { key: Some(&cut.sep) })?;
        mtr.apply(x, PageOp::Patch { offset: field::NEXT as u16, bytes: &right.0.to_le_bytes() })?;
        mtr.commit();
        probe::inc(probe::Counter::InnodbBtreeSplits);
        #[cfg(test)]
        if tests::forget_separator() {
            return Ok(());
        }
        self.add_separator(store, &Lag { level, sep: cut.sep })
    }

    /// Whether the tree is small enough to get single pages: at most 32 leaves. Reads the root without a latch, but waits while
    /// somebody changes it; wrong answers do no harm.
    fn is_small(&self, pool: &BufferPool) -> Result<bool> {
        let root = pool.optimistic(self.id(self.root))?;
        let racy = root.racy();
        Ok(matches!((racy.level(), racy.slot_count()), (Ok(0), _) | (Ok(1), Ok(0..32))))
    }

    /// The full root's contents move to a new page; the root becomes its parent.
    pub(super) fn raise_root(&self, mut mtr: Mtr<'_>, x: XRef) -> Result<()> {
        let root = mtr.page(x);
        let level = root.level();
        let moved = records(root, 0);
        if root.high_key().is_some() || level == u8::MAX {
            return Err(self.corrupt(self.root, "root with a high key"));
        }
        let want = Want { owner: self.index.0, near: self.root, small: level == 0 };
        let (child, y) = space::alloc_page(&mut mtr, self.space, want)?;
        mtr.apply(y, PageOp::Init { ty: PageType::Index, level, index_id: self.index.0 })?;
        mtr.apply(y, PageOp::InsertMany { slot: 0, recs: &moved })?;
        mtr.apply(x, PageOp::Init { ty: PageType::Index, level: level + 1, index_id: self.index.0 })?;
        mtr.apply(x, PageOp::InsertAt { slot: 0, rec: &record(b"", &child.0.to_le_bytes()) })?;
        mtr.commit();
        Ok(())
    }

    /// Adds the separator of a split to the parent level, if it is missing and a page still begins there. Idempotent.
    pub(super) fn add_separator(&self, store: &Store, lag: &Lag) -> Result<()> {
        let pool = store.pool();
        loop {
            let mut mtr = Mtr::nested(store);
            let parent: ExclPage<'_> =
                match self.descend(pool, Target::At(&lag.sep), lag.level + 1, &mut Notes::default())? {
                    Some(p) => p,
                    None => return Ok(()),
                };
            let (slot, found) = parent.lower_bound(&lag.sep);
            if found {
                return Ok(());
            }
            let Some(right) = self.behind(pool, &parent, slot, lag)? else { return Ok(()) };
            let rec = record(&lag.sep, &right.0.to_le_bytes());
            if !parent.fits(rec.len()) {
                drop(parent);
                drop(mtr);
                self.split(store, lag.level + 1, &lag.sep, rec.len())?;
                #[cfg(test)]
                if tests::DIE_AFTER_INNER_SPLIT.get() {
                    return Ok(());
                }
                continue;
            }
            let x = mtr.adopt(parent);
            mtr.apply(x, PageOp::InsertAt { slot: slot as u16, rec: &rec })?;
            mtr.commit();
            return Ok(());
        }
    }

    /// The page that begins at the separator `lag` tells of; `slot`: where its record belongs on the parent. The pages may be others than
    /// those that were split: what has been noted may have been merged, and even freed and taken for something else. So it is looked for from
    /// the child before, which is one as long as the parent is latched.
    fn behind(&self, pool: &BufferPool, parent: &PageBuf, slot: usize, lag: &Lag) -> Result<Option<PageNo>> {
        let Some(before) = slot.checked_sub(1) else { return Ok(None) };
        let mut no = self.child(parent, before)?;
        let mut page = pool.read(self.id(no))?;
        loop {
            if !self.owns(&page, lag.level) {
                return Err(self.corrupt(no, "separator leads to a page of another index or level"));
            }
            match page.high_key() {
                Some(high) if high == lag.sep.as_slice() => return Ok(Some(page.next())),
                Some(high) if high < lag.sep.as_slice() && page.next().is_some() => {
                    no = page.next();
                    // left before right, the left one until the right one is held
                    page = pool.read(self.id(no))?;
                }
                _ => return Ok(None),
            }
        }
    }

    /// Child in `slot` of an inner page.
    pub(super) fn child(&self, page: &PageBuf, slot: usize) -> Result<PageNo> {
        child_of(page.payload(slot)).ok_or_else(|| self.corrupt(page.id().page, "inner record without a child"))
    }
}

/// The records of a page from a slot on, as `InsertMany` wants them.
pub(super) fn records(page: &PageBuf, from: usize) -> Vec<u8> {
    let mut all = Vec::with_capacity(PAGE_SIZE);
    for i in from..page.slot_count() {
        let rec = page.record(i);
        all.extend_from_slice(&(rec.len() as u16).to_le_bytes());
        all.extend_from_slice(rec);
    }
    all
}

/// Decides where to cut so that a record of `need` bytes for `key` (at `slot`) fits, if one cut can do that; otherwise
/// somewhere that brings it nearer. Ascending inserts leave the left page full.
fn plan(page: &PageBuf, level: u8, key: &[u8], slot: usize, found: bool, need: usize) -> Option<Cut> {
    let n = page.slot_count();
    let high = page.high_key().map_or(0, <[u8]>::len);
    // The page's records with the new one among them.
    let items = n + !found as usize;
    let existing = |i: usize| if found || i < slot { i } else { i - 1 };
    let is_new = |i: usize| i == slot;
    let size = |i: usize| SLOT_SIZE + if is_new(i) { need } else { page.record(existing(i)).len() };
    let key_at = |i: usize| if is_new(i) { key } else { page.key(existing(i)) };
    let total: usize = (0..items).map(size).sum();
    let append = !found && slot == n;
    let mut best: Option<(usize, usize)> = None;
    let mut left = 0;
    for k in 1..items {
        left += size(k - 1);
        let right = total - left;
        if left + key_at(k).len() > CAPACITY || right + high > CAPACITY {
            continue;
        }
        // The right page of an inner level begins with a record that is there: the new one comes later, and until then (for ever, after
        // a crash) keys above the cut must find a child.
        if level > 0 && !found && is_new(k) {
            continue;
        }
        let badness = if append { right } else { left.abs_diff(right) };
        if best.is_none_or(|(b, _)| badness < b) {
            best = Some((badness, k));
        }
    }
    if let Some((_, k)) = best {
        let sep = separator(level, key_at(k - 1), key_at(k));
        let slot = if found || k <= slot { k } else { k - 1 };
        return Some(Cut { slot, sep });
    }
    // No cut gives room at once (three long records): halve what is there.
    let total: usize = (0..n).map(|i| page.record(i).len()).sum();
    let mut left = 0;
    let cut = (1..n).min_by_key(|k| {
        left += page.record(k - 1).len();
        left.abs_diff(total - left)
    })?;
    Some(Cut { slot: cut, sep: separator(level, page.key(cut - 1), page.key(cut)) })
}

/// A key above `left` and not above `right`: on leaves the shortest such prefix of `right`.
pub(super) fn separator(level: u8, left: &[u8], right: &[u8]) -> Vec<u8> {
    if level > 0 {
        return right.to_vec();
    }
    let common = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    right.get(..common + 1).unwrap_or(right).to_vec()
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    thread_local! {
        /// One in so many splits of this thread ends without its separator, as if the process had died there; 0 = none.
        pub(in crate::btree) static FORGET: Cell<u32> = const { Cell::new(0) };
        static COUNT: Cell<u32> = const { Cell::new(0) };
        /// Splits of inner pages of this thread are not followed by the insertion they were made for.
        pub(in crate::btree) static DIE_AFTER_INNER_SPLIT: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn forget_separator() -> bool {
        let (every, n) = (FORGET.get(), COUNT.get());
        COUNT.set(n.wrapping_add(1));
        every > 0 && n % every == 0
    }
}
