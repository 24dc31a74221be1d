//! Types of columns as TABLE_MAP names them, and how row images hold their values.
//!
//! | type | number, metadata | value |
//! |---|---|---|
//! | TINYINT ... BIGINT | 1, 2, 9, 3, 8 | little-endian; whether it is unsigned stands in the optional metadata only |
//! | FLOAT, DOUBLE | 4, 5; bytes u8 | little-endian |
//! | DECIMAL | 246; digits u8, scale u8 | MySQL's binary decimal |
//! | YEAR | 13 | u8: 0, or the year less 1900 |
//! | DATE | 10 | 3 bytes: day, month << 5, year << 9 |
//! | TIME, DATETIME, TIMESTAMP | 19, 18, 17; digits u8 | 3, 5, 4 bytes and the fraction, big-endian |
//! | VARCHAR, VARBINARY | 15; bytes u16 | length u8, or u16 where 255 bytes may be too few |
//! | CHAR, BINARY | 254; see [`WireType::metadata`] | the same; without spaces (zero bytes) at the end |
//! | ENUM, SET | 254; number 247 or 248, bytes | number of the member, or bits |
//! | TEXT, BLOB; JSON | 252, 245; bytes of the length u8 | length, bytes |
//! | BIT | 16; bits % 8 u8, bits / 8 u8 | big-endian |
//!
//! A JSON value is a document as [`value::json`] encodes it, which is MySQL's own encoding. Source: MySQL's
//! documentation of Table_map_event.

use crate::le::{Reader, put, put_be};
use crate::wire_time::{put_datetime, put_time, put_timestamp, take_datetime, take_time, take_timestamp};
use crate::{Malformed, Result};
use value::decimal::{Decimal, binary_size, decode_binary, encode_binary};
use value::{Date, DateTime, OwnedValue, SqlType, Time, TypeKind, Value};

/// A column's type on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WireType {
    /// Integer of 1, 2, 3, 4 or 8 bytes; the sign is not part of the type.
    Int(u8),
    /// FLOAT
    Float,
    /// DOUBLE
    Double,
    /// DECIMAL: digits, scale.
    Decimal(u8, u8),
    /// YEAR
    Year,
    /// DATE
    Date,
    /// TIME with so many digits of fraction.
    Time(u8),
    /// DATETIME with so many digits of fraction.
    DateTime(u8),
    /// TIMESTAMP with so many digits of fraction; values are in UTC.
    Timestamp(u8),
    /// VARCHAR and VARBINARY of so many bytes.
    VarChar(u16),
    /// CHAR and BINARY of so many bytes, at most 1,023.
    Char(u16),
    /// ENUM in 1 or 2 bytes.
    Enum(u8),
    /// SET in 1, 2, 3, 4 or 8 bytes.
    Set(u8),
    /// TEXT and BLOB with a length of 1 to 4 bytes.
    Blob(u8),
    /// JSON, whose length has 4 bytes.
    Json,
    /// GEOMETRY with a length of 1 to 4 bytes.
    Geometry(u8),
    /// BIT of so many bits.
    Bit(u8),
}

const VARCHAR: u8 = 15;
const STRING: u8 = 254;
const ENUM: u8 = 247;
const SET: u8 = 248;

