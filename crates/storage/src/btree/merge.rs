//! Giving pages back: what has become empty or nearly empty is merged with a neighbour, on every level, and a root with one child
//! takes its child's place. Purge and rollback call [`BTree::merge`] after a removal that [`super::LeafPos::worth_a_merge`] tells of.
//! Why it is right: `docs/decisions/0035-merging-leaves.md`.
//!
//! # What is done
//! Two neighbours `left` and `right` under one parent: `left` takes the records, high key and right link of `right`, the parent loses
//! the separator, `right` is freed. Where `right` has none of its own to give (an empty page that is its parent's first child), its
//! right neighbour takes the range instead, without moving a record, if the page before is at hand. A root whose only child is at most half full
//! takes the child's records and level. A page that is its parent's only child has no such neighbour: the parent is merged first.
//!
//! # Rules of access
//! No latch is held and no mini-transaction open when `merge` is called. It looks first, one shared latch at a time; then one mtr latches
//! exclusively parent, left, right (the order of the module) and looks again. **Every page that leads to the one that goes (its parent, its left
//! neighbour) is latched exclusively and changed**, so an optimistic reader on its way fails to validate, and one with latches
//! holds the merge up. Hence a freed page may be given to anybody at once. A page before the parent's first child lies under another
//! parent and may be any page by now: it is only tried, never waited for.
//!
//! # Crash
//! One mtr: a crash leaves the tree as before or as after. What is not merged then, is at the next removal nearby.
//!
//! Tests: `tests.rs`, `stress.rs` (threads, power cuts), `engine/tests`, `tests/isolation/test_pages_come_back.py`.

use base::{PageId, PageNo};

use super::BTree;
use super::descend::{Lag, Notes, Target};
use super::split::{CAPACITY, records};
use super::write::record;
use crate::buffer::{BufferPool, ExclPage, SharedPage};
use crate::error::Result;
use crate::mtr::{Mtr, XRef};
use crate::page::{PageBuf, PageOp, PageType, field};
use crate::space;
use crate::store::Store;

/// Tries that came to nothing because somebody changed the pages meanwhile.
const ATTEMPTS: usize = 16;
/// Neighbours that both have records are merged when this much of a page or less is used afterwards: the next inserts do not split it again.
const FULL: usize = CAPACITY / 4 * 3;
/// A root's only child takes its place when it uses no more than this.
const LOW: usize = CAPACITY / 2;

/// How many of the marks at which a merge is worth a look (half a page, a quarter, ...) the bytes used lie below. A page passes each of them
/// once on its way to being empty, so a page whose neighbours are full does not cost a look at every removal.
pub(super) fn marks_below(used: usize) -> u32 {
    (1..=4).filter(|i| used < CAPACITY >> i).count() as u32
}

/// What a page has to offer for a merge.
#[derive(Clone, Copy)]
struct Fill {
    used: usize,
    high: usize,
    slots: usize,
    next: PageNo,
}

impl Fill {
    fn of(page: &PageBuf) -> Fill {
        let high = page.high_key().map_or(0, <[u8]>::len);
        Fill { used: page.used(), high, slots: page.slot_count(), next: page.next() }
    }

    /// Whether `right` should move into the page: they leave room, or one of them has (nearly) nothing and they fit.
    fn takes(&self, right: &Fill, level: u8) -> bool {
        let sum = self.used.saturating_sub(self.high) + right.used;
        let bare = usize::from(level > 0);
        sum <= if self.slots <= bare || right.slots <= bare { CAPACITY } else { FULL }
    }
}

/// What a look without exclusive latches found.
enum Look {
    Nothing,
    /// The root's only child is to take its place.
    Lower,
    /// The page is its parent's only child.
    OnlyChild,
    /// The page moves into its left neighbour.
    IntoLeft,
    /// The right neighbour moves into the page.
    FromRight,
    /// The page is empty, the first child, and behind this page, if any: its range goes to the right neighbour.
    RangeToRight(Option<PageNo>),
    /// A separator is missing.
    Lags(Lag),
}

