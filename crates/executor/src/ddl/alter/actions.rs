//! The actions of an ALTER TABLE, each applied to the [`Draft`].

use super::Draft;
use super::method::rebuilds;
use crate::ddl::columns::{check_name, define_default};
use crate::ddl::define::{define_checks, options, same_name};
use crate::ddl::keys::KeySpec;
use crate::ddl::tablespace;
use crate::ddl::types::column_collation;
use crate::ddl::{DdlContext, functional, table_expr_rules};
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, AlterAction, TableElement};
use storage::dict::{ColumnDef, ColumnDefault, IndexDef};
use value::TypeKind;

/// Applies one action to the draft.
pub(super) fn apply<'a>(ctx: &mut DdlContext<'_>, d: &mut Draft<'a>, a: &AlterAction<'a>) -> SqlResult<()> {
    match a {
        AlterAction::AddColumn { .. } | AlterAction::ChangeColumn { .. } | AlterAction::ModifyColumn { .. } => {
            add_written(ctx, d)?;
        }
        AlterAction::AddElements(list) => {
            for e in *list {
                add_element(ctx, d, e)?;
            }
        }
        AlterAction::AddIndex(i) => d.add_key(KeySpec::from_ast(ctx, i)?)?,
        AlterAction::AddForeignKey(f) => d.foreign.push(f),
        AlterAction::AddCheck(c) => add_checks(ctx, d, &[*c], None)?,
        AlterAction::DropColumn(name) => d.drop_column(name)?,
        AlterAction::DropPrimaryKey => {
            d.drop_key("PRIMARY")?;
        }
        AlterAction::DropIndex(name) => d.drop_key(name)?,
        AlterAction::DropForeignKey(name) => {
            d.new.foreign_keys.retain(|k| !same_name(&k.name, name));
        }
        AlterAction::DropCheck(name) => drop_check(d, name)?,
        AlterAction::DropConstraint(name) => drop_constraint(d, name)?,
        AlterAction::SetDefault { column, value } => set_default(ctx, d, column, value)?,
        AlterAction::DropDefault(column) => {
            let at = d.old_column(column)?;
            if let Some(c) = d.new.columns.get_mut(at) {
                c.default = ColumnDefault::None;
            }
        }
        AlterAction::SetColumnVisible { column, visible } => {
            let at = d.old_column(column)?;
            if let Some(c) = d.new.columns.get_mut(at) {
                c.invisible = !visible;
            }
        }
        AlterAction::SetIndexVisible { index, visible } => set_index_visible(d, index, *visible)?,
        AlterAction::SetCheckEnforced { name, constraint, enforced } => {
            let c = d.constraint(name, *constraint)?;
            let (was, name) = (std::mem::replace(&mut c.enforced, *enforced), c.name.clone());
            if *enforced && !was {
                d.verify.push(name);
            }
        }
        AlterAction::RenameTable(t) => {
            let (schema, name) = ctx.qualify(t)?;
            if schema != d.old.schema && !d.old.triggers.is_empty() {
                return Err(SqlError::new(ErrorCode::TRG_IN_WRONG_SCHEMA, &[]));
            }
            (d.new.schema, d.new.name) = (schema, name);
        }
        // see `columns`
        AlterAction::RenameColumn { .. } => {}
        AlterAction::RenameIndex { old, new } => rename_index(d, old, new)?,
        AlterAction::ConvertCharset { charset, collation } => convert_charset(ctx, d, *charset, *collation)?,
        AlterAction::Option(o) => {
            // the same engine means the same as FORCE (manual, "ALTER TABLE")
            d.force |= rebuilds(a);
            alter_option(ctx, d, o)?;
        }
        AlterAction::Force => d.force = true,
        AlterAction::OrderBy(columns) => order_by(ctx, d, columns)?,
        // MyISAM's; InnoDB warns that it has no such option
        AlterAction::EnableKeys | AlterAction::DisableKeys => {
            let name = d.old.name.clone();
            ctx.note(ErrorCode::ILLEGAL_HA, &[&name]);
        }
        AlterAction::DiscardTablespace => return Err(SqlError::unsupported("DISCARD TABLESPACE")),
        AlterAction::ImportTablespace => return Err(SqlError::unsupported("IMPORT TABLESPACE")),
        AlterAction::SecondaryLoad | AlterAction::SecondaryUnload => {
            return Err(SqlError::unsupported("secondary engines"));
        }
        _ => return Err(SqlError::unsupported("partitioning")),
    }
    Ok(())
}

