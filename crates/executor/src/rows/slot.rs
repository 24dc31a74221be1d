//! Row slots: the place of one table's or operator's current row.
//!
//! Operators set slots; expressions read them. A slot owns the bytes of its current row, so an expression's value never
//! borrows from an operator: strings are copied into the arena it is evaluated with.

use base::SqlResult;
use bumpalo::Bump;
use planner::plan::SlotDef;
use storage::StorageError;
use storage::row::RowView;
use storage::table::{Row, TableHandle};
use value::{TypeKind, Value};

use super::tuple;

/// What a slot's row is at the moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowState {
    /// No row yet.
    Empty,
    /// All columns NULL (outer join).
    Null,
    /// Bytes of a base table's row.
    Table,
    /// A tuple of a base table's row, read by an index alone or with columns outside of it; TIMESTAMP as it is stored,
    /// in UTC.
    Covered,
    /// A tuple.
    Tuple,
}

/// A row slot.
#[derive(Debug)]
pub struct Slot {
    /// Kind of the current row.
    pub state: RowState,
    /// Base table, if the slot belongs to one.
    pub table: Option<TableHandle>,
    /// Number of columns.
    pub columns: usize,
    /// Clustered key of the row (base tables).
    pub key: Vec<u8>,
    /// Row bytes or tuple.
    pub row: Vec<u8>,
}

impl Slot {
    /// Without a row.
    pub fn new(def: &SlotDef, tables: &[TableHandle]) -> Slot {
        let (table, columns) = match def {
            SlotDef::Table(t) => {
                let table = tables.get(*t as usize).cloned();
                let columns = table.as_ref().map_or(0, |t| t.def.columns.len());
                (table, columns)
            }
            SlotDef::Tuple(types) => (None, types.len()),
        };
        Slot { state: RowState::Empty, table, columns, key: Vec::new(), row: Vec::new() }
    }

    /// The current row, to be put back with [`Slot::restore`].
    pub fn save(&self) -> Saved {
        Saved { state: self.state, key: self.key.as_slice().into(), row: self.row.as_slice().into() }
    }

    /// Brings a kept row back.
    pub fn restore(&mut self, r: &Saved) {
        self.state = r.state;
        self.key.clear();
        self.key.extend_from_slice(&r.key);
        self.row.clear();
        self.row.extend_from_slice(&r.row);
    }

    /// Takes over a cursor's row: its bytes, or a tuple of `wanted` columns when the row is index-only or has columns
    /// outside of it.
    pub fn set_row(&mut self, r: &Row<'_>, wanted: &[u16], arena: &Bump) -> SqlResult<()> {
        self.key.clear();
        self.key.extend_from_slice(r.key());
        self.row.clear();
        match r.view() {
            Some(v) if !v.has_external() => {
                self.row.extend_from_slice(r.bytes());
                self.state = RowState::Table;
            }
            _ => {
                let at = tuple::begin(self.columns, &mut self.row);
                let def = r.table().def.clone();
                // what lies in overflow pages is copied into the arena, from there into the tuple, and then used
                if let Some(v) = r.view() {
                    let long = wanted.iter().map(|i| v.external(*i as usize).map_or(0, |b| b.length as usize));
                    base::memory::reserve(long.fold(0, usize::saturating_add).saturating_mul(2))?;
                }
                for i in 0..def.columns.len() {
                    let v = if wanted.contains(&(i as u16)) { r.column(i, arena)? } else { Value::Null };
                    tuple::put(at, self.columns, i, v, &mut self.row);
                }
                self.state = RowState::Covered;
            }
        }
        Ok(())
    }

    /// Becomes a row of the base table of which nothing but the clustered key is known, and no column is looked at.
    pub fn set_unread(&mut self, key: &[u8]) {
        self.key.clear();
        self.key.extend_from_slice(key);
        self.row.clear();
        let at = tuple::begin(self.columns, &mut self.row);
        (0..self.columns).for_each(|i| tuple::put(at, self.columns, i, Value::Null, &mut self.row));
        self.state = RowState::Covered;
    }

    /// A column as the table has it: TIMESTAMP in UTC.
    #[inline]
    pub fn stored_column<'a>(&self, column: usize, arena: &'a Bump) -> SqlResult<Value<'a>> {
        if self.state == RowState::Covered {
            return rehome(tuple::get(&self.row, self.columns, column, arena), arena);
        }
        let Some(t) = &self.table else { return Ok(Value::Null) };
        let view = RowView::new(t.layout(), &self.row).map_err(StorageError::from)?;
        Ok(view.copied(column, arena).map_err(StorageError::from)?)
    }
    /// Whether the column holds moments.
    #[inline]
    pub fn is_timestamp(&self, column: usize) -> bool {
        let def = self.table.as_ref().and_then(|t| t.def.columns.get(column));
        def.is_some_and(|c| c.ty.kind == TypeKind::Timestamp)
    }
    /// Takes over a tuple.
    pub fn set_tuple(&mut self, t: &[u8]) {
        self.row.clear();
        self.row.extend_from_slice(t);
        self.state = RowState::Tuple;
    }
    /// Becomes a tuple of these values.
    pub fn set_values(&mut self, values: &[Value<'_>]) {
        self.row.clear();
        tuple::encode_shown(values, &mut self.row);
        self.columns = values.len();
        self.state = RowState::Tuple;
    }
}

/// A saved slot row: what joins and buffered changes keep.
#[derive(Clone, Debug)]
pub struct Saved {
    state: RowState,
    /// Clustered key.
    pub key: Box<[u8]>,
    row: Box<[u8]>,
}

impl Saved {
    /// Of a slot that has no row.
    pub fn empty() -> Saved {
        Saved { state: RowState::Empty, key: Box::default(), row: Box::default() }
    }

    /// Bytes held.
    pub fn size(&self) -> usize {
        self.key.len() + self.row.len() + 48
    }
}

/// Copies the payload of a value that borrows from a slot into the arena.
#[inline]
pub fn rehome<'a>(v: Value<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    room_for_copy(v)?;
    Ok(v.copy_into(arena))
}

/// Bytes of a value, or of a row, from which it is asked whether the statement may have another copy of it.
pub const LARGE: usize = 1 << 16;

/// Asks for the bytes of another copy of a long text: 4081, 4082.
#[inline]
pub fn room_for_copy(v: Value<'_>) -> SqlResult<()> {
    room(v.stored_bytes().map_or(0, <[u8]>::len))
}

/// Asks for `n` bytes if they are many: 4081, 4082.
#[inline]
pub fn room(n: usize) -> SqlResult<()> {
    if n >= LARGE { base::memory::reserve(n) } else { Ok(()) }
}
