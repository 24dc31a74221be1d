//! Transactions as events: the running or last one of a session (events_transactions_current), those before
//! (`_history`, `_history_long`) and their sums.
//!
//! The running transaction is a handful of words of its session's own, stored without a lock, so that a statement that
//! is its own transaction stays cheap. Readers may see words of two transactions together for a moment. Those that have
//! ended stand beside the statements ([`crate::events::Kept`]).

use crate::events::{OwnTransaction, Recorder};
use crate::history::{Event, Long};
use crate::measures::Run;
use crate::summaries::{Counts, Summary};
use crate::timing::{Times, Timing, merge};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// What is known of a transaction when it begins: isolation, access and autocommit, a byte each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kind(u32);

impl Kind {
    /// `isolation`: 0 to 3, READ UNCOMMITTED to SERIALIZABLE.
    #[inline(always)]
    pub const fn new(isolation: u8, read_only: bool, autocommit: bool) -> Kind {
        Kind(isolation as u32 | (read_only as u32) << 8 | (autocommit as u32) << 16)
    }

    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    pub(crate) const fn of_bits(bits: u32) -> Kind {
        Kind(bits)
    }

    /// 0 to 3: READ UNCOMMITTED to SERIALIZABLE.
    pub const fn isolation(self) -> u8 {
        self.0 as u8
    }

    /// READ ONLY.
    #[inline(always)]
    pub const fn read_only(self) -> bool {
        self.0 >> 8 & 1 == 1
    }

    /// A statement that is its own transaction.
    #[inline(always)]
    pub const fn autocommit(self) -> bool {
        self.0 >> 16 & 1 == 1
    }
}

/// How it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum State {
    /// It runs.
    #[default]
    Active,
    /// Committed.
    Committed,
    /// Rolled back.
    RolledBack,
}

/// What is counted within a transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// SAVEPOINT.
    Savepoint = 0,
    /// ROLLBACK TO SAVEPOINT.
    RollbackTo = 1,
    /// RELEASE SAVEPOINT.
    Release = 2,
}

/// The running transaction of a session; written by the session.
#[derive(Debug, Default)]
#[repr(C)] // part of the first line of [`Recorder`]
pub struct Current {
    /// Its number; 0: none runs.
    event: AtomicU64,
    nesting: AtomicU64,
    began: AtomicU64,
    /// See [`Kind`].
    kind: AtomicU32,
    counts: [AtomicU32; 3],
}

/// A transaction, running or ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct TransactionEvent {
    /// Connection id.
    pub thread: u64,
    /// Its number in the session, and that of the last event in it (0: it runs).
    pub events: (u64, u64),
    /// The statement that began it.
    pub nesting: u64,
    /// Begin and end (0: it runs) on `sys::clock::now_ns`'s scale.
    pub times: (u64, u64),
    /// How it stands.
    pub state: State,
    /// Its kind.
    pub kind: Kind,
    /// By [`Count`].
    pub counts: [u32; 3],
    pub(crate) marks: u8,
}

impl TransactionEvent {
    /// Becomes another one, but belongs to what it belonged to.
    pub(crate) fn take_over(&mut self, other: &TransactionEvent) {
        *self = TransactionEvent { marks: self.marks, ..*other };
    }
}

impl Event for TransactionEvent {
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
        self.times.1
    }
}

/// events_transactions_history_long.
pub static LONG: Long<TransactionEvent> = Long::new();
/// Transactions of sessions that have ended.
pub static SUMS: Summary<Stats> = Summary::new();
static HISTORY: AtomicUsize = AtomicUsize::new(10);

/// Sets how many events the histories keep; before the first session.
pub fn configure(history: usize, long: usize) {
    HISTORY.store(history, Relaxed);
    LONG.set_size(long);
}

/// Events of a session's history.
#[inline]
pub fn history_size() -> usize {
    HISTORY.load(Relaxed)
}

impl Current {
    /// One begins.
    #[inline]
    pub fn begin(&self, event: u64, nesting: u64, at: u64, kind: Kind) {
        self.began.store(at, Relaxed);
        self.counts.iter().for_each(|c| c.store(0, Relaxed));
        self.begin_own(event, nesting, kind);
    }

    /// A statement is one by itself. It has begun with its client's, which who looks knows, and nothing is counted in
    /// it.
    #[inline(always)]
    pub fn begin_own(&self, event: u64, nesting: u64, kind: Kind) {
        self.event.store(event, Relaxed);
        self.nesting.store(nesting, Relaxed);
        self.kind.store(kind.0, Relaxed);
    }

    /// One that was a statement by itself has ended.
    #[inline(always)]
    pub fn end_own(&self, kind: Kind, committed: bool) -> OwnTransaction {
        let own = OwnTransaction::new(self.event(), kind, committed);
        self.end();
        own
    }

