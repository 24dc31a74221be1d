//! Steps of stored programs as statement events, inside the statement that runs the program: `statement/sp/...` in
//! events_statements_*, their sums by kind and by program.
//!
//! A step that runs a statement, or evaluates an expression in the executor, is *slow*: it has a clock reading at its
//! end (its begin is the end of the one before), measures and an entry of its own. All others (an assignment or a
//! condition of whole numbers, a jump) take nanoseconds, so they are told in batches: of up to [`BATCH`] of them only
//! the last are kept as events, as many as a history holds; all count in the sums, and each gets an equal share of the
//! batch's time. A reader may miss the last batch of a program that runs; when a slow step begins and when the program
//! ends nothing is left. With the long history on every one is kept.
//!
//! [`Steps`] is its session's alone. What others see of a step that runs is in [`Recorder::running`]. Tested:
//! `tests/clients/test_program_events.py`.

mod told;

use crate::counted::{Before, pass, take};
use crate::events::{INSTRUMENTED, Nesting, Recorder, RunningStep, STACK, lose_nested};
use crate::instruments::{self, Consumer, Instrument};
use crate::programs::{Slot, Step};
use crate::statements::{Measure, One, Stats};
use crate::summaries::Own;
use std::sync::Arc;
use told::{Apart, Inner};

/// Steps of a batch, at most.
const BATCH: u32 = 64;
/// Of them, events that are kept.
const LAST: usize = 10;

/// What a slow step has done, for its event.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ended<'e> {
    /// Rows changed and sent.
    pub rows: [u64; 2],
    /// Warnings.
    pub warnings: u64,
    /// Number and text of the error that it ended with.
    pub error: Option<(u16, &'e str)>,
    /// It has sent rows.
    pub result_set: bool,
}

/// What the statement of a step says of itself.
#[derive(Default, Debug)]
struct Said {
    message: String,
    /// Of PREPARE and EXECUTE the other statement's.
    text: Option<Arc<[u8]>>,
}

/// The program that runs.
#[derive(Default, Debug)]
struct Frame {
    /// `None`: nobody counts for the program.
    slot: Option<Arc<Slot>>,
    schema: Option<Arc<str>>,
    /// The statement that its steps are in, and how deep they are.
    parent: u64,
    level: u32,
    began: u64,
    /// What has been counted in it outside of its steps: that is the caller's.
    outside: Apart,
    /// Steps become events; they count by kind.
    events: bool,
    sums: bool,
}

/// The step that runs.
#[derive(Clone, Copy, Debug)]
struct Current {
    step: Step,
    /// 0: the step is not recorded.
    event: u64,
    nesting: Nesting,
    began: u64,
    slow: bool,
    /// It is among [`Recorder::running`].
    shown: bool,
}

impl Default for Current {
    fn default() -> Current {
        Current { step: Step::Jump, event: 0, nesting: Nesting::None, began: 0, slow: false, shown: false }
    }
}

/// What stands still while a program runs that another one, or a statement, has called.
#[derive(Debug)]
pub struct Caller(Frame, Current, Apart);

/// Steps that have ended and nobody has been told of.
#[derive(Default, Debug)]
struct Batch {
    n: u32,
    counts: [u32; Step::ALL.len()],
    last: [Option<(Step, u64, Nesting)>; LAST],
}

/// A session's part.
#[derive(Default, Debug)]
pub struct Steps {
    sums: Own<Stats>,
    before: Before,
    frame: Frame,
    current: Current,
    batch: Batch,
    /// Until when the time of steps is told.
    told: u64,
    /// Steps that are not recorded have run since.
    stale: bool,
    /// What the step that runs has counted before and between programs in it.
    carried: Apart,
    /// When the client's statement began, microseconds since 1970.
    wall_us: u64,
    /// Bytes of a text that are kept.
    max_text: usize,
    said: Said,
    inner: Inner,
    errors: Own<crate::errors::Stats>,
}

impl Steps {
    /// Nothing runs. `max_text`: bytes of a text that are kept.
    pub fn new(max_text: usize) -> Steps {
        Steps { max_text, ..Steps::default() }
    }

    /// Whether anything is recorded of the program that runs.
    #[inline]
    fn is_on(&self) -> bool {
        self.frame.events || self.frame.sums || self.frame.slot.is_some()
    }

