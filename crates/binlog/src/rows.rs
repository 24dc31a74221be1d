//! Rows that were inserted, changed or deleted.
//!
//! ```text
//! body  = table id 6 bytes, flags u16, 2 u16 (no extra data), number of columns, columns of the images
//!         (for UPDATE twice: before, after), images
//! image = bits of the columns in it that are NULL, values of the others
//! ```
//! Bits count from the lowest of the first byte on; those of NULL count only the columns that are in the image. What is
//! in an image `binlog_row_image` decides. An UPDATE has an image before and one after for each row.
//!
//! ```text
//! PARTIAL_UPDATE_ROWS: before the image after stands
//! options, and if their lowest bit is set: a bit for each JSON column of the table, whose value is then
//! bytes u32, differences: operation u8 (0 replace, 1 insert, 2 remove), path, and of what is put there the document
//! ```

use crate::event::{self, Begun, EventType, Stamp};
use crate::le::{Reader, put, put_lenenc};
use crate::table_map::{TableMap, low_bit};
use crate::wire_type::WireType;
use crate::{Malformed, Result};
use value::json::diff::{Diff, What};
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

/// Begins an event of rows of a table. `kind`: `WriteRows`, `UpdateRows`, `PartialUpdateRows` or `DeleteRows`.
/// `images`: columns of the image before and, for UPDATE only, of the one after.
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

/// Whether the lowest bit of a row's options says that columns have differences for values.
const PARTIAL_JSON: u64 = 1;

/// Appends differences as a value has them, without its length.
fn put_diffs(diffs: &[Diff], out: &mut Vec<u8>) {
    for d in diffs {
        out.push(match d.what {
            What::Replace => 0,
            What::Insert => 1,
            What::Remove => 2,
        });
        put_lenenc(out, d.path.len() as u64);
        out.extend_from_slice(&d.path);
        if d.what != What::Remove {
            put_lenenc(out, d.value.len() as u64);
            out.extend_from_slice(&d.value);
        }
    }
}

fn take_diffs(r: &mut Reader<'_>) -> Result<Vec<Diff>> {
    let length = r.u32()? as usize;
    let mut inside = Reader(r.bytes(length)?);
    let mut out = Vec::new();
    while !inside.is_empty() {
        let what = match inside.u8()? {
            0 => What::Replace,
            1 => What::Insert,
            2 => What::Remove,
            _ => return Err(Malformed("a difference that is none")),
        };
        let n = inside.lenenc()? as usize;
        let path = inside.bytes(n)?.to_vec();
        let value = if what == What::Remove {
            Vec::new()
        } else {
            let n = inside.lenenc()? as usize;
            crate::wire_type::document(inside.bytes(n)?)?
        };
        out.push(Diff { what, path, value });
    }
    Ok(out)
}

