//! WITH RECURSIVE: the members that name the table itself read what the round before has given.
//!
//! The first members give the columns' names and types; what the others give is converted to them as if it were inserted into a table
//! (manual, "Recursive Common Table Expressions"). Run by `executor::ops::recursive`.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, QueryBody, TableRef};
use value::{CollationId, SqlType, TypeKind};

use super::cte::CteDef;
use super::query::BoundQuery;
use super::{Binder, unsupported};
use crate::block::Origin;
use crate::block::OutColumn;
use crate::expr::Expr;
use crate::plan::{JoinKind, Node, QueryPlan, RecursivePlan, SlotDef};
use crate::types;

/// A recursive table whose members are being bound.
pub(crate) struct Working {
    /// Its place among the CTEs in sight.
    cte: usize,
    /// Number in the execution.
    id: u16,
    columns: Vec<OutColumn>,
}

impl<'a> Binder<'a, '_> {
    /// Inside a recursive member: the table itself.
    pub(super) fn working_table(&mut self, at: usize) -> SqlResult<Option<BoundQuery>> {
        let Some(w) = self.working.iter().rev().find(|w| w.cte == at) else { return Ok(None) };
        let (id, columns) = (w.id, w.columns.clone());
        let slot = self.new_slot(SlotDef::Tuple(columns.iter().map(|c| c.ty.clone()).collect()))?;
        Ok(Some(result(Node::Working { slot, id }, slot, columns, (2.0, 2.0))))
    }

    pub(super) fn recursive_cte(&mut self, at: usize, cte: CteDef<'a>) -> SqlResult<BoundQuery> {
        let ctes = self.ctes.len();
        let r = self.push_ctes(cte.query.with).and_then(|()| self.recursive_union(at, cte));
        self.ctes.truncate(ctes);
        self.working.retain(|w| w.cte != at);
        r
    }

    fn recursive_union(&mut self, at: usize, cte: CteDef<'a>) -> SqlResult<BoundQuery> {
        let err = |c: ErrorCode| Err(SqlError::new(c, &[&cte.name]));
        let (q, limit) = unwrapped(cte.query)?;
        let QueryBody::SetOp(op) = q.body else { return err(ErrorCode::CTE_RECURSIVE_REQUIRES_UNION) };
        let names = |body: &QueryBody<'_>| cte.with.count(body.span(), cte.name);
        let named: Vec<bool> = op.rest.iter().map(|t| names(&t.body) > 0).collect();
        let union = |(t, named): (&ast::SetOpTerm<'_>, &bool)| !named || t.op == ast::SetOpKind::Union;
        let last = op.rest.last().is_none_or(|t| t.op == ast::SetOpKind::Union);
        if !last || !op.rest.iter().zip(&named).all(union) {
            return err(ErrorCode::CTE_RECURSIVE_REQUIRES_UNION);
        }
        let first = named.iter().position(|n| *n).unwrap_or(named.len());
        if names(&op.first) > 0 || named.iter().skip(first).any(|n| !n) {
            return err(ErrorCode::CTE_RECURSIVE_REQUIRES_NONRECURSIVE_FIRST);
        }
        let (seeds, rest) = op.rest.split_at_checked(first).unwrap_or((op.rest, &[]));
        let mut members = Vec::new();
        rest.iter().for_each(|t| flattened(t, &mut members));
        let seed = if seeds.is_empty() {
            self.operand(&op.first, &[])?
        } else {
            let plain = ast::QueryExpr { with: None, order_by: &[], limit: None, into: None, locking: &[], ..*q };
            self.set_operation(&ast::SetOp { first: op.first, rest: seeds }, &plain)?
        };
        if !cte.columns.is_empty() && cte.columns.len() != seed.columns.len() {
            return Err(SqlError::with_message(
                ErrorCode::VIEW_WRONG_LIST,
                "In definition of view, derived table or common table expression, SELECT list and column names list have different column counts",
            ));
        }
        let columns: Vec<OutColumn> = seed
            .columns
            .iter()
            .enumerate()
            .map(|(i, c)| {
                let name = cte.columns.get(i).map_or_else(|| c.name.clone(), |n| (*n).to_owned());
                OutColumn { origin: Some(Origin::of_table(&name)), name, ty: column_type(&c.ty) }
            })
            .collect();
        self.st.working += 1;
        let id = self.st.working - 1;
        let slot = self.new_slot(SlotDef::Tuple(columns.iter().map(|c| c.ty.clone()).collect()))?;
        self.working.push(Working { cte: at, id, columns: columns.clone() });
        let (mut plans, mut correlated) = (Vec::with_capacity(members.len()), seed.correlated);
        for t in &members {
            let (plan, outer) = self.member(&t.body, cte, columns.len())?;
            correlated |= outer;
            plans.push(plan);
        }
        let (rows, cost) = (seed.plan.rows * 10.0, seed.plan.cost + plans.iter().map(|p| p.cost * 10.0).sum::<f64>());
        let taken = match limit {
            None => None,
            Some(l) => {
                let offset = l.offset.as_ref().map(|o| self.row_count(o)).transpose()?;
                Some(Box::new((offset, self.row_count(&l.count)?)))
            }
        };
        let plan = RecursivePlan {
            id,
            columns: columns.iter().map(|c| (c.name.as_str().into(), c.ty.clone())).collect(),
            seed: seed.plan,
            members: plans,
            distinct: members.iter().any(|t| !t.all),
            limit: taken,
        };
        let root = Node::Recursive { slot, plan: Box::new(plan) };
        let root = self.limit(root, limit)?;
        Ok(BoundQuery { correlated, ..result(root, slot, columns, (rows, cost)) })
    }

    /// A member that names the table, and whether it reads columns of enclosing blocks: 3575, 3576, 3577 and 1235 for what it may not have.
    fn member(&mut self, body: &QueryBody<'a>, cte: CteDef<'a>, width: usize) -> SqlResult<(QueryPlan, bool)> {
        let name = cte.name;
        let err = |c: ErrorCode| Err(SqlError::new(c, &[&name]));
        let inside = innermost(body);
        if let QueryBody::SetOp(op) = inside
            && op.rest.iter().any(|t| t.op != ast::SetOpKind::Union)
        {
            return Err(SqlError::new(ErrorCode::CTE_RECURSIVE_NOT_UNION, &[]));
        }
        let QueryBody::Select(s) = inside else {
            return unsupported(
                "ORDER BY / LIMIT / SELECT DISTINCT in recursive query block of Common Table Expression",
            );
        };
        if s.options.distinct {
            return unsupported(
                "ORDER BY / LIMIT / SELECT DISTINCT in recursive query block of Common Table Expression",
            );
        }
        if !s.group_by.is_empty() || s.rollup {
            return err(ErrorCode::CTE_RECURSIVE_FORBIDS_AGGREGATION);
        }
        if cte.with.count(body.span(), name) != 1 || direct(s.from, name) != 1 {
            return err(ErrorCode::CTE_RECURSIVE_REQUIRES_SINGLE_REFERENCE);
        }
        if forced(s.from, name) {
            return err(ErrorCode::CTE_RECURSIVE_FORBIDDEN_JOIN_ORDER);
        }
        let b = self.operand(body, &[])?;
        if b.columns.len() != width {
            return Err(SqlError::with_message(
                ErrorCode::WRONG_NUMBER_OF_COLUMNS_IN_SELECT,
                "The used SELECT statements have a different number of columns",
            ));
        }
        if aggregates(&b.plan.root) {
            return err(ErrorCode::CTE_RECURSIVE_FORBIDS_AGGREGATION);
        }
        if inner_of_left(&b.plan.root, false) {
            return err(ErrorCode::CTE_RECURSIVE_FORBIDDEN_JOIN_ORDER);
        }
        Ok((b.plan, b.correlated))
    }
}

