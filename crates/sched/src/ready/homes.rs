//! Connections that can be read and wait for a thread: a queue for each CPU, for the connections *at home* there.
//!
//! A client is woken by its answer. If it runs on another CPU than the thread that sends it, that CPU has to be interrupted (10 us and more in virtual machines), the kernel's
//! run queues are fought for, and buffers and sockets go from one cache to the other. So a thread serves those first whose clients run on its own CPU.
//! No system call tells where a client runs. But while a thread has its CPU without a break nothing else has run there: what has become readable meanwhile was
//! sent from another CPU ([`Homes::note_look`], [`Homes::sent_elsewhere`]). Such a connection moves to the next CPU where threads look; with more than two it may take some moves until it has come to
//! where its client is. It begins where it was parked first.
//!
//! Homes are a preference only. Whoever finds nothing at home takes what there is ([`Homes::pop`]), and a queue to which nobody has come for a while is taken over whole
//! ([`Homes::take_over`]): its thread runs something long, or there are fewer run tokens than CPUs. The same happens to one where threads of other CPUs take a connection now and then
//! while those behind it starve. With one token all are in one queue.
//!
//! Locks: one queue's at a time. Tested by `ready.rs`, `pool_tests.rs` and `tests/load`; measured in `docs/decisions/0020-homes.md`.

use latch::{Mutex, classes};
use probe::Counter;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use sys::clock::now_ns;

/// More CPUs share queues.
const MOST: usize = 64;
/// A queue to which nobody has come for so long is taken over: longer than a sync of a quick log, shorter than a client notices.
const LEFT_NS: u64 = 1_000_000;
/// So is one whose first connection has waited for so long, and for more than twice that above what the first waits here.
const STARVED_NS: u64 = 20_000_000;
/// A connection's id and above it its home.
const SHIFT: u32 = 56;

thread_local! {
    /// How often this thread had lost its CPU when it looked last.
    static SWITCHES: Cell<u64> = const { Cell::new(0) };
    /// What was next in the queue from which this thread has taken a connection last.
    static COMING: Cell<Option<u64>> = const { Cell::new(None) };
}

/// More than one thread may be active.
static SEVERAL: AtomicBool = AtomicBool::new(true);

/// Called with the number of run tokens.
pub(crate) fn set_tokens(n: u32) {
    SEVERAL.store(n > 1, Ordering::Relaxed);
}

/// An id with a home, as it is told to the kernel.
pub(crate) fn tag(id: u64, home: u8) -> u64 {
    id | u64::from(home) << SHIFT
}

/// Back to both.
pub(crate) fn untag(tagged: u64) -> (u64, u8) {
    (tagged & ((1 << SHIFT) - 1), (tagged >> SHIFT) as u8)
}

/// Connections at home on one CPU. A line of its own: most of them belong to one thread for long.
#[repr(align(128))]
struct Queue {
    /// With the time at which they were put there.
    tagged: Mutex<VecDeque<(u64, u64)>>,
    len: AtomicI64,
    /// That of the first one; 0: there is none.
    first_at: AtomicU64,
    /// Times that somebody took one.
    taken: AtomicU64,
    /// What that was when a thread of another CPU looked after it, and when it was first seen to be that.
    seen: AtomicU64,
    seen_at: AtomicU64,
}

impl Queue {
    /// How long its first connection has waited.
    fn waits(&self, now: u64) -> u64 {
        match self.first_at.load(Ordering::Relaxed) {
            0 => 0,
            at => now.saturating_sub(at),
        }
    }

    /// Whether nobody has come to it for [`LEFT_NS`], as far as the one who asks has seen.
    fn is_left(&self, now: u64) -> bool {
        let taken = self.taken.load(Ordering::Relaxed);
        if self.seen.swap(taken, Ordering::Relaxed) != taken {
            self.seen_at.store(now, Ordering::Relaxed);
            return false;
        }
        now.saturating_sub(self.seen_at.load(Ordering::Relaxed)) >= LEFT_NS
    }
}

/// All queues.
pub(crate) struct Homes {
    /// Whether there are several threads, so that homes count: the process's run tokens say so.
    several: &'static AtomicBool,
    queues: Box<[Queue]>,
    /// As many as they have, or more for a moment.
    len: AtomicI64,
    /// Where threads have looked, a bit each.
    inhabited: AtomicU64,
}

impl Homes {
    pub(super) fn new() -> Homes {
        Homes::with(sys::thread::cpus_configured().clamp(1, MOST), &SEVERAL)
    }

