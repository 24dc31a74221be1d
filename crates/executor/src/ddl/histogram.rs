//! Histograms in the dictionary: they are part of a column's definition, so that they go and are renamed with it, atomically and durably.
//!
//! ANALYZE TABLE reads the rows under a shared lock (in the session) and comes here with the result; only the dictionary changes, under the
//! exclusive lock, and plans made for the table are made again. A crash leaves the histograms from before or from after.
//! Tested by `tests/sql/golden/histograms.sql` and `tests/sql/test_histograms.py`.

use std::sync::Arc;

use base::{SqlError, SqlResult};
use storage::dict::{Ddl, IndexDef, TableDef};
use value::histogram::Histogram;

use super::{DdlContext, storage_error};

/// Whether an index alone makes the values of a column unique: a histogram of it says nothing.
pub fn covered(def: &TableDef, column: usize) -> bool {
    let alone = |i: &IndexDef| match i.parts.as_slice() {
        [p] => i.unique() && p.column as usize == column && p.prefix == 0,
        _ => false,
    };
    def.indexes.iter().any(alone)
}

/// Takes away the histograms that a changed definition has no use for.
pub(super) fn settle(def: &mut TableDef) {
    for n in 0..def.columns.len() {
        let useless = covered(def, n);
        if let Some(c) = def.columns.get_mut(n).filter(|_| useless) {
            c.histogram = None;
        }
    }
}

/// Sets (or, `None`, removes) the histograms of columns. A column that is gone meanwhile is left out.
///
/// # Errors
/// 1146, waits for the lock (1205), I/O.
pub fn change(
    ctx: &mut DdlContext<'_>,
    schema: &str,
    name: &str,
    columns: Vec<(String, Option<Arc<Histogram>>)>,
) -> SqlResult<()> {
    let old = ctx.locked_table(schema, name)?;
    if old.is_temporary() {
        return Err(SqlError::unsupported("histograms of temporary tables"));
    }
    let mut new = TableDef::clone(&old);
    for (column, histogram) in columns {
        let of = new.column(&column).and_then(|i| new.columns.get_mut(i));
        if let Some(c) = of.filter(|c| histogram.as_ref().is_none_or(|h| fits(h, &c.ty))) {
            c.histogram = histogram;
        }
    }
    let mut ddl = Ddl::begin(ctx.engine, ctx.session_id).map_err(storage_error)?;
    ddl.replace_table(&old, new).map_err(storage_error)?;
    ctx.commit(ddl)
}

/// Whether a histogram is of values of this type (the column may have been changed while it was made).
fn fits(h: &Histogram, ty: &value::SqlType) -> bool {
    use value::histogram::DataType;
    DataType::of(ty) == Some(h.data_type) && (h.data_type != DataType::String || h.collation == ty.collation)
}
