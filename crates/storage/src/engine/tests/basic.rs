//! One session: every row operation, every index, rollback, restart.

use super::support::*;
use crate::engine::Engine;
use crate::table::{Direction, Inserted, KeyRange, OnDuplicate, ReadMode, Steps, Table, TableCursor};
use std::ops::Bound;
use std::sync::Arc;
use value::Value;

#[test]
fn rows_come_back_through_every_index() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..500i64 {
        let row = r(i, (i * 7919) % 500, Some(1000 - i), &format!("row {}", i % 17));
        assert_eq!(insert(&mut t, &tab, &row).unwrap(), Inserted::Done);
    }
    t.commit().unwrap();
    for n in 0..4 {
        let up = scan(&mut t, &tab, n, ReadMode::Consistent, Direction::Forward).unwrap();
        let mut down = scan(&mut t, &tab, n, ReadMode::Consistent, Direction::Backward).unwrap();
        down.reverse();
        assert_eq!(up.len(), 500);
        assert_eq!(up, down);
        let locked = scan(&mut t, &tab, n, ReadMode::FOR_UPDATE, Direction::Forward).unwrap();
        let mut locked_down = scan(&mut t, &tab, n, ReadMode::FOR_SHARE, Direction::Backward).unwrap();
        locked_down.reverse();
        assert_eq!((&up, &up), (&locked, &locked_down));
    }
    let by_k: Vec<i64> =
        scan(&mut t, &tab, 1, ReadMode::Consistent, Direction::Forward).unwrap().iter().map(|r| r.1).collect();
    assert_eq!(by_k, (0..500).collect::<Vec<_>>());
    assert_eq!(read(&mut t, &tab, 77).unwrap().2, Some(923));
    assert_eq!(read(&mut t, &tab, 500), None);
    let mut c = TableCursor::open(&tab, 2, ReadMode::Consistent, false);
    let found = c.point(&mut t, &index_key(&tab, 2, &[Value::Int(990)])).unwrap().map(|r| to_r(&r).0);
    assert_eq!(found, Some(10));
    t.commit().unwrap();
    check(&e, &tab);
}

#[test]
fn ranges_by_prefix() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..40i64 {
        insert(&mut t, &tab, &r(i, i / 4, None, "x")).unwrap();
    }
    let k = |v: i64| index_key(&tab, 1, &[Value::Int(v)]);
    let (three, five) = (k(3), k(5));
    let cases: [(Bound<&[u8]>, Bound<&[u8]>, std::ops::Range<i64>); 6] = [
        (Bound::Included(&three), Bound::Included(&five), 12..24),
        (Bound::Excluded(&three), Bound::Included(&five), 16..24),
        (Bound::Included(&three), Bound::Excluded(&five), 12..20),
        (Bound::Unbounded, Bound::Excluded(&three), 0..12),
        (Bound::Excluded(&five), Bound::Unbounded, 24..40),
        (Bound::Included(&five), Bound::Included(&three), 0..0),
    ];
    for (lower, upper, ids) in cases {
        for mode in [ReadMode::Consistent, ReadMode::FOR_UPDATE] {
            let range = KeyRange { lower, upper };
            let got = scan_range(&mut t, &tab, 1, mode, Direction::Forward, range).unwrap();
            assert_eq!(got.iter().map(|r| r.0).collect::<Vec<_>>(), ids.clone().collect::<Vec<_>>());
            let got = scan_range(&mut t, &tab, 1, mode, Direction::Backward, range).unwrap();
            assert_eq!(got.iter().map(|r| r.0).collect::<Vec<_>>(), ids.clone().rev().collect::<Vec<_>>());
        }
    }
}

