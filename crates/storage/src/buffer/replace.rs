//! Replacement: a free list and two CLOCK rings, with the meaning of InnoDB's midpoint LRU.
//!
//! * Until the free list was empty for the first time pages go to both rings as they come, `innodb_old_blocks_pct` of
//!   them to probation: with main empty the whole pool would be a queue, and whoever reads a little more than it in a
//!   loop (a table of 1.1 pools) would never find anything. From then on those of main that came so are *unproven*: at
//!   each 64th victim the first of them is looked at, and goes to probation if nobody used it.
//! * Later a page enters the *probation* ring ("old"). A touch counts only from `innodb_old_blocks_time` after its first
//!   touch on (a scan touches a page once per row within moments; that is not reuse). The touch then sets a mark, once.
//! * The hand takes from probation while that holds more than `innodb_old_blocks_pct` of the pool: a marked page moves
//!   to the *main* ring ("young"), an unmarked one is the victim.
//! * Otherwise it takes from main: a page referenced since the last time goes round again (counter up to 3), the rest
//!   move back to probation with their age, so that the next touch counts at once.
//! * Until the free list was empty for the first time no touch writes anything.
//! * What views call *old* is what InnoDB does: the `innodb_old_blocks_pct` percent of the pages that are replaced
//!   first ([`Rings::old_count`]). Before a scan has met pages worth keeping the probation ring may be longer than that.
//!
//! So a full scan of any length runs through probation and leaves main alone, apart from what filled the pool and was
//! not used since. One mutex guards lists; it is taken on misses, evictions and by the cleaner, never on a hit.
//! Measured beside LRU, InnoDB's list, CLOCK and S3-FIFO by `hit_rates` (docs/hit-rates.md).

mod size;

use super::frame::{Frame, Frames};
use latch::{Condvar, Mutex, MutexGuard, classes};
use probe::Counter;
use std::collections::VecDeque;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::Thread;
use sys::clock::Deadline;

const FREE: u8 = 0;
const PROBATION: u8 = 1;
pub(super) const MAIN: u8 = 2;
/// In no list: the pool was made smaller.
pub(super) const RETIRED: u8 = 3;
const MAX_REFS: u8 = 3;

/// Dirty or latched frames at the cold end of the probation ring that a search for a victim passes over at most; the page cleaner
/// writes those first, and a search that finds only such waits for it.
const PASS_OVER: usize = 128;
/// Steps of a search before others get the mutex.
const STEPS: usize = 1024;

/// Victims between two looks at an unproven page of main. Rare, so that a loop over several pools comes round to most
/// of them first; and without it a pool that was filled by a load nobody reads again would keep that as long as pages
/// go through probation faster than `innodb_old_blocks_time` (none moves to main then, and none pushes those out).
const LOOK_EVERY: u32 = 64;

/// What [`Rings::take`] found.
pub(super) enum Taken {
    /// Empty.
    Free(u32),
    /// With a page that may be evicted if it is still clean and can be latched.
    Victim(u32),
}

/// How a part of a search ended.
enum Search {
    Found(u32),
    Nothing,
    Unfinished,
}

struct Lists {
    free: Vec<u32>,
    probation: VecDeque<u32>,
    main: VecDeque<u32>,
    /// So many at the front of `main` have been there since the pool was full for the first time.
    unproven: usize,
    victims: u32,
}

impl Lists {
    /// Main's first page goes round again, or to probation if it was not used. False: there is none.
    fn turn_main(&mut self, frames: &Frames) -> bool {
        let Some(f) = self.main.pop_front() else { return false };
        self.unproven = self.unproven.saturating_sub(1);
        let frame = frames.get(f);
        let refs = frame.refs.load(Ordering::Relaxed);
        if refs > 0 && frame.id().to_u64() != 0 {
            frame.refs.store(refs.min(MAX_REFS) - 1, Ordering::Relaxed);
            self.main.push_back(f);
        } else {
            frame.ring.store(PROBATION, Ordering::Relaxed);
            self.probation.push_back(f);
        }
        true
    }

    /// A victim was found.
    fn count_victim(&mut self, frames: &Frames) {
        self.victims = self.victims.wrapping_add(1);
        if self.unproven > 0 && self.victims.is_multiple_of(LOOK_EVERY) {
            self.turn_main(frames);
        }
    }
}

pub(super) struct Rings {
    lists: Mutex<Lists>,
    /// Threads that wait for a free frame; changes under the lists' mutex.
    sleepers: AtomicU32,
    freed: Condvar,
    /// Woken when so few frames are free.
    cleaner: OnceLock<Thread>,
    low_water: AtomicU32,
    /// Frames from here on are not used any more: the pool's size. Changes under the lists' mutex.
    limit: AtomicU32,
    /// Touches are tracked once the pool has been full.
    tracking: AtomicBool,
    pub(super) old_pct: AtomicU32,
    pub(super) old_time: AtomicU32,
}

