//! Skip scans (manual, "Skip Scan Range Access Method"): an index is read by a condition on a part that is not its
//! first, once for each value of the
//! parts before it. For a block of one table that does not group, by an index that has all its columns, with
//! equalities on the first parts or none,
//! parts without a condition behind them, then an equality or one range. The condition is checked on the rows all
//! the same.
//!
//! Tested: golden `skip_scan`, `tests/sql/plan_random.py`.

use storage::dict::IndexDef;

use super::access::{Choice, Question, ROW, SEEK, conditions, covers, rows_per_key};
use super::sarg::{Sarg, Test};
use crate::plan::{Access, PartCond};

/// Shares of an equality, of a range with one bound, and with both.
const EQUAL: f64 = 0.1;
const HALF: f64 = 0.3333;
const BETWEEN: f64 = 0.1111;

pub(super) fn skip(q: &Question<'_>, i: usize, ix: &IndexDef, sargs: &[(usize, Sarg)]) -> Option<Choice> {
    if !q.skip
        || q.joined
        || q.locking
        || q.locks
        || q.grouping && !q.order.is_empty()
        || q.loose.is_some()
        || i == 0
        || !covers(q, i, ix)
    {
        return None;
    }
    if ix.parts.iter().any(|p| p.prefix != 0) || q.no_skip.is_some_and(|l| l.is_empty() || l.contains(&i)) {
        return None;
    }
    let of = |n: usize| ix.parts.get(n).map(|p| sargs.iter().filter(|s| s.1.column == p.column).collect::<Vec<_>>());
    let mut conds = Vec::new();
    let mut fixed = 0;
    while let Some(Test::Eq { value, null_safe }) =
        of(fixed)?.iter().map(|s| &s.1.test).find(|t| matches!(t, Test::Eq { .. }))
    {
        conds.push(PartCond::Eq { value: value.clone(), null_safe: *null_safe });
        fixed += 1;
    }
    let mut n = fixed;
    while of(n)?.is_empty() {
        conds.push(PartCond::Any);
        n += 1;
    }
    if n == fixed {
        return None;
    }
    let alone = IndexDef { parts: ix.parts.iter().skip(n).take(1).cloned().collect(), ..ix.clone() };
    let last = conditions(q, i, &alone, sargs)?.conds;
    let share = match last.as_slice() {
        [PartCond::Eq { .. }] => EQUAL,
        [PartCond::Range { low: Some(_), high: Some(_) }] => BETWEEN,
        [PartCond::Range { .. }] => HALF,
        _ => return None,
    };
    conds.extend(last);
    let total = q.stats.rows.max(1.0);
    let here = if fixed == 0 { total } else { rows_per_key(q, i, fixed, total) };
    let groups = (here / rows_per_key(q, i, n, total)).max(1.0);
    let rows = (here * share).max(1.0);
    Some(Choice {
        index: i,
        access: Access::Ranges(vec![conds]),
        rows,
        // to each group and to its range
        cost: groups * 2.0 * SEEK + rows * (ROW + 0.01),
        exact: Vec::new(),
        covering: true,
        ordered: None,
        dependent: false,
        loose: 0,
    })
}
