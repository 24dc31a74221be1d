//! Debug builds keep, per thread, how many latches of each rank are held, and panic when an order is broken. Release builds compile
//! this to nothing.
//!
//! A latch must be released by the thread that took it; a page latch that is handed to another thread (I/O completion) calls
//! [`released`] in the one and [`acquired`] in the other.

use crate::LatchClass;

#[cfg(all(debug_assertions, not(loom)))]
mod checked {
    use super::LatchClass;
    use std::cell::RefCell;

    thread_local! {
        static HELD: RefCell<Vec<(u8, &'static str)>> = const { RefCell::new(Vec::new()) };
    }

    pub fn check(class: &'static LatchClass) {
        if class.rank == 0 {
            return;
        }
        // Collected first: panicking inside `with` while the cell is borrowed would panic again in the guards' drops.
        let bad = HELD.with(|h| {
            let h = h.borrow();
            h.iter().find(|(r, _)| *r > class.rank || (*r == class.rank && !class.nested)).copied()
        });
        if let Some((rank, name)) = bad {
            panic!("latch order: taking {} (rank {}) while holding {name} (rank {rank})", class.name, class.rank);
        }
    }
    pub fn acquired(class: &'static LatchClass) {
        if class.rank != 0 {
            HELD.with(|h| h.borrow_mut().push((class.rank, class.name)));
        }
    }
    pub fn released(class: &'static LatchClass) {
        if class.rank != 0 {
            HELD.with(|h| {
                let mut h = h.borrow_mut();
                if let Some(i) = h.iter().rposition(|(r, _)| *r == class.rank) {
                    h.remove(i);
                }
            });
        }
    }
    pub fn held() -> Vec<&'static str> {
        HELD.with(|h| h.borrow().iter().map(|(_, n)| *n).collect())
    }
}

/// Panics (debug) if taking a latch of this class now would break the order.
#[inline]
pub fn check(class: &'static LatchClass) {
    #[cfg(all(debug_assertions, not(loom)))]
    checked::check(class);
    let _ = class;
}

/// Notes (debug) that this thread holds one more.
#[inline]
pub fn acquired(class: &'static LatchClass) {
    #[cfg(all(debug_assertions, not(loom)))]
    checked::acquired(class);
    let _ = class;
}

/// Notes (debug) that this thread holds one less.
#[inline]
pub fn released(class: &'static LatchClass) {
    #[cfg(all(debug_assertions, not(loom)))]
    checked::released(class);
    let _ = class;
}

/// Panics (debug) if this thread holds any ranked latch: called before every wait (invariant 1).
#[inline]
pub fn assert_none_held(about_to: &str) {
    #[cfg(all(debug_assertions, not(loom)))]
    {
        let held = checked::held();
        assert!(held.is_empty(), "about to {about_to} while holding latches {held:?}");
    }
    let _ = about_to;
}

#[cfg(all(test, debug_assertions, not(loom)))]
mod tests {
    use crate::{Mutex, classes};

    #[test]
    fn ascending_is_fine_descending_panics() {
        static LOW: Mutex<()> = Mutex::new(&classes::MDL, ());
        static HIGH: Mutex<()> = Mutex::new(&classes::LOG, ());
        {
            let _a = LOW.lock();
            let _b = HIGH.lock();
        }
        super::assert_none_held("test");
        let r = std::panic::catch_unwind(|| {
            let _b = HIGH.lock();
            let _a = LOW.lock();
        });
        let text = *r.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("taking mdl/shard") && text.contains("innodb/log"), "{text}");
        super::assert_none_held("test"); // the guard was released while unwinding
        let _b = HIGH.lock();
        assert!(LOW.try_lock().is_some(), "try is exempt");
        assert!(std::panic::catch_unwind(|| super::assert_none_held("wait")).is_err());
    }
}
