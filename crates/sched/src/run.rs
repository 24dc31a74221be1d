//! Run tokens of the server: [`enter`] at the start of a statement, given back around every sleep.
//!
//! While the server has no more sessions than tokens, tokens cannot run out, so none are counted: `LIMITED` is false and `enter` reads
//! one word that nobody writes. A session that entered then runs on without a token when the limit sets in; that is short and bounded.

use crate::session::with_current;
use crate::tokens::TokenPool;
use latch::order;
use probe::{Counter, Gauge, WaitClass};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use sys::clock::now_ns;

static POOL: TokenPool = TokenPool::new(2);
static TOKENS: AtomicU64 = AtomicU64::new(2);
static SESSIONS: AtomicU64 = AtomicU64::new(0);
static LIMITED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread has a token of the pool.
    static HELD: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn session_added() {
    SESSIONS.fetch_add(1, Ordering::Relaxed);
    update();
}

pub(crate) fn session_removed() {
    SESSIONS.fetch_sub(1, Ordering::Relaxed);
    update();
}

/// Called by the monitor.
pub(crate) fn set_tokens(n: u32) {
    if TOKENS.swap(u64::from(n), Ordering::Relaxed) != u64::from(n) {
        POOL.resize(n);
    }
    update();
    let (total, free, waiting) = POOL.counts();
    Gauge::RunTokens.set(total as i64);
    Gauge::RunTokensFree.set(free as i64);
    Gauge::RunQueue.set(waiting as i64);
}

fn update() {
    let limited = SESSIONS.load(Ordering::Relaxed) > TOKENS.load(Ordering::Relaxed);
    if LIMITED.load(Ordering::Relaxed) != limited {
        LIMITED.store(limited, Ordering::Relaxed);
    }
}

/// Tokens in all, tokens left, sessions waiting for one.
pub fn token_counts() -> (u64, u64, u64) {
    POOL.counts()
}

/// A statement is running; dropped when it ends.
#[must_use]
#[derive(Debug)]
pub struct RunGuard(std::marker::PhantomData<*const ()>);

/// Takes a run token for a statement of this thread, waiting for it if need be (sessions inside a transaction go first). Nested calls
/// (a statement inside a stored program) take nothing.
#[inline]
pub fn enter() -> RunGuard {
    acquire();
    RunGuard(std::marker::PhantomData)
}

impl Drop for RunGuard {
    #[inline]
    fn drop(&mut self) {
        release();
    }
}

#[inline]
fn acquire() {
    if LIMITED.load(Ordering::Relaxed) && !HELD.get() {
        take();
    }
}

#[cold]
fn take() {
    let inside = with_current(|s| s.is_some_and(|s| s.in_transaction()));
    if POOL.take(inside) {
        probe::inc(Counter::SchedTokenWaits);
    }
    HELD.set(true);
}

#[inline]
fn release() {
    if HELD.replace(false) {
        POOL.give();
    }
}

/// Runs `f`, which sleeps in the kernel (socket, file), without a run token, and counts the time under `class`.
pub fn blocking_wait<R>(class: WaitClass, f: impl FnOnce() -> R) -> R {
    suspend(class, f)
}

/// Whether a thread may hold page latches while it waits for this: reading a page into the frame it has latched, and I/O.
fn may_hold_latches(class: WaitClass) -> bool {
    use WaitClass::{DataSync, FreeFrame, LogSync, LogWrite, PageRead, PageWrite, TempFile};
    matches!(class, PageRead | PageWrite | FreeFrame | LogWrite | LogSync | DataSync | TempFile)
}

pub(crate) fn suspend<R>(class: WaitClass, f: impl FnOnce() -> R) -> R {
    /// Takes the token again and tells the processlist, also when `f` panics.
    struct Resume {
        class: WaitClass,
        since: u64,
        held: bool,
    }
    impl Drop for Resume {
        fn drop(&mut self) {
            self.class.record(now_ns().saturating_sub(self.since));
            with_current(|s| {
                if let Some(s) = s {
                    s.note_running();
                }
            });
            if self.held {
                acquire();
            }
        }
    }
    if !may_hold_latches(class) {
        order::assert_none_held(class.name());
    }
    let held = HELD.get();
    release();
    let since = now_ns();
    with_current(|s| {
        if let Some(s) = s {
            s.note_waiting(class, since);
        }
    });
    let _resume = Resume { class, since, held };
    f()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU32;
    use std::time::Duration;

    /// Many sessions: those that run at once stay near the tokens, and a sleeping statement does not hold one.
    #[test]
    fn statements_are_limited_and_sleepers_do_not_count() {
        set_tokens(2);
        let (running, most) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let sessions: Vec<_> = (0..8).map(|i| Session::new(100 + i)).collect();
        let threads: Vec<_> = sessions
            .iter()
            .map(|s| {
                let (s, running, most) = (s.clone(), running.clone(), most.clone());
                std::thread::spawn(move || {
                    let _a = s.attach();
                    for n in 0..50 {
                        let _run = enter();
                        most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::yield_now();
                        running.fetch_sub(1, Ordering::SeqCst);
                        if n % 10 == 0 {
                            blocking_wait(WaitClass::PageRead, || std::thread::sleep(Duration::from_millis(1)));
                        }
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
        assert!(most.load(Ordering::SeqCst) <= 2, "{most:?}");
        drop(sessions);
        assert_eq!(token_counts().2, 0);
    }
}
