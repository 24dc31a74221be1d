//! Assignment to a column: numbers, YEAR, BIT, ENUM, SET, and the dispatch to text and dates.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;

use super::numeric::{is_member_kind, to_decimal, to_f64};
use super::temporal::shown;
use super::text::to_text;
use super::{column_text, column_time, json_int};
use crate::charset::{self, Charset};
use crate::context::{ConvCtx, Level};
use crate::decimal::Decimal;
use crate::json;
use crate::number::{bytes_to_u64, parse_f64_prefix, parse_int_prefix, parse_int_rounded, rest_is_space};
use crate::temporal::{Date, DateTime, Time, parse};
use crate::types::{NOT_FIXED_DEC, SqlType, TypeKind};
use crate::value::Value;

/// The column and row that messages name.
#[derive(Clone, Copy)]
pub(super) struct Target<'t> {
    pub(super) ty: &'t SqlType,
    pub(super) column: &'t str,
    pub(super) row: u64,
}

impl Target<'_> {
    /// 1264.
    #[cold]
    pub(super) fn out_of_range(&self, ctx: &mut ConvCtx) -> SqlResult<()> {
        ctx.fail_or_warn(ErrorCode::WARN_DATA_OUT_OF_RANGE, &[&self.column, &self.row])
    }
    /// 1299.
    #[cold]
    pub(super) fn not_shown(&self, ctx: &mut ConvCtx) -> SqlResult<()> {
        ctx.fail_or_warn(ErrorCode::WARN_INVALID_TIMESTAMP, &[&self.column, &self.row])
    }
    /// 1265.
    #[cold]
    pub(super) fn truncated(&self, ctx: &mut ConvCtx) -> SqlResult<()> {
        ctx.fail_or_warn(ErrorCode::WARN_DATA_TRUNCATED, &[&self.column, &self.row])
    }
    /// 1265 as a note, also when strict.
    #[cold]
    pub(super) fn truncated_note(&self, ctx: &mut ConvCtx) {
        ctx.note(ErrorCode::WARN_DATA_TRUNCATED, &[&self.column, &self.row]);
    }
    /// A part that the column has no room for is left out: 1292 as a note when strict, 1265 otherwise.
    #[cold]
    pub(super) fn cut_note(&self, what: &str, value: &str, ctx: &mut ConvCtx) {
        if !ctx.is_worded_strictly() {
            return self.truncated_note(ctx);
        }
        let text = SqlError::new(ErrorCode::TRUNCATED_WRONG_VALUE_FOR_FIELD, &[&what, &value, &self.column, &self.row]);
        ctx.push(Level::Note, SqlError::with_message(ErrorCode::TRUNCATED_WRONG_VALUE, text.message()));
    }
    /// 1406 in a strict mode without IGNORE, 1265 otherwise.
    #[cold]
    pub(super) fn too_long(&self, ctx: &mut ConvCtx) -> SqlResult<()> {
        if ctx.is_worded_strictly() {
            return ctx.fail_or_warn(ErrorCode::DATA_TOO_LONG, &[&self.column, &self.row]);
        }
        self.truncated(ctx)
    }
    /// 1366 "Incorrect integer value: 'x' for column 'c' at row 1".
    #[cold]
    pub(super) fn incorrect(&self, what: &str, value: &str, ctx: &mut ConvCtx) -> SqlResult<()> {
        ctx.fail_or_warn(ErrorCode::TRUNCATED_WRONG_VALUE_FOR_FIELD, &[&what, &value, &self.column, &self.row])
    }
    /// 1292 with 1366's text ("Incorrect date value: ...") when strict, 1265 otherwise.
    #[cold]
    pub(super) fn incorrect_time(&self, what: &str, value: &str, ctx: &mut ConvCtx) -> SqlResult<()> {
        if !ctx.is_worded_strictly() {
            return self.truncated(ctx);
        }
        let text = SqlError::new(ErrorCode::TRUNCATED_WRONG_VALUE_FOR_FIELD, &[&what, &value, &self.column, &self.row]);
        let e = SqlError::with_message(ErrorCode::TRUNCATED_WRONG_VALUE, text.message());
        if ctx.strict {
            return Err(e);
        }
        ctx.push(Level::Warning, e);
        Ok(())
    }
}

