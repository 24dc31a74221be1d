use super::*;
use base::{IndexId, TableId};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(super) const INDEX: IndexId = IndexId(7);

pub(super) fn owner(sys: &LockSys, trx: u64) -> Arc<LockOwner> {
    let o = sys.new_owner();
    o.begin(trx);
    o
}

pub(super) fn key(k: &[u8]) -> RecKey<'_> {
    RecKey::Key(k)
}

fn granted(a: Acquired) -> bool {
    matches!(a, Acquired::Granted)
}

pub(super) fn try_lock(sys: &LockSys, o: &Arc<LockOwner>, k: RecKey<'_>, m: LockMode, kind: LockKind) -> bool {
    granted(sys.lock_record(o, INDEX, k, m, kind, WaitPolicy::NoWait))
}

#[test]
fn conflict_matrix_is_innodbs() {
    use LockKind::*;
    use LockMode::*;
    // (held, requested, may proceed) on a record
    let table = [
        ((S, Record), (S, Record), true),
        ((S, Record), (X, Record), false),
        ((X, Record), (S, NextKey), false),
        ((X, Gap), (X, Gap), true),
        ((X, Gap), (X, Record), true),
        ((X, Gap), (X, NextKey), true),
        ((X, NextKey), (X, Gap), true),
        ((X, NextKey), (S, Record), false),
        ((S, NextKey), (S, NextKey), true),
    ];
    for ((hm, hk), (rm, rk), ok) in table {
        let sys = LockSys::new();
        let (a, b) = (owner(&sys, 1), owner(&sys, 2));
        assert!(try_lock(&sys, &a, key(b"k"), hm, hk));
        assert_eq!(try_lock(&sys, &b, key(b"k"), rm, rk), ok, "{hm:?} {hk:?} then {rm:?} {rk:?}");
    }
    // insert intention
    for (held, ok) in [(Gap, false), (NextKey, false), (Record, true)] {
        let sys = LockSys::new();
        let (a, b) = (owner(&sys, 1), owner(&sys, 2));
        assert!(try_lock(&sys, &a, key(b"k"), S, held));
        let got = sys.lock_record(&b, INDEX, key(b"k"), X, InsertIntention, WaitPolicy::NoWait);
        assert_eq!(granted(got), ok, "insert before {held:?}");
        // and one's own gap never blocks one's own insert
        assert!(granted(sys.lock_insert(&a, INDEX, key(b"k"))));
    }
}

/// The next transaction of the session that has just let go queues behind the one it let in, which has not woken yet: no cycle.
#[test]
fn the_former_holder_may_queue_again_at_once() {
    let sys = LockSys::new();
    let (a, b) = (owner(&sys, 1), owner(&sys, 2));
    assert!(try_lock(&sys, &a, key(b"k"), LockMode::X, LockKind::Record));
    let lock = |o: &Arc<LockOwner>| match sys.lock_record(
        o,
        INDEX,
        key(b"k"),
        LockMode::X,
        LockKind::Record,
        WaitPolicy::Wait,
    ) {
        Acquired::Wait(t) => t,
        other => panic!("{other:?}"),
    };
    let b_waits = lock(&b);
    sys.release_all(&a);
    a.begin(3);
    let a_waits = lock(&a);
    assert_eq!(sys.deadlocks(), 0);
    let wait = |o, t| sys.wait(o, t, Duration::from_secs(5), &|| false);
    assert_eq!(wait(&b, b_waits), Ok(()));
    sys.release_all(&b);
    assert_eq!(wait(&a, a_waits), Ok(()));
    assert_eq!((sys.deadlocks(), sys.waiting()), (0, 0));
}

#[test]
fn the_supremum_has_only_a_gap() {
    let sys = LockSys::new();
    let (a, b) = (owner(&sys, 1), owner(&sys, 2));
    assert!(try_lock(&sys, &a, RecKey::Supremum, LockMode::X, LockKind::NextKey));
    assert!(try_lock(&sys, &b, RecKey::Supremum, LockMode::X, LockKind::NextKey));
    assert!(matches!(sys.lock_insert(&a, INDEX, RecKey::Supremum), Acquired::Wait(_)));
}

