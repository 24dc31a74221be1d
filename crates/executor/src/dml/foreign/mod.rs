//! Foreign keys: what a changed row owes to other tables.
//!
//! A row with foreign keys is changed index by index ([`storage::table::RowChange`]), as InnoDB does it: the old entry leaves, children that
//! refer to it are looked for, parents of the new entry are looked for, the new entry goes in. So which of several errors comes first is
//! InnoDB's, and what a row that refers to itself, or meets its own cascade, finds. Its index entries are locked by this transaction
//! then, so a row of the other side that comes or goes at the same moment waits there. A check that fails is an error of the statement (or,
//! with IGNORE, of the row); the change is taken back with its cascades, which run in the same transaction.
//!
//! * A new entry of an index that begins a foreign key ([`parents`]) needs its parent unless a part is NULL (MATCH SIMPLE): 1452. The
//!   parent's index record is locked S ([`storage::txn::Trx::lock_reference`]).
//! * For an old entry of an index that is referred to, rows of children are looked for in the child's index; RESTRICT and NO ACTION
//!   fail with 1451, the other actions change them ([`cascade`]).
//!
//! All values here are in stored form (TIMESTAMP in UTC): old and new rows of one table, keys of the other. `foreign_key_checks = 0`
//! turns checks and cascades off. The session holds metadata locks on the tables that the change can reach
//! (`session::kernel::foreign_key_tables`): parents for rows that come, children for rows that go. A side that is not
//! locked is not opened ([`Links`]).
//!
//! Tested: `tests/sql/golden/foreign_keys.sql`, `foreign_order.sql`, `tests/sql/changes_random.py`, locks in
//! `storage/src/engine/tests/foreign.rs`, `tests/crash`.

mod cascade;

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult, TableId};
use bumpalo::Bump;
use catalog::sysvar::Var;
use hashbrown::HashMap;
use storage::StorageError;
use storage::dict::{FkAction, ForeignKeyDef};
use storage::engine::{ForeignKeyError, Refused};
use storage::row::RowError;
use storage::table::{Inserted, OnDuplicate, Row, RowChange, Table};
use value::{OwnedValue, Value};

use super::new_row::{key_text, same};
use crate::eval::Cx;
use cascade::{Chain, Going};

/// Opened neighbours of the tables that a statement changes, by table. A statement makes one and hands it to each of
/// its changes.
pub(super) type Neighbours = HashMap<TableId, Rc<Links>>;

/// The foreign keys of one table, both ways. Each way is opened when a row's change first asks for it, because the
/// statement has metadata locks on that side only: an INSERT into a parent has none on its children, so a TRUNCATE of
/// a child may take the child's file away meanwhile.
#[derive(Debug, Default)]
pub struct Links {
    parents: OnceCell<Vec<ParentLink>>,
    children: OnceCell<Vec<ChildLink>>,
}

/// A foreign key of the table; `parent` is `None` where there is no such table, column or index.
#[derive(Debug)]
struct ParentLink {
    key: ForeignKeyDef,
    /// The table's own index on its columns.
    own: usize,
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
    /// The parent's index on them.
    own: usize,
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

/// A row before and after a change.
#[derive(Clone, Copy)]
struct Rows<'r, 'v> {
    old: Option<&'r [Value<'v>]>,
    new: Option<&'r [Value<'v>]>,
}