/// What is stored when `v` is assigned to a column of type `to`: range, length, NULL, dates, ENUM members are checked.
/// Errors in strict contexts (1048, 1264, 1265, 1292, 1366, 1406), warnings and a clipped value otherwise. `column` and
/// `row` (1-based) appear in messages. Values that fit as they are are returned without copying.
///
/// TIMESTAMP columns: the result is still local time; see the crate root.
#[inline]
pub fn convert_for_column<'a>(
    v: Value<'a>,
    from: &SqlType,
    to: &SqlType,
    ctx: &mut ConvCtx,
    column: &str,
    row: u64,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let target = Target { ty: to, column, row };
    if v.is_null() {
        return null(&target, ctx);
    }
    if let Value::Json(d) = v
        && !to.kind.is_string()
        // BIT, ENUM and SET take its text
        && !matches!(to.kind, TypeKind::Json | TypeKind::Bit | TypeKind::Enum | TypeKind::Set)
    {
        return from_json(d, &target, ctx, arena);
    }
    if let Value::Str(s) = v
        && from.charset().is_wide()
        && !to.kind.is_string()
    {
        let mut text = Vec::new();
        charset::convert(s, from.charset(), Charset::Utf8mb4, &mut text);
        let narrow = SqlType::varchar(from.length, crate::CollationId::UTF8MB4_BIN);
        return convert_for_column(Value::Str(arena.alloc_slice_copy(&text)), &narrow, to, ctx, column, row, arena);
    }
    match to.kind {
        k if k.is_integer() => integer(v, from, &target, ctx),
        k if k.is_string() => column_text::string(v, from, &target, ctx, arena),
        k if k.is_temporal() => column_time::temporal(v, from, &target, ctx),
        TypeKind::Decimal => decimal(v, from, &target, ctx, arena),
        TypeKind::Float | TypeKind::Double => double(v, from, &target, ctx),
        TypeKind::Year => year(v, from, &target, ctx),
        TypeKind::Bit => bit(v, from, &target, ctx),
        TypeKind::Enum => enumeration(v, from, &target, ctx),
        TypeKind::Set => set(v, from, &target, ctx),
        TypeKind::Json => json::convert::for_column(v, from, column, arena),
        _ => Err(SqlError::unsupported("assignment to this column type")),
    }
}

/// A JSON scalar in a column of another type: its SQL value. What has none is error 3156, and so are text that is no number, date or time,
/// a date or time for a number, a number for a date or time (without strict mode: what text begins with, NULL, or 0).
fn from_json<'a>(doc: &'a [u8], t: &Target<'_>, ctx: &mut ConvCtx, arena: &'a Bump) -> SqlResult<Value<'a>> {
    if t.ty.kind.is_integer() {
        return json_integer(doc, t, ctx);
    }
    let r = json::Ref::trusted(doc);
    let text = matches!(r.kind(), json::Kind::Str(_));
    let from = if text { json::convert::text_type() } else { SqlType::new(TypeKind::Null) };
    let kind = t.ty.kind;
    let numeric = kind.is_float() || kind == TypeKind::Decimal;
    let temporal = kind.is_temporal();
    let other_kind = |v: &Value<'_>| {
        let time = matches!(v, Value::Date(_) | Value::DateTime(_) | Value::Time(_));
        // a TIME is no date, and a date no TIME
        let other_time = matches!(v, Value::Time(_)) != (kind == TypeKind::Time);
        numeric && time || temporal && if time { other_time } else { !text }
    };
    let scalar = json::convert::scalar_value(r, arena).filter(|v| !other_kind(v));
    if let Some(v) = scalar {
        if !text || !(numeric || temporal) {
            return convert_for_column(v, &from, t.ty, ctx, t.column, t.row, arena);
        }
        let (before, strict) = (ctx.warned(), std::mem::replace(&mut ctx.strict, true));
        let tried = convert_for_column(v, &from, t.ty, ctx, t.column, t.row, arena);
        ctx.strict = strict;
        match tried {
            Ok(_) if numeric => return tried,
            // a DATE cuts the time off without a note
            Ok(_) => {
                ctx.forget_since(before);
                return tried;
            }
            Err(e) => {
                ctx.forget_since(before);
                if e.is(ErrorCode::WARN_DATA_OUT_OF_RANGE) {
                    return convert_for_column(v, &from, t.ty, ctx, t.column, t.row, arena);
                }
            }
        }
    }
    let what = match kind {
        TypeKind::Float | TypeKind::Double => "DOUBLE",
        TypeKind::Decimal => "DECIMAL",
        TypeKind::Date => "DATE",
        TypeKind::Time => "TIME",
        TypeKind::DateTime | TypeKind::Timestamp => "DATETIME/TIMESTAMP",
        _ => "INTEGER",
    };
    ctx.fail_or_warn(ErrorCode::INVALID_JSON_VALUE_FOR_CAST, &[&what, &t.column, &t.row])?;
    match scalar {
        _ if temporal && t.ty.nullable => Ok(Value::Null),
        Some(v) if numeric => {
            let before = ctx.warned();
            let begins = convert_for_column(v, &from, t.ty, ctx, t.column, t.row, arena);
            ctx.forget_since(before);
            begins
        }
        _ => Ok(implicit_default(t.ty)),
    }
}

