//! What the planner asks of its surroundings: names, definitions, statistics, settings.
//!
//! The session implements [`Resolver`] over the dictionary and the virtual schemas; tests implement it over definitions
//! in memory.

use std::sync::Arc;

use base::SqlResult;
use storage::dict::{TableDef, ViewDef};
use value::{CollationId, SqlMode, SqlType};

use crate::expr::VarScope;
use crate::plan::Via;

/// What a table name denotes.
#[derive(Clone)]
pub enum Resolved {
    /// A stored table.
    Base(Arc<TableDef>),
    /// A view: its text is parsed and planned as a derived table.
    View(Arc<ViewDef>),
    /// A table whose rows are computed.
    Virtual(Arc<dyn VirtualTable>),
}

/// A table of information_schema, performance_schema or sys whose rows are computed when it is read.
pub trait VirtualTable: Send + Sync + std::fmt::Debug {
    /// Definition: names and types of the columns (no index).
    fn def(&self) -> &Arc<TableDef>;
    /// Whether reading it needs SELECT; others show each account what it may see.
    fn guarded(&self) -> bool {
        false
    }
    /// Whether the rows that have one value in this column are found without making the others, of which there may be
    /// many.
    fn finds(&self, _column: u16) -> bool {
        false
    }
    /// Columns of which each names a row: there is one with a value, and it is never NULL.
    fn unique(&self) -> &[u16] {
        &[]
    }
}

/// What a statement does to a relation that it names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// Reads it.
    Select,
    /// INSERT.
    Insert,
    /// INSERT ... ON DUPLICATE KEY UPDATE.
    InsertOrUpdate,
    /// REPLACE.
    Replace,
    /// UPDATE of one table.
    Update,
    /// UPDATE of several: which are changed is not known yet.
    UpdateOrSelect,
    /// DELETE.
    Delete,
    /// Names it in the query of CREATE VIEW: some privilege will do to be told of it.
    Any,
}

/// What is wanted of a relation, and in whose name. MySQL asks for the privilege before it looks whether there is such a relation.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'w> {
    /// What is done.
    pub verb: Verb,
    /// The view whose text names it: temporary tables do not count there.
    pub via: Option<&'w Via>,
}

/// Number of rows and key cardinalities.
#[derive(Clone, Debug, Default)]
pub struct TableStats {
    /// Estimated rows.
    pub rows: f64,
    /// For each index, for each prefix of its parts: estimated rows per distinct value.
    pub rec_per_key: Vec<Vec<f64>>,
    /// Pages of the clustered index.
    pub pages: f64,
}

/// The surroundings of a statement.
pub trait Resolver {
    /// The relation of this name; 1142 (through a view 1356, 1449) for who may not, 1146 if there is none, 1049 for an unknown schema.
    fn table(&self, schema: &str, name: &str, wish: &Wish<'_>) -> SqlResult<Resolved>;
    /// The definition of a table behind one that the statement may use: a foreign key's child, what a view's column is made from.
    fn behind(&self, _schema: &str, _name: &str) -> Option<Arc<TableDef>> {
        None
    }
    /// User and host of the session, for error texts.
    fn user(&self) -> (&str, &str) {
        ("", "")
    }
    /// User and host of its account, which 1044 names.
    fn account(&self) -> (&str, &str) {
        self.user()
    }
    /// Default schema; `None`: 1046 for unqualified names.
    fn current_schema(&self) -> Option<&str>;
    /// Statistics of a table.
    fn stats(&self, table: &TableDef) -> TableStats;
    /// sql_mode.
    fn sql_mode(&self) -> SqlMode;
    /// collation_connection.
    fn connection_collation(&self) -> CollationId;
    /// The character set of the statement's text, by its collation.
    fn client_collation(&self) -> CollationId {
        CollationId::UTF8MB4_0900_AI_CI
    }
    /// character_set_client itself, where the text came in another one and was converted.
    fn client_charset(&self) -> value::Charset {
        value::Charset::Utf8mb4
    }
    /// character_set_results' collation for metadata.
    fn results_collation(&self) -> CollationId;
    /// Type of a system variable; error 1193 if unknown, 1238 for a wrong scope.
    fn system_variable(&self, scope: VarScope, name: &str) -> SqlResult<SqlType>;
    /// Type of a user variable as it is now (`None`: never set).
    fn user_variable(&self, name: &str) -> Option<SqlType>;
    /// Type of a place of the stored program that the statement is part of (`parser::ast::LocalRef`). Its value is the
    /// parameter of that number.
    fn local(&self, _slot: u32) -> Option<SqlType> {
        None
    }
    /// The stored function of this name, in the default database if `schema` is none. Who may call it is asked when the
    /// plan is run.
    ///
    /// # Errors
    /// Those of looking it up.
    fn stored_function(
        &self,
        _schema: Option<&str>,
        _name: &str,
    ) -> SqlResult<Option<Arc<storage::dict::ProgramDefinition>>> {
        Ok(None)
    }
    /// Whether the transaction locks what it reads: SERIALIZABLE.
    fn locks_reads(&self) -> bool {
        false
    }
    /// `sql_select_limit`, `u64::MAX` for none.
    fn select_limit(&self) -> u64 {
        u64::MAX
    }
    /// What an account is told instead of anything about a stored function that it may not call, 1370: it learns
    /// neither whether there is one nor how many arguments it takes.
    fn hidden_function(&self, _schema: &str, _name: &str) -> Option<base::SqlError> {
        None
    }
    /// What whoever has a right on some columns only is told of a column that the table has not: the same as of one that he may not use.
    fn hidden_column(&self, _schema: &str, _table: &str, _column: &str, _update: bool) -> Option<base::SqlError> {
        None
    }
    /// Whether a statement may name what only functional key parts need: CHECKSUM TABLE's own query does.
    fn names_hidden(&self) -> bool {
        false
    }
    /// `explicit_defaults`, `group_concat_max_len`, `div_precision_increment` and the like, by name.
    fn setting(&self, name: &str) -> u64;
}
