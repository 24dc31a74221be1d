//! FROM: table references become leaves, a join tree and the block's scope.

use hashbrown::HashSet;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, JoinCondition, TableRef};
use storage::dict::{TableDef, ViewDef};

use super::merge_derived::Source;
use super::scope::{Clause, ScopeColumn, ScopeTable};
use super::using_columns::Common;
use super::{Binder, Scope};
use crate::block::JoinTree;
use crate::block::Leaf;
use crate::block::LeafKind;
use crate::block::Origin;
use crate::block::SortIndexes;
use crate::expr::{CmpOp, Coercibility, Expr, ExprKind};
use crate::plan::{Ctes, Shared, SlotDef, VirtualUse};
use crate::resolve::{Resolved, Verb, VirtualTable};

/// How a query stands in FROM: see [`LeafKind::Derived`].
#[derive(Default)]
struct Place {
    lateral: bool,
    key: usize,
    shared: Option<Box<Shared>>,
    inside: Ctes,
}

type Visible = Vec<(usize, usize)>;

impl<'a> Binder<'a, '_> {
    /// Binds FROM into the innermost scope.
    pub(crate) fn from(&mut self, refs: &[TableRef<'a>], leaves: &mut Vec<Leaf>) -> SqlResult<Option<JoinTree>> {
        let mut parts = Vec::new();
        let mut visible = Vec::new();
        for r in refs {
            let (tree, vis) = self.table_ref(r, leaves)?;
            parts.push(tree);
            visible.extend(vis);
            self.scope()?.visible = visible.clone();
        }
        if self.scope()?.tables.len() > super::merge_derived::MOST_TABLES {
            return Err(SqlError::new(ErrorCode::TOO_MANY_TABLES, &[&super::merge_derived::MOST_TABLES]));
        }
        Ok(match parts.len() {
            0 => None,
            1 => parts.pop(),
            _ => Some(JoinTree::Inner { parts, conds: Vec::new(), straight: false }),
        })
    }

    fn table_ref(&mut self, r: &TableRef<'a>, leaves: &mut Vec<Leaf>) -> SqlResult<(JoinTree, Visible)> {
        sched::stack::check()?;
        sched::check_interrupt()?;
        self.st.beside = leaves.len();
        match r {
            TableRef::Table(t) => self.table_factor(t, leaves),
            TableRef::Derived(d) => self.derived(d, leaves),
            TableRef::JsonTable(t) => self.json_table(t, leaves),
            TableRef::Paren(list) => {
                let mut parts = Vec::new();
                let mut visible = Vec::new();
                for r in *list {
                    let before = self.see(&visible, r)?;
                    let (t, v) = self.table_ref(r, leaves)?;
                    self.unsee(before)?;
                    parts.push(t);
                    visible.extend(v);
                }
                let tree = match parts.len() {
                    1 => parts.pop().ok_or_else(|| SqlError::unsupported("empty join"))?,
                    _ => JoinTree::Inner { parts, conds: Vec::new(), straight: false },
                };
                Ok((tree, visible))
            }
            TableRef::Join(j) => self.join(j, leaves),
        }
    }

    /// The columns `left` of a join become visible to the tables on its right that may name them; what was visible before.
    fn see(&mut self, left: &Visible, right: &TableRef<'a>) -> SqlResult<Option<Visible>> {
        if matches!(right, TableRef::Table(_)) {
            return Ok(None);
        }
        let scope = self.scope()?;
        let before = scope.visible.clone();
        scope.visible.extend(left);
        Ok(Some(before))
    }

    fn unsee(&mut self, before: Option<Visible>) -> SqlResult<()> {
        if let Some(before) = before {
            self.scope()?.visible = before;
        }
        Ok(())
    }

    fn join(&mut self, j: &ast::Join<'a>, leaves: &mut Vec<Leaf>) -> SqlResult<(JoinTree, Visible)> {
        let first = self.scope()?.tables.len();
        let inner_side = self.nullable_side;
        self.nullable_side = inner_side || j.kind == ast::JoinKind::Right;
        let left = self.table_ref(&j.left, leaves);
        self.nullable_side = inner_side || j.kind == ast::JoinKind::Left;
        let middle = self.scope()?.tables.len();
        let (left, lv) = left?;
        let before = self.see(&lv, &j.right)?;
        // LATERAL cannot name the side that may have no row for its own
        let outside = self.scope()?.on;
        if j.kind == ast::JoinKind::Right {
            self.scope()?.on = Some((middle, usize::MAX));
        }
        let right = self.table_ref(&j.right, leaves);
        self.scope()?.on = outside;
        self.nullable_side = inner_side;
        let (right, rv) = right?;
        self.unsee(before)?;
        let last = self.scope()?.tables.len();
        self.draft.check_interrupt()?;
        // USING and NATURAL: equalities and merged columns
        let mut conds = Vec::new();
        let common = self.common_columns(j, &lv, &rv)?;
        let visible = self.joined_columns(j, &common, (&lv, &rv), &mut conds)?;
        if let JoinCondition::On(on) = j.condition {
            let e = self.on_condition(j.kind, on, (first, last), &visible, leaves)?;
            push_conjuncts(e, &mut conds);
        }
        let nullable = match j.kind {
            ast::JoinKind::Left => middle..last,
            ast::JoinKind::Right => first..middle,
            _ => 0..0,
        };
        for t in self.scope()?.tables.get_mut(nullable).unwrap_or_default() {
            t.nullable = true;
        }
        let (left, right) = match j.kind {
            ast::JoinKind::Left => (left, hoisted(right, &mut conds)),
            ast::JoinKind::Right => (hoisted(left, &mut conds), right),
            _ => (left, right),
        };
        let tree = match j.kind {
            ast::JoinKind::Left => JoinTree::Left { left: Box::new(left), right: Box::new(right), conds },
            ast::JoinKind::Right => JoinTree::Left { left: Box::new(right), right: Box::new(left), conds },
            k => JoinTree::Inner { parts: vec![left, right], conds, straight: k == ast::JoinKind::Straight },
        };
        Ok((tree, visible))
    }

    /// Names of the columns that USING lists, or that both sides of a NATURAL join have.
    fn common_columns(&mut self, j: &ast::Join<'a>, lv: &Visible, rv: &Visible) -> SqlResult<Vec<String>> {
        Ok(if j.natural {
            let scope = self.scope()?;
            let name =
                |&(t, i): &(usize, usize)| scope.tables.get(t).and_then(|t| t.columns.get(i)).map(|c| c.name.clone());
            let right_names: HashSet<String> = rv.iter().filter_map(name).map(|n| n.to_lowercase()).collect();
            lv.iter().filter_map(name).filter(|n| right_names.contains(&n.to_lowercase())).collect()
        } else if let JoinCondition::Using(cols) = j.condition {
            cols.iter().map(|c| (*c).to_owned()).collect()
        } else {
            Vec::new()
        })
    }

    /// The columns of USING and NATURAL become equalities in `conds` and stand once; those of both sides that `*`
    /// shows.
    fn joined_columns(
        &mut self,
        j: &ast::Join<'a>,
        common: &[String],
        (lv, rv): (&Visible, &Visible),
        conds: &mut Vec<Expr>,
    ) -> SqlResult<Visible> {
        let outer_right = j.kind == ast::JoinKind::Right;
        Ok(if common.is_empty() {
            if j.natural {
                self.record_join(j.span);
            }
            // NATURAL RIGHT JOIN shows the right side first, also without a common column
            let (one, other) = if j.natural && outer_right { (rv, lv) } else { (lv, rv) };
            one.iter().chain(other).copied().collect()
        } else {
            self.record_join(j.span);
            let (mut lrest, mut rrest) = (Common::new(self.scope()?, lv), Common::new(self.scope()?, rv));
            for name in common {
                self.draft.check_interrupt()?;
                let (l, r) = (lrest.take(name)?, rrest.take(name)?);
                let scope = self.scope()?;
                let (le, re) = (scope.column_expr(l.0, l.1), scope.column_expr(r.0, r.1));
                self.use_columns(&[l, r], false);
                self.record_using(j.span, l, r, outer_right);
                if let (Some(le), Some(re)) = (le, re) {
                    conds.push(self.compare(CmpOp::Eq, le, re)?);
                }
            }
            let (first, second) = if outer_right { (&rrest, &lrest) } else { (&lrest, &rrest) };
            // in the order in which they stand in the first table, whatever USING says
            first.taken().chain(first.rest()).chain(second.rest()).collect()
        })
    }

    /// The condition of ON, which sees the tables of both `sides` (from, to) of the join.
    fn on_condition(
        &mut self,
        kind: ast::JoinKind,
        on: &ast::Expr<'a>,
        sides: (usize, usize),
        visible: &Visible,
        leaves: &mut [Leaf],
    ) -> SqlResult<Expr> {
        let scope = self.scope()?;
        let saved_vis = std::mem::replace(&mut scope.visible, visible.to_vec());
        let clause = scope.clause.replace(Clause::On);
        let outside = scope.on.replace(sides);
        let constants = self.draft.notes.constants.len();
        let mut bound = self.scalar(on);
        if matches!(kind, ast::JoinKind::Left | ast::JoinKind::Right) {
            self.not_folded(constants);
        }
        if let Ok(e) = &mut bound {
            self.derive_truth(e);
        }
        let scope = self.scope()?;
        scope.on = outside;
        scope.visible = saved_vis;
        scope.clause = clause;
        let mut bound = bound?;
        self.use_generated(&mut bound, leaves)?;
        Ok(bound)
    }

    fn add_leaf(&mut self, leaf: Leaf, table: ScopeTable, leaves: &mut Vec<Leaf>) -> SqlResult<(JoinTree, Visible)> {
        let scope = self.scope()?;
        if scope.tables.iter().any(|t| t.alias == table.alias && t.schema == table.schema) {
            return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&table.alias]));
        }
        let t = scope.tables.len();
        let visible = table.columns.iter().enumerate().filter(|(_, c)| !c.invisible).map(|(i, _)| (t, i)).collect();
        scope.tables.push(table);
        leaves.push(leaf);
        Ok((JoinTree::Leaf(leaves.len() - 1), visible))
    }

    pub(super) fn table_factor(
        &mut self,
        t: &ast::TableFactor<'a>,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<(JoinTree, Visible)> {
        if !t.partitions.is_empty() {
            return Err(SqlError::new(ErrorCode::PARTITION_CLAUSE_ON_NONPARTITIONED, &[]));
        }
        let alias = t.alias.unwrap_or(t.name.name).to_owned();
        if t.name.schema.is_none()
            && let Some(at) = self.ctes.iter().rposition(|c| c.name == t.name.name)
            && let Some(cte) = self.ctes.get(at).copied()
        {
            return self.cte_leaf(at, cte, alias, t, leaves);
        }
        let schema = self.schema_of(t.name.schema)?;
        self.record_table(t.name.span, Some(schema.clone()));
        if self.st.keep_uses && self.st.view_stack.len() == 1 {
            self.st.uses.push(crate::plan::Used {
                schema: schema.clone(),
                name: t.name.name.to_owned(),
                alias: alias.clone(),
                in_subquery: self.scopes.len() > 1,
            });
        }
        let verb = match self.st.verb {
            Some((v, depth)) if self.st.via.is_none() && depth == self.scopes.len() => v,
            _ if self.st.view_text && self.st.via.is_none() => Verb::Any,
            _ => Verb::Select,
        };
        match self.relation(&schema, t.name.name, verb)? {
            Resolved::Base(def) => self.base_leaf(&def, schema, alias, t, leaves),
            Resolved::Virtual(v) => self.virtual_leaf(v, schema, alias, t, leaves),
            Resolved::View(view) => self.view_leaf(view, schema, alias, t, leaves),
        }
    }

    /// A name in FROM that is a common table expression's.
    fn cte_leaf(
        &mut self,
        at: usize,
        cte: super::cte::CteDef<'a>,
        alias: String,
        t: &ast::TableFactor<'a>,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<(JoinTree, Visible)> {
        if let Some(rows) = self.working_table(at)? {
            return self.derived_leaf(rows, alias, &[], false, leaves);
        }
        let key = self.key_of(t.name.span);
        self.ask(key);
        let shared = self.shared(cte);
        let source = self.cte(at, cte, &alias)?;
        let key = if cte.many { self.heard(0) } else { self.heard(key) };
        self.record_table(t.name.span, None);
        let place = Place { key, shared, ..Place::default() };
        self.source_leaf(source, alias, cte.columns, None, place, leaves)
    }

    /// A stored table.
    fn base_leaf(
        &mut self,
        def: &Arc<TableDef>,
        schema: String,
        alias: String,
        t: &ast::TableFactor<'a>,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<(JoinTree, Visible)> {
        self.check_reopened(def)?;
        if self.lift && super::generated::has_expressions(def) {
            // literals are compared with those of the table's expressions: they stay constants
            self.lift = false;
            self.draft.notes.uncacheable = true;
        }
        let table = self.use_table(def, &alias, t.name.span);
        if let Some(u) = self.draft.tables.last_mut() {
            u.privileges |= 1;
        }
        let slot = self.new_slot(SlotDef::Table(table))?;
        self.note_read(def, slot, &alias);
        let (allowed, force, ignored, sorts) = index_hints(def, t.hints, &alias)?;
        let columns = base_columns(def, &alias, self.r.names_hidden());
        let kind = LeafKind::Base { table, def: def.clone(), allowed, force, ignored, sorts };
        let leaf = Leaf { slot, alias: alias.clone(), kind, columns: columns.len() };
        self.add_leaf(
            leaf,
            ScopeTable {
                schema: Some(schema),
                alias,
                aliased: t.alias.is_some(),
                slot,
                columns,
                nullable: false,
                merged: None,
                view: None,
            },
            leaves,
        )
    }

    /// A table that is computed when it is read.
    fn virtual_leaf(
        &mut self,
        v: Arc<dyn VirtualTable>,
        schema: String,
        alias: String,
        t: &ast::TableFactor<'a>,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<(JoinTree, Visible)> {
        let def = v.def().clone();
        if def.name == "PROCESSLIST" && def.schema == "information_schema" {
            // a plan that is used again says nothing
            self.draft.notes.uncacheable = true;
            let what = "INFORMATION_SCHEMA.PROCESSLIST";
            let e = SqlError::new(ErrorCode::WARN_DEPRECATED_SYNTAX, &[&what, &"performance_schema.processlist"]);
            let message = e.message().to_owned();
            self.draft.notes.warnings.push(value::Warning { level: value::Level::Warning, code: e.code(), message });
        }
        if v.guarded() {
            self.draft.virtuals.push(VirtualUse { def: def.clone(), via: self.st.via.clone() });
        }
        let slot = self.new_slot(SlotDef::Tuple(def.columns.iter().map(|c| c.ty.clone()).collect()))?;
        let columns = base_columns(&def, &alias, self.r.names_hidden());
        let leaf = Leaf { slot, alias: alias.clone(), kind: LeafKind::Virtual(v), columns: columns.len() };
        self.add_leaf(
            leaf,
            ScopeTable {
                schema: Some(schema),
                alias,
                aliased: t.alias.is_some(),
                slot,
                columns,
                nullable: false,
                merged: None,
                view: None,
            },
            leaves,
        )
    }

    /// A view.
    fn view_leaf(
        &mut self,
        view: Arc<ViewDef>,
        schema: String,
        alias: String,
        t: &ast::TableFactor<'a>,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<(JoinTree, Visible)> {
        let at = self.draft.views.len();
        let key = self.key_of(t.name.span);
        self.ask(key);
        let merge = super::view::merges_always(&view) || self.wants_merge(&alias);
        let source = self.view_source(&view, &alias, super::dml::SELECT, merge)?;
        let place = Place { key: self.heard(key), ..Place::default() };
        let def = view.clone();
        let names: Vec<&str> = def.columns.iter().map(String::as_str).collect();
        let leaf = self.source_leaf(source, alias, &names, Some((schema, view)), place, leaves)?;
        self.note_view(at);
        Ok(leaf)
    }

    fn derived(&mut self, d: &ast::Derived<'a>, leaves: &mut Vec<Leaf>) -> SqlResult<(JoinTree, Visible)> {
        if d.alias.is_empty() {
            return Err(SqlError::new(ErrorCode::DERIVED_MUST_HAVE_ALIAS, &[]));
        }
        let pinning = std::mem::replace(&mut self.pinning, false);
        self.st.select_no += 1;
        let key = std::ptr::from_ref(d.query).addr();
        self.ask(key);
        let first = self.st.ctes;
        let source = if d.lateral {
            self.source(d.query, false)
        } else {
            // tables to the left are not visible; enclosing blocks are
            // FOR UPDATE and FOR SHARE do not lock what a nested query reads, which keeps rows of its own therefore
            let merge = self.wants_merge(d.alias) && !self.st.locking;
            let mut own = self.scopes.pop();
            let b = self.source(d.query, merge);
            if let (Some(s), Ok(b)) = (&mut own, &b) {
                s.correlated |= b.correlated();
            }
            self.scopes.extend(own);
            b
        };
        self.pinning = pinning;
        let source = source?;
        let key = self.heard(key);
        let lateral = d.lateral && source.correlated();
        let place = Place { lateral, key, shared: None, inside: (first, self.st.ctes) };
        self.source_leaf(source, d.alias.to_owned(), d.columns, None, place, leaves)
    }

    /// A key for what a table's name stands for.
    fn key_of(&self, name: ast::Span) -> usize {
        self.sql.as_ptr().addr() + name.start as usize
    }

    /// The rows of a planned query as a table of the scope.
    pub(super) fn derived_leaf(
        &mut self,
        bound: super::BoundQuery,
        alias: String,
        names: &[&str],
        lateral: bool,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<(JoinTree, Visible)> {
        let place = Place { lateral, ..Place::default() };
        self.source_leaf(Source::Planned(Box::new(bound)), alias, names, None, place, leaves)
    }

    /// A query in FROM as a table of the scope: merged, or a leaf that is a derived table.
    fn source_leaf(
        &mut self,
        source: Source,
        alias: String,
        names: &[&str],
        view: Option<(String, Arc<storage::dict::ViewDef>)>,
        place: Place,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<(JoinTree, Visible)> {
        let aliased = view.as_ref().is_none_or(|v| v.1.name != alias);
        let (schema, view) = view.unzip();
        let bound = match source {
            Source::Merged(m) => return self.merged_leaf(*m, alias, names, schema, leaves),
            Source::Planned(b) => *b,
        };
        let mut columns = self.source_columns(&bound.columns, &alias, names, view.as_deref())?;
        for ((c, b), e) in columns.iter_mut().zip(&bound.columns).zip(&bound.plan.items) {
            let extreme = crate::column_origin::grouped(&bound.plan, e).is_some_and(|g| g.is_extreme());
            c.ty = b.stored_type(extreme);
            if let Some(o) = &mut c.origin {
                (o.stored, o.flags) = (true, super::through_temporary::kept_flags(o.flags, c.ty.kind));
            }
        }
        let types = columns.iter().map(|c| c.ty.clone()).collect();
        let slot = self.new_slot(SlotDef::Tuple(types))?;
        let correlated = bound.correlated;
        let Place { lateral, key, shared, inside } = place;
        let (mut plan, within) = (bound.plan, bound.within);
        if lateral {
            let (refs, subs) = (&mut self.draft.lateral_refs, &self.draft.subs);
            crate::visit::query_exprs_mut(&mut plan, &mut |e| {
                e.walk(&mut |x| match x.kind {
                    ExprKind::Column { slot, column } => refs.push((slot, column)),
                    ExprKind::Subquery(id, _) => {
                        refs.extend(subs.get(id as usize).into_iter().flat_map(|s| s.refs.iter().copied()));
                    }
                    _ => {}
                });
            });
        }
        let kind = LeafKind::Derived { query: Some(Box::new(plan)), lateral, correlated, key, shared, inside, within };
        let leaf = Leaf { slot, alias: alias.clone(), kind, columns: columns.len() };
        self.add_leaf(
            leaf,
            ScopeTable { schema, alias, aliased, slot, columns, nullable: false, merged: None, view: None },
            leaves,
        )
    }
}

/// `(t WHERE c)` alone: `c` moves out, into the block's WHERE, or into ON where it is the inner side of an outer join.
pub(super) fn hoisted(tree: JoinTree, conds: &mut Vec<Expr>) -> JoinTree {
    match tree {
        JoinTree::Inner { mut parts, conds: own, straight: false } if parts.len() == 1 => {
            conds.extend(own);
            parts.pop().map_or(JoinTree::Leaf(0), |p| hoisted(p, conds))
        }
        other => other,
    }
}

/// Splits AND into conjuncts.
pub(crate) fn push_conjuncts(e: Expr, out: &mut Vec<Expr>) {
    match e.kind {
        crate::expr::ExprKind::And(list) => list.into_vec().into_iter().for_each(|x| push_conjuncts(x, out)),
        kind => {
            let one = super::expr::temporal_text::number(Expr { kind, ty: e.ty, coer: e.coer });
            crate::block::disjunction::factored(one, out)
        }
    }
}

/// Scope columns of a base table. `hidden`: those that only functional key parts need have their names.
pub(crate) fn base_columns(def: &TableDef, alias: &str, hidden: bool) -> Vec<ScopeColumn> {
    def.columns
        .iter()
        .enumerate()
        .map(|(i, c)| ScopeColumn {
            name: if c.is_hidden() && !hidden { String::new() } else { c.name.clone() },
            ty: c.ty.clone(),
            invisible: c.invisible,
            coer: Coercibility::Implicit,
            origin: Some(Origin {
                schema: def.schema.clone(),
                table: alias.to_owned(),
                org_table: def.name.clone(),
                org_name: c.name.clone(),
                given: String::new(),
                flags: crate::meta::column_flags(def, i),
                computed: false,
                stored: false,
            }),
        })
        .collect()
}

type Hints = (Option<Vec<usize>>, bool, Vec<usize>, Option<Box<[SortIndexes; 2]>>);

fn index_hints(def: &TableDef, hints: &[ast::IndexHint<'_>], alias: &str) -> SqlResult<Hints> {
    let (mut allowed, mut force, mut ignored) = (None::<Vec<usize>>, false, Vec::new());
    let mut sorts: Option<Box<[SortIndexes; 2]>> = None;
    for h in hints {
        let mut list = Vec::new();
        for name in h.indexes {
            // a FULLTEXT index counts for no access path
            match def.index(name) {
                Some(i) => list.push(i),
                None if def.fulltext(name).is_some() => {}
                None => return Err(SqlError::new(ErrorCode::KEY_DOES_NOT_EXITS, &[name, &alias])),
            }
        }
        if h.scope != ast::IndexHintScope::Join {
            let [order, group] = sorts.get_or_insert_default().as_mut();
            for (sort, not) in [(order, ast::IndexHintScope::GroupBy), (group, ast::IndexHintScope::OrderBy)] {
                match h.kind {
                    _ if h.scope == not => {}
                    ast::IndexHintKind::Ignore => sort.ignored.extend(&list),
                    _ => sort.allowed.get_or_insert_default().extend(&list),
                }
            }
        }
        if !matches!(h.scope, ast::IndexHintScope::All | ast::IndexHintScope::Join) {
            continue;
        }
        match h.kind {
            ast::IndexHintKind::Use => allowed.get_or_insert_default().extend(list),
            ast::IndexHintKind::Force => {
                force = true;
                allowed.get_or_insert_default().extend(list);
            }
            ast::IndexHintKind::Ignore => ignored.extend(list),
        }
    }
    Ok((allowed, force, ignored, sorts))
}

impl Scope {
    /// A scope for a block.
    pub(crate) fn block() -> Scope {
        Scope::default()
    }
}
