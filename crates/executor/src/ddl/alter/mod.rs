//! ALTER TABLE, ALTER DATABASE, CREATE/DROP INDEX.
//!
//! [`Draft`] holds the new definition and, for every new column, where its value comes from. When all actions are applied
//! ([`actions`], [`columns`]), the difference decides how it is carried out ([`method`]): only the dictionary changes (names, defaults, comments,
//! visibility, columns that rows need not be rewritten for: [`super::instant`]), an index goes or is built beside the others, or the
//! table is rebuilt by copying its rows ([`super::copy`]).

mod actions;
mod columns;
mod draft;
mod method;

pub(super) use draft::Draft;

use self::method::{Method, Order, alter_temporary, carry_out, choose, rebuilds, set_back_counter};
use super::algorithm::Besides;
use super::create::database_collation;
use super::define::{finish, warn_duplicates};
use super::{
    DdlContext, DdlResult, algorithm, foreign, foreign_relatives, functional, generated_key, size_limits,
    storage_error, table_expr_rules, temporary,
};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use parser::ast::{self, AlterAction, TableName};
use storage::dict::Ddl;

/// ALTER DATABASE.
pub(super) fn database(ctx: &mut DdlContext<'_>, s: &ast::AlterDatabase<'_>) -> SqlResult<DdlResult> {
    let name = s.name.or(ctx.current_schema).ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?.to_owned();
    super::columns::check_name(&name, ErrorCode::WRONG_DB_NAME)?;
    ctx.check_writable_schema(&name)?;
    super::system_schema(&name)?;
    ctx.locks.schema_exclusive(&name)?;
    let missing = || SqlError::new(ErrorCode::SCHEMA_DOES_NOT_EXIST, &[&name]);
    let old = ctx.dict().schema(&name).ok_or_else(missing)?;
    let mut new = storage::dict::SchemaDef::clone(&old);
    new.collation = database_collation(s.options, old.collation, ctx.utf8mb4_collation)?;
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    ddl.alter_schema(new).map_err(storage_error)?;
    ctx.commit(ddl)?;
    Ok(DdlResult { affected: 1, ..DdlResult::default() })
}

/// CREATE INDEX.
pub(super) fn create_index(ctx: &mut DdlContext<'_>, s: &ast::CreateIndex<'_>) -> SqlResult<DdlResult> {
    run(ctx, &s.table, &[AlterAction::AddIndex(&s.index)], (s.algorithm, s.lock), false)
}

/// DROP INDEX.
pub(super) fn drop_index(ctx: &mut DdlContext<'_>, s: &ast::DropIndex<'_>) -> SqlResult<DdlResult> {
    run(ctx, &s.table, &[AlterAction::DropIndex(s.name)], (s.algorithm, s.lock), false)
}

/// ALTER TABLE.
pub(super) fn table(ctx: &mut DdlContext<'_>, s: &ast::AlterTable<'_>) -> SqlResult<DdlResult> {
    use AlterAction::{AddColumn, AddElements, ChangeColumn, ModifyColumn, RenameColumn};
    let columns = |a: &AlterAction<'_>| {
        matches!(a, AddColumn { .. } | AddElements(_) | ChangeColumn { .. } | ModifyColumn { .. } | RenameColumn { .. })
    };
    if s.validation.is_some() && !s.actions.iter().any(columns) {
        return Err(SqlError::new(ErrorCode::WRONG_USAGE, &[&"ALTER", &"WITH VALIDATION"]));
    }
    if let Some(done) = super::transport::statement(ctx, s) {
        return done;
    }
    run(ctx, &s.table, s.actions, (s.algorithm, s.lock), s.validation == Some(true))
}

