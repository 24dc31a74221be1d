//! Transactions. [`TrxSys`] is what the server knows of all of them: ids, commit numbers, snapshots. [`Trx`] is one
//! session's.
//!
//! # A snapshot is one number
//!
//! A transaction gets an id (48 bits) when it writes for the first time; each row that it changes carries the id.
//! When it commits it gets a commit number ([`base::TrxNo`]) and becomes visible, both in one very short critical
//! section. So transactions become visible in the order of their numbers, and a [`Snapshot`] is one number `n`: it
//! sees what has a number up to `n`. To decide whether a row is visible, the number that belongs to the row's id is
//! looked up in a ring ([`sys`]). A transaction that only reads gets neither id nor number.
//!
//! # Rules of access
//!
//! * [`Trx`] belongs to one session and is used by one thread at a time. What other threads look at (kill flag, id,
//!   state for information_schema.INNODB_TRX) is in [`TrxShared`].
//! * Latch order: page latches before the mutex of [`TrxSys`]. Nothing is latched under that mutex, in particular
//!   none of the mutexes of [`rowlock`](crate::rowlock).
//! * No transaction waits for a row lock or for the log while it holds a latch (invariant 1).
//!
//! # Crash
//!
//! All of this is in memory only. An id is never given twice, also not after a restart: the system page holds a
//! number that all ids given so far lie below. It is raised for a run of ids at a time, in an mtr of its own,
//! before the first of them is used ([`crate::engine`]). Recovery rolls back transactions whose undo slot has no
//! COMMIT marker ([`crate::undo`]). Prepared XA transactions stay as they are until XA COMMIT or XA ROLLBACK
//! ([`prepared`]).
//!
//! Tested in `txn/sys_tests.rs` and by the bank, long-reader and crash tests in `engine/tests`.

mod life;
pub(crate) mod prepared;
mod sys;
mod trx;

pub use crate::undo::Xid;
pub use sys::{IdState, Snapshot, SnapshotSlot, TrxSys};
pub use trx::{Durability, Isolation, KillHandle, Savepoint, Trx, TrxInfo, TrxShared};
