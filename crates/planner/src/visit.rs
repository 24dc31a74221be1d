//! Walks over the expressions of plan nodes.

use crate::expr::{Expr, SlotId};
use crate::plan::{Access, Node, PartCond, QueryPlan, Unique};

/// Calls `f` on every expression (roots only) of a query plan, derived tables included.
pub fn query_exprs_mut(q: &mut QueryPlan, f: &mut dyn FnMut(&mut Expr)) {
    query_exprs(q, true, f);
}

/// The same without those of derived tables.
pub fn own_exprs_mut(q: &mut QueryPlan, f: &mut dyn FnMut(&mut Expr)) {
    query_exprs(q, false, f);
}

fn query_exprs(q: &mut QueryPlan, kept: bool, f: &mut dyn FnMut(&mut Expr)) {
    q.items.iter_mut().for_each(&mut *f);
    node_exprs(&mut q.root, kept, f);
}

/// Calls `f` on the expressions of an access path.
pub fn access_exprs_mut(a: &mut Access, f: &mut dyn FnMut(&mut Expr)) {
    match a {
        Access::Full => {}
        Access::Merge { parts, .. } => parts.iter_mut().for_each(|p| access_exprs_mut(&mut p.1, f)),
        Access::Point(k) => k.iter_mut().for_each(&mut *f),
        Access::Ranges(alts) => {
            for c in alts.iter_mut().flatten() {
                match c {
                    PartCond::Eq { value, .. } => f(value),
                    PartCond::In(list) | PartCond::NotIn(list) => list.iter_mut().for_each(&mut *f),
                    PartCond::Range { low, high } => {
                        low.iter_mut().chain(high.iter_mut()).for_each(|b| f(&mut b.0));
                    }
                    PartCond::NotNull | PartCond::Any => {}
                    PartCond::Like { pattern, .. } => f(pattern),
                }
            }
        }
    }
}

/// Calls `f` on every expression of a node and its inputs.
pub fn node_exprs_mut(n: &mut Node, f: &mut dyn FnMut(&mut Expr)) {
    node_exprs(n, true, f);
}

/// The same; `kept`: also in derived tables, whose rows are kept.
fn node_exprs(n: &mut Node, kept: bool, f: &mut dyn FnMut(&mut Expr)) {
    match n {
        Node::Dual | Node::Empty => {}
        Node::Scan(s) => {
            access_exprs_mut(&mut s.access, f);
            s.pushed.iter_mut().for_each(&mut *f);
            s.filter.iter_mut().for_each(f);
        }
        Node::Virtual { hints, filter, .. } => {
            hints.iter_mut().for_each(|h| f(&mut h.1));
            filter.iter_mut().for_each(f);
        }
        Node::Derived { query, filter, .. } => {
            if kept {
                query_exprs(query, kept, f);
            }
            filter.iter_mut().for_each(f);
        }
        Node::JsonTable(t) => f(&mut t.doc),
        Node::Ends(inputs) => inputs.iter_mut().for_each(|n| node_exprs(n, kept, f)),
        Node::Values { rows, .. } => rows.iter_mut().flatten().for_each(f),
        Node::Filter { input, cond, .. } => {
            node_exprs(input, kept, f);
            f(cond);
        }
        Node::NestedLoop { outer, inner, on, .. } => {
            node_exprs(outer, kept, f);
            node_exprs(inner, kept, f);
            on.iter_mut().for_each(f);
        }
        Node::HashJoin { outer, inner, keys, on, .. } => {
            node_exprs(outer, kept, f);
            node_exprs(inner, kept, f);
            for (a, b, _) in keys.iter_mut() {
                f(a);
                f(b);
            }
            on.iter_mut().for_each(f);
        }
        Node::Aggregate { input, group, aggs, carry, .. } => {
            node_exprs(input, kept, f);
            group.iter_mut().for_each(&mut *f);
            for a in aggs {
                a.args.iter_mut().for_each(&mut *f);
                a.order.iter_mut().for_each(|o| f(&mut o.0));
            }
            carry.iter_mut().for_each(f);
        }
        Node::Sort { input, payload, keys, limit, .. } => {
            node_exprs(input, kept, f);
            payload.iter_mut().for_each(&mut *f);
            keys.iter_mut().for_each(|k| f(&mut k.expr));
            if let Some(l) = limit {
                l.0.iter_mut().for_each(&mut *f);
                f(&mut l.1);
            }
        }
        Node::Window { input, plan, .. } => {
            node_exprs(input, kept, f);
            window_exprs_mut(plan, f);
        }
        Node::Recursive { plan, .. } => {
            query_exprs(&mut plan.seed, kept, f);
            plan.members.iter_mut().for_each(|q| query_exprs(q, kept, f));
            if let Some(l) = &mut plan.limit {
                l.0.iter_mut().for_each(&mut *f);
                f(&mut l.1);
            }
        }
        Node::Working { .. } => {}
        Node::Distinct { input, exprs, .. } => {
            node_exprs(input, kept, f);
            exprs.iter_mut().for_each(f);
        }
        Node::Unique { input, by, .. } => {
            node_exprs(input, kept, f);
            if let Unique::Values { keys, .. } | Unique::Runs(keys) = by {
                keys.iter_mut().for_each(f);
            }
        }
        Node::Limit { input, offset, count } => {
            node_exprs(input, kept, f);
            offset.iter_mut().for_each(&mut *f);
            f(count);
        }
        Node::SetOp { first, rest, .. } => {
            query_exprs(first, kept, f);
            rest.iter_mut().for_each(|(_, q)| query_exprs(q, kept, f));
        }
    }
}

