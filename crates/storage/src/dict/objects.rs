//! Rows of `mysql.dd_objects` and `mysql.ddl_log`: insert, replace, remove, read all.

use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::row::{KeyEncoder, KeyPart, RowError};
use crate::rowlock::LockMode;
use crate::table::{Direction, Inserted, KeyRange, LockWait, OnDuplicate, ReadMode, Row, Table, TableCursor};
use crate::txn::Trx;
use bumpalo::Bump;
use std::sync::Arc;
use value::Value;

/// Name space of an object: names are unique within (class, parent).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ObjectClass {
    /// The one row that holds the id counter.
    Counter = 0,
    /// Schemas; parent is empty.
    Schema = 1,
    /// Tables and views; parent is the schema.
    Relation = 2,
    /// Accounts; parent is the host, the definition is the account code's business.
    Account = 3,
    /// Optimizer statistics of a table; parent is the schema.
    Statistics = 4,
    /// Persisted system variables and other settings.
    Setting = 5,
    /// Procedures; parent is the schema, the name is folded, as of the three that follow.
    Procedure = 6,
    /// Functions.
    Function = 7,
    /// Triggers; the name in `def` is as it was written.
    Trigger = 8,
    /// Events.
    Event = 9,
}

/// A row of `mysql.dd_objects`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Id, never reused.
    pub id: u64,
    /// Name space.
    pub class: u8,
    /// What it is inside its class (relation: 1 table, 2 view).
    pub kind: u8,
    /// Parent name.
    pub parent: String,
    /// Name.
    pub name: String,
    /// Definition.
    pub def: Vec<u8>,
}

pub(crate) const KIND_TABLE: u8 = 1;
pub(crate) const KIND_VIEW: u8 = 2;

fn corrupt(_: RowError) -> StorageError {
    StorageError::WrongFormat { file: "mysql.ibd".into(), why: "a dictionary row that cannot be read" }
}

/// The clustered key of a row of either table: its id.
pub(super) fn id_key(table: &Table, id: u64) -> Result<Vec<u8>> {
    let mut key = Vec::with_capacity(8);
    let ty = table.def.columns.first().ok_or(StorageError::NotFound)?.ty.clone();
    KeyEncoder::new([KeyPart::asc(ty)]).encode(&[Value::UInt(id)], &mut key).map_err(corrupt)?;
    Ok(key)
}

fn no_duplicate(i: Inserted) -> Result<()> {
    match i {
        Inserted::Done => Ok(()),
        Inserted::Duplicate { index, key } => Err(StorageError::DuplicateKey { index, key: key.into() }),
    }
}

/// Inserts a row. `DuplicateKey` if the name is taken.
pub(super) fn insert(trx: &mut Trx, table: &Arc<Table>, o: &Object) -> Result<()> {
    let row = [
        Value::UInt(o.id),
        Value::UInt(o.class as u64),
        Value::UInt(o.kind as u64),
        Value::Str(o.parent.as_bytes()),
        Value::Str(o.name.as_bytes()),
        Value::Str(&o.def),
    ];
    no_duplicate(trx.insert(table, &row, OnDuplicate::Error)?)
}

/// Locks the row with this id; false if there is none.
pub(super) fn lock(trx: &mut Trx, table: &Arc<Table>, key: &[u8]) -> Result<bool> {
    let mut cursor = TableCursor::open(table, 0, ReadMode::FOR_UPDATE, false);
    Ok(cursor.point(trx, key)?.is_some())
}

/// Replaces kind, names and definition of the object with `o.id`.
pub(super) fn replace(trx: &mut Trx, table: &Arc<Table>, o: &Object) -> Result<()> {
    let key = id_key(table, o.id)?;
    if !lock(trx, table, &key)? {
        return Err(StorageError::NotFound);
    }
    let changes = [
        (2, Value::UInt(o.kind as u64)),
        (3, Value::Str(o.parent.as_bytes())),
        (4, Value::Str(o.name.as_bytes())),
        (5, Value::Str(&o.def)),
    ];
    no_duplicate(trx.update(table, &key, &changes)?)
}

/// Deletes the row with this id; nothing happens if it is gone.
pub(super) fn remove(trx: &mut Trx, table: &Arc<Table>, id: u64) -> Result<()> {
    let key = id_key(table, id)?;
    if lock(trx, table, &key)? { trx.delete(table, &key) } else { Ok(()) }
}

