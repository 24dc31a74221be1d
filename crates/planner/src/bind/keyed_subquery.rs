//! Correlated scalar subqueries as lookups: `(SELECT 0.2 * AVG(q) FROM l WHERE l.k = outer.k)` is also `SELECT l.k, 0.2 * AVG(q) FROM l GROUP BY l.k`,
//! computed once, and one look into its rows per row outside.
//!
//! For one implicitly grouped block whose references to the outside are conjuncts `inner = outer` of WHERE. The block is bound a second
//! time with the inner sides as GROUP BY; the executor starts with the first plan and turns to the second when the first has cost more than
//! the second will. Where no row has the key, aggregates have their value over no row.

use parser::ast;
use value::OwnedValue;
use value::compare::Comparator;

use super::merge_derived::Mark;
use super::{Binder, BoundQuery, lookup};
use crate::block::predicates::groups_agree;
use crate::expr::{AggFunc, CmpOp, Expr, ExprKind};
use crate::plan::{Keyed, KeyedPart, Node};

/// The second binding of a block: asked for, then what it found.
#[derive(Default)]
pub(crate) enum Split {
    #[default]
    No,
    /// The next block is to be split.
    Wanted,
    /// It was: its outer keys.
    Done(Vec<KeyedPart>),
}

impl<'a> Binder<'a, '_> {
    /// The second plan of a correlated subquery whose first one has just been bound.
    pub(super) fn keyed(&mut self, q: &ast::QueryExpr<'a>) -> Option<Box<Keyed>> {
        let (q, s) = lookup::block(q, |q| q.order_by.is_empty())?;
        if s.where_clause.is_none() || !self.may_look_up(s) {
            return None;
        }
        let mark = Mark::of(self);
        let first_slot = self.draft.slots.len();
        self.split = Split::Wanted;
        self.st.splitting = true;
        let bound = self.query(q);
        self.st.splitting = false;
        let split = std::mem::take(&mut self.split);
        let keyed = match (bound, split) {
            (Ok(b), Split::Done(keys)) => self.keyed_plan(b, keys, first_slot),
            _ => None,
        };
        if keyed.is_none() {
            mark.restore(self);
        }
        keyed
    }

    fn keyed_plan(&self, b: BoundQuery, keys: Vec<KeyedPart>, first_slot: usize) -> Option<Box<Keyed>> {
        let mut query = b.plan;
        let mut outside = false;
        let subs = &self.draft.subs;
        let before = |s: u16| (s as usize) < first_slot;
        crate::visit::query_exprs_mut(&mut query, &mut |e| {
            outside |= e.any(&mut |x| match x.kind {
                ExprKind::Column { slot, .. } => before(slot),
                ExprKind::Subquery(id, _) => subs.get(id as usize).is_none_or(|s| s.refs.iter().any(|r| before(r.0))),
                _ => false,
            });
        });
        let Node::Aggregate { slot, group, aggs, carry, .. } = &query.root else { return None };
        if outside || query.items.len() != keys.len() + 1 {
            return None;
        }
        let mut empty = vec![OwnedValue::Null; group.len()];
        for a in aggs {
            empty.push(match a.func {
                AggFunc::Count | AggFunc::CountStar => OwnedValue::Int(0),
                AggFunc::Sum | AggFunc::Avg | AggFunc::Min | AggFunc::Max => OwnedValue::Null,
                AggFunc::StddevPop | AggFunc::StddevSamp | AggFunc::VarPop | AggFunc::VarSamp => OwnedValue::Null,
                _ => return None,
            });
        }
        empty.resize(empty.len() + carry.len(), OwnedValue::Null);
        let slot = *slot;
        Some(Box::new(Keyed { query, keys, slot, empty }))
    }

    /// Takes the conjuncts `inner = outer` out of a block's conditions: the inner sides, or nothing if there are none or others lead outside.
    pub(super) fn split_conditions(&mut self, conds: &mut Vec<Expr>) -> Option<Vec<Expr>> {
        let own: hashbrown::HashSet<_> = self.scopes.last()?.own_slots().collect();
        let (mut inner, mut keys, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for c in conds.drain(..) {
            let outside = |e: &Expr| self.draft.expr_slots(e).iter().any(|s| !own.contains(s));
            let inside = |e: &Expr| self.draft.expr_slots(e).iter().any(|s| own.contains(s));
            let pure = |e: &Expr| !e.any(&mut |x| matches!(x.kind, ExprKind::Subquery(..) | ExprKind::Agg { .. }));
            if !outside(&c) {
                rest.push(c);
                continue;
            }
            let ExprKind::Compare { op: CmpOp::Eq, args, cmp } = c.kind else { return None };
            let [a, b] = *args;
            if !pure(&a) || !pure(&b) {
                return None;
            }
            let (i, o, cmp) = if inside(&a) && !outside(&a) && !inside(&b) {
                let c = Comparator::with_kind(cmp.kind, &cmp.right, &cmp.left);
                (a, b, c)
            } else if inside(&b) && !outside(&b) && !inside(&a) {
                (b, a, *cmp)
            } else {
                return None;
            };
            if !groups_agree(&i, &cmp) {
                return None;
            }
            keys.push(KeyedPart { outer: o, cmp });
            inner.push(i);
        }
        *conds = rest;
        if keys.is_empty() {
            return None;
        }
        self.split = Split::Done(keys);
        Some(inner)
    }
}
