//! Ids with units and MySQL's error codes: the vocabulary that every other crate shares.
//!
//! * [`ids`]: newtypes for log positions, transactions, spaces, pages, tables and indexes. They cost nothing at run time
//!   and keep an LSN from being passed where a transaction id is meant.
//! * [`error`]: [`SqlError`], the one error a client can see, and [`ErrorCode`], MySQL 8.4's error numbers with SQLSTATE
//!   and text. Crates below the SQL layer have enums of their own (by what the caller can do) and are mapped to this one
//!   in exactly one place each.
//! * [`hex`]: bytes as hexadecimal digits.
//! * [`interrupt`]: whether the running statement is to stop. [`interval`]: the units of intervals.
//! * [`names`]: whether names of schemas and tables are kept in lower case.
//! * [`memory`]: what the running statement holds, and the limits on it.

pub mod error;
pub mod hex;
pub mod ids;
pub mod interrupt;
pub mod interval;
pub mod memory;
pub mod names;

pub use error::{ErrorCode, SqlError, SqlResult};
pub use ids::{IndexId, Lsn, PageId, PageNo, SpaceId, TableId, TrxId, TrxNo};
pub use interval::IntervalUnit;
