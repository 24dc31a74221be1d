//! The rows of a window, sorted by partition and order, and reached by number.
//!
//! While they fit into `tmp_table_size` all rows lie in one buffer. What passes it is sorted in temporary files, and then one partition at a
//! time is kept, in memory or in a file of its own; numbers go on from partition to partition. A row that lies in a file is read by way of a few
//! cached blocks and copied into the caller's arena. An error while reading is remembered, and [`Rows::check`] says it.
//!
//! A row of a partition kept this way: `[key length u32 le][key][tuple]`.

use std::cell::{Cell, RefCell};

use base::{SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use probe::held::Held;
use value::Value;

use crate::eval::Cx;
use crate::rows::spill::sorter::Sorter;
use crate::rows::spill::tuples::{Cursor, Tuples};
use crate::rows::tuple;

/// Blocks cached: a frame has two ends, and every call may look elsewhere.
const CACHED: usize = 8;

struct Entry {
    start: usize,
    /// Bytes of the partition's part of the key, of the whole key, of the tuple behind it.
    partition: u32,
    key: u32,
    tuple: u32,
    /// Order of arrival: the sort is stable.
    n: u32,
}

/// See the module.
pub(super) struct Rows {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Columns of a tuple.
    pub(super) width: usize,
    kept: usize,
    /// For performance_schema.
    held: Held,
    late: Option<Box<Late>>,
}

/// Rows beyond memory.
#[derive(Default)]
struct Late {
    sorter: Sorter,
    /// The present partition, and the number of its first row.
    partition: Tuples,
    base: usize,
    /// Key of the partition, and the row that follows it, which is in the next.
    key: Vec<u8>,
    ahead: Option<Vec<u8>>,
    ended: bool,
    cache: RefCell<[Cursor; CACHED]>,
    victim: Cell<usize>,
    failed: RefCell<Option<SqlError>>,
}

impl Rows {
    pub(super) fn new(width: usize) -> Rows {
        Rows { bytes: Vec::new(), entries: Vec::new(), width, kept: 0, held: Held::default(), late: None }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self, cx: &mut Cx<'_>) {
        cx.memory = cx.memory.saturating_sub(std::mem::take(&mut self.kept));
        self.bytes.clear();
        self.entries.clear();
        self.late = None;
    }

    /// Adds a row; `partition` bytes of its key are the partition's.
    pub(super) fn push(&mut self, key: &[u8], partition: u32, tup: &[u8], cx: &mut Cx<'_>) -> SqlResult<()> {
        if let Some(l) = &mut self.late {
            return l.push(key, partition, tup, cx);
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(tup);
        let n = self.entries.len() as u32;
        self.entries.push(Entry { start, partition, key: key.len() as u32, tuple: tup.len() as u32, n });
        self.held.set(self.bytes.capacity() + self.entries.capacity() * size_of::<Entry>());
        let size = self.bytes.len() + self.entries.len() * size_of::<Entry>();
        if size <= cx.table_limit(self.kept) {
            if size > self.kept + (1 << 16) {
                cx.keep(size - self.kept)?;
                self.kept = size;
            }
            return Ok(());
        }
        probe::inc(probe::Counter::CreatedTmpDiskTables);
        let mut l = Box::<Late>::default();
        for e in &self.entries {
            let row = self.bytes.get(e.start..e.start + (e.key + e.tuple) as usize).unwrap_or(&[]);
            let (key, tup) = row.split_at_checked(e.key as usize).unwrap_or((row, &[]));
            l.push(key, e.partition, tup, cx)?;
        }
        cx.memory = cx.memory.saturating_sub(std::mem::take(&mut self.kept));
        (self.bytes, self.entries, self.late) = (Vec::new(), Vec::new(), Some(l));
        self.held.clear();
        Ok(())
    }

    /// All rows were added.
    pub(super) fn finish(&mut self, sorted: bool, cx: &mut Cx<'_>) -> SqlResult<()> {
        if let Some(l) = &mut self.late {
            return l.sorter.finish(usize::MAX, cx.env);
        }
        if sorted {
            let bytes = &self.bytes;
            let key = |e: &Entry| bytes.get(e.start..e.start + e.key as usize).unwrap_or(&[]);
            self.entries.sort_unstable_by(|x, y| key(x).cmp(key(y)).then(x.n.cmp(&y.n)));
        }
        Ok(())
    }

    /// Whether there is a row `i`; it may be the first of the next partition.
    pub(super) fn has(&mut self, i: usize, cx: &mut Cx<'_>) -> SqlResult<bool> {
        match &mut self.late {
            Some(l) if i < l.base + l.partition.len() => Ok(true),
            Some(l) => l.load(i, cx),
            None => Ok(i < self.entries.len()),
        }
    }

    /// Behind the partition that row `i` begins.
    pub(super) fn partition_end(&self, i: usize, parts: usize, cx: &mut Cx<'_>) -> SqlResult<usize> {
        if let Some(l) = &self.late {
            return Ok(l.base + l.partition.len());
        }
        if parts == 0 {
            return Ok(self.entries.len());
        }
        let mut end = i + 1;
        while end < self.entries.len() && self.partition(end) == self.partition(i) {
            end += 1;
            cx.tick()?;
        }
        Ok(end)
    }

    /// Behind the peers of row `i`, all of which are before `limit`.
    pub(super) fn peers_end(&self, i: usize, limit: usize, cx: &mut Cx<'_>) -> SqlResult<usize> {
        let (first, mut scratch) = (Bump::new(), Bump::new());
        let key = self.key(i, &first);
        let mut end = i + 1;
        while end < limit && self.key(end, &scratch) == key {
            scratch.reset();
            end += 1;
            cx.tick()?;
        }
        self.check()?;
        Ok(end)
    }

    fn slice(&self, i: usize, from: impl Fn(&Entry) -> (u32, u32)) -> &[u8] {
        let Some(e) = self.entries.get(i) else { return &[] };
        let (a, b) = from(e);
        self.bytes.get(e.start + a as usize..e.start + b as usize).unwrap_or(&[])
    }
    fn partition(&self, i: usize) -> &[u8] {
        self.slice(i, |e| (0, e.partition))
    }
    fn key<'a>(&'a self, i: usize, arena: &'a Bump) -> &'a [u8] {
        match &self.late {
            Some(l) => l.row(i, arena).0,
            None => self.slice(i, |e| (0, e.key)),
        }
    }
    /// A row.
    pub(super) fn tuple<'a>(&'a self, i: usize, arena: &'a Bump) -> &'a [u8] {
        match &self.late {
            Some(l) => l.row(i, arena).1,
            None => self.slice(i, |e| (e.key, e.key + e.tuple)),
        }
    }
    /// Column of a row.
    pub(super) fn column<'a>(&'a self, i: usize, column: u16, arena: &'a Bump) -> Value<'a> {
        tuple::get(self.tuple(i, arena), self.width, column as usize, arena)
    }

    /// The error of a row that could not be read.
    pub(super) fn check(&self) -> SqlResult<()> {
        match self.late.as_ref().and_then(|l| l.failed.borrow_mut().take()) {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }
}

impl Late {
    fn push(&mut self, key: &[u8], partition: u32, tup: &[u8], cx: &mut Cx<'_>) -> SqlResult<()> {
        let limit = cx.spill_limit(Var::sort_buffer_size);
        let mut rest = Vec::with_capacity(4 + tup.len());
        rest.extend_from_slice(&partition.to_le_bytes());
        rest.extend_from_slice(tup);
        self.sorter.push(key, &rest, limit, cx.env)
    }

    /// Takes the next partition, whose first row is number `i`.
    fn load(&mut self, i: usize, cx: &mut Cx<'_>) -> SqlResult<bool> {
        self.partition.clear();
        *self.cache.borrow_mut() = Default::default();
        self.base = i;
        let mut limit = cx.table_limit(0);
        if let Some(row) = self.ahead.take() {
            self.partition.push(&row, limit, cx.env)?;
        }
        while !self.ended {
            let Some((key, rest)) = self.sorter.next()? else {
                self.ended = true;
                break;
            };
            let (n, tup) = rest.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
            let partition = key.get(..u32::from_le_bytes(*n) as usize).unwrap_or(&[]);
            let len = (key.len() as u32).to_le_bytes();
            if self.partition.is_empty() {
                self.key.clear();
                self.key.extend_from_slice(partition);
            } else if self.key != partition {
                self.key.clear();
                self.key.extend_from_slice(partition);
                self.ahead = Some([&len, key, tup].concat());
                break;
            }
            let row = self.partition.begin();
            row.extend_from_slice(&len);
            row.extend_from_slice(key);
            row.extend_from_slice(tup);
            self.partition.end(limit, cx.env)?;
            limit = limit.min(cx.table_limit(self.partition.size()));
            cx.tick()?;
        }
        Ok(!self.partition.is_empty())
    }

    /// Key and tuple of a row.
    fn row<'a>(&'a self, i: usize, arena: &'a Bump) -> (&'a [u8], &'a [u8]) {
        let Some(n) = i.checked_sub(self.base) else { return (&[], &[]) };
        let row = match self.partition.in_memory(n) {
            Some(row) => row,
            None => {
                let mut cache = self.cache.borrow_mut();
                let at = cache.iter().position(|c| c.holds(n)).unwrap_or_else(|| {
                    let v = self.victim.get();
                    self.victim.set((v + 1) % CACHED);
                    v
                });
                let Some(cursor) = cache.get_mut(at) else { return (&[], &[]) };
                match self.partition.get(n, cursor) {
                    Ok(row) => arena.alloc_slice_copy(row.unwrap_or(&[])),
                    Err(e) => {
                        self.failed.borrow_mut().get_or_insert(e);
                        return (&[], &[]);
                    }
                }
            }
        };
        let Some((len, row)) = row.split_first_chunk::<4>() else { return (&[], &[]) };
        row.split_at_checked(u32::from_le_bytes(*len) as usize).unwrap_or((&[], &[]))
    }
}
