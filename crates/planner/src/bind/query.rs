//! Query expressions: what stands in parentheses, VALUES, INTO; the types that all of them use. Query blocks are in [`super::select`], set
//! operations in [`super::setop`].

use std::rc::Rc;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, QueryBody};

use super::expr::convert_branch;
use super::{Binder, Scope, unsupported};
use crate::block::Origin;
use crate::block::OutColumn;
use crate::block::within::Within;
use crate::block::{Leaf, LeafKind, Locks};
use crate::expr::{Expr, ExprKind};
use crate::plan::{LockMode, Node, QueryPlan, SlotDef};
use crate::types;

/// A planned query with its columns.
pub(crate) struct BoundQuery {
    pub(crate) plan: QueryPlan,
    pub(crate) columns: Vec<OutColumn>,
    pub(crate) correlated: bool,
    pub(crate) calc_found_rows: bool,
    /// A block whose rows go through a temporary table: what its columns are there ([`super::through_temporary`]). Else empty.
    pub(crate) through: Vec<super::through_temporary::Moved>,
    /// A block: which of its columns determine which.
    pub(crate) within: Option<Rc<Within>>,
}

/// An ORDER BY element.
pub(crate) struct OrderKey {
    pub(crate) expr: Expr,
    pub(crate) desc: bool,
    /// It is this select list item.
    pub(crate) item: Option<usize>,
    /// Select list items that it names by their aliases.
    pub(crate) named: Vec<Expr>,
}

