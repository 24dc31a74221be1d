//! What an ALTER TABLE does to columns. All its actions are meant of the table as it was, in whatever order they are written: names of
//! columns that go, change, get another name or default are names of the old definition, so two columns can exchange their names; a
//! column that one action has taken is not there for another. A column that goes and comes again under its name is a new one, but the keys
//! on it stay. AFTER names a column of the new definition, as it is when its turn comes.
//!
//! Errors come in MySQL's order: checks that are not there (3821), columns that are not there in CHANGE and AFTER, then in ALTER and
//! RENAME COLUMN (1054), what DROP does not find (1091), no column left (1090), a name that is there twice (1060).
//!
//! Only the [`Draft`] is touched. Tested: `tests/sql/golden/alter_columns.sql`.

use super::Draft;
use super::actions::convert_column;
use super::draft::Written;
use crate::ddl::DdlContext;
use crate::ddl::columns::{check_name, define_column};
use crate::ddl::define::{implied_keys, same_name};
use crate::ddl::keys::redefine_parts;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, AlterAction, ColumnPosition, TableElement};
use storage::dict::{ColumnDef, TableDef};

/// A column that is written out in the statement.
struct Item<'a> {
    column: Option<ColumnDef>,
    /// CHANGE, MODIFY: the name it had and, if it is there, its place in the old definition.
    changes: Option<(&'a str, Option<usize>)>,
    position: ColumnPosition<'a>,
    /// ADD of a name that DROP takes away: the place in the old definition of the column that went.
    again: Option<usize>,
}

/// Which columns of the old definition are taken by which actions.
struct Taken {
    dropped: Vec<usize>,
    changed: Vec<usize>,
}

/// The actions that DROP something that is not there (or is named a second time).
pub(super) fn missing_drops(old: &TableDef, actions: &[AlterAction<'_>]) -> Vec<usize> {
    let found = |a: &AlterAction<'_>| match a {
        AlterAction::DropColumn(name) => visible(old, name).is_some(),
        AlterAction::DropIndex(name) => {
            old.fulltext(name).is_some() || old.index(name).is_some() && *name != "GEN_CLUST_INDEX"
        }
        AlterAction::DropPrimaryKey => old.primary_key().is_some(),
        AlterAction::DropForeignKey(name) => old.foreign_keys.iter().any(|k| same_name(&k.name, name)),
        _ => true,
    };
    let same = |a: &AlterAction<'_>, b: &AlterAction<'_>| match (a, b) {
        (AlterAction::DropColumn(a), AlterAction::DropColumn(b))
        | (AlterAction::DropIndex(a), AlterAction::DropIndex(b))
        | (AlterAction::DropForeignKey(a), AlterAction::DropForeignKey(b)) => same_name(a, b),
        (AlterAction::DropPrimaryKey, AlterAction::DropPrimaryKey) => true,
        _ => false,
    };
    let again = |n: usize, a: &AlterAction<'_>| actions.iter().take(n).any(|b| same(a, b));
    actions.iter().enumerate().filter(|(n, a)| !found(a) || again(*n, a)).map(|(n, _)| n).collect()
}

/// Whether a DROP COLUMN is of a name that another action adds.
pub(super) fn comes_again(actions: &[AlterAction<'_>], name: &str) -> bool {
    actions.iter().any(|a| match a {
        AlterAction::AddColumn { column, .. } => same_name(column.name, name),
        AlterAction::AddElements(list) => {
            list.iter().any(|e| matches!(e, TableElement::Column(c) if same_name(c.name, name)))
        }
        _ => false,
    })
}

/// 1091 for the first of them.
pub(super) fn not_found(actions: &[AlterAction<'_>], missing: &[usize]) -> SqlResult<()> {
    let name = match missing.first().and_then(|n| actions.get(*n)) {
        Some(AlterAction::DropColumn(name) | AlterAction::DropIndex(name) | AlterAction::DropForeignKey(name)) => name,
        Some(AlterAction::DropPrimaryKey) => "PRIMARY",
        _ => return Ok(()),
    };
    Err(SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&name]))
}

