//! Multi-valued indexes: rows with no, one, several and very many entries.

use super::support::*;
use crate::dict::{IndexKind, TableDef};
use crate::engine::Engine;
use crate::file::sim::Rng;
use crate::table::{BuildOptions, Direction, Inserted, KeyRange, OnDuplicate, ReadMode, Table, TableCursor};
use crate::txn::Trx;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use value::Value;

const ON: BuildOptions<'static> = BuildOptions { memory: 1 << 20, interrupted: &|| false };
const M: usize = 4;
const UM: usize = 5;
const KM: usize = 6;

/// Without the unique one: arrays may share elements.
fn shared(name: &str) -> TableDef {
    let mut d = multi(name);
    d.indexes[UM].kind = IndexKind::Plain;
    d
}

fn put(t: &mut Trx, tab: &Arc<Table>, id: i64, k: i64, elements: Option<Vec<i64>>) -> Inserted {
    let doc = array(elements);
    let row = [Value::Int(id), Value::Int(k), Value::Null, Value::Str(b"s"), Value::Null, json(&doc)];
    t.insert(tab, &row, OnDuplicate::Error).unwrap()
}

fn set(t: &mut Trx, tab: &Arc<Table>, id: i64, elements: Option<Vec<i64>>) -> Inserted {
    let doc = array(elements);
    update(t, tab, id, &[(5, json(&doc))]).unwrap().unwrap()
}

