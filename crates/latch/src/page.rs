//! [`PageLatch`]: one word, three ways to read. Also the engine under [`crate::Mutex`] and [`crate::RwLock`].
//!
//! ```text
//!  63 ............ 16 | 15    | 14     | 13   | 12 .. 0
//!  version            | WAITX | PARKED | EXCL | number of shared holders
//! ```
//! * shared: one CAS to take, one subtraction to release. Exclusive: the same; the release adds 1 to the version.
//! * optimistic: read [`PageLatch::version`], copy bytes out by atomic loads, [`PageLatch::validate`]; nothing is written. What was
//!   copied must not be used before it validated, and never as a reference into the page.
//! * PARKED: somebody sleeps in the lot, so a release that frees the latch must look there. WAITX: one of them wants it
//!   exclusively, so new readers queue behind. Both are set before parking and cleared under the lot's bucket lock when the
//!   queue is empty; a sleeper re-checks them under the same lock, so no wake-up is lost (modelled in `loom_tests`).
//! * A release wakes one writer, or all readers at the head of the queue. Readers get the latch handed to them; a writer is
//!   woken to try (others may overtake it) unless it has waited longer than [`HANDOFF_NS`]: then it gets the latch itself.
//!
//! A thread must not take shared what it already holds: with a writer waiting it would wait for itself.

use crate::class::{LatchClass, classes};
use crate::lot::{self, Op, Wake};
use crate::order;
use crate::spin::{Look, spin};
use crate::sync::{AtomicU64, Ordering, fence};
use std::cell::Cell;

/// A waiter older than this gets the latch handed over. Nanoseconds.
pub const HANDOFF_NS: u64 = 1_000_000;

const COUNT: u64 = (1 << 13) - 1;
const EXCL: u64 = 1 << 13;
const PARKED: u64 = 1 << 14;
const WAITX: u64 = 1 << 15;
const VERSION_SHIFT: u32 = 16;
const VERSION_ONE: u64 = 1 << VERSION_SHIFT;

/// Lowest bit of a park token: the waiter wants it exclusively. The rest is when it began to wait (ns), never 0.
const TOKEN_EXCL: usize = 1;

/// See the module. `Default` and [`PageLatch::new`] give an unlocked latch at version 0.
pub struct PageLatch {
    word: AtomicU64,
}

#[inline]
fn can_share(w: u64) -> bool {
    w & (EXCL | WAITX) == 0 && w & COUNT < COUNT
}

#[inline]
fn can_exclude(w: u64) -> bool {
    w & (EXCL | COUNT) == 0
}

impl Default for PageLatch {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for PageLatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let w = self.word.load(Ordering::Relaxed);
        write!(
            f,
            "PageLatch(v{}, shared {}{}{})",
            w >> VERSION_SHIFT,
            w & COUNT,
            if w & EXCL != 0 { ", exclusive" } else { "" },
            if w & PARKED != 0 { ", waiters" } else { "" }
        )
    }
}

impl PageLatch {
    /// Unlocked.
    #[cfg(not(loom))]
    pub const fn new() -> PageLatch {
        PageLatch { word: AtomicU64::new(0) }
    }
    /// Unlocked.
    #[cfg(loom)]
    pub fn new() -> PageLatch {
        PageLatch { word: AtomicU64::new(0) }
    }

    // ---- shared ----

    /// Takes it shared, waiting if need be.
    #[inline]
    pub fn lock_shared(&self) {
        self.lock_shared_as(&classes::PAGE);
    }
    /// As [`PageLatch::lock_shared`] counted under another class.
    #[inline]
    pub fn lock_shared_as(&self, class: &'static LatchClass) {
        order::check(class);
        let w = self.word.load(Ordering::Relaxed);
        if !can_share(w) || self.word.compare_exchange_weak(w, w + 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.lock_shared_slow(class);
        }
        order::acquired(class);
    }
    /// Takes it shared if that is possible at once.
    #[inline]
    pub fn try_lock_shared(&self) -> bool {
        self.try_lock_shared_as(&classes::PAGE)
    }
    /// As [`PageLatch::try_lock_shared`] under another class.
    #[inline]
    pub fn try_lock_shared_as(&self, class: &'static LatchClass) -> bool {
        let mut w = self.word.load(Ordering::Relaxed);
        while can_share(w) {
            match self.word.compare_exchange_weak(w, w + 1, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => {
                    order::acquired(class);
                    return true;
                }
                Err(now) => w = now,
            }
        }
        false
    }
    /// Releases one shared hold.
    #[inline]
    pub fn unlock_shared(&self) {
        self.unlock_shared_as(&classes::PAGE);
    }
    /// As [`PageLatch::unlock_shared`] under another class.
    #[inline]
    pub fn unlock_shared_as(&self, class: &'static LatchClass) {
        order::released(class);
        let old = self.word.fetch_sub(1, Ordering::Release);
        debug_assert!(old & COUNT != 0 && old & EXCL == 0, "unlock_shared of a latch that is not shared");
        if old & PARKED != 0 && old & COUNT == 1 {
            self.wake(class);
        }
    }

    // ---- exclusive ----

