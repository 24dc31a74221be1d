//! A scan of the rows that a full-text search finds, instead of the whole table.
//!
//! Where the condition of a consistent read of a whole table demands a search, and the words of the table are kept, the
//! search names its rows by clustered key ([`Hits`]). Few are looked up one by one; of many the table is read beside,
//! and what is not found passed over. Of a row of which nothing else is wanted nothing is read. The condition is
//! checked all the same; the rank is looked up by the row's key. Tested by `tests/sql/fulltext_kept_random.py`.

use std::ops::Bound;
use std::rc::Rc;

use base::SqlResult;
use bumpalo::Bump;
use planner::plan::{Access, Scan};
use planner::search;
use storage::table::{Direction, KeyRange, ReadMode, TableCursor};

use crate::eval::Cx;
use crate::eval::fulltext::{Hits, hits};

/// From one found row of so many on the table is read.
const DENSE: usize = 6;

/// See the module.
pub(super) struct Found {
    hits: Rc<Hits>,
    /// Rows that are behind.
    done: usize,
    reverse: bool,
    /// Nothing is read.
    alone: bool,
    /// The table is read; `Some(true)` once that has begun.
    beside: Option<bool>,
}

impl Found {
    /// For a scan whose condition is checked row by row, if it demands a search that can say what it finds.
    pub(super) fn of<'e>(scan: &'e Scan, mode: ReadMode, cx: &mut Cx<'e>, arena: &Bump) -> SqlResult<Option<Found>> {
        let plain = matches!(scan.access, Access::Full) && scan.index == 0 && scan.loose == 0 && scan.pushed.is_none();
        if cx.plan.matches.is_empty() || !plain || mode != ReadMode::Consistent || !cx.env.trx.reads_unlocked() {
            return Ok(None);
        }
        let demand = scan.filter.as_ref().and_then(|f| search::demanded(f, scan.slot, cx.plan));
        let Some(demand) = demand else { return Ok(None) };
        let Some(hits) = hits(&demand, scan.slot, cx, arena)? else { return Ok(None) };
        let beside = hits.len() > hits.rows() / DENSE && !scan.reverse;
        let alone = cx.plan.matches.get(demand.n as usize).is_some_and(|m| m.alone);
        Ok(Some(Found { hits, done: 0, reverse: scan.reverse, alone, beside: beside.then_some(false) }))
    }

    /// The next row goes into the scan's slot; `false`: there is none.
    pub(super) fn next(
        &mut self,
        scan: &Scan,
        cursor: &mut TableCursor,
        cx: &mut Cx<'_>,
        arena: &mut Bump,
    ) -> SqlResult<bool> {
        loop {
            cx.tick()?;
            let left = self.hits.len() - self.done.min(self.hits.len());
            if left == 0 {
                return Ok(false);
            }
            let i = if self.reverse { left - 1 } else { self.done };
            let Some(key) = self.hits.key(i) else { return Ok(false) };
            let Some(slot) = cx.slots.get_mut(scan.slot as usize) else { return Ok(false) };
            if self.alone {
                self.done += 1;
                slot.set_unread(key);
                return Ok(true);
            }
            arena.reset();
            let Some(begun) = &mut self.beside else {
                self.done += 1;
                let Some(row) = cursor.point(&mut cx.env.trx, key)? else { continue };
                slot.set_row(&row, &scan.columns, arena)?;
                return Ok(true);
            };
            if !std::mem::replace(begun, true) {
                let rest = KeyRange { lower: Bound::Included(key), upper: Bound::Unbounded };
                cursor.seek(&mut cx.env.trx, rest, Direction::Forward)?;
            }
            let Some(row) = cursor.next(&mut cx.env.trx)? else { return Ok(false) };
            while self.hits.key(self.done).is_some_and(|k| k < row.key()) {
                self.done += 1;
            }
            if self.hits.key(self.done) == Some(row.key()) {
                // `done` stays until the next row is read: the rank is looked up beside it
                slot.set_row(&row, &scan.columns, arena)?;
                return Ok(true);
            }
        }
    }
}
