//! The cheapest way to read one base table under given conditions.
//!
//! Costs are in MySQL's unit (one random page read from memory = 0.25, evaluating one row = 0.1). Estimates come from index
//! statistics (rows per distinct key prefix) and, for ranges of constants, from dives ([`super::dive`]); other ranges use fixed shares.

use hashbrown::HashSet;

use storage::dict::{IndexDef, TableDef};

use super::sarg::{Sarg, Test, branches, sargs};
use crate::block::Loose;
use crate::expr::{Expr, ExprKind, SlotId};
use crate::plan::{Access, PartCond};
use crate::resolve::TableStats;

/// Cost of evaluating a row.
pub(super) const ROW: f64 = 0.1;
/// Cost of descending an index.
pub(super) const SEEK: f64 = 0.35;
/// Additional cost of the clustered row for a secondary entry.
pub(super) const LOOKUP: f64 = 0.35;

/// One way to read the table.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) index: usize,
    pub(crate) access: Access,
    /// Rows the index access yields.
    pub(crate) rows: f64,
    pub(crate) cost: f64,
    /// Conjuncts, by position in [`Question::conds`], that every row read satisfies: they need not be checked again.
    pub(crate) exact: Vec<usize>,
    pub(crate) covering: bool,
    /// `Some`: reading gives the wanted order, so that no sort is needed; whether backwards.
    pub(crate) ordered: Option<bool>,
    /// The access path's values come from other tables of the block (`t.a = s.b`): it is a ref, opened for each of
    /// their rows.
    pub(crate) dependent: bool,
    /// [`crate::plan::Scan::loose`].
    pub(crate) loose: u16,
}

/// What [`best`] is asked.
pub(crate) struct Question<'q> {
    pub(crate) def: &'q TableDef,
    pub(crate) slot: SlotId,
    pub(crate) stats: &'q TableStats,
    pub(crate) conds: &'q [&'q Expr],
    /// Whether an expression has its value before the scan is opened.
    pub(crate) known: &'q dyn Fn(&Expr) -> bool,
    /// Whether an expression reads another table of the block.
    pub(crate) foreign: &'q dyn Fn(&Expr) -> bool,
    /// If the expression is a unique column of another table: how many rows that table has.
    pub(crate) unique: &'q dyn Fn(&Expr) -> Option<f64>,
    pub(crate) needed: &'q std::collections::BTreeSet<u16>,
    pub(crate) allowed: Option<&'q [usize]>,
    pub(crate) force: bool,
    pub(crate) ignored: &'q [usize],
    /// Invisible indexes may be used.
    pub(crate) invisible: bool,
    /// Indexes whose order may be used.
    pub(crate) sorts: Option<&'q crate::block::SortIndexes>,
    /// Wanted order (column expressions, descending); empty = none.
    pub(crate) order: &'q [(Expr, bool)],
    /// Rows wanted at most.
    pub(crate) limit: Option<f64>,
    /// Grouping rather than sorting: directions do not matter.
    pub(crate) grouping: bool,
    /// [`crate::block::Wanted::end`].
    pub(crate) end: bool,
    /// Skip scans are allowed (the hint SKIP_SCAN, `optimizer_switch`).
    pub(crate) skip: bool,
    /// The hint NO_SKIP_SCAN: none over these indexes; an empty list: none over any.
    pub(crate) no_skip: Option<&'q [usize]>,
    /// A loose index scan would do.
    pub(crate) loose: Option<&'q Loose>,
    /// Index merges allowed: bits 1 (union of whole keys), 2 (of ranges), 3 (intersection).
    pub(crate) merge: u64,
    /// The hint NO_RANGE_OPTIMIZATION: these indexes give no ranges; an empty list: no index does.
    pub(crate) no_range: Option<&'q [usize]>,
    /// Row locks rule out index-only reads.
    pub(crate) locking: bool,
    /// Rows that are read are locked, because of a locking clause, the statement's changes or the isolation level.
    /// Reading more rows than necessary would make other transactions wait.
    pub(crate) locks: bool,
    /// Index into the plan's tables.
    pub(crate) table: u16,
    /// Counts of ranges.
    pub(crate) dives: &'q crate::block::Dives,
    /// The block has other tables: the estimate of rows decides the join order.
    pub(crate) joined: bool,
    /// Where the ways that were weighed are told, while the statement is traced.
    pub(crate) told: Option<&'q std::cell::RefCell<Vec<Choice>>>,
}

