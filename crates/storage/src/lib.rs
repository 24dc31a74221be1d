//! The storage engine: see the modules and DESIGN. Lower half: error, file, page, buffer, redo, mtr, doublewrite,
//! checkpoint, recovery.

pub mod error;
pub mod page;

pub use error::{Result, StorageError};
