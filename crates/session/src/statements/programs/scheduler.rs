//! The event scheduler: a thread (`event_scheduler`) that knows when each enabled event runs next, and starts a thread
//! (`event_worker`) for each run (manual, "Using the Event Scheduler").
//!
//! # What runs when
//!
//! The queue is made from the dictionary and made anew when a program has changed (at the latest a second later). An
//! event that is known, by id and version, keeps its next time, which is counted on from the last one and not from
//! when the thread woke: while the server is up no run is left out or doubled, across changes of clocks too
//! ([`super::event_times`]). What fell due while no scheduler ran does not run, but for an event that runs once; if the
//! machine stood still for more than [`LATE`] seconds, or its clock was set back, recurring events go on from now.
//!
//! # Crash
//!
//! Before its body runs, a run is noted in the dictionary (LAST_EXECUTED; with the last run the event is disabled), so
//! that a crash leaves a run undone rather than doubled.
//!
//! No locks but those of the dictionary's DDL, taken by the worker. In the process list the thread is user
//! `event_scheduler`. Tested: `tests/clients/test_events.py`.

use super::event_times::{Next, next, zone_of};
use crate::kernel::server::Server;
use catalog::connections::{Connection, Kill};
use catalog::sysvar::Var;
use executor::env::wall_clock_us;
use executor::gate::{self, Inside};
use probe::Stage;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use storage::dict::{EventStatus, ProgramDefinition, Schedule};

/// Beyond so many seconds runs that were not started in time are left out.
const LATE: i64 = 60;
/// How often the dictionary's version is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// `event_scheduler` is ON.
const ON: u64 = 1;

/// An event that will run.
struct Queued {
    version: u64,
    at: i64,
    definition: Arc<ProgramDefinition>,
}

/// What a worker gets.
pub(super) struct Due {
    pub(super) definition: Arc<ProgramDefinition>,
    /// There will be no other run.
    pub(super) last: bool,
    /// Its time was over before the scheduler met it: it does not run, it only ends.
    pub(super) expired: bool,
}

impl Server {
    /// Starts the scheduler where `event_scheduler` says so: at the start, once all else is there.
    pub fn start_events(self: &Arc<Self>) {
        if self.globals.num(Var::event_scheduler) == ON && !self.is_stopping() && !self.accounts.grants_skipped() {
            let server = Arc::downgrade(self);
            self.events
                .start(|| std::thread::Builder::new().name("event_scheduler".into()).spawn(move || schedule(&server)));
        }
    }

    /// SET GLOBAL event_scheduler.
    pub(crate) fn switch_events(self: &Arc<Self>) {
        match self.globals.num(Var::event_scheduler) {
            ON => self.start_events(),
            _ => self.events.stop(),
        }
    }
}

/// The thread.
fn schedule(server: &Weak<Server>) {
    let Some(s) = server.upgrade() else { return };
    let connection = s.connections.register_daemon("event_scheduler");
    let shown = sched::Session::new(connection.id());
    let _attached = shown.attach();
    *connection.sched.lock() = Some(shown.clone());
    let id = connection.id();
    say("Note", 10_051, &format!("Event Scheduler: scheduler thread started with id {id}"));
    drop(s);
    // it ends by itself when the server is gone
    let mut queue = Queue::default();
    while let Some(s) = server.upgrade() {
        let wait = queue.turn(&s, &connection);
        let go_on = connection.killed() == Kill::No && s.events.wait(wait);
        if !go_on {
            break;
        }
    }
    if let Some(s) = server.upgrade() {
        s.connections.unregister_daemon(id);
    }
    say("Note", 10_048, "Event Scheduler: Stopped");
}

/// A line of the error log.
pub(super) fn say(label: &'static str, code: u32, text: &str) {
    probe::errorlog::say(label, "Server", code, text);
}

#[derive(Default)]
struct Queue {
    /// By the event's id.
    events: HashMap<u64, Queued>,
    /// The dictionary's version that it is made from; 0: not made yet.
    version: u64,
    /// When it was looked at last.
    seen: i64,
    /// Versions of events, by id, whose last run has begun: until their workers have noted it the dictionary still
    /// has them as due.
    ended: HashMap<u64, u64>,
}

impl Queue {
    /// Starts what is due; how long to wait then.
    fn turn(&mut self, server: &Arc<Server>, connection: &Connection) -> Duration {
        let now = wall_clock_us().div_euclid(1_000_000);
        let version = server.engine.dict().programs_version();
        if version != self.version || now < self.seen - 1 {
            self.fill(server, now);
            self.version = version;
        }
        self.seen = now;
        while let Some(due) = self.due(now).filter(|_| server.events.goes_on()) {
            super::worker::start(server, due);
        }
        let first = self.events.values().map(|q| q.at).min();
        let stage = if first.is_some() { Stage::WaitingForNextActivation } else { Stage::WaitingOnEmptyQueue };
        if connection.stage() != stage {
            probe::stage::set(stage);
            connection.daemon_at();
        }
        let Some(first) = first else { return LOOK };
        let us = first.saturating_mul(1_000_000).saturating_sub(wall_clock_us()).max(0);
        LOOK.min(Duration::from_micros(us.unsigned_abs()))
    }

    /// Makes the queue from the dictionary.
    fn fill(&mut self, server: &Arc<Server>, now: i64) {
        let began = self.version == 0;
        let back = now < self.seen - 1;
        let mut old = std::mem::take(&mut self.events);
        let ended = std::mem::take(&mut self.ended);
        for p in gate::programs::events(&server.engine, Inside::Program) {
            let Some(e) = p.event.as_ref().filter(|e| e.status == EventStatus::Enabled) else { continue };
            if ended.get(&p.id) == Some(&p.version) {
                self.ended.insert(p.id, p.version);
                continue;
            }
            let known = old.remove(&p.id).filter(|q| q.version == p.version && !back);
            let at = match known {
                Some(q) => q.at,
                None => {
                    let from = if began || back { now } else { p.altered.div_euclid(1_000_000).min(now) };
                    // after a clock that was set back the last run may lie ahead
                    let last = e.last_executed.map(|l| if back { l.min(now) } else { l });
                    match next(&e.schedule, last, from, &zone_of(&e.time_zone)) {
                        Next::At(at) => at,
                        // its time is over: the worker's end of it
                        Next::Expired => {
                            self.ended.insert(p.id, p.version);
                            super::worker::start(server, Due { definition: p, last: true, expired: true });
                            continue;
                        }
                    }
                }
            };
            self.events.insert(p.id, Queued { version: p.version, at, definition: p });
        }
    }

    /// Takes one run that is due.
    fn due(&mut self, now: i64) -> Option<Due> {
        let (id, q) = self.events.iter_mut().filter(|(_, q)| q.at <= now).min_by_key(|(_, q)| q.at)?;
        let (id, definition) = (*id, q.definition.clone());
        let e = definition.event.as_ref()?;
        let from = if now - q.at > LATE { now + 1 } else { q.at + 1 };
        let following = match &e.schedule {
            Schedule::At(_) => Next::Expired,
            every => next(every, Some(q.at), from, &zone_of(&e.time_zone)),
        };
        match following {
            Next::At(at) => {
                q.at = at;
                Some(Due { definition, last: false, expired: false })
            }
            Next::Expired => {
                self.ended.insert(id, q.version);
                self.events.remove(&id);
                Some(Due { definition, last: true, expired: false })
            }
        }
    }
}
