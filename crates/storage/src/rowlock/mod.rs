//! Row locks: record, gap, next-key and insert-intention locks on index entries, and table locks.
//!
//! # What a lock is on
//!
//! A record lock names an index and a **normalized key** (or the supremum of the index), not a page and heap number as in
//! InnoDB. So page splits and merges never move locks. A *gap* lock on key `k` covers the open interval between `k`'s
//! predecessor and `k`. Two events change which key a gap belongs to, and the caller reports both while it holds the leaf's
//! exclusive latch:
//!
//! * an insert of `n` before `k` splits the gap: [`LockSys::inherit_on_insert`] copies `k`'s gap locks to `n`;
//! * the physical removal of `k` (purge, rollback of an insert) joins two gaps: [`LockSys::inherit_on_remove`] turns
//!   `k`'s locks into gap locks on its successor and lets `k`'s waiters look again.
//!
//! # Rules of conflict
//!
//! [`queue::conflicts`], InnoDB's rules (manual, "InnoDB Locking"): S and S agree; a gap lock waits for nothing; an insert
//! intention waits for gap and next-key locks of others; nobody waits for an insert intention or for a plain gap lock
//! unless he wants to insert; on the supremum only gaps exist.
//!
//! # Rules of access
//!
//! * A request is made while the leaf latch is held, so that record, neighbours and locks agree. If it must wait, the call
//!   returns [`Acquired::Wait`]; the caller **drops every latch** and only then calls [`LockSys::wait`] (invariant 1 of
//!   ARCHITECTURE.md), and afterwards positions itself again by key.
//! * Most writes create no lock here at all: a row whose trx_id belongs to an active transaction is locked *implicitly*; whoever
//!   meets such a row calls [`LockSys::make_explicit`] for the owner first.
//! * Latch order: page latch -> shard mutex -> wait graph mutex or mutex of a group of runs. Owner mutexes are leaves (nothing is taken inside them).
//!   [`LockSys::release_all`] is called without page latches.
//!
//! * A long scan's next-key locks are a [`run`]: an interval of keys instead of an entry for each. It stands for granted entries, which
//!   appear when another request meets it.
//!
//! # Waiting and deadlocks
//!
//! A waiter stores one blocker (the first conflicting entry of its queue), so the wait-for graph is a function and a cycle
//! is found by following it: when a wait begins and when a waiter's blocker changes. The victim is the owner in the cycle
//! with the smallest weight (rows changed + locks), the newcomer on a tie. Waiters are woken singly, when granted.
//! Transactions that commit in a given order wait for their turn in the same graph ([`turns`]).
//!
//! # Crash
//!
//! Locks live in memory only. Recovery rolls back what was active before it admits anyone who could see its rows, or gives
//! the recovered transactions their implicit locks by their trx_ids.
//!
//! Tested in `rowlock/tests.rs`, `rowlock/run_tests.rs`, `rowlock/turns_tests.rs` and by the isolation tests.

mod graph;
mod owner;
mod queue;
mod run;
#[cfg(test)]
mod run_tests;
mod scan;
mod sys;
#[cfg(test)]
mod tests;
mod turns;
#[cfg(test)]
mod turns_tests;
mod views;

pub use graph::Deadlock;
pub use owner::{LockOwner, OwnerId};
pub use queue::{LockKind, LockMode, RecKey};
pub use sys::{Acquired, LockSys, WaitError, WaitPolicy, WaitTicket};
pub use turns::Turns;
pub use views::LockInfo;
