//! Statements that have ended go into the sums by kind and by digest, and into those of transactions, some together.
//!
//! A statement leaves its measures in its own entry of the session's ring ([`crate::events::Kept`]), which says what it
//! counts for ([`BY_KIND`], [`BY_DIGEST`], [`OWN`]). They are added up when the entries are about to be used again
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
use crate::measures::{Run, Stats};
use crate::statements::{self, Slot, ThreadDigests};
use crate::summaries::Own;
use crate::transactions;
use std::sync::Arc;

/// It counts for its kind.
pub const BY_KIND: u8 = 1;
/// It counts for its digest.
pub const BY_DIGEST: u8 = 2;
/// So does the transaction that it was by itself.
pub const OWN: u8 = 4;

/// A session's sums as their writer knows them.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    statements: Own<Stats>,
    pub(crate) transactions: Own<transactions::Stats>,
}

/// What neighbours count for.
struct Same {
    counts: u8,
    instrument: u32,
    key: u128,
    read_only: bool,
    kind: Option<Arc<Stats>>,
    digest: Option<Arc<Slot>>,
    run: Run,
}

impl Same {
    #[inline(always)]
    fn is(&self, e: &StatementEvent) -> bool {
        self.key == e.key
            && self.instrument == e.instrument
            && self.counts == e.counts
            && self.read_only == e.own.kind.read_only()
    }

    fn of(e: &StatementEvent, w: &mut Writer, r: &Recorder, digests: &mut ThreadDigests) -> Same {
        let kind = if e.counts & BY_KIND != 0 { w.statements.shared(e.instrument, &r.sums) } else { None };
        let digest = if e.counts & BY_DIGEST != 0 { digests.slot_of(e.key, e.digest) } else { None };
        let read_only = e.own.kind.read_only();
        Same { counts: e.counts, instrument: e.instrument, key: e.key, read_only, kind, digest, run: Run::new() }
    }

    fn tell(self, w: &mut Writer, r: &Recorder) {
        if let Some(s) = &self.kind {
            s.add_run(&self.run);
        }
        if let Some(s) = &self.digest {
            s.add_run(&self.run);
        }
        if self.counts & OWN != 0
            && let Some(s) = w.transactions.slot(0, &r.transaction_sums)
        {
            s.add_run(self.read_only, &self.run);
        }
    }
}

/// Adds up what the entries have that no sum has yet.
#[inline(never)]
pub(crate) fn count(entries: &mut [StatementEvent], w: &mut Writer, r: &Recorder) {
    let sample_age = statements::sample_age();
    statements::mine(|digests| {
        let mut same: Option<Same> = None;
        for e in entries.iter_mut().filter(|e| e.counts != 0) {
            if same.as_ref().is_none_or(|s| !s.is(e)) {
                same.take().into_iter().for_each(|s| s.tell(w, r));
            }
            let s = same.get_or_insert_with(|| Same::of(e, w, r, digests));
            s.run.add(&e.one);
            if let Some(kind) = &s.kind {
                kind.add_rest(&e.one);
            }
            if let Some(digest) = &s.digest
                && digest.tell(&e.one, sample_age)
            {
                digest.digest().sample(e.text.trim_ascii(), &e.one);
            }
            e.counts = 0;
        }
        same.into_iter().for_each(|s| s.tell(w, r));
    });
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
