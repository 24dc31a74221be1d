//! Parameters of COM_STMT_EXECUTE and query attributes, decoded by `wire`.

use super::column::FieldType;

/// A bound parameter. Borrowed bytes live in the connection's input buffer (or its long-data buffer) during the call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Param<'a> {
    /// NULL.
    Null,
    /// TINY, SHORT, LONG, INT24, LONGLONG, YEAR.
    Int(i64),
    /// The same with the unsigned flag.
    UInt(u64),
    /// FLOAT.
    Float(f32),
    /// DOUBLE.
    Double(f64),
    /// Strings, blobs, DECIMAL (as text), JSON, ENUM, SET, BIT, in `character_set_client`; blobs (type `*Blob`) are binary strings
    /// for drivers that say so by their type. Also long data.
    Bytes(&'a [u8], FieldType),
    /// DATE, DATETIME, TIMESTAMP; not validated.
    DateTime {
        /// DATE, DATETIME or TIMESTAMP.
        ty: FieldType,
        /// Year 0..=65535 as sent.
        year: u16,
        /// Month as sent.
        month: u8,
        /// Day as sent.
        day: u8,
        /// Hour as sent.
        hour: u8,
        /// Minute as sent.
        minute: u8,
        /// Second as sent.
        second: u8,
        /// Microsecond as sent.
        micros: u32,
        /// Time zone displacement in minutes, if there is one (MySQL 8.0.19's values of 13 bytes).
        displacement: Option<i16>,
    },
    /// TIME; not validated.
    Time {
        /// Sign.
        negative: bool,
        /// Days * 24 + hours.
        hours: u64,
        /// Minute as sent.
        minute: u8,
        /// Second as sent.
        second: u8,
        /// Microsecond as sent.
        micros: u32,
    },
}

/// A named value sent beside a query (CLIENT_QUERY_ATTRIBUTES).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QueryAttribute<'a> {
    /// Name, may be empty.
    pub name: &'a [u8],
    /// Value.
    pub value: Param<'a>,
}
