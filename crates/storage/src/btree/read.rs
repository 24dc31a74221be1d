//! Reading: point reads, locking reads, scans.

use super::BTree;
use super::descend::{Notes, Step, Target};
use crate::buffer::{BufferPool, SharedPage};
use crate::error::Result;
use crate::page::field;
use crate::page::racy::Restart;

impl BTree {
    /// Calls `f` with the payload of the record with this key, under the leaf's shared latch; `None` when there is none.
    /// `f` must not wait or touch other pages of the tree.
    #[inline]
    pub fn get<R>(&self, pool: &BufferPool, key: &[u8], f: impl FnOnce(&[u8]) -> R) -> Result<Option<R>> {
        let leaf: SharedPage<'_> = self.leaf(pool, Target::At(key), &mut Notes::default())?;
        Ok(match leaf.lower_bound(key) {
            (slot, true) => Some(f(leaf.payload(slot))),
            _ => None,
        })
    }

    /// Appends the payload of the record with this key to `out`; false if there is none. While all pages on the way are
    /// in the pool and nobody changes them this takes no latch and writes to no memory that other threads use, so that
    /// any number of processors may read one page at once; otherwise it reads as [`BTree::get`] does.
    #[inline]
    pub fn copy(&self, pool: &BufferPool, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        let before = out.len();
        match self.try_copy(pool, key, out) {
            Ok(found) => Ok(found),
            Err(Restart) => {
                out.truncate(before);
                Ok(self.get(pool, key, |p| out.extend_from_slice(p))?.is_some())
            }
        }
    }

    /// May leave nonsense behind the end of `out` when it says [`Restart`].
    #[inline]
    fn try_copy(&self, pool: &BufferPool, key: &[u8], out: &mut Vec<u8>) -> std::result::Result<bool, Restart> {
        let mut page = pool.try_optimistic(self.id(self.root)).ok_or(Restart)?;
        let mut level = page.racy().level()?;
        while level > 0 {
            let Step::Down(child, _) = self.step(&page.racy(), Target::At(key), level)? else { return Err(Restart) };
            let below = pool.try_optimistic(self.id(child)).ok_or(Restart)?;
            // The child was the key's after its version had been read: whoever changes that changes its version.
            if !page.validate() {
                return Err(Restart);
            }
            (page, level) = (below, level - 1);
        }
        let leaf = page.racy();
        if leaf.u64_at(field::INDEX_ID)? != self.index.0 || leaf.level()? != 0 || leaf.beyond_high_key(key)? {
            return Err(Restart);
        }
        let (slot, found) = leaf.lower_bound(key)?;
        if found {
            let (_, (offset, len)) = leaf.parts(slot)?;
            leaf.append(offset, len, out)?;
        }
        if !page.validate() {
            return Err(Restart);
        }
        probe::inc(probe::Counter::InnodbBtreeSearches);
        probe::inc(probe::Counter::InnodbBufferPoolReadRequests);
        Ok(found)
    }

    /// Calls `f` with key and payload of the first record at or behind `from`, or `None` at the end of the index (the
    /// supremum). While `f` runs, the leaf that `from` belongs to and all pages up to the record's are latched shared: no
    /// record can be inserted between `from` and the one shown until `f` returns. For locking reads.
    pub fn next_at<R>(&self, pool: &BufferPool, from: &[u8], f: impl FnOnce(Option<(&[u8], &[u8])>) -> R) -> Result<R> {
        let leaf: SharedPage<'_> = self.leaf(pool, Target::At(from), &mut Notes::default())?;
        let (slot, _) = leaf.lower_bound(from);
        if slot < leaf.slot_count() {
            return Ok(f(Some((leaf.key(slot), leaf.payload(slot)))));
        }
        let mut next = leaf.next();
        let mut held = vec![leaf];
        while next.is_some() {
            let page = pool.read(self.id(next))?;
            if !self.owns(&page, 0) {
                return Err(self.corrupt(next, "right link leads out of the tree"));
            }
            if page.slot_count() > 0 {
                return Ok(f(Some((page.key(0), page.payload(0)))));
            }
            next = page.next();
            held.push(page);
        }
        Ok(f(None))
    }

