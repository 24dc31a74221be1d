//! Foreign keys: what a changed row owes to other tables.
//!
//! A row is changed first and checked afterwards, as InnoDB does index by index: by then its index entries are locked by this
//! transaction, so a row of the other side that comes or goes at the same moment waits there. A check that fails is an error
//! of the statement (or, with IGNORE, of the row): the caller goes back to its savepoint, which undoes the cascades too,
//! since they run in the same transaction.
//!
//! * [`inserted`], [`updated`]: every foreign key of the row that is not NULL in part (MATCH SIMPLE) needs its parent: 1452. The
//!   parent's index record is locked S ([`storage::txn::Trx::lock_reference`]).
//! * [`deleted`], [`updated`]: rows of children that refer to the old key are looked for in the child's index; RESTRICT and NO ACTION
//!   fail with 1451, the other actions change them ([`cascade`]).
//!
//! All values here are in stored form (TIMESTAMP in UTC): old and new rows of one table, keys of the other. `foreign_key_checks = 0`
//! turns checks and cascades off. The session holds metadata locks on all tables that can be reached (`session::related`).
//!
//! Tested: `tests/sql/golden/foreign_keys.sql`, locks in `storage/src/engine/tests/foreign.rs`, `tests/crash`.

mod cascade;

use std::rc::Rc;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult, TableId};
use bumpalo::Bump;
use catalog::sysvar::Var;
use hashbrown::HashMap;
use storage::StorageError;
use storage::dict::{FkAction, ForeignKeyDef};
use storage::row::RowError;
use storage::table::{Row, Table};
use value::Value;

use super::change::same;
use crate::context::Cx;
use cascade::Chain;

/// Opened neighbours of the tables that a statement changes, by table.
pub type Neighbours = HashMap<TableId, Rc<Links>>;

/// The foreign keys of one table, both ways.
#[derive(Debug)]
pub struct Links {
    parents: Vec<ParentLink>,
    children: Vec<ChildLink>,
}

/// A foreign key of the table; `parent` is `None` where there is no such table, column or index.
#[derive(Debug)]
struct ParentLink {
    key: ForeignKeyDef,
    parent: Option<(Arc<Table>, usize)>,
}

/// A foreign key that refers to the table.
#[derive(Debug)]
struct ChildLink {
    child: Arc<Table>,
    key: ForeignKeyDef,
    /// The child's index on its columns.
    index: usize,
    /// The parent's columns.
    columns: Vec<u16>,
}

/// A key to look for.
enum Wanted {
    /// A part is NULL: refers to nothing.
    Null,
    /// No row can have it.
    Impossible,
    Key(Vec<u8>),
}

/// Whether changes of this table have anything to do with foreign keys.
#[inline]
pub(super) fn concerns(t: &Table, cx: &Cx<'_>) -> bool {
    !(t.def.foreign_keys.is_empty() && t.def.referenced_by.is_empty()) && cx.env.vars.bool(Var::foreign_key_checks)
}

/// Whether rows of other tables may refer to this one's.
#[inline]
pub(super) fn referenced(t: &Table, cx: &Cx<'_>) -> bool {
    !t.def.referenced_by.is_empty() && cx.env.vars.bool(Var::foreign_key_checks)
}

/// A row was inserted.
pub(super) fn inserted(t: &Arc<Table>, row: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
    if t.def.foreign_keys.is_empty() || !concerns(t, cx) {
        return Ok(());
    }
    check_parents(t, None, row, cx)
}

/// A row was deleted.
pub(super) fn deleted(t: &Arc<Table>, old: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
    if !referenced(t, cx) {
        return Ok(());
    }
    cascade::after_delete(t, old, None, cx, &mut Chain::default())
}

