//! Execution: expressions, operators, changes, definitions.
//!
//! Its folders are layers; each may use those before it in this list and no other (`scripts/layers.txt`, checked by
//! `scripts/check_house.py`):
//!
//! * `rows`: the session's state ([`env::Env`]), row slots, rows and keys as bytes, temporary files, rows in the
//!   protocol's formats.
//! * [`gate`]: what may be run by whom; everything that reads takes the proof of it and no bare plan.
//! * `eval`: expressions, one file per function family, and `Cx`, the state of one execution.
//! * `ops`: operators, access paths as key ranges, queries ([`select`], [`select_into`], [`scalars`] ...), [`dives`],
//!   [`handler`].
//! * `dml`: changes ([`dml()`]), the expressions that a table stores ([`table_exprs`]), LOAD DATA and its
//!   [`textfile`]s.
//! * [`ddl`]: data definition.
//!
//! The session calls what is named here. Nothing here waits while holding a latch: operators call the storage engine's
//! cursors, which copy rows out.

pub mod ddl;
mod dml;
mod eval;
pub mod gate;
mod ops;
mod rows;

pub use dml::load::{Field, Loader};
pub use dml::{DmlResult, dml, table_exprs, textfile};
pub use eval::sys_parameters;
pub use ops::early_constants::read_constants;
pub use ops::first_row::{FirstRow, Wanted, wanted_rows};
pub use ops::select::{analyze, each_value_row, scalar, scalars, select, select_into};
pub use ops::timed::Measures;
pub use ops::{checksum, dives, handler};
pub use rows::env::{Env, Stale};
pub use rows::spill::{TempFile, kept};
pub use rows::user_vars::UserVar;
pub use rows::{binlog, env, files, programs, strictness, traces, user_vars};
