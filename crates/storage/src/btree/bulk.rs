//! Building a tree from sorted input: CREATE INDEX, the copy of a rebuilding ALTER TABLE.
//!
//! Records are collected for one leaf at a time; a full leaf is appended at the right edge in one mtr (new page, link and high
//! key of the left neighbour), its separator follows in the next, as after a split. So the tree is valid at every moment, and
//! after a crash [`super::free_tree`] finds every page of a half-built one. All pages are logged (one `InsertMany` each): nothing has to
//! be flushed before the tree is used.
//!
//! The tree must be empty at the start and the builder's alone until [`BulkBuilder::finish`]. No latch is held between calls.
//! Tests: `tests.rs`.

use base::PageNo;

use super::descend::{Lag, Notes, Target};
use super::split::{CAPACITY, separator};
use super::{BTree, MAX_KEY, MAX_RECORD};
use crate::buffer::ExclPage;
use crate::error::{Result, StorageError};
use crate::mtr::Mtr;
use crate::page::{PageOp, PageType, SLOT_SIZE, field, record_len, write_record};
use crate::space::{self, Want};
use crate::store::Store;

/// Bytes of a leaf that are filled at most: 1/16 stays free for later inserts (`innodb_fill_factor` 100).
const FILL: usize = CAPACITY / 16 * 15;
/// From this many leaves on the index gets whole extents.
const SMALL: u64 = 32;

/// A tree being built.
pub struct BulkBuilder<'s> {
    store: &'s Store,
    tree: BTree,
    /// Bytes of a leaf that are filled.
    fill: usize,
    /// Rightmost leaf.
    last: PageNo,
    leaves: u64,
    /// `[len u16][record]` of the leaf being collected.
    recs: Vec<u8>,
    used: usize,
    last_key: Vec<u8>,
    /// High key for the leaf before the one being collected.
    sep: Vec<u8>,
    records: u64,
}

impl<'s> BulkBuilder<'s> {
    /// For an empty tree.
    pub fn new(store: &'s Store, tree: BTree) -> Result<BulkBuilder<'s>> {
        let root = store.pool().read(tree.id(tree.root))?;
        if !tree.owns(&root, 0) || root.slot_count() > 0 {
            return Err(tree.corrupt(tree.root, "bulk load into a tree that is not empty"));
        }
        drop(root);
        Ok(BulkBuilder {
            store,
            tree,
            fill: FILL * store.tuning().fill_factor() / 100,
            last: tree.root,
            leaves: 0,
            recs: Vec::with_capacity(CAPACITY),
            used: 0,
            last_key: Vec::new(),
            sep: Vec::new(),
            records: 0,
        })
    }

    /// Appends a record. Keys must ascend strictly; `false` (nothing happened): this one does not.
    pub fn push(&mut self, key: &[u8], payload: &[u8]) -> Result<bool> {
        if self.records > 0 && key <= self.last_key.as_slice() {
            return Ok(false);
        }
        let len = record_len(key.len(), payload.len());
        if key.len() > MAX_KEY || len > MAX_RECORD {
            return Err(StorageError::RecordTooLong);
        }
        // Behind this record there must be room for a high key, which is at most one byte longer than the record's key.
        let after = self.used + len + SLOT_SIZE;
        if self.used > 0 && (after > self.fill || after + key.len() + 1 > CAPACITY) {
            self.write_leaf()?;
            self.sep = separator(0, &self.last_key, key);
        }
        self.recs.extend_from_slice(&(len as u16).to_le_bytes());
        write_record(&mut self.recs, key, payload);
        self.used += len + SLOT_SIZE;
        self.records += 1;
        self.last_key.clear();
        self.last_key.extend_from_slice(key);
        Ok(true)
    }

    /// Key of the newest record.
    pub fn last_key(&self) -> &[u8] {
        &self.last_key
    }

    /// Writes the last leaf; the number of records.
    pub fn finish(mut self) -> Result<u64> {
        if self.used > 0 {
            self.write_leaf()?;
        }
        Ok(self.records)
    }

    fn write_leaf(&mut self) -> Result<()> {
        // The ticket of this one covers those nested in it.
        let outer = Mtr::start(self.store)?;
        if self.leaves == 0 {
            let mut mtr = Mtr::nested(self.store);
            let x = mtr.x(self.tree.id(self.tree.root))?;
            mtr.apply(x, PageOp::InsertMany { slot: 0, recs: &self.recs })?;
            mtr.commit();
        } else {
            if self.last == self.tree.root {
                self.leave_root()?;
            }
            self.append_leaf()?;
        }
        drop(outer);
        self.leaves += 1;
        self.recs.clear();
        self.used = 0;
        Ok(())
    }

    /// The root stops being a leaf: its records move to a page below it.
    fn leave_root(&mut self) -> Result<()> {
        let mut mtr = Mtr::nested(self.store);
        let x = mtr.x(self.tree.id(self.tree.root))?;
        self.tree.raise_root(mtr, x)?;
        let leaf: ExclPage<'_> = self.tree.leaf(self.store.pool(), Target::Last, &mut Notes::default())?;
        self.last = leaf.id().page;
        Ok(())
    }

    fn append_leaf(&mut self) -> Result<()> {
        let tree = self.tree;
        let mut mtr = Mtr::nested(self.store);
        let x = mtr.x(tree.id(self.last))?;
        let want = Want { owner: tree.index.0, near: self.last, small: self.leaves < SMALL };
        let (right, y) = space::alloc_page(&mut mtr, tree.space, want)?;
        mtr.apply(y, PageOp::Init { ty: PageType::Index, level: 0, index_id: tree.index.0 })?;
        mtr.apply(y, PageOp::InsertMany { slot: 0, recs: &self.recs })?;
        let links: Vec<u8> = self.last.0.to_le_bytes().into_iter().chain(PageNo::NONE.0.to_le_bytes()).collect();
        mtr.apply(y, PageOp::Patch { offset: field::PREV as u16, bytes: &links })?;
        mtr.apply(x, PageOp::SetHighKey { key: Some(&self.sep) })?;
        mtr.apply(x, PageOp::Patch { offset: field::NEXT as u16, bytes: &right.0.to_le_bytes() })?;
        mtr.commit();
        let lag = Lag { level: 0, sep: std::mem::take(&mut self.sep) };
        self.last = right;
        tree.add_separator(self.store, &lag)
    }
}
