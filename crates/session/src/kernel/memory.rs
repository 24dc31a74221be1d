//! Memory limits of a session's statements: `connection_memory_limit`, `global_connection_memory_limit`, and what the session keeps between them.
//!
//! `base::memory` counts and refuses (4081, 4082); here a statement gets its limits, and a connection whose statement was refused ends after the
//! answer. Accounts with CONNECTION_ADMIN are counted and never refused, as the manual says. While no limit is set and nothing
//! is tracked nothing is done per statement. Tested: `tests/clients/test_memory_limit.py`.

use base::memory::Limits;
use base::{ErrorCode, SqlResult};
use catalog::sysvar::Var;
use value::OwnedValue;

use crate::kernel::session::Session;

impl Session {
    /// The running statement's memory counts from here on.
    pub(crate) fn begin_memory(&mut self) {
        let limit = self.env.vars.num(Var::connection_memory_limit);
        let tracking = self.env.vars.bool(Var::global_connection_memory_tracking);
        if limit == u64::MAX && !tracking {
            base::memory::end();
            return;
        }
        let refused = !self.is_administrator();
        let limits = Limits {
            connection: (refused && limit != u64::MAX).then_some(limit),
            tracking,
            global: refused.then(|| self.env.shared.globals.num(Var::global_connection_memory_limit)),
            chunk: self.env.vars.num(Var::connection_memory_chunk_size),
        };
        base::memory::begin(limits, &self.memory);
    }

    /// The statement has ended: what is left of it is the session's.
    pub(crate) fn end_memory<T>(&mut self, result: &SqlResult<T>) {
        base::memory::end();
        let tracking = self.env.vars.bool(Var::global_connection_memory_tracking);
        if tracking || self.memory.bytes() > 0 || self.env.vars.num(Var::connection_memory_limit) != u64::MAX {
            let size = |v: &OwnedValue| if let OwnedValue::Str(s) | OwnedValue::Json(s) = v { s.len() } else { 0 };
            let bytes = self.env.user_vars.iter().map(|(name, v)| name.len() + size(&v.value)).sum();
            self.memory.set(bytes, tracking);
        }
        if result.as_ref().is_err_and(|e| e.is(ErrorCode::DA_CONN_LIMIT) || e.is(ErrorCode::DA_GLOBAL_CONN_LIMIT)) {
            self.env.client.connection.end_after_answer();
        }
    }
}
