//! Rows that were inserted, changed or deleted.
//!
//! ```text
//! body  = table id 6 bytes, flags u16, 2 u16 (no extra data), number of columns, columns of the images
//!         (for UPDATE twice: before, after), images
//! image = bits of the columns in it that are NULL, values of the others
//! ```
//! Bits count from the lowest of the first byte on; those of NULL count only the columns that are in the image. What is
//! in an image `binlog_row_image` decides. An UPDATE has an image before and one after for each row.

use crate::event::{self, Begun, EventType, Stamp};
use crate::le::{Reader, put, put_lenenc};
use crate::table_map::{TableMap, low_bit};
use crate::{Malformed, Result};
use value::{OwnedValue, Value};

/// Flag of the last event of a statement.
pub const STMT_END: u16 = 1;
/// Foreign keys were not checked (`foreign_key_checks=0`).
pub const NO_FOREIGN_KEY_CHECKS: u16 = 2;
/// Unique keys need not be checked.
pub const RELAXED_UNIQUE_CHECKS: u16 = 4;
/// Of 9.6 and later: the SQL layer checks foreign keys, cascades are logged as rows.
pub const USE_SQL_FOREIGN_KEY: u16 = 0x10;

/// Which columns an image has, a bit for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    bits: Vec<u8>,
    count: usize,
}

impl Columns {
    /// All of so many.
    pub fn all(count: usize) -> Columns {
        // bits behind the last column are set too, as MySQL writes them
        Columns { bits: vec![0xff; count.div_ceil(8)], count }
    }

    /// Those that `has` names.
    pub fn of(count: usize, has: impl Fn(usize) -> bool) -> Columns {
        Columns { bits: crate::table_map::low_bits((0..count).map(has)), count }
    }

    /// Whether column `i` is one of them.
    pub fn has(&self, i: usize) -> bool {
        i < self.count && low_bit(&self.bits, i)
    }

    /// Their numbers.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.count).filter(|i| self.has(*i))
    }

    fn take(count: usize, r: &mut Reader<'_>) -> Result<Columns> {
        Ok(Columns { bits: r.bytes(count.div_ceil(8))?.to_vec(), count })
    }
}

/// A rows event that is being written.
#[derive(Debug)]
#[must_use]
pub struct RowsWriter {
    begun: Begun,
    flags_at: usize,
    flags: u16,
}

/// Begins an event of rows of a table. `kind`: `WriteRows`, `UpdateRows` or `DeleteRows`. `images`: columns of the
/// image before and, for UPDATE only, of the one after.
pub fn begin(
    kind: EventType,
    table_id: u64,
    flags: u16,
    images: (&Columns, Option<&Columns>),
    stamp: Stamp,
    out: &mut Vec<u8>,
) -> RowsWriter {
    let (before, after) = images;
    let begun = event::begin(out, kind, stamp, 0);
    put(out, table_id, 6);
    let flags_at = out.len();
    put(out, u64::from(flags), 2);
    put(out, 2, 2);
    put_lenenc(out, before.count as u64);
    out.extend_from_slice(&before.bits);
    if let Some(after) = after {
        out.extend_from_slice(&after.bits);
    }
    RowsWriter { begun, flags_at, flags }
}

/// Appends an image to a rows event at the end of `out`. `value(i)` is column `i`'s.
#[inline]
pub fn put_image<'v>(table: &TableMap, columns: &Columns, value: impl Fn(usize) -> Value<'v>, out: &mut Vec<u8>) {
    let nulls = out.len();
    let here = columns.iter().count();
    out.resize(nulls + here.div_ceil(8), 0);
    for (n, i) in columns.iter().enumerate() {
        let Some(c) = table.columns.get(i) else { return };
        match value(i) {
            Value::Null => {
                if let Some(b) = out.get_mut(nulls + n / 8) {
                    *b |= 1 << (n % 8);
                }
            }
            v => c.wire.put(v, out),
        }
    }
}