impl WireType {
    /// Of a column of this type.
    pub fn of(ty: &SqlType) -> WireType {
        let fsp = ty.decimals.min(6);
        let members = ty.members.as_ref().map_or(0, |m| m.len());
        match ty.kind {
            TypeKind::TinyInt => WireType::Int(1),
            TypeKind::SmallInt => WireType::Int(2),
            TypeKind::MediumInt => WireType::Int(3),
            TypeKind::Int => WireType::Int(4),
            TypeKind::BigInt => WireType::Int(8),
            TypeKind::Float => WireType::Float,
            TypeKind::Double => WireType::Double,
            TypeKind::Decimal => WireType::Decimal(ty.length.min(65) as u8, ty.decimals),
            TypeKind::Date => WireType::Date,
            TypeKind::Time => WireType::Time(fsp),
            TypeKind::DateTime => WireType::DateTime(fsp),
            TypeKind::Timestamp => WireType::Timestamp(fsp),
            TypeKind::Year => WireType::Year,
            TypeKind::Bit => WireType::Bit(ty.length.clamp(1, 64) as u8),
            TypeKind::Enum => WireType::Enum(if members > 255 { 2 } else { 1 }),
            TypeKind::Set => {
                let n = members.max(1).div_ceil(8) as u8;
                WireType::Set(if n > 4 { 8 } else { n })
            }
            TypeKind::Char | TypeKind::Binary => WireType::Char(ty.max_bytes().min(1023) as u16),
            TypeKind::TinyText | TypeKind::TinyBlob => WireType::Blob(1),
            TypeKind::Text | TypeKind::Blob => WireType::Blob(2),
            TypeKind::MediumText | TypeKind::MediumBlob => WireType::Blob(3),
            TypeKind::LongText | TypeKind::LongBlob => WireType::Blob(4),
            TypeKind::Json => WireType::Json,
            TypeKind::VarChar | TypeKind::VarBinary | TypeKind::Null => {
                WireType::VarChar(ty.max_bytes().min(0xffff) as u16)
            }
        }
    }

    /// Its number in TABLE_MAP.
    pub const fn code(self) -> u8 {
        match self {
            WireType::Int(1) => 1,
            WireType::Int(2) => 2,
            WireType::Int(3) => 9,
            WireType::Int(4) => 3,
            WireType::Int(_) => 8,
            WireType::Float => 4,
            WireType::Double => 5,
            WireType::Decimal(..) => 246,
            WireType::Year => 13,
            WireType::Date => 10,
            WireType::Time(_) => 19,
            WireType::DateTime(_) => 18,
            WireType::Timestamp(_) => 17,
            WireType::VarChar(_) => VARCHAR,
            WireType::Char(_) | WireType::Enum(_) | WireType::Set(_) => STRING,
            WireType::Blob(_) => 252,
            WireType::Json => 245,
            WireType::Geometry(_) => 255,
            WireType::Bit(_) => 16,
        }
    }

    /// Appends its metadata. CHAR and BINARY: the first byte holds bits 8 and 9 of the length, inverted, in its bits 4
    /// and 5; so CHAR(255) in utf8mb4, 1,020 bytes, is `0xce 0xfc`.
    pub fn metadata(self, out: &mut Vec<u8>) {
        match self {
            WireType::Int(_) | WireType::Year | WireType::Date => (),
            WireType::Float => out.push(4),
            WireType::Double => out.push(8),
            WireType::Decimal(digits, scale) => out.extend([digits, scale]),
            WireType::Time(n) | WireType::DateTime(n) | WireType::Timestamp(n) => out.push(n),
            WireType::VarChar(n) => out.extend(n.to_le_bytes()),
            WireType::Char(n) => out.extend([STRING ^ ((n >> 4) & 0x30) as u8, n as u8]),
            WireType::Enum(n) => out.extend([ENUM, n]),
            WireType::Set(n) => out.extend([SET, n]),
            WireType::Blob(n) | WireType::Geometry(n) => out.push(n),
            WireType::Json => out.push(4),
            WireType::Bit(n) => out.extend([n % 8, n / 8]),
        }
    }

