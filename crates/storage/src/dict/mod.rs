//! The data dictionary: what schemas, tables, views and stored programs exist and how they are defined.
//!
//! # Where it lives
//!
//! In two ordinary transactional tables of the engine, both in the system tablespace (space 1), whose definitions are built
//! in ([`system`]): `mysql.dd_objects` (one row per schema, table, view or other named object; the definition is a BLOB in
//! the encoding of [`codec`]) and `mysql.ddl_log`. All rows are read into [`Dict`]'s maps when the engine opens; statements
//! only ever look there. The maps are replaced as a whole by every DDL (copy on write), so a look-up takes no lock.
//!
//! # DDL is atomic
//!
//! A DDL statement is a [`Ddl`]: one transaction on the dictionary tables plus, for files and index trees, which are not
//! transactional, rows in the DDL log:
//!
//! * before a file or tree is created, a row "remove it" is inserted and **committed on its own**; the DDL transaction
//!   deletes that row. So a crash or rollback before the commit leaves the row, and whoever replays the log removes the file;
//! * to drop a file or tree the DDL transaction inserts the row; after the commit the log is replayed.
//!
//! Replaying ([`Ddl::replay_log`]) is idempotent; the engine does it at start, after the rollback of unfinished transactions.
//! A crash in the middle of any DDL thus leaves the state before or the state after (crash tests: `tests/crash`).
//!
//! # Foreign keys
//!
//! Only the child's definition stores them. What a parent knows of its children ([`ReferencedBy`]) is derived when the maps are
//! loaded or changed ([`references`]): the two sides cannot disagree, whatever a crash leaves. A parent whose list changes is
//! published anew with a higher version, so that plans made for it are made again; the DDL statement therefore holds
//! exclusive metadata locks on the parents of the keys it adds, drops or renames.
//!
//! # Stored programs
//!
//! Procedures, functions, triggers and events are objects of their own ([`programs`]); what triggers a table has is
//! derived from them as its children by foreign keys are ([`triggers`]).
//!
//! # Rules of access
//!
//! Statements hold a metadata lock (crate `mdl`) on every name they use; a `Ddl` is only made under exclusive ones. That is
//! what keeps two DDLs on one table, or a DDL and a running statement, apart; nothing here checks it again. The mutex of
//! [`Dict`] serialises publication only. A published [`Table`](crate::table::Table) never changes: DDL publishes another and marks the old
//! one obsolete, which cached plans check.

mod builtin;
mod cache;
mod change;
mod clause;
pub mod codec;
mod ddl;
pub mod def;
mod fields;
mod objects;
mod program_bytes;
pub mod programs;
mod programs_by_name;
mod references;
pub mod system;
mod temporary;
mod triggers;

pub use builtin::Builtin;
pub use cache::Dict;
pub use clause::quote;
pub use ddl::{Ddl, Physical, hidden_index};
pub use def::*;
pub(crate) use fields::KeyField;
pub use objects::{Object, ObjectClass};
pub use programs::{
    DataAccess, EventOf, EventStatus, Parameter, ParameterMode, ProgramDefinition, ProgramKind, Schedule, TriggerEvent,
    TriggerOf,
};
pub use temporary::{TempTable, TempTables};