/// Calls `f` on the expressions of a window node.
fn window_exprs_mut(w: &mut crate::window::WindowPlan, f: &mut dyn FnMut(&mut Expr)) {
    use crate::window::{Bound, WindowFunc};
    w.payload.iter_mut().for_each(&mut *f);
    w.keys.iter_mut().for_each(|k| f(&mut k.expr));
    for c in &mut w.calls {
        c.args.iter_mut().for_each(&mut *f);
        if let WindowFunc::Aggregate(a) = &mut c.func {
            a.args.iter_mut().for_each(&mut *f);
        }
        for b in [&mut c.frame.start, &mut c.frame.end] {
            if let Bound::Offset { value, limit, .. } = b {
                f(value);
                if let Some(l) = limit {
                    f(&mut l.order);
                    f(&mut l.bound);
                }
            }
        }
    }
}

/// Slots that the operators below set.
pub fn slots_of(n: &Node, out: &mut Vec<SlotId>) {
    match n {
        Node::Dual | Node::Empty => {}
        Node::Scan(s) => out.push(s.slot),
        Node::JsonTable(t) => out.push(t.slot),
        // they have the same
        Node::Ends(inputs) => inputs.first().into_iter().for_each(|n| slots_of(n, out)),
        Node::Virtual { slot, .. }
        | Node::Derived { slot, .. }
        | Node::Values { slot, .. }
        | Node::Recursive { slot, .. }
        | Node::Working { slot, .. }
        | Node::SetOp { slot, .. } => {
            out.push(*slot);
        }
        Node::Sort { input, rows, .. } if !rows.is_empty() => slots_of(input, out),
        Node::Aggregate { slot, .. } | Node::Sort { slot, .. } | Node::Window { slot, .. } => out.push(*slot),
        Node::Filter { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. }
        | Node::Limit { input, .. } => slots_of(input, out),
        Node::NestedLoop { outer, inner, kind, .. } | Node::HashJoin { outer, inner, kind, .. } => {
            slots_of(outer, out);
            if !matches!(kind, crate::plan::JoinKind::Semi | crate::plan::JoinKind::Anti) {
                slots_of(inner, out);
            }
        }
    }
}
