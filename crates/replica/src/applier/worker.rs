//! [`Work`]: applies transactions one after the other, in a session of its own: a worker's (thread `replica_worker`),
//! or that of the thread `replica_sql` where there are no workers, and for what is applied alone.
//!
//! A transaction that meets a deadlock or waits too long for a lock is rolled back and applied again,
//! `replica_transaction_retries` times. Beside others it may fail because of one before it: then it waits, with nothing
//! locked, until those have committed, and is tried again; so an error that is shown is one that a single applier
//! would have met. While it waits for its turn to commit with locks, and the one whose turn it is waits for a lock
//! itself, it gives way: what the engine's wait-for graph knows it is told of at once, metadata locks it looks for.
//!
//! Crash: the transaction in the middle is gone in the engine and comes again.

use super::job::Job;
use super::queue::{Queue, Released, Taken};
use super::{TOGETHER, Trouble};
use crate::checks;
use crate::events;
use crate::filters::Filters;
use crate::relay::Position;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::thread::{Thread, Told};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::Gtid;
use binlog::event::Event;
use catalog::sysvar::Var;
use parking_lot::Mutex;
use probe::{Stage, WaitClass};
use session::{ApplierSession, Server, SkippedErrors, SourceTransaction};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// How long a worker waits before it makes durable what it has committed.
const LINGER: Duration = Duration::from_millis(10);
/// How long it waits before it looks around.
const LOOK: Duration = Duration::from_millis(500);
/// How long the transaction whose turn it is waits for a lock before others give way.
const STUCK_NS: u64 = 50_000_000;

/// See the module.
pub struct Work<'a> {
    pub x: &'a Shared,
    pub s: &'a mut ApplierSession,
    pub settings: &'a Settings,
    /// As which thread it is seen, and which is told to stop.
    me: &'a Thread,
    told: &'a Thread,
    queue: &'a Queue,
    /// The transaction's number, and whether it may commit.
    n: u64,
    has_turn: bool,
    pub gtid: Option<Gtid>,
    /// Where a transaction ends that ends in XA COMMIT ... ONE PHASE.
    pub one_phase: Option<Position>,
    /// In the source's log, behind the last event.
    pub at: Position,
    /// Transactions that are committed and may not be durable yet.
    unflushed: u32,
    pub context: events::Context,
    pub filters: Arc<Filters>,
    /// `replica_skip_errors`
    pub skipped: SkippedErrors,
}

