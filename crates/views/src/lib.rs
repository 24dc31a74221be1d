//! information_schema, performance_schema and SHOW as views over the dictionary, the engine, the probes and the catalog.
//!
//! * [`virtual_table`]: a table of `information_schema` or `performance_schema` by name. Its rows are computed when it is
//!   read, from the [`SessionView`] that the session hands in. Nothing here keeps state (except [`metrics`] its
//!   switches), takes a lock for longer than one copy, or stops another thread: counters are written elsewhere, the work
//!   is done by the reader.
//! * [`show`]: SHOW statements as texts of SELECT over those tables, as MySQL 8 itself does it, so that LIKE, WHERE and
//!   metadata come from the one query engine. [`create`], [`create_view`], [`create_program`]: SHOW CREATE TABLE and its kin, and the text of
//!   types.
//!
//! * [`sys`]: the views of the schema `sys`, as texts.
//!
//! Privileges: rows about objects that the account may not see are left out, as in MySQL.
//!
//! Tested: unit tests here; goldens `show`, `show_forms`, `system_tables`, `information_schema_columns`.

pub mod create;
pub mod create_program;
pub mod create_view;
pub mod help;
pub mod metrics;
pub mod monitor;
pub mod schema;
pub mod show;
pub mod status;
pub mod sys;

pub use schema::perf::replication::{Told, ToldRow, ToldTables};
pub use schema::{SessionView, VIRTUAL_SCHEMAS, rows, virtual_schema_tables, virtual_table};
