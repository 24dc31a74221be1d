//! What is looked at by the clock: statements that take long, answers and commands that nobody has come for, and
//! connections that have been idle for too long.
//!
//! Called by the ticker's thread alone, which holds no latch then. Tested by `pool_tests.rs` and `tests/load`.

use super::{
    ACTIVE, ACTIVES, EXTRA, FINISHED_COUNT, LONG, PARKED, PARKED_COUNT, POLLING, READING, READING_MEAN, WORKERS,
    answers, commits, replenish_if_unwatched, taken, update, wake_for_finished,
};
use probe::Counter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use sys::clock::now_ns;

/// Every 10 ms: statements that have run since the last time keep no token while connections are left without a thread that waits for them.
pub(crate) fn tick() {
    note_reading();
    if commits::look(WORKERS.lock().iter().map(|w| &**w)) {
        update();
    }
    // left behind by a thread whose next command is a long one
    if FINISHED_COUNT.load(Ordering::SeqCst) > 0 && POLLING.load(Ordering::SeqCst) > 0 {
        wake_for_finished();
    }
    let forgotten: Vec<_> = WORKERS.lock().iter().filter(|w| w.unsent.is_forgotten()).cloned().collect();
    forgotten.iter().for_each(|w| answers::send(w));
    if PARKED_COUNT.load(Ordering::SeqCst) == 0 || POLLING.load(Ordering::SeqCst) > 0 {
        return;
    }
    let mut taken = 0;
    for w in WORKERS.lock().iter() {
        let served = w.served.load(Ordering::Relaxed);
        let same = w.seen.swap(served, Ordering::Relaxed) == served;
        if same
            && !w.polling.load(Ordering::Relaxed)
            && w.state.compare_exchange(ACTIVE, LONG, Ordering::SeqCst, Ordering::Relaxed).is_ok()
        {
            ACTIVES.fetch_sub(1, Ordering::SeqCst);
            taken += 1;
        }
    }
    for _ in 0..taken {
        probe::inc(Counter::SchedLongStatements);
        replenish_if_unwatched();
    }
}

/// A tenth of what is measured now goes into the mean; it rounds down to nothing when reads are rare.
fn note_reading() {
    let mean = READING_MEAN.load(Ordering::Relaxed);
    let mean = mean + (READING.load(Ordering::Relaxed) * 256 - mean) / 10;
    READING_MEAN.store(mean, Ordering::Relaxed);
    EXTRA.store((mean + 128) / 256, Ordering::Relaxed);
}

/// Every second: ends connections that have been idle for too long. Telling them may block, so a thread of its own does it.
pub(crate) fn reap() {
    let now = now_ns();
    let mut old = Vec::new();
    for shard in PARKED.iter() {
        let mut parked = shard.lock();
        old.extend(parked.extract_if(|_, seat| seat.deadline <= now).map(|(_, seat)| seat));
    }
    if old.is_empty() {
        return;
    }
    old.iter().for_each(taken);
    let spawned = std::thread::Builder::new().name("reaper".into()).spawn(move || {
        for seat in old {
            let _ = catch_unwind(AssertUnwindSafe(|| seat.task.expire()));
        }
    });
    drop(spawned);
}
