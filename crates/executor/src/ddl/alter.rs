//! ALTER TABLE, ALTER DATABASE, CREATE/DROP INDEX, RENAME TABLE.
//!
//! [`Draft`] holds the new definition and, for every new column, where its value comes from. When all actions are applied,
//! the difference decides how it is carried out: only the dictionary changes (names, defaults, comments, visibility), an
//! index goes or is built beside the others, or the table is rebuilt by copying its rows ([`super::copy`]).

use super::columns::{Column, check_name, define_column, define_default};
use super::copy::{build_indexes, copy_rows};
use super::create::database_collation;
use super::define::{define_checks, finish, implied_keys, options, same_name, warn_duplicates};
use super::keys::{KeySpec, define_keys};
use super::types::column_collation;
use super::{DdlContext, DdlResult, storage_error};
use base::{ErrorCode, PageNo, SqlError, SqlResult};
use parser::ast::{self, AlterAction, ColumnPosition, TableElement, TableName};
use std::sync::Arc;
use storage::dict::{CheckDef, ColumnDefault, Ddl, IndexDef, IndexKind, Relation, TableDef, ViewDef};
use value::OwnedValue;

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
    run(ctx, &s.table, &[AlterAction::AddIndex(&s.index)], s.algorithm)
}

/// DROP INDEX.
pub(super) fn drop_index(ctx: &mut DdlContext<'_>, s: &ast::DropIndex<'_>) -> SqlResult<DdlResult> {
    run(ctx, &s.table, &[AlterAction::DropIndex(s.name)], s.algorithm)
}

/// ALTER TABLE.
pub(super) fn table(ctx: &mut DdlContext<'_>, s: &ast::AlterTable<'_>) -> SqlResult<DdlResult> {
    run(ctx, &s.table, s.actions, s.algorithm)
}

/// A definition under change.
struct Draft {
    old: Arc<TableDef>,
    new: TableDef,
    /// For each column of `new`: the column of `old` it continues.
    source: Vec<Option<usize>>,
    /// Rows must be written anew although the columns are the same.
    force: bool,
}

impl Draft {
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
        for p in self.new.indexes.iter_mut().flat_map(|i| i.parts.iter_mut()) {
            if p.column as usize >= at && p.column != u16::MAX {
                p.column += 1;
            }
        }
    }

    /// Takes a column out; parts on it get `u16::MAX`.
    fn remove_column(&mut self, at: usize) -> (storage::dict::ColumnDef, Option<usize>) {
        for p in self.new.indexes.iter_mut().flat_map(|i| i.parts.iter_mut()) {
            match (p.column as usize).cmp(&at) {
                std::cmp::Ordering::Equal => p.column = u16::MAX,
                std::cmp::Ordering::Greater if p.column != u16::MAX => p.column -= 1,
                std::cmp::Ordering::Greater => {}
                std::cmp::Ordering::Less => {}
            }
        }
        (self.new.columns.remove(at), self.source.remove(at))
    }

    fn add_column(&mut self, c: Column<'_>, position: &ColumnPosition<'_>) -> SqlResult<()> {
        if self.new.column(&c.def.name).is_some() {
            return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&c.def.name]));
        }
        let at = self.place(position, self.new.columns.len())?;
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
            let (def, source) = self.remove_column(at);
            let to = self.place(position, at)?;
            self.insert_column(to, def, source);
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
        let at = self.new.column(name).ok_or_else(|| SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&name]))?;
        if self.new.columns.len() == 1 {
            return Err(SqlError::new(ErrorCode::CANT_REMOVE_ALL_FIELDS, &[]));
        }
        self.remove_column(at);
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

    fn add_keys(&mut self, specs: &[KeySpec]) -> SqlResult<()> {
        let mut columns = std::mem::take(&mut self.new.columns);
        let keys = define_keys(specs, &mut columns, &self.new.indexes);
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
        let missing = || SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&name]);
        let at = self.new.index(name).filter(|_| name != "GEN_CLUST_INDEX").ok_or_else(missing)?;
        self.new.indexes.remove(at);
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