#[test]
fn inheritance_keeps_gaps_closed() {
    let sys = LockSys::new();
    let (a, b) = (owner(&sys, 1), owner(&sys, 2));
    assert!(try_lock(&sys, &a, key(b"m"), LockMode::X, LockKind::Gap));
    // a itself inserts "g" into its gap; b may neither insert before "g" nor before "m"
    assert!(granted(sys.lock_insert(&a, INDEX, key(b"m"))));
    sys.inherit_on_insert(INDEX, key(b"m"), b"g");
    let ii = |k: &'static [u8]| {
        granted(sys.lock_record(&b, INDEX, key(k), LockMode::X, LockKind::InsertIntention, WaitPolicy::NoWait))
    };
    assert!(!ii(b"g"));
    assert!(!ii(b"m"));
    // "m" vanishes: the gap now ends at "z"
    assert!(ii(b"z"));
    sys.inherit_on_remove(INDEX, b"m", key(b"z"));
    assert!(!ii(b"z"));
    sys.release_all(&a);
    assert!(ii(b"z") && ii(b"g"));
    assert!(sys.list().is_empty());
}

/// Whoever had a lock on a removed key, or waited for one, has none when the key comes back.
#[test]
fn a_removed_key_leaves_no_lock_on_its_return() {
    let sys = LockSys::new();
    let (writer, waiter, second, next) = (owner(&sys, 1), owner(&sys, 2), owner(&sys, 3), owner(&sys, 4));
    let want =
        |o: &Arc<LockOwner>| sys.lock_record(o, INDEX, key(b"m"), LockMode::X, LockKind::Record, WaitPolicy::Wait);
    assert!(granted(want(&writer)));
    let (Acquired::Wait(a), Acquired::Wait(b)) = (want(&waiter), want(&second)) else { panic!("must wait") };
    sys.inherit_on_remove(INDEX, b"m", key(b"z"));
    for (o, ticket) in [(&waiter, a), (&second, b)] {
        assert_eq!(sys.wait(o, ticket, Duration::from_secs(5), &|| false), Ok(()));
        assert!(!sys.holds(o, INDEX, key(b"m"), LockMode::X, LockKind::Record));
    }
    // the new row's writer, whose implicit lock somebody made explicit
    sys.make_explicit(&next, INDEX, key(b"m"), || true);
    for o in [&writer, &waiter, &second] {
        assert!(!try_lock(&sys, o, key(b"m"), LockMode::S, LockKind::Record));
        sys.release_all(o);
    }
    sys.release_all(&next);
    assert!(sys.list().is_empty());
}

#[test]
fn waiters_are_granted_in_order_and_time_out() {
    let sys = Arc::new(LockSys::new());
    let a = owner(&sys, 1);
    assert!(try_lock(&sys, &a, key(b"r"), LockMode::X, LockKind::Record));
    let b = owner(&sys, 2);
    let Acquired::Wait(t) = sys.lock_record(&b, INDEX, key(b"r"), LockMode::S, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!("must wait")
    };
    assert_eq!(sys.wait(&b, t, Duration::from_millis(20), &|| false), Err(WaitError::Timeout));
    assert_eq!(sys.waiting(), 0);
    let Acquired::Wait(t) = sys.lock_record(&b, INDEX, key(b"r"), LockMode::S, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!("must wait")
    };
    let (s2, a2) = (sys.clone(), a.clone());
    let h = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        s2.release_all(&a2);
    });
    assert_eq!(sys.wait(&b, t, Duration::from_secs(120), &|| false), Ok(()));
    h.join().unwrap();
    assert!(sys.holds(&b, INDEX, key(b"r"), LockMode::S, LockKind::Record));
    // kill
    let c = owner(&sys, 3);
    let Acquired::Wait(t) = sys.lock_record(&c, INDEX, key(b"r"), LockMode::X, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!("must wait")
    };
    assert_eq!(sys.wait(&c, t, Duration::from_secs(5), &|| true), Err(WaitError::Interrupted));
}

