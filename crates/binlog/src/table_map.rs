//! TABLE_MAP: the number that row events call a table by, and its columns.
//!
//! ```text
//! body     = table id 6 bytes, flags u16, schema, table (each: length u8, bytes, 0), number of columns, types u8 each,
//!            length and bytes of the types' metadata, bits of columns that may be NULL, optional metadata
//! optional = (field u8, length, bytes)*                          lengths and counts are length-encoded integers
//! ```
//! Of the optional metadata `binlog_row_metadata=MINIMAL` has signs and character sets, FULL also names,
//! members of ENUM and SET, the primary key and which columns are visible. Bits of the optional fields
//! count from the highest bit of the first byte on, those of NULL columns from the lowest. Source: MySQL's
//! documentation of Table_map_event.

use crate::event::{self, EventType, Stamp};
use crate::le::{Reader, put, put_lenenc, put_lenenc_bytes};
use crate::wire_type::WireType;
use crate::{Malformed, Result};

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its type.
    pub wire: WireType,
    /// Whether it may be NULL.
    pub nullable: bool,
    /// UNSIGNED; of numbers only.
    pub unsigned: bool,
    /// Number of the collation; strings, ENUM and SET. 63: bytes. 0: not known.
    pub collation: u16,
    /// What only `binlog_row_metadata=FULL` tells.
    pub full: Option<Full>,
}

/// What a reader learns of a column with `binlog_row_metadata=FULL`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Full {
    /// Its name.
    pub name: Box<[u8]>,
    /// Members of ENUM and SET.
    pub members: Vec<Box<[u8]>>,
    /// Not INVISIBLE.
    pub visible: bool,
}

/// Flag of [`TableMap`]: the first column is a key that the server has generated.
pub const HAS_GENERATED_KEY: u16 = 4;

/// A table as row events know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableMap {
    /// The number that row events name; another one whenever the definition has changed.
    pub id: u64,
    /// Bit 0 is not used; the rest as MySQL's.
    pub flags: u16,
    /// Schema.
    pub schema: Box<[u8]>,
    /// Table.
    pub table: Box<[u8]>,
    /// Columns in order, hidden ones included.
    pub columns: Vec<Column>,
    /// Columns of the primary key with the number of bytes of a prefix (0: all of it); FULL only.
    pub primary_key: Vec<(u64, u64)>,
}

/// Fields of the optional metadata.
mod field {
    pub(super) const SIGNEDNESS: u8 = 1;
    pub(super) const DEFAULT_CHARSET: u8 = 2;
    pub(super) const COLUMN_CHARSET: u8 = 3;
    pub(super) const COLUMN_NAME: u8 = 4;
    pub(super) const SET_MEMBERS: u8 = 5;
    pub(super) const ENUM_MEMBERS: u8 = 6;
    pub(super) const PRIMARY_KEY: u8 = 8;
    pub(super) const PRIMARY_KEY_PREFIX: u8 = 9;
    pub(super) const ENUM_SET_DEFAULT_CHARSET: u8 = 10;
    pub(super) const ENUM_SET_COLUMN_CHARSET: u8 = 11;
    pub(super) const VISIBILITY: u8 = 12;
}

impl Column {
    /// Whether its character set stands among those of strings.
    fn is_text(&self) -> bool {
        matches!(self.wire, WireType::VarChar(_) | WireType::Char(_) | WireType::Blob(_))
    }
    fn is_member(&self) -> bool {
        matches!(self.wire, WireType::Enum(_) | WireType::Set(_))
    }
}

impl TableMap {
    /// Appends the event. `full`: with everything that [`Column::full`] holds.
    pub fn write(&self, full: bool, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
        let begun = event::begin(out, EventType::TableMap, stamp, 0);
        put(out, self.id, 6);
        put(out, u64::from(self.flags), 2);
        for name in [&self.schema, &self.table] {
            out.push(name.len().min(255) as u8);
            out.extend(name.iter().take(255));
            out.push(0);
        }
        put_lenenc(out, self.columns.len() as u64);
        out.extend(self.columns.iter().map(|c| c.wire.code()));
        let mut meta = Vec::new();
        for c in &self.columns {
            c.wire.metadata(&mut meta);
        }
        put_lenenc_bytes(out, &meta);
        out.extend(low_bits(self.columns.iter().map(|c| c.nullable)));
        self.write_optional(full, out);
        event::end(out, begun, checksum);
    }

