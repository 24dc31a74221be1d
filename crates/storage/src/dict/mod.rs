//! The data dictionary: what schemas, tables and views exist and how they are defined.

pub mod codec;
pub mod def;

pub use def::*;
