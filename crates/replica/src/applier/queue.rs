//! [`Queue`]: what the coordinator (thread `replica_sql`) has read and the workers have not applied yet.
//!
//! Workers take transactions in the order of the source's log, each as soon as everything that it depends on is over
//! (`last_committed` of its GTID event, MySQL's LOGICAL_CLOCK). With `replica_preserve_commit_order` they commit in
//! that order, too ([`session::Turns`]). What is over up to where is known here: the position that is shown, and which
//! files of the relay log can go.
//!
//! Locks: the mutex is held for moments; those of [`session::Turns`] and of the position shown are taken under it.
//! Crash: nothing here is kept.

use super::job::Job;
use crate::relay::{At, Position};
use crate::shared::Shared;
use base::Lsn;
use parking_lot::{Condvar, Mutex, MutexGuard};
use session::Turns;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// So many transactions are read ahead.
const AHEAD: usize = 4096;
/// How long a wait lasts before it looks whether it has to end.
const LOOK: Duration = Duration::from_millis(20);

/// A transaction that is being applied.
#[derive(Clone, Copy)]
struct Running {
    n: u64,
    sequence: u64,
    worker: usize,
}

/// A transaction that is over.
struct Over {
    /// Where it ends in the source's log.
    to: Position,
    /// Where it ends in the relay log.
    end: At,
    /// Where its commit is in the engine's log, if nobody has waited for that to be durable.
    commit: Option<Lsn>,
}

/// Files of the relay log that are applied.
#[derive(Debug, PartialEq, Eq)]
pub struct Released {
    /// Those before this one.
    pub before: u64,
    /// Up to where the engine's log has what is in them: they must not go before that is durable.
    pub commits: Option<Lsn>,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Arc<Job>>,
    bytes: usize,
    running: Vec<Running>,
    /// Over, but something before is not.
    over: BTreeMap<u64, Over>,
    /// All before this one are over.
    low: u64,
    /// Files of the relay log before this one are not needed.
    released: u64,
    /// Up to where the engine's log has the commits of all before `low`.
    commits: Option<Lsn>,
    /// Nothing more comes.
    closed: bool,
    failed: bool,
    /// Workers that wait.
    waiting: usize,
}

impl State {
    /// A transaction is over. The last one that now has nothing before it that is not, if there are more such ones.
    fn end(&mut self, job: &Job, commit: Option<Lsn>) -> Option<Over> {
        self.running.retain(|r| r.n != job.n);
        self.over.insert(job.n, Over { to: job.to.clone(), end: job.end, commit });
        let mut last = None;
        while let Some(over) = self.over.remove(&self.low) {
            self.low += 1;
            self.released = over.end.number;
            // where commits have no order, any of them may be the one that is furthest in the log
            self.commits = self.commits.max(over.commit);
            last = Some(over);
        }
        last
    }
}

/// What a worker gets.
pub enum Taken {
    Job(Arc<Job>),
    /// Nothing has come for a while.
    Nothing,
    /// Nothing will come.
    End,
}

/// See the module.
pub struct Queue {
    state: Mutex<State>,
    work: Condvar,
    room: Condvar,
    /// `replica_preserve_commit_order`
    pub turns: Option<Turns>,
    /// `replica_pending_jobs_size_max`
    max_bytes: usize,
}

impl Queue {
    pub fn new(ordered: bool, max_bytes: u64) -> Queue {
        Queue {
            state: Mutex::default(),
            work: Condvar::new(),
            room: Condvar::new(),
            turns: ordered.then(Turns::default),
            max_bytes: usize::try_from(max_bytes).unwrap_or(usize::MAX),
        }
    }

