//! UPDATE and DELETE, and what all changes share: the table that is changed, assignments, what is computed with a row. INSERT and REPLACE are
//! in [`super::insert`].

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult, TableId};
use parser::ast;
use storage::dict::{ColumnDefault, TableDef};

use super::from::base_columns;
use super::query::OrderKey;
use super::scope::{Clause, ScopeTable};
use super::{Binder, JoinTree, Leaf, LeafKind, LockClause, Locks, Scope, unsupported};
use crate::expr::{Expr, ExprKind, SlotId};
use crate::opt::joins::Wanted;
use crate::plan::{
    Access, Assignment, Body, DeletePlan, LockMode, LockWait, Node, Scan, SlotDef, SortKey, TableExprs, Target,
    UpdatePlan,
};
use crate::resolve::Resolved;

/// Privilege bits of [`crate::plan::TableUse::privileges`].
pub(crate) const SELECT: u32 = 1;
pub(super) const INSERT: u32 = 2;
pub(super) const UPDATE: u32 = 4;
pub(super) const DELETE: u32 = 8;

impl<'a> Binder<'a, '_> {
    /// The relation of a name; 1142 instead of 1146 and 1049 for who might not use it.
    pub(super) fn relation(&self, schema: &str, name: &str, verb: &str) -> SqlResult<Resolved> {
        self.r.table(schema, name).map_err(|e| {
            let missing = e.is(ErrorCode::NO_SUCH_TABLE) || e.is(ErrorCode::BAD_DB_ERROR);
            self.r.refused(schema, name, verb).filter(|_| missing).unwrap_or(e)
        })
    }

    pub(super) fn base_table(&mut self, name: &ast::TableName<'_>, verb: &str) -> SqlResult<(u16, Arc<TableDef>)> {
        let schema = self.schema_of(name.schema)?;
        match self.relation(&schema, name.name, verb)? {
            Resolved::Base(def) => {
                let t = self.use_table(&def, name.name, name.span);
                if let Some(u) = self.st.tables.last_mut() {
                    u.write = true;
                }
                Ok((t, def))
            }
            Resolved::View(_) => Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&name.name, &verb])),
            Resolved::Virtual(_) => {
                if schema.eq_ignore_ascii_case("information_schema") {
                    let (user, host) = self.r.account();
                    return Err(SqlError::new(
                        ErrorCode::DBACCESS_DENIED_ERROR,
                        &[&user, &host, &"information_schema"],
                    ));
                }
                let (user, host) = self.r.user();
                Err(SqlError::new(ErrorCode::TABLEACCESS_DENIED_ERROR, &[&verb, &user, &host, &name.name]))
            }
        }
    }

    pub(super) fn table_scope(&self, def: &TableDef, alias: &str, slot: SlotId) -> ScopeTable {
        ScopeTable {
            schema: Some(def.schema.clone()),
            alias: alias.to_owned(),
            aliased: alias != def.name,
            slot,
            columns: base_columns(def, alias, false),
            nullable: false,
            merged: None,
            view: None,
        }
    }

    /// Assignments in order; a column assigned before is read from `new_slot` (MySQL evaluates from left to right).
    pub(super) fn assignments(
        &mut self,
        list: &[ast::Assignment<'a>],
        def: &TableDef,
        slot: SlotId,
        new_slot: SlotId,
        only: Option<&[Expr]>,
    ) -> SqlResult<Vec<Assignment>> {
        let _ = only;
        let mut out: Vec<Assignment> = Vec::new();
        for a in list {
            let target = self.assigned_column(&a.column)?;
            let ExprKind::Column { slot: s, column } = target.kind else {
                return Err(SqlError::new(ErrorCode::NONUPDATEABLE_COLUMN, &[&a.column.column]));
            };
            if s != slot {
                continue;
            }
            let mut value = self.stored_operand(&a.value, def, column)?;
            if let Some(c) = def.columns.get(column as usize) {
                self.note_assigned(&value, &c.ty);
            }
            reject_generated(def, column, Some(&value))?;
            let done: Vec<u16> = out.iter().map(|a| a.column).collect();
            redirect(&mut value, slot, new_slot, &done);
            self.hoist(&mut value);
            out.push(Assignment { column, value });
        }
        Ok(out)
    }

    /// Expressions stored with a table, bound to a slot that holds a complete row.
    pub(crate) fn table_exprs(&mut self, def: &TableDef, slot: SlotId) -> SqlResult<TableExprs> {
        let mut out = TableExprs::default();
        let mut scope = Scope::block();
        let t = self.table_scope(def, &def.name, slot);
        scope.visible = (0..t.columns.len()).map(|c| (0, c)).collect();
        scope.tables.push(t);
        let mut list: Vec<(&str, usize, u8)> = Vec::new();
        for (i, c) in def.columns.iter().enumerate() {
            if let ColumnDefault::Expr(text) = &c.default {
                list.push((text, i, 0));
            }
            if let Some(g) = &c.generated {
                list.push((&g.expr, i, 1));
            }
        }
        for (i, c) in def.checks.iter().enumerate() {
            if c.enforced {
                list.push((&c.expr, i, 2));
            }
        }
        if list.is_empty() {
            return Ok(out);
        }
        self.st.built.push((slot, def.columns.iter().map(|c| c.name.as_str().into()).collect()));
        let mut scope = Some(scope);
        for (text, i, what) in list {
            let arena = bumpalo::Bump::new();
            let sql = format!("SELECT {text}");
            let mut lexed = parser::Lexed::new();
            lexed.tokenize(sql.as_bytes(), 0, parser::Mode::default());
            let parsed = parser::parse(&arena, sql.as_bytes(), &mut lexed)?;
            let ast::Statement::Query(ast::QueryExpr { body: ast::QueryBody::Select(s), .. }) = parsed.statement else {
                return unsupported("stored expression");
            };
            let Some(ast::SelectItem::Expr { expr, .. }) = s.items.first() else {
                return unsupported("stored expression");
            };
            let mut b = Binder {
                split: Default::default(),
                requests: Vec::new(),
                answers: Vec::new(),
                r: self.r,
                switch: self.switch,
                sql: sql.as_bytes(),
                tcx: self.tcx,
                mode: self.mode,
                lift: false,
                param_types: &[],
                peek: &[],
                peeked: Default::default(),
                st: std::mem::take(&mut self.st),
                scopes: scope.take().into_iter().collect(),
                ctes: Vec::new(),
                working: Vec::new(),
                hinted: Vec::new(),
                blocks: Vec::new(),
                told: Default::default(),
                below: Vec::new(),
                pinning: false,
                fence: 0,
                shared: Vec::new(),
                source: Default::default(),
                values_slot: None,
                insert_slots: Vec::new(),
                view_schema: Some(def.schema.clone()),
                nullable_side: false,
                rec: None,
            };
            let multi = what == 1 && def.columns.get(i).is_some_and(|c| c.elements.is_some());
            let e = match &expr.unparen().kind {
                // what is cast; the elements are made when the value is stored
                ast::ExprKind::Cast(c) if multi && c.array => b.scalar(&c.expr),
                _ if multi => unsupported("stored expression"),
                _ => b.scalar(expr),
            };
            scope = b.scopes.pop();
            self.st = b.st;
            let e = e?;
            match what {
                0 => out.defaults.push((i as u16, e)),
                1 => out.generated.push((i as u16, e)),
                _ => out.checks.push((def.checks.get(i).map_or("", |c| &c.name).into(), e)),
            }
        }
        Ok(out)
    }

    /// UPDATE, one table or several.
    pub(crate) fn update(&mut self, u: &ast::Update<'a>) -> SqlResult<Body> {
        let ctes = self.ctes.len();
        self.push_ctes(u.with)?;
        self.scopes.push(Scope::block());
        let r = self.update_in_scope(u).map_err(|e| self.met_first(u, e));
        self.scopes.pop();
        self.ctes.truncate(ctes);
        r
    }

    /// MySQL resolves WHERE before SET, so an unknown column there is told of first. (SET is bound first here: query blocks are numbered in the
    /// order of the text.)
    fn met_first(&mut self, u: &ast::Update<'a>, e: SqlError) -> SqlError {
        let in_where = |b: &mut Self| {
            b.scope()?.clause = Some(Clause::Where);
            u.where_clause.map_or(Ok(()), |w| b.scalar(w).map(drop))
        };
        match e.code() == ErrorCode::BAD_FIELD_ERROR.number() {
            true => in_where(self).err().unwrap_or(e),
            false => e,
        }
    }

    /// 1044 for an UPDATE of information_schema alone.
    fn no_system_target(&self, leaves: &[Leaf]) -> SqlResult<()> {
        match leaves {
            [Leaf { kind: LeafKind::Virtual(t), .. }] if t.def().schema == "information_schema" => {
                let (user, host) = self.r.account();
                Err(SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[&user, &host, &"information_schema"]))
            }
            _ => Ok(()),
        }
    }

    fn update_in_scope(&mut self, u: &ast::Update<'a>) -> SqlResult<Body> {
        self.st.dml = true;
        let mut leaves = Vec::new();
        self.st.verb = (u.tables.len() == 1).then_some("UPDATE");
        let tree = self.from(u.tables, &mut leaves)?;
        self.st.verb = None;
        self.no_system_target(&leaves)?;
        let (fixed, hinted) = self.dml_hints(u.hints, &mut leaves)?;
        let multi = leaves.len() > 1;
        let several = match self.scope()?.tables.as_slice() {
            [t] => t.merged.as_ref().is_some_and(|m| m.view.is_some() && m.semi.semi),
            _ => true,
        };
        if (several || multi) && (!u.order_by.is_empty() || u.limit.is_some()) {
            let what = if u.order_by.is_empty() { "LIMIT" } else { "ORDER BY" };
            return Err(SqlError::new(ErrorCode::WRONG_USAGE, &[&"UPDATE", &what]));
        }
        self.scope()?.clause = Some(Clause::Fields);
        // targets by slot in order of first assignment
        let mut slots: Vec<SlotId> = Vec::new();
        for a in u.assignments {
            let ExprKind::Column { slot, .. } = self.assigned_column(&a.column)?.kind else {
                return Err(SqlError::new(ErrorCode::NONUPDATEABLE_COLUMN, &[&a.column.column]));
            };
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
        // a derived table or CTE is not changed, even if it is merged
        for t in &self.scope()?.tables {
            if let Some(m) = t.merged.as_ref().filter(|m| m.view.is_none())
                && slots.iter().any(|s| m.slots.contains(s))
            {
                return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&t.alias, &"UPDATE"]));
            }
        }
        // they are changed in the order of FROM
        let mut joined = Vec::new();
        tree.iter().for_each(|t| t.leaves(&mut joined));
        let mut outer = Vec::new();
        tree.iter().for_each(|t| t.lacking(false, &mut outer));
        let outer: Vec<SlotId> = outer.iter().filter_map(|i| leaves.get(*i)).map(|l| l.slot).collect();
        slots.sort_by_key(|s| joined.iter().position(|i| leaves.get(*i).is_some_and(|l| l.slot == *s)));
        // of several tables it is the first that 1093 is about, whichever is read
        let first = if multi { joined.first().and_then(|i| leaves.get(*i)).map(|l| l.slot) } else { None };
        self.not_outer_alone("UPDATE")?;
        self.one_table_per_view(&slots)?;
        let mut targets = Vec::new();
        let mut locked = Vec::new();
        for slot in slots {
            let Some(leaf) = leaves.iter().find(|l| l.slot == slot) else {
                return unsupported("UPDATE of an outer column");
            };
            let LeafKind::Base { table, def, .. } = &leaf.kind else {
                return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&leaf.alias, &"UPDATE"]));
            };
            let (table, def) = (*table, def.clone());
            locked.push(slot);
            self.need_on_view(slot, UPDATE | SELECT);
            if u.limit.is_some() {
                self.check_view_key(slot, &def, "UPDATE")?;
            }
            if let Some(t) = self.st.tables.get_mut(table as usize) {
                t.write = true;
                t.privileges |= UPDATE | SELECT;
            }
            let new_slot = self.new_slot(SlotDef::Tuple(def.columns.iter().map(|c| c.ty.clone()).collect()))?;
            let sets = self.assignments(u.assignments, &def, slot, new_slot, None)?;
            let mut stored = self.table_exprs(&def, new_slot)?;
            keep_touched(&mut stored.generated, &sets, &def, new_slot);
            stored.view_checks = self.checks_of_target(slot, new_slot)?;
            targets.push((Target { table, slot, sets, stored, new_slot }, def));
        }
        let changed: Vec<(SlotId, Vec<u16>)> = targets.iter().map(|(t, d)| (t.slot, changed_columns(t, d))).collect();
        let told = (fixed, hinted);
        let parts = self.dml_source(tree, leaves, u.where_clause, u.order_by, u.limit, locked, told)?;
        self.check_twice(&targets)?;
        for (t, def) in &targets {
            self.check_not_read(def, (first.unwrap_or(t.slot), multi), t.slot, "UPDATE")?;
        }
        let targets: Vec<Target> = targets.into_iter().map(|t| t.0).collect();
        let buffered = multi
            || !parts.order.is_empty()
            || self.meets_cascades()
            || index_changes(&parts.node, &changed, &self.st.tables.iter().map(|t| t.def.clone()).collect::<Vec<_>>());
        let defs: Vec<_> = self.st.tables.iter().map(|t| t.def.clone()).collect();
        let at_once = read_first(&parts.node)
            .filter(|s| read_once(s, &defs) && !scan_changes(s, &changed, &defs))
            .map(|s| s.slot);
        let mut slots = Vec::new();
        crate::visit::slots_of(&parts.node, &mut slots);
        Ok(Body::Update(Box::new(UpdatePlan {
            source: parts.node,
            targets,
            ignore: u.ignore,
            buffered,
            order: parts.order,
            limit: parts.limit,
            slots,
            multi,
            at_once,
            outer,
        })))
    }

    /// DELETE, one table or several.
    pub(crate) fn delete(&mut self, d: &ast::Delete<'a>) -> SqlResult<Body> {
        let ctes = self.ctes.len();
        self.push_ctes(d.with)?;
        self.scopes.push(Scope::block());
        let r = self.delete_in_scope(d);
        self.scopes.pop();
        self.ctes.truncate(ctes);
        r
    }

    fn delete_in_scope(&mut self, d: &ast::Delete<'a>) -> SqlResult<Body> {
        self.st.dml = true;
        let mut leaves = Vec::new();
        let (tree, names): (Option<JoinTree>, Vec<(Option<String>, String)>) = match d.target {
            ast::DeleteTarget::Single { table, alias, partitions } => {
                if !partitions.is_empty() {
                    return Err(SqlError::new(ErrorCode::PARTITION_CLAUSE_ON_NONPARTITIONED, &[]));
                }
                if table.schema.is_none() && self.ctes.iter().any(|c| c.name == table.name) {
                    return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&table.name, &"DELETE"]));
                }
                let schema = self.schema_of(table.schema)?;
                if let Resolved::Virtual(_) = self.relation(&schema, table.name, "DELETE")? {
                    self.base_table(&table, "DELETE")?;
                }
                let factor = ast::TableFactor { name: table, partitions: &[], alias, hints: &[] };
                let (tree, visible) = self.table_factor(&factor, &mut leaves)?;
                // DELETE without WHERE reads nothing
                for u in self.st.tables.iter_mut().filter(|u| u.via.is_none()) {
                    u.privileges = 0;
                }
                self.st.views.iter_mut().filter(|v| v.via.is_none()).for_each(|v| v.privileges = 0);
                self.not_outer_alone("DELETE")?;
                let scope = self.scope()?;
                scope.visible = visible;
                if let Some(v) = scope.tables.first().and_then(|t| t.merged.as_ref()).and_then(|m| m.view.as_ref())
                    && (leaves.len() > 1
                        || scope.tables.first().and_then(|t| t.merged.as_ref()).is_some_and(|m| m.semi.semi))
                {
                    return Err(SqlError::new(ErrorCode::VIEW_DELETE_MERGE_VIEW, &[&v.schema, &v.name]));
                }
                (Some(tree), vec![(None, alias.unwrap_or(table.name).to_owned())])
            }
            ast::DeleteTarget::Multi { tables, from } => {
                let names = super::multi_delete::targets(tables, from, self.r.current_schema())?;
                (self.from(from, &mut leaves)?, names)
            }
        };
        let among = matches!(d.target, ast::DeleteTarget::Multi { .. });
        let multi = leaves.len() > 1 || among;
        if multi && (!d.order_by.is_empty() || d.limit.is_some()) {
            return Err(SqlError::new(ErrorCode::WRONG_USAGE, &[&"DELETE", &"ORDER BY"]));
        }
        let (mut targets, mut locked, mut deleted) = (Vec::new(), Vec::new(), Vec::new());
        for (schema, name) in &names {
            let at = self
                .scope()?
                .tables
                .iter()
                .position(|t| t.alias == *name && schema.as_ref().is_none_or(|s| t.schema.as_ref() == Some(s)));
            let Some(at) = at else {
                return Err(SqlError::new(ErrorCode::UNKNOWN_TABLE, &[name, &"MULTI DELETE"]));
            };
            let slots = self.scope()?.tables.get(at).map(|t| match &t.merged {
                Some(m) => m.slots.clone(),
                None => vec![t.slot],
            });
            if let Some(m) = self.scope()?.tables.get(at).and_then(|t| t.merged.as_ref())
                && let semi = m.semi.and(m.own_semi)
                && let (Some(v), true) = (&m.view, m.slots.len() > 1 || (among && (semi.semi || semi.anti)))
            {
                if m.outer || semi.anti {
                    return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[name, &"DELETE"]));
                }
                return Err(SqlError::new(ErrorCode::VIEW_DELETE_MERGE_VIEW, &[&v.schema, &v.name]));
            }
            if self.scope()?.tables.get(at).and_then(|t| t.merged.as_ref()).is_some_and(|m| m.view.is_none()) {
                return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[name, &"DELETE"]));
            }
            let leaf = slots.and_then(|s| leaves.iter().find(|l| s.first() == Some(&l.slot)));
            let Some((LeafKind::Base { table, .. }, slot)) = leaf.map(|l| (&l.kind, l.slot)) else {
                return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[name, &"DELETE"]));
            };
            let need = DELETE | if d.where_clause.is_some() { SELECT } else { 0 };
            self.need_on_view(slot, need);
            if d.limit.is_some()
                && let Some(def) = self.st.tables.get(*table as usize).map(|t| t.def.clone())
            {
                self.check_view_key(slot, &def, "DELETE")?;
            }
            if let Some(t) = self.st.tables.get_mut(*table as usize) {
                t.write = true;
                t.privileges |= need;
            }
            locked.push(slot);
            deleted.extend(self.st.tables.get(*table as usize).map(|t| (t.def.clone(), slot)));
            targets.push(Target { table: *table, slot, sets: vec![], stored: TableExprs::default(), new_slot: 0 });
        }
        // they are changed in the order of FROM
        let mut joined = Vec::new();
        tree.iter().for_each(|t| t.leaves(&mut joined));
        let place = |s: SlotId| joined.iter().position(|i| leaves.get(*i).is_some_and(|l| l.slot == s));
        targets.sort_by_key(|t| place(t.slot));
        deleted.sort_by_key(|d| place(d.1));
        let told = self.dml_hints(d.hints, &mut leaves)?;
        let parts = self.dml_source(tree, leaves, d.where_clause, d.order_by, d.limit, locked, told)?;
        for (def, slot) in deleted {
            self.check_not_read(&def, (slot, multi), slot, "DELETE")?;
        }
        let buffered = multi || !parts.order.is_empty() || self.meets_cascades() || !reads_alone(&parts.node);
        let defs: Vec<_> = self.st.tables.iter().map(|t| t.def.clone()).collect();
        let alone = targets.iter().all(|t| defs.get(t.table as usize).is_some_and(|d| times(d.id, &defs) == 1));
        let at_once = read_first(&parts.node).filter(|_| alone).map(|s| s.slot);
        Ok(Body::Delete(Box::new(DeletePlan {
            source: parts.node,
            targets,
            ignore: d.ignore,
            buffered,
            order: parts.order,
            limit: parts.limit,
            multi,
            at_once,
        })))
    }

    /// 1706: a table that is updated under two names (of views, where they are merged), its primary key under one of them.
    fn check_twice(&self, targets: &[(Target, Arc<TableDef>)]) -> SqlResult<()> {
        let moves = |t: &Target, def: &TableDef| {
            let key = def.primary_key().unwrap_or(&[]);
            t.sets.iter().any(|a| key.iter().any(|p| p.column == a.column))
        };
        for (i, (a, def)) in targets.iter().enumerate() {
            for (b, other) in targets.iter().skip(i + 1).filter(|(_, o)| o.id == def.id) {
                if moves(a, def) || moves(b, other) {
                    let name = |t: &Target| self.top_table(t.slot).map_or("", |t| t.alias.as_str());
                    return Err(SqlError::new(ErrorCode::MULTI_UPDATE_KEY_CONFLICT, &[&name(a), &name(b)]));
                }
            }
        }
        Ok(())
    }

    /// Whether a subquery of this statement may read rows that cascades of its foreign keys change: which rows there are to change is found out
    /// before the first one is.
    fn meets_cascades(&self) -> bool {
        let tables = &self.st.tables;
        tables.len() > 1 && tables.iter().any(|t| t.write && !t.def.referenced_by.is_empty())
    }

    #[allow(clippy::too_many_arguments)]
    fn dml_source(
        &mut self,
        tree: Option<JoinTree>,
        leaves: Vec<Leaf>,
        where_clause: Option<&ast::Expr<'a>>,
        order_by: &[ast::OrderItem<'a>],
        limit: Option<&ast::Limit<'a>>,
        locked: Vec<SlotId>,
        (fixed, hinted): (bool, super::hints::Order),
    ) -> SqlResult<DmlSource> {
        let (mut conds, mut semi) = (Vec::new(), Vec::new());
        if let Some(w) = where_clause {
            self.scope()?.clause = Some(Clause::Where);
            let join = order_by.is_empty() && limit.is_none();
            semi = self.where_clause(w, &leaves, join, &mut conds)?;
        }
        self.scope()?.clause = Some(Clause::Order);
        let order: Vec<OrderKey> = self.order_keys(order_by, &[])?;
        let wanted = Wanted {
            order: order.iter().map(|k| (k.expr.clone(), k.desc)).collect(),
            limit: limit.map(|_| 100.0),
            ..Wanted::default()
        };
        let own: Vec<(SlotId, u16)> = leaves.iter().map(|l| (l.slot, l.columns as u16)).collect();
        let mut leaves = leaves;
        let tree = tree.map(|t| super::semi::joined(t, semi, &mut leaves));
        // a changed row is needed as a whole
        let mut needed = {
            let roots: Vec<&Expr> = conds.iter().chain(order.iter().map(|k| &k.expr)).collect();
            crate::opt::needed::columns(self, &roots, tree.as_ref())
        };
        for (slot, columns) in own {
            needed.entry(slot).or_default().extend(0..columns);
        }
        let clause = LockClause { mode: LockMode::Update, wait: LockWait::Wait, of: None, slots: Some(locked) };
        let locks = Locks { clauses: vec![clause] };
        self.hinted = hinted;
        let j = self.plan_joins(tree, leaves, conds, &wanted, &locks, &needed, fixed)?;
        let mut node = j.node;
        let count = match limit {
            Some(l) => {
                if l.offset.is_some() {
                    return unsupported("OFFSET in UPDATE or DELETE");
                }
                Some(self.scalar(&l.count)?)
            }
            None => None,
        };
        if j.ordered || order.is_empty() {
            if let Some(count) = count {
                node = Node::Limit { input: Box::new(node), offset: None, count };
            }
            return Ok(DmlSource { node, order: vec![], limit: None });
        }
        let order = order.into_iter().map(|k| SortKey { expr: k.expr, desc: k.desc }).collect();
        Ok(DmlSource { node, order, limit: count })
    }
}

