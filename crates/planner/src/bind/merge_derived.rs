//! Derived tables and views that become part of the enclosing block (MySQL's "merge").
//!
//! A query in FROM that only joins, filters and computes (no grouping, DISTINCT, LIMIT, set operation, subquery or variable in its select
//! list; a view may have scalar ones and EXISTS there that do not depend on the row) needs no rows of its own: its tables join the enclosing block's, its conditions stay in the join tree, and its
//! columns stand for the expressions of its select list. Everything else is planned as a block of its own
//! ([`Node::Derived`](crate::plan::Node::Derived)).
//!
//! On the inner side of an outer join only plain columns may be merged: an expression such as a constant would have to
//! become NULL in a row without a match.
//!
//! ORDER BY of a merged query is taken over by an enclosing block that reads nothing else and neither sorts nor groups
//! itself, as MySQL does; otherwise it means nothing.
//!
//! A query that turns out unfit after it was bound is bound again as a block; [`Mark`] takes back what it left in the
//! statement's lists.

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, QueryBody};
use storage::dict::ViewDef;

use super::query::OrderKey;
use super::scope::{Clause, ScopeColumn, ScopeTable, same_name};
use super::{Binder, BoundQuery, Scope};
use crate::block::Origin;
use crate::block::{JoinTree, Leaf, OutColumn};
use crate::expr::{Expr, ExprKind, SlotId, SubqueryUse};
use crate::func::FuncId;

/// `slot` of a [`ScopeTable`] that is a merged query.
pub(crate) const NO_SLOT: SlotId = SlotId::MAX;

/// What a query in FROM has become.
pub(crate) enum Source {
    /// Part of the enclosing block.
    Merged(Box<Merged>),
    /// A block of its own.
    Planned(Box<BoundQuery>),
}

impl Source {
    /// It reads columns of enclosing blocks.
    pub(crate) fn correlated(&self) -> bool {
        match self {
            Source::Merged(m) => m.correlated,
            Source::Planned(b) => b.correlated,
        }
    }
}

/// A query merged into the enclosing block.
pub(crate) struct Merged {
    pub(crate) tree: JoinTree,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) columns: Vec<OutColumn>,
    pub(crate) correlated: bool,
    pub(crate) table: MergedTable,
}

/// What a merged query is in its enclosing scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct MergedTable {
    /// The columns' expressions.
    pub(crate) exprs: Vec<Expr>,
    /// Slots of its tables.
    pub(crate) slots: Vec<SlotId>,
    /// ORDER BY.
    pub(crate) order: Vec<(Expr, bool)>,
    /// All its conditions, those of merged queries inside included.
    pub(crate) conds: Vec<Expr>,
    /// Those of the query itself: its WHERE and ON.
    pub(crate) own_conds: Vec<Expr>,
    /// Conditions that WITH CHECK OPTION of views in it wants checked.
    pub(crate) checks: Vec<Expr>,
    /// Outer joins in it, those of merged queries inside included.
    pub(crate) lefts: usize,
    /// It has an outer join of its own, or is nothing but a query that has: MySQL does not change such a view alone.
    pub(crate) outer: bool,
    /// Subqueries of its WHERE that MySQL makes joins of, and of WHEREs of queries merged inside.
    pub(crate) own_semi: SemiKinds,
    pub(crate) semi: SemiKinds,
    /// The view it is.
    pub(crate) view: Option<Arc<ViewDef>>,
    /// Which of the views that the statement names (see `bind/changed_and_read.rs`).
    pub(crate) instance: u32,
}

/// What joins subqueries become. To MySQL a view with such a join is one over several tables, or with an outer join: its rows are not deleted, say.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SemiKinds {
    pub(crate) semi: bool,
    pub(crate) anti: bool,
}

impl SemiKinds {
    pub(crate) fn any(self) -> bool {
        self.semi || self.anti
    }
    pub(crate) fn and(self, other: SemiKinds) -> SemiKinds {
        SemiKinds { semi: self.semi | other.semi, anti: self.anti | other.anti }
    }
}

