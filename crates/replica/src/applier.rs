//! The thread `replica_sql`: reads the relay log and has it applied, transaction by transaction.
//!
//! With `replica_parallel_workers` it hands them to that many threads `replica_worker` ([`queue`], [`worker`]); what
//! must be alone (DDL, statements as text, XA), and without workers everything, it applies itself, in the session that
//! [`session::Server::with_applier`] gives it, when all before is applied.
//!
//! A transaction that was applied before is passed over: by its GTID, or by its place in the source's log, which is
//! kept in the engine with each commit ([`crate::state`]). The first error of one ends all threads: what stands before
//! it is applied, what stands behind it is not.
//!
//! Crash: transactions in the middle are gone in the engine and come again. Tested: `tests/binlog/test_replica.py`,
//! `test_replica_workers.py`.

mod alone;
mod branches;
mod change;
mod init;
mod job;
mod queue;
mod worker;
#[cfg(test)]
mod worker_tests;

use crate::checks;
use crate::settings::Settings;
use crate::shared::{Shared, Until};
use crate::thread::Thread;
use base::{ErrorCode, SqlError};
use binlog::{EventType, GtidSet, Malformed};
use catalog::sysvar::Var;
use job::{Collector, Job};
use probe::Stage;
use queue::Queue;
use session::{ApplierSession, Server};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use worker::Work;

/// How long it waits for events before it looks around.
const LOOK: Duration = Duration::from_millis(500);
/// So many transactions become durable with one sync while there are more to apply: nobody waits for one of them, and
/// after a crash those that are lost come again.
const TOGETHER: u32 = 64;
/// A compressed transaction may be so large.
const LARGEST_PAYLOAD: usize = 1 << 30;
/// Where commits have an order of their own, threads that end let transactions end first, so that no gap is left; not
/// longer than this.
const PATIENCE: Duration = Duration::from_secs(10);

/// Errors that are shown with the number that they have in the error log.
const SHOWN: [(ErrorCode, u32); 3] = [
    (ErrorCode::REPLICA_CONVERSION_FAILED, 13_146),
    (ErrorCode::CLIENT_PRIVILEGE_CHECKS_USER_DOES_NOT_EXIST, 13_494),
    (ErrorCode::CLIENT_PRIVILEGE_CHECKS_USER_NEEDS_RPL_APPLIER_PRIV, 13_496),
];

/// Why a transaction was not applied: the error, and how it is shown.
pub struct Trouble {
    pub error: SqlError,
    pub text: String,
}

impl Trouble {
    /// The number that is shown.
    pub fn code(&self) -> u32 {
        let known = |(code, shown): &(ErrorCode, u32)| self.error.is(*code).then_some(*shown);
        SHOWN.iter().find_map(known).unwrap_or_else(|| u32::from(self.error.code()))
    }
}

impl From<SqlError> for Trouble {
    fn from(error: SqlError) -> Trouble {
        Trouble { text: error.message().to_owned(), error }
    }
}

impl From<Malformed> for Trouble {
    fn from(m: Malformed) -> Trouble {
        let text = format!("Relay log read failure: {m}");
        Trouble { error: SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text.clone()), text }
    }
}

impl From<std::io::Error> for Trouble {
    fn from(e: std::io::Error) -> Trouble {
        let text = format!("Relay log read failure: {e}");
        Trouble { error: SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text.clone()), text }
    }
}

/// The thread.
pub fn run(x: &Arc<Shared>, server: &Arc<Server>, settings: &Settings) {
    let done = server.with_applier("replica_sql", settings.checks_user.as_ref(), |s| {
        *x.applier.connection.lock() = Some(s.connection());
        let done = coordinate(x, server, s, settings);
        *x.applier.connection.lock() = None;
        done
    });
    x.temp_tables.store(0, Ordering::Relaxed);
    let told = match done {
        Ok(Ok(())) => return,
        Ok(Err(t)) => t,
        Err(e) => e.into(),
    };
    if !x.applier.stops() {
        x.applier.fail(told.code(), told.text);
    }
}

