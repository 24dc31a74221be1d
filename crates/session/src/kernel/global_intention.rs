//! How a statement that changes or locks rows keeps the global read lock (FLUSH TABLES WITH READ LOCK) out while it
//! runs: IX on GLOBAL, for the statement's length.
//!
//! A session with a transaction that others may wait for goes in before a read lock that is itself waiting; a new
//! transaction queues behind it. Otherwise three sessions could wait for each other until `innodb_lock_wait_timeout`,
//! as they do in MySQL: the read lock waits for the end of an UPDATE, the UPDATE for a row that a transaction has
//! changed, and the transaction, with its next UPDATE, for the read lock. A read lock that is granted keeps all of
//! them out.
//!
//! A statement that changes definitions keeps LOCK INSTANCE FOR BACKUP out, too ([`enter_definition`]). Backup tools
//! take both locks, one after the other. A statement that waited for the one and held what keeps the other out would
//! be in the tool's way, and one of them a deadlock's victim (in MySQL it is the statement: 1213).
//!
//! Tested: `tests/isolation/test_global_read_lock.py`, `mdl`'s tests.

use base::SqlResult;
use executor::Env;
use mdl::{Duration, MdlError, MdlKey, MdlSession, MdlType};
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

/// Before a definition changes: IX on GLOBAL for `global`, and on the backup lock for the transaction. While it waits
/// for one of them it has not taken the other.
///
/// # Errors
/// 1205 at the deadline, 1213, 1317.
pub(crate) fn enter_definition(mdl: &mut MdlSession, global: Duration, deadline: Deadline) -> Result<(), MdlError> {
    let (mut first, mut second) = ((MdlKey::global(), global), (MdlKey::backup(), Duration::Transaction));
    let has_one = mdl.owns(first.0, MdlType::Ix) || mdl.owns(second.0, MdlType::Ix);
    loop {
        let ticket = mdl.acquire(first.0, MdlType::Ix, first.1, deadline)?;
        if has_one {
            // of LOCK TABLES, or of the statement so far: that stays
            return mdl.acquire(second.0, MdlType::Ix, second.1, deadline).map(drop);
        }
        match mdl.try_acquire(second.0, MdlType::Ix, second.1) {
            Err(MdlError::Timeout) => mdl.release(ticket),
            done => return done.map(drop),
        }
        std::mem::swap(&mut first, &mut second);
    }
}
