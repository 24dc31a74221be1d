//! B-link trees: every table, index and dictionary table is one. Keys are *normalized*: byte strings whose order as
//! bytes is the order of the index.
//!
//! * [`BTree`] only says where a tree is (three numbers); its functions take the buffer pool or an mtr.
//! * [`read`]: reads of one key, locking reads that also see the next key, scans that copy records in batches
//!   ([`Cursor`]).
//! * [`write`]: [`BTree::write`], through which every record is inserted, changed or removed. It latches the leaf
//!   exclusively, makes sure that there is room, and asks its caller what to do there.
//! * [`split`]: splits of full pages. [`merge`]: removal of empty and nearly empty pages. [`bulk`]: building a tree
//!   from sorted input.
//! * [`stats`]: estimates of a range's rows, and statistics from sampled pages. [`check`]: CHECK TABLE. [`free`]:
//!   dropping.
//!
//! # Structure
//! A leaf record is `[key][payload]`, an inner record `[separator][child page, u32]`. The first separator of the
//! leftmost page of a level is empty. Every page but the last of its level has a *high key* and a link to its right
//! neighbour: keys from the high key on are found further right. A separator above leaves is the shortest prefix
//! that tells the two leaves apart: between leaves that end with `apple` and begin with `bear` it is `b`.
//!
//! The root keeps its page number. When it is full, its contents move to a new page, of which the root becomes the
//! parent. The page header's `prev` is for people who look at a dump; no code follows it, so that a split need not
//! change a third page. A backward scan comes to the previous leaf by a descent to "the leaf below this key".
//!
//! # Concurrency
//! **Descent.** Only the leaf is latched, and a read of one key ([`BTree::copy`]) does without that. Inner pages are
//! read without a latch: the page is copied, and the copy counts if the page's version has not changed meanwhile. A
//! step down to a child counts only if the parent's version is still the same *after* the child has been latched
//! (or its version read). After three restarts the descent takes shared latches, each page's before its parent's
//! is released.
//!
//! **Split.** One mtr changes the page and the new one; a second mtr adds the separator to the parent. In between,
//! and after a crash in between, the new page is reached over its left neighbour's link. A writer that has to
//! follow a link adds the missing separator.
//!
//! **Merge.** One mtr changes the two pages and their parent. A page is freed only while all pages that lead to it
//! are latched exclusively and changed. So nobody who was on the way arrives there, and its number may be used
//! again at once.
//!
//! **Latch order**, for the exclusive latches of one mtr and for shared latches taken while it holds one: undo
//! pages; then tree pages, upper level before lower, left before right; then descriptor pages of the space; then
//! new pages. Never pages of two trees. Nobody waits here for a row lock or the log. A page is read from disk under
//! a latch only if it is a neighbour that was in the pool a moment ago and has been evicted since.
//!
//! # Crash
//! Every mtr leaves a valid tree; a split between its two mtrs only lacks the separator.
//!
//! Tests: `tests.rs` (model), `merge_tests.rs`, `stress.rs` (threads).

mod bulk;
mod check;
mod descend;
mod free;
mod merge;
mod read;
mod split;
mod stats;
mod write;

#[cfg(test)]
mod merge_tests;
#[cfg(test)]
mod stress;
#[cfg(test)]
pub(crate) mod test_support;
#[cfg(test)]
mod tests;

use base::{IndexId, PageId, PageNo, SpaceId};

use crate::buffer::BufferPool;
use crate::error::{Result, StorageError};
use crate::mtr::Mtr;
use crate::page::{PageBuf, PageOp, PageType};
use crate::space::{self, Want};

pub use bulk::BulkBuilder;
pub use check::TreeCheck;
pub use free::free_tree;
pub use read::{Cursor, Place};
pub use stats::{Nulls, SampleLimits, SampleView, TreeSample};
pub use write::LeafPos;

/// Longest key in bytes.
pub const MAX_KEY: usize = 3500;
/// Longest leaf record (key, payload and 2 bytes of key length).
pub const MAX_RECORD: usize = 8126;

/// Where a tree is: its root page, and the index that it belongs to. Making one reads no page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BTree {
    /// Tablespace.
    pub space: SpaceId,
    /// Root page, fixed for the life of the tree.
    pub root: PageNo,
    /// Index id, stored on every page.
    pub index: IndexId,
}

impl BTree {
    /// Makes an empty tree in the space, as part of `mtr`.
    pub fn create(mtr: &mut Mtr<'_>, space: SpaceId, index: IndexId) -> Result<BTree> {
        let want = Want { owner: index.0, near: PageNo::NONE, small: true };
        let (root, x) = space::alloc_page(mtr, space, want)?;
        mtr.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: index.0 })?;
        Ok(BTree { space, root, index })
    }

    fn id(&self, page: PageNo) -> PageId {
        PageId::new(self.space, page)
    }

    /// Whether a latched page is one of this tree's at that level.
    fn owns(&self, page: &PageBuf, level: u8) -> bool {
        page.page_type() == PageType::Index && page.index_id() == self.index.0 && page.level() == level
    }

    fn corrupt(&self, page: PageNo, why: &'static str) -> StorageError {
        StorageError::CorruptPage { page: self.id(page), why }
    }

    /// How many levels there are above the leaves: 0 if the root is the only page.
    pub fn height(&self, pool: &BufferPool) -> Result<u8> {
        let root = pool.read(self.id(self.root))?;
        if root.page_type() != PageType::Index || root.index_id() != self.index.0 {
            return Err(self.corrupt(self.root, "not the root of this index"));
        }
        Ok(root.level())
    }
}

/// Child page of an inner record's payload.
fn child_of(payload: &[u8]) -> Option<PageNo> {
    payload.try_into().ok().map(|b| PageNo(u32::from_le_bytes(b)))
}
