//! UPDATE: what [`Target`]s it has, and the plan that finds their rows.

use std::sync::Arc;

use crate::resolve::Verb;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use storage::dict::TableDef;

use super::change_order;
use super::dml::{SELECT, UPDATE};
use super::scope::Clause;
use super::{Binder, Scope, unsupported};
use crate::block::{Leaf, LeafKind};
use crate::expr::{Expr, ExprKind, SlotId};
use crate::plan::{Assignment, Body, SlotDef, Target, UpdatePlan};

impl<'a> Binder<'a, '_> {
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
        let verb = if matches!(u.tables, [ast::TableRef::Table(_)]) { Verb::Update } else { Verb::UpdateOrSelect };
        self.st.verb = Some((verb, self.scopes.len()));
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
        let mut slots = self.assigned_slots(u)?;
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
            locked.push(slot);
            targets.push(self.update_target(u, slot, &leaves)?);
        }
        let changed: change_order::Changed =
            targets.iter().map(|(t, d)| (t.slot, change_order::changed_columns(t, d))).collect();
        let told = (fixed, hinted);
        let parts = self.dml_source(tree, leaves, u.where_clause, u.order_by, u.limit, locked, told)?;
        self.check_twice(&targets)?;
        for (t, def) in &targets {
            self.check_not_read(def, (first.unwrap_or(t.slot), multi), t.slot, "UPDATE")?;
        }
        let targets: Vec<Target> = targets.into_iter().map(|t| t.0).collect();
        let defs: Vec<_> = self.draft.tables.iter().map(|t| t.def.clone()).collect();
        let buffered = !parts.order.is_empty()
            || self.meets_cascades()
            || change_order::index_changes(&parts.node, &changed, &defs);
        let at_once = change_order::updated_at_once(&parts.node, &targets, &changed, &defs).filter(|_| multi);
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

    /// Slots of the tables that change, in order of their first assignment.
    fn assigned_slots(&mut self, u: &ast::Update<'a>) -> SqlResult<Vec<SlotId>> {
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
        Ok(slots)
    }

    /// A table that changes, with its assignments and what they lead to.
    fn update_target(
        &mut self,
        u: &ast::Update<'a>,
        slot: SlotId,
        leaves: &[Leaf],
    ) -> SqlResult<(Target, Arc<TableDef>)> {
        let Some(leaf) = leaves.iter().find(|l| l.slot == slot) else {
            return unsupported("UPDATE of an outer column");
        };
        let LeafKind::Base { table, def, .. } = &leaf.kind else {
            let e = SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&leaf.alias, &"UPDATE"]);
            let LeafKind::Virtual(t) = &leaf.kind else { return Err(e) };
            return Err(super::dml::instead(&t.def().schema, &t.def().name, ErrorCode::NON_UPDATABLE_TABLE, e));
        };
        let (table, def) = (*table, def.clone());
        self.need_on_view(slot, UPDATE | SELECT);
        if u.limit.is_some() {
            self.check_view_key(slot, &def, "UPDATE")?;
        }
        if let Some(t) = self.draft.tables.get_mut(table as usize) {
            t.write = true;
            t.privileges |= UPDATE | SELECT;
        }
        let new_slot = self.new_slot(SlotDef::Tuple(def.columns.iter().map(|c| c.ty.clone()).collect()))?;
        let sets = self.assignments(u.assignments, &def, slot, new_slot, None)?;
        let mut stored = self.table_exprs(&def, new_slot)?;
        keep_touched(&mut stored.generated, &sets, &def, new_slot);
        stored.view_checks = self.checks_of_target(slot, new_slot)?;
        Ok((Target { table, slot, sets, stored, new_slot }, def))
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
