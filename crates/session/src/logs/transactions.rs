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
    /// If it is more than a statement of its own, which has begun with its client's.
    began: u64,
    kind: Kind,
    /// Its number, and that of the statement that began it.
    event: u64,
    nesting: u64,
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
        let recorder = &env.client.connection.activity.recorder;
        if (!self.instrument.usual || self.transactions.state != Recorded::Nothing)
            && (self.transactions.state == Recorded::Runs || !self.is_transaction_wanted(env))
        {
            return;
        }
        let kind = kind();
        let t = &mut self.transactions;
        (t.state, t.kind) = (Recorded::Runs, kind);
        (t.event, t.nesting) = (recorder.next_event(), recorder.statement());
        if kind.autocommit() {
            recorder.transaction.begin_own(t.event, t.nesting, kind);
        } else {
            let [begin, _] = &env.client.connection.activity.times;
            t.began = begin.load(Relaxed);
            recorder.transaction.begin(t.event, t.nesting, t.began, kind);
        }
    }

    /// Whether one that begins is recorded; tells of the one before.
    #[inline(never)]
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
        if !t.kind.autocommit() || t.nesting != recorder.statement() {
            self.transaction_told(recorder, kept, times);
            return OwnTransaction::default();
        }
        let committed = std::mem::take(&mut t.state) == Recorded::Committed;
        recorder.transaction.end();
        OwnTransaction { event: t.event, kind: t.kind, committed }
    }

    /// Tells of one that has ended, with a client's statement at these times.
    #[inline(never)]
    pub(super) fn transaction_told(&mut self, recorder: &Recorder, kept: &mut Kept, (began, now): (u64, u64)) {
        let t = &mut self.transactions;
        let Some(committed) = t.take_ended() else { return };
        let own = t.kind.autocommit();
        let began = if own { began } else { t.began };
        kept.count_transaction(recorder, t.kind.read_only(), now.saturating_sub(began));
        let active = instruments::active();
        let keeps = recorder.flags() & KEEPS_HISTORY != 0;
        let on = |c: Consumer| active & c.bit() != 0;
        if on(Consumer::TransactionsCurrent) {
            let of = |c, mark| if keeps && on(c) { mark } else { 0 };
            let marks = of(Consumer::TransactionsHistory, KEPT) | of(Consumer::TransactionsHistoryLong, LONG);
            let e = kept.all_transactions().next(history_size(), marks, &ALL_LONG);
            e.thread = recorder.thread();
            e.events = (t.event, recorder.last_event());
            e.nesting = t.nesting;
            e.times = (began, now);
            e.state = if committed { State::Committed } else { State::RolledBack };
            e.kind = t.kind;
            // savepoints are counted where they are seen at once
            e.counts = if own { [0; 3] } else { recorder.transaction.counts() };
        }
        recorder.transaction.end();
    }
}