/// Lengths of the statement's lists.
pub(super) struct Mark {
    tables: usize,
    slots: usize,
    subs: usize,
    views: usize,
    reads: usize,
    once: u32,
    select_no: u32,
    warnings: usize,
    lateral: usize,
    matches: usize,
    dives: usize,
    grant_tables: u32,
}

impl Mark {
    pub(super) fn of(b: &Binder<'_, '_>) -> Mark {
        let (st, draft) = (&b.st, &b.draft);
        Mark {
            tables: draft.tables.len(),
            slots: draft.slots.len(),
            subs: draft.subs.len(),
            views: draft.views.len(),
            reads: st.reads.len(),
            once: draft.once,
            select_no: st.select_no,
            warnings: draft.notes.warnings.len(),
            lateral: draft.lateral_refs.len(),
            matches: draft.matches.len(),
            dives: draft.dives.asked.borrow().len(),
            grant_tables: draft.notes.grant_tables,
        }
    }
    pub(super) fn restore(&self, b: &mut Binder<'_, '_>) {
        let (st, draft) = (&mut b.st, &mut b.draft);
        draft.tables.truncate(self.tables);
        draft.slots.truncate(self.slots);
        draft.subs.truncate(self.subs);
        draft.views.truncate(self.views);
        st.reads.truncate(self.reads);
        draft.once = self.once;
        st.select_no = self.select_no;
        draft.notes.warnings.truncate(self.warnings);
        draft.lateral_refs.truncate(self.lateral);
        draft.matches.truncate(self.matches);
        draft.dives.asked.get_mut().truncate(self.dives);
        draft.notes.grant_tables = self.grant_tables;
    }
}

/// The block, if its clauses allow a merge.
pub(super) fn plain_block<'q, 'a>(
    q: &'q ast::QueryExpr<'a>,
    hints: bool,
) -> Option<(&'a ast::Select<'a>, &'q ast::QueryExpr<'a>)> {
    let mut q = q;
    while let QueryBody::Paren(inner) = q.body {
        if !q.order_by.is_empty() || q.limit.is_some() || q.with.is_some() || !q.locking.is_empty() || q.into.is_some()
        {
            return None;
        }
        q = inner;
    }
    let QueryBody::Select(s) = q.body else { return None };
    let plain = q.limit.is_none()
        && q.with.is_none()
        && q.into.is_none()
        && q.locking.is_empty()
        && s.options == ast::SelectOptions::default()
        && s.group_by.is_empty()
        && s.having.is_none()
        && s.windows.is_empty()
        && s.qualify.is_none()
        && (hints || s.hints.is_none())
        && !s.from.is_empty();
    plain.then_some((s, q))
}

/// Whether the text may hold a window function: one is found only when it is bound, and then it is an error here.
pub(super) fn mentions_over(text: &[u8]) -> bool {
    text.windows(4).any(|w| w.eq_ignore_ascii_case(b"over"))
}

/// Something that must be evaluated once per row of the query, or not at all by the enclosing block.
fn unfit(e: &Expr, once: &impl Fn(u16) -> bool) -> bool {
    e.any(&mut |x| match &x.kind {
        // called where its column is named, as in MySQL
        ExprKind::Call(FuncId::Stored(_), _) => false,
        ExprKind::Call(f, _) => !f.is_deterministic(),
        ExprKind::AssignUserVar(..) | ExprKind::UserVar(_) | ExprKind::Agg { .. } => true,
        // its value is computed once, wherever its column is named
        ExprKind::Subquery(id, SubqueryUse::Scalar | SubqueryUse::Exists) => !once(*id),
        ExprKind::Subquery(..) => true,
        _ => false,
    })
}

