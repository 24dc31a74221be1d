//! Subqueries of WHERE that become joins (manual, "Optimizing IN and EXISTS Subquery Predicates with Semijoin and Antijoin Transformations").
//!
//! `EXISTS (...)`, `x IN (...)` and their negations, where they are conjuncts of WHERE and the subquery only joins and filters, become
//! [`JoinTree::Semi`] parts of the block's join tree: their tables take part in the choice of join order and of access paths, and
//! may be read into a hash table instead of once per row. NOT IN becomes a join only where neither side can be NULL, since a NULL
//! makes it neither true nor false. Everything else stays a subquery, computed when its condition is evaluated.
//!
//! A subquery that turns out unfit after it was bound is bound again as an expression ([`Mark`]).

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use value::compare::ComparisonKind;

use super::from::push_conjuncts;
use super::merge_derived::{self, Mark, SemiKinds, mentions_over, plain_block};
use super::scope::Clause;
use super::{Binder, Scope};
use crate::block::hints::{SemiTold, Strategies};
use crate::block::{JoinTree, Leaf, LeafKind};
use crate::expr::{CmpOp, Coercibility, Expr, ExprKind, SubqueryUse};
use crate::plan::Node;

/// Bit of `optimizer_switch`.
const SEMIJOIN: u64 = 1 << 11;

/// A subquery that became a join; its leaves are numbered from 0.
pub(crate) struct SemiPart {
    pub(crate) tree: JoinTree,
    pub(crate) leaves: Vec<Leaf>,
}

/// What a subquery asks of the rows outside.
struct Asked<'q, 'a> {
    query: &'q ast::QueryExpr<'a>,
    /// Left operand of IN.
    left: Option<&'q ast::Expr<'a>>,
    negated: bool,
}

/// The conjuncts as written.
fn conjuncts<'q, 'a>(e: &'q ast::Expr<'a>, out: &mut Vec<&'q ast::Expr<'a>>) {
    match e.unparen().kind {
        ast::ExprKind::And(list) => list.iter().for_each(|x| conjuncts(x, out)),
        _ => out.push(e),
    }
}

fn asked<'q, 'a>(e: &'q ast::Expr<'a>) -> Option<Asked<'q, 'a>> {
    match &e.unparen().kind {
        ast::ExprKind::Exists(query) => Some(Asked { query, left: None, negated: false }),
        ast::ExprKind::Unary { op: ast::UnaryOp::Not, expr } => {
            let inner = asked(expr).filter(|a| a.left.is_none())?;
            Some(Asked { negated: !inner.negated, ..inner })
        }
        ast::ExprKind::InSubquery { expr, query, negated } => {
            Some(Asked { query, left: Some(expr), negated: *negated })
        }
        // the same by other names
        ast::ExprKind::Quantified { op: ast::BinaryOp::Eq, all: false, left, query } => {
            Some(Asked { query, left: Some(left), negated: false })
        }
        ast::ExprKind::Quantified { op: ast::BinaryOp::Ne, all: true, left, query } => {
            Some(Asked { query, left: Some(left), negated: true })
        }
        _ => None,
    }
}

/// Whether a subquery's rows are those of tables, neither grouped nor limited nor put together from several queries.
fn joinable(n: &Node) -> bool {
    match n {
        Node::Scan(_) | Node::NestedLoop { .. } | Node::HashJoin { .. } | Node::Derived { .. } => true,
        Node::Filter { input, .. } | Node::Sort { input, .. } => joinable(input),
        _ => false,
    }
}

/// Something whose value may depend on how often it is evaluated.
pub(super) fn unsteady(e: &Expr) -> bool {
    e.any(&mut |x| match &x.kind {
        ExprKind::Call(f, _) => !f.is_deterministic(),
        ExprKind::AssignUserVar(..) | ExprKind::UserVar(_) => true,
        _ => false,
    })
}

/// Tables of a subquery that becomes a semijoin; with more of them it is evaluated as a subquery.
const MOST_TABLES: usize = 10;