impl<'a> Binder<'a, '_> {
    /// Plans a query expression.
    pub(crate) fn query(&mut self, q: &ast::QueryExpr<'a>) -> SqlResult<BoundQuery> {
        let logging = &mut self.draft.notes.logging;
        logging.limit |= q.limit.is_some();
        logging.nowait |= q.locking.iter().any(|l| l.wait == ast::LockWait::NoWait);
        logging.skip_locked |= q.locking.iter().any(|l| l.wait == ast::LockWait::SkipLocked);
        let ctes = self.ctes.len();
        self.push_ctes(q.with)?;
        let r = self.query_body(q);
        self.ctes.truncate(ctes);
        let mut bound = r?;
        match q.into {
            None => {}
            Some(ast::Into::Vars(vars)) => {
                if vars.len() != bound.columns.len() {
                    return Err(SqlError::with_message(
                        ErrorCode::WRONG_NUMBER_OF_COLUMNS_IN_SELECT,
                        "The used SELECT statements have a different number of columns",
                    ));
                }
                for v in *vars {
                    match v {
                        ast::IntoVar::User(n) => bound.plan.into_vars.push(n.to_lowercase().into()),
                        ast::IntoVar::Local { name, .. } => {
                            return Err(SqlError::new(ErrorCode::SP_UNDECLARED_VAR, &[name]));
                        }
                    }
                }
                self.draft.notes.uncacheable = true;
            }
            Some(ast::Into::Outfile { .. } | ast::Into::Dumpfile(_)) => return unsupported("SELECT ... INTO OUTFILE"),
        }
        Ok(bound)
    }

    pub(super) fn query_body(&mut self, q: &ast::QueryExpr<'a>) -> SqlResult<BoundQuery> {
        match q.body {
            QueryBody::Select(s) => self.select(s, q),
            QueryBody::Paren(inner) if q.order_by.is_empty() && q.limit.is_none() => {
                self.query(&with_locking(inner, q.locking))
            }
            // they belong to the query in the parentheses where it has none itself
            QueryBody::Paren(inner) if inner.order_by.is_empty() && inner.limit.is_none() && inner.into.is_none() => {
                self.query(&ast::QueryExpr { order_by: q.order_by, limit: q.limit, ..with_locking(inner, q.locking) })
            }
            QueryBody::Paren(inner) => {
                // the order outside takes the place of one without LIMIT
                self.st.moot_order = !q.order_by.is_empty();
                let b = self.query(&with_locking(inner, q.locking));
                self.st.moot_order = false;
                let b = b?;
                self.set_tail(b.columns.clone(), b, Vec::new(), q)
            }
            QueryBody::SetOp(s) => self.set_operation(s, q),
            QueryBody::Values(rows) => self.values(rows, q),
            // the parser makes a SELECT of it
            QueryBody::Table(_) => unsupported("TABLE statement"),
        }
    }

    fn values(&mut self, rows: &[&'a [ast::Expr<'a>]], q: &ast::QueryExpr<'a>) -> SqlResult<BoundQuery> {
        self.scopes.push(Scope::block());
        let bound = rows
            .iter()
            .map(|r| r.iter().map(|e| self.scalar(e)).collect::<SqlResult<Vec<_>>>())
            .collect::<SqlResult<Vec<_>>>();
        let correlated = self.scopes.pop().is_some_and(|s| s.correlated);
        let mut bound = bound?;
        let width = bound.first().map_or(0, Vec::len);
        if bound.iter().any(Vec::is_empty) {
            return Err(SqlError::new(ErrorCode::TABLE_VALUE_CONSTRUCTOR_MUST_HAVE_COLUMNS, &[]));
        }
        if bound.iter().flatten().any(|e| matches!(e.kind, ExprKind::DefaultValue)) {
            return Err(SqlError::new(ErrorCode::TABLE_VALUE_CONSTRUCTOR_CANNOT_HAVE_DEFAULT, &[]));
        }
        let mut columns = Vec::new();
        for i in 0..width {
            let exprs: Vec<&Expr> = bound.iter().filter_map(|r| r.get(i)).collect();
            if exprs.len() != bound.len() || bound.iter().any(|r| r.len() != width) {
                return Err(SqlError::new(ErrorCode::WRONG_VALUE_COUNT_ON_ROW, &[&2]));
            }
            let (ty, _) = types::unify(&exprs, &self.tcx, "VALUES")?;
            columns.push(OutColumn { name: format!("column_{i}"), ty, origin: Some(Origin::default()) });
        }
        for r in &mut bound {
            let old = std::mem::take(r);
            *r = old.into_iter().zip(&columns).map(|(e, c)| convert_branch(e, &c.ty)).collect();
        }
        let slot = self.new_slot(SlotDef::Tuple(columns.iter().map(|c| c.ty.clone()).collect()))?;
        let items = columns.iter().enumerate().map(|(i, c)| Expr::column(slot, i as u16, c.ty.clone())).collect();
        let n = bound.len() as f64;
        let plan = QueryPlan {
            root: Node::Values { slot, rows: bound },
            items,
            into_vars: vec![],
            direct: vec![],
            rows: n,
            cost: n,
        };
        let b = BoundQuery { plan, columns, correlated, calc_found_rows: false, through: vec![], within: None };
        if q.order_by.is_empty() && q.limit.is_none() {
            return Ok(b);
        }
        self.set_tail(b.columns.clone(), b, Vec::new(), q)
    }

    /// 1142 for FOR UPDATE of information_schema, 3550 for FOR SHARE: there is nothing to lock.
    pub(super) fn no_locked_views(&self, locks: &Locks, leaves: &[Leaf]) -> SqlResult<()> {
        for l in leaves {
            let LeafKind::Virtual(table) = &l.kind else { continue };
            let def = table.def();
            if def.schema != "information_schema" {
                continue;
            }
            match locks.of(l.slot).0 {
                LockMode::Update => {
                    let (user, host) = self.r.user();
                    let what = "SELECT with locking clause";
                    return Err(SqlError::new(ErrorCode::TABLEACCESS_DENIED_ERROR, &[&what, &user, &host, &def.name]));
                }
                LockMode::Share => {
                    return Err(SqlError::new(ErrorCode::IS_QUERY_INVALID_CLAUSE, &[&"LOCK IN SHARE MODE"]));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Notes reads of the grant tables that cannot lock them: 4009 is told of with FOR SHARE, and else under SERIALIZABLE.
    pub(super) fn grant_tables(&mut self, locks: &Locks, leaves: &[Leaf]) {
        for l in leaves {
            let LeafKind::Virtual(table) = &l.kind else { continue };
            if !super::dml::is_grant_table(&table.def().schema, &table.def().name) {
                continue;
            }
            match locks.of(l.slot).0 {
                LockMode::Share => {
                    let e = SqlError::new(ErrorCode::WARN_UNSUPPORTED_ACL_TABLES_READ, &[]);
                    let message = e.message().to_owned();
                    self.draft.notes.warnings.push(value::Warning {
                        level: value::Level::Warning,
                        code: e.code(),
                        message,
                    });
                }
                LockMode::None => self.draft.notes.grant_tables += 1,
                _ => {}
            }
        }
    }

    /// A warning of the statement, repeated on every execution.
    pub(crate) fn warn(&mut self, e: &SqlError) {
        let w = value::Warning { level: value::Level::Warning, code: e.code(), message: e.message().to_owned() };
        self.draft.notes.warnings.push(w);
    }
}

/// Where the first block of a query stands; 0 for VALUES.
pub(crate) fn outermost(body: &ast::QueryBody<'_>) -> usize {
    match body {
        ast::QueryBody::Select(s) => std::ptr::from_ref::<ast::Select<'_>>(s).addr(),
        ast::QueryBody::Paren(q) => outermost(&q.body),
        ast::QueryBody::SetOp(s) => outermost(&s.first),
        _ => 0,
    }
}

/// A parenthesised query with the locking clause that stands behind the parentheses, unless it has its own.
pub(super) fn with_locking<'a>(q: &ast::QueryExpr<'a>, locking: &'a [ast::Locking<'a>]) -> ast::QueryExpr<'a> {
    if q.locking.is_empty() { ast::QueryExpr { locking, ..*q } } else { *q }
}
