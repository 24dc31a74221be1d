//! A session's last statements, transactions, stages and waits ([`Kept`]), as its recorder keeps them behind one mutex.
//! Tested by `tests/clients/test_transaction_events.py`.

use crate::counting::{OWN, Pending, READ_ONLY, Writer, count};
use crate::events::{Recorder, STATEMENTS_LONG, StatementEvent, history_size};
use crate::history::{KEPT, LONG, Ring};
use crate::phases::Phased;
use crate::transactions::{self, Kind, State, TransactionEvent};

/// A session's last events.
///
/// A statement that is its own transaction leaves that in its own entry, since most of it is the statement's too. Who
/// looks at transactions has them moved to where the others are first ([`Kept::all_transactions`]).
#[derive(Debug, Default)]
#[repr(C)] // what each statement needs stands in the first 56 bytes ([`Recorder`])
pub struct Kept {
    /// Statements of the last shape that are not in the sums.
    pending: Pending,
    /// Statements that have ended.
    pub statements: Ring<StatementEvent>,
    /// Transactions that have ended, but those that statements have.
    apart: Apart,
    /// Sums that statements and transactions are added to.
    writer: Writer,
    /// Stages and waits.
    pub(crate) phases: [Phased; 2],
}

impl Kept {
    /// The entry of the next statement, of no shape. `own`: the transaction that it was by itself.
    pub fn next_statement(
        &mut self,
        r: &Recorder,
        (size, marks): (usize, u8),
        own: OwnTransaction,
    ) -> &mut StatementEvent {
        self.begin_run(r, 0, 0);
        if self.apart.owns > 0 && marks & LONG != 0 {
            // chunks that are handed over have none
            self.all_transactions();
        }
        let (w, beside) = (&mut self.writer, &mut self.pending.beside);
        let turning = |all: &mut [StatementEvent]| {
            if std::mem::take(beside) {
                count(all, w, r);
            }
        };
        let e = self.statements.next_after(size, marks, &STATEMENTS_LONG, turning);
        self.pending.beside = true;
        self.apart.own_is(e, own, &mut self.pending);
        e.shape = 0;
        e
    }

    /// Fills the entry of a statement that is like others before it, which `shape` says, and has been recorded as
    /// without being asked for otherwise. `fill` is told whether the entry has that shape.
    #[inline(always)]
    pub fn next_shaped(
        &mut self,
        r: &Recorder,
        (shape, own): (u64, OwnTransaction),
        fill: impl FnOnce(&mut StatementEvent, bool),
    ) {
        if self.pending.shape != shape {
            self.begin_run(r, shape, own.mark);
        }
        let at = match self.statements.room() {
            Some(at) => at,
            None => self.turn(r),
        };
        let e = self.statements.take(at);
        let is_alike = e.shape == shape;
        if is_alike && self.pending.forgets {
            // what else there is to say of it the shape says
            e.set_own_event(own);
        } else {
            self.apart.own_is(e, own, &mut self.pending);
        }
        fill(e, is_alike);
    }

    /// Where the entry of the next statement will stand, if it is one that is there: to be asked for ahead.
    #[inline(always)]
    pub fn upcoming(&self) -> usize {
        self.statements.upcoming()
    }

    /// Those before are counted; the next ones are of this shape (0: of none), and so are their own transactions.
    #[inline(never)]
    fn begin_run(&mut self, r: &Recorder, shape: u64, own: u32) {
        self.count_run(r);
        (self.pending.shape, self.pending.own) = (shape, own);
    }

    /// Counts those of one shape that have not been counted.
    fn count_run(&mut self, r: &Recorder) {
        let end = self.statements.following();
        self.pending.count(self.statements.entries(), end, &mut self.writer, r);
    }

    /// All entries are counted, and those of the history are used again or one more is made; which one is next.
    #[inline(never)]
    fn turn(&mut self, r: &Recorder) -> usize {
        self.count_run(r);
        if std::mem::take(&mut self.pending.beside) {
            count(self.statements.entries(), &mut self.writer, r);
        }
        let at = self.statements.make_room(history_size(), &STATEMENTS_LONG);
        self.pending.first = at as u32;
        at
    }

