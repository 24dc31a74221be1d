//! The encoded document and [`Ref`], a checked view of a value in it.
//!
//! ```text
//! document  = type:u8 value                                   type < 0x10 is version 1 of the format
//! type      = 0 small object, 1 large object, 2 small array, 3 large array, 4 literal, 5 i16, 6 u16, 7 i32, 8 u32, 9 i64,
//!             0x0a u64, 0x0b double, 0x0c string, 0x0f opaque
//! object    = count size (key_offset key_length:u16)*count entry*count key*count value*
//! array     = count size entry*count value*
//! entry     = type:u8 (offset | the value itself, zero-extended)
//! literal   = 0 null, 1 true, 2 false
//! string    = length bytes                                    length: 7 bits per byte, low bits first, high bit = more
//! opaque    = mysql_type:u8 length bytes                      length as above
//! ```
//! `count`, `size`, offsets are u16 in small containers and u32 in large ones, little-endian like all numbers; offsets count
//! from the container's `count`; `size` is the container's bytes. Literals, i16 and u16 stand in their entry, in large
//! containers i32 and u32 too. Keys are sorted by length, then by bytes, without duplicates. Integers take the narrowest type.
//! Opaque types: 246 DECIMAL (precision, scale, binary decimal), 10 DATE, 11 TIME, 12 DATETIME (8 bytes little-endian,
//! packed like [`crate::DateTime`], a DATE as its midnight), others raw bytes. A container is position-independent: it
//! can be copied into another.

use crate::decimal::{Decimal, decode_binary};
use crate::temporal::{Date, DateTime, Time};

pub(super) const SMALL_OBJECT: u8 = 0;
pub(super) const LARGE_OBJECT: u8 = 1;
pub(super) const SMALL_ARRAY: u8 = 2;
pub(super) const LARGE_ARRAY: u8 = 3;
pub(super) const LITERAL: u8 = 4;
pub(super) const INT16: u8 = 5;
pub(super) const UINT16: u8 = 6;
pub(super) const INT32: u8 = 7;
pub(super) const UINT32: u8 = 8;
pub(super) const INT64: u8 = 9;
pub(super) const UINT64: u8 = 0x0a;
pub(super) const DOUBLE: u8 = 0x0b;
pub(super) const STRING: u8 = 0x0c;
pub(super) const OPAQUE: u8 = 0x0f;

/// MySQL's type numbers of opaque values with a meaning.
pub const TYPE_DATE: u8 = 10;
/// TIME.
pub const TYPE_TIME: u8 = 11;
/// DATETIME.
pub const TYPE_DATETIME: u8 = 12;
/// BIT.
pub const TYPE_BIT: u8 = 16;
/// DECIMAL.
pub const TYPE_DECIMAL: u8 = 246;

/// Bytes that are no document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged;

