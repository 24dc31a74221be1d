//! Records as InnoDB's monitor prints them: where one lies and its fields in InnoDB's order ([`PhysicalRecord`]).
//!
//! Read by key when somebody asks, so a record may have changed, or be gone, since it was locked. The leaf is latched
//! only while its bytes are copied. Tested: `tests/clients/test_innodb_status.py`.

use super::Engine;
use crate::btree::Place;
use crate::error::Result;
use crate::mvcc;
use crate::row::RowError;
use crate::table::info::{DELETE_MARK, FLAGS_AT};
use crate::table::{Row, Table};
use base::TableId;
use bumpalo::Bump;
use std::sync::{Arc, OnceLock};
use value::OwnedValue;

/// A field of a record.
#[derive(Clone, Debug)]
pub enum Field {
    /// DB_ROW_ID, DB_TRX_ID or DB_ROLL_PTR as InnoDB stores them.
    System(Box<[u8]>),
    /// A column by its position in the definition; a long value that lies elsewhere is not fetched (`None`).
    Column(usize, Option<OwnedValue>),
}

/// A record of an index.
#[derive(Clone, Debug, Default)]
pub struct PhysicalRecord {
    /// Its leaf.
    pub page: u32,
    /// Number of its slot, and slots of the leaf.
    pub slot: (usize, usize),
    /// Delete-marked.
    pub deleted: bool,
    /// Key columns, system columns, the rest.
    pub fields: Vec<Field>,
}

/// What a foreign key refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// A child row without a parent.
    Add,
    /// Deleting a parent with children.
    Delete,
    /// Changing the key of one.
    Update,
}

/// A violated foreign key, for LATEST FOREIGN KEY ERROR.
#[derive(Clone, Debug)]
pub struct ForeignKeyError {
    /// The connection.
    pub session: u64,
    /// What was refused.
    pub what: Refused,
    /// Child table, and its constraint as SHOW CREATE TABLE prints it.
    pub child: Arc<Table>,
    /// See `child`.
    pub clause: String,
    /// The parent's schema and name.
    pub parent: (String, String),
    /// The changed table, its index, and that index's entry for the row.
    pub own: (Arc<Table>, usize),
    /// Values of the changed row.
    pub row: Vec<OwnedValue>,
    /// The other table, its index and the key that was looked for; `None`: there is no such table or index.
    pub other: Option<(Arc<Table>, usize, Vec<u8>)>,
}

/// Makes the text about a violated foreign key.
pub type ForeignKeyTeller = Box<dyn Fn(&ForeignKeyError) -> String + Send + Sync>;

/// The text about the last violated foreign key, and who makes it.
#[derive(Default)]
pub struct LatestForeignKeyError {
    teller: OnceLock<ForeignKeyTeller>,
    text: parking_lot::Mutex<Option<Arc<str>>>,
}

impl LatestForeignKeyError {
    /// Says who makes texts; once, at the start.
    pub fn set_teller(&self, teller: ForeignKeyTeller) {
        let _ = self.teller.set(teller);
    }

    /// A foreign key was violated.
    pub fn tell(&self, e: &ForeignKeyError) {
        if let Some(teller) = self.teller.get() {
            let text = teller(e);
            *self.text.lock() = Some(text.into());
        }
    }

    /// The last text.
    pub fn text(&self) -> Option<Arc<str>> {
        self.text.lock().clone()
    }
}

impl Engine {
    /// The record with this key in index `n`; `None`: it is gone.
    ///
    /// # Errors
    /// I/O, corruption.
    pub fn physical_record(&self, table: TableId, n: usize, key: &[u8]) -> Result<Option<PhysicalRecord>> {
        let Some(table) = self.table_by_id(table)? else { return Ok(None) };
        self.record_near(&table, n, key, false)
    }

