//! What a thread is at and has done last, transaction by transaction: for performance_schema. Its mutex is held for
//! moments, by the thread once or twice for each transaction, by readers while they copy.

use crate::thread::Told;
use binlog::Gtid;
use binlog::transaction::GtidEvent;
use parking_lot::Mutex;

/// A transaction. Times in microseconds since 1970.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    pub gtid: Option<Gtid>,
    pub original: u64,
    pub immediate: u64,
    pub start: u64,
    pub end: u64,
    /// Times that it was begun again, and after which error last.
    pub retries: u64,
    pub transient: Told,
}

impl Seen {
    /// As MySQL shows it.
    pub fn name(&self) -> String {
        self.gtid.map_or_else(|| "ANONYMOUS".to_owned(), |g| g.to_string())
    }
}

/// See the module.
#[derive(Default)]
pub struct Progress(Mutex<State>);

#[derive(Clone, Default)]
pub struct State {
    /// What it is at.
    pub now: Option<Seen>,
    /// What it has finished.
    pub last: Option<Seen>,
    /// Times that transactions were begun again.
    pub retries: u64,
    pub heartbeats: u64,
    pub last_heartbeat: u64,
}

impl Progress {
    /// A transaction begins; the same one again after an error keeps its count.
    pub fn begins(&self, g: &GtidEvent) {
        let mut s = self.0.lock();
        let (original, immediate) = (g.original_commit, g.immediate_commit);
        let again = s.now.take().filter(|n| n.retries > 0 && (n.gtid, n.immediate) == (g.gtid, immediate));
        let (retries, transient) = again.map_or((0, Told::default()), |n| (n.retries, n.transient));
        let start = sys::clock::wall_micros();
        s.now = Some(Seen { gtid: g.gtid, original, immediate, start, end: 0, retries, transient });
    }

    /// It has ended.
    pub fn ends(&self) {
        let mut s = self.0.lock();
        if let Some(mut seen) = s.now.take() {
            seen.end = sys::clock::wall_micros();
            s.last = Some(seen);
        }
    }

    /// It begins again after an error.
    pub fn again(&self, after: Told) {
        let mut s = self.0.lock();
        s.retries += 1;
        if let Some(n) = &mut s.now {
            n.retries += 1;
            n.transient = after;
        }
    }

    /// It is not done: the thread ends.
    pub fn gives_up(&self) {
        self.0.lock().now = None;
    }

    /// Nothing was done yet.
    pub fn forget(&self) {
        let mut s = self.0.lock();
        (s.now, s.last) = (None, None);
    }

    /// The source lives.
    pub fn heartbeat(&self) {
        let mut s = self.0.lock();
        (s.heartbeats, s.last_heartbeat) = (s.heartbeats + 1, sys::clock::wall_micros());
    }

    /// Now.
    pub fn read(&self) -> State {
        self.0.lock().clone()
    }
}
