//! The storage engine. See ARCHITECTURE.md for what belongs in this room.

pub mod dict;
pub mod engine;
pub mod error;
pub mod page;
pub mod row;
pub mod rowlock;
pub mod table;
pub mod txn;
pub mod undo;

pub use error::{Result, StorageError};
