//! Comparison of two values, and hashing that agrees with it.
//!
//! [`comparison_kind`] decides once per expression how two static types compare (manual, "Type Conversion in Expression
//! Evaluation"); [`Comparator`] then compares values without looking at types again unless a conversion is needed.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use base::{ErrorCode, SqlError, SqlResult};

use crate::charset::{self, Charset};
use crate::collation::{Collation, CollationId};
use crate::context::{ConvCtx, Level, printable};
use crate::convert::{stored_time, to_datetime, to_decimal, to_f64, to_text, to_time};
use crate::decimal::Decimal;
use crate::json::{self, Ref};
use crate::number::parse_int_rounded;
use crate::temporal::DateTime;
use crate::types::{SqlType, TypeKind};
use crate::value::Value;

#[cfg(test)]
mod tests;

/// The domain in which two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ComparisonKind {
    /// Integers of either sign.
    Int,
    /// Exact decimals (also integer with decimal).
    Decimal,
    /// Doubles.
    Double,
    /// Strings under a collation.
    String(CollationId),
    /// Dates and times of day with dates.
    DateTime,
    /// TIME with TIME.
    Time,
    /// A JSON value with anything, which is compared as a JSON value.
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Null,
    Int,
    Decimal,
    Double,
    /// Text whose `UInt` is also a number: ENUM, SET.
    Member,
    Text,
    Date,
    Time,
    Json,
}

fn class(t: &SqlType) -> Class {
    match t.kind {
        TypeKind::Null => Class::Null,
        TypeKind::Decimal => Class::Decimal,
        TypeKind::Float | TypeKind::Double => Class::Double,
        TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp => Class::Date,
        TypeKind::Time => Class::Time,
        TypeKind::Enum | TypeKind::Set => Class::Member,
        TypeKind::Year | TypeKind::Bit => Class::Int,
        TypeKind::Json => Class::Json,
        k if k.is_integer() => Class::Int,
        _ => Class::Text,
    }
}

/// How operands of these static types compare. Error 1267 for collations that do not mix.
pub fn comparison_kind(a: &SqlType, b: &SqlType) -> SqlResult<ComparisonKind> {
    use Class as C;
    use ComparisonKind as K;
    Ok(match (class(a), class(b)) {
        (C::Null, C::Null) => K::Int,
        (C::Null, _) => comparison_kind(b, b)?,
        (_, C::Null) => comparison_kind(a, a)?,
        (C::Json, _) | (_, C::Json) => K::Json,
        (C::Text | C::Member, C::Text | C::Member) => K::String(mix_collations(a, b)?),
        (C::Int | C::Member, C::Int | C::Member) => K::Int,
        (C::Int | C::Decimal | C::Member, C::Int | C::Decimal | C::Member) => K::Decimal,
        (C::Time, C::Time) => K::Time,
        (C::Date | C::Time, C::Date | C::Time) => K::DateTime,
        (C::Date, C::Text | C::Member) | (C::Text | C::Member, C::Date) => K::DateTime,
        (C::Time, C::Text | C::Member) | (C::Text | C::Member, C::Time) => K::Time,
        // a date beside a number is a number (manual, "Type Conversion in Expression Evaluation"); constants beside columns: Constant::Date
        _ => K::Double,
    })
}

/// The collation two strings compare under, by their types only (equal coercibility; the planner decides where one
/// operand is a literal): the same one, `binary` over all, `_bin` over others of its character set, Unicode over others.
pub fn mix_collations(a: &SqlType, b: &SqlType) -> SqlResult<CollationId> {
    let id = |t: &SqlType| if t.kind == TypeKind::Json { CollationId::UTF8MB4_BIN } else { t.collation };
    let (x, y) = (id(a), id(b));
    if x == y || x == CollationId::BINARY {
        return Ok(x);
    }
    if y == CollationId::BINARY {
        return Ok(y);
    }
    let (cx, cy) = (x.charset(), y.charset());
    if cx == cy {
        if let Ok(c) = x.of_two(y) {
            return Ok(c);
        }
    } else {
        let rank = |c: Charset| match c {
            Charset::Utf8mb4 => 3,
            Charset::Utf8mb3 => 2,
            Charset::Ascii => 0,
            _ => 1,
        };
        if rank(cx) != rank(cy) {
            return Ok(if rank(cx) > rank(cy) { x } else { y });
        }
    }
    Err(SqlError::new(ErrorCode::CANT_AGGREGATE_2COLLATIONS, &[&x.name(), &"IMPLICIT", &y.name(), &"IMPLICIT", &"="]))
}

