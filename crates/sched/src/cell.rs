//! [`WaitCell`]: one wait of one session, from before it is queued until it is woken, gives up or is interrupted.
//!
//! The cell decides races: the waker changes WAITING to a code, a waiter that gives up changes WAITING to CANCELLED, both by
//! compare-exchange, so exactly one of them wins. A waker that gets `false` must choose somebody else.

use crate::parker::Parker;
use crate::{Kill, Session, run};
use probe::WaitClass;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use sys::clock::{Deadline, now_ns};

const WAITING: u32 = u32::MAX;
const CANCELLED: u32 = u32::MAX - 1;

/// How a wait ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// By [`WaitCell::wake`] with this code.
    Woken(u32),
    /// The deadline was reached; later wakers get `false`.
    TimedOut,
    /// By KILL, statement timeout or shutdown; later wakers get `false`.
    Interrupted(Kill),
}

/// See the module. Put it (in an `Arc`) into the queue of what is waited for, release all latches, call [`WaitCell::wait`].
#[derive(Debug)]
pub struct WaitCell {
    state: AtomicU32,
    session: Arc<Session>,
}

impl Default for WaitCell {
    fn default() -> Self {
        Self::new()
    }
}

impl WaitCell {
    /// For the session of this thread.
    pub fn new() -> WaitCell {
        WaitCell { state: AtomicU32::new(WAITING), session: crate::current() }
    }

    /// The session that waits.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// Ends the wait with `code` (anything below `u32::MAX - 1`). False if it has already ended otherwise.
    pub fn wake(&self, code: u32) -> bool {
        debug_assert!(code < CANCELLED);
        let won = self.state.compare_exchange(WAITING, code, Ordering::AcqRel, Ordering::Acquire).is_ok();
        if won {
            self.parker().unpark();
        }
        won
    }

    /// Whether nobody has ended the wait yet.
    pub fn is_waiting(&self) -> bool {
        self.state.load(Ordering::Acquire) == WAITING
    }

    fn parker(&self) -> &Parker {
        self.session.parker()
    }

    fn result(&self) -> Option<u32> {
        match self.state.load(Ordering::Acquire) {
            WAITING | CANCELLED => None,
            code => Some(code),
        }
    }

    /// The waiter gives up; if somebody has woken it meanwhile, that counts.
    fn give_up(&self, otherwise: Waited) -> Waited {
        match self.state.compare_exchange(WAITING, CANCELLED, Ordering::AcqRel, Ordering::Acquire) {
            Err(code) if code != CANCELLED => Waited::Woken(code),
            _ => otherwise,
        }
    }

    /// Sleeps until woken, the deadline, or a kill. Lets another thread serve connections meanwhile and counts the wait if it really blocked.
    /// Must be called by the thread that made the cell, without latches.
    pub fn wait(&self, class: WaitClass, deadline: Deadline) -> Waited {
        self.wait_with(class, deadline, true)
    }

    /// As [`WaitCell::wait`] but deaf to KILL: for waits that must not fail (commit's log flush).
    pub fn wait_uninterruptible(&self, class: WaitClass) -> u32 {
        match self.wait_with(class, Deadline::NEVER, false) {
            Waited::Woken(code) => code,
            // Without deadline and deaf to kills there is no other end.
            Waited::TimedOut | Waited::Interrupted(_) => 0,
        }
    }

    fn wait_with(&self, class: WaitClass, deadline: Deadline, interruptible: bool) -> Waited {
        if let Some(code) = self.result() {
            return Waited::Woken(code);
        }
        run::blocking_wait(class, || {
            loop {
                if let Some(code) = self.result() {
                    return Waited::Woken(code);
                }
                if interruptible && let Some(k) = self.session.killed() {
                    return self.give_up(Waited::Interrupted(k));
                }
                if !deadline.is_never() && now_ns() >= deadline.ns() {
                    return self.give_up(Waited::TimedOut);
                }
                self.parker().park(deadline);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn elsewhere<R: Send + 'static>(
        f: impl FnOnce() -> R + Send + 'static,
    ) -> (Arc<Session>, std::thread::JoinHandle<R>) {
        let s = Session::new(7);
        let s2 = s.clone();
        let t = std::thread::spawn(move || {
            let _a = s2.attach();
            f()
        });
        (s, t)
    }

    #[test]
    fn woken_timed_out_interrupted() {
        let c = Arc::new(WaitCell::new());
        assert_eq!(c.wait(WaitClass::RowLock, Deadline::after(Duration::from_millis(2))), Waited::TimedOut);
        assert!(!c.wake(1), "a wait that gave up cannot be woken");

        let (tx, rx) = std::sync::mpsc::channel();
        let (s, t) = elsewhere(move || {
            let c = Arc::new(WaitCell::new());
            tx.send(c.clone()).unwrap();
            c.wait(WaitClass::RowLock, Deadline::NEVER)
        });
        let c = rx.recv().unwrap();
        while s.waiting().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(s.waiting().unwrap().0, WaitClass::RowLock);
        assert!(c.wake(5) && !c.wake(6));
        assert_eq!(t.join().unwrap(), Waited::Woken(5));
        assert!(s.waiting().is_none());

        let (s, t) = elsewhere(|| WaitCell::new().wait(WaitClass::RowLock, Deadline::NEVER));
        std::thread::sleep(Duration::from_millis(5));
        s.kill(Kill::Query);
        s.kill(Kill::Timeout);
        assert_eq!(t.join().unwrap(), Waited::Interrupted(Kill::Query));
        s.begin_statement(None);
        assert!(s.killed().is_none());
        s.kill(Kill::Connection);
        s.begin_statement(None);
        assert_eq!(s.killed(), Some(Kill::Connection), "KILL CONNECTION stays");
    }

    #[test]
    fn statement_timeout_interrupts() {
        let (s, t) = elsewhere(|| {
            let me = crate::current();
            me.begin_statement(Some(Duration::from_millis(10)));
            let first = crate::sleep(Duration::from_secs(20));
            let e = crate::check_interrupt().unwrap_err();
            me.begin_statement(Some(Duration::from_millis(30)));
            me.end_statement();
            me.begin_statement(None);
            (first, e.code(), crate::sleep(Duration::from_millis(60)))
        });
        assert_eq!(t.join().unwrap(), (Err(Kill::Timeout), 3024, Ok(())));
        assert_eq!(s.killed(), None);
    }

    #[test]
    fn a_deaf_wait_hears_only_its_waker() {
        let (tx, rx) = std::sync::mpsc::channel();
        let (s, t) = elsewhere(move || {
            let c = Arc::new(WaitCell::new());
            tx.send(c.clone()).unwrap();
            c.wait_uninterruptible(WaitClass::LogFlush)
        });
        let c = rx.recv().unwrap();
        s.kill(Kill::Connection);
        std::thread::sleep(Duration::from_millis(5));
        assert!(c.wake(9));
        assert_eq!(t.join().unwrap(), 9);
    }

    /// Wakers and waiters that give up at the same moment: exactly one side wins.
    #[test]
    fn races_have_one_winner() {
        for i in 0..300u64 {
            let (tx, rx) = std::sync::mpsc::channel();
            let (_, t) = elsewhere(move || {
                let c = Arc::new(WaitCell::new());
                tx.send(c.clone()).unwrap();
                c.wait(WaitClass::RowLock, Deadline::after(Duration::from_micros(i)))
            });
            let won = rx.recv().unwrap().wake(1);
            assert_eq!(t.join().unwrap() == Waited::Woken(1), won);
        }
    }
}
