//! From plan nodes to operators.

use bumpalo::Bump;
use planner::plan::{Node, Unique};

use super::state::Operators;
use super::{LimitOp, Op, aggregate, distinct, join, recursive, rows, scan, setop, sort, timed, window};
use crate::eval::Cx;

impl<'e> Operators<'e> {
    /// Builds the operators of a node.
    pub fn build(&self, node: &'e Node, cx: &Cx<'e>) -> Op<'e> {
        if sched::stack::check().is_err() {
            return Op::Deep;
        }
        let Some(m) = &self.measures else { return self.plain(node, cx) };
        let timed = |op, at| Op::Timed(Box::new(timed::TimedOp::new(op, at, m)));
        let op = match node {
            // EXPLAIN shows the scan and its condition as two
            Node::Scan(s) if s.filter.is_some() => {
                let scan =
                    timed(Op::Scan(Box::new(scan::ScanOp::new(s, cx).unfiltered())), std::ptr::from_ref(&**s) as usize);
                match &s.filter {
                    Some(f) => Op::Filter(Box::new(scan), f, Bump::new()),
                    None => scan,
                }
            }
            n => self.plain(n, cx),
        };
        timed(op, std::ptr::from_ref(node) as usize)
    }

    fn plain(&self, node: &'e Node, cx: &Cx<'e>) -> Op<'e> {
        match node {
            Node::Dual => Op::Dual(false),
            Node::Empty => Op::Empty,
            Node::Scan(s) => Op::Scan(Box::new(scan::ScanOp::new(s, cx))),
            Node::Virtual { slot, table, hints, columns, filter, .. } => {
                Op::Rows(Box::new(rows::RowsOp::virtual_table(*slot, table, (hints, columns), filter.as_ref())))
            }
            Node::Derived { slot, query, filter, keep, shared, inside, .. } => {
                let shared = shared.as_ref().map(|s| s.id);
                Op::Rows(Box::new(rows::RowsOp::derived(
                    *slot,
                    query,
                    filter.as_ref(),
                    (*keep, shared, *inside),
                    (self, cx),
                )))
            }
            Node::Ends(inputs) => Op::Ends(inputs.iter().map(|n| self.build(n, cx)).collect(), 0),
            Node::JsonTable(t) => Op::Rows(Box::new(rows::RowsOp::json_table(t))),
            Node::Values { slot, rows } => Op::Rows(Box::new(rows::RowsOp::values(*slot, rows))),
            Node::Filter { input, cond, once: true } => Op::Gate(Box::new(self.build(input, cx)), cond, false),
            Node::Filter { input, cond, .. } => Op::Filter(Box::new(self.build(input, cx)), cond, Bump::new()),
            Node::NestedLoop { kind, outer, inner, on, inner_slots } => Op::Loop(Box::new(join::LoopOp::new(
                *kind,
                self.build(outer, cx),
                self.build(inner, cx),
                on.as_ref(),
                inner_slots,
            ))),
            Node::HashJoin { kind, outer, inner, keys, on, inner_slots } => Op::Hash(Box::new(join::HashOp::new(
                *kind,
                (self.build(outer, cx), slots_of(outer), is_ordered(outer)),
                self.build(inner, cx),
                keys,
                on.as_ref(),
                inner_slots,
            ))),
            Node::Aggregate { input, slot, group, aggs, carry, streaming, rollup } => {
                let op = aggregate::AggOp::new(
                    (self.build(input, cx), slots_of(input)),
                    *slot,
                    group,
                    aggs,
                    carry,
                    *streaming,
                    *rollup,
                );
                Op::Aggregate(Box::new(op))
            }
            Node::Sort { input, slot, payload, keys, limit, early, rows } => {
                let input = (self.build(input, cx), &**input);
                Op::Sort(Box::new(sort::SortOp::new(input, (*slot, rows), (payload, *early), keys, limit.as_deref())))
            }
            Node::Window { input, slot, plan } => {
                Op::Window(Box::new(window::WindowOp::new(self.build(input, cx), *slot, plan)))
            }
            Node::Distinct { input, exprs, streaming: true } => {
                Op::Runs(Box::new(distinct::RunsOp::with_nulls(self.build(input, cx), exprs)))
            }
            Node::Distinct { input, exprs, .. } => {
                Op::Distinct(Box::new(distinct::DistinctOp::new(self.build(input, cx), exprs, slots_of(input))))
            }
            Node::Unique { input, by, .. } => self.unique(self.build(input, cx), by, input),
            Node::Limit { input, offset, count } => {
                Op::Limit(Box::new(LimitOp::new(self.build(input, cx), offset.as_ref(), count)))
            }
            Node::Recursive { slot, plan } => Op::Recursive(Box::new(recursive::RecursiveOp::new(*slot, plan, self))),
            Node::Working { slot, id } => Op::Working(Box::new(recursive::WorkingOp::new(*slot, *id, self))),
            Node::SetOp { slot, first, rest } => Op::Union(Box::new(setop::SetOpOp::new(*slot, first, rest, self, cx))),
        }
    }

    /// Rows that are told apart by what a semijoin's duplicates have in common.
    fn unique(&self, input: Op<'e>, by: &'e Unique, node: &'e Node) -> Op<'e> {
        match by {
            Unique::Runs(keys) => Op::Runs(Box::new(distinct::RunsOp::new(input, keys))),
            Unique::Values { keys, .. } => {
                Op::Distinct(Box::new(distinct::DistinctOp::of_keys(input, keys, slots_of(node))))
            }
            Unique::Rows { slots, .. } => Op::Distinct(Box::new(distinct::DistinctOp::of_rows(input, slots))),
        }
    }
}

/// Slots that a node sets.
fn slots_of(node: &Node) -> Vec<u16> {
    let mut out = Vec::new();
    planner::visit::slots_of(node, &mut out);
    out
}

/// Whether operators above may rely on the order of the node's rows (an index is read in the order wanted).
fn is_ordered(node: &Node) -> bool {
    match node {
        Node::Scan(s) => s.ordered,
        Node::Filter { input, .. } | Node::Unique { input, .. } => is_ordered(input),
        Node::NestedLoop { outer, .. } | Node::HashJoin { outer, .. } => is_ordered(outer),
        _ => false,
    }
}
