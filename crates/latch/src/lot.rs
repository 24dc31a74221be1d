//! The parking lot: queues of sleeping threads by the address of what they wait for (parking_lot_core's hash table). Under loom a small
//! list behind a mutex does the same, so that the model runs the real code of [`crate::PageLatch`].
//!
//! A queue belongs to an address only while somebody waits there; nothing is kept in the latch but a flag.

/// What the waker tells those it wakes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wake {
    /// The latch is yours.
    Granted,
    /// Look again.
    Retry,
}

/// Decision about one queued thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    /// Wake it and go on to the next.
    Wake,
    /// Leave it and all behind it.
    Stop,
}

#[cfg(not(loom))]
mod imp {
    use super::{Op, Wake};
    use parking_lot_core::{
        DEFAULT_PARK_TOKEN, FilterOp, ParkResult, ParkToken, UnparkToken, park as core_park, unpark_filter,
    };

    #[allow(unsafe_code)]
    pub(crate) fn park(key: usize, token: usize, validate: impl FnOnce() -> bool) -> Wake {
        debug_assert_ne!(token, DEFAULT_PARK_TOKEN.0);
        // SAFETY: the key is the address of a latch that lives while we use it; the closures neither panic nor call the lot.
        let r = unsafe { core_park(key, validate, || {}, |_, _| {}, ParkToken(token), None) };
        match r {
            ParkResult::Unparked(UnparkToken(1)) => Wake::Granted,
            _ => Wake::Retry,
        }
    }

    #[allow(unsafe_code)]
    pub(crate) fn unpark(key: usize, mut decide: impl FnMut(usize) -> Op, done: impl FnOnce(bool) -> Wake) {
        let filter = |ParkToken(t)| match decide(t) {
            Op::Wake => FilterOp::Unpark,
            Op::Stop => FilterOp::Stop,
        };
        // SAFETY: as above.
        unsafe { unpark_filter(key, filter, |r| UnparkToken(usize::from(done(r.have_more_threads) == Wake::Granted))) };
    }
}

#[cfg(loom)]
mod imp {
    use super::{Op, Wake};
    use loom::sync::{Arc, Condvar, Mutex};
    use std::collections::VecDeque;

    struct Sleeper {
        key: usize,
        token: usize,
        slot: Arc<(Mutex<Option<Wake>>, Condvar)>,
    }

    loom::lazy_static! {
        static ref LOT: Mutex<VecDeque<Sleeper>> = Mutex::new(VecDeque::new());
    }

    pub(crate) fn park(key: usize, token: usize, validate: impl FnOnce() -> bool) -> Wake {
        let slot = Arc::new((Mutex::new(None), Condvar::new()));
        {
            let mut lot = LOT.lock().unwrap();
            if !validate() {
                return Wake::Retry;
            }
            lot.push_back(Sleeper { key, token, slot: slot.clone() });
        }
        let mut g = slot.0.lock().unwrap();
        loop {
            if let Some(w) = *g {
                return w;
            }
            g = slot.1.wait(g).unwrap();
        }
    }

    pub(crate) fn unpark(key: usize, mut decide: impl FnMut(usize) -> Op, done: impl FnOnce(bool) -> Wake) {
        let mut lot = LOT.lock().unwrap();
        let (mut woken, mut kept, mut stopped) = (Vec::new(), VecDeque::new(), false);
        while let Some(s) = lot.pop_front() {
            if s.key != key {
                kept.push_back(s);
            } else if !stopped && decide(s.token) == Op::Wake {
                woken.push(s);
            } else {
                stopped = true;
                kept.push_back(s);
            }
        }
        let more = kept.iter().any(|s| s.key == key);
        *lot = kept;
        let w = done(more);
        drop(lot);
        for s in woken {
            *s.slot.0.lock().unwrap() = Some(w);
            s.slot.1.notify_one();
        }
    }
}

pub(crate) use imp::{park, unpark};
