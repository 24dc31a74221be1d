//! Tables as files that go from one server to another: FLUSH TABLES ... FOR EXPORT, DISCARD and IMPORT TABLESPACE
//! (docs/backup.md).
//!
//! Our tables' files are called by number (`#spaces/<id>.ibd`). While a table is exported its file has a second name,
//! `<schema>/<table>.ibd` ([`names`]), and beside it stands `<table>.cfg` ([`cfg`]): which file it is, and the
//! definition, without which rows are bytes. [`export`] keeps both there and the file still. [`foreign`] reads such a
//! file of another server, which it trusts in nothing; [`import`] makes rows of it, which a new tablespace is built of.
//!
//! # Rules of access
//! The session has metadata locks: SHARED_NO_WRITE for an export, exclusive for DISCARD and IMPORT. What changes pages
//! without one (purge, the clean-up after DDL) looks at [`Engine::exports`](crate::engine::Engine).
//!
//! # Crash in the middle
//! An export leaves its two files, which the next start removes ([`clean`]). DISCARD and IMPORT are DDL statements
//! ([`crate::dict`]): the table is as before or as after. Files that were given to an import stay until it has
//! committed.
//!
//! Tested: `engine/tests/transport.rs`, `tests/backup/test_transport.py`.

mod cfg;
mod export;
mod fits;
mod foreign;
mod import;
pub mod names;

pub use cfg::Cfg;
pub use export::{Export, clean};
pub use import::{Absent, Source};