    /// Adds up what statements have left in their entries: before anybody looks at sums, or takes them away.
    pub fn count(&mut self, r: &Recorder) {
        self.count_run(r);
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
        if self.apart.owns > 0 {
            let limit = transactions::history_size();
            let mut all = self.apart.ring.all();
            let of = |e: &mut StatementEvent| {
                (e.own().event != 0).then(|| {
                    let t = e.own_transaction();
                    // it is none of those that its shape says it is
                    e.set_own(OwnTransaction::default());
                    e.shape = 0;
                    t
                })
            };
            all.extend(self.statements.entries().iter_mut().filter_map(of));
            all.sort_by_key(|t| t.events);
            self.apart.ring.clear();
            all.iter().for_each(|t| self.apart.ring.next(limit, KEPT, &transactions::LONG).take_over(t));
            self.apart.owns_are(0, &mut self.pending);
        }
        &mut self.apart.ring
    }

    /// Entries of transactions, and their bytes.
    pub fn transaction_memory(&self) -> (u64, u64) {
        self.apart.ring.memory(|_| 0)
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

/// Transactions that have ended, but those that statements have.
#[derive(Debug, Default)]
struct Apart {
    ring: Ring<TransactionEvent>,
    /// How many statements have one.
    owns: usize,
}

impl Apart {
    /// A statement has this transaction. The one that its entry had before is moved if it is one of the last.
    #[inline(never)]
    fn own_is(&mut self, e: &mut StatementEvent, own: OwnTransaction, pending: &mut Pending) {
        let mut owns = self.owns;
        if e.own().event != 0 {
            let limit = transactions::history_size();
            if owns <= limit {
                self.ring.next(limit, KEPT, &transactions::LONG).take_over(&e.own_transaction());
            }
            owns -= 1;
        }
        e.set_own(own);
        self.owns_are(owns + usize::from(own.event != 0), pending);
    }

    fn owns_are(&mut self, owns: usize, pending: &mut Pending) {
        self.owns = owns;
        pending.forgets = owns == 0 || owns > transactions::history_size();
    }
}

/// A transaction that is one statement: what its entry does not say anyway. Its times are the statement's.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnTransaction {
    /// Its number; 0: there is none.
    pub(crate) event: u64,
    /// The bits of its kind, and how it ended; 0: there is none.
    pub(crate) mark: u32,
}

impl OwnTransaction {
    const COMMITTED: u32 = 1 << 30;
    const THERE: u32 = 1 << 31;

    /// One that has ended. `committed`: it was not rolled back.
    #[inline(always)]
    pub(crate) fn new(event: u64, kind: Kind, committed: bool) -> OwnTransaction {
        let how = if committed { OwnTransaction::COMMITTED } else { 0 };
        OwnTransaction { event, mark: kind.bits() | how | OwnTransaction::THERE }
    }

    /// All but its number; 0: there is none.
    #[inline(always)]
    pub fn mark(self) -> u32 {
        self.mark
    }

    /// What its statement counts for besides itself ([`OWN`]).
    pub fn counts(self) -> u8 {
        OwnTransaction::counts_of(self.mark)
    }

