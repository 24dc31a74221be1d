//! System variables: one table ([`table`]) from which options, SHOW VARIABLES, SET and `@@x` derive.
//!
//! * [`Var`] names a variable; [`Var::def`] gives its [`Def`] (scope, kind, default, flags, help text).
//! * [`GlobalVars`] holds global values: numbers, switches, enums and sets as one atomic each (a read is a plain load), strings
//!   behind a read-write lock.
//! * [`SessionVars`] holds a session's own values, plain memory, copied from the global ones when the session starts or is reset.
//! * [`set`] checks and converts what SET or an option asks for, with MySQL's errors.
//!
//! To add a variable: one line in `table.rs`. A variable that Evenkeel knows but does not act on is either harmless (tuning) or
//! `FIXED`: it can be read and set to the value it has, anything else is refused with 1235, so that no setting is silently ignored
//! where it would change a result.

mod def;
pub mod deprecated;
pub mod gtid;
mod log_services;
mod own;
pub mod persist;
pub mod privileged;
pub mod set;
mod table;
mod values;

pub use def::{Def, Flags, Kind, Scope};
pub use log_services::{LogService, log_services};
pub use own::{is_log_name, is_own_file};
pub use persist::{FILE as PERSIST_FILE, Persisted};
pub use set::{Checked, SetScope, SetValue, convert, from_option, out_of_range, parse_size};
pub use table::Var;
pub use values::{GlobalVars, Origin, Raw, SessionVars, VarValue, option_text};

/// Names of optimizer_switch in MySQL's order; bit `i` of the value.
pub use table::OPTIMIZER_SWITCHES;
/// Names of sql_mode by bit number.
pub use table::SQL_MODES;
