//! What a block knows about its columns: which determine which (functional dependencies), which are not NULL. It is
//! found and asked in `bind::functional_dependency`; a derived table keeps what its block knows.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use storage::dict::TableDef;

use crate::expr::{Expr, SlotId};

/// A column of a slot.
pub(crate) type ColumnId = (SlotId, u16);

/// `column` is determined where all of `from` are.
pub(crate) struct Fact {
    pub(crate) column: ColumnId,
    pub(crate) from: Vec<ColumnId>,
}

/// A table of a block.
pub(crate) struct Table {
    pub(crate) slot: SlotId,
    /// It is on the inner side of an outer join: some of its rows may have NULL in all columns.
    pub(crate) nullable: bool,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    /// With the expressions of its generated columns.
    Base(Arc<TableDef>, Vec<(u16, Expr)>),
    Derived(Rc<Within>),
    /// A virtual table.
    Virtual(Arc<dyn crate::resolve::VirtualTable>),
    Other,
}

/// What a block knows about the columns of its tables.
#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) facts: Vec<Fact>,
    /// Columns that a condition makes not NULL.
    pub(crate) not_null: HashSet<ColumnId>,
    pub(crate) tables: Vec<Table>,
}

/// What a block knows about its select list.
pub(crate) struct Within {
    pub(crate) sources: Sources,
    pub(crate) items: Vec<Expr>,
    /// Arguments of the window functions in it.
    pub(crate) arguments: Vec<Vec<Expr>>,
    pub(crate) group: Vec<Expr>,
    pub(crate) aggregated: bool,
    /// Columns of the block that its subqueries read.
    pub(crate) below: HashMap<u16, Vec<ColumnId>>,
}