fn apply(ctx: &mut DdlContext<'_>, d: &mut Draft, a: &AlterAction<'_>) -> SqlResult<()> {
    let collation = d.new.collation;
    match a {
        AlterAction::AddColumn { column, position } => {
            let c = define_column(ctx, column, collation)?;
            add_checks(ctx, d, &c.checks)?;
            d.add_column(c, position)?;
        }
        AlterAction::AddElements(list) => {
            for e in *list {
                match e {
                    TableElement::Column(c) => {
                        let c = define_column(ctx, c, collation)?;
                        add_checks(ctx, d, &c.checks)?;
                        d.add_column(c, &ColumnPosition::Default)?;
                    }
                    TableElement::Index(i) => d.add_keys(&[KeySpec::from_ast(i)?])?,
                    TableElement::Check(c) => add_checks(ctx, d, &[*c])?,
                    TableElement::ForeignKey(_) => return Err(SqlError::unsupported("FOREIGN KEY")),
                }
            }
        }
        AlterAction::AddIndex(i) => d.add_keys(&[KeySpec::from_ast(i)?])?,
        AlterAction::AddForeignKey(_) => return Err(SqlError::unsupported("FOREIGN KEY")),
        AlterAction::AddCheck(c) => add_checks(ctx, d, &[*c])?,
        AlterAction::DropColumn(name) => d.drop_column(name)?,
        AlterAction::DropPrimaryKey => {
            if d.new.primary_key().is_none() {
                return Err(SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&"PRIMARY"]));
            }
            d.drop_key("PRIMARY")?;
        }
        AlterAction::DropIndex(name) => d.drop_key(name)?,
        AlterAction::DropForeignKey(name) => {
            return Err(SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[name]));
        }
        AlterAction::DropCheck(name) => {
            d.check(name)?;
            d.new.checks.retain(|c| !same_name(&c.name, name));
        }
        AlterAction::DropConstraint(name) => drop_constraint(d, name)?,
        AlterAction::ChangeColumn { old, column, position } => {
            let c = define_column(ctx, column, collation)?;
            d.change_column(old, c, position)?;
        }
        AlterAction::ModifyColumn { column, position } => {
            let c = define_column(ctx, column, collation)?;
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
            let at = d.new.index(index).ok_or_else(missing)?;
            if let Some(i) = d.new.indexes.get_mut(at) {
                i.visible = *visible;
            }
        }
        AlterAction::SetCheckEnforced { name, enforced } => {
            if *enforced {
                return Err(SqlError::unsupported("ALTER CHECK ... ENFORCED"));
            }
            d.check(name)?.enforced = false;
        }
        AlterAction::RenameTable(t) => {
            let (schema, name) = ctx.qualify(t)?;
            (d.new.schema, d.new.name) = (schema, name);
        }
        AlterAction::RenameColumn { old, new } => rename_column(d, old, new)?,
        AlterAction::RenameIndex { old, new } => rename_index(d, old, new)?,
        AlterAction::ConvertCharset { charset, collation } => convert_charset(ctx, d, *charset, *collation)?,
        AlterAction::Option(o) => alter_option(ctx, d, o)?,
        AlterAction::Force | AlterAction::OrderBy(_) => d.force = true,
        // MyISAM's; InnoDB warns that it has no such option
        AlterAction::EnableKeys | AlterAction::DisableKeys => {
            let name = d.old.name.clone();
            ctx.note(ErrorCode::ILLEGAL_HA, &[&name]);
        }
        _ => return Err(SqlError::unsupported("this ALTER TABLE action")),
    }
    Ok(())
}

fn add_checks(ctx: &DdlContext<'_>, d: &mut Draft, checks: &[ast::CheckDef<'_>]) -> SqlResult<()> {
    if checks.is_empty() {
        return Ok(());
    }
    // existing rows would have to be checked, which needs the executor's expressions
    let _ = define_checks(ctx, checks, &d.old.name)?;
    Err(SqlError::unsupported("ALTER TABLE ... ADD CHECK"))
}

fn drop_constraint(d: &mut Draft, name: &str) -> SqlResult<()> {
    if d.new.checks.iter().any(|c| same_name(&c.name, name)) {
        d.new.checks.retain(|c| !same_name(&c.name, name));
        return Ok(());
    }
    match d.new.index(name).and_then(|i| d.new.indexes.get(i)) {
        Some(i) if i.unique() => d.drop_key(name),
        _ => Err(SqlError::new(ErrorCode::CONSTRAINT_NOT_FOUND, &[&name])),
    }
}