    /// It has ended.
    #[inline]
    pub fn end(&self) {
        self.event.store(0, Relaxed);
    }

    /// Counts what happens in it.
    pub fn count(&self, what: Count) {
        if let Some(c) = self.counts.get(what as usize) {
            c.store(c.load(Relaxed) + 1, Relaxed);
        }
    }

    /// What has been counted in it.
    pub fn counts(&self) -> [u32; 3] {
        self.counts.each_ref().map(|c| c.load(Relaxed))
    }

    /// Its number; 0: none runs.
    #[inline]
    pub fn event(&self) -> u64 {
        self.event.load(Relaxed)
    }

    /// The kind of the running or last one.
    #[inline(always)]
    pub fn kind(&self) -> Kind {
        Kind(self.kind.load(Relaxed))
    }

    /// The statement that began it.
    #[inline(always)]
    pub fn nesting(&self) -> u64 {
        self.nesting.load(Relaxed)
    }

    /// When it began, if it is more than a statement of its own, which has begun with its client's.
    pub fn began(&self) -> u64 {
        self.began.load(Relaxed)
    }

    /// What it is now; `None`: none runs. `began`: when its client's statement did.
    fn get(&self, thread: u64, began: u64) -> Option<TransactionEvent> {
        let event = self.event.load(Relaxed);
        let kind = self.kind();
        let own = kind.autocommit();
        (event > 0).then(|| TransactionEvent {
            thread,
            events: (event, 0),
            nesting: self.nesting(),
            times: (if own { began } else { self.began() }, 0),
            state: State::Active,
            kind,
            counts: if own { [0; 3] } else { self.counts() },
            marks: 0,
        })
    }
}

/// Sums of a session's transactions: those that may write, then those that are READ ONLY.
#[derive(Debug, Default)]
pub struct Stats([Timing; 2]);

impl Stats {
    /// Adds one; only the owner may.
    #[inline]
    pub fn add(&self, read_only: bool, ns: u64) {
        let [write, read] = &self.0;
        if read_only { read } else { write }.add(ns);
    }
}

impl Stats {
    /// Adds some of one kind; only the owner may.
    pub(crate) fn add_run(&self, read_only: bool, run: &Run) {
        let [write, read] = &self.0;
        if read_only { read } else { write }.add_run(run);
    }
}

impl Counts for Stats {
    type Totals = [Times; 2];
    fn totals(&self) -> [Times; 2] {
        self.0.each_ref().map(Timing::totals)
    }
    fn merge(to: &mut [Times; 2], from: &[Times; 2]) {
        to.iter_mut().zip(from).for_each(|(t, f)| merge(t, f));
    }
}

impl Recorder {
    /// Whether the transaction that has ended, of this kind, is the client's statement that ends by itself.
    #[inline(always)]
    pub fn is_own_transaction(&self, kind: Kind) -> bool {
        kind.autocommit() && self.transaction.nesting() == self.statement()
    }

    /// The running or last transaction. `began`: when the client's statement did.
    pub fn transaction(&self, began: u64) -> Option<TransactionEvent> {
        self.transaction.get(self.thread(), began).or_else(|| self.kept().all_transactions().last().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_from_begin_to_history() {
        let r = Recorder::new(7);
        assert!(r.transaction(1).is_none());
        let kind = Kind::new(3, true, false);
        r.transaction.begin(5, 4, 100, kind);
        r.transaction.count(Count::Savepoint);
        let now = r.transaction(1).unwrap();
        assert_eq!((now.events, now.state, now.kind, now.counts), ((5, 0), State::Active, kind, [1, 0, 0]));
        let ended = TransactionEvent { events: (5, 9), times: (100, 150), state: State::RolledBack, ..now };
        r.kept().all_transactions().next(10, crate::history::KEPT, &LONG).take_over(&ended);
        r.transaction.end();
        let e = r.transaction(1).unwrap();
        assert_eq!((e.state, e.times, e.events, e.nesting, e.kind), (State::RolledBack, (100, 150), (5, 9), 4, kind));
        let auto = Kind::new(2, false, true);
        r.transaction.begin_own(10, 9, auto);
        let now = r.transaction(200).map(|e| (e.counts, e.times, e.kind, e.thread));
        assert_eq!(now, Some(([0; 3], (200, 0), auto, 7)));
    }

    #[test]
    fn sums() {
        let s = Stats::default();
        [(false, 5), (false, 3), (true, 8)].into_iter().for_each(|(ro, ns)| s.add(ro, ns));
        let mut t = [[0; 4]; 2];
        Stats::merge(&mut t, &s.totals());
        Stats::merge(&mut t, &[[1, 9, 9, 9], [0; 4]]);
        assert_eq!(t, [[3, 17, 3, 9], [1, 8, 8, 8]]);
    }
}
