//! The purge thread. Page cleaner and log flusher are the store's ([`crate::store::Store::start_background`]).
//!
//! Purge works in batches as long as there is something to do and sleeps a few milliseconds otherwise: commits never wake it,
//! so they pay nothing for it.

use super::Engine;
use crate::error::{Result, StorageError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Sleep when nothing was to be purged.
const IDLE: Duration = Duration::from_millis(10);
/// After an error.
const FAILED: Duration = Duration::from_millis(500);

/// Stops and joins when dropped.
pub(super) struct PurgeThread {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl PurgeThread {
    pub(super) fn start(engine: &Arc<Engine>, on: bool) -> Result<PurgeThread> {
        let stop = Arc::new(AtomicBool::new(false));
        let thread = if on {
            let (weak, stop) = (Arc::downgrade(engine), stop.clone());
            let started = std::thread::Builder::new().name("ib_srv_purge".into()).spawn(move || run(&weak, &stop));
            Some(started.map_err(|e| StorageError::from_io("start", "ib_srv_purge", &e))?)
        } else {
            None
        };
        Ok(PurgeThread { stop, thread })
    }
}

fn run(engine: &Weak<Engine>, stop: &AtomicBool) {
    while !stop.load(Ordering::Acquire) {
        let sleep = match engine.upgrade().map(|e| e.purge_batch()) {
            None => return,
            Some(Ok(0)) => IDLE,
            Some(Ok(_)) => continue,
            Some(Err(_)) => FAILED,
        };
        std::thread::park_timeout(sleep);
    }
}

impl Drop for PurgeThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(t) = self.thread.take() {
            t.thread().unpark();
            // the purge thread itself may drop the last handle of the engine
            if t.thread().id() != std::thread::current().id() {
                let _ = t.join();
            }
        }
    }
}