/// Sets flags of the rows event whose first byte is byte `at`.
pub fn add_flags(out: &mut [u8], at: usize, flags: u16) {
    let at = at + event::HEADER_LEN + 6;
    for (b, f) in out.iter_mut().skip(at).zip(flags.to_le_bytes()) {
        *b |= f;
    }
}

impl RowsWriter {
    /// Appends an image. `value(i)` is column `i`'s.
    pub fn image<'v>(
        &mut self,
        table: &TableMap,
        columns: &Columns,
        value: impl Fn(usize) -> Value<'v>,
        out: &mut Vec<u8>,
    ) {
        put_image(table, columns, value, out);
    }

    /// Ends it; `last`: of the statement.
    pub fn end(self, last: bool, checksum: bool, out: &mut Vec<u8>) {
        let flags = if last { self.flags | STMT_END } else { self.flags & !STMT_END };
        if let Some(b) = out.get_mut(self.flags_at..self.flags_at + 2) {
            b.copy_from_slice(&flags.to_le_bytes());
        }
        event::end(out, self.begun, checksum);
    }
}

/// The table's number in the body of a rows event.
pub fn read_table_id(body: &[u8]) -> Result<u64> {
    Reader(body).uint(6)
}

/// The flags in the body of a rows event.
pub fn read_flags(body: &[u8]) -> Result<u16> {
    let mut r = Reader(body);
    r.uint(6)?;
    r.u16()
}

/// A rows event that is being read.
#[derive(Debug)]
pub struct Rows<'a> {
    /// Flags: [`STMT_END`] and so on.
    pub flags: u16,
    /// Columns of the image before (INSERT: of the only one).
    pub before: Columns,
    /// UPDATE: columns of the image after.
    pub after: Option<Columns>,
    table: &'a TableMap,
    rest: Reader<'a>,
}

/// A row: a value for each column that its image has.
pub type Image = Vec<(usize, OwnedValue)>;

impl<'a> Rows<'a> {
    /// Opens the body of an event of `kind`, whose table `table` is.
    pub fn read(kind: EventType, body: &'a [u8], table: &'a TableMap) -> Result<Rows<'a>> {
        let mut r = Reader(body);
        if r.uint(6)? != table.id {
            return Err(Malformed("rows of another table"));
        }
        let flags = r.u16()?;
        let extra = usize::from(r.u16()?).checked_sub(2).ok_or(Malformed("extra data shorter than its length"))?;
        r.bytes(extra)?;
        let n = r.lenenc()?;
        if n != table.columns.len() as u64 {
            return Err(Malformed("rows with another number of columns than their table"));
        }
        let n = table.columns.len();
        let before = Columns::take(n, &mut r)?;
        let after = match kind {
            EventType::UpdateRows => Some(Columns::take(n, &mut r)?),
            EventType::WriteRows | EventType::DeleteRows => None,
            _ => return Err(Malformed("no event of rows")),
        };
        Ok(Rows { flags, before, after, table, rest: r })
    }

    fn image(&mut self, columns: &Columns) -> Result<Image> {
        let here = columns.iter().count();
        let nulls = self.rest.bytes(here.div_ceil(8))?;
        let mut image = Vec::with_capacity(here);
        for (n, i) in columns.iter().enumerate() {
            let c = self.table.columns.get(i).ok_or(Malformed("a column that does not exist"))?;
            let v = match low_bit(nulls, n) {
                true => OwnedValue::Null,
                false => c.wire.take_value(c.unsigned, &mut self.rest)?,
            };
            image.push((i, v));
        }
        Ok(image)
    }

    /// The next row, and for UPDATE what became of it.
    fn row(&mut self) -> Result<(Image, Option<Image>)> {
        let (before, after) = (self.before.clone(), self.after.clone());
        let first = self.image(&before)?;
        let second = after.map(|c| self.image(&c)).transpose()?;
        Ok((first, second))
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<(Image, Option<Image>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let left = self.rest.0.len();
        let row = self.row();
        // a table whose images take no bytes would never end
        if row.is_err() || self.rest.0.len() == left {
            self.rest = Reader(&[]);
        }
        Some(row)
    }
}
