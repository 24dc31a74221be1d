//! Sort (with top-N).
//!
//! A row is its sort key (memcmp order) and its payload tuple, in a [`Sorter`]: what passes `sort_buffer_size` goes to a temporary file.

use base::SqlResult;
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::expr::Expr;
use planner::plan::{Node, SortKey};

use super::{Op, limit_value};
use crate::context::Cx;
use crate::eval::eval;
use crate::spill::sorter::Sorter;
use crate::{keys, tuple};

/// Sort.
pub struct SortOp<'e> {
    input: Op<'e>,
    source: &'e Node,
    slot: u16,
    payload: &'e [Expr],
    keys: &'e [SortKey],
    limit: Option<&'e (Option<Expr>, Expr)>,
    rows: Sorter,
}

impl<'e> SortOp<'e> {
    /// From its parts.
    pub fn new(
        (input, source): (Op<'e>, &'e Node),
        slot: u16,
        payload: &'e [Expr],
        keys: &'e [SortKey],
        limit: Option<&'e (Option<Expr>, Expr)>,
    ) -> Self {
        SortOp { input, source, slot, payload, keys, limit, rows: Sorter::default() }
    }

    /// Reads and sorts the input.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.rows.clear();
        let wanted = match self.limit {
            Some((offset, count)) if !cx.counting => {
                let o = match offset {
                    Some(e) => limit_value(e, cx)?,
                    None => 0,
                };
                usize::try_from(limit_value(count, cx)?.saturating_add(o)).unwrap_or(usize::MAX)
            }
            _ => usize::MAX,
        };
        let memory = cx.spill_limit(Var::sort_buffer_size);
        self.input.open(cx)?;
        let mut arena = Bump::new();
        let mut tup = Vec::new();
        let mut n = 0u64;
        while self.input.next(cx)? {
            arena.reset();
            tup.clear();
            let at = tuple::begin(self.payload.len(), &mut tup);
            for (i, e) in self.payload.iter().enumerate() {
                let v = eval(e, cx, &arena)?;
                tuple::put(at, self.payload.len(), i, v, &mut tup);
            }
            cx.slot(self.slot)?.set_tuple(&tup);
            let start = self.rows.key().len();
            for (i, k) in self.keys.iter().enumerate() {
                let v = eval(&k.expr, cx, &arena)?;
                let out = self.rows.key();
                if i + 1 == self.keys.len() {
                    keys::put_last(v, &k.expr.ty, k.desc, out);
                } else {
                    keys::put(v, &k.expr.ty, k.desc, out);
                }
            }
            self.rows.end(start, &tup);
            n += 1;
            if self.rows.held() > wanted.saturating_mul(2).saturating_add(64) {
                self.rows.shrink(wanted);
            }
            if self.rows.size() > memory {
                if self.rows.held() > wanted {
                    self.rows.shrink(wanted);
                }
                if self.rows.size() > memory / 2 {
                    self.rows.spill(cx.env)?;
                }
            }
            cx.tick()?;
        }
        crate::status::sorted(self.source, n.min(wanted as u64));
        self.rows.finish(wanted, cx)
    }

    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        let Some((_, t)) = self.rows.next()? else { return Ok(false) };
        cx.slot(self.slot)?.set_tuple(t);
        Ok(true)
    }
}