fn rename_column(d: &mut Draft, old: &str, new: &str) -> SqlResult<()> {
    check_name(new, ErrorCode::WRONG_COLUMN_NAME)?;
    let at = d.column(old)?;
    if !same_name(old, new) && d.new.column(new).is_some() {
        return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&new]));
    }
    let used = !d.new.checks.is_empty()
        || d.new.columns.iter().any(|c| c.generated.is_some() || matches!(c.default, ColumnDefault::Expr(_)));
    if used {
        return Err(SqlError::unsupported("RENAME COLUMN in a table with stored expressions"));
    }
    if let Some(c) = d.new.columns.get_mut(at) {
        c.name = new.to_owned();
    }
    Ok(())
}

fn rename_index(d: &mut Draft, old: &str, new: &str) -> SqlResult<()> {
    check_name(new, ErrorCode::WRONG_NAME_FOR_INDEX)?;
    let primary = |n: &str| n.eq_ignore_ascii_case("PRIMARY") || n.eq_ignore_ascii_case("GEN_CLUST_INDEX");
    if primary(new) {
        return Err(SqlError::new(ErrorCode::WRONG_NAME_FOR_INDEX, &[&new]));
    }
    if primary(old) {
        return Err(SqlError::new(ErrorCode::WRONG_NAME_FOR_INDEX, &[&old]));
    }
    let missing = || SqlError::new(ErrorCode::KEY_DOES_NOT_EXITS, &[&old, &d.old.name]);
    let at = d.new.index(old).ok_or_else(missing)?;
    if !same_name(old, new) && d.new.index(new).is_some() {
        return Err(SqlError::new(ErrorCode::DUP_KEYNAME, &[&new]));
    }
    if let Some(i) = d.new.indexes.get_mut(at) {
        i.name = new.to_owned();
    }
    Ok(())
}

fn convert_charset(ctx: &DdlContext<'_>, d: &mut Draft, charset: Option<&str>, collate: Option<&str>) -> SqlResult<()> {
    let charset = charset.filter(|c| !c.eq_ignore_ascii_case("default"));
    let schema_default = ctx.schema(&d.old.schema)?.collation;
    let to = column_collation(charset, collate, false, schema_default)?;
    d.new.collation = to;
    for c in &mut d.new.columns {
        if c.ty.is_character() {
            c.ty.collation = to;
        }
    }
    Ok(())
}

fn alter_option(ctx: &mut DdlContext<'_>, d: &mut Draft, o: &ast::TableOption<'_>) -> SqlResult<()> {
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

/// How the difference between the definitions is carried out.
#[derive(PartialEq, Eq, Debug)]
enum Method {
    /// Only the dictionary.
    Instant,
    /// Some secondary indexes go.
    DropIndexes(Vec<PageNo>),
    /// Indexes at these positions of the new definition are built beside the old ones; some may go.
    AddIndexes { fresh: Vec<usize>, dropped: Vec<PageNo> },
    /// Copy the rows into a new tablespace.
    Rebuild,
}

fn same_key(a: &IndexDef, b: &IndexDef) -> bool {
    a.root == b.root && a.kind == b.kind && a.parts == b.parts
}

fn method(d: &Draft) -> Method {
    let same_columns = d.source.iter().enumerate().all(|(i, s)| *s == Some(i))
        && d.old.columns.len() == d.new.columns.len()
        && d.old
            .columns
            .iter()
            .zip(&d.new.columns)
            .all(|(a, b)| a.ty == b.ty && a.generated == b.generated && a.auto_increment == b.auto_increment);
    let kept = |i: &IndexDef| d.old.indexes.iter().any(|o| same_key(o, i));
    let clustered_kept = match (d.old.indexes.first(), d.new.indexes.first()) {
        (Some(a), Some(b)) => same_key(a, b),
        _ => false,
    };
    if d.force || !same_columns || !clustered_kept {
        return Method::Rebuild;
    }
    let gone = |o: &&IndexDef| !d.new.indexes.iter().any(|i| same_key(o, i));
    let dropped: Vec<PageNo> = d.old.indexes.iter().filter(gone).map(|i| i.root).collect();
    let fresh: Vec<usize> = d.new.indexes.iter().enumerate().filter(|(_, i)| !kept(i)).map(|(n, _)| n).collect();
    match (fresh.is_empty(), dropped.is_empty()) {
        (true, true) => Method::Instant,
        (true, false) => Method::DropIndexes(dropped),
        (false, _) => Method::AddIndexes { fresh, dropped },
    }
}

/// Whether MySQL would copy the rows too, and so report their number: a column's type changes in another way than by a longer
/// VARCHAR. Rebuilds that MySQL does in place report 0 rows.
fn changes_values(d: &Draft) -> bool {
    d.new.columns.iter().zip(&d.source).any(|(n, s)| {
        let Some(o) = s.and_then(|s| d.old.columns.get(s)) else { return false };
        let (mut a, mut b) = (o.ty.clone(), n.ty.clone());
        if a.kind == value::TypeKind::VarChar && b.kind == a.kind && b.length >= a.length {
            a.length = b.length;
        }
        (a.nullable, b.nullable) = (true, true);
        a != b
    })
}

fn check_algorithm(algorithm: Option<&str>, m: &Method) -> SqlResult<()> {
    let refused =
        |what: &str, instead: &str| Err(SqlError::new(ErrorCode::ALTER_OPERATION_NOT_SUPPORTED, &[&what, &instead]));
    match algorithm.map(str::to_ascii_lowercase).as_deref() {
        Some("instant") if *m != Method::Instant => refused("ALGORITHM=INSTANT", "ALGORITHM=COPY/INPLACE"),
        Some("inplace") if *m == Method::Rebuild => refused("ALGORITHM=INPLACE", "ALGORITHM=COPY"),
        None | Some("instant" | "inplace" | "copy" | "default") => Ok(()),
        Some(other) => Err(SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("Unknown ALGORITHM '{other}'"))),
    }
}

