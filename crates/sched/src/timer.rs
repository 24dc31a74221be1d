//! `max_execution_time`: one thread with a heap of deadlines, started at first use. An entry names session and statement number, so a
//! statement that has ended needs no removal: its entry fires into nothing.

use crate::{Kill, Session};
use latch::{Condvar, Mutex, classes};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, OnceLock, Weak};
use sys::clock::Deadline;

struct Entry {
    at: Deadline,
    statement: u64,
    session: Weak<Session>,
}

impl PartialEq for Entry {
    fn eq(&self, o: &Entry) -> bool {
        self.at == o.at
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, o: &Entry) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Entry {
    fn cmp(&self, o: &Entry) -> std::cmp::Ordering {
        self.at.cmp(&o.at)
    }
}

struct Timer {
    heap: Mutex<BinaryHeap<Reverse<Entry>>>,
    changed: Condvar,
}

fn timer() -> &'static Timer {
    static TIMER: Timer = Timer { heap: Mutex::new(&classes::SCHED, BinaryHeap::new()), changed: Condvar::new() };
    static STARTED: OnceLock<()> = OnceLock::new();
    STARTED.get_or_init(|| {
        // Without the thread timeouts do not fire; that is reported by their not firing, never by a crash.
        let _ = std::thread::Builder::new().name("evk_timer".into()).spawn(|| TIMER.run());
    });
    &TIMER
}

pub(crate) fn arm(session: &Arc<Session>, statement: u64, at: Deadline) {
    let t = timer();
    let mut heap = t.heap.lock();
    let first = heap.peek().is_none_or(|Reverse(e)| at < e.at);
    heap.push(Reverse(Entry { at, statement, session: Arc::downgrade(session) }));
    drop(heap);
    if first {
        t.changed.notify_one();
    }
}

impl Timer {
    fn run(&self) {
        let mut heap = self.heap.lock();
        loop {
            match heap.peek() {
                Some(Reverse(e)) if e.at.passed() => {
                    let due = heap.pop();
                    drop(heap);
                    if let Some(Reverse(e)) = due
                        && let Some(s) = e.session.upgrade()
                        && s.statement() == e.statement
                    {
                        s.kill(Kill::Timeout);
                    }
                    heap = self.heap.lock();
                }
                next => {
                    let until = next.map_or(Deadline::NEVER, |Reverse(e)| e.at);
                    self.changed.wait(&mut heap, until);
                }
            }
        }
    }
}
