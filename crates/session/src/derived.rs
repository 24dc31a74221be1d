//! What becomes of the values sent for parameters that have a type of their own (`planner`'s `bind/expr/derive.rs`): a text is converted to it, NULL gets
//! it, numbers become dates and times, integers DECIMAL and DOUBLE; other values keep their types, for which the statement is planned again. A text that is a number with a fraction or beyond BIGINT is DECIMAL
//! beside integers, one with a time DATETIME beside dates; a text that is no date or time is NULL, with a warning.

use base::SqlResult;
use bumpalo::Bump;
use value::{ConvCtx, Decimal, OwnedValue, SqlMode, SqlType, TypeKind, Value, convert};

/// The values of one execution, each with its type.
pub(crate) type Arguments = Vec<(OwnedValue, SqlType)>;

/// A number for a parameter about whose type nothing decides, and which is text therefore: MySQL prepares the statement again then, with the types of
/// all values.
fn is_prepared_again(derived: &[SqlType], values: &[(OwnedValue, SqlType)]) -> bool {
    let number = |v: &OwnedValue| {
        matches!(v, OwnedValue::Int(_) | OwnedValue::UInt(_) | OwnedValue::Decimal(_) | OwnedValue::Double(_))
    };
    let open = |n: usize| derived.get(n).is_none_or(|d| d.kind == TypeKind::Null);
    values.iter().enumerate().any(|(n, (v, _))| open(n) && number(v))
}

/// `wide`: integers become DECIMAL and DOUBLE.
fn concerns(derived: &SqlType, (v, ty): &(OwnedValue, SqlType), wide: bool) -> bool {
    if derived.kind == TypeKind::Null {
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
        OwnedValue::Decimal(_) | OwnedValue::Double(_) => derived.kind.is_temporal(),
        _ => false,
    }
}

/// The values as the parameters' types have them; `None` if that is as they are.
pub(crate) fn converted(
    derived: &[SqlType],
    values: &[(OwnedValue, SqlType)],
    conv: &mut ConvCtx,
) -> SqlResult<Option<Arguments>> {
    let wide = derived.is_empty() || !is_prepared_again(derived, values);
    if !derived.iter().zip(values).any(|(d, v)| concerns(d, v, wide)) {
        return Ok(None);
    }
    let none = SqlType::new(TypeKind::Null);
    let kinds = derived.iter().chain(std::iter::repeat(&none));
    let each =
        values.iter().zip(kinds).map(|(v, d)| if concerns(d, v, wide) { one(d, v, conv) } else { Ok(v.clone()) });
    each.collect::<SqlResult<_>>().map(Some)
}

/// 838:59:59 as a number.
const LAST_TIME: u64 = 8_385_959;

fn one(derived: &SqlType, (v, from): &(OwnedValue, SqlType), conv: &mut ConvCtx) -> SqlResult<(OwnedValue, SqlType)> {
    let to = match v {
        OwnedValue::Str(s) => refined(s, derived),
        _ => derived.clone(),
    };
    let v = match v {
        // as it would be in a signed integer
        OwnedValue::UInt(n) if to.kind.is_temporal() => Value::Int(*n as i64),
        _ => v.as_value(),
    };
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

/// The type that this text has as a parameter of the derived type.
fn refined(text: &[u8], derived: &SqlType) -> SqlType {
    match derived.kind {
        TypeKind::Year | TypeKind::Bit => SqlType::bigint().nullable(true),
        k if k.is_integer() => match whole(text, derived.unsigned) {
            true => derived.clone(),
            false => SqlType::decimal(65, 30).nullable(true),
        },
        // a time of the day behind the date
        TypeKind::Date if text.contains(&b':') => SqlType::temporal(TypeKind::DateTime, 6).nullable(true),
        _ => derived.clone(),
    }
}

/// Whether a text is taken for an integer: it is one that fits, or begins with digits (or none) before something that is no number.
fn whole(text: &[u8], unsigned: bool) -> bool {
    let text = text.trim_ascii();
    let Some(number) = Decimal::parse(text) else { return true };
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    let fits = if unsigned { number.to_u64().is_ok() } else { number.to_i64().is_ok() };
    fits && digits.iter().all(u8::is_ascii_digit)
}
