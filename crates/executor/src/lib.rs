//! See ARCHITECTURE.md for what belongs in this room.

pub mod ddl;
