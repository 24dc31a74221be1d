//! DISTINCT: the first row of each set of equal ones, in the order of arrival.
//!
//! Rows whose keys do not fit into `tmp_table_size` come last: [`crate::spill::distinct`].

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::Expr;

use super::Op;
use crate::context::Cx;
use crate::eval::eval;
use crate::keys;
use crate::spill::distinct::DistinctRows;
use crate::spill::rows;

/// See the module.
pub struct DistinctOp<'e> {
    input: Op<'e>,
    exprs: &'e [Expr],
    /// Slots of the input.
    slots: Vec<u16>,
    key: Vec<u8>,
    arena: Bump,
    rows: DistinctRows,
    draining: bool,
}

impl<'e> DistinctOp<'e> {
    /// From its parts; `slots` are those that the input sets.
    pub fn new(input: Op<'e>, exprs: &'e [Expr], slots: Vec<u16>) -> Self {
        DistinctOp {
            input,
            exprs,
            slots,
            key: Vec::new(),
            arena: Bump::new(),
            rows: DistinctRows::default(),
            draining: false,
        }
    }

    /// Starts from the beginning.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.draining = false;
        self.rows.open(cx.table_limit(0));
        self.input.open(cx)
    }

    fn key(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.arena.reset();
        self.key.clear();
        for (i, e) in self.exprs.iter().enumerate() {
            let v = eval(e, cx, &self.arena)?;
            if i + 1 == self.exprs.len() {
                keys::put_last(v, &e.ty, false, &mut self.key);
            } else {
                keys::put(v, &e.ty, false, &mut self.key);
            }
        }
        Ok(())
    }

    /// Next new row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        while !self.draining {
            if !self.input.next(cx)? {
                self.draining = true;
                self.rows.finish(cx)?;
                break;
            }
            self.key(cx)?;
            let slots = &self.slots;
            if self.rows.offer(&self.key, cx, |cx, out| rows::save(slots, cx, out))? {
                return Ok(true);
            }
            cx.tick()?;
        }
        let Some(row) = self.rows.next()? else { return Ok(false) };
        rows::restore(&self.slots, row, cx);
        Ok(true)
    }
}
