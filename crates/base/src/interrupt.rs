//! Whether the running statement has been told to stop (KILL, `max_execution_time`, shutdown), for code that knows
//! no session: character sets, JSON, compression.
//!
//! Work on one value can take seconds: a value may have 1 GiB. Between its pieces such code says how many bytes it
//! has worked on ([`worked`]); once in a [`SHARE`] of them the question is asked. Who asks is `sched`, which
//! installs itself here. Without it (unit tests) the answer is always no. Tested below, in the executor's
//! `eval/asks_tests.rs` and in `tests/clients/test_value_kill.py`.

use crate::SqlResult;
use std::cell::Cell;
use std::sync::OnceLock;

/// Bytes of work between two questions: some milliseconds of the slowest functions.
pub const SHARE: usize = 1 << 20;

static ASK: OnceLock<fn() -> SqlResult<()>> = OnceLock::new();

thread_local! {
    /// Bytes that this thread may work on before it asks again.
    static LEFT: Cell<usize> = const { Cell::new(SHARE) };
    /// Who is asked on this thread alone.
    static HERE: Cell<Option<fn() -> SqlResult<()>>> = const { Cell::new(None) };
}

/// Says who knows. The first one stays.
pub fn install(ask: fn() -> SqlResult<()>) {
    let _ = ASK.get_or_init(|| ask);
}

/// Says who is asked on this thread instead: for tests that count the questions.
pub fn install_here(ask: fn() -> SqlResult<()>) {
    HERE.set(Some(ask));
    LEFT.set(SHARE);
}

/// `Err` if the running statement is to end: 1317, 3024 or 1053.
pub fn check() -> SqlResult<()> {
    LEFT.set(SHARE);
    HERE.get().or_else(|| ASK.get().copied()).map_or(Ok(()), |ask| ask())
}

/// Counts `bytes` of work; [`check`] when there have been enough.
#[inline]
pub fn worked(bytes: usize) -> SqlResult<()> {
    let left = LEFT.get();
    if bytes >= left {
        return check();
    }
    LEFT.set(left - bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, SqlError};

    #[test]
    fn asks_once_in_a_share() {
        thread_local!(static ASKED: Cell<u32> = const { Cell::new(0) });
        install_here(|| {
            ASKED.set(ASKED.get() + 1);
            if ASKED.get() > 2 { Err(SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[])) } else { Ok(()) }
        });
        let calls = (0..).position(|_| worked(SHARE / 10).is_err());
        assert_eq!((ASKED.get(), calls), (3, Some(32)));
        assert!(worked(0).is_ok() && worked(2 * SHARE).is_err());
    }
}
