//! The strategy of each semijoin of a block, and the join order that goes with it.
//!
//! A semijoin that stays a unit of the order ([`super::semi`]) comes behind the tables its conditions name: first match, or materialization
//! with lookup. Here are the others, which bring the tables of the subquery before tables outside it:
//!
//! * *materialization read first* and *loose scan* ([`Drive`]): the subquery's rows, one for each value of what is compared, are the first unit
//!   of the order, and the equalities with the outside are conditions of a join. For that all that the subquery takes from outside must be
//!   equalities, and rows equal for the comparison must be equal as values of the subquery (`groups_agree`). With an index that gives the rows
//!   in the order of those values nothing is kept (loose scan).
//! * *duplicate weedout* ([`Weed`]): the tables of the subquery are units like those outside, in any order; as soon as they and the tables that
//!   the subquery names are joined, rows made from the same rows of the other tables are thrown away but one. Rows are told by their
//!   clustered keys, so all tables outside must be base tables.
//!
//! All strategies leave the same rows. The cheapest is looked for by changing one semijoin after the other, as long as that helps. One that a hint or
//! `optimizer_switch` forbids costs [`FORBIDDEN`] more: it is used only where nothing else will do.
//! Tested by the golden file `semijoin` and `tests/sql/plan_random.py` (each strategy forced, beside none).

use hashbrown::HashSet;

use base::SqlResult;

use super::joins::{Planner, Unit, UnitKind};
use super::semi::{ANY, conditions};
use crate::block::Loose;
use crate::block::Wanted;
use crate::block::hints::Strategies;
use crate::block::predicates::groups_agree;
use crate::block::{JoinTree, LeafKind};
use crate::expr::{Expr, ExprKind, SlotId};
use crate::plan::{JoinKind, Node, Unique};

/// What a strategy costs more that is not allowed.
const FORBIDDEN: f64 = 1e15;
/// How often each semijoin's strategy is looked at, at most.
const PASSES: usize = 3;
/// Cost of an internal temporary table, of a row in it, and of one that is there already.
const TABLE: f64 = 1.0;
const ENTRY: f64 = 0.2;
const LOOK: f64 = 0.05;

/// A semijoin that is read first.
#[derive(Clone)]
pub(super) struct Drive {
    pub(super) tree: JoinTree,
    /// Conditions beside those of the tree that need nothing from outside.
    pub(super) inside: Vec<Expr>,
    /// What is compared with the outside: of equal rows only one is needed.
    pub(super) keys: Vec<Expr>,
    /// The table whose index gives the rows in the order of the keys (loose scan).
    pub(super) ordered: Option<SlotId>,
    /// Number of the subquery's SELECT.
    pub(super) select: u32,
    /// Estimates.
    pub(super) rows: f64,
    pub(super) cost: f64,
}

impl Drive {
    /// The order its rows are wanted in. `alone`: of one table, of which a loose index scan may read less.
    fn order(keys: &[Expr], alone: bool) -> Wanted {
        let order = keys.iter().map(|k| (k.clone(), false)).collect();
        let loose = alone.then(|| Loose { group: keys.to_vec(), lead: keys.len(), then: None });
        Wanted { order, grouping: true, loose, ..Wanted::default() }
    }
    /// The order for its plan.
    pub(super) fn wanted(&self) -> Wanted {
        if self.ordered.is_none() {
            return ANY;
        }
        Drive::order(&self.keys, matches!(self.tree, JoinTree::Leaf(_)))
    }
}

/// A semijoin whose tables are units of the order.
pub(super) struct Weed {
    pub(super) inner: HashSet<SlotId>,
    /// The tables outside that it names.
    pub(super) deps: HashSet<SlotId>,
}

