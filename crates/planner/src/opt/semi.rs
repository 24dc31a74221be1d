//! Semijoins and antijoins: subqueries of WHERE that became parts of the join tree ([`crate::block::JoinTree::Semi`]).
//!
//! Strategies as a unit of the join order, chosen by cost like those of other inner sides:
//! * *first match*: the tables of the subquery are read for each row outside, through indexes where there are any, up to the first match;
//! * *hash*: they are read once into a hash table, and rows outside look their key up (MySQL's materialization with lookup).
//!
//! A row outside appears at most once in either, so no duplicates have to be removed afterwards. The strategies that bring the subquery's
//! tables first, and the choice among all: [`super::strategy`].

use hashbrown::HashSet;

use base::SqlResult;

use super::joins::{Placed, Planner, Unit, UnitKind};
use super::memo::{GroupKey, Hash, Memo, Outer, Sum};
use crate::block::JoinTree;
use crate::block::Wanted;
use crate::expr::{Expr, SlotId};
use crate::plan::{JoinKind, Node};

/// Rows that come out for one row outside, where `matches` rows inside match it.
pub(super) fn rows(kind: JoinKind, matches: f64) -> f64 {
    let share = (matches * 0.6).clamp(0.1, 0.6);
    match kind {
        JoinKind::Inner => matches,
        JoinKind::Left => matches.max(1.0),
        JoinKind::Semi => share,
        JoinKind::Anti => 1.0 - share,
    }
}

/// No particular order.
pub(super) const ANY: Wanted = Wanted { order: Vec::new(), grouping: false, limit: None, loose: None, end: false };

/// Every condition in a join tree.
pub(super) fn conditions<'t>(t: &'t JoinTree, out: &mut Vec<&'t Expr>) {
    match t {
        JoinTree::Leaf(_) => {}
        JoinTree::Inner { parts, conds, .. } => {
            out.extend(conds);
            parts.iter().for_each(|p| conditions(p, out));
        }
        JoinTree::Left { left, right, conds } => {
            out.extend(conds);
            conditions(left, out);
            conditions(right, out);
        }
        JoinTree::Semi { right, conds, .. } => {
            out.extend(conds);
            conditions(right, out);
        }
    }
}

