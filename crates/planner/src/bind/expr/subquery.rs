//! Subqueries in expressions.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self};
use value::{SqlType, TypeKind};

use super::super::{Binder, unsupported};
use super::*;
use crate::expr::{CmpOp, Coercibility, Expr, ExprKind, SubqueryUse};
use crate::plan::{Node, QueryPlan, SubPlan};

impl<'a> Binder<'a, '_> {
    pub(super) fn in_subquery(
        &mut self,
        expr: &ast::Expr<'a>,
        query: &ast::QueryExpr<'a>,
        negated: bool,
    ) -> SqlResult<Expr> {
        let x = self.row_operand(expr)?;
        self.in_members(x, query, negated)
    }

    /// `x [NOT] IN (subquery)` of a bound left side.
    fn in_members(&mut self, x: Expr, query: &ast::QueryExpr<'a>, negated: bool) -> SqlResult<Expr> {
        self.no_limit(query)?;
        let left = match x.kind {
            ExprKind::Row(l) => l.into_vec(),
            kind => vec![Expr { kind, ty: x.ty, coer: x.coer }],
        };
        let (id, types) = self.members(query)?;
        if types.len() != left.len() {
            return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&left.len()]));
        }
        let (mut ls, mut cmps) = (Vec::new(), Vec::new());
        let mut as_is = true;
        for (i, (l, t)) in left.into_iter().zip(types).enumerate() {
            let output = self.output(id, i, t);
            self.note_compared(&l, &output);
            let (l, r, c) = self.comparable(l, output, "in")?;
            as_is &= matches!(r.kind, ExprKind::Column { .. });
            self.convert_item(id, i, r)?;
            ls.push(l);
            cmps.push(c);
        }
        if as_is {
            let probe = self.probe(id, query, &ls, &cmps);
            if let Some(s) = self.draft.subs.get_mut(id as usize) {
                s.probe = probe;
            }
        }
        let u = SubqueryUse::In { left: ls.into(), cmp: cmps.into() };
        let e = boolean(ExprKind::Subquery(id, u), true);
        Ok(if negated { boolean(ExprKind::Not(Box::new(e)), true) } else { e })
    }

    /// `left op ANY|ALL (subquery)`. `= ANY` and `<> ALL` are IN and NOT IN; rows can be compared with these only.
    pub(super) fn quantified(
        &mut self,
        op: ast::BinaryOp,
        all: bool,
        left: &ast::Expr<'a>,
        query: &ast::QueryExpr<'a>,
    ) -> SqlResult<Expr> {
        let op = cmp_op(op).ok_or_else(|| SqlError::unsupported("quantified comparison"))?;
        let l = match (op, all) {
            (CmpOp::Eq, false) | (CmpOp::Ne, true) => {
                let l = self.row_operand(left)?;
                // other values may be compared as numbers or as text (`eval::numbers`), sets of kept rows look for
                // one of them
                if matches!(l.kind, ExprKind::Row(_) | ExprKind::Column { .. }) {
                    return self.in_members(l, query, all);
                }
                l
            }
            _ => self.scalar(left)?,
        };
        self.no_limit(query)?;
        let (id, types) = self.members(query)?;
        let [one] = types.as_slice() else {
            return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1]));
        };
        let right = self.output(id, 0, one.clone());
        self.note_compared(&l, &right);
        let (l, r, cmp) = self.comparable(l, right, op.symbol())?;
        self.convert_item(id, 0, r)?;
        let u = SubqueryUse::Quantified { left: Box::new(l), op, all, cmp: Box::new(cmp) };
        Ok(boolean(ExprKind::Subquery(id, u), true))
    }

    /// A column that stands for output column `i` of a subquery.
    fn output(&self, id: u16, i: usize, ty: SqlType) -> Expr {
        Expr { coer: self.output_coercibility(id, i), ..Expr::column(0, 0, ty) }
    }

    /// Coercibility of an output column of a subquery: that of what it selects.
    pub(super) fn output_coercibility(&self, id: u16, i: usize) -> Coercibility {
        let item = self.draft.subs.get(id as usize).and_then(|s| s.query.items.get(i));
        item.map_or(Coercibility::Implicit, |e| e.coer)
    }

    /// Output column `i` of a subquery is converted as `by`, an expression over one column, says (to another character set).
    fn convert_item(&mut self, id: u16, i: usize, by: Expr) -> SqlResult<()> {
        if matches!(by.kind, ExprKind::Column { .. }) {
            return Ok(());
        }
        let over_column = match &by.kind {
            ExprKind::Cast(inner) => matches!(inner.kind, ExprKind::Column { .. }),
            ExprKind::Call(FuncId::Collate | FuncId::InCharset, args) => {
                args.iter().all(|a| matches!(a.kind, ExprKind::Column { .. }))
            }
            _ => false,
        };
        if !over_column {
            return unsupported("this comparison with a subquery");
        }
        let query = self.draft.subs.get_mut(id as usize).map(|s| &mut s.query);
        if let Some(item) = query.and_then(|q| {
            q.direct.clear();
            q.items.get_mut(i)
        }) {
            let old = std::mem::replace(item, Expr::null());
            let kind = match by.kind {
                ExprKind::Call(f, _) => ExprKind::Call(f, Box::new([old])),
                _ => ExprKind::Cast(Box::new(old)),
            };
            *item = Expr { kind, ty: by.ty, coer: by.coer };
        }
        Ok(())
    }

    /// An operand of a comparison: a subquery of several columns is a row.
    pub(in crate::bind) fn row_operand(&mut self, e: &ast::Expr<'a>) -> SqlResult<Expr> {
        let A::Subquery(query) = e.unparen().kind else { return self.expr(e) };
        let (id, types) = self.scalar_subquery(query)?;
        let member = |use_: SubqueryUse, i: usize, ty: SqlType| Expr {
            kind: ExprKind::Subquery(id, use_),
            ty: value_type(query, ty),
            coer: self.output_coercibility(id, i),
        };
        if let [one] = types.as_slice() {
            return Ok(member(SubqueryUse::Scalar, 0, one.clone()));
        }
        let row: Vec<Expr> =
            types.into_iter().enumerate().map(|(i, t)| member(SubqueryUse::Column(i as u16), i, t)).collect();
        Ok(boolean(ExprKind::Row(row.into()), true))
    }

    /// 1235 for LIMIT in the subquery of IN, ANY and ALL (manual, "Restrictions on Subqueries").
    fn no_limit(&self, q: &ast::QueryExpr<'a>) -> SqlResult<()> {
        if q.limit.is_some() {
            return unsupported("LIMIT & IN/ALL/ANY/SOME subquery");
        }
        match q.body {
            ast::QueryBody::Paren(inner) => self.no_limit(inner),
            _ => Ok(()),
        }
    }

    /// A subquery that is a value.
    pub(crate) fn scalar_subquery(&mut self, q: &ast::QueryExpr<'a>) -> SqlResult<(u16, Vec<SqlType>)> {
        let (id, mut types) = self.subquery(q)?;
        // what is no expression of the block around is text
        let members = !gives_row(q) && types.iter().any(|t| matches!(t.kind, TypeKind::Enum | TypeKind::Set));
        for (i, t) in types.iter_mut().enumerate().filter(|_| members) {
            let text = member_text(self.output(id, i, t.clone()));
            *t = text.ty.clone();
            self.convert_item(id, i, text)?;
        }
        if types.len() == 1 && !members && self.draft.subs.get(id as usize).is_some_and(|s| s.correlated && !s.volatile)
        {
            self.st.sub_depth += 1;
            let keyed = self.keyed(q);
            self.st.sub_depth -= 1;
            if let Some(s) = self.draft.subs.get_mut(id as usize) {
                s.keyed = keyed;
            }
        }
        Ok((id, types))
    }

    /// A subquery of EXISTS, IN, ANY or ALL, as [`Binder::subquery`].
    pub(super) fn members(&mut self, q: &ast::QueryExpr<'a>) -> SqlResult<(u16, Vec<SqlType>)> {
        // the next block that is bound must be the subquery itself
        self.st.member = q.with.is_none() && matches!(q.body, ast::QueryBody::Select(_));
        let bound = self.subquery(q);
        self.st.member = false;
        bound
    }

    /// Plans a subquery; its number and column types.
    pub(crate) fn subquery(&mut self, q: &ast::QueryExpr<'a>) -> SqlResult<(u16, Vec<SqlType>)> {
        self.st.select_no += 1;
        let select_id = self.st.select_no + 1;
        let pinning = std::mem::replace(&mut self.pinning, false);
        self.st.sub_depth += 1;
        self.st.moot_order = true;
        let first = self.st.ctes;
        let bound = self.query(q);
        let inside = (first, self.st.ctes);
        self.st.moot_order = false;
        self.st.sub_depth -= 1;
        self.pinning = pinning;
        let mut bound = bound?;
        let types = bound.columns.iter().map(|c| c.ty.clone()).collect();
        let mut refs = Vec::new();
        let subs = &self.draft.subs;
        crate::visit::query_exprs_mut(&mut bound.plan, &mut |e| {
            e.walk(&mut |x| match x.kind {
                ExprKind::Column { slot, column } => refs.push((slot, column)),
                ExprKind::Subquery(id, _) => {
                    refs.extend(subs.get(id as usize).into_iter().flat_map(|s| s.refs.iter().copied()));
                }
                _ => {}
            });
        });
        refs.sort_unstable();
        refs.dedup();
        let volatile = self.volatile(&mut bound.plan);
        let (query, correlated) = (bound.plan, bound.correlated);
        self.draft.subs.push(SubPlan {
            query,
            correlated,
            volatile,
            select_id,
            refs,
            inside,
            keyed: None,
            probe: None,
        });
        Ok(((self.draft.subs.len() - 1) as u16, types))
    }
}

