//! Signals: blocked in every thread, received by the one thread that calls [`Signals::wait`]. No handler runs, so no code has to be
//! async-signal-safe. [`Signals::block`] must run in `main` before any thread starts (threads inherit the mask).

#![allow(unsafe_code)]

use std::io;
use std::time::Duration;

/// What arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// SIGTERM: shut down.
    Terminate,
    /// SIGINT: shut down (Ctrl-C).
    Interrupt,
    /// SIGHUP: flush logs and reload.
    Hangup,
}

/// Proof that the signals are blocked; the receiving end.
#[derive(Debug)]
pub struct Signals(());

fn set() -> libc::sigset_t {
    // SAFETY: sigset_t is plain data; sigemptyset initialises it and the signal numbers are valid.
    unsafe {
        let mut s: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut s);
        for n in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
            libc::sigaddset(&mut s, n);
        }
        s
    }
}

impl Signals {
    /// Blocks SIGTERM, SIGINT and SIGHUP in this thread and those it will start, and ignores SIGPIPE (a closed client
    /// socket is an error of `write`, not the end of the server).
    pub fn block() -> io::Result<Signals> {
        let s = set();
        // SAFETY: valid set, no old mask wanted; SIG_IGN is a valid disposition.
        let r = unsafe {
            libc::signal(libc::SIGPIPE, libc::SIG_IGN);
            libc::pthread_sigmask(libc::SIG_BLOCK, &s, std::ptr::null_mut())
        };
        if r == 0 { Ok(Signals(())) } else { Err(io::Error::from_raw_os_error(r)) }
    }

    /// Sleeps until a signal arrives, or for `timeout` (then `None`).
    pub fn wait(&self, timeout: Option<Duration>) -> Option<Signal> {
        let s = set();
        let ts = timeout.map(|d| libc::timespec {
            tv_sec: d.as_secs().min(i32::MAX as u64) as libc::time_t,
            tv_nsec: libc::c_long::from(d.subsec_nanos()),
        });
        loop {
            let tsp = ts.as_ref().map_or(std::ptr::null(), |t| t as *const libc::timespec);
            // SAFETY: valid set; no siginfo wanted; null or valid timeout.
            let r = unsafe { libc::sigtimedwait(&s, std::ptr::null_mut(), tsp) };
            match r {
                libc::SIGTERM => return Some(Signal::Terminate),
                libc::SIGINT => return Some(Signal::Interrupt),
                libc::SIGHUP => return Some(Signal::Hangup),
                _ if timeout.is_some() => return None,
                _ => {} // EINTR while waiting without end
            }
        }
    }

    /// Makes a waiting [`Signals::wait`] return [`Signal::Terminate`]: how SQL's `SHUTDOWN` reaches the main thread.
    pub fn raise_terminate() {
        // SAFETY: sends a signal to this very process.
        unsafe { libc::kill(libc::getpid(), libc::SIGTERM) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blocked_signal_is_received_by_wait() {
        // A thread-directed signal, so that other threads of the test process (which do not block it) are not hit.
        std::thread::spawn(|| {
            let s = Signals::block().unwrap();
            assert_eq!(s.wait(Some(Duration::from_millis(2))), None);
            // SAFETY: sends SIGHUP to this very thread, which blocks it.
            unsafe { libc::pthread_kill(libc::pthread_self(), libc::SIGHUP) };
            assert_eq!(s.wait(Some(Duration::from_secs(5))), Some(Signal::Hangup));
        })
        .join()
        .unwrap();
    }
}