/// All usable ways; the first is the cheapest. Never empty.
pub(crate) fn best(q: &Question<'_>) -> (Choice, Vec<u16>) {
    let sargs: Vec<(usize, Sarg)> = q
        .conds
        .iter()
        .enumerate()
        .flat_map(|(i, c)| sargs(c, q.slot, q.known).into_iter().map(move |s| (i, s)))
        .collect();
    let mut best: Option<Choice> = None;
    // for reads with locks: the best choice of single keys, and the best range of constants
    let (mut single, mut narrow): (Option<Choice>, Option<Choice>) = (None, None);
    let mut possible = Vec::new();
    let usable = |i: usize| {
        q.def.indexes.get(i).is_some_and(|ix| ix.visible || q.invisible)
            && !q.ignored.contains(&i)
            && (i == 0 || q.allowed.is_none_or(|a| a.contains(&i)))
    };
    let consider = |c: Choice, best: &mut Option<Choice>| {
        if q.end && !ends(q, &c) {
            return;
        }
        if let Some(told) = q.told {
            told.borrow_mut().push(c.clone());
        }
        let total = |c: &Choice| c.cost + sort_cost(q, c);
        if best.as_ref().is_none_or(|b| total(&c) < total(b) - 1e-9) {
            *best = Some(c);
        }
    };
    let mut fewest = q.stats.rows.max(1.0);
    for (i, ix) in q.def.indexes.iter().enumerate() {
        if !usable(i) || q.allowed.is_some_and(|a| !a.contains(&i)) {
            continue;
        }
        let both = by_conditions(q, i, ix, &sargs);
        if both.iter().any(Option::is_some) {
            possible.push(i as u16);
        }
        let fits = |c: &Choice| is_ref(&c.access) || q.no_range.is_none_or(|l| !l.is_empty() && !l.contains(&i));
        for c in both.into_iter().flatten().filter(fits) {
            fewest = fewest.min(c.rows.max(1.0));
            match (q.locks, is_ref(&c.access)) {
                (true, true) => consider(c.clone(), &mut single),
                (true, false) if !c.dependent => consider(c.clone(), &mut narrow),
                _ => {}
            }
            consider(c, &mut best);
        }
    }
    for (i, ix) in q.def.indexes.iter().enumerate() {
        if !usable(i) {
            continue;
        }
        // FORCE INDEX: the table itself is read only where nothing else will do
        if i == 0 && q.force && q.allowed.is_none_or(|a| !a.contains(&0)) {
            continue;
        }
        if let Some(c) = full(q, i, ix, &sargs, fewest) {
            consider(c, &mut best);
        }
        if let Some(c) =
            q.loose.filter(|_| q.sorts.is_none_or(|s| s.usable(i))).and_then(|l| loose(q, i, ix, l, &sargs))
        {
            consider(c, &mut best);
        }
    }
    for (i, ix) in q.def.indexes.iter().enumerate().filter(|x| usable(x.0) && x.1.parts.len() > 1) {
        if let Some(c) = super::skip::skip(q, i, ix, &sargs) {
            if !possible.contains(&(i as u16)) {
                possible.push(i as u16);
            }
            consider(c, &mut best);
        }
    }
    if best.is_none()
        && let Some(ix) = q.def.indexes.first()
    {
        best = full(q, 0, ix, &sargs, fewest);
    }
    let best = locking(q, best, single, narrow).unwrap_or_else(|| whole_table(q));
    let choice = super::index_merge::cheaper(q, &sargs, &best, &|i| usable(i), &mut possible).unwrap_or(best);
    (choice, possible)
}

/// Reads of an index by its conditions that must all hold, and by a disjunction; the cheaper one is taken.
fn by_conditions(q: &Question<'_>, i: usize, ix: &IndexDef, sargs: &[(usize, Sarg)]) -> [Option<Choice>; 2] {
    let mut both = [ranged(q, i, ix, sargs), alternatives(q, i, ix, sargs)];
    // both read in the same order: the one with fewer rows is never worse, however early a LIMIT ends. The shape is
    // keyset paging, `a > 5 OR (a = 5 AND id > 7) ORDER BY a, id LIMIT 10`
    if let [Some(all), Some(Choice { access: Access::Ranges(few), rows, ordered: Some(order), .. })] = &both
        && few.len() <= 8
        && all.ordered == Some(*order)
        && *rows < all.rows
    {
        both[0] = None;
    }
    both
}

