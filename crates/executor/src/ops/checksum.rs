//! CHECKSUM TABLE: MySQL's number.
//!
//! The sum (modulo 2^32) of a CRC-32 of every row, so that the order of rows does not matter. What is hashed is the row as MySQL's server
//! has it in memory: the bits that say which columns are NULL, then the columns one after the other, numbers and times in the bytes of
//! MySQL's row format (manual, "Data Type Storage Requirements"; internals manual, "Date and Time Data Type Representation"), CHAR filled
//! up, texts without their length. A column that is NULL counts as what it holds by default. Tested by golden `checksum`.

use base::{ErrorCode, SqlError, SqlResult};
use storage::dict::{ColumnDefault, TableDef};
use value::decimal::encode_binary;
use value::{DateTime, Decimal, SqlType, Time, TimeZone, TypeKind, Value, convert};

use crate::gate::Cleared;
use crate::rows::env::Env;

/// Checksum of the rows of a table: `plan` reads all of its columns in their order, in UTC.
///
/// # Errors
/// Those of the query.
pub fn checksum(plan: Cleared<'_>, def: &TableDef, env: &mut Env) -> SqlResult<u32> {
    let shape = NullBits::of(def);
    let mut sum = 0u32;
    let mut bytes = Vec::new();
    let mut beyond = None;
    crate::ops::select::each_value_row(plan, &[], env, &mut |row| {
        bytes.clear();
        shape.put(def, row, &mut bytes);
        for (v, c) in row.iter().zip(&def.columns) {
            let put = match (v, &c.default) {
                (Value::Null, ColumnDefault::Value(d)) => field(d.as_value(), &c.ty, &mut bytes),
                (Value::Null, ColumnDefault::Moment { utc, .. }) => field(Value::DateTime(*utc), &c.ty, &mut bytes),
                _ => field(*v, &c.ty, &mut bytes),
            };
            if put.is_none() {
                beyond = Some(c.name.clone());
                return Ok(false);
            }
        }
        sum = sum.wrapping_add(crc32fast::hash(&bytes));
        Ok(true)
    })?;
    match beyond {
        Some(name) => Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&"column", &name])),
        None => Ok(sum),
    }
}

/// The bits for NULL in front of a row.
struct NullBits {
    /// Number of the first one: MySQL marks deleted rows of tables with rows of fixed length in the first bit.
    first: usize,
    bytes: usize,
}

impl NullBits {
    fn of(def: &TableDef) -> NullBits {
        let varying = |t: &SqlType| {
            t.kind == TypeKind::Json || t.kind.is_lob() || matches!(t.kind, TypeKind::VarChar | TypeKind::VarBinary)
        };
        let dynamic = def.options.iter().any(|(k, v)| k == "ROW_FORMAT" && v == "DYNAMIC");
        let fixed = def.options.iter().any(|(k, v)| k == "ROW_FORMAT" && v == "FIXED");
        let long = |t: &SqlType| varying(t) && !(fixed && matches!(t.kind, TypeKind::VarChar | TypeKind::VarBinary));
        let first = usize::from(!(dynamic || def.columns.iter().any(|c| long(&c.ty))));
        let bits = first + def.columns.iter().filter(|c| c.ty.nullable).count();
        NullBits { first, bytes: bits.div_ceil(8) }
    }