    /// Waits until `ready`, `stops`, or a worker has failed. Whether it is ready.
    fn wait(&self, stops: &dyn Fn() -> bool, ready: impl Fn(&State) -> bool) -> Option<MutexGuard<'_, State>> {
        let mut s = self.state.lock();
        loop {
            if s.failed || stops() {
                return None;
            }
            if ready(&s) {
                return Some(s);
            }
            self.room.wait_for(&mut s, LOOK);
        }
    }

    /// Appends a transaction when there is room for it. False: it was not.
    pub fn push(&self, job: Job, stops: &dyn Fn() -> bool) -> bool {
        let room = |s: &State| s.jobs.is_empty() || s.jobs.len() < AHEAD && s.bytes + job.size() <= self.max_bytes;
        let Some(mut s) = self.wait(stops, room) else { return false };
        s.bytes += job.size();
        s.jobs.push_back(Arc::new(job));
        self.wake(&s);
        true
    }

    /// Waits until everything is applied. False: it is not.
    pub fn drain(&self, stops: &dyn Fn() -> bool) -> bool {
        self.wait(stops, |s| s.jobs.is_empty() && s.running.is_empty()).is_some()
    }

    /// Nothing more is taken; waits until what was is applied, not longer than `long`.
    pub fn finish_running(&self, long: Duration) {
        let until = std::time::Instant::now() + long;
        let mut s = self.state.lock();
        s.jobs.clear();
        while !s.running.is_empty() && std::time::Instant::now() < until {
            self.room.wait_for(&mut s, LOOK);
        }
    }

    /// Nothing more will come.
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.work.notify_all();
    }

    /// Nothing more is taken.
    pub fn stop(&self) {
        let mut s = self.state.lock();
        s.jobs.clear();
        s.closed = true;
        self.work.notify_all();
    }

    /// Whether everything that was read is applied.
    pub fn is_idle(&self) -> bool {
        let s = self.state.lock();
        s.jobs.is_empty() && s.running.is_empty()
    }

    /// Whether a worker has failed.
    pub fn has_failed(&self) -> bool {
        self.state.lock().failed
    }

    /// A worker has failed with number `n`: nothing more is taken.
    pub fn fail(&self, n: u64) {
        let mut s = self.state.lock();
        s.failed = true;
        s.running.retain(|r| r.n != n);
        s.jobs.clear();
        self.room.notify_all();
        self.work.notify_all();
    }

    /// The next transaction, for this worker; `begins` is told of it before anybody takes the one behind it. Does not
    /// wait longer than `long`. `waits` is told whether there is one that has to wait for others.
    pub fn take(&self, worker: usize, long: Duration, begins: impl Fn(u64), waits: impl Fn(bool)) -> Taken {
        let mut s = self.state.lock();
        loop {
            if s.failed {
                return Taken::End;
            }
            match s.jobs.front() {
                None if s.closed => return Taken::End,
                Some(job) if ready(job, &s.running) => {
                    let Some(job) = s.jobs.pop_front() else { return Taken::Nothing };
                    s.bytes -= job.size();
                    s.running.push(Running { n: job.n, sequence: job.gtid.sequence_number, worker });
                    begins(job.n);
                    // not for each: the coordinator then reads many at a time
                    if s.jobs.len() <= AHEAD / 2 && s.bytes <= self.max_bytes / 2 {
                        self.room.notify_one();
                    }
                    self.wake(&s);
                    return Taken::Job(job);
                }
                front => waits(front.is_some()),
            }
            s.waiting += 1;
            let late = self.work.wait_for(&mut s, long).timed_out();
            s.waiting -= 1;
            if late {
                return Taken::Nothing;
            }
        }
    }

    /// Wakes a worker that waits, if there is something for it.
    fn wake(&self, s: &State) {
        if s.waiting > 0 && s.jobs.front().is_some_and(|next| ready(next, &s.running)) {
            self.work.notify_one();
        }
    }

    /// A transaction that no worker takes begins: none of theirs runs.
    pub fn begin_alone(&self, job: &Job) {
        let running = Running { n: job.n, sequence: job.gtid.sequence_number, worker: 0 };
        self.state.lock().running.push(running);
    }

    /// It is over: committed, or there was nothing to do. `commit`: see [`Over`]. Returned where files of the relay log
    /// are not needed any more.
    pub fn over(&self, x: &Shared, job: &Job, commit: Option<Lsn>) -> Option<Released> {
        let mut s = self.state.lock();
        let before = s.released;
        if let Some(last) = s.end(job, commit) {
            x.applied_to(last.to, last.end);
        }
        x.applier.last_event.store(u64::from(job.stamp.timestamp), Ordering::Relaxed);
        if s.jobs.is_empty() && s.running.is_empty() && x.applier.read_all.load(Ordering::Acquire) {
            x.applier.idle.store(true, Ordering::Release);
        }
        // what may begin now is for the thread that calls this, which takes the next one
        if s.jobs.is_empty() && s.running.is_empty() {
            self.room.notify_one();
        }
        (s.released != before).then_some(Released { before: s.released, commits: s.commits })
    }

    /// Everything is applied up to there in the relay log: which of its files are not needed any more.
    pub fn release(&self, to: At) -> Option<Released> {
        let mut s = self.state.lock();
        let idle = s.jobs.is_empty() && s.running.is_empty() && s.over.is_empty() && !s.failed;
        if !idle || s.released >= to.number {
            return None;
        }
        s.released = to.number;
        Some(Released { before: s.released, commits: s.commits })
    }

    /// The worker whose turn it is. Never waits: it is asked by who waits for its own turn, under a mutex that is taken
    /// behind this one. `None` also where that cannot be said now.
    pub fn first(&self) -> Option<usize> {
        self.state.try_lock()?.running.iter().min_by_key(|r| r.n).map(|r| r.worker)
    }
}

