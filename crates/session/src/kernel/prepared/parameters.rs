//! Parameters of prepared statements: values of the binary protocol and user variables as values with types, in the character set
//! for which the statement was prepared. Tested: golden `prepared`, `parameter_types`, `client_charset`.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{FieldType, Param};
use value::{CollationId, Date, DateTime, OwnedValue, SqlType, Time, TimeZone, TypeKind};

/// A text in another collation's character set; `None` where a character of it is not there: beside a column it may do as it is. (MySQL refuses it
/// with 3988 where nothing stands beside it.)
pub(super) fn translate(text: &[u8], from: CollationId, to: CollationId) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let done = value::charset::convert(text, from.charset(), to.charset(), &mut out);
    (done.unmappable + done.malformed == 0).then_some(out)
}

/// The type of a DECIMAL parameter: MySQL's DECIMAL(65,30) for all that fit; alone it is shown with its own digits.
pub(crate) fn decimal_type(d: &value::Decimal) -> SqlType {
    match d.precision().saturating_sub(d.scale()) {
        0..=35 if d.scale() <= 30 => SqlType { own_digits: true, ..SqlType::decimal(65, 30) },
        _ => SqlType::decimal(d.precision(), d.scale()),
    }
}

/// The length that a text's type has, rounded so that executions with strings of other lengths share the plan.
fn rounded(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX / 2).next_power_of_two().max(64)
}

/// A user variable as a parameter: texts become texts of the collation for which the statement was prepared, bytes stay as they are. Types are as wide as
/// those of the binary protocol, since values of the same kind share a plan.
pub(super) fn in_collation(
    (v, mut ty): (OwnedValue, SqlType),
    to: CollationId,
    planned: bool,
) -> (OwnedValue, SqlType) {
    let s = match &v {
        OwnedValue::Str(s) => s,
        OwnedValue::Int(_) if ty.kind.is_integer() => return (v, SqlType::bigint()),
        OwnedValue::UInt(_) if ty.kind.is_integer() => return (v, SqlType::bigint_unsigned()),
        OwnedValue::Decimal(d) => {
            let ty = decimal_type(d);
            return (v, ty);
        }
        _ => return (v, ty),
    };
    // bytes are taken for text, as in the binary protocol, but not for a new table
    if planned && ty.kind.is_binary_string() && to != CollationId::BINARY && to.charset().is_valid(s) {
        ty = SqlType::varchar(rounded(s.len()), to).nullable(ty.nullable);
    }
    if matches!(ty.kind, TypeKind::VarChar | TypeKind::VarBinary) {
        ty.length = ty.length.max(rounded(s.len()));
    }
    if !ty.is_character() || ty.collation == to {
        return (v, ty);
    }
    match translate(s, ty.collation, to) {
        Some(text) => {
            ty.collation = to;
            (OwnedValue::Str(text.into()), ty)
        }
        None => (v, ty),
    }
}

/// Types that a plan made for `made` accepts. What the plan keeps in tables is as wide as `made`: a longer text would be cut there.
pub(super) fn same_kind(made: &SqlType, now: &SqlType) -> bool {
    if made.kind.is_string() {
        return now.kind.is_string() && made.collation == now.collation && now.length <= made.length;
    }
    let digits = |t: &SqlType| (t.length, t.decimals, t.own_digits);
    let wide = now.kind != TypeKind::Decimal || digits(now) == digits(made);
    made.kind == now.kind && made.unsigned == now.unsigned && made.collation == now.collation && wide
}

/// A statement in a user variable as it is read.
pub(super) fn text_of(s: &[u8], ty: &SqlType) -> Vec<u8> {
    let cs = ty.charset();
    if !ty.is_character() || cs.is_utf8() || (cs.has_ascii() && !cs.hides_ascii()) {
        return s.to_vec();
    }
    let mut out = Vec::with_capacity(s.len() * 2);
    value::charset::convert(s, cs, value::Charset::Utf8mb4, &mut out);
    out
}

