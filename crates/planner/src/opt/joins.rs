//! Join order and join operators.
//!
//! Inner joins (and the left sides of outer joins) become a list of *units*; the inner side of a LEFT JOIN is a unit that must come
//! after the tables its ON condition names. Units are ordered greedily by cost, once for every possible first table, few of them then by
//! looking at every order ([`super::search`]), and joined left-deep: nested loop when the inner side has a usable index, hash join for
//! equalities without one.
//!
//! A subquery that became a semijoin or antijoin ([`JoinTree::Semi`]) is a unit like the inner side of a LEFT JOIN; see [`super::semi`].

use base::SqlResult;
use hashbrown::{HashMap, HashSet};

use super::access::Choice;
use super::constant::{self, Gate};
use super::effort::Effort;
use super::memo::{Cond, Memo};
use super::strategy::Drive;
use crate::block::hints::{Order, Strategies};
use crate::block::{Context, Job, JoinTree, Joined, Leaf, LeafKind, Locks, Needed, Wanted};
use crate::expr::{Expr, ExprKind, SlotId};
use crate::plan::{JoinKind, Node};
use crate::resolve::TableStats;

/// How many times the rows of a LIMIT are reckoned with where a join could stop early: fewer rows may match than estimated.
pub(super) const SLACK: f64 = 10.0;

#[derive(Clone)]
pub(super) enum UnitKind {
    Leaf(usize),
    /// Several tables, with their units and conditions (a copy, for estimates).
    Group(JoinTree, Vec<Unit>, Vec<Expr>),
    /// A semijoin that is read before all else.
    Drive(Box<Drive>),
}

#[derive(Clone)]
pub(super) struct Unit {
    pub(super) kind: UnitKind,
    pub(super) join: JoinKind,
    /// ON condition of the LEFT JOIN or semijoin whose inner side this is.
    pub(super) outer: Option<Vec<Expr>>,
    pub(super) slots: HashSet<SlotId>,
    pub(super) deps: HashSet<SlotId>,
    /// Strategies allowed, and the number of the SELECT (semijoins).
    pub(super) may: Strategies,
    pub(super) select: u32,
}

impl Unit {
    pub(super) fn new(kind: UnitKind, join: JoinKind, slots: HashSet<SlotId>, deps: HashSet<SlotId>) -> Unit {
        Unit { kind, join, outer: None, slots, deps, may: Strategies::default(), select: 0 }
    }
    /// A semijoin that must not be read into a hash table, or must be.
    pub(super) fn told(&self) -> Told {
        let semi = matches!(self.join, JoinKind::Semi | JoinKind::Anti);
        let (first, hash) = (self.may.has(Strategies::FIRST_MATCH), self.may.has(Strategies::MATERIALIZATION));
        Told { no_hash: semi && first && !hash, hash: semi && hash && !first }
    }
}

/// What the strategies of a semijoin say about hash joins.
#[derive(Clone, Copy, Default)]
pub(super) struct Told {
    pub(super) no_hash: bool,
    pub(super) hash: bool,
}

/// Cost of a unit at a place in the order.
#[derive(Default)]
pub(super) struct Placed {
    pub(super) choice: Option<Choice>,
    pub(super) possible: Vec<u16>,
    pub(super) rows: f64,
    pub(super) cost: f64,
    pub(super) hash: bool,
}

/// An order as far as it goes.
struct Begun<'t> {
    order: Vec<usize>,
    placed: HashSet<SlotId>,
    rows: f64,
    cost: f64,
    told: Option<super::traced::Order<'t>>,
}

