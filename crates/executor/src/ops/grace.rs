//! A hash join whose inner side does not fit into `join_buffer_size`: both sides go to a temporary file, divided by the hash of their keys.
//!
//! The inner rows are first written one after the other; when their size is known they are divided into so many partitions that one should fit. Then
//! the outer rows are divided likewise. Partition after partition, the inner rows become a hash table and the outer ones look into it. A partition
//! that is still too large (one key with many rows) is taken in pieces, and the outer rows are read once per piece; which of them found a
//! match is remembered, so that outer joins and anti joins answer at the last piece.
//!
//! Rows come out in the order of the partitions. Where operators above rely on the order of the outer rows, the result is sorted by their
//! order of arrival.
//!
//! Records: inner `[key length u32][key][rows]`, outer `[key length u32, or NO_KEY][key][arrival u64][rows]` ([`rows`]).

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::Expr;
use planner::plan::JoinKind;
use probe::held::Held;
use probe::instruments::Memory;

use super::join::set_null;
use crate::eval::Cx;
use crate::eval::truth;
use crate::rows::spill::TempFile;
use crate::rows::spill::rows;
use crate::rows::spill::sorter::Sorter;
use crate::rows::spill::spool::{Reader, Spool};

/// An outer row with a NULL in its key: it equals nothing.
const NO_KEY: u32 = u32::MAX;
/// Partitions at most.
const MOST: usize = 256;

type Table = hashbrown::HashMap<Box<[u8]>, Vec<u32>, foldhash::fast::RandomState>;

/// What belongs to the join and does not change.
pub(super) struct Parts<'e> {
    pub(super) kind: JoinKind,
    pub(super) on: Option<&'e Expr>,
    /// Slots of the outer and of the inner side.
    pub(super) outer: Vec<u16>,
    pub(super) inner: &'e [u16],
    /// The order of the outer rows counts.
    pub(super) ordered: bool,
}

/// See the module.
pub(super) struct Grace {
    file: TempFile,
    memory: usize,
    /// All inner rows, until they are divided.
    whole: Spool,
    bytes: usize,
    inner: Vec<Spool>,
    outer: Vec<Spool>,
    arrived: u64,
    record: Vec<u8>,
    /// The partition being joined, the piece of its inner rows.
    at: Option<Piece>,
    part: usize,
    sorted: Option<Sorter>,
    arena: Bump,
}

/// A piece of a partition's inner rows and the place among its outer rows.
struct Piece {
    build: Reader,
    /// A record of `build` that did not fit any more.
    pending: bool,
    last: bool,
    table: Table,
    rows: Vec<Box<[u8]>>,
    /// For performance_schema: what these two take.
    held: Held,
    probe: Reader,
    /// Outer rows of the partition that found a match.
    matched: Vec<bool>,
    row: usize,
    inside: bool,
    arrival: u64,
    hits: Vec<u32>,
    hit: usize,
}

fn split_key(record: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let Some((n, rest)) = record.split_first_chunk::<4>() else { return (None, &[]) };
    match u32::from_le_bytes(*n) {
        NO_KEY => (None, rest),
        n => rest.split_at_checked(n as usize).map_or((None, rest), |(k, r)| (Some(k), r)),
    }
}

fn partition(key: &[u8], n: usize) -> usize {
    (crc32fast::hash(key) as usize).checked_rem(n).unwrap_or(0)
}

impl Grace {
    /// For a join that may keep `memory` bytes.
    pub(super) fn new(memory: usize, cx: &Cx<'_>) -> SqlResult<Grace> {
        probe::inc(probe::Counter::CreatedTmpDiskTables);
        Ok(Grace {
            file: TempFile::create_for_join(cx.env)?,
            memory,
            whole: Spool::default(),
            bytes: 0,
            inner: Vec::new(),
            outer: Vec::new(),
            arrived: 0,
            record: Vec::new(),
            at: None,
            part: 0,
            sorted: None,
            arena: Bump::new(),
        })
    }

    /// Adds an inner row: its key and what [`rows::save`] made of it.
    pub(super) fn add_inner(&mut self, key: &[u8], row: &[u8]) -> SqlResult<()> {
        self.record.clear();
        self.record.extend_from_slice(&(key.len() as u32).to_le_bytes());
        self.record.extend_from_slice(key);
        self.bytes += key.len() + row.len() + 64;
        self.whole.put(&self.record, row, 32 << 10, &mut self.file)
    }

