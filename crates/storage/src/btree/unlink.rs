//! Removing empty leaves from the tree: purge calls it after it has taken the last record of a leaf.
//!
//! One mtr latches, exclusively and in this order: the parent (level 1), the leaf's left neighbour, the leaf. Nobody waits
//! for a parent or a left neighbour while holding a leaf exclusively, so this cannot deadlock. What was the left neighbour a moment ago
//! may be any page by now, so it is not waited for: when it is taken, everything is let go and tried again. The range of the leaf goes to
//! the right neighbour if that has the same parent (its separator is replaced by the leaf's), otherwise to the left one (whose
//! high key grows). An optimistic reader that was on its way to the leaf fails to validate the parent or the left neighbour.
//!
//! What stays: a leaf that is its parent's only child, and inner pages. A tree that was emptied completely keeps one
//! leaf per level-1 page until it fills again; scans pass over them.

use base::PageNo;

use super::BTree;
use super::descend::{Notes, Target};
use super::write::record;
use crate::buffer::{ExclPage, SharedPage};
use crate::error::Result;
use crate::mtr::Mtr;
use crate::page::{PageOp, PageType, SLOT_SIZE, field};
use crate::space;
use crate::store::Store;

/// Tries while the left neighbour is latched by others.
const ATTEMPTS: usize = 16;

impl BTree {
    /// Unlinks and frees the leaf of `key` if it is empty and its neighbours allow it; whether it was. No latch may be held
    /// and no mtr of the caller may be open.
    pub fn unlink_empty(&self, store: &Store, key: &[u8]) -> Result<bool> {
        for _ in 0..ATTEMPTS {
            if let Some(done) = self.try_unlink(store, key)? {
                return Ok(done);
            }
            std::thread::yield_now();
        }
        Ok(false)
    }

    /// One try; `None`: the left neighbour is latched by somebody.
    fn try_unlink(&self, store: &Store, key: &[u8]) -> Result<Option<bool>> {
        let pool = store.pool();
        // Look without exclusive latches first; also learns the leaf's lower bound.
        let mut low = Vec::new();
        let leaf: SharedPage<'_> = self.leaf(pool, Target::At(key), &mut Notes { low: Some(&mut low), lag: None })?;
        let no = leaf.id().page;
        if leaf.slot_count() > 0 || no == self.root {
            return Ok(Some(false));
        }
        drop(leaf);
        // The left neighbour: the page that holds the keys just below.
        let left = if low.is_empty() {
            None
        } else {
            let page: SharedPage<'_> = self.leaf(pool, Target::Below(&low), &mut Notes::default())?;
            Some(page.id().page)
        };
        self.unlink(store, key, no, left)
    }

    fn unlink(&self, store: &Store, key: &[u8], no: PageNo, left: Option<PageNo>) -> Result<Option<bool>> {
        let mut mtr = Mtr::start(store)?;
        let pool = store.pool();
        let Some(parent) = self.descend::<ExclPage<'_>>(pool, Target::At(key), 1, &mut Notes::default())? else {
            return Ok(Some(false));
        };
        let slot = match parent.lower_bound(key) {
            (slot, true) => slot,
            (slot, false) => slot.wrapping_sub(1),
        };
        let n = parent.slot_count();
        if slot >= n || self.child(&parent, slot)? != no || n < 2 {
            return Ok(Some(false));
        }
        let to_right = slot + 1 < n;
        let parent_key = parent.key(slot).to_vec();
        let right_child = if to_right { Some(self.child(&parent, slot + 1)?) } else { None };
        let p = mtr.adopt(parent);
        let l = match left {
            Some(left) => match mtr.try_x(self.id(left)) {
                Some(l) => Some(l),
                None => return Ok(None),
            },
            None => None,
        };
        let x = mtr.x(self.id(no))?;
        // Everything may have changed since the look.
        let page = mtr.page(x);
        let (next, high) = (page.next(), page.high_key().map(<[u8]>::to_vec));
        let leaf_ok = self.owns(page, 0) && page.slot_count() == 0;
        let left_ok = match l {
            Some(l) => {
                let left = mtr.page(l);
                self.owns(left, 0) && left.next() == no && left.high_key().is_some_and(|h| h == parent_key)
            }
            None => parent_key.is_empty(),
        };
        if !leaf_ok || !left_ok {
            return Ok(Some(false));
        }
        space::prepare_free(&mut mtr, self.space, no)?;
        match (right_child, l) {
            // The right neighbour takes the range; its separator must be there.
            (Some(right), l) if right == next => {
                let rec = record(&parent_key, &right.0.to_le_bytes());
                mtr.apply(p, PageOp::DeleteAt { slot: slot as u16 + 1 })?;
                mtr.apply(p, PageOp::ReplaceAt { slot: slot as u16, rec: &rec })?;
                if let Some(l) = l {
                    mtr.apply(l, PageOp::Patch { offset: field::NEXT as u16, bytes: &next.0.to_le_bytes() })?;
                }
            }
            // The left neighbour takes it; it must be a child of the same parent, with room for the new high key.
            (None, Some(l)) if slot > 0 && self.child(mtr.page(p), slot - 1)? == mtr.id(l).page => {
                let grow = high.as_ref().map_or(0, Vec::len);
                if mtr.page(l).total_free() < grow + SLOT_SIZE {
                    return Ok(Some(false));
                }
                mtr.apply(l, PageOp::SetHighKey { key: high.as_deref() })?;
                mtr.apply(l, PageOp::Patch { offset: field::NEXT as u16, bytes: &next.0.to_le_bytes() })?;
                mtr.apply(p, PageOp::DeleteAt { slot: slot as u16 })?;
            }
            _ => return Ok(Some(false)),
        }
        mtr.apply(x, PageOp::Init { ty: PageType::Free, level: 0, index_id: 0 })?;
        space::free_page(&mut mtr, self.space, no)?;
        mtr.commit();
        Ok(Some(true))
    }
}
