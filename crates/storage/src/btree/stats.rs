//! Estimates for the optimizer: rows in a range, and sampled statistics.

use base::PageNo;

use super::BTree;
use super::descend::{Notes, Target};
use crate::buffer::{BufferPool, SharedPage};
use crate::error::Result;

/// Sampled statistics of a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeStats {
    /// Leaf pages.
    pub leaf_pages: u64,
    /// All pages.
    pub pages: u64,
    /// Records.
    pub records: u64,
    /// For each key prefix asked for: estimated number of different values (`n_diff_pfx`).
    pub n_diff: Vec<u64>,
    /// Leaves looked at.
    pub sampled: u64,
}

/// Where a bound falls on one level.
struct At {
    page: PageNo,
    slot: usize,
    count: usize,
}

enum Walk {
    Exact(usize),
    Average(f64),
}

/// Pages of a level walked at most when two bounds are far apart.
const WALK: usize = 8;

impl BTree {
    /// About how many records have `low <= key < high` (`high` `None`: to the end). Exact when both ends fall on one leaf or on
    /// leaves a few pages apart; otherwise extrapolated from the pages around the ends. Costs two descents.
    pub fn estimate_range_rows(&self, pool: &BufferPool, low: &[u8], high: Option<&[u8]>) -> Result<u64> {
        if high.is_some_and(|h| h <= low) {
            return Ok(0);
        }
        let height = self.height(pool)?;
        // Distance of the two bounds in slots of the level above, then level by level.
        let mut distance = 0f64;
        for level in (0..=height).rev() {
            let a = self.locate(pool, level, Target::At(low), low)?;
            let b = match high {
                Some(h) => self.locate(pool, level, Target::At(h), h)?,
                None => self.locate_end(pool, level)?,
            };
            let (Some(a), Some(b)) = (a, b) else { continue };
            if a.page == b.page {
                distance = b.slot.saturating_sub(a.slot) as f64;
                continue;
            }
            let average = match self.walk(pool, level, &a, &b)? {
                Walk::Exact(n) => {
                    distance = n as f64;
                    continue;
                }
                Walk::Average(avg) => avg,
            };
            // Pages in between: as many as the level above said, each about as full as those seen.
            let between = (distance - 1.0).max(0.0);
            distance = (a.count - a.slot.min(a.count)) as f64 + b.slot as f64 + between * average;
        }
        Ok(distance.round() as u64)
    }

    fn locate(&self, pool: &BufferPool, level: u8, to: Target<'_>, key: &[u8]) -> Result<Option<At>> {
        let page: Option<SharedPage<'_>> = self.descend(pool, to, level, &mut Notes::default())?;
        Ok(page.map(|p| {
            let (slot, found) = p.lower_bound(key);
            // On inner pages the child that covers the key, on leaves the first record not below it.
            let slot = if level > 0 && !found { slot.saturating_sub(1) } else { slot };
            At { page: p.id().page, slot, count: p.slot_count() }
        }))
    }

    fn locate_end(&self, pool: &BufferPool, level: u8) -> Result<Option<At>> {
        let page: Option<SharedPage<'_>> = self.descend(pool, Target::Last, level, &mut Notes::default())?;
        Ok(page.map(|p| {
            let n = p.slot_count();
            At { page: p.id().page, slot: if level > 0 { n.saturating_sub(1) } else { n }, count: n }
        }))
    }

    /// Slots from `a` to `b` when at most [`WALK`] pages lie between, else the average of the pages seen.
    fn walk(&self, pool: &BufferPool, level: u8, a: &At, b: &At) -> Result<Walk> {
        let mut sum = a.count.saturating_sub(a.slot);
        let (mut pages, mut slots) = (1usize, a.count);
        let mut next = pool.read(self.id(a.page))?.next();
        while pages <= WALK && next.is_some() {
            if next == b.page {
                return Ok(Walk::Exact(sum + b.slot));
            }
            let page = pool.read(self.id(next))?;
            if !self.owns(&page, level) {
                break;
            }
            sum += page.slot_count();
            slots += page.slot_count();
            pages += 1;
            next = page.next();
        }
        Ok(Walk::Average(slots as f64 / pages as f64))
    }

