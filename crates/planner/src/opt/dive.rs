//! Index dives: how many entries a range of constants has, counted in the index itself.
//!
//! The planner cannot evaluate the constants (`NOW() - INTERVAL 1 DAY`), so this goes in rounds: a plan is made with what statistics say
//! and notes each range that it would rather have counted ([`Plan::dives`](crate::plan::Plan::dives)); the session has the executor count them
//! (`executor::dives`) and, where that makes a difference, plans again with the counts ([`Request::counted`](crate::Request::counted)).
//! A plan of the cache is asked in the same way whether it suits the literals of the present execution. MySQL does the same while it
//! plans, for every execution (manual, "Range Optimization", "Equality Range Optimization of Many-Valued Comparisons").
//! Tested in `tests/sql/golden/dives.sql`.

use storage::dict::IndexDef;

use super::access::Question;
use crate::plan::{Access, Dive, PartCond, RangeKey};

/// An equality that statistics say fewer rows about is not worth a dive.
const MANY: f64 = 30.0;

fn shape(alternatives: &[&[PartCond]]) -> Box<[u8]> {
    let kind = |c: &PartCond| match c {
        PartCond::Eq { .. } => 1,
        PartCond::In(_) => 2,
        PartCond::NotNull => 3,
        PartCond::Like { .. } => 4,
        PartCond::NotIn(_) => 9,
        // no skip scan is counted
        PartCond::Any => 10,
        PartCond::Range { low, high } => 5 + u8::from(low.is_some()) + 2 * u8::from(high.is_some()),
    };
    let mut out = Vec::new();
    for a in alternatives {
        out.extend(a.iter().map(kind));
        out.push(0);
    }
    out.into()
}

fn constant(c: &PartCond) -> bool {
    match c {
        PartCond::Eq { value, .. } => value.is_const(),
        PartCond::In(l) | PartCond::NotIn(l) => l.iter().all(crate::expr::Expr::is_const),
        PartCond::NotNull => true,
        PartCond::Any => false,
        PartCond::Like { pattern, .. } => pattern.is_const(),
        PartCond::Range { low, high } => low.iter().chain(high).all(|b| b.0.is_const()),
    }
}

/// Rows of alternatives of conditions on an index's leading parts: `guess` of statistics, or counted. `ranges`: how
/// many ranges they are.
pub(super) fn rows(
    q: &Question<'_>,
    index: (usize, &IndexDef),
    alternatives: &[&[PartCond]],
    told: (f64, f64),
    rivals: bool,
) -> f64 {
    counted(q, index, 0, alternatives, told, rivals)
}

/// The same of a branch of an index merge, which has a number above 0.
pub(super) fn rows_of_branch(
    q: &Question<'_>,
    index: (usize, &IndexDef),
    branch: u32,
    conds: &[PartCond],
    told: (f64, f64),
) -> f64 {
    counted(q, index, branch, &[conds], told, true)
}

fn counted(
    q: &Question<'_>,
    (i, ix): (usize, &IndexDef),
    branch: u32,
    alternatives: &[&[PartCond]],
    (guess, ranges): (f64, f64),
    rivals: bool,
) -> f64 {
    let d = q.dives;
    let equal = |c: &&PartCond| matches!(c, PartCond::Eq { .. } | PartCond::In(_));
    let conds = || alternatives.iter().flat_map(|a| a.iter());
    // NULL has as many rows as it has, whatever the other values have on average
    let nulls =
        conds().any(|c| matches!(c, PartCond::Eq { value, null_safe: true } if value.ty.kind == value::TypeKind::Null));
    let only_equal = conds().all(|c| equal(&c)) && !nulls;
    if (d.limit > 0 && ranges > 1.0 && ranges >= d.limit as f64)
        || (i == 0 && !rivals)
        || (only_equal && (guess / ranges.max(1.0) < MANY || ix.unique()))
        || !conds().all(constant)
        || ix.array_part(&q.def.columns).is_some()
    {
        return guess;
    }
    let key = RangeKey { slot: q.slot, index: ix.id, branch, shape: shape(alternatives) };
    let mut asked = d.asked.borrow_mut();
    if let Some(known) = asked.iter().find(|a| a.key == key) {
        return known.rows;
    }
    let rows = d.counted.iter().find(|c| c.0 == key).map_or(guess, |c| c.1);
    let access = Access::Ranges(alternatives.iter().map(|a| a.to_vec()).collect());
    asked.push(Dive { key, table: q.table, index: i as u16, access, rows });
    rows
}
