//! Grouping: which columns a grouped query may name, and moving the upper expressions onto the group's tuple.

use hashbrown::HashSet;

use base::{ErrorCode, SqlError, SqlResult};

use parser::ast;

use super::Binder;
use super::query::OrderKey;
use super::scope::{Clause, ScopeTable};
use super::window::Over;
use crate::block::within::ColumnId;
use crate::block::{JoinTree, Leaf};
use crate::expr::{AggCall, AggFunc, CmpOp, Expr, ExprKind, SlotId};
use crate::func::FuncId;
use crate::plan::{Node, SlotDef};
use crate::visit;

impl Binder<'_, '_> {
    /// only_full_group_by: every plain column of the select list, HAVING and ORDER BY must be determined by the groups.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn check_group(
        &mut self,
        items: &[Expr],
        over: &Over<'_>,
        having: Option<&Expr>,
        order: &[OrderKey],
        group: &[Expr],
        conds: Option<&[Expr]>,
        leaves: &[Leaf],
        tree: Option<&JoinTree>,
    ) -> SqlResult<()> {
        let mut known: HashSet<ColumnId> = HashSet::new();
        for g in group {
            if let ExprKind::Column { slot, column } = g.kind {
                known.insert((slot, column));
            }
        }
        if let Some(conds) = conds {
            self.sources(conds, leaves, tree).close(&mut known);
        }
        let own: HashSet<SlotId> = leaves.iter().map(|l| l.slot).collect();
        // names in HAVING mean items of the select list, so what is there is never a part that was written again
        let within = self.within_expressions(group);
        let named = |k: &OrderKey| {
            let groups = k.named.iter().filter(|n| group.iter().any(|g| g.alike(n)));
            within.iter().chain(groups).cloned().collect::<Vec<Expr>>()
        };
        let lists = items
            .iter()
            .enumerate()
            .map(|(i, e)| (i + 1, "SELECT list", e, within.clone()))
            .chain(having.map(|h| (1, "HAVING clause", h, group.to_vec())))
            .chain(order.iter().enumerate().map(|(i, k)| (i + 1, "ORDER BY", &k.expr, named(k))));
        for (n, place, e, within) in lists {
            let below = over.below(e);
            let parts = std::iter::once(e).chain(below);
            let mut subs = Vec::new();
            let mut bad = None;
            for e in parts {
                let whole = group.iter().any(|g| g.alike(e) || same_assignment(g, e));
                bad = bad.or_else(|| if whole { None } else { undetermined(e, &within, &known, &own) });
                subqueries(e, group, &mut subs);
            }
            if let Some((slot, column)) = bad.or_else(|| self.undetermined_below(subs, group, &known, &own)) {
                let name = self.column_name(slot, column);
                if group.is_empty() {
                    return Err(SqlError::new(ErrorCode::MIX_OF_GROUP_FUNC_AND_FIELDS, &[&n, &place, &name]));
                }
                let place = if place == "ORDER BY" { "ORDER BY clause" } else { place };
                return Err(SqlError::new(ErrorCode::WRONG_FIELD_WITH_GROUP, &[&n, &place, &name]));
            }
        }
        Ok(())
    }

    /// The groups that are known within larger expressions, too: columns, also those of views and derived tables. Another expression of GROUP BY is
    /// recognized as a whole only (manual, "MySQL Handling of GROUP BY").
    fn within_expressions(&self, group: &[Expr]) -> Vec<Expr> {
        let of_view = |g: &Expr| {
            let merged = |t: &ScopeTable| t.merged.as_ref().is_some_and(|m| m.exprs.iter().any(|v| v.alike(g)));
            self.scopes.last().is_some_and(|s| s.tables.iter().any(merged))
        };
        group.iter().filter(|g| matches!(g.kind, ExprKind::Column { .. }) || of_view(g)).cloned().collect()
    }

    /// A column of this block that is read in subqueries (their numbers) and that the groups do not determine.
    fn undetermined_below(
        &mut self,
        mut subs: Vec<u16>,
        group: &[Expr],
        known: &HashSet<ColumnId>,
        own: &HashSet<SlotId>,
    ) -> Option<ColumnId> {
        let (mut done, mut found) = (HashSet::new(), None);
        while let Some(id) = subs.pop() {
            let Some(sub) = self.draft.subs.get_mut(id as usize) else { continue };
            if !done.insert(id) || !sub.correlated {
                continue;
            }
            visit::query_exprs_mut(&mut sub.query, &mut |e| {
                found = found.or_else(|| undetermined(e, group, known, own));
                subqueries(e, group, &mut subs);
            });
        }
        found
    }

    /// SELECT DISTINCT: ORDER BY may use the columns of the select list and what it names by aliases, no others (3065), and no aggregates
    /// but as items of it (3066). ANY_VALUE() takes what it has for good.
    pub(crate) fn check_distinct(
        &mut self,
        items: &[Expr],
        over: &Over<'_>,
        order: &[OrderKey],
        aggs: &[AggCall],
    ) -> SqlResult<()> {
        let own: HashSet<SlotId> = self.scopes.last().map(|s| s.own_slots().collect()).unwrap_or_default();
        let block = self.scopes.len().saturating_sub(1);
        let known: HashSet<ColumnId> = items
            .iter()
            .filter_map(|e| match e.kind {
                ExprKind::Column { slot, column } => Some((slot, column)),
                _ => None,
            })
            .collect();
        // a window function is an item where it is named, not where it is written again
        let item = |k: &OrderKey| match k.expr.kind {
            ExprKind::Win(_) => k.named.iter().any(|n| n.same(&k.expr)),
            _ => k.item.is_some(),
        };
        // columns of views and derived tables that are expressions
        let of_view = |e: &&Expr| {
            let merged = |t: &ScopeTable| t.merged.as_ref().is_some_and(|m| m.exprs.iter().any(|v| v.alike(e)));
            !matches!(e.kind, ExprKind::Column { .. })
                && self.scopes.last().is_some_and(|s| s.tables.iter().any(merged))
        };
        let views: Vec<Expr> = items.iter().filter(of_view).cloned().collect();
        for (i, k) in order.iter().enumerate().filter(|(_, k)| !item(k)) {
            let named: Vec<Expr> = k.named.iter().chain(&views).cloned().collect();
            let args = over.arguments(&k.expr);
            let parts = || std::iter::once(&k.expr).chain(args.iter().copied());
            let mut subs = Vec::new();
            let mut bad = None;
            for e in parts() {
                bad = bad.or_else(|| undetermined(e, &named, &known, &own));
                subqueries(e, &named, &mut subs);
            }
            if parts().any(|e| aggregate_of(e, block, &k.named, aggs)) {
                return Err(SqlError::new(ErrorCode::AGGREGATE_IN_ORDER_NOT_SELECT, &[&(i + 1), &"DISTINCT"]));
            }
            if let Some((slot, column)) = bad.or_else(|| self.undetermined_below(subs, &named, &known, &own)) {
                let name = self.column_name(slot, column);
                return Err(SqlError::new(ErrorCode::FIELD_IN_ORDER_NOT_SELECT, &[&(i + 1), &name, &"DISTINCT"]));
            }
        }
        Ok(())
    }

    /// 3029 or 3028 for the first key that has an aggregate of the block.
    pub(crate) fn aggregate_in_order(&mut self, order: &[OrderKey], code: ErrorCode) -> SqlError {
        let block = self.scopes.len().saturating_sub(1);
        let at =
            order.iter().position(|k| aggregate_of(&k.expr, block, &[], &[]) || self.aggregates_within(&k.expr, block));
        SqlError::new(code, &[&(at.unwrap_or(0) + 1)])
    }

    /// A key of GROUP BY that names an item with ANY_VALUE(): what groups has no others, so it is the argument.
    pub(super) fn plain_any_key(&mut self, mut e: Expr) -> SqlResult<Expr> {
        let block = self.scopes.len().saturating_sub(1);
        let aggs = &self.scope()?.aggs;
        let known = |n: u16| aggs.get(n as usize).is_some_and(|a| a.func == AggFunc::AnyValue);
        let mut all = true;
        e.walk(&mut |x| {
            all &= !matches!(x.kind, ExprKind::Agg { block: b, n } if b as usize == block && !known(n));
        });
        if all {
            take_arguments(&mut e, block, aggs);
        }
        Ok(e)
    }

    /// ANY_VALUE() where nothing is aggregated is its argument: `aggs` are no others.
    pub(crate) fn plain_any_values(&mut self, aggs: &[AggCall], upper: Vec<&mut Expr>) {
        let block = self.scopes.len().saturating_sub(1);
        let plain = |e: &mut Expr| take_arguments(e, block, aggs);
        upper.into_iter().for_each(plain);
        for s in self.draft.subs.iter_mut().filter(|s| s.correlated) {
            visit::query_exprs_mut(&mut s.query, &mut |e| take_arguments(e, block, aggs));
        }
    }

    /// `db.table.column` as messages show it.
    fn column_name(&self, slot: SlotId, column: u16) -> String {
        for s in self.scopes.iter().rev() {
            for t in &s.tables {
                let Some(m) = &t.merged else { continue };
                let is =
                    |e: &Expr| matches!(e.kind, ExprKind::Column { slot: s, column: c } if s == slot && c == column);
                let within = |e: &Expr| e.any(&mut |x| is(x));
                let at = m.exprs.iter().position(is).or_else(|| m.exprs.iter().position(within));
                if let Some(c) = at.and_then(|i| t.columns.get(i)) {
                    let schema = t.schema.as_ref().map(|s| format!("{s}.")).unwrap_or_default();
                    return format!("{schema}{}.{}", t.alias, c.name);
                }
            }
            if let Some(t) = s.tables.iter().find(|t| t.slot == slot) {
                let c = t.columns.get(column as usize).map_or("", |c| c.name.as_str());
                return match &t.schema {
                    Some(s) => format!("{s}.{}.{c}", t.alias),
                    None => format!("{}.{c}", t.alias),
                };
            }
        }
        String::new()
    }

    /// Puts the aggregation on top of `input` and rewrites what is evaluated above it.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn aggregate_node(
        &mut self,
        input: Node,
        group: Vec<Expr>,
        mut aggs: Vec<AggCall>,
        upper: Vec<&mut Expr>,
        streaming: bool,
        rollup: bool,
        rows: f64,
    ) -> SqlResult<(Node, f64)> {
        let own: HashSet<SlotId> = self.scopes.last().map(|s| s.own_slots().collect()).unwrap_or_default();
        let slot = self.new_slot(SlotDef::Tuple(Vec::new()))?;
        let mut up = Uplift {
            slot,
            group: &group,
            aggs: aggs.len(),
            block: self.scopes.len().saturating_sub(1),
            own,
            carry: Vec::new(),
            subs: Vec::new(),
            agg_types: aggs.iter().map(|a| a.ty.clone()).collect(),
            rollup,
            error: None,
        };
        for e in upper {
            up.rewrite(e);
        }
        // subqueries of the upper expressions read the group's columns
        let mut done = HashSet::new();
        while let Some(id) = up.subs.pop() {
            if !done.insert(id) {
                continue;
            }
            let Some(sub) = self.draft.subs.get_mut(id as usize) else { continue };
            if sub.correlated {
                visit::query_exprs_mut(&mut sub.query, &mut |e| up.rewrite(e));
                sub.keyed.iter_mut().flat_map(|k| &mut k.keys).for_each(|k| up.rewrite(&mut k.outer));
                sub.query.direct.clear();
            }
        }
        let Uplift { carry, error, .. } = up;
        if let Some(e) = error {
            return Err(e);
        }
        let group: Vec<Expr> = group.into_iter().map(|e| self.kept(e)).collect();
        for a in &mut aggs {
            for e in a.args.iter_mut() {
                if a.distinct {
                    *e = self.kept(e.clone());
                }
                self.draft.hoist(e);
            }
        }
        let types = group
            .iter()
            .map(|e| e.ty.clone())
            .chain(aggs.iter().map(|a| a.ty.clone()))
            .chain(rollup.then(value::SqlType::bigint))
            .chain(carry.iter().map(|e| e.ty.clone()))
            .collect();
        if let Some(s) = self.draft.slots.get_mut(slot as usize) {
            *s = SlotDef::Tuple(types);
        }
        let out_rows = if group.is_empty() { 1.0 } else { (rows / 10.0).max(1.0) };
        let streaming = streaming && !group.is_empty() && !rollup;
        let node = Node::Aggregate { input: Box::new(input), slot, group, aggs, carry, streaming, rollup };
        Ok((node, out_rows))
    }
}

