//! Memory of statements: what the running thread holds, and the limits on it (`connection_memory_limit`, `global_connection_memory_limit`).
//!
//! The allocator (`sys::alloc`) calls [`allocated`] and [`freed`]; each thread counts for itself, so that counting shares no cache line. A statement
//! runs on one thread from [`begin`] to [`end`], and what it holds is the difference to what the thread held before. [`check`] is the question whether
//! that is too much: two words of the thread are compared, so it may be asked per row and per value. Only when another [`Limits::chunk`] bytes have
//! come does it look at the limits and carry the statement's bytes over to the server's sum.
//!
//! Code asks before it makes a large value ([`reserve`]) and after each row. Between two questions a statement can pass its limit
//! by what it makes there: a few copies of a value of `max_allowed_packet`. What a session keeps between its statements (user variables) is
//! told by [`Kept`]. Memory that a statement leaves to the server (a table's definition, a cached plan) counts for the statement only.
//!
//! The buffer pool is no part of it. Binaries without the counting allocator (unit tests) are never refused anything. Source: manual,
//! "Server System Variables". Tested below and in `tests/clients/test_memory_limit.py`.

use std::cell::Cell;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use crate::{ErrorCode, SqlError, SqlResult};

/// What a connection may hold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the connection; `None`: any number.
    pub connection: Option<u64>,
    /// Whether the server's sum is kept (`global_connection_memory_tracking`).
    pub tracking: bool,
    /// Bytes of all connections together, looked at while the sum is kept; `None`: this one is not refused.
    pub global: Option<u64>,
    /// Bytes after which the limits are looked at again.
    pub chunk: u64,
}

/// The running statement of a thread.
#[derive(Clone, Copy)]
struct Statement {
    /// What the thread held when it began.
    base: i64,
    /// What its session kept then.
    kept: i64,
    /// Bytes of it in [`SUM`].
    published: i64,
    limits: Limits,
}

thread_local! {
    /// Bytes allocated by this thread less those it has freed.
    static LIVE: Cell<i64> = const { Cell::new(0) };
    /// Where `LIVE` has to be looked at.
    static NEXT: Cell<i64> = const { Cell::new(i64::MAX) };
    /// The most that `LIVE` was since [`begin_peak`].
    static PEAK: Cell<i64> = const { Cell::new(i64::MIN) };
    static STATEMENT: Cell<Option<Statement>> = const { Cell::new(None) };
}

/// Bytes of all connections, while they are tracked.
static SUM: AtomicI64 = AtomicI64::new(0);

/// The allocator has given `n` bytes to this thread.
#[inline]
pub fn allocated(n: usize) {
    let now = LIVE.get().wrapping_add(n as i64);
    LIVE.set(now);
    if now > PEAK.get() {
        PEAK.set(now);
    }
}

/// From here on [`peak`] tells the most that this thread held; what it holds now.
#[inline]
pub fn begin_peak() -> i64 {
    let now = LIVE.get();
    PEAK.set(now);
    now
}

/// The most bytes that this thread held since [`begin_peak`].
#[inline]
pub fn peak() -> i64 {
    PEAK.get()
}

/// This thread has given `n` bytes back.
#[inline]
pub fn freed(n: usize) {
    LIVE.set(LIVE.get().wrapping_sub(n as i64));
}

/// Bytes that this thread has taken since [`live`] said `before`, at least 0. A guess where others free them.
pub fn taken_since(before: i64) -> usize {
    usize::try_from(live().wrapping_sub(before)).unwrap_or(0)
}

/// Bytes allocated by this thread less those it has freed.
pub fn live() -> i64 {
    LIVE.get()
}

/// A statement begins on this thread, of a session that keeps `kept`.
pub fn begin(limits: Limits, kept: &Kept) {
    end();
    let unlimited = limits.connection.is_none() && !limits.tracking;
    if unlimited {
        return;
    }
    let base = LIVE.get();
    STATEMENT.set(Some(Statement { base, kept: kept.0, published: 0, limits }));
    let left = limits.connection.map_or(i64::MAX, |l| i64::try_from(l).unwrap_or(i64::MAX).saturating_sub(kept.0));
    NEXT.set(base.saturating_add(step(&limits).min(left)));
}

/// It has ended, or its session leaves the thread. Returns the bytes that are left of it.
pub fn end() -> i64 {
    NEXT.set(i64::MAX);
    let Some(s) = STATEMENT.take() else { return 0 };
    if s.published != 0 {
        SUM.fetch_sub(s.published, Relaxed);
    }
    LIVE.get().wrapping_sub(s.base)
}

/// Whether the statement may go on: 4082, 4081.
#[inline]
pub fn check() -> SqlResult<()> {
    if LIVE.get() < NEXT.get() { Ok(()) } else { look(0) }
}

/// Whether the statement may have another `n` bytes: 4082, 4081. Who makes that many bytes also works for that
/// long: [`crate::interrupt`].
#[inline]
pub fn reserve(n: usize) -> SqlResult<()> {
    crate::interrupt::worked(n)?;
    if LIVE.get().saturating_add(i64::try_from(n).unwrap_or(i64::MAX)) < NEXT.get() { Ok(()) } else { look(n) }
}

/// Bytes of all connections: `Global_connection_memory`.
pub fn global() -> u64 {
    SUM.load(Relaxed).max(0) as u64
}

fn step(l: &Limits) -> i64 {
    l.chunk.clamp(1 << 16, 1 << 20) as i64
}

