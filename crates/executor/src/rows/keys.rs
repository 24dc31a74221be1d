//! Comparable bytes of values: for sorting, grouping, DISTINCT and hash joins.
//!
//! [`put`] gives bytes whose memcmp order is the order of the values of one static type (NULL first); equal values give
//! equal bytes. [`put_compared`] gives bytes that are equal exactly when a [`Comparator`] calls the values equal.

use value::compare::ComparisonKind;

use value::{CollationId, ConvCtx, DateTime, SqlType, TypeKind, Value, convert};

/// Appends the sort key of a value; `desc` inverts its order.
pub fn put(v: Value<'_>, ty: &SqlType, desc: bool, out: &mut Vec<u8>) {
    let start = out.len();
    match v {
        Value::Null => out.push(0),
        Value::Int(n) => int(n, out),
        Value::UInt(n) => uint(n, out),
        Value::Double(d) => double(d, out),
        Value::Decimal(d) => {
            out.push(1);
            value::decimal::sort_key(d, out);
        }
        Value::Str(s) => {
            out.push(1);
            let c = if ty.is_character() { ty.collation } else { CollationId::BINARY };
            string(s, c, out);
        }
        Value::Json(d) => {
            out.push(1);
            value::json::order::weights(value::json::Ref::trusted(d), out);
        }
        Value::Date(d) => {
            out.push(1);
            out.extend_from_slice(&d.0.to_be_bytes());
        }
        Value::DateTime(d) => {
            out.push(1);
            out.extend_from_slice(&d.0.to_be_bytes());
        }
        Value::Time(t) => {
            out.push(1);
            out.extend_from_slice(&((t.0 as u64) ^ (1 << 63)).to_be_bytes());
        }
    }
    if desc {
        for b in out.iter_mut().skip(start) {
            *b = !*b;
        }
    }
}

/// Part `i` of a key of `n`: [`put`], but a string that comes last needs no end mark.
pub fn put_part((i, n): (usize, usize), v: Value<'_>, ty: &SqlType, desc: bool, out: &mut Vec<u8>) {
    if i + 1 == n { put_last(v, ty, desc, out) } else { put(v, ty, desc, out) }
}

fn put_last(v: Value<'_>, ty: &SqlType, desc: bool, out: &mut Vec<u8>) {
    match v {
        Value::Str(s) if !desc => {
            out.push(1);
            let c = if ty.is_character() { ty.collation } else { CollationId::BINARY };
            let collation = c.get();
            let s = if collation.pad_space && !collation.pads_itself() { trim_spaces(s) } else { s };
            if c == CollationId::BINARY { out.extend_from_slice(s) } else { collation.sort_key(s, out) }
        }
        v => put(v, ty, desc, out),
    }
}

fn int(n: i64, out: &mut Vec<u8>) {
    out.push(1);
    out.push(u8::from(n >= 0));
    out.extend_from_slice(&(n as u64).to_be_bytes());
}

fn uint(n: u64, out: &mut Vec<u8>) {
    out.push(1);
    out.push(1);
    out.extend_from_slice(&n.to_be_bytes());
}

fn double(d: f64, out: &mut Vec<u8>) {
    out.push(1);
    let b = (d + 0.0).to_bits();
    let b = if b >> 63 == 1 { !b } else { b | 1 << 63 };
    out.extend_from_slice(&b.to_be_bytes());
}

fn string(s: &[u8], c: CollationId, out: &mut Vec<u8>) {
    let mut key = Vec::with_capacity(s.len() * 2);
    let collation = c.get();
    let s = if collation.pad_space && !collation.pads_itself() { trim_spaces(s) } else { s };
    if c == CollationId::BINARY {
        key.extend_from_slice(s);
    } else {
        collation.sort_key(s, &mut key);
    }
    for b in key {
        out.push(b);
        if b == 0 {
            out.push(0xff);
        }
    }
    out.extend_from_slice(&[0, 0]);
}

fn trim_spaces(s: &[u8]) -> &[u8] {
    let n = s.iter().rev().take_while(|b| **b == b' ').count();
    s.get(..s.len() - n).unwrap_or(s)
}

/// Appends bytes for an equality test under a comparison domain; `false` for NULL (equal to nothing).
pub fn put_compared(v: Value<'_>, ty: &SqlType, kind: ComparisonKind, ctx: &mut ConvCtx, out: &mut Vec<u8>) -> bool {
    if v.is_null() {
        return false;
    }
    match kind {
        ComparisonKind::Int => match v {
            Value::Int(n) => int(n, out),
            Value::UInt(n) => uint(n, out),
            _ => int(convert::to_i64(v, ty, ctx), out),
        },
        ComparisonKind::Decimal => {
            let d = convert::to_decimal(v, ty, ctx);
            put(Value::Decimal(&d), ty, false, out);
        }
        ComparisonKind::Double => {
            let before = ctx.warned();
            double(convert::to_f64(v, ty, ctx), out);
            // TEXT and BLOB columns are no numbers without a word ([`crate::eval::numbers`])
            if ty.kind.is_lob() {
                ctx.forget_since(before);
            }
        }
        ComparisonKind::String(c) => {
            out.push(1);
            match v {
                Value::Str(s) => string(s, c, out),
                _ => {
                    let mut text = Vec::new();
                    convert::to_text(v, ty, &mut text);
                    string(&text, c, out);
                }
            }
        }
        ComparisonKind::Json => {
            let mut d = Vec::new();
            if value::compare::document_of(v, ty, &mut d).is_none() {
                return false;
            }
            value::json::order::weights(value::json::Ref::trusted(&d), out);
        }
        ComparisonKind::DateTime => match convert::to_datetime(v, ty, ctx) {
            Some(d) => out.extend_from_slice(&d.0.to_be_bytes()),
            // text that is no date is the zero date
            None if ty.kind.is_string() || matches!(ty.kind, TypeKind::Enum | TypeKind::Set) => {
                out.extend_from_slice(&DateTime::ZERO.0.to_be_bytes());
            }
            None => return false,
        },
        ComparisonKind::Time => {
            let t = convert::to_time(v, ty, ctx).unwrap_or_default();
            out.extend_from_slice(&t.0.to_be_bytes());
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(v: Value<'_>, desc: bool) -> Vec<u8> {
        let mut k = Vec::new();
        put(v, &SqlType::bigint(), desc, &mut k);
        k
    }

    #[test]
    fn order_of_integers() {
        let all =
            [Value::Null, Value::Int(i64::MIN), Value::Int(-1), Value::Int(0), Value::Int(5), Value::UInt(u64::MAX)];
        for w in all.windows(2) {
            assert!(key(w[0], false) < key(w[1], false));
            assert!(key(w[0], true) > key(w[1], true));
        }
        assert_eq!(key(Value::Int(7), false), key(Value::UInt(7), false));
    }

    #[test]
    fn order_of_decimals() {
        let all = [
            "-100000000000000000000.5",
            "-12.30",
            "-12.3",
            "-0.000001",
            "0",
            "0.1",
            "1",
            "1.000000000000000000000000000001",
            "9",
            "10.0",
        ];
        let all: Vec<value::Decimal> = all.iter().map(|t| value::Decimal::parse(t.as_bytes()).unwrap()).collect();
        for w in all.windows(2) {
            let (a, b) = (Value::Decimal(&w[0]), Value::Decimal(&w[1]));
            assert_eq!(key(a, false).cmp(&key(b, false)), w[0].cmp(&w[1]));
            assert_eq!(key(a, true).cmp(&key(b, true)), w[1].cmp(&w[0]));
        }
    }
}
