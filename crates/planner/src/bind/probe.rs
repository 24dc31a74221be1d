//! `x IN (SELECT y FROM t ...)` as a lookup: for a few rows outside it is cheaper to look for one `x` in `t` than to compute all `y`
//! ([`crate::plan::Probe`]). MySQL calls it the EXISTS strategy (manual, "Optimizing Subqueries with the EXISTS Strategy").
//!
//! For one plain block that does not depend on the rows outside and whose items are never NULL, so that what is not found is FALSE. The block is bound
//! a second time with `y = value` in its WHERE, where the value is a column of a slot that the executor fills; it starts with lookups and turns to
//! the first plan, whose rows are kept, when these have cost as much. Tested: golden `in_by_lookup`.

use parser::ast;
use value::compare::Comparator;

use super::expr::boolean;
use super::merge_derived::Mark;
use super::{Binder, lookup};
use crate::expr::{CmpOp, Expr, ExprKind};
use crate::plan::{Probe, SlotDef};

/// A subquery that costs less is run as it is.
const SMALL: f64 = 20.0;

/// What an item of the block is compared with.
pub(crate) type Wanted = Vec<(Expr, Comparator)>;

impl<'a> Binder<'a, '_> {
    /// The lookup for subquery `id`, which has just been bound, if it is one and costs less.
    pub(super) fn probe(
        &mut self,
        id: u16,
        q: &ast::QueryExpr<'a>,
        left: &[Expr],
        cmps: &[Comparator],
    ) -> Option<Box<Probe>> {
        let (q, s) = lookup::block(q, |_| true)?;
        let sub = self.draft.subs.get(id as usize)?;
        let whole = sub.query.cost;
        let fits = !sub.repeated() && whole >= SMALL && sub.query.items.iter().all(|e| !e.ty.nullable);
        if !fits || !self.may_look_up(s) {
            return None;
        }
        let mark = Mark::of(self);
        let (no, told) = (self.st.select_no, self.draft.notes.warnings.len());
        let types = left.iter().map(|e| e.ty.clone().nullable(false)).collect();
        let slot = self.new_slot(SlotDef::Tuple(types)).ok()?;
        let value = |(i, e): (usize, &Expr)| Expr {
            coer: e.coer,
            ..Expr::column(slot, i as u16, e.ty.clone().nullable(false))
        };
        self.probing = Some(left.iter().enumerate().map(value).zip(cmps.iter().cloned()).collect());
        let first = self.st.ctes;
        self.st.sub_depth += 1;
        self.st.splitting = true;
        let bound = self.query(q);
        self.st.splitting = false;
        self.st.sub_depth -= 1;
        let taken = self.probing.take().is_none();
        match bound {
            Ok(b) if taken && !b.correlated && b.plan.cost * 2.0 < whole => {
                self.st.select_no = no;
                self.draft.notes.warnings.truncate(told);
                Some(Box::new(Probe { query: b.plan, slot, inside: (first, self.st.ctes) }))
            }
            _ => {
                mark.restore(self);
                None
            }
        }
    }

    /// Adds what the items of a block that is bound as a lookup must be equal to; not where it aggregates.
    pub(super) fn add_probe(&mut self, wanted: Wanted, items: &[Expr], aggregated: bool, conds: &mut Vec<Expr>) {
        if aggregated || items.len() != wanted.len() {
            // a sign that the block is none
            self.probing = Some(wanted);
            return;
        }
        for ((value, cmp), item) in wanted.into_iter().zip(items) {
            let args = Box::new([value, item.clone()]);
            conds.push(boolean(ExprKind::Compare { op: CmpOp::Eq, args, cmp: Box::new(cmp) }, false));
        }
    }
}
