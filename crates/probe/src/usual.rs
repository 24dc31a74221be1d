//! Whether everything is recorded as it is without being asked for otherwise ([`usual`]): one word in place of some
//! twenty, so that a statement of a server that nobody has set up differently asks once.
//!
//! (The same moment tells [`crate::tables`] what it counts.)
//!
//! It is only a shorter way to the same entries and sums: who is told yes writes what the long way would write. Made
//! anew by each change of an instrument or a consumer, behind a mutex, so that the last change decides.

use crate::consumers::{BUILT, Consumer as C, active};
use crate::instruments::{all_statements, any_stage};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static USUAL: AtomicBool = AtomicBool::new(true);
static CHANGES: Mutex<()> = Mutex::new(());

/// The consumers that are on then.
pub const USUAL_CONSUMERS: u32 = C::Global.bit()
    | C::Thread.bit()
    | C::StatementsCurrent.bit()
    | C::StatementsHistory.bit()
    | C::StatementsDigest.bit()
    | C::TransactionsCurrent.bit()
    | C::TransactionsHistory.bit();

/// Whether the consumers are those that are on without being asked for, statements of all kinds, idle sessions and
/// transactions are recorded with times, and no stage is that statements begin with.
#[inline(always)]
pub fn usual() -> bool {
    BUILT && USUAL.load(Relaxed)
}

/// Something has been switched.
pub(crate) fn switched() {
    let _one = CHANGES.lock().unwrap_or_else(|e| e.into_inner());
    USUAL.store(active() == USUAL_CONSUMERS && all_statements() && !any_stage(), Relaxed);
    crate::tables::switched();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruments::{Instrument, switch_consumers, switching};

    /// `cargo test -p probe --features without-instruments control`
    #[test]
    fn the_control_has_nothing_on() {
        let _alone = switching();
        let asked = [
            usual(),
            active() != 0,
            Instrument::statement(crate::Counter::ComSelect).enabled(),
            crate::waits::wanted(Instrument::TABLE_IO),
            crate::tables::counts_rows(),
        ];
        assert_eq!(asked, [BUILT; 5]);
        let stage = Instrument::stage(crate::Stage::Starting);
        stage.set(true, true);
        let is_on = crate::instruments::any_stage();
        stage.set(false, false);
        assert_eq!(is_on, BUILT);
    }

    #[test]
    fn it_is_until_something_is_switched() {
        let _alone = switching();
        assert!(usual() && active() == USUAL_CONSUMERS);
        for c in C::ALL {
            let on = c.is_on();
            switch_consumers(c.bit(), if on { 0 } else { u32::MAX });
            // a history without what is above it is none
            assert!(!usual() || active() == USUAL_CONSUMERS, "{c:?}");
            switch_consumers(c.bit(), if on { u32::MAX } else { 0 });
            assert!(usual());
        }
        let select = Instrument::statement(crate::Counter::ComSelect);
        let kinds = [select, Instrument::EXECUTE, Instrument::SCHEDULER_EVENT, Instrument::command("Ping").unwrap()];
        let others = [Instrument::IDLE, Instrument::TRANSACTION, Instrument::stage(crate::Stage::Starting)];
        for i in kinds.into_iter().chain(others) {
            let before = (i.enabled(), i.timed());
            i.set(!before.0, before.1);
            assert!(!usual());
            i.set(before.0, before.1);
            assert!(usual());
        }
    }
}
