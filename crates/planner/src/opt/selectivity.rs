//! What share of a table's rows a condition leaves.
//!
//! From a histogram of the column where there is one and the value is known while planning; for joins from the number of distinct values that an
//! index tells; otherwise MySQL's fixed shares (equality 0.1, inequality 1/3, BETWEEN and LIKE 1/9, `<>` 0.9).

use hashbrown::HashSet;

use storage::dict::TableDef;

use super::access::Choice;
use super::joins::Planner;
use super::sarg;
use crate::block::{Leaf, LeafKind};
use crate::expr::{CmpOp, Expr, ExprKind};
use crate::plan::{Access, PartCond};
use crate::resolve::TableStats;

const EQUAL: f64 = 0.1;
const RANGE: f64 = 0.3333;
const BETWEEN: f64 = 0.1111;

/// Distinct values of a column, as far as an index that begins with it or a histogram tells.
pub(super) fn distinct(def: &TableDef, stats: &TableStats, column: u16) -> Option<f64> {
    let told = || def.columns.get(column as usize)?.histogram.as_ref().map(|h| h.distinct().max(1.0));
    by_index(def, stats, column).or_else(told)
}

fn by_index(def: &TableDef, stats: &TableStats, column: u16) -> Option<f64> {
    let starts = |i: &usize| def.indexes.get(*i).and_then(|x| x.parts.first()).is_some_and(|p| p.column == column);
    let i = (0..def.indexes.len()).find(starts)?;
    let ix = def.indexes.get(i)?;
    let rows = stats.rows.max(1.0);
    if ix.unique() && ix.parts.len() == 1 {
        return Some(rows);
    }
    let per_key = stats.rec_per_key.get(i).and_then(|l| l.first()).copied().filter(|r| *r > 0.0)?;
    Some((rows / per_key).max(1.0))
}

/// Columns whose conditions an access path has used, and whether it used disjunctions.
fn used(choice: &Choice, def: &TableDef) -> (HashSet<u16>, bool) {
    let leading = |index: usize, n: usize| {
        let parts = def.indexes.get(index).map_or(&[][..], |x| x.parts.as_slice());
        parts.iter().take(n).map(|p| p.column).collect::<Vec<u16>>()
    };
    let longest = |alts: &[Vec<PartCond>]| alts.iter().map(Vec::len).min().unwrap_or(0);
    match &choice.access {
        Access::Full => (HashSet::new(), false),
        Access::Point(k) => (leading(choice.index, k.len()).into_iter().collect(), false),
        Access::Ranges(alts) => (leading(choice.index, longest(alts)).into_iter().collect(), alts.len() > 1),
        Access::Merge { parts, .. } => {
            let of = |p: &(u16, Access)| match &p.1 {
                Access::Ranges(alts) => leading(p.0 as usize, longest(alts)),
                Access::Point(k) => leading(p.0 as usize, k.len()),
                _ => Vec::new(),
            };
            (parts.iter().flat_map(of).collect(), true)
        }
    }
}

impl Planner<'_> {
    /// Share of the rows an access path gives that pass the conditions it has not used.
    pub(super) fn rest(&self, leaf: &Leaf, choice: &Choice, conds: &[&Expr]) -> f64 {
        let left = conds.iter().enumerate().filter(|(n, _)| !choice.exact.contains(n)).map(|(_, c)| *c);
        self.unused(leaf, choice, left)
    }

    /// The same for the conditions that are left when those have gone that hold for every row of the path.
    pub(super) fn unused<'c>(&self, leaf: &Leaf, choice: &Choice, conds: impl Iterator<Item = &'c Expr>) -> f64 {
        let LeafKind::Base { def, .. } = &leaf.kind else { return 1.0 };
        let (columns, either) = used(choice, def);
        let mut share = 1.0;
        for c in conds {
            let spent = (either && sarg::branches(c, leaf.slot, &|_| true).is_some())
                || sarg::sargs(c, leaf.slot, &|_| true).first().is_some_and(|s| columns.contains(&s.column));
            if !spent {
                share *= self.selectivity(c, leaf);
            }
        }
        f64::max(share, 1e-4)
    }

    /// Share of a leaf's rows for which the condition holds.
    pub(super) fn selectivity(&self, e: &Expr, leaf: &Leaf) -> f64 {
        let column = |x: &Expr| match x.kind {
            ExprKind::Column { slot, column } if slot == leaf.slot => Some(column),
            _ => None,
        };
        if matches!(e.kind, ExprKind::Between { .. } | ExprKind::InList { .. } | ExprKind::IsNull(..))
            && let Some(s) = self.histogram_share(e, leaf)
        {
            return s;
        }
        match &e.kind {
            ExprKind::Compare { op, args, .. } => {
                let [a, b] = args.as_ref();
                let (c, other, op) = match (column(a), column(b)) {
                    (Some(c), _) => (Some(c), b, *op),
                    (None, Some(c)) => (Some(c), a, op.flip()),
                    _ => (None, b, *op),
                };
                if let Some(c) = c
                    && op == CmpOp::Eq
                    && let Some(s) = self.join_share(leaf, c, other)
                {
                    return s;
                }
                if let Some(s) = self.histogram_share(e, leaf) {
                    return s;
                }
                match op {
                    CmpOp::Eq | CmpOp::NullSafeEq => EQUAL,
                    CmpOp::Ne => 1.0 - EQUAL,
                    _ => RANGE,
                }
            }
            ExprKind::CompareRow { op: CmpOp::Eq, .. } => EQUAL,
            ExprKind::Between { negated, .. } => not_if(*negated, BETWEEN),
            ExprKind::InList { negated, left, list, .. } => {
                let n = list.len() / left.len().max(1);
                not_if(*negated, (n as f64 * EQUAL).min(0.5))
            }
            ExprKind::Like { negated, .. } => not_if(*negated, BETWEEN),
            ExprKind::IsNull(_, not) => not_if(*not, EQUAL),
            ExprKind::And(l) => l.iter().map(|x| self.selectivity(x, leaf)).product(),
            ExprKind::Or(l) => l.iter().map(|x| self.selectivity(x, leaf)).sum::<f64>().min(0.95),
            ExprKind::Not(x) => 1.0 - self.selectivity(x, leaf),
            _ => RANGE,
        }
    }

    /// Share for `column = other`, where the other side is a column of another table: one of as many as there are distinct values.
    fn join_share(&self, leaf: &Leaf, c: u16, other: &Expr) -> Option<f64> {
        let ExprKind::Column { slot, column } = other.kind else { return None };
        if slot == leaf.slot {
            return None;
        }
        let of = |slot: u16, column: u16| {
            let stats = self.stats.get(&slot)?;
            let def = self.defs.get(&slot)?;
            distinct(def, stats, column)
        };
        let rows = match &leaf.kind {
            LeafKind::Base { .. } => self.stats.get(&leaf.slot).map_or(1.0, |s| s.rows.max(1.0)),
            // the rows of a derived table are mostly groups
            LeafKind::Derived { query, .. } => return Some(1.0 / query.as_ref().map_or(10.0, |q| q.rows.max(1.0))),
            LeafKind::Virtual(_) => return None,
        };
        let known = of(leaf.slot, c).into_iter().chain(of(slot, column)).fold(0.0, f64::max);
        Some(if known > 0.0 { 1.0 / known } else { (10.0 / rows).min(EQUAL) })
    }
}

fn not_if(negated: bool, share: f64) -> f64 {
    if negated { 1.0 - share } else { share }
}
