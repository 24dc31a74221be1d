//! ALTER TABLE, ALTER DATABASE, CREATE/DROP INDEX.
//!
//! [`Draft`] holds the new definition and, for every new column, where its value comes from. When all actions are applied,
//! the difference decides how it is carried out: only the dictionary changes (names, defaults, comments, visibility, columns that
//! rows need not be rewritten for: [`super::instant`]), an index goes or is built beside the others, or the table is rebuilt by
//! copying its rows ([`super::copy`]).

use super::columns::{Column, check_name, define_column, define_default};
use super::copy::{Copier, Keys, check_rows, copy_rows};
use super::create::database_collation;
use super::define::{define_checks, finish, implied_keys, options, same_name, warn_duplicates};
use super::instant::{formers, same_key, same_layout};
use super::keys::{KeySpec, define_keys};
use super::online::{Built, Online, Sharing, sharing};
use super::types::column_collation;
use super::{DdlContext, DdlResult, algorithm, exprs, family, foreign, fulltext, functional, storage_error, temporary};
use base::{ErrorCode, PageNo, SqlError, SqlResult};
use parser::ast::{self, AlterAction, ColumnPosition, TableElement, TableName};
use std::sync::Arc;
use storage::dict::{CheckDef, ColumnDefault, Ddl, IndexDef, IndexKind, TableDef};
use storage::table::Table;
use value::{OwnedValue, TypeKind};

/// ALTER DATABASE.
pub(super) fn database(ctx: &mut DdlContext<'_>, s: &ast::AlterDatabase<'_>) -> SqlResult<DdlResult> {
    let name = s.name.or(ctx.current_schema).ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?.to_owned();
    ctx.check_writable_schema(&name)?;
    ctx.locks.schema_exclusive(&name)?;
    let old = ctx.schema(&name)?;
    let mut new = storage::dict::SchemaDef::clone(&old);
    new.collation = database_collation(s.options, ctx.server_collation)?;
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    ddl.alter_schema(new).map_err(storage_error)?;
    ddl.commit().map_err(storage_error)?;
    Ok(DdlResult { affected: 1, ..DdlResult::default() })
}

/// CREATE INDEX.
pub(super) fn create_index(ctx: &mut DdlContext<'_>, s: &ast::CreateIndex<'_>) -> SqlResult<DdlResult> {
    run(ctx, &s.table, &[AlterAction::AddIndex(&s.index)], (s.algorithm, s.lock))
}

/// DROP INDEX.
pub(super) fn drop_index(ctx: &mut DdlContext<'_>, s: &ast::DropIndex<'_>) -> SqlResult<DdlResult> {
    run(ctx, &s.table, &[AlterAction::DropIndex(s.name)], (s.algorithm, s.lock))
}

/// ALTER TABLE.
pub(super) fn table(ctx: &mut DdlContext<'_>, s: &ast::AlterTable<'_>) -> SqlResult<DdlResult> {
    run(ctx, &s.table, s.actions, (s.algorithm, s.lock))
}

/// A definition under change.
pub(super) struct Draft<'a> {
    pub(super) old: Arc<TableDef>,
    pub(super) new: TableDef,
    /// For each column of `new`: the column of `old` it continues.
    pub(super) source: Vec<Option<usize>>,
    /// Foreign keys to be added once all columns and keys are there.
    foreign: Vec<&'a ast::ForeignKey<'a>>,
    /// Keys with functional parts to be added.
    functional: Vec<KeySpec>,
    /// Names of checks that the existing rows must pass, and of those written at a column.
    verify: Vec<String>,
    own_checks: Vec<(String, String)>,
    /// Rows must be written anew although the columns are the same.
    force: bool,
}

