//! See ARCHITECTURE.md for what belongs in this room.

pub mod ddl;
pub mod env;

pub use env::{Env, Stale, UserVar};