/// Plans the FROM and WHERE of a block.
pub(crate) fn plan(cx: Context<'_>, job: Job<'_>) -> SqlResult<Joined> {
    let Job { tree, leaves, mut conds, wanted, locks, needed, straight, hinted } = job;
    let Some(mut tree) = tree else {
        let mut node = Node::Dual;
        if let Some(c) = cx.draft.conjunction(conds) {
            node = Node::Filter { input: Box::new(node), cond: c, once: false };
        }
        return Ok(Joined { node, rows: 1.0, cost: 0.1, ordered: true });
    };
    let told = crate::trace::on().then(|| (conds.clone(), tree.clone()));
    let gate = match constant::gate(cx.draft, &mut conds, &mut tree) {
        Gate::Open => None,
        Gate::Shut => return Ok(Joined { node: Node::Empty, rows: 0.0, cost: 0.0, ordered: true }),
        Gate::Asked(cond) => Some(cond),
    };
    let mut leaves: Vec<Option<Leaf>> = leaves.into_iter().map(Some).collect();
    let own: HashSet<SlotId> = leaves.iter().flatten().map(|l| l.slot).collect();
    super::pullout::pull_out(cx.draft, &mut tree, &leaves);
    super::outer_to_inner::simplify(&mut tree, &conds, &leaves);
    let mut stats = HashMap::new();
    let mut defs = HashMap::new();
    for l in leaves.iter().flatten() {
        if let LeafKind::Base { def, .. } = &l.kind {
            stats.insert(l.slot, cx.r.stats(def));
            defs.insert(l.slot, def.clone());
        }
    }
    let (effort, memo) = (Effort::whole(), Memo::default());
    let told_orders = Default::default();
    let mut p = Planner { cx, leaves: &mut leaves, own, stats, defs, locks, needed, hinted, effort, memo, told_orders };
    let told = told.map(|(conds_before, tree_before)| {
        let names = p.names();
        let original = p.told_condition(&tree_before, &conds_before);
        let steps = p.told_before_planning(&tree, &conds, &original);
        (names, original, steps)
    });
    p.told_orders.take();
    let mut joined = p.plan(tree, &mut conds, wanted, straight, &HashSet::new())?;
    if let Some((names, original, mut steps)) = told {
        let orders = if crate::trace::options().greedy_search {
            p.told_orders.take().into()
        } else {
            crate::trace::Json::from("...")
        };
        steps.push(crate::trace_object! {"considered_execution_plans": orders});
        steps.extend(p.told_after_planning(&names, &original, &joined.node));
        crate::trace::optimized(steps);
    }
    if let Some(cond) = gate {
        joined.node = Node::Filter { input: Box::new(joined.node), cond, once: true };
    }
    Ok(joined)
}

pub(super) struct Planner<'p> {
    pub(super) cx: Context<'p>,
    pub(super) leaves: &'p mut Vec<Option<Leaf>>,
    pub(super) own: HashSet<SlotId>,
    pub(super) stats: HashMap<SlotId, TableStats>,
    pub(super) defs: HashMap<SlotId, std::sync::Arc<storage::dict::TableDef>>,
    pub(super) locks: &'p Locks,
    pub(super) needed: &'p Needed,
    /// Table order asked for by hints.
    pub(super) hinted: Order,
    pub(super) effort: Effort,
    pub(super) memo: Memo,
    /// Join orders that were tried, while the statement is traced.
    pub(super) told_orders: std::cell::RefCell<Vec<crate::trace::Json>>,
}