fn run(
    ctx: &mut DdlContext<'_>,
    table: &TableName<'_>,
    actions: &[AlterAction<'_>],
    algorithm: Option<&str>,
) -> SqlResult<DdlResult> {
    let (schema, name) = ctx.qualify(table)?;
    ctx.locks.schema_intention(&schema)?;
    ctx.locks.table_exclusive(&schema, &name)?;
    let old = ctx.base_table(&schema, &name)?;
    let source = (0..old.columns.len()).map(Some).collect();
    let mut d = Draft { new: TableDef::clone(&old), old: old.clone(), source, force: false };
    for a in actions {
        apply(ctx, &mut d, a)?;
    }
    finish(&mut d.new)?;
    warn_duplicates(ctx, &d.new, &old.indexes);
    if ctx.require_primary_key && old.primary_key().is_some() && d.new.primary_key().is_none() {
        return Err(SqlError::new(ErrorCode::TABLE_WITHOUT_PK, &[]));
    }
    if (&d.new.schema, &d.new.name) != (&old.schema, &old.name) {
        check_target(ctx, &d.new.schema, &d.new.name)?;
    }
    let mut m = method(&d);
    if matches!(m, Method::AddIndexes { .. }) && algorithm.is_some_and(|a| a.eq_ignore_ascii_case("copy")) {
        m = Method::Rebuild;
    }
    check_algorithm(algorithm, &m)?;
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    let mut affected = 0;
    let counts = algorithm.is_some_and(|a| a.eq_ignore_ascii_case("copy")) || changes_values(&d);
    match m {
        Method::Instant => ddl.replace_table(&old, d.new).map_err(storage_error)?,
        Method::DropIndexes(roots) => {
            for root in roots {
                ddl.drop_index_tree(old.space, root).map_err(storage_error)?;
            }
            ddl.replace_table(&old, d.new).map_err(storage_error)?;
        }
        Method::AddIndexes { fresh, dropped } => {
            for root in dropped {
                ddl.drop_index_tree(old.space, root).map_err(storage_error)?;
            }
            for n in &fresh {
                let (id, root) = ddl.create_index_tree(old.space).map_err(storage_error)?;
                if let Some(i) = d.new.indexes.get_mut(*n) {
                    (i.id, i.root) = (id, root);
                }
            }
            build_indexes(ctx, &d.new, &fresh)?;
            ddl.replace_table(&old, d.new).map_err(storage_error)?;
        }
        Method::Rebuild => {
            let new = ddl.create_files(d.new).map_err(storage_error)?;
            let target = ddl.open_unpublished(&new).map_err(storage_error)?;
            let rows = copy_rows(ctx, &old, &target, &d.source)?;
            affected = if counts { rows } else { 0 };
            ddl.replace_table(&old, new).map_err(storage_error)?;
        }
    }
    ddl.commit().map_err(storage_error)?;
    let only_renamed = !actions.is_empty() && actions.iter().all(|a| matches!(a, AlterAction::RenameTable(_)));
    let warnings = ctx.warnings.len();
    let info =
        if only_renamed { String::new() } else { format!("Records: {affected}  Duplicates: 0  Warnings: {warnings}") };
    Ok(DdlResult { affected, info, ..DdlResult::default() })
}

/// The new name of a table: lock it and see that it is free.
fn check_target(ctx: &mut DdlContext<'_>, schema: &str, name: &str) -> SqlResult<()> {
    ctx.schema(schema)?;
    ctx.locks.schema_intention(schema)?;
    ctx.locks.table_exclusive(schema, name)?;
    match ctx.dict().relation(schema, name) {
        Some(_) => Err(SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&name])),
        None => Ok(()),
    }
}

