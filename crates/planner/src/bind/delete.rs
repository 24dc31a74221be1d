//! DELETE: what [`Target`]s it has, and the plan that finds their rows.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;

use super::change_order;
use super::dml::{DELETE, SELECT};
use super::{Binder, Scope};
use crate::block::{JoinTree, Leaf, LeafKind};
use crate::expr::SlotId;
use crate::plan::{Body, DeletePlan, TableExprs, Target};
use crate::resolve::{Resolved, Verb};

impl<'a> Binder<'a, '_> {
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
                let tree = self.single_target(table, alias, &mut leaves)?;
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
            let (table, slot) = self.delete_target(d, (schema.as_deref(), name), &leaves)?;
            locked.push(slot);
            deleted.extend(self.draft.tables.get(table as usize).map(|t| (t.def.clone(), slot)));
            targets.push(Target { table, slot, sets: vec![], stored: TableExprs::default(), new_slot: 0 });
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
        let defs: Vec<_> = self.draft.tables.iter().map(|t| t.def.clone()).collect();
        let at_once = if multi { change_order::deleted_at_once(&parts.node, &targets, &defs) } else { Vec::new() };
        let buffered = !parts.order.is_empty() || self.meets_cascades() || !change_order::reads_alone(&parts.node);
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

    /// The one table of a DELETE without list: it is read as a FROM clause of its own.
    fn single_target(
        &mut self,
        table: ast::TableName<'a>,
        alias: Option<&'a str>,
        leaves: &mut Vec<Leaf>,
    ) -> SqlResult<JoinTree> {
        if table.schema.is_none() && self.ctes.iter().any(|c| c.name == table.name) {
            return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&table.name, &"DELETE"]));
        }
        let schema = self.schema_of(table.schema)?;
        if let Resolved::Virtual(_) = self.relation(&schema, table.name, Verb::Delete)? {
            self.base_table(&table, Verb::Delete)?;
        }
        self.st.verb = Some((Verb::Delete, self.scopes.len()));
        let factor = ast::TableFactor { name: table, partitions: &[], alias, hints: &[] };
        let (tree, visible) = self.table_factor(&factor, leaves)?;
        self.st.verb = None;
        // DELETE without WHERE reads nothing
        for u in self.draft.tables.iter_mut().filter(|u| u.via.is_none()) {
            u.privileges = 0;
        }
        self.draft.views.iter_mut().filter(|v| v.via.is_none()).for_each(|v| v.privileges = 0);
        self.not_outer_alone("DELETE")?;
        let scope = self.scope()?;
        scope.visible = visible;
        if let Some(v) = scope.tables.first().and_then(|t| t.merged.as_ref()).and_then(|m| m.view.as_ref())
            && (leaves.len() > 1 || scope.tables.first().and_then(|t| t.merged.as_ref()).is_some_and(|m| m.semi.semi))
        {
            return Err(SqlError::new(ErrorCode::VIEW_DELETE_MERGE_VIEW, &[&v.schema, &v.name]));
        }
        Ok(tree)
    }

    /// The table (and its slot) that a name of the statement's list deletes from, which must be one that can be
    /// changed.
    fn delete_target(
        &mut self,
        d: &ast::Delete<'a>,
        (schema, name): (Option<&str>, &str),
        leaves: &[Leaf],
    ) -> SqlResult<(u16, SlotId)> {
        let among = matches!(d.target, ast::DeleteTarget::Multi { .. });
        let at = self
            .scope()?
            .tables
            .iter()
            .position(|t| t.alias == name && schema.is_none_or(|s| t.schema.as_deref() == Some(s)));
        let Some(at) = at else {
            return Err(SqlError::new(ErrorCode::UNKNOWN_TABLE, &[&name, &"MULTI DELETE"]));
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
                return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&name, &"DELETE"]));
            }
            return Err(SqlError::new(ErrorCode::VIEW_DELETE_MERGE_VIEW, &[&v.schema, &v.name]));
        }
        if self.scope()?.tables.get(at).and_then(|t| t.merged.as_ref()).is_some_and(|m| m.view.is_none()) {
            return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&name, &"DELETE"]));
        }
        let leaf = slots.and_then(|s| leaves.iter().find(|l| s.first() == Some(&l.slot)));
        let Some((LeafKind::Base { table, .. }, slot)) = leaf.map(|l| (&l.kind, l.slot)) else {
            return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&name, &"DELETE"]));
        };
        let reads = d.where_clause.is_some() || !d.order_by.is_empty();
        let need = DELETE | if reads { SELECT } else { 0 };
        self.need_on_view(slot, need);
        if d.limit.is_some()
            && let Some(def) = self.draft.tables.get(*table as usize).map(|t| t.def.clone())
        {
            self.check_view_key(slot, &def, "DELETE")?;
        }
        if let Some(t) = self.draft.tables.get_mut(*table as usize) {
            t.write = true;
            t.privileges |= need;
        }
        Ok((*table, slot))
    }
}