/// What becomes of a constant beside a column: MySQL stores it into the column first, and compares otherwise where it is no such value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    /// It is compared by the kind alone.
    Plain,
    /// Beside an integer column: the integer that it is rounded to if that is the same number as a DOUBLE.
    Integer,
    /// The same outside of conditions, where MySQL folds no constants: text beyond the column's range is compared as a DOUBLE.
    InRange,
    /// Beside a TIME column of this name: a time of the column's digits, or else both are texts of this collation.
    Time(CollationId, Box<str>),
    /// An integer beside a DATE, DATETIME or TIMESTAMP column of this name (empty: warnings do not say it): the date that it stands for,
    /// or else both are numbers.
    Date(Box<str>),
}

/// A constant as it is stored into a column of dates, and whether it loses its time there.
fn stored_date(d: DateTime, column: &SqlType) -> (DateTime, bool) {
    if column.kind == TypeKind::Date {
        return (d.with_time(crate::temporal::Time(0)), d.time().0 != 0);
    }
    (crate::temporal::parse::round_datetime(d, 0, column.decimals).unwrap_or(d), false)
}

/// 1292 for a constant number beside a column of dates: once, not for each row.
fn incorrect_date(n: Value<'_>, column: &SqlType, name: &str, level: Level, ctx: &mut ConvCtx) {
    let shown = match n {
        Value::Int(n) => n.to_string(),
        Value::UInt(n) => n.to_string(),
        Value::Decimal(n) => n.to_string(),
        Value::Double(_) => {
            let mut text = Vec::new();
            to_text(n, &SqlType::double(), &mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
        _ => return,
    };
    let kind = if column.kind == TypeKind::Date && !name.is_empty() { "date" } else { "datetime" };
    let at = if name.is_empty() { String::new() } else { format!(" for column '{name}' at row 1") };
    let message = format!("Incorrect {kind} value: '{shown}'{at}");
    if !ctx.warnings.iter().any(|w| w.message == message) {
        ctx.push(level, SqlError::with_message(ErrorCode::TRUNCATED_WRONG_VALUE, message));
    }
}

/// Compares values of two static types.
#[derive(Clone, Debug)]
pub struct Comparator {
    /// Domain.
    pub kind: ComparisonKind,
    /// Left operand's type.
    pub left: SqlType,
    /// Right operand's type.
    pub right: SqlType,
    /// A column with a constant.
    pub constant: Constant,
    /// DOUBLEs with a fixed number of digits behind the point on both sides are equal when they are nearer than this; 0: no such.
    pub within: f64,
    collation: &'static Collation,
}

impl Comparator {
    /// For operands of these types.
    pub fn new(left: &SqlType, right: &SqlType) -> SqlResult<Comparator> {
        Ok(Comparator::with_kind(comparison_kind(left, right)?, left, right))
    }
    /// With a kind (a collation) the caller chose.
    pub fn with_kind(kind: ComparisonKind, left: &SqlType, right: &SqlType) -> Comparator {
        let id = if let ComparisonKind::String(c) = kind { c } else { CollationId::BINARY };
        let fixed = |t: &SqlType| !t.kind.is_string() && t.decimals < crate::types::NOT_FIXED_DEC;
        let within = match kind {
            ComparisonKind::Double if fixed(left) && fixed(right) => {
                5.0 / 10f64.powi(i32::from(left.decimals.max(right.decimals)) + 1)
            }
            _ => 0.0,
        };
        let collation = id.get();
        Comparator { kind, left: left.clone(), right: right.clone(), constant: Constant::Plain, within, collation }
    }

    /// FLOAT(M,D) and DOUBLE(M,D) are never exactly what is written beside them.
    fn doubles(&self, x: f64, y: f64) -> Option<Ordering> {
        if (x - y).abs() < self.within { Some(Ordering::Equal) } else { x.partial_cmp(&y) }
    }

    /// `None` when either operand is NULL (or text that is no date where a date is needed).
    #[inline]
    pub fn compare(&self, a: Value<'_>, b: Value<'_>, ctx: &mut ConvCtx) -> Option<Ordering> {
        match (self.kind, a, b) {
            (_, Value::Null, _) | (_, _, Value::Null) => None,
            (ComparisonKind::Int, Value::Int(x), Value::Int(y)) => Some(x.cmp(&y)),
            (ComparisonKind::Int, Value::UInt(x), Value::UInt(y)) => Some(x.cmp(&y)),
            (ComparisonKind::Double, Value::Double(x), Value::Double(y)) => self.doubles(x, y),
            (ComparisonKind::Decimal, Value::Decimal(x), Value::Decimal(y)) => Some(x.cmp(y)),
            (ComparisonKind::DateTime, Value::DateTime(x), Value::DateTime(y)) => Some(x.cmp(&y)),
            (ComparisonKind::DateTime, Value::Date(x), Value::Date(y)) => Some(x.cmp(&y)),
            (ComparisonKind::Time, Value::Time(x), Value::Time(y)) => Some(x.cmp(&y)),
            (ComparisonKind::Json, Value::Json(x), Value::Json(y)) => Some(compare_documents(x, y)),
            (ComparisonKind::String(_), Value::Str(x), Value::Str(y))
                if self.left.collation == self.right.collation || self.collation.id == CollationId::BINARY =>
            {
                Some(self.collation.compare(x, y))
            }
            _ => self.compare_converted(a, b, ctx),
        }
    }

    fn compare_converted(&self, a: Value<'_>, b: Value<'_>, ctx: &mut ConvCtx) -> Option<Ordering> {
        match self.kind {
            ComparisonKind::Int => Some(compare_ints(a, b)),
            ComparisonKind::Decimal => Some(to_decimal(a, &self.left, ctx).cmp(&to_decimal(b, &self.right, ctx))),
            ComparisonKind::Double if matches!(self.constant, Constant::Integer | Constant::InRange) => {
                self.beside_integers(a, b, ctx)
            }
            ComparisonKind::Double => self.doubles(to_f64(a, &self.left, ctx), to_f64(b, &self.right, ctx)),
            ComparisonKind::DateTime if matches!(self.constant, Constant::Date(_)) => self.beside_dates(a, b, ctx),
            ComparisonKind::DateTime => Some(date(a, &self.left, ctx)?.cmp(&date(b, &self.right, ctx)?)),
            ComparisonKind::Time if self.constant != Constant::Plain => self.beside_times(a, b, ctx),
            // text that is no time is 00:00:00 (manual, "The TIME Type")
            ComparisonKind::Time => {
                let time = |v, ty, ctx: &mut ConvCtx| to_time(v, ty, ctx).unwrap_or_default();
                Some(time(a, &self.left, ctx).cmp(&time(b, &self.right, ctx)))
            }
            ComparisonKind::Json => {
                let (mut x, mut y) = (Vec::new(), Vec::new());
                document_of(a, &self.left, &mut x)?;
                document_of(b, &self.right, &mut y)?;
                Some(compare_documents(&x, &y))
            }
            ComparisonKind::String(_) => {
                let x = text_for(a, &self.left, self.collation.charset);
                let y = text_for(b, &self.right, self.collation.charset);
                Some(self.collation.compare(&x, &y))
            }
        }
    }

    /// An integer column and constant text.
    fn beside_integers(&self, a: Value<'_>, b: Value<'_>, ctx: &mut ConvCtx) -> Option<Ordering> {
        let (x, y) = (whole(a, &self.left, &self.right, ctx), whole(b, &self.right, &self.left, ctx));
        let beyond = |n: i128| self.constant == Constant::InRange && matches!(n, i128::MIN | i128::MAX);
        if let (Some(x), Some(y)) = (x, y)
            && !beyond(x)
            && !beyond(y)
        {
            return Some(x.cmp(&y));
        }
        to_f64(a, &self.left, ctx).partial_cmp(&to_f64(b, &self.right, ctx))
    }

    /// A column of dates and a constant number, which is stored into the column first: what a DATE has no room for is lost, with a note.
    fn beside_dates(&self, a: Value<'_>, b: Value<'_>, ctx: &mut ConvCtx) -> Option<Ordering> {
        let Constant::Date(name) = &self.constant else { return None };
        let of_left = self.left.kind.has_date();
        let (n, column) = if of_left { (b, &self.left) } else { (a, &self.right) };
        let before = ctx.warned();
        // 0 is the zero date, whatever NO_ZERO_DATE says
        let number = |v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx| match v {
            Value::Int(0) | Value::UInt(0) => Some(DateTime::ZERO),
            v => to_datetime(v, ty, ctx),
        };
        if let (Some(x), Some(y)) = (number(a, &self.left, ctx), number(b, &self.right, ctx)) {
            let (x, y, lost) = if of_left {
                let (stored, lost) = stored_date(y, column);
                (x, stored, lost)
            } else {
                let (stored, lost) = stored_date(x, column);
                (stored, y, lost)
            };
            // told in strict mode alone, as where it is stored
            if lost && !name.is_empty() && ctx.sql_mode.is_strict() {
                incorrect_date(n, column, name, Level::Note, ctx);
            }
            return Some(x.cmp(&y));
        }
        ctx.forget_since(before);
        incorrect_date(n, column, name, Level::Warning, ctx);
        to_f64(a, &self.left, ctx).partial_cmp(&to_f64(b, &self.right, ctx))
    }

    /// A TIME column and constant text.
    fn beside_times(&self, a: Value<'_>, b: Value<'_>, ctx: &mut ConvCtx) -> Option<Ordering> {
        let digits = if matches!(a, Value::Time(_)) { self.left.decimals } else { self.right.decimals };
        let (x, y) = (stored_time(a, &self.left, digits, ctx), stored_time(b, &self.right, digits, ctx));
        if let (Some(x), Some(y)) = (x, y) {
            return Some(x.cmp(&y));
        }
        let Constant::Time(c, column) = &self.constant else { return None };
        for v in [a, b] {
            if let Value::Str(s) = v
                && !is_silent_time(s)
            {
                let message = format!("Incorrect time value: '{}' for column '{column}' at row 1", printable(s));
                ctx.push(Level::Warning, SqlError::with_message(ErrorCode::TRUNCATED_WRONG_VALUE, message));
            }
        }
        let (x, y) = (text_for(a, &self.left, c.charset()), text_for(b, &self.right, c.charset()));
        Some(c.get().compare(&x, &y))
    }
}

/// Whether a text is no time beside a TIME column without a warning: an empty one, and a number with an exponent.
pub fn is_silent_time(s: &[u8]) -> bool {
    let s = s.trim_ascii_start();
    let s = s.strip_prefix(b"-").unwrap_or(s);
    let rest = s.trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    match rest.get(digits..) {
        Some([]) => digits == 0,
        Some([b'e' | b'E', b'0'..=b'9', ..] | [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..]) => digits > 0,
        _ => false,
    }
}

/// A date; text that is none is the zero date, with a warning.
fn date(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> Option<DateTime> {
    let text = ty.kind.is_string() || matches!(ty.kind, TypeKind::Enum | TypeKind::Set);
    to_datetime(v, ty, ctx).or(text.then_some(DateTime::ZERO))
}

fn compare_documents(a: &[u8], b: &[u8]) -> Ordering {
    json::order::compare(Ref::trusted(a), Ref::trusted(b))
}

/// Appends an SQL value's document; `None` for NULL and for text that is not well-formed.
pub fn document_of(v: Value<'_>, ty: &SqlType, out: &mut Vec<u8>) -> Option<()> {
    match v {
        Value::Null => return None,
        Value::Json(d) => out.extend_from_slice(d),
        v => json::convert::from_sql(v, ty).ok()?.encode(out).ok()?,
    }
    Some(())
}

/// An integer, or what a constant text would be in the integer column beside it: rounded, if that is the same number as a DOUBLE. Text that is a larger
/// number is larger than what the column holds.
pub fn whole(v: Value<'_>, ty: &SqlType, column: &SqlType, ctx: &mut ConvCtx) -> Option<i128> {
    let s = match v {
        Value::Int(n) => return Some(i128::from(n)),
        Value::UInt(n) => return Some(i128::from(n)),
        Value::Str(s) => s,
        _ => return None,
    };
    let p = parse_int_rounded(s);
    let (min, max) = column.int_range();
    if p.consumed == 0 || p.overflow || p.value < min || p.value > max {
        let beyond = Decimal::parse(s).map(|d| if d.is_negative() { i128::MIN } else { i128::MAX });
        return beyond.filter(|_| p.overflow || p.value > i128::from(i64::MAX));
    }
    (p.value as f64 == to_f64(v, ty, ctx)).then_some(p.value)
}

/// Text in the comparison's character set.
fn text_for(v: Value<'_>, ty: &SqlType, cs: Charset) -> Vec<u8> {
    let mut raw = Vec::new();
    to_text(v, ty, &mut raw);
    let plain = ty.kind == TypeKind::Json || ty.kind.is_temporal();
    let source = if plain { Charset::Utf8mb4 } else { ty.charset() };
    if source == cs || (raw.is_ascii() && source.has_ascii() && cs.has_ascii()) {
        return raw;
    }
    let mut out = Vec::with_capacity(raw.len() * 2);
    charset::convert(&raw, source, cs, &mut out);
    out
}

/// Integers of either sign; other variants do not occur where the kind is `Int`.
fn compare_ints(a: Value<'_>, b: Value<'_>) -> Ordering {
    let wide = |v: Value<'_>| match v {
        Value::Int(n) => i128::from(n),
        Value::UInt(n) => i128::from(n),
        Value::Double(f) => f as i128,
        Value::Decimal(d) => d.to_i64().map_or(0, i128::from),
        _ => 0,
    };
    wide(a).cmp(&wide(b))
}

/// Order of two values of the *same* static type, NULL first: ORDER BY, GROUP BY, MIN/MAX.
#[inline]
pub fn order_same_type(a: Value<'_>, b: Value<'_>, ty: &SqlType) -> Ordering {
    match (a, b) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Less,
        (_, Value::Null) => Ordering::Greater,
        (Value::Int(x), Value::Int(y)) => x.cmp(&y),
        (Value::UInt(x), Value::UInt(y)) => x.cmp(&y),
        (Value::Str(x), Value::Str(y)) => ty.collation.get().compare(x, y),
        (Value::Double(x), Value::Double(y)) => x.partial_cmp(&y).unwrap_or(Ordering::Equal),
        (Value::Decimal(x), Value::Decimal(y)) => x.cmp(y),
        (Value::Date(x), Value::Date(y)) => x.cmp(&y),
        (Value::DateTime(x), Value::DateTime(y)) => x.cmp(&y),
        (Value::Time(x), Value::Time(y)) => x.cmp(&y),
        (Value::Json(x), Value::Json(y)) => compare_documents(x, y),
        // the same type in two variants: integers of mixed sign, or a type that was not fixed
        (Value::Int(_) | Value::UInt(_), Value::Int(_) | Value::UInt(_)) => compare_ints(a, b),
        _ => {
            let mut ctx = ConvCtx::default();
            to_f64(a, ty, &mut ctx).partial_cmp(&to_f64(b, ty, &mut ctx)).unwrap_or(Ordering::Equal)
        }
    }
}

/// Feeds `v` to a hasher so that values of this static type that compare equal hash equal (NULL has a hash of its own).
#[inline]
pub fn hash_same_type<H: Hasher>(v: Value<'_>, ty: &SqlType, h: &mut H) {
    match v {
        Value::Null => h.write_u8(0),
        Value::Int(n) => h.write_i64(n),
        Value::UInt(n) => h.write_u64(n),
        Value::Double(f) => h.write_u64(if f == 0.0 { 0 } else { f.to_bits() }),
        Value::Decimal(d) => d.hash(h),
        Value::Str(s) => ty.collation.get().hash(s, h),
        Value::Date(d) => h.write_u32(d.0),
        Value::DateTime(d) => h.write_u64(d.0),
        Value::Time(t) => h.write_i64(t.0),
        Value::Json(d) => {
            let mut w = Vec::with_capacity(d.len() + 8);
            json::order::weights(Ref::trusted(d), &mut w);
            h.write(&w);
        }
    }
}