    /// Calls `f` with the last record below `below` (`None`: the last of the index), under its leaf's shared latch; with
    /// `None` when there is no such record.
    pub fn prev_below<R>(
        &self,
        pool: &BufferPool,
        below: Option<&[u8]>,
        f: impl FnOnce(Option<(&[u8], &[u8])>) -> R,
    ) -> Result<R> {
        let mut bound = below.map(<[u8]>::to_vec);
        let mut low = Vec::new();
        loop {
            let to = match &bound {
                Some(k) if k.is_empty() => return Ok(f(None)),
                Some(k) => Target::Below(k),
                None => Target::Last,
            };
            let leaf: SharedPage<'_> = self.leaf(pool, to, &mut Notes { low: Some(&mut low), lag: None })?;
            let end = bound.as_ref().map_or(leaf.slot_count(), |k| leaf.lower_bound(k).0);
            if let Some(slot) = end.checked_sub(1) {
                return Ok(f(Some((leaf.key(slot), leaf.payload(slot)))));
            }
            drop(leaf);
            bound = Some(std::mem::take(&mut low));
        }
    }
}

/// Where a record lies, and what it is.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The leaf.
    pub page: base::PageNo,
    /// Number of its slot.
    pub slot: usize,
    /// Slots of the leaf.
    pub slots: usize,
    /// Key bytes.
    pub key: Vec<u8>,
    /// Payload bytes.
    pub payload: Vec<u8>,
}

impl BTree {
    /// The record with this key; with `nearest` otherwise the one behind its place in the leaf, or before it at the
    /// leaf's end. For those who show records.
    pub fn place(&self, pool: &BufferPool, key: &[u8], nearest: bool) -> Result<Option<Place>> {
        let leaf: SharedPage<'_> = self.leaf(pool, Target::At(key), &mut Notes::default())?;
        let (slot, found) = leaf.lower_bound(key);
        let slots = leaf.slot_count();
        if !found && (!nearest || slots == 0) {
            return Ok(None);
        }
        let slot = slot.min(slots.saturating_sub(1));
        let (key, payload) = (leaf.key(slot).to_vec(), leaf.payload(slot).to_vec());
        Ok(Some(Place { page: leaf.id().page, slot, slots, key, payload }))
    }

    /// The last leaf, at whose end the supremum is, and its slots.
    pub fn last_leaf(&self, pool: &BufferPool) -> Result<(base::PageNo, usize)> {
        let leaf: SharedPage<'_> = self.leaf(pool, Target::Last, &mut Notes::default())?;
        Ok((leaf.id().page, leaf.slot_count()))
    }
}

/// Where a scan goes on.
#[derive(Clone, Debug)]
enum Resume {
    /// Forwards, at this key.
    At(Vec<u8>),
    /// Backwards, below this key; `None` = from the end.
    Below(Option<Vec<u8>>),
    Done,
}

/// A scan that copies records out of the leaves in batches and holds no latch between calls. It never returns a key twice
/// and misses none that was there all the time; each record is as it was when its batch was taken.
///
/// Buffers are kept from scan to scan, so that a reused cursor allocates nothing.
#[derive(Clone, Debug)]
pub struct Cursor {
    tree: BTree,
    resume: Resume,
    /// Forwards: first key behind the range. Backwards: first key of the range.
    end: Option<Vec<u8>>,
    /// Key and payload bytes of the batch.
    bytes: Vec<u8>,
    /// (start, length of the key, end) in `bytes`.
    entries: Vec<(u32, u16, u32)>,
    at: usize,
    /// Records to take next time; rises, so that a short scan copies little.
    take: usize,
}

/// Records of a scan's first batch.
const FIRST_BATCH: usize = 8;

impl Cursor {
    /// A cursor without a range.
    pub fn new(tree: BTree) -> Cursor {
        Cursor {
            tree,
            resume: Resume::Done,
            end: None,
            bytes: Vec::new(),
            entries: Vec::new(),
            at: 0,
            take: FIRST_BATCH,
        }
    }

    /// The tree.
    pub fn tree(&self) -> BTree {
        self.tree
    }

    /// Scans keys `from <= key < end` upwards (`end` `None`: to the last).
    pub fn forward(&mut self, from: &[u8], end: Option<&[u8]>) {
        let mut buf = self.reset(end);
        buf.extend_from_slice(from);
        self.resume = Resume::At(buf);
    }

    /// Scans keys `low <= key < below` downwards (`below` `None`: from the last).
    pub fn backward(&mut self, below: Option<&[u8]>, low: &[u8]) {
        let mut buf = self.reset(Some(low));
        self.resume = Resume::Below(below.map(|b| {
            buf.extend_from_slice(b);
            buf
        }));
    }

