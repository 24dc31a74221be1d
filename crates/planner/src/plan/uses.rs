//! What a statement uses: tables, their columns, views and computed tables, and through whose view. The executor's gate
//! looks at it before anything is opened, the session takes metadata locks by it.

use std::sync::{Arc, OnceLock};

use storage::dict::TableDef;
use storage::table::Table;

/// How a statement uses a base table.
#[derive(Clone, Debug)]
pub struct TableUse {
    /// Definition the plan was made for.
    pub def: Arc<TableDef>,
    /// What the statement calls it: its alias, or its own name.
    pub alias: Box<str>,
    /// Where the statement names it (offset); a common table expression that is read twice names its tables once.
    pub at: u32,
    /// Whether the statement writes it.
    pub write: bool,
    /// Privileges needed, as `catalog` names them (SELECT, INSERT, UPDATE, DELETE).
    pub privileges: u32,
    /// Whether rows are locked that are read.
    pub locking: bool,
    /// FOR UPDATE: a writer to metadata locks (SW); needs one of UPDATE, DELETE and LOCK TABLES besides (manual,
    /// "Locking Reads").
    pub for_update: bool,
    /// Columns read and written.
    pub columns: ColumnUse,
    /// The view it is read through.
    pub via: Option<Arc<Via>>,
    /// The opened table, once the plan has run: executing it again looks no name up. Of no use when it is obsolete.
    pub opened: OnceLock<Arc<Table>>,
}

/// Which columns of a table a statement names.
#[derive(Clone, Debug, Default)]
pub struct ColumnUse {
    /// Read.
    pub reads: Vec<u16>,
    /// Some were named by `*`.
    pub all_read: bool,
    /// Filled by INSERT.
    pub inserts: Vec<u16>,
    /// INSERT without a list of columns.
    pub all_inserted: bool,
    /// Set by UPDATE or ON DUPLICATE KEY UPDATE.
    pub updates: Vec<u16>,
}

/// The view through which something is read, and whose privileges count there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Via {
    /// Schema of the view that the statement names.
    pub schema: String,
    /// Its name (error 1356 shows it).
    pub name: String,
    /// User and host of the definer; `None` under SQL SECURITY INVOKER: the asking account.
    pub definer: Option<(String, String)>,
}

/// A computed table ([`crate::resolve::VirtualTable`]) that needs SELECT.
#[derive(Clone, Debug)]
pub struct VirtualUse {
    /// Its definition.
    pub def: Arc<TableDef>,
    /// The view it is read through.
    pub via: Option<Arc<Via>>,
}

/// What the binary log asks of a statement before it logs its text instead of its rows.
#[derive(Clone, Debug, Default)]
pub struct Logging {
    /// User variables that it reads, in lower case, in the order of their first use.
    pub user_vars: Vec<Box<str>>,
    /// Asks for LAST_INSERT_ID().
    pub last_insert_id: bool,
    /// Asks for CONNECTION_ID().
    pub connection_id: bool,
    /// Has a LIMIT, maybe in a view.
    pub limit: bool,
    /// Reads a system variable that QUERY events do not name.
    pub system_variable: bool,
    /// Locks rows with NOWAIT.
    pub nowait: bool,
    /// Locks rows with SKIP LOCKED.
    pub skip_locked: bool,
}

impl Logging {
    /// A user variable is read.
    pub(crate) fn reads(&mut self, name: &str) {
        if !self.user_vars.iter().any(|n| **n == *name) {
            self.user_vars.push(name.into());
        }
    }
}

/// A stored function that a statement calls.
#[derive(Clone, Debug)]
pub struct FunctionUse {
    /// Its definition.
    pub def: Arc<storage::dict::ProgramDefinition>,
    /// The view that calls it.
    pub via: Option<Arc<Via>>,
    /// The call as it is written: errors of its value name it so.
    pub text: Box<str>,
}

/// A table or view that a view names.
#[derive(Clone, Debug)]
pub struct Used {
    /// Its database.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// What the view calls it.
    pub alias: String,
    /// Read by a subquery, not by the view's own FROM.
    pub in_subquery: bool,
}

/// How a statement uses a view.
#[derive(Clone, Debug)]
pub struct ViewUse {
    /// Definition the plan was made for.
    pub def: Arc<storage::dict::ViewDef>,
    /// Privileges needed on it, as in [`TableUse::privileges`].
    pub privileges: u32,
    /// The view it is read through itself.
    pub via: Option<Arc<Via>>,
    /// As [`TableUse::for_update`].
    pub for_update: bool,
    /// Names of its columns.
    pub names: Vec<String>,
    /// Columns read and written, as positions among the names.
    pub columns: ColumnUse,
}

impl ViewUse {
    /// A view of which no column is named yet.
    pub fn new(def: Arc<storage::dict::ViewDef>, privileges: u32, via: Option<Arc<Via>>) -> ViewUse {
        ViewUse { def, privileges, via, for_update: false, names: Vec::new(), columns: ColumnUse::default() }
    }

    /// Position of a column.
    pub fn column(&self, name: &str) -> Option<u16> {
        self.names.iter().position(|n| n == name).map(|i| i as u16)
    }
}
