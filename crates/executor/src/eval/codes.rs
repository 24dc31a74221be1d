//! Functions of character sets, number bases and lists.

use base::{ErrorCode, SqlError, SqlResult};
use planner::expr::{Coercibility, ExprKind};
use planner::func::family::Codes;
use smallvec::SmallVec;
use value::temporal::locale::Locale;
use value::{TypeKind, Value, convert};

use super::{Args, text_of};
use crate::eval::Cx;

/// Character sets, number bases, lists.
pub(super) fn call<'a>(f: Codes, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use Codes as F;
    match f {
        // what has a collation is a text: of a member of ENUM or SET its name, of a number its digits
        F::Collate if a.ty(0)?.members.is_some() || !a.ty(0)?.kind.is_string() => {
            Ok(a.text(0, cx)?.map_or(Value::Null, Value::Str))
        }
        F::Collate => a.value(0, cx),
        F::InCharset => in_charset(a, cx),
        F::Widened => widened(a, cx),
        F::Collation => Ok(a.str(a.ty(0)?.text_collation().name().as_bytes())),
        F::Charset => Ok(a.str(a.ty(0)?.text_collation().charset().name().as_bytes())),
        F::CoercibilityFn => {
            let (e, ty) = (a.expr(0)?, a.ty(0)?);
            // numbers and times have that of numbers, wherever they come from
            let text = ty.kind.is_string() || matches!(ty.kind, TypeKind::Json | TypeKind::Bit | TypeKind::Null);
            Ok(Value::Int(match e.coer {
                Coercibility::Implicit | Coercibility::Ignorable if !text => 5,
                Coercibility::Explicit => 0,
                Coercibility::None => 1,
                Coercibility::Implicit => 2,
                Coercibility::SysConst => 3,
                Coercibility::Coercible => 4,
                Coercibility::Numeric => 5,
                Coercibility::Ignorable => 6,
            }))
        }
        F::WeightString if !a.ty(0)?.kind.is_string() && a.ty(0)?.kind != TypeKind::Json => number_weight(a, cx),
        F::Char => char_fn(a, cx),
        F::Hex => hex(a, cx),
        F::Bin | F::Oct | F::Conv => conv(f, a, cx),
        F::Field => field(a, cx),
        F::Elt => {
            let Some(n) = elt_number(a, cx)? else { return Ok(Value::Null) };
            Ok(a.text(n, cx)?.map_or(Value::Null, Value::Str))
        }
        F::MakeSet => {
            let Some(bits) = a.uint(0, cx)? else { return Ok(Value::Null) };
            let (mut parts, mut len) = (SmallVec::<[&[u8]; 16]>::new(), 0usize);
            for i in 1..a.len().min(65) {
                if bits >> (i - 1) & 1 == 1
                    && let Some(s) = a.text(i, cx)?
                {
                    if !parts.is_empty() {
                        parts.push(b",");
                        len += 1;
                    }
                    parts.push(s);
                    len = len.saturating_add(s.len());
                    if !super::string::fits(len, f, cx)? {
                        return Ok(Value::Null);
                    }
                }
            }
            a.join(&parts, len)
        }
        F::ExportSet => export_set(a, cx),
        F::Format => format(a, cx),
        F::WeightString => weight(a, cx),
    }
}

/// The weights of a text.
fn weight<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let f = Codes::WeightString;
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    if !super::string::fits(s.len(), f, cx)? {
        return Ok(Value::Null);
    }
    let t = a.ty(0)?;
    let mut out = Vec::new();
    if t.is_character() || t.kind == TypeKind::Json {
        let id = t.text_collation();
        id.get().weight_string(s, &mut out);
    } else {
        out.extend_from_slice(s)
    }
    Ok(if super::string::fits(out.len(), f, cx)? { a.str(&out) } else { Value::Null })
}

/// The weight of what is no text: eight bytes whose order is that of the values, as MySQL sorts them. Nothing for DECIMAL and doubles.
fn number_weight<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let t = a.ty(0)?;
    let signed = |n: i64| (n as u64) ^ (1 << 63);
    let bits = match a.value(0, cx)? {
        Value::Int(n) if t.unsigned => n as u64,
        Value::Int(n) => signed(n),
        Value::UInt(n) if t.unsigned || matches!(t.kind, TypeKind::Bit | TypeKind::Year) => n,
        Value::UInt(n) => signed(n as i64),
        Value::Date(d) => signed(d.0.into()),
        Value::Time(x) => signed(x.0),
        Value::DateTime(d) => signed(d.0 as i64),
        _ => return Ok(Value::Null),
    };
    Ok(a.str(&bits.to_be_bytes()))
}