    /// From its number and the metadata, which is taken off.
    pub(crate) fn take(code: u8, meta: &mut Reader<'_>) -> Result<WireType> {
        let length = |n: u8| (1..=4).contains(&n).then_some(n).ok_or(Malformed("a length of more than four bytes"));
        let fsp = |n: u8| (n <= 6).then_some(n).ok_or(Malformed("more than six digits of a second"));
        Ok(match code {
            1 => WireType::Int(1),
            2 => WireType::Int(2),
            9 => WireType::Int(3),
            3 => WireType::Int(4),
            8 => WireType::Int(8),
            4 => meta.u8().map(|_| WireType::Float)?,
            5 => meta.u8().map(|_| WireType::Double)?,
            246 => {
                let (digits, scale) = (meta.u8()?, meta.u8()?);
                if digits == 0 || digits > 65 || scale > 30 || scale > digits {
                    return Err(Malformed("a DECIMAL that cannot be"));
                }
                WireType::Decimal(digits, scale)
            }
            13 => WireType::Year,
            10 | 14 => WireType::Date,
            19 => WireType::Time(fsp(meta.u8()?)?),
            18 => WireType::DateTime(fsp(meta.u8()?)?),
            17 => WireType::Timestamp(fsp(meta.u8()?)?),
            VARCHAR => WireType::VarChar(meta.u16()?),
            STRING => WireType::string(meta.u8()?, meta.u8()?)?,
            252 => WireType::Blob(length(meta.u8()?)?),
            245 => length(meta.u8()?).map(|_| WireType::Json)?,
            255 => WireType::Geometry(length(meta.u8()?)?),
            16 => {
                let bits = u16::from(meta.u8()?) + 8 * u16::from(meta.u8()?);
                if !(1..=64).contains(&bits) {
                    return Err(Malformed("a BIT that cannot be"));
                }
                WireType::Bit(bits as u8)
            }
            _ => return Err(Malformed("an unknown type of a column")),
        })
    }

    fn string(first: u8, second: u8) -> Result<WireType> {
        match first {
            ENUM if matches!(second, 1 | 2) => Ok(WireType::Enum(second)),
            SET if matches!(second, 1..=4 | 8) => Ok(WireType::Set(second)),
            _ if first & !0x30 == STRING & !0x30 => {
                Ok(WireType::Char(u16::from(!first & 0x30) << 4 | u16::from(second)))
            }
            _ => Err(Malformed("an unknown type of a string")),
        }
    }

    /// Whether numbers of this type may be signed or not: the optional metadata has a bit for such columns.
    pub const fn is_numeric(self) -> bool {
        matches!(self, WireType::Int(_) | WireType::Float | WireType::Double | WireType::Decimal(..) | WireType::Year)
    }

    /// Appends a value that is not NULL. A value of another kind than the type's (the executor has converted it) is
    /// written as zero, so that the image stays readable; a string is cut at the type's length.
    pub fn put(self, v: Value<'_>, out: &mut Vec<u8>) {
        match self {
            WireType::Int(n) => put(out, bits(v), n as usize),
            WireType::Enum(n) | WireType::Set(n) => put(out, bits(v), n as usize),
            WireType::Float => out.extend_from_slice(&(double(v) as f32).to_le_bytes()),
            WireType::Double => out.extend_from_slice(&double(v).to_le_bytes()),
            WireType::Year => out.push((bits(v) as i64).checked_sub(1900).filter(|y| *y >= 0).unwrap_or(0) as u8),
            WireType::Decimal(digits, scale) => {
                let fits = matches!(v, Value::Decimal(d) if encode_binary(d, digits, scale, out).is_ok());
                if !fits {
                    let _ = encode_binary(&Decimal::ZERO, digits, scale, out);
                }
            }
            WireType::Date => put(out, u64::from(date(v).0), 3),
            WireType::Time(fsp) => put_time(if let Value::Time(t) = v { t } else { Time::ZERO }, fsp, out),
            WireType::DateTime(fsp) => put_datetime(moment(v), fsp, out),
            WireType::Timestamp(fsp) => put_timestamp(moment(v), fsp, out),
            WireType::VarChar(max) | WireType::Char(max) => {
                let s = cut(v, usize::from(max));
                put(out, s.len() as u64, if max > 255 { 2 } else { 1 });
                out.extend_from_slice(s);
            }
            WireType::Blob(n) | WireType::Geometry(n) => put_long(cut(v, usize::MAX), n, out),
            WireType::Json => put_long(cut(v, usize::MAX), 4, out),
            WireType::Bit(n) => put_be(out, bits(v), usize::from(n).div_ceil(8)),
        }
    }