    /// Whether no program runs.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.frame.level == 0
    }

    /// A program begins, in this default schema. `slot`: where it counts.
    pub fn enter(
        &mut self,
        r: &Recorder,
        slot: impl FnOnce() -> Option<Arc<Slot>>,
        schema: Option<&Arc<str>>,
        wall_us: u64,
    ) -> Caller {
        self.slow(r);
        self.show(r, None);
        // a step that is not recorded is none that something could be in
        let within = self.frame.level > 0 && self.current.event == 0;
        let level = if within { self.frame.level } else { self.frame.level + 1 };
        if self.frame.level == 0 && self.inner.of != r.statement() {
            self.inner = Inner { of: r.statement(), ..Inner::default() };
        }
        let active = instruments::active();
        let on = active & Consumer::Global.bit() != 0 && r.flags() & INSTRUMENTED != 0;
        let frame = Frame {
            slot: if on { slot().filter(|s| s.decided.0) } else { None },
            schema: schema.cloned(),
            parent: r.statement(),
            level,
            began: 0,
            outside: Apart::default(),
            events: on && active & Consumer::StatementsCurrent.bit() != 0,
            sums: on && active & Consumer::Thread.bit() != 0,
        };
        if frame.events || frame.sums || frame.slot.is_some() {
            match self.current.slow {
                true => self.carried.count(&mut self.before),
                false => pass(&mut self.before),
            }
            self.told = sys::clock::now_ns();
            self.stale = false;
        }
        let frame = Frame { began: self.told, ..frame };
        let frame = std::mem::replace(&mut self.frame, frame);
        self.wall_us = wall_us;
        Caller(frame, std::mem::take(&mut self.current), std::mem::take(&mut self.carried))
    }

    /// It has ended.
    pub fn leave(&mut self, r: &Recorder, caller: Caller) {
        self.flush(r);
        if self.is_on() {
            self.frame.outside.count(&mut self.before);
        }
        if let Some(s) = &self.frame.slot {
            if self.stale {
                self.told = sys::clock::now_ns();
            }
            s.runs.add(if s.decided.1 { self.told.saturating_sub(self.frame.began) } else { 0 });
        }
        r.set_statement(self.frame.parent);
        let outside = std::mem::take(&mut self.frame.outside);
        Caller(self.frame, self.current, self.carried) = caller;
        if self.current.slow { &mut self.carried } else { &mut self.frame.outside }.merge(outside);
    }

    /// A step begins.
    #[inline]
    pub fn begin(&mut self, r: &Recorder, step: Step) {
        if !self.is_on() {
            return;
        }
        if !Instrument::step(step).enabled() {
            self.stale = true;
            return;
        }
        let (parent, transaction) = (self.frame.parent, r.transaction.event());
        let nesting = if transaction > parent { Nesting::Transaction(transaction) } else { Nesting::Statement(parent) };
        self.current = Current { step, event: r.next_event(), nesting, ..Current::default() };
    }

    /// One that runs a statement begins; `text`: what may be seen of it.
    pub fn begin_statement(&mut self, r: &Recorder, step: Step, text: Option<&Arc<[u8]>>) {
        self.begin(r, step);
        self.slow(r);
        self.show(r, text);
    }

    /// The step that runs is slow.
    #[inline]
    pub fn slow(&mut self, r: &Recorder) {
        if self.is_on() && !self.current.slow && self.current.event != 0 {
            self.flush(r);
            if std::mem::take(&mut self.stale) {
                self.told = sys::clock::now_ns();
            }
            self.current.slow = true;
            self.current.began = self.told;
            self.frame.outside.count(&mut self.before);
            r.set_statement(self.current.event);
        }
    }

    /// Others may see it.
    fn show(&mut self, r: &Recorder, text: Option<&Arc<[u8]>>) {
        if self.current.event == 0 && text.is_none() || std::mem::replace(&mut self.current.shown, true) {
            return;
        }
        let (f, c) = (&self.frame, &self.current);
        let step = RunningStep {
            event: c.event,
            instrument: Instrument::step(c.step).number(),
            text: text.cloned(),
            began: c.began,
            schema: f.schema.clone(),
            nesting: (c.nesting, f.level),
            program: f.slot.as_ref().map(|s| s.program.clone()),
            recorded: f.events && f.level < STACK && c.event != 0,
        };
        r.running().push(step);
    }

    /// What the client would have been told of the statement that runs.
    pub fn says(&mut self, message: &str) {
        if self.current.slow {
            self.said.message.push_str(message);
        }
    }

    /// The statement that runs is about another one.
    pub fn is_about(&mut self, text: &Arc<[u8]>) {
        if self.current.slow {
            self.said.text = Some(text.clone());
        }
    }

    /// A condition of a program, `handled` by it or not.
    #[cold]
    pub fn condition(&mut self, r: &Recorder, code: u16, handled: bool) {
        let on = instruments::active() & Consumer::Global.bit() != 0 && Instrument::ERRORS.enabled();
        if on && r.flags() & INSTRUMENTED != 0 {
            crate::errors::record(&mut self.errors, &r.errors, code, sys::clock::wall_micros(), handled);
        }
    }

    /// Whether steps have run in a client's statement.
    #[inline(always)]
    pub fn has_counted(&self, event: u64) -> bool {
        self.inner.of == event
    }

    /// Takes off `one`, the client's statement that has ended, what steps have counted as theirs. `call`: the rows that
    /// they have read, too; those that functions read count for who calls them as well.
    pub fn take_off(&self, one: &mut One, examined: &mut u64, call: bool) {
        self.inner.sums.each_sum(|m, n| one.take_off(m, n));
        if call {
            *examined = examined.saturating_sub(self.inner.examined);
        }
    }

    /// Whether the step that runs is slow, so that [`Steps::end`] wants to know what it did.
    #[inline]
    pub fn is_slow(&self) -> bool {
        self.current.slow || self.current.shown
    }

    /// The step has ended.
    #[inline]
    pub fn end(&mut self, r: &Recorder) {
        if self.current.event != 0 {
            let Batch { n, counts, last } = &mut self.batch;
            let c = std::mem::take(&mut self.current);
            if let Some(to) = last.get_mut(*n as usize % LAST) {
                *to = Some((c.step, c.event, c.nesting));
            }
            counts.get_mut(c.step as usize).into_iter().for_each(|c| *c += 1);
            *n += 1;
            if *n >= BATCH || *n as usize >= LAST && instruments::active() & Consumer::StatementsHistoryLong.bit() != 0
            {
                self.flush(r);
            }
        }
    }

    /// Further steps of the kind that stand in the same place have ended.
    pub fn also(&mut self, r: &Recorder, step: Step, times: u16) {
        for _ in 0..times {
            self.begin(r, step);
            self.end(r);
        }
    }

    /// A slow step has ended. `text`: of its statement.
    pub fn end_slow(&mut self, r: &Recorder, text: Option<&Arc<[u8]>>, ended: &Ended<'_>) {
        if self.current.shown {
            r.running().pop();
        }
        let c = std::mem::take(&mut self.current);
        let said = std::mem::take(&mut self.said);
        if !c.slow {
            return;
        }
        self.flush(r);
        let now = sys::clock::now_ns();
        (self.told, self.stale) = (now, false);
        r.set_statement(self.frame.parent);
        let mut one = std::mem::take(&mut self.carried).into_one();
        let before = one.rows[2];
        let there = one.clone();
        let kind = Instrument::step(c.step);
        let timed = kind.timed();
        one.begin(if timed { now.saturating_sub(c.began) } else { 0 }, self.wall_us);
        there.each_sum(|m, n| one.add(m, n));
        let examined = before + take(&mut self.before, &mut one);
        one.rows = [ended.rows[0], ended.rows[1], examined];
        if one.has(Measure::Scan) || one.has(Measure::FullJoin) {
            one.add(Measure::NoIndexUsed, 1);
        }
        self.inner.add(&one);
        one.add(Measure::Warnings, ended.warnings);
        one.add(Measure::Errors, u64::from(ended.error.is_some()));
        if self.frame.level >= STACK {
            return lose_nested();
        }
        if let Some(s) = &self.frame.slot {
            s.statements.add(&one);
        }
        if self.frame.sums
            && let Some(sums) = self.sums.slot(kind.number(), &r.sums)
        {
            sums.add(&one);
        }
        let (text, message) = (said.text.as_ref().or(text), said.message.as_str());
        self.keep(r, c, timed.then_some((c.began, now)), |e| {
            e.events = [c.event, r.last_event()];
            text.into_iter().for_each(|t| e.set_text(t.get(..self.max_text).unwrap_or(t)));
            e.result_set = ended.result_set;
            match ended.error {
                Some((code, message)) => {
                    e.error = code;
                    e.set_message(message);
                }
                None => e.set_message(message),
            }
            e.one = one;
        });
    }
}
