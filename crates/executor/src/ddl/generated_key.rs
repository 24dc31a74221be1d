//! Generated invisible primary keys: with `sql_generate_invisible_primary_key` a table that is created without primary key gets a first
//! column `my_row_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE` as one (manual, "Generated Invisible Primary Keys").
//!
//! Whether a key is such a one is asked of the definition ([`TableDef::has_generated_key`]), whatever the variable is now: its column can
//! be made visible and can go together with the key, nothing else. CREATE TABLE ... LIKE copies and generates nothing. No locks, no files.
//!
//! Tested: `tests/sql/golden/generated_key.sql`.

use super::DdlContext;
use super::keys::KeySpec;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::AlterAction;
use planner::same_name;
use storage::dict::{ColumnDef, GENERATED_KEY, IndexDef, IndexKind, TableDef};
use value::{SqlType, TypeKind};

/// Adds column and key to a table that is created with `columns` and `specs`, where the session wants that and no primary key is there.
pub(super) fn generate(ctx: &DdlContext<'_>, columns: &mut Vec<ColumnDef>, specs: &mut Vec<KeySpec>) -> SqlResult<()> {
    if !ctx.generate_primary_key || specs.iter().any(|k| k.kind == IndexKind::Primary) {
        return Ok(());
    }
    for c in columns.iter() {
        if same_name(&c.name, GENERATED_KEY) {
            return Err(SqlError::new(ErrorCode::GIPK_COLUMN_EXISTS, &[]));
        }
        if c.auto_increment {
            return Err(SqlError::new(ErrorCode::GIPK_FAILED_AUTOINC_COLUMN_EXISTS, &[]));
        }
    }
    let ty = SqlType { unsigned: true, ..SqlType::new(TypeKind::BigInt) }.nullable(false);
    let column = ColumnDef { auto_increment: true, invisible: true, ..ColumnDef::new(GENERATED_KEY, ty) };
    columns.insert(0, column);
    specs.push(KeySpec::on_column(IndexKind::Primary, GENERATED_KEY));
    Ok(())
}

/// 4110 for an ALTER TABLE that changes the column of a generated key other than making it visible.
pub(super) fn check_actions(old: &TableDef, actions: &[AlterAction<'_>]) -> SqlResult<()> {
    if !old.has_generated_key() {
        return Ok(());
    }
    let changed = |a: &AlterAction<'_>| {
        let name = match a {
            AlterAction::ChangeColumn { old: column, .. }
            | AlterAction::RenameColumn { old: column, .. }
            | AlterAction::SetDefault { column, .. }
            | AlterAction::DropDefault(column)
            | AlterAction::SetColumnVisible { column, visible: false } => column,
            AlterAction::ModifyColumn { column, .. } => column.name,
            _ => return false,
        };
        same_name(name, GENERATED_KEY)
    };
    if actions.iter().any(changed) {
        return Err(SqlError::new(ErrorCode::GIPK_COLUMN_ALTER_NOT_ALLOWED, &[]));
    }
    Ok(())
}

/// What an ALTER TABLE makes of a table's primary key: 1235 where it loses it although the session wants one, 4111 where a generated
/// key goes and its column stays.
pub(super) fn check_altered(ctx: &DdlContext<'_>, old: &TableDef, new: &TableDef) -> SqlResult<()> {
    // the keys are not sorted yet
    let key = new.indexes.iter().find(|i| i.kind == IndexKind::Primary);
    if ctx.generate_primary_key && old.primary_key().is_some() && key.is_none() {
        return Err(SqlError::unsupported(LOST));
    }
    let column = new.column(GENERATED_KEY).map(|c| c as u16);
    let kept = |i: &IndexDef| i.parts.len() == 1 && i.parts.iter().all(|p| Some(p.column) == column);
    if old.has_generated_key() && column.is_some() && !key.is_some_and(kept) {
        return Err(SqlError::new(ErrorCode::DROP_PK_COLUMN_TO_DROP_GIPK, &[]));
    }
    Ok(())
}

/// What MySQL calls it.
const LOST: &str = "existing primary key drop without adding a new primary key. In @@sql_generate_invisible_primary_key=ON mode \
                    table should have a primary key. Please add a new primary key to be able to drop existing primary key.";