/// The bytes of a string in another character set; of a binary string, if they are text of it.
/// Which argument ELT gives.
pub(super) fn elt_number(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<Option<usize>> {
    let n = a.int(0, cx)?.and_then(|n| usize::try_from(n).ok());
    Ok(n.filter(|n| (1..a.len()).contains(n)))
}

/// Text in the character set of the result, of which nothing may be lost.
fn in_charset<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    let (from, to) = (a.ty(0)?, a.ty.charset());
    let binary = from.kind.is_binary_string() || from.kind == TypeKind::Bit;
    let member = matches!(from.kind, TypeKind::Enum | TypeKind::Set);
    if to == value::Charset::Binary || member && to == from.charset() {
        return Ok(Value::Str(s));
    }
    let source = if binary { value::Charset::Binary } else { from.charset() };
    let (text, outcome) =
        value::charset::convert_in(s, source, to, a.arena, base::memory::reserve, base::interrupt::worked)?;
    let good = if binary { is_text(to, text)? } else { outcome == value::charset::ConvertOutcome::default() };
    if good {
        return Ok(Value::Str(text));
    }
    let shown: String = s
        .iter()
        .take(6)
        .map(|b| if matches!(b, 0x20..=0x7e) { (*b as char).to_string() } else { format!("\\x{b:02X}") })
        .collect();
    let more = if s.len() > 6 { "..." } else { "" };
    let from = if binary { "binary" } else { from.charset().name() };
    Err(SqlError::new(ErrorCode::CANNOT_CONVERT_STRING, &[&format!("{shown}{more}"), &from, &to.name()]))
}

/// Whether all bytes are text of a character set.
fn is_text(cs: value::Charset, s: &[u8]) -> SqlResult<bool> {
    for piece in super::string::pieces(cs, s) {
        if !cs.is_valid(piece?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What a function made in utf8mb4 in the wide set of its result ('?' for what that lacks): within `max_allowed_packet` there too.
fn widened<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    let (from, to) = (a.ty(0)?.charset(), a.ty.charset());
    let max = cx.env.vars.num(catalog::sysvar::Var::max_allowed_packet) as usize;
    if s.len().saturating_mul(to.max_len().into()) > max
        && let ExprKind::Call(f, _) = a.expr(0)?.kind
        && !super::string::fits(value::charset::converted_len(s, from, to, base::interrupt::worked)?, f, cx)?
    {
        return Ok(Value::Null);
    }
    Ok(Value::Str(value::charset::convert_in(s, from, to, a.arena, base::memory::reserve, base::interrupt::worked)?.0))
}

fn char_fn<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let mut out = Vec::new();
    for i in 0..a.len() {
        if let Some(n) = a.int(i, cx)? {
            let b = (n as u32).to_be_bytes();
            let skip = b.iter().take(3).take_while(|b| **b == 0).count();
            let bytes = b.get(skip..).unwrap_or(&b);
            if a.ty.is_character() && a.ty.charset().is_wide() {
                out.extend(value::charset::aligned(a.ty.charset(), bytes));
            } else {
                out.extend_from_slice(bytes);
            }
        }
    }
    if a.ty.is_character() && !a.ty.charset().is_valid(&out) {
        cx.env.conv.warn(
            base::ErrorCode::INVALID_CHARACTER_STRING,
            &[&a.ty.charset().name(), &value::context::printable(&out)],
        );
        return Ok(Value::Null);
    }
    Ok(a.str(&out))
}

fn hex<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let t = a.ty(0)?;
    let v = a.value(0, cx)?;
    let number = t.kind.is_numeric() && t.kind != TypeKind::Bit;
    match v {
        Value::Null => Ok(Value::Null),
        _ if number => {
            let n = match v {
                Value::UInt(n) => n,
                Value::Int(n) => n as u64,
                v => convert::to_i64(v, t, &mut cx.env.conv) as u64,
            };
            Ok(a.str(format!("{n:X}").as_bytes()))
        }
        Value::UInt(n) if t.kind == TypeKind::Bit => Ok(a.str(format!("{n:X}").as_bytes())),
        _ => {
            let s = text_of(v, t, a.arena).unwrap_or(&[]);
            if !super::string::fits(s.len().saturating_mul(2), Codes::Hex, cx)? {
                return Ok(Value::Null);
            }
            let out = a.arena.alloc_slice_fill_copy(s.len() * 2, 0u8);
            for (to, from) in out.chunks_mut(2 * base::interrupt::SHARE).zip(s.chunks(base::interrupt::SHARE)) {
                base::interrupt::worked(from.len())?;
                for (to, b) in to.chunks_exact_mut(2).zip(from) {
                    to.copy_from_slice(&hex_digits(*b, b"0123456789ABCDEF"));
                }
            }
            Ok(Value::Str(out))
        }
    }
}

