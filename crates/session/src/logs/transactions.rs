//! Transactions for performance_schema ([`probe::transactions`]).
//!
//! A transaction ends within a statement, whose end reads the clock: it is told of there, so that a statement that is
//! its own transaction reads no clock for it. What begins before that (COMMIT AND CHAIN, BEGIN in a transaction) tells
//! of it first. Tested: `tests/clients/test_transaction_events.py`.

use crate::logs::SessionLog;
use executor::Env;
use probe::events::{INSTRUMENTED, KEEPS_HISTORY, Kept, OwnTransaction, Recorder};
use probe::history::Ring;
use probe::instruments::{self, Consumer, Instrument};
use probe::summaries::Own;
use probe::transactions::{Count, Kind, LONG, State, Stats, TransactionEvent, history_size};
use std::sync::atomic::Ordering::Relaxed;

/// A session's part.
#[derive(Default)]
pub(crate) struct Transactions {
    sums: Own<Stats>,
    /// One is being recorded.
    runs: bool,
    /// It has ended, committed or not, and has not been told of.
    ended: Option<bool>,
    began: u64,
    kind: Kind,
    /// Its number, and that of the statement that began it.
    event: u64,
    nesting: u64,
}

impl SessionLog {
    /// A transaction begins, unless one runs.
    #[inline]
    pub(crate) fn transaction_begins(&mut self, env: &Env, kind: impl FnOnce() -> Kind) {
        let recorder = &env.client.connection.activity.recorder;
        if self.transactions.ended.is_some() {
            self.transaction_told(recorder, recorder.kept().all_transactions(), sys::clock::now_ns());
        }
        let active = instruments::active();
        let wanted = active & Consumer::Thread.bit() != 0
            && recorder.flags() & INSTRUMENTED != 0
            && Instrument::TRANSACTION.enabled();
        let t = &mut self.transactions;
        if t.runs || !wanted || self.unlogged {
            return;
        }
        let [begin, _] = &env.client.connection.activity.times;
        (t.runs, t.began, t.kind) = (true, begin.load(Relaxed), kind());
        (t.event, t.nesting) = (recorder.next_event(), recorder.statement());
        recorder.transaction.begin(t.event, t.nesting, t.began, t.kind);
    }

    /// It has ended.
    #[inline]
    pub(crate) fn transaction_ends(&mut self, committed: bool) {
        if std::mem::take(&mut self.transactions.runs) {
            self.transactions.ended = Some(committed);
        }
    }

    /// Tells of one that has ended before its client's statement.
    pub(crate) fn transaction_flushed(&mut self, env: &Env) {
        if self.transactions.ended.is_some() {
            let recorder = &env.client.connection.activity.recorder;
            self.transaction_told(recorder, recorder.kept().all_transactions(), sys::clock::now_ns());
        }
    }

    /// It goes on without the session (XA PREPARE): nobody tells how it ends.
    pub(crate) fn transaction_left(&mut self) {
        self.transactions.runs = false;
    }

    /// A savepoint in it.
    pub(crate) fn savepoint(&self, env: &Env, what: Count) {
        if self.transactions.runs {
            env.client.connection.activity.recorder.transaction.count(what);
        }
    }

    /// Tells of one that has ended, at `now`: one that is the statement which ends goes to that one's entry, which is
    /// what this gives. `active`, `flags`: what is recorded.
    #[inline]
    pub(crate) fn transaction_ended(
        &mut self,
        recorder: &Recorder,
        kept: &mut Kept,
        (active, flags): (u32, u8),
        now: u64,
    ) -> OwnTransaction {
        let t = &mut self.transactions;
        let Some(committed) = t.ended else { return OwnTransaction::default() };
        let all = Consumer::StatementsHistory.bit() | Consumer::TransactionsHistory.bit();
        let long = Consumer::TransactionsHistoryLong.bit();
        let plain = t.kind.autocommit
            && active & (all | long) == all
            && flags & KEEPS_HISTORY != 0
            && t.nesting == recorder.statement();
        if !plain {
            self.transaction_told(recorder, kept.all_transactions(), now);
            return OwnTransaction::default();
        }
        t.ended = None;
        if let Some(sums) = t.sums.slot(0, &recorder.transaction_sums) {
            sums.add(t.kind.read_only, now.saturating_sub(t.began));
        }
        recorder.transaction.end();
        OwnTransaction { event: t.event, kind: t.kind, committed, times: (t.began, now) }
    }

    /// Tells of one that has ended, at `now`. `transactions`: the recorder's.
    #[inline(never)]
    pub(crate) fn transaction_told(
        &mut self,
        recorder: &Recorder,
        transactions: &mut Ring<TransactionEvent>,
        now: u64,
    ) {
        let t = &mut self.transactions;
        let Some(committed) = t.ended.take() else { return };
        if let Some(sums) = t.sums.slot(0, &recorder.transaction_sums) {
            sums.add(t.kind.read_only, now.saturating_sub(t.began));
        }
        let active = instruments::active();
        let keeps = recorder.flags() & KEEPS_HISTORY != 0;
        let on = |c: Consumer| active & c.bit() != 0;
        if on(Consumer::TransactionsCurrent) {
            let e = transactions.next(history_size(), keeps && on(Consumer::TransactionsHistory));
            e.thread = recorder.thread();
            e.events = (t.event, recorder.last_event());
            e.nesting = t.nesting;
            e.times = (t.began, now);
            e.state = if committed { State::Committed } else { State::RolledBack };
            e.kind = t.kind;
            // savepoints are counted where they are seen at once
            e.counts = if t.kind.autocommit { [0; 3] } else { recorder.transaction.counts() };
            if keeps && on(Consumer::TransactionsHistoryLong) {
                LONG.record(|to| *to = *e);
            }
        }
        recorder.transaction.end();
    }
}
