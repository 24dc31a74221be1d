//! Rows that an UPDATE or DELETE collects before it changes any, so that it does not meet its own changes. Rows of
//! several tables lie side by side.
//!
//! They are kept like those of an internal temporary table (`tmp_table_size`), or sorted (`sort_buffer_size`), and go to a temporary
//! file beyond that: see [`crate::rows::spill`]. Tested by `tests/sql/test_spill_dml.py`.

use base::SqlResult;
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::expr::Expr;
use planner::plan::SortKey;

use crate::eval::Cx;
use crate::eval::order_value;
use crate::ops::{Op, limit_value};
use crate::rows::keys;
use crate::rows::slot::RowState;
use crate::rows::spill::rows;
use crate::rows::spill::set::KeySet;
use crate::rows::spill::sorter::Sorter;
use crate::rows::spill::tuples::{Cursor, Tuples};
use probe::Stage;

/// See the module.
pub(super) struct Found {
    slots: Vec<u16>,
    rows: Rows,
    /// How many are still wanted.
    left: u64,
}

enum Rows {
    Read(Tuples, Cursor, usize),
    Sorted(Sorter),
}

impl Found {
    /// None yet.
    pub(super) fn new(slots: Vec<u16>) -> Found {
        Found { slots, rows: Rows::Read(Tuples::default(), Cursor::default(), 0), left: u64::MAX }
    }

    /// Adds the present row; there are no sorted ones.
    pub(super) fn add(&mut self, cx: &mut Cx<'_>) -> SqlResult<()> {
        let Rows::Read(kept, ..) = &mut self.rows else { return Ok(()) };
        if self.slots.is_empty() {
            return Ok(());
        }
        rows::save(&self.slots, &cx.slots, kept.begin());
        kept.end(cx.table_limit(kept.size()), cx.env)
    }

    /// Reads all rows of `op`, keeps `slots`, sorts and limits them.
    pub(super) fn read<'e>(
        op: &mut Op<'e>,
        slots: Vec<u16>,
        order: &'e [SortKey],
        limit: Option<&'e Expr>,
        cx: &mut Cx<'e>,
    ) -> SqlResult<Found> {
        op.open(cx)?;
        let mut found = Found::new(slots);
        if order.is_empty() {
            while op.next(cx)? {
                found.add(cx)?;
                cx.tick()?;
            }
        } else {
            found.rows = sort(op, &found.slots, order, cx)?;
        }
        found.left = limit.map_or(Ok(u64::MAX), |l| limit_value(l, cx))?;
        if let Rows::Sorted(s) = &mut found.rows {
            s.finish(usize::try_from(found.left).unwrap_or(usize::MAX), cx.env)?;
        }
        Ok(found)
    }

    /// Begins with the first row again. Rows that were sorted are read once only: a multi-table statement has no ORDER BY.
    pub(super) fn rewind(&mut self) {
        if let Rows::Read(_, cursor, at) = &mut self.rows {
            (*cursor, *at) = (Cursor::default(), 0);
        }
    }

    /// Puts the next row into its slots.
    pub(super) fn next(&mut self, cx: &mut Cx<'_>) -> SqlResult<bool> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(false) };
        self.left = left;
        let row = match &mut self.rows {
            Rows::Read(kept, cursor, at) => {
                *at += 1;
                kept.get(*at - 1, cursor)?
            }
            Rows::Sorted(sorted) => sorted.next()?.map(|(_, row)| row),
        };
        let Some(row) = row else { return Ok(false) };
        rows::restore(&self.slots, row, &mut cx.slots);
        Ok(true)
    }
}

/// The rows of `op`, to be put in order.
fn sort<'e>(op: &mut Op<'e>, slots: &[u16], order: &'e [SortKey], cx: &mut Cx<'e>) -> SqlResult<Rows> {
    let _at = probe::stage::enter(Stage::CreatingSortIndex);
    let memory = cx.spill_limit(Var::sort_buffer_size);
    let mut sorter = Sorter::default();
    let (mut key, mut row) = (Vec::new(), Vec::new());
    let mut arena = Bump::new();
    while op.next(cx)? {
        key.clear();
        for k in order {
            let v = order_value(&k.expr, (u16::MAX, &[]), cx, &arena)?;
            cx.sorts(v);
            keys::put(v, &k.expr.ty, k.desc, &mut key);
        }
        arena.reset();
        row.clear();
        rows::save(slots, &cx.slots, &mut row);
        sorter.push(&key, &row, memory, cx.env)?;
        cx.tick()?;
    }
    Ok(Rows::Sorted(sorter))
}

/// Whether a slot holds a row of its table that is not among those `done`: a row is changed once, however often a join produced it.
pub(super) fn first_time(slot: u16, done: &mut KeySet, cx: &Cx<'_>) -> SqlResult<bool> {
    let Some(s) = cx.slots.get(slot as usize) else { return Ok(false) };
    done.insert(&s.key, cx.table_limit(done.size()), &*cx.env)
}

/// Whether an outer join found no row for a slot.
pub(super) fn is_missing(slot: u16, cx: &Cx<'_>) -> bool {
    cx.slots.get(slot as usize).is_none_or(|s| matches!(s.state, RowState::Null | RowState::Empty))
}
