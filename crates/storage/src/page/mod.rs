//! The page: 16 KiB, a 64-byte header, and for index pages a slotted body. `docs/format.md` has the layout to the byte.
//!
//! * [`PageBuf`] is the bytes. Readers here never trust them: whatever the bytes are, a reader answers `None`/0/an empty
//!   slice or [`StorageError::CorruptPage`](crate::error::StorageError), it never panics and never reads outside.
//! * [`slotted`]: slot count, key, payload, binary search.
//! * [`op`]: [`PageOp`], the only way a page changes, its log encoding, and [`apply`], which is used when running and in
//!   redo, so that redo = do.
//! * [`racy`]: the same readers over bytes that may change under the reader (optimistic reads).
//!
//! Rules of access: a `&PageBuf` comes from a latch guard (buffer) or is private memory. A crash in the middle of a page
//! write is found by the checksum and repaired from the doublewrite file. Tested in `page/tests.rs` against a model.

mod header;
pub mod op;
pub mod racy;
pub mod slotted;
#[cfg(test)]
mod tests;

pub use header::{PageBuf, PageType, field};
pub use op::{FileRec, LogRec, PageOp, apply, decode, encode, write_record};
pub use slotted::{SLOT_SIZE, record_len};

/// Bytes of a page.
pub const PAGE_SIZE: usize = 16384;
/// Bytes of the header that every page has.
pub const HEADER_SIZE: usize = 64;
/// Longest record ([key_len][key][payload]) that fits on an otherwise empty page.
pub const MAX_RECORD: usize = PAGE_SIZE - HEADER_SIZE - SLOT_SIZE;
/// Page format version written into new pages.
pub const PAGE_FORMAT: u16 = 1;
