//! Row locks: who waits for whom.

use super::support::*;
use crate::engine::Engine;
use crate::error::StorageError;
use crate::rowlock::{Acquired, LockKind, LockMode, RecKey, WaitPolicy};
use crate::table::{Direction, KeyRange, LockWait, ReadMode, Table, TableCursor};
use crate::txn::{Isolation, Trx};
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;
use value::Value;

const NOWAIT: ReadMode = ReadMode::Lock { mode: LockMode::X, wait: LockWait::NoWait };
const SKIP: ReadMode = ReadMode::Lock { mode: LockMode::X, wait: LockWait::SkipLocked };

fn setup(n: i64) -> (Arc<Engine>, Arc<Table>, Trx, Trx) {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut a = e.new_trx(1).unwrap();
    for i in 0..n {
        insert(&mut a, &tab, &r(i * 10, i, Some(i), "x")).unwrap();
    }
    a.commit().unwrap();
    let mut b = e.new_trx(2).unwrap();
    b.set_lock_wait_timeout(Duration::from_millis(30));
    (e, tab, a, b)
}

fn blocked<T: std::fmt::Debug>(r: Result<T, StorageError>) {
    assert_eq!(r.unwrap_err(), StorageError::LockWaitTimeout);
}

#[test]
fn implicit_locks_block_readers_for_update_and_duplicates() {
    let (_e, tab, mut a, mut b) = setup(5);
    insert(&mut a, &tab, &r(5, 50, Some(50), "new")).unwrap();
    update(&mut a, &tab, 20, &[(2, Value::Int(200))]).unwrap();
    blocked(point(&mut b, &tab, 5, ReadMode::FOR_UPDATE));
    blocked(point(&mut b, &tab, 20, ReadMode::FOR_SHARE));
    blocked(insert(&mut b, &tab, &r(5, 1, None, "dup")));
    blocked(insert(&mut b, &tab, &r(6, 1, Some(50), "dup of an uncommitted unique value")));
    blocked(insert(&mut b, &tab, &r(7, 1, Some(2), "value that an uncommitted update gave up")));
    assert_eq!(point(&mut b, &tab, 10, NOWAIT).unwrap().unwrap().0, 10);
    assert_eq!(point(&mut b, &tab, 20, NOWAIT).unwrap_err(), StorageError::LockNowait);
    assert_eq!(point(&mut b, &tab, 20, SKIP).unwrap(), None);
    let skipped: Vec<i64> = scan(&mut b, &tab, 0, SKIP, Direction::Forward).unwrap().iter().map(|r| r.0).collect();
    assert_eq!(skipped, [0, 10, 30, 40]);
    let skipped = scan(&mut b, &tab, 1, SKIP, Direction::Backward).unwrap().len();
    assert_eq!(skipped, 4);
    a.commit().unwrap();
    assert_eq!(point(&mut b, &tab, 5, ReadMode::FOR_UPDATE).unwrap().unwrap().1, 50);
}

#[test]
fn next_key_locks_stop_phantoms_under_repeatable_read_only() {
    for (level, free) in [(Isolation::RepeatableRead, false), (Isolation::ReadCommitted, true)] {
        for index in [0, 1] {
            let (e, tab, mut a, mut b) = setup(10);
            a.set_isolation(level);
            let (lo, hi) = (
                index_key(&tab, index, &[Value::Int([25, 3][index])]),
                index_key(&tab, index, &[Value::Int([45, 5][index])]),
            );
            let range = KeyRange { lower: Bound::Included(&lo), upper: Bound::Excluded(&hi) };
            let rows = scan_range(&mut a, &tab, index, ReadMode::FOR_UPDATE, Direction::Forward, range).unwrap();
            assert_eq!(rows.iter().map(|r| r.0).collect::<Vec<_>>(), [30, 40]);
            b.start();
            let got = insert(&mut b, &tab, &r(35, 4, None, "phantom"));
            if free {
                got.unwrap();
                b.rollback().unwrap();
            } else {
                blocked(got);
            }
            // outside of the range nobody is disturbed
            insert(&mut b, &tab, &r(75, 7, None, "elsewhere")).unwrap();
            b.commit().unwrap();
            a.commit().unwrap();
            check(&e, &tab);
        }
    }
}

