//! Whether planning must stop: KILL, `max_execution_time`, too deep a nesting.
//!
//! The planner asks [`Interrupt::check`] at every query block and at every table it tries at a place of the join order,
//! so that a statement with many tables or deep nesting ends when it is told to, as one that reads rows does. The time
//! limit is the statement's from the beginning of its planning and is looked at here; what runs the plan arms its own.
//! Tested in `tests/clients/test_planning.py`.

use std::cell::Cell;
use std::time::{Duration, Instant};

use base::SqlResult;

/// Places tried between two looks at the clock.
const CLOCK: u32 = 64;

/// Whether planning must stop. Belongs to one statement.
#[derive(Debug, Default)]
pub(crate) struct Interrupt {
    /// `max_execution_time` in ms, 0 for none; a hint comes before it.
    pub(crate) limit: u64,
    steps: Cell<u32>,
    began: Cell<Option<Instant>>,
}

impl Interrupt {
    /// 1317 or 3024 if the statement is to end, 1436 if it nests too deep; `hint` is that of MAX_EXECUTION_TIME.
    pub(crate) fn check(&self, hint: Option<u64>) -> SqlResult<()> {
        sched::stack::check()?;
        sched::check_interrupt()?;
        let n = self.steps.get().wrapping_add(1);
        self.steps.set(n);
        let limit = hint.unwrap_or(self.limit);
        if limit == 0 {
            return Ok(());
        }
        // the first look is at the beginning
        match self.began.get() {
            None => self.began.set(Some(Instant::now())),
            Some(t) if n.is_multiple_of(CLOCK) && t.elapsed() >= Duration::from_millis(limit) => {
                return Err(sched::Kill::Timeout.into());
            }
            Some(_) => {}
        }
        Ok(())
    }
}
