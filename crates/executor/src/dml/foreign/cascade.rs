//! Referential actions: what happens to the children of a row that was deleted or whose key changed.
//!
//! Children are found through their index under X locks, changed one by one, and are parents in turn. Limits as InnoDB's: the fifteenth level
//! is one too many (3008), also where it would only come back to a row that is being deleted; an update that comes back to a table which the same chain is updating is forbidden like RESTRICT (1451), so a row
//! cannot change under its own cascade. Triggers do not run, rows are not counted as affected. No CHECK can be violated:
//! DDL refuses checks on columns that an action changes (3823).

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult, TableId};
use bumpalo::Bump;
use storage::dict::{FkAction, TableDef};
use storage::table::{Direction, Inserted, KeyRange, ReadMode, Table, TableCursor};
use value::{TypeKind, Value};

use super::super::change::{duplicate, same};
use super::{ChildLink, Wanted, acts, at, check_parents, differs, links, values, violation, wanted};
use crate::context::Cx;

/// The nesting of actions that is not reached.
const MAX_DEPTH: u32 = 15;

/// The way from the statement's row down to the present one.
#[derive(Default, Debug)]
pub(super) struct Chain {
    depth: u32,
    /// Tables being updated on this way.
    pub(super) updating: Vec<TableId>,
}

impl Chain {
    fn down(&mut self) -> SqlResult<()> {
        self.depth += 1;
        if self.depth >= MAX_DEPTH {
            return Err(SqlError::new(ErrorCode::FK_DEPTH_EXCEEDED, &[&MAX_DEPTH]));
        }
        Ok(())
    }
}

/// A row that is being deleted, and the one whose deletion made it so.
pub(super) struct Going<'p> {
    table: TableId,
    row: &'p [Value<'p>],
    above: Option<&'p Going<'p>>,
}

impl Going<'_> {
    /// Whether a row on the way is a child of this key: InnoDB still finds it through a secondary index, whose entries go last.
    fn holds(&self, link: &ChildLink, key: &[u8]) -> SqlResult<bool> {
        let mut at = Some(self);
        while let Some(g) = at {
            if g.table == link.child.id()
                && matches!(wanted(&link.child, link.index, g.row, &link.key.columns)?, Wanted::Key(k) if k == key)
            {
                return Ok(true);
            }
            at = g.above;
        }
        Ok(false)
    }
}

