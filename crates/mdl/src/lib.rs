//! Metadata locks. While a statement or transaction uses a table, its metadata lock keeps the table's definition as
//! it is; ALTER TABLE and other DDL wait for it. Types, compatibility, durations and fairness are MySQL's (manual:
//! "Metadata Locking", `performance_schema.metadata_locks`; WL#3726, WL#7305).
//!
//! * [`MdlKey`]: what is locked: a namespace (tables, schemas, GET_LOCK's names ...) and a name.
//! * [`MdlType`]: the types of locks, and which of them may be held, or waited for, side by side. [`Duration`]:
//!   when a lock ends.
//! * [`MdlManager`]: the locks of the server. [`MdlSession`]: the locks of one session, and how it takes and
//!   releases them.
//!
//! **Two paths.** *Weak* types never conflict with each other: IX of scopes (a schema, say), and S, SH, SR, SW,
//! which queries and DML take. A session grants them to itself: it writes type and hash of the name into one of its
//! own 16 slots, then looks whether another session has or wants a strong lock in the name's hash group ([`fast`],
//! proven by a loom model). So DML of different sessions writes no common cache line. *Strong* types are SRO, SNW,
//! SNRW and X, and S and X of scopes. Who wants one first raises the group's counter, which sends sessions that
//! come later to the lock table; then it moves the locks that it finds in all sessions' slots to the table, and
//! only then looks for conflicts. SU conflicts with no weak type, so that it skips both.
//!
//! **Lock table.** 16 shards map the hash of a name to a lock: who holds it, and who waits for it. A request that
//! waits keeps out some of those that come later, as MySQL's second matrix says: a waiting X keeps out new SR and
//! SW, so that an ALTER TABLE gets its turn. After `max_write_lock_count` grants of strong types, weaker ones that
//! wait come first. A release grants all that has become possible, in the order of arrival. Two names with the same
//! hash (56 bits, keyed) would share a lock; that delays statements, but does no harm.
//!
//! **Deadlocks.** A session that starts to wait looks for a cycle of waiters, over all shards at once. One waiter
//! of the cycle gives up with error 1213 (3058 for GET_LOCK): DML before user-level locks, these before DDL. Among
//! equals it is the one that looked.
//!
//! **KILL** ends a wait with 1317. A lock that was granted between KILL and the waiter's waking up is given back.
//!
//! Latches: shard, then the list of sessions. No latch is held while a session waits. Locks are not kept on disk:
//! after a crash recovery runs before there is a session.
//!
//! Tests: `tests.rs` (semantics, deadlocks, stress against a referee), `tests/loom_fast.rs` (the fence pair).

pub mod fast;
mod key;
mod lock;
mod manager;
mod search;
mod session;
mod types;

/// The atomics of [`fast`]; the loom model puts its own in this place.
mod sync {
    pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
}

pub use key::{MdlKey, Namespace};
pub use manager::{LockInfo, LockStatus, MdlManager};
pub use session::{MdlError, MdlSession, Savepoint, Ticket};
pub use types::{Duration, MdlType};

#[cfg(test)]
mod tests;
