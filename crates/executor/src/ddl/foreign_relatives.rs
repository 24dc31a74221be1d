//! ALTER TABLE and RENAME TABLE among relatives: what a change of one table means for the foreign keys it has, and for those of its
//! children.
//!
//! A key keeps its columns, its index and fitting types on both sides (1828, 1829, 1553, 1830, 1832, 1833, 3780). A new name of a table or a
//! column goes into the definitions of the children, in the same atomic DDL and under exclusive locks on them; names that the
//! server made from the table's name (`t_ibfk_1`, `t_chk_1`) follow it.

use super::alter::Draft;
use super::foreign::{self, check_own_columns, compatible, foreign_children, implied_key, renamed_constraint};
use super::online::Sharing;
use super::{DdlContext, storage_error};
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use std::sync::Arc;
use storage::StorageError;
use storage::dict::{ColumnDef, ForeignKeyDef, Relation, TableDef};
use storage::row::RowError;
use storage::table::{Direction, KeyRange, ReadMode, Table, TableCursor};
use value::SqlType;

/// A child's definition before and after.
type Followers = Vec<(Arc<TableDef>, TableDef)>;

/// Adds the indexes that new foreign keys need, and drops implied ones for which a new index serves.
pub(super) fn index_children(d: &mut Draft<'_>) -> SqlResult<()> {
    let implied = d.foreign_specs(implied_key)?;
    for spec in implied {
        let columns: Option<Vec<u16>> = spec.parts.iter().map(|p| d.new.column(&p.0).map(|c| c as u16)).collect();
        let Some(columns) = columns else {
            let missing = spec.parts.iter().find(|p| d.new.column(&p.0).is_none()).map_or("", |p| p.0.as_str());
            return Err(SqlError::new(ErrorCode::KEY_COLUMN_DOES_NOT_EXITS, &[&missing]));
        };
        if d.new.index_leading_with(&columns).is_none() {
            d.add_keys(&[spec])?;
        }
    }
    let all = d.new.indexes.clone();
    let (old, columns) = (d.old.clone(), &d.new.columns);
    d.new.indexes.retain(|i| {
        let serves = |o: &storage::dict::IndexDef| {
            !old.indexes.iter().any(|b| b.name == o.name)
                && o.array_part(columns).is_none()
                && o.parts.len() >= i.parts.len()
                // a descending index does not replace the implied one
                && i.parts.iter().zip(&o.parts).all(|(a, b)| a.column == b.column && b.prefix == 0 && a.desc == b.desc)
        };
        !(i.implied && old.indexes.iter().any(|b| b.name == i.name) && all.iter().any(serves))
    });
    Ok(())
}

/// Where a column of the old definition is now.
fn moved_to(d: &Draft<'_>, old: usize) -> Option<usize> {
    d.source.iter().position(|s| *s == Some(old))
}

/// Checks the keys that stay, on both sides.
pub(super) fn check(ctx: &DdlContext<'_>, d: &Draft<'_>) -> SqlResult<()> {
    for key in &d.new.foreign_keys {
        let before = d.old.foreign_keys.iter().find(|k| k.name == key.name);
        if let Some(n) = key.columns.iter().position(|c| *c == u16::MAX) {
            let was = before.and_then(|b| b.columns.get(n)).copied().unwrap_or(u16::MAX);
            let name = foreign::column_name(&d.old, was);
            return Err(SqlError::new(ErrorCode::FK_COLUMN_CANNOT_DROP, &[&name, &key.name]));
        }
        if d.new.index_leading_with(&key.columns).is_none() {
            return Err(dropped_index(d, before.map_or(&[], |b| b.columns.as_slice())));
        }
        check_own_columns(&d.new, key)?;
        check_child_types(ctx, d, key)?;
    }
    for r in &d.old.referenced_by {
        let own = (&r.child.0, &r.child.1) == (&d.old.schema, &d.old.name);
        if own && !d.new.foreign_keys.iter().any(|k| k.name == r.key.name) {
            continue;
        }
        let mut columns = Vec::new();
        for name in &r.key.parent_columns {
            let at = d.old.column(name).and_then(|c| moved_to(d, c));
            let Some(at) = at else {
                let args: [&dyn std::fmt::Display; 3] = [name, &r.key.name, &r.child.1];
                return Err(SqlError::new(ErrorCode::FK_COLUMN_CANNOT_DROP_CHILD, &args));
            };
            columns.push(at as u16);
        }
        if d.new.index_for_reference(&columns).is_none() {
            return Err(dropped_index(d, &d.old.positions(&r.key.parent_columns).unwrap_or_default()));
        }
        // a unique key is not exchanged for another index
        let was = d.old.positions(&r.key.parent_columns).unwrap_or_default();
        if ctx.restrict_fk
            && let Some(i) = foreign::unique_on(&d.old, &was)
            && foreign::unique_on(&d.new, &columns).is_none()
        {
            return Err(SqlError::new(ErrorCode::DROP_INDEX_FK, &[&i.name]));
        }
        if !own {
            check_parent_types(ctx, d, r, &columns)?;
        }
    }
    Ok(())
}