/// A row of `t` is gone: its children. `above`: the rows whose deletion led here.
pub(super) fn after_delete(
    t: &Arc<Table>,
    old: &[Value<'_>],
    above: Option<&Going<'_>>,
    cx: &mut Cx<'_>,
    chain: &mut Chain,
) -> SqlResult<()> {
    if t.def.referenced_by.is_empty() {
        return Ok(());
    }
    let all = links(t, cx)?;
    let going = Going { table: t.id(), row: old, above };
    for link in &all.children {
        let Wanted::Key(key) = wanted(&link.child, link.index, &project(old, &link.columns), &ordinals(link))? else {
            continue;
        };
        match link.key.on_delete {
            FkAction::Cascade => {
                if chain.depth + 1 == MAX_DEPTH && link.index != 0 && going.holds(link, &key)? {
                    chain.down()?;
                }
                delete_children(link, &key, &going, cx, chain)?;
            }
            FkAction::SetNull => change_children(link, &key, None, cx, chain)?,
            _ => {
                // a row that refers to itself is its own child, as InnoDB sees it
                let own = link.child.id() == t.id()
                    && matches!(wanted(&link.child, link.index, old, &link.key.columns)?, Wanted::Key(k) if k == key);
                if own {
                    return Err(violation(ErrorCode::ROW_IS_REFERENCED_2, &link.child, &link.key, cx));
                }
                restrict(link, &key, cx)?;
            }
        }
    }
    Ok(())
}

/// A row of `t` has changed: its children, where the key they refer to did.
pub(super) fn after_update(
    t: &Arc<Table>,
    old: &[Value<'_>],
    new: &[Value<'_>],
    cx: &mut Cx<'_>,
    chain: &mut Chain,
) -> SqlResult<()> {
    if t.def.referenced_by.is_empty() {
        return Ok(());
    }
    let all = links(t, cx)?;
    for link in all.children.iter().filter(|l| differs(old, new, &l.columns)) {
        let Wanted::Key(key) = wanted(&link.child, link.index, &project(old, &link.columns), &ordinals(link))? else {
            continue;
        };
        let again = chain.updating.contains(&link.child.id());
        match link.key.on_update {
            a if !acts(a) || again => restrict(link, &key, cx)?,
            FkAction::Cascade => change_children(link, &key, Some(&project(new, &link.columns)), cx, chain)?,
            _ => change_children(link, &key, None, cx, chain)?,
        }
    }
    Ok(())
}

/// 1451 if a child forbids that the row gets another key.
pub(super) fn restricted(t: &Arc<Table>, old: &[Value<'_>], new: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
    let all = links(t, cx)?;
    for link in all.children.iter().filter(|l| differs(old, new, &l.columns)) {
        if acts(link.key.on_update) && link.child.id() != t.id() {
            continue;
        }
        if let Wanted::Key(key) = wanted(&link.child, link.index, &project(old, &link.columns), &ordinals(link))? {
            restrict(link, &key, cx)?;
        }
    }
    Ok(())
}

/// The values of the parent's columns, in the order of the key.
fn project<'a>(row: &[Value<'a>], columns: &[u16]) -> Vec<Value<'a>> {
    columns.iter().map(|c| at(row, *c)).collect()
}

fn ordinals(link: &ChildLink) -> Vec<u16> {
    (0..link.columns.len() as u16).collect()
}

/// 1451 if there is a child.
fn restrict(link: &ChildLink, key: &[u8], cx: &mut Cx<'_>) -> SqlResult<()> {
    if cx.env.trx.lock_reference(&link.child, link.index, key)? {
        return Err(violation(ErrorCode::ROW_IS_REFERENCED_2, &link.child, &link.key, cx));
    }
    Ok(())
}

fn delete_children(
    link: &ChildLink,
    key: &[u8],
    going: &Going<'_>,
    cx: &mut Cx<'_>,
    chain: &mut Chain,
) -> SqlResult<()> {
    let mut cursor = TableCursor::open(&link.child, link.index, ReadMode::FOR_UPDATE, false);
    cursor.seek(&mut cx.env.trx, KeyRange::prefix(key), Direction::Forward)?;
    let mut arena = Bump::new();
    while let Some(row) = cursor.next(&mut cx.env.trx)? {
        let at = row.key().to_vec();
        let old = values(&row, &arena)?;
        chain.down()?;
        cx.env.trx.delete(&link.child, &at)?;
        after_delete(&link.child, &old, Some(going), cx, chain)?;
        chain.depth -= 1;
        drop(old);
        arena.reset();
        cx.tick()?;
    }
    Ok(())
}

/// Gives the children's columns the values of the parent (`to`), or NULL.
fn change_children(
    link: &ChildLink,
    key: &[u8],
    to: Option<&[Value<'_>]>,
    cx: &mut Cx<'_>,
    chain: &mut Chain,
) -> SqlResult<()> {
    let def = link.child.def.clone();
    if chain.updating.contains(&link.child.id()) {
        return restrict(link, key, cx);
    }
    let mut cursor = TableCursor::open(&link.child, link.index, ReadMode::FOR_UPDATE, false);
    cursor.seek(&mut cx.env.trx, KeyRange::prefix(key), Direction::Forward)?;
    while let Some(row) = cursor.next(&mut cx.env.trx)? {
        let arena = Bump::new();
        let place = row.key().to_vec();
        let old = values(&row, &arena)?;
        let mut new = old.clone();
        for (n, c) in link.key.columns.iter().enumerate() {
            let v = to.map_or(Value::Null, |t| t.get(n).copied().unwrap_or_default().copy_into(&arena));
            if !fits(v, &def, *c) {
                return Err(violation(ErrorCode::ROW_IS_REFERENCED_2, &link.child, &link.key, cx));
            }
            if let Some(slot) = new.get_mut(*c as usize) {
                *slot = v;
            }
        }
        crate::stored::generate(&def, &mut new, cx, &arena)?;
        chain.down()?;
        let changes: Vec<(usize, Value<'_>)> =
            old.iter().zip(&new).enumerate().filter(|(_, (a, b))| !same(**a, **b)).map(|(i, (_, b))| (i, *b)).collect();
        if let Inserted::Duplicate { index, .. } = cx.env.trx.update(&link.child, &place, &changes)? {
            return Err(duplicate_child(link, index, &new));
        }
        chain.updating.push(link.child.id());
        after_update(&link.child, &old, &new, cx, chain)?;
        chain.updating.pop();
        check_parents(&link.child, Some(&old), &new, cx)?;
        chain.depth -= 1;
        cx.tick()?;
    }
    Ok(())
}

/// Whether the child's column can take a value of the parent's: NULL, or a string longer than it, may not.
fn fits(v: Value<'_>, def: &TableDef, column: u16) -> bool {
    let Some(c) = def.columns.get(column as usize) else { return false };
    match v {
        Value::Null => c.ty.nullable,
        Value::Str(s) if matches!(c.ty.kind, TypeKind::Char | TypeKind::VarChar) => {
            c.ty.charset().char_offset(s, c.ty.length as usize) >= s.len()
        }
        Value::Str(s) if matches!(c.ty.kind, TypeKind::Binary | TypeKind::VarBinary) => s.len() <= c.ty.length as usize,
        _ => true,
    }
}

/// 1761: the cascade would make a duplicate.
fn duplicate_child(link: &ChildLink, index: usize, row: &[Value<'_>]) -> SqlError {
    let e = duplicate(&link.child, index, row);
    let record = e.message().split('\'').nth(1).unwrap_or("").to_owned();
    let name = link.child.def.indexes.get(index).map_or("", |i| i.name.as_str());
    SqlError::new(
        ErrorCode::FOREIGN_DUPLICATE_KEY_WITH_CHILD_INFO,
        &[&link.key.parent.1, &record, &link.child.def.name, &name],
    )
}
