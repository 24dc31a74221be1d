//! What a foreign key's check locks ([`Trx::lock_reference`]): the record found, or the gap where it would be.

use super::support::*;
use crate::dict::{IndexKind, KeyField};
use crate::error::StorageError;
use crate::table::Inserted;
use crate::txn::{Isolation, Trx};
use std::time::Duration;
use value::{SqlType, TypeKind, Value};

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

/// Columns i, j, a; PRIMARY KEY (i, j), KEY (a), KEY (a, j), KEY (a, i).
#[test]
fn columns_of_the_primary_key_count_for_foreign_keys() {
    use KeyField::{Declared, Primary};
    let columns = ["i", "j", "a"].map(|n| column(n, SqlType::new(TypeKind::BigInt).nullable(false)));
    let keys = [&[2][..], &[2, 1], &[2, 0]].map(|c| index("k", IndexKind::Plain, c));
    let primary = index("PRIMARY", IndexKind::Primary, &[0, 1]);
    let t = def("t", columns.into(), [primary].into_iter().chain(keys).collect());
    let of = |c: &[u16]| t.index_for_reference(c);
    assert_eq!([of(&[0]), of(&[0, 1]), of(&[1])], [Some(0), Some(0), None]);
    assert_eq!([of(&[2]), of(&[2, 0]), of(&[2, 0, 1])], [Some(1); 3]);
    assert_eq!([of(&[2, 1]), of(&[2, 1, 0]), of(&[2, 1, 0, 0])], [Some(2), Some(2), None]);
    let fields = |n, count| t.key_fields(n, count).collect::<Vec<_>>();
    assert_eq!(fields(1, 2), [(Declared(0), 0), (Primary(0), 1)]);
    assert_eq!(fields(2, 2), [(Declared(0), 0), (Declared(1), 1)]);
    assert_eq!(fields(2, 3), [(Declared(0), 0), (Declared(1), 1), (Primary(0), 2)]);
    assert_eq!(fields(3, 3), [(Declared(0), 0), (Declared(1), 1), (Primary(0), 1), (Primary(1), 2)]);
}