#[test]
fn unique_point_locks_only_the_record_and_missing_keys_lock_the_gap() {
    let (_e, tab, mut a, mut b) = setup(5);
    assert!(point(&mut a, &tab, 20, ReadMode::FOR_UPDATE).unwrap().is_some());
    insert(&mut b, &tab, &r(15, 1, None, "before")).unwrap();
    insert(&mut b, &tab, &r(25, 1, None, "behind")).unwrap();
    b.commit().unwrap();
    assert!(point(&mut a, &tab, 33, ReadMode::FOR_UPDATE).unwrap().is_none());
    blocked(insert(&mut b, &tab, &r(35, 1, None, "into the gap")));
    assert!(point(&mut b, &tab, 40, NOWAIT).unwrap().is_some(), "the record behind the gap is free");
    assert!(point(&mut a, &tab, 1000, ReadMode::FOR_UPDATE).unwrap().is_none());
    blocked(insert(&mut b, &tab, &r(2000, 1, None, "supremum")));
    b.rollback().unwrap();
    // the holder himself may insert, and the new record takes the gap lock over on both sides
    insert(&mut a, &tab, &r(35, 1, None, "mine")).unwrap();
    blocked(insert(&mut b, &tab, &r(34, 1, None, "left part of the gap")));
    blocked(insert(&mut b, &tab, &r(36, 1, None, "right part of the gap")));
    a.rollback().unwrap();
    insert(&mut b, &tab, &r(34, 1, None, "free now")).unwrap();
}

#[test]
fn a_waiter_goes_on_with_what_the_holder_left() {
    for commit in [true, false] {
        let (e, tab, mut a, _b) = setup(3);
        update(&mut a, &tab, 10, &[(1, Value::Int(77))]).unwrap();
        delete(&mut a, &tab, 20).unwrap();
        std::thread::scope(|s| {
            let waiter = s.spawn(|| {
                let mut c = e.new_trx(5).unwrap();
                let ten = point(&mut c, &tab, 10, ReadMode::FOR_UPDATE).unwrap();
                let twenty = point(&mut c, &tab, 20, ReadMode::FOR_UPDATE).unwrap();
                c.commit().unwrap();
                (ten.unwrap().1, twenty.map(|r| r.0))
            });
            while e.locks().waiting() == 0 {
                std::thread::yield_now();
            }
            if commit {
                a.commit().unwrap();
            } else {
                a.rollback().unwrap();
            }
            assert_eq!(waiter.join().unwrap(), if commit { (77, None) } else { (1, Some(20)) });
        });
    }
}

/// Two wait for a row whose insert is taken back; a third puts the same key in again. What the two waited for is gone: each has to ask
/// anew and wait for the new row's writer, instead of seeing it uncommitted.
#[test]
fn waiters_for_a_row_that_vanished_have_no_lock_on_its_return() {
    for (place, level) in [(0, Isolation::ReadCommitted), (2, Isolation::ReadCommitted), (0, Isolation::RepeatableRead)]
    {
        let (e, tab, mut a, mut b) = setup(3);
        b.set_isolation(Isolation::ReadCommitted);
        insert(&mut a, &tab, &r(15, 7, Some(15), "gone")).unwrap();
        // by the clustered key, or by the unique one
        let wanted = if place == 0 { key(&tab, 15) } else { index_key(&tab, 2, &[Value::Int(15)]) };
        let look = |t: &mut Trx| {
            let mut c = TableCursor::open(&tab, place, ReadMode::FOR_UPDATE, false);
            c.point(t, &wanted).map(|r| r.map(|r| to_r(&r).1))
        };
        let both = std::sync::Barrier::new(3);
        std::thread::scope(|s| {
            let waiters: Vec<_> = (5..7)
                .map(|n| {
                    let (e, both, look) = (&e, &both, &look);
                    s.spawn(move || {
                        let mut c = e.new_trx(n).unwrap();
                        c.set_isolation(level);
                        let first = look(&mut c).unwrap();
                        if level == Isolation::RepeatableRead {
                            c.commit().unwrap(); // or its lock on the gap would keep the row from coming back
                        }
                        both.wait();
                        both.wait();
                        c.set_lock_wait_timeout(Duration::from_millis(30));
                        let second = look(&mut c);
                        c.rollback().unwrap();
                        (first, second)
                    })
                })
                .collect();
            while e.locks().waiting() < 2 {
                std::thread::yield_now();
            }
            a.rollback().unwrap();
            both.wait();
            insert(&mut b, &tab, &r(15, 8, Some(15), "another")).unwrap();
            both.wait();
            for w in waiters {
                let (first, second) = w.join().unwrap();
                assert_eq!(first, None);
                blocked(second);
            }
        });
        b.commit().unwrap();
        assert!(e.locks().list().is_empty());
        check(&e, &tab);
    }
}

