//! Admission of mini-transactions: the proof that the log cannot overwrite what unflushed pages need.
//!
//! A running mini-transaction holds page latches and must not wait for log space: the page cleaner may need those pages. So
//! space is made sure of before it starts. Let `C` be the file's capacity, `M` = [`MAX_MTR_BYTES`], `n` the number of tickets, and
//! each ticket allow one mini-transaction and as much log again in those nested in it (a page split and the separators above it:
//! far less). At most `n` run at a time, so after the check
//! `age <= C - 2nM - slack` all that run can add at most `2nM`: the age stays below `C`. `n` is chosen so that `2nM <= C/4`.
//!
//! Tickets are counted in padded shards, a thread always tries its own first: no line shared by all is written. Who finds none sleeps
//! in a queue; a ticket that comes back wakes one.

use super::{Log, MAX_MTR_BYTES};
use crate::error::Result;
use crossbeam_utils::CachePadded;
use latch::{Condvar, Mutex, classes};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;
use sys::clock::Deadline;

const MAX_SHARDS: usize = 16;
/// The writer pads to whole blocks beyond the end.
const SLACK: u64 = 64 << 10;
/// The log is written beside a statement as soon as it fills so much of its buffer (1 in so many).
const WRITE_EARLY: u64 = 16;

pub(super) struct Admission {
    shards: Box<[CachePadded<AtomicU32>]>,
    per_shard: u32,
    max_age: u64,
    queue: Mutex<()>,
    returned: Condvar,
    sleepers: AtomicU32,
}

/// Permission to run one mini-transaction; given back when dropped.
pub struct Ticket<'a> {
    log: &'a Log,
    shard: usize,
}

impl Drop for Ticket<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(s) = self.log.admission.shards.get(self.shard) {
            s.fetch_sub(1, Ordering::SeqCst);
        }
        self.log.admission.wake_one();
    }
}

fn my_shard() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static MINE: usize = NEXT.fetch_add(1, Ordering::Relaxed));
    MINE.with(|m| *m)
}

impl Admission {
    pub(super) fn new(capacity: u64) -> Admission {
        let tickets = (capacity / 4 / (2 * MAX_MTR_BYTES)).clamp(1, 256) as usize;
        let shards = (tickets / 4).clamp(1, MAX_SHARDS);
        let per_shard = (tickets / shards) as u32;
        let margin = 2 * MAX_MTR_BYTES * per_shard as u64 * shards as u64 + SLACK;
        Admission {
            shards: (0..shards).map(|_| CachePadded::new(AtomicU32::new(0))).collect(),
            per_shard,
            max_age: capacity.saturating_sub(margin).max(capacity / 4),
            queue: Mutex::new(&classes::SCHED, ()),
            returned: Condvar::new(),
            sleepers: AtomicU32::new(0),
        }
    }

    /// After a ticket came back. The sleeper counts itself and then looks for a ticket, this side gives it back and then looks for
    /// sleepers: one of the two sees the other.
    #[inline]
    fn wake_one(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            drop(self.queue.lock());
            self.returned.notify_one();
        }
    }

    /// Sleeps until a ticket comes back, if none is there. Call with no latch held.
    fn wait(&self) {
        let mut queue = self.queue.lock();
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        if self.shards.iter().all(|s| s.load(Ordering::SeqCst) >= self.per_shard) {
            self.returned.wait(&mut queue, Deadline::after(Duration::from_secs(1)));
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    fn try_take(&self) -> Option<usize> {
        let n = self.shards.len();
        let mine = my_shard() % n.max(1);
        for i in 0..n {
            let at = (mine + i) % n;
            let Some(s) = self.shards.get(at) else { continue };
            let mut v = s.load(Ordering::Relaxed);
            while v < self.per_shard {
                match s.compare_exchange_weak(v, v + 1, Ordering::Acquire, Ordering::Relaxed) {
                    Ok(_) => return Some(at),
                    Err(now) => v = now,
                }
            }
        }
        None
    }
}

impl Log {
    /// The largest checkpoint age at which a mini-transaction may start.
    pub fn max_age(&self) -> u64 {
        self.admission.max_age
    }

    /// A ticket, if the log has room for a mini-transaction now and fewer than the allowed number run. `Ok(None)`: make room
    /// (flush and checkpoint, or just let others finish) and try again. Refuses when the log has failed.
    pub(crate) fn try_admit(&self) -> Result<Option<Ticket<'_>>> {
        self.check_alive()?;
        let Some(shard) = self.admission.try_take() else { return Ok(None) };
        let ticket = Ticket { log: self, shard };
        // Checked with the ticket in hand: whoever else passes the check has one too.
        if self.checkpoint_age() > self.admission.max_age {
            return Ok(None);
        }
        if self.wants_writing() {
            self.write_early()?;
        }
        Ok(Some(ticket))
    }

    /// Whether so much waits in the buffer that it is to be written at once.
    #[inline]
    pub(super) fn wants_writing(&self) -> bool {
        let (used, all) = self.ring.used();
        used > all / WRITE_EARLY
    }

    /// A statement changes much: the log is written beside it, by the thread `ib_log_flusher`. Where that does not keep up
    /// (half of the buffer is full) the statement's own thread waits and writes.
    #[cold]
    fn write_early(&self) -> Result<()> {
        let (used, all) = self.ring.used();
        if used <= all / 2 {
            self.call_to_write();
            return Ok(());
        }
        probe::inc(probe::Counter::InnodbLogWaits);
        self.write_out(false).map(|_| ())
    }

    /// Sleeps until a ticket may be had. Wake-ups can be in vain.
    pub(crate) fn wait_for_ticket(&self) {
        self.admission.wait();
    }

    /// Whether a mini-transaction would be refused for lack of log space.
    pub(crate) fn is_short_of_space(&self) -> bool {
        self.checkpoint_age() > self.admission.max_age
    }
}
