//! `init_replica`: what the thread `replica_sql` begins with, once, before it reads and before there are workers.
//!
//! The statements run with the rights with which the thread applies; what they change has a GTID of this server.
//! Settings of the session are those of what this thread applies itself.
//! Tested: `tests/binlog/test_replica_variables.py`.

use super::Trouble;
use crate::shared::Shared;
use catalog::sysvar::Var;
use session::ApplierSession;

/// `ER_SERVER_REPLICA_INIT_QUERY_FAILED`
const INIT_FAILED: u32 = 13_145;

/// `init_replica`. False: a statement of it has failed, which is told, and nothing is applied.
pub fn begins_with(x: &Shared, s: &mut ApplierSession) -> Result<bool, Trouble> {
    let text = x.globals.string(Var::init_replica);
    if text.trim().is_empty() {
        return Ok(true);
    }
    if let Err(e) = s.statements(text.as_bytes()) {
        let (code, why) = (e.code(), e.message());
        let text = format!("Replica SQL thread aborted. Can't execute init_replica query, MY-{code:06} - '{why}'");
        x.applier.fail(INIT_FAILED, text);
        return Ok(false);
    }
    s.rollback()?;
    s.flush()?;
    Ok(true)
}
