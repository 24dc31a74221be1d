//! Fixed-width values as bytes: one [`Codec`] per column, chosen once from its type.
//!
//! Every fixed type is first mapped to an unsigned integer of `width` bytes; rows store integers little-endian in
//! two's complement, keys store them big-endian with the sign bit flipped; temporals are big-endian and order-preserving
//! in both. DECIMAL has the same bytes in rows and keys.

use value::decimal::{binary_size, decode_binary, encode_binary};
use value::temporal::calendar::{civil_from_days, days_from_civil};
use value::{Date, DateTime, SqlType, Time, TypeKind, Value};

use super::RowError;

/// How a column's value is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Codec {
    /// Signed integer of so many bytes.
    Int(u8),
    /// Unsigned integer of so many bytes (also BIT, ENUM, SET).
    UInt(u8),
    /// YEAR: 0, or year - 1900 in one byte.
    Year,
    /// `f32`.
    Float,
    /// `f64`.
    Double,
    /// MySQL's binary decimal.
    Decimal {
        /// Digits.
        precision: u8,
        /// Digits after the point.
        scale: u8,
        /// Bytes.
        width: u8,
    },
    /// 3 bytes.
    Date,
    /// 3 + n bytes, n bytes of fraction.
    Time(u8),
    /// 5 + n bytes.
    DateTime(u8),
    /// 4 + n bytes: seconds since 1970 in UTC.
    Timestamp(u8),
    /// BINARY(n) of up to 255 bytes: exactly n bytes, padded with 0x00.
    Fixed(u8),
    /// Variable bytes; with `true` trailing spaces are not stored (CHAR).
    Var(bool),
    /// A JSON document, which is checked when it is read.
    Json,
    /// Not stored in rows of this layout: the value with this number of the layout's own.
    Filled(u16),
}

/// Units of microseconds per unit of an n-byte fraction.
const fn fraction_unit(bytes: u8) -> u32 {
    match bytes {
        0 => 1_000_000,
        1 => 10_000,
        2 => 100,
        _ => 1,
    }
}

impl Codec {
    /// For a column of this type.
    pub fn of(ty: &SqlType) -> Codec {
        let frac = ty.decimals.min(6).div_ceil(2);
        let int = |n| if ty.unsigned { Codec::UInt(n) } else { Codec::Int(n) };
        match ty.kind {
            TypeKind::TinyInt => int(1),
            TypeKind::SmallInt => int(2),
            TypeKind::MediumInt => int(3),
            TypeKind::Int => int(4),
            TypeKind::BigInt => int(8),
            TypeKind::Float => Codec::Float,
            TypeKind::Double => Codec::Double,
            TypeKind::Decimal => {
                let (precision, scale) = (ty.length.min(65) as u8, ty.decimals);
                Codec::Decimal { precision, scale, width: binary_size(precision, scale) as u8 }
            }
            TypeKind::Date => Codec::Date,
            TypeKind::Time => Codec::Time(frac),
            TypeKind::DateTime => Codec::DateTime(frac),
            TypeKind::Timestamp => Codec::Timestamp(frac),
            TypeKind::Year => Codec::Year,
            TypeKind::Bit => Codec::UInt(ty.length.clamp(1, 64).div_ceil(8) as u8),
            TypeKind::Enum => Codec::UInt(if ty.members.as_ref().is_some_and(|m| m.len() > 255) { 2 } else { 1 }),
            TypeKind::Set => {
                let n = ty.members.as_ref().map_or(64, |m| m.len()).max(1).div_ceil(8) as u8;
                Codec::UInt(if n > 4 { 8 } else { n })
            }
            TypeKind::Binary if ty.length <= 255 => Codec::Fixed(ty.length as u8),
            // their spaces are not bytes of their own: what is stored has none
            TypeKind::Char if ty.charset().is_wide() => Codec::Var(false),
            TypeKind::Char => Codec::Var(true),
            TypeKind::Json => Codec::Json,
            _ => Codec::Var(false),
        }
    }

    /// Bytes in a row or key; `None` for variable ones.
    pub const fn width(self) -> Option<usize> {
        Some(match self {
            Codec::Int(n) | Codec::UInt(n) | Codec::Fixed(n) => n as usize,
            Codec::Year => 1,
            Codec::Float => 4,
            Codec::Double => 8,
            Codec::Decimal { width, .. } => width as usize,
            Codec::Date => 3,
            Codec::Time(f) => 3 + f as usize,
            Codec::DateTime(f) => 5 + f as usize,
            Codec::Timestamp(f) => 4 + f as usize,
            Codec::Filled(_) => 0,
            Codec::Var(_) | Codec::Json => return None,
        })
    }