    /// Takes it exclusively, waiting if need be.
    #[inline]
    pub fn lock_exclusive(&self) {
        self.lock_exclusive_as(&classes::PAGE);
    }
    /// As [`PageLatch::lock_exclusive`] counted under another class.
    #[inline]
    pub fn lock_exclusive_as(&self, class: &'static LatchClass) {
        order::check(class);
        let w = self.word.load(Ordering::Relaxed);
        if !can_exclude(w)
            || self.word.compare_exchange_weak(w, w | EXCL, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            self.lock_exclusive_slow(class);
        }
        // An optimistic reader that sees a byte written from here on must also see EXCL when it validates.
        fence(Ordering::Release);
        order::acquired(class);
    }
    /// Takes it exclusively if that is possible at once.
    #[inline]
    pub fn try_lock_exclusive(&self) -> bool {
        self.try_lock_exclusive_as(&classes::PAGE)
    }
    /// As [`PageLatch::try_lock_exclusive`] under another class.
    #[inline]
    pub fn try_lock_exclusive_as(&self, class: &'static LatchClass) -> bool {
        let mut w = self.word.load(Ordering::Relaxed);
        while can_exclude(w) {
            match self.word.compare_exchange_weak(w, w | EXCL, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => {
                    fence(Ordering::Release);
                    order::acquired(class);
                    return true;
                }
                Err(now) => w = now,
            }
        }
        false
    }
    /// Releases and adds 1 to the version.
    #[inline]
    pub fn unlock_exclusive(&self) {
        self.unlock_exclusive_as(&classes::PAGE);
    }
    /// As [`PageLatch::unlock_exclusive`] under another class.
    #[inline]
    pub fn unlock_exclusive_as(&self, class: &'static LatchClass) {
        self.release(VERSION_ONE.wrapping_sub(EXCL), class);
    }
    /// Releases without a new version: only if nothing below the latch was changed. Spares optimistic readers a restart.
    #[inline]
    pub fn unlock_exclusive_unchanged(&self) {
        self.release(0u64.wrapping_sub(EXCL), &classes::PAGE);
    }

    #[inline]
    fn release(&self, delta: u64, class: &'static LatchClass) {
        order::released(class);
        let old = self.word.fetch_add(delta, Ordering::Release);
        debug_assert!(old & EXCL != 0, "unlock_exclusive of a latch that is not exclusive");
        if old & PARKED != 0 {
            self.wake(class);
        }
    }

    // ---- changes of mode ----

    /// Shared to exclusive if the caller is the only holder; otherwise nothing changes and it stays shared. Never waits (two
    /// waiting upgraders would wait for each other).
    #[inline]
    pub fn try_upgrade(&self) -> bool {
        let mut w = self.word.load(Ordering::Relaxed);
        while w & COUNT == 1 {
            match self.word.compare_exchange_weak(w, (w - 1) | EXCL, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => {
                    fence(Ordering::Release);
                    return true;
                }
                Err(now) => w = now,
            }
        }
        false
    }
    /// Exclusive to shared, with a new version; waiting readers may come in.
    #[inline]
    pub fn downgrade(&self) {
        let old = self.word.fetch_add(VERSION_ONE.wrapping_sub(EXCL).wrapping_add(1), Ordering::Release);
        debug_assert!(old & EXCL != 0, "downgrade of a latch that is not exclusive");
        if old & PARKED != 0 {
            self.wake(&classes::PAGE);
        }
    }

    // ---- optimistic ----

    /// The version to read under, or `None` while a writer holds the latch.
    #[inline]
    pub fn version(&self) -> Option<u64> {
        let w = self.word.load(Ordering::Acquire);
        if w & EXCL == 0 { Some(w >> VERSION_SHIFT) } else { None }
    }
    /// Whether all atomic loads made since [`PageLatch::version`] returned `v` saw one state.
    #[inline]
    #[must_use]
    pub fn validate(&self, v: u64) -> bool {
        fence(Ordering::Acquire);
        let w = self.word.load(Ordering::Relaxed);
        w & EXCL == 0 && w >> VERSION_SHIFT == v
    }
    /// Takes it shared if it still has version `v`, without waiting.
    #[inline]
    pub fn try_lock_shared_at(&self, v: u64) -> bool {
        if !self.try_lock_shared() {
            return false;
        }
        // Holding it shared keeps the version from changing, so a look afterwards is enough.
        if self.word.load(Ordering::Relaxed) >> VERSION_SHIFT == v {
            return true;
        }
        self.unlock_shared();
        false
    }
    /// Takes it exclusively if it still has version `v`, without waiting.
    #[inline]
    pub fn try_lock_exclusive_at(&self, v: u64) -> bool {
        if !self.try_lock_exclusive() {
            return false;
        }
        if self.word.load(Ordering::Relaxed) >> VERSION_SHIFT == v {
            return true;
        }
        self.unlock_exclusive_unchanged();
        false
    }

    // ---- questions (for assertions and views; stale as soon as answered) ----

