//! Statements that the kernel does not know: whatever is no query and no DML, and the few queries and changes that no
//! plan runs.
//!
//! They stand above the kernel (`statements`), which reaches them through [`Unplanned`]; the server is given them when
//! it is put together.

use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::SqlResult;
use catalog::client::ResultSink;
use parser::{Lexed, Parsed};

/// Runs statements that have no plan.
pub(crate) trait Unplanned: Send + Sync {
    /// Runs a statement that is no query and no DML; its parameters are in `Session::arguments`.
    fn run(
        &self,
        s: &mut Session,
        sql: &[u8],
        lexed: &Lexed,
        parsed: &Parsed<'_>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome>;

    /// Runs a query or a DELETE without parameters that is not what it looks like: SELECT ... INTO OUTFILE, DELETE FROM
    /// mysql.db. `None`: it is.
    fn instead(&self, s: &mut Session, sql: &[u8], parsed: &Parsed<'_>) -> Option<SqlResult<Outcome>>;

    /// Whether an UPDATE, INSERT or DELETE has no plan, since its table is one of what is recorded: `instead` runs it,
    /// its parameters are in `Session::arguments`.
    fn takes(&self, s: &Session, statement: &parser::ast::Statement<'_>) -> bool;
}

impl Session {
    /// Runs a statement that has no plan.
    pub(crate) fn run_unplanned(
        &mut self,
        sql: &[u8],
        lexed: &Lexed,
        parsed: &Parsed<'_>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let statements = self.server.unplanned;
        statements.run(self, sql, lexed, parsed, out)
    }
}
