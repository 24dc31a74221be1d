//! The values that a column or an expression can have, and MySQL's rules for converting and comparing them.
//!
//! * [`types`]: [`SqlType`], the type of a column or expression. A value does not know its type, so that
//!   conversions take both: the integer 5 reads as `5` if its type is INT, as `2005` if it is YEAR.
//! * [`value`]: [`Value`], which borrows its bytes and is `Copy`, and [`OwnedValue`], which owns them.
//! * [`context`]: [`ConvCtx`]: the settings that conversions depend on (sql_mode, time zone), and their warnings.
//! * [`decimal`], [`temporal`], [`number`]: DECIMAL, dates and times, other numbers, and how each is written and
//!   read.
//! * [`charset`]: character sets. [`collation`]: comparison, LIKE, and sort keys. Sort keys are stored in indexes:
//!   changing one changes the format of files.
//! * [`json`]: JSON documents, their text, their order, paths such as `$.a[0]`.
//! * [`convert`]: values to text and numbers, CAST, and what a column stores. [`compare`]: comparison and hashing.
//!
//! Nothing here takes locks, asks for the time or does I/O. (One exception: a named time zone is loaded when it is
//! used for the first time.)
//!
//! # Which variant of `Value` a type uses
//! | kinds | variant |
//! |---|---|
//! | integers | `Int` (signed), `UInt` (unsigned) |
//! | FLOAT, DOUBLE | `Double` (a FLOAT is an `f32` widened; text rendering looks at the type) |
//! | DECIMAL | `Decimal` |
//! | YEAR, BIT | `UInt` |
//! | ENUM | `UInt`: the element's number from 1 on; 0 is the empty text that stands for an invalid value |
//! | SET | `UInt`: bit 0 is the first element |
//! | character and binary strings | `Str`, in the type's character set |
//! | JSON | `Json`, an encoded document |
//! | DATE / DATETIME, TIMESTAMP / TIME | `Date` / `DateTime` / `Time` |
//!
//! A TIMESTAMP value is a local time of the *session's* time zone. Only stored rows and keys hold UTC: who reads or
//! writes them converts with [`temporal::TimeZone::utc_to_local`] and [`temporal::TimeZone::local_to_utc`].

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