/// What is read instead of the whole table if rows are locked. An equality on an index (`single`) never becomes a
/// scan, which would lock every row; a range (`narrow`) becomes one only where MySQL scans too.
fn locking(q: &Question<'_>, best: Option<Choice>, single: Option<Choice>, narrow: Option<Choice>) -> Option<Choice> {
    let Some(scan) = best.as_ref().filter(|b| matches!(b.access, Access::Full)) else { return best };
    let cost = |c: &Choice| c.cost + sort_cost(q, c);
    let most = cost(scan) + SCAN_ABOVE_RANGE;
    single.or(narrow.filter(|n| cost(n) < most)).or(best)
}

fn whole_table(q: &Question<'_>) -> Choice {
    Choice {
        index: 0,
        access: Access::Full,
        rows: q.stats.rows.max(1.0),
        cost: q.stats.rows.max(1.0) * ROW,
        exact: Vec::new(),
        covering: false,
        ordered: None,
        dependent: false,
        loose: 0,
    }
}

/// Whether the first row read is the one wanted (MIN, MAX): no condition is left to be checked on it, except that a
/// column is not NULL.
fn ends(q: &Question<'_>, c: &Choice) -> bool {
    let left = |(n, e): (usize, &&Expr)| !c.exact.contains(&n) && !matches!(e.kind, ExprKind::IsNull(_, true));
    c.ordered.is_some() && !q.conds.iter().enumerate().any(left)
}

/// Whether it reads single keys, no ranges.
pub(super) fn is_ref(a: &Access) -> bool {
    match a {
        Access::Full | Access::Merge { .. } => false,
        Access::Point(_) => true,
        Access::Ranges(l) => l.len() == 1 && l.iter().flatten().all(|c| matches!(c, PartCond::Eq { .. })),
    }
}

/// By how much a range may cost more than a scan and is still taken where rows are locked. MySQL's costs always differ
/// so; it matters for small tables only.
const SCAN_ABOVE_RANGE: f64 = 2.1;

pub(super) fn sort_cost(q: &Question<'_>, c: &Choice) -> f64 {
    if q.order.is_empty() || c.ordered.is_some() || matches!(c.access, Access::Point(_)) {
        return 0.0;
    }
    let n = c.rows.max(1.0);
    n * (0.05 + 0.01 * n.log2().max(0.0))
}

/// How many rows must be read until LIMIT is satisfied, when each condition that `used` has not fulfilled is guessed to
/// turn down three rows of four.
fn limited(q: &Question<'_>, rows: f64, used: usize) -> f64 {
    match q.limit {
        None => rows,
        Some(l) => {
            let rest = q.conds.len().saturating_sub(used) as i32;
            rows.min(l.max(1.0) * 4f64.powi(rest.min(6)))
        }
    }
}

/// Rows of a group, where LIMIT counts groups and the index begins with the columns of GROUP BY; 1 otherwise.
fn of_a_group(q: &Question<'_>, i: usize, ix: &IndexDef) -> f64 {
    let Some(l) = q.loose.filter(|l| q.limit.is_some() && l.lead == l.group.len()) else { return 1.0 };
    let mut left: HashSet<u16> = l
        .group
        .iter()
        .filter_map(|e| if let ExprKind::Column { column, .. } = e.kind { Some(column) } else { None })
        .collect();
    let n = ix.parts.iter().position(|p| {
        left.remove(&p.column);
        left.is_empty()
    });
    n.map_or(1.0, |n| rows_per_key(q, i, n + 1, q.stats.rows.max(1.0)))
}

/// The part of a multi-valued index that holds the array's elements. A condition must fix it, because the index has a
/// row once for each element, or (empty array) not at all.
fn array_part(q: &Question<'_>, ix: &IndexDef) -> Option<usize> {
    ix.array_part(&q.def.columns)
}

