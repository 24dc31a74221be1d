//! Transactions: ids, commit numbers, snapshots ([`TrxSys`]) and the session's side of it ([`Trx`]).
//!
//! # A snapshot is one number
//!
//! A transaction that writes gets an id (48 bits) at its first write. When it commits it gets a commit number
//! ([`base::TrxNo`]) and becomes visible in the same very short critical section; numbers are therefore published in
//! order and a [`Snapshot`] is just "everything up to number n". Which number an id got is found in a ring indexed by the
//! id, see [`sys`]. Read-only transactions have neither id nor number and write only their session's padded slot.
//!
//! # Rules of access
//!
//! * [`Trx`] belongs to one session and is used by one thread at a time. What other threads need (kill flag, id, state for
//!   views) is in [`TrxShared`].
//! * Latch order: page latches, then the mutex of [`TrxSys`], then nothing. [`rowlock`](crate::rowlock) mutexes are never taken inside it.
//! * No transaction waits for a row lock or for the log while it holds a latch (invariant 1).
//!
//! # Crash
//!
//! All of this is memory. Ids are unique over restarts because the high-water mark in the system page is raised, in
//! steps, by an mtr that comes before any use of the ids under it ([`crate::engine`]). Transactions without COMMIT marker
//! in their undo slot are rolled back by recovery ([`crate::undo`]), but for prepared ones, which go on ([`prepared`]).
//!
//! Tested in `txn/sys_tests.rs` and by the bank, long-reader and crash tests in `engine/tests`.

mod life;
pub(crate) mod prepared;
mod sys;
mod trx;

pub use crate::undo::Xid;
pub use sys::{IdState, Snapshot, SnapshotSlot, TrxSys};
pub use trx::{Durability, Isolation, KillHandle, Savepoint, Trx, TrxInfo, TrxShared};
