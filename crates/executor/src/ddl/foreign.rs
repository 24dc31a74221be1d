//! FOREIGN KEY in definitions: from the clause as written to a [`ForeignKeyDef`], with MySQL's checks and names.
//!
//! Rules (manual, "FOREIGN KEY Constraints"): both sides need the same column types (3780); the parent a unique key that is exactly these
//! columns (6125; with `restrict_fk_on_non_standard_key = OFF` any index that begins with them, 1822); the child an index that begins with
//! them, which is made where there is none. Names are unique in a schema (1826); without one a key is called `<table>_ibfk_<n>`. With
//! `foreign_key_checks = 0` the parent may be missing; it is checked when it comes ([`check_children`]).
//!
//! Locks: exclusive on the parent, since its list of children changes with the child's definition.

use super::DdlContext;
use super::define::{fk_action, same_name};
use super::keys::KeySpec;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, KeyTarget, RefAction};
use std::sync::Arc;
use storage::dict::{ColumnDef, FkAction, ForeignKeyDef, IndexDef, IndexKind, ReferencedBy, Relation, TableDef, quote};
use value::{SqlType, TypeKind};

/// The columns of a key list; prefixes and expressions cannot be part of a foreign key.
fn plain_columns<'a>(parts: &[ast::KeyPart<'a>], name: &str) -> SqlResult<Vec<&'a str>> {
    let one = |p: &ast::KeyPart<'a>| match p.target {
        KeyTarget::Column { name, length: None } => Ok(name),
        _ => Err(SqlError::new(ErrorCode::WRONG_FK_DEF, &[&name, &"Key parts must be whole columns"])),
    };
    parts.iter().map(one).collect()
}

/// The index that the child of a key needs, as far as no other serves: named after the constraint, or as the clause says, or after the
/// first column.
pub fn implied_key(f: &ast::ForeignKey<'_>) -> SqlResult<KeySpec> {
    let parts = plain_columns(f.columns, f.constraint.unwrap_or("foreign key without name"))?;
    let parts = parts.iter().map(|c| ((*c).to_owned(), None, false)).collect();
    let name = f.constraint.or(f.index_name).map(str::to_owned);
    Ok(KeySpec { name, parts, implied: true, ..KeySpec::on_column(IndexKind::Plain, "") })
}

/// Takes out implied keys for which another one serves.
pub fn drop_covered(specs: &mut Vec<KeySpec>) {
    let serves = |s: &KeySpec, n: usize, o: &KeySpec, m: usize| {
        m != n
            && o.parts.len() >= s.parts.len()
            && s.parts.iter().zip(&o.parts).all(|(a, b)| same_name(&a.0, &b.0) && b.1.is_none())
            && (!o.implied || o.parts.len() > s.parts.len() || m < n)
    };
    let all = specs.clone();
    let mut n = 0;
    specs.retain(|s| {
        n += 1;
        !s.implied || !all.iter().enumerate().any(|(m, o)| serves(s, n - 1, o, m))
    });
}

/// Adds foreign keys as written to a definition whose columns and keys are complete.
pub fn add(ctx: &mut DdlContext<'_>, def: &mut TableDef, keys: &[&ast::ForeignKey<'_>]) -> SqlResult<()> {
    for f in keys {
        let key = define(ctx, def, f)?;
        def.foreign_keys.push(key);
    }
    Ok(())
}

