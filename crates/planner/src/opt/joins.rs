//! Join order and join operators.
//!
//! Inner joins (and the left sides of outer joins) become a list of *units*; the inner side of a LEFT JOIN is a unit that must come
//! after the tables its ON condition names. Units are ordered greedily by cost, once for every possible first table, few of them then by
//! looking at every order ([`super::search`]), and joined left-deep: nested loop when the inner side has a usable index, hash join for
//! equalities without one.
//!
//! A subquery that became a semijoin or antijoin ([`JoinTree::Semi`]) is a unit like the inner side of a LEFT JOIN; see [`super::semi`].

use std::collections::BTreeSet;

use base::SqlResult;
use hashbrown::{HashMap, HashSet};
use value::compare::ComparisonKind;

use super::access::{self, Choice, Question};
use super::constant::Gate;
use super::memo::{Cond, Estimate, Memo, Outer};
use super::needed::Needed;
use super::strategy::{Arranged, Drive};
use crate::bind::semi::Strategies;
use crate::bind::{Binder, JoinTree, Leaf, LeafKind, Locks};
use crate::expr::{CmpOp, Expr, ExprKind, SlotId};
use crate::plan::{JoinKind, Keep, LockMode, Node, Scan};
use crate::resolve::TableStats;

/// How many times the rows of a LIMIT are reckoned with where a join could stop early: fewer rows may match than estimated.
const SLACK: f64 = 10.0;

/// Order the block would like to get its rows in.
#[derive(Default)]
pub(crate) struct Wanted {
    pub(crate) order: Vec<(Expr, bool)>,
    pub(crate) grouping: bool,
    pub(crate) limit: Option<f64>,
    /// Of rows equal in `order` only the first is needed.
    pub(crate) loose: Option<access::Loose>,
    /// Only the first row in that order is of use: another order is none.
    pub(crate) end: bool,
}

/// The joined tables.
pub(crate) struct Joined {
    pub(crate) node: Node,
    pub(crate) rows: f64,
    pub(crate) cost: f64,
    pub(crate) ordered: bool,
}

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

/// The access paths of a table.
struct Weighed {
    choice: Choice,
    possible: Vec<u16>,
    rows: f64,
    /// For a hash table, and the rows that are kept there.
    built: Option<(Choice, f64)>,
}

impl Weighed {
    fn estimate(&self) -> Estimate {
        let Choice { cost, dependent, .. } = self.choice;
        Estimate { rows: self.rows, cost, dependent, built: self.built.as_ref().map(|(c, kept)| (c.cost, *kept)) }
    }
}

/// A table at a place behind others that yield `outer_rows` rows; the access path is not told.
fn place_estimated(e: &Estimate, join: JoinKind, outer_rows: f64, told: Told) -> Placed {
    let semi = matches!(join, JoinKind::Semi | JoinKind::Anti);
    let hash = e.hash_cost(Outer::all(outer_rows), told.hash);
    let nested = outer_rows * if semi { first_match(e.cost, e.rows) } else { e.cost };
    let cost = hash.unwrap_or(nested);
    Placed { rows: super::semi::rows(join, e.rows), cost, hash: hash.is_some(), ..Placed::default() }
}

/// Cost of a lookup for one row outside that reads nothing behind the first match of `rows`.
fn first_match(cost: f64, rows: f64) -> f64 {
    access::SEEK + (cost - access::SEEK).max(0.0) / rows.max(1.0)
}

impl Binder<'_, '_> {
    /// Slots an expression reads, through its subqueries too.
    pub(crate) fn expr_slots(&self, e: &Expr) -> HashSet<SlotId> {
        let mut out = HashSet::new();
        e.walk(&mut |x| match x.kind {
            ExprKind::Column { slot, .. } => {
                out.insert(slot);
            }
            ExprKind::Subquery(id, _) => {
                if let Some(s) = self.st.subs.get(id as usize) {
                    out.extend(s.refs.iter().map(|r| r.0));
                }
            }
            _ => {}
        });
        out
    }

