//! Statements that have ended go into the sums by kind and by digest, and into those of transactions, some together.
//!
//! A statement leaves its measures in its own entry of the session's ring ([`crate::events::Kept`]), which says what it
//! counts for ([`BY_KIND`], [`BY_DIGEST`], [`OWN`]), or is one of some of the same shape, which says it ([`Pending`]).
//! They are added up when the entries are about to be used again ([`Kept::next_statement`]: every eleventh statement
//! with the usual history), when the session ends, and when somebody looks at sums or is about to take them away
//! ([`Kept::count`]), so nobody sees sums without them. Neighbours that count for the same are added as one [`Run`]:
//! most sessions repeat their statements.
//!
//! Whoever counts has the mutex of the session's events, which makes it the only writer of its sums. Digests count into
//! slots of the thread that counts ([`statements::mine`]). Tested below and by
//! `tests/clients/test_statement_events.py`, `test_performance_schema.py`.
//!
//! [`Kept::next_statement`]: crate::events::Kept::next_statement
//! [`Kept::count`]: crate::events::Kept::count

use crate::events::{Recorder, StatementEvent};
use crate::kept::OwnTransaction;
use crate::measures::{Run, Stats};
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

/// Statements of one shape one after the other that have not been counted: they count for the same, which they need not
/// say. They stand side by side up to the last entry.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Pending {
    /// Theirs; 0: there are none, and what has been written since counts for itself.
    pub(crate) shape: u64,
    /// What their own transactions are ([`OwnTransaction::mark`]).
    pub(crate) own: u32,
    /// Where the first one stands.
    pub(crate) first: u32,
    /// Entries may have been written since all were counted that count for themselves.
    pub(crate) beside: bool,
    /// No statement has a transaction, or more have one than the history keeps: what an entry has that is used again
    /// belongs to no history.
    pub(crate) forgets: bool,
}

impl Pending {
    /// Counts them; the next one stands at `end`.
    pub(crate) fn count(&mut self, entries: &[StatementEvent], end: usize, w: &mut Writer, r: &Recorder) {
        let first = std::mem::replace(&mut self.first, end as u32);
        let these = entries.get(first as usize..end).unwrap_or_default();
        if self.shape != 0 && !these.is_empty() {
            tell(these, BY_KIND | BY_DIGEST | OwnTransaction::counts_of(self.own), w, r);
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
        tell(these, counts, w, r);
        these.iter_mut().for_each(|e| e.counts = 0);
    }
}

/// Adds up some that count for the same.
fn tell(these: &[StatementEvent], counts: u8, w: &mut Writer, r: &Recorder) {
    let Some(first) = these.first() else { return };
    let run = &Run::of(these.iter().map(|e| &e.one));
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
                slot.digest().sample(longest.text().trim_ascii(), &longest.one);
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