impl Planner<'_> {
    pub(super) fn leaf(&self, i: usize) -> Option<&Leaf> {
        self.leaves.get(i).and_then(Option::as_ref)
    }

    pub(super) fn slots_of(&self, t: &JoinTree) -> HashSet<SlotId> {
        let mut l = Vec::new();
        t.leaves(&mut l);
        l.into_iter().filter_map(|i| self.leaf(i).map(|l| l.slot)).collect()
    }

    pub(super) fn flatten(&self, t: JoinTree, units: &mut Vec<Unit>, conds: &mut Vec<Expr>, straight: &mut bool) {
        match t {
            JoinTree::Leaf(i) => {
                let slots: HashSet<SlotId> = self.leaf(i).map(|l| l.slot).into_iter().collect();
                let lateral = matches!(self.leaf(i).map(|l| &l.kind), Some(LeafKind::Derived { lateral: true, .. }));
                let deps =
                    if lateral { units.iter().flat_map(|u| u.slots.iter().copied()).collect() } else { HashSet::new() };
                units.push(Unit::new(UnitKind::Leaf(i), JoinKind::Inner, slots, deps));
            }
            JoinTree::Inner { parts, conds: on, straight: s } => {
                *straight |= s;
                for p in parts {
                    self.flatten(p, units, conds, straight);
                }
                conds.extend(on);
            }
            JoinTree::Left { left, right, conds: on } => {
                let left_slots = self.slots_of(&left);
                self.flatten(*left, units, conds, straight);
                let slots = self.slots_of(&right);
                let mut deps: HashSet<SlotId> = HashSet::new();
                for c in &on {
                    deps.extend(
                        self.cx.draft.expr_slots(c).into_iter().filter(|s| self.own.contains(s) && !slots.contains(s)),
                    );
                }
                let lateral =
                    |i: &usize| matches!(self.leaf(*i).map(|l| &l.kind), Some(LeafKind::Derived { lateral: true, .. }));
                let mut inside = Vec::new();
                right.leaves(&mut inside);
                if deps.is_empty() || inside.iter().any(lateral) {
                    deps.extend(left_slots);
                }
                let kind = self.unit_kind(*right);
                units.push(Unit { outer: Some(on), ..Unit::new(kind, JoinKind::Left, slots, deps) });
            }
            JoinTree::Semi { right, conds: on, anti, may, select } => {
                let u = self.semi_unit(*right, on, anti);
                units.push(Unit { may, select, ..u });
            }
        }
    }

    /// Plans a (sub)tree; `before` are slots of this block that are set already.
    pub(super) fn plan(
        &mut self,
        tree: JoinTree,
        conds: &mut Vec<Expr>,
        wanted: &Wanted,
        straight: bool,
        before: &HashSet<SlotId>,
    ) -> SqlResult<Joined> {
        self.plan_from(tree, conds, wanted, straight, before, None)
    }

    /// As `plan`, beginning with the table of a slot.
    pub(super) fn plan_from(
        &mut self,
        tree: JoinTree,
        conds: &mut Vec<Expr>,
        wanted: &Wanted,
        straight: bool,
        before: &HashSet<SlotId>,
        first: Option<SlotId>,
    ) -> SqlResult<Joined> {
        let mut units = Vec::new();
        let mut straight = straight;
        self.flatten(tree, &mut units, conds, &mut straight);
        for u in &mut units {
            u.deps.extend(self.told_before(&u.slots));
        }
        if let Some(s) = first {
            super::strategy::begin_with(&mut units, s);
        }
        self.parts_of_disjunctions(&units, conds);
        self.effort.renew();
        let a = self.arrange(units, std::mem::take(conds), wanted, straight, before)?;
        self.build(a, conds, wanted, before)
    }

    /// Adds what disjunctions over several tables say about single ones.
    fn parts_of_disjunctions(&self, units: &[Unit], conds: &mut Vec<Expr>) {
        if units.len() < 2 {
            return;
        }
        let mut more = Vec::new();
        for c in conds.iter().filter(|c| matches!(c.kind, ExprKind::Or(_))) {
            let all = self.cx.draft.expr_slots(c);
            for u in units.iter().filter(|u| u.join == JoinKind::Inner && !all.is_subset(&u.slots)) {
                let own = |e: &Expr| {
                    let s = self.cx.draft.expr_slots(e);
                    !s.is_empty() && s.is_subset(&u.slots) && !self.is_costly(e)
                };
                more.extend(crate::block::disjunction::for_table(c, &own));
            }
        }
        conds.extend(more);
    }

    /// Whether evaluating it runs a subquery per row.
    pub(super) fn is_costly(&self, e: &Expr) -> bool {
        e.any(&mut |x| match x.kind {
            ExprKind::Subquery(id, _) => self.cx.draft.subs.get(id as usize).is_none_or(|s| s.repeated()),
            _ => false,
        })
    }

    /// Whether each evaluation may give another value: it calls RAND(), UUID() and the like, itself or in a
    /// subquery.
    pub(super) fn is_random(&self, e: &Expr) -> bool {
        e.any(&mut |x| match x.kind {
            ExprKind::Call(f, _) => f.is_volatile(),
            ExprKind::Subquery(id, _) => self.cx.draft.subs.get(id as usize).is_some_and(|s| s.volatile),
            _ => false,
        })
    }

    /// Positions of the units in join order, the rows they give and what that costs.
    pub(super) fn order(
        &self,
        units: &[Unit],
        conds: &[Expr],
        wanted: &Wanted,
        straight: bool,
        before: &HashSet<SlotId>,
    ) -> SqlResult<(Vec<usize>, f64, f64)> {
        if units.is_empty() || (straight && units.len() > 1) {
            return Ok(((0..units.len()).collect(), 10.0, 100.0));
        }
        let conds = &self.numbered(conds)[..];
        let mut best: Option<(f64, Vec<usize>, f64, f64)> = None;
        for first in self.firsts(units, conds, wanted, before)? {
            if best.is_some() && self.effort.is_spent() {
                break;
            }
            let Some(u) = units.get(first) else { continue };
            let _ = crate::trace::on().then(crate::trace::paths);
            let p = self.place(u, conds, before, Some(wanted), 1.0)?;
            let cost = p.cost + Self::sorting(&p, wanted);
            let told = crate::trace::on().then(|| self.told_first(units, first, &p, cost));
            let mut placed = before.clone();
            placed.extend(u.slots.iter().copied());
            let mut b = Begun { order: vec![first], placed, rows: p.rows, cost, told };
            while b.order.len() < units.len() && self.take_next(units, conds, &mut b)? {}
            let Begun { order, rows, cost, told, .. } = b;
            let better = order.len() == units.len() && best.as_ref().is_none_or(|b| cost + rows * 0.1 < b.0);
            if let Some(o) = told {
                self.told_orders.borrow_mut().push(Self::told_order(o, better));
            }
            if better {
                best = Some((cost + rows * 0.1, order, rows, cost));
            }
        }
        if let Some(b) = &best
            && let Some(better) = self.search(units, conds, wanted, before, b.0 * super::search::GAIN)?
        {
            if crate::trace::on() {
                self.told_orders.borrow_mut().push(self.told_searched(units, &better));
            }
            return Ok(better);
        }
        Ok(best.map_or_else(|| ((0..units.len()).collect(), 10.0, 100.0), |b| (b.1, b.2, b.3)))
    }

    /// Puts the unit that looks cheapest next; `false`: none may come next.
    fn take_next(&self, units: &[Unit], conds: &[Cond<'_>], b: &mut Begun<'_>) -> SqlResult<bool> {
        let mut next: Option<(f64, usize, Placed)> = None;
        let mut weighed = Vec::new();
        for (i, u) in units.iter().enumerate() {
            if b.order.contains(&i) || !u.deps.is_subset(&b.placed) {
                continue;
            }
            let p = self.place(u, conds, &b.placed, None, b.rows)?;
            if let Some(o) = &b.told {
                weighed.push((i, self.told_place(o.prefix(), u, &p, (b.rows * p.rows, b.cost + p.cost)).into()));
            }
            let score = p.cost + b.rows * p.rows * 0.2;
            if next.as_ref().is_none_or(|n| score < n.0) {
                next = Some((score, i, p));
            }
        }
        let Some((_, i, p)) = next else { return Ok(false) };
        if let Some(o) = &mut b.told {
            self.told_next(o, weighed, i);
        }
        b.cost += p.cost;
        b.rows = (b.rows * p.rows).max(0.01);
        b.order.push(i);
        if let Some(u) = units.get(i) {
            b.placed.extend(u.slots.iter().copied());
        }
        Ok(true)
    }

    /// The units an order may begin with: where there may not be time for all, those that cost least first.
    fn firsts(
        &self,
        units: &[Unit],
        conds: &[Cond<'_>],
        wanted: &Wanted,
        before: &HashSet<SlotId>,
    ) -> SqlResult<Vec<usize>> {
        let may = |u: &Unit| u.outer.is_none() && u.deps.is_subset(before);
        let firsts = units.iter().enumerate().filter(|(_, u)| may(u));
        if units.len() < 32 && !self.effort.is_spent() {
            return Ok(firsts.map(|f| f.0).collect());
        }
        let mut list = Vec::new();
        for (i, u) in firsts {
            let p = self.place(u, conds, before, Some(wanted), 1.0)?;
            list.push((p.cost + p.rows, i));
        }
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(list.into_iter().map(|f| f.1).collect())
    }

    /// What the order's first unit costs more where the rows must be sorted afterwards.
    pub(super) fn sorting(p: &Placed, wanted: &Wanted) -> f64 {
        let sorted = p.choice.as_ref().is_some_and(|c| c.ordered.is_some());
        if wanted.order.is_empty() || sorted { 0.0 } else { 0.02 * p.rows }
    }
}
