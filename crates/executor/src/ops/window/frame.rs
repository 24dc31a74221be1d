//! Frames: which rows of the partition a call sees from the current row.
//!
//! Both ends only move forward while the current row does. A RANGE frame is the same for all peers and is computed at the first of them; its
//! offset ends are pointers that step over rows, so a partition costs two passes.

use std::cmp::Ordering;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::ExprKind;
use planner::window::{Bound, Frame, RangeLimit};
use value::Value;

use super::{Place, Rows, whole};
use crate::eval::Cx;
use crate::eval::eval;

/// What is remembered of a frame within a partition.
#[derive(Default)]
pub(super) struct FrameState {
    /// N of the ends of a ROWS frame.
    start: u64,
    end: u64,
    /// The frame of the current row or peer group.
    now: (usize, usize),
}

impl FrameState {
    /// Computes and checks the offsets: 3586.
    pub(super) fn new(f: &Frame, cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<FrameState> {
        Ok(FrameState { start: offset(&f.start, f, cx, arena)?, end: offset(&f.end, f, cx, arena)?, now: (0, 0) })
    }

    /// The rows of the current row's frame: first and end (exclusive).
    pub(super) fn rows(
        &mut self,
        f: &Frame,
        rows: &Rows,
        p: &Place,
        cx: &mut Cx<'_>,
        arena: &Bump,
    ) -> SqlResult<(usize, usize)> {
        if f.rows {
            let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX / 4).min(usize::MAX / 4);
            let start = match f.start {
                Bound::Unbounded => p.first,
                Bound::Current => p.row,
                Bound::Offset { preceding: true, .. } => p.row.saturating_sub(size(self.start)).max(p.first),
                Bound::Offset { .. } => (p.row + size(self.start)).min(p.end),
            };
            let end = match f.end {
                Bound::Unbounded => p.end,
                Bound::Current => p.row + 1,
                Bound::Offset { preceding: true, .. } => (p.row + 1).saturating_sub(size(self.end)).max(p.first),
                Bound::Offset { .. } => (p.row + 1).saturating_add(size(self.end)).min(p.end),
            };
            return Ok((start, end.max(start)));
        }
        if p.new_partition {
            self.now = (p.first, p.first);
        }
        if p.new_peers {
            let start = match &f.start {
                Bound::Unbounded => p.first,
                Bound::Current => p.peers,
                Bound::Offset { limit: Some(l), preceding, .. } => {
                    edge(l, self.now.0, true, *preceding, rows, p, cx, arena)?
                }
                Bound::Offset { .. } => p.first,
            };
            let end = match &f.end {
                Bound::Unbounded => p.end,
                Bound::Current => p.peers_end,
                Bound::Offset { limit: Some(l), preceding, .. } => {
                    edge(l, self.now.1, false, *preceding, rows, p, cx, arena)?
                }
                Bound::Offset { .. } => p.end,
            };
            self.now = (start, end);
        }
        let (start, end) = self.now;
        Ok((start, end.max(start)))
    }
}

/// Steps from `at` to the end of a RANGE frame: the first row that belongs to it, or the first behind it.
#[allow(clippy::too_many_arguments)]
fn edge(
    l: &RangeLimit,
    mut at: usize,
    start: bool,
    preceding: bool,
    rows: &Rows,
    p: &Place,
    cx: &mut Cx<'_>,
    arena: &Bump,
) -> SqlResult<usize> {
    let ExprKind::Column { column, .. } = l.order.kind else { return Err(SqlError::unsupported("RANGE frame")) };
    // a row whose value is NULL has its peers as frame
    if rows.column(p.row, column, arena).is_null() {
        return Ok(if start { p.peers } else { p.peers_end });
    }
    let before = cx.env.conv.warned();
    let bound = eval(&l.bound, cx, arena)?;
    cx.env.conv.forget_since(before);
    if bound.is_null() {
        // beyond what the type can hold
        return Ok(if preceding { at } else { p.end });
    }
    let mut scratch = Bump::new();
    while at < p.end {
        scratch.reset();
        let v = rows.column(at, column, &scratch);
        // NULLs come first, or last with DESC
        let before = match v {
            Value::Null => !l.desc,
            v => match l.cmp.compare(v, bound, &mut cx.env.conv) {
                Some(o) => {
                    let o = if l.desc { o.reverse() } else { o };
                    if start { o == Ordering::Less } else { o != Ordering::Greater }
                }
                None => false,
            },
        };
        if !before {
            break;
        }
        at += 1;
        cx.tick()?;
    }
    Ok(at)
}

/// N of a bound, 0 where there is none.
fn offset(b: &Bound, f: &Frame, cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<u64> {
    let Bound::Offset { value, .. } = b else { return Ok(0) };
    let v = eval(value, cx, arena)?;
    let illegal = || SqlError::new(ErrorCode::WINDOW_FRAME_ILLEGAL, &[&f.window]);
    if f.rows {
        return whole(v, value).ok_or_else(illegal);
    }
    let bad = match v {
        Value::Null => true,
        Value::Int(n) => n < 0,
        Value::Double(d) => d < 0.0,
        Value::Decimal(d) => d.is_negative(),
        Value::Time(t) => t.0 < 0,
        Value::Str(s) => s.trim_ascii_start().first() == Some(&b'-'),
        _ => false,
    };
    if bad { Err(illegal()) } else { Ok(0) }
}