    /// Appends the row form of `v`, which must not be NULL; `Var` columns do not come here.
    pub fn put_row(self, v: Value<'_>, out: &mut Vec<u8>) -> Result<(), RowError> {
        match self {
            Codec::Int(w) => put_le(int_bits(v, w)?, w, out),
            Codec::UInt(w) => put_le(uint_bits(v, w)?, w, out),
            Codec::Year => out.push(year_byte(v)?),
            Codec::Float => out.extend_from_slice(&float_of(v)?.to_le_bytes()),
            Codec::Double => out.extend_from_slice(&double_of(v)?.to_le_bytes()),
            Codec::Decimal { precision, scale, .. } => put_decimal(v, precision, scale, out)?,
            Codec::Fixed(w) => {
                let s = v.as_bytes().ok_or(RowError::WrongType)?;
                let pad = (w as usize).checked_sub(s.len()).ok_or(RowError::OutOfRange)?;
                out.extend_from_slice(s);
                out.resize(out.len() + pad, 0);
            }
            Codec::Date | Codec::Time(_) | Codec::DateTime(_) | Codec::Timestamp(_) => self.put_temporal(v, out)?,
            Codec::Var(_) | Codec::Json | Codec::Filled(_) => return Err(RowError::WrongType),
        }
        Ok(())
    }

    /// Appends the key form of `v`, which must not be NULL; strings do not come here.
    pub fn put_key(self, v: Value<'_>, out: &mut Vec<u8>) -> Result<(), RowError> {
        match self {
            Codec::Int(w) => put_be(int_bits(v, w)? ^ (1 << (8 * w as u32 - 1)), w, out),
            Codec::UInt(w) => put_be(uint_bits(v, w)?, w, out),
            Codec::Year => out.push(year_byte(v)?),
            Codec::Float => {
                let b = (float_of(v)? + 0.0).to_bits();
                let b = if b >> 31 == 1 { !b } else { b | 1 << 31 };
                out.extend_from_slice(&b.to_be_bytes());
            }
            Codec::Double => {
                let b = (double_of(v)? + 0.0).to_bits();
                let b = if b >> 63 == 1 { !b } else { b | 1 << 63 };
                out.extend_from_slice(&b.to_be_bytes());
            }
            Codec::Decimal { precision, scale, .. } => put_decimal(v, precision, scale, out)?,
            Codec::Date | Codec::Time(_) | Codec::DateTime(_) | Codec::Timestamp(_) => self.put_temporal(v, out)?,
            Codec::Fixed(_) | Codec::Var(_) | Codec::Json | Codec::Filled(_) => return Err(RowError::WrongType),
        }
        Ok(())
    }

    fn put_temporal(self, v: Value<'_>, out: &mut Vec<u8>) -> Result<(), RowError> {
        match (self, v) {
            (Codec::Date, Value::Date(d)) => put_be(d.0 as u64, 3, out),
            (Codec::Time(f), Value::Time(t)) => {
                let a = t.0.unsigned_abs();
                let m = ((a >> 24) << (8 * f) | fraction(a as u32 & 0xff_ffff, f)?) as i64;
                let biased = (0x80_0000i64 << (8 * f)) + if t.0 < 0 { -m } else { m };
                put_be(biased as u64, 3 + f, out);
            }
            (Codec::DateTime(f), Value::DateTime(d)) => {
                put_be((d.0 >> 24) << (8 * f) | fraction(d.micro(), f)?, 5 + f, out);
            }
            (Codec::Timestamp(f), Value::DateTime(d)) => {
                let seconds = if d.is_zero() { 0 } else { unix_seconds(d) };
                let seconds = u32::try_from(seconds).map_err(|_| RowError::OutOfRange)?;
                put_be((seconds as u64) << (8 * f) | fraction(d.micro(), f)?, 4 + f, out);
            }
            _ => return Err(RowError::WrongType),
        }
        Ok(())
    }

    /// The value of a row's bytes (exactly [`Codec::width`] of them, or all of a variable column).
    #[inline]
    pub fn get_row<'a>(self, b: &'a [u8], arena: &'a bumpalo::Bump) -> Result<Value<'a>, RowError> {
        Ok(match self {
            Codec::Fixed(_) | Codec::Var(_) => Value::Str(b),
            Codec::Json => json(b)?,
            _ => return self.get_number(b, arena),
        })
    }

