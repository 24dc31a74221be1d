//! The storage engine: from files and pages up to transactions, tables and the dictionary.
//!
//! From the disk upwards: `file`, `page`, `buffer` (pool), `redo` (log), `mtr` (mini-transactions), `recovery`, `store`
//! (all of these in one handle), `space` (page allocation), `btree`, `row`, `undo`, `txn`, `mvcc`, `rowlock`, `purge`,
//! `table` (row operations), `dict` (data dictionary), `engine` (open, close, threads), `backup` (a copy
//! while it runs). scripts/layers.txt says which may use which. Start with `table/mod.rs`,
//! `btree/mod.rs`, `mtr.rs` and `txn/mod.rs`.

pub mod attached;
pub mod backup;
pub mod btree;
pub mod buffer;
pub mod dict;
pub mod doublewrite;
pub mod engine;
pub mod error;
pub mod file;
pub mod handle;
pub mod mtr;
pub mod mvcc;
pub mod overflow;
pub mod page;
pub mod purge;
pub mod recovery;
pub mod redo;
pub mod reserved;
pub mod row;
pub mod rowlock;

pub mod sort;
pub mod space;
pub mod store;
pub mod table;
pub mod told;
pub mod transport;
pub mod txn;
pub mod undo;

pub use error::{Result, StorageError};
pub use store::{Store, StoreConfig};

#[cfg(test)]
mod crash_tests;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod stop_on_drop;
