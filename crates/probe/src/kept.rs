//! A session's last statements, transactions, stages and waits ([`Kept`]), as its recorder keeps them behind one mutex.
//! Tested by `tests/clients/test_transaction_events.py`.

use crate::counting::{Pending, Writer, count};
use crate::events::{Recorder, STATEMENTS_LONG, StatementEvent};
use crate::history::{KEPT, LONG, Ring};
use crate::phases::Phased;
use crate::transactions::{self, Kind, State, TransactionEvent};

/// A session's last events.
///
/// A statement that is its own transaction leaves that in its own entry, since most of it is the statement's too. Who
/// looks at transactions has them moved to where the others are first ([`Kept::all_transactions`]).
#[derive(Debug, Default)]
pub struct Kept {
    /// Statements that have ended.
    pub statements: Ring<StatementEvent>,
    /// Transactions that have ended, but those that statements have.
    transactions: Ring<TransactionEvent>,
    /// How many statements have one.
    owns: usize,
    /// Statements of the last shape that are not in the sums.
    pending: Pending,
    /// Sums that statements and transactions are added to.
    writer: Writer,
    /// Stages and waits.
    pub(crate) phases: [Phased; 2],
}

impl Kept {
    /// The entry of the next statement, of no shape. `own`: the transaction that it was by itself.
    pub fn next_statement(&mut self, r: &Recorder, how: (usize, u8), own: OwnTransaction) -> &mut StatementEvent {
        self.pending.count(self.statements.entries(), &mut self.writer, r);
        let (_, e, pending) = self.next_entry(r, how, own);
        (pending.beside, e.shape) = (true, 0);
        e
    }

    /// Fills the entry of a statement that is like others before it, which `shape` says, and has been recorded as
    /// without being asked for otherwise.
    #[inline(always)]
    pub fn next_shaped(
        &mut self,
        r: &Recorder,
        size: usize,
        (shape, own): (u64, OwnTransaction),
        fill: impl FnOnce(&mut StatementEvent),
    ) {
        if !self.pending.suits(shape, own) {
            self.pending.begin(self.statements.entries(), &mut self.writer, r, (shape, own.mark()));
        }
        let (at, e, pending) = self.next_entry(r, (size, KEPT), own);
        fill(e);
        pending.add(at, &e.one);
    }

    /// The next entry, as [`Ring::next`], and its place. The transaction that the entry had before is moved if it is
    /// one of the last. Entries that are used again or handed over are counted first ([`Kept::count`]).
    #[inline(always)]
    fn next_entry(
        &mut self,
        r: &Recorder,
        (size, marks): (usize, u8),
        own: OwnTransaction,
    ) -> (usize, &mut StatementEvent, &mut Pending) {
        if self.owns > 0 && marks & LONG != 0 {
            // chunks that are handed over have none
            self.all_transactions();
        }
        let (w, pending) = (&mut self.writer, &mut self.pending);
        let turning = |all: &mut [StatementEvent]| {
            pending.count(all, w, r);
            if std::mem::take(&mut pending.beside) {
                count(all, w, r);
            }
        };
        let (at, e) = self.statements.next_after(size, marks, &STATEMENTS_LONG, turning);
        if e.own.event != 0 {
            let limit = transactions::history_size();
            if self.owns <= limit {
                self.transactions.next(limit, KEPT, &transactions::LONG).take_over(&e.own_transaction());
            }
            self.owns -= 1;
        }
        e.own = own;
        if own.event != 0 {
            self.owns += 1;
        }
        (at, e, &mut self.pending)
    }

    /// Adds up what statements have left in their entries: before anybody looks at sums, or takes them away.
    pub fn count(&mut self, r: &Recorder) {
        self.pending.count(self.statements.entries(), &mut self.writer, r);
        count(self.statements.entries(), &mut self.writer, r);
    }

    /// A transaction that is more than a statement of its own has ended.
    pub fn count_transaction(&mut self, r: &Recorder, read_only: bool, ns: u64) {
        if let Some(sums) = self.writer.transactions.slot(0, &r.transaction_sums) {
            sums.add(read_only, ns);
        }
    }

    /// Counts a statement that has no entry.
    pub fn count_one(&mut self, e: &mut StatementEvent, r: &Recorder) {
        count(std::slice::from_mut(e), &mut self.writer, r);
    }

    /// All transactions that have ended.
    pub fn all_transactions(&mut self) -> &mut Ring<TransactionEvent> {
        if self.owns > 0 {
            let limit = transactions::history_size();
            let mut all = self.transactions.all();
            let of = |e: &mut StatementEvent| {
                (e.own.event != 0).then(|| {
                    let t = e.own_transaction();
                    e.own.event = 0;
                    t
                })
            };
            all.extend(self.statements.entries().iter_mut().filter_map(of));
            all.sort_by_key(|t| t.events);
            self.transactions.clear();
            all.iter().for_each(|t| self.transactions.next(limit, KEPT, &transactions::LONG).take_over(t));
            self.owns = 0;
        }
        &mut self.transactions
    }

    /// Entries of transactions, and their bytes.
    pub fn transaction_memory(&self) -> (u64, u64) {
        self.transactions.memory(|_| 0)
    }

    /// TRUNCATE of the statements' history.
    pub fn clear_statements(&mut self) {
        self.all_transactions();
        self.statements.clear();
    }

    /// The session ends: what it has for the long histories goes there.
    pub fn leave(&mut self) {
        self.all_transactions().leave(&transactions::LONG);
        self.statements.leave(&STATEMENTS_LONG);
        self.leave_phases();
    }
}

/// A transaction that is one statement: what its entry does not say anyway. Its times are the statement's.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnTransaction {
    /// Its number; 0: there is none.
    pub event: u64,
    /// Its kind.
    pub kind: Kind,
    /// It was not rolled back.
    pub committed: bool,
}

impl OwnTransaction {
    const THERE: u32 = 1 << 31;

    /// Whether there is one, and of which kind.
    #[inline(always)]
    pub(crate) fn mark(self) -> u32 {
        if self.event == 0 { 0 } else { self.kind.bits() | OwnTransaction::THERE }
    }

    /// Of what [`OwnTransaction::mark`] says: whether it could not write; `None`: there is none.
    pub(crate) fn read_only_of(mark: u32) -> Option<bool> {
        (mark & OwnTransaction::THERE != 0).then(|| Kind::of_bits(mark).read_only())
    }
}

impl StatementEvent {
    fn own_transaction(&self) -> TransactionEvent {
        TransactionEvent {
            thread: self.thread,
            events: (self.own.event, self.events.1),
            nesting: self.events.0,
            times: self.times.unwrap_or_default(),
            state: if self.own.committed { State::Committed } else { State::RolledBack },
            kind: self.own.kind,
            counts: [0; 3],
            marks: 0,
        }
    }
}