/// A parameter that is sent as bytes: text of the connection's collation, or bytes.
fn text(b: &[u8], ty: FieldType, connection: CollationId, from: Option<CollationId>) -> (OwnedValue, SqlType) {
    let blob = matches!(
        ty,
        FieldType::TinyBlob | FieldType::Blob | FieldType::MediumBlob | FieldType::LongBlob | FieldType::Bit
    );
    let binary = blob && (from.is_some() || std::str::from_utf8(b).is_err());
    let translated = match from {
        Some(set) if !binary => {
            let text = translate(b, set, connection).map(|t| (t, connection));
            Some(text.unwrap_or_else(|| (b.to_vec(), set)))
        }
        _ => None,
    };
    let (b, collation) = match &translated {
        Some((text, collation)) => (text.as_slice(), *collation),
        None if binary => (b, CollationId::BINARY),
        None => (b, connection),
    };
    (OwnedValue::Str(b.into()), SqlType::varchar(rounded(b.len()), collation))
}

/// A parameter of the binary protocol as a value with its type; `from`: the client's character set, if text becomes text of another one.
pub(super) fn parameter(
    p: &Param<'_>,
    connection: CollationId,
    from: Option<CollationId>,
    zone: &TimeZone,
) -> SqlResult<(OwnedValue, SqlType)> {
    Ok(match *p {
        Param::Null => (OwnedValue::Null, SqlType::new(TypeKind::Null)),
        Param::Int(v) => (OwnedValue::Int(v), SqlType::bigint()),
        Param::UInt(v) => (OwnedValue::UInt(v), SqlType::bigint_unsigned()),
        Param::Float(v) => (OwnedValue::Double(f64::from(v)), SqlType::double()),
        Param::Double(v) => (OwnedValue::Double(v), SqlType::double()),
        // as a C string: what comes behind a zero byte does not count
        Param::Bytes(b, FieldType::NewDecimal | FieldType::Decimal) => match decimal(b) {
            Some(d) => {
                let ty = decimal_type(&d);
                (OwnedValue::Decimal(Box::new(d)), ty)
            }
            None => (OwnedValue::Decimal(Box::new(value::Decimal::from_i128(0, 0))), SqlType::decimal(1, 0)),
        },
        Param::Bytes(b, ty) => text(b, ty, connection, from),
        Param::DateTime { ty, year, month, day, hour, minute, second, micros, .. }
            if year > 9999 || month > 12 || day > 31 || hour > 23 || minute > 59 || second > 59 || micros > 999_999 =>
        {
            return Err(out_of_range(if ty == FieldType::Date { "DATE" } else { "DATETIME" }));
        }
        Param::Time { hours, minute, second, micros, .. }
            if hours > 838 || minute > 59 || second > 59 || micros > 999_999 =>
        {
            return Err(out_of_range("TIME"));
        }
        Param::DateTime { ty, year, month, day, hour, minute, second, micros, displacement } => {
            let date = Date::new(u32::from(year), u32::from(month), u32::from(day));
            if ty == FieldType::Date {
                return Ok((OwnedValue::Date(date), SqlType::temporal(TypeKind::Date, 0)));
            }
            let d = DateTime::new(
                u32::from(year),
                u32::from(month),
                u32::from(day),
                u32::from(hour),
                u32::from(minute),
                u32::from(second),
                micros,
            );
            let d = match displacement {
                Some(minutes) if !d.date().has_zero_part() => {
                    zone.utc_to_local(TimeZone::Offset(i32::from(minutes) * 60).local_to_utc(d))
                }
                _ => d,
            };
            // six digits whatever the value has: MySQL gives UNIX_TIMESTAMP(?) of a DATETIME as 631152000.000000
            (OwnedValue::DateTime(d), SqlType::temporal(TypeKind::DateTime, 6))
        }
        Param::Time { negative, hours, minute, second, micros } => {
            let t = Time::new(negative, hours.min(838) as u32, u32::from(minute), u32::from(second), micros);
            (OwnedValue::Time(t), SqlType::temporal(TypeKind::Time, 6))
        }
    })
}

/// A date or time of the binary protocol with parts that none has: it must not get into a table.
pub(super) fn out_of_range(kind: &str) -> SqlError {
    SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&kind, &"set_parameter_value"])
}

/// A DECIMAL parameter's text.
pub(super) fn decimal(b: &[u8]) -> Option<value::Decimal> {
    value::Decimal::parse(b.split(|c| *c == 0).next().unwrap_or(b))
}