/// Inserts a row.
pub(super) fn insert(
    t: &Arc<Table>,
    row: &[Value<'_>],
    dup: OnDuplicate,
    cx: &mut Cx<'_>,
    neighbours: &mut Neighbours,
) -> SqlResult<Inserted> {
    let change = cx.env.trx.start_insert(t, row, dup)?;
    run(t, change, Rows { old: None, new: Some(row) }, &[], (None, None), cx, &mut Chain::new(neighbours))
}

/// Deletes the row `old` with clustered key `key`; whether it was there (a cascade of this statement may have been faster).
pub(super) fn delete(
    t: &Arc<Table>,
    key: &[u8],
    old: &[Value<'_>],
    cx: &mut Cx<'_>,
    neighbours: &mut Neighbours,
) -> SqlResult<bool> {
    cascade::delete_row(t, key, old, None, cx, &mut Chain::new(neighbours))
}

/// Changes the row with clustered key `key`; `None`: a cascade of this statement has deleted it.
pub(super) fn update(
    t: &Arc<Table>,
    key: &[u8],
    changes: &[(usize, Value<'_>)],
    (old, new): (&[Value<'_>], &[Value<'_>]),
    cx: &mut Cx<'_>,
    neighbours: &mut Neighbours,
) -> SqlResult<Option<Inserted>> {
    let mut chain = Chain::new(neighbours);
    let done = cascade::update_row(t, key, changes, (old, new), None, cx, &mut chain);
    match chain.duplicate.take() {
        // told of with the key of the row that the statement changed
        Some((child, index)) if done.is_err() => {
            let record = t.def.indexes.first().map_or_else(String::new, |ix| key_text(&t.def, ix, new));
            let args: [&dyn std::fmt::Display; 4] = [&t.def.name, &record, &child, &index];
            Err(SqlError::new(ErrorCode::FOREIGN_DUPLICATE_KEY_WITH_CHILD_INFO, &args))
        }
        _ => done,
    }
}

/// Makes a change that was started, index by index, with what it owes to other tables. `own`: the foreign key whose cascade it is, which is asked
/// neither for the parent nor for children; `above`: the rows whose deletion led here. Nothing of it is left after an error or a duplicate.
#[allow(clippy::too_many_arguments)]
fn run(
    t: &Arc<Table>,
    mut change: RowChange,
    rows: Rows<'_, '_>,
    changes: &[(usize, Value<'_>)],
    (own, above): (Option<&str>, Option<&Going<'_>>),
    cx: &mut Cx<'_>,
    chain: &mut Chain<'_>,
) -> SqlResult<Inserted> {
    let done = steps(t, &mut change, rows, (own, above), cx, chain);
    match done {
        Ok(Inserted::Done) => cx.env.trx.finish(t, change, changes),
        _ => cx.env.trx.take_back(t, change)?,
    }
    done
}

fn steps(
    t: &Arc<Table>,
    change: &mut RowChange,
    rows: Rows<'_, '_>,
    (own, above): (Option<&str>, Option<&Going<'_>>),
    cx: &mut Cx<'_>,
    chain: &mut Chain<'_>,
) -> SqlResult<Inserted> {
    let links = chain.neighbours.entry(t.id()).or_default().clone();
    while let Some(index) = cx.env.trx.leave(t, change)? {
        match (rows.old, rows.new) {
            (Some(old), None) => {
                let going = Going { table: t, row: old, index, above };
                cascade::after_delete(links.children(t, cx)?, &going, cx, chain)?;
            }
            (Some(old), Some(new)) => {
                cascade::after_update(links.children(t, cx)?, index, (old, new), (t, own), cx, chain)?;
            }
            _ => {}
        }
        if let Some(new) = rows.new {
            parents(t, links.parents(t, cx)?, index, new, own, cx)?;
        }
        let done = cx.env.trx.enter(t, change).map_err(|e| e.of_table(&t.def.name))?;
        if done != Inserted::Done {
            return Ok(done);
        }
    }
    Ok(Inserted::Done)
}

/// All columns of a cursor's row, for [`delete`].
pub(super) fn values<'a>(row: &Row<'_>, arena: &'a Bump) -> SqlResult<Vec<Value<'a>>> {
    let n = row.table().def.columns.len();
    let mut out = Vec::with_capacity(n);
    for c in 0..n {
        out.push(row.column(c, arena)?.copy_into(arena));
    }
    Ok(out)
}

/// 1452 for the first foreign key of index number `index` whose parent is missing.
fn parents(
    t: &Arc<Table>,
    links: &[ParentLink],
    index: usize,
    row: &[Value<'_>],
    own: Option<&str>,
    cx: &mut Cx<'_>,
) -> SqlResult<()> {
    for link in links.iter().filter(|l| l.own == index && Some(l.key.name.as_str()) != own) {
        let mut looked_for = None;
        let found = match &link.parent {
            None if link.key.columns.iter().any(|c| at(row, *c).is_null()) => true,
            None => false,
            Some((parent, index)) => match wanted(parent, *index, row, &link.key.columns)? {
                Wanted::Null => true,
                Wanted::Impossible => false,
                Wanted::Key(k) => {
                    let found = cx.env.trx.lock_reference(parent, *index, &k)?;
                    looked_for = (!found).then(|| (parent.clone(), *index, k));
                    found
                }
            },
        };
        if !found {
            tell(Refused::Add, (t, &link.key), (t, link.own, row), looked_for, cx);
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

/// The key with these columns' values in an index that begins with them.
fn wanted(t: &Table, index: usize, row: &[Value<'_>], columns: &[u16]) -> SqlResult<Wanted> {
    if columns.iter().any(|c| at(row, *c).is_null()) {
        return Ok(Wanted::Null);
    }
    let mut key = Vec::new();
    let value = |n: usize| columns.get(n).map_or(Value::Null, |c| at(row, *c));
    match t.encode_reference(index, columns.len(), value, &mut key) {
        Ok(()) => {}
        Err(RowError::OutOfRange) => return Ok(Wanted::Impossible),
        Err(e) => return Err(StorageError::from(e).into()),
    }
    Ok(Wanted::Key(key))
}

/// Keeps what there is to say of a violation for SHOW ENGINE INNODB STATUS. `own`: the changed table, the number of its
/// index, the row. `other`: where was looked, and for what.
fn tell(
    what: Refused,
    (child, key): (&Arc<Table>, &ForeignKeyDef),
    own: (&Arc<Table>, usize, &[Value<'_>]),
    other: Option<(Arc<Table>, usize, Vec<u8>)>,
    cx: &Cx<'_>,
) {
    cx.env.shared.engine.latest_foreign_key_error().tell(&ForeignKeyError {
        session: cx.env.client.connection.id(),
        what,
        child: child.clone(),
        clause: key.clause(&child.def),
        parent: key.parent.clone(),
        own: (own.0.clone(), own.1),
        row: own.2.iter().map(|v| OwnedValue::from(*v)).collect(),
        other,
    });
}

/// 1451 or 1452 naming the constraint of `child`; 1217 or 1216 for accounts that may not know the other table.
fn violation(code: ErrorCode, child: &Table, key: &ForeignKeyDef, cx: &Cx<'_>) -> SqlError {
    let p = &cx.env.security.account.privileges;
    let knows = |schema: &str, name: &str| p.on_table(schema, name).0 != 0;
    if knows(&child.def.schema, &child.def.name) && knows(&key.parent.0, &key.parent.1) {
        return SqlError::new(code, &[&key.describe(&child.def)]);
    }
    let bare = if code == ErrorCode::NO_REFERENCED_ROW_2 {
        ErrorCode::NO_REFERENCED_ROW
    } else {
        ErrorCode::ROW_IS_REFERENCED
    };
    SqlError::new(bare, &[])
}

/// Opens a neighbour of `t` by name; `None`: there is no such table.
fn open(t: &Arc<Table>, name: &(String, String), cx: &Cx<'_>) -> SqlResult<Option<Arc<Table>>> {
    if *name == (t.def.schema.clone(), t.def.name.clone()) {
        return Ok(Some(t.clone()));
    }
    Ok(cx.env.shared.engine.dict().open_table(&cx.env.shared.engine, &name.0, &name.1)?)
}

impl Links {
    /// The table's foreign keys in order of their names, the parents opened.
    fn parents(&self, t: &Arc<Table>, cx: &Cx<'_>) -> SqlResult<&[ParentLink]> {
        if let Some(known) = self.parents.get() {
            return Ok(known);
        }
        let mut parents = Vec::new();
        for key in &t.def.foreign_keys {
            let parent = open(t, &key.parent, cx)?.and_then(|p| {
                let columns = p.def.positions(&key.parent_columns)?;
                let index = p.def.index_for_reference(&columns)?;
                Some((p, index))
            });
            // no index can only be missing in a damaged definition: the check is not lost then
            let own = t.def.index_for_reference(&key.columns).unwrap_or(0);
            parents.push(ParentLink { key: key.clone(), own, parent });
        }
        parents.sort_by(|a, b| a.key.name.cmp(&b.key.name));
        Ok(self.parents.get_or_init(|| parents))
    }

    /// The foreign keys that refer to the table in order of schema and name, the children opened.
    fn children(&self, t: &Arc<Table>, cx: &Cx<'_>) -> SqlResult<&[ChildLink]> {
        if let Some(known) = self.children.get() {
            return Ok(known);
        }
        let mut children = Vec::new();
        for r in &t.def.referenced_by {
            let Some(child) = open(t, &r.child, cx)? else { continue };
            let Some(key) = child.def.foreign_keys.iter().find(|k| k.name == r.key.name).cloned() else { continue };
            let Some(columns) = t.def.positions(&key.parent_columns) else { continue };
            let own = t.def.index_for_reference(&columns).unwrap_or(0);
            let Some(index) = child.def.index_for_reference(&key.columns) else {
                return Err(SqlError::new(ErrorCode::FK_NO_INDEX_CHILD, &[&key.name, &child.def.name]));
            };
            // one whose rows are discarded has none
            if !child.def.discarded {
                children.push(ChildLink { child, key, index, columns, own });
            }
        }
        children.sort_by(|a, b| (&a.child.def.schema, &a.key.name).cmp(&(&b.child.def.schema, &b.key.name)));
        Ok(self.children.get_or_init(|| children))
    }
}

/// Actions that change the child; the others forbid the change of the parent.
fn acts(a: FkAction) -> bool {
    matches!(a, FkAction::Cascade | FkAction::SetNull)
}
