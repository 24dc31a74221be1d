//! What a multi-valued index holds of a JSON value: an array of scalars of the index's type, sorted, each once (manual, "Multi-Valued
//! Indexes").
//!
//! Equal JSON values have equal elements: a number is converted from its decimal text, whichever of JSON's number types it has, so 2.5 and 2.5e0 do
//! not part. What an index finds for a value's element is therefore all that equals the value, and perhaps more. The exception is text
//! of numbers ('1' and '1.0'), so who looks up an index of CHAR must look for text.
//!
//! Pure code. Tested at the end and by tests/sql/golden/multi_valued.sql.

use bumpalo::Bump;

use super::{Dom, Kind, Ref, convert, order, print};
use base::ErrorCode;

use crate::context::{ConvCtx, Warning};
use crate::convert::{to_datetime_flags, to_time};
use crate::decimal::Decimal;
use crate::temporal::parse::{self, DateFlags};
use crate::types::{SqlType, TypeKind};
use crate::value::Value;

/// MySQL's number of VARBINARY in opaque values.
const VARBINARY: u8 = 15;

/// Warnings about delimiters of dates.
const DELIMITER: u16 = ErrorCode::WARN_DEPRECATED_DATETIME_DELIMITER.number();
const SPACES: u16 = ErrorCode::WARN_DEPRECATED_SUPERFLUOUS_DELIMITER.number();

/// Why a value cannot be in an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bad {
    /// 3903: not a value of the type.
    Invalid,
    /// 3904: a number beyond all integers.
    Range,
    /// 3752: beyond the type's range.
    OutOfRange,
    /// 3751: a date or time that is none.
    Truncated,
    /// 3907: longer than the type.
    TooLong,
    /// 3908: an array or object in the array.
    Nested,
    /// 1235: an object or a truth value instead of an array.
    Kind(&'static str),
    /// 3905: so many values more than a row may have.
    Many(usize),
    /// 3906: so many bytes more.
    Size(usize),
}

/// What a row may have in an array.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Different values.
    pub values: usize,
    /// Bytes of all values, equal ones too, as MySQL's keys have them.
    pub bytes: usize,
}

impl Limits {
    /// What fits into a page of MySQL's undo log beside a primary key of so many bytes; `widths` are those of the table's multi-valued columns
    /// ([`width`]), whose least one counts. Every value takes two bytes more there.
    pub fn of_table(primary_key: usize, widths: impl Iterator<Item = usize>) -> Limits {
        let room = UNDO_PAGE_ROOM.saturating_sub(primary_key);
        let values = room / (widths.min().unwrap_or(1) + 2);
        Limits { values, bytes: room - 2 * values }
    }
}

/// What MySQL leaves of a page of 16 KiB for a row's arrays and its primary key.
const UNDO_PAGE_ROOM: usize = 16_064;

/// Bytes of a value of this type in MySQL's keys; 1 for text, which may be so short.
pub fn width(ty: &SqlType) -> usize {
    let fraction = usize::from(ty.decimals.div_ceil(2));
    match ty.kind {
        TypeKind::Date => 3,
        TypeKind::Time => 3 + fraction,
        TypeKind::DateTime => 5 + fraction,
        TypeKind::Decimal => crate::decimal::binary_size(ty.length as u8, ty.decimals),
        k if k.is_string() => 1,
        _ => 8,
    }
}

/// The array, and how many of its elements were rounded (a note each).
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a> {
    /// A document.
    pub array: Value<'a>,
    /// Number.
    pub rounded: usize,
}

/// An element as the index has it, and whether it was rounded.
pub struct Element<'a> {
    /// A scalar.
    pub value: Dom<'a>,
    /// DECIMAL lost digits.
    pub rounded: bool,
}