fn define(ctx: &mut DdlContext<'_>, def: &mut TableDef, f: &ast::ForeignKey<'_>) -> SqlResult<ForeignKeyDef> {
    let shown = f.constraint.or(f.index_name).unwrap_or("foreign key without name").to_owned();
    let own = plain_columns(f.columns, &shown)?;
    let theirs = plain_columns(f.references.columns, &shown)?;
    if own.len() != theirs.len() {
        let why = "Key reference and table reference don't match";
        return Err(SqlError::new(ErrorCode::WRONG_FK_DEF, &[&shown, &why]));
    }
    let mut columns: Vec<u16> = Vec::new();
    for name in &own {
        let at =
            def.named_column(name).ok_or_else(|| SqlError::new(ErrorCode::KEY_COLUMN_DOES_NOT_EXITS, &[name]))? as u16;
        if columns.contains(&at) {
            return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[name]));
        }
        columns.push(at);
    }
    let r = &f.references;
    if [r.on_delete, r.on_update].contains(&Some(RefAction::SetDefault)) {
        return Err(SqlError::new(ErrorCode::CANNOT_ADD_FOREIGN, &[]));
    }
    let name = match f.constraint {
        Some(n) => {
            // unlike an index's, it may be empty or end with a space
            base::names::short(n)?;
            n.to_owned()
        }
        None => generated_name(def),
    };
    if name_taken(ctx, def, &name) {
        return Err(SqlError::new(ErrorCode::FK_DUP_NAME, &[&name]));
    }
    let schema = r.table.schema.unwrap_or(&def.schema).to_owned();
    ctx.check_writable_schema(&schema)?;
    let mut key = ForeignKeyDef {
        name,
        columns,
        parent: (schema, r.table.name.to_owned()),
        parent_columns: theirs.iter().map(|c| (*c).to_owned()).collect(),
        on_delete: fk_action(r.on_delete),
        on_update: fk_action(r.on_update),
    };
    check_own_columns(def, &key)?;
    let own_table = (def.schema.clone(), def.name.clone());
    if key.parent == own_table {
        let parent = TableDef::clone(def);
        bind_parent(ctx, def, &mut key, &parent)?;
    } else {
        ctx.locks.schema_intention(&key.parent.0)?;
        ctx.locks.table_exclusive(&key.parent.0, &key.parent.1)?;
        match ctx.dict().relation(&key.parent.0, &key.parent.1) {
            Some(Relation::Table(parent)) => bind_parent(ctx, def, &mut key, &parent)?,
            None if !ctx.foreign_key_checks => {}
            _ => return Err(SqlError::new(ErrorCode::FK_CANNOT_OPEN_PARENT, &[&key.parent.1])),
        }
    }
    Ok(key)
}

/// `<table>_ibfk_<n>`, one above the highest number in use.
fn generated_name(def: &TableDef) -> String {
    let prefix = format!("{}_ibfk_", def.name);
    let used = def.foreign_keys.iter().filter_map(|k| number(k.name.strip_prefix(&prefix)?));
    format!("{prefix}{}", used.max().unwrap_or(0).wrapping_add(1))
}

