//! Stages and waits as events of the session that is attached to the thread: events_stages_*, events_waits_* and their
//! sums.
//!
//! A stage becomes an event if its instrument is on, which few are without being asked for; the others cost
//! [`crate::stage::set`] two loads. A wait becomes one after it has blocked, so its clock readings and its lock are
//! small beside it. A wait that found what it wanted at once is not seen, and threads without a session count in
//! [`crate::WaitClass::stats`] alone.
//!
//! Everything of a session stands behind one mutex of its [`Recorder`], taken by the session and by readers. The way
//! from the thread to the recorder is the attached block ([`crate::SessionCounters::set_recorder`]).

use crate::events::{INSTRUMENTED, KEEPS_HISTORY, Recorder};
use crate::history::{Event, Long, Ring};
use crate::instruments::{self, Consumer, Instrument};
use crate::stage::Stage;
use crate::summaries::{Own, Summary, Sums};
use crate::waits::About;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

/// Stages or waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// events_stages_*
    Stage,
    /// events_waits_*
    Wait,
}

/// A stage or a wait.
#[derive(Clone, Debug, Default)]
pub struct PhaseEvent {
    /// Connection id.
    pub thread: u64,
    /// Its number in the session, and that of the last event in it (0: it runs).
    pub events: (u64, u64),
    /// [`Instrument::number`].
    pub instrument: u32,
    /// Begin and end (0: it runs) on `sys::clock::now_ns`'s scale; `None` without times.
    pub times: Option<(u64, u64)>,
    /// The event it is in, and whether that is a stage (else a statement); 0 = none.
    pub nesting: (u64, bool),
    /// Of a wait.
    pub about: About,
}

impl Event for PhaseEvent {}

/// What is counted of a kind.
pub type Stats = crate::timing::Timing;

/// What all sessions together have of stages or waits.
#[derive(Debug, Default)]
pub struct Shared {
    /// events_..._history_long.
    pub long: Long<PhaseEvent>,
    /// Sums of sessions that have ended.
    pub sums: Summary<Stats>,
    history: AtomicUsize,
}

static SHARED: [Shared; 2] =
    [const { Shared { long: Long::new(), sums: Summary::new(), history: AtomicUsize::new(10) } }; 2];

impl Phase {
    /// What all sessions have of it.
    pub fn shared(self) -> &'static Shared {
        let [stages, waits] = &SHARED;
        if self == Phase::Stage { stages } else { waits }
    }

    /// Sets how many events the histories keep; before the first session.
    pub fn configure(self, history: usize, long: usize) {
        self.shared().history.store(history, Relaxed);
        self.shared().long.set_size(long);
    }

    const fn consumers(self) -> [Consumer; 3] {
        match self {
            Phase::Stage => [Consumer::StagesCurrent, Consumer::StagesHistory, Consumer::StagesHistoryLong],
            Phase::Wait => [Consumer::WaitsCurrent, Consumer::WaitsHistory, Consumer::WaitsHistoryLong],
        }
    }
}

/// One session's stages or waits.
#[derive(Debug, Default)]
struct Kept {
    /// The running or last one.
    last: Option<PhaseEvent>,
    history: Ring<PhaseEvent>,
    own: Own<Stats>,
}

/// One session's stages and waits.
#[derive(Debug, Default)]
pub struct Phases {
    kept: Mutex<[Kept; 2]>,
    /// Their sums by kind.
    sums: [Sums<Stats>; 2],
}

impl Phases {
    fn kept(&self) -> MutexGuard<'_, [Kept; 2]> {
        self.kept.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The sums of stages or waits.
    pub fn sums(&self, phase: Phase) -> &Sums<Stats> {
        let [stages, waits] = &self.sums;
        if phase == Phase::Stage { stages } else { waits }
    }

    /// The running or last one.
    pub fn last(&self, phase: Phase) -> Option<PhaseEvent> {
        of(&mut self.kept(), phase).last.clone()
    }

    /// Those before, the oldest first.
    pub fn history(&self, phase: Phase) -> Vec<PhaseEvent> {
        of(&mut self.kept(), phase).history.all()
    }

    /// TRUNCATE of the current ones or of the history.
    pub fn forget(&self, phase: Phase, history: bool) {
        let mut kept = self.kept();
        let k = of(&mut kept, phase);
        if history {
            k.history.clear();
        } else {
            k.last = None;
        }
    }

    /// An event has ended: counts it, and keeps it where it is wanted.
    fn ended(&self, k: &mut Kept, phase: Phase, e: PhaseEvent, history: bool) {
        let ns = e.times.map_or(0, |(from, to)| to.saturating_sub(from));
        if let Some(sums) = k.own.slot(e.instrument, self.sums(phase)) {
            sums.add(ns);
        }
        let active = instruments::active();
        let [current, short, long] = phase.consumers().map(|c| active & c.bit() != 0);
        if long && history {
            phase.shared().long.record(|to| to.clone_from(&e));
        }
        if short && history {
            k.history.next(phase.shared().history.load(Relaxed), true).clone_from(&e);
        }
        if current {
            k.last = Some(e);
        }
    }
}

fn of(kept: &mut [Kept; 2], phase: Phase) -> &mut Kept {
    let [stages, waits] = kept;
    if phase == Phase::Stage { stages } else { waits }
}

impl Recorder {
    fn is_recorded(&self) -> bool {
        instruments::active() & Consumer::Thread.bit() != 0 && self.flags() & INSTRUMENTED != 0
    }

