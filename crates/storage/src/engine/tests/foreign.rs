//! What a foreign key's check locks ([`Trx::lock_reference`]): the record found, or the gap where it would be.

use super::support::*;
use crate::error::StorageError;
use crate::table::Inserted;
use crate::txn::{Isolation, Trx};
use std::time::Duration;
use value::Value;

fn impatient(e: &std::sync::Arc<crate::engine::Engine>, n: u64) -> Trx {
    let mut t = e.new_trx(n).unwrap();
    t.set_lock_wait_timeout(Duration::from_millis(50));
    t.start();
    t
}

#[test]
fn the_parent_found_stays_but_its_neighbours_are_free() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("p"));
    let mut w = e.new_trx(1).unwrap();
    for id in [10, 20, 30] {
        insert(&mut w, &tab, &r(id, id, Some(id), "x")).unwrap();
    }
    w.commit().unwrap();
    for n in [0, 2] {
        let mut child = impatient(&e, 2);
        assert!(child.lock_reference(&tab, n, &index_key(&tab, n, &[Value::Int(20)])).unwrap());
        // another child of the same parent
        let mut other = impatient(&e, 3);
        assert!(other.lock_reference(&tab, n, &index_key(&tab, n, &[Value::Int(20)])).unwrap());
        other.rollback().unwrap();
        let mut w = impatient(&e, 4);
        assert_eq!(insert(&mut w, &tab, &r(19, 19, Some(19), "x")).unwrap(), Inserted::Done);
        assert_eq!(insert(&mut w, &tab, &r(21, 21, Some(21), "x")).unwrap(), Inserted::Done);
        assert!(matches!(delete(&mut w, &tab, 20), Err(StorageError::LockWaitTimeout)), "index {n}");
        w.rollback().unwrap();
        child.rollback().unwrap();
        let mut w = impatient(&e, 5);
        delete(&mut w, &tab, 20).unwrap();
        w.rollback().unwrap();
    }
}

#[test]
fn a_parent_that_is_missing_cannot_come_under_repeatable_read() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("p"));
    let mut w = e.new_trx(1).unwrap();
    for id in [10, 30] {
        insert(&mut w, &tab, &r(id, id, Some(id), "x")).unwrap();
    }
    w.commit().unwrap();
    for (level, free) in [(Isolation::RepeatableRead, false), (Isolation::ReadCommitted, true)] {
        for missing in [20, 40] {
            let mut child = impatient(&e, 2);
            child.set_isolation(level);
            assert!(!child.lock_reference(&tab, 0, &key(&tab, missing)).unwrap());
            let mut w = impatient(&e, 3);
            let got = insert(&mut w, &tab, &r(missing, 1, None, "x"));
            assert_eq!(got.is_ok(), free, "{level:?} {missing}: {got:?}");
            w.rollback().unwrap();
            child.rollback().unwrap();
        }
    }
}

#[test]
fn a_check_waits_for_uncommitted_parents() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("p"));
    let mut w = e.new_trx(1).unwrap();
    insert(&mut w, &tab, &r(1, 1, Some(1), "x")).unwrap();
    w.commit().unwrap();
    w.start();
    delete(&mut w, &tab, 1).unwrap();
    insert(&mut w, &tab, &r(2, 2, Some(2), "x")).unwrap();
    for id in [1, 2] {
        for n in [0, 2] {
            let mut child = impatient(&e, 2);
            let got = child.lock_reference(&tab, n, &index_key(&tab, n, &[Value::Int(id)]));
            assert!(matches!(got, Err(StorageError::LockWaitTimeout)), "index {n} id {id}: {got:?}");
            child.rollback().unwrap();
        }
    }
    // its own changes it sees
    for (id, there) in [(1, false), (2, true)] {
        for n in [0, 2] {
            assert_eq!(w.lock_reference(&tab, n, &index_key(&tab, n, &[Value::Int(id)])).unwrap(), there);
        }
    }
    w.rollback().unwrap();
    let mut child = impatient(&e, 2);
    assert!(child.lock_reference(&tab, 0, &key(&tab, 1)).unwrap());
    assert!(!child.lock_reference(&tab, 2, &index_key(&tab, 2, &[Value::Int(2)])).unwrap());
    child.rollback().unwrap();
    check(&e, &tab);
}
