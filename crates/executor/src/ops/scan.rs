//! Reading a base table through one of its indexes.

use std::ops::Bound;

use base::SqlResult;
use bumpalo::Bump;
use hashbrown::HashSet;
use planner::expr::Expr;
use planner::plan::{Access, LockMode, LockWait, Plan, Reads, Scan};
use storage::rowlock;
use storage::table::{self, Direction, ReadMode, TableCursor, TableHandle};

use super::found::Found;
use super::index_merge::Merged;
use crate::eval::Cx;
use crate::eval::holds;
use crate::ops::ranges::{self, Range};
use crate::rows::slot::RowState;

/// See the module.
pub struct ScanOp<'e> {
    scan: &'e Scan,
    table: Option<TableHandle>,
    cursor: Option<TableCursor>,
    ranges: Vec<Range>,
    at: usize,
    seeking: bool,
    key: Vec<u8>,
    point_done: bool,
    /// The condition checked here; EXPLAIN ANALYZE checks it outside.
    filter: Option<&'e Expr>,
    /// Index condition pushdown: columns of the index, and the cursor that reads the rows.
    pushed: Option<(Vec<u16>, TableCursor)>,
    /// Clustered keys of an index merge.
    merged: Option<Merged>,
    /// The rows that a full-text search finds, where the condition demands that.
    found: Option<Found>,
    /// Semi-consistent reads of the clustered index.
    semi: bool,
    /// Several ranges of a multi-valued index may have the same row: clustered keys of those that were read.
    seen: Option<HashSet<Box<[u8]>>>,
    /// Skip scan: how many parts make a group, and what is left of the index to find groups in. `ranges` are those
    /// of the present group.
    skipped: Option<usize>,
    groups: Option<Range>,
    /// A multi-valued index cannot tell: the table itself is read.
    whole: bool,
    arena: Bump,
}

/// Read mode of a scan.
pub fn read_mode(scan: &Scan, plan: &Plan) -> ReadMode {
    let wait = match scan.wait {
        LockWait::Wait => table::LockWait::Wait,
        LockWait::NoWait => table::LockWait::NoWait,
        LockWait::SkipLocked => table::LockWait::SkipLocked,
    };
    match scan.lock {
        LockMode::None => match plan.reads {
            Reads::Consistent => ReadMode::Consistent,
            // rows of a temporary table are nobody else's
            _ if plan.tables.get(scan.table as usize).is_some_and(|t| t.def.is_temporary()) => ReadMode::Consistent,
            Reads::Source => ReadMode::Source,
            Reads::Locked => ReadMode::FOR_SHARE,
        },
        LockMode::Share => ReadMode::Lock { mode: rowlock::LockMode::S, wait },
        LockMode::Update => ReadMode::Lock { mode: rowlock::LockMode::X, wait },
    }
}