    /// Plans the FROM and WHERE of a block.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn plan_joins(
        &mut self,
        tree: Option<JoinTree>,
        leaves: Vec<Leaf>,
        conds: Vec<Expr>,
        wanted: &Wanted,
        locks: &Locks,
        needed: &Needed,
        straight: bool,
    ) -> SqlResult<Joined> {
        let mut conds = conds;
        let Some(mut tree) = tree else {
            let mut node = Node::Dual;
            if let Some(c) = self.conjunction(conds) {
                node = Node::Filter { input: Box::new(node), cond: c, once: false };
            }
            return Ok(Joined { node, rows: 1.0, cost: 0.1, ordered: true });
        };
        let gate = match self.gate(&mut conds, &mut tree) {
            Gate::Open => None,
            Gate::Shut => return Ok(Joined { node: Node::Empty, rows: 0.0, cost: 0.0, ordered: true }),
            Gate::Asked(cond) => Some(cond),
        };
        let mut leaves: Vec<Option<Leaf>> = leaves.into_iter().map(Some).collect();
        let own: HashSet<SlotId> = leaves.iter().flatten().map(|l| l.slot).collect();
        self.pull_out(&mut tree, &leaves);
        super::outer::simplify(&mut tree, &conds, &leaves);
        let mut stats = HashMap::new();
        let mut defs = HashMap::new();
        for l in leaves.iter().flatten() {
            if let LeafKind::Base { def, .. } = &l.kind {
                stats.insert(l.slot, self.r.stats(def));
                defs.insert(l.slot, def.clone());
            }
        }
        let hinted = std::mem::take(&mut self.hinted);
        let (effort, memo) = (crate::watch::Effort::whole(), Memo::default());
        let mut p = Planner { b: self, leaves: &mut leaves, own, stats, defs, locks, needed, hinted, effort, memo };
        let mut joined = p.plan(tree, &mut conds, wanted, straight, &HashSet::new())?;
        if let Some(cond) = gate {
            joined.node = Node::Filter { input: Box::new(joined.node), cond, once: true };
        }
        Ok(joined)
    }

    /// AND of conditions with constants hoisted.
    pub(crate) fn conjunction(&mut self, conds: Vec<Expr>) -> Option<Expr> {
        let mut conds = conds;
        for c in &mut conds {
            self.hoist(c);
        }
        match conds.len() {
            0 => None,
            1 => conds.pop(),
            _ => {
                let nullable = conds.iter().any(|c| c.ty.nullable);
                let ty = crate::types::longlong(1).nullable(nullable);
                Some(Expr { kind: ExprKind::And(conds.into()), ty, coer: crate::expr::Coercibility::Numeric })
            }
        }
    }
}

pub(super) struct Planner<'p, 'a, 'r> {
    pub(super) b: &'p mut Binder<'a, 'r>,
    leaves: &'p mut Vec<Option<Leaf>>,
    pub(super) own: HashSet<SlotId>,
    pub(super) stats: HashMap<SlotId, TableStats>,
    pub(super) defs: HashMap<SlotId, std::sync::Arc<storage::dict::TableDef>>,
    locks: &'p Locks,
    needed: &'p Needed,
    /// Table order asked for by hints.
    pub(super) hinted: crate::bind::hints::Order,
    pub(super) effort: crate::watch::Effort,
    pub(super) memo: Memo,
}