#[test]
fn update_delete_and_duplicates() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..10i64 {
        insert(&mut t, &tab, &r(i, i, Some(i), "x")).unwrap();
    }
    t.commit().unwrap();
    // duplicates, in both kinds of index, leave nothing behind
    let dup = insert(&mut t, &tab, &r(3, 100, Some(100), "y")).unwrap();
    assert_eq!(dup, Inserted::Duplicate { index: 0, key: key(&tab, 3).into() });
    let dup = insert(&mut t, &tab, &r(50, 100, Some(4), "y")).unwrap();
    assert_eq!(dup, Inserted::Duplicate { index: 2, key: key(&tab, 4).into() });
    assert_eq!(read(&mut t, &tab, 50), None);
    // NULLs are no duplicates
    assert_eq!(insert(&mut t, &tab, &r(60, 60, None, "n")).unwrap(), Inserted::Done);
    assert_eq!(insert(&mut t, &tab, &r(61, 60, None, "n")).unwrap(), Inserted::Done);
    // an update to a taken unique value leaves the row alone
    let dup = update(&mut t, &tab, 5, &[(1, Value::Int(55)), (2, Value::Int(6))]).unwrap().unwrap();
    assert_eq!(dup, Inserted::Duplicate { index: 2, key: key(&tab, 6).into() });
    assert_eq!(read(&mut t, &tab, 5), Some(r(5, 5, Some(5), "x")));
    // in place, other length, moved key
    update(&mut t, &tab, 5, &[(3, Value::Str(b"longer than before"))]).unwrap();
    update(&mut t, &tab, 6, &[(1, Value::Int(-1)), (2, Value::Null)]).unwrap();
    update(&mut t, &tab, 7, &[(0, Value::Int(70))]).unwrap();
    let dup = update(&mut t, &tab, 8, &[(0, Value::Int(9))]).unwrap().unwrap();
    assert_eq!(dup, Inserted::Duplicate { index: 0, key: key(&tab, 9).into() });
    assert!(delete(&mut t, &tab, 1).unwrap());
    assert!(!delete(&mut t, &tab, 1).unwrap());
    // over a delete-marked row
    assert_eq!(insert(&mut t, &tab, &r(1, 11, Some(11), "again")).unwrap(), Inserted::Done);
    let want = vec![
        r(0, 0, Some(0), "x"),
        r(1, 11, Some(11), "again"),
        r(2, 2, Some(2), "x"),
        r(3, 3, Some(3), "x"),
        r(4, 4, Some(4), "x"),
        r(5, 5, Some(5), "longer than before"),
        r(6, -1, None, "x"),
        r(8, 8, Some(8), "x"),
        r(9, 9, Some(9), "x"),
        r(60, 60, None, "n"),
        r(61, 60, None, "n"),
        r(70, 7, Some(7), "x"),
    ];
    assert_eq!(all(&mut t, &tab), want);
    t.commit().unwrap();
    assert_eq!(all(&mut t, &tab), want);
    for n in 1..4 {
        let mut got = scan(&mut t, &tab, n, ReadMode::Consistent, Direction::Forward).unwrap();
        got.sort();
        assert_eq!(got, want);
    }
    t.commit().unwrap();
    check(&e, &tab);
    drain_purge(&e);
    check(&e, &tab);
    assert_eq!(all(&mut t, &tab), want);
}

#[test]
fn savepoints_and_rollback() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..20i64 {
        insert(&mut t, &tab, &r(i, i, Some(i), "x")).unwrap();
    }
    t.commit().unwrap();
    let before = all(&mut t, &tab);
    t.commit().unwrap();
    t.start();
    insert(&mut t, &tab, &r(100, 1, Some(100), "new")).unwrap();
    update(&mut t, &tab, 3, &[(1, Value::Int(33)), (3, Value::Str(b"changed"))]).unwrap();
    let mid = all(&mut t, &tab);
    let sp = t.savepoint();
    delete(&mut t, &tab, 4).unwrap();
    insert(&mut t, &tab, &r(4, 44, Some(4), "back")).unwrap();
    update(&mut t, &tab, 3, &[(1, Value::Int(3)), (2, Value::Null)]).unwrap();
    update(&mut t, &tab, 5, &[(0, Value::Int(55))]).unwrap();
    delete(&mut t, &tab, 100).unwrap();
    t.rollback_to(sp).unwrap();
    assert_eq!(all(&mut t, &tab), mid);
    // a second time from the same savepoint, over the undone records
    delete(&mut t, &tab, 4).unwrap();
    update(&mut t, &tab, 3, &[(3, Value::Str(b"again"))]).unwrap();
    t.rollback_to(sp).unwrap();
    assert_eq!(all(&mut t, &tab), mid);
    t.rollback().unwrap();
    assert_eq!(all(&mut t, &tab), before);
    t.commit().unwrap();
    check(&e, &tab);
    drain_purge(&e);
    check(&e, &tab);
    assert_eq!(all(&mut t, &tab), before);
}

