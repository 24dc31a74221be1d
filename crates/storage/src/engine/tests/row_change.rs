//! Changes index by index ([`crate::table::RowChange`]): finished they are what `insert`, `update` and `delete` do, and taken back at any
//! step they leave nothing.

use super::support::*;
use crate::table::{Inserted, OnDuplicate, ReadMode, RowChange, Table};
use crate::txn::Trx;
use std::sync::Arc;
use value::Value;

/// One of the changes that are tried on row 2.
fn start(t: &mut Trx, tab: &Arc<Table>, what: usize, long: &[u8]) -> (RowChange, Vec<(usize, Value<'static>)>) {
    let place = key(tab, 2);
    point(t, tab, 2, ReadMode::FOR_UPDATE).unwrap();
    let moved = vec![(0, Value::Int(9)), (2, Value::Int(90)), (3, Value::Str(b"moved"))];
    let stays = vec![(1, Value::Int(80)), (2, Value::Int(81)), (3, Value::Str(b"stays"))];
    match what {
        0 => (t.start_delete(tab, &place).unwrap(), Vec::new()),
        1 => (t.start_update(tab, &place, &moved).unwrap(), moved),
        2 => (t.start_update(tab, &place, &stays).unwrap(), stays),
        _ => {
            let row = [Value::Int(7), Value::Int(70), Value::Int(71), Value::Str(b"new"), Value::Str(long)];
            (t.start_insert(tab, &row, OnDuplicate::Error).unwrap(), Vec::new())
        }
    }
}

#[test]
fn half_a_change_is_taken_back() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("t"));
    let mut t = e.new_trx(1).unwrap();
    for id in 1..4 {
        insert(&mut t, &tab, &r(id, id * 10, Some(id), "x")).unwrap();
    }
    t.commit().unwrap();
    let long = vec![b'l'; 100_000];
    for what in 0..4 {
        for steps in 0..6 {
            let before = all(&mut t, &tab);
            let (mut change, _) = start(&mut t, &tab, what, &long);
            for _ in 0..steps {
                if t.leave(&tab, &mut change).unwrap().is_none() {
                    break;
                }
                assert_eq!(t.enter(&tab, &mut change).unwrap(), Inserted::Done);
            }
            // what happens in between goes with it
            update(&mut t, &tab, 1, &[(1, Value::Int(1000 + steps))]).unwrap();
            t.take_back(&tab, change).unwrap();
            assert_eq!(all(&mut t, &tab), before, "change {what}, {steps} steps");
            t.commit().unwrap();
            drain_purge(&e);
            check(&e, &tab);
        }
    }
}

#[test]
fn a_whole_change_is_what_it_is_at_once() {
    let (_fs, e) = engine();
    let (one, two) = (create(&e, standard("one")), create(&e, standard("two")));
    let mut t = e.new_trx(1).unwrap();
    for id in 1..4 {
        for tab in [&one, &two] {
            insert(&mut t, tab, &r(id, id * 10, Some(id), "x")).unwrap();
        }
    }
    let (mut seen, long) = (Vec::new(), vec![b'l'; 100_000]);
    for what in [2, 3, 1, 0] {
        if what == 0 {
            insert(&mut t, &one, &r(2, 1, None, "again")).unwrap();
            insert(&mut t, &two, &r(2, 1, None, "again")).unwrap();
        }
        let (mut change, changes) = start(&mut t, &one, what, &long);
        while let Some(index) = t.leave(&one, &mut change).unwrap() {
            seen.push(index);
            assert_eq!(t.enter(&one, &mut change).unwrap(), Inserted::Done);
        }
        t.finish(&one, change, &changes);
        match what {
            0 => drop(delete(&mut t, &two, 2).unwrap()),
            3 => drop(insert_blob(&mut t, &two, &r(7, 70, Some(71), "new"), Some(&long)).unwrap()),
            _ => drop(update(&mut t, &two, 2, &changes).unwrap()),
        }
        assert_eq!(all(&mut t, &one), all(&mut t, &two), "change {what}");
    }
    // in place only secondary indexes change; else all of them, the clustered one first
    assert_eq!(seen, [1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
    t.commit().unwrap();
    drain_purge(&e);
    check(&e, &one);
    check(&e, &two);
}