    /// The same with nothing borrowed from the bytes: strings are copied into the arena.
    #[inline]
    pub fn get_copied<'a>(self, b: &[u8], arena: &'a bumpalo::Bump) -> Result<Value<'a>, RowError> {
        Ok(match self {
            Codec::Fixed(_) | Codec::Var(_) => Value::Str(arena.alloc_slice_copy(b)),
            Codec::Json => json(b)?.copy_into(arena),
            _ => return self.get_number(b, arena),
        })
    }

    /// Numbers and temporals of a row.
    #[inline]
    fn get_number<'a>(self, b: &[u8], arena: &'a bumpalo::Bump) -> Result<Value<'a>, RowError> {
        Ok(match self {
            Codec::Int(_) => {
                let shift = 64 - 8 * b.len() as u32;
                Value::Int(((get_le(b) << shift) as i64) >> shift)
            }
            Codec::UInt(_) => Value::UInt(get_le(b)),
            Codec::Float => Value::Double(f32::from_bits(get_le(b) as u32) as f64),
            Codec::Double => Value::Double(f64::from_bits(get_le(b))),
            _ => return self.get_same(b, arena),
        })
    }

    /// The value of a key's bytes (exactly [`Codec::width`] of them, not inverted).
    pub fn get_key<'a>(self, b: &[u8], arena: &'a bumpalo::Bump) -> Result<Value<'a>, RowError> {
        Ok(match self {
            Codec::Int(w) => {
                let shift = 64 - 8 * w as u32;
                Value::Int((((get_be(b) ^ (1 << (8 * w as u32 - 1))) << shift) as i64) >> shift)
            }
            Codec::UInt(_) => Value::UInt(get_be(b)),
            Codec::Float => {
                let b = get_be(b) as u32;
                let b = if b >> 31 == 1 { b & !(1 << 31) } else { !b };
                Value::Double(f32::from_bits(b) as f64)
            }
            Codec::Double => {
                let b = get_be(b);
                let b = if b >> 63 == 1 { b & !(1 << 63) } else { !b };
                Value::Double(f64::from_bits(b))
            }
            Codec::Fixed(_) | Codec::Var(_) | Codec::Json => return Err(RowError::WrongType),
            _ => return self.get_same(b, arena),
        })
    }

    /// Types whose row and key forms are the same bytes.
    fn get_same<'a>(self, b: &[u8], arena: &'a bumpalo::Bump) -> Result<Value<'a>, RowError> {
        Ok(match self {
            Codec::Year => Value::UInt(match get_be(b) {
                0 => 0,
                n => n + 1900,
            }),
            Codec::Decimal { precision, scale, .. } => {
                let d = decode_binary(b, precision, scale).ok_or(RowError::Corrupt)?;
                Value::Decimal(arena.alloc(d))
            }
            Codec::Date => Value::Date(Date(get_be(b) as u32)),
            Codec::Time(f) => {
                let m = get_be(b) as i64 - (0x80_0000i64 << (8 * f));
                let a = m.unsigned_abs();
                let t = ((a >> (8 * f)) << 24 | micros(a, f)) as i64;
                Value::Time(Time(if m < 0 { -t } else { t }))
            }
            Codec::DateTime(f) => {
                let v = get_be(b);
                Value::DateTime(DateTime((v >> (8 * f)) << 24 | micros(v, f)))
            }
            Codec::Timestamp(f) => {
                let v = get_be(b);
                Value::DateTime(match v {
                    0 => DateTime::ZERO,
                    v => from_unix((v >> (8 * f)) as i64, micros(v, f) as u32),
                })
            }
            _ => return Err(RowError::WrongType),
        })
    }
}

/// A stored JSON document; `Corrupt` if it is none.
pub(crate) fn json(b: &[u8]) -> Result<Value<'_>, RowError> {
    value::json::Ref::open(b).map(|_| Value::Json(b)).map_err(|_| RowError::Corrupt)
}

/// Seconds since 1970 of a UTC civil time.
fn unix_seconds(d: DateTime) -> i64 {
    days_from_civil(d.year(), d.month(), d.day()) * 86_400 + (d.hour() * 3600 + d.minute() * 60 + d.second()) as i64
}