impl<'a> Binder<'a, '_> {
    /// Whether a subquery of an expression has an aggregate of the block around it.
    pub(super) fn aggregates_within(&mut self, e: &Expr, block: usize) -> bool {
        let mut ids = Vec::new();
        subqueries(e, &[], &mut ids);
        let mut found = false;
        for id in ids {
            let Some(sub) = self.draft.subs.get_mut(id as usize).filter(|s| s.correlated) else { continue };
            visit::query_exprs_mut(&mut sub.query, &mut |x| {
                found |= x.any(&mut |y| matches!(y.kind, ExprKind::Agg { block: b, .. } if b as usize == block));
            });
        }
        found
    }

    /// 1056 for what has its value only behind the groups: an item of the select list with an aggregate, a window function or GROUPING(). Within an
    /// expression the name of an item with a window function is 3594.
    pub(super) fn check_group_key(&mut self, written: &ast::Expr<'a>, e: &Expr) -> SqlResult<()> {
        let block = self.scopes.len().saturating_sub(1);
        let aggregates = e.any(&mut |x| matches!(x.kind, ExprKind::Agg { block: b, .. } if b as usize == block))
            || self.aggregates_within(e, block);
        let item = match self.scope()?.aliases.iter().find(|a| a.1.alike(e)) {
            Some((name, _)) => name.clone(),
            // what an expression without a name has for one
            None => "???".to_owned(),
        };
        let alone =
            matches!(written.unparen().kind, ast::ExprKind::Column(_)) || super::items::position(written).is_some();
        if !alone {
            self.no_window_alias(e)?;
        }
        if aggregates || e.any(&mut |x| matches!(x.kind, ExprKind::Win(_))) {
            return Err(SqlError::new(ErrorCode::WRONG_GROUP_FIELD, &[&item]));
        }
        if e.any(&mut |x| matches!(x.kind, ExprKind::Call(FuncId::Grouping, _))) {
            return Err(SqlError::new(ErrorCode::WRONG_GROUP_FIELD, &[&"GROUPING function"]));
        }
        Ok(())
    }

    /// An expression of GROUP BY. The subqueries of select items that it names by their aliases are bound anew, as those of the select list
    /// read the groups and these the rows.
    pub(super) fn group_expr(&mut self, e: &ast::Expr<'a>, s: &ast::Select<'a>, items: &[Expr]) -> SqlResult<Expr> {
        let bound = self.scalar(e)?;
        let of_item =
            |id: u16| items.iter().any(|i| i.any(&mut |x| matches!(x.kind, ExprKind::Subquery(n, _) if n == id)));
        let shared = bound.any(&mut |x| matches!(x.kind, ExprKind::Subquery(id, _) if of_item(id)));
        if !shared || items.iter().any(|i| i.same(&bound)) {
            return Ok(bound);
        }
        let clause = self.scope()?.clause.replace(Clause::Fields);
        let mut own = self.scope()?.aliases.clone();
        for item in s.items {
            let ast::SelectItem::Expr { expr, alias: Some(a) } = item else { continue };
            let named = own
                .iter_mut()
                .find(|(name, old)| name == a && old.any(&mut |x| matches!(x.kind, ExprKind::Subquery(..))));
            if let Some((_, old)) = named {
                *old = self.scalar(expr)?;
            }
        }
        let scope = self.scope()?;
        scope.clause = clause;
        let kept = std::mem::replace(&mut scope.aliases, own);
        let again = self.scalar(e);
        self.scope()?.aliases = kept;
        again
    }
}

