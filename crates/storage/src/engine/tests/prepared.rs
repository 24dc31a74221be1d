//! XA in the engine: what a prepared transaction holds, before and after a restart, and how it ends.

use super::support::*;
use crate::error::StorageError;
use crate::table::ReadMode;
use crate::txn::Xid;
use std::time::Duration;
use value::Value;

fn xid(n: u64) -> Xid {
    Xid { format_id: n, gtrid: vec![b'g'; 64], bqual: vec![0xff; n as usize] }
}

#[test]
fn a_restart_keeps_what_is_prepared() {
    let (fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..10i64 {
        insert(&mut t, &tab, &r(i, i, Some(i), "before")).unwrap();
    }
    t.commit().unwrap();
    let mut branches = Vec::new();
    for n in 0..2u64 {
        let mut b = e.new_trx(2 + n).unwrap();
        b.start();
        let own = 5 * n as i64;
        insert(&mut b, &tab, &r(100 + own, 1, None, "new")).unwrap();
        update(&mut b, &tab, own, &[(3, Value::Str(b"after"))]).unwrap();
        delete(&mut b, &tab, own + 1).unwrap();
        b.prepare(&xid(n)).unwrap();
        branches.push(b);
    }
    // a third one, that was not prepared, and one that was being rolled back
    let mut lost = e.new_trx(9).unwrap();
    insert(&mut lost, &tab, &r(200, 1, None, "lost")).unwrap();
    drop(tab);
    // the server stops: dropped as they are
    drop((branches, t));
    drop(lost);
    e.shutdown(false).unwrap();
    drop(e);

    let e = open(&fs);
    let tab = table(&e, "a");
    let mut t = e.new_trx(1).unwrap();
    let seen = all(&mut t, &tab);
    assert_eq!(seen.len(), 10);
    assert!(seen.iter().all(|r| r.3 == "before"));
    t.commit().unwrap();
    let mut found = e.take_prepared().unwrap();
    assert!(e.take_prepared().unwrap().is_empty());
    found.sort_by_key(|(x, _)| x.format_id);
    assert_eq!(found.iter().map(|(x, _)| x.clone()).collect::<Vec<_>>(), [xid(0), xid(1)]);
    assert_eq!(found[0].1.changed_tables().unwrap().iter().map(|t| t.id()).collect::<Vec<_>>(), [tab.id()]);
    // their rows are locked
    t.set_lock_wait_timeout(Duration::from_millis(50));
    for id in [0, 1, 5, 6, 100, 105] {
        let got = point(&mut t, &tab, id, ReadMode::FOR_UPDATE);
        assert_eq!(got, Err(StorageError::LockWaitTimeout), "{id}");
    }
    assert!(point(&mut t, &tab, 2, ReadMode::FOR_UPDATE).unwrap().is_some());
    t.rollback().unwrap();
    found[0].1.commit().unwrap();
    found[1].1.rollback().unwrap();
    let seen = all(&mut t, &tab);
    assert_eq!(seen.len(), 10);
    assert_eq!(read(&mut t, &tab, 0).unwrap().3, "after");
    assert_eq!(read(&mut t, &tab, 1), None);
    assert_eq!(read(&mut t, &tab, 100).unwrap().3, "new");
    assert_eq!(read(&mut t, &tab, 5).unwrap().3, "before");
    assert!(read(&mut t, &tab, 6).is_some());
    assert_eq!(read(&mut t, &tab, 105), None);
    t.commit().unwrap();
    drain_purge(&e);
    check(&e, &tab);
    drop((found, t, tab));
    e.shutdown(false).unwrap();
    drop(e);
    let e = open(&fs);
    assert!(e.take_prepared().unwrap().is_empty());
    check(&e, &table(&e, "a"));
}

#[test]
fn what_wrote_nothing_leaves_nothing() {
    let (fs, e) = engine();
    create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    t.start();
    t.prepare(&xid(3)).unwrap();
    t.commit().unwrap();
    t.start();
    t.prepare(&xid(4)).unwrap();
    drop(t);
    e.shutdown(false).unwrap();
    drop(e);
    assert!(open(&fs).take_prepared().unwrap().is_empty());
}