impl Weed {
    /// Whether all it concerns is joined.
    pub(super) fn is_ready(&self, placed: &HashSet<SlotId>) -> bool {
        self.inner.is_subset(placed) && self.deps.is_subset(placed)
    }
    pub(super) fn cost(&self, rows: f64) -> f64 {
        TABLE + rows * ENTRY
    }
    /// Removes the duplicates of a join. `done`: slots of semijoins that ended before, whose rows no longer count.
    pub(super) fn node(self, input: Node, done: &mut Vec<SlotId>, rows: f64) -> Node {
        let mut slots = Vec::new();
        crate::visit::slots_of(&input, &mut slots);
        slots.retain(|s| !self.inner.contains(s) && !done.contains(s));
        let mut inner: Vec<SlotId> = self.inner.into_iter().collect();
        inner.sort_unstable();
        done.extend(&inner);
        Node::Unique { input: Box::new(input), by: Unique::Rows { slots, inner }, rows }
    }
}

/// Units in an order, with the strategies that made them.
pub(super) struct Arranged {
    pub(super) units: Vec<Unit>,
    pub(super) conds: Vec<Expr>,
    pub(super) weeds: Vec<Weed>,
    pub(super) order: Vec<usize>,
    pub(super) rows: f64,
    pub(super) cost: f64,
}

/// A strategy for one unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// As a unit behind the tables it names.
    Match,
    Scan,
    Loose,
    Weed,
}

/// What is asked for an order.
struct Ask<'w> {
    wanted: &'w Wanted,
    before: &'w HashSet<SlotId>,
}

/// The semijoins of a block as units to be read first: by position, for materialization and loose scan.
type Drives = Vec<(usize, How, Drive)>;

