//! See ARCHITECTURE.md for what belongs in this room.

pub mod ddl;
pub mod env;

pub use env::{Env, Stale, UserVar};

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
/// Stand-in.
pub fn select(
    _: &planner::plan::Plan,
    _: &[value::OwnedValue],
    _: &mut Env,
    _: &mut dyn catalog::client::ResultSink,
) -> base::SqlResult<()> {
    Err(base::SqlError::unsupported("select"))
}
/// Stand-in.
pub fn select_into(_: &planner::plan::Plan, _: &[value::OwnedValue], _: &mut Env) -> base::SqlResult<u64> {
    Err(base::SqlError::unsupported("select"))
}
/// Stand-in.
pub fn dml(_: &planner::plan::Plan, _: &[value::OwnedValue], _: &mut Env) -> base::SqlResult<DmlResult> {
    Err(base::SqlError::unsupported("dml"))
}
/// Stand-in.
pub fn scalars(
    _: &planner::plan::Plan,
    _: &[value::OwnedValue],
    _: &mut Env,
) -> base::SqlResult<Vec<(value::OwnedValue, value::SqlType)>> {
    Err(base::SqlError::unsupported("scalars"))
}
