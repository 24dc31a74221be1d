//! What becomes of the values sent for parameters that have a type of their own (`planner`'s `bind/expr/derive.rs`): a text is converted to it, NULL gets
//! it, numbers become dates and times, integers DECIMAL and DOUBLE; other values keep their types, for which the statement is planned again. A text that is a number with a fraction or beyond BIGINT is DECIMAL
//! beside integers, one with a time DATETIME beside dates; a text that is no date or time is NULL, with a warning.

use crate::prepared::decimal_type;
use base::SqlResult;
use bumpalo::Bump;
use value::{ConvCtx, Decimal, OwnedValue, SqlMode, SqlType, TypeKind, Value, convert};

/// The values of one execution, each with its type.
pub(crate) type Arguments = Vec<(OwnedValue, SqlType)>;

/// Whether a value does for a parameter of the derived type; MySQL prepares the statement again where one does not, with the types of all values. About a
/// parameter of no type nothing decides: it is text.
fn does(derived: &SqlType, (v, ty): &(OwnedValue, SqlType)) -> bool {
    use TypeKind as K;
    let kind = derived.kind;
    match v {
        _ if kind.is_string() => true,
        OwnedValue::Null => true,
        OwnedValue::Str(s) if ty.kind.is_string() && !ty.charset().is_wide() => match refined(s, derived).kind {
            K::Decimal => kind == K::Decimal,
            K::DateTime => kind == K::DateTime,
            _ => true,
        },
        OwnedValue::Int(_) | OwnedValue::UInt(_) => !matches!(kind, K::Null | K::Bit),
        OwnedValue::Decimal(_) => matches!(kind, K::Decimal | K::Double) || kind.is_temporal(),
        OwnedValue::Double(_) => kind == K::Double || kind.is_temporal(),
        OwnedValue::Date(_) => matches!(kind, K::Date | K::DateTime),
        OwnedValue::DateTime(_) | OwnedValue::Time(_) => matches!(kind, K::DateTime | K::Time),
        _ => true,
    }
}

/// `wide`: numbers become DECIMAL and DOUBLE, dates and times DATETIME and TIME.
fn concerns(derived: &SqlType, (v, ty): &(OwnedValue, SqlType), wide: bool) -> bool {
    if derived.kind == TypeKind::Null || derived.kind.is_string() {
        return false;
    }
    match v {
        OwnedValue::Null => !matches!(derived.kind, TypeKind::Year | TypeKind::Bit),
        OwnedValue::Str(_) => ty.kind.is_string() && !ty.charset().is_wide(),
        OwnedValue::Int(_) | OwnedValue::UInt(_) => {
            let wider =
                wide && matches!(derived.kind, TypeKind::Double | TypeKind::Decimal) || derived.kind.is_temporal();
            wider && ty.kind.is_integer()
        }
        OwnedValue::Decimal(_) => wide && derived.kind == TypeKind::Double || derived.kind.is_temporal(),
        OwnedValue::Double(_) => derived.kind.is_temporal(),
        OwnedValue::Date(_) => wide && derived.kind == TypeKind::DateTime,
        OwnedValue::DateTime(_) => wide && derived.kind == TypeKind::Time,
        OwnedValue::Time(_) => wide && derived.kind == TypeKind::DateTime,
        _ => false,
    }
}

/// The values as the parameters' types have them; `None` if that is as they are. `change`: the statement writes rows.
pub(crate) fn converted(
    derived: &[SqlType],
    values: &[(OwnedValue, SqlType)],
    conv: &mut ConvCtx,
    change: bool,
) -> SqlResult<Option<Arguments>> {
    if derived.is_empty() {
        return Ok(None);
    }
    let none = SqlType::new(TypeKind::Null);
    let kinds = derived.iter().chain(std::iter::repeat(&none));
    let wide = kinds.clone().zip(values).all(|(d, v)| does(d, v));
    if !derived.iter().zip(values).any(|(d, v)| concerns(d, v, wide)) {
        return Ok(None);
    }
    // what is no number fails a change, as in MySQL mostly
    let own = !wide && !change;
    let each =
        values.iter().zip(kinds).map(|(v, d)| if concerns(d, v, wide) { one(d, v, own, conv) } else { Ok(v.clone()) });
    each.collect::<SqlResult<_>>().map(Some)
}

