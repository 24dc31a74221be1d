//! The consumers by name and which of them are on: `setup_consumers` of performance_schema. See [`crate::instruments`].

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

macro_rules! consumers {
    ($($id:ident $name:literal $on:literal $above:expr;)*) => {
        /// A destination of events.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)] // the name says it
        pub enum Consumer { $($id,)* }

        impl Consumer {
            /// All, in MySQL's order.
            pub const ALL: &[Consumer] = &[$(Consumer::$id),*];
            /// MySQL's name.
            pub const fn name(self) -> &'static str { match self { $(Consumer::$id => $name,)* } }
            /// Whether it is on without being asked for.
            pub const fn default_on(self) -> bool { match self { $(Consumer::$id => $on,)* } }
            /// Which one must be on too.
            const fn above(self) -> Option<Consumer> { match self { $(Consumer::$id => $above,)* } }
        }
    };
}

/// Whether instruments are built in. Not in the control, where everything that asks whether something is recorded gets
/// a constant, so that what would record it is not compiled in.
pub const BUILT: bool = !cfg!(feature = "without-instruments");

use Consumer as C;
consumers! {
    StagesCurrent "events_stages_current" false Some(C::Thread);
    StagesHistory "events_stages_history" false Some(C::StagesCurrent);
    StagesHistoryLong "events_stages_history_long" false Some(C::StagesCurrent);
    StatementsCpu "events_statements_cpu" false Some(C::Global);
    StatementsCurrent "events_statements_current" true Some(C::Thread);
    StatementsHistory "events_statements_history" true Some(C::StatementsCurrent);
    StatementsHistoryLong "events_statements_history_long" false Some(C::StatementsCurrent);
    TransactionsCurrent "events_transactions_current" true Some(C::Thread);
    TransactionsHistory "events_transactions_history" true Some(C::TransactionsCurrent);
    TransactionsHistoryLong "events_transactions_history_long" false Some(C::TransactionsCurrent);
    WaitsCurrent "events_waits_current" false Some(C::Thread);
    WaitsHistory "events_waits_history" false Some(C::WaitsCurrent);
    WaitsHistoryLong "events_waits_history_long" false Some(C::WaitsCurrent);
    Global "global_instrumentation" true None;
    Thread "thread_instrumentation" true Some(C::Global);
    StatementsDigest "statements_digest" true Some(C::Global);
}

/// Those that are on without being asked for; what is above them is too.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const DEFAULT: u32 = {
    let (mut bits, mut n) = (0, 0);
    while n < Consumer::ALL.len() {
        if Consumer::ALL[n].default_on() {
            bits |= 1 << n;
        }
        n += 1;
    }
    bits
};
/// Consumers that are switched on.
static ON: AtomicU32 = AtomicU32::new(DEFAULT);
/// Those that count, since all above them are on as well.
static ACTIVE: AtomicU32 = AtomicU32::new(DEFAULT);

impl Consumer {
    /// Its bit in [`active`].
    pub const fn bit(self) -> u32 {
        1 << self as u8
    }

    /// Whether it is switched on, whatever is above it.
    pub fn is_on(self) -> bool {
        ON.load(Relaxed) & self.bit() != 0
    }

    /// The consumer of this name.
    pub fn named(name: &str) -> Option<Consumer> {
        Consumer::ALL.iter().copied().find(|c| c.name().eq_ignore_ascii_case(name))
    }

    fn counts(self, on: u32) -> bool {
        on & self.bit() != 0 && self.above().is_none_or(|c| c.counts(on))
    }
}

/// Nothing is recorded from here on (`performance_schema = OFF`), whatever is switched.
pub fn stop() {
    STOPPED.store(true, Relaxed);
    ACTIVE.store(0, Relaxed);
    crate::usual::switched();
}

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Switches consumers: those in `mask` get the value that `to` has.
pub fn switch_consumers(mask: u32, to: u32) {
    let change = |on| Some(on & !mask | to & mask);
    let before = ON.fetch_update(Relaxed, Relaxed, change).unwrap_or_else(|on| on);
    let now = before & !mask | to & mask;
    let active = Consumer::ALL.iter().filter(|c| c.counts(now)).fold(0, |sum, c| sum | c.bit());
    ACTIVE.store(if STOPPED.load(Relaxed) { 0 } else { active }, Relaxed);
    crate::usual::switched();
}

/// The consumers that count now, a bit each ([`Consumer::bit`]).
#[inline]
pub fn active() -> u32 {
    if BUILT { ACTIVE.load(Relaxed) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_consumer_needs_those_above_it() {
        let _alone = crate::instruments::switching();
        let bits = |list: &[Consumer]| list.iter().fold(0, |sum, c| sum | c.bit());
        switch_consumers(u32::MAX, bits(&[C::Global, C::Thread, C::WaitsHistory]));
        assert_eq!(active(), bits(&[C::Global, C::Thread]));
        switch_consumers(C::WaitsCurrent.bit(), u32::MAX);
        assert_eq!(active(), bits(&[C::Global, C::Thread, C::WaitsCurrent, C::WaitsHistory]));
        switch_consumers(C::Thread.bit(), 0);
        assert_eq!(active(), bits(&[C::Global]));
        assert!(C::WaitsHistory.is_on() && !C::Thread.is_on());
        switch_consumers(u32::MAX, DEFAULT);
        assert_eq!(active(), DEFAULT);
    }
}