    /// The stage that ran has ended, and this one begins. Whether it is an event.
    pub(crate) fn stage_changes(&self, stage: Stage) -> bool {
        let now = sys::clock::now_ns();
        self.end_stage(now);
        let i = Instrument::stage(stage);
        if stage == Stage::Idle || !i.enabled() || !self.is_recorded() {
            return false;
        }
        let begun = PhaseEvent {
            thread: self.thread(),
            events: (self.next_event(), 0),
            instrument: i.number(),
            times: i.timed().then_some((now, 0)),
            nesting: (self.statement(), false),
            about: About::default(),
        };
        of(&mut self.phases.kept(), Phase::Stage).last = Some(begun);
        true
    }

    /// The statement has ended at `now`, and with it its stage.
    pub(crate) fn end_stage(&self, now: u64) {
        let mut kept = self.phases.kept();
        let k = of(&mut kept, Phase::Stage);
        let Some(mut e) = k.last.take_if(|e| e.events.1 == 0) else { return };
        e.events.1 = self.last_event();
        e.times = e.times.map(|(from, _)| (from, now));
        self.phases.ended(k, Phase::Stage, e, self.flags() & KEEPS_HISTORY != 0);
    }

    /// A command has come after `ns` without one, which is a wait (`idle`). `own`: the session's sums.
    #[inline]
    pub fn was_idle(&self, ns: u64, own: &mut Own<Stats>) {
        let active = instruments::active();
        if active & Consumer::Thread.bit() == 0 || self.flags() & INSTRUMENTED == 0 || !Instrument::IDLE.enabled() {
            return;
        }
        if active & Consumer::WaitsCurrent.bit() != 0 {
            self.idle_event(ns);
        } else if let Some(sums) = own.slot(Instrument::IDLE.number(), self.phases.sums(Phase::Wait)) {
            sums.add(if Instrument::IDLE.timed() { ns } else { 0 });
        }
    }

    #[cold]
    fn idle_event(&self, ns: u64) {
        let (event, keeps) = (self.next_event(), self.flags() & KEEPS_HISTORY != 0);
        let end = sys::clock::now_ns();
        let e = PhaseEvent {
            thread: self.thread(),
            events: (event, event),
            instrument: Instrument::IDLE.number(),
            times: Instrument::IDLE.timed().then_some((end.saturating_sub(ns), end)),
            nesting: (0, false),
            about: About { operation: "idle", ..About::default() },
        };
        self.phases.ended(of(&mut self.phases.kept(), Phase::Wait), Phase::Wait, e, keeps);
    }

    /// A wait of `ns` has ended. Whether the session is recorded.
    pub(crate) fn waited(&self, i: Instrument, ns: u64, about: impl FnOnce() -> About) -> bool {
        if !self.is_recorded() {
            // without the consumer of threads what all have done still counts
            return self.flags() & INSTRUMENTED != 0;
        }
        let mut kept = self.phases.kept();
        if instruments::active() & Consumer::WaitsCurrent.bit() == 0 {
            let k = of(&mut kept, Phase::Wait);
            k.own.slot(i.number(), self.phases.sums(Phase::Wait)).into_iter().for_each(|sums| sums.add(ns));
            return true;
        }
        let stage = of(&mut kept, Phase::Stage).last.as_ref().filter(|e| e.events.1 == 0).map(|e| e.events.0);
        let (event, keeps) = (self.next_event(), self.flags() & KEEPS_HISTORY != 0);
        let end = sys::clock::now_ns();
        let e = PhaseEvent {
            thread: self.thread(),
            events: (event, event),
            instrument: i.number(),
            times: i.timed().then_some((end.saturating_sub(ns), end)),
            nesting: stage.map_or((self.statement(), false), |s| (s, true)),
            about: about(),
        };
        self.phases.ended(of(&mut kept, Phase::Wait), Phase::Wait, e, keeps);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SessionCounters, WaitClass};
    use std::sync::Arc;

    #[test]
    fn events_belong_to_the_attached_session() {
        let _alone = instruments::switching();
        let bits = Consumer::StagesHistory.bit()
            | Consumer::StagesCurrent.bit()
            | Consumer::WaitsHistory.bit()
            | Consumer::WaitsCurrent.bit();
        instruments::switch_consumers(bits, bits);
        let stage = Instrument::stage(Stage::UserLock);
        stage.set(true, true);
        let r = Arc::new(Recorder::new(42));
        r.set_flags(INSTRUMENTED | KEEPS_HISTORY);
        let s = SessionCounters::new();
        s.set_recorder(r.clone());
        WaitClass::UserLock.record(1);
        {
            let _a = s.attach();
            crate::stage::set(Stage::UserLock);
            WaitClass::UserLock.record(5000);
            crate::stage::set(Stage::Updating);
        }
        WaitClass::UserLock.record(2);
        let [ref e] = r.phases.history(Phase::Stage)[..] else { panic!() };
        let [ref w] = r.phases.history(Phase::Wait)[..] else { panic!("the session's own only") };
        assert_eq!((e.instrument, e.thread, e.nesting), (stage.number(), 42, (0, false)));
        assert_eq!((w.nesting, w.times.map(|(a, b)| b - a)), ((e.events.0, true), Some(5000)));
        assert!(e.events.0 < w.events.0 && e.events.1 == w.events.0);
        assert_eq!(r.phases.sums(Phase::Wait).all().values().copied().collect::<Vec<_>>(), [[1, 5000, 5000, 5000]]);
        stage.set(false, false);
        instruments::switch_consumers(bits, 0);
        drop(s);
        let other = SessionCounters::new();
        let _a = other.attach();
        WaitClass::UserLock.record(3);
        assert_eq!(r.phases.history(Phase::Wait).len(), 1, "a block that is used again has lost its recorder");
    }
}