pub(super) fn covers(q: &Question<'_>, i: usize, ix: &IndexDef) -> bool {
    if i == 0 || q.locking || array_part(q, ix).is_some() {
        return false;
    }
    let pk = q.def.primary_key().unwrap_or(&[]);
    q.needed.iter().all(|c| ix.parts.iter().chain(pk).any(|p| p.column == *c && p.prefix == 0))
}

/// Reading a whole index: the clustered one, a covering one, or one that gives the wanted order. `fewest`: how many
/// rows satisfy the most selective index's conditions. Read in another order, one of them comes once in `rows / fewest`
/// rows.
fn full(q: &Question<'_>, i: usize, ix: &IndexDef, sargs: &[(usize, Sarg)], fewest: f64) -> Option<Choice> {
    if array_part(q, ix).is_some() {
        return None;
    }
    let covering = covers(q, i, ix);
    let ordered = order_of(q, i, ix, sargs, 0);
    if i != 0 && !covering && ordered.is_none() {
        return None;
    }
    let rows = q.stats.rows.max(1.0);
    let read = match (ordered, q.limit) {
        (Some(_), Some(l)) => limited(q, rows, 0).max(l.max(1.0) * rows / fewest).min(rows),
        _ => rows,
    };
    let per_row = if i == 0 {
        ROW + 0.02
    } else if covering {
        ROW + 0.01
    } else {
        ROW + LOOKUP
    };
    Some(Choice {
        index: i,
        access: Access::Full,
        rows,
        cost: SEEK + read * per_row,
        exact: Vec::new(),
        covering,
        ordered,
        dependent: false,
        loose: 0,
    })
}

/// Whether equal keys mean equal values: `'a'` and `'A'` have one key in a case-insensitive index, but differ for
/// HEX().
fn is_exact(t: &value::SqlType) -> bool {
    let k = t.kind;
    k.is_integer() || k.is_temporal() || k == value::TypeKind::Decimal
}

/// Whether a condition has the same value for all rows that are equal in `columns`.
fn of_group(q: &Question<'_>, c: &Expr, columns: &HashSet<u16>) -> bool {
    let (mut any, mut ok) = (false, true);
    c.walk(&mut |x| match &x.kind {
        ExprKind::Column { slot, column } => {
            any = true;
            let exact = q.def.columns.get(*column as usize).is_some_and(|d| is_exact(&d.ty));
            ok &= *slot == q.slot && exact && columns.contains(column);
        }
        ExprKind::Subquery(..) | ExprKind::AssignUserVar(..) | ExprKind::UserVar(_) => ok = false,
        ExprKind::Call(f, _) => ok &= f.is_deterministic(),
        _ => {}
    });
    any && ok
}

