//! A session's last statements and transactions ([`Kept`]), as its recorder keeps them. Tested by
//! `tests/clients/test_transaction_events.py`.

use crate::events::StatementEvent;
use crate::history::Ring;
use crate::transactions::{State, TransactionEvent};

/// A session's last statements and transactions.
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
}

impl Kept {
    /// The entry of the next statement, as [`Ring::next`]. The transaction that it had is moved if it is one of the
    /// last.
    #[inline]
    pub fn next_statement(&mut self, size: usize, keep: bool) -> &mut StatementEvent {
        let e = self.statements.next(size, keep);
        if e.own.event != 0 {
            let limit = crate::transactions::history_size();
            if self.owns <= limit {
                *self.transactions.next(limit, true) = e.own_transaction();
            }
            self.owns -= 1;
            e.own.event = 0;
        }
        e
    }

    /// The last statement was a transaction by itself.
    #[inline]
    pub fn own(&mut self, own: OwnTransaction) {
        if let Some(e) = self.statements.latest() {
            e.own = own;
            self.owns += 1;
        }
    }

    /// All transactions that have ended.
    pub fn all_transactions(&mut self) -> &mut Ring<TransactionEvent> {
        if self.owns > 0 {
            let limit = crate::transactions::history_size();
            let mut all = self.transactions.all();
            let of = |e: &mut StatementEvent| {
                (e.own.event != 0).then(|| {
                    let t = e.own_transaction();
                    e.own.event = 0;
                    t
                })
            };
            all.extend(self.statements.entries().filter_map(of));
            all.sort_by_key(|t| t.events);
            self.transactions.clear();
            all.iter().for_each(|t| *self.transactions.next(limit, true) = *t);
            self.owns = 0;
        }
        &mut self.transactions
    }

    /// TRUNCATE of the statements' history.
    pub fn clear_statements(&mut self) {
        self.all_transactions();
        self.statements.clear();
    }
}

/// A transaction that is one statement: what its entry does not say anyway.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnTransaction {
    /// Its number; 0: there is none.
    pub event: u64,
    /// Its kind.
    pub kind: crate::transactions::Kind,
    /// It was not rolled back.
    pub committed: bool,
    /// Begin and end.
    pub times: (u64, u64),
}

impl StatementEvent {
    fn own_transaction(&self) -> TransactionEvent {
        TransactionEvent {
            thread: self.thread,
            events: (self.own.event, self.events.1),
            nesting: self.events.0,
            times: self.own.times,
            state: if self.own.committed { State::Committed } else { State::RolledBack },
            kind: self.own.kind,
            counts: [0; 3],
        }
    }
}
