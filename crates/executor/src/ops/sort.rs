//! Sort (with top-N).
//!
//! A row is its sort key (memcmp order) and its payload tuple, in a [`Sorter`]: what passes `sort_buffer_size` goes to a temporary file.
//!
//! Of a top-N sort the last of the first N rows so far is the threshold: a row that does not come before it is not kept (rows with equal keys
//! stay in their order of arrival). Where the planner says `early`, the keys read the input's slots and such a row's payload is not computed.
//!
//! Where the select list is to be evaluated after the sort (user variables: golden `user_variables_sorted`), the payload is the rows of the input's
//! slots, which are put back.

use base::SqlResult;
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::expr::Expr;
use planner::plan::{Node, SortKey};

use super::{Op, limit_value};
use crate::eval::Cx;
use crate::eval::{eval, order_value};
use crate::rows::slot::{room, room_for_copy};
use crate::rows::spill::rows;
use crate::rows::spill::sorter::Sorter;
use crate::rows::{keys, tuple};
use probe::Stage;

/// Sort.
pub struct SortOp<'e> {
    input: Op<'e>,
    source: &'e Node,
    slot: u16,
    /// Slots whose rows are kept instead of `payload`.
    kept: &'e [u16],
    payload: &'e [Expr],
    keys: &'e [SortKey],
    limit: Option<&'e (Option<Expr>, Expr)>,
    early: bool,
    rows: Sorter,
}

impl<'e> SortOp<'e> {
    /// From its parts.
    pub fn new(
        (input, source): (Op<'e>, &'e Node),
        (slot, kept): (u16, &'e [u16]),
        (payload, early): (&'e [Expr], bool),
        keys: &'e [SortKey],
        limit: Option<&'e (Option<Expr>, Expr)>,
    ) -> Self {
        SortOp { input, source, slot, kept, payload, keys, limit, early, rows: Sorter::default() }
    }

    /// Reads and sorts the input.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let _at = probe::stage::enter(Stage::CreatingSortIndex);
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
        let mut threshold: Option<Vec<u8>> = None;
        while self.input.next(cx)? {
            arena.reset();
            n += 1;
            if !self.early {
                self.payload(&mut tup, cx, &arena)?;
                room(tup.len())?;
                cx.slot(self.slot)?.set_tuple(&tup);
            }
            let start = self.rows.key().len();
            self.key(cx, &arena)?;
            let key = self.rows.key().get(start..).unwrap_or(&[]);
            if threshold.as_deref().is_some_and(|t| key >= t) {
                self.rows.key().truncate(start);
                cx.tick()?;
                continue;
            }
            if self.early {
                self.payload(&mut tup, cx, &arena)?;
            }
            room(tup.len())?;
            self.rows.end(start, &tup);
            if self.rows.held() > wanted.saturating_mul(2).saturating_add(64) {
                threshold = self.rows.shrink(wanted);
            }
            if self.rows.size() > memory {
                if self.rows.held() > wanted {
                    threshold = self.rows.shrink(wanted);
                }
                if self.rows.size() > memory / 2 {
                    self.rows.spill(cx.env)?;
                }
            }
            cx.tick()?;
        }
        crate::ops::status::sorted(self.source, n.min(wanted as u64));
        self.rows.finish(wanted, cx.env)
    }

    /// Computes the tuple of the input's row.
    fn payload(&self, tup: &mut Vec<u8>, cx: &mut Cx<'e>, arena: &Bump) -> SqlResult<()> {
        tup.clear();
        if !self.kept.is_empty() {
            rows::save(self.kept, &cx.slots, tup);
            return Ok(());
        }
        let at = tuple::begin(self.payload.len(), tup);
        for (i, e) in self.payload.iter().enumerate() {
            let v = eval(e, cx, arena)?;
            room_for_copy(v)?;
            tuple::put(at, self.payload.len(), i, v, tup);
        }
        Ok(())
    }

    /// Appends the row's key.
    fn key(&mut self, cx: &mut Cx<'e>, arena: &Bump) -> SqlResult<()> {
        for (i, k) in self.keys.iter().enumerate() {
            let v = order_value(&k.expr, (self.slot, self.payload), cx, arena)?;
            cx.sorts(v);
            room_for_copy(v)?;
            keys::put_part((i, self.keys.len()), v, &k.expr.ty, k.desc, self.rows.key());
        }
        Ok(())
    }

    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        let Some((_, t)) = self.rows.next()? else { return Ok(false) };
        if self.kept.is_empty() {
            cx.slot(self.slot)?.set_tuple(t);
        } else {
            rows::restore(self.kept, t, &mut cx.slots);
        }
        Ok(true)
    }
}