    /// The same by [`OwnTransaction::mark`].
    pub(crate) fn counts_of(mark: u32) -> u8 {
        match mark & OwnTransaction::THERE {
            0 => 0,
            _ if Kind::of_bits(mark).read_only() => OWN | READ_ONLY,
            _ => OWN,
        }
    }
}

impl StatementEvent {
    fn own_transaction(&self) -> TransactionEvent {
        let (own, [statement, last]) = (self.own(), self.events);
        TransactionEvent {
            thread: self.thread,
            events: (own.event, last),
            nesting: statement,
            times: self.times().unwrap_or_default(),
            state: if own.mark & OwnTransaction::COMMITTED != 0 { State::Committed } else { State::RolledBack },
            kind: Kind::of_bits(own.mark & !(OwnTransaction::COMMITTED | OwnTransaction::THERE)),
            counts: [0; 3],
            marks: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counting::BY_KIND;
    use crate::statements::Measure;

    const KIND: u32 = 9;

    /// Some statements of a session one after the other, each with the next number.
    struct Session {
        r: Recorder,
        n: u64,
        /// How many found an entry that had their shape.
        alike: usize,
    }

    impl Session {
        fn fill(e: &mut StatementEvent, n: u64) {
            (e.instrument, e.events) = (KIND, [10 * n, 10 * n + 2]);
            e.one.begin(n, n);
        }

        /// Of a shape. `own`: whether the transaction that it was was committed.
        fn shaped(&mut self, shape: u64, own: Option<bool>) {
            self.n += 1;
            let (n, kind) = (self.n, Kind::new(2, false, true));
            let own = own.map_or_else(OwnTransaction::default, |how| OwnTransaction::new(10 * n + 1, kind, how));
            let alike = &mut self.alike;
            self.r.kept().next_shaped(&self.r, (shape, own), |e, is_alike| {
                Session::fill(e, n);
                *alike += usize::from(is_alike);
                (e.shape, e.counts) = (shape, 0);
            });
        }

        fn plain(&mut self) {
            self.n += 1;
            let mut kept = self.r.kept();
            let e = kept.next_statement(&self.r, (10, KEPT), OwnTransaction::default());
            Session::fill(e, self.n);
            e.counts = BY_KIND;
        }

        /// How many statements and transactions the sums have, and the sum of their times.
        fn sums(&self) -> [u64; 4] {
            self.r.count();
            let all = self.r.sums.all();
            let of = |m| all.get(&KIND).map_or(0, |t| t.get(m));
            let [t, time, ..] = self.r.transaction_sums.all().get(&0).map_or([0; 4], |t| t[0]);
            [of(Measure::Count), of(Measure::TimeNs), t, time]
        }

        fn transactions(&self) -> Vec<(u64, State)> {
            self.r.kept().all_transactions().all().iter().map(|t| (t.events.0, t.state)).collect()
        }
    }

    #[test]
    fn statements_of_one_shape_are_counted_once_and_have_their_own_transactions() {
        let _alone = crate::instruments::switching();
        let mut s = Session { r: Recorder::new(3), n: 0, alike: 0 };
        (0..25).for_each(|_| s.shaped(1, Some(true)));
        assert_eq!((s.alike, s.sums()), (14, [25, 325, 25, 325]));
        assert_eq!(s.sums(), [25, 325, 25, 325], "nobody counts twice");
        let last: Vec<_> = (16..=25).map(|n| (10 * n + 1, State::Committed)).collect();
        assert_eq!(s.transactions(), last);
        // who has looked has taken them out of the entries
        s.shaped(1, Some(true));
        assert_eq!((s.alike, s.transactions().len(), s.sums()), (14, 10, [26, 351, 26, 351]));
        (0..30).for_each(|_| s.shaped(1, Some(true)));
        assert!(s.alike > 14 + 15);
        assert_eq!(s.sums()[0], 56);
        assert_eq!(s.transactions().first(), Some(&(471, State::Committed)));
    }

    #[test]
    fn shapes_and_others_in_turn() {
        let _alone = crate::instruments::switching();
        let mut s = Session { r: Recorder::new(4), n: 0, alike: 0 };
        let (mut own, mut time) = (0, 0);
        for n in 0..200 {
            match n % 7 {
                0 | 1 => s.shaped(1, Some(true)),
                2 => s.shaped(2, None),
                3 => s.plain(),
                4 => s.shaped(3, Some(false)),
                _ => s.shaped(2, None),
            }
            if matches!(n % 7, 0 | 1 | 4) {
                own += 1;
                time += s.n;
            }
            if n % 23 == 0 {
                assert_eq!(s.sums()[0], s.n);
            }
            if n % 61 == 0 {
                s.transactions();
            }
        }
        assert_eq!(s.sums(), [200, 200 * 201 / 2, own, time]);
        let seen = s.transactions();
        let wanted = (0..200).rev().filter(|n| matches!(n % 7, 0 | 1 | 4)).take(10);
        let state = |n| if n % 7 == 4 { State::RolledBack } else { State::Committed };
        let mut wanted: Vec<_> = wanted.map(|n| (10 * (n + 1) + 1, state(n))).collect();
        wanted.reverse();
        assert_eq!(seen, wanted, "moved when their entries were used again");
    }

    #[test]
    fn a_chunk_is_counted_when_it_is_full() {
        let _alone = crate::instruments::switching();
        let r = Recorder::new(5);
        let one = |n: u64| {
            let mut kept = r.kept();
            let e = kept.next_statement(&r, (10, KEPT | LONG), OwnTransaction::default());
            Session::fill(e, n);
            e.counts = BY_KIND;
            kept.statements.entries().iter().filter(|e| e.counts != 0).count()
        };
        let left: Vec<_> = (1..=70).map(one).collect();
        let wanted: Vec<_> = (1..=64).chain(1..=6).collect();
        assert_eq!(left, wanted);
        r.count();
        let count = |t: &crate::statements::Totals| t.get(Measure::Count);
        assert_eq!(r.sums.all().get(&KIND).map(count), Some(70));
    }
}
