//! Commits in a given order, and who gives way for it.

use super::tests::{INDEX, key, owner, try_lock};
use super::*;
use std::sync::Arc;
use std::time::Duration;

/// Number `n`'s transaction is done and waits for its turn, on a thread of its own.
fn waits_for_turn(
    (sys, turns): (&Arc<LockSys>, &Arc<Turns>),
    n: u64,
    o: &Arc<LockOwner>,
) -> std::thread::JoinHandle<Result<(), WaitError>> {
    let (s2, t2, o2) = (sys.clone(), turns.clone(), o.clone());
    let before = sys.waiting();
    let h = std::thread::spawn(move || {
        let done = t2.wait(&s2, n, &|| false);
        if done.is_err() {
            s2.release_all(&o2);
        }
        done
    });
    while sys.waiting() == before {
        std::thread::yield_now();
    }
    h
}

#[test]
fn turns_come_in_order_and_a_later_one_gives_way() {
    let (sys, turns) = (Arc::new(LockSys::new()), Arc::new(Turns::default()));
    let all: Vec<_> = (0..4).map(|n| owner(&sys, n + 1)).collect();
    for (n, o) in (0..).zip(&all) {
        turns.begin(n, o);
    }
    let [a, b, c, d] = all.as_slice() else { panic!() };
    assert_eq!((turns.now(), turns.wait(&sys, 0, &|| false)), (0, Ok(())));
    // the last has what the first needs; those between only wait, the last of all is the dearest
    assert!(try_lock(&sys, d, key(b"d"), LockMode::X, LockKind::Record));
    d.add_weight(1000);
    let third = waits_for_turn((&sys, &turns), 2, c);
    let fourth = waits_for_turn((&sys, &turns), 3, d);
    let second = waits_for_turn((&sys, &turns), 1, b);
    let Acquired::Wait(t) = sys.lock_record(a, INDEX, key(b"d"), LockMode::X, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!("must wait")
    };
    assert_eq!(sys.wait(a, t, Duration::from_secs(120), &|| false), Ok(()));
    assert_eq!(fourth.join().unwrap(), Err(WaitError::Deadlock));
    // it takes its turn with nothing locked, and is in nobody's way
    let fourth = waits_for_turn((&sys, &turns), 3, d);
    sys.release_all(a);
    turns.end(&sys, 0);
    assert_eq!(second.join().unwrap(), Ok(()));
    turns.end(&sys, 1);
    assert_eq!(third.join().unwrap(), Ok(()));
    turns.end(&sys, 2);
    assert_eq!((fourth.join().unwrap(), turns.now()), (Ok(()), 3));
    assert_eq!(sys.waiting(), 0);
    // told to end
    turns.begin(4, a);
    assert_eq!(turns.wait(&sys, 4, &|| true), Err(WaitError::Interrupted));
    turns.end(&sys, 3);
    assert_eq!(turns.wait(&sys, 4, &|| true), Ok(()));
}

#[test]
fn a_turn_is_seen_through_others_waits() {
    // a client waits for the later one and the earlier one for the client
    let (sys, turns) = (Arc::new(LockSys::new()), Arc::new(Turns::default()));
    let (a, b, client) = (owner(&sys, 1), owner(&sys, 2), owner(&sys, 3));
    turns.begin(0, &a);
    turns.begin(1, &b);
    assert!(try_lock(&sys, &b, key(b"b"), LockMode::X, LockKind::Record));
    assert!(try_lock(&sys, &client, key(b"c"), LockMode::X, LockKind::Record));
    let Acquired::Wait(waits) =
        sys.lock_record(&client, INDEX, key(b"b"), LockMode::X, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!("must wait")
    };
    let Acquired::Wait(first) = sys.lock_record(&a, INDEX, key(b"c"), LockMode::X, LockKind::Record, WaitPolicy::Wait)
    else {
        panic!("must wait")
    };
    // the wait for its turn closes the cycle
    assert_eq!(turns.wait(&sys, 1, &|| false), Err(WaitError::Deadlock));
    sys.release_all(&b);
    assert_eq!(sys.wait(&client, waits, Duration::from_secs(120), &|| false), Ok(()));
    sys.release_all(&client);
    assert_eq!(sys.wait(&a, first, Duration::from_secs(120), &|| false), Ok(()));
}
