//! A table that a statement changes must not be read by its subqueries: 1093 (manual, "Restrictions on Subqueries").
//!
//! What counts is what MySQL reads while it changes: tables that subqueries of expressions name, and those of views that are merged into them.
//! A derived table, view or CTE with rows of its own is read before the first change and does not count, and in a subquery of a statement that
//! changes rows derived tables and CTEs are not merged, so that it may be written (but not in ON DUPLICATE KEY UPDATE). Tables that are joined with
//! the one that is changed do not count. Where a view is involved, MySQL hides its tables: 1443, 1288. INSERT ... VALUES may read its table under
//! another name: the name that counts is the one beside the table itself, in a view's query if it is read or written through one.
//!
//! Tested by `tests/sql/golden/changed_and_read.sql`.

use base::{ErrorCode, SqlError, SqlResult, TableId};
use storage::dict::TableDef;

use super::Binder;
use super::scope::ScopeTable;
use super::target::InsertTarget;
use crate::expr::SlotId;

/// A base table that is read while the statement changes rows.
pub(crate) struct Read {
    table: TableId,
    slot: SlotId,
    /// The name it is read under.
    alias: String,
    /// The view that the statement names, if the table is one of a view.
    view: Option<TopView>,
}

/// A view that a statement names.
#[derive(Clone, Debug)]
pub(crate) struct TopView {
    pub(crate) schema: String,
    pub(crate) name: String,
    /// Its name in the statement.
    pub(crate) alias: String,
    /// Which one it is: a statement may name a view several times.
    pub(crate) instance: u32,
}

impl Binder<'_, '_> {
    /// Notes that `slot` reads a table, if that is in a subquery.
    pub(crate) fn note_read(&mut self, def: &TableDef, slot: SlotId, alias: &str) {
        if self.st.sub_depth == 0 {
            return;
        }
        self.st.reads.push(Read { table: def.id, slot, alias: alias.to_owned(), view: self.st.top_view.clone() });
    }

    /// Refuses an INSERT into a table that is read meanwhile, if only by the view that it is put in through. `name`: as the statement has it.
    pub(crate) fn check_insert_reads(&self, target: &InsertTarget, name: &str) -> SqlResult<()> {
        let counts = |r: &&Read| r.table == target.def.id && r.alias == target.alias;
        let Some(read) = self.st.reads.iter().find(counts) else { return Ok(()) };
        let own = target.view.as_ref().map(|v| (&v.0, v.2));
        Err(match (own, &read.view) {
            (Some((_, own)), Some(v)) if own == v.instance => {
                SqlError::new(ErrorCode::NON_INSERTABLE_TABLE, &[&name, &"INSERT"])
            }
            (Some((own, _)), Some(v)) if (&own.schema, &own.name) == (&v.schema, &v.name) => {
                SqlError::new(ErrorCode::UPDATE_TABLE_USED, &[&name])
            }
            (_, Some(v)) => SqlError::new(ErrorCode::VIEW_PREVENT_UPDATE, &[&v.alias, &"INSERT", &name]),
            (Some(_), None) => SqlError::new(ErrorCode::VIEW_PREVENT_UPDATE, &[&name, &"INSERT", &name]),
            (None, None) => SqlError::new(ErrorCode::UPDATE_TABLE_USED, &[&name]),
        })
    }

    /// The table or view of FROM that holds a slot.
    pub(crate) fn top_table(&self, slot: SlotId) -> Option<&ScopeTable> {
        let holds = |t: &&ScopeTable| t.merged.as_ref().map_or(t.slot == slot, |m| m.slots.contains(&slot));
        self.scopes.last()?.tables.iter().find(holds)
    }

    /// Refuses a statement that changes a table (in `slot`) which is read meanwhile. `told`: slot of the table that the error is
    /// about. `several`: it is a multi-table statement.
    pub(crate) fn check_not_read(
        &self,
        def: &TableDef,
        (told, several): (SlotId, bool),
        slot: SlotId,
        operation: &str,
    ) -> SqlResult<()> {
        // what a subquery in a view reads is joined by now for a DELETE of several tables
        let joined = |r: &Read| {
            let mut merged = self.scopes.last().into_iter().flat_map(|s| &s.tables).filter_map(|t| t.merged.as_deref());
            let of = r.view.as_ref().and_then(|v| merged.find(|m| m.instance == v.instance));
            several && operation == "DELETE" && of.is_some_and(|m| m.own_semi.and(m.semi).any())
        };
        let counts = |r: &&Read| r.table == def.id && r.slot != slot && !joined(r);
        let Some(read) = self.st.reads.iter().find(counts) else { return Ok(()) };
        let Some(told) = self.top_table(told) else { return Ok(()) };
        let alias = &told.alias;
        let view = told.merged.as_ref().and_then(|m| m.view.as_ref().map(|v| (v, m.instance)));
        Err(match (view, &read.view) {
            (Some((_, own)), Some(v)) if own == v.instance => {
                SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[alias, &operation])
            }
            (Some((own, _)), Some(v)) if (&own.schema, &own.name) == (&v.schema, &v.name) => {
                SqlError::new(ErrorCode::UPDATE_TABLE_USED, &[alias])
            }
            (_, Some(v)) => SqlError::new(ErrorCode::VIEW_PREVENT_UPDATE, &[&v.alias, &operation, alias]),
            (Some(_), None) => SqlError::new(ErrorCode::VIEW_PREVENT_UPDATE, &[alias, &operation, alias]),
            (None, None) => SqlError::new(ErrorCode::UPDATE_TABLE_USED, &[alias]),
        })
    }
}
