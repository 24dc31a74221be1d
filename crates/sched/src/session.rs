//! [`Session`]: the engine's handle of a connection (or of a background thread: then nobody can kill it), and the thread's current one.
//!
//! Kill protocol: the killer raises `kill`, then unparks the session's parker and, when the connection is to end, calls the hook (the
//! server's shuts the socket down, which ends a blocking read). A waiter looks at `kill` before every sleep; the parker keeps a wake-up that comes in between.
//! `begin_statement` clears what belongs to the statement before (KILL QUERY, timeout) but never KILL CONNECTION.

use crate::parker::Parker;
use crate::{Kill, WaitCell, Waited, timer};
use base::SqlResult;
use latch::{Mutex, classes};
use probe::{SessionCounters, WaitClass};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;
use sys::clock::Deadline;

type Hook = Box<dyn Fn(Kill) + Send + Sync>;

/// One connection as `sched` sees it. Shared by the thread that runs it and those who look at or kill it.
pub struct Session {
    id: u64,
    parker: Parker,
    kill: AtomicU8,
    /// Number of the running statement: a timer set for an earlier one must not hit.
    statement: AtomicU64,
    in_transaction: AtomicBool,
    /// [`WaitClass`] + 1 while asleep, else 0.
    waiting: AtomicU8,
    /// When the wait began, ns; valid while `waiting` is not 0.
    waiting_since: AtomicU64,
    counters: SessionCounters,
    hook: Mutex<Option<Arc<Hook>>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({})", self.id)
    }
}

impl Session {
    /// A session with this connection id. Counts as connected (for the run tokens) until dropped, if the id is not 0.
    pub fn new(id: u64) -> Arc<Session> {
        if id != 0 {
            crate::pool::session_added();
        }
        base::interrupt::install(told_to_stop);
        Arc::new(Session {
            id,
            parker: Parker::new(),
            kill: AtomicU8::new(0),
            statement: AtomicU64::new(0),
            in_transaction: AtomicBool::new(false),
            waiting: AtomicU8::new(0),
            waiting_since: AtomicU64::new(0),
            counters: SessionCounters::new(),
            hook: Mutex::new(&classes::SCHED, None),
        })
    }

    /// Connection id (`CONNECTION_ID()`); 0 for threads without a connection.
    pub fn id(&self) -> u64 {
        self.id
    }
    /// The session's status counters.
    pub fn counters(&self) -> &SessionCounters {
        &self.counters
    }
    /// Where its thread sleeps.
    pub fn parker(&self) -> &Parker {
        &self.parker
    }

    /// Makes the calling thread work for this session until the guard is dropped: counters, kill flag, waits.
    pub fn attach(self: &Arc<Self>) -> Attached {
        let counting = self.counters.attach();
        Attached { before: CURRENT.with(|c| c.replace(Some(self.clone()))), _counting: counting }
    }

    /// Starts a statement: forgets a KILL QUERY or timeout that hit an earlier one; with `limit` arms `max_execution_time`.
    pub fn begin_statement(self: &Arc<Self>, limit: Option<Duration>) {
        let n = self.statement.load(Ordering::Relaxed) + 1;
        self.statement.store(n, Ordering::Release);
        if self.kill.load(Ordering::Relaxed) != 0 {
            let keep = |k: u8| (k < Kill::Connection as u8).then_some(0);
            let _ = self.kill.fetch_update(Ordering::AcqRel, Ordering::Relaxed, keep);
        }
        if let Some(d) = limit {
            timer::arm(self, n, Deadline::after(d));
        }
    }
    /// Sets the running statement's time limit (MAX_EXECUTION_TIME hint).
    pub fn limit_statement(self: &Arc<Self>, limit: Duration) {
        timer::arm(self, self.statement(), Deadline::after(limit));
    }
    /// Ends it: a timer that fires later finds another number.
    pub fn end_statement(&self) {
        self.statement.store(self.statement.load(Ordering::Relaxed) + 1, Ordering::Release);
    }
    /// Number of the running statement.
    pub(crate) fn statement(&self) -> u64 {
        self.statement.load(Ordering::Acquire)
    }