/// Whether the rows to be changed come from a scan of their table, not from a join with subqueries.
fn reads_alone(n: &Node) -> bool {
    match n {
        Node::Scan(_) | Node::Empty | Node::Dual => true,
        Node::Filter { input, .. } | Node::Limit { input, .. } => reads_alone(input),
        _ => false,
    }
}

/// The base table that a join reads first.
fn read_first(n: &Node) -> Option<&Scan> {
    match n {
        Node::Scan(s) => Some(s),
        Node::Filter { input, .. }
        | Node::Limit { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. } => read_first(input),
        Node::NestedLoop { outer, .. } | Node::HashJoin { outer, .. } => read_first(outer),
        _ => None,
    }
}

/// How many of a statement's tables are this one.
fn times(table: TableId, tables: &[Arc<TableDef>]) -> usize {
    tables.iter().filter(|t| t.id == table).count()
}

/// Whether a statement reads the table of a scan nowhere else.
fn read_once(s: &Scan, tables: &[Arc<TableDef>]) -> bool {
    tables.get(s.table as usize).is_some_and(|t| times(t.id, tables) == 1)
}

struct DmlSource {
    node: Node,
    order: Vec<SortKey>,
    limit: Option<Expr>,
}

/// Leaves the generated columns that read what UPDATE assigns: the others stay, whatever their expressions would say now.
fn keep_touched(generated: &mut Vec<(u16, Expr)>, sets: &[Assignment], def: &TableDef, slot: SlotId) {
    let mut changed: Vec<u16> = sets.iter().map(|a| a.column).collect();
    changed.extend(def.columns.iter().enumerate().filter(|(_, c)| c.on_update_now).map(|(i, _)| i as u16));
    generated.retain(|(c, e)| {
        let reads =
            |e: &Expr| matches!(e.kind, ExprKind::Column { slot: s, column } if s == slot && changed.contains(&column));
        let touched = e.any(&mut |e| reads(e));
        if touched {
            changed.push(*c);
        }
        touched
    });
}

