//! What this process has used: processor time, memory, context switches. Read by `views` (INNODB_METRICS `cpu_*`, status
//! variables) and by the pacing of `sched`; each call is a system call or a small file in `/proc`.

#![allow(unsafe_code)]

use std::time::Duration;

/// `getrusage(2)` for the process.
#[derive(Clone, Copy, Default, Debug)]
pub struct Usage {
    /// Time in user mode.
    pub user: Duration,
    /// Time in the kernel.
    pub system: Duration,
    /// Largest resident set so far, bytes.
    pub max_rss: u64,
    /// Waits that gave up the CPU.
    pub voluntary_switches: u64,
    /// Times the kernel took the CPU away.
    pub involuntary_switches: u64,
    /// Page faults that needed I/O.
    pub major_faults: u64,
}

fn time(t: libc::timeval) -> Duration {
    Duration::from_micros((t.tv_sec as u64).wrapping_mul(1_000_000).wrapping_add(t.tv_usec as u64))
}

/// Resources used by all threads of the process so far.
pub fn process() -> Usage {
    // SAFETY: rusage is plain data and a valid place to write to; RUSAGE_SELF cannot fail.
    let r = unsafe {
        let mut r: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut r);
        r
    };
    Usage {
        user: time(r.ru_utime),
        system: time(r.ru_stime),
        max_rss: (r.ru_maxrss as u64).saturating_mul(1024),
        voluntary_switches: r.ru_nvcsw as u64,
        involuntary_switches: r.ru_nivcsw as u64,
        major_faults: r.ru_majflt as u64,
    }
}

/// `getrusage(2)` for the calling thread.
#[derive(Clone, Copy, Default, Debug)]
pub struct ThreadUsage {
    /// Time in user mode.
    pub user: Duration,
    /// Time in the kernel.
    pub system: Duration,
    /// Waits that gave up the CPU, and times the kernel took it away.
    pub switches: [u64; 2],
    /// Blocks read and written.
    pub blocks: [u64; 2],
    /// Messages sent and received (0 on Linux).
    pub messages: [u64; 2],
    /// Page faults that needed I/O, and the others.
    pub faults: [u64; 2],
    /// Swaps (0 on Linux).
    pub swaps: u64,
}

/// Resources used by the calling thread so far.
pub fn thread() -> ThreadUsage {
    // SAFETY: rusage is plain data and a valid place to write to; RUSAGE_THREAD exists since Linux 2.6.26.
    let r = unsafe {
        let mut r: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut r);
        r
    };
    ThreadUsage {
        user: time(r.ru_utime),
        system: time(r.ru_stime),
        switches: [r.ru_nvcsw as u64, r.ru_nivcsw as u64],
        blocks: [r.ru_inblock as u64, r.ru_oublock as u64],
        messages: [r.ru_msgsnd as u64, r.ru_msgrcv as u64],
        faults: [r.ru_majflt as u64, r.ru_minflt as u64],
        swaps: r.ru_nswap as u64,
    }
}

/// Processor time of all threads of the process so far, nanoseconds. A system call that looks at every thread.
pub fn process_cpu_ns() -> u64 {
    // SAFETY: timespec is plain data and a valid place to write to; the clock exists on every Linux.
    let t = unsafe {
        let mut t: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t);
        t
    };
    (t.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(t.tv_nsec as u64)
}

/// Resident memory now, in bytes (0 if `/proc` cannot be read).
pub fn rss() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_ascii_whitespace().nth(1).and_then(|s| s.parse::<u64>().ok()).unwrap_or(0);
    pages.saturating_mul(page_size())
}

/// The kernel's page size in bytes.
pub fn page_size() -> u64 {
    // SAFETY: a plain query.
    let n = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(n).unwrap_or(4096)
}

/// Machine memory in bytes (not the container's: see [`crate::limits`]).
pub fn machine_memory() -> u64 {
    // SAFETY: a plain query.
    let n = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
    u64::try_from(n).unwrap_or(0).saturating_mul(page_size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plausible() {
        let u = process();
        assert!(u.max_rss > 1 << 20);
        assert!(rss() > 1 << 19);
        assert!(machine_memory() > rss());
        let before = process();
        let total = before.user + before.system;
        assert!(process_cpu_ns().abs_diff(total.as_nanos() as u64) < 1_000_000_000);
        let mut x = 0u64;
        while (process().user + process().system) < before.user + before.system + Duration::from_millis(5) {
            x = std::hint::black_box(x + 1);
        }
    }
}
