//! Which parked connections have sent something: two epoll sets, one for sessions inside a transaction that holds locks, one for all others.
//!
//! Others may wait for those locks, so the next command of who holds them comes first: a thread looks into the *urgent* set before it
//! waits in the other. It does so at most [`MOST_BYPASSED`] times in a row, then the others get a turn. The urgent set is itself a
//! member of the other one: whoever waits there is woken for both. While nobody is parked with locks there is one system call per command as
//! without it.
//!
//! A look into the set brings all connections that can be read into queues, one for each CPU ([`homes`]); where there is one run token, up to
//! [`AT_ONCE`]. A thread takes those that are at home on its CPU first, and looks again every [`LOOK_EVERY`] of them.
//!
//! A descriptor is added to a set when it is first needed there and stays in it, silent, until it is closed; it is armed in one of them at a time
//! (`sys::epoll` reports each arming once). Locks: the queues'; nothing is taken under them. Tested here and with the pool.

pub(crate) mod homes;
pub(crate) mod warm;

use homes::{Homes, tag, untag};
use std::cell::Cell;
use std::io;
use std::os::fd::RawFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};
use sys::epoll::{Bell, Epoll};

/// So many urgent connections in a row may go before the others on one thread.
const MOST_BYPASSED: u32 = 16;
/// So many are reported by one system call to a thread that is alone and under no quota.
const AT_ONCE: usize = 16;
/// So many connections of its home a thread takes before it looks which others can be read.
const LOOK_EVERY: u32 = 16;
/// So many after a look it looks whether some of its home were sent from elsewhere: soon, so that it has probably had its CPU all the time.
const PROBE_AFTER: u32 = 4;
/// What the bell is reported as; no connection has this id.
pub(crate) const RUNG: u64 = u64::MAX;
/// What the urgent set is reported as in the other one.
const URGENT: u64 = u64::MAX - 1;

thread_local! {
    /// Urgent connections that this thread has taken since it looked at the others.
    static BYPASSED: Cell<u32> = const { Cell::new(0) };
    /// Connections that it has taken since it looked.
    static TAKEN: Cell<u32> = const { Cell::new(0) };
}

/// The sets a descriptor has been added to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Known {
    plain: bool,
    urgent: bool,
}

/// Both sets and the bell.
pub(crate) struct Ready {
    plain: Epoll,
    urgent: Epoll,
    bell: Option<Bell>,
    /// Connections that are armed in the urgent set, or about to be.
    urgent_armed: AtomicI64,
    /// Reported and not taken up yet.
    pub(crate) homes: Homes,
}

impl Ready {
    fn new() -> io::Result<Ready> {
        let (plain, urgent) = (Epoll::new()?, Epoll::new()?);
        plain.add_set(&urgent, URGENT)?;
        let bell = Bell::new(&plain, RUNG).ok();
        Ok(Ready { plain, urgent, bell, urgent_armed: AtomicI64::new(0), homes: Homes::new() })
    }