impl<'a> Work<'a> {
    pub fn new(
        x: &'a Shared,
        s: &'a mut ApplierSession,
        settings: &'a Settings,
        (me, told): (&'a Thread, &'a Thread),
        queue: &'a Queue,
    ) -> Work<'a> {
        let skipped = events::skipped_errors(&x.globals.string(Var::replica_skip_errors));
        s.skip_errors(skipped.clone());
        s.take_rows_only(settings.row_format);
        Work {
            x,
            s,
            settings,
            me,
            told,
            queue,
            n: 0,
            has_turn: true,
            gtid: None,
            one_phase: None,
            at: Position::default(),
            unflushed: 0,
            context: events::Context::default(),
            filters: x.filters.lock().clone(),
            skipped,
        }
    }

    /// Applies a transaction. When it returns, and no error, it is over.
    pub fn run(&mut self, job: &Job) -> Result<(), Trouble> {
        self.me.progress.begins(&job.gtid);
        self.n = job.n;
        self.has_turn = self.queue.turns.is_none();
        let mut tries = 0;
        while let Err(t) = self.once(job) {
            self.s.rollback()?;
            if self.told.stops() {
                self.forget_branch(job)?;
                return Err(t);
            }
            if !self.has_turn {
                // with nothing locked; whatever failed may have done so because of one before it
                self.s.end_source()?;
                self.take_turn(false)?;
                continue;
            }
            let temporary = t.error.is(ErrorCode::LOCK_DEADLOCK) || t.error.is(ErrorCode::LOCK_WAIT_TIMEOUT);
            if !temporary || tries >= self.x.globals.num(Var::replica_transaction_retries) {
                self.forget_branch(job)?;
                return Err(t);
            }
            tries += 1;
            let told = Told { code: u32::from(t.error.code()), text: t.text, at: sys::clock::wall_seconds() };
            self.me.progress.again(told);
            self.told.sleep(Duration::from_millis(50 * tries.min(20)));
        }
        // where nothing was to be committed its turn comes all the same
        self.take_turn(false)?;
        self.ended(job)
    }

    fn once(&mut self, job: &Job) -> Result<(), Trouble> {
        checks::may_apply(self.x, self.s, self.settings)?;
        (self.at, self.gtid) = (job.from.clone(), job.gtid.gtid);
        self.s.set_checksums(true);
        let transaction = SourceTransaction {
            server_id: job.stamp.server_id,
            timestamp: job.stamp.timestamp,
            gtid: job.gtid.gtid,
            without: self.settings.assign_gtids.unnamed(),
            original_commit: job.gtid.original_commit,
            original_version: job.gtid.original_version,
        };
        if !self.s.begin_source(&transaction)? {
            // its GTID is executed
            return Ok(());
        }
        if job.skipped || self.was_done(job)? {
            self.at = job.to.clone();
            return Ok(self.nothing()?);
        }
        self.one_phase = job.one_phase.then(|| job.to.clone());
        let relay = &self.x.relay;
        job.each(relay, |e| self.event(e))
    }

    fn event(&mut self, e: &Event<'_>) -> Result<(), Trouble> {
        if e.header.end != 0 {
            self.at.offset = u64::from(e.header.end);
        }
        match super::header_kind(e.header)? {
            Some(kind) => self.apply(kind, e),
            None => Ok(()),
        }
    }

    fn ended(&mut self, job: &Job) -> Result<(), Trouble> {
        self.me.progress.ends();
        self.s.end_source()?;
        self.unflushed += 1;
        let commit = self.s.unflushed();
        if self.unflushed >= TOGETHER {
            self.flush()?;
        }
        if let Some(files) = self.queue.over(self.x, job, commit) {
            self.remove(&files)?;
        }
        if let Some(turns) = &self.queue.turns {
            self.s.end_turn(turns, self.n);
        }
        Ok(())
    }

    /// Files of the relay log go, unless `relay_log_purge` is OFF.
    pub fn remove(&mut self, files: &Released) -> SqlResult<()> {
        if self.x.globals.bool(Var::relay_log_purge) {
            // what a source was told that this replica has must stay in one place or the other
            files.commits.map_or(Ok(()), |lsn| self.s.flush_to(lsn))?;
            self.x.relay.remove_before(files.before);
        }
        Ok(())
    }

    /// What is committed becomes durable.
    pub fn flush(&mut self) -> SqlResult<()> {
        if self.unflushed > 0 {
            self.unflushed = 0;
            self.s.flush()?;
        }
        Ok(())
    }

    /// All before it have committed when this returns. `locked`: it may have locks that they need.
    pub fn take_turn(&mut self, locked: bool) -> SqlResult<()> {
        if let Some(turns) = self.queue.turns.as_ref().filter(|_| !self.has_turn) {
            let (x, q) = (self.x, self.queue);
            let stuck = || locked && whose_turn_waits(&x.workers, q);
            self.s.wait_for_turn(turns, self.n, &stuck)?;
            self.has_turn = true;
        }
        Ok(())
    }
}

