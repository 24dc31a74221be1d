//! How steps are told of: sums, and entries of the session's history. See [`crate::steps`].

use super::{Current, LAST, Steps};
use crate::counted::{self, Before, take};
use crate::events::{KEEPS_HISTORY, OwnTransaction, Recorder, STACK, StatementEvent, history_size, lose_nested};
use crate::history::{KEPT, LONG};
use crate::instruments::{self, Consumer, Instrument};
use crate::programs::Step;
use crate::statements::One;

/// What steps have done in the client's statement `of`.
#[derive(Default, Debug)]
pub(super) struct Inner {
    pub(super) of: u64,
    pub(super) sums: One,
    pub(super) examined: u64,
}

impl Inner {
    pub(super) fn add(&mut self, one: &One) {
        one.each_sum(|m, n| self.sums.add(m, n));
        self.examined += one.rows[2];
    }
}

/// Adds what the session has counted since `before`.
pub(super) fn count_into(before: &mut Before, to: &mut One) {
    let examined = take(before, to);
    to.rows[2] += examined;
}

/// What has been counted and belongs to somebody who is told later: seldom anything, and each call of a program moves
/// it, so that it has memory only where there is something.
#[derive(Default, Debug)]
pub(super) struct Apart(Option<Box<One>>);

impl Apart {
    /// Adds what the session has counted since `before`.
    #[inline]
    pub(super) fn count(&mut self, before: &mut Before) {
        if counted::any(before) {
            count_into(before, self.0.get_or_insert_default());
        }
    }

    /// Adds what another one has.
    #[inline]
    pub(super) fn merge(&mut self, from: Apart) {
        let Some(from) = from.0 else { return };
        match &mut self.0 {
            None => self.0 = Some(from),
            Some(to) => {
                from.each_sum(|m, n| to.add(m, n));
                to.rows[2] += from.rows[2];
            }
        }
    }

    /// All of it.
    #[inline]
    pub(super) fn into_one(self) -> One {
        self.0.map_or_else(One::default, |one| *one)
    }
}

impl Steps {
    /// Writes an event of this program.
    pub(super) fn keep(
        &self,
        r: &Recorder,
        c: Current,
        times: Option<(u64, u64)>,
        more: impl FnOnce(&mut StatementEvent),
    ) {
        let f = &self.frame;
        if !f.events {
            return;
        }
        let on = |c: Consumer| instruments::active() & c.bit() != 0;
        let keeps = r.flags() & KEEPS_HISTORY != 0;
        let mut kept = r.kept();
        let short = if keeps && on(Consumer::StatementsHistory) { KEPT } else { 0 };
        let long = if keeps && on(Consumer::StatementsHistoryLong) { LONG } else { 0 };
        let e = kept.next_statement(r, (history_size(), short | long), OwnTransaction::default());
        e.thread = r.thread();
        e.events = [c.event; 2];
        e.instrument = Instrument::step(c.step).number();
        e.set_begin(times.map(|(from, _)| from));
        e.digest = 0;
        e.set_text(b"");
        e.schema.clone_from(&f.schema);
        (e.error, e.result_set, e.level) = (0, false, f.level);
        e.set_nesting(c.nesting);
        e.message.clear();
        e.program = f.slot.as_ref().map(|s| s.program.clone());
        e.one.begin(times.map_or(0, |(from, to)| to.saturating_sub(from)), self.wall_us);
        (e.one.rows, e.one.memory) = ([0; 3], 0);
        more(e);
    }

    /// Tells of the steps that have ended.
    pub(super) fn flush(&mut self, r: &Recorder) {
        let n = std::mem::take(&mut self.batch.n);
        if n == 0 {
            return;
        }
        let now = sys::clock::now_ns();
        let (began, share) = (self.told, now.saturating_sub(self.told) / u64::from(n));
        self.told = now;
        let counts = std::mem::take(&mut self.batch.counts);
        for (step, n) in Step::ALL.iter().zip(counts).filter(|(_, n)| *n > 0) {
            self.count(r, *step, u64::from(n), share);
        }
        if !self.frame.events || self.frame.level >= STACK {
            return;
        }
        let first = n.saturating_sub(LAST as u32);
        for at in first..n {
            let Some(Some((step, event, nesting))) = self.batch.last.get(at as usize % LAST) else { continue };
            let from = began + u64::from(at) * share;
            let c = Current { step: *step, event: *event, nesting: *nesting, ..Current::default() };
            self.keep(r, c, Instrument::step(*step).timed().then_some((from, from + share)), |_| {});
        }
    }

    /// Adds steps of a kind to the sums.
    fn count(&mut self, r: &Recorder, step: Step, n: u64, ns: u64) {
        let kind = Instrument::step(step);
        let ns = if kind.timed() { ns } else { 0 };
        if self.frame.level >= STACK {
            (0..n).for_each(|_| lose_nested());
            return;
        }
        if let Some(s) = &self.frame.slot {
            s.statements.add_plain(n, ns, self.wall_us);
        }
        if self.frame.sums
            && let Some(sums) = self.sums.slot(kind.number(), &r.sums)
        {
            sums.add_plain(n, ns, self.wall_us);
        }
    }
}
