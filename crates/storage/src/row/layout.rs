//! The row format: [`RowLayout`] says where each column lies, [`RowView`] reads columns lazily.
//!
//! `[null bitmap][fixed-width columns][u16 end offset per variable column][variable bytes]`. The bitmap has one bit per
//! nullable column, bit 0 of byte 0 first. Fixed columns keep their place (zeros) when NULL, so offsets are constants of
//! the layout. End offsets count from the first variable byte; bit 15 marks a column that is stored externally: its bytes
//! are then a [`BlobRef`].
//!
//! A row that was written before an instant ADD or DROP COLUMN is read through the layout of its own version: it says which of
//! the columns of now the row has, where, and what the others are filled with ([`RowLayout::former`]).

use bumpalo::Bump;
use smallvec::SmallVec;
use value::{OwnedValue, SqlType, Value};

use super::RowError;
use super::codec::Codec;

/// Bit 15 of an end offset: stored externally.
const EXTERNAL: u16 = 0x8000;
/// No bit in the null bitmap.
const NOT_NULL: u16 = u16::MAX;

/// Where an externally stored column lies: 20 bytes in the row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlobRef {
    /// First page of the chain, in the table's own space.
    pub first: base::PageNo,
    /// Bytes in all.
    pub length: u64,
    /// The tablespace of the chain: undo records outlive a rebuild of their table, whose new tablespace has other chains.
    pub owner: u64,
}

impl BlobRef {
    /// Bytes of the stored form.
    pub const SIZE: usize = 20;

    /// Stored form.
    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let mut b = [0; Self::SIZE];
        let parts =
            self.first.0.to_le_bytes().into_iter().chain(self.length.to_le_bytes()).chain(self.owner.to_le_bytes());
        for (to, from) in b.iter_mut().zip(parts) {
            *to = from;
        }
        b
    }

    /// From the stored form; `None` when that has another length.
    pub fn from_bytes(b: &[u8]) -> Option<BlobRef> {
        let (first, b) = b.split_first_chunk::<4>()?;
        let (length, b) = b.split_first_chunk::<8>()?;
        let owner: &[u8; 8] = b.try_into().ok()?;
        Some(BlobRef {
            first: base::PageNo(u32::from_le_bytes(*first)),
            length: u64::from_le_bytes(*length),
            owner: u64::from_le_bytes(*owner),
        })
    }
}

/// One column's place.
#[derive(Clone, Copy, Debug)]
struct Column {
    codec: Codec,
    /// Bit in the null bitmap or [`NOT_NULL`].
    null_bit: u16,
    /// Byte offset in the row (fixed), or number among the variable columns.
    at: u16,
    /// Bytes (fixed).
    width: u16,
    variable: bool,
}

/// Places of all columns of one layout version; made once per table version, shared by all readers.
#[derive(Clone, Debug)]
pub struct RowLayout {
    /// One per column of the table as it is now.
    columns: Box<[Column]>,
    /// Values of the columns that rows of this layout do not store ([`Codec::Filled`]).
    filled: Box<[OwnedValue]>,
    /// The columns are all that the rows store, in this order: rows can be written.
    current: bool,
    null_bytes: usize,
    /// Offset of the array of end offsets.
    ends_at: usize,
    n_variable: usize,
    /// Offset of the first variable byte.
    data_at: usize,
}

impl RowLayout {
    /// The cache lines that reading these columns goes over.
    pub(crate) fn lines(&self, columns: &[u16], out: &mut sys::prefetch::Lines) {
        columns.iter().filter_map(|c| self.columns.get(*c as usize)).for_each(|c| out.add(c));
    }

