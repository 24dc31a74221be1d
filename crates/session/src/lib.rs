//! Sessions: the life of a statement between the wire and the executor.
//!
//! A statement's way: [`statement`] reads its tokens; if the session or the server has a plan under their hash, it runs at once;
//! otherwise it is parsed and planned (SELECT and DML) or dispatched ([`dispatch`]). Around every statement: metadata
//! locks ([`locks`]), the statement's savepoint and autocommit ([`txn`]), the diagnostics area.
//!
//! * [`server`]: what all sessions share, [`Server`]; it opens sessions for `wire` ([`catalog::client::SessionFactory`]).
//! * [`session`]: [`Session`], its state, and the wire's calls.
//! * [`plans`]: the plan cache. [`resolver`]: the planner's view of dictionary, statistics and settings.
//! * [`prepared`]: prepared statements of both protocols, cursors.
//! * [`set`], [`show`], [`admin`], [`accounts`], [`explain`]: statements without plans. [`results`]: small results.
//!
//! * [`memory`]: limits on what statements hold.
//! * [`guards`]: settings that forbid statements.
//!
//! Rules of access: a `Session` is used by one thread at a time. Locks taken here: metadata locks before row locks; the mutex of the
//! shared plan cache is a leaf. Nothing waits while holding a latch because nothing here holds one.
//!
//! Errors: everything is a [`base::SqlError`] from here up. A panic inside a statement is caught by `wire`, which drops the session: its
//! `Drop` rolls back and releases.
//!
//! Tested: `tests/sql`, `tests/clients`, unit tests of the parts.

mod accounts;
mod kernel;
mod logs;
mod results;
mod statements;
mod text;
mod variables;

pub use kernel::server::{Server, Sessions};
pub use kernel::session::Session;
