//! What the optimizer wants to know of a tree: entries in a range, and sampled numbers of pages, records and distinct
//! key prefixes.
//!
//! Nothing here is exact while others write, and nothing needs to be: pages are read one at a time (range estimates without
//! a latch), no latch is held from one page to the next, and a page that is no longer this tree's is passed over. A crash
//! leaves nothing; nothing is written. Tests: `tests.rs`, `engine/tests/stats.rs`.
//!
//! **Distinct prefixes.** The number of distinct values of a prefix is one more than the number of places where neighbours
//! differ in it. Separators on the level above the leaves say in which leaves such places can be: where a leaf's lower
//! bound and high key agree in the prefix there is none. So the places are `leaves whose bounds differ (counted)` times `places per
//! such leaf (sampled)`, which holds for values that fill many leaves and for values of which a leaf has many.

use base::PageNo;
use hashbrown::HashMap;
use smallvec::SmallVec;

use super::BTree;
use super::descend::{Step, Target};
use crate::buffer::{BufferPool, SharedPage};
use crate::error::Result;
use crate::page::racy::Restart;
use crate::page::{PageBuf, field};

/// Attempts of a latch-free descent.
const TRIES: usize = 8;
/// Pages between the two ends that are looked at for their fill.
const WALK: usize = 8;

/// A position on one level of a descent.
struct At {
    page: PageNo,
    slot: usize,
    count: usize,
}

type Path = SmallVec<[At; 5]>;

/// How much a sample may read.
#[derive(Clone, Copy, Debug)]
pub struct SampleLimits {
    /// Pages of the level above the leaves.
    pub inner: usize,
    /// Leaves, for each prefix.
    pub leaves: usize,
}

/// What [`BTree::sample`] found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeSample {
    /// Leaf pages.
    pub leaves: f64,
    /// All pages.
    pub pages: f64,
    /// Records that count.
    pub records: f64,
    /// Distinct values of the first 1, 2, ... parts.
    pub distinct: Vec<f64>,
    /// Every leaf was read.
    pub complete: bool,
}

/// `innodb_stats_method`: what NULLs in a key are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Nulls {
    /// One value.
    #[default]
    Equal,
    /// Each another value.
    Unequal,
    /// Nothing: values have as many records as those without NULL.
    Ignored,
}

/// What a sample asks about keys and payloads.
pub trait SampleView {
    /// Number of key parts of interest.
    fn parts(&self) -> usize;
    /// Length of the first `n` parts of a key; `None` when the key ends before.
    fn prefix(&self, key: &[u8], n: usize) -> Option<usize>;
    /// Whether the record counts (is not delete-marked).
    fn counts(&self, payload: &[u8]) -> bool;
    /// How NULLs count.
    fn nulls(&self) -> Nulls {
        Nulls::Equal
    }
    /// Whether part `n` of a key, from 0, is NULL. Asked only where that matters.
    fn is_null(&self, _key: &[u8], _n: usize) -> bool {
        false
    }
}

impl BTree {
    /// Estimated number of records with `low <= key < high` (`None`: to the end): exact when both ends lie on leaves at most
    /// a few pages apart. `None` when the tree changed under every attempt.
    pub fn estimate_range_rows(&self, pool: &BufferPool, low: &[u8], high: Option<&[u8]>) -> Result<Option<f64>> {
        for _ in 0..TRIES {
            let (Some(a), Some(b)) = (self.path(pool, Some(low))?, self.path(pool, high)?) else { continue };
            if a.len() == b.len() {
                return self.between(pool, &a, &b).map(Some);
            }
        }
        Ok(None)
    }

    /// Positions from the root to the leaf where the key belongs (`None`: behind the last record). `None`: it changed.
    fn path(&self, pool: &BufferPool, key: Option<&[u8]>) -> Result<Option<Path>> {
        match self.try_path(pool, key) {
            Ok(path) => path.map(Some),
            Err(Restart) => Ok(None),
        }
    }

    fn try_path(&self, pool: &BufferPool, key: Option<&[u8]>) -> std::result::Result<Result<Path>, Restart> {
        macro_rules! get {
            ($no:expr) => {
                match pool.optimistic(self.id($no)) {
                    Ok(v) => v,
                    Err(e) => return Ok(Err(e)),
                }
            };
        }
        let to = key.map_or(Target::Last, Target::At);
        let mut path = Path::new();
        let mut no = self.root;
        let mut page = get!(no);
        let mut level = page.racy().level()?;
        loop {
            let racy = page.racy();
            let count = racy.slot_count()?;
            let (next, down) = if level > 0 {
                match self.step(&racy, to, level)? {
                    Step::Right(next) => (next, false),
                    Step::Down(child, slot) => {
                        path.push(At { page: no, slot, count });
                        (child, true)
                    }
                }
            } else {
                if racy.u64_at(field::INDEX_ID)? != self.index.0 || racy.level()? != 0 {
                    return Err(Restart);
                }
                let (right, slot) = match key {
                    Some(k) => (racy.beyond_high_key(k)?, racy.lower_bound(k)?.0),
                    None => (racy.next()?.is_some(), count),
                };
                if !right {
                    path.push(At { page: no, slot, count });
                    return if page.validate() { Ok(Ok(path)) } else { Err(Restart) };
                }
                (racy.next()?, false)
            };
            if !page.validate() || !next.is_some() {
                return Err(Restart);
            }
            let to = get!(next);
            if !page.validate() {
                return Err(Restart);
            }
            (page, no) = (to, next);
            level -= down as u8;
        }
    }

