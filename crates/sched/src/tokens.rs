//! [`TokenPool`]: a counting semaphore with two queues. Taking and giving back cost one atomic operation while tokens are left.
//!
//! `free` = tokens left - waiters - debt. Whoever finds it not positive queues under the latch; whoever gives back into a negative
//! count hands its token to one waiter (or pays debt, which a shrinking pool leaves). A giver that comes between a taker's
//! subtraction and its queueing leaves a grant that the taker finds.
//!
//! Sessions inside a transaction go first, but after [`BYPASS`] of them in a row one of the others does.

use crate::WaitCell;
use latch::{Mutex, classes};
use probe::Counter;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Sessions inside a transaction that may go ahead of a waiting new statement.
pub const BYPASS: u32 = 8;

#[derive(Debug)]
struct Queues {
    inside: VecDeque<Arc<WaitCell>>,
    outside: VecDeque<Arc<WaitCell>>,
    grants: u64,
    debt: u64,
    streak: u32,
    total: u64,
}

/// See the module.
#[derive(Debug)]
pub struct TokenPool {
    free: AtomicI64,
    queues: Mutex<Queues>,
}

impl TokenPool {
    /// A pool of `n` tokens.
    pub const fn new(n: u32) -> TokenPool {
        TokenPool {
            free: AtomicI64::new(n as i64),
            queues: Mutex::new(
                &classes::SCHED,
                Queues {
                    inside: VecDeque::new(),
                    outside: VecDeque::new(),
                    grants: 0,
                    debt: 0,
                    streak: 0,
                    total: n as u64,
                },
            ),
        }
    }

    /// Takes a token, sleeping if there is none. `inside`: the session is inside a transaction. Returns whether it slept.
    #[inline]
    pub fn take(&self, inside: bool) -> bool {
        if self.free.fetch_sub(1, Ordering::Acquire) > 0 {
            return false;
        }
        self.take_slow(inside)
    }

    #[cold]
    fn take_slow(&self, inside: bool) -> bool {
        let cell = {
            let mut q = self.queues.lock();
            if q.grants > 0 {
                q.grants -= 1;
                return false;
            }
            let cell = Arc::new(WaitCell::new());
            if inside { &mut q.inside } else { &mut q.outside }.push_back(cell.clone());
            cell
        };
        cell.wait_bare();
        true
    }

    /// Gives one back.
    #[inline]
    pub fn give(&self) {
        if self.free.fetch_add(1, Ordering::Release) < 0 {
            self.give_slow();
        }
    }

    #[cold]
    fn give_slow(&self) {
        let next = {
            let mut q = self.queues.lock();
            if q.debt > 0 {
                q.debt -= 1;
                return;
            }
            let next = q.next();
            if next.is_none() {
                q.grants += 1;
            }
            next
        };
        if let Some(cell) = next {
            cell.wake(0);
        }
    }

    /// Changes the number of tokens; a smaller pool takes effect as tokens come back.
    pub fn resize(&self, n: u32) {
        let n = u64::from(n.max(1));
        let mut give = 0;
        {
            let mut q = self.queues.lock();
            if n > q.total {
                let more = n - q.total;
                let forgiven = more.min(q.debt);
                q.debt -= forgiven;
                self.free.fetch_add(forgiven as i64, Ordering::Release);
                give = more - forgiven;
            } else {
                let less = q.total - n;
                let before = self.free.fetch_sub(less as i64, Ordering::Acquire);
                // What was really free is gone at once, the rest is owed by those who run.
                q.debt += less - less.min(before.max(0) as u64);
            }
            q.total = n;
        }
        (0..give).for_each(|_| self.give());
    }

    /// Tokens in all, tokens left, sessions waiting.
    pub fn counts(&self) -> (u64, u64, u64) {
        let q = self.queues.lock();
        let free = self.free.load(Ordering::Relaxed).max(0) as u64;
        (q.total, free, (q.inside.len() + q.outside.len()) as u64)
    }
}

impl Queues {
    fn next(&mut self) -> Option<Arc<WaitCell>> {
        if !self.outside.is_empty() && (self.inside.is_empty() || self.streak >= BYPASS) {
            if !self.inside.is_empty() {
                probe::inc(Counter::SchedBypasses);
            }
            self.streak = 0;
            return self.outside.pop_front();
        }
        self.streak += 1;
        self.inside.pop_front()
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