#[cold]
fn null<'a>(t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    if t.ty.nullable {
        return Ok(Value::Null);
    }
    ctx.fail_or_warn(ErrorCode::BAD_NULL_ERROR, &[&t.column])?;
    Ok(null_replacement(t.ty))
}

/// The value of a NOT NULL column that was given none: 0, '', as many zero bytes as a BINARY has, the zero date, the first ENUM member (manual,
/// "Data Type Default Values").
pub fn implicit_default(ty: &SqlType) -> Value<'static> {
    static ZERO: Decimal = Decimal::ZERO;
    static ZEROS: [u8; 255] = [0; 255];
    match ty.kind {
        TypeKind::Float | TypeKind::Double => Value::Double(0.0),
        TypeKind::Decimal => Value::Decimal(&ZERO),
        TypeKind::Date => Value::Date(Date::ZERO),
        TypeKind::DateTime | TypeKind::Timestamp => Value::DateTime(DateTime::ZERO),
        TypeKind::Time => Value::Time(Time::ZERO),
        TypeKind::Year | TypeKind::Bit | TypeKind::Set => Value::UInt(0),
        TypeKind::Enum => Value::UInt(1),
        k if k.is_integer() => {
            if ty.unsigned {
                Value::UInt(0)
            } else {
                Value::Int(0)
            }
        }
        TypeKind::Null => Value::Null,
        TypeKind::Json => Value::Json(json::convert::NULL_DOCUMENT),
        TypeKind::Binary => Value::Str(ZEROS.get(..ty.length as usize).unwrap_or(&ZEROS)),
        _ => Value::Str(b""),
    }
}

/// What a NOT NULL column holds that was given NULL without a strict mode: the zero of its type, of an ENUM the empty error value.
pub fn null_replacement(ty: &SqlType) -> Value<'static> {
    if ty.kind == TypeKind::Enum { Value::UInt(0) } else { implicit_default(ty) }
}

fn integer<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let (n, limited) = match v {
        Value::Int(n) => (i128::from(n), false),
        Value::UInt(n) => (i128::from(n), false),
        Value::Str(s) => text_integer(s, t, ctx)?,
        // MySQL looks at the sign before it rounds: -0.1 is out of range, too
        Value::Decimal(d) if t.ty.unsigned && d.is_negative() => (0, true),
        _ => super::numeric::to_int(v, from, ctx),
    };
    within(n, limited, t, ctx)
}

/// A JSON value in an integer column. (MySQL takes what is beyond 63 bits for a negative number, and so stores -1 in a BIGINT or refuses it for a
/// BIGINT UNSIGNED; here it is what it is.)
fn json_integer<'a>(doc: &[u8], t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let (n, said) = json_int::read(doc);
    if let Some(said) = said {
        let error = said.error(t.column, t.row);
        if ctx.strict {
            return Err(error);
        }
        ctx.push(Level::Warning, error);
    }
    within(n, false, t, ctx)
}