    /// The same, or its neighbour where there is no such record.
    ///
    /// # Errors
    /// I/O, corruption.
    pub fn record_near(&self, table: &Table, n: usize, key: &[u8], near: bool) -> Result<Option<PhysicalRecord>> {
        let Some(at) = table.tree(n)?.place(self.store.pool(), key, near)? else { return Ok(None) };
        let fields = if n == 0 { self.clustered_fields(table, &at)? } else { entry_fields(table, n, &at)? };
        let flags = if n == 0 { at.payload.get(FLAGS_AT) } else { at.payload.first() };
        let deleted = flags.is_some_and(|f| f & DELETE_MARK != 0);
        Ok(Some(PhysicalRecord { page: at.page.0, slot: (at.slot, at.slots), deleted, fields }))
    }

    /// Page and slots of the leaf that ends an index.
    ///
    /// # Errors
    /// I/O, corruption.
    pub fn supremum(&self, table: TableId, n: usize) -> Result<Option<(u32, usize)>> {
        let Some(table) = self.table_by_id(table)? else { return Ok(None) };
        let (page, slots) = table.tree(n)?.last_leaf(self.store.pool())?;
        Ok(Some((page.0, slots)))
    }

    fn clustered_fields(&self, table: &Table, at: &Place) -> Result<Vec<Field>> {
        let (mut present, mut beside) = (Vec::new(), Vec::new());
        let row = if table.former_version(&at.payload).is_some() {
            table.present(&at.payload, None, &mut present, &mut beside)?;
            Row::presented(table, &at.key, &present, &beside)?
        } else {
            Row::clustered(table, &at.key, &at.payload)?
        };
        let arena = Bump::new();
        let mut out = Vec::new();
        let parts = if table.hidden_key { &[] } else { table.def.indexes.first().map_or(&[][..], |i| &i.parts) };
        let mut seen: Vec<usize> = Vec::new();
        if table.hidden_key {
            out.push(Field::System(at.key.as_slice().into()));
        }
        for c in parts.iter().map(|p| p.column as usize) {
            out.push(Field::Column(c, column(&row, c, &arena)?));
            seen.push(c);
        }
        let id = mvcc::trx_id(&at.payload).0.to_be_bytes();
        out.push(Field::System(id.get(2..).unwrap_or(&[]).into()));
        out.push(Field::System(mvcc::roll_ptr(&at.payload).to_bytes().into()));
        let rest = table
            .def
            .columns
            .iter()
            .enumerate()
            .filter(|(c, d)| !seen.contains(c) && d.generated.as_ref().is_none_or(|g| g.stored));
        for (c, _) in rest {
            out.push(Field::Column(c, column(&row, c, &arena)?));
        }
        Ok(out)
    }
}

/// A column's value, unless it is stored elsewhere.
fn column(row: &Row<'_>, c: usize, arena: &Bump) -> Result<Option<OwnedValue>> {
    if row.external_len(c).is_some() {
        return Ok(None);
    }
    Ok(Some(OwnedValue::from(row.column(c, arena)?)))
}

/// Columns of the index, then those of the clustered key that are not among them.
fn entry_fields(table: &Table, n: usize, at: &Place) -> Result<Vec<Field>> {
    let row = Row::entry(table, n, &at.key, &at.payload)?;
    let arena = Bump::new();
    let parts = |n: usize| table.def.indexes.get(n).map_or(&[][..], |i| &i.parts);
    let clustered = if table.hidden_key { &[] } else { parts(0) };
    let mut out: Vec<Field> = Vec::new();
    let mut seen = Vec::new();
    for c in parts(n).iter().chain(clustered).map(|p| p.column as usize) {
        if seen.contains(&c) {
            continue;
        }
        seen.push(c);
        // the value of a prefix, or of an element, is not in the entry as such
        let whole = table.covers(n, c);
        let v = if whole { Some(OwnedValue::from(row.column(c, &arena)?)) } else { None };
        out.push(Field::Column(c, v));
    }
    if table.hidden_key {
        let id = at.key.len().checked_sub(6).and_then(|from| at.key.get(from..));
        out.push(Field::System(id.ok_or_else(|| table.bad(RowError::Corrupt))?.into()));
    }
    Ok(out)
}
