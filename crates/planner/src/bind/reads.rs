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
use super::target::InsertTarget;
use crate::expr::SlotId;

/// A base table that is read while the statement changes rows.
pub(crate) struct Read {
    table: TableId,
    slot: SlotId,
    /// The name it is read under.
    alias: String,
    /// The view that the statement names, if the table is one of a view.
    view: Option<(String, String)>,
}

impl Binder<'_, '_> {
    /// Notes that `slot` reads a table, if that is in a subquery.
    pub(crate) fn note_read(&mut self, def: &TableDef, slot: SlotId, alias: &str) {
        if self.st.sub_depth == 0 {
            return;
        }
        let view = self.st.via.as_ref().map(|v| (v.schema.clone(), v.name.clone()));
        self.st.reads.push(Read { table: def.id, slot, alias: alias.to_owned(), view });
    }

    /// Refuses an INSERT into a table that is read meanwhile. `name`: as the statement has it.
    pub(crate) fn check_insert_reads(&self, target: &InsertTarget, name: &str) -> SqlResult<()> {
        let counts = |r: &&Read| r.table == target.def.id && r.alias == target.alias;
        let Some(read) = self.st.reads.iter().find(counts) else { return Ok(()) };
        let own = target.view.as_ref().map(|(v, _)| v);
        Err(match (&read.view, own) {
            (Some((schema, view)), Some(own)) if (schema, view) == (&own.schema, &own.name) => {
                SqlError::new(ErrorCode::UPDATE_TABLE_USED, &[&name])
            }
            (Some((_, view)), _) => SqlError::new(ErrorCode::VIEW_PREVENT_UPDATE, &[view, &"INSERT", &name]),
            (None, Some(_)) => SqlError::new(ErrorCode::VIEW_PREVENT_UPDATE, &[&name, &"INSERT", &name]),
            (None, None) => SqlError::new(ErrorCode::UPDATE_TABLE_USED, &[&name]),
        })
    }

    /// Refuses a statement that changes a table (in `slot`, called `alias`) which is read meanwhile.
    pub(crate) fn check_not_read(&self, def: &TableDef, alias: &str, slot: SlotId, operation: &str) -> SqlResult<()> {
        let counts = |r: &&Read| r.table == def.id && r.slot != slot;
        let Some(read) = self.st.reads.iter().find(counts) else { return Ok(()) };
        let own = self.scopes.last().and_then(|s| {
            let mut views = s.tables.iter().filter(|t| t.merged.as_ref().is_some_and(|m| m.view.is_some()));
            views.find(|t| t.merged.as_ref().is_some_and(|m| m.slots.contains(&slot)))
        });
        let Some(own) = own else {
            return Err(match &read.view {
                Some((_, view)) => SqlError::new(ErrorCode::VIEW_PREVENT_UPDATE, &[view, &operation, &alias]),
                None => SqlError::new(ErrorCode::UPDATE_TABLE_USED, &[&alias]),
            });
        };
        let name = own.merged.as_ref().and_then(|m| m.view.as_ref()).map(|v| (v.schema.clone(), v.name.clone()));
        if own.merged.as_ref().is_some_and(|m| m.slots.contains(&read.slot)) {
            return Err(SqlError::new(ErrorCode::NON_UPDATABLE_TABLE, &[&own.alias, &operation]));
        }
        Err(match &read.view {
            Some(v) if name.as_ref() == Some(v) => SqlError::new(ErrorCode::UPDATE_TABLE_USED, &[&own.alias]),
            Some((_, view)) => SqlError::new(ErrorCode::VIEW_PREVENT_UPDATE, &[view, &operation, &own.alias]),
            None => SqlError::new(ErrorCode::VIEW_PREVENT_UPDATE, &[&own.alias, &operation, &own.alias]),
        })
    }
}
