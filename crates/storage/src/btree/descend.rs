//! From the root to a page: optimistic, and with coupled shared latches when that fails repeatedly.

use std::ops::Deref;

use base::{PageId, PageNo};

use super::BTree;
use crate::buffer::{BufferPool, ExclPage, SharedPage};
use crate::error::Result;
use crate::page::racy::{RacyPage, Restart};
use crate::page::{PageBuf, PageType, field};

/// Which page of a level is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target<'k> {
    /// The page whose range holds the key.
    At(&'k [u8]),
    /// The page whose range holds the keys just below this one, which must not be empty.
    Below(&'k [u8]),
    /// The rightmost page.
    Last,
}

/// A separator that was found missing on the way: a page of `level` whose keys start at `sep` was reached over a right link.
#[derive(Clone, Debug)]
pub(super) struct Lag {
    pub(super) level: u8,
    pub(super) sep: Vec<u8>,
}

/// What a descent notes on its way.
#[derive(Default)]
pub(super) struct Notes<'n> {
    /// Receives the page's lower bound (no key of the page is below it).
    pub(super) low: Option<&'n mut Vec<u8>>,
    /// Receives a missing separator.
    pub(super) lag: Option<&'n mut Option<Lag>>,
}

/// A kind of page latch.
pub(super) trait Latched<'p>: Deref<Target = PageBuf> + Sized {
    fn latch(pool: &'p BufferPool, id: PageId) -> Result<Self>;
}

impl<'p> Latched<'p> for SharedPage<'p> {
    #[inline]
    fn latch(pool: &'p BufferPool, id: PageId) -> Result<Self> {
        pool.read(id)
    }
}

impl<'p> Latched<'p> for ExclPage<'p> {
    #[inline]
    fn latch(pool: &'p BufferPool, id: PageId) -> Result<Self> {
        pool.write(id)
    }
}

pub(super) enum Step {
    Right(PageNo),
    /// Child and the slot that leads to it.
    Down(PageNo, usize),
}

/// Optimistic attempts before latches are coupled.
const ATTEMPTS: usize = 3;

impl BTree {
    /// The page of `level` that `to` asks for, latched. `None`: the tree has no such level.
    #[inline]
    pub(super) fn descend<'p, L: Latched<'p>>(
        &self,
        pool: &'p BufferPool,
        to: Target<'_>,
        level: u8,
        notes: &mut Notes<'_>,
    ) -> Result<Option<L>> {
        probe::inc(probe::Counter::InnodbBtreeSearches);
        for _ in 0..ATTEMPTS {
            match self.try_descend(pool, to, level, notes) {
                Ok(r) => return r,
                Err(Restart) => continue,
            }
        }
        self.descend_coupled(pool, to, level, notes)
    }

    /// The leaf, latched.
    #[inline]
    pub(super) fn leaf<'p, L: Latched<'p>>(
        &self,
        pool: &'p BufferPool,
        to: Target<'_>,
        notes: &mut Notes<'_>,
    ) -> Result<L> {
        self.descend(pool, to, 0, notes)?.ok_or_else(|| self.corrupt(self.root, "no leaf level"))
    }

    #[inline]
    fn try_descend<'p, L: Latched<'p>>(
        &self,
        pool: &'p BufferPool,
        to: Target<'_>,
        level: u8,
        notes: &mut Notes<'_>,
    ) -> std::result::Result<Result<Option<L>>, Restart> {
        macro_rules! get {
            ($e:expr) => {
                match $e {
                    Ok(v) => v,
                    Err(e) => return Ok(Err(e)),
                }
            };
        }
        notes.clear();
        let mut page = get!(pool.optimistic(self.id(self.root)));
        let mut at = page.racy().level()?;
        if at <= level {
            // The root is the page, or the tree is lower than that.
            let root = get!(L::latch(pool, self.id(self.root)));
            if root.page_type() != PageType::Index || root.index_id() != self.index.0 {
                return Ok(Err(self.corrupt(self.root, "not the root of this index")));
            }
            return match root.level().cmp(&level) {
                std::cmp::Ordering::Less => Ok(Ok(None)),
                std::cmp::Ordering::Equal => Ok(Ok(Some(root))),
                std::cmp::Ordering::Greater => Err(Restart),
            };
        }
        loop {
            let racy = page.racy();
            let step = self.step(&racy, to, at)?;
            match step {
                Step::Right(next) => {
                    notes.right(&racy, at, next)?;
                    if !page.validate() {
                        return Err(Restart);
                    }
                    let right = get!(pool.optimistic(self.id(next)));
                    if !page.validate() {
                        return Err(Restart);
                    }
                    page = right;
                }
                Step::Down(child, slot) => {
                    if let Some(low) = &mut notes.low {
                        low.clear();
                        let ((o, l), _) = racy.parts(slot)?;
                        racy.append(o, l, low)?;
                    }
                    if !page.validate() {
                        return Err(Restart);
                    }
                    if at - 1 == level {
                        let found = get!(L::latch(pool, self.id(child)));
                        if !page.validate() {
                            return Err(Restart);
                        }
                        return Ok(self.walk_right(pool, found, child, to, level, notes).map(Some));
                    }
                    let below = get!(pool.optimistic(self.id(child)));
                    if !page.validate() {
                        return Err(Restart);
                    }
                    page = below;
                    at -= 1;
                }
            }
        }
    }