/// Conditions of inner joins.
fn conditions(t: &JoinTree, out: &mut Vec<Expr>) {
    match t {
        JoinTree::Leaf(_) => {}
        JoinTree::Inner { parts, conds, .. } => {
            parts.iter().for_each(|p| conditions(p, out));
            out.extend(conds.iter().cloned());
        }
        JoinTree::Left { left, right, conds } => {
            conditions(left, out);
            conditions(right, out);
            out.extend(conds.iter().cloned());
        }
        // says nothing about the rows that pass
        JoinTree::Semi { .. } => {}
    }
}

pub(super) fn shift(t: &mut JoinTree, by: usize) {
    match t {
        JoinTree::Leaf(i) => *i += by,
        JoinTree::Inner { parts, .. } => parts.iter_mut().for_each(|p| shift(p, by)),
        JoinTree::Left { left, right, .. } => {
            shift(left, by);
            shift(right, by);
        }
        JoinTree::Semi { right, .. } => shift(right, by),
    }
}

/// Tables of a block beyond which no more queries are merged into it. MySQL's limit is 61 tables with what else is in FROM.
pub(super) const MOST_TABLES: usize = 61;

/// Operators and columns in an item of a select list that is put in the place of its name. Each level of merged queries may double them
/// (`SELECT a + a AS a FROM (SELECT a + a AS a ...)`).
const MOST_PARTS: usize = 500;

/// Whether an expression has more parts than may be copied.
fn too_large(e: &Expr) -> bool {
    let mut n = 0;
    e.walk(&mut |_| n += 1);
    n > MOST_PARTS
}