/// Moves expressions from the input's slots onto the group's tuple.
struct Uplift<'g> {
    slot: SlotId,
    group: &'g [Expr],
    aggs: usize,
    /// Nesting of the block.
    block: usize,
    own: HashSet<SlotId>,
    carry: Vec<Expr>,
    subs: Vec<u16>,
    agg_types: Vec<value::SqlType>,
    /// The tuple has a column behind the aggregates: how many group columns are not rolled up.
    rollup: bool,
    error: Option<SqlError>,
}

impl Uplift<'_> {
    fn rewrite(&mut self, e: &mut Expr) {
        if let Some(i) = self.group.iter().position(|g| g.alike(e)) {
            if self.rollup {
                e.ty.nullable = true;
            }
            if self.rollup || !e.is_const() || !matches!(e.kind, ExprKind::Const(_) | ExprKind::Param(_)) {
                e.kind = ExprKind::Column { slot: self.slot, column: i as u16 };
                e.ty.own_digits = false;
            }
            return;
        }
        match &e.kind {
            // one of an enclosing block stays for that block
            ExprKind::Agg { block, n } if *block as usize == self.block => {
                let j = *n as usize;
                if let Some(t) = self.agg_types.get(j) {
                    e.ty = t.clone();
                }
                // groups are kept in a table, the one row without GROUP BY is not
                e.ty.own_digits &= self.group.is_empty();
                e.kind = ExprKind::Column { slot: self.slot, column: (self.group.len() + j) as u16 };
                return;
            }
            ExprKind::Column { slot, .. } if self.own.contains(slot) => {
                let at = match self.carry.iter().position(|c| c.same(e)) {
                    Some(i) => i,
                    None => {
                        self.carry.push(e.clone());
                        self.carry.len() - 1
                    }
                };
                let column = (self.group.len() + self.aggs + usize::from(self.rollup) + at) as u16;
                if self.group.is_empty() {
                    e.ty.nullable = true;
                }
                e.kind = ExprKind::Column { slot: self.slot, column };
                return;
            }
            ExprKind::Subquery(id, _) => self.subs.push(*id),
            ExprKind::Call(FuncId::Grouping, args) => {
                match self.grouping(args) {
                    Ok(kind) => e.kind = kind,
                    Err(err) => self.error = Some(err),
                }
                return;
            }
            _ => {}
        }
        e.children_mut(&mut |c| self.rewrite(c));
    }

    /// GROUPING(a, b, ...): a bit for each argument, 1 where it is rolled up.
    fn grouping(&self, args: &[Expr]) -> SqlResult<ExprKind> {
        let int = || crate::types::longlong(21).nullable(false);
        let mut sum: Option<Expr> = None;
        for (n, a) in args.iter().enumerate() {
            let at = self.group.iter().position(|g| g.alike(a));
            let Some(at) = at else {
                return Err(SqlError::new(ErrorCode::FIELD_IN_GROUPING_NOT_GROUP_BY, &[&(n + 1)]));
            };
            let live = Expr::column(self.slot, (self.group.len() + self.aggs) as u16, int());
            let cmp = Box::new(value::compare::Comparator::new(&int(), &int())?);
            let kind = ExprKind::Compare { op: CmpOp::Le, args: Box::new([live, Expr::int(at as i64)]), cmp };
            let bit = Expr { kind, ..Expr::int(0) };
            sum = Some(match sum {
                None => bit,
                Some(high) => {
                    let twice = ExprKind::Call(FuncId::Mul, Box::new([high, Expr::int(2)]));
                    let twice = Expr { kind: twice, ty: int(), ..Expr::int(0) };
                    let kind = ExprKind::Call(FuncId::Add, Box::new([twice, bit]));
                    Expr { kind, ty: int(), ..Expr::int(0) }
                }
            });
        }
        Ok(sum.unwrap_or_else(|| Expr::int(0)).kind)
    }
}