    /// Where to go from an inner page of level `at`.
    #[inline]
    pub(super) fn step(&self, page: &RacyPage<'_>, to: Target<'_>, at: u8) -> std::result::Result<Step, Restart> {
        if page.u64_at(field::INDEX_ID)? != self.index.0 || page.level()? != at {
            return Err(Restart);
        }
        let slot = match to {
            Target::At(key) => {
                if page.beyond_high_key(key)? {
                    return Ok(Step::Right(page.next()?));
                }
                match page.lower_bound(key)? {
                    (slot, true) => slot,
                    (slot, false) => slot.checked_sub(1).ok_or(Restart)?,
                }
            }
            Target::Below(key) => {
                if page.u16_at(field::FLAGS)? & 1 != 0 {
                    let (o, l) = (page.u16_at(field::HIGH_KEY_OFFSET)?, page.u16_at(field::HIGH_KEY_LEN)?);
                    if page.compare(o as usize, l as usize, key)?.is_lt() {
                        return Ok(Step::Right(page.next()?));
                    }
                }
                page.lower_bound(key)?.0.checked_sub(1).ok_or(Restart)?
            }
            Target::Last => {
                if page.next()?.is_some() {
                    return Ok(Step::Right(page.next()?));
                }
                page.slot_count()?.checked_sub(1).ok_or(Restart)?
            }
        };
        let (_, (offset, len)) = page.parts(slot)?;
        if len != 4 {
            return Err(Restart);
        }
        Ok(Step::Down(PageNo(page.u32_at(offset)?), slot))
    }

    /// Follows right links from a latched page until the target's page; the next page is latched before the last is given up.
    fn walk_right<'p, L: Latched<'p>>(
        &self,
        pool: &'p BufferPool,
        mut page: L,
        mut page_no: PageNo,
        to: Target<'_>,
        level: u8,
        notes: &mut Notes<'_>,
    ) -> Result<L> {
        loop {
            if !self.owns(&page, level) {
                return Err(self.corrupt(page_no, "not a page of this index and level"));
            }
            let go = match (to, page.high_key()) {
                (_, None) => false,
                (Target::At(key), Some(high)) => high <= key,
                (Target::Below(key), Some(high)) => high < key,
                (Target::Last, Some(_)) => true,
            };
            if !go {
                return Ok(page);
            }
            let next = page.next();
            if !next.is_some() {
                return Err(self.corrupt(page_no, "high key without a right sibling"));
            }
            if let Some(high) = page.high_key() {
                notes.right_latched(high, level);
            }
            let right = L::latch(pool, self.id(next))?;
            (page, page_no) = (right, next);
        }
    }

    /// The same with shared latches, the child's taken before the parent's is given up.
    #[cold]
    fn descend_coupled<'p, L: Latched<'p>>(
        &self,
        pool: &'p BufferPool,
        to: Target<'_>,
        level: u8,
        notes: &mut Notes<'_>,
    ) -> Result<Option<L>> {
        loop {
            notes.clear();
            let mut page_no = self.root;
            let mut page = pool.read(self.id(page_no))?;
            if page.page_type() != PageType::Index || page.index_id() != self.index.0 {
                return Err(self.corrupt(self.root, "not the root of this index"));
            }
            if page.level() <= level {
                drop(page);
                let root = L::latch(pool, self.id(self.root))?;
                match root.level().cmp(&level) {
                    std::cmp::Ordering::Less => return Ok(None),
                    std::cmp::Ordering::Equal => return Ok(Some(root)),
                    std::cmp::Ordering::Greater => continue,
                }
            }
            loop {
                // Latched bytes do not change, so a restart here means that the page contradicts itself.
                let opt = page.to_optimistic();
                let bad = |_| self.corrupt(page_no, "inner page does not lead to the key");
                match self.step(&opt.racy(), to, page.level()).map_err(bad)? {
                    Step::Right(next) => {
                        if let Some(high) = page.high_key() {
                            notes.right_latched(high, page.level());
                        }
                        let right = pool.read(self.id(next))?;
                        (page, page_no) = (right, next);
                    }
                    Step::Down(child, slot) => {
                        if let Some(low) = &mut notes.low {
                            low.clear();
                            low.extend_from_slice(page.key(slot));
                        }
                        if page.level() - 1 == level {
                            let found = L::latch(pool, self.id(child))?;
                            drop(page);
                            return self.walk_right(pool, found, child, to, level, notes).map(Some);
                        }
                        let below = pool.read(self.id(child))?;
                        (page, page_no) = (below, child);
                    }
                }
            }
        }
    }
}

impl Notes<'_> {
    fn clear(&mut self) {
        if let Some(low) = &mut self.low {
            low.clear();
        }
        if let Some(lag) = &mut self.lag {
            **lag = None;
        }
    }

    #[cold]
    fn right(&mut self, page: &RacyPage<'_>, level: u8, right: PageNo) -> std::result::Result<(), Restart> {
        if !right.is_some() {
            return Err(Restart);
        }
        let mut high = Vec::new();
        let (o, l) = (page.u16_at(field::HIGH_KEY_OFFSET)? as usize, page.u16_at(field::HIGH_KEY_LEN)? as usize);
        page.append(o, l, &mut high)?;
        self.right_latched(&high, level);
        Ok(())
    }

    #[cold]
    fn right_latched(&mut self, high: &[u8], level: u8) {
        if let Some(low) = &mut self.low {
            low.clear();
            low.extend_from_slice(high);
        }
        if let Some(lag) = &mut self.lag {
            **lag = Some(Lag { level, sep: high.to_vec() });
        }
    }
}