impl<'a> Binder<'a, '_> {
    /// Binds WHERE into conditions and, where `join` allows it, joins.
    pub(crate) fn where_clause(
        &mut self,
        w: &ast::Expr<'a>,
        leaves: &[Leaf],
        join: bool,
        conds: &mut Vec<Expr>,
    ) -> SqlResult<Vec<SemiPart>> {
        let join = join && !leaves.is_empty();
        let mut list = Vec::new();
        if join {
            conjuncts(w, &mut list);
        }
        if !list.iter().any(|c| asked(c).is_some()) {
            list = vec![w];
        }
        let mut parts = Vec::new();
        for c in list {
            let tables = leaves.len() + parts.iter().map(|p: &SemiPart| p.leaves.len()).sum::<usize>();
            if join
                && tables <= merge_derived::MOST_TABLES
                && let Some(a) = asked(c)
                && let Some(p) = self.semijoin(&a)?
            {
                parts.push(p);
                continue;
            }
            let mut e = self.scalar(c)?;
            self.derive_truth(&mut e);
            self.store_times(&mut e);
            self.warn_json_condition(&e);
            self.find_zero_dates(&mut e);
            super::uncalled::skip_not_null(&mut e);
            self.use_generated(&mut e, leaves)?;
            push_conjuncts(e, conds);
        }
        Ok(parts)
    }

    /// Which of a query's conditions MySQL would make semijoins and antijoins of, if nothing but its rules for the subquery stands against it.
    pub(crate) fn semi_kinds(&self, conds: &[Expr]) -> SemiKinds {
        let mut kinds = SemiKinds::default();
        if self.switch & SEMIJOIN == 0 {
            return kinds;
        }
        let plain = |id: u16| self.draft.subs.get(id as usize).is_some_and(|s| joinable(&s.query.root));
        for c in conds {
            match &c.kind {
                ExprKind::Subquery(id, SubqueryUse::In { .. } | SubqueryUse::Exists) => kinds.semi |= plain(*id),
                ExprKind::Not(inner) => {
                    if let ExprKind::Subquery(id, SubqueryUse::Exists) = &inner.kind {
                        kinds.anti |= plain(*id);
                    }
                }
                _ => {}
            }
        }
        kinds
    }

    fn semijoin(&mut self, a: &Asked<'_, 'a>) -> SqlResult<Option<SemiPart>> {
        let Some((s, q)) = plain_block(a.query, true) else { return Ok(None) };
        let told = if self.view_schema.is_some() { None } else { Some(self.semijoin_hints(s.span.start as usize)) };
        let told = match told {
            Some(None) => return Ok(None),
            Some(Some(t)) => t,
            None if s.hints.is_some() => return Ok(None),
            None => SemiTold::default(),
        };
        let switch = self.switch;
        if mentions_over(s.span.text(self.sql))
            || !told.on.unwrap_or(switch & SEMIJOIN != 0)
            || !q.order_by.is_empty()
            || self.rec.is_some()
            || self.st.locking
            || self.st.refused.contains(&self.block_key(s))
        {
            return Ok(None);
        }
        let mark = Mark::of(self);
        let part = self.semijoin_of(a, s, Strategies::allowed(&told, switch))?;
        let Some(part) = part else {
            mark.restore(self);
            let key = self.block_key(s);
            self.st.refused.insert(key);
            return Ok(None);
        };
        Ok(Some(part))
    }

    fn semijoin_of(
        &mut self,
        a: &Asked<'_, 'a>,
        s: &'a ast::Select<'a>,
        may: Strategies,
    ) -> SqlResult<Option<SemiPart>> {
        let left = match a.left {
            None => Vec::new(),
            Some(e) => {
                let x = self.row_operand(e)?;
                match x.kind {
                    ExprKind::Row(l) => l.into_vec(),
                    kind => vec![Expr { kind, ty: x.ty, coer: x.coer }],
                }
            }
        };
        let unfit =
            |e: &Expr| unsteady(e) || e.any(&mut |x| matches!(x.kind, ExprKind::Subquery(..) | ExprKind::Agg { .. }));
        if left.iter().any(unfit) {
            return Ok(None);
        }
        self.st.select_no += 1;
        let select = self.st.select_no + 1;
        self.st.sub_depth += 1;
        let nullable = std::mem::replace(&mut self.nullable_side, false);
        let pinning = std::mem::replace(&mut self.pinning, false);
        self.scopes.push(Scope::block());
        let bound = self.semijoin_block(s);
        self.scopes.pop();
        self.pinning = pinning;
        self.nullable_side = nullable;
        self.st.sub_depth -= 1;
        let Some((tree, leaves, mut conds, items)) = bound? else { return Ok(None) };
        // the search for an order takes each of the tables into account at every step: too long with as many as nobody writes
        if leaves.len() > MOST_TABLES {
            return Ok(None);
        }
        if a.left.is_some() {
            if items.len() != left.len() {
                return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&left.len()]));
            }
            for (l, r) in left.into_iter().zip(items) {
                if r.is_const() || unfit(&r) || (a.negated && (l.ty.nullable || r.ty.nullable)) {
                    return Ok(None);
                }
                let (l, r, cmp) = self.comparable(l, r, "in")?;
                let plain =
                    matches!(cmp.kind, ComparisonKind::Int | ComparisonKind::Decimal | ComparisonKind::String(_));
                if a.negated && !plain {
                    return Ok(None);
                }
                let ty = crate::types::longlong(1).nullable(l.ty.nullable || r.ty.nullable);
                let kind = ExprKind::Compare { op: CmpOp::Eq, args: Box::new([l, r]), cmp: Box::new(cmp) };
                conds.push(Expr { kind, ty, coer: Coercibility::Numeric });
            }
        }
        if conds.iter().any(unsteady) {
            return Ok(None);
        }
        let tree = JoinTree::Semi { right: Box::new(tree), conds, anti: a.negated, may, select };
        Ok(Some(SemiPart { tree, leaves }))
    }

    /// Tables, conditions and select list of the subquery.
    #[allow(clippy::type_complexity)]
    fn semijoin_block(
        &mut self,
        s: &'a ast::Select<'a>,
    ) -> SqlResult<Option<(JoinTree, Vec<Leaf>, Vec<Expr>, Vec<Expr>)>> {
        let mut leaves = Vec::new();
        let Some(mut tree) = self.from(s.from, &mut leaves)? else { return Ok(None) };
        let mut conds = Vec::new();
        let mut nested = Vec::new();
        if let Some(w) = s.where_clause {
            self.scope()?.clause = Some(Clause::Where);
            nested = self.where_clause(w, &leaves, true, &mut conds)?;
        }
        let scope = self.scope()?;
        scope.clause = Some(Clause::Fields);
        scope.agg_ok = true;
        let (items, _) = self.select_list(s.items)?;
        let scope = self.scope()?;
        let views = scope.tables.iter().any(|t| t.merged.as_ref().is_some_and(|m| !m.checks.is_empty()));
        let dependent = leaves.iter().any(|l| matches!(l.kind, LeafKind::Derived { correlated: true, .. }));
        if !scope.aggs.is_empty() || views || dependent || items.iter().any(unsteady) {
            return Ok(None);
        }
        tree = joined(tree, nested, &mut leaves);
        Ok(Some((tree, leaves, conds, items)))
    }
}

/// A join tree with further parts.
pub(crate) fn joined(tree: JoinTree, parts: Vec<SemiPart>, leaves: &mut Vec<Leaf>) -> JoinTree {
    if parts.is_empty() {
        return tree;
    }
    let mut all = vec![tree];
    for mut p in parts {
        super::merge_derived::shift(&mut p.tree, leaves.len());
        leaves.extend(p.leaves);
        all.push(p.tree);
    }
    JoinTree::Inner { parts: all, conds: Vec::new(), straight: false }
}
