//! Sorting by comparable bytes, in memory while it fits, else by merging sorted runs of a temporary file. Stable.
//!
//! An item is a key and what hangs on it. In memory both lie in one growing buffer and sorting moves only numbers. When the buffer passes the limit
//! its items are sorted and become a *run*; runs are in the order of arrival, so equal keys are told apart by their run. More than
//! [`FAN_IN`] runs are first merged in groups of neighbours (each a merge pass, as the one at the end), into a new file.
//!
//! Record of a run: `[key length u32 le][key][rest]`.

use base::SqlResult;

use super::spool::{Reader, Spool};
use super::{TempFile, Ticks};
use crate::rows::env::Env;
use probe::held::Held;
use probe::instruments::Memory;

/// Runs merged at a time.
const FAN_IN: usize = 64;
/// Bytes of a block of a run.
const BLOCK: usize = 32 << 10;

#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    key: u32,
    rest: u32,
    /// Order of arrival.
    n: u32,
}

/// See the module.
pub struct Sorter {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    at: usize,
    n: u32,
    runs: Vec<Spool>,
    file: Option<TempFile>,
    merge: Option<Merge>,
    /// For performance_schema: what the items take.
    held: Held,
}

impl Default for Sorter {
    fn default() -> Sorter {
        let held = Held::new(Memory::Sorts);
        Sorter { bytes: Vec::new(), entries: Vec::new(), at: 0, n: 0, runs: Vec::new(), file: None, merge: None, held }
    }
}

impl Sorter {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
        self.at = 0;
        self.n = 0;
        self.runs.clear();
        self.file = None;
        self.merge = None;
    }

    /// Where the caller appends the key of the next item, before [`Sorter::end`].
    pub fn key(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Ends an item whose key was appended from `start` on.
    pub fn end(&mut self, start: usize, rest: &[u8]) {
        let key = (self.bytes.len() - start) as u32;
        self.bytes.extend_from_slice(rest);
        self.entries.push(Entry { start, key, rest: rest.len() as u32, n: self.n });
        self.n = self.n.wrapping_add(1);
        self.tell();
    }

    fn tell(&mut self) {
        self.held.set(self.bytes.capacity() + self.entries.capacity() * size_of::<Entry>());
    }

    /// Adds an item; at `limit` bytes a run is written.
    pub fn push(&mut self, key: &[u8], rest: &[u8], limit: usize, env: &Env) -> SqlResult<()> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(key);
        self.end(start, rest);
        if self.size() > limit { self.spill(env) } else { Ok(()) }
    }

    /// Items in memory.
    pub fn held(&self) -> usize {
        self.entries.len()
    }

    /// Bytes in memory.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.entries.len() * size_of::<Entry>()
    }

    fn order(&mut self) {
        let b = &self.bytes;
        let k = |e: &Entry| b.get(e.start..e.start + e.key as usize).unwrap_or(&[]);
        self.entries.sort_unstable_by(|x, y| k(x).cmp(k(y)).then(x.n.cmp(&y.n)));
    }

    /// Keeps only the first `n` of the items in memory; the key of the last one, if there are so many.
    pub fn shrink(&mut self, n: usize) -> Option<Vec<u8>> {
        self.order();
        self.entries.truncate(n);
        let last = n.checked_sub(1).and_then(|i| self.entries.get(i));
        let key = last.and_then(|e| self.bytes.get(e.start..e.start + e.key as usize)).map(<[u8]>::to_vec);
        let mut fresh = Vec::with_capacity(self.bytes.len() / 2);
        for e in &mut self.entries {
            let start = fresh.len();
            fresh.extend_from_slice(self.bytes.get(e.start..e.start + (e.key + e.rest) as usize).unwrap_or(&[]));
            e.start = start;
        }
        self.bytes = fresh;
        self.tell();
        key
    }

    /// Writes the items in memory as a run.
    pub fn spill(&mut self, env: &Env) -> SqlResult<()> {
        self.order();
        if self.file.is_none() {
            self.file = Some(TempFile::create(env)?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut run = Spool::default();
        for e in &self.entries {
            let item = self.bytes.get(e.start..e.start + (e.key + e.rest) as usize).unwrap_or(&[]);
            run.put(&e.key.to_le_bytes(), item, BLOCK, file)?;
        }
        run.seal(file)?;
        self.runs.push(run);
        self.bytes.clear();
        self.entries.clear();
        self.n = 0;
        Ok(())
    }

    /// All items are there: puts them in order, of which `wanted` will be read at most.
    pub fn finish(&mut self, wanted: usize, env: &Env) -> SqlResult<()> {
        self.at = 0;
        if self.file.is_none() {
            self.order();
            self.entries.truncate(wanted);
            return Ok(());
        }
        if !self.entries.is_empty() {
            self.spill(env)?;
        }
        self.bytes = Vec::new();
        self.tell();
        while self.runs.len() > FAN_IN {
            self.pass(env)?;
        }
        probe::inc(probe::Counter::SortMergePasses);
        if let Some(file) = &self.file {
            self.merge = Some(Merge::new(std::mem::take(&mut self.runs), file)?);
        }
        Ok(())
    }

    /// Merges groups of neighbouring runs into longer ones, in a new file.
    fn pass(&mut self, env: &Env) -> SqlResult<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut fresh = TempFile::create(env)?;
        let mut ticks = Ticks::default();
        let mut runs = std::mem::take(&mut self.runs).into_iter();
        loop {
            let group: Vec<Spool> = runs.by_ref().take(FAN_IN).collect();
            if group.is_empty() {
                break;
            }
            probe::inc(probe::Counter::SortMergePasses);
            let mut merge = Merge::new(group, file)?;
            let mut run = Spool::default();
            while let Some(record) = merge.next(file)? {
                run.put(record, &[], BLOCK, &mut fresh)?;
                ticks.next(env)?;
            }
            run.seal(&mut fresh)?;
            self.runs.push(run);
        }
        self.file = Some(fresh);
        Ok(())
    }

    /// The next item's key and rest, after [`Sorter::finish`].
    #[inline]
    pub fn next(&mut self) -> SqlResult<Option<(&[u8], &[u8])>> {
        if let (Some(m), Some(f)) = (&mut self.merge, &self.file) {
            return Ok(m.next(f)?.map(split));
        }
        let Some(e) = self.entries.get(self.at) else { return Ok(None) };
        self.at += 1;
        let item = self.bytes.get(e.start..e.start + (e.key + e.rest) as usize).unwrap_or(&[]);
        Ok(item.split_at_checked(e.key as usize))
    }
}

