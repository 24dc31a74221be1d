//! A session runs the statements of one connection: `wire` gives it their text, it calls planner and executor, and
//! writes the answer.
//!
//! The folders are layers; each may use those before it in this list and no other (`scripts/layers.txt`):
//!
//! * `results`: what a statement answers. `text`: the character sets in which a session reads texts.
//! * `logs`: the general and the slow log, and what performance_schema counts of statements. `variables`: system
//!   variables that need more than a row in the table of variables.
//! * `kernel`: what every statement goes through. `kernel/run.rs` reads its tokens. If a plan is cached under their
//!   hash it runs at once; otherwise the text is parsed and planned. Beside it: whose rights count (`identity`),
//!   metadata locks (`locks`), transactions and autocommit (`txn`), the diagnostics area (SHOW WARNINGS).
//!   [`Session`] and [`Server`] are here.
//! * `accounts`, `statements`: statements without a plan, such as GRANT, SET and SHOW. The kernel calls them
//!   through the trait in `kernel/unplanned.rs`.
//! * `protocol`: implements the trait that `wire` calls ([`catalog::client::SessionHandler`]).
//!
//! Every folder adds methods to [`Session`]. A method belongs to its folder's layer: no folder before it calls the
//! method. `scripts/check_house.py` checks that too.
//!
//! A `Session` is used by one thread at a time. It takes metadata locks before row locks. Under the mutex of the
//! shared plan cache nothing else is locked. No latch is held here, so that any of these functions may wait.
//!
//! All errors are [`base::SqlError`]. If a statement panics, `wire` catches the panic and drops the session, which
//! rolls back its transaction and releases its locks.
//!
//! Tested: `tests/sql`, `tests/clients`, unit tests of the parts.

mod accounts;
mod kernel;
mod logs;
mod protocol;
mod results;
mod statements;
mod text;
mod variables;

pub use kernel::binary_log::SkippedErrors;
pub use kernel::replica;
pub use kernel::semi_sync::wanted as semi_sync_wanted;
pub use kernel::server::Server;
pub use kernel::session::Session;
pub use protocol::{ApplierSession, MayApply, Sessions, SourceTransaction, Unnamed};
pub use statements::Changed;
pub use storage::rowlock::Turns;