/// Whether everything is over that must be before this one begins.
fn ready(job: &Job, running: &[Running]) -> bool {
    if job.anew { running.is_empty() } else { running.iter().all(|r| r.sequence > job.after()) }
}

#[cfg(test)]
mod tests {
    use super::super::job::job;
    use super::*;

    #[test]
    fn files_go_with_all_their_commits() {
        let ends = |n: u64, file: u64| Job { end: At { number: file, offset: 4 }, ..job(n, 0, n + 1) };
        let mut s = State::default();
        let mut over = |n, file, lsn: u64| {
            let last = s.end(&ends(n, file), (lsn > 0).then_some(Lsn(lsn)));
            (last.map(|o| o.end.number), s.released, s.commits)
        };
        // the second commits after the first, which is told of later
        assert_eq!(over(1, 1, 110), (None, 0, None));
        assert_eq!(over(0, 1, 100), (Some(1), 1, Some(Lsn(110))));
        // the next file begins, with one that was passed over: what was before it need not be durable yet
        assert_eq!(over(3, 2, 0), (None, 1, Some(Lsn(110))));
        assert_eq!(over(2, 1, 120), (Some(2), 2, Some(Lsn(120))));
        assert_eq!(over(4, 3, 0), (Some(3), 3, Some(Lsn(120))));
    }

    fn running(list: &[u64]) -> Vec<Running> {
        list.iter().map(|s| Running { n: *s, sequence: *s, worker: 0 }).collect()
    }

    #[test]
    fn what_may_run_beside_what() {
        // everything up to 5 must be over
        assert!(ready(&job(9, 5, 10), &running(&[6, 9])));
        assert!(!ready(&job(9, 5, 10), &running(&[5, 9])));
        assert!(!ready(&job(9, 9, 10), &running(&[9])) && ready(&job(9, 9, 10), &running(&[])));
        // without numbers, or with ones that cannot be, it waits for all
        assert!(!ready(&job(9, 0, 0), &running(&[1])) && !ready(&job(9, 7, 7), &running(&[9])));
        // another file begins
        let first = Job { anew: true, ..job(9, 0, 1) };
        assert!(!ready(&first, &running(&[700])) && ready(&first, &running(&[])));
    }
}