impl<'a> Binder<'a, '_> {
    /// Binds a query in FROM, merged if it may be and can be.
    pub(crate) fn source(&mut self, q: &ast::QueryExpr<'a>, merge: bool) -> SqlResult<Source> {
        let outside = std::mem::replace(&mut self.fence, self.scopes.len());
        let source = self.source_within(q, merge);
        self.fence = outside;
        source
    }

    fn source_within(&mut self, q: &ast::QueryExpr<'a>, merge: bool) -> SqlResult<Source> {
        let beside = std::mem::take(&mut self.st.beside);
        let asked = self.st.asked.take();
        // what a statement changes may be read through a query with rows of its own (see `bind/changed_and_read.rs`)
        let kept = self.st.dml && self.st.sub_depth > 0 && self.st.via.is_none();
        if merge
            && !kept
            && let Some((s, q)) = plain_block(q, false)
            && !self.st.refused.contains(&self.block_key(s))
            && !mentions_over(s.span.text(self.sql))
            && !self.is_hinted(s.span.start as usize)
        {
            let mark = Mark::of(self);
            if let Some(m) = self.merged(s, q)?
                && beside + m.leaves.len() <= MOST_TABLES
            {
                self.st.receptive = false;
                return Ok(Source::Merged(Box::new(m)));
            }
            mark.restore(self);
        }
        let nullable = std::mem::replace(&mut self.nullable_side, false);
        let receptive = super::pushdown::is_receptive(q);
        self.st.asked = asked.filter(|_| receptive);
        self.st.answer.clear();
        let bound = self.with_own_rows(|b| b.query(q));
        self.st.receptive = receptive;
        self.nullable_side = nullable;
        bound.map(|b| Source::Planned(Box::new(b)))
    }

    /// Binds what keeps rows of its own: it is read before anything is changed (see `bind/changed_and_read.rs`).
    pub(crate) fn with_own_rows<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        if self.st.in_duplicates {
            return f(self);
        }
        let outside = std::mem::take(&mut self.st.sub_depth);
        let done = f(self);
        self.st.sub_depth = outside;
        done
    }

    fn merged(&mut self, s: &'a ast::Select<'a>, q: &ast::QueryExpr<'a>) -> SqlResult<Option<Merged>> {
        let nullable = std::mem::replace(&mut self.nullable_side, false);
        let pinning = self.pinning;
        self.scopes.push(Scope::block());
        let r = self.merged_block(s, q);
        let scope = self.scopes.pop();
        self.nullable_side = nullable;
        self.pinning = pinning;
        let Some(mut m) = r? else {
            // what a view is must not depend on what was tried before
            if self.st.view_stack.is_empty() {
                let key = self.block_key(s);
                self.st.refused.insert(key);
            }
            return Ok(None);
        };
        if nullable && !m.table.exprs.iter().all(|e| matches!(e.kind, ExprKind::Column { .. })) {
            return Ok(None);
        }
        m.correlated = scope.is_some_and(|s| s.correlated);
        Ok(Some(m))
    }

    fn merged_block(&mut self, s: &'a ast::Select<'a>, q: &ast::QueryExpr<'a>) -> SqlResult<Option<Merged>> {
        self.draft.check_interrupt()?;
        let mut leaves = Vec::new();
        let Some(mut tree) = self.from(s.from, &mut leaves)? else { return Ok(None) };
        let mut conds = Vec::new();
        let mut semi = Vec::new();
        if let Some(w) = s.where_clause {
            self.scope()?.clause = Some(Clause::Where);
            let join = self.st.view_stack.is_empty() && !self.st.dml;
            semi = self.where_clause(w, &leaves, join, &mut conds)?;
        }
        let own_semi = self.semi_kinds(&conds);
        let scope = self.scope()?;
        scope.clause = Some(Clause::Fields);
        scope.agg_ok = true;
        self.pinning = true;
        let (exprs, columns) = self.select_list(s.items)?;
        let aliases = exprs.iter().zip(&columns).map(|(e, c)| (c.name.clone(), e.clone())).collect();
        let scope = self.scope()?;
        scope.aliases = aliases;
        scope.clause = Some(Clause::Order);
        let order = self.order_keys(q.order_by, &exprs)?;
        let mut order: Vec<(Expr, bool)> = order.into_iter().map(|k| (k.expr, k.desc)).collect();
        let of_view = self.st.view_text || !self.st.view_stack.is_empty();
        let once = |id: u16| of_view && self.draft.subs.get(id as usize).is_some_and(|s| !s.repeated());
        let alone = |_| false;
        let bad = exprs.iter().any(|e| unfit(e, &once) || too_large(e))
            || order.iter().any(|o| unfit(&o.0, &alone) || too_large(&o.0));
        let scope = self.scope()?;
        if bad || !scope.aggs.is_empty() {
            return Ok(None);
        }
        if order.is_empty() {
            order = scope.inherited_order();
        }
        let slots = scope.own_slots().collect::<Vec<SlotId>>();
        let nested: Vec<Expr> =
            scope.tables.iter().filter_map(|t| t.merged.as_ref()).flat_map(|m| m.conds.clone()).collect();
        let checks = scope.tables.iter().filter_map(|t| t.merged.as_ref()).flat_map(|m| m.checks.clone()).collect();
        tree = super::semi::joined(tree, semi, &mut leaves);
        if !conds.is_empty() {
            tree = JoinTree::Inner { parts: vec![tree], conds, straight: false };
        }
        let mut all = Vec::new();
        conditions(&tree, &mut all);
        let own_conds = all.iter().filter(|c| !nested.iter().any(|n| n.same(c))).cloned().collect();
        let scope = self.scope()?;
        let below: Vec<&MergedTable> = scope.tables.iter().filter_map(|t| t.merged.as_deref()).collect();
        let lefts = tree.lefts();
        let outer =
            lefts > below.iter().map(|m| m.lefts).sum() || (scope.tables.len() == 1 && below.iter().any(|m| m.outer));
        let semi = below.iter().fold(SemiKinds::default(), |k, m| k.and(m.own_semi).and(m.semi));
        let table = MergedTable {
            exprs,
            slots,
            order,
            conds: all,
            own_conds,
            checks,
            lefts,
            outer,
            own_semi,
            semi,
            view: None,
            instance: 0,
        };
        Ok(Some(Merged { tree, leaves, columns, correlated: false, table }))
    }

    /// Puts a merged query into the innermost scope.
    pub(crate) fn merged_leaf(
        &mut self,
        m: Merged,
        alias: String,
        names: &[&str],
        schema: Option<String>,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<(JoinTree, Vec<(usize, usize)>)> {
        let Merged { mut tree, leaves: own, columns, table, .. } = m;
        shift(&mut tree, leaves.len());
        leaves.extend(own);
        let view = table.view.clone();
        let aliased = view.as_ref().is_none_or(|v| v.name != alias);
        let columns = self.source_columns(&columns, &alias, names, view.as_deref())?;
        let scope = self.scope()?;
        if scope.tables.iter().any(|t| t.alias == alias && t.schema == schema) {
            return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&alias]));
        }
        let t = scope.tables.len();
        let visible = (0..columns.len()).map(|i| (t, i)).collect();
        scope.tables.push(ScopeTable {
            schema,
            alias,
            aliased,
            slot: NO_SLOT,
            columns,
            nullable: false,
            merged: Some(Box::new(table)),
            view: None,
        });
        Ok((tree, visible))
    }

    /// The columns of a query in FROM as the enclosing block sees them: 1353, 1060.
    pub(crate) fn source_columns(
        &self,
        columns: &[OutColumn],
        alias: &str,
        names: &[&str],
        view: Option<&ViewDef>,
    ) -> SqlResult<Vec<ScopeColumn>> {
        if !names.is_empty() && names.len() != columns.len() {
            return Err(SqlError::new(ErrorCode::VIEW_WRONG_LIST, &[]));
        }
        let mut out: Vec<ScopeColumn> = Vec::with_capacity(columns.len());
        for (i, c) in columns.iter().enumerate() {
            let name = names.get(i).map_or_else(|| c.name.clone(), |n| (*n).to_owned());
            if out.iter().any(|o| same_name(&o.name, &name)) {
                return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&name]));
            }
            let mut origin = Origin { table: alias.to_owned(), ..c.origin.clone().unwrap_or_default() };
            origin.given.clone_from(&name);
            if let Some(v) = view {
                origin.computed |= c.origin.is_none();
                origin.org_table.clone_from(&v.name);
                origin.org_name.clone_from(&name);
            }
            out.push(ScopeColumn {
                name,
                ty: c.ty.clone(),
                invisible: false,
                coer: crate::expr::Coercibility::Implicit,
                origin: Some(origin),
            });
        }
        Ok(out)
    }
}

