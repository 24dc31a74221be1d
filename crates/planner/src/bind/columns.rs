//! Which columns of which base table a statement reads and writes, for column privileges.
//!
//! Noted where names are resolved, whatever the optimizer makes of them later: what `*` stands for, the columns of USING and NATURAL joins
//! and those in subqueries count too. `plan::TableUse` carries the result; it is looked at only when the account lacks a privilege on the whole table.
//! Tested by `tests/clients/test_roles.py`.

use base::SqlResult;
use parser::ast;

use super::Binder;
use super::dml::{INSERT, SELECT};
use super::target::InsertTarget;
use crate::expr::{Expr, ExprKind, SlotId};
use crate::plan::{ColumnUse, SlotDef};

impl Binder<'_, '_> {
    /// What is known of the table whose rows a slot holds.
    fn column_use(&mut self, slot: SlotId) -> Option<&mut ColumnUse> {
        let Some(SlotDef::Table(table)) = self.draft.slots.get(slot as usize) else { return None };
        let table = *table as usize;
        self.draft.tables.get_mut(table).map(|t| &mut t.columns)
    }

    /// A name was resolved to column `i` of table `t` of the scope at `depth`.
    pub(super) fn use_column(&mut self, depth: usize, t: usize, i: usize) {
        let assigning = self.st.assigning;
        let table = self.scopes.get(depth).and_then(|s| s.tables.get(t));
        let named = table.and_then(|t| Some((t.view?, t.columns.get(i)?.name.as_str())));
        if let Some((view, name)) = named
            && let Some(v) = self.draft.views.get_mut(view)
            && let Some(at) = v.column(name)
        {
            note(if assigning { &mut v.columns.updates } else { &mut v.columns.reads }, at);
        }
        if assigning {
            return;
        }
        // what a merged query stands for was noted when it was bound
        let table = self.scopes.get(depth).and_then(|s| s.tables.get(t)).filter(|t| t.merged.is_none());
        let Some(slot) = table.map(|t| t.slot) else { return };
        // the row that INSERT or LOAD DATA makes: its columns are read all the same, also by its alias
        if self.insert_slots.contains(&slot)
            && let Some(t) = self.draft.tables.iter_mut().find(|t| t.via.is_none() && t.privileges & INSERT != 0)
        {
            t.privileges |= SELECT;
            note(&mut t.columns.reads, i as u16);
        }
        if let Some(u) = self.column_use(slot) {
            note(&mut u.reads, i as u16);
        }
    }

    /// `*`, or the two sides of a column of USING.
    pub(super) fn use_columns(&mut self, list: &[(usize, usize)], wildcard: bool) {
        let depth = self.scopes.len().wrapping_sub(1);
        for &(t, i) in list {
            self.use_column(depth, t, i);
            let slot = self.scopes.get(depth).and_then(|s| s.tables.get(t)).map(|t| t.slot);
            if !wildcard {
                continue;
            }
            let view = self.scopes.get(depth).and_then(|s| s.tables.get(t)).and_then(|t| t.view);
            if let Some(v) = view.and_then(|v| self.draft.views.get_mut(v)) {
                v.columns.all_read = true;
            }
            if let Some(u) = slot.and_then(|s| self.column_use(s)) {
                u.all_read = true;
            }
        }
    }

    /// The column that an assignment sets.
    pub(super) fn assigned_column(&mut self, c: &ast::ColumnRef<'_>) -> SqlResult<Expr> {
        self.st.assigning = true;
        // of ON DUPLICATE KEY UPDATE the target's columns: the new row may have the same names
        let outside = match (self.st.in_duplicates && c.table.is_none(), self.scopes.last_mut()) {
            (true, Some(s)) => {
                let own = s.visible.iter().copied().filter(|(t, _)| *t == 0).collect();
                Some(std::mem::replace(&mut s.visible, own))
            }
            _ => None,
        };
        let e = self.column(c);
        if let (Some(v), Some(s)) = (outside, self.scopes.last_mut()) {
            s.visible = v;
        }
        self.st.assigning = false;
        let e = super::target::stored(e?);
        if let ExprKind::Column { slot, column } = e.kind
            && let Some(u) = self.column_use(slot)
        {
            note(&mut u.updates, column);
        }
        Ok(e)
    }

    /// The last table of the scope is the view at this position of the statement's views.
    pub(super) fn note_view(&mut self, at: usize) {
        let Some(t) = self.scopes.last_mut().and_then(|s| s.tables.last_mut()) else { return };
        t.view = Some(at);
        if let Some(v) = self.draft.views.get_mut(at) {
            v.names = t.columns.iter().map(|c| c.name.clone()).collect();
        }
    }

    /// The columns of a view that an INSERT fills, by base column.
    pub(super) fn inserted_into_view(&mut self, target: &InsertTarget, columns: &[u16], named: bool) {
        let (Some(at), Some(names)) = (target.view_at, &target.names) else { return };
        let Some(v) = self.draft.views.get_mut(at) else { return };
        let filled = names.iter().filter(|n| columns.contains(&n.1));
        v.columns.inserts = filled.filter_map(|n| v.names.iter().position(|m| *m == n.0)).map(|i| i as u16).collect();
        v.columns.all_inserted = !named;
    }

    /// The columns an INSERT fills; all of them if it names none.
    pub(super) fn inserted_columns(&mut self, table: u16, columns: &[u16], named: bool) {
        if let Some(t) = self.draft.tables.get_mut(table as usize) {
            t.columns.inserts = columns.to_vec();
            t.columns.all_inserted = !named;
        }
    }
}

fn note(list: &mut Vec<u16>, column: u16) {
    if !list.contains(&column) {
        list.push(column);
    }
}
