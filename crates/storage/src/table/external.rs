//! Long columns in overflow pages, as row operations use them.
//!
//! A chain is written before the record that refers to it, by mtrs of its own, and freed after the last record that refers to it
//! is gone. A crash in between loses its pages, it never frees them twice.

use crate::error::Result;
use crate::overflow;
use crate::row::BlobRef;
use crate::store::Store;
use crate::table::Table;
use bumpalo::Bump;
use smallvec::SmallVec;
use value::{TypeKind, Value};

/// Writes a column's bytes.
pub(crate) fn write(store: &Store, table: &Table, bytes: &[u8]) -> Result<BlobRef> {
    overflow::write(store, table.def.space, table.index(0)?.id, bytes)
}

/// Reads a column into the arena.
pub(crate) fn read<'a>(store: &Store, table: &Table, blob: BlobRef, arena: &'a Bump) -> Result<&'a [u8]> {
    overflow::read(store.pool(), table.def.space, blob, arena)
}

/// Reads column `i` as a value; a damaged JSON document is an error.
pub(crate) fn read_value<'a>(
    store: &Store,
    table: &Table,
    i: usize,
    blob: BlobRef,
    arena: &'a Bump,
) -> Result<Value<'a>> {
    value_of(table, i, read(store, table, blob, arena)?)
}

/// The bytes of column `i` as a value.
pub(crate) fn value_of<'a>(table: &Table, i: usize, bytes: &'a [u8]) -> Result<Value<'a>> {
    match table.def.columns.get(i) {
        Some(c) if c.ty.kind == TypeKind::Json => crate::row::codec::json(bytes).map_err(|e| table.bad(e)),
        _ => Ok(Value::Str(bytes)),
    }
}

/// Gives a chain's pages back. Those of a tablespace that the table had before it was rebuilt or truncated went with that.
pub(crate) fn free(store: &Store, table: &Table, blob: BlobRef) -> Result<()> {
    if blob.owner != u64::from(table.def.space.0) {
        return Ok(());
    }
    overflow::free(store, table.def.space, blob)
}

/// The references in a clustered payload. A column dropped without touching the rows is still in them: its chains go with the row.
pub(crate) fn references(table: &Table, payload: &[u8]) -> Result<SmallVec<[BlobRef; 2]>> {
    Ok(table.row_of(payload)?.externals().collect())
}

/// Those of `a` that are not in `b`.
pub(crate) fn only_in(table: &Table, a: &[u8], b: &[u8]) -> Result<SmallVec<[BlobRef; 2]>> {
    let mut a = references(table, a)?;
    if !a.is_empty() {
        let b = references(table, b)?;
        a.retain(|r| !b.iter().any(|x| x.first == r.first));
    }
    Ok(a)
}