    /// For rows that store columns of these types, in this order.
    pub fn new<'t>(types: impl IntoIterator<Item = &'t SqlType>) -> RowLayout {
        let (mut bits, mut n_variable) = (0u16, 0u16);
        let mut columns: Vec<Column> = types
            .into_iter()
            .map(|ty| {
                let codec = Codec::of(ty);
                let null_bit = if ty.nullable { bits } else { NOT_NULL };
                bits += ty.nullable as u16;
                let variable = codec.width().is_none();
                let at = if variable { n_variable } else { 0 };
                n_variable += variable as u16;
                Column { codec, null_bit, at, width: codec.width().unwrap_or(0) as u16, variable }
            })
            .collect();
        let null_bytes = (bits as usize).div_ceil(8);
        let mut at = null_bytes;
        for c in columns.iter_mut().filter(|c| !c.variable) {
            c.at = at as u16;
            at += c.width as usize;
        }
        RowLayout {
            columns: columns.into(),
            filled: Box::default(),
            current: true,
            null_bytes,
            ends_at: at,
            n_variable: n_variable as usize,
            data_at: at + 2 * n_variable as usize,
        }
    }

    /// For rows written before the table had the `n` columns that it has now: `stored` are the columns of those rows in their order,
    /// each with its position now (`None`: dropped since); every column that is not among them has its value in `filled` by position
    /// (NULL if it has none there). Such a layout reads only.
    pub fn former<'t>(
        stored: impl IntoIterator<Item = (&'t SqlType, Option<u16>)>,
        filled: &[(u16, OwnedValue)],
        n: usize,
    ) -> RowLayout {
        let (types, now): (Vec<_>, Vec<_>) = stored.into_iter().unzip();
        let mut layout = RowLayout::new(types);
        let absent =
            |value| Column { codec: Codec::Filled(value), null_bit: NOT_NULL, at: 0, width: 0, variable: false };
        let mut values = vec![OwnedValue::Null];
        let mut columns = vec![absent(0); n];
        for (at, v) in filled {
            if let Some(c) = columns.get_mut(*at as usize) {
                *c = absent(values.len() as u16);
                values.push(v.clone());
            }
        }
        for (c, now) in layout.columns.iter().zip(now) {
            if let Some(to) = now.and_then(|n| columns.get_mut(n as usize)) {
                *to = *c;
            }
        }
        (layout.columns, layout.filled, layout.current) = (columns.into(), values.into(), false);
        layout
    }

    /// Columns a reader sees.
    pub fn column_count(&self) -> usize {
        self.columns.len()
    }

    /// Bytes of the row these values make with nothing moved out.
    pub fn encoded_len(&self, values: &[Value<'_>]) -> usize {
        self.columns.iter().zip(values).map(|(c, v)| var_bytes(c, v).len()).sum::<usize>() + self.data_at
    }

    /// Which columns to store externally so that the row has at most `limit` bytes: the longest ones first, and only such
    /// as shrink by it. The rest may still be too long; then [`RowLayout::encode`] fails with `TooLong`.
    pub fn choose_external(&self, values: &[Value<'_>], limit: usize) -> SmallVec<[u16; 4]> {
        let mut chosen = SmallVec::new();
        let mut len = self.encoded_len(values);
        while len > limit {
            let longest = self
                .columns
                .iter()
                .zip(values)
                .enumerate()
                .filter(|(i, _)| !chosen.contains(&(*i as u16)))
                .map(|(i, (c, v))| (var_bytes(c, v).len(), i))
                .max();
            let Some((n, i)) = longest.filter(|(n, _)| *n > BlobRef::SIZE) else { break };
            len -= n - BlobRef::SIZE;
            chosen.push(i as u16);
        }
        chosen
    }

    /// Appends the row. `values` has one entry per stored column; `external` is empty or has one entry per column, and
    /// where that is a reference it is stored instead of the value.
    pub fn encode(
        &self,
        values: &[Value<'_>],
        external: &[Option<BlobRef>],
        out: &mut Vec<u8>,
    ) -> Result<(), RowError> {
        if values.len() != self.columns.len() || !self.current {
            return Err(RowError::WrongType);
        }
        let start = out.len();
        out.resize(start + self.null_bytes, 0);
        for (c, v) in self.columns.iter().zip(values) {
            if v.is_null() {
                let bit = c.null_bit;
                let byte = out.get_mut(start + bit as usize / 8).filter(|_| bit != NOT_NULL);
                *byte.ok_or(RowError::WrongType)? |= 1 << (bit % 8);
            }
        }
        for (c, v) in self.columns.iter().zip(values).filter(|(c, _)| !c.variable) {
            if v.is_null() {
                out.resize(out.len() + c.width as usize, 0);
            } else {
                c.codec.put_row(*v, out)?;
            }
        }
        self.encode_variable(start, values, external, out)
    }

    fn encode_variable(
        &self,
        start: usize,
        values: &[Value<'_>],
        external: &[Option<BlobRef>],
        out: &mut Vec<u8>,
    ) -> Result<(), RowError> {
        if self.n_variable == 0 {
            return Ok(());
        }
        out.resize(start + self.data_at, 0);
        let mut end_at = start + self.ends_at;
        for (i, (c, v)) in self.columns.iter().zip(values).enumerate().filter(|(_, (c, _))| c.variable) {
            let mut flag = 0;
            if let Some(Some(r)) = external.get(i) {
                flag = EXTERNAL;
                out.extend_from_slice(&r.to_bytes());
            } else if !v.is_null() {
                stored(c, v).ok_or(RowError::WrongType)?;
                out.extend_from_slice(var_bytes(c, v));
            }
            let end = out.len() - start - self.data_at;
            if end >= EXTERNAL as usize {
                return Err(RowError::TooLong);
            }
            if let Some(to) = out.get_mut(end_at..end_at + 2) {
                to.copy_from_slice(&(end as u16 | flag).to_le_bytes());
            }
            end_at += 2;
        }
        Ok(())
    }
}

/// The bytes a variable column would store; empty for other columns and NULL.
#[inline]
fn var_bytes<'a>(c: &Column, v: &Value<'a>) -> &'a [u8] {
    stored(c, v).unwrap_or(&[])
}

/// The same; `None` for a value of another type.
#[inline]
fn stored<'a>(c: &Column, v: &Value<'a>) -> Option<&'a [u8]> {
    match (c.codec, v) {
        (Codec::Var(false), Value::Str(s)) => Some(s),
        (Codec::Var(true), Value::Str(s)) => Some(strip_spaces(s)),
        (Codec::Json, Value::Json(d)) => Some(d),
        _ => None,
    }
}