impl Binder<'_, '_> {
    /// Whether a subquery is evaluated for each row because of what it calls: RAND(), UUID(), locks and their like, an
    /// assignment to a user variable, or reading one that the statement assigns (MySQL: any). Derived tables are computed
    /// once nevertheless, and so is, as in MySQL, what calls stored functions for rows of tables.
    fn volatile(&self, query: &mut QueryPlan) -> bool {
        let mut found = false;
        let alone = matches!(query.root, Node::Dual);
        crate::visit::own_exprs_mut(query, &mut |e| {
            found |= e.any(&mut |x| match &x.kind {
                // what reads no table is the expression itself
                ExprKind::Call(FuncId::Stored(_), _) => alone,
                ExprKind::Call(f, _) => f.is_volatile(),
                ExprKind::AssignUserVar(..) => true,
                ExprKind::UserVar(_) => self.st.assigns,
                ExprKind::Subquery(id, _) => self.draft.subs.get(*id as usize).is_some_and(|s| s.volatile),
                _ => false,
            });
        });
        found
    }
}

/// Type of a subquery's value, whose column has type `ty`: what reads no table is the expression itself.
pub(super) fn value_type(q: &ast::QueryExpr<'_>, ty: SqlType) -> SqlType {
    match (gives_row(q), q.body) {
        (false, _) => ty.nullable(true).settled(),
        (true, ast::QueryBody::Select(_)) => ty,
        _ => ty.settled(),
    }
}

/// Whether a query certainly gives a row: one of the queries of its UNION reads no table and leaves nothing out.
pub(super) fn gives_row(q: &ast::QueryExpr<'_>) -> bool {
    fn body(b: &ast::QueryBody<'_>) -> bool {
        match b {
            ast::QueryBody::Select(s) => {
                s.from.is_empty() && s.where_clause.is_none() && s.having.is_none() && s.group_by.is_empty()
            }
            ast::QueryBody::Values(_) => true,
            ast::QueryBody::Table(_) => false,
            ast::QueryBody::SetOp(o) => {
                o.rest.iter().all(|t| t.op == ast::SetOpKind::Union)
                    && (body(&o.first) || o.rest.iter().any(|t| body(&t.body)))
            }
            ast::QueryBody::Paren(q) => gives_row(q),
        }
    }
    q.limit.is_none() && body(&q.body)
}