/// Appends the image after of PARTIAL_UPDATE_ROWS. `diffs(i)`: the differences of JSON column `i`, if they are known;
/// they stand for the value where they are shorter.
pub fn put_partial_image<'v, 'd>(
    table: &TableMap,
    columns: &Columns,
    value: impl Fn(usize) -> Value<'v>,
    diffs: impl Fn(usize) -> Option<&'d [Diff]>,
    out: &mut Vec<u8>,
) {
    let json = |i: &usize| table.columns.get(*i).is_some_and(|c| c.wire == WireType::Json);
    let mut short: Vec<(usize, Vec<u8>)> = Vec::new();
    for i in columns.iter().filter(json) {
        let (Value::Json(document), Some(list)) = (value(i), diffs(i)) else { continue };
        let mut bytes = Vec::new();
        put_diffs(list, &mut bytes);
        // as MySQL compares: what stays as it is always is shorter
        if list.is_empty() || bytes.len() + 4 < document.len() {
            short.push((i, bytes));
        }
    }
    if short.is_empty() {
        put_lenenc(out, 0);
        return put_image(table, columns, value, out);
    }
    put_lenenc(out, PARTIAL_JSON);
    let is_short = |i: usize| short.iter().find(|(n, _)| *n == i).map(|(_, b)| b);
    let all = (0..table.columns.len()).filter(json);
    out.extend_from_slice(&crate::table_map::low_bits(all.map(|i| is_short(i).is_some())));
    let nulls = out.len();
    let here = columns.iter().count();
    out.resize(nulls + here.div_ceil(8), 0);
    for (n, i) in columns.iter().enumerate() {
        let Some(c) = table.columns.get(i) else { return };
        match (is_short(i), value(i)) {
            (Some(bytes), _) => {
                put(out, bytes.len() as u64, 4);
                out.extend_from_slice(bytes);
            }
            (None, Value::Null) => {
                if let Some(b) = out.get_mut(nulls + n / 8) {
                    *b |= 1 << (n % 8);
                }
            }
            (None, v) => c.wire.put(v, out),
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
    /// PARTIAL_UPDATE_ROWS.
    partial: bool,
    table: &'a TableMap,
    rest: Reader<'a>,
}

/// A row: a value for each column that its image has.
pub type Image = Vec<(usize, OwnedValue)>;

/// A change of a row.
#[derive(Debug)]
pub struct Row {
    /// The row before (INSERT: the row).
    pub before: Image,
    /// UPDATE: the row after.
    pub after: Option<Image>,
    /// Columns of `after` that are NULL there, because what is known of them is how they differ from before.
    pub diffs: Vec<(usize, Vec<Diff>)>,
}

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
            EventType::UpdateRows | EventType::PartialUpdateRows => Some(Columns::take(n, &mut r)?),
            EventType::WriteRows | EventType::DeleteRows => None,
            _ => return Err(Malformed("no event of rows")),
        };
        let partial = kind == EventType::PartialUpdateRows;
        Ok(Rows { flags, before, after, partial, table, rest: r })
    }

    /// How many JSON columns stand before column `i`.
    fn json_before(&self, i: usize) -> usize {
        self.table.columns.iter().take(i).filter(|c| c.wire == WireType::Json).count()
    }

    /// An image; JSON columns that `differs` names have differences.
    fn image(&mut self, columns: &Columns, differs: &[u8], diffs: &mut Vec<(usize, Vec<Diff>)>) -> Result<Image> {
        let here = columns.iter().count();
        let nulls = self.rest.bytes(here.div_ceil(8))?;
        let mut image = Vec::with_capacity(here);
        for (n, i) in columns.iter().enumerate() {
            let c = self.table.columns.get(i).ok_or(Malformed("a column that does not exist"))?;
            let json = c.wire == WireType::Json && !differs.is_empty();
            let v = match low_bit(nulls, n) {
                true => OwnedValue::Null,
                false if json && low_bit(differs, self.json_before(i)) => {
                    diffs.push((i, take_diffs(&mut self.rest)?));
                    OwnedValue::Null
                }
                false => c.wire.take_value(c.unsigned, &mut self.rest)?,
            };
            image.push((i, v));
        }
        Ok(image)
    }

    /// Which JSON columns of the next image have differences: bits.
    fn differs(&mut self) -> Result<&'a [u8]> {
        if !self.partial {
            return Ok(&[]);
        }
        match self.rest.lenenc()? {
            0 => Ok(&[]),
            PARTIAL_JSON => self.rest.bytes(self.json_before(usize::MAX).div_ceil(8)),
            _ => Err(Malformed("options of a row that are unknown")),
        }
    }

    /// The next row, and for UPDATE what became of it.
    fn row(&mut self) -> Result<Row> {
        let (first, second) = (self.before.clone(), self.after.clone());
        let mut diffs = Vec::new();
        let before = self.image(&first, &[], &mut diffs)?;
        let after = match second {
            Some(columns) => {
                let differs = self.differs()?;
                Some(self.image(&columns, differs, &mut diffs)?)
            }
            None => None,
        };
        Ok(Row { before, after, diffs })
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row>;

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