fn run<'a>(
    ctx: &mut DdlContext<'_>,
    table: &TableName<'a>,
    actions: &[AlterAction<'a>],
    (algorithm, lock): (Option<&str>, Option<&str>),
    validation: bool,
) -> SqlResult<DdlResult> {
    let (schema, name) = ctx.qualify(table)?;
    let old = ctx.alterable_table(&schema, &name)?;
    let mut d = Draft::new(&old, ctx.utf8mb4_collation);
    // as MySQL leaves them; a statement that only renames writes no columns
    let kept = |a: &AlterAction<'_>| {
        matches!(a, AlterAction::RenameTable(_) | AlterAction::EnableKeys | AlterAction::DisableKeys)
    };
    if !actions.iter().all(kept) {
        d.new.columns.iter_mut().for_each(|c| c.default.show_in(&ctx.time_zone));
    }
    let kept_keys = define(ctx, &mut d, actions)?;
    let format = |a: &AlterAction<'_>| {
        matches!(a, AlterAction::Option(ast::TableOption::RowFormat(_) | ast::TableOption::KeyBlockSize(_)))
    };
    if actions.iter().any(format) {
        super::row_format::check(ctx, &mut d.new.options, &name, super::tablespace::Statement::Alter)?;
    }
    let algorithm = match algorithm {
        None if ctx.locks.env().vars.bool(Var::old_alter_table) => Some("copy"),
        given => given,
    };
    let followers = foreign_relatives::follow(ctx, &mut d)?;
    let validate = ctx.foreign_key_checks && d.new.foreign_keys.len() > kept_keys;
    let force = actions.iter().any(rebuilds);
    let strict = ctx.sql_mode.is_strict();
    let checks = !d.verify.is_empty();
    let way = algorithm::cheapest(&d, Besides { foreign: validate, checks, force, strict, validation });
    algorithm::check(algorithm, lock, way, old.is_temporary())?;
    let only_renamed = !actions.is_empty() && actions.iter().all(|a| matches!(a, AlterAction::RenameTable(_)));
    zero_dates(ctx, &d)?;
    let order = Order { way, algorithm, lock, only_renamed };
    let method = choose(ctx, &mut d, &order)?;
    if old.is_temporary() {
        return alter_temporary(ctx, d, &method, only_renamed);
    }
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    let built = matches!(method, Method::Rebuild | Method::AddIndexes { .. });
    let (mut new, mut affected) = carry_out(ctx, &mut ddl, &d, method, &order)?;
    if validate {
        affected = foreign_relatives::validate_beside_readers(ctx, &old, &new, kept_keys, lock)?;
    }
    if !d.verify.is_empty() {
        affected = super::copy::check_rows(ctx, &new, &d.verify)?;
    }
    super::histogram::settle(&mut new);
    if new.space == old.space {
        set_back_counter(ctx, &d)?;
    }
    let _at = built.then(|| probe::stage::enter(probe::Stage::AlterEnd));
    ddl.replace_table(&old, new).map_err(storage_error)?;
    for (child, new) in followers {
        ddl.replace_table(&child, new).map_err(storage_error)?;
    }
    ctx.commit(ddl)?;
    let warnings = ctx.warnings_given();
    let info = if only_renamed || actions.is_empty() {
        String::new()
    } else {
        format!("Records: {affected}  Duplicates: 0  Warnings: {warnings}")
    };
    Ok(DdlResult { affected, info, ..DdlResult::default() })
}

/// A DATE or DATETIME column that is added NOT NULL and without a default would be the zero date in every row there is: error or warning 1292
/// under NO_ZERO_DATE.
fn zero_dates(ctx: &mut DdlContext<'_>, d: &Draft<'_>) -> SqlResult<()> {
    use value::TypeKind::{Date, DateTime};
    let bare = |c: &storage::dict::ColumnDef| {
        let none = matches!(c.default, storage::dict::ColumnDefault::None) && c.generated.is_none();
        none && !c.ty.nullable && matches!(c.ty.kind, Date | DateTime)
    };
    let added = d.source.iter().zip(&d.new.columns).find(|(s, c)| s.is_none() && bare(c));
    let Some((_, column)) = added.filter(|_| ctx.sql_mode.has(value::SqlMode::NO_ZERO_DATE)) else { return Ok(()) };
    if !super::copy::has_rows(ctx, &d.old)? {
        return Ok(());
    }
    let (what, zero) = match column.ty.kind {
        Date => ("date", "0000-00-00"),
        _ => ("datetime", "0000-00-00 00:00:00"),
    };
    let text = format!("Incorrect {what} value: '{zero}' for column '{}' at row 1", column.name);
    let e = SqlError::with_message(ErrorCode::TRUNCATED_WRONG_VALUE, text);
    if ctx.sql_mode.is_strict() {
        return Err(e);
    }
    ctx.warnings.push(value::Warning { level: value::Level::Warning, code: e.code(), message: e.message().to_owned() });
    Ok(())
}

/// ALTER INDEX means a key of the old definition that the statement neither drops nor renames.
fn keeps_key(old: &storage::dict::TableDef, actions: &[AlterAction<'_>], name: &str) -> bool {
    let there = old.index(name).is_some() || old.fulltext(name).is_some();
    let leaves = |a: &AlterAction<'_>| match a {
        AlterAction::DropIndex(n) | AlterAction::RenameIndex { old: n, .. } => super::define::same_name(n, name),
        _ => false,
    };
    there && !actions.iter().any(leaves)
}

