//! UNION, INTERSECT, EXCEPT: evaluated from left to right, as their SQL text stands.
//!
//! Unions alone are read on the way, one query after the other; the rows of those up to the last UNION DISTINCT go through a set of keys.
//! With INTERSECT or EXCEPT the result so far is kept ([`Tuples`]), and the next query's keys are counted: in memory, or, beyond
//! `tmp_table_size`, by sorting both sides by key in temporary files. The order of the rows is the same either way.

use base::SqlResult;
use bumpalo::Bump;
use hashbrown::HashMap;
use planner::plan::{QueryPlan, SetOpKind, SlotDef};
use value::SqlType;

use super::{Op, Operators, each_row};
use crate::eval::Cx;
use crate::rows::spill::distinct::DistinctRows;
use crate::rows::spill::sorter::Sorter;
use crate::rows::spill::tuples::{Cursor, Tuples};
use crate::rows::{keys, tuple};

/// See the module.
pub struct SetOpOp<'e> {
    slot: u16,
    first: (&'e QueryPlan, Op<'e>),
    rest: Vec<(SetOpKind, &'e QueryPlan, Op<'e>)>,
    /// Unions only.
    streaming: bool,
    /// Queries up to this one, counted from 0, give distinct rows.
    distinct_to: Option<usize>,
    types: Vec<SqlType>,
    seen: DistinctRows,
    /// The rows kept by `seen` are being read.
    draining: bool,
    branch: usize,
    opened: bool,
    key: Vec<u8>,
    arena: Bump,
    /// The result, if it is kept, and what is accounted for.
    rows: Tuples,
    cursor: Cursor,
    at: usize,
    kept: usize,
}

impl<'e> SetOpOp<'e> {
    /// From its parts.
    pub fn new(
        slot: u16,
        first: &'e QueryPlan,
        rest: &'e [(SetOpKind, QueryPlan)],
        ops: &Operators<'e>,
        cx: &Cx<'e>,
    ) -> Self {
        let types = match cx.plan.slots.get(slot as usize) {
            Some(SlotDef::Tuple(t)) => t.clone(),
            _ => first.items.iter().map(|e| e.ty.clone()).collect(),
        };
        SetOpOp {
            slot,
            first: (first, ops.build(&first.root, cx)),
            rest: rest.iter().map(|(k, q)| (*k, q, ops.build(&q.root, cx))).collect(),
            streaming: rest.iter().all(|r| matches!(r.0, SetOpKind::UnionAll | SetOpKind::UnionDistinct)),
            distinct_to: rest.iter().rposition(|r| r.0 == SetOpKind::UnionDistinct).map(|i| i + 1),
            types,
            seen: DistinctRows::default(),
            draining: false,
            branch: 0,
            opened: false,
            key: Vec::new(),
            arena: Bump::new(),
            rows: Tuples::default(),
            cursor: Cursor::default(),
            at: 0,
            kept: 0,
        }
    }