/// What came of it.
enum Outcome {
    /// It is not as it looked.
    Changed,
    Lags(Lag),
    /// One page less; whether the parent is worth a look now.
    Merged(bool),
}

impl BTree {
    /// Merges the leaf of `key` with a neighbour, if they are empty enough, and so on upwards; whether a page was given back. No latch may be
    /// held and no mtr of the caller may be open.
    pub fn merge(&self, store: &Store, key: &[u8]) -> Result<bool> {
        self.merge_at(store, 0, key)
    }

    fn merge_at(&self, store: &Store, level: u8, key: &[u8]) -> Result<bool> {
        let (mut merged, mut tries) = (false, ATTEMPTS);
        while tries > 0 {
            let outcome = match self.look(store.pool(), level, key)? {
                Look::Nothing => break,
                Look::OnlyChild => {
                    if !self.merge_at(store, level + 1, key)? {
                        break;
                    }
                    Outcome::Merged(false)
                }
                Look::Lower => self.lower_root(store, level)?,
                Look::IntoLeft => self.join(store, level, key, true)?,
                Look::FromRight => self.join(store, level, key, false)?,
                Look::RangeToRight(before) => match self.range_to_right(store, level, key, before)? {
                    Outcome::Changed => self.join(store, level, key, false)?,
                    done => done,
                },
                Look::Lags(lag) => Outcome::Lags(lag),
            };
            match outcome {
                Outcome::Changed => tries -= 1,
                Outcome::Lags(lag) => {
                    self.add_separator(store, &lag)?;
                    tries -= 1;
                }
                Outcome::Merged(parent) => {
                    merged = true;
                    if parent {
                        self.merge_at(store, level + 1, key)?;
                    }
                }
            }
        }
        Ok(merged)
    }

    /// Says what could be done for the page of `key` at `level`, from pages latched one at a time.
    fn look(&self, pool: &BufferPool, level: u8, key: &[u8]) -> Result<Look> {
        let parent: Option<SharedPage<'_>> = self.descend(pool, Target::At(key), level + 1, &mut Notes::default())?;
        let Some(parent) = parent else { return Ok(Look::Nothing) };
        let Some(slot) = slot_of(&parent, key) else { return Ok(Look::Nothing) };
        let n = parent.slot_count();
        let this = self.child(&parent, slot)?;
        let left = slot.checked_sub(1).map(|s| self.child(&parent, s)).transpose()?;
        let right = if slot + 1 < n { Some(self.child(&parent, slot + 1)?) } else { None };
        let low = parent.key(slot).to_vec();
        let is_root = parent.id().page == self.root;
        drop(parent);
        let fill = |no: PageNo| -> Result<Option<Fill>> {
            let page = pool.read(self.id(no))?;
            Ok(self.owns(&page, level).then(|| Fill::of(&page)))
        };
        let Some(mine) = fill(this)? else { return Ok(Look::Nothing) };
        if n == 1 && is_root {
            let page = pool.read(self.id(this))?;
            return Ok(match page.high_key() {
                Some(sep) => Look::Lags(Lag { level, sep: sep.to_vec() }),
                None if mine.used <= LOW => Look::Lower,
                None => Look::Nothing,
            });
        }
        if n == 1 {
            return Ok(Look::OnlyChild);
        }
        if mine.slots == 0 && left.is_none() && right == Some(mine.next) {
            let before = match low.is_empty() {
                true => None,
                false => {
                    let page: Option<SharedPage<'_>> =
                        self.descend(pool, Target::Below(&low), level, &mut Notes::default())?;
                    page.map(|p| p.id().page)
                }
            };
            return Ok(Look::RangeToRight(before));
        }
        if let Some(left) = left.map(fill).transpose()?.flatten()
            && left.takes(&mine, level)
        {
            return Ok(Look::IntoLeft);
        }
        if let Some(right) = right.map(fill).transpose()?.flatten()
            && mine.takes(&right, level)
        {
            return Ok(Look::FromRight);
        }
        Ok(Look::Nothing)
    }

