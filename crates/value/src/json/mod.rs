//! JSON values: MySQL's data type JSON.
//!
//! * [`parse()`]: text to a tree, with MySQL's messages and positions; nesting is limited to [`MAX_DEPTH`]. [`parse_document()`]: text straight to
//!   an encoded document, for all that does not change it at once.
//! * [`Dom`]: a tree that is being built or changed; its untouched parts stay parts of the encoded document they came from.
//! * [`Ref`]: a value inside an encoded document. All reading (printing, comparing, searching, paths) works on it without decoding
//!   the document. [`Ref::open`] checks the whole document first: bytes that are no document are an error there and
//!   never later.
//! * [`doc`] describes the encoding, which rows on disk hold; it is frozen (docs/format.md).
//! * [`print`]: text as MySQL prints it; [`order`]: comparison, sort keys, hashing; [`Path`]: path expressions; [`modify`]: what
//!   JSON_SET, JSON_REMOVE and their like do to a tree; [`convert`]: to and from SQL values; [`diff`]: what
//!   changes have done, for the binary log; [`multi`]: the elements of multi-valued indexes.
//!
//! Pure code without locks. Source: manual, "The JSON Data Type" and "JSON Functions". Tested in `tests.rs`.

pub mod build;
pub mod convert;
pub mod diff;
pub mod doc;
pub mod modify;
pub mod multi;
pub mod order;
mod parse;
mod path;
pub mod print;
mod seek;
mod stream;

#[cfg(test)]
mod tests;

pub use build::{Dom, without_gaps};
pub use doc::{Damaged, Kind, Ref};
pub use parse::{Error, check, parse, parse_document};
pub use path::{Index, Leg, Path};

/// Deepest nesting of arrays and objects; a scalar has depth 1, so a document of depth 101 is error 3157.
pub const MAX_DEPTH: usize = 100;

/// Longest key in bytes (error 3151 above).
pub const MAX_KEY: usize = u16::MAX as usize;
