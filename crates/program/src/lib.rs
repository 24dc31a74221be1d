//! Stored programs: what a body is compiled to, and what runs it.
//!
//! [`compile()`] turns the parser's tree of a program into [`Code`]: a list of instructions with jumps, slots for its
//! variables and a table that says which handlers stand around each instruction. [`Run`] is the interpreter. It knows
//! nothing of sessions: what evaluates an expression, runs a statement, finds a procedure or changes the account is its
//! [`Host`], of which the kernel has two: one for CALL, whose statements go the way of a client's, and one for
//! functions and triggers, whose statements are nested in the one that calls them (`docs/nested-statements.md`).
//!
//! Expressions and statements are not part of the code: they are numbered, and who plans one parses the program's text
//! again and takes the tree of that number ([`Trees`]); plans are kept beside the code by whoever has it ([`Unit`]).
//!
//! No locks; everything belongs to one thread. A crash leaves what the statements left. Design: `docs/programs.md`.
//! Tested: `compile_tests.rs`, `run_tests.rs`, goldens `programs_*`.

pub mod calls;
pub mod check;
pub mod code;
mod compile;
mod compile_sql;
#[cfg(test)]
mod compile_tests;
pub mod conditions;
pub mod cursor;
mod diagnostics;
pub mod host;
pub mod quick;
pub mod run;
#[cfg(test)]
mod run_tests;
mod steps;
pub mod store;
pub mod told;
mod values;

pub use check::{check, commits_implicitly};
pub use code::{Code, Unit};
pub use compile::{Trees, compile};
pub use conditions::{Areas, Condition};
pub use diagnostics::signalled_number;
pub use host::{Evaluated, Host};
pub use run::Argument;
