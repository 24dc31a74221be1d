//! Values: what a column or an expression can hold, and MySQL's rules for them.
//!
//! * [`types`]: [`SqlType`], the static type of a column or expression; every conversion is asked with it.
//! * [`value`]: [`Value`] (borrowed, `Copy`, 24 bytes) and [`OwnedValue`].
//! * [`context`]: [`ConvCtx`], which carries sql_mode, strictness, time zone and collects warnings.
//! * [`decimal`], [`temporal`], [`number`]: the number and time types and their text forms.
//! * [`charset`], [`collation`]: character sets, comparison, sort keys (an on-disk format), LIKE.
//! * [`json`]: JSON documents, their text, order, paths.
//! * [`convert`]: value to text, to numbers, CAST, and storing into a column; [`compare`]: comparison and hashing.
//!
//! Nothing here takes locks, reads clocks or does I/O (named time zones are loaded once, when a zone is looked up).
//!
//! # Which variant of `Value` a type uses
//! | kinds | variant |
//! |---|---|
//! | integers | `Int` (signed), `UInt` (unsigned) |
//! | FLOAT, DOUBLE | `Double` (a FLOAT is an `f32` widened; text rendering looks at the type) |
//! | DECIMAL | `Decimal` |
//! | YEAR, BIT, ENUM (1-based index, 0 = the empty error value), SET (bit map) | `UInt`; the type says how it reads as text |
//! | character and binary strings | `Str`, in the type's character set |
//! | JSON | `Json`, an encoded document |
//! | DATE / DATETIME, TIMESTAMP / TIME | `Date` / `DateTime` / `Time` |
//!
//! A TIMESTAMP value is in the *session's* time zone everywhere except in stored rows and keys, which hold UTC: the row
//! codec's caller translates with [`temporal::TimeZone::local_to_utc`] and [`temporal::TimeZone::utc_to_local`].

pub mod base64;
pub mod charset;
pub mod collation;
pub mod compare;
pub mod context;
pub mod convert;
pub mod decimal;
pub mod fulltext;
pub mod histogram;
pub mod json;
pub mod number;
pub mod temporal;
pub mod types;
pub mod value;

pub use charset::Charset;
pub use collation::{Collation, CollationId};
pub use context::{ConvCtx, Level, SqlMode, Warned, Warning};
pub use decimal::Decimal;
pub use temporal::{Date, DateTime, Time, TimeZone};
pub use types::{SqlType, TypeKind};
pub use value::{OwnedValue, Value};