impl<'a> Draft<'a> {
    fn column(&self, name: &str) -> SqlResult<usize> {
        self.new.column(name).ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&name, &self.old.name]))
    }

    fn place(&self, position: &ColumnPosition<'_>, default: usize) -> SqlResult<usize> {
        Ok(match position {
            ColumnPosition::Default => default,
            ColumnPosition::First => 0,
            ColumnPosition::After(c) => self.column(c)? + 1,
        })
    }

    /// Inserts a column and moves the key parts behind it.
    fn insert_column(&mut self, at: usize, c: storage::dict::ColumnDef, source: Option<usize>) {
        let at = at.min(self.new.columns.len());
        self.new.columns.insert(at, c);
        self.source.insert(at, source);
        fulltext::column_inserted(&mut self.new, at);
        let own = self.new.foreign_keys.iter_mut().flat_map(|k| k.columns.iter_mut());
        for c in self.new.indexes.iter_mut().flat_map(|i| i.parts.iter_mut()).map(|p| &mut p.column).chain(own) {
            if *c as usize >= at && *c != u16::MAX {
                *c += 1;
            }
        }
    }

    /// Takes a column out; parts on it get `u16::MAX`.
    fn remove_column(&mut self, at: usize) -> (storage::dict::ColumnDef, Option<usize>) {
        fulltext::column_removed(&mut self.new, at);
        let own = self.new.foreign_keys.iter_mut().flat_map(|k| k.columns.iter_mut());
        for c in self.new.indexes.iter_mut().flat_map(|i| i.parts.iter_mut()).map(|p| &mut p.column).chain(own) {
            match (*c as usize).cmp(&at) {
                std::cmp::Ordering::Equal => *c = u16::MAX,
                std::cmp::Ordering::Greater if *c != u16::MAX => *c -= 1,
                std::cmp::Ordering::Greater | std::cmp::Ordering::Less => {}
            }
        }
        (self.new.columns.remove(at), self.source.remove(at))
    }

    fn add_column(&mut self, c: Column<'_>, position: &ColumnPosition<'_>) -> SqlResult<()> {
        if self.new.column(&c.def.name).is_some() {
            return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&c.def.name]));
        }
        let visible = self.new.columns.iter().position(|c| c.is_hidden()).unwrap_or(self.new.columns.len());
        let at = self.place(position, visible)?;
        let keys = implied_keys(&c)?;
        self.insert_column(at, c.def, None);
        self.add_keys(&keys)
    }

    fn change_column(&mut self, old: &str, c: Column<'_>, position: &ColumnPosition<'_>) -> SqlResult<()> {
        let at = self.column(old)?;
        if !same_name(old, &c.def.name) && self.new.column(&c.def.name).is_some() {
            return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&c.def.name]));
        }
        let keys = implied_keys(&c)?;
        let mut def = c.def;
        let stored = |c: &storage::dict::ColumnDef| c.generated.as_ref().map(|g| g.stored);
        let is_virtual = |c: Option<bool>| c == Some(false);
        let before = self.new.columns.get(at).and_then(stored);
        if is_virtual(before) != is_virtual(stored(&def)) {
            let what = "Changing the STORED status";
            return Err(SqlError::new(ErrorCode::UNSUPPORTED_ACTION_ON_GENERATED_COLUMN, &[&what]));
        }
        if self.new.primary_key().is_some_and(|k| k.iter().any(|p| p.column as usize == at)) {
            def.ty.nullable = false;
            if matches!(def.default, ColumnDefault::Value(OwnedValue::Null)) {
                def.default = ColumnDefault::None;
            }
        }
        if let Some(slot) = self.new.columns.get_mut(at) {
            *slot = def;
        }
        if !matches!(position, ColumnPosition::Default) {
            let parts: Vec<(usize, usize)> = self
                .new
                .indexes
                .iter()
                .enumerate()
                .flat_map(|(i, x)| x.parts.iter().enumerate().map(move |(j, p)| (i, j, p.column)))
                .filter(|(_, _, column)| *column as usize == at)
                .map(|(i, j, _)| (i, j))
                .collect();
            let own: Vec<(usize, usize)> = self
                .new
                .foreign_keys
                .iter()
                .enumerate()
                .flat_map(|(i, k)| k.columns.iter().enumerate().map(move |(j, c)| (i, j, *c)))
                .filter(|(_, _, column)| *column as usize == at)
                .map(|(i, j, _)| (i, j))
                .collect();
            let (def, source) = self.remove_column(at);
            let to = self.place(position, at)?;
            self.insert_column(to, def, source);
            fulltext::settle(&mut self.new, Some(to));
            for (i, j) in own {
                if let Some(c) = self.new.foreign_keys.get_mut(i).and_then(|k| k.columns.get_mut(j)) {
                    *c = to as u16;
                }
            }
            for (i, j) in parts {
                if let Some(p) = self.new.indexes.get_mut(i).and_then(|x| x.parts.get_mut(j)) {
                    p.column = to as u16;
                }
            }
        }
        self.add_keys(&keys)
    }

    /// DROP COLUMN: keys lose the part; a key without parts goes.
    fn drop_column(&mut self, name: &str) -> SqlResult<()> {
        let missing = || SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&name]);
        let at = self.new.column(name).ok_or_else(missing)?;
        if self.new.columns.get(at).is_some_and(|c| c.is_hidden()) {
            return Err(missing());
        }
        if self.new.columns.iter().filter(|c| !c.is_hidden()).count() == 1 {
            return Err(SqlError::new(ErrorCode::CANT_REMOVE_ALL_FIELDS, &[]));
        }
        self.remove_column(at);
        fulltext::settle(&mut self.new, None);
        for i in &mut self.new.indexes {
            let before = i.parts.len();
            i.parts.retain(|p| p.column != u16::MAX);
            if i.parts.len() != before {
                i.root = PageNo::NONE;
            }
        }
        self.new.indexes.retain(|i| !i.parts.is_empty() || i.name == "GEN_CLUST_INDEX");
        Ok(())
    }

    /// ADD KEY; one with functional parts waits until all columns are there.
    fn add_key(&mut self, spec: KeySpec) -> SqlResult<()> {
        if functional::is_functional(&spec) {
            self.functional.push(spec);
            return Ok(());
        }
        self.add_keys(&[spec])
    }

    /// Applies `f` to the foreign keys to be added.
    pub(super) fn foreign_specs(
        &self,
        f: impl Fn(&ast::ForeignKey<'_>) -> SqlResult<KeySpec>,
    ) -> SqlResult<Vec<KeySpec>> {
        self.foreign.iter().map(|k| f(k)).collect()
    }

    pub(super) fn add_keys(&mut self, specs: &[KeySpec]) -> SqlResult<()> {
        let mut columns = std::mem::take(&mut self.new.columns);
        let keys = define_keys(specs, &mut columns, &self.new.indexes, &mut self.new.fulltext);
        self.new.columns = columns;
        for k in keys? {
            if k.kind == IndexKind::Primary {
                self.new.indexes.retain(|i| i.name != "GEN_CLUST_INDEX");
            }
            self.new.indexes.push(k);
        }
        Ok(())
    }

    fn drop_key(&mut self, name: &str) -> SqlResult<()> {
        if fulltext::drop_index(&mut self.new, name) {
            return Ok(());
        }
        let missing = || SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&name]);
        let at = self.new.index(name).filter(|_| name != "GEN_CLUST_INDEX").ok_or_else(missing)?;
        let gone = self.new.indexes.remove(at);
        while let Some(c) = self.new.columns.iter().position(|c| functional::belongs_to(&c.name, &gone.name)) {
            self.remove_column(c);
        }
        Ok(())
    }

    fn check(&mut self, name: &str) -> SqlResult<&mut CheckDef> {
        self.new
            .checks
            .iter_mut()
            .find(|c| same_name(&c.name, name))
            .ok_or_else(|| SqlError::new(ErrorCode::CHECK_CONSTRAINT_NOT_FOUND, &[&name]))
    }
}