    fn put(&self, def: &TableDef, row: &[Value<'_>], out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + self.bytes, 0);
        let Some(bits) = out.get_mut(start..) else { return };
        let mut n = self.first;
        // columns that are computed when they are read stand at the end
        for virtual_one in [false, true] {
            for (v, c) in row.iter().zip(&def.columns) {
                let computed = c.generated.as_ref().is_some_and(|g| !g.stored);
                if !c.ty.nullable || computed != virtual_one {
                    continue;
                }
                if v.is_null()
                    && let Some(b) = bits.get_mut(n / 8)
                {
                    *b |= 1 << (n % 8);
                }
                n += 1;
            }
        }
        // bits without meaning are set; where there is none in the last byte, all of it
        if let Some(last) = bits.last_mut() {
            *last |= (256u32 - (1 << (n % 8))) as u8;
        }
        if self.first == 1
            && let Some(b) = bits.first_mut()
        {
            *b |= 1;
        }
    }
}

/// Appends a column's bytes; `None` for a value that is none of the column's.
fn field(v: Value<'_>, ty: &SqlType, out: &mut Vec<u8>) -> Option<()> {
    let null = v.is_null();
    match ty.kind {
        TypeKind::TinyInt => out.extend(integer(v)?.to_le_bytes().get(..1)?),
        TypeKind::SmallInt => out.extend(integer(v)?.to_le_bytes().get(..2)?),
        TypeKind::MediumInt => out.extend(integer(v)?.to_le_bytes().get(..3)?),
        TypeKind::Int => out.extend(integer(v)?.to_le_bytes().get(..4)?),
        TypeKind::BigInt => out.extend(integer(v)?.to_le_bytes()),
        TypeKind::Year => out.push(match integer(v)? {
            0 => 0,
            y => u8::try_from(y.checked_sub(1900)?).ok()?,
        }),
        TypeKind::Enum => {
            let wide = ty.members.as_ref().is_some_and(|m| m.len() > 255);
            out.extend(integer(v)?.to_le_bytes().get(..if wide { 2 } else { 1 })?);
        }
        TypeKind::Set => {
            let bytes = ty.members.as_ref().map_or(1, |m| m.len().div_ceil(8));
            out.extend(integer(v)?.to_le_bytes().get(..if bytes > 4 { 8 } else { bytes.max(1) })?);
        }
        TypeKind::Float | TypeKind::Double => real(v, ty, out)?,
        TypeKind::Decimal => {
            let d = match v {
                Value::Decimal(d) => d,
                _ => &Decimal::ZERO,
            };
            encode_binary(d, ty.length as u8, ty.decimals, out).ok()?;
        }
        TypeKind::Date => out.extend(match v {
            Value::Date(d) => d.0.to_le_bytes().get(..3)?.to_vec(),
            _ => vec![0; 3],
        }),
        TypeKind::Time => time(if let Value::Time(t) = v { t } else { Time(0) }, ty.decimals, out),
        TypeKind::DateTime => {
            let d = if let Value::DateTime(d) = v { d } else { DateTime(0) };
            let whole = (d.0 >> 24) + 0x80_0000_0000;
            out.extend(whole.to_be_bytes().get(3..)?);
            fraction(d.micro(), ty.decimals, out);
        }
        TypeKind::Timestamp => {
            let d = if let Value::DateTime(d) = v { d } else { DateTime(0) };
            let seconds = if d.is_zero() { 0 } else { TimeZone::UTC.to_unix(d) };
            out.extend_from_slice(&u32::try_from(seconds).ok()?.to_be_bytes());
            fraction(d.micro(), ty.decimals, out);
        }
        TypeKind::Bit if null => out.extend(std::iter::repeat_n(0, ty.length.div_ceil(8) as usize)),
        TypeKind::Bit => {
            let bytes = integer(v)?.to_be_bytes();
            out.extend(bytes.get(8 - (ty.length.div_ceil(8) as usize).min(8)..)?);
        }
        TypeKind::Char | TypeKind::Binary => padded(v, ty, out),
        TypeKind::Json => {
            if null {
                // no document reads as the literal
                out.extend_from_slice(b"null");
            } else {
                convert::to_text(v, ty, out);
            }
        }
        _ => {
            if let Value::Str(s) = v {
                out.extend_from_slice(s);
            }
        }
    }
    Some(())
}

/// A text of fixed length with what fills it up.
fn padded(v: Value<'_>, ty: &SqlType, out: &mut Vec<u8>) {
    let start = out.len();
    if let Value::Str(s) = v {
        out.extend_from_slice(s);
    }
    let set = ty.charset();
    let (pad, width): (&[u8], usize) = match ty.kind {
        TypeKind::Binary => (b"\0", 1),
        _ if set.is_wide() => (set.space(), set.max_len() as usize),
        _ => (b" ", set.max_len() as usize),
    };
    let end = start + ty.length as usize * width;
    while out.len() < end {
        out.extend_from_slice(pad);
    }
}

/// The bytes of a FLOAT or DOUBLE.
fn real(v: Value<'_>, ty: &SqlType, out: &mut Vec<u8>) -> Option<()> {
    let d = match v {
        Value::Double(d) => d,
        Value::Null => 0.0,
        _ => return None,
    };
    if ty.kind == TypeKind::Float {
        out.extend_from_slice(&(d as f32).to_le_bytes());
    } else {
        out.extend_from_slice(&d.to_le_bytes());
    }
    Some(())
}

/// An integer's bits; NULL is 0.
fn integer(v: Value<'_>) -> Option<u64> {
    match v {
        Value::Int(n) => Some(n as u64),
        Value::UInt(n) => Some(n),
        Value::Null => Some(0),
        // BIT
        Value::Str(s) => s.iter().try_fold(0u64, |n, b| n.checked_mul(256).map(|n| n | u64::from(*b))),
        _ => None,
    }
}

/// The fraction of a DATETIME or TIMESTAMP.
fn fraction(micro: u32, decimals: u8, out: &mut Vec<u8>) {
    match decimals {
        0 => {}
        1 | 2 => out.push((micro / 10_000) as u8),
        3 | 4 => out.extend_from_slice(&((micro / 100) as u16).to_be_bytes()),
        _ => out.extend(micro.to_be_bytes().get(1..).unwrap_or(&[])),
    }
}

/// A TIME: with up to four digits whole seconds and fraction have their own sign.
fn time(t: Time, decimals: u8, out: &mut Vec<u8>) {
    let (whole, micro) = ((t.0 >> 24) + 0x80_0000, t.0 % (1 << 24));
    let put = |n: i64, bytes: usize, out: &mut Vec<u8>| out.extend(n.to_be_bytes().get(8 - bytes..).unwrap_or(&[]));
    match decimals {
        0 => put(whole, 3, out),
        1 | 2 => {
            put(whole, 3, out);
            put(micro / 10_000, 1, out);
        }
        3 | 4 => {
            put(whole, 3, out);
            put(micro / 100, 2, out);
        }
        _ => put(t.0 + 0x8000_0000_0000, 6, out),
    }
}
