//! Functional dependencies, for ONLY_FULL_GROUP_BY (MySQL manual, "MySQL Handling of GROUP BY" and "Functional Dependencies Derived from ...").
//!
//! `a = b` in WHERE or in the ON of an inner join determines `b` where `a` is determined, and the other way round. In the ON of an outer
//! join it determines the columns of the inner side only, and only where all columns of the outer side that the ON names are
//! determined: otherwise some rows of a group could find a partner and others not. Inside an outer join that is itself on an inner side constants
//! determine nothing, because rows without a partner have NULL there. A unique key determines its table where none of its columns can be NULL
//! or a condition rejects NULL.
//!
//! A derived table with rows of its own keeps what its block knows ([`Within`]): which of its columns determine which follows from that block's equalities,
//! keys and GROUP BY, as MySQL has it, once one of them is determined. Tested: golden `group_join`, `group_derived`.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use storage::dict::TableDef;

use super::Binder;
use super::window::Over;
use crate::block::predicates::{rejects_null, strict_on};
use crate::block::within::{ColumnId, Fact, Kind, Sources, Table, Within};
use crate::block::{JoinTree, Leaf, LeafKind};
use crate::expr::{CmpOp, Expr, ExprKind, SlotId};

/// The clauses of a block that say what its rows are.
pub(super) struct Grouped<'g> {
    pub(super) items: &'g [Expr],
    pub(super) over: &'g Over<'g>,
    pub(super) group: &'g [Expr],
    pub(super) aggregated: bool,
}