impl Rings {
    pub(super) fn new(frames: u32, old_pct: u32, old_time: u32) -> Rings {
        let (probation, main) = (VecDeque::new(), VecDeque::new());
        let lists = Lists { free: (0..frames).rev().collect(), probation, main, unproven: 0, victims: 0 };
        Rings {
            lists: Mutex::new(&classes::BUF_RINGS, lists),
            sleepers: AtomicU32::new(0),
            freed: Condvar::new(),
            cleaner: OnceLock::new(),
            low_water: AtomicU32::new(0),
            limit: AtomicU32::new(frames),
            tracking: AtomicBool::new(false),
            old_pct: AtomicU32::new(old_pct.clamp(5, 95)),
            old_time: AtomicU32::new(old_time),
        }
    }

    /// A hit. Writes the frame's header only when something changes.
    #[inline]
    pub(super) fn touch(&self, frame: &Frame, now_ms: &AtomicU32) {
        if !self.tracking.load(Ordering::Relaxed) {
            return;
        }
        let refs = frame.refs.load(Ordering::Relaxed);
        match frame.ring.load(Ordering::Relaxed) {
            MAIN if refs == 0 => frame.refs.store(1, Ordering::Relaxed),
            PROBATION if refs == 0 => {
                let age = now_ms.load(Ordering::Relaxed).wrapping_sub(frame.first_touch.load(Ordering::Relaxed));
                if age >= self.old_time.load(Ordering::Relaxed) {
                    frame.refs.store(1, Ordering::Relaxed);
                } else {
                    probe::inc(Counter::InnodbBufferPoolPagesMadeNotYoung);
                }
            }
            _ => {}
        }
    }

    /// A free frame or, with `search`, the next victim: popped, and the caller's until pushed back or freed.
    pub(super) fn take(&self, frames: &Frames, search: bool) -> Option<Taken> {
        let mut l = self.lists.lock();
        if let Some(f) = l.free.pop() {
            let short = l.free.len() == self.low_water.load(Ordering::Relaxed) as usize;
            drop(l);
            if short
                && self.has_been_full()
                && let Some(t) = self.cleaner.get()
            {
                t.unpark();
            }
            return Some(Taken::Free(f));
        }
        if !self.tracking.load(Ordering::Relaxed) {
            l.unproven = l.main.len();
            self.tracking.store(true, Ordering::Relaxed);
        }
        if search { self.search(l, frames).map(Taken::Victim) } else { None }
    }

    /// The next victim, whether frames are free or not.
    pub(super) fn victim(&self, frames: &Frames) -> Option<u32> {
        self.search(self.lists.lock(), frames)
    }

    pub(super) fn set_cleaner(&self, thread: Thread, low_water: usize) {
        self.low_water.store(low_water as u32, Ordering::Relaxed);
        let _ = self.cleaner.set(thread);
    }

    /// The pool's size in frames.
    pub(super) fn limit(&self) -> u32 {
        self.limit.load(Ordering::Acquire)
    }

    /// An empty frame of which nobody knows: free, or retired when it lies above the limit.
    pub(super) fn put_free(&self, frame: &Frame, f: u32) {
        let mut l = self.lists.lock();
        if f < self.limit() {
            l.free.push(f);
            drop(l);
            self.wake_one();
        } else {
            frame.ring.store(RETIRED, Ordering::Relaxed);
        }
    }

    /// Threads in [`Rings::wait_for_free`].
    pub(super) fn sleepers(&self) -> usize {
        self.sleepers.load(Ordering::Relaxed) as usize
    }

    /// Wakes one of them.
    pub(super) fn wake_one(&self) {
        if self.sleepers() > 0 {
            self.freed.notify_one();
        }
    }

