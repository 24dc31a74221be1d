//! The table that INSERT, UPDATE and DELETE change when they name a view, and WITH CHECK OPTION.
//!
//! A view is changed through its merged form: a column of it that is a plain column of a base table is that column. What
//! cannot be merged cannot be changed (1288, 1471), nor can rows be put into one with outer joins. Of a view over several tables a statement changes one (1393, 1394,
//! 1395). The conditions of WITH CHECK OPTION are evaluated on the new row, so they may read the changed table only; a
//! condition over several tables answers 1235.

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use storage::dict::{IndexKind, TableDef, ViewDef};

use super::merge_derived::{MergedTable, Source};
use super::scope::{ScopeTable, same_name, written};
use super::{Binder, unsupported};
use crate::block::LeafKind;
use crate::expr::{Expr, ExprKind, SlotId};
use crate::func::FuncId;
use crate::plan::{SlotDef, ViewCheck};
use crate::resolve::{Resolved, Verb};

/// The base table an INSERT writes.
pub(crate) struct InsertTarget {
    /// Index into the statement's tables.
    pub(crate) table: u16,
    pub(crate) def: Arc<TableDef>,
    /// Slot of the table's rows.
    pub(crate) slot: SlotId,
    /// Column names of the view with the base columns; `None`: the table itself is named.
    pub(crate) names: Option<Vec<(String, u16)>>,
    /// The view and its conditions, over `slot`.
    pub(crate) view: Option<(Arc<ViewDef>, Vec<Expr>, u32)>,
    /// Slots of the view's other tables.
    pub(crate) absent: Vec<SlotId>,
    /// Position among the statement's views.
    pub(crate) view_at: Option<usize>,
    /// Name of the base table where the view names it, or of the table itself.
    pub(crate) alias: String,
    /// The view's conditions, over `slot`: rows that do not meet them cannot be seen through it.
    pub(crate) visible: Vec<Expr>,
}

impl InsertTarget {
    /// Base column of a name: 1054.
    pub(crate) fn column(&self, c: &ast::ColumnRef<'_>) -> SqlResult<u16> {
        let found = match &self.names {
            None => self.def.named_column(c.column).map(|i| i as u16),
            Some(list) => list.iter().find(|n| same_name(&n.0, c.column)).map(|n| n.1),
        };
        found.ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&written(c), &"field list"]))
    }

    /// All columns that an INSERT without a list fills.
    pub(crate) fn columns(&self) -> Vec<u16> {
        match &self.names {
            Some(list) => list.iter().map(|n| n.1).collect(),
            None => {
                let visible = self.def.columns.iter().enumerate().filter(|(_, c)| !c.invisible);
                visible.map(|(i, _)| i as u16).collect()
            }
        }
    }

    /// Gives the columns of the table in a scope the names they have in the view.
    pub(crate) fn rename(&self, t: &mut ScopeTable) {
        let Some(list) = &self.names else { return };
        for (i, c) in t.columns.iter_mut().enumerate() {
            c.name = list.iter().find(|n| n.1 as usize == i).map_or(String::new(), |n| n.0.clone());
        }
    }
}

/// The columns of a view as (name, slot, column): each must be a column of a table, and none stand twice.
fn view_columns(
    i: &ast::Insert<'_>,
    named: Vec<String>,
    exprs: &[Expr],
    not_insertable: impl Fn() -> SqlError,
) -> SqlResult<Vec<(String, SlotId, u16)>> {
    let mut all: Vec<(String, SlotId, u16)> = Vec::new();
    for (name, e) in named.into_iter().zip(exprs) {
        let ExprKind::Column { slot, column } = stored(e.clone()).kind else {
            // one that the statement writes is told by its name
            let wanted = i.columns.is_empty() || i.columns.iter().any(|c| same_name(c.column, &name));
            return Err(if wanted {
                SqlError::new(ErrorCode::NONUPDATEABLE_COLUMN, &[&name])
            } else {
                not_insertable()
            });
        };
        if all.iter().any(|a| a.1 == slot && a.2 == column) {
            return Err(not_insertable());
        }
        all.push((name, slot, column));
    }
    Ok(all)
}

