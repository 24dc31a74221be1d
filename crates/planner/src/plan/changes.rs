//! Plans of INSERT, REPLACE, UPDATE and DELETE.

use std::sync::Arc;

use storage::dict::ViewDef;

use super::{Node, QueryPlan, SortKey};
use crate::expr::{Expr, SlotId};

/// Rows of an INSERT.
#[derive(Debug)]
pub enum InsertSource {
    /// VALUES / SET.
    Values(Vec<Vec<Expr>>),
    /// SELECT.
    Select(Box<QueryPlan>),
}

/// What happens at a duplicate key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OnDuplicate {
    Error,
    /// INSERT IGNORE
    Ignore,
    Replace,
    /// ON DUPLICATE KEY UPDATE
    Update,
}

/// INSERT or REPLACE.
#[derive(Debug)]
pub struct InsertPlan {
    /// Index into [`Plan::tables`].
    pub table: u16,
    /// Slot holding the row in the way (ON DUPLICATE KEY UPDATE) or being built.
    pub slot: SlotId,
    /// Slot with the values of the new row (VALUES(c), row alias).
    pub new_slot: SlotId,
    /// Slot with the changed row while ON DUPLICATE KEY UPDATE assigns.
    pub updated_slot: SlotId,
    /// Target column of each value.
    pub columns: Vec<u16>,
    /// Rows.
    pub source: InsertSource,
    /// Behaviour at duplicates.
    pub on_duplicate: OnDuplicate,
    /// IGNORE (turns conversion errors into warnings).
    pub ignore: bool,
    /// Assignments of ON DUPLICATE KEY UPDATE.
    pub updates: Vec<Assignment>,
    /// Slot of the values behind those of `columns` in each row of a SELECT: columns of its tables that `updates` reads.
    pub source_slot: Option<SlotId>,
    /// Stored expressions of the table (defaults, generated columns, checks) bound to `new_slot`.
    pub stored: TableExprs,
    /// Conditions of the view, over `slot`: REPLACE deletes only rows that it shows.
    pub visible: Vec<Expr>,
    /// The view that the statement names: of a column without a default it says 1423, not 1364.
    pub view: Option<Arc<ViewDef>>,
}

/// Expressions that belong to a table's definition.
#[derive(Debug, Default)]
pub struct TableExprs {
    /// `DEFAULT (expr)`: (column, expression).
    pub defaults: Vec<(u16, Expr)>,
    /// Generated columns in order of evaluation.
    pub generated: Vec<(u16, Expr)>,
    /// CHECK constraints: (name, condition).
    pub checks: Vec<(Box<str>, Expr)>,
    /// Conditions of WITH CHECK OPTION.
    pub view_checks: Vec<ViewCheck>,
}

/// A condition of WITH CHECK OPTION.
#[derive(Debug)]
pub struct ViewCheck {
    /// Schema and name of the view, with a dot between them.
    pub view: Box<str>,
    /// The condition.
    pub condition: Expr,
    /// The condition reads the new row in this slot of the view's table (it has subqueries or tables beside that one, which read
    /// that slot too); `None`: in the slot of the new row.
    pub through: Option<SlotId>,
}

/// `column = value`.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// Column position.
    pub column: u16,
    /// Value; [`crate::expr::ExprKind::DefaultValue`] for DEFAULT.
    pub value: Expr,
}

/// A table an UPDATE or DELETE changes.
#[derive(Debug)]
pub struct Target {
    /// Index into [`Plan::tables`].
    pub table: u16,
    /// Its slot in `source`.
    pub slot: SlotId,
    /// Assignments (UPDATE).
    pub sets: Vec<Assignment>,
    /// Stored expressions of the table.
    pub stored: TableExprs,
    /// Slot with the new row while it is built.
    pub new_slot: SlotId,
}

/// UPDATE.
#[derive(Debug)]
pub struct UpdatePlan {
    /// Rows to change: scans with [`LockMode::Update`], sort and limit included.
    pub source: Node,
    /// Tables changed.
    pub targets: Vec<Target>,
    /// IGNORE.
    pub ignore: bool,
    /// Of a statement of one table: all rows are found before the first is changed (ORDER BY, or the scanned index is changed).
    pub buffered: bool,
    /// ORDER BY that no index gives: the found rows are sorted before they are changed.
    pub order: Vec<SortKey>,
    /// LIMIT applied after `order`.
    pub limit: Option<Expr>,
    /// Slots of `source`.
    pub slots: Vec<SlotId>,
    /// Written as a multi-table statement.
    pub multi: bool,
    /// Of a multi-table statement: the target whose rows are changed while the join is read, not afterwards.
    pub at_once: Option<SlotId>,
    /// Targets that an outer join may lack.
    pub outer: Vec<SlotId>,
}

/// DELETE.
#[derive(Debug)]
pub struct DeletePlan {
    /// Rows to delete.
    pub source: Node,
    /// Tables deleted from.
    pub targets: Vec<Target>,
    /// IGNORE.
    pub ignore: bool,
    /// Of a statement of one table: all rows are found before the first is deleted.
    pub buffered: bool,
    /// ORDER BY that no index gives.
    pub order: Vec<SortKey>,
    /// LIMIT applied after `order`.
    pub limit: Option<Expr>,
    /// Written as a multi-table statement.
    pub multi: bool,
    /// Of a multi-table statement: the targets whose rows are deleted while the join is read, not afterwards.
    pub at_once: Vec<SlotId>,
}