/// Without trailing spaces.
#[inline]
pub(super) fn strip_spaces(mut s: &[u8]) -> &[u8] {
    while let [rest @ .., b' '] = s {
        s = rest;
    }
    s
}

/// A row's bytes seen through their layout; `Copy`, reads columns on demand.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a> {
    layout: &'a RowLayout,
    bytes: &'a [u8],
}

impl<'a> RowView<'a> {
    /// Checks the lengths once; single columns are checked when read.
    #[inline]
    pub fn new(layout: &'a RowLayout, bytes: &'a [u8]) -> Result<RowView<'a>, RowError> {
        let view = RowView { layout, bytes };
        let end = match layout.n_variable {
            0 => layout.data_at,
            n => layout.data_at + (view.end(n - 1) & !EXTERNAL) as usize,
        };
        if bytes.len() == end { Ok(view) } else { Err(RowError::Corrupt) }
    }

    /// The layout.
    #[inline]
    pub fn layout(&self) -> &'a RowLayout {
        self.layout
    }

    /// The whole row.
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// End offset of variable column `n`, with the flag.
    #[inline]
    fn end(&self, n: usize) -> u16 {
        let at = self.layout.ends_at + 2 * n;
        match self.bytes.get(at..at + 2) {
            Some(&[a, b]) => u16::from_le_bytes([a, b]),
            _ => 0,
        }
    }

    #[inline]
    fn null_at(&self, c: &Column) -> bool {
        c.null_bit != NOT_NULL
            && self.bytes.get(c.null_bit as usize / 8).is_some_and(|b| b >> (c.null_bit % 8) & 1 == 1)
    }

    #[inline]
    fn bytes_of(&self, c: &Column) -> Option<&'a [u8]> {
        if !c.variable {
            return self.bytes.get(c.at as usize..c.at as usize + c.width as usize);
        }
        self.variable(c.at as usize)
    }

    /// Stored bytes of variable column `n`.
    #[inline]
    fn variable(&self, n: usize) -> Option<&'a [u8]> {
        let from = if n == 0 { 0 } else { self.end(n - 1) & !EXTERNAL } as usize;
        let to = (self.end(n) & !EXTERNAL) as usize;
        self.bytes.get(self.layout.data_at..)?.get(from..to)
    }

    /// Whether the column is NULL. A column the layout does not have counts as NULL.
    #[inline]
    pub fn is_null(&self, column: usize) -> bool {
        match self.layout.columns.get(column) {
            Some(c) => self.null_at(c) || self.filled(c).is_some_and(|v| v.is_null()),
            None => true,
        }
    }

    /// The value of a column that the row does not store.
    #[inline]
    fn filled(&self, c: &Column) -> Option<Value<'a>> {
        match c.codec {
            Codec::Filled(n) => self.layout.filled.get(n as usize).map(OwnedValue::as_value),
            _ => None,
        }
    }

    /// The column's stored bytes; empty for NULL and for columns the row does not store. An external column's bytes are
    /// its reference.
    #[inline]
    pub fn raw(&self, column: usize) -> &'a [u8] {
        match self.layout.columns.get(column) {
            Some(c) if !self.null_at(c) => self.bytes_of(c).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The column's value. Strings borrow from the row, DECIMALs from the arena. `External` for a column in overflow pages.
    #[inline]
    pub fn value(&self, column: usize, arena: &'a Bump) -> Result<Value<'a>, RowError> {
        let c = self.layout.columns.get(column).ok_or(RowError::Corrupt)?;
        if self.null_at(c) {
            return Ok(Value::Null);
        }
        if c.variable && self.end(c.at as usize) & EXTERNAL != 0 {
            return Err(RowError::External);
        }
        match c.codec.get_row(self.bytes_of(c).ok_or(RowError::Corrupt)?, arena) {
            Err(RowError::WrongType) => self.filled(c).ok_or(RowError::WrongType),
            done => done,
        }
    }

    /// The column's value with nothing borrowed from the row. `External` for a column in overflow pages.
    #[inline]
    pub fn copied<'b>(&self, column: usize, arena: &'b Bump) -> Result<Value<'b>, RowError> {
        let c = self.layout.columns.get(column).ok_or(RowError::Corrupt)?;
        if self.null_at(c) {
            return Ok(Value::Null);
        }
        if c.variable && self.end(c.at as usize) & EXTERNAL != 0 {
            return Err(RowError::External);
        }
        match c.codec.get_copied(self.bytes_of(c).ok_or(RowError::Corrupt)?, arena) {
            Err(RowError::WrongType) => self.filled(c).map(|v| v.copy_into(arena)).ok_or(RowError::WrongType),
            done => done,
        }
    }

    /// The reference of an externally stored column.
    #[inline]
    pub fn external(&self, column: usize) -> Option<BlobRef> {
        let c = self.layout.columns.get(column)?;
        if !c.variable || self.end(c.at as usize) & EXTERNAL == 0 {
            return None;
        }
        BlobRef::from_bytes(self.bytes_of(c)?)
    }

    /// Whether any column is stored externally.
    pub fn has_external(&self) -> bool {
        (0..self.layout.n_variable).any(|n| self.end(n) & EXTERNAL != 0)
    }

    /// The references in the row, also those of columns that the table has no more: whoever takes the row away frees them.
    pub fn externals(&self) -> impl Iterator<Item = BlobRef> + use<'_, 'a> {
        let external = (0..self.layout.n_variable).filter(|n| self.end(*n) & EXTERNAL != 0);
        external.filter_map(|n| BlobRef::from_bytes(self.variable(n)?))
    }
}