impl Sources {
    /// What the equality says about those columns that `about` accepts; `extra` must be determined too.
    fn equality(&mut self, c: &Expr, about: &dyn Fn(SlotId) -> bool, constants: bool, extra: &[ColumnId]) {
        let pairs: Vec<(&Expr, &Expr)> = match &c.kind {
            ExprKind::Compare { op: CmpOp::Eq, args, .. } => {
                let [a, b] = args.as_ref();
                vec![(a, b)]
            }
            ExprKind::CompareRow { op: CmpOp::Eq, left, right, .. } => left.iter().zip(right.iter()).collect(),
            _ => Vec::new(),
        };
        for (x, y) in pairs.iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            let ExprKind::Column { slot, column } = x.kind else { continue };
            let mut from = extra.to_vec();
            match y.kind {
                ExprKind::Column { slot, column } => from.push((slot, column)),
                _ if constants && y.is_const() => {}
                _ => continue,
            }
            if about(slot) {
                self.facts.push(Fact { column: (slot, column), from });
            }
        }
        self.rejecting(c, about);
    }

    /// Notes the columns that have no NULL where a condition is true.
    fn rejecting(&mut self, c: &Expr, about: &dyn Fn(SlotId) -> bool) {
        let operands: Vec<&Expr> = match &c.kind {
            ExprKind::Compare { op, args, .. } if *op != CmpOp::NullSafeEq => args.iter().collect(),
            ExprKind::CompareRow { op: CmpOp::Eq, left, right, .. } => left.iter().chain(right.iter()).collect(),
            ExprKind::Between { args, .. } => args.iter().take(1).collect(),
            ExprKind::InList { left, .. } => left.iter().collect(),
            ExprKind::Like { args, .. } => args.iter().collect(),
            ExprKind::IsNull(x, true) => vec![x],
            ExprKind::Not(x) => {
                return if matches!(x.kind, ExprKind::Compare { .. }) {
                    self.rejecting(x, about)
                };
            }
            _ => return,
        };
        for x in operands {
            if let ExprKind::Column { slot, column } = x.kind
                && about(slot)
            {
                self.not_null.insert((slot, column));
            }
        }
    }

    /// What the joins say. `above`: the conditions that the rows fulfil; `always`: not inside the inner side of an outer join.
    fn joins(&mut self, tree: &JoinTree, leaves: &[Leaf], above: &[Expr], always: bool) {
        match tree {
            JoinTree::Leaf(_) | JoinTree::Semi { .. } => {}
            JoinTree::Inner { parts, conds, .. } => {
                conds.iter().for_each(|c| self.equality(c, &|_| true, always, &[]));
                let all: Vec<Expr> = above.iter().chain(conds).cloned().collect();
                parts.iter().for_each(|p| self.joins(p, leaves, &all, always));
            }
            JoinTree::Left { left, right, conds } => {
                let mut inner = Vec::new();
                right.leaves(&mut inner);
                let inner: HashSet<_> = inner.into_iter().filter_map(|i| leaves.get(i)).map(|l| l.slot).collect();
                self.joins(left, leaves, above, always);
                let mut on: Vec<&Expr> = conds.iter().collect();
                if above.iter().any(|c| rejects_null(c, &inner)) {
                    // no row without a partner passes
                    conds.iter().for_each(|c| self.equality(c, &|_| true, always, &[]));
                    let all: Vec<Expr> = above.iter().chain(conds).cloned().collect();
                    self.joins(right, leaves, &all, always);
                    for t in self.tables.iter_mut().filter(|t| always && inner.contains(&t.slot)) {
                        t.nullable = false;
                    }
                    return;
                }
                inner_conditions(right, &mut on);
                let mut outer = Vec::new();
                let mut plain = true;
                for c in &on {
                    c.walk(&mut |e| match &e.kind {
                        ExprKind::Column { slot, column } if !inner.contains(slot) => outer.push((*slot, *column)),
                        ExprKind::Subquery(..) => plain = false,
                        _ => {}
                    });
                }
                if plain {
                    on.iter().for_each(|c| self.equality(c, &|slot| inner.contains(&slot), always, &outer));
                }
                let below: Vec<Expr> = on.iter().map(|c| (*c).clone()).collect();
                self.joins(right, leaves, &below, false);
            }
        }
    }

    /// Adds what follows from the columns that are known.
    pub(super) fn close(&self, known: &mut HashSet<ColumnId>) {
        self.close_with(known, false);
    }

    /// `padded`: there are rows with NULL everywhere, which constants say nothing about.
    fn close_with(&self, known: &mut HashSet<ColumnId>, padded: bool) {
        loop {
            let before = known.len();
            for f in self.facts.iter().filter(|f| !padded || !f.from.is_empty()) {
                if f.from.iter().all(|c| known.contains(c)) {
                    known.insert(f.column);
                }
            }
            for t in &self.tables {
                match &t.kind {
                    Kind::Base(def, generated) => self.of_keys(t, def, generated, known),
                    Kind::Derived(w) => {
                        let given: Vec<bool> =
                            (0..w.items.len()).map(|i| known.contains(&(t.slot, i as u16))).collect();
                        for (i, determined) in w.determined(&given, t.nullable || padded).into_iter().enumerate() {
                            if determined {
                                known.insert((t.slot, i as u16));
                            }
                        }
                    }
                    Kind::Virtual(v) => {
                        if v.unique().iter().any(|c| known.contains(&(t.slot, *c))) {
                            known.extend((0..v.def().columns.len()).map(|i| (t.slot, i as u16)));
                        }
                    }
                    Kind::Other => {}
                }
            }
            if known.len() == before {
                return;
            }
        }
    }

    /// Unique keys and generated columns of a base table.
    fn of_keys(&self, t: &Table, def: &TableDef, generated: &[(u16, Expr)], known: &mut HashSet<ColumnId>) {
        let determined = def.indexes.iter().any(|i| {
            let part = |p: &storage::dict::IndexPart| {
                let id = (t.slot, p.column);
                let never_null = def.columns.get(p.column as usize).is_some_and(|c| !c.ty.nullable);
                p.prefix == 0 && known.contains(&id) && (never_null || self.not_null.contains(&id))
            };
            i.unique() && !i.parts.is_empty() && i.parts.iter().all(part)
        });
        if determined {
            known.extend((0..def.columns.len()).map(|i| (t.slot, i as u16)));
        }
        for (column, e) in generated {
            let mut all = true;
            e.walk(&mut |x| {
                if let ExprKind::Column { slot, column } = x.kind {
                    all &= known.contains(&(slot, column));
                }
            });
            if all && !t.nullable {
                known.insert((t.slot, *column));
            }
        }
    }
}

impl Within {
    /// Which columns are determined where those `given` are. `padded`: some rows are NULL in all of them.
    fn determined(&self, given: &[bool], padded: bool) -> Vec<bool> {
        let mut out = given.to_vec();
        if !given.contains(&true) {
            return out;
        }
        let mut known = HashSet::new();
        let mut whole: Vec<&Expr> = Vec::new();
        for (e, _) in self.items.iter().zip(given).filter(|(_, given)| **given) {
            match e.kind {
                ExprKind::Column { slot, column } => {
                    known.insert((slot, column));
                }
                _ => whole.push(e),
            }
        }
        self.sources.close_with(&mut known, padded);
        let grouped = self.aggregated
            && !padded
            && self.group.iter().all(|g| whole.iter().any(|k| k.same(g)) || self.known(g, &known));
        let slots: HashSet<SlotId> = self.sources.tables.iter().map(|t| t.slot).collect();
        for (e, out) in self.items.iter().zip(&mut out) {
            let plain = matches!(e.kind, ExprKind::Column { .. }) || !padded || strict_on(e, &slots);
            *out |= grouped || plain && self.known(e, &known);
        }
        out
    }