fn hex_digits(b: u8, digits: &[u8; 16]) -> [u8; 2] {
    [digits.get((b >> 4) as usize).copied().unwrap_or(0), digits.get((b & 15) as usize).copied().unwrap_or(0)]
}

/// Lower-case hex, as the digest functions give it.
pub(super) fn lower_hex(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() * 2);
    for b in bytes {
        out.extend_from_slice(&hex_digits(*b, b"0123456789abcdef"));
    }
    out
}

/// CONV, BIN, OCT.
fn conv<'a>(f: Codes, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (from, to) = match f {
        Codes::Bin => (10, 2),
        Codes::Oct => (10, 8),
        _ => {
            let (Some(x), Some(y)) = (a.int(1, cx)?, a.int(2, cx)?) else { return Ok(Value::Null) };
            (x, y)
        }
    };
    let v = a.value(0, cx)?;
    // a BIT is its number, not the digits of its text
    let bits = match v {
        Value::UInt(n) if a.ty(0)?.kind == TypeKind::Bit => Some(n),
        _ => None,
    };
    let Some(s) = text_of(v, a.ty(0)?, a.arena) else { return Ok(Value::Null) };
    let (fb, tb) = (from.unsigned_abs(), to.unsigned_abs());
    if s.is_empty() || !(2..=36).contains(&fb) || !(2..=36).contains(&tb) {
        return Ok(Value::Null);
    }
    let (neg, digits) = match s.trim_ascii().split_first() {
        Some((b'-', r)) => (true, r),
        Some((b'+', r)) => (false, r),
        _ => (false, s.trim_ascii()),
    };
    let (mut n, mut none) = (0_u128, bits.is_none());
    for b in digits {
        let Some(d) = (*b as char).to_digit(36).filter(|d| u64::from(*d) < fb) else { break };
        (n, none) = ((n * fb as u128 + d as u128).min(1 << 65), false);
    }
    if none {
        cx.env.conv.truncated_wrong_value("DECIMAL", s);
    }
    // a negative base means signed digits
    let limit = match (from < 0, neg) {
        (true, true) => 1 << 63,
        (true, false) => (1 << 63) - 1,
        _ => u128::from(u64::MAX),
    };
    let over = n > limit && bits.is_none();
    if over {
        cx.env.conv.truncated_wrong_value("DECIMAL", s);
        n = if from > 0 && neg { 0 } else { limit };
    }
    let mut v = bits.unwrap_or(n as u64);
    if neg && bits.is_none() {
        v = v.wrapping_neg();
    }
    let mut out = Vec::new();
    let mut minus = false;
    if to < 0 && (v as i64) < 0 {
        minus = true;
        v = (v as i64).unsigned_abs();
    }
    loop {
        out.push(char::from_digit((v % tb) as u32, 36).unwrap_or('0').to_ascii_uppercase() as u8);
        v /= tb;
        if v == 0 {
            break;
        }
    }
    if minus {
        out.push(b'-');
    }
    out.reverse();
    Ok(a.str(&out))
}