impl Planner<'_> {
    /// The cheapest strategies and order.
    pub(super) fn arrange(
        &self,
        units: Vec<Unit>,
        conds: Vec<Expr>,
        wanted: &Wanted,
        straight: bool,
        before: &HashSet<SlotId>,
    ) -> SqlResult<Arranged> {
        let (order, rows, cost) = self.order(&units, &conds, wanted, straight, before)?;
        let plain = Arranged { units, conds, weeds: Vec::new(), order, rows, cost };
        let semis: Vec<usize> =
            plain.units.iter().enumerate().filter(|(_, u)| u.join == JoinKind::Semi).map(|s| s.0).collect();
        if straight || semis.is_empty() || self.effort.is_spent() {
            return Ok(plain);
        }
        let ask = Ask { wanted, before };
        let mut how = vec![How::Match; plain.units.len()];
        let mut least = self.early_end(&plain, &ask)? + self.forbidden(&plain.units, &how);
        let drives = self.drives(&plain, &semis, before)?;
        let mut best: Option<Arranged> = None;
        for _ in 0..PASSES {
            let before = least;
            for i in &semis {
                for h in [How::Scan, How::Loose, How::Weed] {
                    let Some(next) = changed(&how, *i, h) else { continue };
                    let forbidden = self.forbidden(&plain.units, &next);
                    if self.effort.is_spent() || forbidden + at_least(&drives, *i, h) >= least {
                        continue;
                    }
                    let Some(a) = self.arranged(&plain, &next, &drives, &ask)? else { continue };
                    if a.cost + forbidden < least - 1e-6 {
                        (least, how, best) = (a.cost + forbidden, next, Some(a));
                    }
                }
            }
            if least >= before {
                break;
            }
        }
        Ok(best.unwrap_or(plain))
    }

    /// What the strategies cost that are not allowed.
    fn forbidden(&self, units: &[Unit], how: &[How]) -> f64 {
        let bad = |(u, h): &(&Unit, &How)| {
            u.join == JoinKind::Semi
                && !match h {
                    How::Match => {
                        u.may.has(Strategies::FIRST_MATCH)
                            || (u.may.has(Strategies::MATERIALIZATION) && self.has_hash_key(u))
                    }
                    How::Scan => u.may.has(Strategies::MATERIALIZATION),
                    How::Loose => u.may.has(Strategies::LOOSE_SCAN),
                    How::Weed => u.may.has(Strategies::WEEDOUT),
                }
        };
        units.iter().zip(how).filter(bad).count() as f64 * FORBIDDEN
    }

    /// Whether a hash table of a semijoin's rows could be looked into.
    fn has_hash_key(&self, u: &Unit) -> bool {
        self.hash_allowed() && u.outer.iter().flatten().any(|c| self.hash_key(c, &u.slots, &u.deps).is_some())
    }

    /// Cost of the order as it is, less what a LIMIT saves where the rows come in the order wanted.
    fn early_end(&self, a: &Arranged, ask: &Ask<'_>) -> SqlResult<f64> {
        let Some(limit) = ask.wanted.limit.filter(|_| !ask.wanted.order.is_empty()) else { return Ok(a.cost) };
        let Some(u) = a.order.first().and_then(|i| a.units.get(*i)) else { return Ok(a.cost) };
        let p = self.place_first(u, &a.conds, ask.wanted, ask.before)?;
        let ordered = p.choice.is_some_and(|c| c.ordered.is_some());
        Ok(if ordered { a.cost * (2.0 * limit / a.rows.max(1.0)).min(1.0) } else { a.cost })
    }

    /// Another arrangement, if it is one.
    fn arranged(&self, plain: &Arranged, how: &[How], drives: &Drives, ask: &Ask<'_>) -> SqlResult<Option<Arranged>> {
        let (mut units, mut conds, mut weeds) = (Vec::new(), plain.conds.clone(), Vec::new());
        let mut first = HashSet::new();
        for (i, (u, h)) in plain.units.iter().zip(how).enumerate() {
            match h {
                How::Match => units.push(u.clone()),
                How::Scan | How::Loose => {
                    let Some((_, _, d)) = drives.iter().find(|d| d.0 == i && d.1 == *h) else { return Ok(None) };
                    first.extend(u.slots.iter().copied());
                    conds.extend(u.outer.iter().flatten().filter(|c| !d.inside.iter().any(|x| x.same(c))).cloned());
                    units.push(Unit {
                        kind: UnitKind::Drive(Box::new(d.clone())),
                        join: JoinKind::Inner,
                        outer: None,
                        deps: self.told_before(&u.slots),
                        ..u.clone()
                    });
                }
                How::Weed => {
                    let Some(tree) = self.tree_of(u) else { return Ok(None) };
                    if !self.is_identified(&plain.units, &u.slots) {
                        return Ok(None);
                    }
                    let (from, mut straight) = (units.len(), false);
                    self.flatten(tree, &mut units, &mut conds, &mut straight);
                    if straight {
                        return Ok(None);
                    }
                    for n in units.iter_mut().skip(from) {
                        n.deps.extend(self.told_before(&n.slots));
                    }
                    conds.extend(u.outer.iter().flatten().cloned());
                    weeds.push(Weed { inner: u.slots.clone(), deps: u.deps.clone() });
                }
            }
        }
        for u in units.iter_mut().filter(|u| !matches!(u.kind, UnitKind::Drive(_))) {
            u.deps.extend(first.iter().copied());
        }
        let (order, rows, cost) = self.order(&units, &conds, ask.wanted, false, ask.before)?;
        if !sound(&units, &order, ask.before) {
            return Ok(None);
        }
        let cost = cost + weeds.iter().map(|w| w.cost(rows)).sum::<f64>();
        let rows = rows.min(plain.rows);
        Ok(Some(Arranged { units, conds, weeds, order, rows, cost }))
    }

    /// Whether the rows of all tables outside a semijoin can be told apart.
    fn is_identified(&self, units: &[Unit], inner: &HashSet<SlotId>) -> bool {
        let outside = units.iter().filter(|u| matches!(u.join, JoinKind::Inner | JoinKind::Left) || u.slots == *inner);
        let mut leaves = Vec::new();
        for u in outside {
            match &u.kind {
                UnitKind::Leaf(i) => leaves.push(*i),
                UnitKind::Group(t, ..) => t.leaves(&mut leaves),
                UnitKind::Drive(d) => d.tree.leaves(&mut leaves),
            }
        }
        let base = |i: usize| self.leaf(i).is_some_and(|l| matches!(l.kind, LeafKind::Base { .. }));
        leaves.into_iter().all(base)
    }

    /// Tables that hints want before these.
    pub(super) fn told_before(&self, slots: &HashSet<SlotId>) -> HashSet<SlotId> {
        let hinted = slots.iter().flat_map(|s| crate::block::hints::before(&self.hinted, *s));
        hinted.filter(|s| self.own.contains(s) && !slots.contains(s)).collect()
    }

    /// The semijoins that may be read first.
    fn drives(&self, plain: &Arranged, semis: &[usize], before: &HashSet<SlotId>) -> SqlResult<Drives> {
        let mut out = Vec::new();
        let there: HashSet<SlotId> = plain
            .units
            .iter()
            .filter(|u| u.join == JoinKind::Inner || u.join == JoinKind::Left)
            .flat_map(|u| u.slots.iter().copied())
            .collect();
        for i in semis {
            let Some(u) = plain.units.get(*i) else { continue };
            let Some(mut d) = self.drive(u, &there, before)? else { continue };
            if let Some(loose) = self.loose_scan(&d, before)? {
                out.push((*i, How::Loose, loose));
            }
            let distinct = self.distinct_rows(&d);
            d.cost += TABLE + (d.rows - distinct) * LOOK + distinct * ENTRY;
            d.rows = distinct;
            out.push((*i, How::Scan, d));
        }
        Ok(out)
    }

    /// A semijoin that is read first.
    pub(super) fn drive_node(&mut self, d: Drive, conds: Vec<Expr>, before: &HashSet<SlotId>) -> SqlResult<Node> {
        let wanted = d.wanted();
        let mut left = d.inside;
        let j = self.plan_from(d.tree, &mut left, &wanted, false, before, d.ordered)?;
        left.extend(conds);
        let input = match self.cx.draft.conjunction(left) {
            Some(cond) => Node::Filter { input: Box::new(j.node), cond, once: false },
            None => j.node,
        };
        let mut keys = d.keys;
        for k in &mut keys {
            self.cx.draft.hoist(k);
        }
        let by = match d.ordered {
            Some(_) if j.ordered => Unique::Runs(keys),
            _ => Unique::Values { keys, select: d.select },
        };
        Ok(Node::Unique { input: Box::new(input), by, rows: d.rows })
    }

    /// A semijoin's tree.
    fn tree_of(&self, u: &Unit) -> Option<JoinTree> {
        match &u.kind {
            UnitKind::Leaf(i) => Some(JoinTree::Leaf(*i)),
            UnitKind::Group(t, ..) => Some(t.clone()),
            UnitKind::Drive(_) => None,
        }
    }

    /// A semijoin as the first unit of the order, if its conditions allow that; `rows` are all its rows yet.
    fn drive(&self, u: &Unit, there: &HashSet<SlotId>, before: &HashSet<SlotId>) -> SqlResult<Option<Drive>> {
        let (Some(tree), Some(on)) = (self.tree_of(u), &u.outer) else { return Ok(None) };
        let outside = |e: &Expr| {
            self.cx
                .draft
                .expr_slots(e)
                .iter()
                .any(|s| self.own.contains(s) && !u.slots.contains(s) && !before.contains(s))
        };
        let mut own = Vec::new();
        conditions(&tree, &mut own);
        if own.iter().any(|c| outside(c)) {
            return Ok(None);
        }
        let (mut inside, mut keys) = (Vec::new(), Vec::<Expr>::new());
        for c in on {
            if !outside(c) {
                inside.push(c.clone());
                continue;
            }
            match self.hash_key(c, &u.slots, there) {
                Some((_, inner, cmp)) if groups_agree(&inner, &cmp) => {
                    if !keys.iter().any(|k| k.same(&inner)) {
                        keys.push(inner);
                    }
                }
                _ => return Ok(None),
            }
        }
        if keys.is_empty() {
            return Ok(None);
        }
        let (units, conds) = self.inner_units(&tree, &inside);
        let a = self.arrange(units, conds, &ANY, false, before)?;
        Ok(Some(Drive { tree, inside, keys, ordered: None, select: u.select, rows: a.rows, cost: a.cost }))
    }

    fn inner_units(&self, tree: &JoinTree, inside: &[Expr]) -> (Vec<Unit>, Vec<Expr>) {
        let (mut units, mut conds, mut straight) = (Vec::new(), inside.to_vec(), false);
        self.flatten(tree.clone(), &mut units, &mut conds, &mut straight);
        (units, conds)
    }

    /// The same by an index that gives the rows in the order of the keys.
    fn loose_scan(&self, d: &Drive, before: &HashSet<SlotId>) -> SqlResult<Option<Drive>> {
        let column = |e: &Expr| if let ExprKind::Column { slot, .. } = e.kind { Some(slot) } else { None };
        let Some(slot) = d.keys.first().and_then(column) else { return Ok(None) };
        if !d.keys.iter().all(|k| column(k) == Some(slot)) {
            return Ok(None);
        }
        let (mut units, conds) = self.inner_units(&d.tree, &d.inside);
        begin_with(&mut units, slot);
        let alone = matches!(d.tree, JoinTree::Leaf(_));
        let wanted = Drive::order(&d.keys, alone);
        let (order, rows, cost) = self.order(&units, &conds, &wanted, false, before)?;
        if !sound(&units, &order, before) {
            return Ok(None);
        }
        let Some(u) = order.first().and_then(|i| units.get(*i)).filter(|u| matches!(u.kind, UnitKind::Leaf(_))) else {
            return Ok(None);
        };
        let p = self.place_first(u, &conds, &wanted, before)?;
        if p.choice.is_none_or(|c| c.ordered.is_none()) {
            return Ok(None);
        }
        let mut out = Drive { ordered: Some(slot), rows, cost: cost + rows * LOOK, ..d.clone() };
        out.rows = self.distinct_rows(&out);
        Ok(Some(out))
    }

    /// Rows that are left of a semijoin's when each of its keys is there once.
    fn distinct_rows(&self, d: &Drive) -> f64 {
        let mut all = 1.0;
        for k in &d.keys {
            let ExprKind::Column { slot, column } = k.kind else { return d.rows };
            let n = match (self.defs.get(&slot), self.stats.get(&slot)) {
                (Some(def), Some(stats)) => super::selectivity::distinct(def, stats, column),
                _ => None,
            };
            match n {
                Some(n) => all *= n,
                None => return d.rows,
            }
        }
        d.rows.min(all).max(0.01)
    }
}

