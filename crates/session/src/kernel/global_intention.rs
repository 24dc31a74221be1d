//! How a statement that changes or locks rows keeps the global read lock (FLUSH TABLES WITH READ LOCK) out while it
//! runs: IX on GLOBAL, for the statement's length.
//!
//! A session with a transaction that others may wait for goes in before a read lock that is itself waiting; a new
//! transaction queues behind it. Otherwise three sessions could wait for each other until `innodb_lock_wait_timeout`,
//! as they do in MySQL: the read lock waits for the end of an UPDATE, the UPDATE for a row that a transaction has
//! changed, and the transaction, with its next UPDATE, for the read lock. A read lock that is granted keeps all of
//! them out.
//!
//! Tested: `tests/isolation/test_global_read_lock.py`, `mdl`'s tests.

use base::SqlResult;
use executor::Env;
use mdl::{Duration, MdlKey, MdlType};
use sched::Deadline;

/// Before the metadata locks of the statement's tables.
///
/// # Errors
/// 1205 at the deadline, 1213, 1317.
pub(crate) fn enter_change(env: &mut Env, deadline: Deadline) -> SqlResult<()> {
    let key = MdlKey::global();
    match env.trx.may_hold_locks() {
        true => env.mdl.acquire_ahead(key, MdlType::Ix, Duration::Statement, deadline)?,
        false => env.mdl.acquire(key, MdlType::Ix, Duration::Statement, deadline)?,
    };
    Ok(())
}
