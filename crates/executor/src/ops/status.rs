//! The status variables `Select_*`, `Sort_*` and `Created_tmp_tables`: how a query reads its tables, counted once per execution of each query block.
//!
//! As the manual has it, the first table of a block counts as `Select_scan` (all of it) or `Select_range`, every later one as
//! `Select_full_join` or `Select_full_range_join`; reads of a key (`const`, `ref`) count nowhere. Subqueries in expressions count when
//! the statement begins. Tested by `tests/sql/golden/handler_status.sql`.

use planner::plan::{Access, Node, PartCond, Plan, QueryPlan, Scan, SetOpKind, Unique};
use probe::Counter;

/// What a scan is to these counters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    All,
    Range,
    Key,
}

fn kind(s: &Scan) -> Reads {
    match &s.access {
        Access::Full if s.loose == 0 => Reads::All,
        Access::Full | Access::Merge { .. } => Reads::Range,
        Access::Ranges(_) if s.loose > 0 => Reads::Range,
        Access::Point(_) => Reads::Key,
        Access::Ranges(a) => match a.as_slice() {
            [conds] if conds.iter().all(|c| matches!(c, PartCond::Eq { .. })) => Reads::Key,
            _ => Reads::Range,
        },
    }
}

/// Counts a query of one scan, without anything else.
#[inline]
pub(crate) fn selected_one(s: &Scan) {
    if !matches!(s.access, Access::Point(_)) {
        scan(s, true);
    }
}

/// Counts the blocks of a statement that begins: its query and the subqueries.
pub(crate) fn selected(plan: &Plan, query: &QueryPlan) {
    let mut seen = Vec::new();
    node(&query.root, true, &mut seen);
    for s in &plan.subqueries {
        node(&s.query.root, true, &mut seen);
    }
}

fn scan(s: &Scan, first: bool) {
    let counter = match (kind(s), first) {
        (Reads::All, true) => Counter::SelectScan,
        (Reads::All, false) => Counter::SelectFullJoin,
        (Reads::Range, true) => Counter::SelectRange,
        (Reads::Range, false) => Counter::SelectFullRangeJoin,
        (Reads::Key, _) => return,
    };
    probe::inc(counter);
}

/// `seen`: the common table expressions that have been met, each of which is computed once.
fn node(n: &Node, first: bool, seen: &mut Vec<u32>) {
    match n {
        Node::Scan(s) => scan(s, first),
        Node::JsonTable(_) => probe::inc(if first { Counter::SelectScan } else { Counter::SelectFullJoin }),
        Node::Derived { query, shared, .. } => {
            probe::inc(if first { Counter::SelectScan } else { Counter::SelectFullJoin });
            if let Some(s) = shared {
                if seen.contains(&s.id) {
                    return;
                }
                seen.push(s.id);
            }
            probe::inc(Counter::CreatedTmpTables);
            node(&query.root, true, seen);
        }
        Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
            node(outer, first, seen);
            node(inner, false, seen);
        }
        Node::Aggregate { input, group, streaming, .. } => {
            if !group.is_empty() && !streaming {
                probe::inc(Counter::CreatedTmpTables);
            }
            node(input, first, seen);
        }
        Node::Distinct { input, .. } => {
            probe::inc(Counter::CreatedTmpTables);
            node(input, first, seen);
        }
        Node::Unique { input, by, .. } => {
            if !matches!(by, Unique::Runs(_)) {
                probe::inc(Counter::CreatedTmpTables);
            }
            node(input, first, seen);
        }
        Node::Filter { input, .. }
        | Node::Sort { input, .. }
        | Node::Window { input, .. }
        | Node::Limit { input, .. } => node(input, first, seen),
        Node::SetOp { first: one, rest, .. } => {
            if rest.iter().any(|(kind, _)| *kind != SetOpKind::UnionAll) {
                probe::inc(Counter::CreatedTmpTables);
            }
            node(&one.root, true, seen);
            for (_, q) in rest {
                node(&q.root, true, seen);
            }
        }
        // SHOW reads these and counts nothing
        Node::Virtual { .. } => {}
        // read before the rows of a block would be
        Node::Ends(_) => {}
        Node::Dual | Node::Empty | Node::Values { .. } | Node::Recursive { .. } | Node::Working { .. } => {}
    }
}

/// Counts a sort of `rows` rows.
pub(crate) fn sorted(input: &Node, rows: u64) {
    let mut at = input;
    let range = loop {
        at = match at {
            Node::Scan(s) => break kind(s) == Reads::Range,
            Node::NestedLoop { outer, .. } | Node::HashJoin { outer, .. } => outer,
            Node::Filter { input, .. } | Node::Unique { input, .. } | Node::Limit { input, .. } => input,
            _ => break false,
        };
    };
    probe::inc(if range { Counter::SortRange } else { Counter::SortScan });
    probe::add(Counter::SortRows, rows);
}
