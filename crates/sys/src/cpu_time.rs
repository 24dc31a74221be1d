//! Processor time of the running thread, mostly without a system call.
//!
//! `CLOCK_THREAD_CPUTIME_ID` is a system call: 590 ns in a KVM guest, where the monotonic clock takes 27. While a
//! thread runs without a break its processor time goes as the monotonic clock does, so one reading of both is good
//! until the thread gives its processor away. The kernel tells of that in the thread's *restartable sequences* area
//! (rseq(2), registered by glibc 2.35 and later): a thread that was switched out comes back with `rseq_cs` cleared, if
//! its instruction pointer is outside the range that `rseq_cs` names. Here it names a range of data, where no
//! instruction pointer ever is: the *mark*. As long as it stands the thread has not been away.
//!
//! Nothing is assumed that cannot be seen: whether the kernel takes the mark of a thread that sleeps away is tried once
//! ([`works`]; later kernels than 6.18 may look at the area less often). Where it does not, under valgrind, with
//! another C library or processor, each reading is the system call. What interrupts take of a running thread counts
//! here and may not there; after [`LONGEST`] both clocks are read again.

#![allow(unsafe_code)]

use crate::clock::{now_ns, thread_cpu_ns};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, compiler_fence};

/// So long (ns) one reading of both clocks is good, which bounds how far interrupts, or a host that takes the processor
/// away from its guest, can lead astray.
const LONGEST: u64 = 1_000_000;

/// What a thread knows of itself.
#[derive(Clone, Copy)]
struct Known {
    /// Where its mark is; `None`: not looked for yet, or there is none.
    mark: Option<&'static AtomicU64>,
    looked: bool,
    /// Processor time less monotonic time, modulo 2^64, when both were read.
    ahead: u64,
    /// On the monotonic clock: from when until when that is good.
    from: u64,
    until: u64,
}

thread_local! {
    static KNOWN: Cell<Known> = const { Cell::new(Known { mark: None, looked: false, ahead: 0, from: 0, until: 0 }) };
}

/// Processor time that this thread has used, in nanoseconds, at `now` of [`now_ns`], which this thread has just read.
#[inline]
pub fn thread_cpu_at(now: u64) -> u64 {
    KNOWN.with(|known| {
        let k = known.get();
        let stands = k.mark.is_some_and(|m| m.load(Ordering::Relaxed) == mark_value());
        if stands && (k.from..k.until).contains(&now) {
            return now.wrapping_add(k.ahead);
        }
        read_anew(known)
    })
}

