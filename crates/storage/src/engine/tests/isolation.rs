//! Who sees what when.

use super::support::*;
use crate::table::{Direction, KeyRange, ReadMode, TableCursor};
use crate::txn::Isolation;
use bumpalo::Bump;
use value::Value;

#[test]
fn levels_see_what_the_manual_says() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut w = e.new_trx(1).unwrap();
    insert(&mut w, &tab, &r(1, 1, Some(1), "x")).unwrap();
    insert(&mut w, &tab, &r(2, 2, Some(2), "x")).unwrap();
    w.commit().unwrap();
    let mut readers: Vec<_> = [Isolation::ReadUncommitted, Isolation::ReadCommitted, Isolation::RepeatableRead]
        .into_iter()
        .map(|level| {
            let mut t = e.new_trx(2).unwrap();
            t.set_isolation(level);
            t.start();
            t.begin_statement();
            assert_eq!(read(&mut t, &tab, 1).unwrap().1, 1);
            t.end_statement();
            t
        })
        .collect();
    update(&mut w, &tab, 1, &[(1, Value::Int(10)), (2, Value::Int(100))]).unwrap();
    delete(&mut w, &tab, 2).unwrap();
    insert(&mut w, &tab, &r(3, 3, Some(3), "x")).unwrap();
    let mut see = |n: usize, want: &[(i64, i64)]| {
        let t = &mut readers[n];
        for index in 0..4 {
            t.begin_statement();
            let mut got: Vec<_> = scan(t, &tab, index, ReadMode::Consistent, Direction::Forward)
                .unwrap()
                .iter()
                .map(|r| (r.0, r.1))
                .collect();
            got.sort();
            assert_eq!(got, want, "reader {n}, index {index}");
            t.end_statement();
        }
    };
    let (old, new) = ([(1, 1), (2, 2)], [(1, 10), (3, 3)]);
    see(0, &new);
    see(1, &old);
    see(2, &old);
    w.commit().unwrap();
    see(0, &new);
    see(1, &new);
    see(2, &old);
    drain_purge(&e);
    see(2, &old);
    drop(readers);
    drain_purge(&e);
    check(&e, &tab);
}

#[test]
fn own_changes_are_seen_and_snapshots_start_at_the_first_read() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let (mut a, mut b) = (e.new_trx(1).unwrap(), e.new_trx(2).unwrap());
    a.start();
    insert(&mut b, &tab, &r(1, 1, None, "x")).unwrap();
    b.commit().unwrap();
    assert!(read(&mut a, &tab, 1).is_some(), "START TRANSACTION alone takes no snapshot");
    update(&mut b, &tab, 1, &[(1, Value::Int(2))]).unwrap();
    b.commit().unwrap();
    assert_eq!(read(&mut a, &tab, 1).unwrap().1, 1);
    // a locking read and an update see the newest version
    assert_eq!(point(&mut a, &tab, 1, ReadMode::FOR_UPDATE).unwrap().unwrap().1, 2);
    a.update(&tab, &key(&tab, 1), &[(3, Value::Str(b"mine"))]).unwrap();
    assert_eq!(read(&mut a, &tab, 1), Some(r(1, 2, None, "mine")));
    a.commit().unwrap();
    let mut c = e.new_trx(3).unwrap();
    c.start_with_snapshot();
    update(&mut b, &tab, 1, &[(1, Value::Int(3))]).unwrap();
    b.commit().unwrap();
    assert_eq!(read(&mut c, &tab, 1).unwrap().1, 2);
}

/// A reader with an old snapshot walks hundreds of versions and rows that were deleted and inserted again.
#[test]
fn a_long_reader_keeps_its_picture() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut w = e.new_trx(1).unwrap();
    for i in 0..30i64 {
        insert(&mut w, &tab, &r(i, i, Some(i), &format!("first {i}"))).unwrap();
    }
    w.commit().unwrap();
    let mut old = e.new_trx(2).unwrap();
    old.start_with_snapshot();
    let want = all(&mut old, &tab);
    for round in 0..100i64 {
        for i in 0..30i64 {
            match (i + round) % 4 {
                0 => {
                    delete(&mut w, &tab, i).unwrap();
                }
                1 => {
                    insert(&mut w, &tab, &r(i, round, Some(1000 + round * 30 + i), "new")).unwrap();
                }
                _ => {
                    let text = format!("round {round}").repeat(1 + (round % 5) as usize);
                    update(&mut w, &tab, i, &[(1, Value::Int(round)), (3, Value::Str(text.as_bytes()))]).unwrap();
                }
            }
        }
        if round % 7 == 0 {
            w.rollback().unwrap();
        } else {
            w.commit().unwrap();
        }
        drain_purge(&e);
    }
    for n in 0..4 {
        let mut got = scan(&mut old, &tab, n, ReadMode::Consistent, Direction::Backward).unwrap();
        got.sort();
        assert_eq!(got, want, "index {n}");
    }
    assert!(e.status().history_list_length > 0);
    old.commit().unwrap();
    drain_purge(&e);
    assert_eq!(e.status().history_list_length, 0);
    check(&e, &tab);
}

/// A transaction takes back what it did to a row that another had changed after its snapshot. Its own id stays on the index entries, which
/// stand as the other left them: its snapshot must not see through them what it does not see in the row.
#[test]
fn entries_that_were_rolled_back_are_judged_by_their_row() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut w = e.new_trx(1).unwrap();
    insert(&mut w, &tab, &r(1, 5, Some(1), "x")).unwrap();
    insert(&mut w, &tab, &r(2, 7, Some(2), "x")).unwrap();
    w.commit().unwrap();
    let mut t = e.new_trx(2).unwrap();
    t.start();
    let before = all(&mut t, &tab);
    update(&mut w, &tab, 1, &[(1, Value::Int(6))]).unwrap();
    delete(&mut w, &tab, 2).unwrap();
    w.commit().unwrap();
    let savepoint = t.savepoint();
    // the entries of 5 and 6 change places; the third is put on the deleted row
    update(&mut t, &tab, 1, &[(1, Value::Int(5))]).unwrap();
    insert(&mut t, &tab, &r(2, 7, Some(2), "again")).unwrap();
    t.rollback_to(savepoint).unwrap();
    for index in 0..4 {
        for dir in [Direction::Forward, Direction::Backward] {
            let mut got = scan(&mut t, &tab, index, ReadMode::Consistent, dir).unwrap();
            got.sort();
            assert_eq!(got, before, "index {index}");
        }
    }
    for (k, want) in [(5, vec![1]), (6, vec![]), (7, vec![2])] {
        let key = index_key(&tab, 1, &[Value::Int(k)]);
        for index_only in [false, true] {
            let mut c = TableCursor::open(&tab, 1, ReadMode::Consistent, index_only);
            c.seek(&mut t, KeyRange::prefix(&key), Direction::Forward).unwrap();
            let (mut got, arena) = (Vec::new(), Bump::new());
            while let Some(row) = c.next(&mut t).unwrap() {
                let [id, has] = [0, 1].map(|c| match row.column(c, &arena).unwrap() {
                    Value::Int(v) => v,
                    other => panic!("{other:?}"),
                });
                assert_eq!(has, k);
                got.push(id);
            }
            assert_eq!(got, want, "k = {k}, index only: {index_only}");
        }
    }
    t.commit().unwrap();
    drain_purge(&e);
    check(&e, &tab);
}
