//! Visibility, ring spill, horizon.

use super::*;
use crate::rowlock::LockSys;
use crate::stop_on_drop::StopOnDrop;
use std::sync::atomic::AtomicBool;

fn shared(locks: &LockSys) -> Arc<TrxShared> {
    Arc::new(TrxShared::new(1, locks.new_owner()))
}

fn sys() -> (TrxSys, LockSys) {
    let s = TrxSys::new(TrxId(1), TrxNo(0));
    s.raise_limit(TrxId(1 << 40));
    (s, LockSys::new())
}

#[test]
fn a_snapshot_sees_what_ended_before_it() {
    let (s, l) = sys();
    let slot = s.new_slot().unwrap();
    let a = s.assign(&shared(&l)).unwrap();
    let b = s.assign(&shared(&l)).unwrap();
    s.end(b);
    let snap = s.open_snapshot(slot);
    assert!(!s.sees(&snap, a) && s.sees(&snap, b));
    assert!(s.is_active(a) && !s.is_active(b));
    s.end(a);
    let c = s.assign(&shared(&l)).unwrap();
    assert!(!s.sees(&snap, a), "ended after the snapshot");
    assert!(!s.sees(&snap, c));
    assert_eq!(s.advance_cut(), snap.no, "the snapshot holds the horizon");
    s.close_snapshot(slot);
    assert_eq!(s.advance_cut(), s.published());
    let snap = s.open_snapshot(slot);
    assert!(s.sees(&snap, a) && !s.sees(&snap, c));
    assert_eq!(s.low_id(), c);
}

#[test]
fn no_id_without_limit() {
    let s = TrxSys::new(TrxId(5), TrxNo(0));
    let l = LockSys::new();
    assert_eq!(s.assign(&shared(&l)), None);
    s.raise_limit(TrxId(6));
    assert_eq!(s.assign(&shared(&l)), Some(TrxId(5)));
    assert_eq!(s.assign(&shared(&l)), None);
}

#[test]
fn old_transactions_spill_and_are_forgotten_after_the_cut() {
    let (s, l) = sys();
    let slot = s.new_slot().unwrap();
    let old = s.assign(&shared(&l)).unwrap();
    let snap = s.open_snapshot(slot);
    let early = s.assign(&shared(&l)).unwrap();
    s.end(early);
    for _ in 0..RING + 10 {
        let t = s.assign(&shared(&l)).unwrap();
        s.end(t);
    }
    assert_eq!(s.state(old), IdState::Active);
    assert!(matches!(s.state(early), IdState::Ended(_)));
    assert!(!s.sees(&snap, early), "spilled because the snapshot needs it");
    s.end(old);
    assert!(matches!(s.state(old), IdState::Ended(_)));
    s.close_snapshot(slot);
    s.advance_cut();
    assert_eq!(s.state(early), IdState::Old);
    assert_eq!(s.state(old), IdState::Old);
    let snap = s.open_snapshot(slot);
    assert!(s.sees(&snap, early) && s.sees(&snap, old));
}

#[test]
fn adopted_ids_are_active_until_they_end() {
    let l = LockSys::new();
    let s = TrxSys::new(TrxId(100), TrxNo(50));
    s.raise_limit(TrxId(200));
    s.adopt(&shared(&l), TrxId(40));
    s.adopt(&shared(&l), TrxId(30));
    assert!(s.is_active(TrxId(40)) && s.is_active(TrxId(30)) && !s.is_active(TrxId(35)));
    assert_eq!(s.low_id(), TrxId(30));
    let slot = s.new_slot().unwrap();
    let snap = s.open_snapshot(slot);
    assert!(s.sees(&snap, TrxId(35)) && !s.sees(&snap, TrxId(40)));
    assert!(s.find_active(TrxId(40)).is_some());
    s.end(TrxId(30));
    s.end(TrxId(40));
    assert_eq!(s.low_id(), TrxId(100));
    assert_eq!(s.assign(&shared(&l)), Some(TrxId(100)));
}

/// A reader must never hold a snapshot below the cut, and what it saw once it must go on seeing.
#[test]
fn the_cut_never_passes_a_live_snapshot() {
    let (s, l) = sys();
    let (s, stop) = (&s, &AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let trx = shared(&l);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let id = s.assign(&trx).unwrap();
                    s.end(id);
                }
            });
        }
        scope.spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                s.advance_cut();
            }
        });
        let _stop = StopOnDrop(stop);
        let slot = s.new_slot().unwrap();
        // the writers of the cut go round without a pause: where CPUs are few, a reader of it waits long
        let until = std::time::Instant::now() + std::time::Duration::from_secs(5);
        for _ in 0..20_000 {
            if std::time::Instant::now() > until {
                break;
            }
            let snap = s.open_snapshot(slot);
            for back in 0..4 {
                let id = TrxId(snap.low_id.0.saturating_sub(back).max(1));
                if id >= s.next_id() {
                    continue; // nobody has it: no row carries it, so no reader asks
                }
                let first = s.sees(&snap, id);
                assert!(s.cut() <= snap.no, "cut passed a snapshot");
                assert_eq!(s.sees(&snap, id), first);
            }
            s.close_snapshot(slot);
        }
    });
}
