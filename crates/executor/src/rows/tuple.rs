//! Tuples: rows of values as bytes, for slots that are not rows of a base table.
//!
//! `[end offset of column i, u32 le] x n` then the columns' bytes: a tag and the payload. Any column is reached without reading the others. Only
//! in memory, never on disk.

use bumpalo::Bump;
use value::decimal::MAX_SCALE;
use value::{Date, DateTime, Decimal, Time, Value};

const NULL: u8 = 0;
const INT: u8 = 1;
const UINT: u8 = 2;
const DOUBLE: u8 = 3;
const DECIMAL: u8 = 4;
const STR: u8 = 5;
const DATE: u8 = 6;
const DATETIME: u8 = 7;
const TIME: u8 = 8;
const JSON: u8 = 9;

/// Starts a tuple of `n` columns at the end of `out`; returns where it starts.
pub fn begin(n: usize, out: &mut Vec<u8>) -> usize {
    let at = out.len();
    out.resize(at + 4 * n, 0);
    at
}

/// Appends column `i` of the tuple of `n` columns that [`begin`] started at `at`. Columns must come in order.
pub fn put(at: usize, n: usize, i: usize, v: Value<'_>, out: &mut Vec<u8>) {
    match v {
        Value::Null => out.push(NULL),
        Value::Int(x) => put8(INT, &x.to_le_bytes(), out),
        Value::UInt(x) => put8(UINT, &x.to_le_bytes(), out),
        Value::Double(x) => put8(DOUBLE, &x.to_le_bytes(), out),
        Value::Decimal(d) => {
            out.push(DECIMAL);
            match d.to_i128().filter(|_| d.scale() <= MAX_SCALE) {
                Some(c) => {
                    out.push(d.scale());
                    out.extend_from_slice(&c.to_le_bytes());
                }
                None => {
                    out.push(255);
                    d.format(out);
                }
            }
        }
        Value::Str(s) => {
            out.push(STR);
            out.extend_from_slice(s);
        }
        Value::Date(d) => put8(DATE, &d.0.to_le_bytes(), out),
        Value::DateTime(d) => put8(DATETIME, &d.0.to_le_bytes(), out),
        Value::Time(t) => put8(TIME, &t.0.to_le_bytes(), out),
        Value::Json(d) => {
            out.push(JSON);
            out.extend_from_slice(d);
        }
    }
    let end = (out.len() - at - 4 * n) as u32;
    if let Some(slot) = out.get_mut(at + 4 * i..at + 4 * i + 4) {
        slot.copy_from_slice(&end.to_le_bytes());
    }
}

fn put8(tag: u8, b: &[u8], out: &mut Vec<u8>) {
    out.push(tag);
    out.extend_from_slice(b);
}

fn offset(t: &[u8], i: usize) -> usize {
    t.get(4 * i..4 * i + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes) as usize
}

fn le<const N: usize>(b: &[u8]) -> [u8; N] {
    b.try_into().unwrap_or([0; N])
}

/// Column `i` of a tuple of `n` columns; strings are borrowed from the tuple.
pub fn get<'a>(t: &'a [u8], n: usize, i: usize, arena: &'a Bump) -> Value<'a> {
    if i >= n {
        return Value::Null;
    }
    let start = if i == 0 { 0 } else { offset(t, i - 1) };
    let b = t.get(4 * n + start..4 * n + offset(t, i)).unwrap_or(&[]);
    let Some((tag, b)) = b.split_first() else { return Value::Null };
    match *tag {
        INT => Value::Int(i64::from_le_bytes(le(b))),
        UINT => Value::UInt(u64::from_le_bytes(le(b))),
        DOUBLE => Value::Double(f64::from_le_bytes(le(b))),
        DECIMAL => {
            let d = match b.split_first() {
                Some((255, text)) => Decimal::parse(text).unwrap_or(Decimal::ZERO),
                Some((scale, c)) => Decimal::from_i128(i128::from_le_bytes(le(c)), *scale),
                None => Decimal::ZERO,
            };
            Value::Decimal(arena.alloc(d))
        }
        STR => Value::Str(b),
        DATE => Value::Date(Date(u32::from_le_bytes(le(b)))),
        DATETIME => Value::DateTime(DateTime(u64::from_le_bytes(le(b)))),
        TIME => Value::Time(Time(i64::from_le_bytes(le(b)))),
        JSON => Value::Json(b),
        _ => Value::Null,
    }
}

/// Encodes a whole tuple for expressions to read: without what only storage asks of a TIMESTAMP ([`DateTime::later`]).
pub fn encode_shown(values: &[Value<'_>], out: &mut Vec<u8>) {
    let at = begin(values.len(), out);
    for (i, v) in values.iter().enumerate() {
        put(at, values.len(), i, v.shown(), out);
    }
}

/// Encodes a whole tuple.
pub fn encode(values: &[Value<'_>], out: &mut Vec<u8>) {
    let at = begin(values.len(), out);
    for (i, v) in values.iter().enumerate() {
        put(at, values.len(), i, *v, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        let arena = Bump::new();
        let d = Decimal::from_i128(-12345, 2);
        let values =
            [Value::Null, Value::Int(-3), Value::Str(b"abc"), Value::Decimal(&d), Value::Str(b""), Value::UInt(7)];
        let mut t = Vec::new();
        encode(&values, &mut t);
        let back: Vec<Value<'_>> = (0..6).map(|i| get(&t, 6, i, &arena)).collect();
        assert_eq!(format!("{back:?}"), format!("{values:?}"));
    }
}