/// Whether the one whose turn it is waits for a lock, and has for a while. Asked under the mutex of the lock owner that
/// waits, before which all of these may be taken: so none is waited for.
pub(super) fn whose_turn_waits(workers: &Mutex<Vec<Arc<Thread>>>, q: &Queue) -> bool {
    let worker = q.first().and_then(|w| workers.try_lock()?.get(w).cloned());
    let connection = worker.and_then(|w| w.connection.try_lock()?.clone());
    let waiting = connection.and_then(|c| c.sched.try_lock()?.as_ref()?.waiting());
    let locks = [WaitClass::RowLock, WaitClass::TableLock, WaitClass::MetadataLock];
    waiting
        .is_some_and(|(class, since)| locks.contains(&class) && sys::clock::now_ns().saturating_sub(since) > STUCK_NS)
}

/// Who panics has failed.
struct Panic<'a>(&'a Queue);

impl Drop for Panic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.fail(u64::MAX);
        }
    }
}

/// The thread of worker number `worker`, from 0 on.
pub fn run(x: &Shared, server: &Arc<Server>, settings: &Settings, (q, worker): (&Queue, usize), me: &Thread) {
    let _panic = Panic(q);
    let done = server.with_applier("replica_worker", settings.checks_user.as_ref(), |s| {
        *me.connection.lock() = Some(s.connection());
        let done = work(x, s, settings, (q, worker), me);
        *me.connection.lock() = None;
        done
    });
    let failure = match done {
        Ok(Ok(())) => return,
        Ok(Err(failure)) => failure,
        Err(e) => Failure::from(e),
    };
    if !me.stops() {
        failure.tell(x, q, worker, me);
    }
}

/// What a worker has failed at.
pub struct Failure {
    pub trouble: Trouble,
    /// The transaction: its number and name, and how far in the source's log it had come.
    pub n: u64,
    pub name: String,
    pub at: Position,
}

impl From<SqlError> for Failure {
    fn from(e: SqlError) -> Failure {
        Failure { trouble: e.into(), n: u64::MAX, name: String::new(), at: Position::default() }
    }
}

impl Failure {
    /// Shows it as that of this worker, and ends what the workers do.
    pub fn tell(self, x: &Shared, q: &Queue, worker: usize, me: &Thread) {
        let code = self.trouble.code();
        let what = format!(
            "Worker {} failed executing transaction '{}' at source log {}, end_log_pos {}",
            worker + 1,
            self.name,
            self.at.file,
            self.at.offset
        );
        me.fail(code, format!("{what}; {}", self.trouble.text));
        let all = "Coordinator stopped because there were error(s) in the worker(s). The most recent failure being:";
        let more = "See error log and/or performance_schema.replication_applier_status_by_worker table for more \
                    details about this failure or others, if any.";
        x.applier.fail(code, format!("{all} {what}. {more}"));
        q.fail(self.n);
        // the coordinator may wait for more to read
        x.relay.wake();
    }
}

fn work(
    x: &Shared,
    s: &mut ApplierSession,
    settings: &Settings,
    (q, worker): (&Queue, usize),
    me: &Thread,
) -> Result<(), Failure> {
    let mut w = Work::new(x, s, settings, (me, me), q);
    let stage = Cell::new(Stage::Idle);
    while !me.stops() {
        let taken = {
            let begins = |n| q.turns.iter().for_each(|t| w.s.begin_turn(t, n));
            let waits = |one: bool| {
                let now = if one { Stage::WaitingForDependent } else { Stage::WaitingForCoordinator };
                if stage.replace(now) != now {
                    w.s.at(now);
                }
            };
            q.take(worker, if w.unflushed > 0 { LINGER } else { LOOK }, begins, waits)
        };
        let job = match taken {
            Taken::Job(job) => job,
            Taken::Nothing => {
                w.flush()?;
                continue;
            }
            Taken::End => break,
        };
        stage.set(Stage::ApplyingBatch);
        w.s.at(Stage::ApplyingBatch);
        if let Err(trouble) = w.run(&job) {
            return Err(Failure { trouble, n: job.n, name: job.name(), at: w.at.clone() });
        }
    }
    Ok(w.flush()?)
}