    /// Whether the value of an expression follows from these columns.
    fn known(&self, e: &Expr, known: &HashSet<ColumnId>) -> bool {
        let own = |slot: SlotId| self.sources.tables.iter().any(|t| t.slot == slot);
        let mut all = true;
        e.walk(&mut |x| match &x.kind {
            ExprKind::Column { slot, column } => all &= !own(*slot) || known.contains(&(*slot, *column)),
            ExprKind::Call(f, _) => all &= f.is_deterministic(),
            ExprKind::Win(n) => {
                all &= self.arguments.get(*n as usize).is_some_and(|a| a.iter().all(|x| self.known(x, known)));
            }
            ExprKind::Subquery(id, _) => {
                all &= self.below.get(id).is_none_or(|refs| refs.iter().all(|c| known.contains(c)));
            }
            ExprKind::Agg { .. } | ExprKind::AssignUserVar(..) | ExprKind::DefaultValue => all = false,
            _ => {}
        });
        all
    }
}

impl Binder<'_, '_> {
    /// What the conditions and tables of the innermost block say about its columns.
    pub(super) fn sources(&mut self, conds: &[Expr], leaves: &[Leaf], tree: Option<&JoinTree>) -> Sources {
        let mut out = Sources::default();
        for l in leaves {
            let kind = match &l.kind {
                LeafKind::Base { def, .. } => {
                    let plain = def.columns.iter().all(|c| c.generated.is_none());
                    let generated = if plain { Vec::new() } else { self.generated_exprs(def, l.slot) };
                    Kind::Base(def.clone(), generated)
                }
                LeafKind::Derived { within: Some(w), .. } => Kind::Derived(w.clone()),
                LeafKind::Virtual(v) => Kind::Virtual(v.clone()),
                _ => Kind::Other,
            };
            out.tables.push(Table { slot: l.slot, nullable: false, kind });
        }
        if let Some(t) = tree {
            inner_sides(t, leaves, false, &mut out.tables);
        }
        conds.iter().for_each(|c| out.equality(c, &|_| true, true, &[]));
        if let Some(t) = tree {
            out.joins(t, leaves, conds, true);
        }
        out
    }

    /// What a block in FROM knows about its select list.
    pub(super) fn within(
        &mut self,
        g: &Grouped<'_>,
        conds: &[Expr],
        leaves: &[Leaf],
        tree: Option<&JoinTree>,
    ) -> Rc<Within> {
        let sources = self.sources(conds, leaves, tree);
        let own = |slot: SlotId| sources.tables.iter().any(|t| t.slot == slot);
        let mut below = HashMap::new();
        for e in g.items.iter().chain(g.group) {
            e.walk(&mut |x| {
                if let ExprKind::Subquery(id, _) = x.kind
                    && let Some(s) = self.draft.subs.get(id as usize)
                {
                    below.insert(id, s.refs.iter().copied().filter(|r| own(r.0)).collect());
                }
            });
        }
        let arguments = g.over.calls.iter().map(|c| c.args.to_vec()).collect();
        let (items, group) = (g.items.to_vec(), g.group.to_vec());
        Rc::new(Within { sources, items, arguments, group, aggregated: g.aggregated, below })
    }
}

/// Conditions of inner joins that are the inner side of an outer one.
fn inner_conditions<'t>(t: &'t JoinTree, out: &mut Vec<&'t Expr>) {
    if let JoinTree::Inner { parts, conds, .. } = t {
        out.extend(conds);
        parts.iter().for_each(|p| inner_conditions(p, out));
    }
}

/// Marks the tables on inner sides of outer joins.
fn inner_sides(t: &JoinTree, leaves: &[Leaf], inside: bool, out: &mut [Table]) {
    match t {
        JoinTree::Leaf(i) => {
            let slot = leaves.get(*i).map(|l| l.slot);
            out.iter_mut().filter(|t| Some(t.slot) == slot).for_each(|t| t.nullable |= inside);
        }
        JoinTree::Inner { parts, .. } => parts.iter().for_each(|p| inner_sides(p, leaves, inside, out)),
        JoinTree::Left { left, right, .. } => {
            inner_sides(left, leaves, inside, out);
            inner_sides(right, leaves, true, out);
        }
        JoinTree::Semi { .. } => {}
    }
}