    /// Whether somebody holds it exclusively.
    pub fn is_exclusive(&self) -> bool {
        self.word.load(Ordering::Relaxed) & EXCL != 0
    }
    /// Number of shared holders.
    pub fn shared_holders(&self) -> u64 {
        self.word.load(Ordering::Relaxed) & COUNT
    }
    /// Whether nobody holds it. A holder is also a pin: the buffer pool evicts only what it could take exclusively.
    pub fn is_free(&self) -> bool {
        can_exclude(self.word.load(Ordering::Relaxed))
    }
    /// Whether somebody sleeps for it.
    pub fn has_waiters(&self) -> bool {
        self.word.load(Ordering::Relaxed) & PARKED != 0
    }

    // ---- slow paths ----

    fn key(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    #[cold]
    #[inline(never)]
    fn lock_shared_slow(&self, class: &'static LatchClass) {
        self.wait(class, 0, PARKED, can_share, |w| w + 1);
    }

    #[cold]
    #[inline(never)]
    fn lock_exclusive_slow(&self, class: &'static LatchClass) {
        self.wait(class, TOKEN_EXCL, PARKED | WAITX, can_exclude, |w| w | EXCL);
    }

    /// Takes the latch: `free` says whether a word permits it, `take` changes the word. Spins once, then parks until it has it.
    fn wait(
        &self,
        class: &'static LatchClass,
        mode: usize,
        flags: u64,
        free: fn(u64) -> bool,
        take: impl Fn(u64) -> u64,
    ) {
        let mut spun = false;
        let mut since = 0;
        loop {
            let w = self.word.load(Ordering::Relaxed);
            if free(w) {
                if self.word.compare_exchange_weak(w, take(w), Ordering::Acquire, Ordering::Relaxed).is_ok() {
                    break;
                }
                continue;
            }
            if !spun {
                spun = true;
                let look = || match self.word.load(Ordering::Relaxed) {
                    w if free(w) => Look::Free,
                    w if w & PARKED != 0 => Look::GiveUp,
                    _ => Look::Busy,
                };
                if spin(class, self.key(), mode & TOKEN_EXCL == 0, look) {
                    continue;
                }
            }
            if w & flags != flags
                && self.word.compare_exchange_weak(w, w | flags, Ordering::Relaxed, Ordering::Relaxed).is_err()
            {
                continue;
            }
            if since == 0 {
                since = clock();
            }
            let still = || {
                let w = self.word.load(Ordering::Relaxed);
                w & flags == flags && !free(w)
            };
            if lot::park(self.key(), token(since, mode), still) == Wake::Granted {
                break;
            }
        }
        if since != 0 {
            class.waited(self.key(), clock().saturating_sub(since));
            if mode & TOKEN_EXCL == 0 {
                class.shared.os_waits.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        }
    }

    /// Called by whoever freed the latch while PARKED was set.
    #[cold]
    #[inline(never)]
    fn wake(&self, class: &'static LatchClass) {
        let now = clock();
        // What has been decided about the threads before the present one in the queue.
        let decided = Cell::new(Decided::Nothing);
        let decide = |t: usize| {
            loop {
                let w = self.word.load(Ordering::Relaxed);
                let (to, then) = match decided.get() {
                    Decided::Nothing | Decided::ReadersGranted if t & TOKEN_EXCL == 0 => {
                        if w & EXCL != 0 || w & COUNT == COUNT {
                            return Op::Stop; // somebody else has it by now and will come here on release
                        }
                        (w + 1, Decided::ReadersGranted)
                    }
                    Decided::Nothing if !can_exclude(w) => return Op::Stop,
                    Decided::Nothing if is_old(t, now) => (w | EXCL, Decided::WriterGranted),
                    Decided::Nothing => {
                        decided.set(Decided::WriterRetries);
                        return Op::Wake;
                    }
                    _ => return Op::Stop,
                };
                if self.word.compare_exchange_weak(w, to, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                    decided.set(then);
                    return Op::Wake;
                }
            }
        };
        lot::unpark(self.key(), decide, |more| {
            if !more {
                self.word.fetch_and(!(PARKED | WAITX), Ordering::Relaxed);
            }
            match decided.get() {
                Decided::ReadersGranted | Decided::WriterGranted => Wake::Granted,
                Decided::Nothing | Decided::WriterRetries => Wake::Retry,
            }
        });
        if matches!(decided.get(), Decided::WriterGranted) {
            class.handoffs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }
}

#[derive(Clone, Copy)]
enum Decided {
    Nothing,
    ReadersGranted,
    WriterGranted,
    WriterRetries,
}

fn token(since: u64, mode: usize) -> usize {
    ((since as usize) << 1) | mode
}

#[cfg(not(loom))]
fn clock() -> u64 {
    sys::clock::now_ns().max(1)
}

#[cfg(not(loom))]
fn is_old(token: usize, now: u64) -> bool {
    now.saturating_sub((token >> 1) as u64) > HANDOFF_NS
}

/// Loom has no time: ages are decided by a switch of the model.
#[cfg(loom)]
fn clock() -> u64 {
    1
}

#[cfg(loom)]
fn is_old(_token: usize, _now: u64) -> bool {
    crate::loom_tests::OLD.load(std::sync::atomic::Ordering::Relaxed)
}
