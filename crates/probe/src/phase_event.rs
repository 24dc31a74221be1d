//! A stage or a wait as its session keeps it ([`PhaseEvent`]). Tested in [`crate::phases`].

use crate::history::Event;
use crate::waits::About;

/// A stage or a wait.
#[derive(Clone, Debug, Default)]
pub struct PhaseEvent {
    /// Connection id.
    pub thread: u64,
    /// Its number in the session, and that of the last event in it (0: it runs).
    pub events: (u64, u64),
    /// Begin and end (0: it runs) on `sys::clock::now_ns`'s scale, if it is timed.
    pub(crate) times: (u64, u64),
    /// The event it is in; 0 = none.
    pub nesting: u64,
    /// Of a stage that tells how far it has come: work done, and all of it.
    pub work: Option<Box<(u64, u64)>>,
    /// Of a wait.
    pub about: About,
    /// [`Instrument::number`].
    pub instrument: u32,
    /// What it is in is a stage, else a statement.
    pub in_stage: bool,
    pub(crate) timed: bool,
    pub(crate) marks: u8,
}

// a session that records waits writes some of them with each statement
const _: () = assert!(size_of::<PhaseEvent>() == 112);

impl PhaseEvent {
    /// Begin and end (0: it runs) on `sys::clock::now_ns`'s scale; `None` without times.
    pub fn times(&self) -> Option<(u64, u64)> {
        self.timed.then_some(self.times)
    }

    #[inline(always)]
    pub(crate) fn set_times(&mut self, times: Option<(u64, u64)>) {
        (self.timed, self.times) = (times.is_some(), times.unwrap_or_default());
    }

    #[inline(always)]
    pub(crate) fn set_nesting(&mut self, (event, in_stage): (u64, bool)) {
        (self.nesting, self.in_stage) = (event, in_stage);
    }
}

impl Event for PhaseEvent {
    #[inline(always)]
    fn marks(&mut self) -> &mut u8 {
        &mut self.marks
    }
    fn marked(&self) -> u8 {
        self.marks
    }
    fn number(&self) -> (u64, u64) {
        (self.thread, self.events.0)
    }
    fn ended(&self) -> u64 {
        self.times().map_or(0, |t| t.1)
    }
    fn runs(&self) -> bool {
        self.events.1 == 0
    }
}