    fn write_optional(&self, full: bool, out: &mut Vec<u8>) {
        let numbers = || self.columns.iter().filter(|c| c.wire.is_numeric());
        if numbers().next().is_some() {
            put_field(out, field::SIGNEDNESS, |b| b.extend(high_bits(numbers().map(|c| c.unsigned))));
        }
        let texts: Vec<u16> = self.columns.iter().filter(|c| c.is_text()).map(|c| c.collation).collect();
        put_charsets(out, &texts, field::DEFAULT_CHARSET, field::COLUMN_CHARSET);
        if full {
            put_field(out, field::COLUMN_NAME, |b| {
                for f in self.columns.iter().filter_map(|c| c.full.as_ref()) {
                    put_lenenc_bytes(b, &f.name);
                }
            });
            let members: Vec<u16> = self.columns.iter().filter(|c| c.is_member()).map(|c| c.collation).collect();
            put_charsets(out, &members, field::ENUM_SET_DEFAULT_CHARSET, field::ENUM_SET_COLUMN_CHARSET);
            self.put_members(field::SET_MEMBERS, |w| matches!(w, WireType::Set(_)), out);
            self.put_members(field::ENUM_MEMBERS, |w| matches!(w, WireType::Enum(_)), out);
            self.put_primary_key(out);
            let visible = self.columns.iter().filter_map(|c| c.full.as_ref()).map(|f| f.visible);
            put_field(out, field::VISIBILITY, |b| b.extend(high_bits(visible)));
        }
    }

    fn put_members(&self, number: u8, which: impl Fn(WireType) -> bool, out: &mut Vec<u8>) {
        let of = self.columns.iter().filter(|c| which(c.wire)).filter_map(|c| c.full.as_ref());
        if of.clone().next().is_none() {
            return;
        }
        put_field(out, number, |b| {
            for f in of {
                put_lenenc(b, f.members.len() as u64);
                for m in &f.members {
                    put_lenenc_bytes(b, m);
                }
            }
        });
    }

    fn put_primary_key(&self, out: &mut Vec<u8>) {
        if self.primary_key.is_empty() {
            return;
        }
        let simple = self.primary_key.iter().all(|k| k.1 == 0);
        put_field(out, if simple { field::PRIMARY_KEY } else { field::PRIMARY_KEY_PREFIX }, |b| {
            for (column, prefix) in &self.primary_key {
                put_lenenc(b, *column);
                if !simple {
                    put_lenenc(b, *prefix);
                }
            }
        });
    }

    /// Reads the event's body.
    pub fn read(body: &[u8]) -> Result<TableMap> {
        let mut r = Reader(body);
        let (id, flags) = (r.uint(6)?, r.u16()?);
        let (schema, table) = (r.short_name()?.into(), r.short_name()?.into());
        let n = r.length()?;
        let types = r.bytes(n)?;
        let mut meta = Reader(r.lenenc_bytes()?);
        let nullable = r.bytes(n.div_ceil(8))?;
        let mut columns = Vec::with_capacity(n);
        for (i, code) in types.iter().enumerate() {
            let wire = WireType::take(*code, &mut meta)?;
            columns.push(Column { wire, nullable: low_bit(nullable, i), unsigned: false, collation: 0, full: None });
        }
        let mut map = TableMap { id, flags, schema, table, columns, primary_key: Vec::new() };
        while !r.is_empty() {
            let number = r.u8()?;
            let value = r.lenenc_bytes()?;
            map.read_optional(number, Reader(value))?;
        }
        Ok(map)
    }

    fn read_optional(&mut self, number: u8, mut r: Reader<'_>) -> Result<()> {
        let all = r.0;
        match number {
            field::SIGNEDNESS => {
                let numbers = self.columns.iter_mut().filter(|c| c.wire.is_numeric());
                numbers.enumerate().for_each(|(i, c)| c.unsigned = high_bit(all, i));
            }
            field::DEFAULT_CHARSET => read_default_charset(&mut self.columns, Column::is_text, r)?,
            field::COLUMN_CHARSET => read_charsets(&mut self.columns, Column::is_text, r)?,
            field::ENUM_SET_DEFAULT_CHARSET => read_default_charset(&mut self.columns, Column::is_member, r)?,
            field::ENUM_SET_COLUMN_CHARSET => read_charsets(&mut self.columns, Column::is_member, r)?,
            field::COLUMN_NAME => {
                for c in &mut self.columns {
                    c.full.get_or_insert_default().name = r.lenenc_bytes()?.into();
                }
            }
            field::SET_MEMBERS | field::ENUM_MEMBERS => {
                let set = number == field::SET_MEMBERS;
                for c in self.columns.iter_mut().filter(|c| c.is_member() && matches!(c.wire, WireType::Set(_)) == set)
                {
                    let n = r.length()?;
                    let members = (0..n).map(|_| Ok(r.lenenc_bytes()?.into())).collect::<Result<_>>()?;
                    c.full.get_or_insert_default().members = members;
                }
            }
            field::PRIMARY_KEY | field::PRIMARY_KEY_PREFIX => {
                while !r.is_empty() {
                    let column = r.lenenc()?;
                    let prefix = if number == field::PRIMARY_KEY_PREFIX { r.lenenc()? } else { 0 };
                    self.primary_key.push((column, prefix));
                }
                if self.primary_key.iter().any(|k| k.0 >= self.columns.len() as u64) {
                    return Err(Malformed("a primary key of columns that do not exist"));
                }
            }
            field::VISIBILITY => {
                for (i, c) in self.columns.iter_mut().enumerate() {
                    c.full.get_or_insert_default().visible = high_bit(all, i);
                }
            }
            // fields of later versions: they say nothing that the images need
            _ => (),
        }
        Ok(())
    }
}

