//! Set operations: UNION, INTERSECT and EXCEPT, and the ORDER BY and LIMIT behind them.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, QueryBody};
use value::{Decimal, OwnedValue, SqlType, TypeKind};

use super::expr::{convert_branch, own_digits};
use super::query::{BoundQuery, OrderKey, with_locking};
use super::scope::{Clause, ScopeColumn, ScopeTable};
use super::{Binder, Scope};
use crate::block::Origin;
use crate::block::OutColumn;
use crate::expr::{Coercibility, Expr, ExprKind, SlotId};
use crate::func::FuncId;
use crate::plan::{Node, QueryPlan, SetOpKind, SlotDef};
use crate::types;

impl<'a> Binder<'a, '_> {
    /// One side of a set operation. `locking` stands after the last one and belongs to it.
    pub(super) fn operand(&mut self, body: &QueryBody<'a>, locking: &'a [ast::Locking<'a>]) -> SqlResult<BoundQuery> {
        match body {
            QueryBody::Paren(q) => {
                // an order without LIMIT orders nothing in the end
                self.st.moot_order = true;
                let bound = self.query(&with_locking(q, locking));
                self.st.moot_order = false;
                bound
            }
            other => {
                let span = ast::Span::default();
                let q =
                    ast::QueryExpr { span, with: None, body: *other, order_by: &[], limit: None, into: None, locking };
                self.st.select_no += 1;
                self.query_body(&q)
            }
        }
    }

    pub(super) fn set_operation(&mut self, s: &ast::SetOp<'a>, q: &ast::QueryExpr<'a>) -> SqlResult<BoundQuery> {
        let distinct = s.rest.iter().any(|t| t.op == ast::SetOpKind::Union && !t.all);
        let asked = self.st.asked.take().map(|a| a.of_union(distinct));
        self.st.asked.clone_from(&asked);
        let first = self.operand(&s.first, &[])?;
        let mut answer = std::mem::take(&mut self.st.answer);
        let mut rest = Vec::new();
        for (n, t) in s.rest.iter().enumerate() {
            let kind = match (t.op, t.all) {
                (ast::SetOpKind::Union, true) => SetOpKind::UnionAll,
                (ast::SetOpKind::Union, false) => SetOpKind::UnionDistinct,
                (ast::SetOpKind::Intersect, true) => SetOpKind::IntersectAll,
                (ast::SetOpKind::Intersect, false) => SetOpKind::Intersect,
                (ast::SetOpKind::Except, true) => SetOpKind::ExceptAll,
                (ast::SetOpKind::Except, false) => SetOpKind::Except,
            };
            self.st.asked.clone_from(&asked);
            let b = self.operand(&t.body, if n + 1 == s.rest.len() { q.locking } else { &[] })?;
            let more = std::mem::take(&mut self.st.answer);
            answer.iter_mut().enumerate().for_each(|(i, taken)| *taken &= more.get(i).copied().unwrap_or(false));
            if b.columns.len() != first.columns.len() {
                return Err(SqlError::with_message(
                    ErrorCode::WRONG_NUMBER_OF_COLUMNS_IN_SELECT,
                    "The used SELECT statements have a different number of columns",
                ));
            }
            rest.push((kind, b));
        }
        let mut columns = first.columns.clone();
        for (i, c) in columns.iter_mut().enumerate() {
            let exprs: Vec<&Expr> = std::iter::once(&first)
                .chain(rest.iter().map(|(_, b)| b))
                .filter_map(|b| b.plan.items.get(i))
                .collect();
            let (ty, _) = types::unify(&exprs, &self.tcx, "UNION")?;
            c.ty = ty.nullable(nullable(&exprs, &rest)).settled();
            c.origin = Some(Origin::of_table(&c.name));
        }
        let bound = self.set_tail(columns, first, rest, q);
        self.st.answer = answer;
        bound
    }

    /// A value of a block for the column of a set operation.
    fn in_column(&self, e: Expr, ty: &SqlType) -> Expr {
        if ty.kind.is_string() { self.time_as_text(own_digits(e)) } else { e }
    }

    /// The keys of ORDER BY behind a set operation, which sees nothing but the columns of the result.
    fn tail_keys(
        &mut self,
        columns: &[OutColumn],
        slot: SlotId,
        items: &[Expr],
        q: &ast::QueryExpr<'a>,
    ) -> SqlResult<Vec<OrderKey>> {
        let mut scope = Scope::block();
        scope.clause = Some(Clause::Order);
        scope.tables.push(ScopeTable {
            schema: None,
            alias: String::new(),
            aliased: true,
            slot,
            columns: columns
                .iter()
                .map(|c| ScopeColumn {
                    name: c.name.clone(),
                    ty: c.ty.clone(),
                    invisible: false,
                    coer: Coercibility::Implicit,
                    origin: c.origin.clone(),
                })
                .collect(),
            nullable: false,
            merged: None,
            view: None,
        });
        scope.visible = (0..columns.len()).map(|i| (0, i)).collect();
        scope.agg_ok = true;
        scope.no_tables = Some("global ORDER clause");
        self.scopes.push(scope);
        let keys = self.order_keys(q.order_by, items).and_then(|keys| match self.scope()?.aggs.is_empty() {
            true => Ok(keys),
            false => Err(self.aggregate_in_order(&keys, ErrorCode::AGGREGATE_ORDER_FOR_UNION)),
        });
        self.scopes.pop();
        keys
    }

    /// ORDER BY and LIMIT over a set operation (or a parenthesised query).
    pub(super) fn set_tail(
        &mut self,
        columns: Vec<OutColumn>,
        mut first: BoundQuery,
        mut rest: Vec<(SetOpKind, BoundQuery)>,
        q: &ast::QueryExpr<'a>,
    ) -> SqlResult<BoundQuery> {
        let calc_found_rows = first.calc_found_rows;
        let correlated = first.correlated || rest.iter().any(|(_, b)| b.correlated);
        let branches = || std::iter::once(&first).chain(rest.iter().map(|(_, b)| b));
        let coercibility = |i: usize| branches().filter_map(|b| b.plan.items.get(i)).map(|e| e.coer).min();
        let coer: Vec<_> = (0..columns.len()).map(|i| coercibility(i).unwrap_or(Coercibility::Implicit)).collect();
        for plan in std::iter::once(&mut first.plan).chain(rest.iter_mut().map(|(_, b)| &mut b.plan)) {
            let items = std::mem::take(&mut plan.items);
            let before = items.len();
            plan.items = items
                .into_iter()
                .zip(&columns)
                .map(|(e, c)| self.kept(within(filled(convert_branch(self.in_column(e, &c.ty), &c.ty), &c.ty), &c.ty)))
                .collect();
            debug_assert_eq!(before, plan.items.len());
            if plan.items.iter().any(|e| !matches!(e.kind, ExprKind::Column { .. })) {
                plan.direct.clear();
            }
        }
        let tys: Vec<SqlType> = columns.iter().map(|c| c.ty.clone()).collect();
        let slot = self.new_slot(SlotDef::Tuple(tys))?;
        let rows = first.plan.rows + rest.iter().map(|(_, b)| b.plan.rows).sum::<f64>();
        let cost = first.plan.cost + rest.iter().map(|(_, b)| b.plan.cost).sum::<f64>();
        let root = Node::SetOp {
            slot,
            first: Box::new(first.plan),
            rest: rest.into_iter().map(|(k, b)| (k, b.plan)).collect(),
        };
        let column = |(i, (c, k)): (usize, (&OutColumn, Coercibility))| Expr {
            coer: k,
            ..Expr::column(slot, i as u16, c.ty.clone())
        };
        let items: Vec<Expr> = columns.iter().zip(coer).enumerate().map(column).collect();
        let (root, items) = if q.order_by.is_empty() {
            (root, items)
        } else {
            let keys = self.tail_keys(&columns, slot, &items, q)?;
            self.sort(root, &items, keys, q.limit, false)?
        };
        let root = self.limit(root, q.limit)?;
        Ok(BoundQuery {
            plan: QueryPlan { root, items, into_vars: vec![], direct: vec![], rows, cost },
            columns,
            correlated,
            calc_found_rows,
            through: vec![],
            within: None,
        })
    }
}

