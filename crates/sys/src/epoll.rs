//! Readiness of many sockets, reported once each (`epoll(7)` with `EPOLLONESHOT`).
//!
//! A descriptor that has been reported stays silent until it is armed again, so exactly one thread works on it however many wait here.
//! A descriptor leaves the set when it is closed. Tested here and by `sched::pool`.

#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// A set of descriptors. Any number of threads may wait on it; the kernel wakes one per event, the one that came last first.
#[derive(Debug)]
pub struct Epoll {
    fd: OwnedFd,
}

const INTEREST: u32 = (libc::EPOLLIN | libc::EPOLLRDHUP | libc::EPOLLONESHOT) as u32;

impl Epoll {
    /// An empty set.
    ///
    /// # Errors
    /// Out of descriptors or memory.
    pub fn new() -> io::Result<Epoll> {
        // SAFETY: no pointer is passed.
        let fd = crate::check(unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) })?;
        // SAFETY: `fd` is a fresh descriptor that nobody else owns.
        Ok(Epoll { fd: unsafe { OwnedFd::from_raw_fd(fd) } })
    }

    /// Adds a descriptor: it will be reported once, as `data`, when it can be read or the peer has gone.
    ///
    /// # Errors
    /// As `epoll_ctl(2)`.
    pub fn add(&self, fd: RawFd, data: u64) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_ADD, fd, data)
    }

    /// Lets a descriptor of the set be reported once more.
    ///
    /// # Errors
    /// As `epoll_ctl(2)`.
    pub fn rearm(&self, fd: RawFd, data: u64) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_MOD, fd, data)
    }

    /// Adds another set: reported as `data` for as long as something in it is ready.
    ///
    /// # Errors
    /// As `epoll_ctl(2)`.
    pub fn add_set(&self, set: &Epoll, data: u64) -> io::Result<()> {
        self.control_for(libc::EPOLLIN as u32, libc::EPOLL_CTL_ADD, set.fd.as_raw_fd(), data)
    }

    fn control(&self, op: libc::c_int, fd: RawFd, data: u64) -> io::Result<()> {
        self.control_for(INTEREST, op, fd, data)
    }

    fn control_for(&self, events: u32, op: libc::c_int, fd: RawFd, data: u64) -> io::Result<()> {
        let mut event = libc::epoll_event { events, u64: data };
        // SAFETY: `event` lives for the call; a bad descriptor is an error, not undefined.
        crate::check(unsafe { libc::epoll_ctl(self.fd.as_raw_fd(), op, fd, &mut event) }).map(drop)
    }

    /// The `data` of one ready descriptor; waits up to `timeout_ms` (negative: without end). `None`: time is over or a signal came.
    ///
    /// # Errors
    /// As `epoll_wait(2)`.
    pub fn wait(&self, timeout_ms: i32) -> io::Result<Option<u64>> {
        let mut one = [0];
        Ok(self.wait_many(timeout_ms, &mut one)?.first().copied())
    }

    /// The `data` of up to 64 ready descriptors, as many as there is room for; otherwise as [`Epoll::wait`].
    ///
    /// # Errors
    /// As `epoll_wait(2)`.
    pub fn wait_many<'a>(&self, timeout_ms: i32, data: &'a mut [u64]) -> io::Result<&'a [u64]> {
        let mut events = [libc::epoll_event { events: 0, u64: 0 }; 64];
        let room = data.len().min(events.len()) as libc::c_int;
        // SAFETY: room for the events asked for.
        let n =
            match crate::check(unsafe { libc::epoll_wait(self.fd.as_raw_fd(), events.as_mut_ptr(), room, timeout_ms) })
            {
                Ok(n) => n as usize,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => 0,
                Err(e) => return Err(e),
            };
        for (to, from) in data.iter_mut().zip(events.iter().take(n)) {
            *to = from.u64;
        }
        Ok(data.get(..n).unwrap_or(&[]))
    }
}

/// Something to ring that wakes a thread which waits in an [`Epoll`] (`eventfd(2)`, reported at each ring, never silent).
#[derive(Debug)]
pub struct Bell {
    fd: OwnedFd,
}

impl Bell {
    /// A bell in the set, reported as `data`.
    ///
    /// # Errors
    /// Out of descriptors or memory.
    pub fn new(set: &Epoll, data: u64) -> io::Result<Bell> {
        // SAFETY: no pointer is passed.
        let fd = crate::check(unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) })?;
        // SAFETY: `fd` is a fresh descriptor that nobody else owns.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        let mut event = libc::epoll_event { events: (libc::EPOLLIN | libc::EPOLLET) as u32, u64: data };
        // SAFETY: `event` lives for the call.
        crate::check(unsafe { libc::epoll_ctl(set.fd.as_raw_fd(), libc::EPOLL_CTL_ADD, fd.as_raw_fd(), &mut event) })?;
        Ok(Bell { fd })
    }

    /// Wakes one thread, now or when the next one comes to wait. Its sum is never read: edges are what is reported, and a full counter
    /// (after 2^64 rings) would be no reason to fail.
    pub fn ring(&self) {
        let one = 1u64.to_ne_bytes();
        // SAFETY: eight readable bytes.
        unsafe { libc::write(self.fd.as_raw_fd(), one.as_ptr().cast(), one.len()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    #[test]
    fn reports_once_until_armed_again() {
        let e = Epoll::new().unwrap();
        let (mut a, b) = UnixStream::pair().unwrap();
        e.add(b.as_raw_fd(), 7).unwrap();
        assert_eq!(e.wait(0).unwrap(), None);
        a.write_all(b"x").unwrap();
        assert_eq!(e.wait(1000).unwrap(), Some(7));
        assert_eq!(e.wait(0).unwrap(), None, "silent although still readable");
        e.rearm(b.as_raw_fd(), 8).unwrap();
        assert_eq!(e.wait(1000).unwrap(), Some(8));
        e.rearm(b.as_raw_fd(), 9).unwrap();
        drop(a);
        assert_eq!(e.wait(1000).unwrap(), Some(9), "a peer that has gone is reported");
        drop(b);
        assert_eq!(e.wait(0).unwrap(), None);
        assert!(e.rearm(-1, 0).is_err());
    }

    #[test]
    fn a_set_in_a_set_is_ready_while_something_in_it_is() {
        let (outer, inner) = (Epoll::new().unwrap(), Epoll::new().unwrap());
        outer.add_set(&inner, 5).unwrap();
        let (mut a, b) = UnixStream::pair().unwrap();
        inner.add(b.as_raw_fd(), 7).unwrap();
        assert_eq!(outer.wait(0).unwrap(), None);
        a.write_all(b"x").unwrap();
        assert_eq!((outer.wait(1000).unwrap(), outer.wait(0).unwrap()), (Some(5), Some(5)));
        assert_eq!(inner.wait(0).unwrap(), Some(7));
        assert_eq!(outer.wait(0).unwrap(), None);
    }

    #[test]
    fn each_ring_is_reported_once() {
        let e = Epoll::new().unwrap();
        let bell = Bell::new(&e, 3).unwrap();
        assert_eq!(e.wait(0).unwrap(), None);
        for _ in 0..3 {
            bell.ring();
            assert_eq!(e.wait(1000).unwrap(), Some(3));
            assert_eq!(e.wait(0).unwrap(), None);
        }
    }
}
