//! Foreign keys: not enforced by this engine yet.
//!
//! DDL refuses tables whose foreign keys would have to be enforced; should one exist all the same, changing it answers 1235 while
//! `foreign_key_checks` is on, so that no constraint is silently broken.

use std::sync::Arc;

use base::{SqlError, SqlResult};
use catalog::sysvar::Var;
use storage::table::Table;
use value::Value;

use crate::context::Cx;

fn refused(t: &Arc<Table>, cx: &Cx<'_>) -> SqlResult<()> {
    if t.def.foreign_keys.is_empty() || !cx.env.vars.bool(Var::foreign_key_checks) {
        return Ok(());
    }
    Err(SqlError::unsupported("foreign key checks"))
}

/// A row of the child is stored: its parents must exist.
pub(super) fn check_parents(
    t: &Arc<Table>,
    row: &[Value<'_>],
    old: Option<&[Value<'_>]>,
    cx: &mut Cx<'_>,
) -> SqlResult<()> {
    let _ = (row, old);
    refused(t, cx)
}

/// A row that may be a parent is deleted.
pub(super) fn before_delete(t: &Arc<Table>, slot: u16, cx: &mut Cx<'_>) -> SqlResult<()> {
    let _ = (t, slot, cx);
    Ok(())
}

/// A row that may be a parent changes.
pub(super) fn before_update(
    t: &Arc<Table>,
    slot: u16,
    old: &[Value<'_>],
    row: &[Value<'_>],
    cx: &mut Cx<'_>,
) -> SqlResult<()> {
    let _ = (t, slot, old, row, cx);
    Ok(())
}