    fn reset(&mut self, end: Option<&[u8]>) -> Vec<u8> {
        self.entries.clear();
        (self.at, self.take) = (0, FIRST_BATCH);
        match (end, &mut self.end) {
            (Some(e), Some(old)) => {
                old.clear();
                old.extend_from_slice(e);
            }
            (e, old) => *old = e.map(<[u8]>::to_vec),
        }
        match std::mem::replace(&mut self.resume, Resume::Done) {
            Resume::At(mut v) | Resume::Below(Some(mut v)) => {
                v.clear();
                v
            }
            _ => Vec::new(),
        }
    }

    /// Lets the first batch hold this many records (a scan that is known to be long).
    pub fn expect_rows(&mut self, rows: usize) {
        self.take = rows.clamp(1, 4096);
    }

    /// Key and payload of the next record; `None` at the end of the range.
    #[inline]
    #[allow(clippy::should_implement_trait)] // it fails, and it lends
    pub fn next(&mut self, pool: &BufferPool) -> Result<Option<(&[u8], &[u8])>> {
        while self.at >= self.entries.len() {
            if matches!(self.resume, Resume::Done) {
                return Ok(None);
            }
            self.fill(pool)?;
        }
        self.at += 1;
        Ok(self.entry(self.at - 1))
    }

    /// Record `i` of the current batch.
    #[inline]
    fn entry(&self, i: usize) -> Option<(&[u8], &[u8])> {
        let (start, key_len, end) = *self.entries.get(i)?;
        self.bytes.get(start as usize..end as usize)?.split_at_checked(key_len as usize)
    }

    /// The record that [`Cursor::next`] returned last.
    pub fn current(&self) -> Option<(&[u8], &[u8])> {
        self.entry(self.at.checked_sub(1)?)
    }

    /// Takes the next batch.
    fn fill(&mut self, pool: &BufferPool) -> Result<()> {
        self.bytes.clear();
        self.entries.clear();
        self.at = 0;
        match std::mem::replace(&mut self.resume, Resume::Done) {
            Resume::At(key) => self.fill_forward(pool, key)?,
            Resume::Below(key) => self.fill_backward(pool, key)?,
            Resume::Done => {}
        }
        self.take = (self.take * 4).min(4096);
        Ok(())
    }

    fn push(&mut self, key: &[u8], payload: &[u8]) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(payload);
        self.entries.push((start, key.len() as u16, self.bytes.len() as u32));
    }

    fn fill_forward(&mut self, pool: &BufferPool, mut key: Vec<u8>) -> Result<()> {
        let leaf: SharedPage<'_> = self.tree.leaf(pool, Target::At(&key), &mut Notes::default())?;
        let from = leaf.lower_bound(&key).0;
        let count = leaf.slot_count();
        // The range ends on this page if its end is not above the page's high key.
        let stop = match (&self.end, leaf.high_key()) {
            (Some(end), _) => leaf.lower_bound(end).0,
            (None, _) => count,
        };
        let last_page = match (&self.end, leaf.high_key()) {
            (_, None) => true,
            (Some(end), Some(high)) => end.as_slice() <= high,
            (None, Some(_)) => false,
        };
        let to = stop.min(from.saturating_add(self.take));
        for i in from..to {
            self.push(leaf.key(i), leaf.payload(i));
        }
        if to < stop {
            key.clear();
            key.extend_from_slice(leaf.key(to - 1));
            key.push(0);
            self.resume = Resume::At(key);
        } else if let Some(high) = leaf.high_key().filter(|_| !last_page) {
            key.clear();
            key.extend_from_slice(high);
            self.resume = Resume::At(key);
        }
        Ok(())
    }

    fn fill_backward(&mut self, pool: &BufferPool, key: Option<Vec<u8>>) -> Result<()> {
        let to = match &key {
            Some(k) if k.is_empty() => return Ok(()),
            Some(k) => Target::Below(k),
            None => Target::Last,
        };
        let mut low = Vec::new();
        let leaf: SharedPage<'_> = self.tree.leaf(pool, to, &mut Notes { low: Some(&mut low), lag: None })?;
        let end = key.as_ref().map_or(leaf.slot_count(), |k| leaf.lower_bound(k).0);
        let first = self.end.as_ref().map_or(0, |e| leaf.lower_bound(e).0);
        let from = first.max(end.saturating_sub(self.take));
        for i in (from..end).rev() {
            self.push(leaf.key(i), leaf.payload(i));
        }
        if from > first {
            self.resume = Resume::Below(Some(leaf.key(from).to_vec()));
        } else if !low.is_empty() && self.end.as_ref().is_none_or(|e| *e < low) {
            self.resume = Resume::Below(Some(low));
        }
        Ok(())
    }
}