#[test]
fn long_columns() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    let big = |n: usize, seed: usize| (0..n).map(|i| (i * 31 + seed) as u8).collect::<Vec<u8>>();
    let blob_of = |t: &mut crate::txn::Trx, id: i64| {
        let mut c = TableCursor::open(&tab, 0, ReadMode::Consistent, false);
        c.point(t, &key(&tab, id)).unwrap().and_then(|r| get_str(&r, 4))
    };
    insert_blob(&mut t, &tab, &r(1, 1, None, "a"), Some(&big(100_000, 1))).unwrap();
    insert_blob(&mut t, &tab, &r(2, 2, None, "b"), Some(&big(100, 2))).unwrap();
    t.commit().unwrap();
    let mut old = e.new_trx(2).unwrap();
    old.start_with_snapshot();
    update(&mut t, &tab, 1, &[(1, Value::Int(5))]).unwrap();
    assert_eq!(blob_of(&mut t, 1), Some(big(100_000, 1)), "kept by an update of another column");
    update(&mut t, &tab, 1, &[(4, Value::Str(&big(50_000, 3)))]).unwrap();
    update(&mut t, &tab, 2, &[(4, Value::Str(&big(200_000, 4)))]).unwrap();
    t.commit().unwrap();
    assert_eq!(blob_of(&mut t, 1), Some(big(50_000, 3)));
    t.commit().unwrap();
    delete(&mut t, &tab, 1).unwrap();
    t.commit().unwrap();
    drain_purge(&e);
    assert_eq!(blob_of(&mut old, 1), Some(big(100_000, 1)), "the old snapshot still reads the old chain");
    assert_eq!(blob_of(&mut old, 2), Some(big(100, 2)));
    old.commit().unwrap();
    drain_purge(&e);
    assert_eq!(blob_of(&mut t, 2), Some(big(200_000, 4)));
    // rollback of long columns
    t.commit().unwrap();
    update(&mut t, &tab, 2, &[(4, Value::Str(&big(90_000, 5)))]).unwrap();
    insert_blob(&mut t, &tab, &r(3, 3, None, "c"), Some(&big(90_000, 6))).unwrap();
    t.rollback().unwrap();
    assert_eq!(blob_of(&mut t, 2), Some(big(200_000, 4)));
    t.commit().unwrap();
    drain_purge(&e);
    check(&e, &tab);
    let (used, _) = crate::space::usage(e.store().pool(), tab.def.space).unwrap();
    let chain = 200_000u64.div_ceil(crate::overflow::PER_PAGE as u64);
    assert!(used <= chain + 6, "{used} pages in use: overflow pages were lost");
}