/// A value inside a checked document.
#[derive(Clone, Copy, Debug)]
pub struct Ref<'a> {
    pub(super) ty: u8,
    /// Exactly the value's bytes (`size` of a container; the inlined bytes of a small scalar).
    pub(super) data: &'a [u8],
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Kind<'a> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Double(f64),
    Decimal(Decimal),
    Str(&'a [u8]),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
    /// MySQL's type number and the bytes.
    Opaque(u8, &'a [u8]),
    Array,
    Object,
}

/// Width of counts and offsets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Wide(pub(super) bool);

impl Wide {
    pub(super) const fn bytes(self) -> usize {
        if self.0 { 4 } else { 2 }
    }
    /// Whether a scalar of this type stands in its entry.
    pub(super) const fn inlines(self, ty: u8) -> bool {
        matches!(ty, LITERAL | INT16 | UINT16) || self.0 && matches!(ty, INT32 | UINT32)
    }
}

fn le(b: &[u8]) -> u64 {
    b.iter().take(8).rev().fold(0, |n, x| n << 8 | u64::from(*x))
}

fn le_at(b: &[u8], at: usize, n: usize) -> Option<usize> {
    b.get(at..at.checked_add(n)?).map(|b| le(b) as usize)
}

/// Length prefix: (length, bytes of the prefix).
fn var_len(b: &[u8]) -> Option<(usize, usize)> {
    let mut n = 0u64;
    for (i, x) in b.iter().take(5).enumerate() {
        n |= u64::from(x & 0x7f) << (7 * i);
        if x & 0x80 == 0 {
            return Some((usize::try_from(n).ok().filter(|n| *n <= u32::MAX as usize)?, i + 1));
        }
    }
    None
}

fn is_container(ty: u8) -> bool {
    ty <= LARGE_ARRAY
}

impl<'a> Ref<'a> {
    /// The root of a document, all of which is checked: lengths, offsets, types, UTF-8, the order of keys, the depth.
    pub fn open(doc: &'a [u8]) -> Result<Ref<'a>, Damaged> {
        Ref::open_as(doc, true)
    }

    /// The same of a document that may have gaps: MySQL changes documents in place.
    pub(super) fn open_loose(doc: &'a [u8]) -> Result<Ref<'a>, Damaged> {
        Ref::open_as(doc, false)
    }

    fn open_as(doc: &'a [u8], tight: bool) -> Result<Ref<'a>, Damaged> {
        let (ty, data) = doc.split_first().ok_or(Damaged)?;
        let r = Ref::take(*ty, data).ok_or(Damaged)?;
        if tight && r.data.len() != data.len() {
            return Err(Damaged);
        }
        r.check(1, tight).ok_or(Damaged)?;
        Ok(r)
    }

    /// The root of a document that was checked or made in this process; a damaged one reads as `null`.
    #[inline]
    pub fn trusted(doc: &'a [u8]) -> Ref<'a> {
        match doc.split_first() {
            Some((ty, data)) => Ref { ty: *ty, data },
            None => Ref { ty: LITERAL, data: &[0] },
        }
    }

    /// The value of a type that starts at `b`, cut to its length.
    pub(super) fn take(ty: u8, b: &'a [u8]) -> Option<Ref<'a>> {
        let n = match ty {
            SMALL_OBJECT | SMALL_ARRAY => le_at(b, 2, 2)?,
            LARGE_OBJECT | LARGE_ARRAY => le_at(b, 4, 4)?,
            LITERAL => 1,
            INT16 | UINT16 => 2,
            INT32 | UINT32 => 4,
            INT64 | UINT64 | DOUBLE => 8,
            STRING => {
                let (n, k) = var_len(b)?;
                n.checked_add(k)?
            }
            OPAQUE => {
                let (n, k) = var_len(b.get(1..)?)?;
                n.checked_add(k + 1)?
            }
            _ => return None,
        };
        Some(Ref { ty, data: b.get(..n)? })
    }

    fn check(self, depth: usize, tight: bool) -> Option<()> {
        if !is_container(self.ty) {
            return match self.ty {
                LITERAL => (*self.data.first()? <= 2).then_some(()),
                STRING => std::str::from_utf8(self.string()).ok().map(|_| ()),
                OPAQUE => self.check_opaque(),
                _ => Some(()),
            };
        }
        if depth > super::MAX_DEPTH {
            return None;
        }
        let (n, w) = (self.len(), self.wide().bytes());
        let header = 2 * w + n.checked_mul(self.entry_bytes())?;
        if header > self.data.len() {
            return None;
        }
        let mut last: Option<&[u8]> = None;
        // no gaps and no sharing: the parts make up the whole, which also bounds the work of this check
        let mut used = header;
        for i in 0..n {
            if self.is_object() {
                let (at, len) = self.key_place(i)?;
                let key = self.data.get(at..at.checked_add(len)?).filter(|_| at >= header)?;
                std::str::from_utf8(key).ok()?;
                if last.is_some_and(|l| super::order::compare_keys(l, key).is_ge()) {
                    return None;
                }
                last = Some(key);
                used += len;
            }
            let e = self.try_element(i, header)?;
            if !self.wide().inlines(e.ty) {
                used += e.data.len();
            }
            if used > self.data.len() {
                return None;
            }
            e.check(depth + 1, tight)?;
        }
        (!tight || used == self.data.len()).then_some(())
    }

    fn check_opaque(self) -> Option<()> {
        let (ty, b) = self.opaque();
        match ty {
            TYPE_DECIMAL => self.decimal().map(|_| ()),
            TYPE_DATE | TYPE_TIME | TYPE_DATETIME => (b.len() == 8).then_some(()),
            _ => Some(()),
        }
    }

    pub(super) fn wide(self) -> Wide {
        Wide(matches!(self.ty, LARGE_OBJECT | LARGE_ARRAY))
    }

    fn entry_bytes(self) -> usize {
        let w = self.wide().bytes();
        1 + w + if self.is_object() { w + 2 } else { 0 }
    }

    /// Whether this is an object.
    pub fn is_object(self) -> bool {
        self.ty <= LARGE_OBJECT
    }

    /// Whether this is an array.
    pub fn is_array(self) -> bool {
        matches!(self.ty, SMALL_ARRAY | LARGE_ARRAY)
    }

    /// Whether this is neither array nor object.
    pub fn is_scalar(self) -> bool {
        !is_container(self.ty)
    }

    /// Members or elements; 1 for a scalar (JSON_LENGTH).
    pub fn len(self) -> usize {
        if self.is_scalar() { 1 } else { le_at(self.data, 0, self.wide().bytes()).unwrap_or(0) }
    }

    /// An empty array or object.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    fn try_element(self, i: usize, header: usize) -> Option<Ref<'a>> {
        let w = self.wide();
        let n = self.len();
        if self.is_scalar() || i >= n {
            return None;
        }
        let keys = if self.is_object() { n * (w.bytes() + 2) } else { 0 };
        let at = 2 * w.bytes() + keys + i * (1 + w.bytes());
        let ty = *self.data.get(at)?;
        if w.inlines(ty) {
            return Ref::take(ty, self.data.get(at + 1..at + 1 + w.bytes())?);
        }
        let to = le_at(self.data, at + 1, w.bytes()).filter(|to| *to >= header)?;
        Ref::take(ty, self.data.get(to..)?)
    }

    /// Element `i` of an array, value of member `i` of an object.
    pub fn element(self, i: usize) -> Option<Ref<'a>> {
        self.try_element(i, 0)
    }

    /// Elements or member values in order; none for a scalar.
    pub fn elements(self) -> impl Iterator<Item = Ref<'a>> {
        let n = if self.is_scalar() { 0 } else { self.len() };
        (0..n).filter_map(move |i| self.element(i))
    }

    fn key_place(self, i: usize) -> Option<(usize, usize)> {
        let w = self.wide().bytes();
        let at = 2 * w + i * (w + 2);
        Some((le_at(self.data, at, w)?, le_at(self.data, at + w, 2)?))
    }

    /// Key of member `i` of an object.
    pub fn key(self, i: usize) -> Option<&'a [u8]> {
        if !self.is_object() || i >= self.len() {
            return None;
        }
        let (at, len) = self.key_place(i)?;
        self.data.get(at..at.checked_add(len)?)
    }

    /// Members of an object in the order of their keys.
    pub fn members(self) -> impl Iterator<Item = (&'a [u8], Ref<'a>)> {
        let n = if self.is_object() { self.len() } else { 0 };
        (0..n).filter_map(move |i| Some((self.key(i)?, self.element(i)?)))
    }

    /// Value of the member with a key.
    pub fn member(self, key: &[u8]) -> Option<Ref<'a>> {
        if !self.is_object() {
            return None;
        }
        let (mut lo, mut hi) = (0, self.len());
        while lo < hi {
            let mid = lo + (hi - lo) / 2;
            match super::order::compare_keys(self.key(mid)?, key) {
                std::cmp::Ordering::Less => lo = mid + 1,
                std::cmp::Ordering::Greater => hi = mid,
                std::cmp::Ordering::Equal => return self.element(mid),
            }
        }
        None
    }

    fn string(self) -> &'a [u8] {
        var_len(self.data).and_then(|(n, k)| self.data.get(k..k + n)).unwrap_or(&[])
    }

    fn opaque(self) -> (u8, &'a [u8]) {
        let Some((ty, rest)) = self.data.split_first() else { return (0, &[]) };
        (*ty, var_len(rest).and_then(|(n, k)| rest.get(k..k + n)).unwrap_or(&[]))
    }

    fn decimal(self) -> Option<Decimal> {
        let (precision, rest) = self.opaque().1.split_first()?;
        let (scale, b) = rest.split_first()?;
        if *precision > crate::decimal::MAX_PRECISION || scale > precision || *scale > crate::decimal::MAX_SCALE {
            return None;
        }
        if b.len() != crate::decimal::binary_size(*precision, *scale) {
            return None;
        }
        decode_binary(b, *precision, *scale)
    }

    /// What the value is.
    pub fn kind(self) -> Kind<'a> {
        match self.ty {
            SMALL_OBJECT | LARGE_OBJECT => Kind::Object,
            SMALL_ARRAY | LARGE_ARRAY => Kind::Array,
            LITERAL => match self.data.first() {
                Some(1) => Kind::Bool(true),
                Some(2) => Kind::Bool(false),
                _ => Kind::Null,
            },
            INT16 => Kind::Int(i64::from(le(self.data) as u16 as i16)),
            INT32 => Kind::Int(i64::from(le(self.data) as u32 as i32)),
            INT64 => Kind::Int(le(self.data) as i64),
            UINT16 | UINT32 | UINT64 => Kind::UInt(le(self.data)),
            DOUBLE => Kind::Double(f64::from_bits(le(self.data))),
            STRING => Kind::Str(self.string()),
            OPAQUE => match self.opaque() {
                (TYPE_DECIMAL, _) => self.decimal().map_or(Kind::Null, Kind::Decimal),
                (TYPE_DATE, b) => Kind::Date(date_of(le(b))),
                (TYPE_TIME, b) => Kind::Time(Time(le(b) as i64)),
                (TYPE_DATETIME, b) => Kind::DateTime(DateTime(le(b))),
                (ty, b) => Kind::Opaque(ty, b),
            },
            _ => Kind::Null,
        }
    }

    /// The string's bytes, if it is one.
    pub fn as_str(self) -> Option<&'a [u8]> {
        (self.ty == STRING).then(|| self.string())
    }

    /// A number of any kind as a double.
    pub fn number(self) -> Option<f64> {
        match self.kind() {
            Kind::Int(n) => Some(n as f64),
            Kind::UInt(n) => Some(n as f64),
            Kind::Double(f) => Some(f),
            Kind::Decimal(d) => Some(d.to_f64()),
            _ => None,
        }
    }

    /// Whether this is the JSON null literal.
    pub fn is_null(self) -> bool {
        self.ty == LITERAL && self.data.first() == Some(&0)
    }

    /// Bytes of the value as a document of its own (JSON_STORAGE_SIZE).
    pub fn document_size(self) -> usize {
        self.data.len() + 1
    }

    /// JSON_DEPTH: 1 for a scalar and an empty container.
    pub fn depth(self) -> usize {
        1 + self.elements().map(Ref::depth).max().unwrap_or(0)
    }

    /// JSON_TYPE's name.
    pub fn type_name(self) -> &'static str {
        match self.kind() {
            Kind::Null => "NULL",
            Kind::Bool(_) => "BOOLEAN",
            Kind::Int(_) => "INTEGER",
            Kind::UInt(_) => "UNSIGNED INTEGER",
            Kind::Double(_) => "DOUBLE",
            Kind::Decimal(_) => "DECIMAL",
            Kind::Str(_) => "STRING",
            Kind::Date(_) => "DATE",
            Kind::Time(_) => "TIME",
            Kind::DateTime(_) => "DATETIME",
            Kind::Opaque(t, _) if is_blob(t) => "BLOB",
            Kind::Opaque(TYPE_BIT, _) => "BIT",
            Kind::Opaque(..) => "OPAQUE",
            Kind::Array => "ARRAY",
            Kind::Object => "OBJECT",
        }
    }

    /// What tells the values of one document apart by their places.
    pub(super) fn place(self) -> (usize, usize) {
        (self.data.as_ptr() as usize, self.data.len() << 8 | usize::from(self.ty))
    }
}

/// A DATE, which has midnight behind it. Documents of the first servers have the day alone.
fn date_of(n: u64) -> Date {
    match u32::try_from(n) {
        Ok(day) => Date(day),
        Err(_) => DateTime(n).date(),
    }
}

/// Whether an opaque type counts as BLOB.
pub(super) fn is_blob(t: u8) -> bool {
    matches!(t, 15 | 249..=254)
}