impl<'a> Binder<'a, '_> {
    /// What INSERT or REPLACE writes. 1471, 1393, 1394, 1348.
    pub(crate) fn insert_target(&mut self, i: &ast::Insert<'a>, privileges: u32) -> SqlResult<InsertTarget> {
        let verb = if i.replace { "REPLACE" } else { "INSERT" };
        let schema = self.schema_of(i.table.schema)?;
        let what = match i.replace {
            true => Verb::Replace,
            false if !i.on_duplicate.is_empty() => Verb::InsertOrUpdate,
            false => Verb::Insert,
        };
        let Resolved::View(view) = self.relation(&schema, i.table.name, what)? else {
            return self.table_target(i, what, privileges);
        };
        let not_insertable = || SqlError::new(ErrorCode::NON_INSERTABLE_TABLE, &[&i.table.name, &verb]);
        let at = self.draft.views.len();
        let Source::Merged(m) = self.view_source(&view, i.table.name, privileges, true)? else {
            return Err(not_insertable());
        };
        if m.table.lefts > 0 || m.table.semi.anti {
            return Err(SqlError::new(ErrorCode::NON_INSERTABLE_TABLE, &[&i.table.name, &"INSERT"]));
        }
        let several = m.leaves.len() > 1 || m.table.semi.semi;
        // a join without a list of columns is said first
        if i.replace && several && !i.columns.is_empty() {
            return Err(SqlError::new(ErrorCode::VIEW_DELETE_MERGE_VIEW, &[&view.schema, &view.name]));
        }
        let named: Vec<String> = match view.columns.is_empty() {
            true => m.columns.iter().map(|c| c.name.clone()).collect(),
            false => view.columns.clone(),
        };
        if let Some(v) = self.draft.views.get_mut(at) {
            v.names.clone_from(&named);
        }
        let all = view_columns(i, named, &m.table.exprs, not_insertable)?;
        if several && i.columns.is_empty() {
            return Err(SqlError::new(ErrorCode::VIEW_NO_INSERT_FIELD_LIST, &[&view.schema, &view.name]));
        }
        let mut slot = m.leaves.first().map(|l| l.slot);
        for (n, c) in i.columns.iter().enumerate() {
            let hit = all.iter().find(|a| same_name(&a.0, c.column));
            let hit = hit.ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&written(c), &"field list"]))?;
            if n > 0 && slot != Some(hit.1) {
                return Err(SqlError::new(ErrorCode::VIEW_MULTIUPDATE, &[&view.schema, &view.name]));
            }
            slot = Some(hit.1);
        }
        let leaf = m.leaves.iter().find(|l| Some(l.slot) == slot).ok_or_else(not_insertable)?;
        let LeafKind::Base { table, def, .. } = &leaf.kind else { return Err(not_insertable()) };
        let (table, def, slot, alias) = (*table, def.clone(), leaf.slot, leaf.alias.clone());
        if let Some(u) = self.draft.tables.get_mut(table as usize) {
            u.write = true;
            u.privileges = privileges;
        }
        let absent = m.table.slots.iter().copied().filter(|s| *s != slot).collect();
        let names: Vec<(String, u16)> = all.into_iter().filter(|a| a.1 == slot).map(|a| (a.0, a.2)).collect();
        Ok(InsertTarget {
            table,
            def,
            slot,
            names: Some(names),
            view: Some((view, m.table.checks, m.table.instance)),
            absent,
            view_at: Some(at),
            alias,
            visible: m.table.conds,
        })
    }

    /// A stored table as the target.
    fn table_target(&mut self, i: &ast::Insert<'a>, what: Verb, privileges: u32) -> SqlResult<InsertTarget> {
        let (table, def) = self.base_table(&i.table, what)?;
        if let Some(u) = self.draft.tables.get_mut(table as usize) {
            u.privileges = privileges;
        }
        let slot = self.new_slot(SlotDef::Table(table))?;
        Ok(InsertTarget {
            table,
            def,
            slot,
            names: None,
            view: None,
            absent: Vec::new(),
            view_at: None,
            alias: i.table.name.to_owned(),
            visible: Vec::new(),
        })
    }

    /// The conditions of a view's CHECK OPTION, moved from the table's slot onto that of the new row where they read nothing else.
    /// `absent`: tables of the view that have no row when the condition is tested (INSERT).
    pub(crate) fn view_checks(
        &mut self,
        view: &ViewDef,
        checks: &[Expr],
        slot: SlotId,
        new_slot: SlotId,
        absent: &[SlotId],
    ) -> SqlResult<Vec<ViewCheck>> {
        let name: Box<str> = format!("{}.{}", view.schema, view.name).into();
        let mut out = Vec::new();
        for c in checks {
            let (mut other, mut missing) = (false, false);
            c.walk(&mut |x| match &x.kind {
                ExprKind::Column { slot: s, .. } => {
                    other |= *s != slot;
                    missing |= absent.contains(s);
                }
                ExprKind::Subquery(id, _) => {
                    let Some(sub) = self.draft.subs.get(*id as usize) else { return };
                    other |= sub.correlated;
                    missing |= sub.refs.iter().any(|r| absent.contains(&r.0));
                }
                _ => {}
            });
            if missing {
                // MySQL tests it with what its buffers happen to hold of the other tables
                return unsupported("INSERT through a view WITH CHECK OPTION over several tables");
            }
            let through = other.then_some(slot);
            let mut condition = c.clone();
            if through.is_none() {
                moved(&mut condition, slot, new_slot);
            }
            self.draft.hoist(&mut condition);
            out.push(ViewCheck { view: name.clone(), condition, through });
        }
        Ok(out)
    }

    /// CHECK OPTION of the view in scope that the table in `slot` is changed through.
    pub(crate) fn checks_of_target(&mut self, slot: SlotId, new_slot: SlotId) -> SqlResult<Vec<ViewCheck>> {
        let found = self.view_of(slot).and_then(|m| m.view.clone().map(|v| (v, m.checks.clone())));
        match found {
            Some((view, checks)) => self.view_checks(&view, &checks, slot, new_slot, &[]),
            None => Ok(Vec::new()),
        }
    }

    /// The merged view in scope that holds the table in `slot`.
    pub(crate) fn view_of(&self, slot: SlotId) -> Option<&MergedTable> {
        let scope = self.scopes.last()?;
        scope.tables.iter().filter_map(|t| t.merged.as_deref()).find(|m| m.view.is_some() && m.slots.contains(&slot))
    }

    /// 1288 for a statement that names nothing but a view with an outer join.
    pub(crate) fn not_outer_alone(&self, verb: &str) -> SqlResult<()> {
        let Some(scope) = self.scopes.last() else { return Ok(()) };
        match scope.tables.as_slice() {
            [t] if t.merged.as_ref().is_some_and(|m| m.view.is_some() && (m.outer || m.semi.anti)) => {
                Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&t.alias, &verb]))
            }
            _ => Ok(()),
        }
    }

    /// 1393 when several tables of one view would be changed.
    pub(crate) fn one_table_per_view(&self, slots: &[SlotId]) -> SqlResult<()> {
        let Some(scope) = self.scopes.last() else { return Ok(()) };
        for m in scope.tables.iter().filter_map(|t| t.merged.as_deref()) {
            if let Some(v) = &m.view
                && slots.iter().filter(|s| m.slots.contains(s)).count() > 1
            {
                return Err(SqlError::new(ErrorCode::VIEW_MULTIUPDATE, &[&v.schema, &v.name]));
            }
        }
        Ok(())
    }

    /// LIMIT on a view that does not show a whole key of the table it changes, nor all its columns: note 1355, or 1288 with
    /// `updatable_views_with_limit` NO.
    pub(crate) fn check_view_key(&mut self, slot: SlotId, def: &TableDef, verb: &str) -> SqlResult<()> {
        let Some((m, view)) = self.view_of(slot).and_then(|m| Some((m, m.view.clone()?))) else { return Ok(()) };
        let shown: Vec<u16> = m
            .exprs
            .iter()
            .filter_map(|e| match e.kind {
                ExprKind::Column { slot: s, column } if s == slot => Some(column),
                _ => None,
            })
            .collect();
        let not_null = |c: u16| def.columns.get(usize::from(c)).is_some_and(|c| !c.ty.nullable);
        let is_key = |i: &storage::dict::IndexDef| {
            matches!(i.kind, IndexKind::Primary | IndexKind::Unique)
                && !i.parts.is_empty()
                && i.parts.iter().all(|p| not_null(p.column) && shown.contains(&p.column))
        };
        let all = (0u16..).zip(&def.columns).all(|(n, c)| c.is_hidden() || shown.contains(&n));
        if all || def.indexes.iter().any(is_key) {
            return Ok(());
        }
        if self.r.setting("updatable_views_with_limit") == 0 {
            return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&view.name, &verb]));
        }
        // the variable may have another value when the plan would be used again
        self.draft.notes.uncacheable = true;
        let e = SqlError::new(ErrorCode::WARN_VIEW_WITHOUT_KEY, &[]);
        let message = e.message().to_owned();
        self.draft.notes.warnings.push(value::Warning { level: value::Level::Note, code: e.code(), message });
        Ok(())
    }

    /// Notes that the statement needs `privileges` on the view that holds the table in `slot`.
    pub(crate) fn need_on_view(&mut self, slot: SlotId, privileges: u32) {
        let Some(view) = self.view_of(slot).and_then(|m| m.view.clone()) else { return };
        for v in self.draft.views.iter_mut().filter(|v| v.via.is_none() && Arc::ptr_eq(&v.def, &view)) {
            v.privileges |= privileges;
        }
    }
}

/// Reads of `from` become reads of `to`.
fn moved(e: &mut Expr, from: SlotId, to: SlotId) {
    if let ExprKind::Column { slot, .. } = &mut e.kind {
        if *slot == from {
            *slot = to;
        }
        return;
    }
    e.children_mut(&mut |c| moved(c, from, to));
}

/// The column that a view's column with COLLATE is: it can be written like one without.
pub(super) fn stored(e: Expr) -> Expr {
    match e.kind {
        ExprKind::Call(FuncId::Collate, args)
            if matches!(args.as_ref(), [Expr { kind: ExprKind::Column { .. }, .. }]) =>
        {
            args.into_vec().pop().unwrap_or_else(Expr::null)
        }
        kind => Expr { kind, ty: e.ty, coer: e.coer },
    }
}
