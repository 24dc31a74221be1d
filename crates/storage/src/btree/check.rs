//! Full verification of a tree: CHECK TABLE, tests.

use base::PageNo;

use super::BTree;
use crate::buffer::BufferPool;
use crate::error::Result;
use crate::page::PageBuf;

/// What [`BTree::check`] counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeCheck {
    /// Leaf records.
    pub records: u64,
    /// Leaf pages.
    pub leaves: u64,
    /// All pages.
    pub pages: u64,
    /// Pages that no separator leads to (a split was cut short by a crash, or is under way).
    pub without_separator: u64,
    /// Bytes used on leaf pages.
    pub leaf_bytes: u64,
}

impl BTree {
    /// Walks every level from left to right and compares it with the level above: page structure, key order, high keys equal to
    /// the next page's lower bound, separators leading to the right page, every page allocated. Pages may be split meanwhile (what is new
    /// on a level only lies between what is expected there), but none may be taken out. The error names the page.
    pub fn check(&self, pool: &BufferPool) -> Result<TreeCheck> {
        loop {
            let height = self.height(pool)?;
            let done = self.check_levels(pool, height);
            // the root has gone up, and another page is what it was
            if done.is_ok() || self.height(pool)? == height {
                return done;
            }
        }
    }

    fn check_levels(&self, pool: &BufferPool, height: u8) -> Result<TreeCheck> {
        let mut sum = TreeCheck::default();
        let mut first = self.root;
        // Separators of the level above, in order, with their children.
        let mut expected: Vec<(Vec<u8>, PageNo)> = vec![(Vec::new(), self.root)];
        for level in (0..=height).rev() {
            let mut next_expected = Vec::new();
            let mut seps = expected.iter().peekable();
            let mut low: Vec<u8> = Vec::new();
            let mut at = first;
            let mut next_first = PageNo::NONE;
            while at.is_some() {
                let page = pool.read(self.id(at))?;
                self.check_page(&page, at, level, &low)?;
                if !crate::space::is_allocated(pool, self.space, at)? {
                    return Err(self.corrupt(at, "page in use is not allocated"));
                }
                match seps.peek() {
                    Some((sep, child)) if *sep == low => {
                        if *child != at {
                            return Err(self.corrupt(at, "separator leads to another page"));
                        }
                        seps.next();
                    }
                    _ => sum.without_separator += 1,
                }
                sum.pages += 1;
                if level == 0 {
                    sum.leaves += 1;
                    sum.records += page.slot_count() as u64;
                    sum.leaf_bytes += page.used() as u64;
                } else {
                    for i in 0..page.slot_count() {
                        let child = self.child(&page, i)?;
                        if next_first == PageNo::NONE {
                            next_first = child;
                        }
                        next_expected.push((page.key(i).to_vec(), child));
                    }
                }
                match page.high_key() {
                    Some(h) if h <= low.as_slice() => {
                        return Err(self.corrupt(at, "high key not above the lower bound"));
                    }
                    Some(h) => low = h.to_vec(),
                    None => {}
                }
                at = page.next();
                if sum.pages > u32::MAX as u64 {
                    return Err(self.corrupt(at, "right links go in a circle"));
                }
            }
            if seps.next().is_some() {
                return Err(self.corrupt(first, "separator without a page"));
            }
            (expected, first) = (next_expected, next_first);
        }
        Ok(sum)
    }

    fn check_page(&self, page: &PageBuf, at: PageNo, level: u8, low: &[u8]) -> Result<()> {
        if !self.owns(page, level) {
            return Err(self.corrupt(at, "page of another index or level"));
        }
        page.check_slots().map_err(|why| self.corrupt(at, why))?;
        if page.high_key().is_some() != page.next().is_some() {
            return Err(self.corrupt(at, "high key and right link disagree"));
        }
        if page.slot_count() == 0 {
            return if level == 0 { Ok(()) } else { Err(self.corrupt(at, "inner page without children")) };
        }
        if page.key(0) < low || (level > 0 && page.key(0) != low) {
            return Err(self.corrupt(at, "first key does not fit the lower bound"));
        }
        Ok(())
    }
}