/// Adds, changes, moves and renames columns; keys and checks written at them wait in the draft, for their turns.
pub(super) fn apply<'a>(ctx: &mut DdlContext<'_>, d: &mut Draft<'a>, actions: &[AlterAction<'a>]) -> SqlResult<()> {
    let old = d.old.clone();
    let mut taken = Taken { dropped: Vec::new(), changed: Vec::new() };
    for a in actions {
        if let AlterAction::DropColumn(name) = a {
            taken.dropped.extend(visible(&old, name));
        }
    }
    let mut items = define(ctx, d, actions, &mut taken)?;
    for item in &mut items {
        // no name as long as it is not there again
        if let Some(c) = item.again.and_then(|at| d.continued(at)).and_then(|at| d.new.columns.get_mut(at)) {
            c.name.clear();
        }
        if let Some((_, Some(from))) = item.changes
            && let Some(def) = item.column.take()
        {
            d.replace_column(from, def)?;
        }
    }
    let unknown = rename(d, actions, &taken)?;
    for item in items {
        match (item.changes, item.column) {
            (Some((name, None)), _) => return Err(bad_field(&old, name)),
            (Some((_, Some(from))), _) => d.move_column(from, &item.position)?,
            (None, Some(def)) => match item.again {
                Some(old) => d.renew_column(old, def, &item.position)?,
                None => d.add_column(def, &item.position)?,
            },
            (None, None) => {}
        }
    }
    match unknown {
        Some(name) => Err(bad_field(&old, name)),
        None if d.new.columns.iter().all(ColumnDef::is_hidden) => {
            Err(SqlError::new(ErrorCode::CANT_REMOVE_ALL_FIELDS, &[]))
        }
        None => Ok(()),
    }
}

/// 1060.
pub(super) fn check_twice(new: &TableDef) -> SqlResult<()> {
    let twice = |(n, c): &(usize, &ColumnDef)| new.columns.iter().take(*n).any(|b| same_name(&b.name, &c.name));
    match new.columns.iter().enumerate().find(twice) {
        Some((_, c)) => Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&c.name])),
        None => Ok(()),
    }
}

/// Keys whose columns have changed, as if they were written now (1170, 1071, 1089, 3152). What their prefixes become is MySQL's rule: a
/// prefix that the new type cannot have, or that is longer than the column, goes; that of a column that went and came again stays.
pub(super) fn recheck_keys(d: &mut Draft<'_>) -> SqlResult<()> {
    let (source, old) = (&d.source, &d.old);
    for i in &mut d.new.indexes {
        let Some(before) = old.indexes.iter().find(|o| o.id == i.id) else { continue };
        let mut changed = false;
        let mut lengths = Vec::with_capacity(i.parts.len());
        for p in &i.parts {
            let at = usize::from(p.column);
            let (Some(new), from) = (d.new.columns.get(at), source.get(at).copied().flatten()) else { continue };
            let prefix = (p.prefix > 0).then(|| u64::from(p.prefix));
            let was = from.and_then(|c| old.columns.get(c));
            changed |= was.is_none_or(|w| w.ty != new.ty);
            lengths.push(match was {
                Some(w) => prefix.filter(|n| can_have_part(w) && can_have_part(new) && *n <= characters(new)),
                // its old column is the one that has gone from this key
                None => {
                    let was = before.parts.iter().filter_map(|p| old.columns.get(usize::from(p.column)));
                    let mut was = was.filter(|c| same_name(&c.name, &new.name) && can_have_part(c));
                    prefix.or_else(|| was.next().map(|c| u64::from(c.ty.length)))
                }
            });
        }
        if changed && i.name != "GEN_CLUST_INDEX" && lengths.len() == i.parts.len() {
            let parts = redefine_parts(i, &lengths, &mut d.new.columns)?;
            if parts != i.parts {
                i.root = base::PageNo::NONE;
                i.parts = parts;
            }
        }
    }
    Ok(())
}

fn can_have_part(c: &ColumnDef) -> bool {
    c.ty.kind.is_string() && !matches!(c.ty.kind, value::TypeKind::Enum | value::TypeKind::Set)
}