/// RENAME TABLE a TO b, c TO d: left to right, all or nothing.
pub(super) fn rename(ctx: &mut DdlContext<'_>, pairs: &[(TableName<'_>, TableName<'_>)]) -> SqlResult<DdlResult> {
    let mut names = Vec::new();
    for (from, to) in pairs {
        names.push((ctx.qualify(from)?, ctx.qualify(to)?));
    }
    let mut all: Vec<_> = names.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
    all.sort();
    all.dedup();
    for (schema, name) in &all {
        ctx.locks.schema_intention(schema)?;
        ctx.locks.table_exclusive(schema, name)?;
    }
    // where each name leads at this point of the list; the dictionary itself changes at the commit
    let mut now: Vec<((String, String), Option<Relation>)> = Vec::new();
    for n in &all {
        now.push((n.clone(), ctx.dict().relation(&n.0, &n.1)));
    }
    for (from, to) in &names {
        ctx.schema(&to.0)?;
        let take = |now: &mut Vec<((String, String), Option<Relation>)>, n: &(String, String)| {
            now.iter_mut().find(|(name, _)| name == n).and_then(|(_, t)| t.take())
        };
        let Some(table) = take(&mut now, from) else {
            return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&from.0, &from.1]));
        };
        match now.iter_mut().find(|(name, _)| name == to) {
            Some((_, Some(_))) => return Err(SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&to.1])),
            Some((_, slot)) => *slot = Some(table),
            None => {}
        }
    }
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    let moved: Vec<(Relation, (String, String))> = now
        .into_iter()
        .filter_map(|(name, r)| r.map(|r| (r, name)))
        .filter(|(r, (schema, name))| (schema.as_str(), name.as_str()) != r.name())
        .collect();
    // swapped names would collide one by one in the unique index on names: move all aside first
    for (old, (schema, _)) in &moved {
        if let Relation::View(v) = old
            && *schema != v.schema
        {
            return Err(SqlError::new(ErrorCode::FORBID_SCHEMA_CHANGE, &[&v.schema, schema]));
        }
        rename_relation(&mut ddl, old, &old.name().0.to_owned(), &aside_name(old))?;
    }
    for (old, (schema, name)) in &moved {
        let aside = aside_name(old);
        let aside = match old {
            Relation::Table(t) => Relation::Table(Arc::new(TableDef { name: aside, ..TableDef::clone(t) })),
            Relation::View(v) => Relation::View(Arc::new(ViewDef { name: aside, ..ViewDef::clone(v) })),
        };
        rename_relation(&mut ddl, &aside, schema, name)?;
    }
    ddl.commit().map_err(storage_error)?;
    Ok(DdlResult::default())
}

fn aside_name(r: &Relation) -> String {
    match r {
        Relation::Table(t) => format!("#rename-{}", t.id),
        Relation::View(v) => format!("#rename-{}", v.id),
    }
}

fn rename_relation(ddl: &mut Ddl, old: &Relation, schema: &str, name: &str) -> SqlResult<()> {
    let (schema, name) = (schema.to_owned(), name.to_owned());
    match old {
        Relation::Table(t) => ddl.replace_table(t, TableDef { schema, name, ..TableDef::clone(t) }),
        Relation::View(v) => ddl.replace_view(v, ViewDef { schema, name, ..ViewDef::clone(v) }),
    }
    .map_err(storage_error)
}