    /// Records from path `a` to path `b`.
    fn between(&self, pool: &BufferPool, a: &Path, b: &Path) -> Result<f64> {
        let mut apart = 0.0;
        let mut level = a.len();
        for (x, y) in a.iter().zip(b) {
            level -= 1;
            apart = if x.page == y.page {
                y.slot as f64 - x.slot as f64
            } else if apart >= 0.0 {
                self.records_apart(pool, x, y, level as u8, f64::max(apart, 1.0))?
            } else {
                apart
            };
            if apart < 0.0 {
                return Ok(0.0);
            }
        }
        Ok(apart)
    }

    /// Records from `x` to `y`, which lie `pages` pages apart on their level.
    fn records_apart(&self, pool: &BufferPool, x: &At, y: &At, level: u8, pages: f64) -> Result<f64> {
        let ends = x.count.saturating_sub(x.slot) + y.slot;
        let (mut seen, mut records) = (0usize, 0usize);
        let mut at = pool.read(self.id(x.page))?;
        while seen < WALK {
            let next = at.next();
            if next == y.page {
                return Ok((ends + records) as f64);
            }
            if !next.is_some() || !self.owns(&at, level) {
                break;
            }
            drop(at);
            at = pool.read(self.id(next))?;
            seen += 1;
            records += at.slot_count();
        }
        let mean = (records + x.count + y.count) as f64 / (seen + 2) as f64;
        Ok((ends + records) as f64 + f64::max(pages - 1.0 - seen as f64, 0.0) * mean)
    }

    /// Samples the tree: at most `limits.inner` pages above the leaves and `limits.leaves` leaves per prefix; complete (and
    /// exact on a quiet tree) when it has no more.
    pub fn sample(&self, pool: &BufferPool, view: &dyn SampleView, limits: SampleLimits) -> Result<TreeSample> {
        let parts = view.parts();
        let root = pool.read(self.id(self.root))?;
        if !self.owns(&root, root.level()) {
            return Err(self.corrupt(self.root, "not the root of this index"));
        }
        if root.level() == 0 {
            let leaf = LeafCount::of(&root, view);
            let some = (leaf.records > 0) as u64 as f64;
            let found = leaf.changes.iter().map(|c| some + *c as f64).zip(&leaf.nulls);
            let distinct = found.map(|(d, n)| settled(view, d, *n as f64, leaf.records as f64)).collect();
            return Ok(TreeSample { leaves: 1.0, pages: 1.0, records: leaf.records as f64, distinct, complete: true });
        }
        let (height, fan_out) = (root.level(), root.slot_count());
        drop(root);
        let limit = limits.inner.max(1);
        let visits = match height {
            1 => 1,
            2 => fan_out.min(limit),
            _ => limit,
        };
        let all_inner = height == 1 || (height == 2 && visits == fan_out);
        let mut strata: Vec<Stratum> = (0..=parts).map(|_| Stratum::new(limits.leaves.max(1))).collect();
        let mut random = self.index.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut inner_pages = 0.0;
        for i in 0..visits {
            let Some((page, weight)) = self.at_fraction(pool, (i as f64 + 0.5) / visits as f64)? else { continue };
            let weight = weight / visits as f64;
            inner_pages += weight;
            for slot in 0..page.slot_count() {
                let child = self.child(&page, slot)?;
                let high = if slot + 1 < page.slot_count() { Some(page.key(slot + 1)) } else { page.high_key() };
                let equal = high.map_or(0, |h| equal_parts(view, page.key(slot), h));
                // the last stratum holds every leaf
                for s in strata.iter_mut().skip(equal) {
                    s.add(child, weight, &mut random);
                }
            }
        }
        let mut known: HashMap<u32, Option<LeafCount>> = HashMap::new();
        for no in strata.iter().flat_map(|s| &s.chosen) {
            if !known.contains_key(&no.0) {
                let page = pool.read(self.id(*no))?;
                known.insert(no.0, self.owns(&page, 0).then(|| LeafCount::of(&page, view)));
            }
        }
        let all = strata.pop().unwrap_or_else(|| Stratum::new(1));
        let records = all.size * all.mean(&known, |l| l.records as f64);
        let mut distinct = Vec::with_capacity(parts);
        let mut floor = if records > 0.0 { 1.0 } else { 0.0 };
        for (k, s) in strata.iter().enumerate() {
            let changes = s.size * s.mean(&known, |l| l.changes.get(k).copied().unwrap_or(0) as f64);
            floor = f64::clamp(1.0 + changes, floor, f64::max(records, floor));
            let nulls = all.size * all.mean(&known, |l| l.nulls.get(k).copied().unwrap_or(0) as f64);
            distinct.push(settled(view, floor, nulls, records));
        }
        let above = if height > 1 { 1.0 + inner_pages / 256.0 } else { 0.0 };
        Ok(TreeSample {
            leaves: all.size,
            pages: all.size + inner_pages + above,
            records,
            distinct,
            complete: all_inner && all.seen == all.chosen.len(),
        })
    }

