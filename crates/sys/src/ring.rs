//! Many small sends with one system call (`io_uring(7)`).
//!
//! A send that wakes its receiver may cost the sender the processor on its way out of the kernel. Sent together, a batch of answers wakes all receivers and
//! leaves the kernel once. Each send is one that does not wait (`MSG_DONTWAIT`), so the kernel completes it while it is submitted; nothing
//! is in flight when [`SendRing::send`] returns. One ring belongs to one thread at a time. Containers often forbid io_uring (seccomp) and kernels
//! before 5.6 have no sends there: [`SendRing::new`] fails then and the caller sends one by one. Tested here and by `sched::pool`.

#![allow(unsafe_code)]

use io_uring::{IoUring, Probe, opcode, types};
use std::io;
use std::os::fd::RawFd;
use std::time::Duration;

/// Most sends at once.
pub const MOST: usize = 32;

/// A submission and a completion queue.
pub struct SendRing {
    ring: IoUring,
    broken: bool,
}

/// Sends as much of `bytes` as the socket takes without waiting.
///
/// # Errors
/// As `send(2)`; `WouldBlock` if it takes nothing now.
pub fn send_now(fd: RawFd, bytes: &[u8]) -> io::Result<usize> {
    // SAFETY: the range is readable for the call; a bad descriptor is an error.
    crate::check_len(unsafe { libc::send(fd, bytes.as_ptr().cast(), bytes.len(), FLAGS) })
}

/// Waits until the socket takes something, or tells that it never will; false: not within `wait`.
///
/// # Errors
/// As `poll(2)`; `Interrupted` after a signal.
pub fn wait_writable(fd: RawFd, wait: Duration) -> io::Result<bool> {
    // rounded up: a wait of nothing would be no wait
    let ms = wait.as_micros().div_ceil(1000).min(i32::MAX as u128) as libc::c_int;
    let mut one = libc::pollfd { fd, events: libc::POLLOUT, revents: 0 };
    // SAFETY: one structure, writable for the call; a bad descriptor is an answer.
    crate::check(unsafe { libc::poll(&raw mut one, 1, ms) }).map(|n| n > 0)
}

/// `IORING_ENTER_GETEVENTS`.
const GETEVENTS: u32 = 1;
const FLAGS: libc::c_int = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;

impl SendRing {
    /// A ring for [`MOST`] sends.
    ///
    /// # Errors
    /// The kernel has no io_uring, none with sends, or does not allow it.
    pub fn new() -> io::Result<SendRing> {
        let ring = IoUring::builder().build(MOST as u32)?;
        let mut known = Probe::new();
        ring.submitter().register_probe(&mut known)?;
        if !known.is_supported(opcode::Send::CODE) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        Ok(SendRing { ring, broken: false })
    }

    /// Sends each of at most [`MOST`] pieces without waiting; `sent` gets for each of them, in their order, what `send(2)` would have answered. Pieces for the
    /// same socket are not sent in a known order.
    pub fn send(&mut self, pieces: &[(RawFd, &[u8])], sent: &mut Vec<io::Result<usize>>) {
        sent.clear();
        if self.broken || pieces.len() > MOST {
            sent.extend(pieces.iter().map(|(fd, bytes)| send_now(*fd, bytes)));
            return;
        }
        sent.extend(pieces.iter().map(|_| Err(io::ErrorKind::WouldBlock.into())));
        {
            let mut queue = self.ring.submission();
            for (at, (fd, bytes)) in pieces.iter().enumerate() {
                let one = opcode::Send::new(types::Fd(*fd), bytes.as_ptr(), bytes.len() as u32).flags(FLAGS).build();
                // SAFETY: the bytes outlive the request: `complete` does not return while one that the kernel has taken is unfinished. There is room for all.
                let _ = unsafe { queue.push(&one.user_data(at as u64)) };
            }
        }
        self.complete(pieces.len(), sent);
    }