    /// The query, where there is but one (in parentheses, with a LIMIT of its own).
    pub fn only(&self) -> Option<&Op<'e>> {
        self.rest.is_empty().then_some(&self.first.1)
    }

    /// The same, to change.
    pub fn only_mut(&mut self) -> Option<&mut Op<'e>> {
        self.rest.is_empty().then_some(&mut self.first.1)
    }

    /// Starts from the beginning; computes the result if it is to be kept.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.at = 0;
        self.branch = 0;
        self.opened = false;
        self.draining = false;
        if self.streaming {
            if self.distinct_to.is_some() {
                self.seen.open(cx.table_limit(0));
            }
            return Ok(());
        }
        cx.memory = cx.memory.saturating_sub(std::mem::take(&mut self.kept));
        self.rows = Tuples::default();
        self.cursor = Cursor::default();
        collect(&mut self.first.1, self.first.0, cx, &mut self.rows, &mut self.kept)?;
        for (kind, q, op) in &mut self.rest {
            let rows = std::mem::take(&mut self.rows);
            let types = &self.types;
            let mut keep = Kept { rows: Tuples::default(), kept: &mut self.kept };
            match kind {
                SetOpKind::UnionAll | SetOpKind::UnionDistinct => {
                    keep.rows = rows;
                    collect(op, q, cx, &mut keep.rows, keep.kept)?;
                    if *kind == SetOpKind::UnionDistinct {
                        let all = std::mem::take(&mut keep.rows);
                        distinct(&all, types, &mut keep, cx)?;
                    }
                }
                SetOpKind::Intersect | SetOpKind::Except => {
                    let mut once = Kept { rows: Tuples::default(), kept: &mut *keep.kept };
                    distinct(&rows, types, &mut once, cx)?;
                    let once = once.rows;
                    drop(rows);
                    by_count(*kind, &once, (op, q), types, &mut keep, cx)?;
                }
                SetOpKind::IntersectAll | SetOpKind::ExceptAll => {
                    by_count(*kind, &rows, (op, q), types, &mut keep, cx)?;
                }
            }
            self.rows = keep.rows;
            // what was kept on the way is gone
            let now = self.rows.size();
            cx.memory = cx.memory.saturating_sub(self.kept.saturating_sub(now));
            self.kept = now;
        }
        Ok(())
    }

    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        if self.streaming {
            return self.next_streaming(cx);
        }
        let Some(t) = self.rows.get(self.at, &mut self.cursor)? else { return Ok(false) };
        self.at += 1;
        cx.slot(self.slot)?.set_tuple(t);
        Ok(true)
    }

    fn next_streaming(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        loop {
            if self.draining {
                if let Some(t) = self.seen.next()? {
                    cx.slot(self.slot)?.set_tuple(t);
                    return Ok(true);
                }
                self.draining = false;
            }
            let (q, op) = match self.branch.checked_sub(1) {
                None => (self.first.0, &mut self.first.1),
                Some(i) => match self.rest.get_mut(i) {
                    Some((_, q, op)) => (*q, op),
                    None => return Ok(false),
                },
            };
            if !self.opened {
                op.open(cx)?;
                self.opened = true;
            }
            if !op.next(cx)? {
                self.opened = false;
                if self.distinct_to == Some(self.branch) {
                    self.seen.finish(cx.env)?;
                    self.draining = true;
                }
                self.branch += 1;
                continue;
            }
            self.arena.reset();
            let mut row = smallvec::SmallVec::<[value::Value<'_>; 16]>::new();
            for e in &q.items {
                row.push(crate::eval::eval(e, cx, &self.arena)?);
            }
            if self.distinct_to.is_none_or(|to| self.branch > to) {
                cx.slot(self.slot)?.set_values(&row);
                return Ok(true);
            }
            self.key.clear();
            for (v, ty) in row.iter().zip(&self.types) {
                keys::put(*v, ty, false, &mut self.key);
            }
            if self.seen.offer(&self.key, cx.env, |out| tuple::encode(&row, out))? {
                cx.slot(self.slot)?.set_values(&row);
                return Ok(true);
            }
            cx.tick()?;
        }
    }
}

/// A result that is being made; what is accounted for.
struct Kept<'a> {
    rows: Tuples,
    kept: &'a mut usize,
}

impl Kept<'_> {
    fn push(&mut self, row: &[u8], cx: &mut Cx<'_>) -> SqlResult<()> {
        let before = self.rows.size();
        self.rows.push(row, cx.table_limit(before), cx.env)?;
        let more = self.rows.size() - before;
        *self.kept += more;
        cx.keep(more)
    }
}

/// Appends a query's rows.
fn collect<'e>(
    op: &mut Op<'e>,
    q: &'e QueryPlan,
    cx: &mut Cx<'e>,
    rows: &mut Tuples,
    kept: &mut usize,
) -> SqlResult<()> {
    each_row(op, q, cx, &mut |cx, row| {
        let before = rows.size();
        tuple::encode(row, rows.begin());
        rows.end(cx.table_limit(before), cx.env)?;
        let more = rows.size() - before;
        *kept += more;
        cx.keep(more)?;
        Ok(true)
    })
}

/// Comparison key of a tuple.
fn key(t: &[u8], types: &[SqlType], arena: &mut Bump, out: &mut Vec<u8>) {
    arena.reset();
    out.clear();
    for (i, ty) in types.iter().enumerate() {
        keys::put(tuple::get(t, types.len(), i, arena), ty, false, out);
    }
}

/// The first of each set of equal rows.
fn distinct(all: &Tuples, types: &[SqlType], out: &mut Kept<'_>, cx: &mut Cx<'_>) -> SqlResult<()> {
    let mut seen = DistinctRows::default();
    seen.open(cx.table_limit(0));
    let (mut cursor, mut arena, mut k) = (Cursor::default(), Bump::new(), Vec::new());
    let mut at = 0;
    while let Some(t) = all.get(at, &mut cursor)? {
        at += 1;
        key(t, types, &mut arena, &mut k);
        if seen.offer(&k, cx.env, |out| out.extend_from_slice(t))? {
            out.push(t, cx)?;
        }
        cx.tick()?;
    }
    seen.finish(cx.env)?;
    while let Some(t) = seen.next()? {
        out.push(t, cx)?;
        cx.tick()?;
    }
    Ok(())
}

