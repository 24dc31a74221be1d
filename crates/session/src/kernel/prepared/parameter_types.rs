//! What becomes of the values sent for parameters that have a type of their own (`planner`'s `bind/expr/derive.rs`): a text is converted to it, NULL gets
//! it, numbers become dates and times, integers DECIMAL and DOUBLE; other values keep their types, for which the statement is planned again. A text that is a number with a fraction or beyond BIGINT is DECIMAL
//! beside integers, one with a time DATETIME beside dates; a text that is no date or time is NULL, with a warning.

use crate::kernel::prepared::decimal_type;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::client::ColumnDef;
use value::{CollationId, ConvCtx, Decimal, OwnedValue, SqlMode, SqlType, TypeKind, Value, convert};

/// What their places say of a statement's parameters.
#[derive(Default)]
pub(crate) struct Places {
    types: Vec<SqlType>,
    /// Whose text is read before rows are ([`planner::plan::Notes::early`]).
    early: Vec<u32>,
    /// Values of columns.
    assigned: Vec<(u32, SqlType)>,
    /// Counts of a window's rows.
    counts: Vec<u32>,
}

impl Places {
    pub(crate) fn of(notes: &planner::plan::Notes) -> Arc<Places> {
        Arc::new(Places {
            types: notes.derived.clone(),
            early: notes.early.clone(),
            assigned: notes.assigned.clone(),
            counts: notes.counts.clone(),
        })
    }

    /// How COM_STMT_PREPARE describes a parameter.
    pub(crate) fn column(&self, i: u32, results: CollationId) -> ColumnDef {
        let none = SqlType::new(TypeKind::Null);
        let assigned = self.assigned.iter().find(|a| a.0 == i).map(|a| &a.1);
        let ty = assigned.or(self.types.get(i as usize)).unwrap_or(&none);
        planner::meta::parameter(ty, results)
    }

    /// Whether all values do for their places: see [`does`].
    fn take(&self, values: &[(OwnedValue, SqlType)]) -> bool {
        let none = SqlType::new(TypeKind::Null);
        values.iter().enumerate().all(|(i, v)| {
            let of_column = self.assigned.iter().find(|a| a.0 == i as u32);
            does(of_column.map_or(self.types.get(i).unwrap_or(&none), |a| &a.1), v)
        })
    }

    /// Whether nothing decides about any parameter.
    pub(crate) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}

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
        _ if kind == K::Date && has_time_of_day(v) => false,
        // of the other sign
        OwnedValue::Int(_) if kind.is_integer() && derived.unsigned || kind == K::Bit => false,
        OwnedValue::UInt(_) if kind.is_integer() && !derived.unsigned => false,
        OwnedValue::Int(_) | OwnedValue::UInt(_) => kind != K::Null,
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

/// Counts of a window's rows are integers (1210); the binary protocol takes text for one, what begins with no number for 0.
fn counted(places: &Places, values: &[(OwnedValue, SqlType)], named: bool) -> SqlResult<Option<Arguments>> {
    let mut made: Option<Arguments> = None;
    for i in &places.counts {
        let (v, ty) = match values.get(*i as usize) {
            None | Some((OwnedValue::Null | OwnedValue::Int(_) | OwnedValue::UInt(_), _)) => continue,
            Some((v @ OwnedValue::Str(_), ty)) if !named => (v, ty),
            Some(_) => {
                let by = if named { "EXECUTE" } else { "mysqld_stmt_execute" };
                return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&by]));
            }
        };
        let n = convert::to_i64(v.as_value(), ty, &mut ConvCtx::new(SqlMode(0)));
        if let Some(to) = made.get_or_insert_with(|| values.to_vec()).get_mut(*i as usize) {
            *to = (OwnedValue::Int(n), SqlType::bigint());
        }
    }
    Ok(made)
}

