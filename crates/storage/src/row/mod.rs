//! Rows and keys as bytes: the two codecs every table operation goes through.
//!
//! * [`codec`]: how one fixed-width value is stored (little-endian in rows, order-preserving in keys).
//! * [`layout`]: [`RowLayout`], computed once per table version, [`RowView`] for lazy, zero-copy reads.
//! * [`key`]: [`KeyEncoder`], normalized keys: byte strings whose `memcmp` order is the index order; [`keyread`]: where a
//!   part ends, and the values of *reversible* parts. [`strings`]: string parts.
//!
//! Pure code: no locks, no I/O, nothing to recover. The byte formats are on-disk formats (docs/format.md); a change needs
//! a new format version. TIMESTAMP values are handed in and out as UTC civil time (see the `value` crate's root).
//!
//! # Normalized keys
//! Part after part; a nullable part starts with 0x00 (NULL, nothing follows) or 0x01. Integers big-endian with the sign
//! bit flipped; floats with the usual bit trick (-0.0 becomes 0.0); DECIMAL in MySQL's binary format; temporals packed
//! big-endian. NO PAD strings: bytes (or the collation's weights), 0x00 escaped as 0x00 0xFF, ended by 0x00 0x00.
//!
//! PAD SPACE strings: the shorter string compares as if padded with spaces, so a string's end must sort *between* what
//! continues with something below a space and what continues with something above. Each weight unit (1 or 2 bytes)
//! stands as it is; the end is the unit of the space plus 0x01; a space inside the string is that unit plus 0x00 if the
//! first other unit after this run of spaces is below the space, plus 0x02 if it is above. Trailing spaces vanish.
//!
//! DESC inverts all bytes of the part, the NULL byte included.
//!
//! Tests: `tests/` (memcmp order against value order for every type by proptest; row round trips).

pub mod codec;
pub mod key;
pub mod keyread;
pub mod layout;
mod strings;
#[cfg(test)]
mod tests;

pub use key::{KeyEncoder, KeyPart, prefix_successor, reversible};
pub use layout::{BlobRef, RowLayout, RowView};

/// What can go wrong in the codecs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowError {
    /// The value's variant cannot be stored in the column's type: the caller forgot to convert.
    WrongType,
    /// The value does not fit the type (for search keys: no row can have this value).
    OutOfRange,
    /// The record would exceed the longest allowed.
    TooLong,
    /// The bytes are not a row of this layout, or not a key of this index.
    Corrupt,
    /// The column lies in overflow pages; fetch it with `overflow::read`.
    External,
}

impl std::fmt::Display for RowError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RowError::WrongType => "value of another type than the column's",
            RowError::OutOfRange => "value does not fit the column's type",
            RowError::TooLong => "record too long",
            RowError::Corrupt => "row or key bytes do not fit their definition",
            RowError::External => "column is stored externally",
        })
    }
}

impl std::error::Error for RowError {}

impl From<RowError> for crate::StorageError {
    fn from(e: RowError) -> Self {
        use crate::StorageError as E;
        match e {
            RowError::TooLong => E::RecordTooLong,
            RowError::Corrupt => {
                E::CorruptPage { page: base::PageId::default(), why: "row or key bytes do not fit their definition" }
            }
            // The three below are a caller's mistake, not the data's; they must not look like a right answer.
            RowError::WrongType => E::Unsupported { what: "a value of this type in this column" },
            RowError::OutOfRange => E::Unsupported { what: "a value outside the column's range" },
            RowError::External => E::Unsupported { what: "an external column in this place" },
        }
    }
}