#[test]
fn a_cycle_has_one_victim_the_cheaper_one() {
    let sys = Arc::new(LockSys::new());
    let (a, b) = (owner(&sys, 1), owner(&sys, 2));
    // the victim tells while everybody still waits
    let weak = Arc::downgrade(&sys);
    sys.set_deadlock_teller(Box::new(move |d| {
        let waiting = weak.upgrade().unwrap().list().iter().filter(|l| l.waiting).count();
        let ids: Vec<_> = d.members.iter().map(|m| m.id()).collect();
        let sys = weak.upgrade().unwrap();
        let places = sys.in_deadlock(d).into_iter().map(|(wanted, held)| (wanted.unwrap().key, held.len()));
        format!("{waiting} of {ids:?}, victim {} {:?}", d.victim, places.collect::<Vec<_>>())
    }));
    assert_eq!(sys.latest_deadlock(), None);
    a.add_weight(100);
    assert!(try_lock(&sys, &a, key(b"1"), LockMode::X, LockKind::Record));
    assert!(try_lock(&sys, &b, key(b"2"), LockMode::X, LockKind::Record));
    let Acquired::Wait(tb) = sys.lock_record(&b, INDEX, key(b"1"), LockMode::X, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!()
    };
    let s2 = sys.clone();
    let b2 = b.clone();
    let h = std::thread::spawn(move || {
        let r = s2.wait(&b2, tb, Duration::from_secs(5), &|| false);
        s2.release_all(&b2);
        r
    });
    let Acquired::Wait(ta) = sys.lock_record(&a, INDEX, key(b"2"), LockMode::X, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!()
    };
    assert_eq!(sys.wait(&a, ta, Duration::from_secs(5), &|| false), Ok(()));
    assert_eq!(h.join().unwrap(), Err(WaitError::Deadlock));
    assert_eq!(sys.deadlocks(), 1);
    let places = [(Some(b"1".to_vec()), 1), (Some(b"2".to_vec()), 1)];
    let told = format!("2 of {:?}, victim {} {places:?}", [b.id(), a.id()], b.id());
    assert_eq!(sys.latest_deadlock().as_deref(), Some(told.as_str()));
}

#[test]
fn without_detection_a_cycle_ends_by_timeout() {
    let sys = LockSys::new();
    sys.set_deadlock_detect(false);
    let (a, b) = (owner(&sys, 1), owner(&sys, 2));
    assert!(try_lock(&sys, &a, key(b"1"), LockMode::X, LockKind::Record));
    assert!(try_lock(&sys, &b, key(b"2"), LockMode::X, LockKind::Record));
    let Acquired::Wait(tb) = sys.lock_record(&b, INDEX, key(b"1"), LockMode::X, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!()
    };
    let Acquired::Wait(ta) = sys.lock_record(&a, INDEX, key(b"2"), LockMode::X, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!()
    };
    assert_eq!(sys.waits().len(), 2, "views see who waits for whom");
    assert_eq!(sys.wait(&b, tb, Duration::from_millis(30), &|| false), Err(WaitError::Timeout));
    sys.release_all(&b);
    assert_eq!(sys.wait(&a, ta, Duration::from_secs(5), &|| false), Ok(()));
    assert_eq!((sys.deadlocks(), sys.waiting()), (0, 0));
}

#[test]
fn table_locks_meet_weak_holders() {
    let sys = LockSys::new();
    let (a, b) = (owner(&sys, 1), owner(&sys, 2));
    let t = TableId(5);
    assert!(granted(sys.lock_table(&a, t, LockMode::IX, WaitPolicy::NoWait)));
    assert!(sys.shards.iter().all(|s| s.lock().is_empty()), "IX alone writes nothing shared");
    let shown = |o: &Arc<LockOwner>| -> Vec<LockMode> {
        sys.list().into_iter().filter(|l| l.table && l.object == t.0 && l.owner == o.id()).map(|l| l.mode).collect()
    };
    assert_eq!((shown(&a), shown(&b)), (vec![LockMode::IX], vec![]));
    assert!(matches!(sys.lock_table(&b, t, LockMode::S, WaitPolicy::NoWait), Acquired::Busy));
    assert_eq!(shown(&a), [LockMode::IX], "once, now that it stands in the queue too");
    sys.release_all(&a);
    assert!(granted(sys.lock_table(&b, t, LockMode::X, WaitPolicy::NoWait)));
    a.begin(3);
    assert!(matches!(sys.lock_table(&a, t, LockMode::IX, WaitPolicy::NoWait), Acquired::Busy));
    sys.release_all(&b);
    assert!(granted(sys.lock_table(&a, t, LockMode::IX, WaitPolicy::NoWait)));
    sys.release_all(&a);
    a.begin(4);
    b.begin(5);
    assert!(granted(sys.lock_table(&a, t, LockMode::AutoInc, WaitPolicy::NoWait)));
    assert!(matches!(sys.lock_table(&b, t, LockMode::AutoInc, WaitPolicy::NoWait), Acquired::Busy));
    sys.unlock_table(&a, t, LockMode::AutoInc);
    assert!(granted(sys.lock_table(&b, t, LockMode::AutoInc, WaitPolicy::NoWait)));
    sys.release_all(&a);
    sys.release_all(&b);
    assert!(sys.list().is_empty());
}

