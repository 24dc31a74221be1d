//! [`On`]: what of a statement that ends is recorded, as the settings of performance_schema say.
//!
//! Tested: `tests/clients/test_instrument_levels.py`.

use probe::events::{KEEPS_HISTORY, Recorder};
use probe::history::{KEPT, LONG};
use probe::instruments::{self, Consumer, Instrument as Kind};

/// What is kept of a statement.
#[derive(Clone, Copy)]
pub(super) struct On {
    pub(super) consumers: u32,
    /// The session has histories.
    pub(super) keeps: bool,
    /// Its kind has times.
    pub(super) timed: bool,
}

impl On {
    pub(super) fn asked(recorder: &Recorder, kind: Kind) -> On {
        let keeps = recorder.flags() & KEEPS_HISTORY != 0;
        On { consumers: instruments::active(), keeps, timed: kind.timed() }
    }

    #[inline(always)]
    pub(super) fn is(self, c: Consumer) -> bool {
        self.consumers & c.bit() != 0
    }

    /// The histories that the event belongs to.
    #[inline(always)]
    pub(super) fn marks(self) -> u8 {
        let of = |c, mark| if self.keeps && self.is(c) { mark } else { 0 };
        of(Consumer::StatementsHistory, KEPT) | of(Consumer::StatementsHistoryLong, LONG)
    }
}