/// How long a prefix can be; a TINYTEXT's in bytes.
fn characters(c: &ColumnDef) -> u64 {
    match c.ty.kind {
        value::TypeKind::TinyText | value::TypeKind::TinyBlob => 255,
        k if k.is_lob() => u64::MAX,
        _ => u64::from(c.ty.length),
    }
}

fn define<'a>(
    ctx: &mut DdlContext<'_>,
    d: &mut Draft<'a>,
    actions: &[AlterAction<'a>],
    taken: &mut Taken,
) -> SqlResult<Vec<Item<'a>>> {
    let mut items = Vec::new();
    let convert = actions.iter().any(|a| matches!(a, AlterAction::ConvertCharset { .. }));
    let mut add = |d: &mut Draft<'a>, c: &'a ast::ColumnDef<'a>, changes: Option<&'a str>, position| {
        let mut c = define_column(ctx, c, d.new.collation)?;
        if convert {
            convert_column(ctx, &mut c.def, d.new.collation)?;
        }
        let from = changes.and_then(|n| visible(&d.old, n));
        let from = from.filter(|at| !taken.dropped.contains(at) && !taken.changed.contains(at));
        taken.changed.extend(from);
        let keys = implied_keys(&c)?;
        if c.explicit_null {
            d.nulls.push(c.def.name.clone());
        }
        d.written.push_back(Written { name: c.def.name.clone(), keys, checks: c.checks });
        let again = visible(&d.old, &c.def.name).filter(|at| changes.is_none() && taken.dropped.contains(at));
        let again = again.filter(|at| items.iter().all(|i: &Item<'_>| i.again != Some(*at)));
        items.push(Item { column: Some(c.def), changes: changes.map(|n| (n, from)), position, again });
        SqlResult::Ok(())
    };
    for a in actions {
        match a {
            AlterAction::AddColumn { column, position } => add(d, column, None, *position)?,
            AlterAction::AddElements(list) => {
                for e in *list {
                    if let TableElement::Column(c) = e {
                        add(d, c, None, ColumnPosition::Default)?;
                    }
                }
            }
            AlterAction::ChangeColumn { old, column, position } => add(d, column, Some(old), *position)?,
            AlterAction::ModifyColumn { column, position } => add(d, column, Some(column.name), *position)?,
            _ => {}
        }
    }
    Ok(items)
}

/// All RENAME COLUMN of a statement. Gives the first column that ALTER or RENAME COLUMN do not find.
fn rename<'a>(d: &mut Draft<'a>, actions: &[AlterAction<'a>], taken: &Taken) -> SqlResult<Option<&'a str>> {
    let mut altered: Vec<usize> = Vec::new();
    let mut unknown = None;
    for a in actions {
        let (name, new) = match a {
            AlterAction::RenameColumn { old, new } => (*old, Some(*new)),
            AlterAction::SetDefault { column, .. }
            | AlterAction::DropDefault(column)
            | AlterAction::SetColumnVisible { column, .. } => (*column, None),
            _ => continue,
        };
        let found = visible(&d.old, name);
        match found.filter(|at| ![&taken.dropped, &taken.changed, &altered].iter().any(|t| t.contains(at))) {
            Some(at) => {
                // one that is too long is wrong here too
                if let Some(new) = new.filter(|n| check_name(n, ErrorCode::WRONG_COLUMN_NAME).is_err()) {
                    return Err(SqlError::new(ErrorCode::WRONG_COLUMN_NAME, &[&new]));
                }
                altered.push(at);
                if let (Some(new), Some(c)) = (new, d.continued(at).and_then(|c| d.new.columns.get_mut(c))) {
                    c.name = new.to_owned();
                }
            }
            None => unknown = unknown.or(Some(name)),
        }
    }
    Ok(unknown)
}

fn visible(def: &TableDef, name: &str) -> Option<usize> {
    def.named_column(name)
}

fn bad_field(old: &TableDef, name: &str) -> SqlError {
    SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&name, &old.name])
}