/// 1553 naming the index that is gone.
fn dropped_index(d: &Draft<'_>, columns: &[u16]) -> SqlError {
    let found = d.old.index_leading_with(columns).or_else(|| d.old.index_for_reference(columns));
    let name = found.and_then(|i| d.old.indexes.get(i)).map_or("", |i| i.name.as_str());
    SqlError::new(ErrorCode::DROP_INDEX_FK, &[&name])
}

/// Whether a type changes in a way that stored values might not survive: anything but a longer string.
fn risky(a: &SqlType, b: &SqlType) -> bool {
    let mut old = a.clone();
    old.nullable = b.nullable;
    if a.kind == b.kind && a.kind.is_string() && b.length >= a.length {
        old.length = b.length;
    }
    old != *b
}

fn changed<'d>(d: &'d Draft<'_>, column: u16) -> Option<(&'d ColumnDef, &'d ColumnDef)> {
    let new = d.new.columns.get(column as usize)?;
    let old = d.source.get(column as usize).copied().flatten().and_then(|i| d.old.columns.get(i))?;
    (risky(&old.ty, &new.ty) || old.auto_increment != new.auto_increment).then_some((old, new))
}

fn check_child_types(ctx: &DdlContext<'_>, d: &Draft<'_>, key: &ForeignKeyDef) -> SqlResult<()> {
    let own = key.parent == (d.old.schema.clone(), d.old.name.clone());
    let parent = match ctx.dict().relation(&key.parent.0, &key.parent.1) {
        _ if own => None,
        Some(Relation::Table(p)) => Some(p),
        _ => return Ok(()),
    };
    for (c, name) in key.columns.iter().zip(&key.parent_columns) {
        let theirs = match &parent {
            Some(p) => p.column(name).and_then(|c| p.columns.get(c)),
            None => d.old.column(name).and_then(|c| moved_to(d, c)).and_then(|c| d.new.columns.get(c)),
        };
        if let (Some(mine), Some(theirs)) = (d.new.columns.get(*c as usize), theirs)
            && !compatible(&mine.ty, &theirs.ty)
        {
            let args: [&dyn std::fmt::Display; 3] = [&mine.name, &theirs.name, &key.name];
            return Err(SqlError::new(ErrorCode::FK_INCOMPATIBLE_COLUMNS, &args));
        }
        if let Some((old, _)) = changed(d, *c).filter(|_| ctx.foreign_key_checks) {
            return Err(SqlError::new(ErrorCode::FK_COLUMN_CANNOT_CHANGE, &[&old.name, &key.name]));
        }
    }
    Ok(())
}

fn check_parent_types(
    ctx: &DdlContext<'_>,
    d: &Draft<'_>,
    r: &storage::dict::ReferencedBy,
    columns: &[u16],
) -> SqlResult<()> {
    let Some(Relation::Table(child)) = ctx.dict().relation(&r.child.0, &r.child.1) else { return Ok(()) };
    let Some(key) = child.foreign_keys.iter().find(|k| k.name == r.key.name) else { return Ok(()) };
    for (c, theirs) in columns.iter().zip(&key.columns) {
        if let (Some(mine), Some(theirs)) = (d.new.columns.get(*c as usize), child.columns.get(*theirs as usize))
            && !compatible(&mine.ty, &theirs.ty)
        {
            let args: [&dyn std::fmt::Display; 3] = [&theirs.name, &mine.name, &key.name];
            return Err(SqlError::new(ErrorCode::FK_INCOMPATIBLE_COLUMNS, &args));
        }
        if let Some((old, _)) = changed(d, *c).filter(|_| ctx.foreign_key_checks) {
            let table = format!("{}.{}", child.schema, child.name);
            let args: [&dyn std::fmt::Display; 3] = [&old.name, &key.name, &table];
            return Err(SqlError::new(ErrorCode::FK_COLUMN_CANNOT_CHANGE_CHILD, &args));
        }
    }
    Ok(())
}

