//! [`Parker`]: puts one thread to sleep and wakes it; a wake-up that comes first is kept (once). The place where every interruptible wait
//! sleeps.

use std::sync::atomic::{AtomicU32, Ordering};
use sys::clock::Deadline;

const EMPTY: u32 = 0;
const NOTIFIED: u32 = 1;
const ASLEEP: u32 = 2;

/// One sleeper at a time; any number of wakers.
#[derive(Debug, Default)]
pub struct Parker {
    word: AtomicU32,
}

impl Parker {
    /// Without a pending wake-up.
    pub const fn new() -> Parker {
        Parker { word: AtomicU32::new(EMPTY) }
    }

    /// Sleeps until [`Parker::unpark`] or the deadline; returns at once if a wake-up is pending. May also return for no reason:
    /// loop on the condition. Returns whether it slept.
    pub fn park(&self, deadline: Deadline) -> bool {
        if self.word.compare_exchange(EMPTY, ASLEEP, Ordering::Acquire, Ordering::Acquire).is_err() {
            self.word.store(EMPTY, Ordering::Relaxed); // it was NOTIFIED: consume
            std::sync::atomic::fence(Ordering::Acquire);
            return false;
        }
        sys::futex::wait(&self.word, ASLEEP, deadline);
        self.word.swap(EMPTY, Ordering::Acquire);
        true
    }

    /// Wakes the sleeper, or makes its next [`Parker::park`] return at once. A system call only if it sleeps.
    pub fn unpark(&self) {
        if self.word.swap(NOTIFIED, Ordering::Release) == ASLEEP {
            sys::futex::wake(&self.word, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn keeps_one_wake_up() {
        let p = Parker::new();
        p.unpark();
        p.unpark();
        assert!(!p.park(Deadline::NEVER));
        assert!(p.park(Deadline::after(Duration::from_millis(2))));
    }

    #[test]
    fn ping_pong() {
        let p: Arc<[Parker; 2]> = Arc::default();
        let turn = Arc::new(AtomicU32::new(0));
        let run = |me: usize| {
            let (p, turn) = (p.clone(), turn.clone());
            std::thread::spawn(move || {
                for n in 0..2000u32 {
                    while turn.load(Ordering::Acquire) != 2 * n + me as u32 {
                        p[me].park(Deadline::NEVER);
                    }
                    turn.fetch_add(1, Ordering::Release);
                    p[1 - me].unpark();
                }
            })
        };
        let (a, b) = (run(0), run(1));
        a.join().unwrap();
        b.join().unwrap();
        assert_eq!(turn.load(Ordering::Relaxed), 4000);
    }
}