    /// Interrupts what the session does now. A heavier kill replaces a lighter one, never the reverse.
    pub fn kill(&self, k: Kill) {
        self.kill.fetch_max(k as u8, Ordering::AcqRel);
        self.parker.unpark();
        if k.ends_connection() {
            // Called outside the latch: the hook makes a system call.
            let hook = self.hook.lock().clone();
            if let Some(h) = hook {
                h(k);
            }
        }
    }
    /// What [`Session::kill`] calls when the connection is to end: the server shuts its socket down. Replaces the one before.
    pub fn set_kill_hook(&self, hook: impl Fn(Kill) + Send + Sync + 'static) {
        *self.hook.lock() = Some(Arc::new(Box::new(hook)));
    }
    /// The kill that has been asked for and not yet been forgotten.
    #[inline]
    pub fn killed(&self) -> Option<Kill> {
        match self.kill.load(Ordering::Relaxed) {
            0 => None,
            k => Kill::from_u8(k),
        }
    }

    /// Sessions inside a transaction get run tokens first (they hold locks).
    pub fn set_in_transaction(&self, yes: bool) {
        self.in_transaction.store(yes, Ordering::Relaxed);
    }
    /// See [`Session::set_in_transaction`].
    pub fn in_transaction(&self) -> bool {
        self.in_transaction.load(Ordering::Relaxed)
    }

    /// What the session sleeps for and since when (ns of `sys::clock::now_ns`), if it sleeps.
    pub fn waiting(&self) -> Option<(WaitClass, u64)> {
        let class = WaitClass::ALL.get(usize::from(self.waiting.load(Ordering::Acquire)).checked_sub(1)?)?;
        Some((*class, self.waiting_since.load(Ordering::Relaxed)))
    }
    pub(crate) fn note_waiting(&self, class: WaitClass, since: u64) {
        self.waiting_since.store(since, Ordering::Relaxed);
        self.waiting.store(class as u8 + 1, Ordering::Release);
    }
    pub(crate) fn note_running(&self) {
        self.waiting.store(0, Ordering::Release);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.id != 0 {
            crate::pool::session_removed();
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Session>>> = const { RefCell::new(None) };
}

/// See [`Session::attach`]. Puts back what was attached before.
#[must_use]
pub struct Attached {
    before: Option<Arc<Session>>,
    _counting: probe::Attached,
}

impl Drop for Attached {
    fn drop(&mut self) {
        let before = self.before.take();
        // The old value is dropped outside the borrow: its destructor may run code that asks for the current session.
        let old = CURRENT.try_with(|c| std::mem::replace(&mut *c.borrow_mut(), before));
        drop(old);
    }
}

/// The session this thread works for; a thread without one gets a handle of its own with id 0.
pub fn current() -> Arc<Session> {
    let known = CURRENT.try_with(|c| c.borrow().clone()).ok().flatten();
    known.unwrap_or_else(|| {
        let s = Session::new(0);
        let _ = CURRENT.try_with(|c| *c.borrow_mut() = Some(s.clone()));
        s
    })
}

/// Runs `f` on the current session without counting a reference; `None` when the thread has none.
pub(crate) fn with_current<R>(f: impl FnOnce(Option<&Arc<Session>>) -> R) -> R {
    CURRENT.with(|c| f(c.borrow().as_ref()))
}

/// `Err` if the current session has been killed; rests under a CPU quota ([`crate::pace`]). Call it without latches every few hundred rows and between steps (about 2 ns).
#[inline]
pub fn check_interrupt() -> SqlResult<()> {
    crate::pace::pace();
    crate::pool::send_due();
    match with_current(|s| s.and_then(|s| s.killed())) {
        None => Ok(()),
        Some(k) => Err(k.into()),
    }
}

/// What [`base::interrupt`] asks. As [`check_interrupt`], but never rests: it may be asked anywhere.
fn told_to_stop() -> SqlResult<()> {
    killed().map_or(Ok(()), |k| Err(k.into()))
}

/// Whether the current session's statement is to end.
pub fn killed() -> Option<Kill> {
    with_current(|s| s.and_then(|s| s.killed()))
}

/// Sleeps (`SLEEP()`, retries); an error if interrupted by KILL, a timeout or shutdown.
pub fn sleep(d: Duration) -> Result<(), Kill> {
    match WaitCell::new().wait(WaitClass::Sleep, Deadline::after(d)) {
        Waited::Interrupted(k) => Err(k),
        Waited::TimedOut | Waited::Woken(_) => Ok(()),
    }
}