fn drop_check(d: &mut Draft<'_>, name: &str) -> SqlResult<()> {
    d.check(name)?;
    d.new.checks.retain(|c| !same_name(&c.name, name));
    Ok(())
}

/// ADD (...): one of the list.
fn add_element<'a>(ctx: &mut DdlContext<'_>, d: &mut Draft<'a>, e: &TableElement<'a>) -> SqlResult<()> {
    match e {
        TableElement::Column(_) => add_written(ctx, d)?,
        TableElement::Index(i) => d.add_key(KeySpec::from_ast(ctx, i)?)?,
        TableElement::Check(c) => add_checks(ctx, d, &[*c], None)?,
        TableElement::ForeignKey(f) => d.foreign.push(f),
    }
    Ok(())
}

/// ALTER COLUMN ... SET DEFAULT.
fn set_default(ctx: &mut DdlContext<'_>, d: &mut Draft<'_>, column: &str, value: &ast::Expr<'_>) -> SqlResult<()> {
    let at = d.old_column(column)?;
    if let Some(c) = d.new.columns.get_mut(at) {
        // a literal in parentheses is one too, in this place
        let value = match &value.kind {
            ast::ExprKind::Paren(inner) if matches!(inner.kind, ast::ExprKind::Literal(_)) => inner,
            _ => value,
        };
        // not even NULL
        if c.ty.kind.is_lob() && matches!(value.kind, ast::ExprKind::Literal(_)) {
            return Err(SqlError::new(ErrorCode::BLOB_CANT_HAVE_DEFAULT, &[&c.name]));
        }
        c.default = define_default(ctx, c, value)?;
    }
    Ok(())
}

/// ALTER INDEX ... VISIBLE.
fn set_index_visible(d: &mut Draft<'_>, index: &str, visible: bool) -> SqlResult<()> {
    let missing = || SqlError::new(ErrorCode::KEY_DOES_NOT_EXITS, &[&index, &d.old.name]);
    if let Some(i) = d.new.fulltext(index).and_then(|i| d.new.fulltext.get_mut(i)) {
        i.visible = visible;
        return Ok(());
    }
    let at = d.new.index(index).ok_or_else(missing)?;
    if let Some(i) = d.new.indexes.get_mut(at) {
        i.visible = visible;
    }
    Ok(())
}

/// ORDER BY: copies the table; the order itself is that of the clustered index.
fn order_by(ctx: &mut DdlContext<'_>, d: &mut Draft<'_>, columns: &[&str]) -> SqlResult<()> {
    if d.new.primary_key().is_some() {
        let what = format!("ORDER BY ignored as there is a user-defined clustered index in the table '{}'", d.old.name);
        let code = ErrorCode::UNKNOWN_ERROR.number();
        ctx.warnings.push(value::Warning { level: value::Level::Warning, code, message: what });
    } else if let Some(c) = columns.iter().find(|c| d.new.column(c).is_none()) {
        return Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[c, &"order clause"]));
    }
    d.force = true;
    Ok(())
}

/// The keys and checks of the next column that the statement writes out; the column is there.
fn add_written(ctx: &DdlContext<'_>, d: &mut Draft<'_>) -> SqlResult<()> {
    let Some(w) = d.written.pop_front() else { return Ok(()) };
    add_checks(ctx, d, &w.checks, Some(&w.name))?;
    d.add_keys(&w.keys)
}

