//! The purge thread and the statistics thread. Page cleaner and log flusher are the store's
//! ([`crate::store::Store::start_background`]).
//!
//! Purge works in batches as long as there is something to do and sleeps a few milliseconds otherwise, longer the longer there is
//! nothing: commits never wake it, so they pay nothing for it. Statistics are looked after once a second.

use super::Engine;
use crate::error::{Result, StorageError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Sleep when nothing was to be purged.
const IDLE: Duration = Duration::from_millis(10);
/// How many times as long it sleeps after having found nothing again and again.
const MOST_IDLE: u32 = 8;
/// After an error.
const FAILED: Duration = Duration::from_millis(500);
/// Between two looks at the tables' changes.
const STATISTICS: Duration = Duration::from_secs(1);

/// A thread that does one step of work again and again. Stops and joins when dropped.
pub(super) struct EngineThread {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl EngineThread {
    pub(super) fn purge(engine: &Arc<Engine>, on: bool) -> Result<EngineThread> {
        if !on {
            return Ok(EngineThread { stop: Arc::default(), thread: None });
        }
        EngineThread::start(engine, "ib_srv_purge", |e| match e.purge_batch() {
            Ok(0) => IDLE,
            Ok(_) => Duration::ZERO,
            Err(_) => FAILED,
        })
    }

    pub(super) fn statistics(engine: &Arc<Engine>) -> Result<EngineThread> {
        EngineThread::start(engine, "ib_dict_stats", |e| {
            let history = e.undo.history_len();
            probe::Gauge::HistoryListLength.set(history as i64);
            e.lag.look(history);
            e.refresh_statistics();
            STATISTICS
        })
    }

    fn start(engine: &Arc<Engine>, name: &'static str, step: fn(&Engine) -> Duration) -> Result<EngineThread> {
        let stop = Arc::new(AtomicBool::new(false));
        let (weak, flag) = (Arc::downgrade(engine), stop.clone());
        let started = std::thread::Builder::new().name(name.into()).spawn(move || run(&weak, &flag, step));
        let thread = Some(started.map_err(|e| StorageError::from_io("start", name, &e))?);
        Ok(EngineThread { stop, thread })
    }
}

fn run(engine: &Weak<Engine>, stop: &AtomicBool, step: fn(&Engine) -> Duration) {
    let mut idle = 1;
    while !stop.load(Ordering::Acquire) {
        let Some(mut sleep) = engine.upgrade().map(|e| step(&e)) else { return };
        if sleep == IDLE {
            sleep *= idle;
            idle = (idle * 2).min(MOST_IDLE);
        } else {
            idle = 1;
        }
        if !sleep.is_zero() && !stop.load(Ordering::Acquire) {
            std::thread::park_timeout(sleep);
        }
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(t) = self.thread.take() {
            t.thread().unpark();
            // the thread itself may drop the last handle of the engine
            if t.thread().id() != std::thread::current().id() {
                let _ = t.join();
            }
        }
    }
}
