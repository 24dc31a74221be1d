//! Items of select lists and keys of ORDER BY, with the names that they give and take; sorts and LIMIT.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, LitValue, SelectItem};

use super::query::OrderKey;
use super::scope::Clause;
use super::{Binder, Scope};
use crate::block::{Origin, OutColumn};
use value::{SqlType, TypeKind};

use crate::expr::{AggFunc, Expr, ExprKind, SlotId};
use crate::plan::{Access, Node, SlotDef, SortKey};

impl<'a> Binder<'a, '_> {
    pub(crate) fn select_list(&mut self, list: &[SelectItem<'a>]) -> SqlResult<(Vec<Expr>, Vec<OutColumn>)> {
        let (mut items, mut columns): (Vec<Expr>, Vec<OutColumn>) = (Vec::new(), Vec::new());
        for item in list {
            // subqueries of the items that follow may name those before
            if let (Some(e), Some(c)) = (items.last(), columns.last()) {
                let known = (c.name.clone(), e.clone());
                self.scope()?.aliases.push(known);
            }
            match item {
                SelectItem::Wildcard(span) => {
                    let scope = self.scope()?;
                    if scope.tables.is_empty() && scope.any_list {
                        let one = Expr::int(1);
                        columns.push(OutColumn { name: "1".to_owned(), ty: one.ty.clone(), origin: None });
                        items.push(one);
                        continue;
                    }
                    if scope.tables.is_empty() {
                        return Err(SqlError::new(ErrorCode::NO_TABLES_USED, &[]));
                    }
                    let list = scope.visible.clone();
                    let first = columns.len();
                    for &(t, i) in &list {
                        push_column(scope, t, i, &mut items, &mut columns);
                    }
                    self.use_columns(&list, true);
                    self.record_wildcard(*span, &list, columns.get(first..).unwrap_or_default());
                }
                SelectItem::TableWildcard { span, schema, table } => {
                    let scope = self.scope()?;
                    let mut any = false;
                    let mut list = Vec::new();
                    for (t, st) in scope.tables.iter().enumerate() {
                        let named = st.alias == *table;
                        if named && schema.is_none_or(|s| st.schema.as_deref() == Some(s)) {
                            any = true;
                            list.extend(
                                (0..st.columns.len())
                                    .filter(|i| !st.columns.get(*i).is_some_and(|c| c.invisible))
                                    .map(|i| (t, i)),
                            );
                        }
                    }
                    let first = columns.len();
                    for &(t, i) in &list {
                        push_column(scope, t, i, &mut items, &mut columns);
                    }
                    self.use_columns(&list, true);
                    self.record_wildcard(*span, &list, columns.get(first..).unwrap_or_default());
                    if !any {
                        return Err(SqlError::with_message(
                            ErrorCode::BAD_TABLE_ERROR,
                            format!("Unknown table '{table}'"),
                        ));
                    }
                }
                SelectItem::Expr { expr, alias } => {
                    self.st.item = (expr.span, alias.map(Into::into));
                    let e = self.scalar(expr)?;
                    let name = match alias {
                        Some(a) => self.alias_name(a),
                        None => self.item_name(expr),
                    };
                    self.record_item(expr.span, &name);
                    let origin = self.origin_of(&e, expr);
                    let ty = SqlType { length: self.shown_length(&e), ..e.ty.clone() };
                    columns.push(OutColumn { name, ty, origin });
                    items.push(e);
                }
            }
        }
        self.close(&items);
        Ok((items, columns))
    }

    /// An alias without its leading spaces: warning 1466, or 1474 where nothing is left.
    fn alias_name(&mut self, alias: &str) -> String {
        let name = alias.trim_start_matches([' ', '\t', '\n', '\r']);
        if name.len() < alias.len() {
            let code = if name.is_empty() { ErrorCode::NAME_BECOMES_EMPTY } else { ErrorCode::REMOVED_SPACES };
            self.warn(&SqlError::new(code, &[&alias]));
        }
        name.to_owned()
    }

    /// Warning 1052: a name in GROUP BY is a column of FROM, though another item of the select list has it as its alias. Error 1052 where two different
    /// columns of the select list have it.
    pub(super) fn warn_ambiguous_group(&mut self, written: &ast::Expr<'_>, bound: &Expr) -> SqlResult<()> {
        let ast::ExprKind::Column(c) = written.unparen().kind else { return Ok(()) };
        if c.table.is_none() && super::scope::alias_at(self.scope()?, c.column) == Some(None) {
            return Err(SqlError::new(ErrorCode::NON_UNIQ_ERROR, &[&c.column, &Clause::Group.name()]));
        }
        if super::scope::other_item(self.scope()?, c, bound) {
            self.warn_ambiguous(c, Clause::Group);
        }
        Ok(())
    }

    /// Warning 1052 about a name that this clause takes for one thing and that means another too.
    pub(super) fn warn_ambiguous(&mut self, c: &ast::ColumnRef<'_>, clause: Clause) {
        self.warn(&SqlError::new(ErrorCode::NON_UNIQ_ERROR, &[&c.column, &clause.name()]));
    }

    /// The length that a column of the result has: a plain column's is the one it was defined with.
    fn shown_length(&self, e: &Expr) -> u32 {
        let ExprKind::Column { slot, column } = e.kind else { return self.float_length(e).unwrap_or(e.ty.length) };
        let table = self.scopes.iter().rev().flat_map(|s| &s.tables).find(|t| t.slot == slot && t.merged.is_none());
        let defined = table.and_then(|t| t.columns.get(column as usize)).filter(|c| c.ty.kind == e.ty.kind);
        defined.map_or(e.ty.length, |c| c.ty.length)
    }

    /// The length of a FLOAT or DOUBLE that a function makes: its longest text. MIN, MAX and a subquery hand on a column's.
    fn float_length(&self, e: &Expr) -> Option<u32> {
        let handed = match &e.kind {
            ExprKind::Agg { n, .. } => {
                let call = self.scopes.last().and_then(|s| s.aggs.get(*n as usize))?;
                matches!(call.func, AggFunc::Min | AggFunc::Max)
                    && matches!(call.args.first().map(|a| &a.kind), Some(ExprKind::Column { .. }))
            }
            ExprKind::Subquery(..) => true,
            _ => false,
        };
        let own = e.ty.kind.is_float() && e.ty.decimals == value::types::NOT_FIXED_DEC;
        (own && !handed).then_some(crate::meta::FLOAT_CHARS)
    }

    /// Origin of a plain column reference.
    fn origin_of(&self, e: &Expr, written: &ast::Expr<'_>) -> Option<Origin> {
        // a variable of a program is told of as a column that no table has
        if let ast::ExprKind::Local(l) = written.unparen().kind {
            return Some(Origin { org_name: l.name.to_owned(), ..Origin::default() });
        }
        // a column of a merged query is whatever expression it stands for: go by the name
        if let ast::ExprKind::Column(c) = written.unparen().kind
            && let Some((s, (t, i))) = self.scopes.iter().rev().find_map(|s| s.find(c).ok().flatten().map(|x| (s, x)))
            && let Some(table) = s.tables.get(t).filter(|t| t.merged.is_some())
            && s.column_expr(t, i).is_some_and(|x| x.alike(e))
        {
            return table.columns.get(i).and_then(|c| c.origin.clone());
        }
        let ExprKind::Column { slot, column } = e.kind else { return None };
        for s in self.scopes.iter().rev() {
            for t in &s.tables {
                if t.slot == slot {
                    return t.columns.get(column as usize).and_then(|c| c.origin.clone());
                }
            }
        }
        None
    }

    /// 3594: GROUP BY and HAVING come before the window functions.
    pub(super) fn no_window_alias(&mut self, e: &Expr) -> SqlResult<()> {
        let win = |e: &Expr| e.any(&mut |x| matches!(x.kind, ExprKind::Win(_)));
        if !win(e) {
            return Ok(());
        }
        let name = self.scope()?.aliases.iter().find(|a| win(&a.1)).map(|a| a.0.clone()).unwrap_or_default();
        Err(SqlError::new(ErrorCode::WINDOW_INVALID_WINDOW_FUNC_ALIAS_USE, &[&name]))
    }

    pub(crate) fn order_keys(&mut self, list: &[ast::OrderItem<'a>], items: &[Expr]) -> SqlResult<Vec<OrderKey>> {
        let mut keys = Vec::new();
        for o in list {
            if let Some(n) = position(&o.expr) {
                let at = (n as usize).wrapping_sub(1);
                let e =
                    items.get(at).ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&n, &"order clause"]))?;
                keys.push(OrderKey { expr: e.clone(), desc: o.desc, item: Some(at), named: vec![e.clone()] });
                continue;
            }
            // a name that stands alone is the select list's first of all
            if let ast::ExprKind::Column(c) = o.expr.unparen().kind
                && c.table.is_none()
                && let Some(s) = self.scopes.last()
                && let Some(item) = super::scope::alias_at(s, c.column)
            {
                let e = item.and_then(|i| s.aliases.get(i)).map(|a| a.1.clone());
                let ambiguous = || SqlError::new(ErrorCode::NON_UNIQ_ERROR, &[&c.column, &Clause::Order.name()]);
                let e = e.ok_or_else(ambiguous)?;
                self.record_alias(c, self.scopes.len() - 1, &e);
                keys.push(OrderKey { named: vec![e.clone()], expr: e, desc: o.desc, item });
                continue;
            }
            self.scope()?.named.clear();
            let e = self.scalar(&o.expr)?;
            let named = std::mem::take(&mut self.scope()?.named);
            let item = items.iter().position(|i| i.alike(&e));
            if e.is_const() && item.is_none() {
                continue; // a constant does not order anything
            }
            keys.push(OrderKey { expr: e, desc: o.desc, item, named });
        }
        Ok(keys)
    }

    /// A value as a temporary table of MySQL keeps it, which tells groups and equal rows apart: a DECIMAL has the digits of its type there, while
    /// a quotient has more until then.
    pub(super) fn kept(&self, e: Expr) -> Expr {
        let of_table = |slot: u16| matches!(self.draft.slots.get(slot as usize), Some(SlotDef::Table(_)));
        let exact = match e.kind {
            ExprKind::Const(_) | ExprKind::Param(_) | ExprKind::Cast(_) => true,
            ExprKind::Column { slot, .. } => of_table(slot),
            _ => false,
        };
        if exact || e.ty.kind != TypeKind::Decimal {
            return e;
        }
        Expr { coer: e.coer, ty: e.ty.clone(), kind: ExprKind::Cast(Box::new(e)) }
    }

    /// A sort whose payload are `items`; the node and the items as columns of its slot.
    pub(crate) fn sort(
        &mut self,
        input: Node,
        items: &[Expr],
        keys: Vec<OrderKey>,
        limit: Option<&ast::Limit<'a>>,
        after: bool,
    ) -> SqlResult<(Node, Vec<Expr>)> {
        let after = after && self.evaluated_after(&input, items, &keys);
        let slot = self.new_slot(SlotDef::Tuple(items.iter().map(|e| e.ty.clone()).collect()))?;
        let out: Vec<Expr> = items
            .iter()
            .enumerate()
            .map(|(i, e)| Expr { coer: e.coer, ..Expr::column(slot, i as u16, e.ty.clone()) })
            .collect();
        let early = after || (limit.is_some() && items.iter().all(|e| self.is_steady(e)));
        let source = if early { items } else { &out };
        let keys = keys
            .into_iter()
            .map(|k| SortKey { expr: k.item.and_then(|i| source.get(i)).cloned().unwrap_or(k.expr), desc: k.desc })
            .collect();
        let limit = match limit {
            None => None,
            Some(l) => {
                let offset = l.offset.as_ref().map(|o| self.row_count(o)).transpose()?;
                Some(Box::new((offset, self.row_count(&l.count)?)))
            }
        };
        let (mut rows, mut payload) = (Vec::new(), Vec::new());
        if after {
            crate::visit::slots_of(&input, &mut rows);
        } else {
            payload = items.to_vec();
        }
        let sort = Node::Sort { input: Box::new(input), slot, payload, keys, limit, early, rows };
        Ok((sort, if after { items.to_vec() } else { out }))
    }

    /// Whether a select list is evaluated of the sorted rows, which shows where it assigns variables or tells time: MySQL sorts the first table of the
    /// join, if the keys are columns of it alone, and computes the items of what the join then gives; otherwise (keys of other tables, keys that are
    /// another value each time, hash joins) it computes them of unsorted rows ("Stream results" in EXPLAIN FORMAT=TREE).
    fn evaluated_after(&mut self, input: &Node, items: &[Expr], keys: &[OrderKey]) -> bool {
        if items.iter().all(|e| self.is_steady(e)) || !keys.iter().all(|k| self.is_steady(&k.expr)) {
            return false;
        }
        let mut inside = Vec::new();
        crate::visit::slots_of(input, &mut inside);
        let Some((first, _)) = self.leading(input) else { return false };
        let read = |slot: SlotId| !inside.contains(&slot) || first.contains(&slot);
        let mut subs = Vec::new();
        for k in keys {
            let item = k.item.and_then(|i| items.get(i)).unwrap_or(&k.expr);
            if !self.is_steady(item) {
                return false;
            }
            let other = item.any(&mut |x| match x.kind {
                ExprKind::Column { slot, .. } => !read(slot),
                ExprKind::Subquery(id, _) => {
                    subs.push(id);
                    false
                }
                _ => false,
            });
            if other {
                return false;
            }
        }
        let refs = |id: &u16| self.draft.subs.get(usize::from(*id)).is_some_and(|s| s.refs.iter().all(|r| read(r.0)));
        subs.iter().all(refs)
    }

    /// Whether nobody can tell how often an expression is evaluated: nothing in it or in its subqueries assigns variables, waits or gives
    /// another value each time.
    pub(crate) fn is_steady(&mut self, e: &Expr) -> bool {
        let (mut steady, mut subs, mut seen) = (!super::semi::unsteady(e), Vec::new(), 0);
        let below = |e: &Expr, subs: &mut Vec<u16>| {
            e.walk(&mut |x| {
                if let ExprKind::Subquery(id, _) = x.kind
                    && !subs.contains(&id)
                {
                    subs.push(id);
                }
            });
        };
        below(e, &mut subs);
        while let Some(id) = subs.get(seen).copied().filter(|_| steady) {
            seen += 1;
            let Some(sub) = self.draft.subs.get_mut(id as usize) else { return false };
            crate::visit::query_exprs_mut(&mut sub.query, &mut |e| {
                steady &= !super::semi::unsteady(e);
                below(e, &mut subs);
            });
        }
        steady
    }

    /// The slots of the table that a join reads first, with those of one row before it; and whether there is one row alone. `None`: rows come in no
    /// table's order.
    fn leading(&self, n: &Node) -> Option<(Vec<SlotId>, bool)> {
        match n {
            Node::Filter { input, .. } => self.leading(input),
            Node::Scan(s) => Some((vec![s.slot], matches!(s.access, Access::Point(_)))),
            Node::Derived { slot, query, .. } => Some((vec![*slot], one_row(&query.root))),
            Node::Virtual { slot, .. } | Node::Values { slot, .. } => Some((vec![*slot], false)),
            Node::JsonTable(t) => Some((vec![t.slot], false)),
            Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
                let (mut slots, one) = self.leading(outer)?;
                let (more, one_inside) = self.leading(inner)?;
                if !one && !one_inside && matches!(n, Node::HashJoin { keys, .. } if !self.has_index(keys)) {
                    return None;
                }
                if one || one_inside {
                    slots.extend(more);
                }
                Some((slots, one && one_inside))
            }
            _ => None,
        }
    }

    /// Whether an index begins with one of the columns that a hash join compares: MySQL looks the rows up then.
    fn has_index(&self, keys: &[(Expr, Expr, value::compare::Comparator)]) -> bool {
        keys.iter().any(|(_, inner, _)| {
            let ExprKind::Column { slot, column } = inner.kind else { return false };
            let Some(SlotDef::Table(t)) = self.draft.slots.get(usize::from(slot)) else { return false };
            let def = self.draft.tables.get(usize::from(*t)).map(|t| &t.def);
            let leads = |i: &storage::dict::IndexDef| i.parts.first().is_some_and(|p| p.column == column);
            def.is_some_and(|d| d.indexes.iter().any(leads))
        })
    }

    pub(crate) fn limit(&mut self, input: Node, limit: Option<&ast::Limit<'a>>) -> SqlResult<Node> {
        let Some(l) = limit else { return Ok(input) };
        let offset = l.offset.as_ref().map(|o| self.row_count(o)).transpose()?;
        let count = self.row_count(&l.count)?;
        offset.iter().chain([&count]).for_each(|e| self.derive_count(e));
        Ok(Node::Limit { input: Box::new(input), offset, count })
    }
}

/// Whether a derived table has one row, which MySQL reads before it makes the plan.
fn one_row(root: &Node) -> bool {
    match root {
        Node::Dual => true,
        Node::Aggregate { group, .. } => group.is_empty(),
        Node::Filter { input, .. } | Node::Limit { input, .. } => one_row(input),
        _ => false,
    }
}

fn push_column(scope: &Scope, t: usize, i: usize, items: &mut Vec<Expr>, columns: &mut Vec<OutColumn>) {
    if let (Some(e), Some(c)) = (scope.column_expr(t, i), scope.tables.get(t).and_then(|t| t.columns.get(i))) {
        let mut ty = e.ty.clone();
        if matches!(e.kind, ExprKind::Column { .. }) && c.ty.kind == ty.kind {
            ty.length = c.ty.length;
        }
        columns.push(OutColumn { name: c.name.clone(), ty, origin: c.origin.clone() });
        items.push(e);
    }
}

/// An integer literal written as a position.
pub(super) fn position(e: &ast::Expr<'_>) -> Option<u64> {
    match e.kind {
        ast::ExprKind::Literal(ast::Literal { value: LitValue::Int(n), .. }) => Some(*n),
        _ => None,
    }
}