fn apply<'a>(ctx: &mut DdlContext<'_>, d: &mut Draft<'a>, a: &AlterAction<'a>) -> SqlResult<()> {
    let collation = d.new.collation;
    match a {
        AlterAction::AddColumn { column, position } => {
            let c = define_column(ctx, column, collation)?;
            add_checks(ctx, d, &c.checks, Some(&c.def.name))?;
            d.add_column(c, position)?;
        }
        AlterAction::AddElements(list) => {
            for e in *list {
                match e {
                    TableElement::Column(c) => {
                        let c = define_column(ctx, c, collation)?;
                        add_checks(ctx, d, &c.checks, Some(&c.def.name))?;
                        d.add_column(c, &ColumnPosition::Default)?;
                    }
                    TableElement::Index(i) => d.add_key(KeySpec::from_ast(ctx, i)?)?,
                    TableElement::Check(c) => add_checks(ctx, d, &[*c], None)?,
                    TableElement::ForeignKey(f) => d.foreign.push(f),
                }
            }
        }
        AlterAction::AddIndex(i) => d.add_key(KeySpec::from_ast(ctx, i)?)?,
        AlterAction::AddForeignKey(f) => d.foreign.push(f),
        AlterAction::AddCheck(c) => add_checks(ctx, d, &[*c], None)?,
        AlterAction::DropColumn(name) => d.drop_column(name)?,
        AlterAction::DropPrimaryKey => {
            if d.new.primary_key().is_none() {
                return Err(SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&"PRIMARY"]));
            }
            d.drop_key("PRIMARY")?;
        }
        AlterAction::DropIndex(name) => d.drop_key(name)?,
        AlterAction::DropForeignKey(name) => {
            if !d.new.foreign_keys.iter().any(|k| same_name(&k.name, name)) {
                return Err(SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[name]));
            }
            d.new.foreign_keys.retain(|k| !same_name(&k.name, name));
        }
        AlterAction::DropCheck(name) => {
            d.check(name)?;
            d.new.checks.retain(|c| !same_name(&c.name, name));
        }
        AlterAction::DropConstraint(name) => drop_constraint(d, name)?,
        AlterAction::ChangeColumn { old, column, position } => {
            let c = define_column(ctx, column, collation)?;
            add_checks(ctx, d, &c.checks, Some(&c.def.name))?;
            d.change_column(old, c, position)?;
        }
        AlterAction::ModifyColumn { column, position } => {
            let c = define_column(ctx, column, collation)?;
            add_checks(ctx, d, &c.checks, Some(&c.def.name))?;
            d.change_column(column.name, c, position)?;
        }
        AlterAction::SetDefault { column, value } => {
            let at = d.column(column)?;
            if let Some(c) = d.new.columns.get_mut(at) {
                c.default = define_default(ctx, c, value)?;
            }
        }
        AlterAction::DropDefault(column) => {
            let at = d.column(column)?;
            if let Some(c) = d.new.columns.get_mut(at) {
                c.default = ColumnDefault::None;
            }
        }
        AlterAction::SetColumnVisible { column, visible } => {
            let at = d.column(column)?;
            if let Some(c) = d.new.columns.get_mut(at) {
                c.invisible = !visible;
            }
        }
        AlterAction::SetIndexVisible { index, visible } => {
            let missing = || SqlError::new(ErrorCode::KEY_DOES_NOT_EXITS, &[index, &d.old.name]);
            if let Some(i) = d.new.fulltext(index).and_then(|i| d.new.fulltext.get_mut(i)) {
                i.visible = *visible;
                return Ok(());
            }
            let at = d.new.index(index).ok_or_else(missing)?;
            if let Some(i) = d.new.indexes.get_mut(at) {
                i.visible = *visible;
            }
        }
        AlterAction::SetCheckEnforced { name, enforced } => {
            let c = d.check(name)?;
            let (was, name) = (std::mem::replace(&mut c.enforced, *enforced), c.name.clone());
            if *enforced && !was {
                d.verify.push(name);
            }
        }
        AlterAction::RenameTable(t) => {
            let (schema, name) = ctx.qualify(t)?;
            (d.new.schema, d.new.name) = (schema, name);
        }
        // all at once, before what follows them
        AlterAction::RenameColumn { .. } => {}
        AlterAction::RenameIndex { old, new } => rename_index(d, old, new)?,
        AlterAction::ConvertCharset { charset, collation } => convert_charset(ctx, d, *charset, *collation)?,
        AlterAction::Option(o) => {
            // the same engine means the same as FORCE (manual, "ALTER TABLE")
            d.force |= rebuilds(a);
            alter_option(ctx, d, o)?;
        }
        AlterAction::Force => d.force = true,
        AlterAction::OrderBy(columns) => {
            if d.new.primary_key().is_some() {
                let what = format!(
                    "ORDER BY ignored as there is a user-defined clustered index in the table '{}'",
                    d.old.name
                );
                let code = ErrorCode::UNKNOWN_ERROR.number();
                ctx.warnings.push(value::Warning { level: value::Level::Warning, code, message: what });
            } else if let Some(c) = columns.iter().find(|c| d.new.column(c).is_none()) {
                return Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[c, &"order clause"]));
            }
            d.force = true;
        }
        // MyISAM's; InnoDB warns that it has no such option
        AlterAction::EnableKeys | AlterAction::DisableKeys => {
            let name = d.old.name.clone();
            ctx.note(ErrorCode::ILLEGAL_HA, &[&name]);
        }
        _ => return Err(SqlError::unsupported("this ALTER TABLE action")),
    }
    Ok(())
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
    let new = define_checks(ctx, checks, &d.old.schema, &d.old.name, &d.new.checks)?;
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
fn release_columns(ctx: &mut DdlContext<'_>, d: &mut Draft<'_>) -> SqlResult<()> {
    let old = d.old.clone();
    for (at, c) in old.columns.iter().enumerate() {
        let now = d.source.iter().position(|s| *s == Some(at)).and_then(|n| d.new.columns.get(n));
        let dropped = now.is_none();
        if now.is_some_and(|n| n.name == c.name) || c.is_hidden() {
            continue;
        }
        let gone = |kind: exprs::Kind| match kind {
            exprs::Kind::Default(i) | exprs::Kind::Generated(i) => {
                let now = d.source.iter().position(|s| *s == Some(i)).and_then(|n| d.new.columns.get(n));
                let before = old.columns.get(i);
                now.is_none_or(|n| before.is_some_and(|b| b.generated != n.generated))
            }
            exprs::Kind::Check(i) => old.checks.get(i).is_some_and(|c| !d.new.checks.iter().any(|n| n.name == c.name)),
        };
        exprs::check_dependents(ctx, &old, at, dropped, &gone)?;
        if dropped {
            let names: Vec<String> = exprs::checks_on_alone(ctx, &old, at)?
                .into_iter()
                .filter_map(|i| old.checks.get(i).map(|c| c.name.clone()))
                .collect();
            d.new.checks.retain(|c| !names.contains(&c.name));
        }
    }
    Ok(())
}

