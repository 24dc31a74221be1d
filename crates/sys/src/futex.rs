//! Wait and wake on a 32-bit word of this process (`futex(2)`, private). Spurious returns happen: callers loop on their own
//! condition. Tested here and by every primitive of `latch` and `sched`.

#![allow(unsafe_code)]

use crate::clock::Deadline;
use std::sync::atomic::AtomicU32;

/// Sleeps while `*word == expected`, until woken or until the deadline. Returns false only when the deadline was reached;
/// true says "look again" (woken, value differed, interrupted by a signal).
pub fn wait(word: &AtomicU32, expected: u32, deadline: Deadline) -> bool {
    let ts = libc::timespec {
        tv_sec: (deadline.ns() / 1_000_000_000) as libc::time_t,
        tv_nsec: (deadline.ns() % 1_000_000_000) as libc::c_long,
    };
    let tsp = if deadline.is_never() { std::ptr::null() } else { &ts as *const libc::timespec };
    // SAFETY: `word` lives for the call; WAIT_BITSET with MATCH_ANY takes an absolute CLOCK_MONOTONIC time or null.
    let r = unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG,
            expected,
            tsp,
            std::ptr::null::<u32>(),
            libc::FUTEX_BITSET_MATCH_ANY,
        )
    };
    !(r < 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ETIMEDOUT))
}

/// Wakes up to `n` waiters of the word and says how many there were.
pub fn wake(word: &AtomicU32, n: u32) -> usize {
    wake_addr(word.as_ptr() as usize, n)
}

/// As [`wake`] by address. Only the address is compared, never the memory read, so a word that has meanwhile been freed does no
/// harm (a later user of the address may see a spurious wake-up): what a waker needs when its waiter may already be gone.
pub fn wake_addr(addr: usize, n: u32) -> usize {
    // SAFETY: FUTEX_WAKE only compares the address with those of waiters; it does not read the word.
    let r = unsafe {
        libc::syscall(
            libc::SYS_futex,
            addr,
            libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
            n.min(i32::MAX as u32) as libc::c_int,
        )
    };
    usize::try_from(r).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    #[test]
    fn times_out_and_wakes() {
        let w = Arc::new(AtomicU32::new(0));
        assert!(!wait(&w, 0, Deadline::after(Duration::from_millis(5))));
        assert!(wait(&w, 1, Deadline::NEVER), "another value returns at once");
        let w2 = w.clone();
        let t = std::thread::spawn(move || {
            while w2.load(Ordering::Acquire) == 0 {
                wait(&w2, 0, Deadline::NEVER);
            }
        });
        std::thread::sleep(Duration::from_millis(10));
        w.store(1, Ordering::Release);
        wake(&w, 1);
        t.join().unwrap();
    }
}
