//! Execution: expressions, operators, changes, definitions.
//!
//! * [`select`], [`select_into`], [`scalars`], [`dml`]: what the session calls with a plan; [`ddl`]: data definition.
//! * [`env::Env`]: the session's state; [`context::Cx`]: the state of one execution, with its row slots.
//! * [`gate`]: what may be run by whom; they take the proof of it and no bare plan. [`dives`] too.
//! * `eval`: expressions, one file per function family; `ops`: operators; `ranges`: access paths to key ranges; [`dives`]: how many rows they have; `keys`: comparable
//!   bytes; `tuple`: rows of values as bytes; `spill`: rows in temporary files; `output`: rows in the protocol's formats.
//!
//! Nothing here waits while holding a latch: operators call the storage engine's cursors, which copy rows out.

mod checksum;
mod constants;
pub mod context;
pub mod ddl;
pub mod dives;
pub mod dml;
pub mod env;
pub mod eval;
pub mod gate;
pub mod handler;
pub mod keys;
mod ops;
pub mod output;
mod ranges;
mod select;
mod spill;
mod status;
pub mod stored;
pub mod textfile;
pub mod tuple;

pub use checksum::checksum;
pub use constants::read_constants;
pub use dml::dml;
pub use dml::load::{Field, Loader};
pub use env::{Env, Stale, UserVar};
pub use ops::timed::Measures;
pub use select::{analyze, each_value_row, scalars, select, select_into};

/// What a DML statement did.
#[derive(Clone, Debug, Default)]
pub struct DmlResult {
    /// Affected rows as the client counts them.
    pub affected: u64,
    /// First generated AUTO_INCREMENT value, or 0.
    pub last_insert_id: u64,
    /// Info string.
    pub info: String,
}
