//! Sessions: the life of a statement between the wire and the executor.
//!
//! Folders in the order of their arrows (`scripts/layers.txt`): each knows those before it and none behind it.
//!
//! * `results`: what a statement answers. `text`: how a session reads a text.
//! * `logs`: what is written and counted about statements. `variables`: system variables beyond their table.
//! * `kernel`: what every statement goes through. Its tokens are read (`kernel/run.rs`); if the thread or the server has a
//!   plan under their hash it runs at once, otherwise the text is parsed and planned. Around it: who the session is
//!   (`identity`), metadata locks (`locks`), the statement's savepoint and autocommit (`txn`), the diagnostics area.
//!   [`Session`] and [`Server`] are here.
//! * `accounts`, `statements`: statements that have no plan. The kernel reaches them through `kernel/unplanned.rs`.
//! * `protocol`: what `wire` calls ([`catalog::client::SessionHandler`]); here the parts are put together.
//!
//! A folder adds methods to [`Session`]; those are part of its folder, and no folder before it calls them (the house
//! check looks at that, too).
//!
//! Rules of access: a `Session` is used by one thread at a time. Locks taken here: metadata locks before row locks; the
//! mutex of the shared plan cache is a leaf. Nothing waits while holding a latch because nothing here holds one.
//!
//! Errors: everything is a [`base::SqlError`] from here up. A panic inside a statement is caught by `wire`, which drops
//! the session: its `Drop` rolls back and releases.
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

pub use kernel::server::Server;
pub use kernel::session::Session;
pub use protocol::Sessions;
