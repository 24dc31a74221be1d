//! Purge keeps up and leaves nothing behind.

use super::support::*;
use crate::engine::{Engine, EngineConfig};
use crate::file::sim::{Rng, SimFs};
use crate::txn::Durability;
use std::sync::Arc;
use value::Value;

#[test]
fn deleted_rows_leave_no_records_and_pages_come_back() {
    let (_fs, e) = engine();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..3000i64 {
        insert(&mut t, &tab, &r(i, i, Some(i), &"x".repeat(60))).unwrap();
        if i % 50 == 0 {
            t.commit().unwrap();
        }
    }
    t.commit().unwrap();
    drain_purge(&e);
    let (full, _) = crate::space::usage(e.store().pool(), tab.def.space).unwrap();
    for i in 0..3000i64 {
        delete(&mut t, &tab, i).unwrap();
        if i % 50 == 0 {
            t.commit().unwrap();
        }
    }
    t.commit().unwrap();
    drain_purge(&e);
    assert_eq!(e.status().history_list_length, 0);
    check(&e, &tab);
    for n in 0..4 {
        let mut c = crate::btree::Cursor::new(tab.tree(n).unwrap());
        c.forward(&[], None);
        assert!(c.next(e.store().pool()).unwrap().is_none(), "index {n} still has records");
    }
    let (empty, _) = crate::space::usage(e.store().pool(), tab.def.space).unwrap();
    assert!(empty * 4 < full, "{empty} of {full} pages in use");
    // undo pages went back too: another round of the same work does not grow the undo space
    let (undo, _) = crate::space::usage(e.store().pool(), crate::undo::UNDO_SPACE).unwrap();
    assert!(undo < 40, "{undo} undo pages in use");
}

/// Writers on the same few rows, the purge thread, and a checker that looks at every index all the time.
#[test]
fn purge_races_with_writers() {
    let mut config = EngineConfig::on(Arc::new(SimFs::new()));
    config.background = true;
    config.durability = Durability::Lazy;
    let e: Arc<Engine> = Engine::open(config).unwrap();
    let tab = create(&e, standard("a"));
    std::thread::scope(|s| {
        for n in 0..4u64 {
            let (e, tab) = (&e, &tab);
            s.spawn(move || {
                let mut rng = Rng(n + 1);
                let mut t = e.new_trx(n).unwrap();
                // no gap locks: the threads' rows are neighbours and would deadlock over them
                t.set_isolation(crate::txn::Isolation::ReadCommitted);
                for round in 0..1500i64 {
                    let id = rng.below(12) as i64 * 4 + n as i64;
                    // values that come back again and again, so that entries are marked, unmarked and purged
                    let (k, u) = (rng.below(3) as i64, Some(id * 3 + rng.below(3) as i64));
                    match rng.below(3) {
                        0 => drop(insert(&mut t, tab, &r(id, k, u, "s")).unwrap()),
                        1 => drop(delete(&mut t, tab, id).unwrap()),
                        _ => {
                            let u = Value::Int(u.unwrap());
                            update(&mut t, tab, id, &[(1, Value::Int(k)), (2, u)]).unwrap();
                        }
                    }
                    match round % 5 {
                        0 => t.rollback().unwrap(),
                        1 => {}
                        _ => drop(t.commit().unwrap()),
                    }
                }
                t.commit().unwrap();
            });
        }
        let (e, tab) = (&e, &tab);
        s.spawn(move || {
            let mut t = e.new_trx(50).unwrap();
            for _ in 0..60 {
                t.start_with_snapshot();
                let want = all(&mut t, tab);
                for n in [1, 2, 3, 0] {
                    let mode = crate::table::ReadMode::Consistent;
                    let mut got = scan(&mut t, tab, n, mode, crate::table::Direction::Forward).unwrap();
                    got.sort();
                    assert_eq!(got, want, "index {n}");
                }
                t.commit().unwrap();
            }
        });
    });
    e.shutdown(false).unwrap();
    check(&e, &tab);
}

#[test]
fn check_table_while_purge_takes_leaves_out() {
    let mut config = EngineConfig::on(Arc::new(SimFs::new()));
    config.background = true;
    config.durability = Durability::Lazy;
    let e: Arc<Engine> = Engine::open(config).unwrap();
    let tab = create(&e, standard("a"));
    for round in 0..6 {
        let mut t = e.new_trx(1).unwrap();
        for id in 0..4000i64 {
            insert(&mut t, &tab, &r(id, id % 7, Some(id + round), &"s".repeat(150))).unwrap();
        }
        t.commit().unwrap();
        for from in (0..4000i64).step_by(500) {
            for id in from..from + 500 {
                delete(&mut t, &tab, id).unwrap();
            }
            t.commit().unwrap();
            assert_eq!(e.check_table(&tab).unwrap(), Vec::<String>::new());
        }
        while e.undo.history_len() > 0 {
            assert_eq!(e.check_table(&tab).unwrap(), Vec::<String>::new());
        }
    }
}