/// A loose index scan, which reads one row per group. The leading parts of the index are the group's columns and
/// columns that equal a constant; the next part decides which row of the group comes first. All conditions must be true
/// or false for whole groups.
fn loose(q: &Question<'_>, i: usize, ix: &IndexDef, l: &Loose, sargs: &[(usize, Sarg)]) -> Option<Choice> {
    if array_part(q, ix).is_some() {
        return None;
    }
    let covering = covers(q, i, ix);
    if i != 0 && !covering {
        return None;
    }
    let wanted: HashSet<u16> = l
        .group
        .iter()
        .filter_map(|e| if let ExprKind::Column { column, .. } = e.kind { Some(column) } else { None })
        .collect();
    let built = build(q, i, ix, sargs);
    let fixed = built.as_ref().map_or(0, |b| b.single_eq);
    // how many parts there are up to the group's last column
    let (mut n, mut left) = (0, wanted.clone());
    while !left.is_empty() {
        let p = ix.parts.get(n).filter(|p| p.prefix == 0)?;
        if !left.remove(&p.column) && n >= fixed {
            return None;
        }
        n += 1;
    }
    let parts = ix.parts.get(..n)?;
    let columns: HashSet<u16> = parts.iter().map(|p| p.column).collect();
    // those of GROUP BY come before those of DISTINCT aggregates
    let lead: HashSet<u16> = l
        .group
        .iter()
        .take(l.lead)
        .filter_map(|e| if let ExprKind::Column { column, .. } = e.kind { Some(column) } else { None })
        .collect();
    let first = parts.iter().filter(|p| wanted.contains(&p.column)).take(lead.len());
    if columns.len() != n || !first.clone().all(|p| lead.contains(&p.column)) {
        return None;
    }
    let exact = built.as_ref().map_or(&[][..], |b| b.exact.as_slice());
    // a comparison that follows the order of the keys has the same result for equal keys
    let by_key = |at: usize| {
        let mut of = sargs.iter().filter(|s| s.0 == at);
        let one = of.next().is_some_and(|s| columns.contains(&s.1.column) && !matches!(s.1.test, Test::Like { .. }));
        one && of.next().is_none()
    };
    let fits = |(at, c): (usize, &&Expr)| exact.contains(&at) || by_key(at) || of_group(q, c, &columns);
    if built.as_ref().is_some_and(|b| b.conds.len() > n) || !q.conds.iter().enumerate().all(fits) {
        return None;
    }
    let mut reverse = false;
    if let Some((column, desc)) = l.then {
        // MIN or MAX of a column that is in the group is the same in all its rows
        if !columns.contains(&column) {
            let p = ix.parts.get(n).filter(|p| p.column == column && p.prefix == 0)?;
            reverse = desc != p.desc;
        }
    }
    // groups in an order that is wanted: the index must give it
    if !q.grouping && !q.order.is_empty() && order_of(q, i, ix, sargs, fixed) != Some(reverse) {
        return None;
    }
    let total = q.stats.rows.max(1.0);
    let (read, ranges) = built.as_ref().map_or((total, 1.0), |b| (b.rows.max(1.0), b.ranges));
    let groups = (read / rows_per_key(q, i, n, total)).clamp(1.0, total);
    // a LIMIT ends DISTINCT and GROUP BY after so many groups
    let found = if l.lead == l.group.len() { limited(q, groups, exact.len()) } else { groups };
    let cost = found * (SEEK + ROW) + ranges * SEEK;
    let (access, exact) = match built {
        Some(b) => (Access::Ranges(vec![b.conds]), b.exact),
        None => (Access::Full, Vec::new()),
    };
    Some(Choice {
        index: i,
        access,
        rows: groups,
        cost,
        exact,
        covering,
        ordered: Some(reverse),
        dependent: false,
        loose: n as u16,
    })
}

pub(super) struct Built {
    pub(super) conds: Vec<PartCond>,
    exact: Vec<usize>,
    pub(super) rows: f64,
    pub(super) ranges: f64,
    all_eq: usize,
    /// Single-valued equalities at the front.
    single_eq: usize,
}

/// Conditions over a prefix of the index parts.
pub(super) fn build(q: &Question<'_>, i: usize, ix: &IndexDef, sargs: &[(usize, Sarg)]) -> Option<Built> {
    let mut b = conditions(q, i, ix, sargs)?;
    let rivals = rivals(q, i, sargs);
    b.rows = super::dive::rows(q, (i, ix), &[&b.conds], (b.rows, b.ranges), rivals);
    Some(b)
}

/// Whether there is another way to read the table, or another table: a range of the clustered index is better than all of it in any case.
fn rivals(q: &Question<'_>, i: usize, sargs: &[(usize, Sarg)]) -> bool {
    let first = |column: u16| {
        let of = |x: &IndexDef| x.parts.first().is_some_and(|p| p.column == column);
        q.def.indexes.iter().enumerate().any(|(j, x)| j != i && of(x))
    };
    let ordering = |e: &Expr| matches!(e.kind, ExprKind::Column { slot, column } if slot == q.slot && first(column));
    q.joined || sargs.iter().any(|s| first(s.1.column)) || q.order.first().is_some_and(|o| ordering(&o.0))
}

