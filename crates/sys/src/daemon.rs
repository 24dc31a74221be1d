//! Going to the background (`--daemonize`): the process that was called waits until its child says that the server is ready, and ends.
//!
//! State: one descriptor, of the pipe on which [`ready`] speaks. A child that ends without it closes the pipe, which the parent reads as failure. The
//! error log stays where it was; input and output become /dev/null. Tested: `tests/clients/test_container.py`.

#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd};
use std::sync::atomic::{AtomicI32, Ordering};

static SPEAK: AtomicI32 = AtomicI32::new(-1);

/// Which of the two processes this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The one that was called, when the other one is ready or has ended.
    Parent {
        /// Whether it is ready.
        ready: bool,
    },
    /// The one that goes on.
    Child,
}

/// Splits the process in two. Only while it has one thread.
pub fn split() -> io::Result<Side> {
    let mut ends = [0i32; 2];
    // SAFETY: `ends` has room for the two descriptors.
    super::check(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
    let [listen, speak] = ends;
    // SAFETY: both descriptors are new and owned by nobody else.
    let (mut listen, speak) = unsafe { (File::from_raw_fd(listen), File::from_raw_fd(speak)) };
    // SAFETY: the process has one thread: what the child runs is in the same state as in its parent.
    match super::check(unsafe { libc::fork() })? {
        0 => {
            drop(listen);
            SPEAK.store(speak.into_raw_fd(), Ordering::Relaxed);
            // SAFETY: cannot harm: a session of its own.
            unsafe { libc::setsid() };
            let null = File::options().read(true).write(true).open("/dev/null")?;
            for fd in [0, 1] {
                // SAFETY: both descriptors are open.
                super::check(unsafe { libc::dup2(null.as_raw_fd(), fd) })?;
            }
            Ok(Side::Child)
        }
        _ => {
            drop(speak);
            let mut said = [0u8; 1];
            Ok(Side::Parent { ready: listen.read(&mut said)? == 1 })
        }
    }
}

/// Tells the parent that clients are served; nothing without one.
pub fn ready() {
    let fd = SPEAK.swap(-1, Ordering::Relaxed);
    if fd >= 0 {
        // SAFETY: the descriptor came from `split` and is given away once.
        let mut speak = unsafe { File::from_raw_fd(fd) };
        // a parent that has gone need not hear it
        let _ = speak.write_all(b"r");
    }
}
