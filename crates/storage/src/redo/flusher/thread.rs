//! The thread `ib_log_flusher`: the flusher's role where nobody else waits for the log with a thread of its own, and
//! writing beside statements that change much.

use super::{Log, Who, finish};
use base::Lsn;
use sched::pool::Unfinished;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;

/// The thread that flushes for tasks.
#[derive(Default)]
pub(super) struct TaskFlusher {
    thread: OnceLock<Thread>,
    /// It has been given the role.
    called: AtomicBool,
    /// It shall write, in nobody's role: who has that may be another thread.
    to_write: AtomicBool,
}

impl TaskFlusher {
    pub(super) fn call(&self) {
        self.called.store(true, Ordering::Release);
        self.wake();
    }

    fn wake(&self) {
        if let Some(t) = self.thread.get() {
            t.unpark();
        }
    }
}

impl Log {
    /// Finishes `task` when the log is durable up to `lsn`, or has failed.
    pub(super) fn finish_after(&self, lsn: u64, task: Unfinished) {
        let flusher = &self.role.flusher;
        let since = sys::clock::now_ns();
        let call = {
            let mut q = self.role.queue.lock();
            if self.flushed.load(Ordering::Acquire) >= lsn || self.failed.get().is_some() {
                drop(q);
                let durable = self.flushed.load(Ordering::Acquire) >= lsn;
                return finish(vec![(task, since)], durable);
            }
            q.waiting.push_back((lsn, self.role.syncs(), Who::Task(task, since)));
            !std::mem::replace(&mut q.busy, true)
        };
        if call {
            flusher.call();
        }
    }

    /// Whether [`Log::serve_tasks`] runs.
    pub fn has_task_flusher(&self) -> bool {
        self.role.flusher.thread.get().is_some()
    }

    /// Has `ib_log_flusher` write what waits in the buffer. Waits for nothing.
    pub(in super::super) fn call_to_write(&self) {
        let flusher = &self.role.flusher;
        if !flusher.to_write.load(Ordering::Relaxed) && !flusher.to_write.swap(true, Ordering::AcqRel) {
            flusher.wake();
        }
    }

    /// What the thread `ib_log_flusher` does: has the flusher's role whenever a task is next in the queue, and writes
    /// what statements that change much leave in the buffer. Ends when `stop` is set and the thread unparked.
    pub fn serve_tasks(&self, stop: &AtomicBool) {
        let flusher = &self.role.flusher;
        let _ = flusher.thread.set(std::thread::current());
        while !stop.load(Ordering::Acquire) {
            if flusher.called.swap(false, Ordering::AcqRel) {
                let next = self.role.queue.lock().waiting.front().map(|(l, ..)| *l);
                if let Some(lsn) = next {
                    self.lead(Lsn(lsn));
                }
            } else if flusher.to_write.load(Ordering::Acquire) {
                // a failure is everybody's: the log takes nothing more (`check_alive`)
                let before = self.role.written();
                let _ = self.write_out(false);
                // Who came meanwhile has called nobody. What they left is looked at after the mark is gone, or it would
                // lie there until somebody changes something again. Nothing could be written: who copies a frame at the
                // front is waited for by nobody here (that would be spinning).
                flusher.to_write.swap(false, Ordering::AcqRel);
                if self.wants_writing() && self.role.written() > before {
                    flusher.to_write.store(true, Ordering::Release);
                }
            } else {
                std::thread::park();
            }
        }
    }
}