#[test]
fn mutual_exclusion_under_load() {
    let sys = Arc::new(LockSys::new());
    let cells: Arc<Vec<AtomicU64>> = Arc::new((0..4).map(|_| AtomicU64::new(0)).collect());
    let total = Arc::new(AtomicU64::new(0));
    let threads: Vec<_> = (0..8u64)
        .map(|n| {
            let (sys, cells, total) = (sys.clone(), cells.clone(), total.clone());
            std::thread::spawn(move || {
                let o = sys.new_owner();
                let mut rng = n * 7919 + 1;
                for i in 0..400 {
                    o.begin(n * 1000 + i + 1);
                    for _ in 0..2 {
                        rng = rng.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        let c = (rng >> 33) as usize % 4;
                        let k = [c as u8];
                        let got = match sys.lock_record(
                            &o,
                            INDEX,
                            key(&k),
                            LockMode::X,
                            LockKind::Record,
                            WaitPolicy::Wait,
                        ) {
                            Acquired::Granted => true,
                            Acquired::Busy => false,
                            Acquired::Wait(t) => match sys.wait(&o, t, Duration::from_secs(20), &|| false) {
                                Ok(()) => true,
                                Err(WaitError::Deadlock) => false,
                                Err(e) => panic!("{e:?}"),
                            },
                        };
                        if !got {
                            break;
                        }
                        let before = cells[c].load(Ordering::Relaxed);
                        std::thread::yield_now();
                        cells[c].store(before + 1, Ordering::Relaxed);
                        total.fetch_add(1, Ordering::Relaxed);
                    }
                    sys.release_all(&o);
                }
            })
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    assert!(sys.list().is_empty());
    assert_eq!(sys.waiting(), 0);
    // an increment lost would mean two holders of one X lock
    assert_eq!(cells.iter().map(|c| c.load(Ordering::Relaxed)).sum::<u64>(), total.load(Ordering::Relaxed));
}

/// A transaction may hold millions of them.
#[test]
fn a_row_lock_is_small() {
    assert!(size_of::<queue::Queue>() <= 56, "{}", size_of::<queue::Queue>());
    let sys = LockSys::new();
    let a = owner(&sys, 1);
    let (short, long) = ([1; 22], [2; 23]);
    assert!(try_lock(&sys, &a, key(&short), LockMode::X, LockKind::Record));
    assert!(try_lock(&sys, &a, key(&long), LockMode::X, LockKind::Record));
    assert!(sys.holds(&a, INDEX, key(&short), LockMode::X, LockKind::Record));
    assert!(sys.holds(&a, INDEX, key(&long), LockMode::X, LockKind::Record));
    assert!(!sys.holds(&a, INDEX, key(&short[..21]), LockMode::X, LockKind::Record));
    sys.release_all(&a);
    assert!(sys.list().is_empty());
}

/// Room for queues in all tables.
fn room(sys: &LockSys) -> usize {
    sys.shards.iter().map(|s| s.lock().capacity()).sum()
}

#[test]
fn a_transaction_of_many_locks_leaves_no_large_tables() {
    let sys = LockSys::new();
    let (small, large) = (owner(&sys, 1), owner(&sys, 2));
    let lock = |o: &Arc<LockOwner>, i: u32, kind| {
        assert!(try_lock(&sys, o, key(&i.to_be_bytes()), LockMode::X, kind));
    };
    (0..100).for_each(|i| lock(&small, i, LockKind::Record));
    (100..200_000).for_each(|i| lock(&large, i, LockKind::Record));
    let most = room(&sys);
    assert!(most >= 200_000);
    sys.release_all(&large);
    assert!(room(&sys) < most / 8, "{} of {most}", room(&sys));
    let other = owner(&sys, 3);
    for i in 0..200 {
        let free = try_lock(&sys, &other, key(&u32::to_be_bytes(i)), LockMode::X, LockKind::Record);
        assert_eq!(free, i >= 100, "what is held is found in the smaller tables");
    }
    sys.release_all(&small);
    assert!(try_lock(&sys, &other, key(&5u32.to_be_bytes()), LockMode::X, LockKind::Record));
}
