//! [`Row`]: what a cursor lends.

use crate::error::{Result, StorageError};
use crate::row::{RowError, RowView};
use crate::table::computed::BESIDE;
use crate::table::external;
use crate::table::info::{ENTRY_SYSTEM, Source, Table};
use bumpalo::Bump;
use value::Value;

/// Where the columns of a [`Row`] come from.
#[derive(Clone, Copy, Debug)]
enum Data<'a> {
    Clustered(RowView<'a>),
    /// Key and row bytes of an entry of index number `index`; `parts` = length of its declared parts.
    Entry {
        index: usize,
        key: &'a [u8],
        parts: usize,
        view: RowView<'a>,
    },
}

/// A row as a cursor returns it; valid until the cursor moves.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    table: &'a Table,
    key: &'a [u8],
    data: Data<'a>,
    /// Long values of computed columns ([`crate::table::computed::BESIDE`]).
    beside: &'a [u8],
}

impl<'a> Row<'a> {
    pub(crate) fn clustered(table: &'a Table, key: &'a [u8], payload: &'a [u8]) -> Result<Row<'a>> {
        Row::presented(table, key, payload, &[])
    }

    /// A row that [`Table::present`] made.
    pub(crate) fn presented(table: &'a Table, key: &'a [u8], payload: &'a [u8], beside: &'a [u8]) -> Result<Row<'a>> {
        Ok(Row { table, key, data: Data::Clustered(table.row_of(payload)?), beside })
    }

    pub(crate) fn entry(table: &'a Table, index: usize, key: &'a [u8], payload: &'a [u8]) -> Result<Row<'a>> {
        let info = table.index(index)?;
        let parts = table.parts_len(index, key)?;
        let row = payload.get(ENTRY_SYSTEM..).ok_or_else(|| table.bad(RowError::Corrupt))?;
        let view = RowView::new(&info.payload_layout, row).map_err(|e| table.bad(e))?;
        Ok(Row {
            table,
            key: key.get(parts..).unwrap_or(&[]),
            data: Data::Entry { index, key, parts, view },
            beside: &[],
        })
    }

    /// Clustered key: identifies the row for `update` and `delete`.
    pub fn key(&self) -> &'a [u8] {
        self.key
    }

    /// The row's bytes with their layout; `None` for index-only rows.
    #[inline]
    pub fn view(&self) -> Option<RowView<'a>> {
        match self.data {
            Data::Clustered(v) => Some(v),
            Data::Entry { .. } => None,
        }
    }

    /// Row-format bytes (see [`crate::row`]); empty for index-only rows.
    pub fn bytes(&self) -> &'a [u8] {
        self.view().map_or(&[], |v| v.bytes())
    }

    /// The table.
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// Value of column `i` (position in the definition); long columns are fetched into the arena.
    ///
    /// # Errors
    /// `Unsupported` for a column that an index-only row does not have (see [`Table::covers`]); corruption; I/O.
    #[inline]
    pub fn column<'b>(&self, i: usize, arena: &'b Bump) -> Result<Value<'b>>
    where
        'a: 'b,
    {
        let view: RowView<'b> = match self.data {
            Data::Clustered(v) => v,
            Data::Entry { .. } => return self.entry_column(i, arena),
        };
        match view.value(i, arena) {
            Ok(v) => Ok(v),
            Err(RowError::External) => {
                let blob = view.external(i).ok_or_else(|| self.table.bad(RowError::Corrupt))?;
                if blob.owner == BESIDE {
                    let (from, length) = (blob.first.0 as usize, blob.length as usize);
                    let bytes = self.beside.get(from..).and_then(|b| b.get(..length));
                    return external::value_of(self.table, i, bytes.ok_or_else(|| self.table.bad(RowError::Corrupt))?);
                }
                external::read_value(&self.table.store, self.table, i, blob, arena)
            }
            Err(e) => Err(self.table.bad(e)),
        }
    }

    fn entry_column<'b>(&self, i: usize, arena: &'b Bump) -> Result<Value<'b>>
    where
        'a: 'b,
    {
        let Data::Entry { index, key, parts, view } = self.data else { return Err(StorageError::NotFound) };
        let view: RowView<'b> = view;
        let info = self.table.index(index)?;
        let key: &'b [u8] = key;
        let pk: &'b [u8] = key.get(parts..).unwrap_or(&[]);
        let value = match info.sources.get(i).copied().flatten() {
            Some(Source::Part(p)) => info.encoder.decode_part(key, p as usize, arena),
            Some(Source::PkPart(p)) => self.table.index(0)?.encoder.decode_part(pk, p as usize, arena),
            Some(Source::Payload(n)) => view.value(n as usize, arena),
            None => return Err(StorageError::Unsupported { what: "a column that the index does not have" }),
        };
        value.map_err(|e| self.table.bad(e))
    }

    /// The stored 20-byte reference's length of an externally stored column, without reading it: (length in bytes).
    pub fn external_len(&self, i: usize) -> Option<u64> {
        self.view()?.external(i).map(|b| b.length)
    }
}