/// Starts the workers, reads, and ends them.
fn coordinate(
    x: &Arc<Shared>,
    server: &Arc<Server>,
    s: &mut ApplierSession,
    settings: &Settings,
) -> Result<(), Trouble> {
    checks::may_apply(x, s, settings)?;
    // a restore is one by one: its rules are not those of a replica
    let replays = *x.until.lock() == Until::Received;
    if !replays && !init::begins_with(x, s)? {
        return Ok(());
    }
    let workers = if replays { 0 } else { x.globals.num(Var::replica_parallel_workers) as usize };
    s.keep_events(replays);
    let ordered = workers > 1 && x.globals.bool(Var::replica_preserve_commit_order);
    let q = Arc::new(Queue::new(ordered, x.globals.num(Var::replica_pending_jobs_size_max)));
    let threads: Vec<Arc<Thread>> = (0..workers).map(|_| Arc::new(Thread::of(&x.channel))).collect();
    *x.workers.lock() = threads.clone();
    let started = start_workers(x, server, settings, &q, &threads);
    let read = started.and_then(|()| {
        let me = threads.first().unwrap_or(&x.applier);
        let mut c = Coordinator {
            x,
            q: &q,
            threads: &threads,
            collector: Collector::new(&x.relay),
            work: Work::new(x, s, settings, (me, &x.applier), &q),
            next: 0,
            wanted: None,
        };
        c.read()
    });
    end_workers(x, &q, &threads);
    read
}

fn start_workers(
    x: &Arc<Shared>,
    server: &Arc<Server>,
    settings: &Settings,
    q: &Arc<Queue>,
    threads: &[Arc<Thread>],
) -> Result<(), Trouble> {
    for (n, t) in threads.iter().enumerate() {
        let (x, server, settings, q, me) = (x.clone(), server.clone(), settings.clone(), q.clone(), t.clone());
        t.start("replica_worker", move || worker::run(&x, &server, &settings, (&q, n), &me))?;
    }
    Ok(())
}

/// Ends the workers: when what was read is applied, unless the threads are told to stop or one has failed.
fn end_workers(x: &Shared, q: &Queue, threads: &[Arc<Thread>]) {
    let stops = || x.applier.stops();
    if q.drain(&stops) {
        q.close();
        while threads.iter().any(|t| t.runs()) && !stops() {
            std::thread::sleep(Duration::from_millis(1));
        }
    } else if threads.len() > 1 && q.turns.is_none() {
        q.finish_running(PATIENCE);
    }
    q.stop();
    threads.iter().for_each(|t| t.end(&x.relay));
    if q.has_failed() && !threads.is_empty() && x.applier.error().code == 0 {
        x.applier.fail(13_117, "Fatal error: a worker has failed (see the error log)".to_owned());
    }
}

/// What is in `set` and not in `other`.
fn without(set: &GtidSet, other: &GtidSet) -> GtidSet {
    let mut left = set.clone();
    left.remove_all(other);
    left
}

/// Reads, and hands out what it reads.
struct Coordinator<'a> {
    x: &'a Shared,
    q: &'a Queue,
    threads: &'a [Arc<Thread>],
    collector: Collector<'a>,
    /// What it applies itself.
    work: Work<'a>,
    /// Number of the next transaction.
    next: u64,
    /// START REPLICA UNTIL SQL_AFTER_GTIDS: those that neither are executed nor have been handed out.
    wanted: Option<GtidSet>,
}

