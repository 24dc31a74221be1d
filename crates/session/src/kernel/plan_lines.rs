//! Which cache lines a cached plan goes over when it runs: asked for together before it does ([`sys::prefetch`]).
//!
//! A server that answers a few statements over and over has all of them in the nearest caches; one with hundreds of tables or statements meets each
//! plan cold. What is listed here is what a lookup or short scan of one table reads: the plan, its locks, the scan, the table's
//! definition and layout. Longer plans take so long that it does not matter.

use crate::kernel::plans::CachedPlan;
use planner::plan::{Access, Body, Node, Plan, Scan};
use sys::prefetch::Lines;

/// The lines of a plan whose tables have been opened; `None` before.
pub(crate) fn lines(cached: &CachedPlan) -> Option<Box<[usize]>> {
    let plan = &cached.plan;
    if plan.tables.iter().any(|t| t.opened.get().is_none()) {
        return None;
    }
    let mut out = Lines::default();
    out.add(cached);
    out.add(cached.locks.as_slice());
    out.add(plan.tables.as_slice());
    out.add(plan.slots.as_slice());
    let scan = scan(plan);
    let (index, columns) = scan.map_or((0, &[][..]), |s| (s.index as usize, s.columns.as_slice()));
    for opened in plan.tables.iter().filter_map(|t| t.opened.get()) {
        out.add_counts(opened);
        opened.lines(index, columns, &mut out);
    }
    if let Some(s) = scan {
        out.add(s);
        if let Access::Point(key) = &s.access {
            out.add(key.as_slice());
        }
    }
    if let Body::Select(q) = &plan.body {
        out.add(&**q);
        out.add(q.direct.as_slice());
        out.add(q.items.as_slice());
        out.add(plan.column_types.as_slice());
        out.add(&*plan.columns);
        out.add(plan.columns.encoded());
    }
    Some(out.finish())
}

/// The scan of a plan of one table.
fn scan(plan: &Plan) -> Option<&Scan> {
    let root = match &plan.body {
        Body::Select(q) => &q.root,
        Body::Update(u) => &u.source,
        Body::Delete(d) => &d.source,
        Body::Insert(_) => return None,
    };
    match root {
        Node::Scan(s) => Some(s),
        _ => None,
    }
}