/// 3105: a generated column takes DEFAULT only.
pub(super) fn reject_generated(def: &TableDef, column: u16, value: Option<&Expr>) -> SqlResult<()> {
    let Some(c) = def.columns.get(column as usize) else { return Ok(()) };
    if c.generated.is_none() || value.is_some_and(|v| matches!(v.kind, ExprKind::DefaultValue)) {
        return Ok(());
    }
    Err(SqlError::with_message(
        ErrorCode::NON_DEFAULT_VALUE_FOR_GENERATED_COLUMN,
        format!("The value specified for generated column '{}' in table '{}' is not allowed.", c.name, def.name),
    ))
}

/// Reads of columns that were assigned before go to the new row.
fn redirect(e: &mut Expr, slot: SlotId, new_slot: SlotId, done: &[u16]) {
    if let ExprKind::Column { slot: s, column } = &mut e.kind {
        if *s == slot && done.contains(column) {
            *s = new_slot;
        }
        return;
    }
    e.children_mut(&mut |c| redirect(c, slot, new_slot, done));
}

/// Columns an UPDATE may change: assigned ones, ON UPDATE CURRENT_TIMESTAMP, generated.
fn changed_columns(t: &Target, def: &TableDef) -> Vec<u16> {
    let mut v: Vec<u16> = t.sets.iter().map(|a| a.column).collect();
    v.extend(
        def.columns.iter().enumerate().filter(|(_, c)| c.on_update_now || c.generated.is_some()).map(|(i, _)| i as u16),
    );
    v
}

/// Whether some scan runs over an index whose keys the statement changes (a changed row could be met again).
fn index_changes(n: &Node, changed: &[(SlotId, Vec<u16>)], tables: &[Arc<TableDef>]) -> bool {
    match n {
        Node::Scan(s) => scan_changes(s, changed, tables),
        Node::Filter { input, .. } | Node::Limit { input, .. } => index_changes(input, changed, tables),
        Node::Empty | Node::Dual => false,
        _ => true,
    }
}

fn scan_changes(s: &Scan, changed: &[(SlotId, Vec<u16>)], tables: &[Arc<TableDef>]) -> bool {
    let Some((_, cols)) = changed.iter().find(|c| c.0 == s.slot) else { return false };
    if matches!(s.access, Access::Point(_)) {
        return false;
    }
    let Some(def) = tables.get(s.table as usize) else { return true };
    let hit = |i: usize| def.indexes.get(i).is_some_and(|ix| ix.parts.iter().any(|p| cols.contains(&p.column)));
    // equality on the changed key cannot meet the row again unless it stays equal, but several ranges can
    hit(s.index as usize) || hit(0)
}