/// GROUPING() needs WITH ROLLUP (1111), and its arguments are group expressions (3602).
pub(crate) fn check_grouping<'e>(upper: impl Iterator<Item = &'e Expr>, group: &[Expr], rollup: bool) -> SqlResult<()> {
    let mut bad = None;
    for e in upper {
        e.walk(&mut |x| {
            let ExprKind::Call(FuncId::Grouping, args) = &x.kind else { return };
            if !rollup {
                bad.get_or_insert_with(|| SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[]));
            }
            if let Some(n) = args.iter().position(|a| !group.iter().any(|g| g.alike(a))) {
                bad.get_or_insert_with(|| SqlError::new(ErrorCode::FIELD_IN_GROUPING_NOT_GROUP_BY, &[&(n + 1)]));
            }
        });
    }
    bad.map_or(Ok(()), Err)
}

/// A column of this block that the groups do not determine.
fn undetermined(e: &Expr, group: &[Expr], known: &HashSet<ColumnId>, own: &HashSet<SlotId>) -> Option<ColumnId> {
    if group.iter().any(|g| g.alike(e)) {
        return None;
    }
    match &e.kind {
        ExprKind::Column { slot, column } => {
            (own.contains(slot) && !known.contains(&(*slot, *column))).then_some((*slot, *column))
        }
        // GROUPING() names keys, which was looked at where it was bound
        ExprKind::Agg { .. } | ExprKind::Win(_) | ExprKind::Call(FuncId::Grouping, _) => None,
        _ => {
            let mut found = None;
            e.children(&mut |c| {
                if found.is_none() {
                    found = undetermined(c, group, known, own);
                }
            });
            found
        }
    }
}

