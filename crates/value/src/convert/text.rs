//! Value to text: the text protocol and CAST(.. AS CHAR).

use crate::number::{format_f32, format_f64, format_f64_fixed, format_i64, format_padded, format_u64};
use crate::temporal::format::{format_date, format_datetime, format_time};
use crate::types::{NOT_FIXED_DEC, SqlType, TypeKind};
use crate::value::Value;

/// Appends the text protocol's rendering (also CAST to CHAR's) of a non-NULL value, in the type's character set.
/// NULL appends nothing.
#[inline]
pub fn to_text(v: Value<'_>, ty: &SqlType, out: &mut Vec<u8>) {
    match v {
        Value::Null => {}
        Value::Str(s) => out.extend_from_slice(s),
        Value::Int(n) if !ty.zerofill => format_i64(n, out),
        Value::Int(n) => format_padded(n.unsigned_abs(), ty.length as usize, out),
        Value::UInt(n) => unsigned(n, ty, out),
        Value::Double(f) => double(f, ty, out),
        Value::Decimal(d) => {
            if ty.kind != TypeKind::Decimal || ty.own_digits {
                d.format(out);
            } else if ty.zerofill {
                padded(ty.length as usize + usize::from(ty.decimals > 0), out, |o| d.format_scaled(ty.decimals, o));
            } else {
                d.format_scaled(ty.decimals, out);
            }
        }
        Value::Date(d) => format_date(d, out),
        Value::DateTime(d) => format_datetime(d, fsp(ty, d.micro()), out),
        Value::Time(t) => format_time(t, fsp(ty, t.micro()), out),
        Value::Json(d) => crate::json::print::compact(crate::json::Ref::trusted(d), out),
    }
}

fn fsp(ty: &SqlType, micro: u32) -> u8 {
    if ty.own_digits && ty.kind == TypeKind::Time {
        // as many as the fraction has without zeros at its end
        6 - (0..6).take_while(|n| micro.is_multiple_of(10u32.pow(n + 1))).count() as u8
    } else if ty.own_digits && ty.kind == TypeKind::DateTime {
        0
    } else if ty.kind.is_temporal() {
        ty.decimals
    } else if micro > 0 {
        6
    } else {
        0
    }
}

fn unsigned(n: u64, ty: &SqlType, out: &mut Vec<u8>) {
    match ty.kind {
        TypeKind::Year if !ty.own_digits => format_padded(n, 4, out),
        TypeKind::Year => format_u64(n, out),
        TypeKind::Bit => {
            let bytes = n.to_be_bytes();
            let len = (ty.length as usize).div_ceil(8).clamp(1, 8);
            out.extend_from_slice(bytes.get(8 - len..).unwrap_or(&bytes));
        }
        TypeKind::Enum => {
            let member = ty.members.as_ref().and_then(|m| m.get((n as usize).wrapping_sub(1)));
            out.extend_from_slice(member.map_or(b"", |m| m));
        }
        TypeKind::Set => set_text(n, ty, out),
        _ if ty.zerofill => format_padded(n, ty.length as usize, out),
        _ => format_u64(n, out),
    }
}

/// Appends the members of a SET value, separated by commas.
pub fn set_text(bits: u64, ty: &SqlType, out: &mut Vec<u8>) {
    let mut first = true;
    for (i, m) in ty.members.iter().flat_map(|m| m.iter()).enumerate().take(64) {
        if bits >> i & 1 != 0 {
            if !first {
                ty.charset().encode(u32::from(b','), out);
            }
            first = false;
            out.extend_from_slice(m);
        }
    }
}

fn double(f: f64, ty: &SqlType, out: &mut Vec<u8>) {
    let write = |o: &mut Vec<u8>| {
        if ty.kind.is_float() && ty.decimals < NOT_FIXED_DEC {
            format_f64_fixed(f, ty.decimals, o);
        } else if ty.kind == TypeKind::Float {
            format_f32(f as f32, o);
        } else {
            format_f64(f, o);
        }
    };
    if ty.zerofill { padded(ty.length as usize, out, write) } else { write(out) }
}

/// Zeros in front up to `width`.
fn padded(width: usize, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let mut text = Vec::with_capacity(width);
    write(&mut text);
    out.extend(std::iter::repeat_n(b'0', width.saturating_sub(text.len())));
    out.append(&mut text);
}