/// All of a document: of an array its elements, a scalar as one. `limits` is asked for an array's.
pub fn elements<'a>(
    doc: &[u8],
    ty: &SqlType,
    limits: impl FnOnce() -> Limits,
    ctx: &mut ConvCtx,
    arena: &'a Bump,
) -> Result<Elements<'a>, Bad> {
    let root = Ref::trusted(doc);
    let list: Vec<Ref<'_>> = match root.kind() {
        Kind::Array => root.elements().collect(),
        Kind::Object | Kind::Bool(_) => return Err(Bad::Kind(root.type_name())),
        _ => vec![root],
    };
    let (mut rounded, mut out) = (0, Vec::with_capacity(list.len()));
    let (written, mut bytes) = (list.len(), 0);
    for e in list {
        let e = element(e, ty, ctx)?;
        rounded += usize::from(e.rounded);
        bytes += match &e.value {
            Dom::Str(s) | Dom::Opaque(VARBINARY, s) => s.len(),
            _ => width(ty),
        };
        out.push(e.value.to_document().map_err(|_| Bad::TooLong)?);
    }
    let mut out: Vec<Ref<'_>> = out.iter().map(|d| Ref::trusted(d)).collect();
    out.sort_by(|a, b| order::compare(*a, *b));
    out.dedup_by(|a, b| order::compare(*a, *b).is_eq());
    if written > 1 {
        let most = limits();
        if out.len() > most.values {
            return Err(Bad::Many(out.len() - most.values));
        }
        if bytes > most.bytes {
            return Err(Bad::Size(bytes - most.bytes));
        }
    }
    let array = Dom::Array(out.into_iter().map(Dom::Part).collect());
    Ok(Elements { array: convert::to_value(&array, arena).map_err(|_| Bad::TooLong)?, rounded })
}

/// One scalar. `ctx` is warned of old delimiters of dates and of nothing else.
pub fn element<'a>(r: Ref<'a>, ty: &SqlType, ctx: &mut ConvCtx) -> Result<Element<'a>, Bad> {
    let exact = |value| Ok(Element { value, rounded: false });
    match r.kind() {
        Kind::Array | Kind::Object => return Err(Bad::Nested),
        Kind::Null => return Err(Bad::Invalid),
        _ => {}
    }
    match ty.kind {
        TypeKind::Decimal => {
            let d = number(r)?;
            let fit = d.fit(ty.length as u8, ty.decimals).map_err(|_| Bad::OutOfRange)?;
            Ok(Element { rounded: fit != d, value: Dom::Decimal(fit) })
        }
        k if k.is_integer() => exact(integer(r, ty.unsigned)?),
        k if k.is_string() => exact(text(r, ty)?),
        _ => exact(temporal(r, ty, ctx)?),
    }
}

/// A number, or text that is one as a whole.
fn number(r: Ref<'_>) -> Result<Decimal, Bad> {
    match r.kind() {
        Kind::Bool(b) => Ok(Decimal::from_i64(i64::from(b))),
        Kind::Int(n) => Ok(Decimal::from_i64(n)),
        Kind::UInt(n) => Ok(Decimal::from_i128(i128::from(n), 0)),
        Kind::Double(f) => Decimal::from_f64(f).map_err(|_| Bad::Range),
        Kind::Decimal(d) => Ok(d),
        Kind::Str(s) => {
            let s = s.trim_ascii();
            let p = Decimal::parse(s).filter(|_| !s.is_empty());
            p.ok_or(Bad::Invalid)
        }
        _ => Err(Bad::Invalid),
    }
}

/// Rounded as a double is: halves to the even one.
fn integer<'a>(r: Ref<'a>, unsigned: bool) -> Result<Dom<'a>, Bad> {
    let d = number(r)?;
    let cut = d.truncate(0);
    let whole = match cut == d {
        true => cut,
        false if r.as_str().is_some() => return Err(Bad::Invalid),
        false => {
            let half = d.sub(&cut).map_err(|_| Bad::Range)?.abs();
            let even = cut.to_i128().is_some_and(|n| n % 2 == 0);
            match half.cmp(&Decimal::from_i128(5, 1)) {
                std::cmp::Ordering::Equal if even => cut,
                _ => d.round(0),
            }
        }
    };
    // a number of another type is 3904 where no integer has room for it
    let inexact = matches!(r.kind(), Kind::Double(_) | Kind::Decimal(_));
    let n = whole.to_i128().ok_or(Bad::Range)?;
    if inexact && (n > i128::from(u64::MAX) || n < i128::from(i64::MIN)) {
        return Err(Bad::Range);
    }
    match unsigned {
        true => u64::try_from(n).map(Dom::UInt),
        false => i64::try_from(n).map(Dom::Int),
    }
    .map_err(|_| Bad::OutOfRange)
}

fn text<'a>(r: Ref<'a>, ty: &SqlType) -> Result<Dom<'a>, Bad> {
    let character = ty.is_character();
    let bytes = match r.kind() {
        Kind::Str(s) => std::borrow::Cow::Borrowed(s),
        Kind::Opaque(_, b) if !character => std::borrow::Cow::Borrowed(b),
        _ => {
            let mut out = Vec::new();
            print::unquoted(r, &mut out);
            out.into()
        }
    };
    let length = match character {
        true => bytes.iter().filter(|b| **b & 0xc0 != 0x80).count(),
        false => bytes.len(),
    };
    if length > ty.length as usize {
        return Err(Bad::TooLong);
    }
    Ok(if character { Dom::Str(bytes) } else { Dom::Opaque(VARBINARY, bytes) })
}