/// As [`build`], with the rows that statistics tell.
pub(super) fn conditions(q: &Question<'_>, i: usize, ix: &IndexDef, sargs: &[(usize, Sarg)]) -> Option<Built> {
    let total = q.stats.rows.max(1.0);
    let mut b = Built { conds: Vec::new(), exact: Vec::new(), rows: total, ranges: 1.0, all_eq: 0, single_eq: 0 };
    // behind a part whose key may not be known (text of large numbers) nothing is fulfilled by the range
    let mut sure = true;
    // all rows of a table with a unique column find no more than all rows here
    let mut most = total;
    for (n, part) in ix.parts.iter().enumerate() {
        let here: Vec<&(usize, Sarg)> = sargs.iter().filter(|s| s.1.column == part.column).collect();
        let eq = here.iter().find(|s| matches!(s.1.test, Test::Eq { .. }));
        if let Some((at, s)) = eq
            && let Test::Eq { value, null_safe } = &s.test
        {
            b.conds.push(PartCond::Eq { value: value.clone(), null_safe: *null_safe });
            sure &= s.exact;
            if sure && part.prefix == 0 {
                b.exact.push(*at);
            }
            b.all_eq = n + 1;
            if b.single_eq == n {
                b.single_eq = n + 1;
            }
            if let Some(rows) = (q.unique)(value) {
                most = most.min((total / rows.max(1.0)).max(1.0));
            }
            b.rows = per_key(q, i, n + 1, total, most) * b.ranges;
            if part.prefix != 0 {
                break;
            }
            continue;
        }
        if let Some((at, s)) = here.iter().find(|s| matches!(s.1.test, Test::In(_)))
            && let Test::In(list) = &s.test
            && b.ranges * (list.len() as f64) < 20_000.0
        {
            b.conds.push(PartCond::In(list.clone()));
            sure &= s.exact;
            if sure && part.prefix == 0 {
                b.exact.push(*at);
            }
            b.ranges *= list.len() as f64;
            b.all_eq = n + 1;
            b.rows = (per_key(q, i, n + 1, total, most) * b.ranges).min(total);
            if part.prefix != 0 {
                break;
            }
            continue;
        }
        // a range on this part ends the list
        last_condition(q, (i, n), &here, sure, total, &mut b);
        break;
    }
    if let Some(array) = array_part(q, ix) {
        // where the executor finds that the elements looked for cannot be keys, it reads the table: all conditions must be checked
        b.exact.clear();
        if b.conds.len() <= array {
            return None;
        }
    }
    (!b.conds.is_empty()).then_some(b)
}

/// The condition of part `n` of index `i` that no condition of a further part may follow: a range, LIKE, values
/// that are excluded, NOT NULL. `sure`: what the range fulfils need not be checked on its rows.
fn last_condition(
    q: &Question<'_>,
    (i, n): (usize, usize),
    here: &[&(usize, Sarg)],
    sure: bool,
    total: f64,
    b: &mut Built,
) {
    let Some(part) = q.def.indexes.get(i).and_then(|ix| ix.parts.get(n)) else { return };
    let (mut low, mut high, mut share, mut used) = (None, None, 1.0f64, Vec::new());
    for (at, s) in here {
        let ok = sure && s.exact && part.prefix == 0;
        match &s.test {
            Test::Low(v, inc) if low.is_none() => {
                low = Some((v.clone(), *inc || part.prefix != 0));
                share *= 0.33;
                used.push((*at, ok));
            }
            Test::High(v, inc) if high.is_none() => {
                high = Some((v.clone(), *inc || part.prefix != 0));
                share *= 0.33;
                used.push((*at, ok));
            }
            Test::Between(a, c) if low.is_none() && high.is_none() => {
                low = Some((a.clone(), true));
                high = Some((c.clone(), true));
                share *= 0.03;
                used.push((*at, ok));
            }
            _ => {}
        }
    }
    if low.is_some() || high.is_some() {
        if low.is_some() && high.is_some() {
            share = share.min(0.03);
        }
        b.conds.push(PartCond::Range { low, high });
        b.exact.extend(used.iter().filter(|u| u.1).map(|u| u.0));
        b.rows = (b.rows * share).max(1.0);
    } else if let Some((_, s)) = here.iter().find(|s| matches!(s.1.test, Test::Like { .. }))
        && let Test::Like { pattern, escape } = &s.test
    {
        b.conds.push(PartCond::Like { pattern: pattern.clone(), escape: *escape });
        b.rows = (b.rows * 0.1).max(1.0);
    } else if let Some((values, left)) = excluded(q, i, n, here, total).filter(|_| part.prefix == 0) {
        b.ranges *= values.len() as f64 + 1.0;
        b.rows = (b.rows * left).max(1.0);
        b.conds.push(PartCond::NotIn(values));
    } else if here.iter().any(|s| matches!(s.1.test, Test::NotNull)) {
        let nullable = q.def.columns.get(part.column as usize).is_some_and(|c| c.ty.nullable);
        if n > 0 || nullable {
            b.conds.push(PartCond::NotNull);
            b.rows = (b.rows * 0.9).max(1.0);
        }
    }
}

