//! Programs: stored functions and triggers that run in the middle of a statement, as far as the executor knows them.
//!
//! Who knows how to run their statements stands above this crate ([`NestedStatements`], held by
//! [`Kernel`](crate::env::Kernel)); there are no programs yet. Everything here belongs to one session and is used by
//! its thread alone. The contract: `docs/nested-statements.md`. Tested: `crates/session/src/kernel/nested_tests.rs`.

use base::SqlResult;
use catalog::client::ResultSink;
use planner::plan::Plan;
use value::{OwnedValue, SqlType};

use super::env::Env;

/// A stored function or trigger that is called in the middle of a statement, and what it was created with.
#[derive(Clone, Copy, Debug)]
pub struct Program<'p> {
    /// FUNCTION or TRIGGER, as errors say it.
    pub kind: &'static str,
    /// SQL SECURITY DEFINER: in whose name it runs (user, host); `None`: in that of who calls.
    pub definer: Option<(&'p str, &'p str)>,
    /// Its database.
    pub schema: &'p str,
    /// sql_mode at its creation.
    pub sql_mode: value::SqlMode,
    /// character_set_client and collation_connection at its creation.
    pub collations: [value::CollationId; 2],
    /// The plan of the statement that calls it: what that uses the program must not change (1442).
    pub caller: &'p Plan,
}

/// NEW of a trigger.
#[derive(Clone, Debug, Default)]
pub struct NewRow {
    /// All columns in their order.
    pub values: Vec<OwnedValue>,
    /// Columns that triggers have given a value, which may be NULL.
    pub assigned: Vec<u16>,
}

/// What a nested statement did.
#[derive(Clone, Debug, Default)]
pub struct NestedEnd {
    /// Affected rows; ROW_COUNT() of the program's next statement.
    pub row_count: i64,
    /// Its warnings: the program's diagnostics area now, which handlers look at.
    pub conditions: Vec<value::Warning>,
}

/// Runs statements in the middle of another one: the way in which stored functions and triggers reach the kernel, which
/// stands above this crate (as [`crate::ddl::DdlLocks`] does). The whole contract: `docs/nested-statements.md`. In
/// short:
///
/// * One transaction, one read view: nothing here commits, rolls back further than a statement of its own, or opens or
///   closes a snapshot. What the calling statement undoes it undoes with it.
/// * What belongs to the caller's statement (warnings, LAST_INSERT_ID(), ROW_COUNT(), FOUND_ROWS(), sql_mode, default
///   schema, character sets, account) is the program's own while it runs and the caller's again afterwards, also after
///   an error. User variables, temporary tables and the clock are shared.
/// * Each statement is planned for the program's context and cleared by the gate for the account that it runs as.
/// * KILL and `max_execution_time` are the calling statement's and stop the program with it.
pub trait NestedStatements: Send + Sync {
    /// Runs a program's body in its context and puts the caller's back, whatever happens.
    ///
    /// # Errors
    /// 1449 for a definer that is no more, 1436 when programs call each other too deeply; those of the body.
    fn within(
        &self,
        program: &Program<'_>,
        env: &mut Env,
        body: &mut dyn FnMut(&mut Env) -> SqlResult<()>,
    ) -> SqlResult<()>;

    /// Runs a trigger. `old`, `new`: the row's values, all columns in their order, as expressions see them; a BEFORE
    /// trigger may change `new`, each value is of its column's type then. `caller`: the plan of the statement that
    /// changes the row.
    ///
    /// # Errors
    /// 1449, 1442; those of its body.
    fn trigger(
        &self,
        trigger: &std::sync::Arc<storage::dict::ProgramDefinition>,
        old: Option<&[OwnedValue]>,
        new: Option<&mut NewRow>,
        caller: &Plan,
        env: &mut Env,
    ) -> SqlResult<()>;

    /// Value of a stored function for these arguments. `caller`: the plan of the statement that calls it.
    ///
    /// # Errors
    /// 1424 for one that runs already, 1449, 1321; those of its body.
    fn function(
        &self,
        function: &planner::plan::FunctionUse,
        arguments: &[(OwnedValue, SqlType)],
        caller: &Plan,
        env: &mut Env,
    ) -> SqlResult<OwnedValue>;

    /// Runs one statement of a program that is running. `values`: its variables, for the `?` of the text. `rows`: where
    /// a query's rows go; without it a query that returns some is 1415. One that fails is undone alone.
    ///
    /// # Errors
    /// 1422 for what would end the transaction, 1336 for PREPARE and its like, 1442 for changing a table that a calling
    /// statement uses, 1792 in a READ ONLY transaction; those of planning and running.
    fn run(
        &self,
        sql: &[u8],
        values: &[(OwnedValue, SqlType)],
        env: &mut Env,
        rows: Option<&mut dyn ResultSink>,
    ) -> SqlResult<NestedEnd>;
}

/// A program that is running.
#[derive(Debug)]
pub struct RunningProgram {
    /// FUNCTION or TRIGGER.
    pub kind: &'static str,
    /// Its id; 0: it is none of the dictionary's.
    pub id: u64,
    /// Tables that the statement which called it uses.
    pub used: smallvec::SmallVec<[base::TableId; 4]>,
}
