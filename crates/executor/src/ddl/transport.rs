//! ALTER TABLE ... DISCARD TABLESPACE and IMPORT TABLESPACE (manual, "Importing InnoDB Tables"; docs/backup.md).
//!
//! Both give the table another tablespace, as TRUNCATE does: DISCARD an empty one, with a mark in the definition by
//! which everything that needs rows answers 1814; IMPORT one that is built of the rows in `<schema>/<table>.ibd`
//! ([`storage::transport`]), whose `.cfg` must describe the same columns and indexes ([`mismatch`], 1808). Exclusive
//! metadata lock; a crash leaves the table as before or as after, and the two files are removed after the commit
//! only.
//!
//! Foreign keys: a parent's rows are discarded with `foreign_key_checks = 0` only (1451), and nothing is checked on
//! import, as in MySQL. Tested: golden `transport`, `tests/backup/test_transport.py`.

use super::copy::{load_error, sort_memory};
use super::transport_match::mismatch;
use super::{DdlContext, DdlResult, foreign, storage_error};
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{AlterAction, AlterTable, TableName};
use std::sync::Arc;
use storage::StorageError;
use storage::dict::{Ddl, TableDef};
use storage::table::{BuildOptions, Table};
use storage::transport::names::Pair;
use storage::transport::{Absent, Source};

/// The statement, if it is one of these two: which stand alone.
pub(super) fn statement(ctx: &mut DdlContext<'_>, s: &AlterTable<'_>) -> Option<SqlResult<DdlResult>> {
    let which: fn(&mut DdlContext<'_>, &TableName<'_>) -> SqlResult<DdlResult> = match s.actions {
        [AlterAction::DiscardTablespace] => discard,
        [AlterAction::ImportTablespace] => import,
        _ => return None,
    };
    if s.algorithm.is_some_and(|a| a != "default") || s.lock.is_some_and(|l| l != "default") {
        let (what, instead) = match s.algorithm.is_some_and(|a| a != "default") {
            true => ("ALGORITHM=COPY/INPLACE/INSTANT", "ALGORITHM=DEFAULT"),
            false => ("LOCK=NONE/SHARED/EXCLUSIVE", "LOCK=DEFAULT"),
        };
        return Some(Err(SqlError::new(ErrorCode::ALTER_OPERATION_NOT_SUPPORTED, &[&what, &instead])));
    }
    Some(which(ctx, &s.table))
}

/// 1814 for what would need the rows of a table whose tablespace is discarded, as DDL says it.
pub(super) fn refuse_discarded(def: &TableDef) -> SqlResult<()> {
    if !def.discarded {
        return Ok(());
    }
    let shown = format!("{}/{}", def.schema, def.name);
    Err(SqlError::new(ErrorCode::TABLESPACE_DISCARDED, &[&shown]))
}

fn table(ctx: &mut DdlContext<'_>, t: &TableName<'_>) -> SqlResult<Arc<TableDef>> {
    let (schema, name) = ctx.qualify(t)?;
    let def = ctx.locked_table(&schema, &name)?;
    if def.is_temporary() {
        return Err(SqlError::new(ErrorCode::CANNOT_DISCARD_TEMPORARY_TABLE, &[]));
    }
    Ok(def)
}

fn discard(ctx: &mut DdlContext<'_>, t: &TableName<'_>) -> SqlResult<DdlResult> {
    let old = table(ctx, t)?;
    if ctx.foreign_key_checks && foreign::foreign_children(&old).next().is_some() {
        return Err(SqlError::new(ErrorCode::ROW_IS_REFERENCED_2, &[&""]));
    }
    if old.discarded {
        let text = format!("InnoDB: Tablespace is missing for table {}/{}.", old.schema, old.name);
        ctx.warned(SqlError::with_message(ErrorCode::TABLESPACE_MISSING, text));
    }
    // the folder that files for an import go to
    let folder = Pair::of(&old.schema, &old.name).folder;
    ctx.engine.store().files().fs().create_dir(&folder).map_err(storage_error)?;
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    let mut new = TableDef::clone(&old);
    new.discarded = true;
    new.auto_increment = 0;
    new.columns.iter_mut().for_each(|c| c.histogram = None);
    let new = ddl.create_files(new).map_err(storage_error)?;
    ddl.replace_table(&old, new).map_err(storage_error)?;
    ctx.commit(ddl)?;
    Ok(DdlResult::default())
}

/// The files of a table that is to be imported.
fn source(ctx: &DdlContext<'_>, def: &TableDef) -> SqlResult<Source> {
    let pair = Pair::of(&def.schema, &def.name);
    Source::find(ctx.engine, def).map_err(|e| match e {
        Absent::Tablespace => {
            let shown = format!("{}.{}", storage::dict::quote(&def.schema), storage::dict::quote(&def.name));
            SqlError::new(ErrorCode::TABLESPACE_MISSING, &[&shown])
        }
        Absent::Definition => {
            let what = format!("Error opening './{}'", pair.cfg);
            SqlError::new(ErrorCode::IO_READ_ERROR, &[&2, &"No such file or directory", &what])
        }
        Absent::Unfit(StorageError::Io { errno, file, .. }) => {
            let os = std::io::Error::from_raw_os_error(errno).to_string();
            let os = os.split(" (os error").next().unwrap_or_default().to_owned();
            SqlError::new(ErrorCode::IO_READ_ERROR, &[&errno, &os, &format!("Error reading './{file}'")])
        }
        Absent::Unfit(e) => storage_error(e),
    })
}

fn import(ctx: &mut DdlContext<'_>, t: &TableName<'_>) -> SqlResult<DdlResult> {
    let old = table(ctx, t)?;
    if !old.discarded {
        let shown = format!("{}/{}", old.schema, old.name);
        return Err(SqlError::new(ErrorCode::TABLESPACE_EXISTS, &[&shown]));
    }
    let source = source(ctx, &old)?;
    if let Some(why) = mismatch(&old, source.definition()) {
        return Err(SqlError::new(ErrorCode::TABLE_SCHEMA_MISMATCH, &[&why]));
    }
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    let mut new = TableDef::clone(&old);
    new.discarded = false;
    new.auto_increment = source.counter();
    let new = ddl.create_files(new).map_err(storage_error)?;
    // nobody else knows it: by the table's id rollback and purge must go on finding the empty one
    let target = Arc::new(Table::new(ctx.engine, Arc::new(new.clone())));
    let opts = BuildOptions { memory: sort_memory(ctx), interrupted: ctx.interrupted };
    source.load(ctx.engine, &target, opts).map_err(|e| load_error(ctx, &target, e))?;
    ddl.replace_table(&old, new).map_err(storage_error)?;
    ctx.commit(ddl)?;
    source.remove(ctx.engine);
    Ok(DdlResult::default())
}