impl Coordinator<'_> {
    fn stops(&self) -> bool {
        self.x.applier.stops() || self.q.has_failed()
    }

    /// Until it is told to stop, a worker fails, or START REPLICA UNTIL says so.
    fn read(&mut self) -> Result<(), Trouble> {
        let until = self.x.until.lock().clone();
        if let Until::After(set) = &until {
            self.wanted = Some(without(set, &self.x.executed()));
        }
        while !self.stops() && !self.is_at_end(&until) {
            let progress = &self.x.applier.progress;
            let shown = !self.threads.is_empty();
            let job = self.collector.next(|g| {
                if shown {
                    progress.begins(g)
                }
            })?;
            let Some(job) = job else {
                if until == Until::Received {
                    break;
                }
                self.wait_for_more(&until)?;
                continue;
            };
            if !self.hand_out(job, &until)? {
                break;
            }
        }
        self.work.flush()?;
        Ok(())
    }

    /// START REPLICA UNTIL: whether nothing more is to be applied.
    fn is_at_end(&self, until: &Until) -> bool {
        match until {
            Until::None | Until::Before(_) | Until::Received => false,
            Until::After(_) => self.wanted.as_ref().is_some_and(GtidSet::is_empty),
            Until::Source(p) => {
                let read = &self.collector.at;
                let at = if read.file.is_empty() { self.x.applied.lock().clone() } else { read.clone() };
                self.collector.is_between() && !at.file.is_empty() && !at.is_before(p)
            }
            Until::Relay(_, p) => {
                self.collector.is_between() && self.collector.reader.at.max(self.x.relay.first()) >= *p
            }
            // commits are in the source's order, or GTIDs say what is missing: there are none
            Until::NoGaps => true,
        }
    }

    fn wait_for_more(&mut self, until: &Until) -> Result<(), Trouble> {
        self.work.flush()?;
        let me = &self.x.applier;
        me.read_all.store(true, Ordering::Release);
        if self.q.is_idle() {
            me.idle.store(true, Ordering::Release);
            // a new file of the source's with nothing in it yet: whoever waits for its beginning need not wait for more
            let at = &self.collector.at;
            let behind = !at.file.is_empty() && self.collector.is_between() && self.x.applied.lock().is_before(at);
            if behind {
                self.x.applied_to(at.clone(), self.collector.reader.at);
            }
            self.make_room()?;
        }
        self.at(Stage::ReplicaHasReadAll);
        self.work.s.check_running()?;
        self.collector.reader.wait(LOOK);
        if let Until::After(set) = until {
            self.wanted = Some(without(set, &self.x.executed()));
        }
        Ok(())
    }

    /// Where the receiver waits for room (`relay_log_space_limit`), no commit comes that would remove files.
    fn make_room(&mut self) -> Result<(), Trouble> {
        if self.x.globals.num(Var::relay_log_space_limit) > 0
            && self.collector.is_between()
            && let Some(files) = self.q.release(self.collector.reader.at)
        {
            self.work.remove(&files)?;
        }
        Ok(())
    }

    fn at(&self, stage: Stage) {
        self.x.applier.set_state(stage.text());
        self.work.s.at(stage);
    }

    /// Has a transaction applied. False: the thread ends before it.
    fn hand_out(&mut self, mut job: Job, until: &Until) -> Result<bool, Trouble> {
        let me = &self.x.applier;
        me.read_all.store(false, Ordering::Release);
        me.idle.store(false, Ordering::Release);
        if let Some(gtid) = job.gtid.gtid {
            if matches!(until, Until::Before(set) if set.contains(gtid)) {
                return Ok(false);
            }
            if let Some(wanted) = &mut self.wanted {
                wanted.remove_range(gtid.sid, gtid.gno, gtid.gno + 1);
            }
        }
        // nothing that is being applied now is read again: what is before the position shown has been
        if !self.work.settings.auto_position && job.from.is_before(&self.x.applied.lock()) {
            return Ok(true);
        }
        // what is in the relay log and executed already does not count
        let is_done = || job.gtid.gtid.is_some_and(|g| self.x.executed().contains(g));
        job.skipped = self.x.skip.load(Ordering::Relaxed) > 0 && !is_done();
        if !job.skipped {
            self.wait_for_delay(job.gtid.immediate_commit);
        }
        if self.stops() {
            return Ok(false);
        }
        job.n = self.next;
        self.next += 1;
        if job.skipped {
            return self.skip(&job);
        }
        if job.alone || self.threads.is_empty() {
            return self.apply(&job);
        }
        self.at(Stage::ReadingRelayLog);
        let x = self.x;
        let handed = self.q.push(job, &|| x.applier.stops());
        if handed {
            me.progress.ends();
        }
        Ok(handed)
    }

    /// SOURCE_DELAY.
    fn wait_for_delay(&self, committed_us: u64) {
        let (me, delay) = (&self.x.applier, self.work.settings.delay);
        if delay == 0 {
            return;
        }
        let due = committed_us / 1_000_000 + delay;
        while !self.stops() {
            let now = sys::clock::wall_seconds();
            me.delay.store(if now >= due { 0 } else { due - now + 1 }, Ordering::Relaxed);
            if now >= due {
                return;
            }
            self.at(Stage::WaitingForDelay);
            me.sleep(Duration::from_secs(1));
        }
        me.delay.store(0, Ordering::Relaxed);
    }
}

/// The type, if it is known; one that is not may be passed over if it says so.
fn header_kind(h: binlog::Header) -> Result<Option<EventType>, Trouble> {
    match EventType::from_u8(h.kind) {
        None if h.flags & binlog::event::FLAG_IGNORABLE == 0 => {
            Err(SqlError::unsupported(format!("replication of events of type {}", h.kind)).into())
        }
        kind => Ok(kind),
    }
}
