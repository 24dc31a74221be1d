//! DROP DATABASE, DROP TABLE, DROP VIEW, TRUNCATE TABLE. Each statement is atomic, however many objects it names.

use super::{DdlContext, DdlResult, foreign, storage_error};
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, TableName};
use storage::dict::{Ddl, Relation};

/// DROP DATABASE with everything in it.
pub(super) fn database(ctx: &mut DdlContext<'_>, if_exists: bool, name: &str) -> SqlResult<DdlResult> {
    super::columns::check_name(name, ErrorCode::WRONG_DB_NAME)?;
    ctx.check_writable_schema(name)?;
    super::system_schema(name)?;
    ctx.locks.schema_exclusive(name)?;
    let Some(schema) = ctx.dict().schema(name) else {
        if if_exists {
            ctx.note(ErrorCode::DB_DROP_EXISTS, &[&name]);
            return Ok(DdlResult::default());
        }
        return Err(SqlError::new(ErrorCode::DB_DROP_EXISTS, &[&name]));
    };
    for p in ctx.dict().programs(name) {
        ctx.locks.program_exclusive(p.kind, name, &p.name)?;
    }
    let relations = ctx.dict().relations(name);
    for r in &relations {
        let (schema, table) = r.name();
        ctx.locks.table_exclusive(schema, table)?;
    }
    release_family(ctx, &relations)?;
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    for r in &relations {
        drop_relation(&mut ddl, r)?;
    }
    ddl.drop_schema(&schema).map_err(storage_error)?;
    ctx.commit(ddl)?;
    Ok(DdlResult {
        affected: relations.len() as u64,
        dropped_current_schema: ctx.current_schema == Some(name),
        ..DdlResult::default()
    })
}

/// Tables that go: none may be the parent of one that stays (3730), and parents that stay are locked, since they lose children.
fn release_family(ctx: &mut DdlContext<'_>, going: &[Relation]) -> SqlResult<()> {
    let tables = |r: &Relation| if let Relation::Table(t) = r { Some(t.clone()) } else { None };
    let going: Vec<_> = going.iter().filter_map(tables).collect();
    for t in &going {
        foreign::check_drop(ctx, t, &going)?;
        foreign::lock_parents(ctx, t)?;
    }
    Ok(())
}

fn drop_relation(ddl: &mut Ddl, r: &Relation) -> SqlResult<()> {
    match r {
        Relation::Table(t) => ddl.drop_table(t).map_err(storage_error),
        Relation::View(v) => ddl.drop_view(v).map_err(storage_error),
    }
}

/// DROP TABLE.
pub(super) fn tables(ctx: &mut DdlContext<'_>, s: &ast::DropTable<'_>) -> SqlResult<DdlResult> {
    let names = distinct(qualify_all(ctx, s.tables)?)?;
    let (dropped, rest): (Vec<_>, Vec<_>) = names.into_iter().partition(|n| ctx.temp.find(&n.0, &n.1).is_some());
    if s.temporary && !rest.is_empty() {
        missing(ctx, s.if_exists, &rest)?;
    }
    if s.temporary || rest.is_empty() {
        ctx.locks.env().binlog.forget_text();
    } else {
        relations(ctx, s.if_exists, rest, |r| matches!(r, Relation::Table(_)), true)?;
    }
    super::temporary::drop_tables(ctx, dropped)?;
    Ok(DdlResult::default())
}

/// DROP VIEW.
pub(super) fn views(ctx: &mut DdlContext<'_>, s: &ast::DropView<'_>) -> SqlResult<DdlResult> {
    let names = qualify_all(ctx, s.views)?;
    let mut sorted = names.clone();
    sorted.sort();
    for (schema, name) in &sorted {
        ctx.locks.schema_intention(schema)?;
        ctx.locks.table_exclusive(schema, name)?;
    }
    let (others, names): (Vec<_>, Vec<_>) =
        distinct(names)?.into_iter().partition(|(s, n)| matches!(ctx.dict().relation(s, n), Some(Relation::Table(_))));
    if let Some((schema, name)) = others.first().filter(|_| !s.if_exists) {
        return Err(SqlError::new(ErrorCode::WRONG_OBJECT, &[schema, name, &"VIEW"]));
    }
    let done = relations(ctx, s.if_exists, names, |r| matches!(r, Relation::View(_)), false)?;
    for (schema, name) in &others {
        ctx.note(ErrorCode::WRONG_OBJECT, &[schema, name, &"VIEW"]);
    }
    Ok(done)
}

fn qualify_all(ctx: &DdlContext<'_>, list: &[TableName<'_>]) -> SqlResult<Vec<(String, String)>> {
    list.iter().map(|t| ctx.qualify(t)).collect()
}

