//! The operators of a join order: units become nested loops, hash joins and filters, each condition where its last table is.
//!
//! The order and what each unit costs in it come from [`super::joins`] and [`super::join_cost`].

use base::SqlResult;
use hashbrown::HashSet;

use super::joins::{Placed, Planner, SLACK, Unit, UnitKind};
use super::memo::Outer;
use super::strategy::Arranged;
use crate::block::{Joined, Wanted};
use crate::block::{Leaf, LeafKind};
use crate::expr::{Expr, ExprKind, SlotId};
use crate::func::FuncId;
use crate::plan::{JoinKind, Keep, LockMode, Node, Scan};

impl Planner<'_> {
    pub(super) fn build(
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
                let s = self.cx.draft.expr_slots(&c);
                let ready = s.iter().all(|x| u.slots.contains(x) || placed.contains(x) || !self.own.contains(x));
                // `WHERE RAND() < 0.5` is asked for each row of the whole join, as in MySQL
                // ... but a key of a hash join that stored functions make is made once for each row of a table
                let random = units.len() > 1
                    && self.is_random(&c)
                    && !(left_units == 0 && is_made_by_programs(&c) && self.hash_key(&c, &u.slots, &placed).is_some());
                if !ready || random && left_units > 0 {
                    left.push(c);
                } else if random || u.outer.is_some() {
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
                        && let Some(c) = self.cx.draft.conjunction(std::mem::take(&mut costly))
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
            if let Some(c) = self.cx.draft.conjunction(after)
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
                let n = match self.cx.draft.conjunction(std::mem::take(&mut costly)) {
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
        if let Some(c) = self.cx.draft.conjunction(costly) {
            node = Node::Filter { input: Box::new(node), cond: c, once: false };
        }
        if placed.iter().filter(|s| self.own.contains(*s)).count() == self.own.len()
            && let Some(c) = self.cx.draft.conjunction(std::mem::take(conds))
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
            let s = self.cx.draft.expr_slots(&c);
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
        let on = self.cx.draft.conjunction(on);
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
                let known =
                    |e: &Expr| self.cx.draft.expr_slots(e).iter().all(|x| placed.contains(x) || !self.own.contains(x));
                if let Some(s) = super::sarg::sarg(c, leaf.slot, &known)
                    && let super::sarg::Test::Eq { value, null_safe: false } = s.test
                {
                    hints.push((s.column, value));
                }
            }
        }
        let (pushed, filter, icp) = self.index_condition(&leaf, &p, filter, lock != LockMode::None);
        let pushed = self.cx.draft.conjunction(pushed);
        let filter = self.cx.draft.conjunction(filter);
        Ok(match leaf.kind {
            LeafKind::Base { table, .. } => {
                let Some(c) = p.choice else { return Ok(Node::Empty) };
                let columns = self.needed.get(&leaf.slot).map(|s| s.iter().copied().collect()).unwrap_or_default();
                let mut access = c.access;
                let draft = &mut *self.cx.draft;
                crate::visit::access_exprs_mut(&mut access, &mut |e| draft.hoist(e));
                if matches!(access, crate::plan::Access::Full) && !c.covering {
                    self.cx.draft.notes.no_index_used = true;
                }
                if let Some(t) = self.cx.draft.tables.get_mut(table as usize) {
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
                let columns = self.needed.get(&leaf.slot).map(|s| s.iter().copied().collect()).unwrap_or_default();
                Node::Virtual { slot: leaf.slot, table, hints, columns, filter, alias: leaf.alias.into() }
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

/// Whether stored functions are all that may give another value each time.
fn is_made_by_programs(e: &Expr) -> bool {
    !e.any(&mut |x| match &x.kind {
        ExprKind::Call(FuncId::Stored(_), _) => false,
        ExprKind::Call(f, _) => f.is_volatile(),
        ExprKind::Subquery(..) => true,
        _ => false,
    })
}
