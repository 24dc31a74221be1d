//! The fence pair of `src/fast.rs` in all interleavings: that very file, compiled with loom's atomics. Runs with plain `cargo test`.

#![allow(dead_code, missing_docs, unsafe_code, clippy::unwrap_used, clippy::indexing_slicing)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
}

#[path = "../src/fast.rs"]
mod fast;

use fast::{Published, Slots};
use loom::cell::UnsafeCell;
use loom::sync::{Arc, Mutex};
use loom::thread;
use sync::AtomicU32;

const HASH: u64 = 0xAB00;

/// One weak locker per session, one strong locker; the table is a list of moved or slow weak tickets and the strong one.
struct World {
    sessions: [Slots<1>; 2],
    strong: AtomicU32,
    table: Mutex<Table>,
    /// What the locks protect: loom reports any unordered access by reader and writer.
    data: UnsafeCell<u64>,
}

#[derive(Default)]
struct Table {
    weak: u32,
    exclusive: bool,
}

// SAFETY (of the model): access to `data` is what is being checked; loom's cell reports violations.
unsafe impl Sync for World {}
unsafe impl Send for World {}

fn world() -> Arc<World> {
    Arc::new(World {
        sessions: [Slots::new(), Slots::new()],
        strong: AtomicU32::new(0),
        table: Mutex::new(Table::default()),
        data: UnsafeCell::new(0),
    })
}

/// Takes the weak lock if that is possible without waiting, reads the data, releases.
fn weak(w: &World, me: usize) {
    let slots = &w.sessions[me];
    match slots.publish(0, fast::word(HASH, 3, 1), &w.strong) {
        Published::Granted | Published::Moved => {
            w.data.with(|p| unsafe { std::hint::black_box(*p) });
            if slots.retract(0) {
                w.table.lock().unwrap().weak -= 1;
            }
        }
        Published::Withdrawn => {
            let granted = {
                let mut t = w.table.lock().unwrap();
                t.weak += u32::from(!t.exclusive);
                !t.exclusive
            };
            if granted {
                w.data.with(|p| unsafe { std::hint::black_box(*p) });
                w.table.lock().unwrap().weak -= 1;
            }
        }
    }
}

/// Takes the strong lock if that is possible without waiting, writes the data, releases.
fn strong(w: &World) {
    fast::raise(&w.strong);
    let mut t = w.table.lock().unwrap();
    for s in &w.sessions {
        let Table { weak, exclusive } = &mut *t;
        let hit = |_, kind, duration| {
            assert_eq!((kind, duration), (3, 1));
            *weak += 1;
        };
        s.sweep(HASH, |_| *exclusive, hit);
    }
    if t.weak == 0 && !t.exclusive {
        t.exclusive = true;
        drop(t);
        w.data.with_mut(|p| unsafe { *p += 1 });
        t = w.table.lock().unwrap();
        t.exclusive = false;
    }
    // As in the table of locks: under the latch.
    fast::lower(&w.strong);
}

#[test]
fn weak_and_strong_never_meet() {
    loom::model(|| {
        let w = world();
        let w1 = w.clone();
        let t = thread::spawn(move || weak(&w1, 0));
        strong(&w);
        t.join().unwrap();
        assert_eq!(w.table.lock().unwrap().weak, 0);
    });
}

#[test]
fn weak_after_strong_sees_what_it_wrote() {
    loom::model(|| {
        let w = world();
        let w1 = w.clone();
        let t = thread::spawn(move || {
            strong(&w1);
            weak(&w1, 0);
        });
        weak(&w, 1);
        weak(&w, 1);
        t.join().unwrap();
        assert_eq!(w.table.lock().unwrap().weak, 0);
    });
}

/// Two threads beside one that takes the strong lock.
fn beside_a_strong(first: fn(&World), second: fn(&World)) {
    let mut b = loom::model::Builder::new();
    b.preemption_bound = Some(3);
    b.check(move || {
        let w = world();
        let threads = [first, second].map(|run| {
            let w = w.clone();
            thread::spawn(move || run(&w))
        });
        strong(&w);
        threads.into_iter().for_each(|t| t.join().unwrap());
        assert_eq!(w.table.lock().unwrap().weak, 0);
    });
}

#[test]
fn two_weak_and_a_strong() {
    beside_a_strong(|w| weak(w, 0), |w| weak(w, 1));
}

/// One strong lock is held while another strong request sweeps: what a newcomer has written and not been granted yet must not be moved, or
/// it would be granted beside the holder.
#[test]
fn a_weak_and_two_strong() {
    beside_a_strong(|w| weak(w, 0), strong);
}
