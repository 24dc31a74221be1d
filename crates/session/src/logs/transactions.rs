//! Transactions for performance_schema ([`probe::transactions`]).
//!
//! A transaction ends within a statement, whose end reads the clock: it is told of there, so that a statement that is
//! its own transaction reads no clock for it. What begins before that (COMMIT AND CHAIN, BEGIN in a transaction) tells
//! of it first. Tested: `tests/clients/test_transaction_events.py`.

use crate::logs::SessionLog;
use executor::Env;
use probe::events::{INSTRUMENTED, KEEPS_HISTORY, Kept, OwnTransaction, Recorder};
use probe::history::{KEPT, LONG};
use probe::instruments::{self, Consumer, Instrument};
use probe::transactions::{Count, Kind, LONG as ALL_LONG, State, history_size};
use std::sync::atomic::Ordering::Relaxed;

/// A session's part.
#[derive(Default)]
pub(crate) struct Transactions {
    state: Recorded,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Default)]
enum Recorded {
    #[default]
    Nothing,
    /// One is being recorded.
    Runs,
    /// One has ended and has not been told of.
    Committed,
    RolledBack,
}

impl Transactions {
    /// Whether one that has ended and has not been told of was committed, once.
    #[inline(always)]
    fn take_ended(&mut self) -> Option<bool> {
        if self.state < Recorded::Committed {
            return None;
        }
        Some(std::mem::take(&mut self.state) == Recorded::Committed)
    }
}

impl SessionLog {
    /// A transaction begins, unless one runs.
    #[inline(always)]
    pub(crate) fn transaction_begins(&mut self, env: &Env, kind: impl FnOnce() -> Kind) {
        if !instruments::BUILT || self.transactions.state == Recorded::Runs {
            return;
        }
        if !self.instrument.usual || self.transactions.state != Recorded::Nothing {
            return self.transaction_asked(env, kind);
        }
        self.transaction_is(env, kind());
    }

    /// The same where it is not recorded as usual, or one before it has not been told of.
    #[inline(never)]
    fn transaction_asked(&mut self, env: &Env, kind: impl FnOnce() -> Kind) {
        if self.is_transaction_wanted(env) {
            self.transaction_is(env, kind());
        }
    }

    /// One of this kind begins that is recorded.
    #[inline(always)]
    fn transaction_is(&mut self, env: &Env, kind: Kind) {
        self.transactions.state = Recorded::Runs;
        let activity = &env.client.connection.activity;
        let recorder = &*activity.recorder;
        let (event, nesting) = (recorder.next_event(), recorder.statement());
        if kind.autocommit() {
            recorder.transaction.begin_own(event, nesting, kind);
        } else {
            let [begin, _] = &activity.times;
            recorder.transaction.begin(event, nesting, begin.load(Relaxed), kind);
        }
    }

    /// Whether one that begins is recorded; tells of the one before.
    fn is_transaction_wanted(&mut self, env: &Env) -> bool {
        self.transaction_flushed(env);
        let flags = env.client.connection.activity.recorder.flags();
        instruments::active() & Consumer::Thread.bit() != 0
            && flags & INSTRUMENTED != 0
            && Instrument::TRANSACTION.enabled()
            && !self.unlogged
    }

    /// It has ended.
    #[inline(always)]
    pub(crate) fn transaction_ends(&mut self, committed: bool) {
        let t = &mut self.transactions;
        if t.state == Recorded::Runs {
            t.state = if committed { Recorded::Committed } else { Recorded::RolledBack };
        }
    }

    /// Tells of one that has ended before its client's statement.
    pub(crate) fn transaction_flushed(&mut self, env: &Env) {
        if self.transactions.state >= Recorded::Committed {
            let a = &env.client.connection.activity;
            let [began, _] = &a.times;
            let times = (began.load(Relaxed), sys::clock::now_ns());
            self.transaction_told(&a.recorder, &mut a.recorder.kept(), times);
        }
    }

    /// It goes on without the session (XA PREPARE): nobody tells how it ends.
    pub(crate) fn transaction_left(&mut self) {
        if self.transactions.state == Recorded::Runs {
            self.transactions.state = Recorded::Nothing;
        }
    }

    /// A savepoint in it.
    pub(crate) fn savepoint(&self, env: &Env, what: Count) {
        if self.transactions.state == Recorded::Runs {
            env.client.connection.activity.recorder.transaction.count(what);
        }
    }

    /// Tells of one that has ended, with the client's statement that began and ended at these times: where everything
    /// is recorded as usual, as here, one that is that statement goes to its entry, which is what this gives.
    #[inline(always)]
    pub(super) fn transaction_ended(
        &mut self,
        recorder: &Recorder,
        kept: &mut Kept,
        times: (u64, u64),
    ) -> OwnTransaction {
        let t = &mut self.transactions;
        if t.state < Recorded::Committed {
            return OwnTransaction::default();
        }
        let kind = recorder.transaction.kind();
        if !recorder.is_own_transaction(kind) {
            self.transaction_told(recorder, kept, times);
            return OwnTransaction::default();
        }
        let committed = std::mem::take(&mut t.state) == Recorded::Committed;
        recorder.transaction.end_own(kind, committed)
    }

    /// Tells of one that has ended, with a client's statement at these times.
    #[inline(never)]
    pub(super) fn transaction_told(&mut self, recorder: &Recorder, kept: &mut Kept, (began, now): (u64, u64)) {
        let t = &mut self.transactions;
        let Some(committed) = t.take_ended() else { return };
        let t = &recorder.transaction;
        let (kind, event) = (t.kind(), t.event());
        let own = kind.autocommit();
        let began = if own { began } else { t.began() };
        kept.count_transaction(recorder, kind.read_only(), now.saturating_sub(began));
        let active = instruments::active();
        let keeps = recorder.flags() & KEEPS_HISTORY != 0;
        let on = |c: Consumer| active & c.bit() != 0;
        if on(Consumer::TransactionsCurrent) {
            let of = |c, mark| if keeps && on(c) { mark } else { 0 };
            let marks = of(Consumer::TransactionsHistory, KEPT) | of(Consumer::TransactionsHistoryLong, LONG);
            let e = kept.all_transactions().next(history_size(), marks, &ALL_LONG);
            e.thread = recorder.thread();
            e.events = (event, recorder.last_event());
            e.nesting = t.nesting();
            e.times = (began, now);
            e.state = if committed { State::Committed } else { State::RolledBack };
            e.kind = kind;
            // savepoints are counted where they are seen at once
            e.counts = if own { [0; 3] } else { t.counts() };
        }
        t.end();
    }
}
