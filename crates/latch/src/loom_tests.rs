//! Models of the latch word: `RUSTFLAGS="--cfg loom" cargo test -p latch --release`. Every interleaving of the given threads is tried; a lost
//! wake-up shows as a deadlock, which loom reports.

use crate::PageLatch;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64 as LoomU64, Ordering::Relaxed};
use loom::thread;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether waiters count as old (are handed the latch). Set before a model starts; the same for all its runs.
pub(crate) static OLD: AtomicBool = AtomicBool::new(false);
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

struct S {
    latch: PageLatch,
    a: LoomU64,
    b: LoomU64,
}

fn model(old: bool, f: impl Fn(Arc<S>) + Sync + Send + 'static) {
    let _g = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    OLD.store(old, Ordering::Relaxed);
    let mut b = loom::model::Builder::new();
    b.preemption_bound = Some(3);
    b.check(move || f(Arc::new(S { latch: PageLatch::new(), a: LoomU64::new(0), b: LoomU64::new(0) })));
}

fn write(s: &S) {
    s.latch.lock_exclusive();
    let v = s.a.load(Relaxed) + 1;
    s.a.store(v, Relaxed);
    s.b.store(v, Relaxed);
    s.latch.unlock_exclusive();
}

fn read(s: &S) {
    s.latch.lock_shared();
    assert_eq!(s.a.load(Relaxed), s.b.load(Relaxed));
    s.latch.unlock_shared();
}

fn end(s: &S, writes: u64) {
    assert_eq!(s.a.load(Relaxed), writes);
    assert_eq!(s.latch.version(), Some(writes));
    assert!(s.latch.is_free() && !s.latch.has_waiters());
}

#[test]
fn writers_exclude_each_other() {
    for old in [false, true] {
        model(old, |s| {
            let (s1, s2) = (s.clone(), s.clone());
            let t1 = thread::spawn(move || write(&s1));
            let t2 = thread::spawn(move || write(&s2));
            write(&s);
            t1.join().unwrap();
            t2.join().unwrap();
            end(&s, 3);
        });
    }
}

#[test]
fn readers_and_a_writer() {
    for old in [false, true] {
        model(old, |s| {
            let (s1, s2) = (s.clone(), s.clone());
            let t1 = thread::spawn(move || read(&s1));
            let t2 = thread::spawn(move || read(&s2));
            write(&s);
            t1.join().unwrap();
            t2.join().unwrap();
            end(&s, 1);
        });
    }
}

#[test]
fn two_writers_and_a_reader() {
    for old in [false, true] {
        model(old, |s| {
            let (s1, s2) = (s.clone(), s.clone());
            let t1 = thread::spawn(move || write(&s1));
            let t2 = thread::spawn(move || read(&s2));
            write(&s);
            t1.join().unwrap();
            t2.join().unwrap();
            end(&s, 2);
        });
    }
}

#[test]
fn optimistic_reads_see_one_state() {
    model(false, |s| {
        let s1 = s.clone();
        let t = thread::spawn(move || {
            write(&s1);
            write(&s1);
        });
        if let Some(v) = s.latch.version() {
            let (x, y) = (s.a.load(Relaxed), s.b.load(Relaxed));
            if s.latch.validate(v) {
                assert_eq!(x, y);
            }
        }
        t.join().unwrap();
        end(&s, 2);
    });
}

#[test]
fn upgrade_and_downgrade() {
    for old in [false, true] {
        model(old, |s| {
            let s1 = s.clone();
            let t = thread::spawn(move || write(&s1));
            s.latch.lock_shared();
            let mut writes = 1;
            if s.latch.try_upgrade() {
                let v = s.a.load(Relaxed) + 1;
                s.a.store(v, Relaxed);
                s.b.store(v, Relaxed);
                s.latch.downgrade();
                writes += 1;
            }
            assert_eq!(s.a.load(Relaxed), s.b.load(Relaxed));
            s.latch.unlock_shared();
            t.join().unwrap();
            end(&s, writes);
        });
    }
}