    /// So many queues.
    fn with(n: usize, several: &'static AtomicBool) -> Homes {
        let queue = |_| Queue {
            tagged: Mutex::new(&classes::SCHED, VecDeque::new()),
            len: AtomicI64::new(0),
            first_at: AtomicU64::new(0),
            taken: AtomicU64::new(0),
            seen: AtomicU64::new(u64::MAX),
            seen_at: AtomicU64::new(0),
        };
        Homes { several, queues: (0..n).map(queue).collect(), len: AtomicI64::new(0), inhabited: AtomicU64::new(0) }
    }

    /// Whether homes count.
    pub(super) fn several(&self) -> bool {
        self.several.load(Ordering::Relaxed)
    }

    /// Where this thread is at home now.
    pub(crate) fn here(&self) -> u8 {
        if self.several() { (sys::thread::current_cpu() % self.queues.len()) as u8 } else { 0 }
    }

    fn queue(&self, home: u8) -> Option<&Queue> {
        self.queues.get(usize::from(home) % self.queues.len())
    }

    /// Connections that nobody has taken up.
    pub(crate) fn len(&self) -> i64 {
        self.len.load(Ordering::SeqCst)
    }

    /// Whether some of them are at home here.
    pub(super) fn has_some_here(&self) -> bool {
        self.len() > 0 && self.queue(self.here()).is_some_and(|q| q.len.load(Ordering::Relaxed) > 0)
    }

    /// At the end of the queue of its home.
    pub(super) fn push(&self, tagged: u64, now: u64) {
        let Some(queue) = self.queue(if self.several() { untag(tagged).1 } else { 0 }) else { return };
        {
            let mut waiting = queue.tagged.lock();
            if waiting.is_empty() {
                queue.first_at.store(now, Ordering::Relaxed);
            }
            waiting.push_back((tagged, now));
        }
        queue.len.fetch_add(1, Ordering::Relaxed);
        self.len.fetch_add(1, Ordering::SeqCst);
    }

    /// Likewise, or moved: from one home to another one.
    pub(super) fn push_moving(&self, tagged: u64, moves: Option<(u8, u8)>, now: u64) {
        match (untag(tagged), moves) {
            ((id, home), Some((from, to))) if home == from => {
                probe::inc(Counter::SchedMoves);
                self.push(tag(id, to), now);
            }
            _ => self.push(tagged, now),
        }
    }

    /// The first at home here.
    pub(super) fn pop_here(&self) -> Option<u64> {
        self.pop_from(self.queue(self.here())?)
    }

    /// The first at home here, or else elsewhere.
    pub(super) fn pop(&self) -> Option<u64> {
        if self.len() <= 0 {
            return None;
        }
        let (before, from) = self.queues.split_at_checked(usize::from(self.here()))?;
        from.iter().chain(before).find_map(|q| self.pop_from(q))
    }

    /// Which connection follows the one that this thread has taken last, unless somebody is faster.
    pub(crate) fn coming(&self) -> Option<u64> {
        COMING.take().map(|tagged| untag(tagged).0)
    }

    fn pop_from(&self, queue: &Queue) -> Option<u64> {
        if queue.len.load(Ordering::Relaxed) <= 0 {
            return None;
        }
        let tagged = {
            let mut waiting = queue.tagged.lock();
            let (tagged, _) = waiting.pop_front()?;
            let next = waiting.front();
            COMING.set(next.map(|n| n.0));
            queue.first_at.store(next.map_or(0, |n| n.1), Ordering::Relaxed);
            tagged
        };
        queue.len.fetch_sub(1, Ordering::Relaxed);
        queue.taken.fetch_add(1, Ordering::Relaxed);
        self.len.fetch_sub(1, Ordering::SeqCst);
        Some(tagged)
    }

    /// Gives those a new home here to whose queue nobody has come for [`LEFT_NS`], or so seldom that the first one starves.
    pub(super) fn take_over(&self) {
        let (here, now) = (self.here(), now_ns());
        let mine = self.queue(here).map_or(0, |q| q.waits(now));
        for (i, queue) in self.queues.iter().enumerate() {
            if i == usize::from(here) || queue.len.load(Ordering::Relaxed) <= 0 {
                continue;
            }
            if !queue.is_left(now) && queue.waits(now) <= STARVED_NS.saturating_add(mine.saturating_mul(2)) {
                continue;
            }
            self.inhabited.fetch_and(!(1 << i), Ordering::Relaxed);
            let left = {
                let mut waiting = queue.tagged.lock();
                queue.first_at.store(0, Ordering::Relaxed);
                std::mem::take(&mut *waiting)
            };
            let n = left.len() as i64;
            queue.len.fetch_sub(n, Ordering::Relaxed);
            probe::add(Counter::SchedMoves, n as u64);
            left.into_iter().for_each(|(tagged, at)| self.push(tag(untag(tagged).0, here), at));
            self.len.fetch_sub(n, Ordering::SeqCst);
        }
    }

