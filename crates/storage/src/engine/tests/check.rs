//! CHECK TABLE beside writers: what they are in the middle of is no damage, what does not fit together is one all the same.

use super::support::*;
use crate::engine::Engine;
use crate::stop_on_drop::StopOnDrop;
use crate::table::secondary::entry_head;
use crate::table::{Inserted, OnDuplicate, Table};
use base::TrxId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use value::Value;

static LONG: [u8; 30_000] = [b'x'; 30_000];

fn filled(e: &Arc<Engine>, rows: i64) -> Arc<Table> {
    let tab = create(e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    for i in 0..rows {
        insert_blob(&mut t, &tab, &r(i, i, Some(i), "x"), Some(&LONG)).unwrap();
    }
    t.commit().unwrap();
    tab
}

#[test]
fn a_row_that_is_half_changed_is_whole_in_the_snapshot() {
    let (_fs, e) = engine();
    let tab = filled(&e, 3);
    let mut w = e.new_trx(2).unwrap();
    // its clustered record is marked, its entries are not yet
    assert!(point(&mut w, &tab, 1, crate::table::ReadMode::FOR_UPDATE).unwrap().is_some());
    let mut change = w.start_delete(&tab, &key(&tab, 1)).unwrap();
    assert_eq!(w.leave(&tab, &mut change).unwrap(), Some(0));
    check(&e, &tab);
    assert_eq!(w.enter(&tab, &mut change).unwrap(), Inserted::Done);
    assert_eq!(w.leave(&tab, &mut change).unwrap(), Some(1));
    check(&e, &tab);
    w.take_back(&tab, change).unwrap();
    check(&e, &tab);
    // its clustered record is there, its entries are not yet
    let row = [Value::Int(7), Value::Int(7), Value::Null, Value::Str(b"y"), Value::Str(&LONG)];
    let mut change = w.start_insert(&tab, &row, OnDuplicate::Error).unwrap();
    assert_eq!(w.leave(&tab, &mut change).unwrap(), Some(0));
    assert_eq!(w.enter(&tab, &mut change).unwrap(), Inserted::Done);
    let report = tab.check(&e).unwrap();
    assert!(report.is_ok() && report.rows == 3, "{report:?}");
    w.take_back(&tab, change).unwrap();
    w.commit().unwrap();
    check(&e, &tab);
}

#[test]
fn writers_go_on_while_a_table_is_checked() {
    let (_fs, e) = engine();
    let tab = filled(&e, 20);
    let stop = AtomicBool::new(false);
    std::thread::scope(|s| {
        for n in 0..2 {
            let (e, tab, stop) = (&e, &tab, &stop);
            s.spawn(move || {
                let mut t = e.new_trx(10 + n as u64).unwrap();
                let mut i = 0i64;
                while !stop.load(Ordering::Relaxed) {
                    i += 1;
                    let id = 100 + n * 1_000_000 + i;
                    insert_blob(&mut t, tab, &r(id, id, Some(id), "new"), (i % 5 == 0).then_some(&LONG[..])).unwrap();
                    update(&mut t, tab, n * 10 + i % 10, &[(1, Value::Int(i)), (4, Value::Str(&LONG))]).unwrap();
                    let end = if i % 3 == 0 { t.rollback() } else { t.commit().map(|_| ()) };
                    end.unwrap();
                }
            });
        }
        let _ended = StopOnDrop(&stop);
        for _ in 0..40 {
            let report = tab.check(&e).unwrap();
            e.purge_batch().unwrap();
            assert!(report.is_ok(), "{report:?}");
        }
    });
    check(&e, &tab);
}

#[test]
fn damage_is_found() {
    for what in 0..3 {
        let (_fs, e) = engine();
        let tab = filled(&e, 3);
        let mut entry = index_key(&tab, 1, &[Value::Int(1)]);
        entry.extend_from_slice(&key(&tab, 1));
        let mut mtr = e.store().mtr().unwrap();
        let tree = tab.tree(1).unwrap();
        let wrong = match what {
            0 => {
                tree.write(&mut mtr, &entry, 0, |at| at.delete()).unwrap();
                "no entry in index 'k'"
            }
            1 => {
                tree.write(&mut mtr, &entry, 0, |at| at.patch(0, &entry_head(1, TrxId(0)))).unwrap();
                "no entry in index 'k'"
            }
            _ => {
                let mut other = index_key(&tab, 1, &[Value::Int(77)]);
                other.extend_from_slice(&key(&tab, 1));
                tree.write(&mut mtr, &other, 100, |at| at.insert(&entry_head(0, TrxId(0)))).unwrap();
                "has no row"
            }
        };
        mtr.commit();
        let report = tab.check(&e).unwrap();
        assert!(report.problems.iter().any(|p| p.contains(wrong)), "{what}: {report:?}");
    }
}