    /// The page on level 1 at this fraction (0..1) of the tree's width and the number of pages it stands for. `None`: the tree
    /// changed on the way.
    fn at_fraction<'p>(&self, pool: &'p BufferPool, mut u: f64) -> Result<Option<(SharedPage<'p>, f64)>> {
        let mut page = pool.read(self.id(self.root))?;
        let mut weight = 1.0;
        loop {
            let level = page.level();
            if level <= 1 {
                return Ok((level == 1).then_some((page, weight)));
            }
            let n = page.slot_count();
            let slot = ((u * n as f64) as usize).min(n.saturating_sub(1));
            u = (u * n as f64 - slot as f64).clamp(0.0, 1.0);
            weight *= n as f64;
            let child = self.child(&page, slot)?;
            drop(page);
            page = pool.read(self.id(child))?;
            if !self.owns(&page, level - 1) {
                return Ok(None);
            }
        }
    }
}

/// Leading parts in which two keys (or separators, which may end early) agree.
fn equal_parts(view: &dyn SampleView, a: &[u8], b: &[u8]) -> usize {
    let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let differ = view.nulls() != Nulls::Equal;
    let equal = |n: &usize| {
        view.prefix(a, *n).is_some_and(|l| l <= common) && !(differ && view.is_null(a, n.saturating_sub(1)))
    };
    (1..=view.parts()).take_while(equal).count()
}

/// The number of distinct values that counts: where NULLs are ignored, what it would be if all records were as those without NULL.
fn settled(view: &dyn SampleView, distinct: f64, nulls: f64, records: f64) -> f64 {
    match view.nulls() {
        Nulls::Ignored if nulls > 0.0 && records - nulls < 1.0 => f64::min(1.0, records),
        Nulls::Ignored if nulls > 0.0 => f64::max(distinct - nulls, 1.0) / (records - nulls) * records,
        _ => distinct,
    }
}

/// One leaf.
struct LeafCount {
    records: u64,
    /// For each number of parts: places where neighbours differ in them, the one to the next leaf included.
    changes: Vec<u32>,
    /// For each number of parts: records with a NULL in them; 0 where NULLs are equal.
    nulls: Vec<u32>,
}

impl LeafCount {
    fn of(page: &PageBuf, view: &dyn SampleView) -> LeafCount {
        let mut leaf = LeafCount { records: 0, changes: vec![0; view.parts()], nulls: vec![0; view.parts()] };
        let count_nulls = view.nulls() != Nulls::Equal;
        let mut last: Option<&[u8]> = None;
        for slot in 0..page.slot_count() {
            if !view.counts(page.payload(slot)) {
                continue;
            }
            leaf.records += 1;
            if count_nulls && let Some(first) = (0..view.parts()).find(|n| view.is_null(page.key(slot), *n)) {
                leaf.nulls.iter_mut().skip(first).for_each(|n| *n += 1);
            }
            leaf.step(view, last, page.key(slot));
            last = Some(page.key(slot));
        }
        if let Some(high) = page.high_key() {
            leaf.step(view, last, high);
        }
        leaf
    }

    fn step(&mut self, view: &dyn SampleView, last: Option<&[u8]>, key: &[u8]) {
        if let Some(last) = last {
            let equal = equal_parts(view, last, key);
            self.changes.iter_mut().skip(equal).for_each(|c| *c += 1);
        }
    }
}

/// The leaves whose bounds differ in a prefix, and a uniform sample of them.
struct Stratum {
    /// Estimated number.
    size: f64,
    /// Met so far.
    seen: usize,
    chosen: Vec<PageNo>,
    limit: usize,
}

impl Stratum {
    fn new(limit: usize) -> Stratum {
        Stratum { size: 0.0, seen: 0, chosen: Vec::new(), limit }
    }

    fn add(&mut self, page: PageNo, weight: f64, random: &mut u64) {
        self.size += weight;
        self.seen += 1;
        if self.chosen.len() < self.limit {
            self.chosen.push(page);
            return;
        }
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        let at = (*random % self.seen as u64) as usize;
        if let Some(to) = self.chosen.get_mut(at) {
            *to = page;
        }
    }

    fn mean(&self, known: &HashMap<u32, Option<LeafCount>>, of: impl Fn(&LeafCount) -> f64) -> f64 {
        let leaves = self.chosen.iter().filter_map(|p| known.get(&p.0)?.as_ref());
        let (n, sum) = leaves.fold((0u32, 0.0), |(n, sum), l| (n + 1, sum + of(l)));
        if n == 0 { 0.0 } else { sum / f64::from(n) }
    }
}
