//! Signals: blocked in every thread, received by the one thread that calls [`Signals::wait`]. No handler runs, so no code has to be
//! async-signal-safe. [`Signals::block`] must run in `main` before any thread starts (threads inherit the mask). Signals that mean nothing to the
//! server, but whose default is its death or a standstill ([`IGNORED`]), are ignored: a stray `kill -USR2` must not cost anybody a server.

#![allow(unsafe_code)]

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

/// Whose statement raised a signal first.
static ASKED_BY: OnceLock<String> = OnceLock::new();

/// The user whose SHUTDOWN ends the server; `None` if nobody's does.
pub fn asked_by() -> Option<&'static str> {
    ASKED_BY.get().map(String::as_str)
}

/// What arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// SIGTERM: shut down.
    Terminate,
    /// SIGQUIT: shut down, without a core file.
    Quit,
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGHUP: flush logs and reload.
    Hangup,
    /// SIGUSR1: reopen the logs.
    User1,
}

/// Those that are received.
const RECEIVED: [(libc::c_int, Signal); 5] = [
    (libc::SIGTERM, Signal::Terminate),
    (libc::SIGQUIT, Signal::Quit),
    (libc::SIGINT, Signal::Interrupt),
    (libc::SIGHUP, Signal::Hangup),
    (libc::SIGUSR1, Signal::User1),
];

/// Those that are ignored; the signals of real time, too. SIGPIPE: a closed client socket is an error of `write`. SIGXFSZ: so is a file that gets
/// too large.
const IGNORED: [libc::c_int; 12] = [
    libc::SIGPIPE,
    libc::SIGUSR2,
    libc::SIGALRM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGIO,
    libc::SIGPWR,
    libc::SIGSTKFLT,
    libc::SIGXFSZ,
    libc::SIGTSTP,
    libc::SIGTTIN,
    libc::SIGTTOU,
];

/// Proof that the signals are blocked; the receiving end.
#[derive(Debug)]
pub struct Signals(());

fn set() -> libc::sigset_t {
    // SAFETY: sigset_t is plain data; sigemptyset initialises it and the signal numbers are valid.
    unsafe {
        let mut s: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut s);
        for (n, _) in RECEIVED {
            libc::sigaddset(&mut s, n);
        }
        s
    }
}

impl Signals {
    /// Blocks what is received in this thread and those it will start, and ignores what is ignored.
    pub fn block() -> io::Result<Signals> {
        let s = set();
        // SAFETY: valid set, no old mask wanted; SIG_IGN is a valid disposition, and the numbers are those of signals.
        let r = unsafe {
            for n in IGNORED.into_iter().chain(libc::SIGRTMIN()..=libc::SIGRTMAX()) {
                libc::signal(n, libc::SIG_IGN);
            }
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
            match RECEIVED.iter().find(|(n, _)| *n == r) {
                Some((_, signal)) => return Some(*signal),
                None if timeout.is_some() => return None,
                None => {} // EINTR while waiting without end
            }
        }
    }

    /// Makes a waiting [`Signals::wait`] return [`Signal::Terminate`]: how SQL's `SHUTDOWN`, of this user, reaches the
    /// main thread.
    pub fn raise_terminate(by: &str) {
        let _ = ASKED_BY.set(by.to_owned());
        // SAFETY: sends a signal to this very process.
        unsafe { libc::kill(libc::getpid(), libc::SIGTERM) };
    }
}

/// Whether somebody sits at a terminal with this process in its foreground: then SIGINT is his Ctrl-C.
pub fn is_at_terminal() -> bool {
    // SAFETY: both calls take and return numbers; standard input may be anything, or closed.
    unsafe { libc::tcgetpgrp(libc::STDIN_FILENO) == libc::getpgrp() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blocked_signal_is_received_by_wait() {
        // Thread-directed signals, so that other threads of the test process (which do not block them) are not hit.
        std::thread::spawn(|| {
            let s = Signals::block().unwrap();
            assert_eq!(s.wait(Some(Duration::from_millis(2))), None);
            for (n, signal) in RECEIVED {
                // SAFETY: sends a signal to this very thread, which blocks it.
                unsafe { libc::pthread_kill(libc::pthread_self(), n) };
                assert_eq!(s.wait(Some(Duration::from_secs(5))), Some(signal));
            }
            for n in IGNORED {
                // SAFETY: as above; it is ignored.
                unsafe { libc::pthread_kill(libc::pthread_self(), n) };
            }
            assert_eq!(s.wait(Some(Duration::from_millis(2))), None);
        })
        .join()
        .unwrap();
    }
}
