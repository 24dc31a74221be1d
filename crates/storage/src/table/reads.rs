//! What a statement's cursor has read, for the status variables `Handler_read_*`.
//!
//! The cursor counts in itself and hands the sums to `probe` when it seeks again or is dropped, so that a row costs one
//! addition. As the manual describes for InnoDB, the scan of a table counts as its first index entry
//! (`Handler_read_first`, `Handler_read_key`) and then every request for a row (`Handler_read_rnd_next`, the one that
//! finds the end included). Rows examined are the requests for a row but those that found none (`Rows_not_found`).
//! Tested by `tests/sql/golden/handler_status.sql`.

use crate::table::{Direction, KeyRange, Table};
use probe::Counter;
use std::ops::Bound;

/// How the rows of the present scan are reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Kind {
    #[default]
    None,
    /// The whole clustered index, forwards.
    Table,
    /// All of an index from one of its ends; `true`: from the last entry.
    Index(bool),
    /// From a key; `true`: backwards.
    Range(bool),
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Reads {
    on: bool,
    ordered: bool,
    kind: Kind,
    calls: u64,
    points: u64,
    /// Calls and points that found nothing.
    missed: u64,
    /// Calls that found the end.
    ended: u64,
    /// The use of the table has been counted.
    used: bool,
}

impl Reads {
    pub(super) fn on(&mut self, ordered: bool) {
        self.on = true;
        self.ordered = ordered;
    }

    #[inline]
    pub(super) fn next(&mut self) {
        self.calls += 1;
    }

    #[inline]
    pub(super) fn ended(&mut self) {
        self.ended += 1;
    }

    #[inline]
    pub(super) fn point(&mut self) {
        self.points += 1;
    }

    /// There was no row.
    #[inline]
    pub(super) fn missed(&mut self) {
        self.missed += 1;
    }

    /// A new scan begins.
    pub(super) fn seek(&mut self, index: usize, range: &KeyRange<'_>, direction: Direction) {
        let back = direction == Direction::Backward;
        let whole = matches!((&range.lower, &range.upper), (Bound::Unbounded, Bound::Unbounded));
        self.kind = match whole {
            true if index == 0 && !back && !self.ordered => Kind::Table,
            true => Kind::Index(back),
            false => Kind::Range(back),
        };
    }

    /// What has been read so far is told. `writes`: the statement changes the table, or means to.
    pub(super) fn flush(&mut self, table: &Table, index: usize, writes: bool) {
        let (calls, points) = (std::mem::take(&mut self.calls), std::mem::take(&mut self.points));
        let ended = std::mem::take(&mut self.ended);
        let missed = std::mem::take(&mut self.missed) + u64::from(calls > 0 && self.kind == Kind::Table);
        if !self.on || calls + points == 0 {
            return;
        }
        if missed > 0 {
            probe::add(Counter::RowsNotFound, missed);
        }
        let by_index = self.kind != Kind::Table && !(index == 0 && table.def.has_no_key());
        let place = (table.def.id.0, if by_index { index as u32 + 1 } else { 0 });
        let uses = !std::mem::replace(&mut self.used, true);
        let names = || (table.def.schema.as_str(), table.def.name.as_str());
        probe::tables::count_reads(place, calls + points - ended, uses, writes, names);
        if points > 0 {
            probe::add(Counter::HandlerReadKey, points);
        }
        if calls == 0 {
            return;
        }
        if self.kind != Kind::None {
            probe::inc(Counter::HandlerReadKey);
        }
        let rest = match self.kind {
            Kind::None => return,
            Kind::Table => {
                probe::inc(Counter::HandlerReadFirst);
                return probe::add(Counter::HandlerReadRndNext, calls);
            }
            Kind::Index(false) => {
                probe::inc(Counter::HandlerReadFirst);
                Counter::HandlerReadNext
            }
            Kind::Index(true) => {
                probe::inc(Counter::HandlerReadLast);
                Counter::HandlerReadPrev
            }
            Kind::Range(false) => Counter::HandlerReadNext,
            Kind::Range(true) => Counter::HandlerReadPrev,
        };
        probe::add(rest, calls - 1);
    }
}