/// A row was changed.
pub(super) fn updated(t: &Arc<Table>, old: &[Value<'_>], new: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
    if !concerns(t, cx) {
        return Ok(());
    }
    let mut chain = Chain::default();
    chain.updating.push(t.id());
    cascade::after_update(t, old, new, cx, &mut chain)?;
    check_parents(t, Some(old), new, cx)
}

/// A change of a row met a duplicate: 1451 all the same if children forbid the change, which InnoDB finds out first.
pub(super) fn forbidden(t: &Arc<Table>, old: &[Value<'_>], new: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
    if referenced(t, cx) { cascade::restricted(t, old, new, cx) } else { Ok(()) }
}

/// All columns of a cursor's row, for [`deleted`].
pub(super) fn values<'a>(row: &Row<'_>, arena: &'a Bump) -> SqlResult<Vec<Value<'a>>> {
    let n = row.table().def.columns.len();
    let mut out = Vec::with_capacity(n);
    for c in 0..n {
        out.push(row.column(c, arena)?.copy_into(arena));
    }
    Ok(out)
}

/// 1452 for the first foreign key whose parent is missing. With `old`: only keys whose index entries changed.
fn check_parents(t: &Arc<Table>, old: Option<&[Value<'_>]>, row: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
    if t.def.foreign_keys.is_empty() {
        return Ok(());
    }
    let links = links(t, cx)?;
    // a row that gets another clustered key gets new index entries too, and those are checked
    let clustered: Vec<u16> = t.def.primary_key().unwrap_or(&[]).iter().map(|p| p.column).collect();
    let moved = old.is_some_and(|old| differs(old, row, &clustered));
    for link in &links.parents {
        if !moved && old.is_some_and(|old| !differs(old, row, &link.key.columns)) {
            continue;
        }
        let found = match &link.parent {
            None if link.key.columns.iter().any(|c| at(row, *c).is_null()) => true,
            None => false,
            Some((parent, index)) => match wanted(parent, *index, row, &link.key.columns)? {
                Wanted::Null => true,
                Wanted::Impossible => false,
                Wanted::Key(k) => cx.env.trx.lock_reference(parent, *index, &k)?,
            },
        };
        if !found {
            return Err(violation(ErrorCode::NO_REFERENCED_ROW_2, t, &link.key, cx));
        }
    }
    Ok(())
}

/// Whether any of these columns differs.
fn differs(old: &[Value<'_>], new: &[Value<'_>], columns: &[u16]) -> bool {
    columns.iter().any(|c| !same(at(old, *c), at(new, *c)))
}

fn at<'a>(row: &[Value<'a>], column: u16) -> Value<'a> {
    row.get(column as usize).copied().unwrap_or_default()
}

/// The key with these columns' values in an index whose leading parts they are.
fn wanted(t: &Table, index: usize, row: &[Value<'_>], columns: &[u16]) -> SqlResult<Wanted> {
    let Some(encoder) = t.key_encoder(index) else { return Ok(Wanted::Impossible) };
    let mut key = Vec::new();
    for (n, c) in columns.iter().enumerate() {
        let v = at(row, *c);
        if v.is_null() {
            return Ok(Wanted::Null);
        }
        match encoder.encode_part(n, v, &mut key) {
            Ok(()) => {}
            Err(RowError::OutOfRange) => return Ok(Wanted::Impossible),
            Err(e) => return Err(StorageError::from(e).into()),
        }
    }
    Ok(Wanted::Key(key))
}

/// 1451 or 1452 naming the constraint of `child`; 1217 or 1216 for accounts that may not know the other table.
fn violation(code: ErrorCode, child: &Table, key: &ForeignKeyDef, cx: &Cx<'_>) -> SqlError {
    let p = &cx.env.account.privileges;
    let knows = |schema: &str, name: &str| p.on_table(schema, name).0 != 0;
    if knows(&child.def.schema, &child.def.name) && knows(&key.parent.0, &key.parent.1) {
        return SqlError::new(code, &[&crate::ddl::foreign::describe(&child.def, key)]);
    }
    let bare = if code == ErrorCode::NO_REFERENCED_ROW_2 {
        ErrorCode::NO_REFERENCED_ROW
    } else {
        ErrorCode::ROW_IS_REFERENCED
    };
    SqlError::new(bare, &[])
}

/// The table's neighbours, opened at first use in the statement.
fn links(t: &Arc<Table>, cx: &mut Cx<'_>) -> SqlResult<Rc<Links>> {
    if let Some(l) = cx.neighbours.get(&t.id()) {
        return Ok(l.clone());
    }
    let engine = cx.env.engine.clone();
    let open = |name: &(String, String)| -> SqlResult<Option<Arc<Table>>> {
        if *name == (t.def.schema.clone(), t.def.name.clone()) {
            return Ok(Some(t.clone()));
        }
        Ok(engine.dict().open_table(&engine, &name.0, &name.1)?)
    };
    let mut parents = Vec::new();
    for key in &t.def.foreign_keys {
        let parent = open(&key.parent)?.and_then(|p| {
            let columns = p.def.positions(&key.parent_columns)?;
            let index = p.def.index_leading_with(&columns)?;
            Some((p, index))
        });
        parents.push(ParentLink { key: key.clone(), parent });
    }
    parents.sort_by(|a, b| a.key.name.cmp(&b.key.name));
    let mut children = Vec::new();
    for r in &t.def.referenced_by {
        let Some(child) = open(&r.child)? else { continue };
        let Some(key) = child.def.foreign_keys.iter().find(|k| k.name == r.key.name).cloned() else { continue };
        let Some(columns) = t.def.positions(&key.parent_columns) else { continue };
        let Some(index) = child.def.index_leading_with(&key.columns) else {
            return Err(SqlError::new(ErrorCode::FK_NO_INDEX_CHILD, &[&key.name, &child.def.name]));
        };
        children.push(ChildLink { child, key, index, columns });
    }
    let links = Rc::new(Links { parents, children });
    cx.neighbours.insert(t.id(), links.clone());
    Ok(links)
}

/// Actions that change the child; the others forbid the change of the parent.
fn acts(a: FkAction) -> bool {
    matches!(a, FkAction::Cascade | FkAction::SetNull)
}