fn number(row: &Row<'_>, column: usize, arena: &Bump) -> Result<u64> {
    match row.column(column, arena)? {
        Value::UInt(v) => Ok(v),
        Value::Int(v) => Ok(v as u64),
        _ => Err(corrupt(RowError::Corrupt)),
    }
}

fn bytes(row: &Row<'_>, column: usize, arena: &Bump) -> Result<Vec<u8>> {
    match row.column(column, arena)? {
        Value::Str(s) => Ok(s.to_vec()),
        _ => Err(corrupt(RowError::Corrupt)),
    }
}

fn string(row: &Row<'_>, column: usize, arena: &Bump) -> Result<String> {
    String::from_utf8(bytes(row, column, arena)?).map_err(|_| corrupt(RowError::Corrupt))
}

fn scan<T>(trx: &mut Trx, table: &Arc<Table>, read: impl Fn(&Row<'_>, &Bump) -> Result<T>) -> Result<Vec<T>> {
    let mut cursor = TableCursor::open(table, 0, ReadMode::Consistent, false);
    cursor.seek(trx, KeyRange::ALL, Direction::Forward)?;
    let mut all = Vec::new();
    let mut arena = Bump::new();
    while let Some(row) = cursor.next(trx)? {
        all.push(read(&row, &arena)?);
        arena.reset();
    }
    Ok(all)
}

/// All objects in order of their ids.
pub(super) fn read_all(trx: &mut Trx, table: &Arc<Table>) -> Result<Vec<Object>> {
    scan(trx, table, |row, arena| {
        Ok(Object {
            id: number(row, 0, arena)?,
            class: number(row, 1, arena)? as u8,
            kind: number(row, 2, arena)? as u8,
            parent: string(row, 3, arena)?,
            name: string(row, 4, arena)?,
            def: bytes(row, 5, arena)?,
        })
    })
}

/// One entry of the DDL log: what to remove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LogRow {
    pub(super) id: u64,
    /// [`OP_SPACE`] or [`OP_TREE`].
    pub(super) op: u8,
    pub(super) space: u32,
    pub(super) page: u32,
}

impl LogRow {
    /// `innodb_print_ddl_logs`: what is done with the entry.
    pub(super) fn tell(&self, engine: &Engine, what: &str, code: u32) {
        if engine.print_ddl_logs.load(std::sync::atomic::Ordering::Relaxed) {
            let LogRow { id, space, page, .. } = self;
            let text = match self.op {
                OP_SPACE => format!("DDL log {what} : [DDL record: DELETE SPACE, id={id}, space_id={space}]"),
                _ => format!("DDL log {what} : [DDL record: FREE, id={id}, space_id={space}, page_no={page}]"),
            };
            probe::errorlog::say("System", "InnoDB", code, &text);
        }
    }
}

/// Remove the tablespace file.
pub(super) const OP_SPACE: u8 = 1;
/// Free the index tree with this root.
pub(super) const OP_TREE: u8 = 2;

pub(super) fn log_insert(trx: &mut Trx, table: &Arc<Table>, r: LogRow) -> Result<()> {
    let row = [Value::UInt(r.id), Value::UInt(r.op as u64), Value::UInt(r.space as u64), Value::UInt(r.page as u64)];
    no_duplicate(trx.insert(table, &row, OnDuplicate::Error)?)
}

pub(super) fn log_read(trx: &mut Trx, table: &Arc<Table>) -> Result<Vec<LogRow>> {
    scan(trx, table, |row, arena| {
        Ok(LogRow {
            id: number(row, 0, arena)?,
            op: number(row, 1, arena)? as u8,
            space: number(row, 2, arena)? as u32,
            page: number(row, 3, arena)? as u32,
        })
    })
}

/// Deletes a log row unless another transaction has it locked or it is gone; whether it was deleted.
pub(super) fn try_remove(trx: &mut Trx, table: &Arc<Table>, id: u64) -> Result<bool> {
    let key = id_key(table, id)?;
    let mode = ReadMode::Lock { mode: LockMode::X, wait: LockWait::NoWait };
    let mut cursor = TableCursor::open(table, 0, mode, false);
    match cursor.point(trx, &key) {
        Ok(Some(_)) => trx.delete(table, &key).map(|()| true),
        Ok(None) | Err(StorageError::LockNowait) => Ok(false),
        Err(e) => Err(e),
    }
}
