//! DISTINCT: the first row of each set of equal ones, in the order of arrival. The duplicates of semijoins go the same way: equal are rows with
//! the same values (materialization) or made from the same rows of tables (duplicate weedout).
//!
//! Rows whose keys do not fit into `tmp_table_size` come last: [`crate::rows::spill::distinct`]. [`RunsOp`] (loose
//! scan) keeps one key: equal rows come one after the other there.

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::Expr;

use super::Op;
use crate::eval::Cx;
use crate::eval::eval;
use crate::rows::keys;
use crate::rows::slot::RowState;
use crate::rows::spill::distinct::DistinctRows;
use crate::rows::spill::rows;

/// What makes rows equal.
enum By<'e> {
    /// Values; NULL is equal to NULL.
    Values(&'e [Expr]),
    /// Values; rows with NULL are left out.
    Keys(&'e [Expr]),
    /// The rows of base tables in these slots.
    Rows(&'e [u16]),
}

/// See the module.
pub struct DistinctOp<'e> {
    input: Op<'e>,
    by: By<'e>,
    /// Slots of the input.
    slots: Vec<u16>,
    key: Vec<u8>,
    arena: Bump,
    rows: DistinctRows,
    draining: bool,
}

impl<'e> DistinctOp<'e> {
    fn by(input: Op<'e>, by: By<'e>, slots: Vec<u16>) -> Self {
        DistinctOp {
            input,
            by,
            slots,
            key: Vec::new(),
            arena: Bump::new(),
            rows: DistinctRows::default(),
            draining: false,
        }
    }

    /// From its parts; `slots` are those that the input sets.
    pub fn new(input: Op<'e>, exprs: &'e [Expr], slots: Vec<u16>) -> Self {
        DistinctOp::by(input, By::Values(exprs), slots)
    }

    /// One row for each key without NULL.
    pub fn of_keys(input: Op<'e>, keys: &'e [Expr], slots: Vec<u16>) -> Self {
        DistinctOp::by(input, By::Keys(keys), slots)
    }

    /// One row for each combination of the rows in `slots`; nothing else of it is read above.
    pub fn of_rows(input: Op<'e>, slots: &'e [u16]) -> Self {
        DistinctOp::by(input, By::Rows(slots), slots.to_vec())
    }

    /// Starts from the beginning.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.draining = false;
        self.rows.open(cx.table_limit(0));
        self.input.open(cx)
    }

    /// The present row's key; `false`: the row does not count.
    fn key(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        self.arena.reset();
        self.key.clear();
        match self.by {
            By::Values(exprs) => values(exprs, cx, &self.arena, &mut self.key).map(|_| true),
            By::Keys(exprs) => values(exprs, cx, &self.arena, &mut self.key).map(|null| !null),
            By::Rows(slots) => {
                for s in slots {
                    let s = cx.slot(*s)?;
                    if s.state == RowState::Null {
                        self.key.push(0);
                        continue;
                    }
                    self.key.push(1);
                    self.key.extend_from_slice(&(s.key.len() as u32).to_le_bytes());
                    self.key.extend_from_slice(&s.key);
                }
                Ok(true)
            }
        }
    }

    /// Next new row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        while !self.draining {
            if !self.input.next(cx)? {
                self.draining = true;
                self.rows.finish(cx.env)?;
                break;
            }
            if self.key(cx)? {
                let slots = &self.slots;
                if self.rows.offer(&self.key, cx.env, |out| rows::save(slots, &cx.slots, out))? {
                    return Ok(true);
                }
            }
            cx.tick()?;
        }
        let Some(row) = self.rows.next()? else { return Ok(false) };
        rows::restore(&self.slots, row, &mut cx.slots);
        Ok(true)
    }
}

/// Appends the key of values; whether one is NULL.
fn values(exprs: &[Expr], cx: &mut Cx<'_>, arena: &Bump, key: &mut Vec<u8>) -> SqlResult<bool> {
    let mut null = false;
    for (i, e) in exprs.iter().enumerate() {
        let v = eval(e, cx, arena)?;
        null |= v.is_null();
        keys::put_part((i, exprs.len()), v, &e.ty, false, key);
    }
    Ok(null)
}

/// Of rows that come in the order of their keys the first with each key.
pub struct RunsOp<'e> {
    input: Op<'e>,
    keys: &'e [Expr],
    /// Rows with NULL count (DISTINCT); otherwise they are left out (a semijoin).
    nulls: bool,
    last: Option<Vec<u8>>,
    key: Vec<u8>,
    arena: Bump,
}

impl<'e> RunsOp<'e> {
    /// From its parts; rows with NULL are left out.
    pub fn new(input: Op<'e>, keys: &'e [Expr]) -> Self {
        RunsOp { input, keys, nulls: false, last: None, key: Vec::new(), arena: Bump::new() }
    }

    /// The same for DISTINCT, where NULL is equal to NULL.
    pub fn with_nulls(input: Op<'e>, keys: &'e [Expr]) -> Self {
        RunsOp { nulls: true, ..RunsOp::new(input, keys) }
    }

    /// Starts from the beginning.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.last = None;
        self.input.open(cx)
    }

    /// Next row with another key.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        while self.input.next(cx)? {
            self.arena.reset();
            self.key.clear();
            let null = values(self.keys, cx, &self.arena, &mut self.key)?;
            if (self.nulls || !null) && self.last.as_ref() != Some(&self.key) {
                let last = self.last.get_or_insert_default();
                last.clone_from(&self.key);
                return Ok(true);
            }
            // a semijoin's keys are columns of the first table: what else its row is joined with says nothing new
            if !self.nulls {
                self.input.leave_inner();
            }
            cx.tick()?;
        }
        Ok(false)
    }
}
