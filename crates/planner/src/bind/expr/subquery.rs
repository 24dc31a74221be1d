//! Subqueries in expressions.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self};
use value::SqlType;

use super::super::{Binder, unsupported};
use super::*;
use crate::expr::{Expr, ExprKind, SubqueryUse};
use crate::plan::SubPlan;

impl<'a> Binder<'a, '_> {
    pub(super) fn in_subquery(
        &mut self,
        expr: &ast::Expr<'a>,
        query: &ast::QueryExpr<'a>,
        negated: bool,
    ) -> SqlResult<Expr> {
        let x = self.expr(expr)?;
        let left = match x.kind {
            ExprKind::Row(l) => l.into_vec(),
            kind => vec![Expr { kind, ty: x.ty, coer: x.coer }],
        };
        let (id, types) = self.subquery(query)?;
        if types.len() != left.len() {
            return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&left.len()]));
        }
        let (mut ls, mut cmps) = (Vec::new(), Vec::new());
        for (l, t) in left.into_iter().zip(types) {
            let (l, r, c) = self.comparable(l, Expr::column(0, 0, t), "in")?;
            if !matches!(r.kind, ExprKind::Column { .. }) {
                return unsupported("IN (subquery) between character sets");
            }
            ls.push(l);
            cmps.push(c);
        }
        let u = SubqueryUse::In { left: ls.into(), cmp: cmps.into() };
        let e = boolean(ExprKind::Subquery(id, u), true);
        Ok(if negated { boolean(ExprKind::Not(Box::new(e)), true) } else { e })
    }

    /// Plans a subquery; its number and column types.
    pub(crate) fn subquery(&mut self, q: &ast::QueryExpr<'a>) -> SqlResult<(u16, Vec<SqlType>)> {
        self.st.select_no += 1;
        let select_id = self.st.select_no + 1;
        let pinning = std::mem::replace(&mut self.pinning, false);
        let bound = self.query(q);
        self.pinning = pinning;
        let mut bound = bound?;
        let types = bound.columns.iter().map(|c| c.ty.clone()).collect();
        let mut refs = Vec::new();
        let subs = &self.st.subs;
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
        self.st.subs.push(SubPlan { query: bound.plan, correlated: bound.correlated, select_id, refs });
        Ok(((self.st.subs.len() - 1) as u16, types))
    }
}