#[test]
fn deadlocks_have_one_victim_that_is_rolled_back() {
    let (e, tab, mut a, _b) = setup(3);
    update(&mut a, &tab, 0, &[(1, Value::Int(100))]).unwrap();
    update(&mut a, &tab, 20, &[(1, Value::Int(100))]).unwrap(); // the heavier one
    std::thread::scope(|s| {
        let other = s.spawn(|| {
            let mut c = e.new_trx(5).unwrap();
            update(&mut c, &tab, 10, &[(1, Value::Int(200))]).unwrap();
            let e = update(&mut c, &tab, 0, &[(1, Value::Int(200))]).unwrap_err();
            assert!(!c.is_open() && !c.has_written());
            e
        });
        while e.locks().waiting() == 0 {
            std::thread::yield_now();
        }
        update(&mut a, &tab, 10, &[(1, Value::Int(100))]).unwrap();
        a.commit().unwrap();
        assert_eq!(other.join().unwrap(), StorageError::Deadlock);
    });
    assert_eq!(all(&mut a, &tab).iter().map(|r| r.1).collect::<Vec<_>>(), [100, 100, 100]);
    assert_eq!(e.status().deadlocks, 1);
}

#[test]
fn kill_ends_a_wait() {
    let (e, tab, mut a, _b) = setup(1);
    update(&mut a, &tab, 0, &[(1, Value::Int(100))]).unwrap();
    std::thread::scope(|s| {
        let mut c = e.new_trx(5).unwrap();
        let kill = c.kill_handle();
        let (tab, waiter_tab) = (&tab, tab.clone());
        let waiter = s.spawn(move || {
            let got = point(&mut c, &waiter_tab, 0, ReadMode::FOR_UPDATE);
            c.rollback().unwrap();
            c.clear_kill();
            (got, c)
        });
        while e.locks().waiting() == 0 {
            std::thread::yield_now();
        }
        kill.kill();
        let (got, mut c) = waiter.join().unwrap();
        assert_eq!(got.unwrap_err(), StorageError::Interrupted);
        assert!(read(&mut c, tab, 0).is_some());
    });
    a.commit().unwrap();
}

/// The lock has been granted, and KILL arrives before the thread looks: on one thread, so that the order is
/// certain.
#[test]
fn a_lock_that_is_granted_after_kill_does_not_let_the_statement_go_on() {
    let (_e, tab, mut a, mut b) = setup(1);
    point(&mut a, &tab, 0, ReadMode::FOR_UPDATE).unwrap();
    let (index, row) = (tab.def.indexes[0].id, key(&tab, 0));
    let ask = |b: &mut Trx| b.request(index, RecKey::Key(&row), LockMode::X, LockKind::Record, WaitPolicy::Wait);
    let Acquired::Wait(ticket) = ask(&mut b) else { panic!("does not wait") };
    a.commit().unwrap();
    b.kill_handle().kill();
    assert_eq!(b.wait_for(ticket), Err(StorageError::Interrupted));
    b.rollback().unwrap();
    b.clear_kill();
    assert!(matches!(ask(&mut a), Acquired::Granted), "given back with the transaction");
    a.rollback().unwrap();
}

#[test]
fn read_committed_gives_locks_back_and_reads_semi_consistently() {
    let (_e, tab, mut a, mut b) = setup(4);
    for t in [&mut a, &mut b] {
        t.set_isolation(Isolation::ReadCommitted);
    }
    let mut c = TableCursor::open(&tab, 0, ReadMode::FOR_UPDATE, false);
    c.seek(&mut a, KeyRange::ALL, Direction::Forward).unwrap();
    while let Some(row) = c.next(&mut a).unwrap() {
        if to_r(&row).0 != 20 {
            c.unlock_row(&mut a);
        }
    }
    for id in [0, 10, 30] {
        assert!(point(&mut b, &tab, id, NOWAIT).unwrap().is_some(), "row {id} was given back");
    }
    assert_eq!(point(&mut b, &tab, 20, NOWAIT).unwrap_err(), StorageError::LockNowait);
    b.rollback().unwrap();
    a.update(&tab, &key(&tab, 20), &[(1, Value::Int(-5))]).unwrap();
    // b's UPDATE looks at the committed version of row 20 and does not wait
    for index in [0, 1] {
        let mut c = TableCursor::open(&tab, index, ReadMode::FOR_UPDATE, false);
        c.set_semi_consistent(true);
        c.seek(&mut b, KeyRange::ALL, Direction::Forward).unwrap();
        let mut seen = Vec::new();
        while let Some(row) = c.next(&mut b).unwrap() {
            let row = to_r(&row);
            seen.push((row.0, row.1, c.was_semi_consistent()));
        }
        seen.sort();
        let busy: Vec<_> = seen.iter().filter(|s| s.2).map(|s| s.0).collect();
        assert_eq!(busy, if index == 0 { vec![20] } else { vec![20, 20] }[..busy.len()], "index {index}");
        assert!(seen.contains(&(20, 2, true)), "{seen:?}");
        b.rollback().unwrap();
    }
    a.commit().unwrap();
}