impl Planner<'_> {
    /// The inner side of a LEFT JOIN or semijoin.
    pub(super) fn unit_kind(&self, t: JoinTree) -> UnitKind {
        if let JoinTree::Leaf(i) = t {
            return UnitKind::Leaf(i);
        }
        let (mut units, mut conds, mut straight) = (Vec::new(), Vec::new(), false);
        self.flatten(t.clone(), &mut units, &mut conds, &mut straight);
        UnitKind::Group(t, units, conds)
    }

    /// A semijoin as a unit of the join order: it comes after the tables that its conditions name.
    pub(super) fn semi_unit(&self, right: JoinTree, on: Vec<Expr>, anti: bool) -> Unit {
        let (mut right, mut on) = (right, on);
        while let JoinTree::Inner { mut parts, conds, straight } = right {
            if parts.len() == 1
                && let Some(p) = parts.pop()
            {
                on.extend(conds);
                right = p;
            } else {
                right = JoinTree::Inner { parts, conds, straight };
                break;
            }
        }
        let slots = self.slots_of(&right);
        let mut all: Vec<&Expr> = on.iter().collect();
        conditions(&right, &mut all);
        let deps = all
            .into_iter()
            .flat_map(|c| self.cx.draft.expr_slots(c))
            .filter(|s| self.own.contains(s) && !slots.contains(s))
            .collect();
        let join = if anti { JoinKind::Anti } else { JoinKind::Semi };
        Unit { outer: Some(on), ..Unit::new(self.unit_kind(right), join, slots, deps) }
    }

    /// Whether it reads tables of the block that are not inside.
    fn outside(&self, e: &Expr, inside: &HashSet<SlotId>) -> bool {
        self.cx.draft.expr_slots(e).iter().any(|s| self.own.contains(s) && !inside.contains(s))
    }

    /// Cost of a unit of several tables beside `placed` ones that yield the rows outside.
    pub(super) fn place_group(
        &self,
        u: &Unit,
        inner: &[Unit],
        own: &[Expr],
        placed: &HashSet<SlotId>,
        outer: Outer,
    ) -> SqlResult<Placed> {
        let outer_rows = outer.rows;
        let on = u.outer.as_deref().unwrap_or(&[]);
        let all = || -> Vec<Expr> { own.iter().chain(on).cloned().collect() };
        let look = Memo::group_key(&u.slots, &u.deps, placed, false);
        let (matches, each) = match self.memo.group(&look) {
            Some(known) => known,
            None if self.effort.is_spent() => {
                // a guess: as if each table were looked up by key
                let cost = outer_rows * 10.0 * inner.len() as f64;
                return Ok(Placed { rows: rows(u.join, 1.0), cost, ..Placed::default() });
            }
            None => self.order_of_group(inner, &all(), placed, look)?,
        };
        let mut p = Placed { rows: rows(u.join, matches), cost: outer_rows * each, ..Placed::default() };
        let semi = matches!(u.join, JoinKind::Semi | JoinKind::Anti);
        // what is inside the inner units must not need the rows outside
        let told = |f: &dyn Fn(&crate::block::hints::TableHints) -> bool| {
            u.slots.iter().any(|s| self.cx.draft.table_hints.get(s).is_some_and(f))
        };
        if semi
            && self.hash_allowed()
            && !u.told().no_hash
            && !told(&|t| t.no_hash)
            && outer_rows > 1.5
            && inner.iter().all(|i| i.deps.is_subset(&u.slots))
            && own.iter().chain(on).any(|c| self.hash_key(c, &u.slots, placed).is_some())
        {
            let key = Memo::group_key(&u.slots, &u.deps, placed, true);
            let (built, cost) = match self.memo.group(&key) {
                Some(known) => known,
                None => {
                    let inside: Vec<Expr> = all().into_iter().filter(|c| !self.outside(c, &u.slots)).collect();
                    self.order_of_group(inner, &inside, &HashSet::new(), key)?
                }
            };
            let hash = Hash { built: cost + built * 0.05, look: 0.12 };
            if u.told().hash || hash.is_better(each, outer, 1.0) {
                p.cost = hash.cost(outer_rows);
                p.hash = true;
            }
        }
        Ok(p)
    }

    /// Rows and cost of the best order of a group's tables, kept unless there was no time to look for it.
    fn order_of_group(
        &self,
        inner: &[Unit],
        conds: &[Expr],
        placed: &HashSet<SlotId>,
        key: GroupKey,
    ) -> SqlResult<Sum> {
        let (_, rows, cost) = self.order(inner, conds, &ANY, false, placed)?;
        if !self.effort.is_spent() {
            self.memo.keep_group(key, (rows, cost));
        }
        Ok((rows, cost))
    }

    /// Several tables as the inner side of a nested loop, with their rows and cost for one row outside.
    pub(super) fn loop_group(
        &mut self,
        outer: Option<Node>,
        t: JoinTree,
        conds: Vec<Expr>,
        kind: JoinKind,
        slots: &HashSet<SlotId>,
        placed: &HashSet<SlotId>,
    ) -> SqlResult<(Node, f64, f64)> {
        // conditions that name only the group (and what is placed) can be used inside an outer join's group
        let inside = |c: &Expr| {
            let s = self.cx.draft.expr_slots(c);
            s.iter().all(|x| slots.contains(x) || placed.contains(x) || !self.own.contains(x))
        };
        let (mut inside, mut on): (Vec<Expr>, Vec<Expr>) = conds.into_iter().partition(inside);
        let j = self.plan(t, &mut inside, &ANY, false, placed)?;
        on.extend(inside);
        let on = self.cx.draft.conjunction(on);
        let node = match outer {
            None => match on {
                Some(cond) => Node::Filter { input: Box::new(j.node), cond, once: false },
                None => j.node,
            },
            Some(outer) => Node::NestedLoop {
                kind,
                outer: Box::new(outer),
                inner: Box::new(j.node),
                on,
                inner_slots: slots.iter().copied().collect(),
            },
        };
        Ok((node, rows(kind, j.rows), j.cost))
    }

    /// A semijoin of several tables by hash.
    pub(super) fn hash_group(
        &mut self,
        outer: Node,
        t: JoinTree,
        conds: Vec<Expr>,
        kind: JoinKind,
        slots: &HashSet<SlotId>,
        placed: &HashSet<SlotId>,
    ) -> SqlResult<Node> {
        // conditions that cannot be used inside come back
        let mut left = conds;
        let inner = self.plan(t, &mut left, &ANY, false, &HashSet::new())?.node;
        let (mut keys, mut on) = (Vec::new(), Vec::new());
        for c in left {
            match self.hash_key(&c, slots, placed) {
                Some(k) => keys.push(k),
                None => on.push(c),
            }
        }
        let on = self.cx.draft.conjunction(on);
        let mut inner_slots: Vec<SlotId> = slots.iter().copied().collect();
        inner_slots.sort_unstable();
        Ok(Node::HashJoin { kind, outer: Box::new(outer), inner: Box::new(inner), keys, on, inner_slots })
    }
}