/// ALTER TABLE: the table's own keys and its children's follow new names of the table and of its columns.
pub(super) fn follow(ctx: &mut DdlContext<'_>, d: &mut Draft<'_>) -> SqlResult<Followers> {
    let old = d.old.clone();
    let renamed = (&d.new.schema, &d.new.name) != (&old.schema, &old.name);
    let names: Vec<(String, String)> = d
        .source
        .iter()
        .zip(&d.new.columns)
        .filter_map(|(s, c)| Some((s.and_then(|s| old.columns.get(s))?.name.clone(), c.name.clone())))
        .filter(|(a, b)| a != b)
        .collect();
    if !renamed && names.is_empty() {
        let same = |a: &ForeignKeyDef, b: &ForeignKeyDef| {
            ForeignKeyDef { columns: Vec::new(), ..a.clone() } == ForeignKeyDef { columns: Vec::new(), ..b.clone() }
        };
        let dropped = old.foreign_keys.iter().any(|k| !d.new.foreign_keys.iter().any(|n| same(n, k)));
        if dropped {
            foreign::lock_parents(ctx, &old)?;
        }
        return Ok(Vec::new());
    }
    let rename_columns = |key: &mut ForeignKeyDef| {
        for c in &mut key.parent_columns {
            if let Some((_, new)) = names.iter().find(|(a, _)| a == c) {
                c.clone_from(new);
            }
        }
    };
    let own = (old.schema.clone(), old.name.clone());
    d.new.foreign_keys.iter_mut().filter(|k| k.parent == own).for_each(rename_columns);
    let mut followers = Vec::new();
    if !names.is_empty() {
        for r in foreign_children(&old) {
            if !r.key.parent_columns.iter().any(|c| names.iter().any(|(a, _)| a == c)) {
                continue;
            }
            adopt(ctx, &mut followers, &r.child, |child| {
                child.foreign_keys.iter_mut().filter(|k| k.parent == own).for_each(rename_columns);
            })?;
        }
    }
    if renamed {
        let mut moved = vec![(old, d.new.clone())];
        for (child, new) in follow_renames(ctx, &mut moved)? {
            match followers.iter_mut().find(|(c, _)| c.id == child.id) {
                Some((_, there)) => {
                    for k in there.foreign_keys.iter_mut().filter(|k| k.parent == own) {
                        k.parent = (d.new.schema.clone(), d.new.name.clone());
                    }
                }
                None => followers.push((child, new)),
            }
        }
        if let Some((_, new)) = moved.pop() {
            d.new = new;
        }
    } else {
        foreign::lock_parents(ctx, &d.new)?;
    }
    Ok(followers)
}

/// Locks a child and lets `f` change its definition, once for all its keys.
fn adopt(
    ctx: &mut DdlContext<'_>,
    followers: &mut Followers,
    name: &(String, String),
    f: impl FnOnce(&mut TableDef),
) -> SqlResult<()> {
    if let Some((_, new)) = followers.iter_mut().find(|(c, _)| (&c.schema, &c.name) == (&name.0, &name.1)) {
        f(new);
        return Ok(());
    }
    ctx.locks.table_exclusive(&name.0, &name.1)?;
    let Some(Relation::Table(child)) = ctx.dict().relation(&name.0, &name.1) else { return Ok(()) };
    let mut new = TableDef::clone(&child);
    f(&mut new);
    followers.push((child, new));
    Ok(())
}

/// Tables get new names: keys among them and those of their children refer to the new ones; names made from a table's name follow.
pub(super) fn follow_renames(
    ctx: &mut DdlContext<'_>,
    moved: &mut [(Arc<TableDef>, TableDef)],
) -> SqlResult<Followers> {
    type Name = (String, String);
    let map: Vec<(Name, Name)> =
        moved.iter().map(|(o, n)| ((o.schema.clone(), o.name.clone()), (n.schema.clone(), n.name.clone()))).collect();
    let target = |name: &Name| map.iter().find(|(old, _)| old == name).map(|(_, new)| new.clone());
    let mut followers = Vec::new();
    for (old, new) in moved.iter_mut() {
        foreign::lock_parents(ctx, old)?;
        for k in &mut new.foreign_keys {
            if let Some(p) = target(&k.parent) {
                k.parent = p;
            }
            if let Some(name) = renamed_constraint(&k.name, &old.name, &new.name, "_ibfk_") {
                k.name = name;
            }
        }
        for c in &mut new.checks {
            if let Some(name) = renamed_constraint(&c.name, &old.name, &new.name, "_chk_") {
                c.name = name;
            }
        }
        for r in foreign_children(old) {
            let columns = new.positions(&r.key.parent_columns).unwrap_or_default();
            foreign::check_parent_index(ctx, &r.key, new, &columns)?;
        }
        for r in foreign_children(old).filter(|r| target(&r.child).is_none()) {
            adopt(ctx, &mut followers, &r.child, |child| {
                for k in &mut child.foreign_keys {
                    if let Some(p) = target(&k.parent) {
                        k.parent = p;
                    }
                }
            })?;
        }
        // keys that meant the table which had this name before have gone with it; none waits for the name
        if target(&(new.schema.clone(), new.name.clone())).is_none() {
            foreign::check_children(ctx, new)?;
        }
    }
    for (_, new) in moved.iter() {
        for k in &new.foreign_keys {
            let bare = TableDef { foreign_keys: Vec::new(), ..new.clone() };
            if foreign::name_taken(ctx, &bare, &k.name) {
                return Err(SqlError::new(ErrorCode::FK_DUP_NAME, &[&k.name]));
            }
        }
    }
    Ok(followers)
}

