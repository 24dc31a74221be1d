//! JSON values read as integers.

use base::{ErrorCode, SqlError};

use super::numeric::to_int_plain;
use crate::decimal::Decimal;
use crate::json::convert::with_scalar;
use crate::number::parse_int_prefix;
use crate::value::Value;

/// What a JSON value cannot say as an integer.
#[derive(Clone, Copy)]
pub(super) enum Said {
    /// A DOUBLE beyond 64 bits with sign, or as many digits of text: 3155.
    OutOfRange,
    /// Text that goes on behind its digits, and what is no number: 3156.
    NoNumber,
    /// A DECIMAL beyond 64 bits: 1292.
    Decimal(Decimal),
}

impl Said {
    /// The message; `column` and `row` where it names them.
    #[cold]
    pub(super) fn error(self, column: &str, row: u64) -> SqlError {
        match self {
            Said::OutOfRange => SqlError::new(ErrorCode::NUMERIC_JSON_VALUE_OUT_OF_RANGE, &[&"INTEGER", &column, &row]),
            Said::NoNumber => SqlError::new(ErrorCode::INVALID_JSON_VALUE_FOR_CAST, &[&"INTEGER", &column, &row]),
            Said::Decimal(d) => SqlError::new(ErrorCode::TRUNCATED_WRONG_VALUE, &[&"DECIMAL", &d.to_string()]),
        }
    }
}

/// A document as an integer from -2^63 to 2^64-1: numbers are rounded, of text the digits at its start count, all else is 0. A DOUBLE is limited
/// to 63 bits whatever it becomes, unlike a DECIMAL and unlike text (as measured beside MySQL).
pub(super) fn read(doc: &[u8]) -> (i128, Option<Said>) {
    with_scalar(doc, |v| match v {
        Some(Value::Double(f)) => double(f),
        Some(Value::Decimal(d)) => {
            let (n, limited) = to_int_plain(Value::Decimal(d));
            (n, limited.then_some(Said::Decimal(*d)))
        }
        Some(Value::Str(s)) => text(s),
        Some(v @ (Value::Int(_) | Value::UInt(_))) => (to_int_plain(v).0, None),
        _ => (0, Some(Said::NoNumber)),
    })
}

fn double(f: f64) -> (i128, Option<Said>) {
    // what a DOUBLE holds of the limits may have been beyond them
    if f <= i64::MIN as f64 {
        (i64::MIN.into(), Some(Said::OutOfRange))
    } else if f >= i64::MAX as f64 {
        (i64::MAX.into(), Some(Said::OutOfRange))
    } else {
        (crate::number::rint(f) as i128, None)
    }
}

fn text(s: &[u8]) -> (i128, Option<Said>) {
    let p = parse_int_prefix(s);
    let said = if p.overflow {
        Some(Said::OutOfRange)
    } else {
        (p.consumed == 0 || p.consumed < s.len()).then_some(Said::NoNumber)
    };
    (p.value, said)
}
