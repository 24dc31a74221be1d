//! The flusher of the log: a role that threads take in turn, not a thread.
//!
//! Whoever needs durability and finds no flusher becomes it: writes all complete frames, syncs, publishes `flushed`, wakes exactly the
//! waiters that are covered and hands the role to the oldest that is not. With one connection that is one write and one sync
//! in its own thread and nobody is woken. While the device works the next batch gathers in the ring.
//!
//! Commits of connections that share threads wait without one ([`Log::finish_after`]): their tasks stand in the same
//! queue, and where one of them is next the thread `ib_log_flusher` takes the role ([`Log::serve_tasks`]). Where a sync
//! takes no time (memory, a disk with a battery) that would cost more than it saves ([`Log::commit_takes_long`]): there
//! the thread that served them syncs, for several at once (`sched::pool`).
//!
//! Locks: `queue` (class LOG) guards who is flusher and who waits, held for a few instructions; `writer` (class LOG_FILES) is held by
//! the one thread that writes, during the I/O. A thread takes `writer` without `queue`. No page latch is ever taken here.

mod tail;
mod thread;
mod writer;

use super::Log;
use super::ring::Ring;
use crate::error::Result;
use base::Lsn;
use latch::{Mutex, classes};
use probe::{Counter, Gauge, WaitClass};
use sched::pool::{Completer, Unfinished};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread::Thread;
use thread::TaskFlusher;
use writer::Writer;

/// Bytes written with one call at most.
pub(super) const MAX_WRITE: u64 = 4 << 20;

/// Bytes that are written and not synced, about: a writer that gets there syncs although nobody asked. It bounds what an interrupted
/// write can leave behind the log's end, and with it how far recovery must look and jump.
pub(crate) const MAX_UNSYNCED: u64 = 16 << 20;

/// On whose behalf the log is flushed; for counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForcedBy {
    /// A transaction commits.
    Commit,
    /// A page is to be written.
    Page,
    /// A checkpoint.
    Checkpoint,
    /// The background, once per `innodb_flush_log_at_timeout`.
    Background,
    /// FLUSH LOGS, shutdown.
    Explicit,
}

const WAITING: u32 = 0;
const DONE: u32 = 1;
const LEAD: u32 = 2;

struct Waiter {
    state: AtomicU32,
    thread: Thread,
}

thread_local! {
    /// The waiter of this thread, reused from wait to wait.
    static MINE: RefCell<Option<Arc<Waiter>>> = const { RefCell::new(None) };
}

/// Who waits until the log is durable.
enum Who {
    Thread(Arc<Waiter>),
    /// A connection, since when (ns).
    Task(Unfinished, u64),
}

struct Queue {
    busy: bool,
    /// For which LSN, since how many syncs of the log, who.
    waiting: VecDeque<(u64, u64, Who)>,
}

pub(super) struct Role {
    queue: Mutex<Queue>,
    writer: Mutex<Writer>,
    written: AtomicU64,
    flusher: TaskFlusher,
    /// How long a sync takes, with the writes before it, ns, averaged.
    sync_ns: AtomicU64,
    /// Syncs so far.
    syncs: AtomicU64,
}

/// A sync that takes longer (ns) is worth giving the thread away for.
const LONG_SYNC: u64 = 60_000;

/// So many syncs in a row for connections that came meanwhile does a thread that came for its own.
const ROUNDS: u32 = 4;

impl Role {
    pub(super) fn new(start: u64) -> Role {
        Role {
            queue: Mutex::new(&classes::LOG, Queue { busy: false, waiting: VecDeque::new() }),
            writer: Mutex::new(&classes::LOG_FILES, Writer::new(start)),
            written: AtomicU64::new(start),
            flusher: TaskFlusher::default(),
            sync_ns: AtomicU64::new(LONG_SYNC),
            syncs: AtomicU64::new(0),
        }
    }

    pub(super) fn written(&self) -> u64 {
        self.written.load(Ordering::Acquire)
    }