    fn block(&self) -> usize {
        self.memory.checked_div(2 * self.inner.len().max(1)).unwrap_or(0).clamp(1 << 10, 32 << 10)
    }

    /// All inner rows are there.
    pub(super) fn divide(&mut self, cx: &mut Cx<'_>) -> SqlResult<()> {
        let n = (self.bytes.checked_div(self.memory.max(1)).unwrap_or(0) * 2 + 2).min(MOST);
        self.inner = (0..n).map(|_| Spool::default()).collect();
        self.outer = (0..n).map(|_| Spool::default()).collect();
        self.whole.seal(&mut self.file)?;
        let (mut reader, block) = (Reader::default(), self.block());
        while reader.next(&self.whole, &self.file)? {
            cx.tick()?;
            let record = reader.record();
            let p = partition(split_key(record).0.unwrap_or(&[]), n);
            if let Some(s) = self.inner.get_mut(p) {
                s.put(record, &[], block, &mut self.file)?;
            }
        }
        self.whole = Spool::default();
        for s in &mut self.inner {
            s.seal(&mut self.file)?;
        }
        Ok(())
    }

    /// Adds an outer row, the present one; no key: it has a NULL in it.
    pub(super) fn add_outer(&mut self, key: Option<&[u8]>, parts: &Parts<'_>, cx: &Cx<'_>) -> SqlResult<()> {
        if key.is_none() && matches!(parts.kind, JoinKind::Inner | JoinKind::Semi) {
            return Ok(());
        }
        self.record.clear();
        self.record.extend_from_slice(&key.map_or(NO_KEY, |k| k.len() as u32).to_le_bytes());
        self.record.extend_from_slice(key.unwrap_or(&[]));
        self.record.extend_from_slice(&self.arrived.to_be_bytes());
        self.arrived += 1;
        rows::save(&parts.outer, &cx.slots, &mut self.record);
        let (p, block) = (partition(key.unwrap_or(&[]), self.outer.len()), self.block());
        match self.outer.get_mut(p) {
            Some(s) => s.put(&self.record, &[], block, &mut self.file),
            None => Ok(()),
        }
    }

    /// All outer rows are there.
    pub(super) fn finish(&mut self, parts: &Parts<'_>, cx: &mut Cx<'_>) -> SqlResult<()> {
        for s in &mut self.outer {
            s.seal(&mut self.file)?;
        }
        if !parts.ordered {
            return Ok(());
        }
        let mut out = Sorter::default();
        let mut row = Vec::new();
        while let Some(arrival) = self.joined(parts, cx)? {
            row.clear();
            rows::save(&parts.outer, &cx.slots, &mut row);
            rows::save(parts.inner, &cx.slots, &mut row);
            out.push(&arrival.to_be_bytes(), &row, self.memory, cx.env)?;
        }
        out.finish(usize::MAX, cx.env)?;
        self.sorted = Some(out);
        Ok(())
    }

    /// Moves to the next joined row.
    pub(super) fn next(&mut self, parts: &Parts<'_>, cx: &mut Cx<'_>) -> SqlResult<bool> {
        let Some(s) = &mut self.sorted else { return Ok(self.joined(parts, cx)?.is_some()) };
        let Some((_, row)) = s.next()? else { return Ok(false) };
        let rest = rows::restore(&parts.outer, row, &mut cx.slots);
        rows::restore(parts.inner, rest, &mut cx.slots);
        Ok(true)
    }

    /// The next joined row in the order of the partitions: the arrival of its outer row.
    fn joined(&mut self, parts: &Parts<'_>, cx: &mut Cx<'_>) -> SqlResult<Option<u64>> {
        loop {
            let (Some(inner), Some(outer)) = (self.inner.get(self.part), self.outer.get(self.part)) else {
                return Ok(None);
            };
            let skip = outer.is_empty() || (inner.is_empty() && matches!(parts.kind, JoinKind::Inner | JoinKind::Semi));
            if skip {
                self.part += 1;
                continue;
            }
            let piece = match &mut self.at {
                Some(p) => p,
                at => {
                    let mut p = Piece::new(outer.len());
                    p.load(inner, &self.file, self.memory, cx)?;
                    at.insert(p)
                }
            };
            if let Some(arrival) = piece.next(outer, &self.file, parts, cx, &mut self.arena)? {
                return Ok(Some(arrival));
            }
            if piece.last {
                self.at = None;
                self.part += 1;
            } else {
                piece.load(inner, &self.file, self.memory, cx)?;
            }
        }
    }
}

