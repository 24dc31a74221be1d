//! The storage engine. See ARCHITECTURE.md for what belongs in this room.

pub mod dict;
pub mod rowlock;