    /// The process's; `None` if the kernel gives none: every connection keeps its thread then.
    pub(crate) fn get() -> Option<&'static Ready> {
        static READY: OnceLock<Option<Ready>> = OnceLock::new();
        READY.get_or_init(|| Ready::new().ok()).as_ref()
    }

    /// Reported as [`RUNG`] to one of those who wait, at each ring.
    pub(crate) fn bell(&self) -> Option<&Bell> {
        self.bell.as_ref()
    }

    /// Has a descriptor reported once more, with its home. Whoever takes up a connection that was armed as urgent says so by [`Ready::taken`].
    pub(crate) fn arm(&self, fd: RawFd, id: u64, home: u8, known: Known, urgent: bool) -> io::Result<()> {
        let tagged = tag(id, home);
        if urgent {
            self.urgent_armed.fetch_add(1, Ordering::SeqCst);
        }
        let (set, known) = if urgent { (&self.urgent, known.urgent) } else { (&self.plain, known.plain) };
        if known { set.rearm(fd, tagged) } else { set.add(fd, tagged) }
    }

    /// A connection that was armed as urgent has been taken up (or has gone).
    pub(crate) fn taken(&self) {
        self.urgent_armed.fetch_sub(1, Ordering::SeqCst);
    }

    /// Whether a thread of this CPU has another connection to take up at once.
    pub(crate) fn has_more_here(&self) -> bool {
        self.homes.has_some_here()
    }

    /// The first of the others: from the queues, or else from the set. [`URGENT`] and [`RUNG`] are answered where there is nothing else.
    fn next_plain(&self, timeout_ms: i32) -> io::Result<Option<u64>> {
        let mut sign = None;
        if self.homes.len() > 0 {
            let taken = TAKEN.get() + 1;
            TAKEN.set(taken);
            if taken == PROBE_AFTER && self.homes.several() {
                sign = self.look(0, true)?;
            } else if taken >= LOOK_EVERY && self.homes.several() {
                self.homes.take_over();
                sign = self.look(0, false)?;
            }
            let next = if self.homes.several() { self.homes.pop_here() } else { self.homes.pop() };
            if next.is_some() {
                return Ok(next);
            }
        }
        // Here is nothing: what has come since goes before what is at home elsewhere.
        sign = self.look(if self.homes.len() > 0 { 0 } else { timeout_ms }, false)?.or(sign);
        // Who is urgent and has come just now is found by the next call before anything else.
        Ok(self.homes.pop().or(sign))
    }

    /// Puts what can be read into the queues; [`URGENT`] or else [`RUNG`] if it was reported. `probe`: moves those that were sent from elsewhere.
    fn look(&self, mut timeout_ms: i32, probe: bool) -> io::Result<Option<u64>> {
        let mut sign = None;
        loop {
            let mut found = [0; 64];
            let whole = self.homes.several() || crate::pace::in_rounds();
            let room = if whole { found.len() } else { AT_ONCE };
            let found = self.plain.wait_many(timeout_ms, found.get_mut(..room).unwrap_or_default())?;
            let moves = if probe && !found.is_empty() { self.homes.sent_elsewhere() } else { None };
            let now = sys::clock::now_ns();
            for id in found {
                match *id {
                    URGENT => sign = Some(URGENT),
                    RUNG => sign = sign.or(Some(RUNG)),
                    tagged => {
                        warm::warm_list(untag(tagged).0);
                        self.homes.push_moving(tagged, moves, now);
                    }
                }
            }
            if found.len() < room || !self.homes.several() {
                break;
            }
            timeout_ms = 0;
        }
        if self.homes.several() && !probe {
            TAKEN.set(0);
            self.homes.note_look();
        }
        Ok(sign)
    }

    /// The next connection that can be read (with its home, [`homes::untag`]), or [`RUNG`]; waits for it if `wait`. `None`: nothing is there, a signal came, or another thread was faster.
    pub(crate) fn next(&self, wait: bool) -> io::Result<Option<u64>> {
        if self.urgent_armed.load(Ordering::SeqCst) > 0 {
            let bypassed = BYPASSED.get();
            if bypassed >= MOST_BYPASSED
                && let Some(id) = self.next_plain(0)?.filter(|id| *id != URGENT)
            {
                BYPASSED.set(0);
                return Ok(Some(id));
            }
            if let Some(id) = self.urgent.wait(0)? {
                BYPASSED.set(if bypassed < MOST_BYPASSED { bypassed + 1 } else { 0 });
                return Ok(Some(id));
            }
        }
        match self.next_plain(if wait { -1 } else { 0 })? {
            Some(URGENT) => self.urgent.wait(0),
            id => {
                BYPASSED.set(0);
                Ok(id)
            }
        }
    }
}

impl Known {
    /// After [`Ready::arm`].
    pub(crate) fn with(self, urgent: bool) -> Known {
        Known { plain: self.plain || !urgent, urgent: self.urgent || urgent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;
    use std::sync::Arc;
    use std::time::Duration;

    /// A connection that has something to read.
    fn readable() -> (UnixStream, UnixStream) {
        let (mut a, b) = UnixStream::pair().unwrap();
        a.write_all(b"x").unwrap();
        (a, b)
    }

    #[test]
    fn transactions_come_first_but_not_for_ever() {
        let r = Ready::new().unwrap();
        let all: Vec<_> = (0..6).map(|_| readable()).collect();
        for (i, (_, s)) in all.iter().enumerate() {
            r.arm(s.as_raw_fd(), i as u64, 0, Known::default(), i >= 4).unwrap();
        }
        let mut first: Vec<u64> = (0..2).map(|_| r.next(true).unwrap().unwrap()).collect();
        first.sort_unstable();
        assert_eq!(first, [4, 5], "inside a transaction");
        r.taken();
        r.taken();
        // One that always has something to say: the others get their turns.
        let (s, mut known) = (all[5].1.as_raw_fd(), Known::default().with(true));
        let mut others = Vec::new();
        for _ in 0..5 * (MOST_BYPASSED + 1) {
            r.arm(s, 5, 0, known, true).unwrap();
            known = known.with(true);
            match r.next(true).unwrap().unwrap() {
                5 => {}
                id => others.push(id),
            }
            r.taken();
        }
        assert_eq!(others, [0, 1, 2, 3], "in order of arrival");
        // out of the transaction: the same descriptor in the other set
        r.arm(s, 5, 0, known, false).unwrap();
        assert_eq!(r.next(true).unwrap(), Some(5));
        assert_eq!(known.with(false), Known { plain: true, urgent: true });
    }

    #[test]
    fn who_waits_is_woken_for_both_sets() {
        let r = Arc::new(Ready::new().unwrap());
        for urgent in [false, true, false, true] {
            let (mut a, b) = UnixStream::pair().unwrap();
            let waiting = std::thread::spawn({
                let r = r.clone();
                move || loop {
                    if let Some(id) = r.next(true).unwrap() {
                        return id;
                    }
                }
            });
            std::thread::sleep(Duration::from_millis(20));
            r.arm(b.as_raw_fd(), 9, 0, Known::default(), urgent).unwrap();
            std::thread::sleep(Duration::from_millis(20));
            a.write_all(b"x").unwrap();
            assert_eq!(waiting.join().unwrap(), 9);
            if urgent {
                r.taken();
            }
        }
        r.bell().unwrap().ring();
        assert_eq!(r.next(true).unwrap(), Some(RUNG));
    }
}