fn temporal<'a>(r: Ref<'a>, ty: &SqlType, ctx: &mut ConvCtx) -> Result<Dom<'a>, Bad> {
    let decimal;
    let (v, from) = match r.kind() {
        Kind::Str(s) => (Value::Str(s), convert::text_type()),
        Kind::Date(d) => (Value::Date(d), SqlType::new(TypeKind::Date)),
        Kind::Time(t) => (Value::Time(t), SqlType::temporal(TypeKind::Time, 6)),
        Kind::DateTime(d) => (Value::DateTime(d), SqlType::temporal(TypeKind::DateTime, 6)),
        Kind::Int(_) | Kind::UInt(_) | Kind::Double(_) | Kind::Decimal(_) => {
            decimal = number(r)?;
            let cut = decimal.truncate(0);
            match cut.to_i128().and_then(|n| i64::try_from(n).ok()).filter(|_| cut == decimal) {
                Some(n) => (Value::Int(n), SqlType::bigint()),
                None => (Value::Decimal(&decimal), SqlType::decimal(65, 30)),
            }
        }
        _ => return Err(Bad::Invalid),
    };
    // a time of day would be one of the present day
    if ty.kind != TypeKind::Time && matches!(v, Value::Time(_)) {
        return Err(Bad::Truncated);
    }
    let (before, shown) = (ctx.warned(), ctx.warnings.len());
    let flags = DateFlags { no_zero_in_date: true, no_zero_date: true, allow_invalid: false };
    let got = match ty.kind {
        TypeKind::Time => to_time(v, &from, ctx).map(|t| Dom::Time(parse::round_time(t, 0, ty.decimals))),
        TypeKind::Date => to_datetime_flags(v, &from, flags, ctx).map(|d| Dom::Date(d.date())),
        _ => to_datetime_flags(v, &from, flags, ctx)
            .and_then(|d| parse::round_datetime(d, 0, ty.decimals))
            .map(Dom::DateTime),
    };
    // an unusual delimiter is none of its faults
    let odd = |w: &Warning| [DELIMITER, SPACES].contains(&w.code);
    let whole = ctx.warned() == before || ctx.warnings.len() > shown && ctx.warnings.iter().skip(shown).all(odd);
    if !whole {
        ctx.forget_since(before);
    }
    got.filter(|_| whole).ok_or(Bad::Truncated)
}