/// Applies the actions in the order that MySQL gives them.
fn in_turns<'a>(ctx: &mut DdlContext<'_>, d: &mut Draft<'a>, actions: &[AlterAction<'a>]) -> SqlResult<()> {
    let old = d.old.clone();
    let missing = columns::missing_drops(&old, actions);
    // what goes is meant of the old definition, wherever it stands: a key of the same name may come in the same statement; and the
    // table's own character set is the default of every column that comes
    let turn = |a: &AlterAction<'_>| match a {
        AlterAction::DropIndex(_) | AlterAction::DropPrimaryKey | AlterAction::DropForeignKey(_) => 0,
        AlterAction::DropColumn(name) if columns::comes_again(actions, name) => 4,
        AlterAction::DropColumn(_) => 1,
        AlterAction::Option(_) | AlterAction::ConvertCharset { .. } => 2,
        _ => 3,
    };
    for now in 0..=3 {
        if now == 3 {
            columns::apply(ctx, d, actions)?;
            columns::not_found(actions, &missing)?;
            columns::check_twice(&d.new)?;
            columns::recheck_keys(d)?;
            for a in actions {
                if let AlterAction::SetIndexVisible { index, .. } = a
                    && !keeps_key(&old, actions, index)
                {
                    return Err(SqlError::new(ErrorCode::KEY_DOES_NOT_EXITS, &[index, &old.name]));
                }
            }
        }
        for (_, a) in actions.iter().enumerate().filter(|(n, a)| turn(a) == now && !missing.contains(n)) {
            actions::apply(ctx, d, a)?;
        }
    }
    Ok(())
}

/// Applies the actions; the new definition is complete and valid. Gives the number of its foreign keys that the old one has too.
fn define<'a>(ctx: &mut DdlContext<'_>, d: &mut Draft<'a>, actions: &[AlterAction<'a>]) -> SqlResult<usize> {
    let old = d.old.clone();
    generated_key::check_actions(&old, actions)?;
    for a in actions {
        match a {
            AlterAction::DropCheck(name) => d.check(name).map(drop)?,
            AlterAction::SetCheckEnforced { name, constraint, .. } => d.constraint(name, *constraint).map(drop)?,
            _ => {}
        }
    }
    in_turns(ctx, d, actions)?;
    actions::release_columns(ctx, d)?;
    let mut keys = std::mem::take(&mut d.functional);
    functional::refresh(ctx, &mut d.new)?;
    functional::resolve(ctx, &mut d.new, &mut keys)?;
    d.source.resize(d.new.columns.len(), None);
    d.add_keys(&keys)?;
    super::define::refuse_nulls(&d.new, &d.nulls)?;
    super::keys::limit_comments(ctx, &mut d.new)?;
    foreign_relatives::index_children(d)?;
    generated_key::check_altered(ctx, &old, &d.new)?;
    finish(&mut d.new)?;
    if size_limits::overfills_page(ctx, &d.new) {
        return Err(SqlError::new(ErrorCode::TOO_BIG_ROWSIZE, &[&size_limits::MAX_PAGE_BYTES]));
    }
    foreign_relatives::check(ctx, d)?;
    let kept_keys = d.new.foreign_keys.len();
    let added = std::mem::take(&mut d.foreign);
    foreign::add(ctx, &mut d.new, &added)?;
    let own_checks = std::mem::take(&mut d.own_checks);
    let names: Vec<String> = d.new.checks.iter().map(|c| c.name.clone()).collect();
    table_expr_rules::validate(ctx, &d.new, &|n| {
        own_checks.iter().find(|(c, _)| Some(c) == names.get(n)).map(|(_, column)| column.clone())
    })?;
    super::define::check_names(ctx, &d.new)?;
    super::column_spelling::settle(&mut d.new, Some(&old));
    warn_duplicates(ctx, &d.new, (&old.indexes, &old.fulltext));
    if ctx.require_primary_key && old.primary_key().is_some() && d.new.primary_key().is_none() {
        return Err(SqlError::new(ErrorCode::TABLE_WITHOUT_PK, &[]));
    }
    if (&d.new.schema, &d.new.name) != (&old.schema, &old.name) {
        check_target(ctx, &d.new.schema, &d.new.name, old.is_temporary())?;
    }
    Ok(kept_keys)
}

/// The new name of a table: lock it and see that it is free.
fn check_target(ctx: &mut DdlContext<'_>, schema: &str, name: &str, temporary: bool) -> SqlResult<()> {
    if temporary {
        return temporary::exists(ctx, schema, name, false).map(drop);
    }
    ctx.locks.schema_intention(schema)?;
    ctx.locks.table_exclusive(schema, name)?;
    // not before: it may have been dropped while its locks were waited for
    ctx.schema(schema)?;
    match ctx.dict().relation(schema, name) {
        Some(_) => Err(SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&name])),
        None => Ok(()),
    }
}