fn field<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let text = |k: TypeKind| {
        let other = matches!(k, TypeKind::Null | TypeKind::Enum | TypeKind::Set | TypeKind::Json);
        k.is_string() || k.is_temporal() || other
    };
    let strings = a.list.iter().all(|e| text(e.ty.kind));
    let integer = |k: TypeKind| k.is_integer() || k == TypeKind::Null;
    let ints = a.list.iter().all(|e| integer(e.ty.kind));
    let exact = a.list.iter().all(|e| integer(e.ty.kind) || e.ty.kind == TypeKind::Decimal);
    let first = if strings { a.value(0, cx)? } else { a.number(0, cx)? };
    for i in 1..a.len() {
        let same = if strings {
            match (a.to_text(first, 0)?, a.text(i, cx)?) {
                (Some(x), Some(y)) => {
                    let c = a.ty(0)?.text_collation();
                    x == y || c.get().compare(x, y).is_eq()
                }
                _ => false,
            }
        } else if ints {
            matches!((a.to_int(first, 0, cx)?, a.int(i, cx)?), (Some(x), Some(y)) if x == y)
        } else if exact {
            let other = a.value(i, cx)?;
            let mut decimal = |v: Value<'_>, n| a.ty(n).map(|t| convert::to_decimal(v, t, &mut cx.env.conv));
            !first.is_null() && !other.is_null() && decimal(first, 0)? == decimal(other, i)?
        } else {
            matches!((a.to_double(first, 0, cx)?, a.double(i, cx)?), (Some(x), Some(y)) if x == y)
        };
        if same {
            return Ok(Value::Int(i as i64));
        }
    }
    Ok(Value::Int(0))
}

fn export_set<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(bits), Some(on), Some(off)) = (a.uint(0, cx)?, a.text(1, cx)?, a.text(2, cx)?) else {
        return Ok(Value::Null);
    };
    let sep = if a.len() > 3 { a.text(3, cx)? } else { Some(b",".as_slice()) };
    let n = if a.len() > 4 { a.int(4, cx)? } else { Some(64) };
    let (Some(sep), Some(n)) = (sep, n) else { return Ok(Value::Null) };
    let n = if (0..=64).contains(&n) { n } else { 64 };
    let mut out = Vec::new();
    for i in 0..n {
        if i > 0 {
            out.extend_from_slice(sep);
        }
        out.extend_from_slice(if bits >> i & 1 == 1 { on } else { off });
        if !super::string::fits(out.len(), Codes::ExportSet, cx)? {
            return Ok(Value::Null);
        }
    }
    Ok(a.str(&out))
}

/// FORMAT(x, d [, locale]): an unknown locale is en_US with a warning (1649).
fn format<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let mut locale = None;
    if a.len() > 2 {
        let name = String::from_utf8_lossy(a.text(2, cx)?.unwrap_or(b"NULL"));
        locale = Locale::by_name(&name);
        if locale.is_none() {
            let e = SqlError::new(ErrorCode::UNKNOWN_LOCALE, &[&name]);
            cx.env.conv.push(value::Level::Warning, e);
        }
    }
    let locale = locale.or_else(|| Locale::by_name("en_US")).ok_or_else(|| SqlError::unsupported("locales"))?;
    let Some(places) = a.int(1, cx)? else { return Ok(Value::Null) };
    let places = places.clamp(0, 30) as u8;
    let t = a.ty(0)?;
    let mut text = Vec::new();
    if t.kind.is_float() || super::is_text(t) {
        let Some(d) = a.double(0, cx)? else { return Ok(Value::Null) };
        value::number::format_f64_fixed(super::math::round_f64(d, i32::from(places), false), places, &mut text);
    } else {
        let Some(d) = a.decimal(0, cx)? else { return Ok(Value::Null) };
        d.round(places as i32).format_scaled(places, &mut text);
    }
    let (sign, digits) = match text.split_first() {
        Some((b'-', r)) => (true, r),
        _ => (false, text.as_slice()),
    };
    let point = digits.iter().position(|b| *b == b'.').unwrap_or(digits.len());
    let mut out = Vec::with_capacity(text.len() * 4 / 3 + 2);
    if sign {
        out.push(b'-');
    }
    let cs = a.ty.collation.charset();
    let text_in = |s: &str, out: &mut Vec<u8>| {
        value::charset::convert(s.as_bytes(), value::Charset::Utf8mb4, cs, out);
    };
    let (last, before) = locale.groups;
    for (i, b) in digits.iter().enumerate() {
        let left = point.saturating_sub(i);
        if i > 0 && i < point && last > 0 && left >= last && (left - last) % before.max(1) == 0 {
            text_in(locale.separator, &mut out);
        }
        if *b == b'.' {
            text_in(locale.point, &mut out);
        } else {
            out.push(*b);
        }
    }
    Ok(a.str(&out))
}