/// 838:59:59 as a number.
const LAST_TIME: u64 = 8_385_959;

fn one(
    derived: &SqlType,
    (v, from): &(OwnedValue, SqlType),
    own: bool,
    conv: &mut ConvCtx,
) -> SqlResult<(OwnedValue, SqlType)> {
    let to = match v {
        // of the values' own types, what is no number is a text and a date alone a DATE
        OwnedValue::Str(s) if own && !derived.kind.is_temporal() && Decimal::parse(s).is_none() => {
            return Ok((v.clone(), from.clone()));
        }
        OwnedValue::Str(s) if own && derived.kind == TypeKind::DateTime && !has_time(s) => {
            SqlType::temporal(TypeKind::Date, 0).nullable(true)
        }
        OwnedValue::Str(s) => refined(s, derived),
        _ => derived.clone(),
    };
    let v = match v {
        // as it would be in a signed integer
        OwnedValue::UInt(n) if to.kind.is_temporal() => Value::Int(*n as i64),
        _ => v.as_value(),
    };
    if to.kind == TypeKind::Decimal
        && let Some(d) = exact(v)
    {
        let ty = decimal_type(&d).nullable(true);
        return Ok((OwnedValue::Decimal(Box::new(d)), ty));
    }
    if let (Value::Int(n), TypeKind::Time) = (v, to.kind)
        && n.unsigned_abs() > LAST_TIME
    {
        return Ok((OwnedValue::Null, to));
    }
    let arena = Bump::new();
    // zeros in dates are for what the value goes into to refuse
    let mode = conv.sql_mode;
    conv.sql_mode = SqlMode(mode.0 & !(SqlMode::NO_ZERO_IN_DATE | SqlMode::NO_ZERO_DATE).0);
    let value = convert::cast(v, from, &to, conv, &arena);
    conv.sql_mode = mode;
    Ok((value?.to_owned(), to))
}

/// A number as DECIMAL with the digits that it has, if DECIMAL(65,30) has room for them.
fn exact(v: Value<'_>) -> Option<Decimal> {
    let d = match v {
        Value::Int(n) => Decimal::from_i128(i128::from(n), 0),
        Value::UInt(n) => Decimal::from_i128(i128::from(n), 0),
        Value::Str(s) => Decimal::parse(s)?,
        _ => return None,
    };
    (d.scale() <= 30 && d.precision().saturating_sub(d.scale()) <= 35).then_some(d)
}

/// The type that this text has as a parameter of the derived type.
fn refined(text: &[u8], derived: &SqlType) -> SqlType {
    match derived.kind {
        TypeKind::Year | TypeKind::Bit => SqlType::bigint().nullable(true),
        k if k.is_integer() => match whole(text, derived.unsigned) {
            true => derived.clone(),
            false => SqlType::decimal(65, 30).nullable(true),
        },
        // a time of the day behind the date
        TypeKind::Date if has_time(text) => SqlType::temporal(TypeKind::DateTime, 6).nullable(true),
        _ => derived.clone(),
    }
}

/// Whether a time of the day stands behind the date, and not colons between the date's parts.
fn has_time(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let behind = text.iter().position(|b| matches!(b, b' ' | b'T')).and_then(|at| text.get(at..));
    behind.is_some_and(|t| t.contains(&b':'))
}

/// Whether a text is taken for an integer: it is one without a minus that fits, or begins with digits (or none) before something that is no number. A
/// negative one is DECIMAL, as in MySQL.
fn whole(text: &[u8], unsigned: bool) -> bool {
    let text = text.trim_ascii();
    let Some(number) = Decimal::parse(text) else { return true };
    let digits = text.strip_prefix(b"+").unwrap_or(text);
    let fits = if unsigned { number.to_u64().is_ok() } else { number.to_i64().is_ok() };
    fits && digits.iter().all(u8::is_ascii_digit)
}