/// `@a := x` and `@b := x`, whose values are the same. For this check alone: elsewhere each assignment is done where it is written.
fn same_assignment(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::AssignUserVar(_, x), ExprKind::AssignUserVar(_, y)) => x.same(y),
        _ => false,
    }
}

/// Replaces the block's aggregates by their first arguments.
fn take_arguments(e: &mut Expr, block: usize, aggs: &[AggCall]) {
    if let ExprKind::Agg { block: b, n } = e.kind
        && b as usize == block
    {
        if let Some(a) = aggs.get(n as usize).and_then(|a| a.args.first()) {
            *e = a.clone();
        }
        return;
    }
    e.children_mut(&mut |c| take_arguments(c, block, aggs));
}

/// Whether an expression has an aggregate or GROUPING() of the block, outside of `known`.
pub(super) fn aggregate_of(e: &Expr, block: usize, known: &[Expr], aggs: &[AggCall]) -> bool {
    if known.iter().any(|k| k.alike(e)) {
        return false;
    }
    let mut found = match e.kind {
        ExprKind::Agg { block: b, n } => {
            b as usize == block && aggs.get(n as usize).is_none_or(|a| a.func != AggFunc::AnyValue)
        }
        ExprKind::Call(FuncId::Grouping, _) => true,
        _ => false,
    };
    e.children(&mut |c| found = found || aggregate_of(c, block, known, aggs));
    found
}

/// The subqueries of an expression, those in group expressions apart.
fn subqueries(e: &Expr, group: &[Expr], out: &mut Vec<u16>) {
    if group.iter().any(|g| g.alike(e)) {
        return;
    }
    if let ExprKind::Subquery(id, _) = e.kind {
        out.push(id);
    }
    e.children(&mut |c| subqueries(c, group, out));
}