/// Whether a row stays that meets the other side's `n` rows equal to it, of which it takes one with it.
fn stays(kind: SetOpKind, n: Option<&mut u64>) -> bool {
    match (kind, n) {
        (SetOpKind::Intersect, n) => n.is_some(),
        (SetOpKind::Except, n) => n.is_none(),
        (SetOpKind::IntersectAll | SetOpKind::ExceptAll, Some(n)) if *n > 0 => {
            *n -= 1;
            kind == SetOpKind::IntersectAll
        }
        (kind, _) => kind == SetOpKind::ExceptAll,
    }
}

/// INTERSECT and EXCEPT: the rows that stay when the equal ones of another query are counted.
fn by_count<'e>(
    kind: SetOpKind,
    rows: &Tuples,
    (op, q): (&mut Op<'e>, &'e QueryPlan),
    types: &[SqlType],
    out: &mut Kept<'_>,
    cx: &mut Cx<'e>,
) -> SqlResult<()> {
    let limit = cx.table_limit(0);
    let mut counts = HashMap::<Box<[u8]>, u64, foldhash::fast::RandomState>::default();
    let mut size = 0;
    let mut sorter: Option<Sorter> = None;
    let mut k = Vec::new();
    each_row(op, q, cx, &mut |cx, row| {
        k.clear();
        for (v, ty) in row.iter().zip(types) {
            keys::put(*v, ty, false, &mut k);
        }
        if let Some(s) = &mut sorter {
            side_key(&mut k, 0);
            s.push(&k, &1u64.to_be_bytes(), limit, cx.env)?;
            return Ok(true);
        }
        if let Some(n) = counts.get_mut(k.as_slice()) {
            *n += 1;
            return Ok(true);
        }
        size += k.len() + 56;
        counts.insert(k.as_slice().into(), 1);
        if size > limit {
            probe::inc(probe::Counter::CreatedTmpDiskTables);
            let mut s = Sorter::default();
            for (key, n) in counts.drain() {
                let mut key = key.into_vec();
                side_key(&mut key, 0);
                s.push(&key, &n.to_be_bytes(), limit, cx.env)?;
            }
            sorter = Some(s);
        }
        Ok(true)
    })?;
    let (mut cursor, mut arena) = (Cursor::default(), Bump::new());
    let mut at = 0;
    while let Some(t) = rows.get(at, &mut cursor)? {
        key(t, types, &mut arena, &mut k);
        match &mut sorter {
            Some(s) => {
                side_key(&mut k, 1);
                let mut rest = (at as u64).to_be_bytes().to_vec();
                rest.extend_from_slice(t);
                s.push(&k, &rest, limit, cx.env)?;
            }
            None if stays(kind, counts.get_mut(k.as_slice())) => out.push(t, cx)?,
            None => {}
        }
        at += 1;
        cx.tick()?;
    }
    match sorter {
        Some(s) => walk(kind, s, limit, out, cx),
        None => Ok(()),
    }
}

/// Makes a key that sorts the other side's counts (0) before the rows (1) equal to them.
fn side_key(k: &mut Vec<u8>, side: u8) {
    let len = (k.len() as u32).to_be_bytes();
    k.splice(0..0, len);
    k.push(side);
}

/// Goes through both sides by key; the rows that stay are put in their old order.
fn walk(kind: SetOpKind, mut both: Sorter, limit: usize, out: &mut Kept<'_>, cx: &mut Cx<'_>) -> SqlResult<()> {
    both.finish(usize::MAX, cx.env)?;
    let mut staying = Sorter::default();
    let (mut group, mut count) = (Vec::new(), None);
    while let Some((k, rest)) = both.next()? {
        cx.tick()?;
        let (side, k) = k.split_last().unwrap_or((&0, &[]));
        if group != k {
            group.clear();
            group.extend_from_slice(k);
            count = None;
        }
        let Some((n, t)) = rest.split_first_chunk::<8>() else { continue };
        if *side == 0 {
            *count.get_or_insert(0) += u64::from_be_bytes(*n);
        } else if stays(kind, count.as_mut()) {
            staying.push(n, t, limit, cx.env)?;
        }
    }
    drop(both);
    staying.finish(usize::MAX, cx.env)?;
    while let Some((_, t)) = staying.next()? {
        out.push(t, cx)?;
        cx.tick()?;
    }
    Ok(())
}
