//! Operators. `open` starts one from the beginning; `next` moves the operator's row slots to its next row and says
//! whether there was one.
//!
//! An operator can be opened again: the inner side of a nested loop is opened for each row of the outer side. Sorts,
//! groups, DISTINCT, hash joins, derived and recursive tables, set operations and windows write what does not fit into
//! their buffers to temporary files (`crate::rows::spill`). The others account for their memory by [`Cx::keep`], which
//! ends a statement that keeps too much with an error.

pub mod aggregate;
mod build;
mod checksum;
pub mod distinct;
pub mod dives;
pub(crate) mod early_constants;
pub(crate) mod first_row;
mod found;
mod grace;
mod group_concat;
pub mod handler;
mod index_merge;
pub mod join;
mod json_agg;
mod json_table;
mod keyed_subquery;
mod loose_scan;
mod probe;
mod quantified;
pub mod ranges;
pub mod recursive;
mod row_set;
pub mod rows;
pub mod scan;
pub(crate) mod select;
pub mod setop;
pub mod sort;
mod state;
mod status;
pub mod subquery;
pub mod timed;
pub mod window;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::Expr;
use planner::plan::QueryPlan;
use value::Value;

use crate::eval::Cx;
use crate::eval::{eval, holds};

pub use checksum::checksum;
pub use state::{Operators, begin, begin_measured, context};