/// Key and rest of a run's record.
fn split(record: &[u8]) -> (&[u8], &[u8]) {
    let Some((n, item)) = record.split_first_chunk::<4>() else { return (&[], &[]) };
    item.split_at_checked(u32::from_le_bytes(*n) as usize).unwrap_or((&[], &[]))
}

/// A merge of runs: a heap of their numbers by the keys of their present records.
struct Merge {
    runs: Vec<(Spool, Reader)>,
    heap: Vec<usize>,
    /// The top's record was handed out: it moves on before the next.
    taken: bool,
    /// For performance_schema: a block of each run.
    held: Held,
}

impl Merge {
    fn new(runs: Vec<Spool>, file: &TempFile) -> SqlResult<Merge> {
        let mut m = Merge { runs: Vec::new(), heap: Vec::new(), taken: false, held: Held::new(Memory::Merges) };
        for r in runs {
            let mut reader = Reader::default();
            if reader.next(&r, file)? {
                m.heap.push(m.runs.len());
                m.runs.push((r, reader));
            }
        }
        m.held.set(m.runs.iter().map(|(_, reader)| reader.taken()).sum());
        for i in (0..m.heap.len() / 2).rev() {
            m.sift(i);
        }
        Ok(m)
    }

    fn key(&self, at: usize) -> Option<(&[u8], usize)> {
        let run = *self.heap.get(at)?;
        self.runs.get(run).map(|r| (split(r.1.record()).0, run))
    }

    /// Moves the entry at `i` down to its place.
    fn sift(&mut self, i: usize) {
        let mut i = i;
        loop {
            let mut least = i;
            for child in [2 * i + 1, 2 * i + 2] {
                if let (Some(c), Some(l)) = (self.key(child), self.key(least))
                    && c < l
                {
                    least = child;
                }
            }
            if least == i {
                return;
            }
            self.heap.swap(i, least);
            i = least;
        }
    }

    /// The next record in order.
    fn next(&mut self, file: &TempFile) -> SqlResult<Option<&[u8]>> {
        if std::mem::replace(&mut self.taken, true)
            && let Some(top) = self.heap.first().copied()
            && let Some((spool, reader)) = self.runs.get_mut(top)
        {
            if !reader.next(spool, file)? {
                self.heap.swap_remove(0);
            }
            self.sift(0);
        }
        let top = self.heap.first().and_then(|t| self.runs.get(*t));
        Ok(top.map(|r| r.1.record()))
    }
}
