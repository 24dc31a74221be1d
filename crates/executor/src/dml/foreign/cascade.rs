//! Referential actions: what happens to the children of a row that was deleted or whose key changed.
//!
//! Children are found through their index under X locks, changed one by one, and are parents in turn. Limits as InnoDB's: the fifteenth level
//! is one too many (3008), also where it would only come back to a row that is being deleted; an update that comes back to a table which the same chain is updating is forbidden like RESTRICT (1451), so a row
//! cannot change under its own cascade. Triggers do not run, rows are not counted as affected. No CHECK can be violated:
//! DDL refuses checks on columns that an action changes (3823).

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult, TableId};
use bumpalo::Bump;
use storage::StorageError;
use storage::dict::{FkAction, TableDef};
use storage::engine::Refused;
use storage::table::{Direction, Inserted, KeyRange, ReadMode, Table, TableCursor};
use value::{TypeKind, Value};

use super::super::new_row::same;
use super::{ChildLink, Neighbours, Rows, Wanted, acts, at, differs, run, tell, values, violation, wanted};
use crate::eval::Cx;

/// The nesting of actions that is not reached.
const MAX_DEPTH: u32 = 15;

/// The way from the statement's row down to the present one.
#[derive(Debug)]
pub(super) struct Chain<'n> {
    pub(super) neighbours: &'n mut Neighbours,
    depth: u32,
    /// Tables being updated on this way.
    pub(super) updating: Vec<TableId>,
    /// Table and index in which the cascade would make a duplicate.
    pub(super) duplicate: Option<(String, String)>,
}

impl<'n> Chain<'n> {
    /// At the statement's row.
    pub(super) fn new(neighbours: &'n mut Neighbours) -> Self {
        Chain { neighbours, depth: 0, updating: Vec::new(), duplicate: None }
    }

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
    pub(super) table: &'p Arc<Table>,
    pub(super) row: &'p [Value<'p>],
    /// Index whose turn it is: entries of later ones are still there.
    pub(super) index: usize,
    pub(super) above: Option<&'p Going<'p>>,
}

impl Going<'_> {
    /// Whether a row on the way is a child of this key: InnoDB still finds it through an index whose entry goes later.
    fn holds(&self, link: &ChildLink, key: &[u8]) -> SqlResult<bool> {
        let mut at = Some(self);
        while let Some(g) = at {
            if g.table.id() == link.child.id()
                && link.index > g.index
                && matches!(wanted(&link.child, link.index, g.row, &link.key.columns)?, Wanted::Key(k) if k == key)
            {
                return Ok(true);
            }
            at = g.above;
        }
        Ok(false)
    }
}

