//! What the event scheduler is told: whether to run (`event_scheduler`), to look again, to end. Its thread is in
//! `statements/programs/scheduler.rs`.
//!
//! The mutex is a leaf, held for a store or a wait. Nothing survives a crash. Tested: `tests/clients/test_events.py`.

use parking_lot::{Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// Shared by the scheduler's thread and those that tell it something.
#[derive(Default)]
pub(crate) struct EventSwitch {
    told: Mutex<Told>,
    news: Condvar,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Told {
    /// The present thread is to end.
    stop: bool,
    /// Look at the dictionary.
    look: bool,
}

impl EventSwitch {
    /// An event has changed: the scheduler looks at once and not within the next second.
    pub(crate) fn wake(&self) {
        self.told.lock().look = true;
        self.news.notify_all();
    }

    /// Waits until there is something to look at, at most so long; `false`: end.
    pub(crate) fn wait(&self, most: Duration) -> bool {
        let mut told = self.told.lock();
        if !told.stop && !told.look {
            self.news.wait_for(&mut told, most);
        }
        told.look = false;
        !told.stop
    }

    /// Whether the thread goes on.
    pub(crate) fn goes_on(&self) -> bool {
        !self.told.lock().stop
    }

    /// Ends the thread, if there is one, and waits for it.
    pub(crate) fn stop(&self) {
        let thread = self.thread.lock().take();
        self.told.lock().stop = true;
        self.news.notify_all();
        if let Some(t) = thread {
            let _ = t.join();
        }
    }

    /// Starts a thread unless one runs.
    pub(crate) fn start(&self, make: impl FnOnce() -> std::io::Result<JoinHandle<()>>) {
        let mut thread = self.thread.lock();
        if thread.as_ref().is_some_and(|t| !t.is_finished()) {
            return;
        }
        *self.told.lock() = Told::default();
        *thread = make().ok();
    }
}