/// [`validate`] while others may read the table and its parents, as MySQL copies beside readers. Nobody has changed them since the exclusive
/// locks were granted, and nobody can.
pub(super) fn validate_beside_readers(
    ctx: &mut DdlContext<'_>,
    old: &TableDef,
    new: &TableDef,
    from: usize,
    lock: Option<&str>,
) -> SqlResult<u64> {
    if lock.is_some_and(|l| l.eq_ignore_ascii_case("exclusive")) {
        return validate(ctx, new, from);
    }
    let mut names = vec![(old.schema.clone(), old.name.clone())];
    for key in new.foreign_keys.iter().skip(from) {
        if !names.contains(&key.parent) {
            names.push(key.parent.clone());
        }
    }
    names.retain(|(schema, name)| ctx.locks.table_shared(schema, name, Sharing::Readers));
    let rows = validate(ctx, new, from)?;
    names.iter().try_for_each(|(schema, name)| ctx.locks.table_unshared(schema, name))?;
    Ok(rows)
}

/// Every row has its parents as far as the keys from number `from` on ask: 1452 otherwise. Returns the number of rows. Nobody changes the tables.
fn validate(ctx: &mut DdlContext<'_>, new: &TableDef, from: usize) -> SqlResult<u64> {
    let table = Arc::new(Table::new(ctx.engine, Arc::new(new.clone())));
    let mut targets = Vec::new();
    for key in new.foreign_keys.iter().skip(from) {
        let parent = if key.parent == (new.schema.clone(), new.name.clone()) {
            Some(table.clone())
        } else {
            ctx.dict().open_table(ctx.engine, &key.parent.0, &key.parent.1).map_err(storage_error)?
        };
        let found = parent.and_then(|p| {
            let index = p.def.index_for_reference(&p.def.positions(&key.parent_columns)?)?;
            Some((p, index))
        });
        targets.push((key, found));
    }
    let mut trx = ctx.engine.new_trx(ctx.session_id).map_err(storage_error)?;
    let mut cursor = TableCursor::open(&table, 0, ReadMode::Consistent, false);
    cursor.seek(&mut trx, KeyRange::ALL, Direction::Forward).map_err(storage_error)?;
    let mut arena = Bump::new();
    let (mut rows, mut wanted) = (0, Vec::new());
    while let Some(row) = cursor.next(&mut trx).map_err(storage_error)? {
        rows += 1;
        if rows % 256 == 0 && (ctx.interrupted)() {
            return Err(SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[]));
        }
        wanted.clear();
        for (n, (key, target)) in targets.iter().enumerate() {
            let mut bytes = Vec::new();
            let mut values = Vec::with_capacity(key.columns.len());
            for c in &key.columns {
                values.push(row.column(*c as usize, &arena).map_err(storage_error)?);
            }
            if values.iter().any(|v| v.is_null()) {
                continue;
            }
            let value = |n: usize| values.get(n).copied().unwrap_or_default();
            match target.as_ref().map(|(p, i)| p.encode_reference(*i, values.len(), value, &mut bytes)) {
                Some(Ok(())) => wanted.push((n, bytes)),
                None | Some(Err(RowError::OutOfRange)) => return Err(missing(new, key)),
                Some(Err(e)) => return Err(StorageError::from(e).into()),
            }
        }
        for (n, bytes) in &wanted {
            let Some((key, Some((parent, index)))) = targets.get(*n) else { continue };
            let mut look = TableCursor::open(parent, *index, ReadMode::Consistent, true);
            look.seek(&mut trx, KeyRange::prefix(bytes), Direction::Forward).map_err(storage_error)?;
            if look.next(&mut trx).map_err(storage_error)?.is_none() {
                return Err(missing(new, key));
            }
        }
        arena.reset();
    }
    trx.commit().map_err(storage_error)?;
    Ok(rows)
}

fn missing(new: &TableDef, key: &ForeignKeyDef) -> SqlError {
    SqlError::new(ErrorCode::NO_REFERENCED_ROW_2, &[&key.describe(new)])
}