/// Values that become borders of ranges at most.
const MAX_EXCLUDED: usize = 1_000;

/// The values that no row may have in part `n` (`a <> 1 AND a NOT IN (2, 3)`), and the share of rows that is left.
fn excluded(q: &Question<'_>, i: usize, n: usize, here: &[&(usize, Sarg)], total: f64) -> Option<(Vec<Expr>, f64)> {
    let lists = here.iter().filter_map(|s| if let Test::NotIn(l) = &s.1.test { Some(l) } else { None });
    let values: Vec<Expr> = lists.flatten().cloned().collect();
    let fits = !values.is_empty() && values.len() <= MAX_EXCLUDED && !values.iter().any(|e| (q.foreign)(e));
    let each = rows_per_key(q, i, n + 1, total) / total;
    fits.then(|| (1.0 - each * values.len() as f64).max(0.1)).map(|left| (values, left))
}

/// Rows of a key as statistics tell, unless they are far more than the `most` there can be on average.
fn per_key(q: &Question<'_>, i: usize, parts: usize, total: f64, most: f64) -> f64 {
    let told = rows_per_key(q, i, parts, total);
    if told > 2.0 * most { most } else { told }
}

pub(super) fn rows_per_key(q: &Question<'_>, i: usize, parts: usize, total: f64) -> f64 {
    let ix = q.def.indexes.get(i);
    let unique = ix.is_some_and(|x| x.unique() && x.parts.len() == parts);
    if unique {
        return 1.0;
    }
    match q.stats.rec_per_key.get(i).and_then(|v| v.get(parts - 1)) {
        Some(r) if *r > 0.0 => r.max(1.0),
        _ => {
            let n = ix.map_or(1, |x| x.parts.len()) as i32;
            // unknown: assume the whole key has ten rows, each missing part ten times more
            let unique = ix.is_some_and(storage::dict::IndexDef::unique);
            let base = if unique { 1.0 } else { 10.0 };
            (base * 10f64.powi((n - parts as i32).max(0))).min(total)
        }
    }
}

fn ranged(q: &Question<'_>, i: usize, ix: &IndexDef, sargs: &[(usize, Sarg)]) -> Option<Choice> {
    let b = build(q, i, ix, sargs)?;
    let covering = covers(q, i, ix);
    let ordered = order_of(q, i, ix, sargs, b.single_eq);
    let dependent = conds_foreign(q, &b.conds);
    let nulls = b.conds.iter().any(|c| matches!(c, PartCond::Eq { null_safe: true, .. }));
    let all_single = b.single_eq == ix.parts.len() && b.conds.len() == ix.parts.len();
    let no_prefix = ix.parts.iter().all(|p| p.prefix == 0);
    // a large DOUBLE equals several integers
    let float = b.conds.iter().any(|c| matches!(c, PartCond::Eq { value, .. } if value.ty.kind.is_float()));
    let access = if ix.unique() && all_single && !nulls && no_prefix && !float && array_part(q, ix).is_none() {
        let key = b
            .conds
            .iter()
            .filter_map(|c| match c {
                PartCond::Eq { value, .. } => Some(value.clone()),
                _ => None,
            })
            .collect();
        Access::Point(key)
    } else {
        Access::Ranges(vec![b.conds])
    };
    let point = matches!(access, Access::Point(_));
    let rows = if point { 1.0 } else { b.rows.max(0.5) };
    let read = if ordered.is_some() { (limited(q, rows, b.all_eq) * of_a_group(q, i, ix)).min(rows) } else { rows };
    let per_row = ROW
        + if i == 0 {
            0.02
        } else if covering {
            0.01
        } else {
            LOOKUP
        };
    let cost = if point { SEEK * if i == 0 || covering { 1.0 } else { 2.0 } } else { SEEK * b.ranges + read * per_row };
    Some(Choice { index: i, access, rows, cost, exact: b.exact, covering, ordered, dependent, loose: 0 })
}