/// A name's number as InnoDB reads it: spaces and a sign may come first, the lowest 32 bits count. `None`: no number, or one that begins with 0.
fn number(text: &str) -> Option<u32> {
    if text.starts_with('0') {
        return None;
    }
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let (negative, digits) = match text.strip_prefix('-') {
        Some(d) => (true, d),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // 64 bits, as large as can be where there are more
    let n = digits.parse::<u64>().ok();
    Some(n.map_or(u64::MAX, |n| if negative { n.wrapping_neg() } else { n }) as u32)
}

/// Whether another key of the schema (of this definition, or of another table) has this name.
pub fn name_taken(ctx: &DdlContext<'_>, def: &TableDef, name: &str) -> bool {
    let has = |t: &TableDef| t.foreign_keys.iter().any(|k| same_name(&k.name, name));
    let others = ctx.dict().relations(&def.schema);
    has(def)
        || others.iter().any(|r| match r {
            Relation::Table(t) => t.id != def.id && t.name != def.name && has(t),
            Relation::View(_) => false,
        })
}

/// What the actions ask of the child's columns: 1830, 3104, 3733, 3823.
pub fn check_own_columns(def: &TableDef, key: &ForeignKeyDef) -> SqlResult<()> {
    let events = [("ON DELETE", key.on_delete, false), ("ON UPDATE", key.on_update, true)];
    for c in key.columns.iter().filter_map(|c| def.columns.get(*c as usize)) {
        match &c.generated {
            Some(g) if !g.stored => {
                return Err(SqlError::new(ErrorCode::FK_CANNOT_USE_VIRTUAL_COLUMN, &[&key.name, &c.name]));
            }
            Some(_) => {
                for (event, action, update) in events {
                    let what = match action {
                        FkAction::SetNull => "SET NULL",
                        FkAction::Cascade if update => "CASCADE",
                        _ => continue,
                    };
                    let what = format!("{event} {what}");
                    return Err(SqlError::new(ErrorCode::WRONG_FK_OPTION_FOR_GENERATED_COLUMN, &[&what]));
                }
            }
            None => {}
        }
        let set_null = [key.on_delete, key.on_update].contains(&FkAction::SetNull);
        if set_null && !c.ty.nullable {
            return Err(SqlError::new(ErrorCode::FK_COLUMN_NOT_NULL, &[&c.name, &key.name]));
        }
    }
    Ok(())
}

/// Checks a key against its parent and takes the spelling of the parent's columns.
fn bind_parent(ctx: &mut DdlContext<'_>, def: &TableDef, key: &mut ForeignKeyDef, parent: &TableDef) -> SqlResult<()> {
    check_types(def, key, parent)?;
    let columns = parent.positions(&key.parent_columns).unwrap_or_default();
    for (name, at) in key.parent_columns.iter_mut().zip(&columns) {
        if let Some(c) = parent.columns.get(*at as usize) {
            name.clone_from(&c.name);
        }
    }
    // a key that refers to its own columns needs an index beside the one that serves it
    let own = (&def.schema, &def.name) == (&parent.schema, &parent.name) && key.columns == columns;
    if own && parent.indexes_leading_with(&columns).count() < 2 {
        return Err(SqlError::new(ErrorCode::FK_NO_INDEX_PARENT, &[&key.name, &parent.name]));
    }
    check_parent_index(ctx, key, parent, &columns)
}

/// 3734, 3733, 3780.
fn check_types(def: &TableDef, key: &ForeignKeyDef, parent: &TableDef) -> SqlResult<()> {
    for (own, name) in key.columns.iter().zip(&key.parent_columns) {
        let theirs = parent.column(name).and_then(|c| parent.columns.get(c));
        let Some(theirs) = theirs else {
            return Err(SqlError::new(ErrorCode::FK_NO_COLUMN_PARENT, &[name, &key.name, &parent.name]));
        };
        if theirs.generated.as_ref().is_some_and(|g| !g.stored) {
            return Err(SqlError::new(ErrorCode::FK_CANNOT_USE_VIRTUAL_COLUMN, &[&key.name, &theirs.name]));
        }
        let Some(own) = def.columns.get(*own as usize) else { continue };
        if !compatible(&own.ty, &theirs.ty) {
            let args: [&dyn std::fmt::Display; 3] = [&own.name, &theirs.name, &key.name];
            return Err(SqlError::new(ErrorCode::FK_INCOMPATIBLE_COLUMNS, &args));
        }
    }
    Ok(())
}

/// Whether values of one column can be looked up in the other's index: the same type, where only the length of strings may differ.
pub fn compatible(a: &SqlType, b: &SqlType) -> bool {
    if a.is_character() && b.is_character() && a.kind.is_string() && b.kind.is_string() {
        return a.collation == b.collation;
    }
    if a.kind.is_string() && b.kind.is_string() {
        return a.kind.is_binary_string() && b.kind.is_binary_string();
    }
    a.kind == b.kind
        && a.unsigned == b.unsigned
        && match a.kind {
            TypeKind::Decimal => (a.length, a.decimals) == (b.length, b.decimals),
            TypeKind::Time | TypeKind::DateTime | TypeKind::Timestamp => a.decimals == b.decimals,
            TypeKind::Bit => a.length == b.length,
            _ => true,
        }
}

/// The unique key that is exactly these columns.
pub fn unique_on<'t>(t: &'t TableDef, columns: &[u16]) -> Option<&'t IndexDef> {
    t.indexes.iter().find(|i| {
        i.unique()
            && i.parts.len() == columns.len()
            && i.parts.iter().zip(columns).all(|(p, c)| p.column == *c && p.prefix == 0)
    })
}