/// `n` if the column's range has it (1264).
fn within<'a>(n: i128, limited: bool, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let (min, max) = t.ty.int_range();
    if limited || n < min || n > max {
        t.out_of_range(ctx)?;
    }
    let n = n.clamp(min, max);
    Ok(if t.ty.unsigned { Value::UInt(n as u64) } else { Value::Int(n as i64) })
}

/// Text for an integer column: rounded; 1366 when there is no number, 1265 when something follows it, but for a number that is out of range.
fn text_integer(s: &[u8], t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<(i128, bool)> {
    let p = parse_int_rounded(s);
    let (min, max) = t.ty.int_range();
    if p.consumed == 0 {
        t.incorrect("integer", &crate::context::printable(s), ctx)?;
    } else if !p.overflow && (min..=max).contains(&p.value) && !rest_is_space(s, p.consumed) {
        t.truncated(ctx)?;
    }
    Ok((p.value, p.overflow))
}

fn decimal<'a>(
    v: Value<'a>,
    from: &SqlType,
    t: &Target<'_>,
    ctx: &mut ConvCtx,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let (precision, scale) = (t.ty.length as u8, t.ty.decimals);
    if let Value::Decimal(d) = v
        && d.scale() == scale
        && !(t.ty.unsigned && d.is_negative())
        && d.int_digits() + scale as usize <= precision as usize
    {
        return Ok(v);
    }
    let d = match v {
        Value::Str(s) => {
            let p = Decimal::parse_prefix(s);
            if p.consumed == 0 || !rest_is_space(s, p.consumed) {
                if ctx.is_worded_strictly() || p.consumed == 0 {
                    t.incorrect("decimal", &crate::context::printable(s), ctx)?;
                } else {
                    t.truncated_note(ctx);
                }
            }
            p.value
        }
        Value::Double(f) if !f.is_finite() || f.abs() >= 1e66 => Decimal::max_value(65, 0, f < 0.0),
        _ => to_decimal(v, from, ctx),
    };
    if t.ty.unsigned && d.is_negative() {
        t.out_of_range(ctx)?;
        return Ok(Value::Decimal(arena.alloc(Decimal::ZERO.round(scale.into()))));
    }
    let stored = match d.fit(precision, scale) {
        Ok(r) => {
            // the digits that a quotient has beyond its type are not missed
            let more = from.kind != TypeKind::Decimal || from.decimals > scale || from.own_digits;
            if more && r.scale() < d.scale() && r != d {
                t.truncated_note(ctx);
            }
            r
        }
        Err(limit) => {
            t.out_of_range(ctx)?;
            limit
        }
    };
    Ok(Value::Decimal(arena.alloc(stored)))
}

fn double<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let mut f = match v {
        Value::Double(f) => f,
        Value::Str(s) => {
            let (f, n, over) = parse_f64_prefix(s);
            if over {
                t.out_of_range(ctx)?;
            } else if n == 0 || !rest_is_space(s, n) {
                t.truncated(ctx)?;
            }
            f
        }
        _ => to_f64(v, from, ctx),
    };
    if t.ty.unsigned && f < 0.0 {
        t.out_of_range(ctx)?;
        f = 0.0;
    }
    let mut limit = if t.ty.kind == TypeKind::Float { f64::from(f32::MAX) } else { f64::MAX };
    if t.ty.decimals < NOT_FIXED_DEC {
        let unit = 10f64.powi(i32::from(t.ty.decimals));
        // the part after the point alone is scaled, as in MySQL: -999.985 becomes -999.99 and 0.005 becomes 0
        let whole = f.floor();
        let scaled = whole + ((f - whole) * unit).round_ties_even() / unit;
        if scaled.is_finite() {
            f = scaled;
        }
        limit = limit.min(10f64.powi(t.ty.length as i32 - i32::from(t.ty.decimals)) - 1.0 / unit);
    }
    if f.is_nan() || f.abs() > limit {
        t.out_of_range(ctx)?;
        f = if f.is_nan() { 0.0 } else { limit.copysign(f) };
    }
    Ok(Value::Double(if t.ty.kind == TypeKind::Float { f64::from(f as f32) } else { f }))
}

