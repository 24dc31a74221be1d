//! JSON values as text: members by length and then bytes of their keys, `", "` between members, `": "` after keys.

use super::doc::{Kind, Ref};
use crate::number::{format_f64, format_i64, format_u64};
use crate::temporal::format::{format_date, format_datetime, format_time};

/// Appends the text of a value on one line.
pub fn compact(r: Ref<'_>, out: &mut Vec<u8>) {
    match r.kind() {
        Kind::Array => {
            out.push(b'[');
            for (i, e) in r.elements().enumerate() {
                if i > 0 {
                    out.extend_from_slice(b", ");
                }
                compact(e, out);
            }
            out.push(b']');
        }
        Kind::Object => {
            out.push(b'{');
            for (i, (k, v)) in r.members().enumerate() {
                if i > 0 {
                    out.extend_from_slice(b", ");
                }
                quoted(k, out);
                out.extend_from_slice(b": ");
                compact(v, out);
            }
            out.push(b'}');
        }
        _ => scalar(r, true, out),
    }
}

/// Appends JSON_PRETTY's text: a line per member or element, two spaces per level.
pub fn pretty(r: Ref<'_>, level: usize, out: &mut Vec<u8>) {
    let (open, close) = match r.kind() {
        Kind::Array => (b'[', b']'),
        Kind::Object => (b'{', b'}'),
        _ => return scalar(r, true, out),
    };
    let line = |level: usize, out: &mut Vec<u8>| {
        out.push(b'\n');
        out.extend(std::iter::repeat_n(b' ', 2 * level));
    };
    out.push(open);
    for (i, e) in r.elements().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        line(level + 1, out);
        if let Some(k) = r.key(i) {
            quoted(k, out);
            out.extend_from_slice(b": ");
        }
        pretty(e, level + 1, out);
    }
    if !r.is_empty() {
        line(level, out);
    }
    out.push(close);
}

/// Appends what JSON_UNQUOTE and `->>` give: a string without quotes and escapes, anything else as [`compact`].
pub fn unquoted(r: Ref<'_>, out: &mut Vec<u8>) {
    match r.is_scalar() {
        true => scalar(r, false, out),
        false => compact(r, out),
    }
}

fn scalar(r: Ref<'_>, quotes: bool, out: &mut Vec<u8>) {
    let quote = |out: &mut Vec<u8>| {
        if quotes {
            out.push(b'"');
        }
    };
    match r.kind() {
        Kind::Null => out.extend_from_slice(b"null"),
        Kind::Bool(true) => out.extend_from_slice(b"true"),
        Kind::Bool(false) => out.extend_from_slice(b"false"),
        Kind::Int(n) => format_i64(n, out),
        Kind::UInt(n) => format_u64(n, out),
        Kind::Double(f) => double(f, out),
        Kind::Decimal(d) => d.format(out),
        Kind::Str(s) if quotes => quoted(s, out),
        Kind::Str(s) => out.extend_from_slice(s),
        Kind::Date(d) => {
            quote(out);
            format_date(d, out);
            quote(out);
        }
        Kind::Time(t) => {
            quote(out);
            format_time(t, 6, out);
            quote(out);
        }
        Kind::DateTime(d) => {
            quote(out);
            format_datetime(d, 6, out);
            quote(out);
        }
        Kind::Opaque(t, b) => {
            quote(out);
            out.extend_from_slice(b"base64:type");
            format_u64(u64::from(t), out);
            out.push(b':');
            crate::base64::encode(b, out);
            quote(out);
        }
        Kind::Array | Kind::Object => {}
    }
}

fn double(f: f64, out: &mut Vec<u8>) {
    let at = out.len();
    format_f64(f, out);
    let whole = out.get(at..).is_some_and(|t| t.iter().all(|b| b.is_ascii_digit() || *b == b'-'));
    if whole {
        out.extend_from_slice(b".0");
    }
}

/// Appends a string in double quotes with JSON's escapes (JSON_QUOTE).
pub fn quoted(s: &[u8], out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    for &b in s {
        let short = match b {
            b'"' | b'\\' => b,
            8 => b'b',
            12 => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0..0x20 => {
                out.extend_from_slice(b"\\u00");
                out.extend([b >> 4, b & 15].iter().filter_map(|d| HEX.get(*d as usize)));
                continue;
            }
            _ => {
                out.push(b);
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', short]);
    }
    out.push(b'"');
}
