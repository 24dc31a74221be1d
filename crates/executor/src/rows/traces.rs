//! The session's optimizer traces (information_schema.OPTIMIZER_TRACE): which are kept and which are shown
//! (`optimizer_trace_offset`, `_limit`, `_max_mem_size`; manual, "System Variables Controlling the Trace").
//!
//! An offset that is negative counts from the last trace: so many are kept. One that is not counts from the first since
//! one of the
//! two variables was set; what lies outside is not kept.

use catalog::sysvar::{SessionVars, Var};
use std::collections::VecDeque;

/// What OPTIMIZER_TRACE shows of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptimizerTrace {
    /// Its text.
    pub query: String,
    /// JSON; empty where the account may not see it.
    pub trace: String,
    /// What did not fit into `optimizer_trace_max_mem_size`.
    pub missing_bytes: u64,
    /// The account lacks privileges on what the statement used.
    pub insufficient_privileges: bool,
}

/// A session's traces.
#[derive(Debug, Default)]
pub struct Traces {
    kept: VecDeque<OptimizerTrace>,
    /// Traces since they were reset.
    seen: i64,
}

fn window(vars: &SessionVars) -> (i64, usize) {
    let limit = usize::try_from(vars.num(Var::optimizer_trace_limit)).unwrap_or(0);
    (vars.num(Var::optimizer_trace_offset) as i64, limit)
}

impl Traces {
    /// Forgets all: the offset or the limit was set.
    pub fn reset(&mut self) {
        *self = Traces::default();
    }

    /// Keeps one, if it lies within the window, as far as there is memory.
    pub fn push(&mut self, mut t: OptimizerTrace, vars: &SessionVars) {
        let (offset, limit) = window(vars);
        let at = self.seen;
        self.seen += 1;
        if offset >= 0 {
            if at < offset || at - offset >= limit as i64 {
                return;
            }
        } else {
            while self.kept.len() as i64 >= -offset {
                self.kept.pop_front();
            }
        }
        let used: usize = self.kept.iter().map(|t| t.query.len() + t.trace.len()).sum();
        let room = usize::try_from(vars.num(Var::optimizer_trace_max_mem_size)).unwrap_or(usize::MAX);
        let room = room.saturating_sub(used + t.query.len());
        if t.trace.len() > room {
            let cut = t.trace.floor_char_boundary(room);
            t.missing_bytes = (t.trace.len() - cut) as u64;
            t.trace.truncate(cut);
        }
        self.kept.push_back(t);
    }

    /// Those that OPTIMIZER_TRACE shows.
    pub fn shown(&self, vars: &SessionVars) -> Vec<OptimizerTrace> {
        self.kept.iter().take(window(vars).1).cloned().collect()
    }
}