/// All RENAME COLUMN of a statement: columns may exchange their names.
fn rename_columns(d: &mut Draft<'_>, actions: &[AlterAction<'_>]) -> SqlResult<()> {
    let mut renamed = Vec::new();
    for a in actions {
        if let AlterAction::RenameColumn { old, new } = a {
            check_name(new, ErrorCode::WRONG_COLUMN_NAME)?;
            renamed.push((d.column(old)?, *new));
        }
    }
    for (at, new) in &renamed {
        if let Some(c) = d.new.columns.get_mut(*at) {
            c.name = (*new).to_owned();
        }
    }
    let twice =
        |at: usize, name: &str| d.new.columns.iter().enumerate().any(|(i, c)| i != at && same_name(&c.name, name));
    match renamed.iter().find(|(at, new)| twice(*at, new)) {
        Some((_, new)) => Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[new])),
        None => Ok(()),
    }
}

fn rename_index(d: &mut Draft<'_>, old: &str, new: &str) -> SqlResult<()> {
    check_name(new, ErrorCode::WRONG_NAME_FOR_INDEX)?;
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
    let schema_default = ctx.schema(&d.old.schema)?.collation;
    let to = column_collation(charset, collate, false, schema_default)?;
    d.new.collation = to;
    for c in &mut d.new.columns {
        if !c.ty.is_character() || c.generated.is_some() && c.is_hidden() {
            continue;
        }
        let before = c.ty.clone();
        c.histogram = None;
        c.ty.collation = to;
        grow(&mut c.ty, before.charset().max_len(), to.charset().max_len());
        super::types::convert_members(&mut c.ty, before.charset());
        if let ColumnDefault::Value(v) = &c.default
            && before.charset() != c.ty.charset()
        {
            let arena = bumpalo::Bump::new();
            let mut conv = value::ConvCtx::new(ctx.sql_mode);
            let new = value::convert::convert_for_column(v.as_value(), &before, &c.ty, &mut conv, &c.name, 1, &arena)?;
            c.default = ColumnDefault::Value(new.to_owned());
        }
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
    let o = options(ctx, std::slice::from_ref(o), &name)?;
    if let Some(c) = o.collation {
        d.new.collation = c;
    }
    if let Some(c) = o.comment {
        d.new.comment = c;
    }
    if let Some(n) = o.auto_increment {
        d.new.auto_increment = n;
    }
    for (k, v) in o.kept {
        d.new.options.retain(|(old, _)| *old != k);
        d.new.options.push((k, v));
    }
    Ok(())
}

/// Whether the rows are written anew whatever changes.
fn rebuilds(a: &AlterAction<'_>) -> bool {
    matches!(a, AlterAction::Force | AlterAction::OrderBy(_) | AlterAction::Option(ast::TableOption::Engine(_)))
}

/// How the difference between the definitions is carried out.
#[derive(PartialEq, Eq, Debug)]
enum Method {
    /// Only the dictionary, and rows stay as they are.
    Instant,
    /// The same, but columns come, go or move: rows written so far have another layout ([`super::instant`]).
    Columns,
    /// Some secondary indexes go.
    DropIndexes(Vec<PageNo>),
    /// Indexes at these positions of the new definition are built beside the old ones; some may go.
    AddIndexes { fresh: Vec<usize>, dropped: Vec<PageNo> },
    /// Copy the rows into a new tablespace.
    Rebuild,
}

fn method(d: &Draft<'_>) -> Method {
    let same = |o: &IndexDef, n: &IndexDef| same_key(o, n, &d.source);
    let kept = |i: &IndexDef| d.old.indexes.iter().any(|o| same(o, i));
    let clustered_kept = match (d.old.indexes.first(), d.new.indexes.first()) {
        (Some(a), Some(b)) => same(a, b),
        _ => false,
    };
    if d.force || !clustered_kept {
        return Method::Rebuild;
    }
    let gone = |o: &&IndexDef| !d.new.indexes.iter().any(|i| same(o, i));
    let dropped: Vec<PageNo> = d.old.indexes.iter().filter(gone).map(|i| i.root).collect();
    let fresh: Vec<usize> = d.new.indexes.iter().enumerate().filter(|(_, i)| !kept(i)).map(|(n, _)| n).collect();
    if !same_layout(d) {
        return if fresh.is_empty() && dropped.is_empty() { Method::Columns } else { Method::Rebuild };
    }
    match (fresh.is_empty(), dropped.is_empty()) {
        (true, true) => Method::Instant,
        (true, false) => Method::DropIndexes(dropped),
        (false, _) => Method::AddIndexes { fresh, dropped },
    }
}

fn run<'a>(
    ctx: &mut DdlContext<'_>,
    table: &TableName<'a>,
    actions: &[AlterAction<'a>],
    (wanted, lock): (Option<&str>, Option<&str>),
) -> SqlResult<DdlResult> {
    let (schema, name) = ctx.qualify(table)?;
    let old = ctx.alterable_table(&schema, &name)?;
    let source = (0..old.columns.len()).map(Some).collect();
    let mut d = Draft {
        new: TableDef::clone(&old),
        old: old.clone(),
        source,
        foreign: Vec::new(),
        functional: Vec::new(),
        verify: Vec::new(),
        own_checks: Vec::new(),
        force: false,
    };
    // what goes is meant of the old definition, wherever it stands: a key of the same name may come in the same statement
    let turn = |a: &AlterAction<'_>| match a {
        AlterAction::DropIndex(_) | AlterAction::DropPrimaryKey | AlterAction::DropForeignKey(_) => 0,
        AlterAction::DropColumn(_) => 1,
        _ => 2,
    };
    for now in 0..=2 {
        for a in actions.iter().filter(|a| turn(a) == now) {
            apply(ctx, &mut d, a)?;
        }
        if now == 1 {
            rename_columns(&mut d, actions)?;
        }
    }
    release_columns(ctx, &mut d)?;
    let mut keys = std::mem::take(&mut d.functional);
    functional::refresh(ctx, &mut d.new)?;
    functional::resolve(ctx, &mut d.new, &mut keys)?;
    d.source.resize(d.new.columns.len(), None);
    d.add_keys(&keys)?;
    family::index_children(&mut d)?;
    finish(&mut d.new)?;
    family::check(ctx, &d)?;
    let before = d.new.foreign_keys.len();
    let added = std::mem::take(&mut d.foreign);
    foreign::add(ctx, &mut d.new, &added)?;
    let own_checks = std::mem::take(&mut d.own_checks);
    let names: Vec<String> = d.new.checks.iter().map(|c| c.name.clone()).collect();
    exprs::validate(ctx, &d.new, &|n| {
        own_checks.iter().find(|(c, _)| Some(c) == names.get(n)).map(|(_, column)| column.clone())
    })?;
    warn_duplicates(ctx, &d.new, (&old.indexes, &old.fulltext));
    if ctx.require_primary_key && old.primary_key().is_some() && d.new.primary_key().is_none() {
        return Err(SqlError::new(ErrorCode::TABLE_WITHOUT_PK, &[]));
    }
    if (&d.new.schema, &d.new.name) != (&old.schema, &old.name) {
        check_target(ctx, &d.new.schema, &d.new.name, old.is_temporary())?;
    }
    let followers = family::follow(ctx, &mut d)?;
    let validate = ctx.foreign_key_checks && d.new.foreign_keys.len() > before;
    let force = actions.iter().any(rebuilds);
    let strict = ctx.sql_mode.is_strict();
    let way = algorithm::cheapest(&d, validate, !d.verify.is_empty(), force, strict);
    algorithm::check(wanted, lock, way)?;
    let mut m = method(&d);
    let copy = wanted.is_some_and(|a| a.eq_ignore_ascii_case("copy"));
    let only_renamed = !actions.is_empty() && actions.iter().all(|a| matches!(a, AlterAction::RenameTable(_)));
    if copy && !only_renamed {
        m = Method::Rebuild;
    }
    // MySQL copies, and says how many rows there were
    let retyped = || d.old.columns.iter().zip(&d.new.columns).any(|(o, n)| o.ty != n.ty);
    let several = || fulltext::way(&d).is_some_and(algorithm::counts);
    if m == Method::Instant && algorithm::counts(way) && (retyped() || several()) {
        m = Method::Rebuild;
    }
    if m == Method::Columns {
        let rewritten = wanted.is_some_and(|a| a.eq_ignore_ascii_case("copy") || a.eq_ignore_ascii_case("inplace"));
        let stay = if rewritten || algorithm::counts(way) || old.is_temporary() { None } else { formers(ctx, &d)? };
        m = if stay.is_some() { Method::Instant } else { Method::Rebuild };
        d.new.former = stay.unwrap_or_default();
    }
    if old.is_temporary() {
        fulltext::check_temporary(&d.new)?;
        if !d.verify.is_empty() || !d.new.foreign_keys.is_empty() {
            return Err(SqlError::unsupported("new checks or foreign keys of a temporary table"));
        }
        return alter_temporary(ctx, d, m == Method::Instant, only_renamed);
    }
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    let mut affected = 0;
    // rebuilds that MySQL does in place report no rows
    let counts = copy || algorithm::counts(way);
    let mut new = d.new.clone();
    let mut share = sharing(&d, way, wanted, lock);
    match m {
        Method::Instant | Method::Columns => {}
        Method::DropIndexes(roots) => {
            for root in roots {
                ddl.drop_index_tree(old.space, root).map_err(storage_error)?;
            }
        }
        Method::AddIndexes { fresh, dropped } => {
            for root in dropped {
                ddl.drop_index_tree(old.space, root).map_err(storage_error)?;
            }
            for n in &fresh {
                let (id, root) = ddl.create_index_tree(old.space).map_err(storage_error)?;
                if let Some(i) = new.indexes.get_mut(*n) {
                    (i.id, i.root) = (id, root);
                }
            }
            let target = Arc::new(Table::new(ctx.engine.store().clone(), Arc::new(new.clone())));
            let mut online = Online::begin(ctx, &old, share)?;
            online.build_indexes(ctx, &target, &fresh)?;
            online.catch_up(ctx, Built::Indexes(&target, &fresh))?;
        }
        Method::Rebuild => {
            new = ddl.create_files(new).map_err(storage_error)?;
            // it has the old table's id, by which rollback and purge must go on finding that one
            let target = Arc::new(Table::new(ctx.engine.store().clone(), Arc::new(new.clone())));
            let mut copier = Copier::new(ctx, &old, &target, &d.source)?;
            if share == Sharing::Writers && copier.keys() == Keys::Fresh {
                share = Sharing::Readers;
            }
            let mut online = Online::begin(ctx, &old, share)?;
            let rows = online.copy(ctx, &mut copier)?;
            online.catch_up(ctx, Built::Rows(&mut copier, &target))?;
            copier.finish(ctx);
            affected = if counts { rows } else { 0 };
        }
    }
    if validate {
        affected = family::validate(ctx, &new, before)?;
    }
    if !d.verify.is_empty() {
        affected = check_rows(ctx, &new, &d.verify)?;
    }
    super::histogram::settle(&mut new);
    ddl.replace_table(&old, new).map_err(storage_error)?;
    for (child, new) in followers {
        ddl.replace_table(&child, new).map_err(storage_error)?;
    }
    ddl.commit().map_err(storage_error)?;
    let warnings = ctx.warnings.len();
    let info = if only_renamed || actions.is_empty() {
        String::new()
    } else {
        format!("Records: {affected}  Duplicates: 0  Warnings: {warnings}")
    };
    Ok(DdlResult { affected, info, ..DdlResult::default() })
}

