//! [`Value`], what an expression evaluates to, and [`OwnedValue`], its copy that lives on its own.
//!
//! Values borrow from a row buffer or an evaluation arena and are `Copy`; see the table at the crate root for which
//! variant a type uses.

use crate::decimal::Decimal;
use crate::temporal::{Date, DateTime, Time};

/// A value; 24 bytes, borrowed payloads.
#[derive(Clone, Copy, Debug, Default)]
pub enum Value<'a> {
    /// SQL NULL.
    #[default]
    Null,
    /// Signed integer.
    Int(i64),
    /// Unsigned integer; also YEAR, BIT, ENUM index, SET bits.
    UInt(u64),
    /// FLOAT and DOUBLE.
    Double(f64),
    /// DECIMAL.
    Decimal(&'a Decimal),
    /// Bytes in the static type's character set.
    Str(&'a [u8]),
    /// DATE.
    Date(Date),
    /// DATETIME, TIMESTAMP (session time zone).
    DateTime(DateTime),
    /// TIME.
    Time(Time),
    /// A JSON document in the encoding of [`crate::json::doc`], checked when it was read from a row.
    Json(&'a [u8]),
}

impl<'a> Value<'a> {
    /// Whether this is NULL.
    #[inline]
    pub const fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }
    /// The bytes of a `Str`.
    #[inline]
    pub const fn as_bytes(&self) -> Option<&'a [u8]> {
        match self {
            Value::Str(s) => Some(s),
            _ => None,
        }
    }
    /// What a variable-length column stores: the bytes of a `Str` or the document of a `Json`.
    #[inline]
    pub const fn stored_bytes(&self) -> Option<&'a [u8]> {
        match self {
            Value::Str(s) | Value::Json(s) => Some(s),
            _ => None,
        }
    }
    /// MySQL's boolean: `Int(1)` or `Int(0)`.
    #[inline]
    pub const fn from_bool(b: bool) -> Value<'static> {
        Value::Int(b as i64)
    }
    /// As expressions see it: without what only storage asks of a TIMESTAMP ([`DateTime::later`]).
    #[inline]
    pub const fn shown(self) -> Value<'a> {
        match self {
            Value::DateTime(d) => Value::DateTime(d.shown()),
            v => v,
        }
    }
    /// Copies the payload out.
    pub fn to_owned(&self) -> OwnedValue {
        match *self {
            Value::Null => OwnedValue::Null,
            Value::Int(v) => OwnedValue::Int(v),
            Value::UInt(v) => OwnedValue::UInt(v),
            Value::Double(v) => OwnedValue::Double(v),
            Value::Decimal(d) => OwnedValue::Decimal(Box::new(*d)),
            Value::Str(s) => OwnedValue::Str(s.into()),
            Value::Date(v) => OwnedValue::Date(v),
            Value::DateTime(v) => OwnedValue::DateTime(v),
            Value::Time(v) => OwnedValue::Time(v),
            Value::Json(d) => OwnedValue::Json(d.into()),
        }
    }
    /// Copies the payload into an arena.
    pub fn copy_into<'b>(&self, arena: &'b bumpalo::Bump) -> Value<'b> {
        match *self {
            Value::Null => Value::Null,
            Value::Int(v) => Value::Int(v),
            Value::UInt(v) => Value::UInt(v),
            Value::Double(v) => Value::Double(v),
            Value::Decimal(d) => Value::Decimal(arena.alloc(*d)),
            Value::Str(s) => Value::Str(arena.alloc_slice_copy(s)),
            Value::Date(v) => Value::Date(v),
            Value::DateTime(v) => Value::DateTime(v),
            Value::Time(v) => Value::Time(v),
            Value::Json(d) => Value::Json(arena.alloc_slice_copy(d)),
        }
    }
}

/// A value that owns its payload: user variables, defaults, plan parameters, hash keys.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub enum OwnedValue {
    #[default]
    Null,
    Int(i64),
    UInt(u64),
    Double(f64),
    Decimal(Box<Decimal>),
    Str(Box<[u8]>),
    Date(Date),
    DateTime(DateTime),
    Time(Time),
    Json(Box<[u8]>),
}

impl OwnedValue {
    /// Borrowed view.
    #[inline]
    pub fn as_value(&self) -> Value<'_> {
        match self {
            OwnedValue::Null => Value::Null,
            OwnedValue::Int(v) => Value::Int(*v),
            OwnedValue::UInt(v) => Value::UInt(*v),
            OwnedValue::Double(v) => Value::Double(*v),
            OwnedValue::Decimal(d) => Value::Decimal(d),
            OwnedValue::Str(s) => Value::Str(s),
            OwnedValue::Date(v) => Value::Date(*v),
            OwnedValue::DateTime(v) => Value::DateTime(*v),
            OwnedValue::Time(v) => Value::Time(*v),
            OwnedValue::Json(d) => Value::Json(d),
        }
    }
}

impl From<Value<'_>> for OwnedValue {
    fn from(v: Value<'_>) -> OwnedValue {
        v.to_owned()
    }
}

const _: () = assert!(size_of::<Value<'static>>() == 24);
