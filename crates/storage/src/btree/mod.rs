//! B-link trees over normalized keys: the access path of every table, index and dictionary table.
//!
//! * [`BTree`] is a handle of three numbers; all functions take the pool (or an mtr).
//! * [`read`]: point reads, locking reads that see the successor, batched scans ([`Cursor`]).
//! * [`write`]: [`BTree::write`], the one primitive through which records change: position on a leaf exclusively, with room
//!   guaranteed, and decide.
//! * [`split`]: splits and separators. [`merge`]: pages that are empty or nearly empty go. [`bulk`]: building from sorted input.
//! * [`stats`]: range estimates and sampled statistics. [`check`]: full verification. [`free`]: dropping a tree.
//!
//! # Structure
//! Leaf records are `[key][payload]`, inner records `[separator][child u32]`; the first separator of the leftmost page of a
//! level is empty. Every page but the last of its level has a *high key* (keys >= it live further right) and a right link.
//! A separator on a leaf's parent is the shortest key prefix that tells the two leaves apart. The root keeps its page number:
//! when it is full, its contents move to a new page and the root becomes that page's parent. The header's `prev` is a hint for
//! humans; nothing follows it, so that a split touches no third page. Backward scans descend to "the leaf below this key".
//!
//! # Concurrency
//! A descent latches nothing above the leaf: inner pages are read by validated copies, and a child is trusted once its
//! parent has validated *after* the child's latch or version was taken; after three restarts it couples shared latches.
//! A split is one mtr on the page and the new one; the separator follows in a second mtr. In between, and after a crash in
//! between, the right page is reached over the link; a writer that goes over a link on its way adds the missing separator.
//! A merge is one mtr on the two pages and their parent. A page is freed only while everything that leads to it is latched exclusively
//! and changed, so nobody who is on his way to it arrives, and its number may be used again at once.
//!
//! **Latch order** (all exclusive latches of one mtr, and shared latches taken while one is held): undo pages; then tree
//! pages, upper level before lower, left before right; then descriptor pages of the space; then new pages. Never two trees.
//! Nothing here waits for a row lock or the log; waiting for a page read under a latch happens only when a neighbour that
//! was in the pool a moment ago has been evicted.
//!
//! # Crash
//! Every mtr leaves a valid tree: see above for the missing separator. A merge is one mtr.
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

/// A tree: where its root is and which index it belongs to. `Copy`; says nothing about the pages' contents.
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

    /// Levels above the leaves.
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
