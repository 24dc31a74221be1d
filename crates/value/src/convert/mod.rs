//! Conversions between types.
//!
//! Reading a value as another type inside an expression (`to_*`, [`cast`]) warns and never fails for bad text; storing
//! into a column ([`convert_for_column`]) fails when the context is strict. Every function takes the value together with
//! its static type, because ENUM, SET, BIT, YEAR, FLOAT and ZEROFILL live in the type only.

use base::{SqlError, SqlResult};
use bumpalo::Bump;

use crate::context::ConvCtx;
use crate::decimal::Decimal;
use crate::temporal::{Date, DateTime, Time};
use crate::types::SqlType;
use crate::value::Value;

/// Appends the text protocol's rendering (also CAST to CHAR's) of a non-NULL value, in the type's character set.
/// NULL appends nothing.
pub fn to_text(_v: Value<'_>, _ty: &SqlType, _out: &mut Vec<u8>) {}

/// As a DOUBLE (0 for NULL; bad text warns 1292).
pub fn to_f64(_v: Value<'_>, _ty: &SqlType, _ctx: &mut ConvCtx) -> f64 {
    0.0
}

/// As an integer the way integer contexts read it (rounding, leading number of text, saturating), 0 for NULL.
pub fn to_i64(_v: Value<'_>, _ty: &SqlType, _ctx: &mut ConvCtx) -> i64 {
    0
}

/// As an unsigned integer; negative numbers wrap like CAST(.. AS UNSIGNED).
pub fn to_u64(_v: Value<'_>, _ty: &SqlType, _ctx: &mut ConvCtx) -> u64 {
    0
}

/// As a DECIMAL, exactly (text: its leading number).
pub fn to_decimal(_v: Value<'_>, _ty: &SqlType, _ctx: &mut ConvCtx) -> Decimal {
    Decimal::ZERO
}

/// Truth value; `None` for NULL.
pub fn to_bool(_v: Value<'_>, _ty: &SqlType, _ctx: &mut ConvCtx) -> Option<bool> {
    None
}

/// As a DATETIME; `None` for NULL and (with warning 1292) for what is not one.
pub fn to_datetime(_v: Value<'_>, _ty: &SqlType, _ctx: &mut ConvCtx) -> Option<DateTime> {
    None
}

/// As a DATE; `None` like [`to_datetime`].
pub fn to_date(_v: Value<'_>, _ty: &SqlType, _ctx: &mut ConvCtx) -> Option<Date> {
    None
}

/// As a TIME; `None` like [`to_datetime`].
pub fn to_time(_v: Value<'_>, _ty: &SqlType, _ctx: &mut ConvCtx) -> Option<Time> {
    None
}

/// CAST(v AS to). Types that CAST does not know give error 1235.
pub fn cast<'a>(
    _v: Value<'a>,
    _from: &SqlType,
    _to: &SqlType,
    _ctx: &mut ConvCtx,
    _arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    Err(SqlError::unsupported("CAST"))
}

/// What is stored when `v` is assigned to a column of type `to`: range, length, NULL, dates, ENUM members are checked.
/// Errors in strict contexts (1048, 1264, 1265, 1292, 1366, 1406), warnings and a clipped value otherwise. `column` and
/// `row` (1-based) appear in messages. Column types equal to the value's type take a fast path without copying.
pub fn convert_for_column<'a>(
    _v: Value<'a>,
    _from: &SqlType,
    _to: &SqlType,
    _ctx: &mut ConvCtx,
    _column: &str,
    _row: u64,
    _arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    Err(SqlError::unsupported("assignment"))
}
