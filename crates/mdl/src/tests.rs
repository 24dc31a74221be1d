//! Semantics of the locks, by several sessions on several threads.

use super::*;
use sched::{Deadline, Kill, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration as Time;

const T: Duration = Duration::Transaction;

fn soon() -> Deadline {
    Deadline::after(Time::from_secs(20))
}

fn t1() -> MdlKey {
    MdlKey::table("test", "t1")
}

fn now(s: &mut MdlSession, k: &MdlKey, kind: MdlType) -> Result<Ticket, MdlError> {
    s.try_acquire(k, kind, T)
}

/// A session on a thread of its own that takes one lock and gives itself back.
fn waiting(
    m: &Arc<MdlManager>,
    mut s: MdlSession,
    k: &MdlKey,
    kind: MdlType,
    deadline: Deadline,
) -> (Arc<Session>, JoinHandle<(Result<Ticket, MdlError>, MdlSession)>) {
    let pending = m.list().iter().filter(|l| l.status == LockStatus::Pending).count();
    let (k, session) = (k.clone(), Session::new(0));
    let attached = session.clone();
    let t = std::thread::spawn(move || {
        let _a = attached.attach();
        (s.acquire(&k, kind, T, deadline), s)
    });
    while m.list().iter().filter(|l| l.status == LockStatus::Pending).count() == pending && !t.is_finished() {
        std::thread::yield_now();
    }
    (session, t)
}

#[test]
fn who_is_waited_for_goes_ahead_of_those_who_wait() {
    let m = MdlManager::new();
    let k = MdlKey::global();
    let (mut running, mut waited_for, mut new) = (m.session(1), m.session(2), m.session(3));
    now(&mut running, k, MdlType::Ix).unwrap();
    let (_, reader) = waiting(&m, m.session(4), k, MdlType::S, Deadline::NEVER);
    assert_eq!(now(&mut new, k, MdlType::Ix).unwrap_err(), MdlError::Timeout);
    let soon = || Deadline::after(std::time::Duration::from_millis(20));
    assert_eq!(new.acquire(k, MdlType::Ix, T, soon()).unwrap_err(), MdlError::Timeout);
    waited_for.acquire_ahead(k, MdlType::Ix, T, soon()).unwrap();
    drop((running, waited_for));
    let (granted, reader) = reader.join().unwrap();
    granted.unwrap();
    // what is granted keeps it out
    let mut late = m.session(5);
    assert_eq!(late.acquire_ahead(k, MdlType::Ix, T, soon()).unwrap_err(), MdlError::Timeout);
    drop(reader);
    late.acquire_ahead(k, MdlType::Ix, T, soon()).unwrap();
}

/// Every pair of types on two sessions, both orders of paths, against the matrix.
#[test]
fn every_pair_of_types() {
    let m = MdlManager::new();
    for scoped in [false, true] {
        let k = if scoped { MdlKey::schema("s") } else { t1() };
        let types = MdlType::ALL.iter().filter(|t| match t {
            MdlType::Ix => scoped,
            MdlType::S | MdlType::X => true,
            _ => !scoped,
        });
        let types: Vec<MdlType> = types.copied().collect();
        for held in &types {
            for wanted in &types {
                let (mut a, mut b) = (m.session(1), m.session(2));
                now(&mut a, &k, *held).unwrap();
                let expected = wanted.blocked_by_granted(scoped) & held.bit() == 0;
                assert_eq!(now(&mut b, &k, *wanted).is_ok(), expected, "{wanted:?} against {held:?}");
                b.release_all();
                assert!(now(&mut a, &k, *wanted).is_ok(), "own locks are no obstacle");
            }
        }
    }
    assert!(m.list().is_empty());
    let mut s = m.session(1);
    assert_eq!(now(&mut s, &t1(), MdlType::Ix), Err(MdlError::WrongType));
    assert_eq!(now(&mut s, MdlKey::global(), MdlType::Sr), Err(MdlError::WrongType));
}

#[test]
fn durations_savepoints_and_reuse() {
    let m = MdlManager::new();
    let mut s = m.session(1);
    let (a, b, c) = (MdlKey::table("d", "a"), MdlKey::table("d", "b"), MdlKey::table("d", "c"));
    let first = now(&mut s, &a, MdlType::Sw).unwrap();
    assert_eq!(now(&mut s, &a, MdlType::Sr).unwrap(), first, "stronger one is there already");
    assert_eq!(s.len(), 1);
    s.try_acquire(&b, MdlType::Sr, Duration::Statement).unwrap();
    s.try_acquire(&c, MdlType::Sr, Duration::Explicit).unwrap();
    let sp = s.savepoint();
    let d = MdlKey::table("d", "d");
    now(&mut s, &d, MdlType::Sr).unwrap();
    s.rollback_to(sp);
    assert!(!s.owns(&d, MdlType::Sr) && s.owns(&b, MdlType::S));
    s.release_statement();
    assert!(!s.owns(&b, MdlType::S) && s.owns(&a, MdlType::Sr));
    s.release_transaction();
    assert!(!s.owns(&a, MdlType::S) && s.owns(&c, MdlType::Sr));
    assert_eq!(s.release_explicit(|n| n == Namespace::Table), 1);
    assert!(s.is_empty() && m.list().is_empty());
}

#[test]
fn more_locks_than_slots() {
    let m = MdlManager::new();
    let (mut s, mut ddl) = (m.session(1), m.session(2));
    let keys: Vec<_> = (0..40).map(|i| MdlKey::table("d", &format!("t{i}"))).collect();
    keys.iter().for_each(|k| assert!(now(&mut s, k, MdlType::Sw).is_ok()));
    assert_eq!(m.list().len(), 40);
    assert!(keys.iter().all(|k| now(&mut ddl, k, MdlType::X) == Err(MdlError::Timeout)));
    assert_eq!(m.list().len(), 40, "moved tickets are listed once");
    s.release_transaction();
    assert!(keys.iter().all(|k| now(&mut ddl, k, MdlType::X).is_ok()));
    drop(ddl);
    keys.iter().for_each(|k| assert!(now(&mut s, k, MdlType::Sw).is_ok()));
}

/// `max_write_lock_count`: after so many writers that passed it by a waiting reader is next.
#[test]
fn a_reader_is_passed_by_so_many_writers_and_no_more() {
    for (limit, passed) in [(1, 1), (2, 2), (u64::MAX, 3)] {
        let m = MdlManager::new();
        m.set_write_limit(limit);
        let k = t1();
        let mut holder = m.session(1);
        now(&mut holder, &k, MdlType::Snrw).unwrap();
        let (_, reader) = waiting(&m, m.session(2), &k, MdlType::Sr, soon());
        let mut writers: Vec<_> = (3..6).map(|n| waiting(&m, m.session(n), &k, MdlType::Snrw, soon()).1).collect();
        holder.release_all();
        for _ in 0..passed {
            assert!(!reader.is_finished());
            let (got, mut writer) = writers.remove(0).join().unwrap();
            got.unwrap();
            writer.release_all();
        }
        let (got, mut reader) = reader.join().unwrap();
        got.unwrap();
        assert!(writers.iter().all(|w| !w.is_finished()), "limit {limit}");
        reader.release_all();
        for w in writers {
            let (got, mut writer) = w.join().unwrap();
            got.unwrap();
            writer.release_all();
        }
    }
}

#[test]
fn a_waiting_x_keeps_new_readers_out_but_not_high_priority() {
    let m = MdlManager::new();
    let (mut reader, mut other, ddl) = (m.session(1), m.session(2), m.session(3));
    let k = t1();
    now(&mut reader, &k, MdlType::Sr).unwrap();
    let (_, x) = waiting(&m, ddl, &k, MdlType::X, soon());
    assert_eq!(now(&mut other, &k, MdlType::Sr), Err(MdlError::Timeout));
    assert!(now(&mut other, &k, MdlType::Sh).is_ok());
    other.release_all();
    assert!(reader.try_acquire(&k, MdlType::Sr, Duration::Explicit).is_ok(), "a holder does not queue behind X");
    let rows = m.list();
    assert!(rows.iter().any(|r| r.status == LockStatus::Pending && r.kind == MdlType::X && r.connection == 3));
    assert!(rows.iter().any(|r| r.status == LockStatus::Granted && r.object == "t1" && r.connection == 1));
    let (_, sr) = waiting(&m, other, &k, MdlType::Sr, soon());
    reader.release_all();
    let (got, mut ddl) = x.join().unwrap();
    assert!(got.is_ok() && !sr.is_finished());
    ddl.release_all();
    assert!(sr.join().unwrap().0.is_ok());
    assert!(now(&mut reader, &k, MdlType::Sw).is_ok(), "the fast path is open again");
    assert_eq!(m.strong(k.hash()).load(Ordering::SeqCst), 0);
}

#[test]
fn timeout_and_kill() {
    let m = MdlManager::new();
    let (mut a, b) = (m.session(1), m.session(2));
    let k = t1();
    now(&mut a, &k, MdlType::Sw).unwrap();
    let (_, t) = waiting(&m, b, &k, MdlType::X, Deadline::after(Time::from_millis(20)));
    let (r, b) = t.join().unwrap();
    assert_eq!(r, Err(MdlError::Timeout));
    assert_eq!(base::SqlError::from(r.unwrap_err()).code(), 1205);
    let (s, t) = waiting(&m, b, &k, MdlType::X, soon());
    s.kill(Kill::Query);
    assert_eq!(t.join().unwrap().0, Err(MdlError::Interrupted(Kill::Query)));
    let mut c = m.session(3);
    assert!(now(&mut c, &k, MdlType::Sw).is_ok(), "nothing of the failed requests is left");
    assert_eq!(m.strong(k.hash()).load(Ordering::SeqCst), 0);
}

#[test]
fn alter_table_upgrades_and_downgrades() {
    let m = MdlManager::new();
    let (mut ddl, mut r, mut w) = (m.session(1), m.session(2), m.session(3));
    let k = t1();
    now(&mut r, &k, MdlType::Sr).unwrap();
    let t = now(&mut ddl, &k, MdlType::Su).unwrap();
    assert!(now(&mut w, &k, MdlType::Sw).is_ok(), "SU lets writers work");
    w.release_all();
    ddl.upgrade(&k, t, MdlType::Snw, soon()).unwrap();
    assert_eq!(now(&mut w, &k, MdlType::Sw), Err(MdlError::Timeout));
    assert!(now(&mut w, &k, MdlType::Sr).is_ok(), "SNW lets readers work");
    w.release_all();
    assert_eq!(ddl.upgrade(&k, t, MdlType::X, Deadline::after(Time::from_millis(10))), Err(MdlError::Timeout));
    assert!(ddl.owns(&k, MdlType::Snw) && !ddl.owns(&k, MdlType::X), "stays as it was");
    r.release_all();
    ddl.upgrade(&k, t, MdlType::X, soon()).unwrap();
    assert_eq!(now(&mut r, &k, MdlType::Sr), Err(MdlError::Timeout));
    ddl.downgrade(t, MdlType::Snw);
    assert!(now(&mut r, &k, MdlType::Sr).is_ok());
    ddl.downgrade(t, MdlType::Su);
    assert!(now(&mut w, &k, MdlType::Sw).is_ok());
    assert_eq!(m.strong(k.hash()).load(Ordering::SeqCst), 0);
    ddl.release(t);
    assert_eq!(m.list().len(), 2);
}

#[test]
fn the_dml_waiter_is_the_victim_of_a_deadlock() {
    let m = MdlManager::new();
    let (a, b) = (MdlKey::table("d", "a"), MdlKey::table("d", "b"));
    // Whoever closes the cycle, the DML session gives up.
    for ddl_last in [false, true] {
        let (mut dml, mut ddl) = (m.session(1), m.session(2));
        now(&mut dml, &a, MdlType::Sw).unwrap();
        now(&mut ddl, &b, MdlType::X).unwrap();
        let (x, y) = if ddl_last {
            let (_, t) = waiting(&m, dml, &b, MdlType::Sw, soon());
            let u = std::thread::spawn({
                let a = a.clone();
                move || (ddl.acquire(&a, MdlType::X, T, soon()), ddl)
            });
            let (r, dml) = t.join().unwrap();
            drop(dml);
            (r, u.join().unwrap().0)
        } else {
            let (_, t) = waiting(&m, ddl, &a, MdlType::X, soon());
            let r = dml.acquire(&b, MdlType::Sw, T, soon());
            drop(dml);
            (r, t.join().unwrap().0)
        };
        assert_eq!(x, Err(MdlError::Deadlock));
        assert!(y.is_ok());
        assert!(m.list().is_empty());
    }
    assert_eq!(base::SqlError::from(MdlError::Deadlock).code(), 1213);
}

#[test]
fn user_level_locks() {
    let m = MdlManager::new();
    let (mut a, mut b) = (m.session(1), m.session(2));
    let (p, q) = (MdlKey::user_lock("P"), MdlKey::user_lock("q"));
    let get = |s: &mut MdlSession, k: &MdlKey| s.try_acquire(k, MdlType::X, Duration::Explicit);
    get(&mut a, &p).unwrap();
    get(&mut a, &MdlKey::user_lock("p")).unwrap();
    assert_eq!(m.holder(&p), Some(1));
    assert_eq!(get(&mut b, &p), Err(MdlError::Timeout));
    assert!(a.release_named(&p));
    assert_eq!(get(&mut b, &p), Err(MdlError::Timeout), "taken twice");
    get(&mut b, &q).unwrap();
    // Whoever searches last finds the cycle and is the victim: mostly `b`, but `a` if its thread rests between queueing and searching.
    let wait_and_give_way = |mut s: MdlSession, want: MdlKey, mine: MdlKey| {
        let r = s.acquire(&want, MdlType::X, Duration::Explicit, soon());
        let gave_way = r == Err(MdlError::UserLockDeadlock);
        assert!(gave_way || r.is_ok(), "{r:?}");
        while gave_way && s.release_named(&mine) {}
        (gave_way, s)
    };
    let (p2, q2) = (p.clone(), q.clone());
    let t = std::thread::spawn(move || wait_and_give_way(a, q2, p2));
    while !m.list().iter().any(|l| l.status == LockStatus::Pending) && !t.is_finished() {
        std::thread::yield_now();
    }
    let (b_gave_way, mut b) = wait_and_give_way(b, p, q.clone());
    if b_gave_way {
        assert!(!b.release_named(&q), "given up");
    } else {
        assert_eq!(b.release_explicit(|n| n == Namespace::UserLevelLock), 2);
    }
    let (a_gave_way, mut a) = t.join().unwrap();
    assert_ne!(a_gave_way, b_gave_way, "one victim");
    assert_eq!(a.release_explicit(|n| n == Namespace::UserLevelLock), if a_gave_way { 0 } else { 2 });
    assert!(m.list().is_empty());
}

/// Many sessions with random requests on few tables. A referee beside the lock table counts who is inside: readers, writers,
/// an exclusive one. Nobody may be lost, no two that conflict may meet, no counter may stay raised.
#[test]
fn stress_against_a_referee() {
    let m = MdlManager::new();
    let keys: Arc<Vec<MdlKey>> = Arc::new((0..3).map(|i| MdlKey::table("d", &format!("t{i}"))).collect());
    // Per table: readers + 1,000 x writers + 1,000,000 x exclusive.
    let inside: Arc<Vec<AtomicI64>> = Arc::new((0..3).map(|_| AtomicI64::new(0)).collect());
    let deadlocks = Arc::new(AtomicU64::new(0));
    let threads: Vec<_> = (0..6u64)
        .map(|id| {
            let (m, keys, inside, deadlocks) = (m.clone(), keys.clone(), inside.clone(), deadlocks.clone());
            std::thread::spawn(move || {
                let mut s = m.session(id);
                let mut seed = 0x9E37_79B9_7F4A_7C15u64.wrapping_mul(id + 1);
                for _ in 0..3_000 {
                    let mut added = Vec::new();
                    for _ in 0..2 {
                        seed ^= seed << 13;
                        seed ^= seed >> 7;
                        seed ^= seed << 17;
                        let table = (seed >> 8) as usize % 3;
                        let (kind, weight) = match seed >> 40 & 31 {
                            0 => (MdlType::X, 1_000_000),
                            1 => (MdlType::Snw, 10_000_000_000),
                            n if n % 2 == 0 => (MdlType::Sr, 1),
                            _ => (MdlType::Sw, 1_000),
                        };
                        match s.acquire(&keys[table], kind, Duration::Explicit, soon()) {
                            Ok(_) => {
                                let before = inside[table].fetch_add(weight, Ordering::SeqCst);
                                let own: i64 = added.iter().filter(|(t, _)| *t == table).map(|(_, w)| w).sum();
                                let others = before - own;
                                let bad = match kind {
                                    MdlType::X => others != 0,
                                    MdlType::Sr => others / 1_000_000 % 1_000 != 0,
                                    MdlType::Snw => others / 1_000 != 0,
                                    _ => others / 1_000_000 != 0,
                                };
                                assert!(!bad, "{kind:?} met {others}");
                                added.push((table, weight));
                            }
                            Err(MdlError::Deadlock) => {
                                deadlocks.fetch_add(1, Ordering::Relaxed);
                                break;
                            }
                            Err(e) => panic!("{e:?}"),
                        }
                    }
                    for (t, w) in added {
                        inside[t].fetch_sub(w, Ordering::SeqCst);
                    }
                    s.release_all();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
    assert!(m.list().is_empty());
    assert!(keys.iter().all(|k| m.strong(k.hash()).load(Ordering::SeqCst) == 0));
}

/// `cargo test -p mdl -- --ignored --nocapture price`
#[test]
#[ignore = "a measurement"]
fn price() {
    let m = MdlManager::new();
    let mut s = m.session(1);
    let k = t1();
    let t = std::time::Instant::now();
    for _ in 0..5_000_000 {
        now(&mut s, &k, MdlType::Sr).unwrap();
        s.release_transaction();
    }
    println!("acquire + release: {:.1} ns", t.elapsed().as_nanos() as f64 / 5e6);
}

/// Locks that change hands: nobody gets in between, the giver holds nothing any more, the taker's release lets others in.
#[test]
fn handed_over() {
    let m = MdlManager::new();
    let (mut a, mut b, mut c) = (m.session(1), m.session(0), m.session(3));
    let (k1, k2, user) = (t1(), MdlKey::table("test", "t2"), MdlKey::user_lock("l"));
    now(&mut a, &k1, MdlType::Sw).unwrap(); // in a slot
    now(&mut a, &k2, MdlType::Snrw).unwrap(); // in the table
    a.try_acquire(&user, MdlType::X, Duration::Explicit).unwrap();
    let kept = a.try_acquire(&k1, MdlType::Sr, Duration::Explicit).unwrap();
    a.hand_over(&mut b);
    assert_eq!((a.len(), b.len()), (2, 2));
    assert!(a.owns(&user, MdlType::X) && !a.owns(&k2, MdlType::Sr) && b.owns(&k1, MdlType::Sw));
    for k in [&k1, &k2] {
        assert_eq!(now(&mut c, k, MdlType::X), Err(MdlError::Timeout));
    }
    a.release_all();
    assert_eq!(now(&mut c, &k1, MdlType::X), Err(MdlError::Timeout));
    // what was in the slot is free for the next lock
    a.release(kept);
    now(&mut a, &k1, MdlType::Sr).unwrap();
    a.release_transaction();
    let (_, waiter) = waiting(&m, c, &k1, MdlType::X, soon());
    b.release_transaction();
    let (got, mut c) = waiter.join().unwrap();
    got.unwrap();
    now(&mut c, &k2, MdlType::X).unwrap();
    drop((a, b, c));
    assert!(m.list().is_empty());
}