fn year<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let n = match v {
        Value::UInt(n) if from.kind == TypeKind::Year => return Ok(Value::UInt(n)),
        Value::Date(d) => i128::from(d.year()),
        Value::DateTime(d) => i128::from(d.year()),
        Value::Time(_) => i128::from(ctx.current().year()),
        Value::Str(s) => {
            let n = text_integer(s, t, ctx)?.0;
            if parse_int_rounded(s).consumed == 0 {
                return Ok(Value::UInt(0));
            }
            n
        }
        _ => super::numeric::to_int(v, from, ctx).0,
    };
    let from_text = matches!(v, Value::Str(s) if s.len() != 4);
    match i64::try_from(n).ok().and_then(|n| parse::year_from_number(n, from_text)) {
        Some(y) => Ok(Value::UInt(y)),
        None => {
            t.out_of_range(ctx)?;
            Ok(Value::UInt(0))
        }
    }
}

/// A BIT takes numbers, and what is text by its bytes: dates and JSON too.
fn bit<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let max = t.ty.int_range().1 as u64;
    let n = match v {
        Value::UInt(n) => Some(n),
        Value::Int(n) => Some(n as u64),
        Value::Str(s) => bits_of(s),
        Value::Date(_) | Value::DateTime(_) | Value::Time(_) | Value::Json(_) => {
            let mut text = Vec::new();
            to_text(v, from, &mut text);
            bits_of(&text)
        }
        // MySQL cuts a DOUBLE here where it rounds a DECIMAL
        Value::Double(f) => Some(f as i64 as u64),
        // unsigned, unlike all other numbers
        Value::Decimal(d) if d.is_negative() => {
            t.out_of_range(ctx)?;
            return Ok(Value::UInt(0));
        }
        _ => {
            let (n, limited) = super::numeric::to_int(v, t.ty, ctx);
            (!limited).then_some(n as u64)
        }
    };
    match n {
        Some(n) if n <= max => Ok(Value::UInt(n)),
        _ => {
            // by the mode, whatever IGNORE makes of it
            if ctx.sql_mode.is_strict() {
                ctx.fail_or_warn(ErrorCode::DATA_TOO_LONG, &[&t.column, &t.row])?;
            } else {
                t.out_of_range(ctx)?;
            }
            Ok(Value::UInt(max))
        }
    }
}

/// Eight bytes at most, not counting zeros before them.
fn bits_of(s: &[u8]) -> Option<u64> {
    let zeros = s.iter().take_while(|b| **b == 0).count();
    (s.len() - zeros <= 8).then(|| bytes_to_u64(s))
}

/// The text of `v` in the column's character set.
fn member_text(v: Value<'_>, from: &SqlType, t: &Target<'_>) -> Vec<u8> {
    let mut raw = Vec::new();
    to_text(v, from, &mut raw);
    let source = match v {
        _ if from.is_character() => from.charset(),
        Value::Str(_) => Charset::Binary,
        // numbers and dates are ASCII
        _ => Charset::Utf8mb4,
    };
    let mut out = Vec::with_capacity(raw.len());
    charset::convert(&raw, source, t.ty.charset(), &mut out);
    out
}

/// The parts of a SET's text between commas.
fn between_commas(text: &[u8], cs: Charset) -> Vec<&[u8]> {
    if cs.has_ascii() && !cs.hides_ascii() {
        return text.split(|b| *b == b',').collect();
    }
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
        let n = cs.char_len(rest);
        if cs.mark(rest) == b',' {
            parts.push(text.get(start..at).unwrap_or(&[]));
            start = at + n;
        }
        at += n;
    }
    parts.push(text.get(start..).unwrap_or(&[]));
    parts
}

fn find_member(text: &[u8], ty: &SqlType) -> Option<usize> {
    let (c, cs) = (ty.collation.get(), ty.charset());
    let members = ty.members.as_ref()?;
    if cs == Charset::Binary {
        return members.iter().position(|m| **m == *text);
    }
    // trailing spaces do not count
    let text = cs.without_spaces(text);
    members.iter().position(|m| c.compare(cs.without_spaces(m), text).is_eq())
}