pub(super) fn conds_foreign(q: &Question<'_>, conds: &[PartCond]) -> bool {
    conds.iter().any(|c| match c {
        PartCond::Eq { value, .. } => (q.foreign)(value),
        PartCond::In(l) | PartCond::NotIn(l) => l.iter().any(|e| (q.foreign)(e)),
        PartCond::Range { low, high } => low.iter().chain(high.iter()).any(|b| (q.foreign)(&b.0)),
        PartCond::NotNull | PartCond::Any => false,
        PartCond::Like { pattern, .. } => (q.foreign)(pattern),
    })
}

/// Branches of a disjunction that become ranges at most; beyond that the ranges cost more memory and planning than they save.
const MAX_BRANCHES: usize = 5_000;

/// `a OR b`, or `(a, b) IN (...)`, where every branch restricts the index.
fn alternatives(q: &Question<'_>, i: usize, ix: &IndexDef, sargs: &[(usize, Sarg)]) -> Option<Choice> {
    let (alts, rows, ranges) = q.conds.iter().find_map(|c| {
        let list = branches(c, q.slot, q.known).filter(|l| l.len() <= MAX_BRANCHES)?;
        let (mut alts, mut rows, mut ranges) = (Vec::with_capacity(list.len()), 0.0, 0.0);
        for branch in list {
            let mut all: Vec<(usize, Sarg)> = branch.into_iter().map(|s| (usize::MAX, s)).collect();
            all.extend(sargs.iter().cloned());
            let b = conditions(q, i, ix, &all)?;
            rows += b.rows;
            ranges += b.ranges;
            alts.push(b.conds);
        }
        Some((alts, rows, ranges))
    })?;
    let parts: Vec<&[PartCond]> = alts.iter().map(Vec::as_slice).collect();
    let rows = super::dive::rows(q, (i, ix), &parts, (rows, ranges), rivals(q, i, sargs));
    let covering = covers(q, i, ix);
    let ordered = order_of(q, i, ix, sargs, 0);
    let dependent = alts.iter().any(|a| conds_foreign(q, a));
    let rows = rows.min(q.stats.rows.max(1.0));
    let per_row = ROW
        + if i == 0 {
            0.02
        } else if covering {
            0.01
        } else {
            LOOKUP
        };
    // in the wanted order the rest of the ranges is not read; the disjunction itself turns few of their rows down
    let read = if ordered.is_some() { limited(q, rows, 1) } else { rows };
    let cost = SEEK * ranges + read * per_row;
    let access = Access::Ranges(alts);
    Some(Choice { index: i, access, rows, cost, exact: Vec::new(), covering, ordered, dependent, loose: 0 })
}

/// Whether reading the index gives the wanted order; `Some(true)` = backwards. `eq` leading parts are fixed.
fn order_of(q: &Question<'_>, i: usize, ix: &IndexDef, sargs: &[(usize, Sarg)], eq: usize) -> Option<bool> {
    if q.order.is_empty() || q.sorts.is_some_and(|s| !s.usable(i)) || array_part(q, ix).is_some() {
        return None;
    }
    let fixed: HashSet<u16> = sargs
        .iter()
        .filter(|s| matches!(&s.1.test, Test::Eq { value, .. } if value.is_const() || (q.known)(value)))
        .map(|s| s.1.column)
        .collect();
    let pk = q.def.primary_key().unwrap_or(&[]);
    let mut parts = ix.parts.iter().chain(pk.iter()).enumerate().peekable();
    let mut reverse = None;
    for (e, desc) in q.order {
        let ExprKind::Column { slot, column } = e.kind else { return None };
        if slot != q.slot {
            return None;
        }
        if fixed.contains(&column) {
            continue;
        }
        loop {
            let (n, p) = parts.next()?;
            if p.column == column && p.prefix == 0 {
                let back = *desc != p.desc;
                if !q.grouping {
                    if reverse.is_some_and(|r| r != back) {
                        return None;
                    }
                    reverse = Some(back);
                }
                break;
            }
            if n < eq || fixed.contains(&p.column) {
                continue;
            }
            return None;
        }
    }
    Some(reverse.unwrap_or(false))
}