    /// Calls `f` with the end of what was written, padding included, while nobody writes.
    pub(super) fn while_nobody_writes<R>(&self, f: impl FnOnce(u64) -> R) -> R {
        f(self.writer.lock().padded)
    }

    fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }

    pub(super) fn discard(&self, ring: &Ring) {
        self.writer.lock().discard(ring);
    }
}

impl Log {
    /// Makes the log durable up to `lsn`. Waits with no latch held. Whatever is complete in the buffer goes with it.
    pub fn flush_to(&self, lsn: Lsn, by: ForcedBy) -> Result<()> {
        if by == ForcedBy::Commit {
            sched::pool::note_commit();
        }
        if self.flushed.load(Ordering::Acquire) >= lsn.0 {
            return Ok(());
        }
        self.check_alive()?;
        if by == ForcedBy::Background {
            probe::inc(Counter::InnodbBackgroundLogSync);
        }
        debug_assert!(lsn.0 <= self.current_lsn().0, "flush beyond the end of the log");
        let me = {
            let mut q = self.role.queue.lock();
            if self.flushed.load(Ordering::Acquire) >= lsn.0 {
                return Ok(());
            }
            if q.busy {
                let me = my_waiter();
                me.state.store(WAITING, Ordering::Relaxed);
                q.waiting.push_back((lsn.0, self.role.syncs(), Who::Thread(me.clone())));
                Some(me)
            } else {
                q.busy = true;
                None
            }
        };
        let waits = me.is_some();
        let go = || {
            if let Some(me) = me {
                loop {
                    match me.state.load(Ordering::Acquire) {
                        DONE => return,
                        LEAD => break,
                        _ => std::thread::park(),
                    }
                }
            }
            self.lead(lsn);
        };
        match by {
            // The caller holds no latch: its run token is free for the time of the wait. It is taken again when all of the log's
            // mutexes are released. For a sync that takes no time it is not worth calling somebody.
            ForcedBy::Commit if !waits && !self.commit_takes_long() => go(),
            ForcedBy::Commit | ForcedBy::Explicit => sched::blocking_wait(WaitClass::LogFlush, go),
            _ => go(),
        }
        self.outcome(lsn)
    }

    /// What a committing transaction does under `innodb_flush_log_at_trx_commit`: 1 durable, 2 handed to the operating system,
    /// 0 nothing (the background flushes once a second).
    pub fn commit_to(&self, lsn: Lsn) -> Result<()> {
        match self.flush_at_commit() {
            0 => self.check_alive(),
            2 => self.write_to(lsn),
            _ => self.flush_to(lsn, ForcedBy::Commit),
        }
    }

    /// Hands the log up to `lsn` to the operating system: survives a crash of the process, not of the machine.
    pub fn write_to(&self, lsn: Lsn) -> Result<()> {
        while self.role.written() < lsn.0 {
            self.check_alive()?;
            if self.write_out(false)? < lsn.0 {
                std::thread::yield_now();
            }
        }
        self.check_alive()
    }

    fn outcome(&self, lsn: Lsn) -> Result<()> {
        if self.flushed.load(Ordering::Acquire) >= lsn.0 { Ok(()) } else { self.check_alive() }
    }

    /// As the flusher: flushes until `lsn` is covered, then passes the role on. Where a sync takes no time it stays with it for connections that have come meanwhile.
    fn lead(&self, lsn: Lsn) {
        let mut lsn = lsn.0;
        for round in 1.. {
            self.flush_until(lsn);
            match self.pass_on(round < ROUNDS && !self.commit_takes_long()) {
                Some(next) => lsn = next,
                None => return,
            }
        }
    }

    fn flush_until(&self, lsn: u64) {
        self.append_mark();
        while self.flushed.load(Ordering::Acquire) < lsn {
            if self.write_out(true).is_err() {
                break;
            }
            if self.flushed.load(Ordering::Acquire) < lsn {
                // Somebody reserved before us and is still copying; it waits for nobody.
                std::thread::yield_now();
            }
        }
    }