    /// Samples up to `samples` leaves spread over the tree. `prefix_ends(key, out)` appends the length of each key prefix whose
    /// number of different values is wanted (same number for every key).
    pub fn sample(
        &self,
        pool: &BufferPool,
        samples: usize,
        mut prefix_ends: impl FnMut(&[u8], &mut Vec<usize>),
    ) -> Result<TreeStats> {
        let leaves = self.leaf_numbers(pool)?;
        let total = leaves.len();
        let take = samples.clamp(1, total.max(1));
        let mut stats = TreeStats { leaf_pages: total as u64, ..TreeStats::default() };
        let inner = self.inner_pages(pool)?;
        stats.pages = total as u64 + inner;
        let (mut records, mut changes): (u64, Vec<u64>) = (0, Vec::new());
        let (mut prev, mut ends, mut prev_ends) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..take {
            let Some(no) = leaves.get(i * total / take) else { continue };
            let page = pool.read(self.id(*no))?;
            if !self.owns(&page, 0) {
                continue;
            }
            stats.sampled += 1;
            records += page.slot_count() as u64;
            prev.clear();
            for slot in 0..page.slot_count() {
                let key = page.key(slot);
                ends.clear();
                prefix_ends(key, &mut ends);
                changes.resize(ends.len().max(changes.len()), 0);
                for (n, end) in ends.iter().enumerate() {
                    // Within a page, count changes; its first record counts as one only if all leaves are looked at or
                    // the value does not span pages, which is what the boundary records decide in a full sample.
                    let new = slot == 0 || prev.get(..prev_at(&prev_ends, n)) != key.get(..*end);
                    if let Some(c) = changes.get_mut(n) {
                        *c += new as u64;
                    }
                }
                prev.clear();
                prev.extend_from_slice(key);
                std::mem::swap(&mut ends, &mut prev_ends);
            }
        }
        stats.records = (records * total as u64).checked_div(stats.sampled).unwrap_or(0);
        // A page's first record is a new value only with the probability that any record is: correct for it.
        stats.n_diff = changes
            .iter()
            .map(|c| {
                let inside = c.saturating_sub(stats.sampled);
                let rate = inside as f64 / records.saturating_sub(stats.sampled).max(1) as f64;
                let sampled = inside as f64 + stats.sampled as f64 * rate;
                let all = sampled * total as f64 / stats.sampled.max(1) as f64;
                (all.round() as u64).clamp(u64::from(records > 0), stats.records.max(1))
            })
            .collect();
        Ok(stats)
    }

    /// Page numbers of all leaves in key order, from the level above them (missing separators are passed over).
    pub fn leaf_numbers(&self, pool: &BufferPool) -> Result<Vec<PageNo>> {
        if self.height(pool)? == 0 {
            return Ok(vec![self.root]);
        }
        let mut leaves = Vec::new();
        let first: Option<SharedPage<'_>> = self.descend(pool, Target::At(b""), 1, &mut Notes::default())?;
        let Some(mut page) = first else { return Ok(vec![self.root]) };
        loop {
            for slot in 0..page.slot_count() {
                leaves.push(self.child(&page, slot)?);
            }
            let next = page.next();
            if !next.is_some() {
                return Ok(leaves);
            }
            page = pool.read(self.id(next))?;
        }
    }

    fn inner_pages(&self, pool: &BufferPool) -> Result<u64> {
        let mut n = 0;
        for level in 1..=self.height(pool)? {
            let first: Option<SharedPage<'_>> = self.descend(pool, Target::At(b""), level, &mut Notes::default())?;
            let Some(mut page) = first else { continue };
            n += 1;
            while page.next().is_some() {
                n += 1;
                page = pool.read(self.id(page.next()))?;
            }
        }
        Ok(n)
    }
}

fn prev_at(ends: &[usize], n: usize) -> usize {
    ends.get(n).copied().unwrap_or(0)
}