/// A long column that was dropped without touching the rows: snapshots, rollback and purge of rows that still have it, and its pages come back with them.
#[test]
fn a_long_column_dropped_in_the_dictionary() {
    let (fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    let big = vec![7u8; 60_000];
    (1..=4)
        .for_each(|i| assert_eq!(insert_blob(&mut t, &tab, &r(i, i, None, "x"), Some(&big)).unwrap(), Inserted::Done));
    t.commit().unwrap();
    let used = |e: &Arc<Engine>, tab: &Table| crate::space::usage(e.store().pool(), tab.def.space).unwrap().0;
    let with_chains = used(&e, &tab);
    let old = tab.def.clone();
    let mut new = (*old).clone();
    let stored = new.columns.iter().enumerate().map(|(i, c)| (c.ty.clone(), (i < 4).then_some(i as u16)));
    new.former = vec![crate::dict::FormerRow { stored: stored.collect(), ..Default::default() }];
    new.columns.truncate(4);
    drop(tab);
    let mut ddl = crate::dict::Ddl::begin(&e, 1).unwrap();
    ddl.replace_table(&old, new).unwrap();
    ddl.commit().unwrap();
    let tab = table(&e, "a");
    assert_eq!(all(&mut t, &tab).len(), 4);
    t.commit().unwrap();
    // taken back: the rows have their chains as before
    update(&mut t, &tab, 1, &[(1, Value::Int(50))]).unwrap();
    delete(&mut t, &tab, 2).unwrap();
    t.rollback().unwrap();
    drain_purge(&e);
    assert_eq!(used(&e, &tab), with_chains);
    // an old snapshot reads the row as it was
    let mut reader = e.new_trx(2).unwrap();
    reader.start_with_snapshot();
    update(&mut t, &tab, 1, &[(1, Value::Int(51))]).unwrap();
    delete(&mut t, &tab, 2).unwrap();
    t.commit().unwrap();
    assert_eq!(all(&mut reader, &tab)[0], r(1, 1, None, "x"));
    reader.commit().unwrap();
    drain_purge(&e);
    check(&e, &tab);
    let chain = 60_000u64.div_ceil(crate::overflow::PER_PAGE as u64);
    assert_eq!(used(&e, &tab), with_chains - 2 * chain, "one row written anew, one removed");
    drop((t, reader, tab, e));
    // and what recovery rolls back keeps its chain too
    let e = open(&fs);
    let tab = table(&e, "a");
    let mut t = e.new_trx(1).unwrap();
    assert_eq!(all(&mut t, &tab), [r(1, 51, None, "x"), r(3, 3, None, "x"), r(4, 4, None, "x")]);
    t.commit().unwrap();
    (3..=4).for_each(|i| assert!(delete(&mut t, &tab, i).unwrap()));
    t.commit().unwrap();
    drain_purge(&e);
    assert_eq!(used(&e, &tab), with_chains - 4 * chain);
    check(&e, &tab);
}

#[test]
fn everything_is_there_after_a_restart() {
    let (fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..200i64 {
        insert(&mut t, &tab, &r(i, i % 10, Some(i), "x")).unwrap();
    }
    t.commit().unwrap();
    for i in 0..50i64 {
        update(&mut t, &tab, i, &[(1, Value::Int(1000))]).unwrap();
        delete(&mut t, &tab, i + 100).unwrap();
    }
    t.commit().unwrap();
    let want = all(&mut t, &tab);
    // unfinished work, lost with the process
    for i in 0..20i64 {
        delete(&mut t, &tab, i).unwrap();
        insert(&mut t, &tab, &r(1000 + i, 0, None, "lost")).unwrap();
    }
    e.wait_durable(e.store().log().current_lsn()).unwrap();
    std::mem::forget(t);
    fs.crash(7);
    let e = open(&fs);
    let tab = table(&e, "a");
    let mut t = e.new_trx(1).unwrap();
    assert_eq!(all(&mut t, &tab), want);
    t.commit().unwrap();
    check(&e, &tab);
    drain_purge(&e);
    check(&e, &tab);
    assert_eq!(all(&mut t, &tab), want);
    t.commit().unwrap();
    drop(t);
    e.shutdown(false).unwrap();
    drop(e);
    let e = open(&fs);
    let tab = table(&e, "a");
    let mut t = e.new_trx(1).unwrap();
    assert_eq!(all(&mut t, &tab), want);
    drain_purge(&e); // what shares a page with unpurged undo is looked at again
    assert_eq!(e.status().history_list_length, 0);
}

#[test]
fn auto_increment_survives() {
    let (fs, e) = engine();
    let mut d = standard("a");
    d.columns[0].auto_increment = true;
    let tab = create(&e, d);
    let mut t = e.new_trx(1).unwrap();
    assert_eq!(t.autoinc_reserve(&tab, 3, Steps::new(1, 1, u64::MAX)).unwrap(), 1);
    assert_eq!(t.autoinc_reserve(&tab, 1, Steps::new(1, 1, u64::MAX)).unwrap(), 4);
    for i in 1..=4i64 {
        insert(&mut t, &tab, &r(i, i, None, "x")).unwrap();
    }
    insert(&mut t, &tab, &r(20, 20, None, "x")).unwrap();
    t.autoinc_observe(&tab, 20, Steps::plain(u64::MAX));
    assert_eq!(t.autoinc_reserve(&tab, 1, Steps::new(10, 5, u64::MAX)).unwrap(), 25);
    insert(&mut t, &tab, &r(25, 20, None, "x")).unwrap();
    t.commit().unwrap();
    delete(&mut t, &tab, 25).unwrap();
    t.commit().unwrap();
    drain_purge(&e);
    drop(t);
    e.shutdown(true).unwrap();
    let e = open(&fs);
    let tab = table(&e, "a");
    let mut t = e.new_trx(1).unwrap();
    // as in InnoDB the counter goes on in the steps of who used it last
    assert_eq!(
        t.autoinc_reserve(&tab, 1, Steps::new(1, 1, u64::MAX)).unwrap(),
        35,
        "25 was handed out, although its row is gone"
    );
    assert!(t.autoinc_reserve(&tab, 1, Steps::new(1, 1, 26)).is_err());
}

#[test]
fn tables_without_primary_key() {
    let (fs, e) = engine();
    let mut d = standard("a");
    d.indexes = vec![
        crate::dict::IndexDef { name: "GEN_CLUST_INDEX".into(), ..index("", crate::dict::IndexKind::Plain, &[]) },
        index("k", crate::dict::IndexKind::Plain, &[1]),
    ];
    let tab = create(&e, d);
    let mut t = e.new_trx(1).unwrap();
    for i in 0..30i64 {
        insert(&mut t, &tab, &r(7, 30 - i, None, "same")).unwrap();
    }
    t.commit().unwrap();
    drop(t);
    e.shutdown(true).unwrap();
    let e = open(&fs);
    let tab = table(&e, "a");
    let mut t = e.new_trx(1).unwrap();
    for i in 0..10i64 {
        insert(&mut t, &tab, &r(8, -i, None, "more")).unwrap();
    }
    assert_eq!(all(&mut t, &tab).len(), 40);
    let by_k = scan(&mut t, &tab, 1, ReadMode::Consistent, Direction::Forward).unwrap();
    assert!(by_k.windows(2).all(|w| w[0].1 <= w[1].1));
    t.commit().unwrap();
    check(&e, &tab);
}

#[test]
fn index_only_reads() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..50i64 {
        insert(&mut t, &tab, &r(i, i % 5, Some(i), &format!("S{}", i % 3))).unwrap();
    }
    t.commit().unwrap();
    let mut old = e.new_trx(2).unwrap();
    old.start_with_snapshot();
    for i in 0..10i64 {
        update(&mut t, &tab, i, &[(1, Value::Int(9))]).unwrap();
        update(&mut t, &tab, i + 20, &[(3, Value::Str(b"s0"))]).unwrap();
        delete(&mut t, &tab, i + 10).unwrap();
    }
    t.commit().unwrap();
    assert!(tab.covers(3, 0) && tab.covers(3, 1) && tab.covers(3, 3) && !tab.covers(3, 2));
    for (trx, rows) in [(&mut old, 50), (&mut t, 40)] {
        let full = scan(trx, &tab, 3, ReadMode::Consistent, Direction::Forward).unwrap();
        let mut c = TableCursor::open(&tab, 3, ReadMode::Consistent, true);
        c.seek(trx, KeyRange::ALL, Direction::Forward).unwrap();
        let mut narrow = Vec::new();
        while let Some(row) = c.next(trx).unwrap() {
            let s = String::from_utf8(get_str(&row, 3).unwrap()).unwrap();
            narrow.push((get_i64(&row, 0).unwrap(), get_i64(&row, 1).unwrap(), s));
            assert_eq!(row.key(), key(&tab, get_i64(&row, 0).unwrap()));
        }
        assert_eq!(narrow.len(), rows);
        assert_eq!(narrow, full.into_iter().map(|r| (r.0, r.1, r.3)).collect::<Vec<_>>());
    }
}

#[test]
fn wrong_number_of_values_is_refused() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    assert!(t.insert(&tab, &[Value::Int(1)], OnDuplicate::Error).is_err());
    t.commit().unwrap();
    assert_eq!(all(&mut t, &tab), vec![]);
}
