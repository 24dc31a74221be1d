//! DDL on the session's temporary tables: CREATE TEMPORARY TABLE, and what DROP, TRUNCATE and ALTER do to one.
//!
//! No metadata locks and no dictionary: the tables are only in [`DdlContext::temp`]. A statement makes the new state beside the old one
//! and swaps at its end, so that an error leaves the old one. Crash: see `storage::dict`'s `temporary`.

use super::create::new_definition;
use super::{DdlContext, DdlResult, storage_error};
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use std::sync::Arc;
use storage::dict::{TableDef, TempTable};

/// CREATE TEMPORARY TABLE, without SELECT.
pub(super) fn create(ctx: &mut DdlContext<'_>, s: &ast::CreateTable<'_>) -> SqlResult<DdlResult> {
    let (schema, name) = ctx.qualify(&s.table)?;
    if exists(ctx, &schema, &name, s.if_not_exists)? {
        return Ok(DdlResult::default());
    }
    let def = new_definition(ctx, s, &schema, &name, &[])?;
    let t = TempTable::create(ctx.engine, ctx.session_id, def).map_err(storage_error)?;
    ctx.temp.insert(t);
    Ok(DdlResult::default())
}

/// Whether there is a temporary table of this name: with IF NOT EXISTS a note, otherwise 1050.
pub(super) fn exists(ctx: &mut DdlContext<'_>, schema: &str, name: &str, if_not_exists: bool) -> SqlResult<bool> {
    ctx.schema(schema)?;
    if ctx.temp.find(schema, name).is_none() {
        return Ok(false);
    }
    if !if_not_exists {
        return Err(SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&name]));
    }
    ctx.note(ErrorCode::TABLE_EXISTS_ERROR, &[&name]);
    Ok(true)
}

/// TRUNCATE TABLE.
pub(super) fn truncate(ctx: &mut DdlContext<'_>, old: &TableDef) -> SqlResult<DdlResult> {
    let mut def = old.clone();
    def.auto_increment = 0;
    let fresh = TempTable::create(ctx.engine, ctx.session_id, def).map_err(storage_error)?;
    replace(ctx, old, fresh)?;
    Ok(DdlResult::default())
}

/// Puts `new` in the place of `old`, which goes.
pub(super) fn replace(ctx: &mut DdlContext<'_>, old: &TableDef, new: TempTable) -> SqlResult<()> {
    let before = ctx.temp.take(&old.schema, &old.name);
    ctx.temp.insert(new);
    match before {
        Some(t) => t.remove(ctx.engine).map_err(storage_error),
        None => Ok(()),
    }
}

/// A change of names, defaults, comments or visibility: the rows stay where they are.
pub(super) fn redefine(ctx: &mut DdlContext<'_>, old: &Arc<TableDef>, new: TableDef) -> SqlResult<()> {
    let Some(t) = ctx.temp.take(&old.schema, &old.name) else {
        return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&old.schema, &old.name]));
    };
    let t = t.redefine(ctx.engine, new).map_err(storage_error)?;
    ctx.temp.insert(t);
    Ok(())
}

/// DROP [TEMPORARY] TABLE: drops those of `names` that are temporary and returns the others.
pub(super) fn drop_tables(ctx: &mut DdlContext<'_>, names: Vec<(String, String)>) -> SqlResult<Vec<(String, String)>> {
    let mut others = Vec::new();
    for n in names {
        match ctx.temp.take(&n.0, &n.1) {
            Some(t) => t.remove(ctx.engine).map_err(storage_error)?,
            None => others.push(n),
        }
    }
    Ok(others)
}
