//! The storage engine. See ARCHITECTURE.md for what belongs in this room.

pub mod dict;
pub mod error;
pub mod page;
pub mod rowlock;

pub use error::{Result, StorageError};
