//! What it costs to put a unit of a join next to the tables that are there: the access path of a base table, a hash table, a derived
//! table. Asked by the search for an order ([`super::joins`], [`super::search`]), which remembers the answers ([`super::memo`]), and
//! again by [`super::build`] for the order that was chosen.

use std::collections::BTreeSet;

use base::SqlResult;
use hashbrown::HashSet;
use value::compare::ComparisonKind;

use super::access::{self, Choice, Question};
use super::joins::{Placed, Planner, Told, Unit, UnitKind};
use super::memo::{Cond, Estimate, Outer};
use super::sarg;
use crate::block::Wanted;
use crate::block::{Leaf, LeafKind};
use crate::expr::{CmpOp, Expr, ExprKind, SlotId};
use crate::plan::{JoinKind, LockMode};
use crate::resolve::VirtualTable;

/// Rows of a computed table of what may be many, of one of few, and of those about one table; cost of making these.
const MANY: f64 = 4000.0;
const FEW: f64 = 20.0;
const PER_NAME: f64 = 5.0;
const LOOKUP: f64 = 10.0;

/// The access paths of a table.
struct Weighed {
    choice: Choice,
    possible: Vec<u16>,
    rows: f64,
    /// For a hash table, and the rows that are kept there.
    built: Option<(Choice, f64)>,
    /// All that were weighed, while the statement is traced.
    considered: Vec<Choice>,
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

impl Planner<'_> {
    /// Cost of putting a unit next to `placed` tables that yield `outer_rows` rows.
    pub(super) fn place(
        &self,
        u: &Unit,
        conds: &[Cond<'_>],
        placed: &HashSet<SlotId>,
        wanted: Option<&Wanted>,
        outer_rows: f64,
    ) -> SqlResult<Placed> {
        self.cx.draft.check_interrupt()?;
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
        if wanted.is_none() && known && !crate::trace::on() {
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
    pub(super) fn numbered<'c>(&self, conds: &'c [Expr]) -> Vec<Cond<'c>> {
        conds.iter().map(|c| self.memo.cond(c, self.cx.draft.expr_slots(c))).collect()
    }

    pub(super) fn place_leaf(
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
                let Weighed { choice, possible, rows, built, .. } = w;
                match (e.hash_cost(outer, semi.hash), built) {
                    (Some(cost), Some((built, _))) => Placed { choice: Some(built), possible, rows, cost, hash: true },
                    _ => Placed { choice: Some(choice), possible, rows, cost: outer_rows * e.cost, hash: false },
                }
            }
            LeafKind::Virtual(table) => {
                let known =
                    |e: &Expr| self.cx.draft.expr_slots(e).iter().all(|x| placed.contains(x) || !self.own.contains(x));
                let found = |table: &dyn VirtualTable| {
                    let by = |c: &&&Expr| {
                        sarg::sarg(c, leaf.slot, &known)
                            .is_some_and(|s| matches!(s.test, sarg::Test::Eq { .. }) && table.finds(s.column))
                    };
                    list.iter().find(by).map(|c| self.cx.draft.expr_slots(c).iter().any(|x| placed.contains(x)))
                };
                let looked_up = found(table.as_ref());
                // what schemas with many tables have; a rule for few would be wrong for many, where it matters
                let total = if (0..table.def().columns.len()).any(|c| table.finds(c as u16)) { MANY } else { FEW };
                let here = if looked_up.is_some() { PER_NAME } else { total };
                let built = total + outer_rows * 0.1;
                let (cost, hash) = match looked_up {
                    _ if outer_rows <= 1.5 => (here, false),
                    // the same name for all rows outside: made once
                    Some(false) => (here + outer_rows * PER_NAME * 0.1, equi && hashable),
                    Some(true) if equi && hashable && built < outer_rows * LOOKUP => (built, true),
                    Some(true) => (outer_rows * LOOKUP, false),
                    None if equi && hashable => (built, true),
                    None => (total + outer_rows * total * 0.1, false),
                };
                Placed { choice: None, possible: vec![], rows: (here * all()).max(0.01), cost, hash }
            }
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

    /// Rows of the table other than `slot` that this is a column of, if its values differ in all of them.
    fn unique_rows(&self, e: &Expr, slot: SlotId) -> Option<f64> {
        let ExprKind::Column { slot: of, column } = e.kind else { return None };
        let unique = |x: &storage::dict::IndexDef| {
            x.unique() && matches!(x.parts.as_slice(), [p] if p.column == column && p.prefix == 0)
        };
        let def = self.defs.get(&of).filter(|_| of != slot)?;
        def.indexes.iter().any(unique).then(|| self.stats.get(&of).map(|s| s.rows))?
    }

    /// Whether a table may be read into a hash table.
    pub(super) fn hashable(&self, leaf: &Leaf, semi: Told) -> bool {
        let told = self.cx.draft.table_hints.get(&leaf.slot);
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
        let told = self.cx.draft.table_hints.get(&leaf.slot);
        let own = &self.own;
        let slots = |e: &Expr| self.cx.draft.expr_slots(e);
        let known = |e: &Expr| {
            let s = slots(e);
            let ready = s.iter().all(|x| placed.contains(x) || !own.contains(x));
            ready
                && !e.any(&mut |x| match &x.kind {
                    ExprKind::Call(f, _) => !f.is_deterministic(),
                    ExprKind::AssignUserVar(..) => true,
                    ExprKind::Subquery(id, _) => self.cx.draft.subs.get(*id as usize).is_some_and(|s| s.volatile),
                    _ => false,
                })
        };
        let foreign = |e: &Expr| slots(e).iter().any(|x| placed.contains(x));
        let empty = BTreeSet::new();
        let considered = std::cell::RefCell::default();
        let q = Question {
            told: crate::trace::on().then_some(&considered),
            def,
            slot: leaf.slot,
            stats,
            conds: list,
            known: &known,
            foreign: &foreign,
            unique: &|e: &Expr| self.unique_rows(e, leaf.slot),
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
            locks: self.lock_of(leaf) != LockMode::None || self.cx.draft.locks_reads,
            table: *table,
            dives: &self.cx.draft.dives,
            joined: self.own.len() > 1,
            invisible: self.cx.switch & (1 << 19) != 0,
            no_skip: told.and_then(|t| t.no_skip.as_deref()),
            skip: self.cx.switch & (1 << 20) != 0,
            no_range: told.and_then(|t| t.no_range.as_deref()),
        };
        let (choice, possible) = access::best(&q);
        let considered = super::traced::distinct(considered.take(), &choice);
        super::traced::weighed(&q, &considered, &choice);
        let rows = (choice.rows * self.rest(leaf, &choice, list)).max(1e-3);
        let alone = HashSet::from([leaf.slot]);
        let mut built = None;
        // a hash table would lock every row where an index finds those that are joined
        let looked_up = q.locking && choice.dependent && access::is_ref(&choice.access);
        if !looked_up && self.hashable(leaf, semi) && list.iter().any(|c| self.hash_key(c, &alone, placed).is_some()) {
            // the same without what the other tables say: into a hash table
            let alone = |e: &Expr| known(e) && !foreign(e);
            let choice = if choice.dependent {
                access::best(&Question { known: &alone, told: None, ..q }).0
            } else {
                choice.clone()
            };
            let own: Vec<&Expr> = list.iter().copied().filter(|c| !foreign(c)).collect();
            let share: f64 = own.iter().map(|c| self.selectivity(c, leaf)).product();
            let kept = (choice.rows * share.max(1e-4)).max(1.0);
            built = Some((choice, kept)).filter(|b| !b.0.dependent);
        }
        Some(Weighed { choice, possible, rows, built, considered })
    }

    /// The ways to read a table alone, for the trace.
    pub(super) fn told_options(&self, i: usize, conds: &[&Expr]) -> Vec<Choice> {
        self.weigh(i, conds, &HashSet::new(), None, Told::default()).map_or(Vec::new(), |w| w.considered)
    }

    /// `block_nested_loop` of optimizer_switch allows hash joins (manual, "Hash Join Optimization").
    pub(super) fn hash_allowed(&self) -> bool {
        self.cx.switch & (1 << 8) != 0
    }

    /// Which index merges are allowed (bits 1..=3 of optimizer_switch), if any. Row locks: an intersection would lock what either index finds,
    /// one index alone locks less.
    pub(super) fn merging(&self, leaf: &Leaf) -> u64 {
        let switch = self.cx.switch;
        let told = self.cx.draft.table_hints.get(&leaf.slot).and_then(|t| t.merge);
        let possible = if self.lock_of(leaf) == LockMode::None { 0b1110 } else { 0b0110 };
        match told {
            Some(true) => possible,
            None if switch & 1 != 0 => switch & possible,
            _ => 0,
        }
    }

    pub(super) fn lock_of(&self, l: &Leaf) -> LockMode {
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
        let (sa, sb) = (self.cx.draft.expr_slots(a), self.cx.draft.expr_slots(b));
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
}