/// ADD CHECK; `own`: the column it is written at.
fn add_checks(
    ctx: &DdlContext<'_>,
    d: &mut Draft<'_>,
    checks: &[ast::CheckDef<'_>],
    own: Option<&str>,
) -> SqlResult<()> {
    if checks.is_empty() {
        return Ok(());
    }
    let new = define_checks(ctx, checks, &d.old.name, &d.new.checks)?;
    for c in &new {
        if c.enforced {
            d.verify.push(c.name.clone());
        }
        if let Some(own) = own {
            d.own_checks.push((c.name.clone(), own.to_owned()));
        }
    }
    d.new.checks.extend(new);
    Ok(())
}

/// DROP CONSTRAINT: whatever has the name; 3939 if several do.
fn drop_constraint(d: &mut Draft<'_>, name: &str) -> SqlResult<()> {
    let check = d.new.checks.iter().any(|c| same_name(&c.name, name));
    let foreign = d.new.foreign_keys.iter().any(|k| same_name(&k.name, name));
    let key = d.new.index(name).and_then(|i| d.new.indexes.get(i)).is_some_and(IndexDef::unique);
    match (check, foreign, key) {
        (false, false, false) => Err(SqlError::new(ErrorCode::CONSTRAINT_NOT_FOUND, &[&name])),
        (true, false, false) => {
            d.new.checks.retain(|c| !same_name(&c.name, name));
            Ok(())
        }
        (false, true, false) => {
            d.new.foreign_keys.retain(|k| !same_name(&k.name, name));
            Ok(())
        }
        (false, false, true) => d.drop_key(name),
        _ => Err(SqlError::new(ErrorCode::MULTIPLE_CONSTRAINTS_WITH_SAME_NAME, &[&name, &"DROP"])),
    }
}

/// Columns that go or get another name: no stored expression may need them (3108, 3959, 3837, 3766); checks on a dropped column alone
/// go with it.
pub(super) fn release_columns(ctx: &mut DdlContext<'_>, d: &mut Draft<'_>) -> SqlResult<()> {
    let old = d.old.clone();
    for (at, c) in old.columns.iter().enumerate() {
        let now = d.source.iter().position(|s| *s == Some(at)).and_then(|n| d.new.columns.get(n));
        let dropped = now.is_none();
        if now.is_some_and(|n| n.name == c.name) || c.is_hidden() {
            continue;
        }
        let gone = |kind: table_expr_rules::Kind| match kind {
            table_expr_rules::Kind::Default(i) | table_expr_rules::Kind::Generated(i) => {
                let now = d.source.iter().position(|s| *s == Some(i)).and_then(|n| d.new.columns.get(n));
                let before = old.columns.get(i);
                now.is_none_or(|n| before.is_some_and(|b| b.generated != n.generated))
            }
            table_expr_rules::Kind::Check(i) => {
                old.checks.get(i).is_some_and(|c| !d.new.checks.iter().any(|n| n.name == c.name))
            }
        };
        table_expr_rules::check_dependents(ctx, &old, at, dropped, &gone)?;
        if dropped {
            let names: Vec<String> = table_expr_rules::checks_on_alone(ctx, &old, at)?
                .into_iter()
                .filter_map(|i| old.checks.get(i).map(|c| c.name.clone()))
                .collect();
            d.new.checks.retain(|c| !names.contains(&c.name));
        }
    }
    Ok(())
}

fn rename_index(d: &mut Draft<'_>, old: &str, new: &str) -> SqlResult<()> {
    let primary = |n: &str| n.eq_ignore_ascii_case("PRIMARY") || n.eq_ignore_ascii_case("GEN_CLUST_INDEX");
    if primary(new) {
        return Err(SqlError::new(ErrorCode::WRONG_NAME_FOR_INDEX, &[&new]));
    }
    if primary(old) {
        return Err(SqlError::new(ErrorCode::WRONG_NAME_FOR_INDEX, &[&old]));
    }
    let missing = || SqlError::new(ErrorCode::KEY_DOES_NOT_EXITS, &[&old, &d.old.name]);
    let full = d.new.fulltext(old);
    let at = d.new.index(old).or(full).ok_or_else(missing)?;
    check_name(new, ErrorCode::WRONG_NAME_FOR_INDEX)?;
    if !same_name(old, new) && (d.new.index(new).is_some() || d.new.fulltext(new).is_some()) {
        return Err(SqlError::new(ErrorCode::DUP_KEYNAME, &[&new]));
    }
    if let Some(i) = full.and_then(|i| d.new.fulltext.get_mut(i)) {
        i.name = new.to_owned();
        return Ok(());
    }
    if let Some(i) = d.new.indexes.get_mut(at) {
        for c in &mut d.new.columns {
            if let Some(name) = functional::renamed(&c.name, &i.name, new) {
                c.name = name;
            }
        }
        i.name = new.to_owned();
    }
    Ok(())
}

fn convert_charset(
    ctx: &DdlContext<'_>,
    d: &mut Draft<'_>,
    charset: Option<&str>,
    collate: Option<&str>,
) -> SqlResult<()> {
    let charset = charset.filter(|c| !c.eq_ignore_ascii_case("default"));
    d.chosen.convert(charset, collate)?;
    let schema_default = ctx.schema(&d.old.schema)?.collation;
    let to = column_collation(charset, collate, false, schema_default, ctx.utf8mb4_collation)?;
    d.new.collation = to;
    for c in d.new.columns.iter_mut().filter(|c| c.generated.is_none() || !c.is_hidden()) {
        let before = c.ty.charset().max_len();
        let character = c.ty.is_character();
        convert_column(ctx, c, to)?;
        if character {
            grow(&mut c.ty, before, to.charset().max_len());
        }
    }
    Ok(())
}

/// CONVERT TO CHARACTER SET for one column, whatever set it was written with.
pub(super) fn convert_column(ctx: &DdlContext<'_>, c: &mut ColumnDef, to: value::CollationId) -> SqlResult<()> {
    if !c.ty.is_character() {
        return Ok(());
    }
    let before = c.ty.clone();
    c.histogram = None;
    c.ty.collation = to;
    crate::ddl::types::convert_members(&mut c.ty, before.charset());
    if let ColumnDefault::Value(v) = &c.default
        && before.charset() != c.ty.charset()
    {
        let arena = bumpalo::Bump::new();
        let mut conv = value::ConvCtx::new(ctx.sql_mode);
        let new = value::convert::convert_for_column(v.as_value(), &before, &c.ty, &mut conv, &c.name, 1, &arena)?;
        c.default = ColumnDefault::Value(new.to_owned());
    }
    Ok(())
}

/// A TEXT whose characters take more bytes now becomes the next larger kind, so that it holds as many (manual, "ALTER TABLE").
fn grow(ty: &mut value::SqlType, before: u8, after: u8) {
    let next = match ty.kind {
        _ if after <= before => return,
        TypeKind::TinyText => TypeKind::Text,
        TypeKind::Text => TypeKind::MediumText,
        TypeKind::MediumText => TypeKind::LongText,
        _ => return,
    };
    let collation = ty.collation;
    let nullable = ty.nullable;
    *ty = value::SqlType::new(next).nullable(nullable);
    ty.collation = collation;
}

fn alter_option(ctx: &mut DdlContext<'_>, d: &mut Draft<'_>, o: &ast::TableOption<'_>) -> SqlResult<()> {
    let name = d.old.name.clone();
    tablespace::check(ctx, std::slice::from_ref(o), ("", &name), tablespace::Statement::Alter)?;
    d.chosen.table_option(o)?;
    if let Some(c) = d.chosen.collation() {
        d.new.collation = c;
    }
    let o = options(ctx, std::slice::from_ref(o), &name)?;
    if let Some(c) = o.comment {
        d.new.comment = c;
    }
    if let Some(n) = o.auto_increment {
        (d.new.auto_increment, d.counter_given) = (n, true);
    }
    d.new.options.retain(|(old, _)| !o.dropped.contains(&old.as_str()));
    for (k, v) in o.kept {
        d.new.options.retain(|(old, _)| *old != k);
        d.new.options.push((k, v));
    }
    Ok(())
}