/// An operator with its state.
pub enum Op<'e> {
    /// One row without columns (`SELECT 1`); whether it has been given.
    Dual(bool),
    /// No rows.
    Empty,
    /// Base table.
    Scan(Box<scan::ScanOp<'e>>),
    /// Rows kept to be read again: virtual and derived tables, VALUES.
    Rows(Box<rows::RowsOp<'e>>),
    /// Rows of its input for which the condition is true.
    Filter(Box<Op<'e>>, &'e Expr, Bump),
    /// The first row of each input (MIN and MAX by index), and how many inputs have been read.
    Ends(Vec<Op<'e>>, usize),
    /// A condition that reads no row (`WHERE @x > 3`): evaluated when this is opened; there are no rows unless it is
    /// true.
    Gate(Box<Op<'e>>, &'e Expr, bool),
    /// Nested loop.
    Loop(Box<join::LoopOp<'e>>),
    /// Hash join.
    Hash(Box<join::HashOp<'e>>),
    /// Aggregation.
    Aggregate(Box<aggregate::AggOp<'e>>),
    /// Sort.
    Sort(Box<sort::SortOp<'e>>),
    /// DISTINCT, and the duplicates of semijoins.
    Distinct(Box<distinct::DistinctOp<'e>>),
    /// LooseScan of a semijoin: the first of equal rows that come one after the other.
    Runs(Box<distinct::RunsOp<'e>>),
    /// Window functions.
    Window(Box<window::WindowOp<'e>>),
    /// LIMIT.
    Limit(Box<LimitOp<'e>>),
    /// WITH RECURSIVE.
    Recursive(Box<recursive::RecursiveOp<'e>>),
    /// Inside a member of WITH RECURSIVE: the rows of the round before.
    Working(Box<recursive::WorkingOp<'e>>),
    /// UNION, INTERSECT, EXCEPT.
    Union(Box<setop::SetOpOp<'e>>),
    /// Stands for operators nested deeper than the stack allows: opening it is an error.
    Deep,
    /// Any of these, measured (EXPLAIN ANALYZE).
    Timed(Box<timed::TimedOp<'e>>),
}

/// OFFSET and LIMIT.
pub struct LimitOp<'e> {
    input: Op<'e>,
    offset: Option<&'e Expr>,
    count: &'e Expr,
    skip: u64,
    left: u64,
    /// Rows that it has read and left out (OFFSET, or behind the last row): FOUND_ROWS() counts them.
    withheld: u64,
    /// SQL_CALC_FOUND_ROWS: it reads its input to the end and counts, though it gives no more rows.
    counting: bool,
    /// The input is a query in parentheses with a LIMIT of its own, whose OFFSET counts for FOUND_ROWS(): it is read
    /// even where this LIMIT is 0.
    over_limit: bool,
    /// The input has no more rows.
    ended: bool,
}

impl<'e> LimitOp<'e> {
    fn new(input: Op<'e>, offset: Option<&'e Expr>, count: &'e Expr) -> LimitOp<'e> {
        LimitOp {
            input,
            offset,
            count,
            skip: 0,
            left: 0,
            withheld: 0,
            counting: false,
            over_limit: false,
            ended: false,
        }
    }
}

impl<'e> Op<'e> {
    /// Starts from the beginning.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        sched::stack::check()?;
        match self {
            Op::Dual(done) => {
                *done = false;
                Ok(())
            }
            Op::Empty => Ok(()),
            Op::Deep => Err(sched::stack::overrun()),
            Op::Scan(o) => o.open(cx),
            Op::Rows(o) => o.open(cx),
            Op::Ends(_, at) => {
                *at = 0;
                Ok(())
            }
            Op::Filter(input, ..) => input.open(cx),
            Op::Gate(input, cond, open) => {
                *open = holds(cond, cx, &Bump::new())?;
                if *open { input.open(cx) } else { Ok(()) }
            }
            Op::Loop(o) => o.open(cx),
            Op::Hash(o) => o.open(cx),
            Op::Aggregate(o) => o.open(cx),
            Op::Sort(o) => o.open(cx),
            Op::Distinct(o) => o.open(cx),
            Op::Runs(o) => o.open(cx),
            Op::Window(o) => o.open(cx),
            Op::Limit(o) => o.open(cx),
            Op::Recursive(o) => o.open(cx),
            Op::Working(o) => {
                o.open();
                Ok(())
            }
            Op::Union(o) => o.open(cx),
            Op::Timed(o) => o.open(cx),
        }
    }

    /// Tells the joins below to go on with the next row of their first table: the other rows of the inner tables that
    /// match the present one are not wanted (one match is enough for EXISTS).
    pub fn leave_inner(&mut self) {
        match self {
            Op::Loop(o) => o.leave_inner(),
            Op::Hash(o) => o.leave_inner(),
            Op::Filter(input, ..) | Op::Gate(input, ..) => input.leave_inner(),
            Op::Timed(o) => o.measured_mut().leave_inner(),
            _ => {}
        }
    }

    /// Gives back the row lock of the outermost table's present row, because a condition above was not true for it
    /// (READ COMMITTED).
    pub fn unlock_row(&mut self, cx: &mut Cx<'e>) {
        match self {
            Op::Scan(o) => o.unlock_row(cx),
            Op::Loop(o) => o.unlock_row(cx),
            Op::Filter(input, ..) | Op::Gate(input, ..) => input.unlock_row(cx),
            Op::Timed(o) => o.measured_mut().unlock_row(cx),
            _ => {}
        }
    }

    /// Moves to the next row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        match self {
            Op::Dual(done) => Ok(!std::mem::replace(done, true)),
            Op::Empty | Op::Deep => Ok(false),
            Op::Scan(o) => o.next(cx),
            Op::Rows(o) => o.next(cx),
            Op::Ends(inputs, at) => {
                while let Some(input) = inputs.get_mut(*at) {
                    *at += 1;
                    input.open(cx)?;
                    if input.next(cx)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Op::Gate(input, _, open) => Ok(*open && input.next(cx)?),
            Op::Filter(input, cond, arena) => {
                while input.next(cx)? {
                    arena.reset();
                    if holds(cond, cx, arena)? {
                        return Ok(true);
                    }
                    cx.tick()?;
                }
                Ok(false)
            }
            Op::Loop(o) => {
                sched::stack::check()?;
                o.next(cx)
            }
            Op::Hash(o) => {
                sched::stack::check()?;
                o.next(cx)
            }
            Op::Aggregate(o) => o.next(cx),
            Op::Sort(o) => o.next(cx),
            Op::Distinct(o) => o.next(cx),
            Op::Runs(o) => o.next(cx),
            Op::Window(o) => o.next(cx),
            Op::Limit(o) => o.next(cx),
            Op::Recursive(o) => o.next(cx),
            Op::Working(o) => o.next(cx),
            Op::Union(o) => o.next(cx),
            Op::Timed(o) => o.next(cx),
        }
    }
}

/// Value of a LIMIT or OFFSET; NULL is 0. A parameter must be an integer (error 1210) and not negative (1690); in the
/// binary protocol text is converted.
pub fn limit_value(e: &Expr, cx: &mut Cx<'_>) -> SqlResult<u64> {
    let arena = Bump::new();
    let v = eval(e, cx, &arena)?;
    let (kind, by) = match cx.env.statement.executed_by_name {
        true => ("unsigned integer", "EXECUTE"),
        false => ("SIGNED INTEGER", "mysqld_stmt_execute"),
    };
    match v {
        Value::UInt(n) => Ok(n),
        Value::Int(n) => u64::try_from(n).map_err(|_| SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&kind, &by])),
        Value::Null => Ok(0),
        // text that does not begin with a number is 0; a negative number becomes a huge one: all rows
        Value::Str(_) if !cx.env.statement.executed_by_name => {
            let mut quiet = value::ConvCtx::new(cx.env.conv.sql_mode);
            Ok(value::convert::to_i64(v, &e.ty, &mut quiet) as u64)
        }
        _ => Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&by])),
    }
}

impl Op<'_> {
    /// Prepares counting for FOUND_ROWS(), before any row is read. With SQL_CALC_FOUND_ROWS (`all`) the outermost LIMIT
    /// reads its input to the end, and so does the LIMIT of a query in parentheses directly below it.
    pub fn count_rows(&mut self, all: bool) {
        if let Op::Limit(l) = self {
            l.counting = all;
            if let Some(below) = l.input.parenthesised() {
                below.count_rows(all);
                l.over_limit = matches!(below, Op::Limit(_));
            }
        }
    }

    /// The value of FOUND_ROWS() after a query that has given `rows` rows. Rows that the outermost LIMIT, or the LIMIT
    /// of a query in parentheses directly below it, left out by OFFSET count too; with SQL_CALC_FOUND_ROWS also the
    /// rows behind the last one. Example: after `SELECT ... LIMIT 2, 3` it is 5.
    pub fn found(&self, rows: u64) -> u64 {
        match self {
            Op::Limit(l) => {
                let below = match &l.input {
                    Op::Union(s) => s.only(),
                    _ => None,
                };
                below.map_or(rows, |op| op.found(rows)) + l.withheld
            }
            Op::Timed(t) => t.measured().found(rows),
            _ => rows,
        }
    }

    /// The query in parentheses whose rows this operator gives unchanged.
    fn parenthesised(&mut self) -> Option<&mut Self> {
        match self {
            Op::Union(s) => s.only_mut(),
            _ => None,
        }
    }
}

impl<'e> LimitOp<'e> {
    fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.skip = match self.offset {
            Some(e) => limit_value(e, cx)?,
            None => 0,
        };
        self.left = limit_value(self.count, cx)?;
        (self.withheld, self.ended) = (0, false);
        let peek = self.left == 0 && self.over_limit && !self.counting;
        if self.left > 0 || self.counting || peek {
            self.input.open(cx)?;
        }
        if peek {
            self.input.next(cx)?;
        }
        Ok(())
    }
    fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        while self.left > 0 && self.skip > 0 {
            if !self.input.next(cx)? {
                (self.left, self.ended) = (0, true);
                return Ok(false);
            }
            self.skip -= 1;
            self.withheld += 1;
            cx.tick()?;
        }
        if self.left > 0 {
            let found = self.input.next(cx)?;
            self.left = if found { self.left - 1 } else { 0 };
            self.ended |= !found;
            return Ok(found);
        }
        if self.counting && !self.ended {
            self.ended = true;
            while self.input.next(cx)? {
                self.withheld += 1;
                cx.tick()?;
            }
        }
        Ok(false)
    }
}

/// Runs a query and hands each row's values to `f`; `false` from `f` stops.
pub fn each_row<'e>(
    op: &mut Op<'e>,
    query: &'e QueryPlan,
    cx: &mut Cx<'e>,
    f: &mut dyn FnMut(&mut Cx<'e>, &[Value<'_>]) -> SqlResult<bool>,
) -> SqlResult<()> {
    cx.reading(|cx| op.open(cx))?;
    let mut arena = Bump::new();
    while cx.reading(|cx| op.next(cx))? {
        cx.tick()?;
        {
            let mut row = smallvec::SmallVec::<[Value<'_>; 16]>::new();
            for e in &query.items {
                row.push(eval(e, cx, &arena)?);
            }
            if !f(cx, &row)? {
                return Ok(());
            }
        }
        arena.reset();
        base::memory::check()?;
    }
    Ok(())
}