fn put_field(out: &mut Vec<u8>, number: u8, fill: impl FnOnce(&mut Vec<u8>)) {
    let mut b = Vec::new();
    fill(&mut b);
    out.push(number);
    put_lenenc_bytes(out, &b);
}

/// Collations: the most frequent one and the columns (counted among their like) that have another; or, where that takes
/// more bytes, one for each column.
fn put_charsets(out: &mut Vec<u8>, of: &[u16], default: u8, each: u8) {
    let Some((common, others)) = most_frequent(of) else { return };
    let len = |n: u64| if n <= 250 { 1 } else { 3 };
    let exceptions = || of.iter().enumerate().filter(|(_, c)| **c != common);
    let with_default: usize =
        len(u64::from(common)) + exceptions().map(|(i, c)| len(i as u64) + len(u64::from(*c))).sum::<usize>();
    let for_each: usize = of.iter().map(|c| len(u64::from(*c))).sum();
    if others == 0 || with_default < for_each {
        put_field(out, default, |b| {
            put_lenenc(b, u64::from(common));
            for (i, c) in exceptions() {
                put_lenenc(b, i as u64);
                put_lenenc(b, u64::from(*c));
            }
        });
    } else {
        put_field(out, each, |b| of.iter().for_each(|c| put_lenenc(b, u64::from(*c))));
    }
}

/// The most frequent number (of equals the least), and how many are others.
fn most_frequent(of: &[u16]) -> Option<(u16, usize)> {
    let mut counts = std::collections::BTreeMap::<u16, usize>::new();
    for c in of {
        *counts.entry(*c).or_default() += 1;
    }
    let (common, n) = counts.into_iter().max_by_key(|(c, n)| (*n, std::cmp::Reverse(*c)))?;
    Some((common, of.len() - n))
}

fn collation(n: u64) -> Result<u16> {
    u16::try_from(n).map_err(|_| Malformed("a collation beyond 65535"))
}

fn read_default_charset(columns: &mut [Column], which: fn(&Column) -> bool, mut r: Reader<'_>) -> Result<()> {
    let common = collation(r.lenenc()?)?;
    columns.iter_mut().filter(|c| which(c)).for_each(|c| c.collation = common);
    while !r.is_empty() {
        let (i, other) = (r.lenenc()?, collation(r.lenenc()?)?);
        let i = usize::try_from(i).unwrap_or(usize::MAX);
        let c = columns.iter_mut().filter(|c| which(c)).nth(i);
        c.ok_or(Malformed("a character set of a column that does not exist"))?.collation = other;
    }
    Ok(())
}

fn read_charsets(columns: &mut [Column], which: fn(&Column) -> bool, mut r: Reader<'_>) -> Result<()> {
    for c in columns.iter_mut().filter(|c| which(c)) {
        c.collation = collation(r.lenenc()?)?;
    }
    Ok(())
}

/// Bits from the lowest of the first byte on.
pub(crate) fn low_bits(of: impl Iterator<Item = bool>) -> Vec<u8> {
    bits(of, |i| 1 << i)
}

fn high_bits(of: impl Iterator<Item = bool>) -> Vec<u8> {
    bits(of, |i| 0x80 >> i)
}

fn bits(of: impl Iterator<Item = bool>, mask: fn(usize) -> u8) -> Vec<u8> {
    let mut out = Vec::new();
    for (i, set) in of.enumerate() {
        if i % 8 == 0 {
            out.push(0);
        }
        if let (true, Some(b)) = (set, out.last_mut()) {
            *b |= mask(i % 8);
        }
    }
    out
}

pub(crate) fn low_bit(bits: &[u8], i: usize) -> bool {
    bits.get(i / 8).is_some_and(|b| b & (1 << (i % 8)) != 0)
}

fn high_bit(bits: &[u8], i: usize) -> bool {
    bits.get(i / 8).is_some_and(|b| b & (0x80 >> (i % 8)) != 0)
}