#[cold]
fn read_anew(known: &Cell<Known>) -> u64 {
    let mut k = known.get();
    if !k.looked {
        k.looked = true;
        k.mark = if works() { area::mark() } else { None };
    }
    let Some(mark) = k.mark else {
        known.set(k);
        return thread_cpu_ns();
    };
    // first the mark: who is switched out between the readings finds it gone
    mark.store(mark_value(), Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    let (cpu, now) = (thread_cpu_ns(), now_ns());
    (k.ahead, k.from, k.until) = (cpu.wrapping_sub(now), now, now + LONGEST);
    known.set(k);
    cpu
}

/// Whether the kernel takes the mark of a thread that sleeps away; tried once.
pub fn works() -> bool {
    static WORKS: OnceLock<bool> = OnceLock::new();
    *WORKS.get_or_init(|| {
        let Some(mark) = area::mark() else { return false };
        let taken_by = |f: &dyn Fn()| {
            mark.store(mark_value(), Ordering::Relaxed);
            compiler_fence(Ordering::SeqCst);
            f();
            compiler_fence(Ordering::SeqCst);
            mark.load(Ordering::Relaxed) == 0
        };
        let works = taken_by(&|| std::thread::sleep(std::time::Duration::from_micros(50)));
        mark.store(0, Ordering::Relaxed);
        works
    })
}

/// A `struct rseq_cs` of linux/rseq.h.
#[repr(C, align(32))]
struct Section {
    version: u32,
    flags: u32,
    start: *const u8,
    length: u64,
    abort: *const u8,
}

// SAFETY: the pointers are only ever read by the kernel, and what they point to is a constant.
unsafe impl Sync for Section {}

/// What the section names: its range, and a place to go to that has the signature before it. No code is there, so the
/// kernel goes nowhere; it refuses a section without the signature.
#[repr(C)]
struct Nowhere {
    range: [u8; 60],
    signature: u32,
    abort: [u8; 64],
}

/// `RSEQ_SIG` of x86-64.
static NOWHERE: Nowhere = Nowhere { range: [0; 60], signature: 0x5305_3053, abort: [0; 64] };

static SECTION: Section = Section {
    version: 0,
    flags: 0,
    start: (&raw const NOWHERE.range).cast(),
    length: 1,
    abort: (&raw const NOWHERE.abort).cast(),
};

#[inline]
fn mark_value() -> u64 {
    (&raw const SECTION).expose_provenance() as u64
}

#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod area {
    use super::{AtomicU32, AtomicU64, Ordering};

    /// `struct rseq` as glibc has registered it for a thread, as far as it is used: `cpu_id` at 4, `rseq_cs` at 8.
    const SIZE: u32 = 20;

    /// Where this thread's `rseq_cs` is. `None`: nothing is registered for it.
    pub(super) fn mark() -> Option<&'static AtomicU64> {
        // SAFETY: both names are NUL-terminated; RTLD_DEFAULT is always a valid handle.
        let symbol = |name: &std::ffi::CStr| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        let (offset, size) = (symbol(c"__rseq_offset").cast::<isize>(), symbol(c"__rseq_size").cast::<u32>());
        if offset.is_null() || size.is_null() {
            return None;
        }
        // SAFETY: glibc's variables of these types (sys/rseq.h), constant once a program runs.
        let (offset, size) = unsafe { (offset.read(), size.read()) };
        if size < SIZE {
            return None;
        }
        let thread: *const u8;
        // SAFETY: on x86-64 the word at fs:0 is the address of the thread's own control block; reading it changes
        // nothing.
        unsafe { std::arch::asm!("mov {}, fs:0", out(reg) thread, options(nostack, preserves_flags, readonly)) };
        // SAFETY: glibc keeps this thread's `struct rseq` of at least `size` bytes there for as long as the thread
        // runs, and only the thread itself uses what is returned here (it is kept in a thread-local). Kernel and thread
        // write whole words, as atomics do.
        let (cpu, mark) = unsafe {
            let area = thread.offset(offset);
            (&*area.add(4).cast::<AtomicU32>(), &*area.add(8).cast::<AtomicU64>())
        };
        // -1: not registered, -2: it failed
        (cpu.load(Ordering::Relaxed) as i32 >= 0 && mark.load(Ordering::Relaxed) == 0).then_some(mark)
    }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")))]
mod area {
    pub(super) fn mark() -> Option<&'static super::AtomicU64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Threads that work, sleep, yield and are switched out by one another: what is said lies between what the kernel
    /// says before and after, give or take what it takes to ask.
    #[test]
    fn agrees_with_the_kernel() {
        let work = |seed: u64| {
            let mut x = seed;
            let mut worst = 0;
            for round in 0..400u64 {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let begin = now_ns();
                while now_ns() - begin < (x >> 33) % 500_000 {}
                match (x >> 20) % 8 {
                    0 => std::thread::sleep(Duration::from_micros((x >> 40) % 2_000)),
                    1 => std::thread::yield_now(),
                    _ => {}
                }
                let before = thread_cpu_ns();
                let said = thread_cpu_at(now_ns());
                let after = thread_cpu_ns();
                let off = before.saturating_sub(said).max(said.saturating_sub(after));
                worst = off.max(worst);
                assert!(off < 2_000_000, "round {round}: {before} {said} {after}");
            }
            worst
        };
        let threads: Vec<_> = (0..6).map(|n| std::thread::spawn(move || work(n))).collect();
        let worst: Vec<u64> = threads.into_iter().map(|t| t.join().unwrap()).collect();
        println!("with marks: {}; worst, ns: {worst:?}", works());
    }

    /// A thread that sleeps uses nothing.
    #[test]
    fn sleep_is_no_work() {
        let before = thread_cpu_at(now_ns());
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(3));
            thread_cpu_at(now_ns());
        }
        let used = thread_cpu_at(now_ns()).saturating_sub(before);
        assert!(used < 30_000_000, "{used}");
    }
}