/// The values as the parameters' types have them; `None` if that is as they are. `named`: EXECUTE sends them.
pub(crate) fn converted(
    places: &Places,
    values: &[(OwnedValue, SqlType)],
    conv: &mut ConvCtx,
    named: bool,
) -> SqlResult<Option<Arguments>> {
    if places.is_empty() {
        return Ok(None);
    }
    if let Some(counts) = counted(places, values, named)? {
        return Ok(typed(places, &counts, conv)?.or(Some(counts)));
    }
    typed(places, values, conv)
}

fn typed(places: &Places, values: &[(OwnedValue, SqlType)], conv: &mut ConvCtx) -> SqlResult<Option<Arguments>> {
    let none = SqlType::new(TypeKind::Null);
    let kinds = places.types.iter().chain(std::iter::repeat(&none));
    let wide = places.take(values);
    if !places.types.iter().zip(values).any(|(d, v)| concerns(d, v, wide)) {
        return Ok(None);
    }
    let each = values.iter().zip(kinds).enumerate().map(|(i, (v, d))| {
        let early = places.early.contains(&(i as u32));
        if concerns(d, v, wide) { one(d, v, !wide, early, conv) } else { Ok(v.clone()) }
    });
    each.collect::<SqlResult<_>>().map(Some)
}

/// 838:59:59 as a number.
const LAST_TIME: u64 = 8_385_959;

/// `own`: the statement is planned for the types of the values; `early`: a text that is no number is converted now, with its warning, and not where it
/// is used (`executor`'s `eval` converts a parameter whose value is text and whose type is a number).
fn one(
    derived: &SqlType,
    (v, from): &(OwnedValue, SqlType),
    own: bool,
    early: bool,
    conv: &mut ConvCtx,
) -> SqlResult<(OwnedValue, SqlType)> {
    let to = match v {
        // of the values' own types, what is no number is a text and a date alone a DATE
        OwnedValue::Str(s) if own && !derived.kind.is_temporal() && Decimal::parse(s).is_none() => {
            return Ok((v.clone(), from.clone()));
        }
        OwnedValue::Str(s) if !early && !derived.kind.is_temporal() && Decimal::parse(s).is_none() => {
            return Ok((v.clone(), refined(s, derived)));
        }
        OwnedValue::Str(s) if own && derived.kind == TypeKind::DateTime && !has_time(s) => {
            SqlType::temporal(TypeKind::Date, 0).nullable(true)
        }
        OwnedValue::Str(s) => refined(s, derived),
        _ if derived.kind == TypeKind::Date && has_time_of_day(v) => {
            SqlType::temporal(TypeKind::DateTime, 6).nullable(true)
        }
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
    let before = conv.warned();
    // zeros in dates are for what the value goes into to refuse
    let mode = conv.sql_mode;
    conv.sql_mode = SqlMode(mode.0 & !(SqlMode::NO_ZERO_IN_DATE | SqlMode::NO_ZERO_DATE).0);
    let value = convert::cast(v, from, &to, conv, &arena);
    conv.sql_mode = mode;
    if let (Value::Str(_), true) = (v, to.kind.is_temporal()) {
        if matches!(value, Ok(Value::Null)) {
            // what is no date is looked at where it is used
            conv.forget_since(before);
            return Ok((v.to_owned(), to));
        }
        if to.kind != TypeKind::Time {
            // what follows a date is not looked at
            conv.forget_since(before);
        }
    }
    // an index is to see how it goes on
    let cut =
        matches!(v, Value::Str(s) if to.kind.is_integer() && convert::rounds_up(s) && Decimal::parse(s).is_none());
    Ok((if cut { v.to_owned() } else { value?.to_owned() }, to))
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

/// Whether a number has digits for a time of the day behind those of a date.
fn has_time_of_day(v: &OwnedValue) -> bool {
    const LAST_DATE: i64 = 99_991_231;
    match v {
        OwnedValue::Int(n) => *n > LAST_DATE,
        OwnedValue::UInt(n) => i64::try_from(*n).is_ok_and(|n| n > LAST_DATE),
        OwnedValue::Decimal(d) => d.to_i64().is_ok_and(|n| n > LAST_DATE),
        OwnedValue::Double(f) => *f > LAST_DATE as f64,
        _ => false,
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