/// Looks at the limits. What is asked for is in the server's sum from here on, so that others, who ask before it is made, are not given the same room.
#[cold]
fn look(more: usize) -> SqlResult<()> {
    let Some(mut s) = STATEMENT.get() else { return Ok(()) };
    let now = LIVE.get().wrapping_sub(s.base);
    let held = now.saturating_add(i64::try_from(more).unwrap_or(i64::MAX));
    let wanted = held.saturating_add(s.kept).max(0) as u64;
    let mut refused = match s.limits.connection {
        Some(limit) if wanted > limit => Some((ErrorCode::DA_CONN_LIMIT, limit, wanted)),
        _ => None,
    };
    if s.limits.tracking {
        if refused.is_none()
            && let (Err(all), Some(limit)) =
                (publish(held.saturating_sub(s.published), s.limits.global), s.limits.global)
        {
            refused = Some((ErrorCode::DA_GLOBAL_CONN_LIMIT, limit, all));
        }
        let counted = if refused.is_none() { held } else { now };
        if refused.is_some() {
            let _ = publish(counted.saturating_sub(s.published), None);
        }
        s.published = counted;
        STATEMENT.set(Some(s));
    }
    // whoever asks again after a refusal is refused again
    NEXT.set(if refused.is_some() { i64::MIN } else { s.base.saturating_add(held).saturating_add(step(&s.limits)) });
    refused.map_or(Ok(()), |(code, limit, bytes)| Err(SqlError::new(code, &[&limit, &bytes])))
}

/// Adds to the server's sum, if that stays within `limit`; else the error is what it would be.
fn publish(bytes: i64, limit: Option<u64>) -> Result<(), u64> {
    let within = |sum: i64| limit.is_none_or(|l| sum.max(0) as u64 <= l);
    let add = |sum: i64| Some(sum.saturating_add(bytes)).filter(|s| within(*s));
    SUM.fetch_update(Relaxed, Relaxed, add).map(|_| ()).map_err(|sum| sum.saturating_add(bytes).max(0) as u64)
}

/// Bytes that a session keeps between its statements.
#[derive(Default, Debug)]
pub struct Kept(i64, bool);

impl Kept {
    /// What it keeps now, and whether that is a part of the server's sum.
    pub fn set(&mut self, bytes: usize, tracking: bool) {
        let told = if self.1 { self.0 } else { 0 };
        (self.0, self.1) = (bytes as i64, tracking);
        let tell = if tracking { self.0 } else { 0 };
        if tell != told {
            SUM.fetch_add(tell - told, Relaxed);
        }
    }

    /// Bytes.
    pub fn bytes(&self) -> usize {
        self.0 as usize
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.set(0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: usize = 1 << 20;
    /// The sum is the process's: tests of it run one after the other.
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

    fn limits(connection: usize) -> Limits {
        Limits { connection: Some(connection as u64), tracking: false, global: None, chunk: 8912 }
    }

    #[test]
    fn a_statement_holds_what_its_thread_has_more_than_before() {
        allocated(100 * MB);
        begin(limits(10 * MB), &Kept::default());
        assert!(check().is_ok(), "what was there before is not its own");
        allocated(9 * MB);
        assert!(check().is_ok());
        assert!(reserve(2 * MB).is_err_and(|e| e.code() == 4082), "asked before it is there");
        begin(limits(10 * MB), &Kept::default());
        allocated(11 * MB);
        assert!(check().is_err_and(|e| e.code() == 4082));
        freed(11 * MB);
        assert!(check().is_ok(), "what it has given back is forgotten");
        assert_eq!(end(), 0);
        allocated(1000 * MB);
        assert!(check().is_ok(), "no statement, no limit");
    }

    #[test]
    fn what_the_session_keeps_counts() {
        let mut kept = Kept::default();
        kept.set(8 * MB, false);
        begin(limits(10 * MB), &kept);
        allocated(3 * MB);
        assert!(check().is_err_and(|e| e.code() == 4082));
        end();
    }

    #[test]
    fn all_connections_have_one_sum() {
        let _one = ONE.lock();
        let l = Limits { connection: None, tracking: true, global: Some(20 * MB as u64), chunk: 8912 };
        let mut kept = Kept::default();
        kept.set(12 * MB, true);
        assert!(global() >= 12 * MB as u64);
        let other = std::thread::spawn(move || {
            begin(l, &Kept::default());
            allocated(7 * MB);
            let first = check();
            allocated(2 * MB);
            let second = check();
            end();
            (first, second)
        });
        let (first, second) = other.join().expect("the thread ends");
        assert!(first.is_ok());
        assert!(second.is_err_and(|e| e.code() == 4081));
        drop(kept);
        assert_eq!(global(), 0, "a statement and a session that end take their bytes with them");
    }

    #[test]
    fn what_was_asked_for_is_no_room_for_others() {
        let _one = ONE.lock();
        let l = Limits { connection: None, tracking: true, global: Some(20 * MB as u64), chunk: 8912 };
        begin(l, &Kept::default());
        assert!(reserve(12 * MB).is_ok());
        let other = move |n: usize| {
            let asked = std::thread::spawn(move || {
                begin(l, &Kept::default());
                let asked = reserve(n);
                (asked, end()).0
            });
            asked.join().expect("the thread ends")
        };
        assert!(other(12 * MB).is_err_and(|e| e.code() == 4081), "it is not made yet, and there is no room for both");
        assert!(other(usize::MAX).is_err());
        assert!(other(6 * MB).is_ok(), "what was refused takes no room");
        allocated(12 * MB);
        assert!(check().is_ok(), "it counts once");
        assert!(reserve(6 * MB).is_ok());
        end();
        assert_eq!(global(), 0);
    }
}
