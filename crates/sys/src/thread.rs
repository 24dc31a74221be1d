//! Facts about the calling thread, and PAUSE. Spinning itself belongs to `latch` alone.

#![allow(unsafe_code)]

use std::cell::Cell;

thread_local! {
    static TID: Cell<u32> = const { Cell::new(0) };
}

/// The kernel's id of this thread (the `THREAD_OS_ID` of performance_schema.threads). Cached per thread.
pub fn tid() -> u32 {
    TID.with(|c| {
        if c.get() == 0 {
            // SAFETY: takes no arguments and cannot fail.
            c.set(unsafe { libc::gettid() } as u32);
        }
        c.get()
    })
}

/// The CPU the calling thread runs on; it may be another one at once. 0 where the kernel does not say (`getcpu(2)`, without a system call where the C
/// library has restartable sequences).
pub fn current_cpu() -> usize {
    // SAFETY: takes no arguments.
    usize::try_from(unsafe { libc::sched_getcpu() }).unwrap_or(0)
}

/// CPUs that the machine may have, whether this process may run there or not; at least 1 (`sysconf(3)`).
pub fn cpus_configured() -> usize {
    // SAFETY: takes a number only.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_CONF) }).unwrap_or(1).max(1)
}

/// How often the calling thread has lost or given up its CPU (`getrusage(2)`).
pub fn switches() -> u64 {
    // SAFETY: all zeros is a value of this struct of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` lives for the call.
    unsafe { libc::getrusage(libc::RUSAGE_THREAD, &mut usage) };
    (usage.ru_nvcsw + usage.ru_nivcsw) as u64
}

/// The process's threads: kernel's id and name.
pub fn all() -> Vec<(u64, String)> {
    let name = |e: std::fs::DirEntry| {
        let tid = e.file_name().to_str()?.parse().ok()?;
        let name = std::fs::read_to_string(e.path().join("comm")).ok()?;
        Some((tid, name.trim_end().to_owned()))
    };
    let mut out: Vec<(u64, String)> =
        std::fs::read_dir("/proc/self/task").map(|d| d.flatten().filter_map(name).collect()).unwrap_or_default();
    out.sort();
    out
}

/// Names the calling thread for `top -H` and debuggers; the kernel keeps 15 bytes.
pub fn set_name(name: &str) {
    let mut buf = [0u8; 16];
    for (to, from) in buf.iter_mut().take(15).zip(name.bytes()) {
        *to = from;
    }
    // SAFETY: a NUL-terminated buffer of 16 bytes, as PR_SET_NAME asks.
    unsafe { libc::prctl(libc::PR_SET_NAME, buf.as_ptr(), 0, 0, 0) };
}

/// How many CPUs this process may run on by its affinity mask (which also reflects a cpuset), at least 1.
pub fn affinity_cpus() -> u32 {
    // A kernel may know more CPUs than the 1,024 of cpu_set_t; then the call fails with EINVAL and the buffer grows.
    let mut words = vec![0u64; 16];
    loop {
        // SAFETY: the buffer is `words.len() * 8` bytes long and zeroed; pid 0 is the calling thread.
        let r = unsafe { libc::sched_getaffinity(0, words.len() * 8, words.as_mut_ptr().cast()) };
        if r == 0 {
            return words.iter().map(|w| w.count_ones()).sum::<u32>().max(1);
        }
        if words.len() >= 1024 {
            return std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        }
        words.resize(words.len() * 2, 0);
    }
}

/// Gives up the rest of the time slice.
#[inline]
pub fn yield_now() {
    std::thread::yield_now();
}

/// One PAUSE (about 20..40 ns on recent Intel, less elsewhere: measure, never assume).
#[inline]
pub fn pause() {
    std::hint::spin_loop();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_cpus() {
        let other = std::thread::spawn(tid).join().unwrap();
        assert_ne!(tid(), other);
        assert!(affinity_cpus() >= 1);
        std::thread::spawn(|| {
            set_name("a_rather_long_thread_name");
            let comm = std::fs::read_to_string(format!("/proc/self/task/{}/comm", tid())).unwrap();
            assert_eq!(comm.trim(), "a_rather_long_t");
        })
        .join()
        .unwrap();
    }
}