fn enumeration<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let count = t.ty.members.as_ref().map_or(0, |m| m.len()) as i128;
    let textual = is_textual(v) || is_member_kind(from.kind) && from.members != t.ty.members;
    if textual {
        // the empty error value of another ENUM stays one, also where '' is a member
        if from.kind == TypeKind::Enum && matches!(v, Value::UInt(0)) {
            return Ok(Value::UInt(0));
        }
        let text = member_text(v, from, t);
        if let Some(at) = find_member(&text, t.ty) {
            return Ok(Value::UInt(at as u64 + 1));
        }
        if is_member_kind(from.kind) && matches!(v, Value::UInt(0)) {
            return Ok(Value::UInt(0));
        }
        let text = super::numeric::readable(&text, t.ty);
        let p = parse_int_prefix(&text);
        // zero too, the empty error value, written with five digits at most
        let low = if p.consumed < 6 { 0 } else { 1 };
        if p.consumed > 0 && rest_is_space(&text, p.consumed) && p.value >= low && p.value <= count {
            return Ok(Value::UInt(p.value as u64));
        }
        t.truncated(ctx)?;
        return Ok(Value::UInt(0));
    }
    let (n, _) = whole_number(v, from, ctx);
    if n < 1 || n > count {
        // 0 is what an ENUM column itself holds for a bad value
        if !(n == 0 && from.kind == TypeKind::Enum) {
            t.truncated(ctx)?;
        }
        return Ok(Value::UInt(0));
    }
    Ok(Value::UInt(n as u64))
}

/// Whether an ENUM or SET looks for a value's text among its members.
fn is_textual(v: Value<'_>) -> bool {
    matches!(v, Value::Str(_) | Value::Date(_) | Value::DateTime(_) | Value::Time(_) | Value::Json(_))
}

/// The number of a member: fractions are cut.
fn whole_number(v: Value<'_>, from: &SqlType, ctx: &mut ConvCtx) -> (i128, bool) {
    match v {
        Value::Double(f) => super::numeric::to_int(Value::Double(f.trunc()), from, ctx),
        Value::Decimal(d) => super::numeric::to_int(Value::Decimal(&d.truncate(0)), from, ctx),
        v => super::numeric::to_int(v, from, ctx),
    }
}

fn set<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let count = t.ty.members.as_ref().map_or(0, |m| m.len()).min(64);
    let mask = if count >= 64 { u64::MAX } else { (1u64 << count) - 1 };
    let textual = is_textual(v) || is_member_kind(from.kind) && from.members != t.ty.members;
    if !textual {
        let (n, limited) = whole_number(v, from, ctx);
        let bits = n as u64;
        if limited || bits & !mask != 0 {
            t.truncated(ctx)?;
        }
        return Ok(Value::UInt(bits & mask));
    }
    let text = member_text(v, from, t);
    let (mut bits, mut bad) = (0u64, false);
    let cs = t.ty.charset();
    // spaces do not count at the end of it all, but they do before a comma
    let whole = if cs == Charset::Binary { text.as_slice() } else { cs.without_spaces(&text) };
    if !text.is_empty() {
        for part in between_commas(whole, cs) {
            let spaced = cs != Charset::Binary && cs.without_spaces(part).len() < part.len();
            match find_member(part, t.ty).filter(|_| !spaced) {
                Some(at) => bits |= 1 << at,
                None => bad = true,
            }
        }
    }
    if bad {
        let text = super::numeric::readable(&text, t.ty);
        let p = parse_int_prefix(&text);
        if p.consumed > 0 && p.consumed == text.len() && p.value >= 0 && p.value as u128 & !u128::from(mask) == 0 {
            return Ok(Value::UInt(p.value as u64));
        }
        t.truncated(ctx)?;
    }
    Ok(Value::UInt(bits))
}

/// The operand as messages show it.
pub(super) fn operand_text(v: Value<'_>, from: &SqlType) -> String {
    shown(v, from)
}