    /// Wakes and finishes who is covered and gives the role to the oldest who is not; `stay`: if that is a connection, keeps it and answers what it waits for.
    fn pass_on(&self, stay: bool) -> Option<u64> {
        let failed = self.failed.get().is_some();
        let flushed = self.flushed.load(Ordering::Acquire);
        let mut wake = Vec::new();
        let mut tasks = Vec::new();
        let (mut call_flusher, mut next, mut most) = (false, None, 0);
        {
            let mut q = self.role.queue.lock();
            let mut i = 0;
            while let Some((l, syncs, _)) = q.waiting.get(i) {
                if failed || *l <= flushed {
                    most = most.max(self.role.syncs().saturating_sub(*syncs));
                    match q.waiting.remove(i) {
                        Some((.., Who::Thread(w))) => wake.push((w, DONE)),
                        Some((.., Who::Task(t, since))) => tasks.push((t, since)),
                        None => break,
                    }
                } else {
                    i += 1;
                }
            }
            match q.waiting.front() {
                Some((l, _, Who::Task(..))) if stay => next = Some(*l),
                Some((.., Who::Task(..))) => call_flusher = true,
                Some((_, syncs, Who::Thread(w))) => {
                    most = most.max(self.role.syncs().saturating_sub(*syncs) + 1);
                    wake.push((w.clone(), LEAD));
                    q.waiting.pop_front();
                }
                None => q.busy = false,
            }
        }
        Gauge::LogMostSyncsWaited.raise(most as i64);
        if call_flusher {
            self.role.flusher.call();
        }
        // The next flusher first: its write can begin while the others wake.
        for (w, state) in wake.into_iter().rev() {
            w.state.store(state, Ordering::Release);
            w.thread.unpark();
        }
        finish(tasks, !failed);
        next
    }

    /// Makes the log durable up to `lsn` unless somebody else is flushing (`None`). False: the log has failed. No latch is held.
    fn flush_if_free(&self, lsn: Lsn) -> Option<bool> {
        if self.flushed.load(Ordering::Acquire) < lsn.0 {
            if self.check_alive().is_err() {
                return Some(false);
            }
            if std::mem::replace(&mut self.role.queue.lock().busy, true) {
                return None;
            }
            self.lead(lsn);
        }
        Some(self.outcome(lsn).is_ok())
    }

    /// Whether a sync takes so long on average that a commit should not keep its place among the active threads meanwhile.
    pub fn commit_takes_long(&self) -> bool {
        self.role.sync_ns.load(Ordering::Relaxed) >= LONG_SYNC
    }
}

/// Answers of connections go out. With no latch held.
fn finish(tasks: Vec<(Unfinished, u64)>, durable: bool) {
    if tasks.is_empty() {
        return;
    }
    let now = sys::clock::now_ns();
    sched::pool::finish_all(tasks.into_iter().map(|(t, since)| {
        WaitClass::LogFlush.record(now.saturating_sub(since));
        t.done(durable)
    }));
}

impl Completer for Log {
    fn submit(&self, at: u64, task: Unfinished) {
        self.finish_after(at, task);
    }
    fn is_quick(&self) -> bool {
        !self.commit_takes_long()
    }
    fn wait(&self, at: u64) -> Option<bool> {
        self.flush_if_free(Lsn(at))
    }
}

fn my_waiter() -> Arc<Waiter> {
    MINE.with(|m| {
        let mut m = m.borrow_mut();
        // A waiter still referenced by a queue would be a wake-up in flight; take a new one then.
        match &*m {
            Some(w) if Arc::strong_count(w) == 1 => w.clone(),
            _ => {
                let w = Arc::new(Waiter { state: AtomicU32::new(WAITING), thread: std::thread::current() });
                *m = Some(w.clone());
                w
            }
        }
    })
}
