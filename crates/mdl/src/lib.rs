//! Metadata locks: what keeps a table's definition in place while statements use it, and what DDL waits for. Types,
//! matrices, durations and fairness are MySQL's (manual: "Metadata Locking", `performance_schema.metadata_locks`;
//! WL#3726, WL#7305).
//!
//! * [`MdlKey`]: namespace and name of what is locked. It is made once (the catalog keeps it beside the table).
//! * [`MdlType`]: lock types and their two compatibility matrices. [`Duration`]: when a lock ends.
//! * [`MdlManager`]: the server's lock table. [`MdlSession`]: one session's locks; acquire, upgrade, release.
//!
//! **Two paths.** *Weak* types never conflict with each other (IX of scopes; S, SH, SR, SW). A session grants them to
//! itself: it writes type and name hash into one of its own 16 padded slots, then looks whether a strong lock exists, or
//! is wanted, in the name's hash group ([`fast`], proven by a loom model). So DML writes no cache line that other sessions
//! write. A *strong* type (SRO, SNW, SNRW, X; S and X of scopes) first raises the group's counter, which sends newcomers
//! to the table, then sweeps all slots and moves what it finds there; only then does it look for conflicts. SU conflicts
//! with no weak type and needs no sweep.
//!
//! **Table.** 16 shards map a name hash to a lock: its granted tickets and its queue. A waiting request keeps out what
//! MySQL's second matrix says: a waiting X keeps out new SR and SW, so that DDL is not starved, until
//! `max_write_lock_count` such grants have passed it by. A release grants whatever has become possible, in order of
//! arrival. Names are told apart by 56 bits of a keyed hash; two names of one hash would share a lock, which delays
//! statements but harms none.
//!
//! **Deadlocks** are searched by the session that starts to wait, over all shards at once. The lightest waiter of the
//! cycle gives up with error 1213, or 3058 for GET_LOCK: DML before user-level locks, these before DDL; among equals the
//! one that searched.
//!
//! Latches: shard, then the list of sessions. Waits are `sched` waits (KILL, timeouts) and are made without latches.
//! Nothing survives a crash and nothing has to: recovery runs before the first session.
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