impl<'e> ScanOp<'e> {
    /// For a scan of the plan.
    pub fn new(scan: &'e Scan, cx: &Cx<'e>) -> ScanOp<'e> {
        ScanOp {
            scan,
            table: cx.tables.get(scan.table as usize).cloned(),
            cursor: None,
            ranges: Vec::new(),
            at: 0,
            seeking: true,
            key: Vec::new(),
            point_done: false,
            filter: scan.filter.as_ref(),
            pushed: None,
            merged: None,
            found: None,
            semi: cx.semi_consistent && scan.lock == LockMode::Update,
            seen: None,
            skipped: scan.access.skipped(),
            groups: None,
            whole: false,
            arena: Bump::new(),
        }
    }

    /// All rows of the access path, whatever the condition says.
    pub fn unfiltered(mut self) -> ScanOp<'e> {
        self.filter = None;
        self
    }

    /// Starts from the beginning, evaluating the access path's values.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let Some(t) = &self.table else { return Ok(()) };
        self.point_done = false;
        self.at = 0;
        self.seeking = true;
        self.arena.reset();
        let index = self.scan.index as usize;
        let warned = cx.env.conv.warned();
        match &self.scan.access {
            Access::Point(key) => {
                if !ranges::point_key(key, t, index, cx, &self.arena, &mut self.key)? {
                    self.point_done = true;
                }
            }
            Access::Merge { parts, all } => {
                self.merged = Some(Merged::collect(parts, *all, t, read_mode(self.scan, cx.plan), cx, &self.arena)?);
            }
            a => {
                let list = ranges::ranges(a, t, index, cx, &self.arena)?;
                if self.whole != list.is_none() {
                    // the other tree from now on
                    self.whole = list.is_none();
                    self.cursor = None;
                }
                self.ranges = list.unwrap_or_else(|| vec![Range::ALL]);
                if self.scan.reverse {
                    self.ranges.reverse();
                }
                if self.skipped.is_some() {
                    self.groups = std::mem::take(&mut self.ranges).pop();
                }
                let several = self.ranges.len() > 1 && t.def.is_multi_valued(index);
                self.seen = several.then(HashSet::new);
            }
        }
        if cx.env.conv.warned() != warned {
            cx.foretell_once(warned);
        }
        let index = if self.whole { 0 } else { index };
        if self.cursor.is_none() {
            let mode = read_mode(self.scan, cx.plan);
            let pushed = self.scan.pushed.is_some();
            self.cursor = Some(
                TableCursor::open(t, index, mode, self.scan.covering || pushed)
                    .counted(self.scan.ordered)
                    .wanting(&self.scan.columns),
            );
            if pushed {
                let parts = t.def.indexes.get(index).map_or(&[][..], |x| x.parts.as_slice());
                let columns = parts.iter().filter(|p| p.prefix == 0).map(|p| p.column).collect();
                self.pushed = Some((columns, TableCursor::open(t, 0, mode, false).wanting(&self.scan.columns)));
            }
        }
        if let Some(s) = cx.slots.get_mut(self.scan.slot as usize) {
            s.state = RowState::Empty;
        }
        if self.filter.is_some() {
            self.found = Found::of(self.scan, read_mode(self.scan, cx.plan), cx, &self.arena)?;
        }
        Ok(())
    }

    /// Next row that passes the filter.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        let Some(cursor) = &mut self.cursor else { return Ok(false) };
        if let Access::Point(_) = self.scan.access {
            if std::mem::replace(&mut self.point_done, true) {
                return Ok(false);
            }
            let Some(row) = cursor.point(&mut cx.env.trx, &self.key)? else { return Ok(false) };
            let Some(slot) = cx.slots.get_mut(self.scan.slot as usize) else { return Ok(false) };
            slot.set_row(&row, &self.scan.columns, &self.arena)?;
            return self.accept(cx);
        }
        if let Access::Merge { .. } = self.scan.access {
            return self.next_merged(cx);
        }
        if let Some(found) = &mut self.found {
            while found.next(self.scan, cursor, cx, &mut self.arena)? {
                if holds_for(self.filter, cx, &mut self.arena)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        loop {
            if self.at >= self.ranges.len() && !self.next_group(cx)? {
                return Ok(false);
            }
            let Some(cursor) = &mut self.cursor else { return Ok(false) };
            let Some(range) = self.ranges.get(self.at) else { continue };
            let row = if range.point {
                let Bound::Included(k) = &range.lower else { return Ok(false) };
                self.at += 1;
                cursor.set_semi_consistent(false); // as InnoDB: who looks for a unique key waits
                cursor.point(&mut cx.env.trx, k)?
            } else {
                if std::mem::replace(&mut self.seeking, false) {
                    cursor.set_semi_consistent(self.semi && (self.whole || self.scan.index == 0));
                    let r = range.key_range();
                    let d = if self.scan.reverse { Direction::Backward } else { Direction::Forward };
                    cursor.seek(&mut cx.env.trx, r, d)?;
                }
                let row = cursor.next(&mut cx.env.trx)?;
                if row.is_none() {
                    self.at += 1;
                    self.seeking = true;
                }
                row
            };
            let Some(row) = row else { continue };
            if let Some(seen) = &mut self.seen {
                if seen.contains(row.key()) {
                    cx.tick()?;
                    continue;
                }
                base::memory::check()?;
                seen.insert(row.key().into());
            }
            let Some(slot) = cx.slots.get_mut(self.scan.slot as usize) else { return Ok(false) };
            self.arena.reset();
            if self.scan.loose > 0
                && let Some(t) = &self.table
                && let Some(r) = self.ranges.get_mut(self.at)
            {
                super::loose_scan::skip(self.scan, t, &row, &self.arena, r)?;
                self.seeking = true;
            }
            if let (Some(cond), Some((columns, rows))) = (&self.scan.pushed, &mut self.pushed) {
                slot.set_row(&row, columns, &self.arena)?;
                self.key.clear();
                self.key.extend_from_slice(row.key());
                if !holds(cond, cx, &self.arena)? {
                    cursor.unlock_row(&mut cx.env.trx);
                    cx.tick()?;
                    continue;
                }
                let Some(row) = rows.point(&mut cx.env.trx, &self.key)? else { continue };
                let Some(slot) = cx.slots.get_mut(self.scan.slot as usize) else { return Ok(false) };
                slot.set_row(&row, &self.scan.columns, &self.arena)?;
            } else {
                slot.set_row(&row, &self.scan.columns, &self.arena)?;
            }
            if self.accept(cx)? && self.relocked(cx)? {
                return Ok(true);
            }
            cx.tick()?;
        }
    }

    /// The next group of a skip scan: its ranges. `false`: there is none, or this is no skip scan.
    fn next_group(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        let (Some(n), Some(left), Access::Ranges(conds)) = (self.skipped, &mut self.groups, &self.scan.access) else {
            return Ok(false);
        };
        let (Some(cursor), Some(t), Some(conds)) = (&mut self.cursor, &self.table, conds.first()) else {
            return Ok(false);
        };
        cx.tick()?;
        cursor.seek(&mut cx.env.trx, left.key_range(), Direction::Forward)?;
        let Some(row) = cursor.next(&mut cx.env.trx)? else { return Ok(false) };
        self.arena.reset();
        let index = self.scan.index as usize;
        let group = super::loose_scan::group_of(index, n, t, &row, &self.arena)?;
        self.ranges = ranges::of_group(conds, &group, (t, index), cx, &self.arena)?;
        left.lower = Bound::Excluded(group);
        (self.at, self.seeking) = (0, true);
        Ok(true)
    }

    /// A row that another has locked has been read in its committed version and passes the filter: waits for it and looks again. `false`: it is gone, or
    /// does not pass any more. True for every other row.
    fn relocked(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        let Some(cursor) = &mut self.cursor else { return Ok(false) };
        if !cursor.was_semi_consistent() {
            return Ok(true);
        }
        let Some(row) = cursor.relock(&mut cx.env.trx)? else { return Ok(false) };
        let Some(slot) = cx.slots.get_mut(self.scan.slot as usize) else { return Ok(false) };
        self.arena.reset();
        slot.set_row(&row, &self.scan.columns, &self.arena)?;
        self.accept(cx)
    }

    /// Next row of an index merge that passes the filter.
    fn next_merged(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        loop {
            let (Some(cursor), Some(m)) = (&mut self.cursor, &mut self.merged) else { return Ok(false) };
            if !m.next(&mut self.key)? {
                return Ok(false);
            }
            cx.tick()?;
            let Some(row) = cursor.point(&mut cx.env.trx, &self.key)? else { continue };
            let Some(slot) = cx.slots.get_mut(self.scan.slot as usize) else { return Ok(false) };
            self.arena.reset();
            slot.set_row(&row, &self.scan.columns, &self.arena)?;
            if self.accept(cx)? {
                return Ok(true);
            }
        }
    }

    fn accept(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        let Some(f) = self.filter else { return Ok(true) };
        self.arena.reset();
        if holds(f, cx, &self.arena)? {
            return Ok(true);
        }
        self.unlock_row(cx);
        Ok(false)
    }

    /// The present row is not wanted.
    pub fn unlock_row(&mut self, cx: &mut Cx<'e>) {
        if let Some(c) = &mut self.cursor {
            c.unlock_row(&mut cx.env.trx);
            if let Some((_, rows)) = &mut self.pushed {
                rows.unlock_row(&mut cx.env.trx);
            }
        }
    }
}

/// Whether the row in the slot passes.
fn holds_for(filter: Option<&Expr>, cx: &mut Cx<'_>, arena: &mut Bump) -> SqlResult<bool> {
    let Some(f) = filter else { return Ok(true) };
    arena.reset();
    holds(f, cx, arena)
}