/// A DECIMAL in a column that has room for fewer digits before the point, because another query's digits behind it need the rest of 65: the column's
/// largest value for what is larger.
fn within(e: Expr, column: &SqlType) -> Expr {
    let whole = |t: &SqlType| types::decimal_parts(t).0;
    if e.ty.kind != TypeKind::Decimal || column.kind != TypeKind::Decimal || whole(&e.ty) <= whole(column) {
        return e;
    }
    let (precision, scale) = (column.length.min(65) as u8, column.decimals);
    let ty = column.clone().nullable(e.ty.nullable);
    let limited = |f: FuncId, e: Expr, negative: bool| {
        let end = OwnedValue::Decimal(Box::new(Decimal::max_value(precision, scale, negative)));
        let end = Expr::constant(end, column.clone().nullable(false));
        Expr { coer: e.coer, ty: ty.clone(), kind: ExprKind::Call(f, Box::new([e, end])) }
    };
    limited(FuncId::Least, limited(FuncId::Greatest, e, true), false)
}

/// What goes into a BINARY column is filled with zeros up to its length.
fn filled(e: Expr, column: &SqlType) -> Expr {
    let stored = matches!(e.kind, ExprKind::Column { .. });
    let full = stored && e.ty.kind == TypeKind::Binary && e.ty.length == column.length;
    if column.kind != TypeKind::Binary || full || e.ty.kind == TypeKind::Null {
        return e;
    }
    Expr { coer: e.coer, ty: column.clone().nullable(e.ty.nullable), kind: ExprKind::Cast(Box::new(e)) }
}

/// Whether a column of the result may be NULL, from its expressions in the queries: INTERSECT gives only what both sides have, EXCEPT
/// only what the left side has.
fn nullable(exprs: &[&Expr], rest: &[(SetOpKind, BoundQuery)]) -> bool {
    let mut all = exprs.iter().map(|e| e.ty.nullable);
    let first = all.next().unwrap_or(true);
    all.zip(rest).fold(first, |so_far, (next, (kind, _))| match kind {
        SetOpKind::UnionAll | SetOpKind::UnionDistinct => so_far || next,
        SetOpKind::IntersectAll | SetOpKind::Intersect => so_far && next,
        SetOpKind::ExceptAll | SetOpKind::Except => so_far,
    })
}
