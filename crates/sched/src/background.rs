//! Named background threads that can be stopped: page cleaner, purge, checkpoint, monitor.
//!
//! A task is a function that works until its [`TaskContext`] says stop, sleeping by [`TaskContext::sleep`] (which ends early on a
//! wake-up or stop). A panic ends the task and is kept as text; it never takes the process down. [`Tasks::shutdown`] stops in the reverse
//! order of starting and waits for each.

use crate::{Parker, Session};
use latch::{Mutex, classes};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use sys::clock::Deadline;

#[derive(Debug)]
struct Shared {
    name: String,
    stop: AtomicBool,
    parker: Parker,
    panic: Mutex<Option<String>>,
}

/// What a running task sees.
#[derive(Debug)]
pub struct TaskContext {
    shared: Arc<Shared>,
}

impl TaskContext {
    /// Whether the task should end soon.
    pub fn should_stop(&self) -> bool {
        self.shared.stop.load(Ordering::Acquire)
    }
    /// Sleeps until the time is over, somebody wakes the task, or it must stop; false if it must stop.
    pub fn sleep(&self, d: Duration) -> bool {
        if !self.should_stop() {
            self.shared.parker.park(Deadline::after(d));
        }
        !self.should_stop()
    }
    /// A handle to wake the task by.
    pub fn handle(&self) -> TaskHandle {
        TaskHandle { shared: self.shared.clone() }
    }
}

/// To wake or stop a task from outside.
#[derive(Clone, Debug)]
pub struct TaskHandle {
    shared: Arc<Shared>,
}

impl TaskHandle {
    /// Ends its present or next [`TaskContext::sleep`].
    pub fn wake(&self) {
        self.shared.parker.unpark();
    }
    /// Asks it to stop, without waiting.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Release);
        self.wake();
    }
    /// The text of the panic that ended it, if one did.
    pub fn panic(&self) -> Option<String> {
        self.shared.panic.lock().clone()
    }
    /// Name given at the start.
    pub fn name(&self) -> &str {
        &self.shared.name
    }
}

/// The background threads of one server.
#[derive(Debug)]
pub struct Tasks {
    running: Mutex<Vec<(TaskHandle, JoinHandle<()>)>>,
}

impl Default for Tasks {
    fn default() -> Self {
        Self::new()
    }
}

fn text(p: &(dyn Any + Send)) -> String {
    p.downcast_ref::<String>()
        .cloned()
        .or_else(|| p.downcast_ref::<&str>().map(|s| (*s).to_string()))
        .unwrap_or_else(|| "panic".to_string())
}

impl Tasks {
    /// None yet.
    pub const fn new() -> Tasks {
        Tasks { running: Mutex::new(&classes::SCHED, Vec::new()) }
    }

    /// Starts a thread with this name (15 bytes are visible in `top`).
    pub fn spawn(&self, name: &str, f: impl FnOnce(&TaskContext) + Send + 'static) -> std::io::Result<TaskHandle> {
        let shared = Arc::new(Shared {
            name: name.to_string(),
            stop: AtomicBool::new(false),
            parker: Parker::new(),
            panic: Mutex::new(&classes::SCHED, None),
        });
        let handle = TaskHandle { shared: shared.clone() };
        let thread = std::thread::Builder::new().name(name.to_string()).spawn(move || {
            let session = Session::new(0);
            let _attached = session.attach();
            let ctx = TaskContext { shared };
            if let Err(p) = catch_unwind(AssertUnwindSafe(|| f(&ctx))) {
                *ctx.shared.panic.lock() = Some(text(&*p));
            }
        })?;
        self.running.lock().push((handle.clone(), thread));
        Ok(handle)
    }

    /// Stops all, the latest first, and waits for each. Returns name and text of those that had panicked.
    pub fn shutdown(&self) -> Vec<(String, String)> {
        let mut panics = Vec::new();
        loop {
            let Some((h, t)) = self.running.lock().pop() else { return panics };
            h.stop();
            let _ = t.join(); // panics are caught inside
            if let Some(p) = h.panic() {
                panics.push((h.name().to_string(), p));
            }
        }
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.shutdown();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn tasks_run_wake_and_stop() {
        let tasks = Tasks::new();
        let n = Arc::new(AtomicU32::new(0));
        let n2 = n.clone();
        let h = tasks
            .spawn("t_counter", move |ctx| {
                while ctx.sleep(Duration::from_secs(60)) {
                    n2.fetch_add(1, Ordering::SeqCst);
                }
            })
            .unwrap();
        tasks.spawn("t_bad", |_| panic!("oh no")).unwrap();
        h.wake();
        while n.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        assert_eq!(tasks.shutdown(), [("t_bad".to_string(), "oh no".to_string())]);
        assert!(tasks.shutdown().is_empty());
    }
}
