//! What MySQL's parser says of a definition while it reads it: names that are too long, widths beyond a type's limits,
//! engines and character sets that there are not.
//!
//! These errors come before the table, its schema or the account's rights are looked at, so a statement about a table
//! that exists already (or does not) fails with them first. Nothing is locked or changed here; the definition is built
//! later by [`super::define`], which would find the same. Tested by the golden file `error_order`.

use super::charset::Chosen;
use super::columns::check_name;
use super::types;
use base::names::short;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{AlterAction, CheckDef, ColumnAttr, ColumnDef, CreateTable, ForeignKey, Statement};
use parser::ast::{TableElement, TableOption};
use value::{CollationId, SqlMode};

/// Looks at CREATE and ALTER of tables and databases; other statements are right. Errors 1059, 1439, 1426, 1425, 1427, 1063, 1286, 1115, 1273, 1253,
/// 1302, 3979.
pub fn check(s: &Statement<'_>, mode: SqlMode) -> SqlResult<()> {
    match s {
        Statement::CreateTable(c) => {
            elements(c.elements, mode)?;
            starts_transaction(c, mode)?;
            let mut chosen = Chosen::none(CollationId::UTF8MB4_0900_AI_CI);
            c.options.iter().try_for_each(|o| option(o, &mut chosen, mode))
        }
        Statement::AlterTable(a) => {
            let mut chosen = Chosen::none(CollationId::UTF8MB4_0900_AI_CI);
            a.actions.iter().try_for_each(|x| action(x, &mut chosen, mode))
        }
        Statement::CreateDatabase(d) => Chosen::database(d.options, CollationId::UTF8MB4_0900_AI_CI).map(drop),
        Statement::AlterDatabase(d) => Chosen::database(d.options, CollationId::UTF8MB4_0900_AI_CI).map(drop),
        _ => Ok(()),
    }
}

/// 3979: what cannot be begun with a table that the transaction fills.
fn starts_transaction(c: &CreateTable<'_>, mode: SqlMode) -> SqlResult<()> {
    if !c.starts_transaction() {
        return Ok(());
    }
    let other = c.options.iter().any(|o| match o {
        TableOption::Engine(name) => {
            super::define::known_engine(name, mode).is_ok_and(|e| e == super::define::Engine::Other)
        }
        _ => false,
    });
    let what = match (c.temporary, c.select.is_some(), other) {
        (true, ..) => "to create temporary tables",
        (_, true, _) => "with CREATE TABLE ... AS SELECT statement",
        (.., true) => "with engine that does not support atomic DDL",
        _ => return Ok(()),
    };
    Err(not_with_transaction(what))
}

fn not_with_transaction(what: &str) -> SqlError {
    SqlError::new(ErrorCode::NOT_ALLOWED_WITH_START_TRANSACTION, &[&what])
}

fn action(a: &AlterAction<'_>, chosen: &mut Chosen, mode: SqlMode) -> SqlResult<()> {
    match a {
        AlterAction::AddColumn { column: c, .. }
        | AlterAction::ChangeColumn { column: c, .. }
        | AlterAction::ModifyColumn { column: c, .. } => column(c, mode),
        AlterAction::AddElements(list) => elements(list, mode),
        AlterAction::AddForeignKey(f) => foreign_key(f),
        AlterAction::AddCheck(c) => check_constraint(c),
        AlterAction::RenameTable(t) => check_name(t.name, ErrorCode::WRONG_TABLE_NAME),
        AlterAction::Option(TableOption::StartTransaction) => Err(not_with_transaction("with ALTER TABLE command")),
        AlterAction::Option(o) => option(o, chosen, mode),
        AlterAction::ConvertCharset { charset, collation } => chosen.convert(*charset, *collation),
        _ => Ok(()),
    }
}

fn elements(list: &[TableElement<'_>], mode: SqlMode) -> SqlResult<()> {
    list.iter().try_for_each(|e| match e {
        TableElement::Column(c) => column(c, mode),
        TableElement::ForeignKey(f) => foreign_key(f),
        TableElement::Check(c) => check_constraint(c),
        TableElement::Index(_) => Ok(()),
    })
}

fn column(c: &ColumnDef<'_>, mode: SqlMode) -> SqlResult<()> {
    short(c.name)?;
    types::numeric(&c.ty, c.name, mode)?;
    for a in c.attributes {
        if let ColumnAttr::Check(k) = a {
            check_constraint(k)?;
        }
    }
    Ok(())
}

fn foreign_key(f: &ForeignKey<'_>) -> SqlResult<()> {
    f.constraint.or(f.index_name).map_or(Ok(()), short)
}

fn check_constraint(c: &CheckDef<'_>) -> SqlResult<()> {
    c.name.map_or(Ok(()), short)
}

fn option(o: &TableOption<'_>, chosen: &mut Chosen, mode: SqlMode) -> SqlResult<()> {
    match o {
        TableOption::Engine(name) => super::define::known_engine(name, mode).map(drop),
        _ => chosen.table_option(o),
    }
}