impl Piece {
    fn new(outer_rows: u64) -> Piece {
        Piece {
            build: Reader::default(),
            pending: false,
            last: false,
            table: Table::default(),
            rows: Vec::new(),
            held: Held::new(Memory::HashJoins),
            probe: Reader::default(),
            matched: vec![false; usize::try_from(outer_rows).unwrap_or(0)],
            row: 0,
            inside: false,
            arrival: 0,
            hits: Vec::new(),
            hit: 0,
        }
    }

    /// Takes the next inner rows, as many as fit, and starts at the first outer row again.
    fn load(&mut self, inner: &Spool, file: &TempFile, memory: usize, cx: &mut Cx<'_>) -> SqlResult<()> {
        self.table.clear();
        self.rows.clear();
        self.held.clear();
        self.probe = Reader::default();
        self.row = 0;
        self.inside = false;
        let mut size = 0;
        while std::mem::take(&mut self.pending) || self.build.next(inner, file)? {
            cx.tick()?;
            let (key, row) = split_key(self.build.record());
            let key = key.unwrap_or(&[]);
            size += key.len() + row.len() + 64;
            if size > memory && !self.rows.is_empty() {
                self.pending = true;
                return Ok(());
            }
            self.held.set(size);
            let n = self.rows.len() as u32;
            self.rows.push(row.into());
            match self.table.get_mut(key) {
                Some(l) => l.push(n),
                None => {
                    self.table.insert(key.into(), vec![n]);
                }
            }
        }
        self.last = true;
        Ok(())
    }

    fn is_matched(&self) -> bool {
        self.matched.get(self.row).copied().unwrap_or(false)
    }

    /// The next joined row of this piece.
    fn next(
        &mut self,
        outer: &Spool,
        file: &TempFile,
        parts: &Parts<'_>,
        cx: &mut Cx<'_>,
        arena: &mut Bump,
    ) -> SqlResult<Option<u64>> {
        loop {
            if !self.inside {
                if !self.probe.next(outer, file)? {
                    return Ok(None);
                }
                cx.tick()?;
                let (key, rest) = split_key(self.probe.record());
                let Some((arrival, row)) = rest.split_first_chunk::<8>() else { return Ok(None) };
                self.arrival = u64::from_be_bytes(*arrival);
                self.hits.clear();
                self.hit = 0;
                let done = self.is_matched() && matches!(parts.kind, JoinKind::Semi | JoinKind::Anti);
                if let Some(l) = key.filter(|_| !done).and_then(|k| self.table.get(k)) {
                    self.hits.extend_from_slice(l);
                }
                rows::restore(&parts.outer, row, &mut cx.slots);
                self.inside = true;
            }
            while let Some(n) = self.hits.get(self.hit) {
                self.hit += 1;
                if let Some(row) = self.rows.get(*n as usize) {
                    rows::restore(parts.inner, row, &mut cx.slots);
                }
                if let Some(on) = parts.on {
                    arena.reset();
                    if truth(on, cx, arena)? != Some(true) {
                        cx.tick()?;
                        continue;
                    }
                }
                if let Some(m) = self.matched.get_mut(self.row) {
                    *m = true;
                }
                match parts.kind {
                    JoinKind::Inner | JoinKind::Left => return Ok(Some(self.arrival)),
                    JoinKind::Semi => {
                        self.inside = false;
                        self.row += 1;
                        return Ok(Some(self.arrival));
                    }
                    JoinKind::Anti => break,
                }
            }
            let alone = self.last && !self.is_matched();
            self.inside = false;
            self.row += 1;
            match parts.kind {
                JoinKind::Left if alone => {
                    set_null(parts.inner, cx);
                    return Ok(Some(self.arrival));
                }
                JoinKind::Anti if alone => return Ok(Some(self.arrival)),
                _ => {}
            }
        }
    }
}
