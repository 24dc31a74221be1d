//! Building a tree from sorted input: CREATE INDEX, ALTER TABLE rebuilds, imports.
//!
//! Leaves are filled to 15/16 one after the other, each written by one mtr (`InsertMany`), and linked to the one before; the
//! levels above grow with them. Nobody else may use the tree until [`BulkBuilder::finish`]. A crash in the middle leaves a
//! tree without a valid root, which belongs to nobody: the DDL log frees its pages ([`super::free_tree`] of the root frees what
//! the root knows of; extents of an index whose creation did not finish are released with the table's next rebuild).
//!
//! Every page is written when its successor is known, so that it gets its right link and high key at once: at any time
//! one page per level is in memory and not yet in the tree.

use base::{IndexId, PageId, PageNo, SpaceId};

use super::split::separator;
use super::{BTree, MAX_KEY, MAX_RECORD};
use crate::error::{Result, StorageError};
use crate::mtr::{Mtr, XRef};
use crate::page::{HEADER_SIZE, PAGE_SIZE, PageOp, PageType, SLOT_SIZE, field, record_len, write_record};
use crate::space::{self, Want};
use crate::store::Store;

/// Bytes of a page to fill; the rest is left for later inserts.
const FILL: usize = (PAGE_SIZE - HEADER_SIZE) / 16 * 15;
/// Leaves of a tree that still gets single pages.
const SMALL: u64 = 32;

/// The open page of one level.
#[derive(Default)]
struct Level {
    /// Its number, allocated when the first record came.
    page: Option<PageNo>,
    prev: Option<PageNo>,
    /// `[len u16][record]...`
    recs: Vec<u8>,
    /// Bytes including slots.
    size: usize,
    n: usize,
    last_key: Vec<u8>,
    /// Lower bound of the page: its separator in the level above.
    low: Vec<u8>,
}

/// Takes records in ascending key order.
pub struct BulkBuilder<'s> {
    store: &'s Store,
    tree: BTree,
    levels: Vec<Level>,
    records: u64,
    leaves: u64,
}