    /// This thread has just put all that could be read into the queues.
    pub(super) fn note_look(&self) {
        let bit = 1 << self.here();
        if self.inhabited.load(Ordering::Relaxed) & bit == 0 {
            self.inhabited.fetch_or(bit, Ordering::Relaxed);
        }
        SWITCHES.set(sys::thread::switches());
    }

    /// If all that has become readable since [`Homes::note_look`] was sent from other CPUs: the home this one is, and the one to try instead.
    pub(super) fn sent_elsewhere(&self) -> Option<(u8, u8)> {
        let here = self.here();
        let others = self.inhabited.load(Ordering::Relaxed) & !(1 << here);
        if others == 0 || SWITCHES.get() != sys::thread::switches() {
            return None;
        }
        let next = others.rotate_right(u32::from(here)).trailing_zeros() as usize + usize::from(here);
        Some((here, (next % MOST) as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other tests change the process's run tokens meanwhile.
    static ALWAYS: AtomicBool = AtomicBool::new(true);

    /// Where this thread is not, and does not come either if there are fewer CPUs than queues.
    fn elsewhere(h: &Homes) -> u8 {
        let last = h.queues.len() - 1;
        (if usize::from(h.here()) == last { 0 } else { last }) as u8
    }

    #[test]
    fn nothing_is_lost_and_order_is_kept() {
        let h = Homes::with(4, &ALWAYS);
        assert_eq!((h.len(), h.pop(), h.has_some_here()), (0, None, false));
        for id in 0..40 {
            h.push(tag(id, (id % 4) as u8), id + 1);
        }
        assert_eq!(h.len(), 40);
        let mut got: Vec<_> = std::iter::from_fn(|| h.pop().map(untag)).collect();
        for home in 0..4 {
            let own: Vec<_> = got.iter().filter(|(_, h)| *h == home).map(|(id, _)| *id).collect();
            assert!(own.is_sorted() && own.len() == 10, "{own:?}");
        }
        got.sort_unstable();
        assert_eq!(got, (0..40).map(|id| (id, (id % 4) as u8)).collect::<Vec<_>>());
        assert_eq!((h.len(), h.pop()), (0, None));
    }

    #[test]
    fn a_queue_left_alone_is_taken_over() {
        // The thread may be moved between two calls: then a round shows nothing, and another is tried.
        let round = || {
            let h = Homes::with(64, &ALWAYS);
            let away = elsewhere(&h);
            (1..=3).for_each(|id| h.push(tag(id, away), now_ns()));
            assert_eq!(h.pop_here(), None, "not at home here");
            h.take_over();
            h.take_over();
            // its thread comes: it is not left alone
            assert_eq!(h.queue(away).and_then(|q| h.pop_from(q)), Some(tag(1, away)));
            h.take_over();
            let kept = !h.has_some_here();
            std::thread::sleep(std::time::Duration::from_nanos(2 * LEFT_NS));
            h.take_over();
            let got: Vec<_> = std::iter::from_fn(|| h.pop_here().map(untag)).collect();
            assert_eq!(h.len(), 2 - got.len() as i64);
            kept && got == [(2, h.here()), (3, h.here())]
        };
        assert!((0..100).any(|_| round()));
    }

    #[test]
    fn who_starves_is_taken_over_though_one_is_taken_now_and_then() {
        let round = || {
            let h = Homes::with(64, &ALWAYS);
            let away = elsewhere(&h);
            let now = now_ns();
            (1..=9).for_each(|id| h.push(tag(id, away), now - STARVED_NS - id));
            let one = |h: &Homes| h.queue(away).and_then(|q| h.pop_from(q)).is_some();
            h.push(tag(20, h.here()), now - STARVED_NS);
            h.take_over();
            let kept = one(&h);
            h.take_over();
            let kept = kept && one(&h) && h.pop_here().map(untag) == Some((20, h.here()));
            h.take_over();
            kept && h.len() == 7 && h.has_some_here() && !one(&h)
        };
        assert!((0..100).any(|_| round()), "the thread may be moved in some of them");
    }

    #[test]
    fn a_break_is_no_evidence() {
        let h = Homes::with(64, &ALWAYS);
        let round = || {
            h.inhabited.store(u64::MAX, Ordering::Relaxed);
            h.note_look();
            let found = h.sent_elsewhere();
            std::thread::sleep(std::time::Duration::from_millis(2));
            assert_eq!(h.sent_elsewhere(), None, "the CPU was given up");
            found.is_some_and(|(here, next)| next == (here + 1) % 64)
        };
        assert!((0..100).any(|_| round()));
        h.inhabited.store(0, Ordering::Relaxed);
        h.note_look();
        assert_eq!(h.inhabited.load(Ordering::Relaxed).count_ones(), 1, "where we are");
    }
}
