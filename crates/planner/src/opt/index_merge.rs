//! Index merge: reading a table through several of its indexes (manual, "Index Merge Optimization").
//!
//! * **Union**: a disjunction whose branches are served by different indexes. Where a branch is no single key its clustered keys come unsorted
//!   ("sort-union"); the executor sorts all keys in any case.
//! * **Intersection**: equalities on two indexes, where what both give is little.
//!
//! How many rows a branch has is counted in its index where statistics do not call it selective (`status = 'blocked'`
//! of a column with four values may be few rows or most of the table).
//!
//! The rows found are a superset of those wanted; the conditions are checked on each, so no condition is taken as fulfilled. Not for locking
//! reads, which must lock what they examine in an order of their own.

use super::access::{self, Choice, LOOKUP, Question, ROW, SEEK};
use super::sarg::{Sarg, branches};
use crate::plan::{Access, PartCond};

/// Branches of a disjunction that are looked at.
const MOST: usize = 64;

/// A branch through its best index.
struct Branch {
    index: u16,
    conds: Vec<PartCond>,
    rows: f64,
    ranges: f64,
}

impl Branch {
    /// Cost of collecting its clustered keys.
    fn cost(&self) -> f64 {
        SEEK * self.ranges + self.rows * (ROW + 0.02)
    }
    /// A single key of the whole index: its clustered keys come in order.
    fn single(&self, q: &Question<'_>) -> bool {
        let parts = q.def.indexes.get(self.index as usize).map_or(0, |i| i.parts.len());
        self.conds.len() == parts && self.conds.iter().all(|c| matches!(c, PartCond::Eq { .. }))
    }
}

/// An index merge that costs less than `best`.
pub(super) fn cheaper(
    q: &Question<'_>,
    sargs: &[(usize, Sarg)],
    best: &Choice,
    usable: &dyn Fn(usize) -> bool,
    possible: &mut Vec<u16>,
) -> Option<Choice> {
    if q.merge == 0 || matches!(best.access, Access::Point(_)) || best.loose > 0 {
        return None;
    }
    let limit = best.cost + access::sort_cost(q, best);
    let options = [union(q, sargs, usable), intersection(q, sargs, usable)];
    for c in options.iter().flatten() {
        let Access::Merge { parts, .. } = &c.access else { continue };
        possible.extend(parts.iter().map(|p| p.0));
    }
    possible.sort_unstable();
    possible.dedup();
    let c = options.into_iter().flatten().filter(|c| c.cost + access::sort_cost(q, c) < limit * 0.95);
    c.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// The best index for a branch's conditions, together with those that hold for the whole. `number`: the branch's
/// ranges are counted under it ([`super::dive`]); `None`: statistics will do.
fn branch(
    q: &Question<'_>,
    own: &[Sarg],
    number: Option<u32>,
    sargs: &[(usize, Sarg)],
    usable: &dyn Fn(usize) -> bool,
) -> Option<Branch> {
    let mut all: Vec<(usize, Sarg)> = own.iter().cloned().map(|s| (usize::MAX, s)).collect();
    all.extend(sargs.iter().cloned());
    let mut best: Option<Branch> = None;
    for (i, ix) in q.def.indexes.iter().enumerate() {
        // the branch itself must restrict the index
        let first = ix.parts.first().map(|p| p.column);
        if !usable(i)
            || !own.iter().any(|s| Some(s.column) == first)
            || q.no_range.is_some_and(|l| l.is_empty() || l.contains(&i))
        {
            continue;
        }
        let Some(b) = access::conditions(q, i, ix, &all) else { continue };
        let told = (b.rows, b.ranges);
        let rows = number.map_or(b.rows, |n| super::dive::rows_of_branch(q, (i, ix), n, &b.conds, told));
        let b = Branch { index: i as u16, conds: b.conds, rows, ranges: b.ranges };
        if best.as_ref().is_none_or(|o| b.cost() < o.cost()) {
            best = Some(b);
        }
    }
    best
}

/// Reading all of these branches; those of one index are read together.
fn choice(q: &Question<'_>, list: Vec<Branch>, rows: f64, all: bool) -> Choice {
    let sort = if rows > 1.0 { 0.01 * rows * rows.log2() } else { 0.0 };
    let cost = list.iter().map(Branch::cost).sum::<f64>() + rows * (ROW + LOOKUP) + sort;
    let dependent = list.iter().any(|b| access::conds_foreign(q, &b.conds));
    let mut by_index: Vec<(u16, Vec<Vec<PartCond>>)> = Vec::new();
    for b in list {
        match by_index.iter_mut().find(|o| o.0 == b.index) {
            Some(one) => one.1.push(b.conds),
            None => by_index.push((b.index, vec![b.conds])),
        }
    }
    let parts = by_index.into_iter().map(|(i, alternatives)| (i, Access::Ranges(alternatives))).collect();
    let access = Access::Merge { parts, all };
    Choice { index: 0, access, rows, cost, exact: Vec::new(), covering: false, ordered: None, dependent, loose: 0 }
}

/// The cheapest disjunction.
fn union(q: &Question<'_>, sargs: &[(usize, Sarg)], usable: &dyn Fn(usize) -> bool) -> Option<Choice> {
    let total = q.stats.rows.max(1.0);
    let all = (1u32..).zip(q.conds).filter_map(|(n, c)| {
        let list = branches(c, q.slot, q.known).filter(|l| (2..=MOST).contains(&l.len()))?;
        let chosen = |counted: bool| {
            let of =
                |(b, own): (u32, &Vec<Sarg>)| branch(q, own, counted.then_some(n * MOST as u32 + b), sargs, usable);
            let list = (0..).zip(&list).map(of).collect::<Option<Vec<_>>>()?;
            let allowed = if list.iter().all(|b| b.single(q)) { 0b0010 } else { 0b0100 };
            let several = list.iter().any(|b| list.first().is_some_and(|f| f.index != b.index));
            (q.merge & allowed != 0 && several).then_some(list)
        };
        // ranges are counted only where a union is possible at all
        chosen(false)?;
        let list = chosen(true)?;
        let rows = list.iter().map(|b| b.rows).sum::<f64>().min(total);
        Some(choice(q, list, rows, false))
    });
    all.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// The two equalities that leave the fewest rows.
fn intersection(q: &Question<'_>, sargs: &[(usize, Sarg)], usable: &dyn Fn(usize) -> bool) -> Option<Choice> {
    if q.merge & 0b1000 == 0 {
        return None;
    }
    let total = q.stats.rows.max(1.0);
    let mut list: Vec<Branch> = Vec::new();
    for (i, ix) in q.def.indexes.iter().enumerate().skip(1) {
        if !usable(i) {
            continue;
        }
        let Some(b) = access::build(q, i, ix, sargs) else { continue };
        let b = Branch { index: i as u16, conds: b.conds, rows: b.rows, ranges: b.ranges };
        let first = ix.parts.first().map(|p| p.column);
        let other =
            |o: &Branch| q.def.indexes.get(o.index as usize).and_then(|x| x.parts.first()).map(|p| p.column) != first;
        if b.single(q) && list.iter().all(other) {
            list.push(b);
        }
    }
    list.sort_by(|a, b| a.rows.total_cmp(&b.rows));
    list.truncate(2);
    let [a, b] = list.as_slice() else { return None };
    let rows = (a.rows * b.rows / total).max(1.0);
    Some(choice(q, list, rows, true))
}