/// ALTER TABLE of a temporary table: everything but changes of the definition alone copies the rows.
fn alter_temporary(ctx: &mut DdlContext<'_>, d: Draft, instant: bool, renamed: bool) -> SqlResult<DdlResult> {
    // MySQL copies it even to rename it
    if instant && !renamed {
        temporary::redefine(ctx, &d.old, d.new)?;
        let warnings = ctx.warnings.len();
        let info = format!("Records: 0  Duplicates: 0  Warnings: {warnings}");
        return Ok(DdlResult { info, ..DdlResult::default() });
    }
    let new = storage::dict::TempTable::create(ctx.engine, ctx.session_id, d.new).map_err(storage_error)?;
    let affected = match copy_rows(ctx, &d.old, &new.table, &d.source) {
        Ok(n) => n,
        Err(e) => {
            let _ = new.remove(ctx.engine);
            return Err(e);
        }
    };
    temporary::replace(ctx, &d.old, new)?;
    let info = format!("Records: {affected}  Duplicates: 0  Warnings: {}", ctx.warnings.len());
    Ok(DdlResult { affected, info, ..DdlResult::default() })
}

/// The new name of a table: lock it and see that it is free.
fn check_target(ctx: &mut DdlContext<'_>, schema: &str, name: &str, temporary: bool) -> SqlResult<()> {
    ctx.schema(schema)?;
    if temporary {
        return temporary::exists(ctx, schema, name, false).map(drop);
    }
    ctx.locks.schema_intention(schema)?;
    ctx.locks.table_exclusive(schema, name)?;
    match ctx.dict().relation(schema, name) {
        Some(_) => Err(SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&name])),
        None => Ok(()),
    }
}
