//! INSERT, REPLACE, UPDATE, DELETE.
//!
//! The session has set a savepoint of the statement before, and rolls back to it when one of these functions fails.
//! IGNORE turns the errors that MySQL lists for it into warnings and goes on with the next row.

mod autoinc;
mod collected;
mod delete;
pub(crate) mod foreign;
mod insert;
pub mod load;
mod logged;
mod multi_table;
mod new_row;
pub mod table_exprs;
pub mod textfile;
mod triggers;
mod update;

use base::{ErrorCode, SqlError, SqlResult};
use planner::plan::Body;
use value::{Level, OwnedValue};

pub(crate) use new_row::{Computing, Nulls, key_text, lenient_value};

use crate::eval::Cx;
use crate::gate::Cleared;
use crate::ops::begin;
use crate::ops::select::open_tables;
use crate::rows::env::Env;
use crate::rows::strictness::{Around, Class};

/// What a DML statement did.
#[derive(Clone, Debug, Default)]
pub struct DmlResult {
    /// Affected rows as the client counts them.
    pub affected: u64,
    /// First generated AUTO_INCREMENT value, or 0.
    pub last_insert_id: u64,
    /// Info string.
    pub info: String,
}

/// Runs an INSERT, REPLACE, UPDATE or DELETE.
pub fn dml(cleared: Cleared<'_>, params: &[OwnedValue], env: &mut Env) -> SqlResult<DmlResult> {
    let plan = cleared.plan();
    let tables = open_tables(cleared, env)?;
    let outer = env.statement.strictness;
    let ignores = plan.ignores() == Some(true);
    let strict = begin_strictness(ignores, env);
    let (mut cx, ops) = begin(cleared, params, tables, env);
    // CREATE TABLE ... SELECT is no change yet when its constants are read: what is said of them stays a warning
    let filling = cx.env.temp.is_filling();
    cx.env.conv.strict = strict && !filling;
    let r = crate::ops::early_constants::read(&mut cx).and_then(|()| {
        let said = if filling { cx.env.conv.warnings.len() } else { 0 };
        cx.env.conv.strict = strict;
        let done = match &plan.body {
            Body::Insert(i) => insert::run(i, &ops, &mut cx),
            Body::Update(u) => update::run(u, &ops, &mut cx),
            Body::Delete(d) => delete::run(d, &ops, &mut cx),
            Body::Select(_) => Err(SqlError::unsupported("running a query as a change")),
        };
        done.map(|d| (d, said))
    });
    let strict = std::mem::replace(&mut cx.env.conv.strict, false);
    let around = cx.env.is_strict_around();
    let failed = if ignores && around && r.is_ok() { cx.env.fail_of_warnings(0) } else { Ok(()) };
    cx.env.statement.strictness = outer;
    let (r, said) = r?;
    failed?;
    if strict && let Some(e) = cx.env.conv.take_strict_error(said) {
        return Err(e);
    }
    Ok(r)
}

/// Asked where the next thing is done with a row: what expressions have warned of behind the first `said` warnings is
/// the error of a strict change, and stands before triggers and what the row's storing would fail with (1062, 1452).
pub(crate) fn fail_strictly(said: &mut usize, cx: &mut Cx<'_>) -> SqlResult<()> {
    let conv = &mut cx.env.conv;
    if !conv.strict || conv.warnings.len() <= *said {
        return Ok(());
    }
    match conv.take_strict_error(*said) {
        Some(e) => Err(e),
        None => {
            *said = conv.warnings.len();
            Ok(())
        }
    }
}

/// Strictness of a change: whether it is strict. With IGNORE it is not, but a strict statement around it makes what it
/// has warned of its error in the end.
pub(crate) fn begin_strictness(ignores: bool, env: &mut Env) -> bool {
    let mode = env.conv.sql_mode.is_strict();
    let strictness = &mut env.statement.strictness;
    strictness.class = if ignores { Class::Ignoring } else { Class::Other };
    strictness.ignored_first |= ignores && strictness.around == Around::Nothing;
    strictness.into_variables = false;
    if mode && !ignores {
        strictness.around = strictness.around.max(Around::Change);
    }
    mode && !ignores
}

/// With IGNORE: these errors become warnings and the row is left out.
pub(crate) fn ignorable(e: &SqlError) -> bool {
    [
        ErrorCode::DUP_ENTRY,
        ErrorCode::DUP_ENTRY_WITH_KEY_NAME,
        ErrorCode::ROW_IS_REFERENCED,
        ErrorCode::NO_REFERENCED_ROW,
        ErrorCode::ROW_IS_REFERENCED_2,
        ErrorCode::NO_REFERENCED_ROW_2,
        ErrorCode::CHECK_CONSTRAINT_VIOLATED,
        ErrorCode::VIEW_CHECK_FAILED,
        ErrorCode::BAD_NULL_ERROR,
        ErrorCode::SUBQUERY_NO_1_ROW,
    ]
    .iter()
    .any(|c| e.is(*c))
}

/// `Ok` for an error that IGNORE makes a warning: one of the statement's own.
pub(crate) fn swallow(e: SqlError, ignore: bool, cx: &mut Cx<'_>) -> SqlResult<()> {
    if ignore && ignorable(&e) && !cx.env.statement.failed_in_function {
        cx.env.conv.push(Level::Warning, e);
        return Ok(());
    }
    Err(e)
}