/// UTC civil time of seconds since 1970.
fn from_unix(seconds: i64, micro: u32) -> DateTime {
    let (y, m, d) = civil_from_days(seconds.div_euclid(86_400));
    let s = seconds.rem_euclid(86_400) as u32;
    DateTime::new(y, m, d, s / 3600, s / 60 % 60, s % 60, micro)
}

/// Microseconds as an n-byte fraction; digits below it must have been rounded away.
#[inline]
fn fraction(micro: u32, bytes: u8) -> Result<u64, RowError> {
    let unit = fraction_unit(bytes);
    if micro.is_multiple_of(unit) { Ok((micro / unit) as u64) } else { Err(RowError::OutOfRange) }
}

/// Inverse of [`fraction`] for the low bytes of `v`.
#[inline]
fn micros(v: u64, bytes: u8) -> u64 {
    if bytes == 0 { 0 } else { (v & ((1 << (8 * bytes)) - 1)) * fraction_unit(bytes) as u64 }
}

#[inline]
fn int_bits(v: Value<'_>, width: u8) -> Result<u64, RowError> {
    let n = match v {
        Value::Int(n) => n,
        Value::UInt(n) => i64::try_from(n).map_err(|_| RowError::OutOfRange)?,
        _ => return Err(RowError::WrongType),
    };
    let shift = 64 - 8 * width as u32;
    if (n << shift) >> shift == n { Ok(n as u64 & (u64::MAX >> shift)) } else { Err(RowError::OutOfRange) }
}

#[inline]
fn uint_bits(v: Value<'_>, width: u8) -> Result<u64, RowError> {
    let n = match v {
        Value::UInt(n) => n,
        Value::Int(n) => u64::try_from(n).map_err(|_| RowError::OutOfRange)?,
        _ => return Err(RowError::WrongType),
    };
    if n <= u64::MAX >> (64 - 8 * width as u32) { Ok(n) } else { Err(RowError::OutOfRange) }
}

fn year_byte(v: Value<'_>) -> Result<u8, RowError> {
    match uint_bits(v, 8)? {
        0 => Ok(0),
        n => n.checked_sub(1900).filter(|n| *n > 0).and_then(|n| u8::try_from(n).ok()).ok_or(RowError::OutOfRange),
    }
}

fn double_of(v: Value<'_>) -> Result<f64, RowError> {
    match v {
        Value::Double(d) => Ok(d),
        _ => Err(RowError::WrongType),
    }
}

fn float_of(v: Value<'_>) -> Result<f32, RowError> {
    let d = double_of(v)?;
    if (d as f32) as f64 == d { Ok(d as f32) } else { Err(RowError::OutOfRange) }
}

fn put_decimal(v: Value<'_>, precision: u8, scale: u8, out: &mut Vec<u8>) -> Result<(), RowError> {
    match v {
        Value::Decimal(d) => {
            let start = out.len();
            encode_binary(d, precision, scale, out).map_err(|_| RowError::OutOfRange)?;
            // The encoder rounds; a search constant with more digits than the column must not find its neighbour.
            if d.scale() > scale {
                let stored = out.get(start..).and_then(|b| decode_binary(b, precision, scale));
                if stored.is_none_or(|s| s != *d) {
                    out.truncate(start);
                    return Err(RowError::OutOfRange);
                }
            }
            Ok(())
        }
        _ => Err(RowError::WrongType),
    }
}

#[inline]
fn put_le(v: u64, width: u8, out: &mut Vec<u8>) {
    out.extend(v.to_le_bytes().iter().take(width as usize));
}

#[inline]
fn put_be(v: u64, width: u8, out: &mut Vec<u8>) {
    out.extend(v.to_be_bytes().iter().skip(8 - width as usize));
}

/// Up to 8 bytes, little-endian.
#[inline]
fn get_le(b: &[u8]) -> u64 {
    match *b {
        [a] => a as u64,
        [a, b] => u16::from_le_bytes([a, b]) as u64,
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) as u64,
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => b.iter().rev().fold(0, |v, &x| v << 8 | x as u64),
    }
}

/// Up to 8 bytes, big-endian.
#[inline]
fn get_be(b: &[u8]) -> u64 {
    match *b {
        [a, b, c, d] => u32::from_be_bytes([a, b, c, d]) as u64,
        [a, b, c, d, e, f, g, h] => u64::from_be_bytes([a, b, c, d, e, f, g, h]),
        _ => b.iter().fold(0, |v, &x| v << 8 | x as u64),
    }
}
