//! Order of JSON values.
//!
//! Values of different types order by type: NULL, numbers, STRING, OBJECT, ARRAY, BOOLEAN, DATE, TIME, DATETIME, OPAQUE, BIT, BLOB.
//! Numbers compare exactly whatever their type (a double by its shortest decimal text); strings by bytes (utf8mb4_bin); arrays element
//! by element, the shorter first; objects by their number of members, then member by member (MySQL promises no more than that the
//! order is the same each time). [`compare`] and [`weights`] agree; `weights` compare with memcmp.

use std::cmp::Ordering;

use super::doc::{Kind, Ref, TYPE_BIT, is_blob};
use crate::number::format_f64;

/// Order of an object's keys: by length, then by bytes.
pub fn compare_keys(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Rank of a type; also the first byte of its weights. 0 ends lists.
fn rank(k: &Kind<'_>) -> u8 {
    match k {
        Kind::Null => 1,
        Kind::Int(_) | Kind::UInt(_) | Kind::Double(_) | Kind::Decimal(_) => 2,
        Kind::Str(_) => 3,
        Kind::Object => 4,
        Kind::Array => 5,
        Kind::Bool(_) => 6,
        Kind::Date(_) => 7,
        Kind::Time(_) => 8,
        Kind::DateTime(_) => 9,
        Kind::Opaque(t, _) if is_blob(*t) => 12,
        Kind::Opaque(TYPE_BIT, _) => 11,
        Kind::Opaque(..) => 10,
    }
}

/// Order of two values.
pub fn compare(a: Ref<'_>, b: Ref<'_>) -> Ordering {
    let (x, y) = (a.kind(), b.kind());
    match rank(&x).cmp(&rank(&y)) {
        Ordering::Equal => {}
        o => return o,
    }
    match (x, y) {
        (Kind::Int(x), Kind::Int(y)) => x.cmp(&y),
        (Kind::UInt(x), Kind::UInt(y)) => x.cmp(&y),
        (Kind::Int(x), Kind::UInt(y)) => i128::from(x).cmp(&i128::from(y)),
        (Kind::UInt(x), Kind::Int(y)) => i128::from(x).cmp(&i128::from(y)),
        (Kind::Double(x), Kind::Double(y)) => x.partial_cmp(&y).unwrap_or(Ordering::Equal),
        (Kind::Decimal(x), Kind::Decimal(y)) => x.cmp(&y),
        (Kind::Str(x), Kind::Str(y)) => x.cmp(y),
        (Kind::Bool(x), Kind::Bool(y)) => x.cmp(&y),
        (Kind::Date(x), Kind::Date(y)) => x.cmp(&y),
        (Kind::Time(x), Kind::Time(y)) => x.cmp(&y),
        (Kind::DateTime(x), Kind::DateTime(y)) => x.cmp(&y),
        (Kind::Opaque(t, x), Kind::Opaque(u, y)) => t.cmp(&u).then_with(|| x.cmp(y)),
        (Kind::Array, Kind::Array) => {
            let each = a.elements().zip(b.elements()).map(|(x, y)| compare(x, y)).find(|o| o.is_ne());
            each.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Kind::Object, Kind::Object) => a.len().cmp(&b.len()).then_with(|| {
            let member = |((k, x), (l, y))| compare_keys(k, l).then_with(|| compare(x, y));
            a.members().zip(b.members()).map(member).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        }),
        (Kind::Null, Kind::Null) => Ordering::Equal,
        // numbers of two types
        (x, y) => {
            let (mut p, mut q) = (Vec::new(), Vec::new());
            number(&x, &mut p);
            number(&y, &mut q);
            p.cmp(&q)
        }
    }
}

/// Appends bytes whose memcmp order is [`compare`]'s; no value's weights are a prefix of another's.
pub fn weights(r: Ref<'_>, out: &mut Vec<u8>) {
    let k = r.kind();
    out.push(rank(&k));
    match k {
        Kind::Null => {}
        Kind::Bool(b) => out.push(u8::from(b)),
        Kind::Int(_) | Kind::UInt(_) | Kind::Double(_) | Kind::Decimal(_) => number(&k, out),
        Kind::Str(s) => bytes(s, out),
        Kind::Date(d) => out.extend_from_slice(&d.0.to_be_bytes()),
        Kind::Time(t) => out.extend_from_slice(&((t.0 as u64) ^ 1 << 63).to_be_bytes()),
        Kind::DateTime(d) => out.extend_from_slice(&d.0.to_be_bytes()),
        Kind::Opaque(t, b) => {
            out.push(t);
            bytes(b, out);
        }
        Kind::Array => {
            r.elements().for_each(|e| weights(e, out));
            out.push(0);
        }
        Kind::Object => {
            out.extend_from_slice(&(r.len() as u32).to_be_bytes());
            for (k, v) in r.members() {
                out.extend_from_slice(&(k.len() as u16).to_be_bytes());
                out.extend_from_slice(k);
                weights(v, out);
            }
        }
    }
}

fn bytes(s: &[u8], out: &mut Vec<u8>) {
    for &b in s {
        out.push(b);
        if b == 0 {
            out.push(0xff);
        }
    }
    out.extend_from_slice(&[0, 0]);
}

/// A number as sign, exponent, digits; those of negative numbers inverted.
fn number(k: &Kind<'_>, out: &mut Vec<u8>) {
    let mut text = Vec::with_capacity(32);
    match k {
        Kind::Int(n) => crate::number::format_i64(*n, &mut text),
        Kind::UInt(n) => crate::number::format_u64(*n, &mut text),
        Kind::Double(f) => format_f64(*f, &mut text),
        Kind::Decimal(d) => d.format(&mut text),
        _ => {}
    }
    let (negative, text) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        _ => (false, text.as_slice()),
    };
    let (mantissa, exponent) = match text.iter().position(|b| matches!(b, b'e' | b'E')) {
        Some(at) => {
            let e = text.get(at + 1..).and_then(|e| std::str::from_utf8(e).ok()).and_then(|e| e.parse::<i32>().ok());
            (text.get(..at).unwrap_or(text), e.unwrap_or(0))
        }
        None => (text, 0),
    };
    let point = mantissa.iter().position(|b| *b == b'.').unwrap_or(mantissa.len());
    let digits: Vec<u8> = mantissa.iter().copied().filter(u8::is_ascii_digit).collect();
    let zeros = digits.iter().take_while(|d| **d == b'0').count();
    let end = digits.iter().rposition(|d| *d != b'0').map_or(0, |p| p + 1);
    let Some(significant) = digits.get(zeros..end).filter(|d| !d.is_empty()) else {
        out.push(1);
        return;
    };
    let exponent = exponent + point as i32 - zeros as i32;
    out.push(if negative { 0 } else { 2 });
    let at = out.len();
    out.extend_from_slice(&((exponent + 0x4000) as u16).to_be_bytes());
    out.extend_from_slice(significant);
    out.push(0);
    if negative {
        out.iter_mut().skip(at).for_each(|b| *b = !*b);
    }
}