/// The strategies with another one for a unit, if that is another.
fn changed(how: &[How], unit: usize, h: How) -> Option<Vec<How>> {
    let mut next = how.to_vec();
    if h != How::Weed {
        // one is the first
        next.iter_mut().filter(|n| matches!(n, How::Scan | How::Loose)).for_each(|n| *n = How::Match);
    }
    *next.get_mut(unit)? = h;
    (next != how).then_some(next)
}

/// What an order costs at least that begins with a semijoin.
fn at_least(drives: &Drives, unit: usize, h: How) -> f64 {
    drives.iter().find(|d| d.0 == unit && d.1 == h).map_or(0.0, |d| d.2.cost)
}

/// Whether the order has all units, each behind those it needs.
fn sound(units: &[Unit], order: &[usize], before: &HashSet<SlotId>) -> bool {
    let mut placed = before.clone();
    for i in order {
        let Some(u) = units.get(*i) else { return false };
        if !u.deps.is_subset(&placed) {
            return false;
        }
        placed.extend(u.slots.iter().copied());
    }
    order.len() == units.len()
}

/// All units come behind the table of a slot.
pub(super) fn begin_with(units: &mut [Unit], slot: SlotId) {
    for u in units.iter_mut().filter(|u| !u.slots.contains(&slot)) {
        u.deps.insert(slot);
    }
}
