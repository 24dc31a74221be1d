//! Stages and waits as events of the session that is attached to the thread: events_stages_*, events_waits_* and their
//! sums.
//!
//! A stage becomes an event if its instrument is on, which few are without being asked for; the others cost
//! [`crate::stage::set`] two loads. A wait becomes one after it has blocked, so its clock readings and its lock are
//! small beside it. A wait that found what it wanted at once is not seen, and threads without a session count in
//! [`crate::WaitClass::stats`] alone.
//!
//! A session's stages and waits stand beside its statements behind one mutex ([`crate::events::Kept`]), each in the
//! entry that it has from its begin on ([`crate::history::Ring`]). The way from the thread to the recorder is the
//! attached block ([`crate::SessionCounters::set_recorder`]).

use crate::events::{INSTRUMENTED, KEEPS_HISTORY, Kept, Recorder};
use crate::history::{Event as _, KEPT, LONG, Long, Ring};
use crate::instruments::{self, Consumer, Instrument};
pub use crate::phase_event::PhaseEvent;
use crate::stage::Stage;
use crate::summaries::{Own, Summary, Sums};
use crate::waits::About;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Stages or waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// events_stages_*
    Stage,
    /// events_waits_*
    Wait,
}

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
pub(crate) struct Phased {
    ring: Ring<PhaseEvent>,
    own: Own<Stats>,
}

/// One session's sums of stages and waits, by kind.
#[derive(Debug, Default)]
pub struct Phases([Sums<Stats>; 2]);

impl Phases {
    /// The sums of stages or waits.
    #[inline(always)]
    pub fn sums(&self, phase: Phase) -> &Sums<Stats> {
        let [stages, waits] = &self.0;
        if phase == Phase::Stage { stages } else { waits }
    }
}

#[inline(always)]
fn of(phases: &mut [Phased; 2], phase: Phase) -> &mut Phased {
    let [stages, waits] = phases;
    if phase == Phase::Stage { stages } else { waits }
}

impl Phased {
    /// The entry of the next event, of which `flags` of the session say whether it belongs to histories.
    #[inline(always)]
    fn next(&mut self, phase: Phase, active: u32, flags: u8) -> &mut PhaseEvent {
        let [_, short, long] = phase.consumers().map(|c| active & c.bit() != 0 && flags & KEEPS_HISTORY != 0);
        let marks = if short { KEPT } else { 0 } | if long { LONG } else { 0 };
        let shared = phase.shared();
        self.ring.next(shared.history.load(Relaxed), marks, &shared.long)
    }

    #[inline(always)]
    fn count(&mut self, sums: &Sums<Stats>, instrument: u32, ns: u64) {
        if let Some(slot) = self.own.slot(instrument, sums) {
            slot.add(ns);
        }
    }

    /// The running stage's number; 0: none runs.
    #[inline(always)]
    fn running(&mut self) -> u64 {
        self.ring.latest().filter(|e| e.runs()).map_or(0, |e| e.events.0)
    }
}

impl Kept {
    /// The running or last stage or wait.
    pub fn last_phase(&mut self, phase: Phase) -> Option<PhaseEvent> {
        of(&mut self.phases, phase).ring.last().cloned()
    }

    /// Those before, the oldest first.
    pub fn phases(&mut self, phase: Phase) -> Vec<PhaseEvent> {
        of(&mut self.phases, phase).ring.all()
    }

    /// What belongs to the long history and is not there yet.
    pub fn unfilled_phases(&mut self, phase: Phase) -> Vec<PhaseEvent> {
        of(&mut self.phases, phase).ring.unfilled()
    }

    /// TRUNCATE of the current ones.
    pub fn hide_phases(&mut self, phase: Phase) {
        of(&mut self.phases, phase).ring.hide();
    }

    /// TRUNCATE of a history, or of the long one.
    pub fn clear_phases(&mut self, phase: Phase, long: bool) {
        let ring = &mut of(&mut self.phases, phase).ring;
        if long { ring.clear_unfilled() } else { ring.clear() }
    }

    /// Entries of stages or waits, and their bytes.
    pub fn memory_of(&self, phase: Phase) -> (u64, u64) {
        let [stages, waits] = &self.phases;
        if phase == Phase::Stage { stages } else { waits }.ring.memory(|_| 0)
    }

    /// The session ends.
    pub(crate) fn leave_phases(&mut self) {
        for phase in [Phase::Stage, Phase::Wait] {
            of(&mut self.phases, phase).ring.leave(&phase.shared().long);
        }
    }

    /// The stage that ran has ended at `now`.
    #[inline(always)]
    pub(crate) fn end_stage(&mut self, r: &Recorder, now: u64) {
        let k = of(&mut self.phases, Phase::Stage);
        let Some(e) = k.ring.latest().filter(|e| e.runs() && e.events.0 != 0) else { return };
        e.events.1 = r.last_event();
        let mut ns = 0;
        if e.timed {
            e.times.1 = now;
            ns = now.saturating_sub(e.times.0);
        }
        let instrument = e.instrument;
        k.count(r.phases.sums(Phase::Stage), instrument, ns);
    }
}

impl Recorder {
    fn is_recorded(&self) -> bool {
        instruments::active() & Consumer::Thread.bit() != 0 && self.flags() & INSTRUMENTED != 0
    }

    /// At `now` the stage that ran has ended, and this one begins. Whether it is an event.
    pub(crate) fn stage_changes(&self, stage: Stage, now: u64) -> bool {
        let mut kept = self.kept();
        kept.end_stage(self, now);
        let i = Instrument::stage(stage);
        if stage == Stage::Idle || !i.enabled() || !self.is_recorded() {
            return false;
        }
        let (active, k) = (instruments::active(), of(&mut kept.phases, Phase::Stage));
        let e = k.next(Phase::Stage, active, self.flags());
        e.thread = self.thread();
        e.events = (self.next_event(), 0);
        e.instrument = i.number();
        e.set_times(i.timed().then_some((now, 0)));
        e.set_nesting((self.statement(), false));
        e.work = None;
        if active & Consumer::StagesCurrent.bit() == 0 {
            k.ring.hide();
        }
        true
    }