impl Planner<'_, '_, '_> {
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
                        self.b.expr_slots(c).into_iter().filter(|s| self.own.contains(s) && !slots.contains(s)),
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
            let all = self.b.expr_slots(c);
            for u in units.iter().filter(|u| u.join == JoinKind::Inner && !all.is_subset(&u.slots)) {
                let own = |e: &Expr| {
                    let s = self.b.expr_slots(e);
                    !s.is_empty() && s.is_subset(&u.slots) && !self.is_costly(e)
                };
                more.extend(super::disjunction::for_table(c, &own));
            }
        }
        conds.extend(more);
    }

    /// Whether evaluating it runs a subquery per row.
    fn is_costly(&self, e: &Expr) -> bool {
        e.any(&mut |x| match x.kind {
            ExprKind::Subquery(id, _) => self.b.st.subs.get(id as usize).is_none_or(|s| s.correlated),
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
        let ok = |i: usize, placed: &HashSet<SlotId>| units.get(i).is_some_and(|u| u.deps.is_subset(placed));
        for first in self.firsts(units, conds, wanted, before)? {
            if best.is_some() && self.effort.is_spent() {
                break;
            }
            let mut order = vec![first];
            let mut placed = before.clone();
            let Some(u) = units.get(first) else { continue };
            let p = self.place(u, conds, &placed, Some(wanted), 1.0)?;
            placed.extend(u.slots.iter().copied());
            let (mut rows, mut cost) = (p.rows, p.cost);
            cost += Self::sorting(&p, wanted);
            while order.len() < units.len() {
                let mut next: Option<(f64, usize, Placed)> = None;
                for (i, u) in units.iter().enumerate() {
                    if order.contains(&i) || !ok(i, &placed) {
                        continue;
                    }
                    let p = self.place(u, conds, &placed, None, rows)?;
                    let score = p.cost + rows * p.rows * 0.2;
                    if next.as_ref().is_none_or(|n| score < n.0) {
                        next = Some((score, i, p));
                    }
                }
                let Some((_, i, p)) = next else { break };
                cost += p.cost;
                rows = (rows * p.rows).max(0.01);
                order.push(i);
                if let Some(u) = units.get(i) {
                    placed.extend(u.slots.iter().copied());
                }
            }
            if order.len() == units.len() && best.as_ref().is_none_or(|b| cost + rows * 0.1 < b.0) {
                best = Some((cost + rows * 0.1, order, rows, cost));
            }
        }
        if let Some(b) = &best
            && let Some(better) = self.search(units, conds, wanted, before, b.0 * super::search::GAIN)?
        {
            return Ok(better);
        }
        Ok(best.map_or_else(|| ((0..units.len()).collect(), 10.0, 100.0), |b| (b.1, b.2, b.3)))
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

    /// Cost of putting a unit next to `placed` tables that yield `outer_rows` rows.
    pub(super) fn place(
        &self,
        u: &Unit,
        conds: &[Cond<'_>],
        placed: &HashSet<SlotId>,
        wanted: Option<&Wanted>,
        outer_rows: f64,
    ) -> SqlResult<Placed> {
        self.b.check_interrupt()?;
        self.effort.spend();
        let i = match &u.kind {
            UnitKind::Leaf(i) => *i,
            UnitKind::Group(_, inner, own) => return self.place_group(u, inner, own, placed, Outer::all(outer_rows)),
            UnitKind::Drive(d) => return Ok(Placed { rows: d.rows, cost: outer_rows * d.cost, ..Placed::default() }),
        };
        let usable = |c: &&Cond<'_>| {
            c.slots.iter().any(|x| u.slots.contains(x))
                && c.slots.iter().all(|x| u.slots.contains(x) || placed.contains(x) || !self.own.contains(x))
        };
        let used: Option<Vec<&Cond<'_>>> = u.outer.is_none().then(|| conds.iter().filter(usable).collect());
        let list = || -> Vec<&Expr> {
            match (&u.outer, &used) {
                (Some(on), _) => on.iter().collect(),
                (None, used) => used.iter().flatten().map(|c| c.expr).collect(),
            }
        };
        let told = u.told();
        let known = self.leaf(i).is_some_and(|l| matches!(l.kind, LeafKind::Base { .. }));
        if wanted.is_none() && known {
            let make = || self.weigh(i, &list(), placed, None, told).map(|w| w.estimate());
            if let Some(e) = self.memo.leaf(i, used.as_deref(), make) {
                return Ok(place_estimated(&e, u.join, outer_rows, told));
            }
        }
        let mut p = self.place_leaf(i, &list(), placed, wanted, Outer::all(outer_rows), told);
        if matches!(u.join, JoinKind::Semi | JoinKind::Anti)
            && !p.hash
            && let Some(c) = &p.choice
        {
            p.cost = outer_rows * first_match(c.cost, p.rows);
        }
        p.rows = super::semi::rows(u.join, p.rows);
        Ok(p)
    }

    /// The same as the first of the order.
    pub(super) fn place_first(
        &self,
        u: &Unit,
        conds: &[Expr],
        wanted: &Wanted,
        before: &HashSet<SlotId>,
    ) -> SqlResult<Placed> {
        self.place(u, &self.numbered(conds), before, Some(wanted), 1.0)
    }

    /// Conditions with the tables they name.
    fn numbered<'c>(&self, conds: &'c [Expr]) -> Vec<Cond<'c>> {
        conds.iter().map(|c| self.memo.cond(c, self.b.expr_slots(c))).collect()
    }

    fn place_leaf(
        &self,
        i: usize,
        list: &[&Expr],
        placed: &HashSet<SlotId>,
        wanted: Option<&Wanted>,
        outer: Outer,
        semi: Told,
    ) -> Placed {
        let outer_rows = outer.rows;
        let Some(leaf) = self.leaf(i) else {
            return Placed { rows: 1.0, ..Placed::default() };
        };
        let all = || list.iter().map(|c| self.selectivity(c, leaf)).product::<f64>().max(1e-4);
        let alone = HashSet::from([leaf.slot]);
        let equi = list.iter().any(|c| self.hash_key(c, &alone, placed).is_some());
        let hashable = self.hashable(leaf, semi);
        match &leaf.kind {
            LeafKind::Base { .. } => {
                let Some(w) = self.weigh(i, list, placed, wanted, semi) else {
                    return Placed { rows: 1.0, ..Placed::default() };
                };
                let e = w.estimate();
                let Weighed { choice, possible, rows, built } = w;
                match (e.hash_cost(outer, semi.hash), built) {
                    (Some(cost), Some((built, _))) => Placed { choice: Some(built), possible, rows, cost, hash: true },
                    _ => Placed { choice: Some(choice), possible, rows, cost: outer_rows * e.cost, hash: false },
                }
            }
            LeafKind::Virtual(_) => Placed {
                choice: None,
                possible: vec![],
                rows: 20.0 * all(),
                cost: 20.0 + outer_rows * 2.0,
                hash: equi && hashable && outer_rows > 1.5,
            },
            LeafKind::Derived { query, lateral, .. } => {
                let (rows, cost) = query.as_ref().map_or((100.0, 100.0), |q| (q.rows, q.cost));
                let total =
                    if *lateral { cost * outer_rows } else { cost + outer_rows * rows * if equi { 0.02 } else { 0.1 } };
                Placed {
                    choice: None,
                    possible: vec![],
                    rows: (rows * all()).max(0.01),
                    cost: total,
                    hash: equi && hashable && !*lateral && outer_rows > 1.5,
                }
            }
        }
    }

    /// Whether a table may be read into a hash table.
    fn hashable(&self, leaf: &Leaf, semi: Told) -> bool {
        let told = self.b.st.table_hints.get(&leaf.slot);
        !told.is_some_and(|t| t.no_hash) && !semi.no_hash && self.hash_allowed()
    }

    /// The best access path of a base table beside `placed` ones, and that for a hash table where an equality with those is there.
    fn weigh(
        &self,
        i: usize,
        list: &[&Expr],
        placed: &HashSet<SlotId>,
        wanted: Option<&Wanted>,
        semi: Told,
    ) -> Option<Weighed> {
        let leaf = self.leaf(i)?;
        let LeafKind::Base { def, allowed, force, ignored, sorts, table, .. } = &leaf.kind else { return None };
        let stats = self.stats.get(&leaf.slot)?;
        let told = self.b.st.table_hints.get(&leaf.slot);
        let own = &self.own;
        let slots = |e: &Expr| self.b.expr_slots(e);
        let known = |e: &Expr| {
            let s = slots(e);
            let ready = s.iter().all(|x| placed.contains(x) || !own.contains(x));
            ready
                && !e.any(&mut |x| match &x.kind {
                    ExprKind::Call(f, _) => !f.is_deterministic(),
                    ExprKind::AssignUserVar(..) => true,
                    _ => false,
                })
        };
        let foreign = |e: &Expr| slots(e).iter().any(|x| placed.contains(x));
        let empty = BTreeSet::new();
        let q = Question {
            def,
            slot: leaf.slot,
            stats,
            conds: list,
            known: &known,
            foreign: &foreign,
            needed: self.needed.get(&leaf.slot).unwrap_or(&empty),
            allowed: allowed.as_deref(),
            force: *force,
            ignored,
            sorts: sorts
                .as_deref()
                .map(|[order, group]| if wanted.is_some_and(|w| w.grouping) { group } else { order }),
            order: wanted.map_or(&[], |w| w.order.as_slice()),
            limit: wanted.and_then(|w| w.limit),
            grouping: wanted.is_some_and(|w| w.grouping),
            end: wanted.is_some_and(|w| w.end),
            loose: wanted.and_then(|w| w.loose.as_ref()).filter(|_| self.lock_of(leaf) == LockMode::None),
            merge: self.merging(leaf),
            locking: self.lock_of(leaf) != LockMode::None,
            table: *table,
            dives: &self.b.st.dives,
            joined: self.own.len() > 1,
            invisible: self.b.switch & (1 << 19) != 0,
            no_range: told.and_then(|t| t.no_range.as_deref()),
        };
        let (choice, possible) = access::best(&q);
        let rows = (choice.rows * self.rest(leaf, &choice, list)).max(1e-3);
        let alone = HashSet::from([leaf.slot]);
        let mut built = None;
        if self.hashable(leaf, semi) && list.iter().any(|c| self.hash_key(c, &alone, placed).is_some()) {
            // the same without what the other tables say: into a hash table
            let alone = |e: &Expr| known(e) && !foreign(e);
            let choice =
                if choice.dependent { access::best(&Question { known: &alone, ..q }).0 } else { choice.clone() };
            let own: Vec<&Expr> = list.iter().copied().filter(|c| !foreign(c)).collect();
            let share: f64 = own.iter().map(|c| self.selectivity(c, leaf)).product();
            let kept = (choice.rows * share.max(1e-4)).max(1.0);
            built = Some((choice, kept)).filter(|b| !b.0.dependent);
        }
        Some(Weighed { choice, possible, rows, built })
    }

    /// `block_nested_loop` of optimizer_switch allows hash joins (manual, "Hash Join Optimization").
    pub(super) fn hash_allowed(&self) -> bool {
        self.b.switch & (1 << 8) != 0
    }

    /// Which index merges are allowed (bits 1..=3 of optimizer_switch), if any. Row locks: an intersection would lock what either index finds,
    /// one index alone locks less.
    fn merging(&self, leaf: &Leaf) -> u64 {
        let switch = self.b.switch;
        let told = self.b.st.table_hints.get(&leaf.slot).and_then(|t| t.merge);
        let possible = if self.lock_of(leaf) == LockMode::None { 0b1110 } else { 0b0110 };
        match told {
            Some(true) => possible,
            None if switch & 1 != 0 => switch & possible,
            _ => 0,
        }
    }

    fn lock_of(&self, l: &Leaf) -> LockMode {
        self.locks.of(l.slot).0
    }

    /// `column side = placed side` as a hash join key: (outer, inner, comparator).
    pub(super) fn hash_key(
        &self,
        e: &Expr,
        inside: &HashSet<SlotId>,
        placed: &HashSet<SlotId>,
    ) -> Option<(Expr, Expr, value::compare::Comparator)> {
        let ExprKind::Compare { op: CmpOp::Eq, args, cmp } = &e.kind else { return None };
        let [a, b] = args.as_ref();
        let (sa, sb) = (self.b.expr_slots(a), self.b.expr_slots(b));
        let inner = |s: &HashSet<SlotId>| !s.is_empty() && s.is_subset(inside);
        let outer = |s: &HashSet<SlotId>| {
            s.iter().any(|x| placed.contains(x)) && s.iter().all(|x| placed.contains(x) || !self.own.contains(x))
        };
        let inexact = cmp.within > 0.0 || a.ty.kind.is_string() || b.ty.kind.is_string();
        if matches!(cmp.kind, ComparisonKind::Double) && inexact {
            return None;
        }
        if outer(&sa) && inner(&sb) {
            return Some((a.clone(), b.clone(), cmp.as_ref().clone()));
        }
        if inner(&sa) && outer(&sb) {
            let c = value::compare::Comparator::with_kind(cmp.kind, &cmp.right, &cmp.left);
            return Some((b.clone(), a.clone(), c));
        }
        None
    }

    fn build(
        &mut self,
        arranged: Arranged,
        conds: &mut Vec<Expr>,
        wanted: &Wanted,
        before: &HashSet<SlotId>,
    ) -> SqlResult<Joined> {
        let Arranged { units, conds: all, mut weeds, order, rows: estimate, .. } = arranged;
        *conds = all;
        let special = !weeds.is_empty();
        let mut done: Vec<SlotId> = Vec::new();
        let mut units: Vec<Option<Unit>> = units.into_iter().map(Some).collect();
        let mut placed = before.clone();
        let mut current: Option<Node> = None;
        let (mut rows, mut cost, mut ordered) = (1.0f64, 0.0f64, wanted.order.is_empty());
        // conditions that run a subquery per row wait for joins that leave fewer rows
        let mut costly: Vec<Expr> = Vec::new();
        let mut left_units = order.len();
        // what a LIMIT leaves of the rows of each join
        let mut share = 1.0f64;
        for at in order {
            left_units -= 1;
            let Some(mut u) = units.get_mut(at).and_then(Option::take) else { continue };
            let first = current.is_none();
            let (mut own_conds, mut after) = (Vec::new(), Vec::new());
            let mut left = Vec::new();
            for c in conds.drain(..) {
                let s = self.b.expr_slots(&c);
                let ready = s.iter().all(|x| u.slots.contains(x) || placed.contains(x) || !self.own.contains(x));
                if !ready {
                    left.push(c);
                } else if u.outer.is_some() {
                    after.push(c);
                } else {
                    own_conds.push(c);
                }
            }
            *conds = left;
            let (kind, told) = (u.join, u.told());
            if let Some(on) = u.outer.take() {
                own_conds = on;
            }
            let outer = Outer { rows, read: rows * share };
            match u.kind {
                UnitKind::Leaf(i) => {
                    let refs: Vec<&Expr> = own_conds.iter().collect();
                    let mut p = self.place_leaf(i, &refs, &placed, first.then_some(wanted), outer, told);
                    p.rows = super::semi::rows(kind, p.rows);
                    if first && let Some(c) = &p.choice {
                        ordered = c.ordered.is_some() || wanted.order.is_empty();
                        if matches!(c.access, crate::plan::Access::Point(_)) && units.len() == 1 {
                            ordered = true;
                        }
                    }
                    if p.rows > 1.0
                        && let Some(c) = self.b.conjunction(std::mem::take(&mut costly))
                        && let Some(n) = current.take()
                    {
                        current = Some(Node::Filter { input: Box::new(n), cond: c, once: false });
                        rows *= 0.5;
                    }
                    if kind == JoinKind::Inner && self.locks.clauses.is_empty() {
                        own_conds = self.put_off(own_conds, &mut p, left_units > 0, &mut costly);
                    }
                    let (r, c) = (p.rows, p.cost);
                    current = Some(self.join_leaf(current, i, p, own_conds, kind, &placed)?);
                    cost += c;
                    rows = (rows * r).max(0.01);
                }
                UnitKind::Drive(d) => {
                    let (r, c) = (d.rows, d.cost);
                    let node = self.drive_node(*d, own_conds, before)?;
                    current = Some(match current {
                        None => node,
                        Some(outer) => Node::NestedLoop {
                            kind,
                            outer: Box::new(outer),
                            inner: Box::new(node),
                            on: None,
                            inner_slots: u.slots.iter().copied().collect(),
                        },
                    });
                    cost += rows * c;
                    rows = (rows * r).max(0.01);
                    ordered = wanted.order.is_empty();
                }
                UnitKind::Group(t, inner, own) => {
                    u.kind = UnitKind::Leaf(usize::MAX);
                    u.outer = Some(own_conds);
                    let p = self.place_group(&u, &inner, &own, &placed, outer)?;
                    let own_conds = u.outer.take().unwrap_or_default();
                    current = Some(match current {
                        Some(outer) if p.hash => {
                            cost += p.cost;
                            rows = (rows * p.rows).max(0.01);
                            self.hash_group(outer, t, own_conds, kind, &u.slots, &placed)?
                        }
                        outer => {
                            let (node, r, c) = self.loop_group(outer, t, own_conds, kind, &u.slots, &placed)?;
                            cost += rows * c;
                            rows = (rows * r).max(0.01);
                            node
                        }
                    });
                }
            }
            if first && ordered && !special {
                share = wanted.limit.map_or(1.0, |l| (SLACK * l / estimate.max(1.0)).min(1.0));
            }
            placed.extend(u.slots.iter().copied());
            if let Some(c) = self.b.conjunction(after)
                && let Some(n) = current.take()
            {
                current = Some(Node::Filter { input: Box::new(n), cond: c, once: false });
                rows *= 0.5;
            }
            while let Some(at) = weeds.iter().position(|w| w.is_ready(&placed))
                && let Some(n) = current.take()
            {
                let w = weeds.remove(at);
                // what waits may concern the tables that end here
                let n = match self.b.conjunction(std::mem::take(&mut costly)) {
                    Some(c) => Node::Filter { input: Box::new(n), cond: c, once: false },
                    None => n,
                };
                cost += w.cost(rows);
                current = Some(w.node(n, &mut done, rows));
            }
        }
        if special {
            rows = rows.min(estimate);
        }
        let mut node = current.unwrap_or(Node::Dual);
        if let Some(c) = self.b.conjunction(costly) {
            node = Node::Filter { input: Box::new(node), cond: c, once: false };
        }
        if placed.iter().filter(|s| self.own.contains(*s)).count() == self.own.len()
            && let Some(c) = self.b.conjunction(std::mem::take(conds))
        {
            node = Node::Filter { input: Box::new(node), cond: c, once: false };
        }
        Ok(Joined { node, rows, cost, ordered })
    }

    /// Takes the costly conditions that the access path does not fulfil out of a table's (`later`), or puts them last.
    fn put_off(&self, conds: Vec<Expr>, p: &mut Placed, later: bool, costly: &mut Vec<Expr>) -> Vec<Expr> {
        if !conds.iter().any(|c| self.is_costly(c)) {
            return conds;
        }
        let old: Vec<usize> = p.choice.as_mut().map(|c| std::mem::take(&mut c.exact)).unwrap_or_default();
        let (mut kept, mut last, mut exact) = (Vec::new(), Vec::new(), Vec::new());
        for (n, c) in conds.into_iter().enumerate() {
            if old.contains(&n) {
                exact.push(kept.len());
                kept.push(c);
            } else if self.is_costly(&c) {
                last.push(c);
            } else {
                kept.push(c);
            }
        }
        if let Some(c) = &mut p.choice {
            c.exact = exact;
        }
        if later {
            costly.extend(last)
        } else {
            kept.extend(last)
        }
        kept
    }

    /// Joins a leaf to what is there.
    fn join_leaf(
        &mut self,
        outer: Option<Node>,
        i: usize,
        p: Placed,
        conds: Vec<Expr>,
        kind: JoinKind,
        placed: &HashSet<SlotId>,
    ) -> SqlResult<Node> {
        let Some(leaf) = self.leaves.get_mut(i).and_then(Option::take) else { return Ok(Node::Empty) };
        let slot = leaf.slot;
        let hash = p.hash && outer.is_some();
        let (mut keys, mut on, mut filter) = (Vec::new(), Vec::new(), Vec::new());
        let exact: HashSet<usize> = p
            .choice
            .iter()
            .filter(|_| !hash || p.choice.as_ref().is_some_and(|c| !c.dependent))
            .flat_map(|c| c.exact.iter().copied())
            .collect();
        let base = matches!(leaf.kind, LeafKind::Base { .. });
        let alone = HashSet::from([slot]);
        for (n, c) in conds.into_iter().enumerate() {
            if base && exact.contains(&n) {
                continue;
            }
            let s = self.b.expr_slots(&c);
            let others = s.iter().any(|x| placed.contains(x));
            if hash && let Some(k) = self.hash_key(&c, &alone, placed) {
                keys.push(k);
                continue;
            }
            if hash && others {
                on.push(c);
            } else {
                filter.push(c);
            }
        }
        let inner = self.leaf_node(leaf, p, filter, placed)?;
        let Some(outer) = outer else { return Ok(inner) };
        let on = self.b.conjunction(on);
        Ok(if hash {
            Node::HashJoin { kind, outer: Box::new(outer), inner: Box::new(inner), keys, on, inner_slots: vec![slot] }
        } else {
            Node::NestedLoop { kind, outer: Box::new(outer), inner: Box::new(inner), on, inner_slots: vec![slot] }
        })
    }

    fn leaf_node(&mut self, leaf: Leaf, p: Placed, filter: Vec<Expr>, placed: &HashSet<SlotId>) -> SqlResult<Node> {
        let (lock, wait) = self.locks.of(leaf.slot);
        let selectivity = match &p.choice {
            Some(c) => self.unused(&leaf, c, filter.iter()).min(1.0),
            None => filter.iter().map(|c| self.selectivity(c, &leaf)).product::<f64>().clamp(1e-4, 1.0),
        };
        let mut hints = Vec::new();
        if matches!(leaf.kind, LeafKind::Virtual(_)) {
            for c in &filter {
                let known = |e: &Expr| self.b.expr_slots(e).iter().all(|x| placed.contains(x) || !self.own.contains(x));
                if let Some(s) = super::sarg::sarg(c, leaf.slot, &known)
                    && let super::sarg::Test::Eq { value, null_safe: false } = s.test
                {
                    hints.push((s.column, value));
                }
            }
        }
        let (pushed, filter, icp) = self.index_condition(&leaf, &p, filter, lock != LockMode::None);
        let pushed = self.b.conjunction(pushed);
        let filter = self.b.conjunction(filter);
        Ok(match leaf.kind {
            LeafKind::Base { table, .. } => {
                let Some(c) = p.choice else { return Ok(Node::Empty) };
                let columns = self.needed.get(&leaf.slot).map(|s| s.iter().copied().collect()).unwrap_or_default();
                let mut access = c.access;
                let b = &mut *self.b;
                crate::visit::access_exprs_mut(&mut access, &mut |e| b.hoist(e));
                if matches!(access, crate::plan::Access::Full) && !c.covering {
                    self.b.st.notes.no_index_used = true;
                }
                if let Some(t) = self.b.st.tables.get_mut(table as usize) {
                    t.locking |= lock != LockMode::None;
                }
                Node::Scan(Box::new(Scan {
                    slot: leaf.slot,
                    table,
                    index: c.index as u16,
                    access,
                    dependent: c.dependent,
                    covering: c.covering,
                    reverse: c.ordered.unwrap_or(false),
                    columns,
                    filter,
                    pushed,
                    icp,
                    lock,
                    wait,
                    alias: leaf.alias.into(),
                    rows: c.rows,
                    cost: c.cost,
                    selectivity,
                    possible: p.possible,
                    ordered: c.ordered.is_some(),
                    loose: c.loose,
                }))
            }
            LeafKind::Virtual(table) => {
                Node::Virtual { slot: leaf.slot, table, hints, filter, alias: leaf.alias.into() }
            }
            LeafKind::Derived { query, lateral, correlated, shared, inside, .. } => match query {
                Some(query) => {
                    let keep = match (lateral, correlated) {
                        (true, _) => Keep::Never,
                        (false, true) => Keep::Subquery,
                        (false, false) => Keep::Statement,
                    };
                    Node::Derived { slot: leaf.slot, query, filter, keep, shared, inside, alias: leaf.alias.into() }
                }
                None => Node::Empty,
            },
        })
    }
}
