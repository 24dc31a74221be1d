//! Statements that have ended go into the sums by kind and by digest, and into those of transactions, some together.
//!
//! A statement leaves its measures in its own entry of the session's ring ([`crate::events::Kept`]), which says what it
//! counts for ([`BY_KIND`], [`BY_DIGEST`], [`OWN`]), or is added to what those before it of the same shape come to
//! ([`Pending`]). They are added up when the entries are about to be used again
//! ([`Kept::next_statement`]: every eleventh statement with the usual history), when the session ends, and when
//! somebody looks at sums or is about to take them away ([`Kept::count`]), so nobody sees sums without them. Neighbours
//! that count for the same are added as one [`Run`]: most sessions repeat their statements.
//!
//! Whoever counts has the mutex of the session's events, which makes it the only writer of its sums. Digests count into
//! slots of the thread that counts ([`statements::mine`]). Tested below and by
//! `tests/clients/test_statement_events.py`, `test_performance_schema.py`.
//!
//! [`Kept::next_statement`]: crate::events::Kept::next_statement
//! [`Kept::count`]: crate::events::Kept::count

use crate::events::{Recorder, StatementEvent};
use crate::kept::OwnTransaction;
use crate::measures::{One, Run, Stats};
use crate::statements;
use crate::summaries::Own;
use crate::transactions;

/// It counts for its kind.
pub const BY_KIND: u8 = 1;
/// It counts for its digest.
pub const BY_DIGEST: u8 = 2;
/// So does the transaction that it was by itself.
pub const OWN: u8 = 4;
/// Which could not write.
pub const READ_ONLY: u8 = 8;

/// A session's sums as their writer knows them.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    statements: Own<Stats>,
    pub(crate) transactions: Own<transactions::Stats>,
}

/// Statements of one shape one after the other that have not been counted, and what they come to: most are added where
/// they end, so that little is left to do for each when they are counted.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    shape: u64,
    /// What their own transactions are ([`OwnTransaction::mark`]).
    own: u32,
    /// Where the first one stands.
    first: usize,
    run: Run,
    /// Entries may have been written since all were counted that count for themselves.
    pub(crate) beside: bool,
}

impl Pending {
    /// Whether one that ends may be added.
    #[inline(always)]
    pub(crate) fn suits(&self, shape: u64, own: OwnTransaction) -> bool {
        self.shape == shape && self.own == own.mark()
    }

    /// One that stands at `at` has ended.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: usize, one: &One) {
        if self.run.count == 0 {
            self.first = at;
        }
        self.run.add(one);
    }

    /// Counts them; the next ones are of this shape.
    pub(crate) fn begin(&mut self, entries: &[StatementEvent], w: &mut Writer, r: &Recorder, next: (u64, u32)) {
        self.count(entries, w, r);
        (self.shape, self.own) = next;
    }

    /// Counts them.
    pub(crate) fn count(&mut self, entries: &[StatementEvent], w: &mut Writer, r: &Recorder) {
        let run = std::mem::take(&mut self.run);
        let these = entries.get(self.first..).and_then(|e| e.get(..run.count as usize)).unwrap_or_default();
        let own = OwnTransaction::read_only_of(self.own).map_or(0, |ro| if ro { OWN | READ_ONLY } else { OWN });
        if run.count > 0 {
            tell(these, &run, BY_KIND | BY_DIGEST | own, w, r);
        }
    }
}

/// Adds up what the entries have that no sum has yet.
#[inline(never)]
pub(crate) fn count(entries: &mut [StatementEvent], w: &mut Writer, r: &Recorder) {
    let is_same =
        |a: &StatementEvent, b: &StatementEvent| a.counts == b.counts && a.key == b.key && a.instrument == b.instrument;
    for these in entries.chunk_by_mut(is_same) {
        let counts = these.first().map_or(0, |e| e.counts);
        if counts == 0 {
            continue;
        }
        let mut run = Run::NONE;
        these.iter().for_each(|e| run.add(&e.one));
        tell(these, &run, counts, w, r);
        these.iter_mut().for_each(|e| e.counts = 0);
    }
}

/// Adds up some that count for the same, and come to `run`.
fn tell(these: &[StatementEvent], run: &Run, counts: u8, w: &mut Writer, r: &Recorder) {
    let Some(first) = these.first() else { return };
    if counts & BY_KIND != 0
        && let Some(kind) = w.statements.slot(first.instrument, &r.sums)
    {
        kind.add_run(run);
        if run.more {
            these.iter().for_each(|e| kind.add_rest(&e.one));
        }
    }
    if counts & BY_DIGEST != 0 {
        statements::mine(|digests| {
            let Some(slot) = digests.slot_of(first.key, first.digest) else { return };
            these.iter().for_each(|e| slot.place(&e.one));
            if run.more {
                these.iter().for_each(|e| slot.add_rest(&e.one));
            }
            if slot.add_run(run, statements::sample_age())
                && let Some(longest) = these.iter().find(|e| e.one.ns == run.most)
            {
                slot.digest().sample(longest.text.trim_ascii(), &longest.one);
            }
        });
    }
    if counts & OWN != 0
        && let Some(s) = w.transactions.slot(0, &r.transaction_sums)
    {
        s.add_run(counts & READ_ONLY != 0, run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements::Measure;

    #[test]
    fn neighbours_count_together_and_each_once() {
        let _alone = crate::instruments::switching();
        let r = Recorder::new(1);
        let make = || ("counted together".to_owned(), "SELECT ?".to_owned());
        let id = statements::mine(|m| m.enter(77, None, make).digest().id);
        let event = |kind: u32, key: u128, ns: u64, counts: u8| {
            let mut e = StatementEvent::default();
            (e.instrument, e.key, e.digest, e.counts) = (kind, key, id, counts);
            e.one.begin(ns, ns);
            e.one.rows = [0, 1, 2];
            e.one.add(Measure::Warnings, 1);
            e
        };
        let mut all = [
            event(5, 77, 10, BY_KIND | BY_DIGEST),
            event(5, 77, 30, BY_KIND | BY_DIGEST),
            event(6, 77, 20, BY_KIND | BY_DIGEST),
            event(6, 0, 40, BY_KIND | OWN),
            event(5, 77, 50, BY_DIGEST),
            event(5, 77, 90, 0),
        ];
        let mut w = Writer::default();
        count(&mut all, &mut w, &r);
        count(&mut all, &mut w, &r);
        let sums = r.sums.all();
        let of = |kind: u32| {
            let t = sums[&kind];
            [Measure::Count, Measure::TimeNs, Measure::MinNs, Measure::MaxNs, Measure::RowsExamined, Measure::Warnings]
                .map(|m| t.get(m))
        };
        assert_eq!((of(5), of(6)), ([2, 40, 10, 30, 4, 2], [2, 60, 20, 40, 4, 2]));
        let d = statements::by_id(id).unwrap();
        assert_eq!([Measure::Count, Measure::TimeNs, Measure::Warnings].map(|m| d.totals().get(m)), [4, 110, 4]);
        assert_eq!(d.histogram().iter().sum::<u64>(), 4);
        assert_eq!(r.transaction_sums.all()[&0][0], [1, 40, 40, 40]);
    }
}
