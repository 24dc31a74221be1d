//! How much stack a thread has left: planning and running a statement recurse as deep as it nests, and a stack that overflows takes the
//! server down.
//!
//! A thread for connections gets `thread_stack` bytes and [`SLACK`] more, and says so when it starts ([`begin`]). Whatever recurses by
//! query blocks or operators asks [`check`] (about 1 ns); the slack is for what is called between two such places: expressions, storage,
//! destructors. Threads that never said how much they have are not limited. Tested in `tests/clients/test_planning.py`.

use std::cell::Cell;

use base::{ErrorCode, SqlError, SqlResult};

/// Bytes beyond `thread_stack`; they are touched only when needed.
pub const SLACK: usize = 1 << 20;

thread_local! {
    /// Lowest address that may be used without the slack, and the bytes above it.
    static LIMIT: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// An address in the present frame.
#[inline(always)]
fn here() -> usize {
    let x = 0u8;
    std::ptr::from_ref(std::hint::black_box(&x)) as usize
}

/// Says that the calling thread, which has just started, has this many bytes and [`SLACK`].
pub fn begin(bytes: usize) {
    LIMIT.set((here().saturating_sub(bytes), bytes));
}

/// 1436 if the thread's stack is used up but for the slack.
#[inline]
pub fn check() -> SqlResult<()> {
    if here() < LIMIT.get().0 { Err(overrun()) } else { Ok(()) }
}

/// 1436.
#[cold]
pub fn overrun() -> SqlError {
    let size = LIMIT.get().1;
    SqlError::new(ErrorCode::STACK_OVERRUN_NEED_MORE, &[&size, &(size + SLACK), &SLACK])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deeper(n: usize) -> SqlResult<usize> {
        let frame = std::hint::black_box([n as u8; 512]);
        check()?;
        Ok(usize::from(frame[0]) + if n == 0 { 0 } else { deeper(n - 1)? })
    }

    #[test]
    fn an_error_comes_before_the_end() {
        let body = || {
            begin(256 * 1024);
            (
                deeper(50).is_ok(),
                deeper(1_000_000).map_err(|e| e.is(ErrorCode::STACK_OVERRUN_NEED_MORE)),
                check().is_ok(),
            )
        };
        let t = std::thread::Builder::new().stack_size(256 * 1024 + SLACK).spawn(body).unwrap();
        assert_eq!(t.join().unwrap(), (true, Err(true), true));
    }

    #[test]
    fn threads_that_say_nothing_are_not_limited() {
        assert!(std::thread::spawn(|| deeper(100).is_ok()).join().unwrap());
    }
}