    /// Sleeps until a frame is put on the free list (one sleeper for each), at most until the deadline.
    pub(super) fn wait_for_free(&self, until: Deadline) {
        let mut l = self.lists.lock();
        if l.free.is_empty() {
            self.sleepers.fetch_add(1, Ordering::Relaxed);
            self.freed.wait(&mut l, until);
            self.sleepers.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub(super) fn has_been_full(&self) -> bool {
        self.tracking.load(Ordering::Relaxed)
    }

    pub(super) fn free_count(&self) -> usize {
        self.lists.lock().free.len()
    }

    /// (free, old, young)
    pub(super) fn counts(&self) -> (usize, usize, usize) {
        let l = self.lists.lock();
        let old = self.old_count(&l);
        (l.free.len(), old, l.probation.len() + l.main.len() - old)
    }

    /// How many of the pages that are replaced first are old.
    fn old_count(&self, l: &Lists) -> usize {
        let pages = l.probation.len() + l.main.len();
        let target = pages as u64 * u64::from(self.old_pct.load(Ordering::Relaxed)) / 100;
        (target as usize).min(l.probation.len())
    }

    /// The frames of the old part.
    pub(super) fn old(&self) -> Vec<u32> {
        let l = self.lists.lock();
        l.probation.iter().take(self.old_count(&l)).copied().collect()
    }

    /// All frames of both rings, in the order in which the hand would come to them.
    pub(super) fn order(&self) -> Vec<u32> {
        let l = self.lists.lock();
        l.probation.iter().chain(&l.main).copied().collect()
    }

    /// A page just claimed.
    pub(super) fn enter(&self, frame: &Frame, f: u32, now_ms: u32) {
        frame.refs.store(0, Ordering::Relaxed);
        frame.first_touch.store(now_ms, Ordering::Relaxed);
        let mut l = self.lists.lock();
        let pages = (l.probation.len() + l.main.len() + 1) as u64;
        let old = pages * u64::from(self.old_pct.load(Ordering::Relaxed)) / 100;
        if !self.has_been_full() && l.probation.len() as u64 >= old {
            frame.ring.store(MAIN, Ordering::Relaxed);
            l.main.push_back(f);
        } else {
            frame.ring.store(PROBATION, Ordering::Relaxed);
            l.probation.push_back(f);
        }
    }

    /// A frame just emptied (its owner has popped it from its ring).
    pub(super) fn leave(&self, frame: &Frame) {
        frame.ring.store(FREE, Ordering::Relaxed);
        frame.refs.store(0, Ordering::Relaxed);
    }

    /// Puts a popped frame that could not be evicted back.
    pub(super) fn push_back(&self, frame: &Frame, f: u32) {
        let mut l = self.lists.lock();
        if frame.ring.load(Ordering::Relaxed) == MAIN { l.main.push_back(f) } else { l.probation.push_back(f) }
    }

    /// Of the next `8 * max` frames that the hand would meet at most `max` for which `wanted` holds; nothing moves.
    pub(super) fn next_candidates(&self, max: usize, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let l = self.lists.lock();
        l.probation.iter().chain(&l.main).take(8 * max).copied().filter(|f| wanted(*f)).take(max).collect()
    }

    /// Pops the next candidate; `None`: all within reach are dirty or latched. A search that ran out of steps met pages
    /// that were used since the hand was there last, and has cleared their marks: it goes on (once round both rings is
    /// enough unless they are used as fast), or whoever needs a frame would sleep though nothing has to be written.
    fn search<'a>(&'a self, mut l: MutexGuard<'a, Lists>, frames: &Frames) -> Option<u32> {
        for _ in 0..2 + 2 * frames.len() / STEPS {
            match self.search_part(l, frames) {
                Search::Found(f) => return Some(f),
                Search::Nothing => return None,
                Search::Unfinished => l = self.lists.lock(),
            }
        }
        None
    }

    /// [`STEPS`] of a search. Dirty and latched pages at the cold end are passed over and stay there, where the cleaner
    /// finds them.
    fn search_part(&self, mut l: MutexGuard<'_, Lists>, frames: &Frames) -> Search {
        let target = (self.limit() as u64 * self.old_pct.load(Ordering::Relaxed) as u64 / 100) as usize;
        let (mut made_young, mut at, mut found) = (0, 0, Search::Unfinished);
        for _ in 0..STEPS {
            // A short ring may be dirty throughout: then main gives more.
            if l.main.is_empty() || (l.probation.len() > target && at < l.probation.len()) {
                let Some(&f) = l.probation.get(at).filter(|_| at < PASS_OVER) else {
                    found = Search::Nothing;
                    break;
                };
                let frame = frames.get(f);
                if frame.id().to_u64() == 0
                    || (frame.refs.load(Ordering::Relaxed) == 0 && !frame.is_dirty() && frame.latch.is_free())
                {
                    l.probation.remove(at);
                    found = Search::Found(f);
                    l.count_victim(frames);
                    break;
                }
                if frame.refs.load(Ordering::Relaxed) == 0 {
                    at += 1;
                    continue;
                }
                l.probation.remove(at);
                frame.refs.store(0, Ordering::Relaxed);
                frame.ring.store(MAIN, Ordering::Relaxed);
                l.main.push_back(f);
                made_young += 1;
            } else if !l.turn_main(frames) {
                found = Search::Nothing;
                break;
            }
        }
        drop(l);
        if made_young > 0 {
            probe::add(Counter::InnodbBufferPoolPagesMadeYoung, made_young);
        }
        found
    }
}