    /// Takes a value off the front of an image. `unsigned` says how integers are to be read.
    pub(crate) fn take_value(self, unsigned: bool, r: &mut Reader<'_>) -> Result<OwnedValue> {
        Ok(match self {
            WireType::Int(n) if unsigned => OwnedValue::UInt(r.uint(n as usize)?),
            WireType::Int(n) => {
                let unused = 64 - 8 * u32::from(n);
                OwnedValue::Int((r.uint(n as usize)? << unused) as i64 >> unused)
            }
            WireType::Enum(n) | WireType::Set(n) => OwnedValue::UInt(r.uint(n as usize)?),
            WireType::Float => OwnedValue::Double(f64::from(f32::from_bits(r.u32()?))),
            WireType::Double => OwnedValue::Double(f64::from_bits(r.u64()?)),
            WireType::Year => OwnedValue::UInt(match r.u8()? {
                0 => 0,
                y => u64::from(y) + 1900,
            }),
            WireType::Decimal(digits, scale) => {
                let b = r.bytes(binary_size(digits, scale))?;
                let d = decode_binary(b, digits, scale).ok_or(Malformed("digits of a DECIMAL that cannot be"))?;
                OwnedValue::Decimal(Box::new(d))
            }
            WireType::Date => OwnedValue::Date(Date(r.uint(3)? as u32)),
            WireType::Time(fsp) => OwnedValue::Time(take_time(fsp, r)?),
            WireType::DateTime(fsp) => OwnedValue::DateTime(take_datetime(fsp, r)?),
            WireType::Timestamp(fsp) => OwnedValue::DateTime(take_timestamp(fsp, r)?),
            WireType::VarChar(max) | WireType::Char(max) => {
                let n = r.uint(if max > 255 { 2 } else { 1 })? as usize;
                OwnedValue::Str(r.bytes(n)?.into())
            }
            WireType::Blob(n) | WireType::Geometry(n) => {
                let n = r.uint(n as usize)? as usize;
                OwnedValue::Str(r.bytes(n)?.into())
            }
            WireType::Json => {
                let n = r.u32()? as usize;
                let doc = r.bytes(n)?;
                if doc.is_empty() { OwnedValue::Json(doc.into()) } else { OwnedValue::Json(document(doc)?.into()) }
            }
            WireType::Bit(n) => OwnedValue::UInt(r.be(usize::from(n).div_ceil(8))?),
        })
    }
}

/// A JSON document as it came, without gaps: MySQL changes documents in place.
pub(crate) fn document(bytes: &[u8]) -> Result<Vec<u8>> {
    match value::json::Ref::open(bytes) {
        Ok(_) => Ok(bytes.to_vec()),
        Err(_) => value::json::without_gaps(bytes).ok_or(Malformed("a JSON document that is none")),
    }
}

fn bits(v: Value<'_>) -> u64 {
    match v {
        Value::Int(n) => n as u64,
        Value::UInt(n) => n,
        _ => 0,
    }
}

fn double(v: Value<'_>) -> f64 {
    if let Value::Double(f) = v { f } else { 0.0 }
}

fn date(v: Value<'_>) -> Date {
    if let Value::Date(d) = v { d } else { Date::ZERO }
}

fn moment(v: Value<'_>) -> DateTime {
    if let Value::DateTime(d) = v { d.shown() } else { DateTime::ZERO }
}

fn cut(v: Value<'_>, max: usize) -> &[u8] {
    let s = v.stored_bytes().unwrap_or_default();
    s.get(..max).unwrap_or(s)
}

fn put_long(s: &[u8], bytes: u8, out: &mut Vec<u8>) {
    put(out, s.len() as u64, bytes as usize);
    out.extend_from_slice(s);
}
