//! What belongs to a statement's measures but not to its own end: a statement that runs others (CALL), runs of events,
//! errors and warnings by their numbers.
//!
//! Tested: `tests/clients/test_program_events.py`, `test_error_events.py`.

use crate::logs::SessionLog;
use crate::logs::measures::{Begun, Instrument};
use crate::logs::named::Named;
use crate::results::outcome::Outcome;
use base::SqlResult;
use catalog::connections::PreparedInstance;
use executor::Env;
use probe::Counter;
use probe::events::INSTRUMENTED;
use probe::instruments::{self, Consumer, Instrument as Kind};
use std::sync::Arc;

/// See [`Instrument::put_aside`].
pub(crate) struct Told {
    by_command: bool,
    kind: Option<Counter>,
    executed: Option<Arc<PreparedInstance>>,
    named: Option<Named>,
}

impl Instrument {
    /// What is known of a statement that runs others, while it does.
    pub(crate) fn put_aside(&mut self) -> Told {
        let executed = self.executed.take();
        Told { by_command: std::mem::take(&mut self.by_command), kind: self.kind, executed, named: self.about() }
    }

    /// They have ended.
    pub(crate) fn take_up(&mut self, told: Told) {
        (self.by_command, self.kind) = (told.by_command, told.kind);
        self.executed = told.executed;
        if told.named.is_some() {
            self.is_about(told.named);
        }
    }
}

impl SessionLog {
    /// A run of an event has ended: it is what a client's statement is elsewhere.
    pub(crate) fn event_ran(&mut self, env: &Env, begun: Option<Begun>, done: &SqlResult<()>) {
        let now = self.end(env);
        let Some(begun) = begun else { return };
        let result = done.as_ref().map(|()| Outcome::ok()).map_err(Clone::clone);
        self.ended(env, &begun, Some(Kind::SCHEDULER_EVENT), b"", (&result, now), String::new);
    }

    /// Counts the error and the warnings by their numbers.
    #[cold]
    pub(super) fn record_errors(&mut self, env: &Env, result: &SqlResult<Outcome>) {
        let recorder = &env.client.connection.activity.recorder;
        let on = instruments::active() & Consumer::Global.bit() != 0 && Kind::ERRORS.enabled();
        // SHOW WARNINGS and the like show what was counted before
        if !on || recorder.flags() & INSTRUMENTED == 0 || matches!(result, Ok(o) if o.keep_diagnostics) {
            return;
        }
        let now = sys::clock::wall_micros();
        let error = result.as_ref().err().map(base::SqlError::code);
        // those of a procedure have been counted where they came up
        let called = self.instrument.kind == Some(Counter::ComCallProcedure);
        let warnings = env.conv.warnings.iter().filter(|_| !called).map(|w| w.code).filter(|c| Some(*c) != error);
        for code in error.into_iter().chain(warnings) {
            probe::errors::record(&mut self.instrument.errors, &recorder.errors, code, now, false);
        }
    }
}