    /// The parent of the page of `key` at `level`, latched exclusively, and the slot that leads to the page.
    fn parent_of<'p>(&self, mtr: &mut Mtr<'p>, level: u8, key: &[u8]) -> Result<Option<(XRef, usize)>> {
        let parent: Option<ExclPage<'p>> =
            self.descend(mtr.pool(), Target::At(key), level + 1, &mut Notes::default())?;
        Ok(parent.and_then(|p| slot_of(&p, key).map(|slot| (mtr.adopt(p), slot))))
    }

    /// Latches a child of a page that is latched exclusively: it cannot be another page's by now.
    fn latch_child(&self, mtr: &mut Mtr<'_>, level: u8, no: PageNo) -> Result<XRef> {
        let x = mtr.x(self.id(no))?;
        if !self.owns(mtr.page(x), level) {
            return Err(self.corrupt(no, "separator leads to a page of another index or level"));
        }
        Ok(x)
    }

    /// Two neighbours become one: the page of `key` and the one to its left (`left`) or right.
    fn join(&self, store: &Store, level: u8, key: &[u8], left: bool) -> Result<Outcome> {
        let mut mtr = Mtr::start(store)?;
        let Some((p, slot)) = self.parent_of(&mut mtr, level, key)? else { return Ok(Outcome::Changed) };
        let Some(slot) = slot.checked_sub(usize::from(left)) else { return Ok(Outcome::Changed) };
        let parent = mtr.page(p);
        if slot + 1 >= parent.slot_count() {
            return Ok(Outcome::Changed);
        }
        let (left_no, right_no) = (self.child(parent, slot)?, self.child(parent, slot + 1)?);
        let sep = parent.key(slot + 1).to_vec();
        let l = self.latch_child(&mut mtr, level, left_no)?;
        if let Some(lag) = self.lag_between(mtr.page(l), level, left_no, right_no, &sep)? {
            return Ok(Outcome::Lags(lag));
        }
        let r = self.latch_child(&mut mtr, level, right_no)?;
        let (to, from) = (mtr.page(l), mtr.page(r));
        if !Fill::of(to).takes(&Fill::of(from), level) {
            return Ok(Outcome::Changed);
        }
        let (at, next) = (to.slot_count() as u16, from.next());
        let high = from.high_key().map(<[u8]>::to_vec);
        let recs = records(from, 0);
        space::prepare_free(&mut mtr, self.space, right_no)?;
        // It fits, so nothing fails from here on.
        mtr.apply(l, PageOp::SetHighKey { key: high.as_deref() })?;
        if !recs.is_empty() {
            mtr.apply(l, PageOp::InsertMany { slot: at, recs: &recs })?;
        }
        mtr.apply(l, PageOp::Patch { offset: field::NEXT as u16, bytes: &next.0.to_le_bytes() })?;
        let before = mtr.page(p).used();
        mtr.apply(p, PageOp::DeleteAt { slot: slot as u16 + 1 })?;
        self.give_back(mtr, r, p, before)
    }

    /// Whether another page lies between two whose separators are neighbours: a split is not finished.
    fn lag_between(
        &self,
        left: &PageBuf,
        level: u8,
        left_no: PageNo,
        right_no: PageNo,
        sep: &[u8],
    ) -> Result<Option<Lag>> {
        match left.high_key() {
            Some(high) if high == sep && left.next() == right_no => Ok(None),
            Some(high) if high < sep && left.next().is_some() => Ok(Some(Lag { level, sep: high.to_vec() })),
            _ => Err(self.corrupt(left_no, "high key and separator disagree")),
        }
    }

    /// The first child of its parent, empty, goes, and the page to its right takes its range. `before`: its left neighbour at
    /// the look.
    fn range_to_right(&self, store: &Store, level: u8, key: &[u8], before: Option<PageNo>) -> Result<Outcome> {
        let mut mtr = Mtr::start(store)?;
        let Some((p, 0)) = self.parent_of(&mut mtr, level, key)? else { return Ok(Outcome::Changed) };
        let parent = mtr.page(p);
        if parent.slot_count() < 2 {
            return Ok(Outcome::Changed);
        }
        let (no, right) = (self.child(parent, 0)?, self.child(parent, 1)?);
        let low = parent.key(0).to_vec();
        let l = match before {
            Some(before) => match mtr.try_x(self.id(before)) {
                Some(l) => Some(l),
                None => return Ok(Outcome::Changed),
            },
            None => None,
        };
        let left_ok = match l.map(|l| mtr.page(l)) {
            Some(left) => self.owns(left, level) && left.next() == no && left.high_key() == Some(&low),
            None => low.is_empty(),
        };
        if !left_ok {
            return Ok(Outcome::Changed);
        }
        let x = self.latch_child(&mut mtr, level, no)?;
        if mtr.page(x).slot_count() > 0 || mtr.page(x).next() != right {
            return Ok(Outcome::Changed);
        }
        space::prepare_free(&mut mtr, self.space, no)?;
        let used = mtr.page(p).used();
        mtr.apply(p, PageOp::DeleteAt { slot: 1 })?;
        // as long as the record it replaces
        mtr.apply(p, PageOp::ReplaceAt { slot: 0, rec: &record(&low, &right.0.to_le_bytes()) })?;
        if let Some(l) = l {
            mtr.apply(l, PageOp::Patch { offset: field::NEXT as u16, bytes: &right.0.to_le_bytes() })?;
        }
        self.give_back(mtr, x, p, used)
    }

    /// Frees `x` and commits; the parent `p` had `before` bytes in use.
    fn give_back(&self, mut mtr: Mtr<'_>, x: XRef, p: XRef, before: usize) -> Result<Outcome> {
        let PageId { page: no, .. } = mtr.id(x);
        mtr.apply(x, PageOp::Init { ty: PageType::Free, level: 0, index_id: 0 })?;
        space::free_page(&mut mtr, self.space, no)?;
        let parent = mtr.page(p);
        let look = parent.slot_count() == 1 || marks_below(parent.used()) > marks_below(before);
        mtr.commit();
        probe::inc(probe::Counter::InnodbBtreeMerges);
        Ok(Outcome::Merged(look))
    }

    /// The root, of the level above `level`, becomes what its only child is.
    fn lower_root(&self, store: &Store, level: u8) -> Result<Outcome> {
        let mut mtr = Mtr::start(store)?;
        let p = mtr.x(self.id(self.root))?;
        let root = mtr.page(p);
        if !self.owns(root, level + 1) || root.slot_count() != 1 {
            return Ok(Outcome::Changed);
        }
        let no = self.child(root, 0)?;
        let x = self.latch_child(&mut mtr, level, no)?;
        let child = mtr.page(x);
        if child.high_key().is_some() || child.used() > LOW {
            return Ok(Outcome::Changed);
        }
        let recs = records(child, 0);
        space::prepare_free(&mut mtr, self.space, no)?;
        mtr.apply(p, PageOp::Init { ty: PageType::Index, level, index_id: self.index.0 })?;
        if !recs.is_empty() {
            mtr.apply(p, PageOp::InsertMany { slot: 0, recs: &recs })?;
        }
        self.give_back(mtr, x, p, 0).map(|_| Outcome::Merged(false))
    }
}

/// The slot of an inner page that leads to `key`.
fn slot_of(page: &PageBuf, key: &[u8]) -> Option<usize> {
    match page.lower_bound(key) {
        (slot, true) => Some(slot),
        (slot, false) => slot.checked_sub(1),
    }
}