    /// How far the running stage has come.
    pub(crate) fn stage_works(&self, completed: u64, estimated: u64) {
        let mut kept = self.kept();
        let running = of(&mut kept.phases, Phase::Stage).ring.latest().filter(|e| e.runs());
        running.into_iter().for_each(|e| e.work = Some(Box::new((completed, estimated))));
    }

    /// A command has come at `now`, which nobody has heard since `since`: that is a wait (`idle`). `own`: the session's
    /// sums.
    #[inline(always)]
    pub fn was_idle(&self, (since, now): (u64, u64), own: &mut Own<Stats>) {
        let ns = now.saturating_sub(since);
        let timed = if crate::usual() && self.flags() & INSTRUMENTED != 0 {
            true
        } else {
            match self.idles() {
                Some((Consumer::WaitsCurrent, timed)) => return self.idle_event(since, now, timed),
                Some((_, timed)) => timed,
                None => return,
            }
        };
        if let Some(sums) = own.slot(Instrument::IDLE.number(), self.phases.sums(Phase::Wait)) {
            sums.add(if timed { ns } else { 0 });
        }
    }

    /// Whether the session's silence is an event or counts at all, and whether with times.
    #[inline(never)]
    fn idles(&self) -> Option<(Consumer, bool)> {
        let active = instruments::active();
        let counts = active & Consumer::Thread.bit() != 0 && self.flags() & INSTRUMENTED != 0;
        let event = active & Consumer::WaitsCurrent.bit() != 0;
        let what = if event { Consumer::WaitsCurrent } else { Consumer::Thread };
        (counts && Instrument::IDLE.enabled()).then(|| (what, Instrument::IDLE.timed()))
    }

    /// The wait of a session that has been silent since then, as it will be told of; `None`: it is no event.
    pub fn idle_now(&self, since: u64) -> Option<PhaseEvent> {
        let (_, timed) = self.idles().filter(|(c, _)| *c == Consumer::WaitsCurrent)?;
        Some(PhaseEvent {
            thread: self.thread(),
            events: (self.last_event() + 1, 0),
            instrument: Instrument::IDLE.number(),
            timed,
            times: (since, 0),
            about: About { operation: "idle", ..About::default() },
            ..PhaseEvent::default()
        })
    }

    #[inline(never)]
    fn idle_event(&self, since: u64, now: u64, timed: bool) {
        let mut kept = self.kept();
        let times = timed.then_some((since, now));
        let e = self.wait_event(&mut kept, Instrument::IDLE, times, (0, false));
        e.about.clear("idle");
    }

    /// Counts a wait and gives the entry of its event.
    #[inline(always)]
    fn wait_event<'k>(
        &self,
        kept: &'k mut Kept,
        i: Instrument,
        times: Option<(u64, u64)>,
        nesting: (u64, bool),
    ) -> &'k mut PhaseEvent {
        let k = of(&mut kept.phases, Phase::Wait);
        k.count(self.phases.sums(Phase::Wait), i.number(), times.map_or(0, |(from, to)| to.saturating_sub(from)));
        let event = self.next_event();
        let e = k.next(Phase::Wait, instruments::active(), self.flags());
        e.thread = self.thread();
        e.events = (event, event);
        e.instrument = i.number();
        e.set_times(times);
        e.set_nesting(nesting);
        e
    }

    /// A wait of `ns` has ended, at `end` if somebody knows. Whether the session is recorded.
    pub(crate) fn waited(&self, i: Instrument, (ns, end): (u64, Option<u64>), about: impl FnOnce(&mut About)) -> bool {
        if !self.is_recorded() {
            // without the consumer of threads what all have done still counts
            return self.flags() & INSTRUMENTED != 0;
        }
        let mut kept = self.kept();
        if instruments::active() & Consumer::WaitsCurrent.bit() == 0 {
            of(&mut kept.phases, Phase::Wait).count(self.phases.sums(Phase::Wait), i.number(), ns);
            return true;
        }
        let nesting = match of(&mut kept.phases, Phase::Stage).running() {
            0 => (self.statement(), false),
            stage => (stage, true),
        };
        let times = i.timed().then(|| {
            let end = end.unwrap_or_else(sys::clock::now_ns);
            (end.saturating_sub(ns), end)
        });
        about(&mut self.wait_event(&mut kept, i, times, nesting).about);
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
        let [ref e] = r.kept().phases(Phase::Stage)[..] else { panic!() };
        let [ref w] = r.kept().phases(Phase::Wait)[..] else { panic!("the session's own only") };
        assert_eq!((e.instrument, e.thread, e.nesting, e.in_stage), (stage.number(), 42, 0, false));
        assert_eq!((w.nesting, w.in_stage, w.times().map(|(a, b)| b - a)), (e.events.0, true, Some(5000)));
        assert!(e.events.0 < w.events.0 && e.events.1 == w.events.0);
        assert_eq!(r.phases.sums(Phase::Wait).all().values().copied().collect::<Vec<_>>(), [[1, 5000, 5000, 5000]]);
        stage.set(false, false);
        instruments::switch_consumers(bits, 0);
        drop(s);
        let other = SessionCounters::new();
        let _a = other.attach();
        WaitClass::UserLock.record(3);
        assert_eq!(r.kept().phases(Phase::Wait).len(), 1, "a block that is used again has lost its recorder");
    }
}