/// Calls `f` with the SQL value of an element.
pub fn with_value<R>(e: &Dom<'_>, f: impl FnOnce(Value<'_>) -> R) -> R {
    match e {
        Dom::Int(n) => f(Value::Int(*n)),
        Dom::UInt(n) => f(Value::UInt(*n)),
        Dom::Decimal(d) => f(Value::Decimal(d)),
        Dom::Str(s) | Dom::Opaque(_, s) => f(Value::Str(s)),
        Dom::Date(d) => f(Value::Date(*d)),
        Dom::Time(t) => f(Value::Time(*t)),
        Dom::DateTime(d) => f(Value::DateTime(*d)),
        _ => f(Value::Null),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CollationId;
    use crate::json::parse_document;

    fn room() -> Limits {
        Limits::of_table(4, std::iter::once(8))
    }

    /// What MySQL 9.7 says of tables with primary keys of 4, 5 and 11 bytes and of one without.
    #[test]
    fn as_many_as_fit_into_a_page_of_undo() {
        let limits = |key, width| {
            let l = Limits::of_table(key, [width].into_iter());
            (l.values, l.bytes)
        };
        assert_eq!((room().values, room().bytes), (1606, 12_848));
        assert_eq!((limits(4, 3), limits(4, 14).0, limits(4, 5).0), ((3212, 9636), 1003, 2294));
        assert_eq!((limits(4, 1).1, limits(5, 1).1, limits(11, 1).1), (5354, 5353, 5351));
        assert_eq!((limits(6, 8).0, limits(6, 1)), (1605, (5352, 5354)));
        assert_eq!(Limits::of_table(4, [8, 1].into_iter()).bytes, 5354);
        let u = SqlType::bigint_unsigned();
        let doc = |n: u64, modulus: u64| {
            let list = Dom::Array((0..n).map(|i| Dom::UInt(i % modulus)).collect());
            let (doc, arena) = (list.to_document().unwrap(), Bump::new());
            elements(&doc, &u, room, &mut ConvCtx::default(), &arena).err()
        };
        assert_eq!((doc(1606, 5000), doc(1607, 5000)), (None, Some(Bad::Many(1))));
        assert_eq!(doc(2000, 5), Some(Bad::Size(16_000 - 12_848)));
    }

    fn of(text: &str, ty: &SqlType) -> Result<String, Bad> {
        let doc = parse_document(text.as_bytes()).unwrap().unwrap();
        let arena = Bump::new();
        let got = elements(&doc, ty, room, &mut ConvCtx::default(), &arena)?;
        let Value::Json(d) = got.array else { panic!("{got:?}") };
        let mut out = Vec::new();
        print::compact(Ref::open(d).unwrap(), &mut out);
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn numbers() {
        let u = SqlType::bigint_unsigned();
        assert_eq!(of("[3, 1, \"2\", 1, 2.5, 3.5, 4.4, true, \" 12\", 1e-300]", &u).unwrap(), "[0, 1, 2, 3, 4, 12]");
        assert_eq!(of("7", &u).unwrap(), "[7]");
        assert_eq!(of("[18446744073709551615]", &u).unwrap(), "[18446744073709551615]");
        assert_eq!(of("[]", &u).unwrap(), "[]");
        for (text, bad) in [
            ("[-1]", Bad::OutOfRange),
            ("[1e30]", Bad::Range),
            ("1111111111111111111111", Bad::Range),
            ("[null]", Bad::Invalid),
            ("null", Bad::Invalid),
            ("[\"x\"]", Bad::Invalid),
            ("[\"2.7\"]", Bad::Invalid),
            ("[\"\"]", Bad::Invalid),
            ("[[1]]", Bad::Nested),
            ("[{}]", Bad::Nested),
            ("{}", Bad::Kind("OBJECT")),
            ("true", Bad::Kind("BOOLEAN")),
        ] {
            assert_eq!(of(text, &u), Err(bad), "{text}");
        }
        assert_eq!(of("[9223372036854775808]", &SqlType::bigint()), Err(Bad::OutOfRange));
        let arena = Bump::new();
        let decimals = Dom::Array(
            ["1.0", "2.50", "3.5", "12.000"].map(|d| Dom::Decimal(Decimal::parse(d.as_bytes()).unwrap())).into(),
        );
        let got = elements(&decimals.to_document().unwrap(), &u, room, &mut ConvCtx::default(), &arena).unwrap();
        let mut text = Vec::new();
        let Value::Json(doc) = got.array else { panic!() };
        print::compact(Ref::trusted(doc), &mut text);
        assert_eq!(text, b"[1, 2, 4, 12]");
        let d = SqlType::decimal(4, 1);
        assert_eq!(of("[1, 2.25, 2.34, \"3.33\"]", &d).unwrap(), "[1.0, 2.3, 3.3]");
        assert_eq!(of("[12345]", &d), Err(Bad::OutOfRange));
    }

    #[test]
    fn texts_and_times() {
        let c = SqlType::varchar(3, CollationId::UTF8MB4_0900_BIN);
        assert_eq!(
            of("[\"b\", \"B\", \"b \", 1, 1.0, \"äöü\"]", &c).unwrap(),
            r#"["1", "1.0", "B", "b", "b ", "äöü"]"#
        );
        assert_eq!(of("[\"abcd\"]", &c), Err(Bad::TooLong));
        let d = SqlType::new(TypeKind::Date);
        assert_eq!(
            of("[\"2020-01-02\", \"20200101\", 20200103]", &d).unwrap(),
            r#"["2020-01-01", "2020-01-02", "2020-01-03"]"#
        );
        for bad in ["[\"2020-02-30\"]", "[\"0000-00-00\"]", "[\"x\"]", "[\"2020-00-01\"]"] {
            assert_eq!(of(bad, &d), Err(Bad::Truncated), "{bad}");
        }
        let t = SqlType::temporal(TypeKind::Time, 0);
        assert_eq!(
            of("[\"10:11:12\", \"10:11:12.6\", 101114]", &t).unwrap(),
            r#"["10:11:12.000000", "10:11:13.000000", "10:11:14.000000"]"#
        );
        assert_eq!(of("[\"900:00:00\"]", &t), Err(Bad::Truncated));
    }
}