    /// Hands the queue to the kernel and collects the answers. What the kernel does not take stays unsent (`WouldBlock`), and the ring is not used again: its queue
    /// still names memory of the caller, which the kernel never looks at without another submission.
    fn complete(&mut self, wanted: usize, sent: &mut [io::Result<usize>]) {
        let (mut taken, mut answered) = (0, 0);
        while taken < wanted {
            match self.ring.submit() {
                Ok(n) if n > 0 => taken += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => {
                    self.broken = true;
                    break;
                }
            }
        }
        loop {
            for c in self.ring.completion() {
                answered += 1;
                if let Some(slot) = sent.get_mut(c.user_data() as usize) {
                    let n = c.result();
                    *slot = usize::try_from(n).map_err(|_| io::Error::from_raw_os_error(-n));
                }
            }
            if answered >= taken {
                return;
            }
            // Not seen to happen: a send that may not wait is complete once it has been taken. Submits nothing.
            // SAFETY: no argument is passed.
            let _ = unsafe { self.ring.submitter().enter::<()>(0, 1, GETEVENTS, None) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;

    /// Both ways where the kernel allows io_uring.
    fn ways() -> Vec<Option<SendRing>> {
        std::iter::once(None).chain(SendRing::new().ok().map(Some)).collect()
    }

    fn send(way: &mut Option<SendRing>, pieces: &[(RawFd, &[u8])]) -> Vec<io::Result<usize>> {
        let mut sent = Vec::new();
        match way {
            Some(ring) => ring.send(pieces, &mut sent),
            None => sent.extend(pieces.iter().map(|(fd, b)| send_now(*fd, b))),
        }
        sent
    }

    #[test]
    fn each_socket_gets_its_own() {
        for mut way in ways() {
            let pairs: Vec<_> = (0..MOST).map(|_| UnixStream::pair().unwrap()).collect();
            for round in 0..50u8 {
                let texts: Vec<Vec<u8>> = (0..MOST as u8).map(|i| vec![round, i, 7]).collect();
                let pieces: Vec<_> =
                    pairs.iter().zip(&texts).map(|((a, _), t)| (a.as_raw_fd(), t.as_slice())).collect();
                assert!(send(&mut way, &pieces).into_iter().all(|n| n.unwrap() == 3));
                for ((_, b), t) in pairs.iter().zip(&texts) {
                    let mut got = [0; 3];
                    (&*b).read_exact(&mut got).unwrap();
                    assert_eq!(&got, t.as_slice());
                }
            }
        }
    }

    #[test]
    fn full_and_closed_sockets_say_so_and_the_others_are_served() {
        for mut way in ways() {
            let (full, _keep) = UnixStream::pair().unwrap();
            full.set_nonblocking(true).unwrap();
            while (&full).write(&[0; 4096]).is_ok() {}
            let (gone, b) = UnixStream::pair().unwrap();
            drop(b);
            let (good, mut other) = UnixStream::pair().unwrap();
            let large = vec![5u8; 8 << 20];
            let (part, _keep_too) = UnixStream::pair().unwrap();
            let r = send(
                &mut way,
                &[
                    (full.as_raw_fd(), b"x"),
                    (gone.as_raw_fd(), b"x"),
                    (good.as_raw_fd(), b"hello"),
                    (part.as_raw_fd(), &large),
                    (-1, b"x"),
                ],
            );
            assert_eq!(r[0].as_ref().unwrap_err().kind(), io::ErrorKind::WouldBlock);
            assert_eq!(r[1].as_ref().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
            assert_eq!(*r[2].as_ref().unwrap(), 5);
            assert!((1..large.len()).contains(r[3].as_ref().unwrap()), "as much as it takes");
            assert_eq!(r[4].as_ref().unwrap_err().raw_os_error(), Some(libc::EBADF));
            let mut got = [0; 5];
            other.read_exact(&mut got).unwrap();
            assert_eq!(&got, b"hello");
        }
    }
}