/// What a statement gives back is what it locked: a row that was locked S before stays so.
#[test]
fn read_committed_keeps_the_shared_lock_of_a_statement_before() {
    for index in [0, 1] {
        let (_e, tab, mut a, mut b) = setup(4);
        a.set_isolation(Isolation::ReadCommitted);
        assert!(point(&mut a, &tab, 20, ReadMode::FOR_SHARE).unwrap().is_some());
        let mut c = TableCursor::open(&tab, index, ReadMode::FOR_UPDATE, false);
        c.seek(&mut a, KeyRange::ALL, Direction::Forward).unwrap();
        while c.next(&mut a).unwrap().is_some() {
            c.unlock_row(&mut a);
        }
        assert!(point(&mut b, &tab, 10, NOWAIT).unwrap().is_some(), "given back");
        const SHARE: ReadMode = ReadMode::Lock { mode: LockMode::S, wait: LockWait::NoWait };
        assert!(point(&mut b, &tab, 20, SHARE).unwrap().is_some(), "shared as before");
        assert_eq!(point(&mut b, &tab, 20, NOWAIT).unwrap_err(), StorageError::LockNowait, "index {index}");
        a.commit().unwrap();
        assert!(point(&mut b, &tab, 20, NOWAIT).unwrap().is_some());
    }
}

#[test]
fn serializable_reads_lock_in_transactions() {
    let (_e, tab, mut a, mut b) = setup(3);
    a.set_isolation(Isolation::Serializable);
    a.start();
    assert!(read(&mut a, &tab, 10).is_some());
    blocked(update(&mut b, &tab, 10, &[(1, Value::Int(5))]));
    b.rollback().unwrap();
    a.commit().unwrap();
    assert!(read(&mut a, &tab, 10).is_some(), "autocommit reads do not lock");
    update(&mut b, &tab, 10, &[(1, Value::Int(5))]).unwrap();
}

/// A long scan's locks are a run, which stops others as single locks do, is named record by record, and goes with the transaction.
#[test]
fn a_long_scan_locks_every_record_and_gap() {
    for direction in [Direction::Forward, Direction::Backward] {
        for index in [0, 1] {
            let (e, tab, mut a, mut b) = setup(200);
            assert_eq!(scan(&mut a, &tab, index, ReadMode::FOR_UPDATE, direction).unwrap().len(), 200);
            let runs = e.locks().list().iter().filter(|l| l.to.is_some()).count();
            assert_eq!(runs, 1, "one run on the index that is scanned");
            let id = tab.def.indexes[index].id.0;
            let named = e.row_locks().unwrap();
            assert!(named.iter().all(|l| l.to.is_none()));
            let of_index = named.iter().filter(|l| l.object == id && l.key.is_some()).count();
            assert_eq!(of_index, 200, "every record by name");
            blocked(point(&mut b, &tab, 1000, ReadMode::FOR_SHARE));
            blocked(insert(&mut b, &tab, &r(1005, 100, None, "gap")));
            blocked(insert(&mut b, &tab, &r(9999, 1000, None, "supremum")));
            assert_eq!(scan(&mut b, &tab, 0, SKIP, Direction::Forward).unwrap(), []);
            // met: it has an entry now, and is named once all the same
            assert_eq!(e.row_locks().unwrap().iter().filter(|l| l.object == id && l.key.is_some()).count(), 200);
            // the owner writes inside his run, and takes some of it back
            insert(&mut a, &tab, &r(1005, 100, Some(5000), "mine")).unwrap();
            let before = a.savepoint();
            insert(&mut a, &tab, &r(1006, 100, Some(5001), "mine")).unwrap();
            a.rollback_to(before).unwrap();
            blocked(insert(&mut b, &tab, &r(1006, 100, None, "still a gap")));
            for id in 0..200 {
                update(&mut a, &tab, id * 10, &[(1, Value::Int(id + 1))]).unwrap();
            }
            blocked(point(&mut b, &tab, 1000, ReadMode::FOR_SHARE));
            a.commit().unwrap();
            assert!(e.locks().list().iter().all(|l| l.owner != a.shared.owner().id()));
            assert_eq!(scan(&mut b, &tab, index, NOWAIT, direction).unwrap().len(), 201);
            b.commit().unwrap();
            assert!(e.locks().list().is_empty());
            check(&e, &tab);
        }
    }
}