impl<'s> BulkBuilder<'s> {
    /// For an empty tree (made by [`BTree::create`]); its root page keeps its number.
    pub fn new(store: &'s Store, tree: BTree) -> Result<BulkBuilder<'s>> {
        let root = store.pool().read(PageId::new(tree.space, tree.root))?;
        if root.level() != 0 || root.slot_count() != 0 || root.index_id() != tree.index.0 {
            return Err(StorageError::CorruptPage { page: root.id(), why: "bulk build needs an empty tree" });
        }
        Ok(BulkBuilder { store, tree, levels: vec![Level::default()], records: 0, leaves: 0 })
    }

    /// Space of the tree.
    pub fn space(&self) -> SpaceId {
        self.tree.space
    }

    /// Index of the tree.
    pub fn index(&self) -> IndexId {
        self.tree.index
    }

    /// Adds a record; `key` must be above the last one (`false`, and nothing added, if it is not: the caller reports the
    /// duplicate or has sorted wrongly).
    pub fn push(&mut self, key: &[u8], payload: &[u8]) -> Result<bool> {
        if key.len() > MAX_KEY || record_len(key.len(), payload.len()) > MAX_RECORD {
            return Err(StorageError::RecordTooLong);
        }
        if self.records > 0 && self.levels.first().is_some_and(|l| l.last_key.as_slice() >= key) {
            return Ok(false);
        }
        self.add(0, key, payload)?;
        self.records += 1;
        Ok(true)
    }

    /// Adds a record to the open page of a level, closing that page first when it is full.
    fn add(&mut self, level: usize, key: &[u8], payload: &[u8]) -> Result<()> {
        if self.levels.len() == level {
            self.levels.push(Level::default());
        }
        let size = record_len(key.len(), payload.len()) + SLOT_SIZE;
        let Some(l) = self.levels.get(level) else { return Ok(()) };
        // The page must also hold its high key, at most as long as the key that comes next.
        let sep_len = if level == 0 { separator(0, &l.last_key, key).len() } else { key.len() };
        let min = if level == 0 { 1 } else { 2 };
        let over = l.size + size > FILL || l.size + sep_len > PAGE_SIZE - HEADER_SIZE - MAX_KEY;
        if l.n >= min && over {
            let sep = separator(level as u8, &l.last_key, key);
            self.close(level, sep)?;
        }
        let Some(l) = self.levels.get_mut(level) else { return Ok(()) };
        l.recs.extend_from_slice(&((size - SLOT_SIZE) as u16).to_le_bytes());
        write_record(&mut l.recs, key, payload);
        l.size += size;
        l.n += 1;
        l.last_key.clear();
        l.last_key.extend_from_slice(key);
        Ok(())
    }

    /// Writes a full page with its right link, and its separator into the level above.
    fn close(&mut self, level: usize, sep: Vec<u8>) -> Result<()> {
        let mut mtr = Mtr::start(self.store)?;
        let (no, x, next) = {
            let near = self.levels.get(level).and_then(|l| l.page).unwrap_or(PageNo::NONE);
            // Both pages before the first op: an error then leaves nothing half done.
            let (no, x) = self.open_page(&mut mtr, level)?;
            let want = Want {
                owner: self.tree.index.0,
                near: if near.is_some() { near } else { no },
                small: self.leaves < SMALL,
            };
            let got = space::alloc_page(&mut mtr, self.tree.space, want);
            match got {
                Ok((next, y)) => {
                    // The next page exists from now on, empty, so that the link is valid.
                    mtr.apply(
                        y,
                        PageOp::Init { ty: PageType::Index, level: level as u8, index_id: self.tree.index.0 },
                    )?;
                    (no, x, next)
                }
                Err(e) => {
                    // The first page's allocation stands; it is given back with the tree.
                    self.note_page(level, no);
                    mtr.commit();
                    return Err(e);
                }
            }
        };
        self.write_page(&mut mtr, level, x, Some((&sep, next)))?;
        mtr.commit();
        self.leaves += (level == 0) as u64;
        let Some(l) = self.levels.get_mut(level) else { return Ok(()) };
        let low = std::mem::replace(&mut l.low, sep);
        l.recs.clear();
        (l.size, l.n, l.prev, l.page) = (0, 0, Some(no), Some(next));
        self.add(level + 1, &low, &no.0.to_le_bytes())
    }

    fn note_page(&mut self, level: usize, no: PageNo) {
        if let Some(l) = self.levels.get_mut(level) {
            l.page = Some(no);
        }
    }

    /// The level's open page, latched; allocated if it is the level's first.
    fn open_page(&mut self, mtr: &mut Mtr<'_>, level: usize) -> Result<(PageNo, XRef)> {
        if let Some(no) = self.levels.get(level).and_then(|l| l.page) {
            return Ok((no, mtr.x(PageId::new(self.tree.space, no))?));
        }
        let want = Want { owner: self.tree.index.0, near: self.tree.root, small: self.leaves < SMALL };
        let (no, x) = space::alloc_page(mtr, self.tree.space, want)?;
        self.note_page(level, no);
        Ok((no, x))
    }

    /// Writes the level's records to page `x`, with high key and right link.
    fn write_page(&mut self, mtr: &mut Mtr<'_>, level: usize, x: XRef, right: Option<(&[u8], PageNo)>) -> Result<()> {
        let Some(l) = self.levels.get(level) else { return Ok(()) };
        mtr.apply(x, PageOp::Init { ty: PageType::Index, level: level as u8, index_id: self.tree.index.0 })?;
        mtr.apply(x, PageOp::InsertMany { slot: 0, recs: &l.recs })?;
        let prev = l.prev.unwrap_or(PageNo::NONE);
        let next = right.map_or(PageNo::NONE, |r| r.1);
        let links: Vec<u8> = prev.0.to_le_bytes().into_iter().chain(next.0.to_le_bytes()).collect();
        mtr.apply(x, PageOp::Patch { offset: field::PREV as u16, bytes: &links })?;
        if let Some((sep, _)) = right {
            mtr.apply(x, PageOp::SetHighKey { key: Some(sep) })?;
        }
        Ok(())
    }

    /// Writes the open pages; the topmost becomes the root's contents. Returns the number of records.
    pub fn finish(mut self) -> Result<u64> {
        let mut level = 0;
        loop {
            let top = level + 1 == self.levels.len();
            let mut mtr = Mtr::start(self.store)?;
            if top {
                let x = mtr.x(PageId::new(self.tree.space, self.tree.root))?;
                self.write_page(&mut mtr, level, x, None)?;
                mtr.commit();
                return Ok(self.records);
            }
            let (no, x) = self.open_page(&mut mtr, level)?;
            self.write_page(&mut mtr, level, x, None)?;
            mtr.commit();
            let low = self.levels.get_mut(level).map(|l| std::mem::take(&mut l.low)).unwrap_or_default();
            self.add(level + 1, &low, &no.0.to_le_bytes())?;
            level += 1;
        }
    }
}
