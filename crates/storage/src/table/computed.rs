//! VIRTUAL columns that rows lack because they were added without touching the rows (instant ADD COLUMN).
//!
//! Rows written since have such a column like any other. A row from before lacks it: its layout's
//! [`FormerRow::computed`](crate::dict::FormerRow::computed) says so, and the value is computed from the rest of the
//! row wherever the row is read as a whole: when a cursor lends it ([`Table::present`]) and when it is changed and so
//! written anew ([`Table::complete`]). Expressions are the SQL layer's matter: it tells the engine at the start who
//! binds and evaluates them ([`ColumnComputer`]). No index has such a column (an index on it rebuilds the table), so
//! rollback, purge and recovery never need one. No latch is held while an expression is evaluated.
//!
//! As in MySQL an expression that fails makes a statement fail only if it reads the column; an UPDATE of the row writes
//! it and fails (MySQL's does not). Tested by `engine/tests/computed.rs`, golden `alter_virtual` and
//! `tests/sql/alter_random.py`.

use crate::dict::TableDef;
use crate::error::{Result, StorageError};
use crate::row::BlobRef;
use crate::table::external;
use crate::table::info::{SYSTEM_BYTES, Table, VERSION_AT};
use base::{PageNo, SqlError};
use bumpalo::Bump;
use std::sync::Arc;
use value::{TypeKind, Value};

/// Owner of a reference in a row that a cursor lends: the column's bytes lie beside the row, from the place that
/// `first` counts. No tablespace has this number, and no page has such a reference.
pub(crate) const BESIDE: u64 = u64::MAX;
/// Longer values of computed columns lie beside the row: the row's own ends have 15 bits.
const LONG: usize = 256;

/// Makes what evaluates a table's VIRTUAL columns.
pub trait ColumnComputer: Send + Sync {
    /// For one definition; used for as long as that is.
    ///
    /// # Errors
    /// Those of binding the expressions.
    fn bind(&self, def: &Arc<TableDef>) -> std::result::Result<Box<dyn ComputedColumns>, SqlError>;
}

/// Who binds and evaluates, once the SQL layer has said so; the engine's, shared by its tables.
pub(crate) type Computer = Arc<std::sync::OnceLock<Box<dyn ColumnComputer>>>;

/// The VIRTUAL columns of one definition.
pub trait ComputedColumns: Send + Sync {
    /// Puts the values of these columns (ascending positions) into the row, which has all others. Conversions do not
    /// fail, as in reads of MySQL: what is out of range is the nearest value, NULL in a NOT NULL column its type's
    /// default.
    ///
    /// # Errors
    /// The first column whose expression fails, with its error; this and those behind it are left as they were.
    fn compute<'a>(
        &'a self,
        columns: &[u16],
        row: &mut [Value<'a>],
        arena: &'a Bump,
    ) -> std::result::Result<(), (u16, SqlError)>;
}

impl Table {
    /// Whether there may be rows without some of the columns.
    pub(crate) fn lacks_columns(&self) -> bool {
        self.def.former.iter().any(|f| !f.computed.is_empty())
    }

    /// The columns that this row lacks.
    #[inline]
    pub(crate) fn lacking(&self, payload: &[u8]) -> &[u16] {
        let version = self.former_version(payload);
        version.and_then(|v| self.def.former.get(v as usize)).map_or(&[], |f| &f.computed)
    }

    /// Computes what this row lacks. `row` has all other columns, long ones too.
    ///
    /// # Errors
    /// `Expression`.
    #[inline]
    pub(crate) fn complete<'a>(&'a self, payload: &[u8], row: &mut [Value<'a>], arena: &'a Bump) -> Result<()> {
        match self.lacking(payload) {
            [] => Ok(()),
            columns => self.compute(columns, row, arena)?.map_err(|(_, e)| StorageError::Expression(e)),
        }
    }

    #[cold]
    fn compute<'a>(
        &'a self,
        columns: &[u16],
        row: &mut [Value<'a>],
        arena: &'a Bump,
    ) -> Result<std::result::Result<(), (u16, SqlError)>> {
        let bound = match self.computed.get() {
            Some(b) => b,
            None => {
                let missing = StorageError::Unsupported { what: "VIRTUAL columns without an SQL layer" };
                let made = self.computer.get().ok_or(missing)?.bind(&self.def);
                let made = made.map_err(StorageError::Expression)?;
                self.computed.get_or_init(|| made)
            }
        };
        Ok(bound.compute(columns, row, arena))
    }

    /// The payload as it would be written now: [`Row`](crate::table::Row)s lend only bytes of the present layout.
    /// `wanted`: the columns that will be looked at, `None` for all. Long values of computed columns go to `beside`
    /// ([`BESIDE`]).
    ///
    /// # Errors
    /// `Expression` where a wanted column cannot be computed.
    #[cold]
    pub(crate) fn present(
        &self,
        payload: &[u8],
        wanted: Option<&[u16]>,
        out: &mut Vec<u8>,
        beside: &mut Vec<u8>,
    ) -> Result<()> {
        beside.clear();
        let view = self.row_of(payload)?;
        let arena = Bump::new();
        let (mut values, mut external) = (Vec::new(), vec![None; self.def.columns.len()]);
        for (c, to) in external.iter_mut().enumerate() {
            *to = view.external(c);
            let v = if to.is_some() { Ok(Value::Str(b"")) } else { view.value(c, &arena) };
            values.push(v.map_err(|e| self.bad(e))?);
        }
        let lacking = self.lacking(payload);
        if !lacking.is_empty() {
            let mut whole = values.clone();
            for (c, (v, blob)) in whole.iter_mut().zip(&external).enumerate() {
                if let Some(blob) = blob {
                    *v = external::read_value(&self.store, self, c, *blob, &arena)?;
                }
            }
            if let Err((failed, e)) = self.compute(lacking, &mut whole, &arena)?
                && wanted.is_none_or(|w| w.iter().any(|c| *c >= failed && lacking.contains(c)))
            {
                return Err(StorageError::Expression(e));
            }
            for c in lacking.iter().map(|c| *c as usize) {
                if let (Some(to), Some(blob), Some(v)) = (values.get_mut(c), external.get_mut(c), whole.get(c)) {
                    *to = *v;
                    *blob = self.put_beside(c, v, beside);
                }
            }
        }
        out.clear();
        out.extend_from_slice(payload.get(..SYSTEM_BYTES).unwrap_or(&[]));
        if let Some(v) = out.get_mut(VERSION_AT) {
            *v = self.row_version();
        }
        self.layout.encode(&values, &external, out).map_err(|e| self.bad(e))
    }

    /// The reference to a long value, which is put there.
    fn put_beside(&self, column: usize, v: &Value<'_>, beside: &mut Vec<u8>) -> Option<BlobRef> {
        // a CHAR is stored without its trailing spaces; it is never long enough to matter
        let kind = self.def.columns.get(column).map(|c| c.ty.kind);
        let bytes = match v {
            Value::Str(b) if kind != Some(TypeKind::Char) => b,
            Value::Json(b) => b,
            _ => return None,
        };
        if bytes.len() <= LONG {
            return None;
        }
        let first = PageNo(u32::try_from(beside.len()).ok()?);
        beside.extend_from_slice(bytes);
        Some(BlobRef { first, length: bytes.len() as u64, owner: BESIDE })
    }
}
