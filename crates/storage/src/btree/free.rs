//! Giving all pages of a tree back: DROP INDEX, and the old tree after a rebuild in the same space. (DROP TABLE removes the file.)
//!
//! Leaves first, then the level above, the root last, a few pages per mtr. A crash in the middle leaves a tree that can be
//! freed again: pages that are free by then, or that belong to another index by now, are passed over.

use base::{IndexId, PageId, PageNo, SpaceId};

use super::BTree;
use crate::buffer::BufferPool;
use crate::error::{Result, StorageError};
use crate::mtr::Mtr;
use crate::page::{PageOp, PageType};
use crate::space;
use crate::store::Store;

/// Pages freed in one mtr.
const STEP: usize = 16;

/// Frees the tree with this root. Nobody may use it any more. A root that is not a tree's (freed before) is no error.
pub fn free_tree(store: &Store, space: SpaceId, root: PageNo) -> Result<()> {
    let page = store.pool().read(PageId::new(space, root))?;
    let (is_tree, index) = (page.page_type() == PageType::Index, IndexId(page.index_id()));
    drop(page);
    if !is_tree || !space::is_allocated(store.pool(), space, root)? {
        return Ok(());
    }
    BTree { space, root, index }.free(store)
}

impl BTree {
    /// Frees all pages. Nobody may use the tree any more.
    pub fn free(&self, store: &Store) -> Result<()> {
        let pool = store.pool();
        let height = self.height(pool)?;
        // Collect inner levels from the top: they are few (1/300 of the leaves).
        let mut levels: Vec<Vec<PageNo>> = vec![vec![self.root]];
        for level in (1..=height).rev() {
            let mut children = Vec::new();
            for no in levels.last().into_iter().flatten() {
                let page = pool.read(self.id(*no))?;
                if !self.owns(&page, level) {
                    continue;
                }
                for slot in 0..page.slot_count() {
                    children.push(self.child(&page, slot)?);
                }
            }
            self.add_unseparated(pool, &mut children, level - 1)?;
            levels.push(children);
        }
        for level in levels.iter().rev() {
            for pages in level.chunks(STEP) {
                let mut mtr = Mtr::start(store)?;
                // Everything that can fail comes before the first op.
                let mut mine = Vec::with_capacity(STEP);
                for no in pages {
                    let x = mtr.x(self.id(*no))?;
                    let page = mtr.page(x);
                    if page.page_type() == PageType::Index && page.index_id() == self.index.0 {
                        mine.push((*no, x));
                    }
                }
                for (no, _) in &mine {
                    space::prepare_free(&mut mtr, self.space, *no)?;
                }
                for (no, x) in mine {
                    mtr.apply(x, PageOp::Init { ty: PageType::Free, level: 0, index_id: 0 })?;
                    space::free_page(&mut mtr, self.space, no)?;
                }
                mtr.commit();
            }
        }
        Ok(())
    }

    /// Pages that only a right link leads to (a split without its separator).
    fn add_unseparated(&self, pool: &BufferPool, pages: &mut Vec<PageNo>, level: u8) -> Result<()> {
        let known: hashbrown::HashSet<u32> = pages.iter().map(|p| p.0).collect();
        let mut extra = Vec::new();
        for no in pages.iter() {
            let mut at = pool.read(self.id(*no))?;
            while self.owns(&at, level) && at.next().is_some() && !known.contains(&at.next().0) {
                let next = at.next();
                if extra.contains(&next) {
                    return Err(StorageError::CorruptPage { page: self.id(next), why: "right links go in a circle" });
                }
                extra.push(next);
                at = pool.read(self.id(next))?;
            }
        }
        pages.extend(extra);
        Ok(())
    }
}
