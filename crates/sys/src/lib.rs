//! The only crate with operating-system calls (Linux): the crates above ask it for files, memory, time, futexes, signals,
//! and the limits of processors and memory.
//!
//! * [`file`]: positional file I/O, durable directory operations, the lock that keeps a data directory to one process.
//! * [`alloc`]: the allocator that counts what threads hold.
//! * [`mem`]: 4 KiB aligned buffers for direct I/O and the reserved address range of the buffer pool.
//! * [`child`]: programs that this one starts, and stops.
//! * [`clock`]: monotonic and wall time, cheap and precise.
//! * [`cpu_time`]: processor time of the running thread, mostly without a system call.
//! * [`daemon`]: going to the background.
//! * [`futex`]: wait and wake on a 32-bit word; the base of every blocking primitive in `latch` and `sched`.
//! * [`epoll`]: which of many sockets can be read, each reported to one thread.
//! * [`ring`]: many small sends with one system call.
//! * [`thread`]: names, ids, affinity, PAUSE.
//! * [`signal`]: SIGTERM, SIGINT, SIGHUP received by one waiting thread.
//! * [`usage`]: processor time and resident memory of this process.
//! * [`limits`]: what a container grants: effective CPUs (fractional) and memory.
//! * [`prefetch`]: cache lines asked for ahead of their use.
//! * [`net`]: connections from a given address, network namespaces.
//! * [`process`]: umask, pid file, open-file limit, random bytes, disk space.
//!
//! Nothing here takes a lock, spins, or keeps state apart from caches of constant facts. Errors are [`std::io::Error`] as
//! the kernel gave them: the caller knows what the file means and maps them.

pub mod alloc;
pub mod child;
pub mod clock;
pub mod cpu_time;
pub mod daemon;
pub mod epoll;
pub mod file;
pub mod futex;
pub mod limits;
pub mod mem;
pub mod net;
pub mod prefetch;
pub mod process;
pub mod ring;
pub mod signal;
pub mod thread;
pub mod usage;

pub use file::{Dir, File, LockFile, OpenMode};
pub use mem::{AlignedBuf, Region};

use std::io;

/// Turns the `-1` convention of libc into a result.
pub(crate) fn check(r: libc::c_int) -> io::Result<libc::c_int> {
    if r < 0 { Err(io::Error::last_os_error()) } else { Ok(r) }
}

/// As [`check`] for calls that return a byte count.
pub(crate) fn check_len(r: libc::ssize_t) -> io::Result<usize> {
    usize::try_from(r).map_err(|_| io::Error::last_os_error())
}