/// Ids of the rows that have an element, through index `n`, by an ordinary and a locking read.
fn with(t: &mut Trx, tab: &Arc<Table>, n: usize, key: &[Value<'_>]) -> Vec<i64> {
    let key = index_key(tab, n, key);
    let mut read = |mode| {
        let rows = scan_range(t, tab, n, mode, Direction::Forward, KeyRange::prefix(&key)).unwrap();
        rows.into_iter().map(|r| r.0).collect::<Vec<i64>>()
    };
    read(ReadMode::Consistent)
}

fn has(t: &mut Trx, tab: &Arc<Table>, element: i64) -> Vec<i64> {
    with(t, tab, M, &[Value::Int(element)])
}

#[test]
fn a_row_has_an_entry_for_each_element() {
    let (_fs, e) = engine();
    let tab = create(&e, shared("a"));
    let mut t = e.new_trx(1).unwrap();
    put(&mut t, &tab, 1, 7, Some(vec![1, 2, 3]));
    put(&mut t, &tab, 2, 7, Some(vec![3, 3, 4, 3]));
    put(&mut t, &tab, 3, 8, Some(vec![]));
    put(&mut t, &tab, 4, 8, None);
    t.commit().unwrap();
    check(&e, &tab);
    assert_eq!(has(&mut t, &tab, 3), [1, 2]);
    assert_eq!(has(&mut t, &tab, 1), [1]);
    assert_eq!(has(&mut t, &tab, 9), [0i64; 0]);
    assert_eq!(with(&mut t, &tab, M, &[Value::Null]), [4]);
    assert_eq!(with(&mut t, &tab, KM, &[Value::Int(7), Value::Int(3)]), [1, 2]);
    assert_eq!(with(&mut t, &tab, KM, &[Value::Int(8), Value::Int(3)]), [0i64; 0]);
    t.commit().unwrap();
    let mut old = e.new_trx(2).unwrap();
    old.start_with_snapshot();
    set(&mut t, &tab, 1, Some(vec![3, 4, 5]));
    delete(&mut t, &tab, 2).unwrap();
    set(&mut t, &tab, 3, Some(vec![2]));
    assert_eq!(has(&mut t, &tab, 3), [1]);
    assert_eq!(has(&mut t, &tab, 2), [3]);
    let sp = t.savepoint();
    set(&mut t, &tab, 3, None);
    update(&mut t, &tab, 1, &[(0, Value::Int(11))]).unwrap();
    assert_eq!(has(&mut t, &tab, 4), [11]);
    t.rollback_to(sp).unwrap();
    assert_eq!((has(&mut t, &tab, 2), has(&mut t, &tab, 4)), (vec![3], vec![1]));
    check(&e, &tab);
    t.commit().unwrap();
    drain_purge(&e);
    assert_eq!(
        (has(&mut old, &tab, 3), has(&mut old, &tab, 1), has(&mut old, &tab, 2)),
        (vec![1, 2], vec![1], vec![1])
    );
    old.commit().unwrap();
    drain_purge(&e);
    check(&e, &tab);
    assert_eq!((has(&mut t, &tab, 3), has(&mut t, &tab, 2)), (vec![1], vec![3]));
    t.rollback().unwrap();
    for id in [1, 3, 4] {
        delete(&mut t, &tab, id).unwrap();
    }
    t.commit().unwrap();
    drain_purge(&e);
    for n in 0..=KM {
        let mut c = crate::btree::Cursor::new(tab.tree(n).unwrap());
        c.forward(&[], None);
        assert!(c.next(e.store().pool()).unwrap().is_none(), "index {n} still has records");
    }
}

#[test]
fn no_element_of_a_unique_one_comes_twice() {
    let (_fs, e) = engine();
    let tab = create(&e, multi("a"));
    let mut t = e.new_trx(1).unwrap();
    assert_eq!(put(&mut t, &tab, 1, 0, Some(vec![1, 2])), Inserted::Done);
    assert_eq!(put(&mut t, &tab, 2, 0, Some(vec![3, 3])), Inserted::Done);
    for id in 3..6 {
        assert_eq!(put(&mut t, &tab, id, 0, if id == 3 { Some(vec![]) } else { None }), Inserted::Done);
    }
    t.commit().unwrap();
    let dup = |id| Inserted::Duplicate { index: UM, key: key(&tab, id).into() };
    assert_eq!(put(&mut t, &tab, 9, 0, Some(vec![10, 2, 11])), dup(1));
    assert_eq!(set(&mut t, &tab, 2, Some(vec![4, 1])), dup(1));
    assert_eq!((has(&mut t, &tab, 10), has(&mut t, &tab, 4), has(&mut t, &tab, 3)), (vec![], vec![], vec![2]));
    // what the row itself has is not in its way, and what goes makes room in the same transaction
    assert_eq!(set(&mut t, &tab, 1, Some(vec![2, 5])), Inserted::Done);
    assert_eq!(set(&mut t, &tab, 2, Some(vec![1, 3])), Inserted::Done);
    t.commit().unwrap();
    check(&e, &tab);
    // a locked element makes the other wait
    t.start();
    set(&mut t, &tab, 3, Some(vec![77]));
    let other = std::thread::scope(|s| {
        let (e, tab) = (&e, &tab);
        let w = s.spawn(move || {
            let mut t = e.new_trx(2).unwrap();
            let got = put(&mut t, tab, 50, 0, Some(vec![76, 77]));
            t.commit().unwrap();
            got
        });
        std::thread::sleep(std::time::Duration::from_millis(50));
        t.rollback().unwrap();
        w.join().unwrap()
    });
    assert_eq!(other, Inserted::Done);
    drain_purge(&e);
    check(&e, &tab);
}

/// More entries than an undo record holds: inserted, changed, deleted, put over a delete-marked row, each committed or taken back.
#[test]
fn very_many_elements() {
    let (fs, e) = engine();
    let tab = create(&e, multi("a"));
    let mut t = e.new_trx(1).unwrap();
    let many = |from: i64| Some((from..from + 1600).collect::<Vec<i64>>());
    put(&mut t, &tab, 1, 0, many(0));
    t.commit().unwrap();
    let mut old = e.new_trx(2).unwrap();
    old.start_with_snapshot();
    assert_eq!(has(&mut old, &tab, 1599), [1]);
    let look = |t: &mut Trx| [400, 1400, 2000, 3600].map(|n| has(t, &tab, n).len());
    t.start();
    set(&mut t, &tab, 1, many(1200));
    assert_eq!(look(&mut t), [0, 1, 1, 0]);
    t.rollback().unwrap();
    check(&e, &tab);
    assert_eq!(look(&mut t), [1, 1, 0, 0]);
    t.commit().unwrap();
    set(&mut t, &tab, 1, many(1200));
    t.commit().unwrap();
    t.start();
    delete(&mut t, &tab, 1).unwrap();
    let sp = t.savepoint();
    put(&mut t, &tab, 1, 0, many(3200));
    assert_eq!(look(&mut t), [0, 0, 0, 1]);
    t.rollback_to(sp).unwrap();
    assert_eq!(look(&mut t), [0; 4]);
    t.rollback().unwrap();
    check(&e, &tab);
    assert_eq!(look(&mut t), [0, 1, 1, 0]);
    t.commit().unwrap();
    delete(&mut t, &tab, 1).unwrap();
    t.commit().unwrap();
    put(&mut t, &tab, 1, 0, many(3200));
    t.commit().unwrap();
    drain_purge(&e);
    assert_eq!(look(&mut old), [1, 1, 0, 0]);
    assert_eq!(look(&mut t), [0, 0, 0, 1]);
    old.commit().unwrap();
    t.commit().unwrap();
    drain_purge(&e);
    check(&e, &tab);
    // unfinished when the lights go out
    t.start();
    set(&mut t, &tab, 1, many(3800));
    e.store().clean_step().unwrap();
    std::mem::forget(t);
    drop(tab);
    drop(old);
    std::mem::forget(e);
    fs.crash(7);
    let e = open(&fs);
    let tab = table(&e, "a");
    check(&e, &tab);
    let mut t = e.new_trx(1).unwrap();
    assert_eq!((has(&mut t, &tab, 3200), has(&mut t, &tab, 5200)), (vec![1], vec![]));
}

type Model = BTreeMap<i64, Option<BTreeSet<i64>>>;

fn agrees(t: &mut Trx, tab: &Arc<Table>, m: &Model, what: &str) {
    for n in 0..12 {
        let want: Vec<i64> =
            m.iter().filter(|(_, a)| a.as_ref().is_some_and(|a| a.contains(&n))).map(|(id, _)| *id).collect();
        assert_eq!(has(t, tab, n), want, "{what}: element {n}");
    }
    let nulls: Vec<i64> = m.iter().filter(|(_, a)| a.is_none()).map(|(id, _)| *id).collect();
    assert_eq!(with(t, tab, M, &[Value::Null]), nulls, "{what}");
}

fn random_array(rng: &mut Rng) -> Option<Vec<i64>> {
    let n = rng.below(6);
    (rng.below(8) > 0).then(|| (0..n).map(|_| rng.below(12) as i64).collect())
}

/// Random changes with few elements that come and go, older snapshots, rollbacks, purge in between.
#[test]
fn lookups_agree_with_a_model() {
    let (_fs, e) = engine();
    let tab = create(&e, shared("a"));
    let mut rng = Rng(5);
    let (mut sure, mut t) = (Model::new(), e.new_trx(1).unwrap());
    let mut old: Option<(Trx, Model)> = None;
    for round in 0..1500 {
        let mut m = sure.clone();
        t.start();
        for _ in 0..1 + rng.below(5) {
            let id = rng.below(15) as i64;
            let a = random_array(&mut rng);
            let set_of = a.clone().map(|a| a.into_iter().collect());
            match (m.contains_key(&id), rng.below(3)) {
                (true, 0) => {
                    delete(&mut t, &tab, id).unwrap();
                    m.remove(&id);
                }
                (true, _) => {
                    set(&mut t, &tab, id, a);
                    m.insert(id, set_of);
                }
                _ => {
                    put(&mut t, &tab, id, 0, a);
                    m.insert(id, set_of);
                }
            }
        }
        agrees(&mut t, &tab, &m, "own changes");
        if rng.below(4) == 0 {
            t.rollback().unwrap();
        } else {
            t.commit().unwrap();
            sure = m;
        }
        match &mut old {
            None => {
                let mut r = e.new_trx(2).unwrap();
                r.start_with_snapshot();
                old = Some((r, sure.clone()));
            }
            Some((r, m)) if rng.below(5) == 0 => {
                agrees(r, &tab, m, "an older snapshot");
                r.commit().unwrap();
                old = None;
            }
            _ => {}
        }
        if rng.below(3) == 0 {
            e.purge_batch().unwrap();
        }
        if round % 100 == 0 {
            check(&e, &tab);
        }
    }
    check(&e, &tab);
}

/// Index `n` of `built`, which only the test knows, is what the rows want.
fn fresh_copy(e: &Arc<Engine>, tab: &Arc<Table>) -> (Arc<Table>, Vec<usize>) {
    let mut def = TableDef::clone(&tab.def);
    let fresh: Vec<usize> = (1..def.indexes.len()).collect();
    for (n, i) in def.indexes.iter_mut().enumerate().skip(1) {
        i.id = base::IndexId(9000 + n as u64);
        i.root = crate::dict::Physical::create_tree(&**e, tab.def.space, i.id).unwrap();
    }
    (Arc::new(Table::new(e, Arc::new(def))), fresh)
}

#[test]
fn built_beside_writers() {
    let (_fs, e) = engine();
    let tab = create(&e, shared("a"));
    let mut t = e.new_trx(1).unwrap();
    let mut rng = Rng(11);
    for id in 0..400 {
        put(&mut t, &tab, id, id % 3, random_array(&mut rng));
    }
    t.commit().unwrap();
    let (built, fresh) = fresh_copy(&e, &tab);
    let rec = tab.record_changes(1 << 20);
    let mut before = e.new_trx(2).unwrap();
    before.start_with_snapshot();
    for id in (0..400).step_by(3) {
        set(&mut t, &tab, id, random_array(&mut rng));
    }
    e.build_indexes_at(&mut before, &tab, &built, &fresh, ON).unwrap();
    for id in (0..400).step_by(5) {
        delete(&mut t, &tab, id).unwrap();
    }
    t.commit().unwrap();
    let mut after = e.new_trx(3).unwrap();
    after.start_with_snapshot();
    let open = || TableCursor::open(&tab, 0, ReadMode::Consistent, false);
    let keys = rec.take().unwrap();
    for (trx, add) in [(&mut before, false), (&mut after, true)] {
        for key in &keys {
            let arena = bumpalo::Bump::new();
            let mut c = open();
            let Some(row) = c.point(trx, key).unwrap() else { continue };
            let values: Vec<Value<'_>> = (0..6).map(|c| row.column(c, &arena).unwrap()).collect();
            match add {
                true => e.add_built_entries(&built, &fresh, key, &values).unwrap(),
                false => e.remove_built_entries(&built, &fresh, key, &values).unwrap(),
            }
        }
    }
    check(&e, &built);
    // and from the rows as they are now, by one who has the table for himself
    let (again, fresh) = fresh_copy(&e, &tab);
    e.build_indexes(&again, &fresh, ON).unwrap();
    check(&e, &again);
}