impl Scope {
    /// Slots of the block's tables.
    pub(crate) fn own_slots(&self) -> impl Iterator<Item = SlotId> + '_ {
        self.tables.iter().flat_map(|t| {
            let merged = t.merged.iter().flat_map(|m| m.slots.iter().copied());
            merged.chain((t.slot != NO_SLOT).then_some(t.slot))
        })
    }

    /// Slots of the tables with this alias.
    pub(crate) fn slots_of(&self, alias: &str) -> Vec<SlotId> {
        let merged = |t: &ScopeTable| t.merged.as_ref().map_or_else(|| vec![t.slot], |m| m.slots.clone());
        self.tables.iter().filter(|t| t.alias == alias).flat_map(merged).collect()
    }

    /// ORDER BY of the only table of FROM, if it is a merged query.
    pub(crate) fn inherited_order(&self) -> Vec<(Expr, bool)> {
        match self.tables.as_slice() {
            [ScopeTable { merged: Some(m), .. }] => m.order.clone(),
            _ => Vec::new(),
        }
    }

    /// The inherited order as keys of a block with these items.
    pub(crate) fn inherited_keys(&self, items: &[Expr]) -> Vec<OrderKey> {
        let key = |(expr, desc): (Expr, bool)| {
            let item = items.iter().position(|i| i.same(&expr));
            OrderKey { expr, desc, item, named: Vec::new() }
        };
        self.inherited_order().into_iter().map(key).collect()
    }
}