/// Whether the parent has what a key refers to: 6125, 1822, or the warning 6124.
pub fn check_parent_index(
    ctx: &mut DdlContext<'_>,
    key: &ForeignKeyDef,
    parent: &TableDef,
    columns: &[u16],
) -> SqlResult<()> {
    if unique_on(parent, columns).is_some() {
        return Ok(());
    }
    if ctx.restrict_fk {
        return Err(SqlError::new(ErrorCode::FK_NO_UNIQUE_INDEX_PARENT, &[&key.name, &parent.name]));
    }
    if parent.index_for_reference(columns).is_none() {
        return Err(SqlError::new(ErrorCode::FK_NO_INDEX_PARENT, &[&key.name, &parent.name]));
    }
    ctx.warn(ErrorCode::WARN_DEPRECATED_NON_STANDARD_KEY, &[&key.name]);
    Ok(())
}

/// A table appears under this name: keys of other tables that have been waiting for it must fit.
pub fn check_children(ctx: &mut DdlContext<'_>, parent: &TableDef) -> SqlResult<()> {
    for r in ctx.dict().children_of(&parent.schema, &parent.name) {
        let Some(Relation::Table(child)) = ctx.dict().relation(&r.child.0, &r.child.1) else { continue };
        if child.id == parent.id {
            continue;
        }
        let Some(key) = child.foreign_keys.iter().find(|k| k.name == r.key.name) else { continue };
        check_types(&child, key, parent)?;
        let columns = parent.positions(&key.parent_columns).unwrap_or_default();
        check_parent_index(ctx, key, parent, &columns)?;
    }
    Ok(())
}

/// Exclusive locks on the parents of a table whose definition goes or changes its keys.
pub fn lock_parents(ctx: &mut DdlContext<'_>, def: &TableDef) -> SqlResult<()> {
    for f in def.foreign_keys.iter().filter(|f| (&f.parent.0, &f.parent.1) != (&def.schema, &def.name)) {
        ctx.locks.table_exclusive(&f.parent.0, &f.parent.1)?;
    }
    Ok(())
}

/// Keys of other tables that refer to this one.
pub fn foreign_children(def: &TableDef) -> impl Iterator<Item = &ReferencedBy> {
    def.referenced_by.iter().filter(|r| (&r.child.0, &r.child.1) != (&def.schema, &def.name))
}

/// 3730 for a parent that is to be dropped while its children stay. `dropped`: everything that goes with it.
pub fn check_drop(ctx: &DdlContext<'_>, def: &TableDef, dropped: &[Arc<TableDef>]) -> SqlResult<()> {
    if !ctx.foreign_key_checks {
        return Ok(());
    }
    let stays = |r: &&ReferencedBy| !dropped.iter().any(|d| d.schema == r.child.0 && d.name == r.child.1);
    match foreign_children(def).find(stays) {
        Some(r) => Err(SqlError::new(ErrorCode::FK_CANNOT_DROP_PARENT, &[&def.name, &r.key.name, &r.child.1])),
        None => Ok(()),
    }
}

/// 1701 for TRUNCATE of a parent.
pub fn check_truncate(ctx: &DdlContext<'_>, def: &TableDef) -> SqlResult<()> {
    match foreign_children(def).next().filter(|_| ctx.foreign_key_checks) {
        Some(r) => {
            let what = format!("{}.{}, CONSTRAINT {}", quote(&r.child.0), quote(&r.child.1), quote(&r.key.name));
            Err(SqlError::new(ErrorCode::TRUNCATE_ILLEGAL_FK, &[&what]))
        }
        None => Ok(()),
    }
}

/// Name of a key or check that the server made from the table's name, for the table's new name.
pub fn renamed_constraint(name: &str, old: &str, new: &str, kind: &str) -> Option<String> {
    let n = name.strip_prefix(old)?.strip_prefix(kind)?;
    n.parse::<u32>().ok()?;
    Some(format!("{new}{kind}{n}"))
}

/// The column's name for messages.
pub fn column_name(def: &TableDef, column: u16) -> &str {
    def.columns.get(column as usize).map_or("", |c: &ColumnDef| c.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_of_names() {
        let of = |t: &str| number(t);
        assert_eq!((of("7"), of("007"), of("x"), of("12x"), of("")), (Some(7), None, None, None, None));
        assert_eq!((of("-2"), of("+5"), of(" 6")), (Some(4_294_967_294), Some(5), Some(6)));
        assert_eq!((of("99999999999"), of("99999999999999999999999")), (Some(1_215_752_191), Some(u32::MAX)));
    }
}
