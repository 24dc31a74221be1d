//! What everything else here stands on: the session's state, and rows as they are held, kept and sent.
//!
//! * [`binlog`]: events of the binary log until they are committed.
//! * [`env`]: the session's state as the executor sees it; [`files`]: which files of the server its account may read
//!   and write; [`programs`]: how functions and triggers run statements; [`user_vars`]: its variables.
//! * [`strictness`]: whose strict mode makes warnings errors.
//! * [`slot`]: the current rows of tables and operators; [`tuple`]: rows of values as bytes; [`keys`]: values as bytes
//!   that can be compared; [`spill`]: rows in temporary files.
//! * [`output`]: rows in the protocol's formats.

pub mod binlog;
pub mod env;
pub mod files;
pub mod handles;
pub mod keys;
pub mod output;
pub mod programs;
pub mod slot;
pub mod spill;
pub mod strictness;
pub mod traces;
pub mod tuple;
pub mod user_vars;
