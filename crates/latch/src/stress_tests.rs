//! Real threads on one latch: exclusion, versions, optimistic reads, no lost wake-ups, hand-off to old waiters.

use crate::{Condvar, LatchClass, Mutex, PageLatch, RwLock, classes};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use sys::clock::Deadline;

#[test]
fn single_thread_states() {
    let l = PageLatch::new();
    assert_eq!(l.version(), Some(0));
    l.lock_shared();
    assert!(l.try_lock_shared());
    assert!(!l.try_lock_exclusive());
    assert!(!l.try_upgrade(), "two holders");
    l.unlock_shared();
    assert!(l.validate(0), "shared holds change no version");
    assert!(l.try_upgrade());
    assert!(l.version().is_none() && !l.validate(0) && !l.try_lock_shared());
    l.downgrade();
    assert_eq!((l.version(), l.shared_holders()), (Some(1), 1));
    l.unlock_shared();
    l.lock_exclusive();
    l.unlock_exclusive_unchanged();
    assert_eq!(l.version(), Some(1));
    assert!(l.try_lock_exclusive_at(1));
    l.unlock_exclusive();
    assert!(!l.try_lock_exclusive_at(1) && !l.try_lock_shared_at(1));
    assert!(l.try_lock_shared_at(2));
    l.unlock_shared();
    assert!(l.is_free() && !l.has_waiters());
    assert_eq!(size_of::<PageLatch>(), 8);
}

/// Writers keep two numbers equal; shared and optimistic readers must never see them differ.
#[test]
fn readers_and_writers() {
    let latch = Arc::new((PageLatch::new(), AtomicU64::new(0), AtomicU64::new(0)));
    let threads: Vec<_> = (0..6)
        .map(|i| {
            let s = latch.clone();
            std::thread::spawn(move || {
                let (l, a, b) = &*s;
                for n in 0..20_000u64 {
                    match (i + n) % 4 {
                        0 => {
                            l.lock_exclusive();
                            let v = a.load(Ordering::Relaxed) + 1;
                            a.store(v, Ordering::Relaxed);
                            if n % 512 == 0 {
                                std::thread::yield_now();
                            }
                            b.store(v, Ordering::Relaxed);
                            l.unlock_exclusive();
                        }
                        1 => {
                            l.lock_shared();
                            assert_eq!(a.load(Ordering::Relaxed), b.load(Ordering::Relaxed));
                            if l.try_upgrade() {
                                let v = a.load(Ordering::Relaxed) + 1;
                                a.store(v, Ordering::Relaxed);
                                b.store(v, Ordering::Relaxed);
                                l.downgrade();
                            }
                            l.unlock_shared();
                        }
                        2 => {
                            l.lock_shared();
                            assert_eq!(a.load(Ordering::Relaxed), b.load(Ordering::Relaxed));
                            l.unlock_shared();
                        }
                        _ => {
                            if let Some(v) = l.version() {
                                let (x, y) = (a.load(Ordering::Relaxed), b.load(Ordering::Relaxed));
                                if l.validate(v) {
                                    assert_eq!(x, y);
                                }
                            }
                        }
                    }
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
    assert!(latch.0.is_free() && !latch.0.has_waiters());
    assert_eq!(latch.1.load(Ordering::Relaxed), latch.2.load(Ordering::Relaxed));
}

#[test]
fn mutex_counts_exactly() {
    static CLASS: LatchClass = LatchClass::new("test", 0, true);
    let m = Arc::new(Mutex::new(&CLASS, 0u64));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let m = m.clone();
            std::thread::spawn(move || (0..50_000).for_each(|_| *m.lock() += 1))
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
    assert_eq!(*m.lock(), 200_000);
    let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _g = m.lock();
        panic!("in the middle");
    }));
    assert!(r.is_err() && m.try_lock().is_some(), "a panic releases");
}

/// One thread takes and releases all the time; another that waits must get its turn soon, by hand-off at the latest.
#[test]
fn an_old_waiter_is_served() {
    static CLASS: LatchClass = LatchClass::new("test", 0, true);
    let m = Arc::new(Mutex::new(&CLASS, ()));
    let stop = Arc::new(AtomicBool::new(false));
    let (m2, stop2) = (m.clone(), stop.clone());
    let hog = std::thread::spawn(move || {
        while !stop2.load(Ordering::Relaxed) {
            let _g = m2.lock();
            let t = Instant::now();
            while t.elapsed() < Duration::from_micros(100) {}
        }
    });
    std::thread::sleep(Duration::from_millis(5));
    let t = Instant::now();
    for _ in 0..20 {
        drop(m.lock());
    }
    let took = t.elapsed();
    stop.store(true, Ordering::Relaxed);
    hog.join().unwrap();
    assert!(took < Duration::from_secs(120), "{took:?}");
}

/// Readers that overlap for ever must not starve a writer.
#[test]
fn a_writer_gets_past_readers() {
    let l = Arc::new(RwLock::new(&classes::UNRANKED, 0));
    let stop = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (l, stop) = (l.clone(), stop.clone());
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let g = l.read();
                    std::thread::sleep(Duration::from_micros(200));
                    drop(g);
                }
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(5));
    let t = Instant::now();
    (0..20).for_each(|_| *l.write() += 1);
    assert!(t.elapsed() < Duration::from_secs(120));
    stop.store(true, Ordering::Relaxed);
    readers.into_iter().for_each(|t| t.join().unwrap());
    assert_eq!(*l.read(), 20);
}

#[test]
fn condvar_wakes_and_times_out() {
    let s = Arc::new((Mutex::new(&classes::UNRANKED, false), Condvar::new()));
    assert!(!s.1.wait(&mut s.0.lock(), Deadline::after(Duration::from_millis(3))));
    let s2 = s.clone();
    let t = std::thread::spawn(move || {
        let mut g = s2.0.lock();
        while !*g {
            s2.1.wait(&mut g, Deadline::NEVER);
        }
    });
    std::thread::sleep(Duration::from_millis(5));
    *s.0.lock() = true;
    s.1.notify_one();
    t.join().unwrap();
}

/// Prints prices; `cargo test -p latch --release -- --ignored --nocapture prices`.
#[test]
#[ignore = "a measurement"]
fn prices() {
    const N: u32 = 10_000_000;
    let l = PageLatch::new();
    let time = |name: &str, f: &dyn Fn()| {
        let t = Instant::now();
        f();
        println!("{name}: {:.2} ns", t.elapsed().as_nanos() as f64 / f64::from(N));
    };
    time("shared lock+unlock", &|| {
        (0..N).for_each(|_| {
            l.lock_shared();
            l.unlock_shared();
        })
    });
    time("exclusive lock+unlock", &|| {
        (0..N).for_each(|_| {
            l.lock_exclusive();
            l.unlock_exclusive();
        })
    });
    time("optimistic", &|| (0..N).for_each(|_| assert!(l.validate(std::hint::black_box(&l).version().unwrap_or(0)))));
}