/// Deletes a row and what cascades from it; whether it was there.
pub(super) fn delete_row(
    t: &Arc<Table>,
    key: &[u8],
    old: &[Value<'_>],
    above: Option<&Going<'_>>,
    cx: &mut Cx<'_>,
    chain: &mut Chain<'_>,
) -> SqlResult<bool> {
    let change = match cx.env.trx.start_delete(t, key) {
        Err(StorageError::NotFound) => return Ok(false),
        other => other?,
    };
    run(t, change, Rows { old: Some(old), new: None }, &[], (None, above), cx, chain)?;
    Ok(true)
}

/// Changes a row and what cascades from it; `None` if it is gone. `own`: the foreign key whose cascade this is.
pub(super) fn update_row(
    t: &Arc<Table>,
    key: &[u8],
    changes: &[(usize, Value<'_>)],
    (old, new): (&[Value<'_>], &[Value<'_>]),
    own: Option<&str>,
    cx: &mut Cx<'_>,
    chain: &mut Chain<'_>,
) -> SqlResult<Option<Inserted>> {
    let change = match cx.env.trx.start_update(t, key, changes) {
        Err(StorageError::NotFound) => return Ok(None),
        other => other?,
    };
    chain.updating.push(t.id());
    let done = run(t, change, Rows { old: Some(old), new: Some(new) }, changes, (own, None), cx, chain);
    chain.updating.pop();
    done.map(Some)
}

/// The entry of a row that goes has left an index: its children.
pub(super) fn after_delete(
    children: &[ChildLink],
    going: &Going<'_>,
    cx: &mut Cx<'_>,
    chain: &mut Chain<'_>,
) -> SqlResult<()> {
    for link in children.iter().filter(|l| l.own == going.index) {
        let Wanted::Key(key) = wanted(&link.child, link.index, &project(going.row, &link.columns), &ordinals(link))?
        else {
            continue;
        };
        match link.key.on_delete {
            FkAction::Cascade => {
                if chain.depth + 1 == MAX_DEPTH && going.holds(link, &key)? {
                    chain.down()?;
                }
                delete_children(link, &key, going, cx, chain)?;
            }
            FkAction::SetNull => {
                change_children(link, &key, (Refused::Delete, going.table, going.row), None, cx, chain)?;
            }
            // a row that refers to itself is its own child, as InnoDB sees it, while its entry is there
            _ => restrict(link, &key, (Refused::Delete, going.table, going.row), cx)?,
        }
    }
    Ok(())
}

/// The entry of a row that changes has left an index: its children, where the key they refer to did. As in InnoDB a foreign key whose cascade
/// changes the row (`own`) is not asked again, though it refers to its own table: it may leave children there that refer to nothing.
pub(super) fn after_update(
    children: &[ChildLink],
    index: usize,
    (old, new): (&[Value<'_>], &[Value<'_>]),
    (table, own): (&Arc<Table>, Option<&str>),
    cx: &mut Cx<'_>,
    chain: &mut Chain<'_>,
) -> SqlResult<()> {
    let cascading = |l: &ChildLink| l.child.id() == table.id() && own == Some(l.key.name.as_str());
    for link in children.iter().filter(|l| l.own == index && differs(old, new, &l.columns)) {
        if cascading(link) {
            continue;
        }
        let was = project(old, &link.columns);
        let Wanted::Key(key) = wanted(&link.child, link.index, &was, &ordinals(link))? else {
            continue;
        };
        let again = chain.updating.contains(&link.child.id());
        match link.key.on_update {
            a if !acts(a) || again => restrict(link, &key, (Refused::Update, table, old), cx)?,
            FkAction::Cascade => {
                let to = Some((&*was, &*project(new, &link.columns)));
                change_children(link, &key, (Refused::Update, table, old), to, cx, chain)?;
            }
            _ => change_children(link, &key, (Refused::Update, table, old), None, cx, chain)?,
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

/// What is done to a parent, which, and its row before.
type Parent<'p> = (Refused, &'p Arc<Table>, &'p [Value<'p>]);

/// What there is to say of a child in a parent's way.
fn tell_of(link: &ChildLink, key: &[u8], (what, parent, row): Parent<'_>, cx: &Cx<'_>) {
    let other = Some((link.child.clone(), link.index, key.to_vec()));
    tell(what, (&link.child, &link.key), (parent, link.own, row), other, cx);
}

/// 1451 if there is a child.
fn restrict(link: &ChildLink, key: &[u8], parent: Parent<'_>, cx: &mut Cx<'_>) -> SqlResult<()> {
    if cx.env.trx.lock_reference(&link.child, link.index, key)? {
        tell_of(link, key, parent, cx);
        return Err(violation(ErrorCode::ROW_IS_REFERENCED_2, &link.child, &link.key, cx));
    }
    Ok(())
}

fn delete_children(
    link: &ChildLink,
    key: &[u8],
    going: &Going<'_>,
    cx: &mut Cx<'_>,
    chain: &mut Chain<'_>,
) -> SqlResult<()> {
    let mut cursor = TableCursor::open(&link.child, link.index, ReadMode::FOR_UPDATE, false);
    cursor.seek(&mut cx.env.trx, KeyRange::prefix(key), Direction::Forward)?;
    let mut arena = Bump::new();
    while let Some(row) = cursor.next(&mut cx.env.trx)? {
        let at = row.key().to_vec();
        let old = values(&row, &arena)?;
        chain.down()?;
        delete_row(&link.child, &at, &old, Some(going), cx, chain)?;
        chain.depth -= 1;
        drop(old);
        arena.reset();
        cx.tick()?;
    }
    Ok(())
}

/// Gives the children's columns the values of the parent (`to`: before and after; only those that it changes), or NULL.
fn change_children(
    link: &ChildLink,
    key: &[u8],
    parent: Parent<'_>,
    to: Option<(&[Value<'_>], &[Value<'_>])>,
    cx: &mut Cx<'_>,
    chain: &mut Chain<'_>,
) -> SqlResult<()> {
    let def = link.child.def.clone();
    if chain.updating.contains(&link.child.id()) {
        return restrict(link, key, parent, cx);
    }
    let mut cursor = TableCursor::open(&link.child, link.index, ReadMode::FOR_UPDATE, false);
    cursor.seek(&mut cx.env.trx, KeyRange::prefix(key), Direction::Forward)?;
    while let Some(row) = cursor.next(&mut cx.env.trx)? {
        let arena = Bump::new();
        let place = row.key().to_vec();
        let old = values(&row, &arena)?;
        let mut new = old.clone();
        for (n, c) in link.key.columns.iter().enumerate() {
            if to.is_some_and(|(was, is)| same(at(was, n as u16), at(is, n as u16))) {
                continue;
            }
            let v = to.map_or(Value::Null, |(_, is)| at(is, n as u16).copy_into(&arena));
            if !fits(v, &def, *c) {
                tell_of(link, key, parent, cx);
                return Err(violation(ErrorCode::ROW_IS_REFERENCED_2, &link.child, &link.key, cx));
            }
            if let Some(slot) = new.get_mut(*c as usize) {
                *slot = v;
            }
        }
        crate::dml::table_exprs::generate(&def, &mut new, cx, &arena)?;
        chain.down()?;
        let changes: Vec<(usize, Value<'_>)> =
            old.iter().zip(&new).enumerate().filter(|(_, (a, b))| !same(**a, **b)).map(|(i, (_, b))| (i, *b)).collect();
        let own = Some(link.key.name.as_str());
        let done = update_row(&link.child, &place, &changes, (&old, &new), own, cx, chain)?;
        if let Some(Inserted::Duplicate { index, .. }) = done {
            let name = link.child.def.indexes.get(index).map_or_else(String::new, |i| i.name.clone());
            chain.duplicate = Some((link.child.def.name.clone(), name));
            return Err(SqlError::new(ErrorCode::FOREIGN_DUPLICATE_KEY_WITH_CHILD_INFO, &[&"", &"", &"", &""]));
        }
        chain.depth -= 1;
        cx.tick()?;
    }
    Ok(())
}

/// Whether the child's column can take a value of the parent's: NULL, or a string longer than it, may not, nor one shorter than a BINARY.
fn fits(v: Value<'_>, def: &TableDef, column: u16) -> bool {
    let Some(c) = def.columns.get(column as usize) else { return false };
    match v {
        Value::Null => c.ty.nullable,
        Value::Str(s) if matches!(c.ty.kind, TypeKind::Char | TypeKind::VarChar) => {
            c.ty.charset().char_offset(s, c.ty.length as usize) >= s.len()
        }
        Value::Str(s) if c.ty.kind == TypeKind::VarBinary => s.len() <= c.ty.length as usize,
        // InnoDB does not pad one
        Value::Str(s) if c.ty.kind == TypeKind::Binary => s.len() == c.ty.length as usize,
        _ => true,
    }
}