/// Notes (IF EXISTS) or error 1051 for names that do not exist.
fn missing(ctx: &mut DdlContext<'_>, if_exists: bool, names: &[(String, String)]) -> SqlResult<DdlResult> {
    let shown: Vec<String> = names.iter().map(|(s, n)| format!("{s}.{n}")).collect();
    if !if_exists {
        return Err(SqlError::new(ErrorCode::BAD_TABLE_ERROR, &[&shown.join(",")]));
    }
    for n in &shown {
        ctx.note(ErrorCode::BAD_TABLE_ERROR, &[n]);
    }
    Ok(DdlResult::default())
}

/// DROP TABLE as the binary log has it: the session's temporary tables are not in it, and the others whoever reads it.
fn generated<'n>(ctx: &DdlContext<'_>, if_exists: bool, names: impl Iterator<Item = (&'n str, &'n str)>) -> Vec<u8> {
    let quote = |s: &str| format!("`{}`", s.replace('`', "``"));
    let name = |(schema, name): (&str, &str)| match ctx.current_schema == Some(schema) {
        true => quote(name),
        false => format!("{}.{}", quote(schema), quote(name)),
    };
    let list: Vec<String> = names.map(name).collect();
    let exists = if if_exists { "IF EXISTS " } else { "" };
    let text = format!("DROP TABLE {exists}{} /* generated by server */", list.join(","));
    planner::from_client(text.as_bytes(), value::Charset::Utf8mb4, ctx.client).unwrap_or_else(|| text.into_bytes())
}

/// 1066 for a name that stands twice.
fn distinct(names: Vec<(String, String)>) -> SqlResult<Vec<(String, String)>> {
    for (i, n) in names.iter().enumerate() {
        if names.iter().take(i).any(|o| o == n) {
            return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&n.1]));
        }
    }
    Ok(names)
}

fn relations(
    ctx: &mut DdlContext<'_>,
    if_exists: bool,
    names: Vec<(String, String)>,
    wanted: impl Fn(&Relation) -> bool,
    tables: bool,
) -> SqlResult<DdlResult> {
    let mut sorted = names.clone();
    sorted.sort();
    for (schema, name) in &sorted {
        ctx.locks.schema_intention(schema)?;
        ctx.locks.table_exclusive(schema, name)?;
    }
    let mut found = Vec::new();
    let mut absent = Vec::new();
    for n in names {
        match ctx.dict().relation(&n.0, &n.1).filter(&wanted) {
            Some(r) => {
                match super::changeable(&r) {
                    // what a dump says before it makes the view: that stays as it is
                    Err(e) if if_exists => ctx.warned(e),
                    Err(e) => return Err(e),
                    Ok(()) => found.push(r),
                }
            }
            None => absent.push(n),
        }
    }
    if !absent.is_empty() {
        missing(ctx, if_exists, &absent)?;
    }
    if tables {
        let gone = found.iter().map(Relation::name).chain(absent.iter().map(|(s, n)| (s.as_str(), n.as_str())));
        let text = generated(ctx, if_exists, gone);
        ctx.locks.env().binlog.rewrite_text(|| text);
    }
    if found.is_empty() {
        return Ok(DdlResult::default());
    }
    release_family(ctx, &found)?;
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    for r in &found {
        drop_relation(&mut ddl, r)?;
    }
    ctx.commit(ddl)?;
    Ok(DdlResult::default())
}

/// Drops tables that the server has taken the rows of; whoever asks has looked at rights. The statement's event goes
/// along as it is.
///
/// # Errors
/// Of the metadata locks and of the dictionary.
pub fn taken(ctx: &mut DdlContext<'_>, schema: &str, names: &[&str]) -> SqlResult<()> {
    ctx.locks.schema_intention(schema)?;
    for name in names {
        ctx.locks.table_exclusive(schema, name)?;
    }
    let found: Vec<Relation> = names.iter().filter_map(|n| ctx.dict().relation(schema, n)).collect();
    release_family(ctx, &found)?;
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    for r in &found {
        drop_relation(&mut ddl, r)?;
    }
    ctx.commit(ddl)
}

/// TRUNCATE TABLE: a fresh tablespace in place of the old one.
pub(super) fn truncate(ctx: &mut DdlContext<'_>, t: &TableName<'_>) -> SqlResult<DdlResult> {
    let (schema, name) = ctx.qualify(t)?;
    if let Some(Relation::View(_)) = ctx.dict().relation(&schema, &name) {
        return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name]));
    }
    let missing = |e: SqlError| match e.is(ErrorCode::BAD_DB_ERROR) {
        true => SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name]),
        false => e,
    };
    let old = ctx.locked_table(&schema, &name).map_err(missing)?;
    if old.is_temporary() {
        return super::temporary::truncate(ctx, &old);
    }
    foreign::check_truncate(ctx, &old)?;
    super::transport::refuse_discarded(&old)?;
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    let mut new = storage::dict::TableDef::clone(&old);
    new.auto_increment = 0;
    let new = ddl.create_files(new).map_err(storage_error)?;
    ddl.replace_table(&old, new).map_err(storage_error)?;
    ctx.commit(ddl)?;
    Ok(DdlResult::default())
}