/// A query whose columns are those of `slot`.
fn result(root: Node, slot: u16, columns: Vec<OutColumn>, (rows, cost): (f64, f64)) -> BoundQuery {
    let items = columns.iter().enumerate().map(|(i, c)| Expr::column(slot, i as u16, c.ty.clone())).collect();
    let plan = QueryPlan { root, items, into_vars: vec![], direct: vec![], rows, cost };
    BoundQuery { plan, columns, correlated: false, calc_found_rows: false, through: vec![], within: None }
}

/// Type of a column of the table: as the first members give it, but nullable.
fn column_type(t: &SqlType) -> SqlType {
    if t.kind == TypeKind::Null {
        return types::string_type(0, CollationId::BINARY).nullable(true);
    }
    t.clone().nullable(true)
}

/// How often FROM itself names it, outside derived tables.
fn direct(from: &[TableRef<'_>], name: &str) -> usize {
    from.iter()
        .map(|t| match t {
            TableRef::Table(t) => usize::from(t.name.schema.is_none() && t.name.name == name),
            TableRef::Join(j) => direct(&[j.left, j.right], name),
            TableRef::Paren(list) => direct(list, name),
            TableRef::Derived(_) | TableRef::JsonTable(_) => 0,
        })
        .sum()
}

/// Whether STRAIGHT_JOIN puts it behind another table.
fn forced(from: &[TableRef<'_>], name: &str) -> bool {
    from.iter().any(|t| match t {
        TableRef::Join(j) => {
            (j.kind == ast::JoinKind::Straight && direct(&[j.right], name) > 0) || forced(&[j.left, j.right], name)
        }
        TableRef::Paren(list) => forced(list, name),
        _ => false,
    })
}

/// The query in its parentheses, and the LIMIT that stands inside or outside of them. 1235 with ORDER BY, as in MySQL.
fn unwrapped<'q, 'a>(mut q: &'q ast::QueryExpr<'a>) -> SqlResult<(&'q ast::QueryExpr<'a>, Option<&'a ast::Limit<'a>>)> {
    let mut limit = None;
    loop {
        if !q.order_by.is_empty() {
            return unsupported("ORDER BY over UNION in recursive Common Table Expression");
        }
        if limit.is_some() && q.limit.is_some() {
            return unsupported("LIMIT of a LIMIT in recursive Common Table Expression");
        }
        limit = limit.or(q.limit);
        match q.body {
            QueryBody::Paren(inner) if inner.with.is_none() => q = inner,
            _ => return Ok((q, limit)),
        }
    }
}

/// The members of a term: those of a UNION in parentheses one by one, where all of them drop duplicates as the term does.
fn flattened<'a>(t: &ast::SetOpTerm<'a>, out: &mut Vec<ast::SetOpTerm<'a>>) {
    let with = matches!(t.body, QueryBody::Paren(q) if q.with.is_some());
    if let QueryBody::SetOp(op) = *innermost(&t.body)
        && !with
        && op.rest.iter().all(|r| r.op == ast::SetOpKind::Union && r.all == t.all)
    {
        flattened(&ast::SetOpTerm { body: op.first, ..*t }, out);
        op.rest.iter().for_each(|r| flattened(r, out));
        return;
    }
    out.push(*t);
}

/// Without parentheses that add nothing.
fn innermost<'q, 'a>(b: &'q QueryBody<'a>) -> &'q QueryBody<'a> {
    match b {
        QueryBody::Paren(q) if q.order_by.is_empty() && q.limit.is_none() => innermost(&q.body),
        b => b,
    }
}

fn aggregates(n: &Node) -> bool {
    match n {
        Node::Aggregate { .. } | Node::Window { .. } => true,
        Node::Filter { input, .. }
        | Node::Sort { input, .. }
        | Node::Distinct { input, .. }
        | Node::Limit { input, .. } => aggregates(input),
        _ => false,
    }
}

fn inner_of_left(n: &Node, inside: bool) -> bool {
    match n {
        Node::Working { .. } => inside,
        Node::Derived { query, .. } => inner_of_left(&query.root, inside),
        Node::Filter { input, .. } => inner_of_left(input, inside),
        Node::NestedLoop { kind, outer, inner, .. } | Node::HashJoin { kind, outer, inner, .. } => {
            inner_of_left(outer, inside) || inner_of_left(inner, inside || *kind == JoinKind::Left)
        }
        _ => false,
    }
}
