//! CREATE DATABASE, CREATE TABLE (also LIKE).

use super::charset::Chosen;
use super::columns::check_name;
use super::define::define_table;
use super::{DdlContext, DdlResult, foreign, storage_error};
use base::{ErrorCode, SpaceId, SqlError, SqlResult, TableId};
use parser::ast::{self, DatabaseOption};
use storage::dict::{ColumnDef, Ddl, TableDef};
use value::CollationId;

/// Collation that database options ask for; `default` if none names a character set or a collation.
pub(super) fn database_collation(
    options: &[DatabaseOption<'_>],
    default: CollationId,
    utf8mb4: CollationId,
) -> SqlResult<CollationId> {
    for o in options {
        match o {
            DatabaseOption::Encryption(b) if b.eq_ignore_ascii_case(b"y") => {
                return Err(SqlError::unsupported("ENCRYPTION"));
            }
            DatabaseOption::ReadOnly(Some(true)) => return Err(SqlError::unsupported("READ ONLY databases")),
            _ => {}
        }
    }
    Ok(Chosen::database(options, utf8mb4)?.collation().unwrap_or(default))
}

/// CREATE DATABASE.
pub(super) fn database(ctx: &mut DdlContext<'_>, s: &ast::CreateDatabase<'_>) -> SqlResult<DdlResult> {
    check_name(s.name, ErrorCode::WRONG_DB_NAME)?;
    ctx.check_writable_schema(s.name)?;
    if !s.if_not_exists {
        super::system_schema(s.name)?;
    }
    let collation = database_collation(s.options, ctx.server_collation, ctx.utf8mb4_collation)?;
    ctx.locks.schema_exclusive(s.name)?;
    if ctx.dict().schema(s.name).is_some() {
        if s.if_not_exists {
            ctx.note(ErrorCode::DB_CREATE_EXISTS, &[&s.name]);
            return Ok(DdlResult { affected: 1, ..DdlResult::default() });
        }
        return Err(SqlError::new(ErrorCode::DB_CREATE_EXISTS, &[&s.name]));
    }
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    ddl.create_schema(s.name, collation).map_err(storage_error)?;
    ctx.commit(ddl)?;
    Ok(DdlResult { affected: 1, ..DdlResult::default() })
}

/// CREATE TABLE.
pub(super) fn table(ctx: &mut DdlContext<'_>, s: &ast::CreateTable<'_>) -> SqlResult<DdlResult> {
    if s.select.is_some() {
        // the session runs it (`super::select`)
        return Err(SqlError::unsupported("CREATE TABLE ... SELECT here"));
    }
    if s.temporary {
        return super::temporary::create(ctx, s);
    }
    let (schema, name) = ctx.qualify(&s.table)?;
    if let Some(like) = &s.like {
        let (from_schema, from) = ctx.qualify(like)?;
        if (&from_schema, &from) == (&schema, &name) {
            return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&name]));
        }
        if ctx.temp.find(&from_schema, &from).is_none() {
            ctx.locks.table_kept(&from_schema, &from)?;
        }
        ctx.base_table(&from_schema, &from)?;
    }
    ctx.schema(&schema)?;
    ctx.locks.schema_intention(&schema)?;
    ctx.locks.table_exclusive(&schema, &name)?;
    if exists(ctx, &schema, &name, s.if_not_exists)? {
        return Ok(DdlResult::default());
    }
    let def = new_definition(ctx, s, &schema, &name, &[])?;
    foreign::check_children(ctx, &def)?;
    if s.like.is_none() && def.has_generated_key() {
        // the column is written by nobody, and its rows have it
        ctx.locks.log_created(s, &def);
    }
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    let def = ddl.create_files(def).map_err(storage_error)?;
    ddl.add_table(def).map_err(storage_error)?;
    ctx.commit(ddl)?;
    Ok(DdlResult::default())
}

/// Whether the name is taken: with IF NOT EXISTS a note, otherwise 1050.
pub(super) fn exists(ctx: &mut DdlContext<'_>, schema: &str, name: &str, if_not_exists: bool) -> SqlResult<bool> {
    if ctx.dict().relation(schema, name).is_none() {
        return Ok(false);
    }
    if !if_not_exists {
        return Err(SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&name]));
    }
    ctx.note(ErrorCode::TABLE_EXISTS_ERROR, &[&name]);
    Ok(true)
}

/// The definition that CREATE TABLE asks for; `selected`: columns that follow from a query.
pub(super) fn new_definition(
    ctx: &mut DdlContext<'_>,
    s: &ast::CreateTable<'_>,
    schema: &str,
    name: &str,
    selected: &[ColumnDef],
) -> SqlResult<TableDef> {
    let collation = ctx.schema(schema)?.collation;
    let def = match &s.like {
        Some(like) => copy_definition(ctx, like, schema, name)?,
        None => define_table(ctx, s, schema, name, collation, selected)?,
    };
    if ctx.require_primary_key && def.primary_key().is_none() {
        return Err(SqlError::new(ErrorCode::TABLE_WITHOUT_PK, &[]));
    }
    if s.temporary {
        super::fulltext::check_temporary(&def)?;
    }
    if s.temporary && !def.foreign_keys.is_empty() {
        return Err(SqlError::new(ErrorCode::CANNOT_ADD_FOREIGN, &[]));
    }
    Ok(def)
}

/// CREATE TABLE ... LIKE: everything but the rows, what is known of them, the foreign keys and the counter.
fn copy_definition(ctx: &DdlContext<'_>, like: &ast::TableName<'_>, schema: &str, name: &str) -> SqlResult<TableDef> {
    let (from_schema, from) = ctx.qualify(like)?;
    let mut def = TableDef::clone(&*ctx.base_table(&from_schema, &from)?);
    (def.id, def.space) = (TableId(0), SpaceId(0));
    (def.schema, def.name) = (schema.to_owned(), name.to_owned());
    def.foreign_keys.clear();
    def.referenced_by.clear();
    def.indexes.iter_mut().for_each(|i| i.implied = false);
    def.columns.iter_mut().for_each(|c| c.histogram = None);
    def.columns.iter_mut().for_each(|c| c.default.show_in(&ctx.time_zone));
    def.auto_increment = 0;
    def.created = ctx.now_unix;
    def.discarded = false;
    for (n, check) in def.checks.iter_mut().enumerate() {
        check.name = format!("{name}_chk_{}", n + 1);
    }
    Ok(def)
}
